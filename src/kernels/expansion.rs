//! A public model: a sum of the feature vectors of public points.

use super::kernel::VALUE_BITS;
use super::{KernelOn, Predictor};
use crate::geometry::Point;
use crate::number::Rational;
use num_bigint::BigInt;
use num_traits::Zero;

/// `w = rate (+-phi(z_1) +- phi(z_2) +- ...)` for public points `z_i`. All of it is public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expansion {
    kernel: KernelOn,
    rate: Rational,
    terms: Vec<(Point, bool)>,
}
crate::published!(Expansion {
    kernel,
    rate,
    terms
});

impl Expansion {
    /// `w = 0`, to which terms are added with this rate.
    #[must_use]
    pub fn new(kernel: KernelOn, rate: Rational) -> Self {
        Self {
            kernel,
            rate,
            terms: Vec::new(),
        }
    }

    /// Adds `rate phi(z)`, or subtracts it; `z` is a point of the domain.
    pub fn step(&mut self, z: &Point, up: bool) {
        self.terms.push((z.clone(), up));
    }

    /// The points, and whether their terms are added or subtracted.
    #[must_use]
    pub fn terms(&self) -> &[(Point, bool)] {
        &self.terms
    }

    /// The kernel on the domain.
    #[must_use]
    pub fn kernel(&self) -> &KernelOn {
        &self.kernel
    }
}

impl Predictor for Expansion {
    /// `<w, phi(z)>`, in integers up to the rate. Public, if the point is.
    fn prediction(&self, z: &Point) -> Rational {
        let mut sum = BigInt::zero();
        for (point, up) in &self.terms {
            let value = BigInt::from(self.kernel.value(point, z));
            sum += if *up { value } else { -value };
        }
        // Times the rate, reduced once.
        let (numerator, denominator) = (self.rate.numer() * sum, self.rate.denom() << VALUE_BITS);
        Rational::new(numerator, denominator)
    }
}
