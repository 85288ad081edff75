//! Shorter events: fewer parts, fewer values, fewer digits.
//!
//! A learned event has every detail of the training outputs. A proof that a person can read needs less: one part or
//! value after the other is left out, each time the one that matters least. Every event on this way that still
//! promises the proof is a candidate.

use super::promise::{Aim, Counts, Judge, Score};
use crate::events::event::Event;
use crate::events::features::{Feature, Real};
use crate::events::outputs::{Outputs, SAMPLE};
use crate::events::predicate::Predicate;
use crate::targets::Output;
use dp_assay::stats::Side;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::collections::{BTreeMap, BTreeSet};

/// Larger sets are halved; of smaller ones, one value after the other is left out.
const SMALL_SET: usize = 8;

/// At most `limit` events that are shorter than `event` and still promise a bound above `epsilon`, the shortest
/// first. The outputs are training outputs on the two datasets, and none on which the events are then counted.
#[must_use]
pub fn shorter(
    event: &Event,
    first: &[Output],
    second: &[Output],
    aim: &Aim,
    epsilon: f64,
    limit: usize,
) -> Vec<Event> {
    let few = |all: &'_ [Output]| all.len().min(SAMPLE);
    let outputs: Outputs<'_> = [&first[..few(first)], &second[..few(second)]];
    let judge = Judge::new(aim, Counts::of(outputs));
    let promise = |predicate: &Predicate| {
        let score = judge.score(Counts::holding(predicate, outputs));
        // An event that is likelier on the other dataset is another one.
        if score.likelier == event.likelier {
            score
        } else {
            Score::nothing()
        }
    };
    // The best of the events that are one step shorter. Every step is shorter, so that there is an end.
    let best = |steps: Vec<Predicate>| {
        let mut best: Option<(Score, Predicate)> = None;
        for candidate in steps {
            let score = promise(&candidate);
            if best.as_ref().is_none_or(|b| score.better_than(b.0, 0.0)) {
                best = Some((score, candidate));
            }
        }
        best
    };
    let mut path: Vec<Predicate> = Vec::new();
    // 1. Parts and values, down to one comparison: two may have to go before the rest promises anything.
    let halve = |f: &Feature, v: &BTreeSet<Output>| better_half(f, v, outputs, event);
    let mut last = event.predicate.clone();
    while let Some((score, fewer)) = best(last.without_a_part(&halve)) {
        if score.epsilon() > epsilon {
            path.push(fewer.clone());
        }
        last = fewer;
    }
    // 2. Digits.
    let mut last = path.last().unwrap_or(&event.predicate).clone();
    while let Some((score, rounder)) = best(last.in_fewer_digits())
        && score.epsilon() > epsilon
    {
        path.push(rounder.clone());
        last = rounder;
    }
    // The shortest, and then ever fewer of the longer ones.
    let mut chosen = Vec::new();
    let mut back = 1;
    while chosen.len() < limit && back <= path.len() {
        chosen.push(Event {
            likelier: event.likelier,
            predicate: path[path.len() - back].clone(),
        });
        back += chosen.len();
    }
    chosen
}

impl Event {
    /// Whether it is one comparison, in few digits, or one value: there is no shorter one.
    #[must_use]
    pub fn is_shortest(&self) -> bool {
        let same = |_: &Feature, values: &BTreeSet<Output>| values.clone();
        self.predicate.without_a_part(&same).is_empty()
            && self.predicate.in_fewer_digits().is_empty()
    }
}

/// Gives half of the values of a set.
type Halve<'h> = &'h dyn Fn(&Feature, &BTreeSet<Output>) -> BTreeSet<Output>;

impl Predicate {
    /// How many comparisons and values it has.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::AtMost { feature, .. } | Self::AtLeast { feature, .. } => terms(feature),
            Self::Between { feature, .. } => 1 + terms(feature),
            Self::OneOf { values, .. } => values.len(),
            Self::All(parts) | Self::Any(parts) => parts.iter().map(Self::size).sum(),
        }
    }

    /// Each way to leave something out: a part, an end of an interval, a term of a sum, a value of a small
    /// set or half of a large one.
    fn without_a_part(&self, halve: Halve<'_>) -> Vec<Self> {
        match self {
            Self::AtMost { feature, .. } | Self::AtLeast { feature, .. } => {
                self.each_with(fewer_terms(feature))
            }
            Self::Between { feature, low, high } => {
                let feature = || feature.clone();
                let (low, high) = (*low, *high);
                vec![
                    Self::AtLeast {
                        feature: feature(),
                        bound: low,
                    },
                    Self::AtMost {
                        feature: feature(),
                        bound: high,
                    },
                ]
            }
            Self::OneOf { feature, values } if values.len() > SMALL_SET => {
                let values = halve(feature, values);
                let feature = feature.clone();
                vec![Self::OneOf { feature, values }]
            }
            Self::OneOf { feature, values } if values.len() > 1 => {
                let without = |left_out: &Output| {
                    let values = values.iter().filter(|v| *v != left_out).cloned().collect();
                    let feature = feature.clone();
                    Self::OneOf { feature, values }
                };
                values.iter().map(without).collect()
            }
            Self::OneOf { .. } => Vec::new(),
            Self::All(parts) | Self::Any(parts) => {
                let one_less = (0..parts.len()).filter(|_| parts.len() > 1).map(|index| {
                    let mut fewer = parts.clone();
                    fewer.remove(index);
                    match fewer.len() {
                        1 => fewer.remove(0),
                        _ => self.of_parts(fewer),
                    }
                });
                let one_changed = self.each_part(&|part| part.without_a_part(halve));
                one_less.chain(one_changed).collect()
            }
        }
    }

    /// Each way to write one of its numbers in fewer digits.
    fn in_fewer_digits(&self) -> Vec<Self> {
        match self {
            Self::AtMost { feature, bound } | Self::AtLeast { feature, bound } => {
                let bounds = fewer_digits(feature, *bound).into_iter();
                let bounded = bounds.map(|other| self.compared(|_, bound| *bound = other));
                let mut shorter = self.each_with(rounder_terms(feature));
                shorter.extend(bounded);
                shorter
            }
            Self::Between { feature, low, high } => {
                let ends = |low, high| Self::Between {
                    feature: feature.clone(),
                    low,
                    high,
                };
                let lower = fewer_digits(feature, *low).into_iter();
                let upper = fewer_digits(feature, *high).into_iter();
                let lower = lower.map(|low| ends(low, *high));
                let upper = upper.map(|high| ends(*low, high));
                lower.chain(upper).collect()
            }
            Self::OneOf { .. } => Vec::new(),
            Self::All(_) | Self::Any(_) => self.each_part(&Self::in_fewer_digits),
        }
    }

    /// The same comparison of each of these features.
    fn each_with(&self, features: Vec<Feature>) -> Vec<Self> {
        let each = features.into_iter();
        each.map(|other| self.compared(|feature, _| *feature = other))
            .collect()
    }

    /// The same comparison, of another feature or with another bound.
    fn compared(&self, change: impl FnOnce(&mut Feature, &mut Real)) -> Self {
        let mut changed = self.clone();
        if let Self::AtMost { feature, bound } | Self::AtLeast { feature, bound } = &mut changed {
            change(feature, bound);
        }
        changed
    }

    /// The same with each of its parts changed in each way.
    fn each_part(&self, change: &dyn Fn(&Self) -> Vec<Self>) -> Vec<Self> {
        let (Self::All(parts) | Self::Any(parts)) = self else {
            return Vec::new();
        };
        let mut changed = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            for other in change(part) {
                let mut parts = parts.clone();
                parts[index] = other;
                changed.push(self.of_parts(parts));
            }
        }
        changed
    }

    /// All or any of these parts, as in this one.
    fn of_parts(&self, parts: Vec<Self>) -> Self {
        match self {
            Self::All(_) => Self::All(parts),
            _ => Self::Any(parts),
        }
    }
}

/// How many comparisons a feature stands for.
fn terms(feature: &Feature) -> usize {
    match feature {
        Feature::Weighted { terms } => terms.len(),
        _ => 1,
    }
}

/// The half of the values that speaks most for the event: by how much more often each comes where it should.
fn better_half(
    feature: &Feature,
    values: &BTreeSet<Output>,
    outputs: Outputs<'_>,
    event: &Event,
) -> BTreeSet<Output> {
    let mut gains: BTreeMap<&Output, i64> = values.iter().map(|value| (value, 0)).collect();
    for (side, all) in [Side::First, Side::Second].into_iter().zip(outputs) {
        let gain = if side == event.likelier { 1 } else { -1 };
        for output in all {
            if let Some(sum) = feature.key(output).and_then(|key| gains.get_mut(&*key)) {
                *sum += gain;
            }
        }
    }
    let mut ranked: Vec<(&Output, i64)> = gains.into_iter().collect();
    ranked.sort_by(|(a, x), (b, y)| y.cmp(x).then_with(|| a.cmp(b)));
    ranked.truncate(values.len() / 2);
    ranked.into_iter().map(|(value, _)| value.clone()).collect()
}

/// A bound of the feature in fewer digits, in up to three ways.
fn fewer_digits(feature: &Feature, bound: Real) -> Vec<Real> {
    match feature.innermost().0 {
        Feature::Offset { from, .. } => more_zeros(from, bound).unwrap_or_else(|| fewer_of(bound)),
        _ => fewer_of(bound),
    }
}

/// The integer that lies by `bound` above another one, rounded so that it ends in more zeros: to one, two and three
/// digits of the bound. `None` if it is none.
fn more_zeros(from: &Output, bound: Real) -> Option<Vec<Real>> {
    let whole = |bound: f64| Output::float(bound + 0.0).whole();
    let from = from.whole()?;
    let number = &from + whole(bound.get())?;
    let zeros = |number: &BigInt| {
        let digits = number.to_string();
        match digits.trim_end_matches('0').len() {
            0 => usize::MAX,
            length => digits.len() - length,
        }
    };
    let digits = whole(bound.get())?.magnitude().to_string().len();
    let rounder = (1..=3).filter(|kept| *kept < digits).filter_map(|kept| {
        let unit = BigInt::from(10).pow(u32::try_from(digits - kept).ok()?);
        let up: BigInt = &number + &unit / 2;
        let rest = ((&up % &unit) + &unit) % &unit;
        let moved = (up - rest - &from).to_f64()?;
        (zeros(&(&from + whole(moved)?)) > zeros(&number)).then(|| Real::new(moved))
    });
    Some(rounder.collect())
}

/// The number in one, two and three significant digits, where that is shorter.
fn fewer_of(number: Real) -> Vec<Real> {
    let value = number.get();
    let digits = |value: f64| format!("{value:e}").split('e').next().map_or(0, str::len);
    (1..=3)
        .map(|count| number.rounded(count))
        .filter(|shorter| shorter.get().is_finite() && digits(shorter.get()) < digits(value))
        .collect()
}

/// A weighted sum without each one of its terms.
fn fewer_terms(feature: &Feature) -> Vec<Feature> {
    let Feature::Weighted { terms } = feature else {
        return Vec::new();
    };
    let without = |index: usize| {
        let mut terms = terms.clone();
        terms.remove(index);
        Feature::Weighted { terms }
    };
    let several = (0..terms.len()).filter(|_| terms.len() > 1);
    several.map(without).collect()
}

/// A weighted sum with each one of its weights in fewer digits.
fn rounder_terms(feature: &Feature) -> Vec<Feature> {
    let Feature::Weighted { terms } = feature else {
        return Vec::new();
    };
    let mut rounder = Vec::new();
    for (index, term) in terms.iter().enumerate() {
        for weight in fewer_of(term.weight) {
            let mut terms = terms.clone();
            terms[index].weight = weight;
            rounder.push(Feature::Weighted { terms });
        }
    }
    rounder
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::features::{Step, Term};

    fn number(at: Option<usize>) -> Feature {
        Feature::Number { at }
    }

    fn at_most(bound: f64) -> Predicate {
        Predicate::AtMost {
            feature: number(None),
            bound: Real::new(bound),
        }
    }

    fn one_of(values: impl IntoIterator<Item = i128>) -> Predicate {
        Predicate::OneOf {
            feature: Feature::Exact { at: None },
            values: values.into_iter().map(Output::Integer).collect(),
        }
    }

    /// The outputs `0..outputs` under each dataset as often as the weights say.
    fn sides(weights: &[[usize; 2]]) -> [Vec<Output>; 2] {
        [0, 1].map(|side| {
            let times = |value: usize| vec![Output::Integer(value as i128); weights[value][side]];
            (0..weights.len()).flat_map(times).collect()
        })
    }

    fn shortest(predicate: Predicate, sides: &[Vec<Output>; 2]) -> Option<String> {
        let event = Event {
            likelier: Side::First,
            predicate,
        };
        let aim = Aim {
            delta: 0.0,
            calls: 30_000,
            level: 0.001,
        };
        let found = shorter(&event, &sides[0], &sides[1], &aim, 1.0, 6);
        assert!(
            found
                .windows(2)
                .all(|w| w[0].predicate.size() <= w[1].predicate.size())
        );
        found.first().map(Event::to_string)
    }

    #[test]
    fn the_parts_that_prove_nothing_are_left_out() {
        // 3 leaks; 5 and 7 are evenly likely, and only lucky in the training.
        let mut weights = vec![[900, 900]; 10];
        weights[3] = [1900, 100];
        weights[8] = [100, 1900];
        let sides = sides(&weights);
        let union = Predicate::Any(vec![one_of([3, 5]), one_of([7]), at_most(-1.0)]);
        assert_eq!(shortest(union, &sides).unwrap(), "output = 3");
        let needless = one_of([3]).and(at_most(3.25));
        assert_eq!(shortest(needless, &sides).unwrap(), "output = 3");
        // Nothing shorter than one value.
        assert_eq!(shortest(one_of([3]), &sides), None);
        // And nothing that would no longer prove it: without one end, the ratio is near 1.
        let between = Predicate::Between {
            feature: number(None),
            low: Real::new(2.75),
            high: Real::new(3.25),
        };
        assert_eq!(shortest(between, &sides).unwrap(), "output = 3");
    }

    #[test]
    fn a_long_list_ends_at_what_is_needed() {
        // A thousand values, each proving a little; no few of them are enough.
        let mut weights = vec![[9, 1]; 1000];
        weights.extend(vec![[1, 9]; 1000]);
        let sides = sides(&weights);
        let text = shortest(one_of(0..1000), &sides).unwrap();
        assert!(text.ends_with("values)}"), "{text}");
        // One of them proves it all.
        weights[17] = [5000, 1];
        let sides = self::sides(&weights);
        assert_eq!(shortest(one_of(0..1000), &sides).unwrap(), "output = 17");
    }

    #[test]
    fn numbers_are_rounded_where_it_does_not_matter() {
        let sides = [0.0, 100.0].map(|shift| -> Vec<Output> {
            (0..4000)
                .map(|i| Output::float(f64::from(i) * 0.1 + shift))
                .collect()
        });
        assert_eq!(
            shortest(at_most(98.76543), &sides).unwrap(),
            "output <= 100"
        );
        let fraction = [0.0, 0.1].map(|shift| -> Vec<Output> {
            (0..4000)
                .map(|i| Output::float(f64::from(i) * 1e-4 + shift))
                .collect()
        });
        // 0.1 is as good: nothing below it comes from the second dataset.
        assert_eq!(
            shortest(at_most(0.09876543), &fraction).unwrap(),
            "output <= 0.1"
        );
    }

    #[test]
    fn a_sum_loses_the_terms_that_say_nothing() {
        let vector = |i: usize, shift: f64| {
            let noise = |k: usize| ((i * k) % 1009) as f64 / 1009.0;
            Output::Vector(
                (0..3)
                    .map(|c| {
                        Output::float(noise([37, 101, 577][c]) + if c == 1 { shift } else { 0.0 })
                    })
                    .collect(),
            )
        };
        let sides = [1.0, 0.0].map(|shift| (0..4000).map(|i| vector(i, shift)).collect::<Vec<_>>());
        let term = |weight: f64, at| Term {
            weight: Real::new(weight),
            feature: number(Some(at)),
        };
        let terms = vec![term(0.0123, 0), term(1.0, 1), term(-0.0321, 2)];
        let event = Predicate::AtLeast {
            feature: Feature::Weighted { terms },
            bound: Real::new(1.0421),
        };
        assert_eq!(shortest(event, &sides).unwrap(), "output[1] >= 1");
    }

    #[test]
    fn large_integers_end_in_more_zeros() {
        let base = BigInt::from(10).pow(40);
        let sides = [0, 1_000_000].map(|shift| -> Vec<Output> {
            (0..4000)
                .map(|i| Output::integer(&(&base + 100 * i + shift)))
                .collect()
        });
        let at_most = Predicate::AtMost {
            feature: Feature::Offset {
                at: None,
                from: Output::integer(&(&base + 12_345)),
            },
            bound: Real::new(387_654.0),
        };
        let expected = format!("output <= {}", &base + 400_000);
        assert_eq!(shortest(at_most, &sides).unwrap(), expected);
        let shortest = Event {
            likelier: Side::First,
            predicate: Predicate::AtLeast {
                feature: Feature::Offset {
                    at: None,
                    from: Output::integer(&(&base - 5)),
                },
                bound: Real::new(5.0),
            },
        };
        assert!(shortest.is_shortest());
    }

    #[test]
    fn parts_of_outputs_are_shortened_as_outputs_are() {
        let within = |feature| Feature::Within {
            path: vec![Step::Entry(0)],
            feature: Box::new(feature),
        };
        let sides = [0.0, 100.0].map(|shift| -> Vec<Output> {
            let entry = |i: i32| Output::Vector(vec![Output::float(f64::from(i) * 0.01 + shift)]);
            (0..4000).map(|i| Output::Vector(vec![entry(i)])).collect()
        });
        let found = Predicate::AtMost {
            feature: within(number(Some(0))),
            bound: Real::new(38.7654),
        }
        .and(Predicate::AtMost {
            feature: within(Feature::Length),
            bound: Real::new(1.0),
        });
        assert_eq!(shortest(found, &sides).unwrap(), "output[0][0] <= 40");
    }
}
