//! Accounts a composition: what do 100 releases cost together?
//!
//! `cargo run --release --example compose`

use dp_assay::number::rational::{parse, ratio, to_scientific_above};
use dp_assay::privacy::{Budget, NeighbouringRelation, Zcdp, composition};
use std::error::Error;

/// Prints a budget, rounded up.
fn show(how: &str, budget: &Budget) {
    let epsilon = to_scientific_above(budget.epsilon(), 5);
    let delta = to_scientific_above(budget.delta(), 3);
    println!("{how:<28} epsilon = {epsilon}, delta = {delta}");
}

fn main() -> Result<(), Box<dyn Error>> {
    let neighbours = NeighbouringRelation::Substitute;
    let delta = parse("1e-6")?;

    // 100 releases of epsilon = 1/10 each.
    let release = Budget::pure(ratio(1, 10), neighbours)?;
    show(
        "basic composition",
        &composition::basic(&vec![release.clone(); 100])?,
    );
    show(
        "advanced, in closed form",
        &composition::advanced(&release, 100, &delta)?,
    );
    show(
        "the best there is",
        &composition::optimal(&release, 100, &delta)?,
    );

    // 100 releases of a sum that moves by at most 1, with Gaussian noise of variance 400.
    let release = Zcdp::gaussian(&ratio(1, 1), &ratio(400, 1), neighbours)?;
    let together = Zcdp::compose(&vec![release; 100])?;
    show("Gaussian noise, by zCDP", &together.budget(&delta)?);

    // Budgets under different neighbouring relations are not added.
    let other = Budget::pure(ratio(1, 10), NeighbouringRelation::AddOrRemove)?;
    let mixed = [Budget::pure(ratio(1, 10), neighbours)?, other];
    println!(
        "mixed relations: {}",
        composition::basic(&mixed).unwrap_err()
    );
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
