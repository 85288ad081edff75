//! The vector whose predictions at public points are nearest to given numbers, in the span of these points, in floats.
//!
//! What it is given is public already: it needs no privacy argument, and a wrong float makes a worse model, not a less
//! private one.

#![allow(clippy::float_arithmetic)] // see above

use super::KernelOn;
use super::kernel::VALUE_BITS;
use crate::geometry::Point;

/// `w = sum of alpha_t phi(z_t)`, with public points and coefficients.
#[derive(Debug, Clone, PartialEq)]
pub struct InSpan {
    kernel: KernelOn,
    points: Vec<Point>,
    coefficients: Vec<f64>,
}
crate::published!(InSpan {
    kernel,
    points,
    coefficients
});

impl InSpan {
    /// The vector with these points, of the kernel's domain, and their coefficients.
    #[must_use]
    pub fn new(kernel: &KernelOn, terms: impl IntoIterator<Item = (Point, f64)>) -> Self {
        let (points, coefficients) = terms.into_iter().unzip();
        Self {
            kernel: kernel.clone(),
            points,
            coefficients,
        }
    }

    /// The minimiser of `(1/T) sum of (<w, phi(z_t)> - y_t)^2` over `|w| <= norm_bound`: the only one in the span of the
    /// `phi(z_t)` (`jt13.alg2.span`), as near as at most 1000 steps of conjugate gradients in floats come. At least one point,
    /// a target for each, and a bound above 0.
    #[must_use]
    pub fn nearest(kernel: &KernelOn, points: &[Point], targets: &[f64], norm_bound: f64) -> Self {
        let gram = Gram::new(kernel, points);
        // 1. Without the bound: mu = 0.
        let mut alpha = gram.ridge(targets, 0.0, vec![0.0; points.len()]);
        // 2. If it is too long: the mu at which (K + mu) alpha = y has |w| = norm_bound. 1/|w| is concave in mu, so that
        //    Newton's method for it comes to the left of this mu in one step, and then nearer from there (`jt13.alg2.span`).
        if gram.norm(&alpha) > norm_bound {
            // |w| <= |y|/(2 sqrt(mu)).
            let mut mu = dot(targets, targets) / (4.0 * norm_bound * norm_bound);
            alpha.fill(0.0);
            for _ in 0..NEWTON_STEPS {
                alpha = gram.ridge(targets, mu, alpha);
                let excess = gram.norm(&alpha) / norm_bound - 1.0;
                if excess.abs() <= NEAR {
                    break;
                }
                // d|w|^2/dmu = -2 alpha . K beta with (K + mu) beta = alpha.
                let beta = gram.ridge(&alpha, mu, vec![0.0; points.len()]);
                let image = gram.times(&alpha);
                let next = mu + excess * dot(&alpha, &image) / dot(&beta, &image);
                // Floats tell no more.
                if !next.is_finite() {
                    break;
                }
                mu = if next > 0.0 { next } else { mu / 16.0 };
            }
            // 3. By rounding it may still be too long, by a little.
            let excess = gram.norm(&alpha) / norm_bound;
            if excess > 1.0 {
                alpha.iter_mut().for_each(|a| *a /= excess);
            }
        }
        Self {
            kernel: kernel.clone(),
            points: points.to_vec(),
            coefficients: alpha,
        }
    }

    /// The prediction at a point of the domain.
    #[must_use]
    pub fn prediction(&self, z: &Point) -> f64 {
        let value = |x: &Point| self.kernel.value(x, z) as f64;
        let points = self.points.iter().zip(&self.coefficients);
        points.map(|(x, a)| a * value(x)).sum::<f64>() * STEP
    }

    /// The points and their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (&Point, f64)> {
        self.points.iter().zip(self.coefficients.iter().copied())
    }
}

/// A step of a kernel's value.
const STEP: f64 = 1.0 / (1u64 << VALUE_BITS) as f64;

/// By so much, as a share, may the norm differ from its bound.
const NEAR: f64 = 1e-10;

/// The most steps of Newton's method.
const NEWTON_STEPS: u32 = 30;

/// The most steps of conjugate gradients.
const STEPS: u32 = 1000;

/// Of the squared length of the gradient, what may be left.
const LEFT: f64 = 1e-28;

/// `K(z_s, z_t)`, row by row.
struct Gram {
    count: usize,
    values: Vec<f64>,
}

impl Gram {
    fn new(kernel: &KernelOn, points: &[Point]) -> Self {
        let mut values = Vec::with_capacity(points.len() * points.len());
        for x in points {
            values.extend(points.iter().map(|z| kernel.value(x, z) as f64 * STEP));
        }
        Self {
            count: points.len(),
            values,
        }
    }

    /// The largest `K(z_t, z_t)`.
    fn largest(&self) -> f64 {
        let diagonal = self.values.iter().step_by(self.count + 1);
        diagonal.copied().fold(0.0, f64::max)
    }

    /// `K a`: the predictions.
    fn times(&self, a: &[f64]) -> Vec<f64> {
        let rows = self.values.chunks_exact(self.count);
        rows.map(|row| dot(row, a)).collect()
    }

    /// `|w|`.
    fn norm(&self, a: &[f64]) -> f64 {
        dot(a, &self.times(a)).max(0.0).sqrt()
    }

    /// Conjugate gradients for `|K a - y|^2 + mu |w|^2` as a function of `w`: half its gradient is the image of
    /// `(K + mu) a - y`, and the inner product of the images of `a` and `b` is `a . K b`. What lies outside the range of `K`
    /// has the image 0, and does no harm.
    fn ridge(&self, targets: &[f64], mu: f64, start: Vec<f64>) -> Vec<f64> {
        let mut a = start;
        let mut rest = targets.to_vec();
        add(&mut rest, -1.0, &self.times(&a));
        add(&mut rest, -mu, &a);
        let enough = LEFT * dot(targets, &self.times(targets));
        let mut of_rest = self.times(&rest);
        let mut squared = dot(&rest, &of_rest);
        let (mut direction, mut of_direction) = (rest.clone(), of_rest);
        // What is left outside the range of K stays, and the square is exact only up to this share of its length. To go on
        // from there would be to follow rounding errors.
        let share = f64::EPSILON * (self.count as f64).sqrt() * self.largest();
        for _ in 0..STEPS {
            if squared <= enough.max(share * dot(&rest, &rest)) {
                break;
            }
            let mut curved = of_direction.clone();
            add(&mut curved, mu, &direction);
            let step = squared / dot(&of_direction, &curved);
            add(&mut a, step, &direction);
            add(&mut rest, -step, &curved);
            of_rest = self.times(&rest);
            let next = dot(&rest, &of_rest);
            let turn = next / squared;
            squared = next;
            direction = sum(&rest, turn, &direction);
            of_direction = sum(&of_rest, turn, &of_direction);
        }
        a
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// `a += factor b`
fn add(a: &mut [f64], factor: f64, b: &[f64]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += factor * b);
}

/// `a + factor b`
fn sum(a: &[f64], factor: f64, b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + factor * b).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Domain;
    use crate::kernels::Kernel;
    use crate::number::Grid;
    use crate::number::rational::integer;

    fn on(points: &[i32], targets: &[f64], bound: f64) -> InSpan {
        let domain = Domain::new(Grid::new(0).unwrap(), 1, 3).unwrap();
        let kernel = Kernel::Linear.on(domain).unwrap();
        let points: Vec<Point> = points.iter().map(|x| Point::dense(&[*x])).collect();
        InSpan::nearest(&kernel, &points, targets, bound)
    }

    #[test]
    fn in_one_dimension_it_is_the_slope_within_the_bound() {
        // sum of x y over sum of x^2: (2 + 6)/(1 + 4).
        let slope = |model: &InSpan| model.prediction(&Point::dense(&[1]));
        let close = |found: f64, value: f64| assert!((found - value).abs() < 1e-9, "{found}");
        close(slope(&on(&[1, 2], &[2.0, 3.0], 9.0)), 1.6);
        close(slope(&on(&[1, 2, 2], &[2.0, 1.0, 5.0], 9.0)), 14.0 / 9.0);
        for bound in [1.5, 0.1, 1e-6] {
            let found = slope(&on(&[1, 2], &[2.0, 3.0], bound));
            assert!(found <= bound && found >= bound * 0.999_999_999, "{found}");
        }
        close(slope(&on(&[1, 2], &[0.0, 0.0], 1.0)), 0.0);
        // Predictions at 0 are 0, whatever the targets.
        close(slope(&on(&[0], &[5.0], 1.0)), 0.0);
        assert_eq!(on(&[3, 1], &[1.0, 1.0], 1.0).terms().count(), 2);
    }

    #[test]
    fn on_the_bound_the_gradient_points_along_the_vector() {
        let domain = Domain::new(Grid::new(4).unwrap(), 2, 16).unwrap();
        let points: Vec<Point> = (0..60)
            .map(|i| Point::dense(&[(i * 7) % 21 - 10, (i * 5) % 23 - 11]))
            .collect();
        for (squared_width, bound) in [(1, 0.01), (1, 4.0), (100, 0.5), (100, 30.0)] {
            let kernel = Kernel::Gaussian {
                squared_width: integer(squared_width),
            };
            let kernel = kernel.on(domain).unwrap();
            let targets: Vec<f64> = (0..60)
                .map(|i| f64::from((i * i * 37) % 201 - 100))
                .collect();
            let model = InSpan::nearest(&kernel, &points, &targets, bound);
            let (gram, alpha) = (Gram::new(&kernel, &points), &model.coefficients);
            let norm = gram.norm(alpha);
            assert!(norm <= bound * (1.0 + 1e-15) && norm >= bound * 0.999_999_999);
            // What is left of the targets is mu alpha, up to what no prediction sees.
            let mut left = targets.clone();
            add(&mut left, -1.0, &gram.times(alpha));
            let mu = dot(&left, &gram.times(alpha)) / (norm * norm);
            assert!(mu > 0.0, "{mu}");
            let whole = gram.norm(&left);
            add(&mut left, -mu, alpha);
            assert!(gram.norm(&left) <= 1e-6 * whole, "{squared_width} {bound}");
        }
    }

    #[test]
    fn what_no_model_can_fit_does_no_harm() {
        // In one dimension 59 of 60 directions of the targets are outside the span.
        let points: Vec<i32> = (0..60).map(|i| [1, 2, 3, -1, -2][i % 5]).collect();
        for seed in 0..20 {
            let target =
                |i: i32| f64::from((i * i * 37 + 101 * seed + i * seed * 13) % 201 - 100) / 7.0;
            let targets: Vec<f64> = (0..60).map(target).collect();
            let product = |(x, y): (&i32, &f64)| f64::from(*x) * y;
            let slope = points.iter().zip(&targets).map(product).sum::<f64>();
            let slope = slope / points.iter().map(|x| f64::from(x * x)).sum::<f64>();
            let found = on(&points, &targets, 1e6).prediction(&Point::dense(&[1]));
            assert!((found - slope).abs() < 1e-9, "{found} for {slope}");
        }
    }
}
