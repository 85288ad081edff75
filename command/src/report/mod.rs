//! The ledger's report, in its forms: [`table`] for people, [`json`] for programs, [`junit`] for
//! continuous integration; and [`listing`], the claims before any check runs.
//!
//! [`json`] is a function of the claims and their evidence alone: no time, no machine, so that two runs can be compared. [`times`]
//! are shown beside it, in [`junit`], by [`table`] on a terminal, and in a file of their own.

pub mod json;
pub mod junit;
pub mod listing;
pub mod table;
pub mod times;

use dp_assay_ledger::claim::Evidence;

/// Which arithmetics computed the enclosures.
pub fn arithmetic() -> &'static str {
    if cfg!(feature = "mpfr") {
        "two arithmetics agree"
    } else {
        "one arithmetic (build with --features mpfr for the second)"
    }
}

/// The figures with distinct names: a name that comes again is numbered, so that none is lost where
/// names are keys.
pub fn named_figures(evidence: &Evidence) -> Vec<(String, &str)> {
    let mut named: Vec<(String, &str)> = Vec::with_capacity(evidence.figures().len());
    for (name, value) in evidence.figures() {
        let mut unique = name.clone();
        let mut number = 1;
        while named.iter().any(|(taken, _)| *taken == unique) {
            number += 1;
            unique = format!("{name} ({number})");
        }
        named.push((unique, value));
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay_ledger::claim::{Check, Effort};

    #[test]
    fn no_figure_is_lost() {
        let evidence = Check::run(
            |check| {
                for n in 1..=3 {
                    check.figure("n", n);
                }
                Ok(())
            },
            Effort::default(),
        )
        .unwrap();
        assert_eq!(
            named_figures(&evidence),
            [
                ("n".to_owned(), "1"),
                ("n (2)".to_owned(), "2"),
                ("n (3)".to_owned(), "3")
            ]
        );
    }
}
