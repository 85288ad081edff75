//! The command `assay`.

mod baseline;
mod cli;
mod data;
mod error;
mod model;
mod output;
mod regression_model;
mod report;
mod reproduce;

fn main() -> std::process::ExitCode {
    cli::main()
}
