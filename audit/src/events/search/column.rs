//! A feature read off all training outputs once; afterwards, everything is counting.

use super::promise::Counts;
use crate::events::features::{Class, Feature, part, place};
use crate::events::outputs::Outputs;
use crate::targets::Output;
use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The most different keys of one feature that are counted: those that come first. More come too seldom to be counted.
const MOST_KEYS: usize = 1 << 16;

/// So few values of a feature are chosen and scored on the same outputs. Of more, those fit that one dataset missed by
/// luck: they are chosen on the outputs at even places and scored on those at odd ones.
pub const FEW: usize = 64;

/// The code of an output without the feature, or with a key too many.
const NONE: u32 = u32::MAX;

/// Which training outputs are in an event.
pub type Mask = [Vec<bool>; 2];

/// A feature's values on all training outputs. `'a` is that of the outputs.
pub struct Column<'a> {
    pub feature: Feature,
    pub values: Values<'a>,
    /// Of each output, the index of its value.
    codes: [Vec<u32>; 2],
}

/// The different values of a feature.
pub enum Values<'a> {
    /// With an order: rising.
    Ordered(Vec<f64>),
    /// Without.
    Keys(Vec<Cow<'a, Output>>),
}

impl Values<'_> {
    pub fn len(&self) -> usize {
        match self {
            Self::Ordered(values) => values.len(),
            Self::Keys(keys) => keys.len(),
        }
    }
}

/// How often each value of a column comes, at even and at odd places.
pub type Histogram = Vec<[Counts; 2]>;

impl<'a> Column<'a> {
    pub fn new(feature: Feature, outputs: Outputs<'a>) -> Self {
        if feature.is_ordered() {
            Self::ordered(feature, outputs)
        } else {
            Self::keyed(feature, outputs)
        }
    }

    fn ordered(feature: Feature, outputs: Outputs<'a>) -> Self {
        let mut places: Vec<(u64, u32, u8)> = Vec::new();
        for (side, all) in [0u8, 1].into_iter().zip(outputs) {
            for (index, output) in (0u32..).zip(all) {
                if let Some(value) = feature.value(output) {
                    places.push((rising(value), index, side));
                }
            }
        }
        places.sort_unstable();
        let mut codes = outputs.map(|all| vec![NONE; all.len()]);
        let mut values: Vec<f64> = Vec::new();
        let mut last = None;
        for (bits, index, side) in places {
            if last != Some(bits) {
                values.push(from_rising(bits));
                last = Some(bits);
            }
            codes[usize::from(side)][index as usize] = values.len() as u32 - 1;
        }
        Self {
            feature,
            values: Values::Ordered(values),
            codes,
        }
    }

    fn keyed(feature: Feature, outputs: Outputs<'a>) -> Self {
        let mut keys: Vec<Cow<'a, Output>> = Vec::new();
        let mut short: HashMap<Short, u32> = HashMap::new();
        let mut long: HashMap<Cow<'a, Output>, u32> = HashMap::new();
        let mut codes = outputs.map(|all| vec![NONE; all.len()]);
        let longest = outputs[0].len().max(outputs[1].len());
        // Side by side, so that neither fills the table alone.
        for (index, side) in (0..longest).flat_map(|index| [(index, 0), (index, 1)]) {
            let Some(output) = outputs[side].get(index) else {
                continue;
            };
            let next = keys.len() as u32;
            let is_room = keys.len() < MOST_KEYS;
            codes[side][index] = if let Some(name) = Short::of(&feature, output) {
                match short.entry(name) {
                    Entry::Occupied(found) => *found.get(),
                    Entry::Vacant(_) if !is_room => NONE,
                    Entry::Vacant(free) => {
                        keys.extend(feature.key(output));
                        *free.insert(next)
                    }
                }
            } else if let Some(key) = feature.key(output) {
                match long.entry(key) {
                    Entry::Occupied(found) => *found.get(),
                    Entry::Vacant(_) if !is_room => NONE,
                    Entry::Vacant(free) => {
                        keys.push(free.key().clone());
                        *free.insert(next)
                    }
                }
            } else {
                NONE
            };
        }
        Self {
            feature,
            values: Values::Keys(keys),
            codes,
        }
    }

    /// Counts the values of the outputs that are in the mask, or not in it, as `wanted`; of all without one.
    pub fn histogram(&self, chosen: Option<(&Mask, bool)>) -> Histogram {
        let mut histogram = vec![[Counts::default(); 2]; self.values.len()];
        for (side, codes) in self.codes.iter().enumerate() {
            for (index, code) in codes.iter().enumerate() {
                let is_chosen = chosen.is_none_or(|(mask, wanted)| mask[side][index] == wanted);
                if let Some(counts) = histogram.get_mut(*code as usize)
                    && is_chosen
                {
                    counts[index % 2].0[side] += 1;
                }
            }
        }
        histogram
    }

    /// How often the feature is not there, or not counted: outside and inside of the mask; all outside without one.
    pub fn absent(&self, mask: Option<&Mask>) -> [Counts; 2] {
        let mut counts = [Counts::default(); 2];
        for (side, codes) in self.codes.iter().enumerate() {
            for (index, code) in codes.iter().enumerate() {
                if *code == NONE {
                    let inside = mask.is_some_and(|mask| mask[side][index]);
                    counts[usize::from(inside)].0[side] += 1;
                }
            }
        }
        counts
    }
}

/// A quick name for the keys that are numbers: equal for equal keys, and different for different ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Short {
    Class(Class),
    /// An integer below 2^100, or a double that is one.
    Integer(i128),
    /// Any other double: -0, a fraction, an infinity, NaN.
    Bits(u64),
}

impl Short {
    /// The name of the key; `None` if it has no quick one, or there is no key.
    fn of(feature: &Feature, output: &Output) -> Option<Self> {
        match feature {
            Feature::Class { at } => Class::of(place(output, *at)?).map(Self::Class),
            Feature::Exact { at } | Feature::Value { at } => match place(output, *at)? {
                Output::Integer(value) if value.unsigned_abs() < 1 << 100 => {
                    Some(Self::Integer(*value))
                }
                Output::Float(bits) => {
                    let is_value = matches!(feature, Feature::Value { .. });
                    let bits = match *bits {
                        bits if is_value && f64::from_bits(bits).is_nan() => f64::NAN.to_bits(),
                        bits if is_value && bits == 1 << 63 => 0,
                        bits => bits,
                    };
                    let value = f64::from_bits(bits);
                    let is_whole = value.fract() == 0.0 && value.abs() < 2f64.powi(100);
                    Some(if is_whole && bits != 1 << 63 {
                        Self::Integer(value as i128)
                    } else if value.fract() == 0.0 && value.is_finite() && value != 0.0 {
                        // It may be equal to an integer that is not here.
                        return None;
                    } else {
                        Self::Bits(bits)
                    })
                }
                _ => None,
            },
            Feature::Residue { at, modulus } => {
                let residue = place(output, *at)?.residue(*modulus)?;
                Some(Self::Integer(residue.into()))
            }
            Feature::Within { path, feature } => Self::of(feature, &*part(output, path)?),
            _ => None,
        }
    }
}

/// Which outputs are in an event.
pub fn mask(outputs: Outputs<'_>, holds: impl Fn(&Output) -> bool) -> Mask {
    outputs.map(|all| all.iter().map(&holds).collect())
}

/// Of one value, the count at all places.
pub fn both(halves: &[Counts; 2]) -> Counts {
    halves[0].plus(halves[1])
}

/// The bits of a double that is not NaN, so that they rise with it; -0 is 0.
fn rising(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 {
        !bits
    } else {
        bits | 1 << 63
    }
}

fn from_rising(bits: u64) -> f64 {
    f64::from_bits(if bits >> 63 == 1 {
        bits & !(1 << 63)
    } else {
        !bits
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_equal_as_outputs_are() {
        let large = Output::integer(&(num_bigint::BigInt::from(1) << 120));
        let first = [
            Output::Integer(3),
            Output::float(3.0),
            Output::float(0.0),
            Output::float(-0.0),
            Output::float(f64::NAN),
            Output::float(0.5),
            Output::float(2f64.powi(120)),
            Output::float(1e300),
        ];
        let second = [
            Output::float(3.0),
            Output::Integer(0),
            Output::Label("3".into()),
            Output::Error("3".into()),
            Output::float(f64::NAN),
            large,
            Output::Integer(1 << 120),
            Output::Vector(vec![]),
        ];
        let column = Column::new(Feature::Exact { at: None }, [&first, &second]);
        let all: Vec<(&Output, u32)> = first
            .iter()
            .zip(column.codes[0].iter().copied())
            .chain(second.iter().zip(column.codes[1].iter().copied()))
            .collect();
        let Values::Keys(keys) = &column.values else {
            panic!("an output has no order");
        };
        for (a, code) in &all {
            assert_eq!(&*keys[*code as usize], *a);
            for (b, other) in &all {
                assert_eq!(a == b, code == other, "{a} {b}");
            }
        }
    }

    #[test]
    fn values_are_counted_in_their_order() {
        let floats = |values: &[f64]| -> Vec<Output> {
            values.iter().map(|value| Output::float(*value)).collect()
        };
        let infinity = f64::INFINITY;
        let first = floats(&[2.0, -0.0, f64::NAN, 0.0, -infinity]);
        let second = floats(&[infinity, -1.5, 0.0]);
        let column = Column::new(Feature::Number { at: None }, [&first, &second]);
        let Values::Ordered(values) = &column.values else {
            panic!("a number has an order");
        };
        assert_eq!(values, &[-infinity, -1.5, 0.0, 2.0, infinity]);
        let counts: Vec<[u64; 2]> = column.histogram(None).iter().map(|c| both(c).0).collect();
        assert_eq!(counts, [[1, 0], [0, 1], [2, 1], [1, 0], [0, 1]]);
        let mask = mask([&first, &second], |output| output.number() < Some(0.0));
        let negative = column.histogram(Some((&mask, true)));
        // NaN is no number, and -0 is not below 0.
        assert_eq!(negative.iter().map(|c| both(c).sum()).sum::<u64>(), 2);
    }
}
