//! A filter: it answers as long as the budget is not spent. A question is a number of quarters of epsilon, and the last bit is told
//! with them.

use super::draws::Draws;
use super::{Service, asked, unknown};
use crate::specimen::Specimen;
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

impl Service for Filter {
    type Session = u32;

    fn ask(
        &self,
        bit: bool,
        spent: &mut u32,
        question: &Value,
        draws: &mut dyn Draws,
    ) -> Result<Output, TargetError> {
        let Some(asked) = question.as_u64().filter(|&asked| asked <= BUDGET.into()) else {
            return Ok(unknown(question));
        };
        let asked = asked as u32;
        let (costs, charged) = match self.0 {
            Fault::ChargesWhatIsAsked => (asked.max(2), asked),
            Fault::RefusalReads if !bit => (asked, 0),
            _ => (asked, asked),
        };
        let is_spent = match self.0 {
            Fault::ChecksLate => *spent >= BUDGET,
            _ => *spent + charged > BUDGET,
        };
        if is_spent {
            return Ok(Output::Error("the budget is spent".to_owned()));
        }
        *spent += charged;
        draws.tells(bit, costs).map(Output::Boolean)
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
