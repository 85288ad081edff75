//! The same thing for the reference and for the shipped library.
#![allow(dead_code)]

use crate::lent::ChaCha;
use dp_assay::geometry::{Domain, Point};
use dp_assay::kernels as shipped;
use dp_assay::number::{Grid, Rational, rational::integer};
use dp_assay::optimise::erm;
use dp_assay::privacy::{Budget, NeighbouringRelation::Substitute};
use dp_assay_reference::kernels::kernel::{Expansion, Kernel, Shape};
use dp_assay_reference::kernels::minimiser::{Loss, Problem};

pub fn polynomial(p: u32, c: i64, d: usize, bits: u32, radius: i64) -> Kernel {
    Kernel {
        shape: Shape::Polynomial { p, c },
        d,
        bits,
        radius,
    }
}

pub fn gaussian(v: Rational, d: usize, bits: u32, radius: i64) -> Kernel {
    Kernel {
        shape: Shape::Gaussian { v },
        d,
        bits,
        radius,
    }
}

pub fn domain(kernel: &Kernel) -> Domain {
    let grid = Grid::new(kernel.bits).unwrap();
    Domain::new(grid, kernel.d, kernel.radius as u64).unwrap()
}

pub fn shape(kernel: &Kernel) -> shipped::Kernel {
    match &kernel.shape {
        Shape::Polynomial { p: 1, c: 0 } => shipped::Kernel::Linear,
        Shape::Polynomial { p, c } => shipped::Kernel::Polynomial {
            degree: *p,
            offset: *c as u64,
        },
        Shape::Gaussian { v } => shipped::Kernel::Gaussian {
            squared_width: v.clone(),
        },
    }
}

pub fn on(kernel: &Kernel) -> shipped::KernelOn {
    shape(kernel).on(domain(kernel)).unwrap()
}

pub fn point(z: &[i64]) -> Point {
    Point::dense(&z.iter().map(|&z| z as i32).collect::<Vec<i32>>())
}

pub fn loss(loss: &Loss) -> erm::Loss {
    match loss {
        Loss::Linear => erm::Loss::Linear,
        Loss::Hinge => erm::Loss::Hinge,
        Loss::Logistic => erm::Loss::Logistic,
        Loss::Huber { width } => erm::Loss::Huber {
            width: width.clone(),
        },
        Loss::Squared { largest } => erm::Loss::Squared {
            largest_label: largest.clone(),
        },
    }
}

/// The reference's problem with the `r` of the shipped solver, and both of the shipped library.
pub fn problem(
    kernel: &Kernel,
    l: Loss,
    lambda: Rational,
    n: u64,
) -> (Problem, shipped::Problem, shipped::Sensitivity) {
    let theirs = shipped::Problem::new(loss(&l), shape(kernel), lambda.clone()).unwrap();
    let sensitivity = theirs.sensitivity(domain(kernel), n).unwrap();
    let ours = Problem {
        kernel: kernel.clone(),
        loss: l,
        label_bits: 0,
        lambda,
        n,
        r: sensitivity.solver.clone(),
    };
    (ours, theirs, sensitivity)
}

pub fn optimum(kernel: &Kernel, w: &Expansion) -> shipped::Optimum {
    let terms = w.iter().map(|(mu, x)| (point(x), mu.clone()));
    shipped::Optimum::restored(on(kernel), terms).unwrap()
}

pub fn budget(epsilon: Rational, delta: Rational) -> Budget {
    Budget::approximate(epsilon, delta, Substitute).unwrap()
}

/// Two sources of the same coins.
pub fn same_coins(seed: u64) -> (ChaCha, ChaCha) {
    (ChaCha::reproducible(seed, 7), ChaCha::reproducible(seed, 7))
}

/// `a/b`, then `a/b`, ...: small numbers that look random, the same every time.
pub struct Numbers(pub u64);

impl Numbers {
    /// From `-most` to `most`.
    pub fn next(&mut self, most: i64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % (2 * most as u64 + 1)) as i64 - most
    }

    /// A point of a ball.
    pub fn point(&mut self, kernel: &Kernel) -> Vec<i64> {
        loop {
            let z: Vec<i64> = (0..kernel.d).map(|_| self.next(kernel.radius)).collect();
            if kernel.check(&z).is_ok() {
                return z;
            }
        }
    }

    pub fn expansion(&mut self, kernel: &Kernel, terms: usize, size: &Rational) -> Expansion {
        let term = |numbers: &mut Self| {
            let mu = integer(numbers.next(50)) * size / integer(50);
            (mu, numbers.point(kernel))
        };
        (0..terms).map(|_| term(self)).collect()
    }
}
