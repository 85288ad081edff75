//! What is inside of texts, bytes and objects: of many letters, words, bytes, bits and names, those that come most unlike
//! often on the two datasets.

use super::feature::{Feature, Place, Step, part, words};
use super::shape::Shape;
use crate::events::outputs::{Outputs, SAMPLE};
use crate::targets::Output;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The most letters or bytes that are read of all outputs together.
const MOST_READ: usize = 1 << 21;
/// Texts and bytes are read to so many from either end.
const DEEPEST: usize = 4096;
/// More bytes than this are more letters than are read, also of four bytes each.
const LONG: usize = 8 * DEEPEST + 64;
/// The most letters, words, bytes and bits that are chosen of a part.
const LETTERS: usize = 4;
const WORDS: usize = 4;
const BYTES: usize = 4;
const BITS: usize = 8;
/// The most different words that are counted.
const MOST_WORDS: usize = 1 << 14;

/// How often something came on the two datasets.
type Came = [f64; 2];

/// The letters in the middle of the texts at a path, but for so many at either end, and their words.
pub fn of_texts(outputs: Outputs<'_>, path: &[Step], ends: usize, longest: usize) -> Vec<Feature> {
    let mut letters: BTreeMap<(bool, usize), BTreeMap<char, Came>> = BTreeMap::new();
    let mut found: BTreeMap<String, Came> = BTreeMap::new();
    let mut all: Came = [0.0; 2];
    let mut lengths: Option<[usize; 2]> = None;
    for (side, text) in read(outputs, path, longest) {
        let Output::Label(text) = &*text else {
            continue;
        };
        all[side] += 1.0;
        // Of a long text all places that are read are in the middle.
        let length = match text.len() {
            ..=LONG => text.chars().count(),
            _ => LONG,
        };
        let [least, most] = lengths.unwrap_or([text.len(); 2]);
        lengths = Some([least.min(text.len()), most.max(text.len())]);
        let middle = length.saturating_sub(2 * ends).min(DEEPEST);
        let forward = text.chars().skip(ends).take(middle).zip(ends..);
        let backward = text.chars().rev().skip(ends).take(middle).zip(ends..);
        for (is_last, (letter, place)) in forward
            .map(|it| (false, it))
            .chain(backward.map(|it| (true, it)))
        {
            let of_place = letters.entry((is_last, place)).or_default();
            of_place.entry(letter).or_default()[side] += 1.0;
        }
        let start: String = text.chars().take(DEEPEST).collect();
        let mut of_text: Vec<&str> = words(&start).collect();
        of_text.sort_unstable();
        of_text.dedup();
        for word in of_text {
            if let Some(came) = found.get_mut(word) {
                came[side] += 1.0;
            } else if found.len() < MOST_WORDS {
                found.entry(word.to_owned()).or_default()[side] += 1.0;
            }
        }
    }
    // Where all are of one length, a place from the end is one from the start.
    let is_one_length = lengths.is_none_or(|[least, most]| least == most);
    letters.retain(|(is_last, _), of_place| of_place.len() > 1 && !(*is_last && is_one_length));
    let places = letters.into_iter().map(|((is_last, place), of_place)| {
        let place = match is_last {
            true => Place::Last(place),
            false => Place::First(place),
        };
        let classes: Vec<Came> = of_place.into_values().collect();
        (unlikeness(&classes), Feature::Character { place })
    });
    let mut chosen = best(places, LETTERS);
    let is_telling = |came: &Came| *came != all && came[0] + came[1] > 1.0;
    let told = found.into_iter().filter(|(_, came)| is_telling(came));
    let told = told.map(|(word, came)| (of_two(came, all), Feature::Word { word }));
    chosen.extend(best(told, WORDS));
    chosen
}

/// The bytes and the bits at a path.
pub fn of_bytes(outputs: Outputs<'_>, path: &[Step], longest: usize) -> Vec<Feature> {
    let mut bytes: BTreeMap<(bool, usize), Vec<Came>> = BTreeMap::new();
    let mut lengths: Option<[usize; 2]> = None;
    for (side, output) in read(outputs, path, longest) {
        let Output::Bytes(all) = &*output else {
            continue;
        };
        let [least, most] = lengths.unwrap_or([all.len(); 2]);
        lengths = Some([least.min(all.len()), most.max(all.len())]);
        let forward = all.iter().take(DEEPEST).zip(0..).map(|it| (false, it));
        let backward = all.iter().rev().take(DEEPEST).zip(0..).map(|it| (true, it));
        for (is_last, (byte, place)) in forward.chain(backward) {
            let counts = bytes
                .entry((is_last, place))
                .or_insert_with(|| vec![[0.0; 2]; 256]);
            counts[usize::from(*byte)][side] += 1.0;
        }
    }
    let is_one_length = lengths.is_none_or(|[least, most]| least == most);
    bytes.retain(|(is_last, _), _| !(*is_last && is_one_length));
    let place = |(is_last, place): &(bool, usize)| match is_last {
        true => Place::Last(*place),
        false => Place::First(*place),
    };
    let each = bytes
        .iter()
        .map(|(at, counts)| (unlikeness(counts), Feature::Byte { place: place(at) }));
    let mut chosen = best(each, BYTES);
    let of_bit = |counts: &[Came], bit: u32| {
        let mut classes = [[0.0; 2]; 2];
        for (byte, came) in counts.iter().enumerate() {
            for (sum, came) in classes[(byte >> bit) & 1].iter_mut().zip(came) {
                *sum += came;
            }
        }
        unlikeness(&classes)
    };
    let bits = bytes.iter().flat_map(|(at, counts)| {
        let place = place(at);
        (0..8).map(move |bit| (of_bit(counts, bit), Feature::Bit { place, bit }))
    });
    chosen.extend(best(bits, BITS));
    chosen
}

/// At most so many of the names that only some of the objects have, and the names as a whole, if they vary.
pub fn of_names(shape: &Shape, most: usize) -> Vec<Feature> {
    if !shape.names_vary {
        return Vec::new();
    }
    let all = shape.objects.map(|count| count as f64);
    let each = shape.names.iter().filter_map(|(name, (_, came))| {
        let came = came.map(|count| count as f64);
        let feature = Feature::Has { name: name.clone() };
        (came != all).then(|| (of_two(came, all), feature))
    });
    let mut chosen = best(each, most);
    chosen.push(Feature::Names);
    chosen
}

/// The parts at a path, the first ones side by side: as many as are read within the budget.
fn read<'a>(
    outputs: Outputs<'a>,
    path: &[Step],
    longest: usize,
) -> impl Iterator<Item = (usize, Cow<'a, Output>)> {
    let most = (MOST_READ / longest.clamp(1, DEEPEST)).clamp(1, SAMPLE);
    (0..2).flat_map(move |side: usize| {
        let parts = outputs[side].iter().take(most);
        parts.filter_map(move |output| Some((side, part(output, path)?)))
    })
}

/// The features of the largest figures, in their order; those of no figure above 0 are none.
pub fn best(all: impl Iterator<Item = (f64, Feature)>, most: usize) -> Vec<Feature> {
    let mut ranked: Vec<(f64, usize, Feature)> = all
        .filter(|(unlikeness, _)| *unlikeness > 0.0)
        .zip(0..)
        .map(|((unlikeness, feature), index)| (unlikeness, index, feature))
        .collect();
    ranked.sort_by(|(a, i, _), (b, j, _)| b.total_cmp(a).then(i.cmp(j)));
    ranked.truncate(most);
    ranked.sort_by_key(|(_, index, _)| *index);
    ranked.into_iter().map(|(_, _, feature)| feature).collect()
}

/// How unlike often something comes that came so often among so many.
fn of_two(came: Came, all: Came) -> f64 {
    unlikeness(&[came, [0, 1].map(|side| all[side] - came[side])])
}

/// How unlike the classes come on the two datasets: the statistic of chi squared, in its standard deviations, 0 on the mean
/// if the laws are one.
pub fn unlikeness(classes: &[Came]) -> f64 {
    let totals = [0, 1].map(|side| classes.iter().map(|class| class[side]).sum::<f64>());
    let all = totals[0] + totals[1];
    let (mut statistic, mut freedom) = (0.0, -1.0);
    for class in classes.iter().filter(|class| class[0] + class[1] > 0.0) {
        freedom += 1.0;
        for (count, total) in class.iter().zip(totals) {
            let expected = (class[0] + class[1]) * total / all;
            if expected > 0.0 {
                statistic += (count - expected) * (count - expected) / expected;
            }
        }
    }
    (statistic - f64::max(freedom, 0.0)) / f64::sqrt(2.0 * f64::max(freedom, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letter_and_the_word_that_tell_are_chosen_among_many() {
        // Twelve letters that rise with the row, and the seventh that tells; a word somewhere.
        let text = |row: usize, side: usize| {
            let letters: String = (0..12_u8)
                .map(|place| char::from(b'a' + ((row * 7 + usize::from(place) * row) % 11) as u8))
                .collect();
            let told = if (row * (1 + side)).is_multiple_of(4) {
                'x'
            } else {
                'y'
            };
            let word = if side == 1 && row.is_multiple_of(16) {
                "secret"
            } else {
                "plain"
            };
            let rest = "z".repeat(row % 3);
            Output::Label(format!(
                "{}{told}{} {word} {rest} end.",
                &letters[..6],
                &letters[6..]
            ))
        };
        let [first, second] =
            [0, 1].map(|side| (0..600).map(|row| text(row, side)).collect::<Vec<_>>());
        let chosen = of_texts([&first, &second], &[], 4, 40);
        assert!(chosen.len() <= LETTERS + WORDS);
        let word = |word: &str| Feature::Word { word: word.into() };
        assert!(chosen.contains(&word("secret")), "{chosen:?}");
        // The place in the middle that tells, and none of the ends.
        let tells = |place: usize| Feature::Character {
            place: Place::First(place),
        };
        assert!(chosen.contains(&tells(6)), "{chosen:?}");
        assert!((0..4).all(|place| !chosen.contains(&tells(place))));
    }

    #[test]
    fn a_bit_in_the_middle_of_bytes_is_chosen() {
        let bytes = |row: usize, side: u8| {
            let mut bytes: Vec<u8> = (0..9).map(|i| ((row * 37 + i * 101) % 251) as u8).collect();
            bytes[5] = (bytes[5] & !8) | (side << 3);
            Output::Bytes(bytes)
        };
        let [first, second] =
            [0, 1].map(|side| (0..500).map(|row| bytes(row, side)).collect::<Vec<_>>());
        let chosen = of_bytes([&first, &second], &[], 9);
        let (place, bit) = (Place::First(5), 3);
        assert!(chosen.contains(&Feature::Bit { place, bit }), "{chosen:?}");
        assert!(chosen.len() <= BYTES + BITS);
    }
}
