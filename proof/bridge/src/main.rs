//! The bridge from the code that ships to the proofs: runs the samplers of dp-assay on tapes of coins, and writes what
//! they did as Coq files. Coq then checks that the functions of `samplers/Samplers.v`, whose laws are proved, do the
//! same. `make prove` calls it:
//!
//! ```text
//! bridge export DIR DEPTH [FILE]   writes FILE.v, or the files of all samplers, into DIR; prints 'claim tapes'
//! bridge plants                    prints, for each error to plant: its number, the file that should notice, what it is
//! bridge plant NUMBER TREE         plants it in TREE, a copy of the library
//! ```

mod coq;
mod plants;
mod samplers;
mod tapes;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["export", directory, depth] => export(Path::new(directory), depth, None),
        ["export", directory, depth, file] => export(Path::new(directory), depth, Some(file)),
        ["plants"] => {
            plants::list();
            Ok(())
        }
        ["plant", number, tree] => plants::plant(number, Path::new(tree)),
        _ => Err("arguments: export DIR DEPTH [FILE], plants, or plant NUMBER TREE".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("bridge: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// Writes a Coq file for each sampler, or for one, and prints on how many tapes it was run.
fn export(directory: &Path, depth: &str, only: Option<&str>) -> Result<(), String> {
    let depth: usize = depth
        .parse()
        .ok()
        .filter(|depth| (1..=20).contains(depth))
        .ok_or(format!("DEPTH is {depth}: bits of a tape, from 1 to 20"))?;
    let samplers = samplers::all();
    if let Some(file) = only.filter(|&file| samplers.iter().all(|sampler| sampler.file != file)) {
        return Err(format!("no sampler is written to {file}.v"));
    }
    for sampler in samplers {
        if only.is_none_or(|file| file == sampler.file) {
            let (text, count) = coq::file(&sampler, depth);
            let path = directory.join(sampler.file).with_extension("v");
            std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
            println!("{} {count}", sampler.claim);
        }
    }
    Ok(())
}
