//! The claims of the prepared samplers, of entropy recycling and of rounded real noise.
//!
//! | part of the page | file |
//! |---|---|
//! | tables by themselves | `tables` |
//! | what a table is held against; its decision table, explored | `stated`, `decisions` |
//! | laws on the integers | `integers` |
//! | Bernoulli(exp(-x)), the exponential mechanism | `exponentials` |
//! | what a draw leaves over | `recycled` |
//! | noise of the real line, rounded | `rounded` |
//! | coins that lead a sampler where the check wants it | `scripted` |

mod decisions;
mod exponentials;
mod integers;
mod recycled;
mod rounded;
mod scripted;
mod stated;
mod tables;

pub(super) use exponentials::{bernoulli_exp, exponential_mechanism, integer_scores};
pub(super) use integers::{gaussian, geometric, laplace};
pub(super) use recycled::recycled;
pub(super) use rounded::{rounded_gaussian, rounded_laplace, rounded_vector};
pub(super) use tables::table;

use dp_assay::number::Rational;
use num_bigint::BigInt;
use num_traits::One;

/// `2^exponent`
fn power_of_two(exponent: i32) -> Rational {
    let power = Rational::from_integer(BigInt::one() << exponent.unsigned_abs());
    if exponent < 0 { power.recip() } else { power }
}

/// `{1/2, 2^40}`: powers of two that are large as such.
fn list_of(values: &[Rational]) -> String {
    let named: Vec<String> = values
        .iter()
        .map(|value| {
            let large = [20, 40, 80].into_iter().flat_map(|bits| [bits, -bits]);
            match large.into_iter().find(|&bits| power_of_two(bits) == *value) {
                Some(bits) => format!("2^{bits}"),
                None => value.to_string(),
            }
        })
        .collect();
    super::list(&named)
}
