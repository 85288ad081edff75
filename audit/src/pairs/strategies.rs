//! Strategies for records, datasets and pairs of a domain: what the candidates do not think of.

use super::domain::{Domain, Neighbours};
use super::pair::Pair;
use super::parts::Parts;
use super::records::{RecordType, double, number};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

/// Datasets are mostly so much larger than the smallest, and seldom so much.
const FEW_MORE: usize = 3;
const MANY_MORE: usize = 29;
/// The most different records among those that both datasets have.
const PALETTE: usize = 3;
/// How many units in the last place a double is moved by.
const ULPS: i64 = 4;

impl RecordType {
    /// A strategy for one record: half of the time one of the values that are tried anyway or one close to
    /// them, and otherwise any.
    pub(super) fn strategy(&self) -> BoxedStrategy<Value> {
        match self {
            Self::Integer { lo, hi, also, .. } => {
                let (lo, hi) = (*lo, *hi);
                let tried: Vec<i64> = self.values().iter().filter_map(Value::as_i64).collect();
                let close = (select(tried), -3i64..=3)
                    .prop_map(move |(value, by)| value.saturating_add(by).clamp(lo, hi));
                let power = (0u32..63, any::<bool>()).prop_map(move |(exponent, negative)| {
                    let power = 1i64 << exponent;
                    (if negative { -power } else { power }).clamp(lo, hi)
                });
                let integer = prop_oneof![2 => lo..=hi, 1 => close, 1 => power];
                or_one_of(integer.prop_map(Value::from).boxed(), also)
            }
            Self::Number { lo, hi, also, .. } => {
                let (lo, hi) = (double(lo), double(hi));
                let tried: Vec<f64> = self.values().iter().filter_map(Value::as_f64).collect();
                let close = (select(tried), -ULPS..=ULPS).prop_map(|(value, by)| moved(value, by));
                // Not hi - lo, which may be infinite.
                let any = (0.0..1.0f64).prop_map(move |part| lo * (1.0 - part) + hi * part);
                // Numbers of few digits, and of few bits.
                let short = (any.clone(), 0i32..=3)
                    .prop_map(|(value, digits)| rounded(value, 10f64.powi(digits)));
                let coarse = (any.clone(), 0i32..=6)
                    .prop_map(|(value, bits)| rounded(value, 2f64.powi(bits)));
                let double = prop_oneof![2 => any, 1 => close, 1 => short, 1 => coarse];
                let double = double.prop_map(move |value| number(value.clamp(lo, hi)));
                or_one_of(double.boxed(), also)
            }
            Self::Choice { values } => select(values.clone()).boxed(),
            Self::Tuple { fields } => {
                let fields: Vec<_> = fields.iter().map(Self::strategy).collect();
                fields.prop_map(Value::Array).boxed()
            }
        }
    }
}

/// The strategy or, one time in five, one of these values, if there are any.
fn or_one_of(strategy: BoxedStrategy<Value>, also: &[Value]) -> BoxedStrategy<Value> {
    if also.is_empty() {
        return strategy;
    }
    prop_oneof![4 => strategy, 1 => select(also.to_vec())].boxed()
}

/// The nearest multiple of `1 / parts`; the value itself if that is none of a double.
fn rounded(value: f64, parts: f64) -> f64 {
    let rounded = (value * parts).round() / parts;
    if rounded.is_finite() { rounded } else { value }
}

/// So many doubles further on.
pub(super) fn moved(value: f64, by: i64) -> f64 {
    let step = |value: f64, _| {
        if by < 0 {
            value.next_down()
        } else {
            value.next_up()
        }
    };
    (0..by.unsigned_abs()).fold(value, step)
}

impl Domain {
    /// A strategy for pairs: a few different records and how often each comes, and the place and the
    /// records in which the datasets differ. `None` for the two datasets that came out equal.
    pub(super) fn strategy(&self) -> BoxedStrategy<Option<Pair>> {
        let (least, largest) = self.larger_sizes();
        let up_to = |more: usize| least..=least.saturating_add(more).min(largest);
        let sizes = prop_oneof![3 => up_to(FEW_MORE), 1 => up_to(MANY_MORE)];
        let record = self.records.strategy();
        let palette = prop::collection::vec(record.clone(), PALETTE);
        let picks = sizes.prop_flat_map(|size| prop::collection::vec(any::<Index>(), size - 1));
        let substituted = self.neighbours == Neighbours::Substitute;
        let (first, second) = (record.clone(), record);
        (palette, picks, any::<Index>(), first, second)
            .prop_map(move |(palette, picks, place, first, second)| {
                let place = place.index(picks.len() + 1);
                let common = picks
                    .iter()
                    .map(|pick| pick.get(&palette).clone())
                    .collect();
                let first = substituted.then_some(first);
                Parts {
                    common,
                    place,
                    first,
                    second: Some(second),
                }
                .pair()
            })
            .boxed()
    }
}
