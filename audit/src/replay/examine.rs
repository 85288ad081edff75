//! The audit of a claim on recorded noise.

use super::loss::{Loss, unbounded};
use super::recording::{Draw, NoiseLaw, Recorder, Recording};
use super::shown::Shown;
use crate::pairs::Pair;
use crate::targets::{Output, TargetError, excerpt};
use dp_assay::coins::CoinsError;
use dp_assay::number::rational::integer;
use dp_assay::number::{NumberError, Rational};
use num_traits::Zero;
use serde_json::Value;
use std::time::{Duration, Instant};
use thiserror::Error;

/// How often a run that speaks against the claim is played back once more, and how many others are recorded to see that the noisy
/// values keep their places, each on both datasets. What is not recorded and has few outcomes repeats itself by luck: a coin hardly
/// as often as this.
const REPEATS: usize = 20;

/// What is claimed and asked.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Epsilon.
    pub epsilon: Rational,
    /// Delta, below 1.
    pub delta: Rational,
    /// The probability with which a true claim may be called violated; 0 suffices if delta is 0.
    pub level: Rational,
    /// The most runs that are recorded, at least 1.
    pub runs: u64,
}

/// A run that was recorded, and what it says.
#[derive(Debug, Clone)]
pub struct Run {
    /// The dataset on which it was recorded, and the other one.
    pub pair: Pair,
    /// The run.
    pub recorded: Recording,
    /// The run on the other dataset with its noisy values.
    pub replayed: Recording,
    /// The loss.
    pub loss: Loss,
}

/// What was found.
#[derive(Debug)]
pub struct Examined {
    /// The run with the largest loss.
    pub worst: Run,
    /// The mean evidence of all runs; `None` if one run is a proof by itself.
    pub evidence: Option<Rational>,
    /// The draw of the worst run, from 0, whose loss has no largest value, if delta is 0: no epsilon is large enough for it.
    pub unbounded: Option<usize>,
    /// Whether the claim is false, given the recorded noise.
    pub violated: bool,
    /// How many runs were recorded.
    pub runs: u64,
    /// How long it took.
    pub seconds: Duration,
}

/// Why nothing was concluded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The target failed.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A reply that is no recording.
    #[error("the program did not record its noise: {0}")]
    Recording(String),
    /// A draw that its recording cannot judge: more is known of it than its noisy value, or less.
    #[error("this noise cannot be judged from its recording: {0}")]
    Noise(String),
    /// A run that its own recording does not repeat.
    #[error(
        "the program draws randomness that is not recorded, or has a memory: played back on the same dataset, its run differs ({first} and then {second})"
    )]
    NotRepeated {
        /// The output.
        first: String,
        /// The output when it was played back.
        second: String,
    },
    /// A number that could not be computed.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// A law that could not be computed.
    #[error(transparent)]
    Law(#[from] CoinsError),
}

/// Audits the claim on a pair. A run is recorded on one dataset, played back on the same, which must change nothing, and
/// played back on the other. The two datasets take turns to be the first. A run that speaks against the claim is played back
/// more often, and others are recorded: each noisy value must keep its place. It ends with the first run that is a proof by
/// itself; without one, all runs are made, and the mean of their evidence decides.
///
/// # Errors
/// [`ReplayError`]: nothing is concluded.
pub fn examine(
    target: &mut dyn Recorder,
    pair: &Pair,
    claim: &Claim,
) -> Result<Examined, ReplayError> {
    let start = Instant::now();
    let mut worst: Option<Run> = None;
    let mut sum = Rational::zero();
    let mut proof = false;
    let mut only_errors = true;
    let mut shown = Shown::default();
    let mut runs = 0;
    while runs < claim.runs.max(1) && !proof {
        let pair = match runs % 2 {
            0 => pair.clone(),
            _ => Pair(pair.1.clone(), pair.0.clone()),
        };
        runs += 1;
        let run = run(target, pair, &mut shown)?;
        let speaks = run.loss.exceeds(&claim.epsilon) || run.unbounded(claim).is_some();
        if speaks {
            for _ in 0..REPEATS {
                must_repeat(target, &run.pair.0, &run.recorded)?;
                let again = read(target.replay(&run.pair.1))?;
                if !run.is_replayed_by(&again) {
                    return Err(not_repeated(&run.replayed, &again));
                }
            }
            for _ in 0..REPEATS {
                for data in [&run.pair.0, &run.pair.1] {
                    must_show(&read(target.record(data))?, &mut shown)?;
                }
            }
        }
        proof = run.unbounded(claim).is_some();
        match run.loss.evidence(&claim.epsilon, &claim.delta)? {
            Some(evidence) => sum += evidence,
            None => proof = true,
        }
        only_errors &= is_exception(&run.recorded) && is_exception(&run.replayed);
        // A run that is a proof is the last one.
        let is_worst = |worst: &Run| proof || is_larger(&run.loss, &worst.loss);
        if worst.as_ref().is_none_or(is_worst) {
            worst = Some(run);
        }
    }
    let worst = worst.ok_or(TargetError::Failed)?;
    if only_errors && !worst.loss.exceeds(&claim.epsilon) {
        let error = excerpt(&worst.recorded.output.to_string());
        return Err(TargetError::NothingButErrors { error }.into());
    }
    let evidence = (!proof).then(|| sum / integer(runs));
    let enough =
        |evidence: &Rational| !claim.delta.is_zero() && evidence * &claim.level >= integer(1);
    Ok(Examined {
        violated: evidence.as_ref().is_none_or(enough),
        unbounded: worst.unbounded(claim),
        worst,
        evidence,
        runs,
        seconds: start.elapsed(),
    })
}

fn is_larger(one: &Loss, other: &Loss) -> bool {
    match (one, other) {
        (Loss::AtLeast(one), Loss::AtLeast(other)) => one > other,
        (Loss::Infinite(_), Loss::AtLeast(_)) => true,
        (_, Loss::Infinite(_)) => false,
    }
}

fn read(told: Result<Output, TargetError>) -> Result<Recording, ReplayError> {
    Recording::read(&told?).map_err(ReplayError::Recording)
}

/// An exception shows no noisy values: others may lead to the same one.
fn is_exception(run: &Recording) -> bool {
    matches!(run.output, Output::Error(_))
}

/// One run, played back on both datasets.
fn run(target: &mut dyn Recorder, pair: Pair, shown: &mut Shown) -> Result<Run, ReplayError> {
    let recorded = read(target.record(&pair.0))?;
    must_show(&recorded, shown)?;
    must_repeat(target, &pair.0, &recorded)?;
    let replayed = read(target.replay(&pair.1))?;
    must_show(&replayed, shown).map_err(|error| match error {
        ReplayError::Noise(fault) => ReplayError::Noise(format!("on the other dataset, {fault}")),
        other => other,
    })?;
    // The exception may come of other noisy values too, on either dataset: such a run is no evidence.
    let makes_draws = [&recorded, &replayed]
        .iter()
        .any(|run| !run.draws.is_empty());
    let loss = match is_exception(&recorded) && makes_draws {
        true => Loss::AtLeast(Rational::zero()),
        false => Loss::between(&recorded, &replayed)?.ok_or_else(|| {
            let fault = "a draw has another law on the other dataset, or its noisy value was not played back";
            ReplayError::Noise(fault.to_owned())
        })?,
    };
    Ok(Run {
        loss,
        pair,
        recorded,
        replayed,
    })
}

/// The run is the same when it is played back.
fn must_repeat(
    target: &mut dyn Recorder,
    data: &Value,
    run: &Recording,
) -> Result<(), ReplayError> {
    let again = read(target.replay(data))?;
    match again == *run {
        true => Ok(()),
        false => Err(not_repeated(run, &again)),
    }
}

fn not_repeated(first: &Recording, second: &Recording) -> ReplayError {
    ReplayError::NotRepeated {
        first: excerpt(&first.output.to_string()),
        second: excerpt(&second.output.to_string()),
    }
}

impl Run {
    /// The draw, from 0, whose loss has no largest value, where the claim needs one.
    fn unbounded(&self, claim: &Claim) -> Option<usize> {
        let is_pure = claim.delta.is_zero() && !is_exception(&self.recorded);
        is_pure
            .then(|| unbounded(&self.recorded, &self.replayed))
            .flatten()
    }

    /// Whether this is the run on the other dataset once more. A draw that the recording does not have there is a new one each time,
    /// and so is what follows from it.
    fn is_replayed_by(&self, again: &Recording) -> bool {
        let laws = |run: &Recording| -> Vec<NoiseLaw> {
            run.draws.iter().map(|draw| draw.law.clone()).collect()
        };
        let both = self.recorded.draws.iter().zip(&self.replayed.draws);
        let played = both.take_while(|(a, b)| a.law == b.law).count();
        let is_whole = played == self.replayed.draws.len();
        laws(again) == laws(&self.replayed)
            && again.draws[..played] == self.replayed.draws[..played]
            && (!is_whole || again.output == self.replayed.output)
    }
}

/// Each draw can be judged, and its noisy value is what others see of it: only what its sum with the rest of the program shows is
/// released.
fn must_show(run: &Recording, shown: &mut Shown) -> Result<(), ReplayError> {
    if let Some(fault) = run.draws.iter().find_map(Draw::fault) {
        return Err(ReplayError::Noise(fault));
    }
    if is_exception(run) {
        return Ok(());
    }
    shown.enter(run).map_err(|fault| {
        let output = excerpt(&run.output.to_string());
        ReplayError::Noise(format!(
            "{fault} (the last one was {output}), so that others cannot see it"
        ))
    })
}

/// A program of this process, for tests and for others who have one: what it answers is what [`Recording::read`] reads.
impl<F: FnMut(&str, &Value) -> Result<Output, TargetError>> Recorder
    for crate::targets::Function<F>
{
    fn record(&mut self, data: &Value) -> Result<Output, TargetError> {
        (self.0)("record", data)
    }

    fn replay(&mut self, data: &Value) -> Result<Output, TargetError> {
        (self.0)("replay", data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::Function;
    use dp_assay::number::rational::ratio;
    use serde_json::json;

    /// Laplace noise of this scale around a sum, always -2 when it is recorded; `also` is released beside it.
    fn noisy_sum(scale: i64, also: fn(i64) -> i64) -> impl Recorder {
        let mut kept = 0;
        Function(move |op: &str, data: &Value| {
            let value: i64 = data
                .as_array()
                .unwrap()
                .iter()
                .filter_map(Value::as_i64)
                .sum();
            if op == "record" {
                kept = value - 2;
            }
            let draw = json!({
                "law": "laplace", "scale": scale, "value": value, "released": kept, "otherwise_used": false,
            });
            let told = json!({ "output": [kept, also(value)], "draws": [draw] });
            Ok(Output::read(&told.to_string()).unwrap())
        })
    }

    fn claim(epsilon: Rational, delta: Rational) -> Claim {
        Claim {
            epsilon,
            delta,
            level: ratio(1, 20),
            runs: 20,
        }
    }

    fn pair() -> Pair {
        Pair(json!([0, 0]), json!([0, 1]))
    }

    /// Noise of this law around a sum, always 0 when it is recorded.
    fn noise_on_a_sum(law: &'static str) -> impl Recorder {
        let mut kept = 0;
        Function(move |op: &str, data: &Value| {
            let sum = |data: &[Value]| -> i64 { data.iter().filter_map(Value::as_i64).sum() };
            let value = sum(data.as_array().unwrap());
            if op == "record" {
                kept = value;
            }
            let scale = if law == "rescaled" { 100 + value } else { 100 };
            let law = if law == "rescaled" { "laplace" } else { law };
            let draw = json!({
                "law": law, "scale": scale, "value": value, "released": kept, "otherwise_used": false,
            });
            let told = json!({ "output": kept, "draws": [draw] });
            Ok(Output::read(&told.to_string()).unwrap())
        })
    }

    /// However large the claimed epsilon, and however small the loss of the one run.
    #[test]
    fn noise_whose_loss_has_no_largest_value_is_a_violation_where_delta_is_0() {
        for (law, is_unbounded) in [
            ("gaussian", true),
            ("discrete-gaussian", true),
            ("rescaled", true),
            ("laplace", false),
            ("discrete-laplace", false),
        ] {
            let of = |delta| claim(integer(30), delta);
            let found = examine(&mut noise_on_a_sum(law), &pair(), &of(integer(0))).unwrap();
            assert_eq!(found.unbounded, is_unbounded.then_some(0), "{law}");
            assert_eq!(found.violated, is_unbounded);
            assert_eq!(found.evidence.is_none(), is_unbounded);
            assert_eq!(found.runs, if is_unbounded { 1 } else { 20 });
            assert!(!found.worst.loss.exceeds(&integer(1)));
            let found = examine(&mut noise_on_a_sum(law), &pair(), &of(ratio(1, 1000))).unwrap();
            assert!(!found.violated && found.unbounded.is_none(), "{law}");
        }
        // The record changes nothing that is released.
        let same = Pair(json!([0, 1]), json!([1, 0]));
        let of = claim(integer(1), integer(0));
        let found = examine(&mut noise_on_a_sum("gaussian"), &same, &of).unwrap();
        assert!(!found.violated);
    }

    #[test]
    fn two_calls_prove_what_the_noise_does_not_hide() {
        let zero = integer(0);
        for (scale, epsilon, violated) in [(1, 1, false), (2, 1, false), (1, 2, false)] {
            let claim = claim(integer(epsilon), zero.clone());
            let found = examine(&mut noisy_sum(scale, |_| 0), &pair(), &claim).unwrap();
            assert_eq!(
                (found.violated, found.runs),
                (violated, 20),
                "{scale} {epsilon}"
            );
        }
        // Half of the noise that it needs.
        let half = claim(ratio(1, 2), zero.clone());
        let found = examine(&mut noisy_sum(1, |_| 0), &pair(), &half).unwrap();
        assert!(found.violated && found.runs == 1, "{found:?}");
        // A leak beside the noise, whatever epsilon is, and a small delta too.
        for delta in [zero, ratio(1, 1000)] {
            let claim = claim(integer(30), delta);
            let found = examine(&mut noisy_sum(1, |value| value % 2), &pair(), &claim).unwrap();
            assert!(found.violated, "{found:?}");
        }
        // With such a delta it may be seen.
        let found = examine(
            &mut noisy_sum(1, |v| v % 2),
            &pair(),
            &claim(integer(30), ratio(1, 10)),
        );
        assert!(!found.unwrap().violated);
    }

    /// Its output is the same, and its noise of another scale each time.
    #[test]
    fn a_run_that_does_not_repeat_its_draws_is_no_evidence() {
        let mut calls = 0;
        let mut restless = Function(move |_: &str, _: &Value| {
            calls += 1;
            let draw = json!({
                "law": "laplace", "scale": calls, "value": 0, "released": 7, "otherwise_used": false,
            });
            let told = json!({ "output": 7, "draws": [draw] });
            Ok(Output::read(&told.to_string()).unwrap())
        });
        let claim = claim(integer(1), integer(0));
        let error = examine(&mut restless, &pair(), &claim).unwrap_err();
        assert!(matches!(error, ReplayError::NotRepeated { .. }), "{error}");
    }

    #[test]
    fn what_is_not_recorded_leaves_no_verdict() {
        let mut calls = 0;
        let mut restless = Function(move |_: &str, _: &Value| {
            calls += 1;
            let told = json!({ "output": calls, "draws": [] });
            Ok(Output::read(&told.to_string()).unwrap())
        });
        let claim = claim(integer(1), integer(0));
        let error = examine(&mut restless, &pair(), &claim)
            .unwrap_err()
            .to_string();
        assert!(error.contains("not recorded"), "{error}");
        // A coin repeats itself by luck: played back on the same dataset, and then not on the other.
        let mut coins = [true, true, false]
            .into_iter()
            .chain((0..).map(|n| n % 3 == 0));
        let mut tossed = Function(move |_: &str, _: &Value| {
            let told = json!({ "output": coins.next(), "draws": [] });
            Ok(Output::read(&told.to_string()).unwrap())
        });
        let error = examine(&mut tossed, &pair(), &claim).unwrap_err();
        assert!(matches!(error, ReplayError::NotRepeated { .. }), "{error}");
        // A coin with luck: it tells the datasets apart in all repetitions but the last.
        let mut asked = 0;
        let mut lucky = Function(move |_: &str, data: &Value| {
            asked += 1;
            // Three runs, and two in each of 20 repetitions.
            let told = if asked == 3 + 2 * 20 {
                &json!(2)
            } else {
                &data[1]
            };
            Ok(Output::read(&json!({ "output": told, "draws": [] }).to_string()).unwrap())
        });
        let error = examine(&mut lucky, &pair(), &claim).unwrap_err();
        assert!(matches!(error, ReplayError::NotRepeated { .. }), "{error}");
        // An exception before a draw on one dataset, and after one on the other: the noise may lead to it.
        let mut late = Function(|_: &str, data: &Value| {
            let draw = json!({
                "law": "laplace", "scale": 1, "value": 0, "released": 7, "otherwise_used": false,
            });
            let draws = if data[1] == 0 { vec![] } else { vec![draw] };
            let told = json!({ "output": {"error": "too few"}, "draws": draws });
            Ok(Output::read(&told.to_string()).unwrap())
        });
        let error = examine(&mut late, &pair(), &claim).unwrap_err().to_string();
        assert!(error.contains("too few"), "{error}");
        let mut failing = Function(|_: &str, _: &Value| {
            let told = json!({ "output": {"error": "KeyError: 'x'"}, "draws": [] });
            Ok(Output::read(&told.to_string()).unwrap())
        });
        let error = examine(&mut failing, &pair(), &claim)
            .unwrap_err()
            .to_string();
        assert!(error.contains("KeyError"), "{error}");
        let mut hiding = Function(|_: &str, _: &Value| {
            let draw = json!({
                "law": "laplace", "scale": 1, "value": 0, "released": 7, "otherwise_used": false,
            });
            let told = json!({ "output": 1, "draws": [draw] });
            Ok(Output::read(&told.to_string()).unwrap())
        });
        let error = examine(&mut hiding, &pair(), &claim)
            .unwrap_err()
            .to_string();
        assert!(error.contains("does not always stand"), "{error}");
    }
}
