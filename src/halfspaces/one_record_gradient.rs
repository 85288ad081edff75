//! One step of Noise-GD as one law: a hidden record, and noise around its gradient.

use crate::coins::{Coins, CoinsError, Divergence, GaussianShift, Law, Loss};
use crate::law::Noise;
use crate::number::{Enclosure, NumberError, Rational};
use crate::optimise::hinge::inner_product;
use crate::prepared::DrawnOften;
use crate::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use std::cmp::Ordering;
use std::sync::Arc;

/// The law of `n` times minus the gradient of the loss on a uniformly random record, in units of the slope, with
/// Gaussian noise on each coordinate. Which record it was is not part of the outcome: a mixture of `n` Gaussians.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OneRecordGradient {
    /// `y x_A` of each record.
    pub(super) points: Arc<Vec<Vec<i64>>>,
    /// Where the gradient is taken.
    pub(super) w: Vec<i64>,
    /// The inner product from which on a record has no loss.
    pub(super) kink: BigInt,
    /// The noise on each coordinate.
    pub(super) noise: DrawnOften<DiscreteGaussian>,
}

impl OneRecordGradient {
    /// Minus the gradient on a record, in units of the slope: its point below the kink, and 0 from there on.
    fn gradient(&self, record: usize) -> Option<&[i64]> {
        let point = &self.points[record];
        let active = BigInt::from(inner_product(&self.w, point)) < self.kink;
        active.then_some(point)
    }

    /// `n` times that.
    fn scaled_gradient(&self, record: usize) -> Vec<BigInt> {
        let n = self.points.len() as i64;
        // In a word, if it holds the product.
        let times_n = |&x: &i64| match x.checked_mul(n) {
            Some(product) => product.into(),
            None => BigInt::from(x) * n,
        };
        match self.gradient(record) {
            Some(point) => point.iter().map(times_n).collect(),
            None => vec![BigInt::zero(); self.w.len()],
        }
    }

    /// The one record of each law whose gradient is not among those of the other; `Ok(None)` if both have the same
    /// gradients, in whatever order.
    fn only_difference(&self, other: &Self) -> Result<Option<(usize, usize)>, &'static str> {
        if self.points.len() != other.points.len() || self.noise != other.noise {
            return Err("the number of records or the noise of a step depends on the data");
        }
        let differs = |place: &usize| self.gradient(*place) != other.gradient(*place);
        let places: Vec<usize> = (0..self.points.len()).filter(differs).collect();
        // Sorted by gradient, what both have is taken away.
        let sorted = |law: &Self| {
            let mut places = places.clone();
            places.sort_by(|&a, &b| law.gradient(a).cmp(&law.gradient(b)));
            places.into_iter().rev().collect::<Vec<_>>()
        };
        let (mut own, mut others) = (sorted(self), sorted(other));
        let (mut only_here, mut only_there) = (Vec::new(), Vec::new());
        while let (Some(&a), Some(&b)) = (own.last(), others.last()) {
            match self.gradient(a).cmp(&other.gradient(b)) {
                Ordering::Less => only_here.extend(own.pop()),
                Ordering::Greater => only_there.extend(others.pop()),
                Ordering::Equal => {
                    own.pop();
                    others.pop();
                }
            }
        }
        only_here.extend(own);
        only_there.extend(others);
        match (&only_here[..], &only_there[..]) {
            ([], []) => Ok(None),
            (&[a], &[b]) => Ok(Some((a, b))),
            _ => Err("more than one record of a step differs"),
        }
    }

    /// `ln(p/q)` from the terms of all records. The normaliser of the noise cancels.
    fn loss_by_sums(
        &self,
        other: &Self,
        outcome: &[BigInt],
        bits: u32,
    ) -> Result<Loss, NumberError> {
        let (own, others) = (
            self.log_of_sum(outcome, bits)?,
            other.log_of_sum(outcome, bits)?,
        );
        Ok(Loss::Enclosed(own - others))
    }

    /// The logarithm of the sum of `exp(-|y - n x|^2 / (2 variance))` over all records.
    fn log_of_sum(&self, outcome: &[BigInt], bits: u32) -> Result<Enclosure, NumberError> {
        let twice = self.noise.law().variance() * BigInt::from(2);
        let exponents: Vec<Rational> = (0..self.points.len())
            .map(|record| {
                let centre = self.scaled_gradient(record);
                let apart = outcome.iter().zip(centre).map(|(y, x)| y - x);
                Rational::from_integer(apart.map(|d: BigInt| &d * &d).sum()) / &twice
            })
            .collect();
        let least = exponents
            .iter()
            .min()
            .cloned()
            .unwrap_or_else(Rational::zero);
        let mut sum = Enclosure::integer(0, bits);
        for exponent in &exponents {
            sum = sum + Enclosure::exp_of(&(&least - exponent), bits)?;
        }
        Ok(sum.ln()? - Enclosure::of(&least, bits))
    }

    /// The squared distances of an outcome from the scaled gradients of all records; `None` beyond 128 bits.
    ///
    /// `|y - n x|^2 = |y|^2 - 2 n <y, x> + n^2 |x|^2`: points have norm at most 2^30.
    fn squared_distances(&self, outcome: &[BigInt]) -> Option<Vec<i128>> {
        let n = i128::try_from(self.points.len()).ok()?;
        let small = |y: &BigInt| y.to_i128().filter(|y| y.unsigned_abs() < 1 << 56);
        let y = outcome.iter().map(small).collect::<Option<Vec<_>>>()?;
        if !fits_128_bits(self.points.len(), y.len()) {
            return None;
        }
        let squared: i128 = y.iter().map(|y| y * y).sum();
        let distance = |record| match self.gradient(record) {
            None => squared,
            Some(x) => {
                let product: i128 = y.iter().zip(x).map(|(y, &x)| y * i128::from(x)).sum();
                let norm: i128 = x.iter().map(|&x| i128::from(x) * i128::from(x)).sum();
                squared - 2 * n * product + n * n * norm
            }
        };
        Some((0..self.points.len()).map(distance).collect())
    }

    /// `ln(p/q)` where only one record differs, given by its places, from four exponentials: with `f`, `f'` its terms and `S'` the sum of the
    /// second law's terms, `p/q = 1 + (f - f')/S'`. `S'` is at least its largest term and `n` times the geometric mean of
    /// its terms, and at most `n` times the largest.
    fn loss_by_bounds(
        &self,
        other: &Self,
        (here, there): (usize, usize),
        distances: [&[i128]; 2],
        bits: u32,
    ) -> Result<Loss, NumberError> {
        let [own, others] = distances;
        let n = BigInt::from(others.len());
        let nearest = others.iter().min().copied().unwrap_or(0);
        let sum: BigInt = others.iter().map(|d| BigInt::from(d - nearest)).sum();
        // Terms relative to the largest of the second law: exp(-(distance - nearest) / (2 variance)).
        let twice = other.noise.law().variance() * BigInt::from(2);
        let term = |excess: Rational| Enclosure::exp_of(&-(excess / &twice), bits);
        let f = term(Rational::from_integer((own[here] - nearest).into()))?;
        let g = term(Rational::from_integer((others[there] - nearest).into()))?;
        let mean = term(Rational::new(sum, n.clone()))?;
        let n = Enclosure::integer(n, bits);
        let least = Enclosure::integer(1, bits).max(&(&n * mean));
        // (S' - f' + f) / S' is monotone in S', and f' is one of the terms of S'.
        let none = Enclosure::integer(0, bits);
        let ratio = |s: &Enclosure| ((s - &g).max(&none) + &f).divided_by(s);
        let loss = ratio(&least)?.ln()?.hull(&ratio(&n)?.ln()?);
        Ok(Loss::Enclosed(loss))
    }
}

/// Whether the squared distances of so many records in so many coordinates do: `n^2 |x|^2 <= 2^108`, `|y|^2 < 2^124`, and
/// `2 n |y| |x| < 2^117`.
fn fits_128_bits(records: usize, dimension: usize) -> bool {
    records <= 1 << 24 && dimension <= 1 << 12
}

/// The squared distance of two gradients, and in how many coordinates they differ. Points have norm at most 2^30.
fn apart(one: Option<&[i64]>, other: Option<&[i64]>, dimension: usize) -> (i128, u64) {
    let at = |gradient: Option<&[i64]>, axis: usize| gradient.map_or(0, |x| i128::from(x[axis]));
    let gaps = (0..dimension).map(|axis| at(one, axis) - at(other, axis));
    gaps.fold((0, 0), |(squared, moved), gap| {
        (squared + gap * gap, moved + u64::from(gap != 0))
    })
}

/// Up to so many records their exponentials are summed.
const FEW: usize = 4;

impl Law for OneRecordGradient {
    type Outcome = Vec<BigInt>;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Vec<BigInt>, CoinsError> {
        // A uniform record; noise around n times its gradient.
        let record = coins.uniform_below(&self.points.len().into())?;
        let mut gradient = self.scaled_gradient(record.to_usize().unwrap_or(0));
        self.noise.add_to(&mut gradient, coins)?;
        Ok(gradient)
    }

    fn pmf(&self, outcome: &Vec<BigInt>, bits: u32) -> Result<Enclosure, NumberError> {
        let mut sum = Enclosure::integer(0, bits);
        for record in 0..self.points.len() {
            let around = self.noise.around_all(self.scaled_gradient(record));
            sum = sum + around.pmf(outcome, bits)?;
        }
        sum.divided_by(&Enclosure::integer(self.points.len(), bits))
    }

    fn loss(&self, other: &Self, outcome: &Vec<BigInt>, bits: u32) -> Result<Loss, NumberError> {
        let places = match self.only_difference(other) {
            Ok(None) => return Ok(Loss::none()),
            Ok(Some(places)) if self.points.len() > FEW => places,
            Ok(Some(_)) => return self.loss_by_sums(other, outcome, bits),
            Err(_) => {
                return Loss::of_probabilities(
                    &self.pmf(outcome, bits)?,
                    &other.pmf(outcome, bits)?,
                );
            }
        };
        match (
            self.squared_distances(outcome),
            other.squared_distances(outcome),
        ) {
            (Some(own), Some(others)) => self.loss_by_bounds(other, places, [&own, &others], bits),
            _ => self.loss_by_sums(other, outcome, bits),
        }
    }

    fn divergence(&self, other: &Self, _bits: u32) -> Result<Divergence, NumberError> {
        let (here, there) = match self.only_difference(other) {
            Ok(None) => return Ok(Divergence::None),
            Ok(Some(places)) => places,
            Err(why) => return Ok(Divergence::Unbounded(why)),
        };
        // Amplification by a hidden record compares the noise around the record that differs, on either side, with that
        // around every record that may be read: not only the two with each other.
        let mut gradients: Vec<Option<&[i64]>> = (0..self.points.len())
            .map(|place| self.gradient(place))
            .collect();
        gradients.push(other.gradient(there));
        let (mut squared, mut moved) = (0, 0);
        for differing in [self.gradient(here), other.gradient(there)] {
            for gradient in &gradients {
                let (distance, coordinates) = apart(differing, *gradient, self.w.len());
                squared = squared.max(distance);
                moved = moved.max(coordinates);
            }
        }
        let n = BigInt::from(self.points.len());
        Ok(Divergence::OneRecord {
            records: self.points.len() as u64,
            read: GaussianShift {
                squared: BigInt::from(squared) * &n * &n,
                moved,
                variance: self.noise.law().variance().clone(),
            },
        })
    }

    fn far_out<C: Coins>(
        &self,
        stretch: u32,
        coins: &mut C,
    ) -> Result<Option<Vec<BigInt>>, CoinsError> {
        let origin = vec![BigInt::zero(); self.w.len()];
        self.noise.around_all(origin).far_out(stretch, coins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Explorer, Layer};
    use crate::number::rational::{integer, ratio};
    use crate::prepared::WORTHWHILE;
    use num_traits::Signed;

    fn law(points: &[[i64; 2]], variance: Rational) -> OneRecordGradient {
        OneRecordGradient {
            points: Arc::new(points.iter().map(|point| point.to_vec()).collect()),
            w: vec![1, 0],
            kink: 2.into(),
            noise: DrawnOften::Plain(DiscreteGaussian::new(variance).unwrap()),
        }
    }

    #[test]
    fn the_sampler_has_the_law() {
        // The second record is past the kink.
        let plain = law(&[[1, 0], [3, 1], [-1, 1]], ratio(1, 3));
        let prepared = OneRecordGradient {
            noise: prepared(ratio(1, 3)),
            ..plain.clone()
        };
        assert_eq!(plain, prepared);
        the_explored_sampler_has_the_law(plain);
        the_explored_sampler_has_the_law(prepared);
    }

    /// Noise of which many draws are made.
    fn prepared(variance: Rational) -> DrawnOften<DiscreteGaussian> {
        let law = DiscreteGaussian::new(variance).unwrap();
        let noise = DrawnOften::new(law, WORTHWHILE).unwrap();
        assert!(matches!(noise, DrawnOften::Prepared(_)));
        noise
    }

    fn the_explored_sampler_has_the_law(law: OneRecordGradient) {
        let found = Explorer::new(Layer::Laws, 3000)
            .with_tail(ratio(1, 1 << 20))
            .explore(|coins| coins.draw(&law))
            .unwrap();
        assert!(found.undecided < ratio(1, 1000), "{}", found.undecided);
        assert!(found.disagreement(&law).unwrap().is_none());
        let twin = OneRecordGradient {
            kink: 4.into(),
            ..law
        };
        assert!(found.disagreement(&twin).unwrap().is_some());
    }

    #[test]
    fn steps_of_unlike_noise_or_of_other_numbers_of_records_are_not_bounded() {
        let points = [[1, 0], [0, 1], [1, 1]];
        let one = law(&points, integer(20));
        for other in [law(&points, integer(21)), law(&points[..2], integer(20))] {
            let found = one.divergence(&other, 64).unwrap();
            assert!(matches!(found, Divergence::Unbounded(_)), "{found:?}");
        }
        assert_eq!(one.divergence(&one, 64).unwrap(), Divergence::None);
    }

    #[test]
    fn a_step_is_the_sum_of_a_scaled_gradient_and_the_noise_of_the_same_coins() {
        // The second record is past the kink; n times the third is beyond 64 bits with the noise.
        let plain = law(&[[1, 0], [3, 1], [-1, i64::MAX / 2]], ratio(1 << 50, 3));
        let prepared = OneRecordGradient {
            noise: prepared(ratio(1 << 50, 3)),
            ..plain.clone()
        };
        for law in [plain, prepared] {
            let mut seen = [false; 3];
            for seed in 0..20 {
                let mut coins = [ChaCha::reproducible(seed, 0), ChaCha::reproducible(seed, 0)];
                let step = coins[0].draw(&law).unwrap();
                let record = coins[1].uniform_below(&3u32.into()).unwrap();
                let record = record.to_usize().unwrap();
                seen[record] = true;
                let point = [[1, 0], [0, 0], [-1, i64::MAX / 2]][record];
                let exact = point.map(|x| BigInt::from(x) * 3);
                let around = law.noise.around_all(exact);
                assert_eq!(step, coins[1].draw(&around).unwrap());
                assert_eq!(coins[0].consumed(), coins[1].consumed());
            }
            assert_eq!(seen, [true; 3]);
        }
    }

    #[test]
    fn the_loss_by_bounds_encloses_that_of_the_sums() {
        let many = [[1, 1], [-1, 2], [0, 1], [2, -3], [1, -1], [-2, -2]];
        let mut turned = many;
        turned[3] = [-2, 3];
        for variance in [1, 20, 1000] {
            let (first, second) = (
                law(&many, integer(variance)),
                law(&turned, integer(variance)),
            );
            let mut coins = ChaCha::reproducible(3, 0);
            for stretch in 0..20 {
                let outcome = match stretch {
                    0 => first.sample(&mut coins).unwrap(),
                    _ => first.far_out(stretch, &mut coins).unwrap().unwrap(),
                };
                let (p, q) = (first.pmf(&outcome, 200), second.pmf(&outcome, 200));
                let truth = p.unwrap().ln().unwrap() - q.unwrap().ln().unwrap();
                let Loss::Enclosed(loss) = first.loss(&second, &outcome, 64).unwrap() else {
                    panic!("not enclosed");
                };
                let (below, above) = (truth.lower(), truth.upper());
                assert!(
                    loss.lower() <= below && above <= loss.upper(),
                    "{loss} {truth}"
                );
                let Loss::Enclosed(summed) = first.loss_by_sums(&second, &outcome, 200).unwrap()
                else {
                    panic!("not enclosed");
                };
                assert!(summed.meets(&truth) && summed.width().magnitude() < -100);
                let distances = first.squared_distances(&outcome).unwrap();
                let plain = |record: usize| -> BigInt {
                    let centre = first.scaled_gradient(record);
                    let apart = outcome.iter().zip(centre).map(|(y, x)| y - x);
                    apart.map(|d: BigInt| &d * &d).sum()
                };
                for (record, distance) in distances.iter().enumerate() {
                    assert_eq!(plain(record), BigInt::from(*distance));
                }
            }
        }
    }

    /// One record of 100 moves by .9 sigma, and the others are far away: near it nothing is amplified. The exact delta at
    /// epsilon = 1 in one dimension, `sum over y of max(0, p - e p')`, is far above what amplification of that shift
    /// alone would give.
    #[test]
    fn a_record_far_from_the_others_is_not_amplified() {
        let line = |last: i64| OneRecordGradient {
            points: Arc::new(vec![vec![0]; 99].into_iter().chain([vec![last]]).collect()),
            w: vec![0],
            kink: 1.into(),
            noise: DrawnOften::Plain(DiscreteGaussian::new(integer(100 * 100)).unwrap()),
        };
        // Scaled by n = 100: centres 0, 1000 = 10 sigma, and 1100.
        let (first, second) = (line(10), line(11));
        let e = Enclosure::exp_of(&integer(1), 96).unwrap();
        let mut delta = Enclosure::integer(0, 96);
        for y in (500..1800).step_by(50) {
            let outcome = vec![BigInt::from(y)];
            let (p, q) = (
                second.pmf(&outcome, 96).unwrap(),
                first.pmf(&outcome, 96).unwrap(),
            );
            delta = delta + (p - &e * q).max(&Enclosure::integer(0, 96));
        }
        // Of every fiftieth outcome alone.
        assert!(delta.lower() > ratio(1, 1_000_000), "{delta}");
        let Divergence::OneRecord { read, .. } = first.divergence(&second, 64).unwrap() else {
            panic!("not one record");
        };
        // So it is the distance from the others that counts: 1100.
        assert_eq!(read.squared, 1_210_000.into());
    }

    #[test]
    fn one_record_that_differs_is_a_shift_if_it_is_read() {
        let first = law(&[[1, 0], [0, 1], [1, 1]], integer(50));
        let turned = law(&[[1, 0], [0, -1], [1, 1]], integer(50));
        let Divergence::OneRecord { records, read } = first.divergence(&turned, 64).unwrap() else {
            panic!("not one record");
        };
        // Farthest apart are three times (0, -1) and three times the other record (1, 1).
        assert_eq!((records, read.squared, read.moved), (3, 45.into(), 2));
        // In another order, and still one record.
        let moved = law(&[[1, 1], [0, -1], [1, 0]], integer(50));
        assert_eq!(
            first.divergence(&moved, 64).unwrap(),
            first.divergence(&turned, 64).unwrap()
        );
        let reversed = law(&[[1, 1], [0, 1], [1, 0]], integer(50));
        assert_eq!(first.divergence(&reversed, 64).unwrap(), Divergence::None);
        let beyond = law(&[[9, 0], [0, 1], [1, 1]], integer(50));
        let further = law(&[[8, 0], [0, 1], [1, 1]], integer(50));
        // Both are past the kink.
        assert_eq!(beyond.divergence(&further, 64).unwrap(), Divergence::None);
        let two = law(&[[1, 0], [0, -1], [0, 0]], integer(50));
        assert!(matches!(
            first.divergence(&two, 64).unwrap(),
            Divergence::Unbounded(_)
        ));
        assert!(
            first
                .loss(&turned, &vec![1.into(), 0.into()], 64)
                .unwrap()
                .magnitude()
                .unwrap()
                .is_positive()
        );
    }

    #[test]
    fn squared_distances_beyond_128_bits_are_not_computed_in_them() {
        assert!(fits_128_bits(1 << 24, 1 << 12));
        assert!(!fits_128_bits((1 << 24) + 1, 1) && !fits_128_bits(1, (1 << 12) + 1));
        let law = law(&[[1, 0], [0, 1]], integer(50));
        let limit = BigInt::from(1i64 << 56);
        assert!(law.squared_distances(&[&limit - 1, 1 - &limit]).is_some());
        assert!(law.squared_distances(&[limit.clone(), 0.into()]).is_none());
        assert!(law.squared_distances(&[0.into(), -limit]).is_none());
    }

    #[test]
    fn an_outcome_beyond_128_bits_has_a_loss_too() {
        let many = [[1, 0], [0, 1], [0, 0], [-1, 0], [0, -1]];
        let mut turned = many;
        turned[0] = [0, 0];
        let variance = integer(1i64 << 60).pow(2);
        let (first, second) = (law(&many, variance.clone()), law(&turned, variance));
        let outcome = vec![BigInt::from(1i64 << 60), BigInt::zero()];
        let loss = first.loss(&second, &outcome, 200).unwrap();
        let (p, q) = (first.pmf(&outcome, 200), second.pmf(&outcome, 200));
        let truth = p.unwrap().ln().unwrap() - q.unwrap().ln().unwrap();
        assert!(truth.lower().is_positive());
        assert!(matches!(loss, Loss::Enclosed(loss) if loss.meets(&truth)));
    }

    #[test]
    fn a_product_beyond_a_word_is_exact() {
        // 3 x, around the ends of the words.
        let third = i64::MAX / 3;
        for x in [third, third + 1, -third, -third - 1, -third - 2, i64::MIN] {
            let law = law(&[[x, 1], [0, 1], [0, 1]], integer(50));
            let law = OneRecordGradient {
                w: vec![0, 0],
                ..law
            };
            let exact = [i128::from(x) * 3, 3].map(BigInt::from);
            assert_eq!(law.scaled_gradient(0), exact, "{x}");
        }
    }

    #[test]
    fn a_record_at_the_kink_has_no_gradient() {
        let law = law(&[[2, 7], [1, 5], [3, 0]], integer(50));
        assert_eq!(law.gradient(0), None);
        assert_eq!(law.gradient(1), Some(&[1, 5][..]));
        assert_eq!(law.gradient(2), None);
        assert_eq!(law.scaled_gradient(1), [3, 15].map(BigInt::from));
        assert_eq!(law.scaled_gradient(2), [0, 0].map(BigInt::from));
    }
}
