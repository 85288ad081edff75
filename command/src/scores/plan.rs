//! Who is in: a coin for each canary, and the file of them.
//!
//! The first line has the SHA-256 of all others, so that a file that was changed by mistake is not taken for what was drawn.

use crate::error::Error;
use dp_assay::coins::{Coins, CoinsError};
use dp_assay::stats::MOST_CANARIES;
use dp_assay_audit::hexadecimal::hexadecimal;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How the first line begins.
const FIRST: &str = "# assay scores: who is in, sha256 ";

/// The names of the columns.
const HEADER: &str = "canary,in\n";

/// The longest file that is read: what so many canaries take.
const LONGEST: u64 = 10 * MOST_CANARIES;

/// Who is in.
pub struct Plan {
    is_in: Vec<bool>,
    /// The SHA-256 of its lines, in hexadecimal digits.
    pub digest: String,
}

impl Plan {
    /// Tosses a coin for each of so many canaries.
    pub fn draw(canaries: u64, coins: &mut impl Coins) -> Result<Self, Error> {
        let tosses = (0..canaries).map(|_| coins.bits(1).map(|bit| bit == 1));
        Ok(Self::of(tosses.collect::<Result<_, CoinsError>>()?))
    }

    fn of(is_in: Vec<bool>) -> Self {
        let digest = digest(&lines(&is_in));
        Self { is_in, digest }
    }

    /// The file.
    pub fn text(&self) -> String {
        format!("{FIRST}{}\n{}", self.digest, lines(&self.is_in))
    }

    /// Reads a file that [`Plan::text`] is the text of, to the letter.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let wrong = |reason: &str| Error::data(path, reason);
        let file = File::open(path).map_err(|source| Error::read(path, source))?;
        let mut bytes = Vec::new();
        file.take(LONGEST)
            .read_to_end(&mut bytes)
            .map_err(|source| Error::read(path, source))?;
        let no_plan = "it is no plan: assay scores --plan writes them";
        let text = String::from_utf8(bytes).map_err(|_| wrong(no_plan))?;
        let (first, rest) = text.split_once('\n').ok_or_else(|| wrong(no_plan))?;
        let drawn = first.strip_prefix(FIRST).ok_or_else(|| wrong(no_plan))?;
        let found = digest(rest);
        if drawn.trim_end() != found {
            return Err(Error::data(
                path,
                format!(
                    "it was changed after it was drawn: the SHA-256 of its lines is {found}, and its first line has another. Take the file as it was written"
                ),
            ));
        }
        let damaged = || {
            wrong(
                "a line of it is not that of a canary: assay scores --plan writes them as 1,0 or 1,1, in order",
            )
        };
        let rows = rest.strip_prefix(HEADER).ok_or_else(damaged)?;
        let coins = rows
            .lines()
            .enumerate()
            .map(|(place, line)| match line.split_once(',') {
                Some((name, "0")) if name == name_of(place) => Ok(false),
                Some((name, "1")) if name == name_of(place) => Ok(true),
                _ => Err(damaged()),
            });
        let plan = Self::of(coins.collect::<Result<_, Error>>()?);
        match plan.text() == text && !plan.is_in.is_empty() {
            true => Ok(plan),
            false => Err(damaged()),
        }
    }

    /// How many canaries there are.
    pub fn len(&self) -> usize {
        self.is_in.len()
    }

    /// How many of them are in.
    pub fn members(&self) -> usize {
        self.is_in.iter().filter(|is_in| **is_in).count()
    }

    /// Their names, and whether they are in.
    pub fn canaries(&self) -> impl Iterator<Item = (String, bool)> {
        let each = self.is_in.iter().enumerate();
        each.map(|(place, is_in)| (name_of(place), *is_in))
    }

    /// Whether one has this name.
    pub fn has(&self, name: &str) -> bool {
        let number = name.parse::<usize>().ok();
        number
            .is_some_and(|number| (1..=self.len()).contains(&number) && name_of(number - 1) == name)
    }
}

fn name_of(place: usize) -> String {
    (place + 1).to_string()
}

fn lines(is_in: &[bool]) -> String {
    let rows = is_in.iter().enumerate();
    let rows = rows.map(|(place, is_in)| format!("{},{}\n", name_of(place), u8::from(*is_in)));
    std::iter::once(HEADER.to_owned()).chain(rows).collect()
}

fn digest(text: &str) -> String {
    hexadecimal(&Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::coins::ChaCha;
    use std::fs;

    #[test]
    fn a_plan_is_read_back_and_one_that_was_changed_is_not() {
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("plan.csv");
        let plan = Plan::draw(300, &mut ChaCha::reproducible(1, 0)).unwrap();
        let text = plan.text();
        fs::write(&path, &text).unwrap();
        let again = Plan::read(&path).unwrap();
        assert_eq!(again.is_in, plan.is_in);
        assert!((100..200).contains(&plan.members()), "{}", plan.members());
        let flipped = match text.contains("\n7,1\n") {
            true => text.replace("\n7,1\n", "\n7,0\n"),
            false => text.replace("\n7,0\n", "\n7,1\n"),
        };
        let dropped = &text[..text.trim_end().rfind('\n').unwrap() + 1];
        for (changed, says) in [
            (flipped.as_str(), "changed after it was drawn"),
            (dropped, "changed after it was drawn"),
            ("canary,in\n1,1\n", "no plan"),
            ("", "no plan"),
        ] {
            fs::write(&path, changed).unwrap();
            let error = Plan::read(&path).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        // With a digest that fits, but lines that are none.
        for lines in [
            "canary,in\n",
            "canary,in\n2,1\n",
            "canary,in\n1,2\n",
            "canary,in\n1,1",
        ] {
            fs::write(&path, format!("{FIRST}{}\n{lines}", digest(lines))).unwrap();
            let error = Plan::read(&path).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains("a line of it"), "{lines}: {error}");
        }
    }

    #[test]
    fn names_are_those_of_the_plan() {
        let plan = Plan::draw(12, &mut ChaCha::reproducible(2, 0)).unwrap();
        assert!(plan.has("1") && plan.has("12"));
        for wrong in ["0", "13", "01", "+1", "", "x"] {
            assert!(!plan.has(wrong), "{wrong}");
        }
        assert_eq!(plan.canaries().count(), plan.len());
    }
}
