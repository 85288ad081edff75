//! OpenDP's samplers, as its mechanisms call them: the Rust crate, without bindings.
//!
//! Its generator is global, so that its bits cannot be counted from outside.

use dashu::rational::RBig;
use opendp::domains::{AtomDomain, VectorDomain};
use opendp::measurements::{make_gaussian, make_laplace, make_noisy_max};
use opendp::measures::{MaxDivergence, ZeroConcentratedDivergence};
use opendp::metrics::{L1Distance, L2Distance, LInfDistance};
use opendp::traits::samplers::{sample_discrete_gaussian, sample_discrete_laplace};
use std::hint::black_box;

/// `draws` discrete Laplace numbers.
pub fn laplace(scale: u64, draws: usize) -> impl FnMut() {
    let scale = RBig::from(scale);
    move || {
        for _ in 0..draws {
            black_box(sample_discrete_laplace(scale.clone()).expect("a draw"));
        }
    }
}

/// `draws` discrete Gaussian numbers; `scale` is the standard deviation parameter.
pub fn gaussian(scale: u64, draws: usize) -> impl FnMut() {
    let scale = RBig::from(scale);
    move || {
        for _ in 0..draws {
            black_box(sample_discrete_gaussian(scale.clone()).expect("a draw"));
        }
    }
}

/// `draws` floats with Laplace noise on the grid of step `2^grid`.
pub fn laplace_on_a_grid(scale: f64, grid: i32, draws: usize) -> impl FnMut() {
    let domain = VectorDomain::new(AtomDomain::<f64>::new_non_nan()).with_size(draws);
    let mechanism = make_laplace::<_, _, MaxDivergence>(
        domain,
        L1Distance::<f64>::default(),
        scale,
        Some(grid),
    )
    .expect("a mechanism");
    let zeros = vec![0.0; draws];
    move || {
        black_box(mechanism.invoke(&zeros).expect("noise"));
    }
}

/// `draws` floats with Gaussian noise on the grid of step `2^grid`.
pub fn gaussian_on_a_grid(scale: f64, grid: i32, draws: usize) -> impl FnMut() {
    let domain = VectorDomain::new(AtomDomain::<f64>::new_non_nan()).with_size(draws);
    let mechanism = make_gaussian::<_, _, ZeroConcentratedDivergence>(
        domain,
        L2Distance::<f64>::default(),
        scale,
        Some(grid),
    )
    .expect("a mechanism");
    let zeros = vec![0.0; draws];
    move || {
        black_box(mechanism.invoke(&zeros).expect("noise"));
    }
}

/// One choice among `scores`, each with probability proportional to `exp(score / scale)`. By its choice of measure that is
/// the exponential mechanism; for the other, permute-and-flip, it takes as long.
pub fn exponential_mechanism(scores: Vec<i32>, scale: f64) -> impl FnMut() {
    let mechanism = make_noisy_max(
        VectorDomain::new(AtomDomain::<i32>::default()),
        LInfDistance::<i32>::default(),
        ZeroConcentratedDivergence,
        scale,
        false,
    )
    .expect("a mechanism");
    move || {
        black_box(mechanism.invoke(&scores).expect("a choice"));
    }
}
