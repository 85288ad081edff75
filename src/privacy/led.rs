//! One draw led elsewhere, and all others left as they are: what a run with other outcomes of one draw shows.
//!
//! Each outcome of a small law is tried. Of a number or a place both sides of where something changes are: a comparison of a
//! public number with one that the data decide is found there, since the result changes on one dataset and not on the other. So
//! it is of a number that is drawn digit by digit.

use super::{PrivacyError, Published};
use crate::coins::{Account, Lockstep, Meter, NOT_ENCLOSED, Outcomes, Probe, Steering, lockstep};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::any::Any;

/// A learner that panicked, and what it said, if that is text. That is a result too, and a fault.
#[derive(Debug)]
pub(super) struct Panicked {
    says: Option<String>,
}

impl Panicked {
    pub(super) fn of(panic: &(dyn Any + Send)) -> Self {
        let fixed = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        Self {
            says: fixed.or_else(|| panic.downcast_ref::<String>().cloned()),
        }
    }
}

/// That it panicked; what it says is compared where a panic alone is no fault.
impl Published for Panicked {
    fn publish(&self, _: &mut Vec<u8>) {}
}

pub(super) const PANICKED: &str = "the learner panicked: it must return its errors";

/// Two runs of a learner that may panic.
pub(super) type Runs<T> = Lockstep<Result<T, Panicked>>;

/// What two runs are judged by: the first fault that they show.
pub(super) type FirstFault<'a, T> = dyn Fn(&Runs<T>) -> Result<Option<String>, PrivacyError> + 'a;

/// How many draws were made.
pub(super) fn drawn<T>(runs: &Runs<T>) -> u64 {
    draws_by_stage(runs).iter().sum()
}

fn draws_by_stage<T>(runs: &Runs<T>) -> Vec<u64> {
    let draws = |account: &Account| account.draws + account.hidden;
    runs.accounts.iter().map(draws).collect()
}

/// At most so many draws are made by all searches together, or one run by each.
const MOST_DRAWS: u64 = 1 << 13;

/// What is wrong if one of some draws, and nothing else, has another outcome.
pub(super) fn found_by_one_draw<D: Sync + ?Sized, T: Published + Send>(
    learner: &(impl Fn(&D, &mut Meter) -> Result<T, Panicked> + Sync),
    [first, second]: [&D; 2],
    outcomes: &Outcomes,
    (runs, probes, first_fault): (&Runs<T>, &[(usize, Probe)], &FirstFault<'_, T>),
) -> Result<Option<String>, PrivacyError> {
    let mut runs_left = MOST_DRAWS / (1 + drawn(runs));
    let searches = searches(probes);
    for (place, &(number, probe)) in searches.iter().enumerate() {
        // What the searches before left of their equal parts.
        let mut left = (runs_left / (searches.len() - place) as u64).max(1);
        runs_left = runs_left.saturating_sub(left);
        let mut run = |steering: Steering| -> Result<Shown, Stop> {
            left = left.checked_sub(1).ok_or(Stop::Spent)?;
            let other = lockstep(learner, first, second, outcomes.but_for(number, steering));
            // So far out laws may have no digits left, and numbers no room.
            let beyond = other.first.is_err() || other.is_unbounded(NOT_ENCLOSED);
            let fault = match probe {
                Probe::Number(_) | Probe::Moved if beyond => unequal(&other),
                _ => first_fault(&other)?,
            };
            fault.map_or_else(|| Ok(Shown::of(&other)), |fault| Err(Stop::Found(fault)))
        };
        match search(probe, &Shown::of(runs), &mut run) {
            Ok(()) | Err(Stop::Spent) => runs_left += left,
            Err(Stop::Found(fault)) => {
                let fault = format!("with another outcome of draw {} {fault}", number + 1);
                return Ok(Some(fault));
            }
            Err(Stop::Failed(error)) => return Err(error),
        }
    }
    Ok(None)
}

/// What is done with which draw, the short searches first. Digits make one number: the first of them leads the others.
fn searches(probes: &[(usize, Probe)]) -> Vec<(usize, Probe)> {
    let mut all = Vec::new();
    let mut later_digit = None;
    for &(number, probe) in probes {
        if probe == Probe::Digit {
            all.push((number, Probe::Each(2)));
            if later_digit.replace(number + 1) == Some(number) {
                continue;
            }
        }
        all.push((number, probe));
    }
    all.sort_by_key(|(_, probe)| match probe {
        Probe::Each(size) => *size,
        _ => u64::MAX,
    });
    all
}

/// Why a search ends early.
enum Stop {
    /// Something is wrong.
    Found(String),
    /// There may be no more runs.
    Spent,
    /// A run could not be judged.
    Failed(PrivacyError),
}

impl From<PrivacyError> for Stop {
    fn from(error: PrivacyError) -> Self {
        Self::Failed(error)
    }
}

/// What makes a run, led this way.
type Run<'a> = dyn FnMut(Steering) -> Result<Shown, Stop> + 'a;

/// What is wrong with the results alone; of two panics, with what they say.
fn unequal<T: Published>(runs: &Runs<T>) -> Option<String> {
    if runs.parted.is_some() {
        return None;
    }
    if runs.first.page() != runs.second.page() {
        return Some("equal outcomes gave different results".to_owned());
    }
    let (Err(first), Err(second)) = (&runs.first, &runs.second) else {
        return None;
    };
    let is_one = first.says.is_some() && first.says == second.says;
    (!is_one).then(|| PANICKED.to_owned())
}

/// What the first dataset gives: the result, and how many draws each stage took.
#[derive(Debug, Clone, PartialEq)]
struct Shown {
    result: Vec<u8>,
    draws: Vec<u64>,
}

impl Shown {
    fn of<T: Published>(runs: &Runs<T>) -> Self {
        Self {
            result: runs.first.page(),
            draws: draws_by_stage(runs),
        }
    }
}

/// Leads a draw to what it can be led to.
fn search(probe: Probe, here: &Shown, run: &mut Run<'_>) -> Result<(), Stop> {
    let by = |far: &BigInt| Steering::By(far.clone());
    match probe {
        Probe::Fixed => Ok(()),
        Probe::Each(size) => each_outcome(size, run),
        Probe::Digit => {
            let digits = |number: &BigInt| Steering::Digits(number.to_u64().unwrap_or(u64::MAX));
            let parts = [Part::Draws, Part::Whole];
            sides_of_each_change([BigInt::ZERO, u64::MAX.into()], &digits, &parts, run)
        }
        Probe::Number(doublings) => {
            let ends = [-1, 1].map(|side| BigInt::from(side) << doublings);
            sides_of_each_change(ends, &by, &Part::of_a_page(), run)?;
            sides_of_the_next_change(here, doublings, run)?;
            nearby(run)
        }
        // No end: a learner need not bear any number.
        Probe::Moved => sides_of_the_next_change(here, FARTHEST, run),
    }
}

/// Each of so many outcomes.
fn each_outcome(size: u64, run: &mut Run<'_>) -> Result<(), Stop> {
    (0..size).try_for_each(|outcome| run(Steering::To(outcome)).map(drop))
}

/// So often the distance is doubled: a word of 64 bits and more.
const FARTHEST: u32 = 66;

/// Farther and farther up and down until what is shown changes, and then in between, to both sides of a change.
fn sides_of_the_next_change(here: &Shown, doublings: u32, run: &mut Run<'_>) -> Result<(), Stop> {
    for side in [1, -1] {
        // At `near` it is as in the run; at `far` it is not.
        let (mut near, mut far) = (BigInt::ZERO, None);
        for doubling in 0..=doublings {
            let by = BigInt::from(side) << doubling;
            if run(Steering::By(by.clone()))? != *here {
                far = Some(by);
                break;
            }
            near = by;
        }
        let Some(mut far) = far else { continue };
        while (&far - &near).magnitude() > &1u32.into() {
            let between: BigInt = (&near + &far) / 2;
            match run(Steering::By(between.clone()))? == *here {
                true => near = between,
                false => far = between,
            }
        }
    }
    Ok(())
}

/// To both ends; and for each of some parts of what is shown that is not the same at both, to both sides of where it changes in
/// between.
fn sides_of_each_change(
    [least, largest]: [BigInt; 2],
    led: &dyn Fn(&BigInt) -> Steering,
    parts: &[Part],
    run: &mut Run<'_>,
) -> Result<(), Stop> {
    let ends = [run(led(&least))?, run(led(&largest))?];
    for part in parts {
        let [at_least, at_largest] = [&ends[0], &ends[1]].map(|shown| part.of(shown));
        if !part.changes([&at_least, &at_largest]) {
            continue;
        }
        let (mut low, mut high) = (least.clone(), largest.clone());
        while &high - &low > BigInt::from(1) {
            let between = (&low + &high) >> 1u32;
            match part.of(&run(led(&between))?) == at_least {
                true => low = between,
                false => high = between,
            }
        }
    }
    Ok(())
}

/// A part of what is shown.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// How many draws there were.
    Draws,
    /// The result.
    Whole,
    /// How long the result is.
    Length,
    /// The byte so far from the beginning of the result.
    FromStart(usize),
    /// The byte so far from its end.
    FromEnd(usize),
}

/// So many bytes at the beginning of a result are looked at, and as many at its end.
const BYTES: usize = 32;

impl Part {
    /// Parts that may say whether a number is above another one, though others tell the number.
    fn of_a_page() -> Vec<Self> {
        let bytes = (0..BYTES).flat_map(|k| [Self::FromStart(k), Self::FromEnd(k)]);
        [Self::Draws, Self::Length]
            .into_iter()
            .chain(bytes)
            .collect()
    }

    fn of(self, shown: &Shown) -> Vec<u8> {
        let result = &shown.result;
        let byte = |place: Option<usize>| place.and_then(|place| result.get(place)).copied();
        match self {
            Self::Draws => shown.draws.page(),
            Self::Whole => result.clone(),
            Self::Length => result.len().page(),
            Self::FromStart(k) => byte(Some(k)).into_iter().collect(),
            Self::FromEnd(k) => byte(result.len().checked_sub(k + 1)).into_iter().collect(),
        }
    }

    /// Whether it is not the same at two ends; of a byte, whether it says no, 0, at one end and yes, 1, at the other: a digit of
    /// a number is passed over.
    fn changes(self, ends: [&[u8]; 2]) -> bool {
        match self {
            Self::Draws | Self::Whole | Self::Length => ends[0] != ends[1],
            Self::FromStart(_) | Self::FromEnd(_) => matches!(ends, [[0], [1]] | [[1], [0]]),
        }
    }
}

/// So many integers on either side of what was drawn are tried: every remainder by a number that is at most twice as large.
const NEARBY: i64 = 64;

/// To each integer next to what was drawn.
fn nearby(run: &mut Run<'_>) -> Result<(), Stop> {
    for step in 1..=NEARBY {
        run(Steering::By(step.into()))?;
        run(Steering::By((-step).into()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::coins::{ChaCha, Coins, CoinsError, Meter, Outcomes, Stage};
    use crate::number::rational::integer;
    use crate::privacy::meter::meter;
    use crate::privacy::{Budget, NeighbouringRelation, Published};
    use crate::sample::DiscreteLaplace;
    use num_bigint::BigInt;

    /// What is found of a program on 0 and on 1.
    fn faults<T: Published + Send>(
        program: impl Fn(u64, &mut Meter) -> Result<T, CoinsError> + Sync,
    ) -> String {
        let claim = Budget::pure(integer(3), NeighbouringRelation::Substitute).unwrap();
        let outcomes = Outcomes::drawn(ChaCha::reproducible(1, 0));
        let learner = |data: &u64, coins: &mut Meter| {
            coins.stage(&Stage::public("a public number"));
            program(*data, coins)
        };
        let report = meter(learner, &0, &1, outcomes, &claim).unwrap();
        report.faults().join("; ")
    }

    #[test]
    fn a_comparison_beside_the_number_is_found() {
        let found = faults(|data, coins| {
            let number = coins.below(1_000_000)?;
            Ok((number, number < 500_000 + data))
        });
        assert!(found.contains("with another outcome of draw 1"), "{found}");
        let found = faults(|_, coins| {
            let number = coins.below(1_000_000)?;
            Ok((number, number < 500_000))
        });
        assert_eq!(found, "");
    }

    #[test]
    fn a_number_that_is_compared_digit_by_digit_is_found() {
        // Among the first 40 digits of a number, one after the other.
        let below = |threshold: u64, coins: &mut Meter| -> Result<bool, CoinsError> {
            let mut number = 0;
            for _ in 0..40 {
                number = 2 * number + coins.bits(1)?;
            }
            Ok(number < threshold)
        };
        let found = faults(|data, coins| below((1 << 38) + data, coins));
        assert!(found.contains("with another outcome of draw"), "{found}");
        assert_eq!(faults(|_, coins| below(1 << 38, coins)), "");
    }

    #[test]
    fn a_remainder_that_is_compared_is_found_nearby() {
        let found = faults(|data, coins| Ok(coins.bits(64)? % 128 < 64 + data));
        assert!(found.contains("with another outcome of draw 1"), "{found}");
        assert_eq!(faults(|_, coins| Ok(coins.bits(64)? % 128 < 64)), "");
    }

    #[test]
    fn far_out_a_panic_is_a_fault_if_it_tells() {
        let panics = |tells: bool| {
            faults(move |data, coins| {
                let far = coins.draw(&DiscreteLaplace::new(integer(10))?)? > BigInt::from(100_000);
                assert!(!far, "planted: {}", if tells { data } else { 7 });
                Ok(far)
            })
        };
        assert!(panics(true).contains("the learner panicked"));
        assert_eq!(panics(false), "");
    }
}
