//! Checks one claim of the ledger again, by its id.
//!
//! `cargo run --release --example check_a_claim -- sample.discrete-laplace`

use dp_assay_ledger::claim::Effort;
use dp_assay_ledger::{self as ledger, Ledger};
use std::error::Error;

fn check(id: &str) -> Result<Ledger, Box<dyn Error>> {
    let effort = Effort {
        quick: true,
        ..Effort::default()
    };
    let claims = ledger::select(&[id.to_owned()])?;
    let rechecks = claims.iter().map(|entry| entry.run(effort)).collect();
    Ok(Ledger { rechecks, effort })
}

fn main() -> Result<(), Box<dyn Error>> {
    let id = std::env::args().nth(1);
    let ledger = check(id.as_deref().unwrap_or("sample.discrete-laplace"))?;
    for recheck in &ledger.rechecks {
        println!("{}", recheck.claim.id);
        println!("  statement  {}", recheck.claim.statement);
        println!("  status     {}", ledger.shown(recheck));
        println!("  proof      {}", ledger.shown_proof(recheck));
        match &recheck.result {
            Ok(evidence) => println!("  executed   {}: {}", evidence.method(), evidence.scope()),
            Err(reason) => println!("  could not run: {reason}"),
        }
        println!("  expected   {}", recheck.as_expected());
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    // One of the lightest: the ledger's own test runs all.
    let ledger = check("sample.attempts")?;
    assert!(ledger.rechecks[0].as_expected());
    Ok(())
}
