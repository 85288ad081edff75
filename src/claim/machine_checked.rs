//! What a proof assistant has of a claim.

use std::fmt::{self, Display};

/// Theorems of `proof/` that Coq checks (`make prove`); no run of the ledger does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineChecked {
    /// The file in `proof/`, as `samplers/Gaussian.v`.
    pub file: String,
    /// The names of the theorems in it.
    pub theorems: Vec<String>,
    /// What they say less than the claim; `None` where they say all of it.
    pub narrower: Option<String>,
    /// Of a sampler: on how many tapes of coins the shipped code did what the program of the theorem does.
    pub tapes: Option<u64>,
}

impl MachineChecked {
    /// What the field of a page says: `FILE THEOREM, THEOREM (what is narrower)`; the brackets may be left out.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (theorems, narrower) = match text.split_once(" (") {
            Some((theorems, note)) => (theorems, Some(note.strip_suffix(')')?.to_owned())),
            None => (text, None),
        };
        let (file, names) = theorems.split_once(' ')?;
        let is_name = |name: &str| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '\'')
        };
        let theorems: Vec<String> = names.split(", ").map(str::to_owned).collect();
        let right = file.ends_with(".v") && theorems.iter().all(|name| is_name(name));
        right.then(|| Self {
            file: file.to_owned(),
            theorems,
            narrower,
            tapes: None,
        })
    }
}

impl Display for MachineChecked {
    /// The code itself is never said to be proved: of a sampler, Coq has the law of a program that agrees with it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(tapes) = self.tapes {
            write!(
                formatter,
                "law machine-checked; the code agrees with it on {tapes} tapes: "
            )?;
        }
        write!(formatter, "{} {}", self.file, self.theorems.join(", "))?;
        match &self.narrower {
            Some(narrower) => write!(formatter, " (narrower: {narrower})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_names_a_file_its_theorems_and_what_is_narrower() {
        let read = |text| MachineChecked::read(text).unwrap();
        assert_eq!(
            read("samplers/Gaussian.v gaussian_law").to_string(),
            "samplers/Gaussian.v gaussian_law"
        );
        let two = read("papers/Ridge.v moved, attained (fixed order (as printed))");
        assert_eq!(two.theorems, ["moved", "attained"]);
        assert_eq!(two.narrower.as_deref(), Some("fixed order (as printed)"));
        assert_eq!(
            two.to_string(),
            "papers/Ridge.v moved, attained (narrower: fixed order (as printed))"
        );
        for wrong in [
            "",
            "Gaussian.v",
            "Gaussian law",
            "Gaussian.v law (open",
            "Gaussian.v a,b",
            "Gaussian.v ",
        ] {
            assert_eq!(MachineChecked::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_law_is_said_to_be_checked_and_the_code_to_agree() {
        let mut found = MachineChecked::read("samplers/Gaussian.v gaussian_law").unwrap();
        found.tapes = Some(12);
        assert_eq!(
            found.to_string(),
            "law machine-checked; the code agrees with it on 12 tapes: samplers/Gaussian.v gaussian_law"
        );
    }
}
