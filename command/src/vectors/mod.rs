//! The data of `spec/vectors/v1`: certified values, tapes, trees, hashes and mechanisms of known privacy, from the code that
//! ships. `spec/vectors/README.md` says what they are and how they are written.
//!
//! - [`values`] (class A): what the laws of the library are;
//! - [`tapes`] (B), from what is [`wanted`]: bits in, sample and bits consumed out, each for one of the [`mistakes`], which is
//!   planted in the [`twin`];
//! - [`trees`] (C): all tapes to a depth, beside the law; [`accumulated`] (D): one hash of many draws;
//! - [`self_test`] (E): what an auditor is audited on;
//! - [`accounts`] (F): what an accountant is held against.

mod accounts;
mod accumulated;
mod algorithms;
mod layout;
mod mistakes;
mod numbers;
mod self_test;
mod tapes;
mod trees;
mod twin;
mod values;
mod wanted;

use crate::error::Error;
use clap::ValueEnum;
use dp_assay_audit::hexadecimal::hexadecimal;
use rayon::prelude::*;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The version of the data: that of `spec/vectors/VERSION`.
pub const VERSION: &str = "1.1.0";

/// A class of vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Class {
    /// A: certified values of laws and mechanisms
    Values,
    /// B: bits in, sample and bits consumed out
    Tapes,
    /// C: all tapes to a depth, beside the certified law
    Trees,
    /// D: one hash of many draws
    Accumulated,
    /// E: mechanisms of known privacy, to audit an auditor on
    SelfTest,
    /// F: what private steps cost together, between two certified ends
    Accounts,
}

/// A file that is written.
#[derive(Debug)]
pub struct File {
    /// Below the folder, with `/`.
    pub path: String,
    pub text: String,
    schema: &'static str,
    cases: usize,
}

/// The files of these classes, and the manifest at the end. The same bytes always.
///
/// # Errors
/// A case that is not what it should be: the generator checks what it writes.
pub fn files(classes: &[Class]) -> Result<Vec<File>, Error> {
    let of_each = classes.par_iter().map(|class| match class {
        Class::Values => values::files(),
        Class::Tapes => tapes::files(),
        Class::Trees => trees::files(),
        Class::Accumulated => accumulated::files(),
        Class::SelfTest => self_test::files(),
        Class::Accounts => accounts::files(),
    });
    let of_each: Vec<Vec<File>> = of_each.collect::<Result<_, Error>>()?;
    let mut files: Vec<File> = of_each.into_iter().flatten().collect();
    files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    files.push(manifest(&files));
    Ok(files)
}

/// A file of this content, and what all files have.
fn document(path: String, schema: &'static str, mut content: Value, cases: usize) -> File {
    content["schema"] = schema.into();
    content["source"] = json!({"name": "dp-assay", "version": VERSION});
    File {
        path,
        text: layout::text(&content),
        schema,
        cases,
    }
}

fn manifest(files: &[File]) -> File {
    let entry = |file: &File| {
        json!({
            "path": file.path,
            "sha256": hexadecimal(&Sha256::digest(&file.text)),
            "schema": file.schema,
            "cases": file.cases,
        })
    };
    let files: Vec<Value> = files.iter().map(entry).collect();
    let cases = files.len();
    let content = json!({"licence": "CC0-1.0", "files": files});
    document("MANIFEST.json".to_owned(), "manifest_v1", content, cases)
}
