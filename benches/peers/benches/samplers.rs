//! Our samplers beside OpenDP's: one table, each row with its limit.
//!
//! `cargo bench`, in this folder; `cargo bench -- Laplace plain` for the rows that name both.

use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::rational::integer;
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace};
use peers::clock::{Side, in_turn};
use peers::opendp;
use peers::table::{Limit, Table};
use std::hint::black_box;

/// The scales of the table; for the Gaussian law the standard deviation parameter.
const SCALES: [u64; 4] = [1, 10, 1000, 1_000_000];

/// Draws of a side that is slow, between two looks at the clock.
const FEW: usize = 1000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    let filters = arguments
        .into_iter()
        .filter(|argument| !argument.starts_with("--"));
    let mut table = Table::new(filters.collect());
    plain(&mut table);
    table.end();
}

fn laplace(scale: u64) -> DiscreteLaplace {
    DiscreteLaplace::new(integer(scale)).expect("a scale above 0")
}

fn gaussian(scale: u64) -> DiscreteGaussian {
    DiscreteGaussian::new(integer(scale * scale)).expect("a variance above 0")
}

/// The plain samplers, which are the reference: at least as fast as the peer's.
fn plain(table: &mut Table) {
    for scale in SCALES {
        let row = format!("plain, Laplace, scale {scale}");
        if table.wants(&row) {
            let ours = plain_draws(laplace(scale));
            let peers = Side::new(FEW, opendp::laplace(scale, FEW));
            table.speeds(&row, &in_turn(ours, peers), Limit::AtLeast(1.0));
        }
        let row = format!("plain, Gaussian, scale {scale}");
        if table.wants(&row) {
            let ours = plain_draws(gaussian(scale));
            let peers = Side::new(FEW, opendp::gaussian(scale, FEW));
            table.speeds(&row, &in_turn(ours, peers), Limit::AtLeast(1.0));
        }
    }
}

fn plain_draws(law: impl dp_assay::coins::Law) -> Side<'static> {
    let mut coins = ChaCha::reproducible(1, 0);
    Side::new(FEW, move || {
        for _ in 0..FEW {
            black_box(coins.draw(&law).expect("a draw"));
        }
    })
}
