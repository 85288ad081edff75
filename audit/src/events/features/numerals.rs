//! The numbers that are written in a text: `query 17 answered: -2.5` has two.
//!
//! A number begins a word, and the word has no more digits after it: there is one in `12ms` and none in `x2` or
//! `8a3f`, so that an identifier among the words does not move the numbers after it.

use crate::targets::Output;
use num_bigint::BigInt;

/// Of longer texts, so many bytes at either end are read: a log may have megabytes.
const READ: usize = 1 << 12;
/// The most characters of a number: a longer one is an identifier.
const LONGEST: usize = 64;

/// The numbers of a text, the first one first.
pub fn from_first(text: &str) -> impl Iterator<Item = Output> + '_ {
    let end = (0..=text.len().min(READ))
        .rev()
        .find(|end| text.is_char_boundary(*end))
        .unwrap_or(0);
    let numerals = Numerals {
        text,
        place: 0,
        end,
    };
    numerals.filter_map(number)
}

/// The numbers of a text, the last one first.
pub fn from_last(text: &str) -> impl Iterator<Item = Output> + '_ {
    let mut start = text.len().saturating_sub(READ);
    // Not in the middle of a word.
    let bytes = text.as_bytes();
    while start > 0 && start < bytes.len() && is_in_word(bytes[start - 1]) {
        start += 1;
    }
    let numerals = Numerals {
        text,
        place: start,
        end: text.len(),
    };
    let found: Vec<&str> = numerals.collect();
    found.into_iter().rev().filter_map(number)
}

/// The numbers that begin between a place and an end.
struct Numerals<'a> {
    text: &'a str,
    place: usize,
    end: usize,
}

/// Whether a byte belongs to a word; those of letters beyond ASCII do.
fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

impl<'a> Iterator for Numerals<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let at = |place: usize| bytes.get(place).copied().unwrap_or(b' ');
        let digits = |from: usize| {
            let digits = bytes[from.min(bytes.len())..].iter();
            from + digits.take_while(|byte| byte.is_ascii_digit()).count()
        };
        while self.place < self.end {
            let start = self.place;
            if !is_in_word(at(start)) {
                self.place += 1;
                continue;
            }
            // A word, and with it what is behind the point and the exponent of a number.
            let mut end = digits(start);
            if end > start {
                if at(end) == b'.' && at(end + 1).is_ascii_digit() {
                    end = digits(end + 1);
                }
                if matches!(at(end), b'e' | b'E') {
                    let sign = usize::from(matches!(at(end + 1), b'+' | b'-'));
                    if digits(end + 1 + sign) > end + 1 + sign {
                        end = digits(end + 1 + sign);
                    }
                }
            }
            let rest = bytes[end..].iter().take_while(|byte| is_in_word(**byte));
            self.place = end + rest.count();
            let has_more = bytes[end..self.place].iter().any(u8::is_ascii_digit);
            if end == start || has_more {
                continue;
            }
            // A minus is a sign where nothing is that it could be between.
            let is_signed = start > 0
                && at(start - 1) == b'-'
                && (start < 2 || !(is_in_word(at(start - 2)) || b")]}".contains(&at(start - 2))));
            return Some(&self.text[start - usize::from(is_signed)..end]);
        }
        None
    }
}

/// The number that is written so; an integer if it has neither a point nor an exponent.
fn number(text: &str) -> Option<Output> {
    if text.len() > LONGEST {
        return None;
    }
    if text.contains(['.', 'e', 'E']) {
        return text.parse().ok().map(Output::float);
    }
    // Most are small.
    if let Ok(small) = text.parse::<i64>() {
        return Some(Output::Integer(small.into()));
    }
    match text.parse() {
        Ok(small) => Some(Output::Integer(small)),
        Err(_) => text.parse::<BigInt>().ok().as_ref().map(Output::integer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_text_are_found() {
        let words = |text: &str| -> Vec<String> {
            from_first(text).map(|number| number.to_string()).collect()
        };
        for (text, numbers) in [
            ("", &[][..]),
            ("none", &[]),
            ("query 17 answered: -2.5", &["17", "-2.5"]),
            ("123,456,7", &["123", "456", "7"]),
            ("{\"id\":12,\"n\":-1}", &["12", "-1"]),
            ("2024-05-06", &["2024", "5", "6"]),
            ("12ms 3rd x2 8a3f 4_5", &["12", "3"]),
            ("1e3 2.5E-1 7e 8.", &["1000.0", "0.25", "7", "8"]),
            ("a-5 (3)-4 -6", &["5", "3", "4", "-6"]),
            ("é9 9é", &["9"]),
            (
                "99999999999999999999999999999999999999999",
                &["99999999999999999999999999999999999999999"],
            ),
        ] {
            assert_eq!(words(text), numbers, "{text}");
            let mut back: Vec<String> = from_last(text).map(|n| n.to_string()).collect();
            back.reverse();
            assert_eq!(back, numbers, "{text}");
        }
    }

    #[test]
    fn of_long_texts_both_ends_are_read() {
        let text = format!("1 {} 3", "2 é ".repeat(1 << 14));
        assert_eq!(from_first(&text).next(), Some(Output::Integer(1)));
        assert_eq!(from_last(&text).next(), Some(Output::Integer(3)));
        assert!(from_first(&text).count() < READ);
        assert!(from_last(&text).count() < READ);
        // A number that is too long, and a word that has no end.
        assert_eq!(from_first(&"7".repeat(1 << 20)).next(), None);
        assert_eq!(from_last(&"7".repeat(1 << 20)).next(), None);
        let _ = from_last(&"é".repeat(1 << 14)).next();
    }
}
