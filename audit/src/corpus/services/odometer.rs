//! An odometer, which tells what was spent, of a service that tests before it answers: the test reads the data, and where it fails
//! the question is refused. It stops at its budget.

use super::draws::Draws;
use super::{Service, asked, unknown};
use crate::specimen::Specimen;
use crate::targets::{Output, Strategy, TargetError};
use serde_json::{Value, json};

/// The quarters of epsilon = 1. A test costs one, and an answer another one.
const BUDGET: u32 = 4;

struct Odometer {
    /// Whether the tests of refused questions are forgotten.
    forgets: bool,
}

impl Service for Odometer {
    type Session = u32;

    fn ask(
        &self,
        bit: bool,
        spent: &mut u32,
        question: &Value,
        draws: &mut dyn Draws,
    ) -> Result<Output, TargetError> {
        match question.as_str() {
            Some("spent") => return Ok(Output::Integer((*spent).into())),
            Some("bit") => {}
            _ => return Ok(unknown(question)),
        }
        if *spent + 2 > BUDGET {
            return Ok(Output::Error("the budget is spent".to_owned()));
        }
        if !draws.tells(bit, 1)? {
            *spent += u32::from(!self.forgets);
            return Ok(Output::Error("too few records".to_owned()));
        }
        *spent += 2;
        draws.tells(bit, 1).map(Output::Boolean)
    }
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    [
        (
            "odometer",
            "right: the test of a refused question is charged",
            false,
        ),
        (
            "odometer-forgets-refusals",
            "the test of a refused question is not charged",
            true,
        ),
    ]
    .map(|(name, about, forgets)| {
        let questions = json!(["bit", "bit", "bit", "spent"]);
        asked(
            name,
            about,
            Odometer { forgets },
            &questions,
            (Strategy::Fixed, 8),
        )
    })
    .into_iter()
    .collect()
}
