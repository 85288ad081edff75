//! Plain events for a reader: of each thing that an event may speak of, the best ones.

use super::column::{Column, Histogram, Values, both};
use super::family::FAMILIES;
use super::lesson::Lesson;
use super::promise::{Counts, Judge, Score};
use crate::events::event::Event;
use crate::events::plain::Plainness;
use crate::events::predicate::Predicate;
use crate::targets::Output;

/// The most events of one plainness.
const MOST: usize = 3;
/// With a caution of so many standard errors.
const CAUTION: f64 = 1.0;

impl Lesson<'_> {
    /// The events that promise most, at most three of each plainness, the plainest first. Nothing is concluded from them: they
    /// are counted again.
    #[must_use]
    pub fn plain_events(&self) -> Vec<Event> {
        let judge = Judge::cautious(&self.aim, Counts::of(self.searched), CAUTION);
        let mut found: Vec<(Plainness, Score, Event)> = Vec::new();
        for column in &self.columns {
            let histogram = column.histogram(None);
            let families = FAMILIES
                .iter()
                .filter_map(|family| family.best(column, &histogram, Counts::default(), &judge));
            let values = [true, false].map(|kinds| best_value(column, &histogram, &judge, kinds));
            for (score, predicate) in families.chain(values.into_iter().flatten()) {
                let likelier = score.likelier;
                let event = Event {
                    likelier,
                    predicate,
                };
                if score.better_than(Score::nothing(), 0.0) {
                    found.push((event.plainness(), score, event));
                }
            }
        }
        found.sort_by(|(a, x, _), (b, y, _)| a.cmp(b).then(y.epsilon().total_cmp(&x.epsilon())));
        let mut events: Vec<Event> = Vec::new();
        let mut last = (Plainness::Kind, 0);
        for (plainness, _, event) in found {
            last = if last.0 == plainness {
                last
            } else {
                (plainness, 0)
            };
            if last.1 < MOST && !events.contains(&event) {
                last.1 += 1;
                events.push(event);
            }
        }
        events
    }
}

/// The one value of a column without order that promises most: of those that are a kind by themselves, or of the others.
fn best_value(
    column: &Column<'_>,
    histogram: &Histogram,
    judge: &Judge,
    kinds: bool,
) -> Option<(Score, Predicate)> {
    let Values::Keys(keys) = &column.values else {
        return None;
    };
    let mut best: Option<(Score, usize)> = None;
    for (index, halves) in histogram.iter().enumerate() {
        if matches!(*keys[index], Output::Error(_) | Output::Null) != kinds {
            continue;
        }
        let score = judge.score(both(halves));
        if best.is_none_or(|(most, _)| score.better_than(most, 0.0)) {
            best = Some((score, index));
        }
    }
    best.map(|(score, index)| {
        let feature = column.feature.clone();
        let values = [(*keys[index]).clone()].into();
        (score, Predicate::OneOf { feature, values })
    })
}

#[cfg(test)]
mod tests {
    use super::super::promise::Aim;
    use super::*;

    #[test]
    fn of_each_plainness_the_best_events_are_there() {
        // Exceptions in a quarter of the outputs on one side, and numbers that are larger there.
        let outputs = |side: i128| -> Vec<Output> {
            let one = |row: i128| match row % 4 == 0 && side == 1 {
                true => Output::Error("no".into()),
                false => Output::Integer(row * 7 % 20 + 10 * side),
            };
            (0..1000).map(one).collect()
        };
        let [first, second] = [outputs(0), outputs(1)];
        let lesson = Lesson::new(&first, &second, Aim::after(1000, 0.0));
        let events = lesson.plain_events();
        let plain: Vec<Plainness> = events.iter().map(Event::plainness).collect();
        assert!(plain.is_sorted(), "{plain:?}");
        for wanted in [Plainness::Kind, Plainness::Value, Plainness::HalfLine] {
            let count = plain
                .iter()
                .filter(|plainness| **plainness == wanted)
                .count();
            assert!((1..=MOST).contains(&count), "{wanted:?}: {events:?}");
        }
    }
}
