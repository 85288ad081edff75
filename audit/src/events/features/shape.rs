//! What the training outputs look like: which entries they have, inside of each other, and what is there.

use super::feature::{EXACT, Step};
use super::numerals;
use crate::events::outputs::Outputs;
use crate::targets::{Output, OutputKind};
use std::collections::BTreeMap;

/// The most entries of vectors of each dataset that are read; of texts, some characters are one.
const MOST_READ: usize = 1 << 20;
const CHARACTERS: usize = 16;
/// The most different entries that are told apart.
const MOST_ENTRIES: usize = 1 << 18;
/// So many numbers of a text are looked at from its start, and from its end.
pub const FIRST_NUMERALS: usize = 3;
pub const LAST_NUMERALS: usize = 2;

/// What is at a place of the outputs: at the whole, at an entry, or at a number of a text.
#[derive(Default)]
pub struct Shape {
    pub has_error: bool,
    pub has_float: bool,
    pub has_nan: bool,
    /// Whether there is an infinity, or NaN.
    pub has_infinite: bool,
    pub has_label: bool,
    /// Whether there is a true, a false or a null.
    has_word: bool,
    kind: Option<OutputKind>,
    /// Whether not all are of one kind.
    pub has_kinds: bool,
    /// How many numbers there are, and how many of them are whole.
    numbers: usize,
    whole: usize,
    /// The least and the largest number; nothing if they are infinite.
    range: Option<[f64; 2]>,
    /// The first integer that is no double.
    pub inexact: Option<Output>,
    /// The least and the most letters of a label.
    pub letters: Option<[usize; 2]>,
    /// The least and the most bytes of an output of bytes.
    pub bytes: Option<[usize; 2]>,
    /// The least and the most entries of a vector or an object.
    pub entries: Option<[usize; 2]>,
    /// What is under the names of the objects, and how many of those of each dataset that were read have the name.
    pub names: BTreeMap<String, (Shape, [u64; 2])>,
    /// The objects of each dataset that were read.
    pub objects: [u64; 2],
    /// The names of the first object, in their order, and whether other objects have others.
    first_names: Option<Vec<String>>,
    pub names_vary: bool,
    /// The least and the most numbers of a label, none above those that are looked at.
    numerals: Option<[usize; 2]>,
    /// What the entries of the vectors are, the numbers of the labels from the first, and those from the last.
    pub items: Vec<Shape>,
    first: Vec<Shape>,
    last: Vec<Shape>,
    /// Of each dataset: how many numbers and labels there are, the sum of them, and that of their squares. A label
    /// counts as a number made of its letters.
    sums: [[f64; 3]; 2],
}

/// How much may still be read.
struct Budget {
    read: usize,
    entries: usize,
}

impl Shape {
    /// The shape of these outputs. All of them are looked at for their kinds, and the first ones for their parts.
    pub fn of(outputs: Outputs<'_>) -> Self {
        let mut shape = Self::default();
        let mut entries = MOST_ENTRIES;
        for (side, all) in outputs.into_iter().enumerate() {
            let mut budget = Budget {
                read: MOST_READ,
                entries,
            };
            for output in all {
                shape.read(output, side, &mut budget);
            }
            entries = budget.entries;
        }
        shape
    }

    fn read(&mut self, output: &Output, side: usize, budget: &mut Budget) {
        let kind = output.kind();
        self.has_kinds |= *self.kind.get_or_insert(kind) != kind;
        match output {
            Output::Integer(value) => {
                (self.numbers, self.whole) = (self.numbers + 1, self.whole + 1);
                if value.unsigned_abs() > EXACT as u128 && self.inexact.is_none() {
                    self.see_integer(output);
                }
            }
            Output::Large(_) => {
                (self.numbers, self.whole) = (self.numbers + 1, self.whole + 1);
                if self.inexact.is_none() {
                    self.see_integer(output);
                }
            }
            Output::Float(bits) => {
                self.has_float = true;
                self.has_nan |= f64::from_bits(*bits).is_nan();
                self.has_infinite |= !f64::from_bits(*bits).is_finite();
                self.numbers += 1;
                self.whole += usize::from(f64::from_bits(*bits).fract() == 0.0);
            }
            Output::Label(_) => self.has_label = true,
            Output::Bytes(bytes) => widen(&mut self.bytes, bytes.len()),
            Output::Vector(items) | Output::Object(_, items) => {
                widen(&mut self.entries, items.len());
            }
            Output::Boolean(_) | Output::Null => self.has_word = true,
            Output::Error(_) => self.has_error = true,
        }
        if budget.read == 0 {
            return;
        }
        match output {
            Output::Object(names, values) => {
                budget.read = budget.read.saturating_sub(values.len());
                self.objects[side] += 1;
                let first = self.first_names.get_or_insert_with(|| names.clone());
                self.names_vary |= first != names;
                for (name, value) in names.iter().zip(values) {
                    if !self.names.contains_key(name) {
                        if budget.entries == 0 {
                            continue;
                        }
                        budget.entries -= 1;
                        self.names.insert(name.clone(), Default::default());
                    }
                    if let Some((shape, came)) = self.names.get_mut(name) {
                        came[side] += 1;
                        shape.read(value, side, budget);
                    }
                }
            }
            Output::Vector(items) => {
                budget.read = budget.read.saturating_sub(items.len());
                let more = items.len().saturating_sub(self.items.len());
                let more = more.min(budget.entries);
                budget.entries -= more;
                let length = self.items.len() + more;
                self.items.resize_with(length, Self::default);
                for (item, shape) in items.iter().zip(&mut self.items) {
                    shape.read(item, side, budget);
                }
            }
            Output::Label(text) => {
                budget.read = budget.read.saturating_sub(text.len() / CHARACTERS);
                widen(&mut self.letters, text.chars().count());
                self.read_numerals(text, side, budget);
                self.add(side, hash(text));
            }
            _ => {
                if let Some(x) = output.number().filter(|x| x.is_finite()) {
                    let [least, most] = self.range.unwrap_or([x; 2]);
                    self.range = Some([least.min(x), most.max(x)]);
                    self.add(side, x);
                }
            }
        }
    }

    fn read_numerals(&mut self, text: &str, side: usize, budget: &mut Budget) {
        let most = FIRST_NUMERALS + LAST_NUMERALS;
        let mut count = 0;
        for numeral in numerals::from_first(text).take(most + 1) {
            if count < most {
                if self.first.len() <= count {
                    self.first.push(Self::default());
                }
                self.first[count].read(&numeral, side, budget);
            }
            count += 1;
        }
        widen(&mut self.numerals, count);
        if count > 0 {
            for (place, numeral) in numerals::from_last(text).take(LAST_NUMERALS).enumerate() {
                if self.last.len() <= place {
                    self.last.push(Self::default());
                }
                self.last[place].read(&numeral, side, budget);
            }
        }
    }

    fn see_integer(&mut self, value: &Output) {
        let exact = value.number().map(Output::float);
        if exact.as_ref() != Some(value) {
            self.inexact = Some(value.clone());
        }
    }

    fn add(&mut self, side: usize, x: f64) {
        let [n, sum, squares] = &mut self.sums[side];
        (*n, *sum, *squares) = (*n + 1.0, *sum + x, *squares + x * x);
    }

    pub fn has_number(&self) -> bool {
        self.numbers > 0
    }

    /// How far apart the numbers lie, if most of them are whole.
    pub fn whole_span(&self) -> Option<f64> {
        let span = if self.inexact.is_some() {
            f64::INFINITY
        } else {
            self.range.map(|[least, most]| most - least)?
        };
        (2 * self.whole >= self.numbers).then_some(span)
    }

    /// Whether not all labels are the same, as far as the sums say.
    pub fn varies(&self) -> bool {
        let [n, sum, squares] = [0, 1, 2].map(|i| self.sums[0][i] + self.sums[1][i]);
        n > 0.0 && squares / n - (sum / n) * (sum / n) > 1e-12
    }

    /// By how many standard errors the means on the two datasets differ.
    pub fn difference(&self) -> f64 {
        let [(mean0, error0), (mean1, error1)] = self.sums.map(|[n, sum, squares]| {
            let n = f64::max(n, 1.0);
            let mean = sum / n;
            (mean, (squares / n - mean * mean).max(0.0) / n)
        });
        (mean1 - mean0).abs() / (error0 + error1).max(f64::MIN_POSITIVE).sqrt()
    }

    /// The numbers of the labels that are looked at: all of few, and of more the first and the last ones.
    pub fn numerals(&self, first: usize, last: usize) -> Vec<(Step, &Self)> {
        let Some([least, most]) = self.numerals else {
            return Vec::new();
        };
        let is_all = least == most && most <= first + last;
        let first = if is_all { most } else { first.min(most) };
        let last = if is_all { 0 } else { last.min(most) };
        let from_first = self.first.iter().take(first).enumerate();
        let from_last = self.last.iter().take(last).enumerate();
        from_first
            .map(|(place, shape)| (Step::Numeral(place), shape))
            .chain(from_last.map(|(place, shape)| (Step::LastNumeral(place), shape)))
            .collect()
    }

    /// All entries of the vectors and objects, and of those in them: each before its entries.
    pub fn parts(&self) -> Vec<(Vec<Step>, &Self)> {
        let mut parts = Vec::new();
        self.add_parts(&mut Vec::new(), &mut parts);
        parts
    }

    fn add_parts<'s>(&'s self, path: &mut Vec<Step>, parts: &mut Vec<(Vec<Step>, &'s Self)>) {
        for (index, item) in self.items.iter().enumerate() {
            path.push(Step::Entry(index));
            parts.push((path.clone(), item));
            item.add_parts(path, parts);
            path.pop();
        }
        for (name, (item, _)) in &self.names {
            path.push(Step::Name(name.clone()));
            parts.push((path.clone(), item));
            item.add_parts(path, parts);
            path.pop();
        }
    }

    /// Whether something else than a vector is there.
    pub fn is_leaf(&self) -> bool {
        self.has_number() || self.has_label || self.has_word || self.bytes.is_some()
    }
}

fn widen(range: &mut Option<[usize; 2]>, value: usize) {
    let [least, most] = range.unwrap_or([value; 2]);
    *range = Some([least.min(value), most.max(value)]);
}

/// A number in [0, 1) made of the letters of a text (FNV-1a): its mean differs where the texts come differently often.
fn hash(text: &str) -> f64 {
    let mixed = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (mixed >> 11) as f64 / (1u64 << 53) as f64
}
