//! The command `assay`.

fn main() -> std::process::ExitCode {
    dp_assay_cli::main()
}
