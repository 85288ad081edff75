//! The book: the ledger as static pages, for people. No page but one needs a script, and none asks for anything from elsewhere.
//!
//! - `run`: the report of a run, `sources`: the pages of `spec/` and texts beside them, `site`: both put together;
//! - `notation`: from the formulas of the pages to MathML, `prose`: from their Markdown to HTML;
//! - `claim`, `paper`, `index`, `errata`, `map`, `words`: the files, `frame`: what they share;
//! - `figure`: curves through what a run found, beside what is printed;
//! - `check`: the page that checks, by the exact core in the reader's browser.

mod check;
mod claim;
mod errata;
#[doc(hidden)]
pub mod figure;
mod frame;
mod index;
mod map;
#[doc(hidden)]
pub mod notation;
mod paper;
mod prose;
mod run;
mod site;
mod sources;
mod words;

pub use run::Run;
pub use site::Stamp;

use crate::error::Error;
use figure::Figure;
use site::Site;

const STYLE: &str = include_str!("style.css");

/// A book: its files, with their paths in its folder, and what of its formulas could not be read.
#[derive(Debug)]
pub struct Book {
    /// Paths and contents.
    pub files: Vec<(String, String)>,
    /// What stands as code though it is mathematics.
    pub unread: Vec<String>,
}

impl Book {
    /// Makes the book of a run, with these figures, and with the exact core as WebAssembly, where there is one.
    ///
    /// # Errors
    /// The reason if the run is not one of all claims of this build.
    pub fn new(
        run: &Run,
        stamp: Stamp,
        figures: impl Iterator<Item = &'static Figure>,
        core: Option<&[u8]>,
    ) -> Result<Self, Error> {
        let site = Site::new(run, stamp, figures.collect())?;
        let mut files = vec![
            ("style.css".to_owned(), STYLE.to_owned()),
            ("index.html".to_owned(), index::page(&site)),
            ("papers.html".to_owned(), paper::list(&site)),
            ("errata.html".to_owned(), errata::page(&site)),
            ("map.html".to_owned(), map::page(&site)),
            ("words.html".to_owned(), words::page(&site)),
            ("about.html".to_owned(), words::about(&site)),
        ];
        files.extend(check::files(&site, core));
        files.extend(figure::files(&site));
        for document in &sources::DOCUMENTS {
            files.push((document.file.to_owned(), words::document(&site, document)));
        }
        for paper in &site.papers {
            files.push((
                format!("p/{}.html", paper.name()),
                paper::page(&site, paper),
            ));
            files.push((
                format!("n/{}.html", paper.name()),
                paper::notes(&site, paper),
            ));
        }
        for row in &site.rows {
            files.push((format!("c/{}.html", row.id()), claim::page(&site, row)));
            for alias in &row.entry.aliases {
                files.push((
                    format!("c/{alias}.html"),
                    frame::redirect("../", alias, row.id()),
                ));
            }
        }
        Ok(Self {
            unread: site.unread(),
            files,
        })
    }
}
