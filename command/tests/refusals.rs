//! What the command refuses: each file of `tests/refusals` is a session as its user sees it, with every message in full. Beside it,
//! the folder `.in` has the files of the session; its last command lists them, and `.out` has one that must be as it was.
//!
//! After a change of a message `TRYCMD=overwrite cargo test -p dp-assay-cli --test command refusals` writes the files again: read what is new.
#![cfg(unix)]

use std::path::Path;
use trycmd::TestCases;

#[test]
fn each_refusal_says_what_its_session_shows() {
    let sessions = TestCases::new();
    sessions
        .register_bin("assay", Path::new(env!("CARGO_BIN_EXE_assay")))
        .register_bin("ls", Path::new("/bin/ls"))
        .env("LC_ALL", "C")
        .case("tests/refusals/*.trycmd");
    if cfg!(feature = "papers") {
        sessions.case("tests/refusals/papers/*.trycmd");
    }
}
