//! `assay answer`: the interactive model, a query a line.
//!
//! - [`rounds`]: Algorithm 1 with the constants of Theorem A, and with a hidden threshold; [`process`]: with the noise of a
//!   Gaussian process;
//! - [`options`]: what all of them take; [`question`]: the records, and what is minimised;
//! - [`session`]: what all sessions are; [`hold`]: how one is held, the same for all of them; [`source`]: its coins;
//! - [`queries`]: how queries are read; [`shown`]: what is printed; [`state`]: the file of a session.

mod hold;
mod options;
mod process;
mod queries;
mod question;
mod rounds;
mod session;
mod shown;
mod source;
mod state;

use crate::papers::{Subcommand, read};

/// The sessions, the recommended one first.
pub const SESSIONS: &[Subcommand] = &[
    Subcommand {
        name: process::NAME,
        options: process::options,
        run: |matches| process::run(&read(matches)?),
    },
    Subcommand {
        name: rounds::NOISY,
        options: rounds::noisy_options,
        run: |matches| rounds::noisy(&read(matches)?),
    },
    Subcommand {
        name: rounds::SPARSE,
        options: rounds::sparse_options,
        run: |matches| rounds::sparse(&read(matches)?),
    },
];
