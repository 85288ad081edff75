//! What a proof assistant has of a claim.

use std::fmt::{self, Display};

/// Theorems of `proof/` that Coq checks (`make prove`); no run of the ledger does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineChecked {
    /// Each with its file in `proof/`, as `samplers/Gaussian.v discrete_gaussian_law`.
    pub theorems: Vec<String>,
    /// What they say less than the claim, or otherwise; `None` where they say all of it.
    pub note: Option<String>,
    /// Of a sampler: on how many tapes of coins the shipped code did what the program of the theorem does.
    pub tapes: Option<u64>,
}

impl MachineChecked {
    /// What the field of a page says: `FILE THEOREM, THEOREM, FILE THEOREM (note)`. A theorem without a file is in
    /// that of the theorem before; the brackets may be left out.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (list, note) = match text.split_once(" (") {
            Some((list, note)) => (list, Some(note.strip_suffix(')')?.to_owned())),
            None => (text, None),
        };
        let is_name = |name: &str| {
            let of_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
            !name.is_empty() && name.chars().all(of_name)
        };
        let mut file = "";
        let mut theorems = Vec::new();
        for item in list.split(", ") {
            let name = match item.split_once(' ') {
                Some((first, name)) => {
                    file = first;
                    name
                }
                None => item,
            };
            if !file.ends_with(".v") || !is_name(name) {
                return None;
            }
            theorems.push(format!("{file} {name}"));
        }
        Some(Self {
            theorems,
            note,
            tapes: None,
        })
    }
}

impl MachineChecked {
    /// Whether one of them speaks of the translated source: those of `proof/source` do.
    #[must_use]
    pub fn is_of_the_source(&self) -> bool {
        self.theorems.iter().any(|it| it.starts_with("source/"))
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
        formatter.write_str(&self.theorems.join(", "))?;
        match &self.note {
            Some(note) => write!(formatter, " ({note})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_names_theorems_with_their_files_and_a_note() {
        let read = |text| MachineChecked::read(text).unwrap();
        assert_eq!(
            read("samplers/Gaussian.v gaussian_law").to_string(),
            "samplers/Gaussian.v gaussian_law"
        );
        let three =
            read("papers/Ridge.v moved, attained, papers/Row.v norm (fixed order (as printed))");
        assert_eq!(
            three.theorems,
            [
                "papers/Ridge.v moved",
                "papers/Ridge.v attained",
                "papers/Row.v norm"
            ]
        );
        assert_eq!(three.note.as_deref(), Some("fixed order (as printed)"));
        assert!(
            three
                .to_string()
                .ends_with("norm (fixed order (as printed))")
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
        assert!(!found.is_of_the_source());
        let of_the_source =
            MachineChecked::read("samplers/G.v g, source/SamplersLaw.v source_g").unwrap();
        assert!(of_the_source.is_of_the_source());
    }
}
