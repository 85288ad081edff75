//! A sparse vector as a service: whether a count is above the threshold, with noise on both, until one is; from then on it refuses.

use super::draws::Draws;
use super::{Service, asked, unknown};
use crate::specimen::{Noise, Specimen};
use crate::targets::{Output, Strategy, TargetError};
use dp_assay::number::rational::integer;
use serde_json::{Value, json};

struct SparseVector {
    /// Noise of scale 2 on the threshold, and of scale 4 on the counts.
    threshold: Noise,
    counts: Noise,
    /// Whether it ends with the first count that is above.
    ends: bool,
    /// The noisy threshold, if it is that of the process, for all its sessions: the one that was drawn here.
    of_process: Option<i64>,
}

#[derive(Default)]
struct Opened {
    threshold: Option<i64>,
    is_over: bool,
}

impl Service for SparseVector {
    type Session = Opened;

    fn ask(
        &self,
        bit: bool,
        session: &mut Opened,
        question: &Value,
        draws: &mut dyn Draws,
    ) -> Result<Output, TargetError> {
        let count = match question.as_str() {
            Some("zeros") => !bit,
            Some("ones") => bit,
            _ => return Ok(unknown(question)),
        };
        if session.is_over {
            return Ok(Output::Error("the session is over".to_owned()));
        }
        let threshold = match session.threshold.or(self.of_process) {
            Some(threshold) => threshold,
            None => draws.noisy(0, &self.threshold)?,
        };
        session.threshold = Some(threshold);
        let is_above = draws.reaches(count.into(), &self.counts, threshold)?;
        session.is_over = is_above && self.ends;
        Ok(Output::Boolean(is_above))
    }
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    let (both, ones) = (json!(["ones", "zeros"]), json!(["ones"]));
    [
        (
            "sparse-vector-asked",
            "right: it ends with the first count above the threshold",
            (true, None),
            &both,
            (Strategy::Adaptive, 6),
        ),
        (
            "sparse-vector-asked-on",
            "it goes on after a count above the threshold, with the same noise",
            (false, None),
            &both,
            (Strategy::Fixed, 10),
        ),
        (
            "sparse-vector-threshold-kept",
            "the noisy threshold is one for all sessions of the process",
            (true, Some(1)),
            &ones,
            (Strategy::Fixed, 8),
        ),
    ]
    .map(|(name, about, (ends, of_process), questions, asks)| {
        let service = SparseVector {
            threshold: Noise::new(integer(2))?,
            counts: Noise::new(integer(4))?,
            ends,
            of_process,
        };
        asked(name, about, service, questions, asks)
    })
    .into_iter()
    .collect()
}
