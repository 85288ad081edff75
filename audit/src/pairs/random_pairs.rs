//! Random records, datasets and pairs of a domain: what the candidates do not think of.

use super::domain::{Domain, Neighbours};
use super::draws::Draws;
use super::pair::Pair;
use super::parts::Parts;
use super::records::{RecordType, double, number};
use serde_json::Value;

/// Datasets are mostly so much larger than the smallest, and seldom so much.
const FEW_MORE: usize = 3;
const MANY_MORE: usize = 29;
/// The most different records among those that both datasets have.
const PALETTE: usize = 3;
/// How many units in the last place a double is moved by.
const ULPS: i64 = 4;

impl RecordType {
    /// One record: half of the time one of the values that are tried anyway or one close to them, and otherwise any. One in
    /// five is one of those that the domain has besides, if it has any.
    pub(super) fn drawn(&self, draws: &mut Draws) -> Value {
        match self {
            Self::Integer { also, .. } | Self::Number { also, .. } if draws.one_in(5) => {
                let besides = draws.one_of(also).cloned();
                besides.unwrap_or_else(|| self.drawn_between(draws))
            }
            Self::Integer { .. } | Self::Number { .. } => self.drawn_between(draws),
            Self::Choice { values } => draws.one_of(values).cloned().unwrap_or(Value::Null),
            Self::Tuple { fields } => {
                let fields = fields.iter().map(|field| field.drawn(draws));
                Value::Array(fields.collect())
            }
        }
    }

    /// A number between the bounds of those that have bounds.
    fn drawn_between(&self, draws: &mut Draws) -> Value {
        let tried = draws.one_of(&self.values()).cloned().unwrap_or(Value::Null);
        match self {
            Self::Integer { lo, hi, .. } => {
                let integer = match (draws.below(4), tried.as_i64()) {
                    (0, Some(tried)) => tried.saturating_add(draws.between(-3, 3)),
                    (1, _) => {
                        let power = 1i64 << draws.below(63);
                        if draws.one_in(2) { -power } else { power }
                    }
                    _ => draws.between(*lo, *hi),
                };
                Value::from(integer.clamp(*lo, *hi))
            }
            Self::Number { lo, hi, .. } => {
                let (lo, hi) = (double(lo), double(hi));
                // Not hi - lo, which may be infinite.
                let part = draws.part();
                let any = lo * (1.0 - part) + hi * part;
                let double = match (draws.below(5), tried.as_f64()) {
                    (0, Some(tried)) => moved(tried, draws.between(-ULPS, ULPS)),
                    // Numbers of few digits, and of few bits.
                    (1, _) => rounded(any, 10f64.powi(draws.below(4) as i32)),
                    (2, _) => rounded(any, 2f64.powi(draws.below(7) as i32)),
                    _ => any,
                };
                number(double.clamp(lo, hi))
            }
            Self::Choice { .. } | Self::Tuple { .. } => tried,
        }
    }
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
    /// A pair: a few different records and how often each comes, and the place and the records in which the datasets differ.
    /// `None` for two datasets that came out equal.
    pub(super) fn drawn(&self, draws: &mut Draws) -> Option<Pair> {
        let (least, largest) = self.larger_sizes();
        let more = if draws.one_in(4) { MANY_MORE } else { FEW_MORE };
        let size = least + draws.below(more.min(largest - least) + 1);
        let palette: [Value; PALETTE] = std::array::from_fn(|_| self.records.drawn(draws));
        let pick = |_| palette[draws.below(PALETTE)].clone();
        let common: Vec<Value> = (1..size).map(pick).collect();
        let place = draws.below(common.len() + 1);
        let substituted = self.neighbours == Neighbours::Substitute;
        let first = substituted.then(|| self.records.drawn(draws));
        let second = Some(self.records.drawn(draws));
        Parts {
            common,
            place,
            first,
            second,
        }
        .pair()
    }
}
