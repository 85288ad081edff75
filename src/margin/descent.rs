//! Phased stochastic gradient descent on the smoothed hinge loss: a round of Algorithm 4, without its noise, in integers.
//!
//! Bassily, Guzman, Menart 2021, Algorithm 2, on Feldman, Koren, Talwar 2020, Algorithm 2. The ball of hypotheses and that
//! of points are scaled to 1: what is minimised is the mean of `max(0, 1 - <u, z>/tau)` over points `z` with `|z| <= 1`
//! (each `y x`) and hypotheses `|u| <= 1`, for the relative margin `tau = 1/q`. Its gradients have norm at most `q`.
//!
//! Phase `i` takes `n/2^i` points that no other phase takes, with steps of length at most `h/4^i`, and ends with the mean
//! of the hypotheses at which it took gradients. The loss is smoothed (Moreau, with the parameter `B = 8 q/h`), so that no
//! step drives two hypotheses apart: below the margin its gradient at `u` is `-min(q, B (tau - <u, z>)/|z|^2) z`. In
//! integers a step has one quotient ([`Phase::coefficient`]).
//!
//! Every step is exact, but for two roundings: that of the quotient, and that of a hypothesis that is moved back into the
//! ball. What they may part two runs by is in [`Phase::sensitivity`].

use super::error::MarginError;
use crate::number::range::{above_zero, above_zero_at_most_one, require};
use crate::number::{Rational, rational};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The phases of a round on points of one norm, all of them public.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phases {
    dimension: usize,
    phases: Vec<Phase>,
}

/// One phase, in integers: hypotheses are in steps of `2^-bits`, points in steps of `1/radius`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    samples: u64,
    bits: u32,
    radius: u64,
    // log2 of the slope of the coefficient in <u, z>/|z|^2: 3 - 2 i.
    slope: i32,
    steepest: i128,
    kink: i128,
    rounding: i128,
}

impl Phase {
    /// The descent from `start`, in the ball: the sum of the hypotheses at which a gradient was taken, `start` among them
    /// and the last not.
    ///
    /// A function of these points alone. Two runs that differ in a point that is taken `j` times differ by at most
    /// `j` [`Phase::sensitivity`].
    #[must_use]
    pub fn sum<'a>(&self, start: Vec<i128>, points: impl Iterator<Item = &'a [i64]>) -> Vec<i128> {
        self.sum_with(start, points, |product, norm_squared| {
            self.coefficient(product, norm_squared)
        })
    }

    /// The same with another rule for how much of a point is added: for the loss as it is, without smoothing.
    pub fn sum_with<'a>(
        &self,
        start: Vec<i128>,
        points: impl Iterator<Item = &'a [i64]>,
        coefficient: impl Fn(i128, u128) -> i128,
    ) -> Vec<i128> {
        let mut u = start;
        let mut norm = squared_norm(&u);
        let mut sum = vec![0i128; u.len()];
        for z in points {
            for (sum, u) in sum.iter_mut().zip(&u) {
                *sum += u;
            }
            // <u, z> and |z|^2.
            let (product, norm_squared) = product_and_norm(&u, z);
            // u <- u + c z
            let c = coefficient(product, norm_squared);
            if c == 0 {
                continue;
            }
            for (u, &z) in u.iter_mut().zip(z) {
                *u += c * i128::from(z);
            }
            // |u + c z|^2 = |u|^2 + 2 c <u, z> + c^2 |z|^2, and back into the ball at every step.
            norm += BigInt::from(c) * (BigInt::from(2) * product + BigInt::from(c) * norm_squared);
            if shrink(&mut u, &norm, self.bits) {
                norm = squared_norm(&u);
            }
        }
        sum
    }

    /// How much of the point `z` a step adds, given `<u, z>` and `|z|^2`: minus the slope of the smoothed loss, times the
    /// length of a step. 0 from the margin on, and for a point that is 0.
    ///
    /// `min(C, 2^(3 - 2i) (kink - <u, z>) / |z|^2)`, rounded down: it falls by at most `2/|z|^2` a unit of `<u, z>`,
    /// so that adding it does not drive two hypotheses apart.
    #[must_use]
    pub fn coefficient(&self, product: i128, norm_squared: u128) -> i128 {
        if norm_squared == 0 || product >= self.kink {
            return 0;
        }
        let below = self.kink - product;
        let below = if self.slope >= 0 {
            below << self.slope
        } else {
            below >> -self.slope
        };
        // |z|^2 is at most 2^60.
        (below / norm_squared as i128).min(self.steepest)
    }

    /// The start of this phase: the mean of the phase before it, whose sum was released with noise, moved into the ball
    /// and rounded towards zero. What is public needs no privacy argument.
    #[must_use]
    pub fn start(&self, before: &Self, released: &[BigInt]) -> Vec<i128> {
        before.mean(released, self.bits)
    }

    /// The hypothesis that a round ends with: the mean of its last phase with noise, in the ball, in steps of `2^-bits`
    /// for up to 30 bits.
    #[must_use]
    pub fn hypothesis(&self, released: &[BigInt], bits: u32) -> Vec<i64> {
        let mean = self.mean(released, bits);
        mean.iter().map(|&u| u as i64).collect()
    }

    /// The mean of this phase, whose sum was released with noise, in the ball and in steps of `2^-bits`.
    fn mean(&self, released: &[BigInt], bits: u32) -> Vec<i128> {
        // The mean, in those steps, is 2^(bits - our bits) sum / n.
        let coarser = self.bits + self.samples.trailing_zeros();
        let scaled = |sum: &BigInt| -> BigInt {
            let magnitude = (sum.abs() << bits) >> coarser;
            if sum.is_negative() {
                -magnitude
            } else {
                magnitude
            }
        };
        into_ball(released.iter().map(scaled).collect(), bits)
    }

    /// The origin.
    #[must_use]
    pub fn origin(dimension: usize) -> Vec<i128> {
        vec![0; dimension]
    }
}

/// The most bits of a hypothesis and a point together: their products fit in 128 bits.
const MOST_BITS: u32 = 122;

/// The most bits of a hypothesis: before it is moved into the ball it may be twice as long, and [`squared_norm`] takes that.
const MOST_BITS_OF_HYPOTHESIS: u32 = 112;

/// The rounding of a step, times the points of the phase, is at most `2^-10` of what one use of a record moves.
const SHARE_OF_ROUNDING: u32 = 10;

impl Phases {
    /// The phases of a round of `2^log_samples` points (of which it takes one less) of norm at most `radius` steps, for
    /// the relative margin `tau` and steps of length `step/4`, `step/16`, ...
    ///
    /// # Errors
    /// [`MarginError::Parameter`] for a parameter outside its range; [`MarginError::Overflow`] if 128 bits are too few.
    pub fn new(
        dimension: usize,
        radius: u64,
        tau: &Rational,
        step: &Rational,
        log_samples: u32,
    ) -> Result<Self, MarginError> {
        let right = (1..=1 << 26).contains(&dimension);
        let expected = "at least 1 and at most 2^26";
        require(right, "the dimension", &dimension, expected)?;
        let right = (1..=1 << 30).contains(&radius);
        let expected = "at least 1 and at most 2^30";
        require(right, "the radius in steps of the grid", &radius, expected)?;
        above_zero_at_most_one("the margin over the norms", tau)?;
        above_zero("the step", step)?;
        require(*step <= rational::integer(4), "the step", step, "at most 4")?;
        let right = (1..=40).contains(&log_samples);
        let expected = "at least 2 and at most 2^40";
        require(
            right,
            "the samples of a round",
            &format!("2^{log_samples}"),
            expected,
        )?;
        let phase = |i| Phase::new(dimension, radius, tau, step, (i, log_samples));
        Ok(Self {
            dimension,
            phases: (1..=log_samples).map(phase).collect::<Result<_, _>>()?,
        })
    }

    /// The phases, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Phase> {
        self.phases.iter()
    }

    /// The dimension of points and hypotheses.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The points that a round takes: one less than a power of two.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.phases.iter().map(|phase| phase.samples).sum()
    }
}

impl Phase {
    /// Phase `i` of a round, on the coarsest grid on which rounding takes no more than its share.
    fn new(
        dimension: usize,
        radius: u64,
        tau: &Rational,
        step: &Rational,
        (i, log_samples): (u32, u32),
    ) -> Result<Self, MarginError> {
        let samples = 1u64 << (log_samples - i);
        // h/4^i in steps of 2^-bits, over the radius: so much of a point is added at most.
        let length = step / (BigInt::one() << (2 * i)) / BigInt::from(radius);
        let root = dimension.isqrt() as i128 + 1;
        let finest = MOST_BITS - (u64::BITS - radius.leading_zeros());
        // The sum of the hypotheses fits in 128 bits, too.
        let finest = finest
            .min(MOST_BITS_OF_HYPOTHESIS)
            .min(126 - (log_samples - i));
        for bits in 1..=finest {
            let one = BigInt::one() << bits;
            let steepest = (&length * &one).floor().to_integer();
            let kink = (tau * &one * BigInt::from(radius)).floor().to_integer();
            // Rounding the coefficient parts two runs by at most one point; shrinking moves each hypothesis by less than
            // sqrt(k) + 2.
            let rounding = i128::from(radius) + 2 * (root + 2);
            let most = (&steepest * radius) >> (SHARE_OF_ROUNDING - 1);
            if BigInt::from(rounding) * samples <= most {
                let (Some(steepest), Some(kink)) = (steepest.to_i128(), kink.to_i128()) else {
                    break;
                };
                return Ok(Self {
                    samples,
                    bits,
                    radius,
                    slope: 3 - 2 * i as i32,
                    steepest,
                    kink,
                    rounding,
                });
            }
        }
        Err(MarginError::Overflow {
            what: "a product in the descent",
        })
    }

    /// How many points it takes, `n/2^i`.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// `log2` of the steps of a hypothesis of norm 1.
    #[must_use]
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// The product from which on the loss is 0.
    pub fn kink(&self) -> i128 {
        self.kink
    }

    /// The largest coefficient.
    pub fn steepest(&self) -> i128 {
        self.steepest
    }

    /// By how much the sum of the hypotheses of this phase moves, in steps, for each time that it reads the record that
    /// differs: `(n_i - 1) (2 h_i + rounding)`. If it never does, by nothing (ledger: `bms22.lem3_1.sens`).
    ///
    /// Of one point, by nothing at all; noise is drawn as of two.
    #[must_use]
    pub fn sensitivity(&self) -> BigInt {
        // Each use adds at most twice the longest step to the distance of two runs, and no other step adds anything, but
        // for the rounding of each. The hypotheses after the first may all have moved.
        let of_a_use = BigInt::from(2) * self.steepest * self.radius;
        (of_a_use + BigInt::from(self.rounding) * self.samples) * (self.samples - 1).max(1)
    }
}

/// `<u, z>` and `|z|^2`. No partial sum exceeds `|u| |z|` (Cauchy and Schwarz).
fn product_and_norm(u: &[i128], z: &[i64]) -> (i128, u128) {
    let mut product = 0i128;
    let mut norm_squared = 0u128;
    for (&u, &z) in u.iter().zip(z) {
        product += u * i128::from(z);
        norm_squared += u128::from(z.unsigned_abs()).pow(2);
    }
    (product, norm_squared)
}

/// `|u|^2`, for a vector of norm at most `2^113` in at most `2^26` dimensions.
fn squared_norm(u: &[i128]) -> BigInt {
    // u = high 2^50 + low: each of the sums is at most 2^126 (Cauchy and Schwarz).
    let (mut highs, mut middles, mut lows) = (0u128, 0u128, 0u128);
    for u in u {
        let magnitude = u.unsigned_abs();
        let (high, low) = (magnitude >> 50, magnitude & ((1 << 50) - 1));
        highs += high * high;
        middles += high * low;
        lows += low * low;
    }
    (BigInt::from(highs) << 100) + (BigInt::from(middles) << 51) + lows
}

/// Shrinks a vector of squared norm `norm` to the ball of radius `2^bits`, if it is longer: by one factor, each coordinate
/// towards zero. Whether it did.
fn shrink(u: &mut [i128], norm: &BigInt, bits: u32) -> bool {
    if *norm <= BigInt::one() << (2 * bits) {
        return false;
    }
    // The factor, in steps of 2^-128, rounded down; the norm is rounded up, and so above 2^bits.
    let longer = norm.sqrt() + 1;
    let factor: BigInt = (BigInt::one() << (bits + 128)) / longer;
    let factor = factor.to_u128().unwrap_or(u128::MAX);
    for u in u {
        let scaled = upper_half(u.unsigned_abs(), factor) as i128;
        *u = if *u < 0 { -scaled } else { scaled };
    }
    true
}

/// `a b / 2^128`, rounded down.
fn upper_half(a: u128, b: u128) -> u128 {
    let halves = |number: u128| (number >> 64, number & u128::from(u64::MAX));
    let ((a1, a0), (b1, b0)) = (halves(a), halves(b));
    let (carry, _) = halves(a0 * b0);
    let (upper, lower) = halves(a1 * b0 + carry);
    let (carry, _) = halves(a0 * b1 + lower);
    a1 * b1 + upper + carry
}

/// A vector of any length, moved into the ball of radius `2^bits`.
fn into_ball(vector: Vec<BigInt>, bits: u32) -> Vec<i128> {
    let norm: BigInt = vector.iter().map(|v| v.pow(2)).sum();
    let one = BigInt::one() << bits;
    let inside = norm <= one.pow(2);
    let longer = norm.sqrt() + 1;
    let scaled = |v: &BigInt| -> BigInt {
        if inside {
            v.clone()
        } else {
            // Division truncates towards zero.
            v * &one / &longer
        }
    };
    // Each is at most 2^bits.
    let fitting = |v: &BigInt| scaled(v).to_i128().unwrap_or(0);
    vector.iter().map(fitting).collect()
}

/// The slope of a smoothed loss by bisection, for any convex `f` with slopes of at most `lipschitz`: within
/// `lipschitz 2^-halvings` of `curvature (v - s)`, where `s` minimises `f(s) + (curvature/2) (s - v)^2`.
///
/// `f` is given by some subgradient at each point. Instead of [`Phase::coefficient`], which knows the minimum for the
/// hinge loss. Bassily, Guzman, Menart 2021, Algorithm 1.
///
/// # Errors
/// [`MarginError::Parameter`] unless `lipschitz` and `curvature` are above 0.
pub fn slope_by_bisection(
    subgradient: impl Fn(&Rational) -> Rational,
    lipschitz: &Rational,
    curvature: &Rational,
    v: &Rational,
    halvings: u32,
) -> Result<Rational, MarginError> {
    above_zero("the largest slope", lipschitz)?;
    above_zero("the curvature", curvature)?;
    // The minimum is where curvature (v - s) is a slope of f: no farther than this.
    let mut half = lipschitz / curvature;
    let mut middle = v.clone();
    for _ in 0..halvings {
        let rises = subgradient(&middle) + curvature * (&middle - v);
        half /= BigInt::from(2);
        if rises.is_positive() {
            middle -= &half;
        } else if rises.is_negative() {
            middle += &half;
        } else {
            half = Rational::zero();
        }
    }
    Ok(curvature * (v - middle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};
    use proptest::prelude::*;

    /// Rounds of eight points of norm at most 16 in three dimensions, at the margin 1/2, with the step 1.
    fn phases() -> Phases {
        Phases::new(3, 16, &ratio(1, 2), &integer(1), 3).unwrap()
    }

    #[test]
    fn phases_halve_their_points_and_quarter_their_steps() {
        let phases = phases();
        let samples: Vec<u64> = phases.iter().map(Phase::samples).collect();
        assert_eq!((samples, phases.samples()), (vec![4, 2, 1], 7));
        for (phase, quarter) in phases.iter().zip([4, 16, 64]) {
            let one = 1i128 << phase.bits;
            // h/4^i of a point of norm 16, and the margin of a product with it.
            let length = phase.steepest * 16 * quarter;
            assert!(length <= one && length + 16 * quarter > one);
            assert_eq!(phase.kink, 16 * one / 2);
            // The rounding is a small part of what one use moves.
            let later = (phase.samples - 1).max(1);
            let of_a_use = BigInt::from(2 * phase.steepest * 16) * later;
            let rounding = phase.sensitivity() - &of_a_use;
            assert!(rounding << SHARE_OF_ROUNDING <= of_a_use);
        }
    }

    #[test]
    fn the_sensitivity_by_hand() {
        // Of 4, 2 and 1 points in three dimensions: a step parts two runs by a point, 16, and by the shrinking of both,
        // 2 (isqrt(3) + 1 + 1 + 1), more.
        for (phase, later) in phases().iter().zip([3, 1, 1]) {
            assert_eq!(phase.rounding, 16 + 2 * 4);
            let of_points = 32 * phase.steepest + 24 * i128::from(phase.samples);
            assert_eq!(phase.sensitivity(), BigInt::from(of_points * later));
        }
    }

    #[test]
    fn a_step_is_the_slope_of_the_smoothed_loss() {
        let phase = &phases().phases[1];
        let (c, kink) = (phase.steepest, phase.kink);
        // Nothing from the margin on, nothing for a point that is 0, and the whole step far below.
        assert_eq!(phase.coefficient(kink, 256), 0);
        assert_eq!(phase.coefficient(0, 0), 0);
        assert_eq!(phase.coefficient(kink - 513 * c, 256), c);
        // In between (kink - product)/(2 |z|^2) in the second phase, and twice that in the first.
        assert_eq!(phase.coefficient(kink - 5 * 512, 256), 5);
        let first = &phases().phases[0];
        assert_eq!(first.coefficient(first.kink - 5 * 512, 256), 20);
    }

    #[test]
    fn the_sum_is_of_the_hypotheses_where_gradients_were_taken() {
        let phase = &phases().phases[0];
        let z: &[i64] = &[16, 0, 0];
        let step = phase.steepest * 16;
        let sum = |count| phase.sum(vec![0; 3], std::iter::repeat_n(z, count));
        assert_eq!(sum(1), [0, 0, 0]);
        assert_eq!(sum(2), [step, 0, 0]);
        // The third is at the margin, or just below it: 1/4 + 1/4 = 1/2.
        let third = sum(3)[0] - sum(2)[0];
        assert!(third <= 2 * step && third > step);
    }

    #[test]
    fn hypotheses_stay_in_the_ball() {
        let phase = &phases().phases[0];
        let one = 1i128 << phase.bits;
        // At the end of the ball, and pushed outwards.
        let start = vec![0, one, 0];
        let points: [&[i64]; 2] = [&[16, 0, 0], &[0, 0, 0]];
        let sum = phase.sum(start.clone(), points.into_iter());
        let second: Vec<i128> = sum.iter().zip(&start).map(|(sum, u)| sum - u).collect();
        let norm = squared_norm(&second);
        assert!(norm <= BigInt::from(one).pow(2));
        assert!(norm > BigInt::from(one - one / 1000).pow(2) && second[0] > 0);
    }

    #[test]
    fn what_was_released_is_read_in_the_steps_of_the_next_phase() {
        let phases = phases();
        let (before, next) = (&phases.phases[0], &phases.phases[1]);
        // The mean of four is (1/4, -1/8, 0).
        let one = BigInt::one() << before.bits;
        let released = [one.clone(), -&one / 2, BigInt::zero()];
        let quarter = 1i128 << (next.bits - 2);
        assert_eq!(next.start(before, &released), [quarter, -quarter / 2, 0]);
        // Far out it is moved into the ball: (4, -3, 0)/5.
        let far = BigInt::from(10).pow(60);
        let released = [&far * 4, &far * -3, BigInt::zero()];
        let found = next.start(before, &released);
        let fifth = (1i128 << next.bits) / 5;
        assert!((found[0] - 4 * fifth).abs() < 9 && (found[1] + 3 * fifth).abs() < 9);
        assert!(squared_norm(&found) <= BigInt::one() << (2 * next.bits));
        let hypothesis = before.hypothesis(&released, 30);
        assert!((hypothesis[0] - 858_993_459).abs() < 3, "{hypothesis:?}");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let new = |k, radius, tau: Rational, step: Rational, log| {
            Phases::new(k, radius, &tau, &step, log).map(|_| ())
        };
        let half = || ratio(1, 2);
        assert_eq!(new(1, 1 << 30, half(), half(), 10), Ok(()));
        for wrong in [
            new(0, 1, half(), half(), 1),
            new(1, 0, half(), half(), 1),
            new(1, (1 << 30) + 1, half(), half(), 1),
            new(1, 1, integer(2), half(), 1),
            new(1, 1, half(), integer(0), 1),
            new(1, 1, half(), integer(5), 1),
            new(1, 1, half(), half(), 0),
        ] {
            assert!(matches!(wrong, Err(MarginError::Parameter(_))), "{wrong:?}");
        }
        let fine = new(1, 1 << 30, half(), ratio(1, 1 << 30), 20);
        assert!(
            matches!(fine, Err(MarginError::Overflow { .. })),
            "{fine:?}"
        );
    }

    #[test]
    fn a_million_records_fit() {
        // The steps that the theorem takes for 2^P records, at noise of 100 times what a use moves in ten dimensions.
        for log_samples in [10, 16, 20] {
            let n = (1u64 << log_samples) as f64;
            let step = 2.0 / (n * (0.23 + 16.0 * 10.0 * 1e4 / n)).sqrt();
            let step = ratio((step * 2f64.powi(40)) as i64, 1 << 40);
            for radius in [1 << 10, 1 << 20] {
                let phases = Phases::new(10, radius, &ratio(1, 10), &step, log_samples);
                assert!(phases.is_ok(), "2^{log_samples} points, radius {radius}");
            }
        }
    }

    #[test]
    fn the_upper_half_is_that_of_the_product() {
        let numbers = [
            0,
            1,
            u64::MAX.into(),
            1 << 64,
            (1 << 64) + 3,
            u128::MAX / 3,
            u128::MAX,
        ];
        for (a, b) in numbers
            .iter()
            .flat_map(|a| numbers.iter().map(move |b| (*a, *b)))
        {
            let product: BigInt = (BigInt::from(a) * b) >> 128;
            assert_eq!(BigInt::from(upper_half(a, b)), product, "{a} {b}");
        }
    }

    #[test]
    fn bisection_comes_within_its_promise() {
        // f(s) = |s|, L = 1, curvature 4, v = 1/10: the minimum is at 0, where the slope is 4/10.
        let sign = |s: &Rational| integer(s.numer().signum());
        let slope = |halvings| {
            let found = slope_by_bisection(sign, &integer(1), &integer(4), &ratio(1, 10), halvings);
            found.unwrap()
        };
        for halvings in 0..12 {
            let error = (slope(halvings) - ratio(2, 5)).abs();
            assert!(error <= ratio(1, 1 << halvings), "{halvings}");
        }
        assert!(slope_by_bisection(sign, &integer(0), &integer(1), &integer(1), 1).is_err());
        assert!(slope_by_bisection(sign, &integer(1), &integer(0), &integer(1), 1).is_err());
    }

    proptest! {
        #[test]
        fn shrinking_is_inside_and_close(
            coordinates in prop::collection::vec(-(1i128 << 91)..1 << 91, 1..6), bits in 80u32..92
        ) {
            let norm = squared_norm(&coordinates);
            let plain: BigInt = coordinates.iter().map(|&u| BigInt::from(u).pow(2)).sum();
            prop_assert_eq!(&norm, &plain);
            let mut shrunk = coordinates.clone();
            let one = BigInt::one() << bits;
            if shrink(&mut shrunk, &norm, bits) {
                prop_assert!(norm > one.pow(2));
                prop_assert!(squared_norm(&shrunk) <= one.pow(2));
                // u * one / |u|, within a step or two.
                for (found, &u) in shrunk.iter().zip(&coordinates) {
                    let exact = BigInt::from(u) * &one / norm.sqrt();
                    let error = (BigInt::from(*found) - exact).abs();
                    prop_assert!(error <= BigInt::from(2), "{error}");
                }
            } else {
                prop_assert!(norm <= one.pow(2) && shrunk == coordinates);
            }
        }
    }
}
