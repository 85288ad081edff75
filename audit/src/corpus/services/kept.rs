//! A service that keeps its answers: a question that comes again gets the answer of before, which costs nothing. It has two questions,
//! each for half of the budget.

use super::draws::Draws;
use super::{Service, asked, unknown};
use crate::specimen::{Noise, Specimen};
use crate::targets::{Output, Strategy, TargetError};
use dp_assay::number::rational::integer;
use serde_json::{Value, json};

struct Kept {
    noise: Noise,
    /// Whether the noise is kept for all questions, and not the answer for its own.
    keeps_noise: bool,
}

impl Service for Kept {
    type Session = [Option<i64>; 2];

    fn ask(
        &self,
        bit: bool,
        answers: &mut [Option<i64>; 2],
        question: &Value,
        draws: &mut dyn Draws,
    ) -> Result<Output, TargetError> {
        let counts = [!bit, bit].map(i64::from);
        let place = match question.as_str() {
            Some("zeros") => 0,
            Some("ones") => 1,
            _ => return Ok(unknown(question)),
        };
        let other = answers[1 - place].filter(|_| self.keeps_noise);
        let answer = match (answers[place], other) {
            (Some(answer), _) => answer,
            (None, Some(other)) => other - counts[1 - place] + counts[place],
            (None, None) => draws.noisy(counts[place], &self.noise)?,
        };
        answers[place] = Some(answer);
        Ok(Output::Integer(answer.into()))
    }
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    [
        ("answers-kept", "right: each answer is kept", false),
        (
            "noise-kept",
            "the noise is kept, and is that of the next question too",
            true,
        ),
    ]
    .map(|(name, about, keeps_noise)| {
        let noise = Noise::new(integer(2))?;
        let questions = json!(["ones", "zeros"]);
        let service = Kept { noise, keeps_noise };
        asked(name, about, service, &questions, (Strategy::Fixed, 4))
    })
    .into_iter()
    .collect()
}
