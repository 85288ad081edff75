//! A program that answers one thing alone from some call on: it has a budget, or another memory.
//!
//! A session that refuses when its budget is spent answers one error from then on. Its answers are not independent, and nothing
//! that was counted across that call is worth anything.
//!
//! *A good program is hardly ever accused.* Let the answers on each dataset be independent and of one law. Given how often
//! other things came among the `n` answers on a dataset, at least `d` times, each order is as likely as any other. None of them
//! is among the last `l` with probability `C(n - l, d) / C(n, d)` at most; the datasets are independent, and that no other
//! thing came later says less, the later it begins. Only if the product is at most [`CHANCE`] is there a refusal. There are two
//! kinds of it, errors of any text and one value, and at most two looks: so `1e-9` in all.
//!
//! Of errors all is counted. Of one value, it is not known beforehand which: what else came is counted among the first answers
//! on a dataset, which are kept.

use super::{Output, bytes, cut};
use serde_json::Value;

/// The probability with which a good program may be accused by one kind of refusal, at one look.
const CHANCE: f64 = 2.5e-10;
/// With this one, it is looked at again.
const SUSPECTED: f64 = 0.01;
/// The datasets that are remembered: the last ones. A search asks for many.
const REMEMBERED: usize = 16;
/// The first answers on a dataset that are kept, and the most bytes of them.
const KEPT: usize = 2048;
const KEPT_BYTES: usize = 1 << 22;

/// Every answer was the same, or an error, from some call on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The call at which that began, from 1, of all calls of the program.
    pub from: u64,
    /// How many answers there were from then on.
    pub calls: u64,
    /// The last of them, cut.
    pub last: String,
}

/// What was answered so far.
#[derive(Debug, Default)]
pub struct Refusals {
    calls: u64,
    last: Option<Output>,
    /// The end of all answers that is one value, and the end that is errors.
    equal: Run,
    errors: Run,
    known: Vec<Known>,
}

/// The answers since one of another kind: how many there are, and the number of the run.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Run {
    calls: u64,
    number: u64,
}

impl Run {
    fn goes_on(&mut self, it_does: bool) {
        if it_does {
            self.calls += 1;
        } else {
            *self = Self {
                calls: 0,
                number: self.number + 1,
            };
        }
    }

    /// The calls of this part of a run: none, if it is of another one.
    fn within(self, run: Self) -> u64 {
        if self.number == run.number {
            self.calls
        } else {
            0
        }
    }
}

/// The answers on one dataset.
#[derive(Debug)]
struct Known {
    data: Value,
    calls: u64,
    errors: u64,
    first: Vec<Output>,
    bytes: usize,
    /// The part of the two runs that is on this dataset.
    equal: Run,
    in_errors: Run,
}

impl Known {
    fn of(data: &Value) -> Self {
        Self {
            data: data.clone(),
            calls: 0,
            errors: 0,
            first: Vec::new(),
            bytes: 0,
            equal: Run::default(),
            in_errors: Run::default(),
        }
    }

    fn keep(&mut self, output: &Output) {
        let more = bytes(output);
        if self.first.len() < KEPT && self.bytes + more <= KEPT_BYTES {
            self.bytes += more;
            self.first.push(output.clone());
        }
    }

    /// One more of a run.
    fn count(mine: &mut Run, run: Run) {
        if mine.number != run.number {
            *mine = Run { calls: 0, ..run };
        }
        mine.calls += 1;
    }
}

impl Refusals {
    /// Takes answers on this dataset into account.
    pub fn hear(&mut self, data: &Value, outputs: &[Output]) {
        let mut known = match self.known.iter().position(|known| known.data == *data) {
            Some(place) => self.known.remove(place),
            None => Known::of(data),
        };
        let before = self.last.take();
        let mut last = before.as_ref();
        for output in outputs {
            self.calls += 1;
            known.calls += 1;
            known.keep(output);
            let is_error = matches!(output, Output::Error(_));
            self.errors.goes_on(is_error);
            if is_error {
                known.errors += 1;
                Known::count(&mut known.in_errors, self.errors);
            }
            if last != Some(output) {
                self.equal.goes_on(false);
            }
            self.equal.calls += 1;
            Known::count(&mut known.equal, self.equal);
            last = Some(output);
        }
        self.last = last.cloned();
        if self.known.len() == REMEMBERED {
            self.known.remove(0);
        }
        self.known.push(known);
    }

    /// Whether the answers end as those of a good program rarely do: what makes one look again.
    pub fn is_suspected(&self) -> bool {
        self.unlikely(SUSPECTED).is_some()
    }

    /// The refusal that the answers end with.
    pub fn found(&self) -> Option<Refusal> {
        let run = self.unlikely(CHANCE)?;
        Some(self.refusal(run.calls, self.last.as_ref()?))
    }

    /// The end of the answers that is at most so likely: errors, or one value.
    fn unlikely(&self, at_most: f64) -> Option<Run> {
        let last = self.last.as_ref()?;
        let by_errors = self.known.iter().map(|known| {
            let run = known.in_errors.within(self.errors);
            chance(known.calls, run, known.calls - known.errors)
        });
        if self.errors.calls > 0 && by_errors.product::<f64>() <= at_most {
            return Some(self.errors);
        }
        let by_value = self.known.iter().map(|known| {
            let others = known.first.iter().filter(|output| *output != last);
            let run = known.equal.within(self.equal);
            chance(known.calls, run, others.count() as u64)
        });
        (by_value.product::<f64>() <= at_most).then_some(self.equal)
    }

    /// The refusal, if the answers end with errors that something else came before, whatever its probability.
    pub fn ends_in_errors(&self) -> Option<Refusal> {
        let last = self.last.as_ref()?;
        let run = self.errors.calls;
        (run > 0 && run < self.calls).then(|| self.refusal(run, last))
    }

    fn refusal(&self, calls: u64, last: &Output) -> Refusal {
        Refusal {
            from: self.calls - calls + 1,
            calls,
            last: match last {
                Output::Error(text) => cut(format!("the error {text:?}")),
                other => cut(other.to_string()),
            },
        }
    }
}

/// The probability that none of `others` among `all` answers in a random order is one of the last ones.
fn chance(all: u64, last: u64, others: u64) -> f64 {
    let (all, last, others) = (all as f64, last as f64, others as f64);
    // Both products are it; the shorter one is computed.
    let (few, many) = if last < others {
        (last, others)
    } else {
        (others, last)
    };
    let mut chance = 1.0;
    let mut index = 0.0;
    while index < few && chance > 1e-300 {
        chance *= ((all - many - index) / (all - index)).max(0.0);
        index += 1.0;
    }
    chance
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::coins::{ChaCha, Coins};
    use serde_json::json;

    fn error(text: &str) -> Output {
        Output::Error(text.to_owned())
    }

    /// Answers by turns on two datasets, in batches of 50.
    fn heard(outputs: impl IntoIterator<Item = Output>) -> Refusals {
        let outputs: Vec<Output> = outputs.into_iter().collect();
        let mut refusals = Refusals::default();
        for (turn, batch) in outputs.chunks(50).enumerate() {
            refusals.hear(&json!([turn % 2]), batch);
        }
        refusals
    }

    fn numbers(n: usize, seed: u64, bits: u32) -> Vec<Output> {
        let mut coins = ChaCha::reproducible(seed, 0);
        let draw = |_| Output::Integer(coins.bits(bits).unwrap().into());
        (0..n).map(draw).collect()
    }

    #[test]
    fn a_budget_that_is_spent_is_found_with_its_call() {
        for (before, after) in [
            (5000, 15_000),
            (600, 19_400),
            (100, 500),
            (4, 4000),
            (9000, 300),
        ] {
            let refused = vec![error("budget spent"); after];
            let found = heard(numbers(before, 1, 8).into_iter().chain(refused)).found();
            let found = found.unwrap_or_else(|| panic!("{before} {after}"));
            assert_eq!((found.from, found.calls), (before as u64 + 1, after as u64));
            assert!(found.last.contains("budget spent"));
        }
        // Errors whose texts count, and a value that is no error.
        let counting = (0..500).map(|n| error(&format!("request {n} is too much")));
        let found = heard(numbers(500, 1, 8).into_iter().chain(counting)).found();
        assert_eq!(found.map(|refusal| refusal.from), Some(501));
        let nulls = numbers(5000, 1, 8)
            .into_iter()
            .chain(vec![Output::Null; 500]);
        assert_eq!(heard(nulls).found().map(|refusal| refusal.from), Some(5001));
    }

    #[test]
    fn answers_that_are_often_errors_or_mostly_one_value_are_none() {
        for seed in 0..300 {
            // Errors three times in four, and one value seven times in eight.
            let errors = numbers(1000, seed, 2)
                .into_iter()
                .map(|output| match output {
                    Output::Integer(0) => output,
                    _ => error("no"),
                });
            assert_eq!(heard(errors).found(), None);
            let same = numbers(1000, seed, 3)
                .into_iter()
                .map(|output| match output {
                    Output::Integer(0) => output,
                    _ => Output::Null,
                });
            assert_eq!(heard(same).found(), None);
        }
        assert_eq!(heard(vec![error("always"); 5000]).found(), None);
        assert_eq!(heard(numbers(5000, 1, 8)).found(), None);
    }

    #[test]
    fn the_chance_is_that_of_counting() {
        let near = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-12);
        // C(6, 3) of the C(10, 3) places of three others.
        near(chance(10, 4, 3), 20.0 / 120.0);
        near(chance(10, 3, 4), 35.0 / 210.0);
        assert_eq!(
            (chance(10, 8, 3), chance(10, 0, 3), chance(10, 3, 0)),
            (0.0, 1.0, 1.0)
        );
    }
}
