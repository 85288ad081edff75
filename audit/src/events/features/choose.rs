//! Which features the training outputs have, but for those that are learned and the whole output.

use super::aspect::Aspect;
use super::feature::{Feature, Step};
use super::inside;
use super::shape::{FIRST_NUMERALS, LAST_NUMERALS, Shape};
use crate::events::outputs::{Outputs, SAMPLE};
use crate::targets::Output;

/// The most coordinates and prefixes of vectors that are looked at: each becomes several columns.
const MOST_COORDINATES: usize = 16;
/// Of longer vectors, so many coordinates are the first ones; the others are those that differ most.
const FIRST_COORDINATES: usize = 4;
/// The longest prefix and suffix of a label: a tag of a few letters.
const LONGEST_PART: usize = 4;
/// Whole numbers are divided by these; by 2 and 4, their lowest bits tell or the remainder by 8.
const MODULI: [u32; 5] = [3, 5, 7, 8, 10];
/// Their least common multiple: one remainder tells all.
const MULTIPLE: u32 = 840;
/// The numbers must span so many moduli: the remainders of fewer are nearly the numbers.
const LEAST_SPAN: f64 = 2.0;
/// The most remainders that are looked at: of more numbers, those that differ most.
const MOST_RESIDUES: usize = 8;

/// Sums are divided by these; the lowest bit of a sum is not read.
const OF_SUMS: [u32; 6] = [2, 3, 5, 7, 8, 10];
/// The most remainders of the sum that are looked at.
const MOST_OF_SUMS: usize = 3;

/// The most names of an object inside of another output that are looked at.
const INNER_NAMES: usize = 4;

/// The features that such outputs have in this aspect, the simple ones first.
pub fn features(outputs: Outputs<'_>, aspect: Aspect) -> Vec<Feature> {
    let shape = Shape::of(outputs);
    if aspect == Aspect::Bits {
        return representation(&shape);
    }
    let exact = |at| match aspect {
        Aspect::Values | Aspect::Time => Feature::Value { at },
        _ => Feature::Exact { at },
    };
    let mut features = Vec::new();
    if shape.has_error {
        features.push(Feature::Error);
    }
    let mut whole = Vec::new();
    if shape.has_number() {
        features.extend(numeric(&[], &shape, aspect));
        whole.extend(shape.whole_span().map(|span| (Vec::new(), span)));
    }
    if shape.has_label {
        features.extend(textual(outputs, &[], &shape));
    }
    features.extend(binary(outputs, &[], &shape));
    if let Some([_, longest]) = shape.entries {
        features.extend([Feature::Length, Feature::Sum]);
        features.extend(inside::of_names(&shape, MOST_COORDINATES));
        let (leaves, inner) = parts(&shape);
        for (path, part) in leaves {
            if part.has_kinds {
                features.push(located(&path, |at| Feature::Kind { at }));
            }
            if part.has_number() {
                features.extend(numeric(&path, part, aspect));
            }
            if part.has_label {
                features.extend(textual(outputs, &path, part));
            }
            features.extend(binary(outputs, &path, part));
            features.push(located(&path, exact));
            whole.extend(part.whole_span().map(|span| (path, span)));
        }
        for (path, part) in inner {
            if part.entries.is_some_and(|[least, most]| least < most) {
                features.push(within(&path, Feature::Length));
            }
            let names = inside::of_names(part, INNER_NAMES).into_iter();
            features.extend(names.map(|feature| within(&path, feature)));
            features.push(located(&path, exact));
        }
        features.extend([Feature::Squares, Feature::Largest]);
        // The first entry alone is a coordinate, and all of them are the whole.
        let lengths = 2..longest.min(MOST_COORDINATES + 1);
        features.extend(lengths.map(|length| Feature::Prefix { length }));
    }
    if shape.has_kinds {
        features.push(Feature::Kind { at: None });
    }
    features.extend(residues(outputs, &whole));
    if shape.entries.is_some() && !whole.is_empty() {
        features.extend(residues_of_sum(outputs));
    }
    features
}

/// A feature at the end of a path.
fn located(path: &[Step], feature: impl Fn(Option<usize>) -> Feature) -> Feature {
    match path {
        [before @ .., Step::Entry(index)] => within(before, feature(Some(*index))),
        _ => within(path, feature(None)),
    }
}

/// A feature of the part that a path leads to.
fn within(path: &[Step], feature: Feature) -> Feature {
    if path.is_empty() {
        return feature;
    }
    Feature::Within {
        path: path.to_vec(),
        feature: Box::new(feature),
    }
}

/// How the doubles are represented: of those of the outputs, or of the entries that are looked at.
fn representation(shape: &Shape) -> Vec<Feature> {
    let mut features = Vec::new();
    let mut read = |path: &[Step], shape: &Shape| {
        if !shape.has_float {
            return;
        }
        features.extend([
            located(path, |at| Feature::LowBit { at }),
            located(path, |at| Feature::Exponent { at }),
            located(path, |at| Feature::Class { at }),
        ]);
        if shape.has_nan {
            features.push(located(path, |at| Feature::Payload { at }));
        }
    };
    read(&[], shape);
    for (path, part) in parts(shape).0 {
        read(&path, part);
    }
    features
}

/// What can be read off bytes: their number, the first and the last ones, and those and their bits that differ most.
fn binary(outputs: Outputs<'_>, path: &[Step], shape: &Shape) -> Vec<Feature> {
    let Some([least, most]) = shape.bytes else {
        return Vec::new();
    };
    let mut features = Vec::new();
    if least < most {
        features.push(Feature::Length);
    }
    let longest = if path.is_empty() { LONGEST_PART } else { 1 };
    let lengths = || 1..=longest.min(most.saturating_sub(1));
    features.extend(lengths().map(|length| Feature::Prefix { length }));
    features.extend(lengths().map(|length| Feature::Suffix { length }));
    features.extend(inside::of_bytes(outputs, path, most));
    let features = features.into_iter();
    features.map(|feature| within(path, feature)).collect()
}

/// What can be read off a number.
fn numeric(path: &[Step], shape: &Shape, aspect: Aspect) -> Vec<Feature> {
    let mut features = values(path, shape);
    if matches!(aspect, Aspect::Values | Aspect::Time) && shape.has_float {
        if shape.has_infinite {
            features.push(located(path, |at| Feature::Finiteness { at }));
        }
        return features;
    }
    features.push(located(path, |at| Feature::LowBit { at }));
    if shape.has_float || !path.is_empty() {
        features.extend([
            located(path, |at| Feature::Exponent { at }),
            located(path, |at| Feature::Class { at }),
        ]);
    }
    if shape.has_nan {
        features.push(located(path, |at| Feature::Payload { at }));
    }
    features
}

/// The number itself. If there are integers that are no doubles, exactly: from 0 on, and from the first of them on.
fn values(path: &[Step], shape: &Shape) -> Vec<Feature> {
    match &shape.inexact {
        None => vec![located(path, |at| Feature::Number { at })],
        Some(first) => [Output::Integer(0), first.clone()]
            .map(|from| {
                located(path, |at| Feature::Offset {
                    at,
                    from: from.clone(),
                })
            })
            .into(),
    }
}

/// What can be read off a text. Vectors have many texts, so less is read off each of those.
fn textual(outputs: Outputs<'_>, path: &[Step], shape: &Shape) -> Vec<Feature> {
    let is_entry = !path.is_empty();
    let Some([least, most]) = shape.letters.filter(|_| !is_entry || shape.varies()) else {
        return Vec::new();
    };
    let mut features = Vec::new();
    if !is_entry || least < most {
        features.push(within(path, Feature::Length));
    }
    // As many letters as there are, are the whole.
    let longest = if is_entry { 1 } else { LONGEST_PART };
    let lengths = || 1..=longest.min(most.saturating_sub(1));
    features.extend(lengths().map(|length| within(path, Feature::Prefix { length })));
    features.extend(lengths().map(|length| within(path, Feature::Suffix { length })));
    // The middle, and words.
    if most > 2 * longest {
        let inside = inside::of_texts(outputs, path, longest, most).into_iter();
        features.extend(inside.map(|feature| within(path, feature)));
    }
    let numerals = if is_entry {
        shape.numerals(1, 1)
    } else {
        shape.numerals(FIRST_NUMERALS, LAST_NUMERALS)
    };
    for (step, number) in numerals {
        let path = [path, &[step]].concat();
        features.extend(values(&path, number));
    }
    features
}

/// Parts of the outputs and the paths to them.
type Located<'s> = Vec<(Vec<Step>, &'s Shape)>;

/// The entries of vectors that are looked at, and the vectors in vectors. At most [`MOST_COORDINATES`] of each: of more,
/// the first ones, and the entries whose means differ most, in standard errors.
fn parts(shape: &Shape) -> (Located<'_>, Located<'_>) {
    let parts = || shape.parts().into_iter();
    let inner = parts().filter(|(_, part)| part.entries.is_some());
    let inner = inner.take(MOST_COORDINATES).collect();
    let leaves: Located<'_> = parts().filter(|(_, part)| part.is_leaf()).collect();
    if leaves.len() <= MOST_COORDINATES {
        return (leaves, inner);
    }
    let differences: Vec<f64> = leaves.iter().map(|(_, part)| part.difference()).collect();
    let mut others: Vec<usize> = (FIRST_COORDINATES..leaves.len()).collect();
    others.sort_by(|a, b| differences[*b].total_cmp(&differences[*a]).then(a.cmp(b)));
    others.truncate(MOST_COORDINATES - FIRST_COORDINATES);
    others.sort_unstable();
    let chosen = (0..FIRST_COORDINATES).chain(others);
    (chosen.map(|index| leaves[index].clone()).collect(), inner)
}

/// At most [`MOST_RESIDUES`] remainders of the numbers at these paths, which lie so far apart: of more, those that come
/// most unlike often, by the statistic of chi squared, in its standard deviations.
fn residues(outputs: Outputs<'_>, paths: &[(Vec<Step>, f64)]) -> Vec<Feature> {
    let mut ranked: Vec<(f64, usize, u32)> = Vec::new();
    for (index, (path, span)) in paths.iter().enumerate() {
        let counts = if paths.len() * MODULI.len() > MOST_RESIDUES {
            remainders(outputs, path, paths.len())
        } else {
            Vec::new()
        };
        let moduli = MODULI.iter().copied();
        let moduli = moduli.filter(|modulus| *span >= LEAST_SPAN * f64::from(*modulus));
        ranked.extend(moduli.map(|modulus| (unlikeness(&counts, modulus), index, modulus)));
    }
    // The sort is stable: the first of equals.
    ranked.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
    ranked.truncate(MOST_RESIDUES);
    ranked.sort_by_key(|(_, index, modulus)| (*index, *modulus));
    let residue = |(_, index, modulus): (f64, usize, u32)| {
        located(&paths[index].0, |at| Feature::Residue { at, modulus })
    };
    ranked.into_iter().map(residue).collect()
}

/// At most [`MOST_OF_SUMS`] remainders of the sum of all numbers: those that come most unlike often.
fn residues_of_sum(outputs: Outputs<'_>) -> Vec<Feature> {
    let sum = |modulus| Feature::SumResidue { modulus };
    let counts = counted(outputs, &sum(MULTIPLE), SAMPLE);
    let ranked = OF_SUMS.map(|modulus| (unlikeness(&counts, modulus), sum(modulus)));
    inside::best(ranked.into_iter(), MOST_OF_SUMS)
}

/// How often each remainder by [`MULTIPLE`] comes at a path on the two datasets.
fn remainders(outputs: Outputs<'_>, path: &[Step], paths: usize) -> Vec<[f64; 2]> {
    let feature = located(path, |at| Feature::Residue {
        at,
        modulus: MULTIPLE,
    });
    counted(outputs, &feature, SAMPLE / paths.min(8))
}

/// How often each remainder by [`MULTIPLE`] that a feature reads comes on the two datasets, among so many outputs of each.
fn counted(outputs: Outputs<'_>, feature: &Feature, most: usize) -> Vec<[f64; 2]> {
    let mut counts = vec![[0.0; 2]; MULTIPLE as usize];
    for (side, all) in outputs.into_iter().enumerate() {
        for output in all.iter().take(most) {
            let residue = feature.key(output);
            if let Some(Output::Integer(residue)) = residue.as_deref()
                && let Some(count) = counts.get_mut(*residue as usize)
            {
                count[side] += 1.0;
            }
        }
    }
    counts
}

/// How unlike the remainders by `modulus` come, from those by a multiple of it: 0 on the mean if the laws are one.
fn unlikeness(counts: &[[f64; 2]], modulus: u32) -> f64 {
    let mut classes = vec![[0.0; 2]; modulus as usize];
    for (residue, count) in counts.iter().enumerate() {
        let class = &mut classes[residue % modulus as usize];
        *class = [class[0] + count[0], class[1] + count[1]];
    }
    inside::unlikeness(&classes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coordinates_that_differ_are_among_the_chosen() {
        // 200 coordinates; coordinate 137 has another mean, and 50 is a constant.
        let vector = |row: usize, shift: f64| {
            let entry = |i: usize| ((row * 7919 + i * 104_729) % 1000) as f64;
            let mut items: Vec<Output> = (0..200).map(|i| Output::float(entry(i))).collect();
            items[137] = Output::float(entry(137) + shift);
            items[50] = Output::float(1.0);
            Output::Vector(items)
        };
        let [first, second] =
            [0.0, 300.0].map(|shift| (0..2000).map(|row| vector(row, shift)).collect::<Vec<_>>());
        let chosen = |outputs: Outputs<'_>| -> Vec<Vec<Step>> {
            let shape = Shape::of(outputs);
            parts(&shape).0.into_iter().map(|(path, _)| path).collect()
        };
        let of_all = chosen([&first, &second]);
        assert_eq!(of_all.len(), MOST_COORDINATES);
        assert!(of_all.contains(&vec![Step::Entry(137)]), "{of_all:?}");
        assert!(of_all.contains(&vec![Step::Entry(0)]), "{of_all:?}");
        // The same in vectors of ten: the paths have two steps.
        let nested = |rows: &[Output]| -> Vec<Output> {
            let in_tens = |row: &Output| match row {
                Output::Vector(items) => {
                    let tens = items.chunks(10).map(|ten| Output::Vector(ten.to_vec()));
                    Output::Vector(tens.collect())
                }
                other => other.clone(),
            };
            rows.iter().map(in_tens).collect()
        };
        let of_tens = chosen([&nested(&first), &nested(&second)]);
        assert_eq!(of_tens.len(), MOST_COORDINATES);
        let path = vec![Step::Entry(13), Step::Entry(7)];
        assert!(of_tens.contains(&path), "{of_tens:?}");
        let few = [Output::Vector(vec![Output::Integer(1); 3])];
        assert_eq!(chosen([&few, &few]).len(), 3);
    }

    #[test]
    fn of_many_remainders_those_that_differ_are_chosen() {
        // Twelve coordinates; the tenth differs modulo 7.
        let vector = |row: usize, shift: usize| {
            let entry = |i: usize| (row * 7919 + i * 104_729) % 1000;
            let mut items: Vec<Output> =
                (0..12).map(|i| Output::Integer(entry(i) as i128)).collect();
            items[9] = Output::Integer((7 * entry(9) + shift) as i128);
            Output::Vector(items)
        };
        let rows = |shift| (0..500).map(|row| vector(row, shift)).collect::<Vec<_>>();
        let (first, second) = (rows(0), rows(1));
        let found = features([&first, &second], Aspect::Whole);
        let residues = found
            .iter()
            .filter(|f| matches!(f, Feature::Residue { .. }));
        assert_eq!(residues.count(), MOST_RESIDUES);
        let (at, modulus) = (Some(9), 7);
        assert!(
            found.contains(&Feature::Residue { at, modulus }),
            "{found:?}"
        );
    }

    #[test]
    fn simple_outputs_have_few_features() {
        let of = |outputs: &[Output]| features([outputs, outputs], Aspect::Whole).len();
        assert_eq!(of(&[Output::float(0.5), Output::float(1.5)]), 4);
        assert_eq!(of(&[Output::Integer(1), Output::Integer(2)]), 2);
        assert_eq!(of(&[Output::Integer(1), Output::Integer(90)]), 7);
        // Of one letter: the length only, and the whole.
        assert_eq!(
            of(&[Output::Label("a".into()), Output::Label("b".into())]),
            1
        );
        assert_eq!(of(&[]), 0);
    }
}
