//! The pages of `spec/` and what else the book is made of, as texts: compiled in.

use dp_assay_ledger::claim::Page;

/// A text of the repository that is a page of the book.
#[derive(Debug)]
pub struct Document {
    /// Its path in the repository.
    pub path: &'static str,
    /// Its file in the book.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// Texts that are shown whole, in the order of the list of the book.
pub const DOCUMENTS: [Document; 7] = [
    Document {
        path: "docs/glossary.md",
        file: "glossary.html",
        text: include_str!("../../pages/glossary.md"),
    },
    Document {
        path: "spec/conventions.md",
        file: "conventions.html",
        text: include_str!("../../pages/conventions.md"),
    },
    Document {
        path: "SOUNDNESS.md",
        file: "soundness.html",
        text: include_str!("../../pages/SOUNDNESS.md"),
    },
    Document {
        path: "spec/meter.md",
        file: "meter.html",
        text: include_str!("../../pages/meter.md"),
    },
    Document {
        path: "spec/proof.md",
        file: "proof.html",
        text: include_str!("../../pages/proof.md"),
    },
    Document {
        path: "spec/source.md",
        file: "source.html",
        text: include_str!("../../pages/source.md"),
    },
    Document {
        path: "spec/auditor.md",
        file: "auditor.html",
        text: include_str!("../../pages/auditor.md"),
    },
];

/// How to cite, as programs read it.
pub const CITATION: &str = include_str!("../../pages/CITATION.cff");

impl Document {
    /// Its title: the first heading.
    pub fn title(&self) -> &'static str {
        title(self.text)
    }
}

/// The first heading of a text.
pub fn title(text: &'static str) -> &'static str {
    let heading = text.lines().find_map(|line| line.strip_prefix("# "));
    heading.unwrap_or_default().trim()
}

/// A part of a page under a heading `##`, or before the first.
#[derive(Debug)]
pub struct Part {
    /// The heading; empty before the first.
    pub heading: String,
    /// The line of the heading, from 1.
    line: usize,
    /// What stands in it before the first claim.
    pub prose: String,
}

/// The parts of a page of claims. Its table of items is left out: the book makes its own.
pub fn parts(page: &Page) -> Vec<Part> {
    let mut parts = vec![Part {
        heading: String::new(),
        line: 1,
        prose: String::new(),
    }];
    let (mut of_claim, mut of_items) = (false, false);
    for (at, line) in page.text.lines().enumerate() {
        if let Some(heading) = line.strip_prefix("## ") {
            of_claim = false;
            parts.push(Part {
                heading: heading.trim().to_owned(),
                line: at + 1,
                prose: String::new(),
            });
            continue;
        }
        of_claim |= line.starts_with("### ");
        of_items |= line.starts_with("<!-- The items");
        if let (false, false, Some(part)) = (of_claim, of_items, parts.last_mut())
            && !line.starts_with("# ")
        {
            part.prose.push_str(line);
            part.prose.push('\n');
        }
        of_items &= !line.starts_with("<!-- So far");
    }
    parts
}

/// The heading under which a line of a page stands.
pub fn heading_of(parts: &[Part], line: usize) -> &str {
    let before = parts.iter().rev().find(|part| part.line <= line);
    before.map_or("", |part| &part.heading)
}

/// The anchor of a heading, as the usual readers of Markdown make it.
pub fn anchor(heading: &str) -> String {
    let signs = heading.chars().filter_map(|sign| match sign {
        ' ' => Some('-'),
        '-' | '_' => Some(sign),
        _ if sign.is_alphanumeric() => sign.to_lowercase().next(),
        _ => None,
    });
    signs.collect()
}

/// What conventions say that a word means, as Markdown; nothing of a word that they do not have.
pub fn meaning(word: &str) -> &'static str {
    dp_assay_ledger::meaning(word).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay_ledger::claim::{Fault, Proof, Status};

    #[test]
    fn each_word_of_a_row_has_its_meaning() {
        for status in [
            Status::Checked,
            Status::Supported,
            Status::Refuted,
            Status::Open,
        ] {
            assert!(!meaning(&status.to_string()).is_empty(), "{status}");
        }
        for fault in Fault::ALL {
            let refuted = meaning(&format!("refuted ({fault})"));
            let open = meaning(&format!("open ({fault})"));
            assert!(!refuted.is_empty() || !open.is_empty(), "{fault}");
        }
        for proof in Proof::ALL {
            assert!(!meaning(&proof.to_string()).is_empty(), "{proof}");
        }
        assert_eq!(meaning("no such word"), "");
    }

    #[test]
    fn a_page_is_divided_at_its_headings_and_claims_are_left_out() {
        let page = Page {
            paper: "p",
            title: "",
            path: "spec/p.md",
            text: "# P\n\nFirst.\n\n## A: b\n\n<!-- The items -->\n| x |\n<!-- So far -->\nThen.\n\n### p.a\n- item: x\n\nProof.\n\n## C\nLast.\n",
            evidence: "",
            checks: &[],
        };
        let found = parts(&page);
        let prose: Vec<&str> = found.iter().map(|part| part.prose.trim()).collect();
        assert_eq!(prose, ["First.", "Then.", "Last."]);
        assert_eq!(heading_of(&found, 12), "A: b");
        assert_eq!(anchor("A: b, c-d"), "a-b-c-d");
    }
}
