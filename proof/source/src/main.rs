//! Translates functions of the reference into programs of Coq. What is not in the subset is refused, with file and line.
//! `spec/source.md` says what the subset is, and what each construct means.
//!
//! ```text
//! source-to-coq MANIFEST SOURCES    writes the translation, SOURCES being the folder reference/src
//! ```

mod body;
mod declarations;
mod methods;
mod names;
mod translator;
mod types;

use names::World;
use quote::ToTokens;
use std::path::Path;
use std::process::ExitCode;
use syn::spanned::Spanned;

/// Why something is not translated.
#[derive(Debug)]
pub struct Refused(String);

impl Refused {
    /// In a file, or of a function.
    pub fn new(at: &str, why: &str) -> Self {
        Self(format!("{at}: {why}"))
    }

    /// In a line of a file.
    pub fn at(file: &str, it: &impl ToTokens, why: &str) -> Self {
        let text: String = it.to_token_stream().to_string().chars().take(80).collect();
        Self(format!("{file}:{}: {why}: `{text}`", it.span().start().line))
    }
}

/// The translation of what a manifest asks for.
pub fn translated(manifest: &str, sources: &Path) -> Result<String, Refused> {
    let lines = || manifest.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    translator::check_traits(sources)?;
    let mut world = World::default();
    for file in lines().filter_map(|line| line.strip_prefix("read ")) {
        world.read(sources, file)?;
    }
    let mut translator = translator::Translator::new(&world);
    translator.named = lines().filter_map(|line| line.strip_prefix("translate ")).map(str::to_owned).collect();
    let mut refused = Vec::new();
    for line in lines() {
        let done = match line.split_once(' ') {
            Some(("read", _)) => Ok(()),
            Some(("translate", path)) => translator.function(path).map(|_| ()),
            Some(("learners", "opaque")) => translator.open_section(),
            Some(("opaque", path)) => translator.let_be_opaque(path),
            Some(("given", what)) => translator.let_be_given(what),
            _ => Err(Refused::new("the manifest", line)),
        };
        refused.extend(done.err().map(|Refused(why)| why));
    }
    if refused.is_empty() { Ok(translator.text()) } else { Err(Refused(refused.join("\n"))) }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, manifest, sources] = &arguments[..] else {
        eprintln!("arguments: MANIFEST SOURCES");
        return ExitCode::from(2);
    };
    let found = std::fs::read_to_string(manifest)
        .map_err(|error| Refused::new(manifest, &error.to_string()))
        .and_then(|manifest| translated(&manifest, Path::new(sources)));
    match found {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(Refused(why)) => {
            eprintln!("not translated: {why}");
            ExitCode::FAILURE
        }
    }
}
