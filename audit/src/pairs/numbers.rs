//! Numbers of a file that would not reach the program as they stand.
//!
//! Integers are read into 64 bits and floats into doubles; the text of a double is read back as the same double. An
//! integer of more than 64 bits would become a double silently, and two that differ would be one.

use crate::targets::excerpt;
use serde_json::Number;

/// The first number that cannot be kept: its line, from 1, and what is wrong with it and `advice`.
pub(super) fn first_that_is_changed(text: &str, advice: &str) -> Option<(usize, String)> {
    tokens(text).find_map(|(place, token)| {
        let reason = wrong(token, advice)?;
        let line = 1 + text[..place].matches('\n').count();
        Some((line, reason))
    })
}

/// The fault of a number, if it has one. A text that is no number has none.
fn wrong(token: &str, advice: &str) -> Option<String> {
    let digits = token.strip_prefix('-').unwrap_or(token);
    let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_integer && token.parse::<i64>().is_err() && token.parse::<u64>().is_err() {
        return Some(format!(
            "the integer {} has more than 64 bits and would be rounded: {advice}",
            excerpt(token)
        ));
    }
    let is_infinite = token.parse::<f64>().is_ok_and(f64::is_infinite);
    (is_infinite && serde_json::from_str::<Number>(token).is_err())
        .then(|| format!("{} is above all doubles: {advice}", excerpt(token)))
}

/// What looks like a number outside of texts, each with its place.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let mut place = 0;
    std::iter::from_fn(move || {
        while let Some(byte) = bytes.get(place) {
            let start = place;
            place += 1;
            match byte {
                // To the end of a text.
                b'"' => loop {
                    match bytes.get(place) {
                        Some(b'\\') => place += 2,
                        Some(b'"') | None => break place += 1,
                        Some(_) => place += 1,
                    }
                },
                b'-' | b'0'..=b'9' => {
                    let more = bytes[place..]
                        .iter()
                        .take_while(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
                    place += more.count();
                    return Some((start, &text[start..place]));
                }
                _ => {}
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_more_than_64_bits_and_infinite_numbers_are_found() {
        for (text, line, said) in [
            ("[12345678901234567890123]", 1, "more than 64 bits"),
            (
                "[1,\n {\"a\": 18446744073709551616}]",
                2,
                "more than 64 bits",
            ),
            ("-9223372036854775809", 1, "more than 64 bits"),
            ("[0, 1e400]", 1, "above all doubles"),
            ("\"\\\"\n\"\n-1e309", 3, "above all doubles"),
        ] {
            let (found, reason) = first_that_is_changed(text, "do this").unwrap();
            assert!(found == line && reason.contains(said), "{text}: {reason}");
            assert!(reason.ends_with(": do this"), "{reason}");
        }
    }

    #[test]
    fn all_other_texts_pass() {
        for text in [
            "[18446744073709551615, -9223372036854775808, -0, 0.1, 1e-400, 1.7976931348623157e308]",
            "[\"12345678901234567890123\", \"\\\\\", \"1e400\"]",
            "{\"12345678901234567890123\": null}",
            "",
            "\"not closed \\",
            "[1.2.3, --]",
        ] {
            assert_eq!(first_that_is_changed(text, "do this"), None, "{text}");
        }
    }

    #[test]
    fn floats_are_read_back_as_the_same_double() {
        for text in [
            "0.1",
            "1e-7",
            "5e-324",
            "2.2250738585072011e-308",
            "0.30000000000000004",
            "1.7976931348623157e308",
        ] {
            let value: serde_json::Value = serde_json::from_str(text).unwrap();
            let double: f64 = text.parse().unwrap();
            assert_eq!(
                value.to_string().parse::<f64>().unwrap().to_bits(),
                double.to_bits()
            );
        }
    }
}
