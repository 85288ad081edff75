//! What the book is made of, put together: papers, their claims, and what a run found of each.

use super::figure::declared::Figure;
use super::notation::{Formula, is_mathematics};
use super::run::{Found, Run};
use super::sources::{self, DOCUMENTS, Part};
use crate::error::Error;
use dp_assay_ledger::claim::Page;
use dp_assay_ledger::{Entry, Relations, entries, pages};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Of which run and program a book is.
#[derive(Debug, Clone)]
pub struct Stamp {
    /// The commit of the sources, if it is known.
    pub commit: Option<String>,
    /// The day of the run, as `2026-11-27`.
    pub date: String,
}

/// A claim.
#[derive(Debug)]
pub struct Row<'a> {
    /// It, as its page has it.
    pub entry: &'static Entry,
    /// What the run found.
    pub found: &'a Found,
    /// What it has to do with others.
    pub relations: Relations,
    /// The heading under which it stands.
    pub section: String,
}

impl Row<'_> {
    /// Its id.
    pub fn id(&self) -> &'static str {
        &self.entry.claim.id
    }
}

/// A page of claims: of a paper, or of our own.
#[derive(Debug)]
pub struct Paper {
    /// The page.
    pub page: &'static Page,
    /// Its title: of a paper, that of the paper.
    pub title: String,
    /// Who wrote it and when; empty of our own.
    pub authors: String,
    /// Its prose, heading by heading.
    pub parts: Vec<Part>,
}

impl Paper {
    fn new(page: &'static Page) -> Self {
        let parts = sources::parts(page);
        let first = parts.first().map_or("", |part| part.prose.trim());
        let named = first.split_once(", *").and_then(|(authors, rest)| {
            let (title, behind) = rest.split_once('*')?;
            behind
                .starts_with(" (`")
                .then(|| (authors.to_owned(), title.to_owned()))
        });
        let (authors, title) =
            named.unwrap_or_else(|| (String::new(), sources::title(page.text).to_owned()));
        Self {
            page,
            title,
            authors,
            parts,
        }
    }

    /// The name of its files: the key of a paper, the page of our own.
    pub fn name(&self) -> &'static str {
        let path = self.page.path.trim_end_matches(".md");
        match self.authors.is_empty() {
            true => path.rsplit('/').next().unwrap_or(path),
            false => self.page.paper,
        }
    }

    /// How it is called in a line.
    pub fn short(&self) -> &str {
        match self.authors.is_empty() {
            true => &self.title,
            false => &self.authors,
        }
    }
}

/// Everything.
#[derive(Debug)]
pub struct Site<'a> {
    /// The run.
    pub run: &'a Run,
    /// Whose book it is.
    pub stamp: Stamp,
    /// The pages of claims.
    pub papers: Vec<Paper>,
    /// The claims, in the order of the pages.
    pub rows: Vec<Row<'a>>,
    at: BTreeMap<&'static str, usize>,
    /// Which claims have figures.
    pub figures: Vec<&'static Figure>,
    /// What stands in backticks as mathematics and could not be read.
    unread: RefCell<BTreeSet<String>>,
}

impl<'a> Site<'a> {
    /// Puts it together.
    ///
    /// # Errors
    /// The reason if the run is not one of all of these claims.
    pub fn new(run: &'a Run, stamp: Stamp, figures: Vec<&'static Figure>) -> Result<Self, Error> {
        let papers: Vec<Paper> = pages().iter().map(|page| Paper::new(page)).collect();
        let mut rows = Vec::new();
        let mut at = BTreeMap::new();
        for entry in entries()? {
            let claim = &entry.claim;
            let found = run
                .of(&claim.id)
                .filter(|it| it.statement == claim.statement);
            let Some(found) = found else {
                return Err(Error::Usage(format!(
                    "the report has not the claim {} as this build states it: write it again with 'assay verify --format json', of all claims",
                    claim.id
                )));
            };
            let (path, line) = claim.source.rsplit_once(':').unwrap_or_default();
            let paper = papers.iter().find(|paper| paper.page.path == path);
            let line = line.parse().unwrap_or(1);
            let section = paper.map_or("", |paper| sources::heading_of(&paper.parts, line));
            at.insert(claim.id.as_str(), rows.len());
            for alias in &entry.aliases {
                at.insert(alias.as_str(), rows.len());
            }
            rows.push(Row {
                entry,
                found,
                relations: Relations::of(claim)?,
                section: section.to_owned(),
            });
        }
        Ok(Self {
            run,
            stamp,
            papers,
            rows,
            at,
            figures,
            unread: RefCell::default(),
        })
    }

    /// The claim of this id, or of which this is another id.
    pub fn row(&self, id: &str) -> Option<&Row<'a>> {
        self.at.get(id).map(|&at| &self.rows[at])
    }

    /// The page on which a claim stands.
    pub fn paper_of(&self, row: &Row) -> &Paper {
        let is_of = |paper: &&Paper| row.entry.claim.source.starts_with(paper.page.path);
        self.papers.iter().find(is_of).unwrap_or(&self.papers[0])
    }

    /// The claims of a page, in its order.
    pub fn rows_of<'s>(&'s self, paper: &'s Paper) -> impl Iterator<Item = &'s Row<'a>> {
        let is_of = move |row: &&Row| row.entry.claim.source.starts_with(paper.page.path);
        self.rows.iter().filter(is_of)
    }

    /// The file of the book that a text of the repository is in: named by its path, or by its name alone.
    pub fn file_of(&self, path: &str) -> Option<String> {
        let is = |known: &str| {
            let name = known.rsplit('/').next().unwrap_or(known);
            path.trim_start_matches("../").trim_start_matches("./") == known
                || path.rsplit('/').next() == Some(name)
        };
        let document = DOCUMENTS.iter().find(|document| is(document.path));
        let document = document.map(|document| document.file.to_owned());
        document.or_else(|| {
            let paper = self.papers.iter().find(|paper| is(paper.page.path))?;
            Some(format!("n/{}.html", paper.name()))
        })
    }

    /// What stands in backticks in MathML; `None` if it is code, or cannot be read, which is counted.
    pub fn mathematics(&self, text: &str) -> Option<String> {
        if !is_mathematics(text) {
            return None;
        }
        self.formula(text)
    }

    /// A formula in MathML; `None` if it cannot be read, which is counted.
    pub fn formula(&self, text: &str) -> Option<String> {
        let found = Formula::read(text).and_then(|formula| formula.mathml());
        if found.is_none() {
            self.unread.borrow_mut().insert(text.to_owned());
        }
        found
    }

    /// What could not be read so far.
    pub fn unread(&self) -> Vec<String> {
        self.unread.borrow().iter().cloned().collect()
    }
}
