//! A filter: it answers as long as the budget is not spent. A question is a number of quarters of epsilon, and the last bit is told
//! with them.

use super::draws::Draws;
use super::{Service, Session, asked, unknown};
use crate::specimen::{Specimen, last_bit};
use crate::targets::{Output, Strategy, TargetError};
use serde_json::{Value, json};

/// The quarters of epsilon = 1.
const BUDGET: u32 = 4;

/// What is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// Whether the budget is spent is asked before the question is charged, and not with it.
    ChecksLate,
    /// The noise has a largest scale, that of two quarters; fewer are charged if fewer are asked for.
    ChargesWhatIsAsked,
    /// A record is charged for what counts it alone, a 1, and the refusal says so.
    RefusalReads,
}

struct Filter(Fault);

struct Opened {
    fault: Fault,
    bit: bool,
    spent: u32,
}

impl Service for Filter {
    fn open<'a>(&'a self, data: &Value) -> Result<Box<dyn Session + 'a>, TargetError> {
        Ok(Box::new(Opened {
            fault: self.0,
            bit: last_bit(data)?,
            spent: 0,
        }))
    }
}

impl Session for Opened {
    fn ask(&mut self, question: &Value, draws: &mut dyn Draws) -> Result<Output, TargetError> {
        let Some(asked) = question.as_u64().filter(|&asked| asked <= BUDGET.into()) else {
            return Ok(unknown(question));
        };
        let asked = asked as u32;
        let (costs, charged) = match self.fault {
            Fault::ChargesWhatIsAsked => (asked.max(2), asked),
            Fault::RefusalReads if !self.bit => (asked, 0),
            _ => (asked, asked),
        };
        let is_spent = match self.fault {
            Fault::ChecksLate => self.spent >= BUDGET,
            _ => self.spent + charged > BUDGET,
        };
        if is_spent {
            return Ok(Output::Error("the budget is spent".to_owned()));
        }
        self.spent += charged;
        draws.tells(self.bit, costs).map(Output::Boolean)
    }
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    [
        (
            "filter",
            "right: what the question costs is charged before it is answered",
            Fault::None,
            json!([2, 1]),
        ),
        (
            "filter-checks-late",
            "the budget is checked without what the question costs",
            Fault::ChecksLate,
            json!([3]),
        ),
        (
            "filter-charges-what-is-asked",
            "what is asked for is charged, and not what the answer costs",
            Fault::ChargesWhatIsAsked,
            json!([1]),
        ),
        (
            "filter-refusal-reads",
            "the refusal reads the data: a record is charged only where it counts",
            Fault::RefusalReads,
            json!([2]),
        ),
    ]
    .map(|(name, about, fault, questions)| {
        asked(
            name,
            about,
            Filter(fault),
            &questions,
            (Strategy::Probing, 6),
        )
    })
    .into_iter()
    .collect()
}
