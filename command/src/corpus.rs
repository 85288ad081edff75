//! The corpus of the auditor, and after it the specimens of the papers.

pub use dp_assay_audit::corpus::List;
use dp_assay_audit::corpus::{self as own, sorted};
use dp_assay_audit::specimen::{Due, Specimen};
use dp_assay_audit::targets::TargetError;

#[cfg(feature = "papers")]
use crate::papers::specimens as of_papers;

/// Without the papers there are none of theirs.
#[cfg(not(feature = "papers"))]
mod of_papers {
    use super::{Due, List};

    pub fn lists() -> impl Iterator<Item = List> {
        std::iter::empty()
    }

    pub fn due() -> impl Iterator<Item = &'static (&'static str, Due)> {
        std::iter::empty()
    }
}

/// The names of all specimens: known before any of them is built.
pub fn names() -> impl Iterator<Item = &'static str> {
    due().map(|(name, _)| *name)
}

/// The calls from which on an audit that stops at a proof, at level 1/20, must catch the violation of this name; `None` if
/// there is no such number.
pub fn caught_from(name: &str) -> Option<u64> {
    due().find(|(listed, _)| *listed == name)?.1.caught_from()
}

/// All specimens, in the order of [`sorted`].
pub fn corpus() -> Result<Vec<Specimen>, TargetError> {
    sorted(lists())
}

/// The specimen of this name. To build all of them takes seconds.
pub fn find(name: &str) -> Result<Option<Specimen>, TargetError> {
    for list in lists() {
        let found = list()?.into_iter().find(|specimen| specimen.name == name);
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn lists() -> impl Iterator<Item = List> {
    own::lists().into_iter().chain(of_papers::lists())
}

fn due() -> impl Iterator<Item = &'static (&'static str, Due)> {
    own::DUE.iter().chain(of_papers::due())
}
