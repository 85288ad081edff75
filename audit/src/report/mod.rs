//! The ledger's report, in its forms: [`table`] for people, [`json`] for programs, [`junit`] for
//! continuous integration. The report of an audit: [`audit`], and [`html`] for a browser.
//!
//! The three of the ledger are functions of the findings alone: no time, no machine, so that reports can be compared.

pub mod audit;
pub mod html;
pub mod json;
pub mod junit;
pub mod table;

use dp_assay::ledger::{Claim, Effort, Evidence, Status};

/// What running one claim's check gave.
#[derive(Debug)]
pub struct Finding {
    /// The claim.
    pub claim: Claim,
    /// Its evidence, or why the check could not be run.
    pub result: Result<Evidence, String>,
}

impl Finding {
    /// Whether the check ran and established what `spec/` says.
    pub fn as_expected(&self) -> bool {
        matches!(&self.result, Ok(evidence) if evidence.status == self.claim.expects)
    }
}

/// All findings of one run.
#[derive(Debug)]
pub struct Ledger {
    /// In the order of the papers.
    pub findings: Vec<Finding>,
    /// With what effort they were made.
    pub effort: Effort,
}

impl Ledger {
    /// How many claims have this status.
    pub fn count(&self, status: Status) -> usize {
        self.findings
            .iter()
            .filter(|finding| matches!(&finding.result, Ok(evidence) if evidence.status == status))
            .count()
    }

    /// How many checks could not be run.
    pub fn could_not_run(&self) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.result.is_err())
            .count()
    }

    /// How many checks ran and did not establish what `spec/` says.
    pub fn not_as_expected(&self) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.result.is_ok() && !finding.as_expected())
            .count()
    }
}

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
    let mut named: Vec<(String, &str)> = Vec::with_capacity(evidence.figures.len());
    for (name, value) in &evidence.figures {
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

    #[test]
    fn no_figure_is_lost() {
        let evidence = Evidence::new("m", Status::Verified, "s")
            .figure("n", 1)
            .figure("n", 2)
            .figure("n", 3);
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
