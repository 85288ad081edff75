//! Holding a session: it is opened or taken up, and answers line by line.

use super::options::SessionOptions;
use super::queries::Found;
use super::question::Question;
use super::session::{Accuracy, Parameters, Plan, Session};
use super::shown::Shown;
use super::state::{About, StateFile};
use crate::error::Error;
use crate::output;
use crate::papers::kernels::learn::Common;
use dp_assay::kernels::{KernelError, fit};
use std::io;
use std::path::Path;

/// Holds a session of this name, with all that was asked for, its plan and how good its answers are.
pub fn hold(
    name: &'static str,
    mut question: Question,
    parameters: Parameters,
    (plan, accuracy): (&dyn Plan, &Accuracy),
    (common, options): (&Common, &SessionOptions),
) -> Result<(), Error> {
    // 1. The state, and what it has of a session that was stopped.
    let parameters = compared(&question, parameters, options.seed);
    let found = match &options.state {
        None => None,
        Some(path) => StateFile::open(path, &about(name, &parameters, &question))?,
    };
    // 2. The minimiser, and the session.
    let goes_on = found.is_some();
    let (mut state, optimum, before) = match found {
        None => {
            let (data, problem) = (&question.data, &question.problem);
            common.announce(problem, data.domain(), data.size(), output::note)?;
            output::progress("minimising the risk");
            let optimum = fit(data, problem)?;
            spend(name, &question, (common, options))?;
            (None, optimum, None)
        }
        Some((state, kept)) => {
            let before = (kept.threshold, kept.answered);
            (Some(state), kept.fit, Some(before))
        }
    };
    let mut session = match before {
        None => plan.open(&optimum, question.source.of_round(0))?,
        Some((threshold, answered)) => {
            output::progress("taking up the session");
            let wrong = |error: Error| match &options.state {
                Some(path) => Error::data(path, error.to_string()),
                None => error,
            };
            plan.resume(&optimum, threshold, answered).map_err(wrong)?
        }
    };
    if let (Some(path), None) = (&options.state, &state) {
        let about = about(name, &parameters, &question);
        let private = (&optimum, session.threshold());
        state = Some(StateFile::create(path, &about, private)?);
    }
    let shown = Shown::new(&question, accuracy, options.format);
    shown.opening(name, &*session, goes_on)?;
    // 3. The queries.
    serve(&mut question, &mut *session, state, &shown)
}

/// Answers the queries of standard input, and sets down what is told.
fn serve(
    question: &mut Question,
    session: &mut dyn Session,
    mut state: Option<StateFile>,
    shown: &Shown,
) -> Result<(), Error> {
    let mut refused = 0u64;
    let mut input = io::stdin().lock();
    while let Some(line) = question.queries.next_line(&mut input)? {
        let number = line.number;
        let query = match question.queries.read(line)? {
            Found::Names => continue,
            Found::Query(query) => query,
            Found::Refused(reason) => {
                refused += 1;
                shown.refused(number, &reason)?;
                continue;
            }
        };
        // Nothing is drawn that could not be set down.
        if let Some(state) = &state {
            state.require_place(&query.point)?;
        }
        let kept = session.kept();
        let coins = question.source.of_round(kept as u64 + 1);
        let reply = match session.answer(&query.point, coins) {
            Ok(reply) => reply,
            Err(error @ (KernelError::Spent | KernelError::Geometry(_))) => {
                refused += 1;
                shown.refused(number, &error.to_string())?;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        // What is told is on the disk first.
        if let (Some(state), Some(last)) = (&mut state, session.last())
            && session.kept() > kept
        {
            state.enter(&last)?;
        }
        shown.answer(number, &reply, query.clipped, session)?;
    }
    match refused {
        0 => Ok(()),
        1 => Err(Error::Usage("1 line was refused".to_owned())),
        _ => Err(Error::Usage(format!("{refused} lines were refused"))),
    }
}

/// Enters what all answers of a new session cost together, before the first coin. One that goes on was entered when it began.
fn spend(
    name: &str,
    question: &Question,
    (common, options): (&Common, &SessionOptions),
) -> Result<(), Error> {
    let Some(mut purse) = options.budget.open(&[common.data.as_path()])? else {
        return Ok(());
    };
    let budget = common.budget()?;
    let neighbours = &question.privacy.neighbours;
    let state = options.state.as_deref().unwrap_or(Path::new("no state"));
    purse.check(&budget, neighbours)?;
    purse.enter((name, state), &budget, neighbours)
}

fn about<'a>(
    algorithm: &'static str,
    parameters: &'a Parameters,
    question: &'a Question,
) -> About<'a> {
    About {
        algorithm,
        parameters,
        question,
    }
}

/// All that a session is compared by, the number of records first: the numbers of the plan follow from it.
fn compared(question: &Question, parameters: Parameters, seed: Option<u64>) -> Parameters {
    let mut all = vec![("number of records", question.data.size().to_string())];
    all.extend(parameters);
    let seed = seed.map(|seed| seed.to_string());
    all.push(("--seed", seed.unwrap_or_else(|| "none".to_owned())));
    if let Some(matrix) = &question.matrix {
        all.push(("matrix", matrix.clone()));
    }
    all
}
