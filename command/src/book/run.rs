//! A run of the ledger, as `assay verify --format json` writes it: what the book shows of it.

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use std::fmt;

/// The report of a run.
#[derive(Debug, Deserialize)]
pub struct Run {
    /// The claims, aliases among them.
    pub claims: Vec<Found>,
    /// How it ran.
    pub summary: Summary,
}

/// How a run was made.
#[derive(Debug, Deserialize)]
pub struct Summary {
    /// The version of the command.
    pub version: String,
    /// Whether instances were smaller.
    pub quick: bool,
    /// Whether instances were larger.
    pub thorough: bool,
    /// The seed of the statistical tests.
    pub seed: u64,
    /// How many claims, aliases not counted.
    pub claims: usize,
    /// Checks that could not be run.
    pub could_not_run: usize,
    /// Claims that are not what their pages expect.
    pub not_as_expected: usize,
    /// By how many distinct counterexamples claims are refuted.
    pub counterexamples: usize,
    /// Which arithmetics computed the enclosures.
    pub arithmetic: String,
}

/// What a run found of a claim.
#[derive(Debug, Deserialize)]
pub struct Found {
    /// Its id.
    pub id: String,
    /// Whose other id that is.
    pub alias_of: Option<String>,
    /// The statement that was checked.
    pub statement: String,
    /// What its own check established.
    pub status: String,
    /// The same, weakened by what it rests on.
    pub shown: String,
    /// The proof, weakened in the same way.
    pub proof_shown: String,
    /// Whether it is what the page says.
    pub as_expected: bool,
    /// The instances on which it ran.
    pub scope: Option<String>,
    /// What the check did.
    pub evidence: Evidence,
}

/// What a check did.
#[derive(Debug, Deserialize)]
pub struct Evidence {
    /// How it decides.
    pub method: Option<String>,
    /// How many assertions stand.
    pub assertions: u64,
    /// What refutes the claim.
    #[serde(default)]
    pub counterexamples: Vec<String>,
    /// The first assertion that failed.
    pub failure: Option<String>,
    /// Whether nothing seen comes near a bound.
    pub slack: bool,
    /// What was measured, in its order.
    pub figures: Figures,
    /// Why the check could not run.
    pub error: Option<String>,
    /// The command that runs it again.
    pub replay: String,
}

/// Names and values, in the order of the file.
#[derive(Debug)]
pub struct Figures(pub Vec<(String, String)>);

impl<'de> Deserialize<'de> for Figures {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Figures;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object of texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Figures, A::Error> {
                let mut all = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    all.push(entry);
                }
                Ok(Figures(all))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

impl Run {
    /// Reads the report of a whole run, made by this version on these pages.
    ///
    /// # Errors
    /// What is wrong with it, and which command makes one that is right.
    pub fn read(text: &str) -> Result<Self, String> {
        let run: Self = serde_json::from_str(text).map_err(|error| {
            format!("{error}: a report of 'assay verify --format json' is needed")
        })?;
        let own = env!("CARGO_PKG_VERSION");
        let found = &run.summary.version;
        if found != own {
            return Err(format!(
                "it is of version {found}, and this is {own}: write it again with 'assay verify --format json'"
            ));
        }
        Ok(run)
    }

    /// What was found of the claim of this id.
    pub fn of(&self, id: &str) -> Option<&Found> {
        self.claims.iter().find(|found| found.id == id)
    }

    /// How much was checked, in words.
    pub fn size(&self) -> &'static str {
        match (self.summary.quick, self.summary.thorough) {
            (true, _) => "a quick run, of smaller instances",
            (false, true) => "a thorough run, of larger instances",
            (false, false) => "a full run",
        }
    }
}
