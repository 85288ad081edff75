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
        let mut fields = self.fields()?;
        let mut take = |name: &str| {
            let at = fields.iter().position(|(field, _)| field == name)?;
            Some(fields.remove(at).1).filter(|value| value != "-")
        };
        let heading = if let Some(of) = take("alias of") {
            Heading::Alias { id, of }
        } else {
            let mut required =
                |name: &str| take(name).ok_or_else(|| self.malformed(format!("no field '{name}'")));
            let (item, version) = (required("item")?, required("version")?);
            let (short, statement) = (required("short")?, required("statement")?);
            let (expected, fault) = self.expected(&required("expected")?)?;
            if short.chars().count() > SHORT {
                return Err(self.malformed(format!(
                    "'short' has {} characters, at most {SHORT} fit a line",
                    short.chars().count()
                )));
            }
            let reading = take("reading");
            if fault == Some(Fault::Reading) && reading.is_none() {
                return Err(self
                    .malformed("no field 'reading' to say under which it is refuted".to_owned()));
            }
            let machine_checked = self.machine_checked(&id, take("machine-checked"))?;
            let (rests_on, cites) = grounds(take("rests on").as_deref().unwrap_or(""));
            Heading::Claim(Box::new(Claim {
                id,
                paper: self.page.paper,
                place: self.place(),
                item,
                version: self.version(&version)?,
                short,
                statement,
                expected,
                fault,
                reading,
                rests_on,
                cites,
                machine_checked,
                proved: self.lines.iter().any(|line| {
                    line.trim_start_matches(['*', '_', ' '])
                        .starts_with("Proof")
                }),
            }))
        };
        match fields.iter().find(|(_, value)| value != "-") {
            Some((name, _)) => Err(self.malformed(format!("an unknown or second field '{name}'"))),
            None => Ok(heading),
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

    /// `verified`, `refuted (misprint)`, `open (gap)`, `verified with mpfr, else open`.
    fn expected(&self, text: &str) -> Result<(Status, Option<Fault>), LedgerError> {
        if text == "verified with mpfr, else open" {
            let witnessed = cfg!(feature = "mpfr");
            let status = if witnessed {
                Status::Verified
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
            Status::Verified,
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
            (Some(Status::Refuted), Some(Some(fault))) => Ok((Status::Refuted, Some(fault))),
            (Some(Status::Open), Some(Some(Fault::Gap))) => Ok((Status::Open, Some(Fault::Gap))),
            (Some(Status::Refuted), _) | (_, Some(_)) | (None, _) => Err(self.malformed(format!(
                "expected '{text}' is none of: verified, supported, open, open (gap), refuted (false), refuted (misprint), refuted (gap), refuted (as coded), refuted (reading)"
            ))),
            (Some(status), None) => Ok((status, None)),
        }
    }

    fn place(&self) -> String {
        format!("{}:{}", self.page.path, self.line)
    }

    fn malformed(&self, reason: String) -> LedgerError {
        LedgerError::Page {
            place: self.place(),
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

    const WHOLE: &str = "# Page\n\n### p.lem1\n- item: Lemma 1\n- version: as printed\n- short: squares are not negative\n- statement: for all x,\n  x^2 >= 0\n- expected: refuted (misprint)\n- rests on: p.lem2, BS16\n- reading: -\n\nProof. Plain.\n\n### p.lem1.again\n- alias of: p.lem1\n";

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
        assert_eq!(claim.place, "spec/p.md:3");
        assert!(claim.proved);
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
                "verified (gap)",
                "expected 'verified (gap)'",
            ),
            ("refuted (misprint)", "true", "expected 'true'"),
            ("(misprint)", "(reading)", "no field 'reading'"),
            ("as printed", "printed", "version 'printed'"),
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
