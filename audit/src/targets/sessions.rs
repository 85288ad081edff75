//! A program that answers by sessions: each is opened on a dataset, asked one question after another, and closed.
//!
//! `{"op": "open", "data": …}` is answered by null, `{"op": "ask", "question": …}` by the answer, `{"op": "close"}` by null. The
//! transcript of a session with an analyst, an array of answers, is one output of the program, and an error is an answer. So the
//! claim is held over whole transcripts, and nothing else of the audit changes.

use super::{Analyst, Batch, Output, Subprocess, TargetError, Trace};
use serde_json::{Value, json};

impl Subprocess {
    /// The transcripts of `n` sessions, one after the other.
    pub(super) fn sessions(
        &mut self,
        analyst: &Analyst,
        data: &Value,
        n: usize,
    ) -> Result<Batch, TargetError> {
        let mut batch = Batch::default();
        for output in 0..n {
            let mut traces = Vec::new();
            let transcript = self.session(analyst, data, &mut traces)?;
            batch.outputs.push(Output::Vector(transcript));
            let of_session = |trace| Trace { output, ..trace };
            batch.traces.extend(traces.into_iter().map(of_session));
        }
        Ok(batch)
    }

    fn session(
        &mut self,
        analyst: &Analyst,
        data: &Value,
        traces: &mut Vec<Trace>,
    ) -> Result<Vec<Output>, TargetError> {
        let mut say = |line: Value| -> Result<Output, TargetError> {
            let batch = self.exchange(line, 1)?;
            traces.extend(batch.traces);
            batch.outputs.into_iter().next().ok_or(TargetError::Failed)
        };
        // To refuse to open is all that such a session says.
        if let Some(error) = error_or_null("open", say(json!({"op": "open", "data": data}))?)? {
            return Ok(vec![error]);
        }
        let mut answers =
            analyst.transcript(|question| say(json!({"op": "ask", "question": question})))?;
        answers.extend(error_or_null("close", say(json!({"op": "close"}))?)?);
        Ok(answers)
    }
}

/// What else than an answer is said: an error, or nothing.
fn error_or_null(op: &str, said: Output) -> Result<Option<Output>, TargetError> {
    match said {
        Output::Null => Ok(None),
        Output::Error(_) => Ok(Some(said)),
        other => Err(TargetError::Line {
            line: 1,
            reason: format!(
                "expected null or an error as the answer to {op}, got: {other} (what a session releases, it answers to ask)"
            ),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::{Settings, Strategy, Target};
    use std::ffi::OsString;

    /// A program of a shell, asked by sessions of at most three questions: "a", "b" and again "a".
    fn shell(strategy: Strategy, answers: &str) -> Subprocess {
        let script = format!(
            "count=0; while read -r request; do case \"$request\" in {answers} *'\"open\"'*|*'\"close\"'*) echo null;; esac; done"
        );
        let command = ["sh", "-c", &script].map(OsString::from);
        let program = Subprocess::start(&command, Settings::default()).unwrap();
        let questions = vec![json!("a"), json!("b")];
        program.held_by(Analyst::new(questions, strategy, 3, 1).unwrap())
    }

    fn transcripts(strategy: Strategy, answers: &str, n: usize) -> Result<Batch, TargetError> {
        shell(strategy, answers).sample(&json!([0, 1]), n)
    }

    /// The request as a text of JSON.
    const ECHO: &str = r#"echo "$request" | sed 's/"/\\"/g; s/^/"/; s/$/"/'"#;

    #[test]
    fn a_transcript_is_the_array_of_the_answers() {
        let program = format!("*'\"ask\"'*) {ECHO};;");
        let batch = transcripts(Strategy::Fixed, &program, 2).unwrap();
        let asked = |question| {
            Output::Label(
                json!({"op": "ask", "question": question, "n": 1, "reply": "lines"}).to_string(),
            )
        };
        let expected = Output::Vector(["a", "b", "a"].map(asked).to_vec());
        assert_eq!(batch.outputs, [expected.clone(), expected]);
    }

    #[test]
    fn a_session_is_opened_on_the_data_and_closed() {
        let program = format!(
            "*'\"open\"'*) opened=$request; echo null;; *'\"ask\"'*) request=$opened; {ECHO};; *'\"close\"'*) closed=$((closed+1)); echo '{{\"error\":\"'$closed'\"}}';;"
        );
        let batch = transcripts(Strategy::Fixed, &program, 2).unwrap();
        for (closed, transcript) in ["1", "2"].into_iter().zip(&batch.outputs) {
            let Some([Output::Label(opened), _, _, error]) = transcript.entries() else {
                panic!("{transcript}");
            };
            let expected = json!({"op": "open", "data": [0, 1], "n": 1, "reply": "lines"});
            assert_eq!(serde_json::from_str::<Value>(opened).unwrap(), expected);
            // An error at the end is one more answer.
            assert_eq!(*error, Output::Error(closed.into()));
        }
    }

    #[test]
    fn an_error_is_an_answer_and_the_analyst_hears_it() {
        let refuses = r#"*'"a"'*) echo '{"error":"no"}';; *'"b"'*) echo 5;;"#;
        let batch = transcripts(Strategy::Probing, refuses, 1).unwrap();
        let no = Output::Error("no".into());
        let five = Output::Integer(5);
        assert_eq!(
            batch.outputs,
            [Output::Vector(vec![no.clone(), five.clone(), five])]
        );
        // A session that is not opened says that alone.
        let closed = r#"*'"open"'*) echo '{"error":"no"}';; *) echo 7;;"#;
        let batch = transcripts(Strategy::Fixed, closed, 2).unwrap();
        let alone = Output::Vector(vec![no]);
        assert_eq!(batch.outputs, [alone.clone(), alone]);
    }

    #[test]
    fn what_is_released_by_open_or_close_is_refused() {
        for op in ["open", "close"] {
            let program = format!("*'\"{op}\"'*) echo 3;; *'\"ask\"'*) echo 1;;");
            let error = transcripts(Strategy::Fixed, &program, 1).unwrap_err();
            let said = format!("expected null or an error as the answer to {op}, got: 3");
            assert!(error.to_string().contains(&said), "{error}");
        }
    }

    #[test]
    fn a_trace_belongs_to_the_session_in_which_it_came() {
        let program = r#"*'"b"'*) echo '{"trace":{"scale":2}}'; echo 1;; *'"ask"'*) echo 1;;"#;
        let batch = transcripts(Strategy::Fixed, program, 3).unwrap();
        let places: Vec<usize> = batch.traces.iter().map(|trace| trace.output).collect();
        assert_eq!(places, [0, 1, 2]);
    }

    #[test]
    fn a_second_start_is_asked_by_the_same_analyst() {
        let program = shell(Strategy::Fixed, "*'\"ask\"'*) echo 1;;");
        let mut again = program.again().unwrap();
        let batch = again.sample(&Value::Null, 1).unwrap();
        assert_eq!(batch.outputs, [Output::Vector(vec![Output::Integer(1); 3])]);
    }

    #[test]
    fn a_flood_in_a_session_is_reported() {
        let error = transcripts(Strategy::Fixed, "*'\"ask\"'*) printf '1\\n2\\n';;", 1);
        let error = error.unwrap_err();
        // It may be seen at once, or with the next request.
        assert!(
            matches!(error, TargetError::Flood { expected: 1, .. }),
            "{error}"
        );
    }
}
