//! A service that keeps its answers: a question that comes again gets the answer of before, which costs nothing. It has two questions,
//! each for half of the budget.

use super::draws::Draws;
use super::{Service, Session, asked, unknown};
use crate::specimen::{Noise, Specimen, last_bit};
use crate::targets::{Output, Strategy, TargetError};
use dp_assay::number::rational::integer;
use serde_json::{Value, json};

struct Kept {
    noise: Noise,
    /// Whether the noise is kept for all questions, and not the answer for its own.
    keeps_noise: bool,
}

struct Opened<'a> {
    service: &'a Kept,
    bit: bool,
    answers: [Option<i64>; 2],
}

impl Service for Kept {
    fn open<'a>(&'a self, data: &Value) -> Result<Box<dyn Session + 'a>, TargetError> {
        Ok(Box::new(Opened {
            service: self,
            bit: last_bit(data)?,
            answers: [None; 2],
        }))
    }
}

impl Session for Opened<'_> {
    fn ask(&mut self, question: &Value, draws: &mut dyn Draws) -> Result<Output, TargetError> {
        let counts = [!self.bit, self.bit].map(i64::from);
        let place = match question.as_str() {
            Some("zeros") => 0,
            Some("ones") => 1,
            _ => return Ok(unknown(question)),
        };
        let other = self.answers[1 - place].filter(|_| self.service.keeps_noise);
        let answer = match (self.answers[place], other) {
            (Some(answer), _) => answer,
            (None, Some(other)) => other - counts[1 - place] + counts[place],
            (None, None) => draws.noisy(counts[place], &self.service.noise)?,
        };
        self.answers[place] = Some(answer);
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
