//! The command `reproduce`: the papers' experiments, run again.

fn main() -> std::process::ExitCode {
    dp_assay_experiments::main()
}
