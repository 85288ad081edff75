//! Reads the claims of a page of `spec/`.
//!
//! Under each heading `### id` stands a list of fields, `- name: value`, in which a value goes on over lines that
//! are indented by two spaces. The list ends at the first blank line; prose follows.

use super::LedgerError;
use crate::claim::{Claim, Fault, MachineChecked, Page, SHORT, Status, Version};

/// On how many tapes of coins the shipped samplers did what the programs of `proof/` do: a claim and a number a line.
/// `make prove` runs them, and refuses another number.
const TAPES: &str = include_str!("../../pages/tapes.txt");

/// A heading: a claim, or another id of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heading {
    Claim(Box<Claim>),
    Alias { id: String, of: String },
}

impl Heading {
    pub(super) fn id(&self) -> &str {
        match self {
            Self::Claim(claim) => &claim.id,
            Self::Alias { id, .. } => id,
        }
    }
}

/// The headings of a page, in its order.
pub(super) fn read(page: &Page) -> Result<Vec<Heading>, LedgerError> {
    let lines: Vec<&str> = page.text.lines().collect();
    let mut starts: Vec<usize> = (0..lines.len())
        .filter(|&at| lines[at].starts_with("### "))
        .collect();
    starts.push(lines.len());
    let mut headings: Vec<Heading> = Vec::new();
    for pair in starts.windows(2) {
        // A heading of a part of the page ends the section.
        let end = (pair[0] + 1..pair[1])
            .find(|&at| lines[at].starts_with("## "))
            .unwrap_or(pair[1]);
        let section = Section {
            page,
            line: pair[0] + 1,
            lines: &lines[pair[0]..end],
        };
        let heading = section.read()?;
        if headings.iter().any(|other| other.id() == heading.id()) {
            return Err(section.malformed(format!("a second heading '{}'", heading.id())));
        }
        headings.push(heading);
    }
    Ok(headings)
}

/// The fields of a heading, in their order.
struct Fields(Vec<(String, String)>);

impl Fields {
    /// Takes a field out. `-` stands for none.
    fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(field, _)| field == name)?;
        Some(self.0.remove(at).1).filter(|value| value != "-")
    }
}

/// Whether something stands in double quotes.
fn has_words_in_quotes(text: &str) -> bool {
    let mut parts = text.split('"');
    let quoted = parts.nth(1);
    parts.next().is_some() && quoted.is_some_and(|words| words.chars().any(char::is_alphanumeric))
}

/// A heading and what stands under it.
struct Section<'a> {
    page: &'a Page,
    /// The number of the heading's line, from 1.
    line: usize,
    lines: &'a [&'a str],
}

impl Section<'_> {
    fn read(&self) -> Result<Heading, LedgerError> {
        let id = self.lines[0]
            .trim_start_matches('#')
            .trim()
            .trim_matches('`')
            .to_owned();
        if id.is_empty() || id.contains(char::is_whitespace) {
            return Err(self.malformed(format!("'{id}' is not an id")));
        }
        let mut fields = Fields(self.fields()?);
        let heading = match fields.take("alias of") {
            Some(of) => Heading::Alias { id, of },
            None => {
                let claim = self.claim(id, &mut fields)?;
                self.fair(&claim)?;
                Heading::Claim(Box::new(claim))
            }
        };
        match fields.0.iter().find(|(_, value)| value != "-") {
            Some((name, _)) => Err(self.malformed(format!("an unknown or second field '{name}'"))),
            None => Ok(heading),
        }
    }

    fn claim(&self, id: String, fields: &mut Fields) -> Result<Claim, LedgerError> {
        let mut required = |name: &str| {
            fields
                .take(name)
                .ok_or_else(|| self.malformed(format!("no field '{name}'")))
        };
        let (item, version) = (required("item")?, required("version")?);
        let (short, statement) = (required("short")?, required("statement")?);
        let (expected, fault) = self.expected(&required("expected")?)?;
        let machine_checked = self.machine_checked(&id, fields.take("machine-checked"))?;
        let (rests_on, cites) = grounds(fields.take("rests on").as_deref().unwrap_or(""));
        let (repairs, works) = grounds(fields.take("repairs").as_deref().unwrap_or(""));
        if let Some(work) = works.first() {
            return Err(self.malformed(format!("'repairs' names '{work}', which is no claim")));
        }
        Ok(Claim {
            id,
            paper: self.page.paper,
            source: self.source(),
            item,
            version: self.version(&version)?,
            place: fields.take("place"),
            quote: fields.take("quote"),
            short,
            statement,
            expected,
            fault,
            reading: fields.take("reading"),
            proof_only: fields.take("proof only"),
            repairs,
            rests_on,
            cites,
            machine_checked,
            proved: self.lines.iter().any(|line| {
                line.trim_start_matches(['*', '_', ' '])
                    .starts_with("Proof")
            }),
            prose: self.prose(),
        })
    }

    /// Nothing is accused that was not read: what a claim must say before it may be charged to a paper.
    fn fair(&self, claim: &Claim) -> Result<(), LedgerError> {
        let Claim {
            version,
            expected,
            fault,
            ..
        } = claim;
        let length = claim.short.chars().count();
        let quoted = claim.quote.as_deref().is_some_and(has_words_in_quotes);
        let fault = fault.filter(|_| *expected == Status::Refuted);
        // A shortcut of ours that is false is charged to nobody.
        let accuses = match fault {
            Some(Fault::False) => *version != Version::Ours,
            fault => fault == Some(Fault::Gap),
        };
        let faults = [
            (
                length > SHORT,
                format!("'short' has {length} characters, at most {SHORT} fit a line"),
            ),
            (
                claim.fault == Some(Fault::NotLegible) && *version != Version::Reconstructed,
                format!("'{expected} (not legible)' is of version 'reconstructed' alone"),
            ),
            (
                *expected == Status::Refuted && *version == Version::Reconstructed,
                "what is 'reconstructed' is charged to nobody: it is not 'refuted', it is 'open (not legible)'".to_owned(),
            ),
            (
                fault == Some(Fault::Reading) && claim.reading.is_none(),
                "no field 'reading' to say under which it is refuted".to_owned(),
            ),
            (
                accuses && !quoted,
                "no field 'quote' with the sentence that fails, in double quotes: without it nothing is refuted as false or as a gap"
                    .to_owned(),
            ),
            (
                *version == Version::AsPrinted && !(quoted && claim.place.is_some()),
                "a claim 'as printed' has the paper's words, in double quotes, in a field 'quote', and their place in a field 'place'"
                    .to_owned(),
            ),
            (
                *version == Version::Repaired && claim.repairs.is_empty(),
                "no field 'repairs' to say in whose place it stands".to_owned(),
            ),
        ];
        match faults.into_iter().find(|(at_fault, _)| *at_fault) {
            Some((_, reason)) => Err(self.malformed(reason)),
            None => Ok(()),
        }
    }

    /// The list under the heading.
    fn fields(&self) -> Result<Vec<(String, String)>, LedgerError> {
        let list = self.lines[1..]
            .iter()
            .skip_while(|line| line.trim().is_empty())
            .take_while(|line| !line.trim().is_empty());
        let mut fields: Vec<(String, String)> = Vec::new();
        for line in list {
            if let Some((name, value)) = line
                .strip_prefix("- ")
                .and_then(|field| field.split_once(':'))
            {
                fields.push((name.trim().to_owned(), value.trim().to_owned()));
            } else if let (true, Some((_, value))) = (line.starts_with("  "), fields.last_mut()) {
                value.push(' ');
                value.push_str(line.trim());
            } else {
                return Err(self.malformed(format!(
                    "'{line}' is neither '- field: value' nor the rest of a value, indented by two spaces"
                )));
            }
        }
        Ok(fields)
    }

    /// What stands under the list, from the first blank line on.
    fn prose(&self) -> String {
        let after = self.lines[1..]
            .iter()
            .skip_while(|line| line.trim().is_empty())
            .skip_while(|line| !line.trim().is_empty());
        let lines: Vec<&str> = after.copied().collect();
        lines.join("\n").trim_matches('\n').to_owned()
    }

    /// The theorems, and of a sampler on how many tapes the shipped code was compared with its program.
    fn machine_checked(
        &self,
        id: &str,
        text: Option<String>,
    ) -> Result<Option<MachineChecked>, LedgerError> {
        let Some(text) = text else { return Ok(None) };
        let read = MachineChecked::read(&text).ok_or_else(|| {
            self.malformed(format!(
                "machine-checked '{text}' is not 'FILE.v THEOREM, ... (note)'"
            ))
        })?;
        let of_claim = |line: &str| line.strip_prefix(id)?.strip_prefix(' ')?.parse().ok();
        Ok(Some(MachineChecked {
            tapes: TAPES.lines().find_map(of_claim),
            ..read
        }))
    }

    fn version(&self, text: &str) -> Result<Version, LedgerError> {
        const ALL: [Version; 4] = [
            Version::AsPrinted,
            Version::Repaired,
            Version::Reconstructed,
            Version::Ours,
        ];
        ALL.into_iter()
            .find(|version| version.to_string() == text)
            .ok_or_else(|| {
                self.malformed(format!(
                    "version '{text}' is none of: as printed, repaired, reconstructed, ours"
                ))
            })
    }

    /// `checked`, `refuted (misprint)`, `open (gap)`, `checked with mpfr, else open`.
    fn expected(&self, text: &str) -> Result<(Status, Option<Fault>), LedgerError> {
        if text == "checked with mpfr, else open" {
            let witnessed = cfg!(feature = "mpfr");
            let status = if witnessed {
                Status::Checked
            } else {
                Status::Open
            };
            return Ok((status, None));
        }
        let (word, fault) = match text.split_once(" (") {
            None => (text, None),
            Some((word, rest)) => (word, Some(rest.trim_end_matches(')'))),
        };
        let status = [
            Status::Checked,
            Status::Supported,
            Status::Refuted,
            Status::Open,
        ]
        .into_iter()
        .find(|status| status.to_string() == word);
        let fault = fault.map(|name| {
            Fault::ALL
                .into_iter()
                .find(|fault| fault.to_string() == name)
        });
        match (status, fault) {
            (Some(Status::Refuted), Some(Some(fault))) if fault != Fault::NotLegible => {
                Ok((Status::Refuted, Some(fault)))
            }
            (Some(Status::Open), Some(Some(fault @ (Fault::Gap | Fault::NotLegible)))) => {
                Ok((Status::Open, Some(fault)))
            }
            (Some(Status::Refuted), _) | (_, Some(_)) | (None, _) => Err(self.malformed(format!(
                "expected '{text}' is none of: checked, supported, open, open (gap), open (not legible), refuted (false), refuted (misprint), refuted (gap), refuted (as coded), refuted (reading)"
            ))),
            (Some(status), None) => Ok((status, None)),
        }
    }

    fn source(&self) -> String {
        format!("{}:{}", self.page.path, self.line)
    }

    fn malformed(&self, reason: String) -> LedgerError {
        LedgerError::Page {
            place: self.source(),
            reason,
        }
    }
}

/// What a claim rests on: ids of claims, which have a dot, and keys of works.
fn grounds(text: &str) -> (Vec<String>, Vec<String>) {
    text.split(',')
        .map(|ground| ground.trim().trim_matches('`').to_owned())
        .filter(|ground| !ground.is_empty())
        .partition(|ground| ground.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "# Page\n\n### p.lem1\n- item: Lemma 1\n- version: as printed\n- place: Section 1\n- quote: \"Squares are not negative.\"\n- short: squares are not negative\n- statement: for all x,\n  x^2 >= 0\n- expected: refuted (misprint)\n- rests on: p.lem2, BS16\n- reading: -\n\nProof. Plain.\n\n### p.lem1.again\n- alias of: p.lem1\n";

    /// Of `WHOLE`, from its version on to its status.
    const CHARGED: &str = "as printed\n- place: Section 1\n- quote: \"Squares are not negative.\"\n- short: squares are not negative\n- statement: for all x,\n  x^2 >= 0\n- expected: refuted (misprint)";

    #[test]
    fn a_false_shortcut_of_ours_is_charged_to_nobody_and_quotes_nothing() {
        let ours = |kind: &str| {
            let then = format!("ours\n- short: s\n- statement: t\n- expected: refuted ({kind})");
            let text: &'static str = Box::leak(WHOLE.replace(CHARGED, &then).into_boxed_str());
            read(&page(text))
        };
        assert!(ours("false").is_ok());
        assert!(ours("gap").is_err());
    }

    fn page(text: &'static str) -> Page {
        Page {
            paper: "p",
            title: "",
            path: "spec/p.md",
            text,
            checks: &[],
        }
    }

    fn reason(text: &str) -> String {
        let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
        read(&page(text)).unwrap_err().to_string()
    }

    #[test]
    fn a_heading_is_read_whole() {
        let headings = read(&page(WHOLE)).unwrap();
        let Heading::Claim(claim) = &headings[0] else {
            panic!("{headings:?}")
        };
        assert_eq!(claim.statement, "for all x, x^2 >= 0");
        assert_eq!(
            (claim.expected, claim.fault),
            (Status::Refuted, Some(Fault::Misprint))
        );
        assert_eq!(claim.rests_on, ["p.lem2"]);
        assert_eq!(claim.cites, ["BS16"]);
        assert_eq!(claim.reading, None);
        assert_eq!(claim.source, "spec/p.md:3");
        assert_eq!(claim.place.as_deref(), Some("Section 1"));
        assert_eq!(
            claim.quote.as_deref(),
            Some("\"Squares are not negative.\"")
        );
        assert!(claim.proved);
        assert_eq!(claim.prose, "Proof. Plain.");
        assert_eq!(
            headings[1],
            Heading::Alias {
                id: "p.lem1.again".to_owned(),
                of: "p.lem1".to_owned()
            }
        );
    }

    #[test]
    fn a_malformed_heading_is_named_by_page_and_line() {
        for (now, then, named) in [
            ("- item: Lemma 1\n", "", "no field 'item'"),
            ("refuted (misprint)", "refuted", "expected 'refuted'"),
            (
                "refuted (misprint)",
                "checked (gap)",
                "expected 'checked (gap)'",
            ),
            ("refuted (misprint)", "true", "expected 'true'"),
            ("refuted (misprint)", "verified", "expected 'verified'"),
            ("(misprint)", "(reading)", "no field 'reading'"),
            (
                "refuted (misprint)",
                "refuted (not legible)",
                "expected 'refuted (not legible)'",
            ),
            (
                "refuted (misprint)",
                "open (not legible)",
                "of version 'reconstructed' alone",
            ),
            ("as printed", "printed", "version 'printed'"),
            ("- place: Section 1\n", "", "a claim 'as printed' has"),
            (
                "\"Squares are not negative.\"",
                "-",
                "a claim 'as printed' has",
            ),
            (
                "\"Squares are not negative.\"",
                "squares",
                "a claim 'as printed' has",
            ),
            ("as printed", "repaired", "no field 'repairs'"),
            ("as printed", "reconstructed", "charged to nobody"),
            (
                CHARGED,
                "ours\n- short: s\n- statement: t\n- expected: refuted (gap)",
                "is refuted as false or as a gap",
            ),
            (
                "- reading: -",
                "- repairs: BS16",
                "'BS16', which is no claim",
            ),
            ("- reading: -", "- readings: two", "field 'readings'"),
            ("- reading: -", "- item: Lemma 2", "field 'item'"),
            ("  x^2", "x^2", "'x^2 >= 0' is neither"),
            (
                "squares are not negative",
                "the square of a number is not negative, whatever number it is that is squared",
                "at most 62",
            ),
        ] {
            let reason = reason(&WHOLE.replace(now, then));
            assert!(reason.contains("spec/p.md:3"), "{reason}");
            assert!(reason.contains(named), "{reason}");
        }
        let twice = reason(&format!("{WHOLE}\n{WHOLE}"));
        assert!(twice.contains("a second heading"), "{twice}");
    }
}
