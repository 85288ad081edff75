//! What stands in backticks: mathematics or code.

use super::names::{is_mathematical, is_word};

/// Endings of files. One that could be the end of a formula is not among them.
const ENDINGS: [&str; 13] = [
    ".rs", ".md", ".toml", ".json", ".jsonl", ".py", ".csv", ".txt", ".svg", ".svm", ".yml", ".sh",
    ".trycmd",
];

/// What a formula does not have.
const MARKS: [&str; 14] = [
    "::", "--", "()", "###", "$", "=>", "{}", ";", "&", "`", "//", "?", "@", ": ...",
];

/// The first word of a command.
const COMMANDS: [&str; 6] = ["assay", "make", "cargo", "python", "pip", "scripts/"];

/// Whether what stands in backticks is a formula: what is neither a name of the code nor plain words.
pub fn is_mathematics(text: &str) -> bool {
    let begins = |command: &&str| {
        let behind = text.strip_prefix(*command);
        behind.is_some_and(|behind| {
            command.ends_with('/') || behind.is_empty() || behind.starts_with(' ')
        })
    };
    !(MARKS.iter().any(|mark| text.contains(mark))
        || COMMANDS.iter().any(begins)
        || has_ending(text)
        || is_member(text)
        || names(text).any(is_snake)
        || is_path(text)
        || is_camel(text)
        || is_key(text)
        || is_plain(text))
}

/// The name of a file.
fn has_ending(text: &str) -> bool {
    let ends = |ending: &&str| {
        text.match_indices(*ending).any(|(at, _)| {
            let behind = text[at + ending.len()..].chars().next();
            !behind.is_some_and(char::is_alphanumeric)
        })
    };
    ENDINGS.iter().any(ends) || text.ends_with(".v")
}

/// `.generator`.
fn is_member(text: &str) -> bool {
    let name = text.strip_prefix('.').unwrap_or_default();
    name.starts_with(|sign: char| sign.is_ascii_alphabetic())
}

/// The runs of letters, digits and `_`.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '_'))
}

/// `step_for`, but not `lambda_max` and not `err_D`.
fn is_snake(name: &str) -> bool {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default();
    let is_long = |part: &str| part.len() > 1 && part.chars().all(|c| c.is_ascii_alphanumeric());
    is_long(first)
        && !is_mathematical(first)
        && parts
            .next()
            .is_some_and(|next| is_long(next) && next != "JL")
}

/// `src/sample`, but not `c/gamma^2`.
fn is_path(text: &str) -> bool {
    let is_part = |part: &str| {
        let plain = |sign: char| sign.is_ascii_lowercase() || "-_.*".contains(sign);
        part.is_empty() || (part.len() > 2 && part.chars().all(plain) && !is_mathematical(part))
    };
    text.contains('/') && text.split('/').all(is_part)
}

/// `DiscreteLaplace`.
fn is_camel(text: &str) -> bool {
    let capitals = text.chars().filter(char::is_ascii_uppercase).count();
    let lower = text.chars().filter(char::is_ascii_lowercase).count();
    let letters = text.chars().all(|sign| sign.is_ascii_alphanumeric());
    letters && text.starts_with(|sign: char| sign.is_ascii_uppercase()) && capitals > 1 && lower > 3
}

/// `KOV15`, a fingerprint.
fn is_key(text: &str) -> bool {
    let letters = text.trim_end_matches(|sign: char| sign.is_ascii_lowercase());
    let name = letters.trim_end_matches(|sign: char| sign.is_ascii_digit());
    let digits = letters.len() - name.len();
    let capitals = name.chars().all(|sign| sign.is_ascii_uppercase());
    let hexadecimal = text.len() >= 20 && text.chars().all(|sign| sign.is_ascii_hexdigit());
    (name.len() > 1 && capitals && digits == 2) || hexadecimal
}

/// Words of English with their marks, and at least one of them.
fn is_plain(text: &str) -> bool {
    let marks = |sign: char| sign.is_ascii_alphanumeric() || " -,().:".contains(sign);
    let mut words = text
        .split(|sign: char| !sign.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    let in_words = text.contains('-') || text.contains(' ') || text.len() > 2;
    let is_plain = |word: &str| {
        is_word(word)
            || word.len() > 2
                && !is_mathematical(word)
                && word.chars().all(|c| c.is_ascii_lowercase())
            || text.contains('-') && !text.contains(' ') && word.chars().all(|c| c.is_ascii_digit())
    };
    let first = words
        .clone()
        .next()
        .is_some_and(|word| is_word(word) || word.len() > 2);
    in_words && first && text.chars().all(marks) && words.all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_words_are_no_mathematics() {
        for code in [
            "src/sample",
            "audit/results/",
            "accountant::transform",
            ".generator",
            "### id",
            "sparse-vector-3",
            "open (not legible)",
            "step_for",
            "MeterPromises.v",
            "DiscreteLaplace",
            "BST14",
            "errors",
            "while",
            "scripts/prove source",
            "assay verify",
        ] {
            assert!(!is_mathematics(code), "{code}");
        }
    }

    #[test]
    fn formulas_are() {
        for formula in [
            "c/gamma^2",
            "delta/k",
            "lambda_max",
            "err_D",
            "Ax",
            "epsilon",
            "x",
            "-S/2",
            "(a, a+2)",
            "ln 2 - H(1/10) > 0.36",
            "beta_JL",
            "E l - mean of l",
        ] {
            assert!(is_mathematics(formula), "{formula}");
        }
    }
}
