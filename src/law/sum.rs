//! The sum of two independent draws of named laws.
//!
//! Of two discrete Laplace laws, and of two geometric ones, in closed form (`spec/samplers.md`, `law.sum`). Of others by
//! convolution, the narrower law cut off where it is small and the rest enclosed.
//!
//! ```
//! use dp_assay::law::SumOfLaws;
//! use dp_assay::number::certify;
//!
//! let sum = SumOfLaws::new("discrete-laplace scale=2".parse()?, "discrete-gaussian variance=9".parse()?);
//! let zero = certify(30, |bits| sum.pmf(&0.into(), bits))?;
//! assert!(zero.to_decimals(4) == ("0.1035".to_owned(), "0.1036".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::consecutive::{probabilities, reach};
use super::named::NamedLaw;
use crate::number::enclosure::UNDERFLOW;
use crate::number::{Dyadic, Enclosure, NumberError, Rational};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::fmt;

/// The bits that sums of at most `2^20` terms may lose.
const GUARD: u32 = 32;

/// So far from the middle the profile is searched, as a power of two.
const FARTHEST: u32 = 64;

/// The bits by which a sign is looked for first.
const ROUGH: u32 = 64;

/// The law of `X + Y` for independent `X` and `Y`.
#[derive(Debug, Clone)]
pub struct SumOfLaws {
    laws: [NamedLaw; 2],
}

impl fmt::Display for SumOfLaws {
    /// The two laws with ` + ` between them.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.laws;
        write!(formatter, "{first} + {second}")
    }
}

/// Which of two cumulated probabilities.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    AtMost,
    AtLeast,
}

impl SumOfLaws {
    /// The law of the sum of two independent draws.
    #[must_use]
    pub fn new(first: NamedLaw, second: NamedLaw) -> Self {
        Self {
            laws: [first, second],
        }
    }

    /// The two laws.
    #[must_use]
    pub fn laws(&self) -> &[NamedLaw; 2] {
        &self.laws
    }

    /// Whether the probabilities have a closed form here: two discrete Laplace laws, or two geometric ones.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.rates().is_some()
    }

    /// About how many probabilities a convolution adds up at this precision; 0 where there is a closed form.
    #[must_use]
    pub fn terms(&self, bits: u32) -> BigInt {
        match self.is_closed() {
            true => BigInt::zero(),
            false => reach(self.narrow_first(bits)[0], bits) * 2u32,
        }
    }

    /// Whether `k` and `-k` are equally likely: here, whether both laws are symmetric.
    #[must_use]
    pub fn is_symmetric(&self) -> bool {
        self.laws.iter().all(NamedLaw::is_symmetric)
    }

    /// The mean: the sum of the means.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn mean(&self, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(self.laws[0].mean(bits)? + self.laws[1].mean(bits)?)
    }

    /// The variance: the sum of the variances.
    ///
    /// # Errors
    /// Those of the real functions.
    pub fn variance(&self, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(self.laws[0].variance(bits)? + self.laws[1].variance(bits)?)
    }

    /// `Pr[X + Y = k]`.
    ///
    /// # Errors
    /// [`NumberError::TooManyTerms`] where both laws are wide and there is no closed form; those of the real functions.
    pub fn pmf(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        match self.rates() {
            Some(rates) => rates.pmf(k, bits),
            None => self.convolved(k, bits),
        }
    }

    /// `Pr[X + Y <= k]`.
    ///
    /// # Errors
    /// Those of [`Self::pmf`].
    pub fn cdf(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        match self.rates() {
            Some(rates) if self.is_symmetric() => rates.upper_tail(&-k, bits),
            Some(rates) => rates.geometric_cdf(k, bits),
            None => self.cumulated(k, Side::AtMost, bits),
        }
    }

    /// `Pr[X + Y >= k]`.
    ///
    /// # Errors
    /// Those of [`Self::pmf`].
    pub fn upper_tail(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        match self.rates() {
            Some(rates) => rates.upper_tail(k, bits),
            None => self.cumulated(k, Side::AtLeast, bits),
        }
    }

    /// The laws, the one that is narrower first.
    fn narrow_first(&self, bits: u32) -> [&NamedLaw; 2] {
        let [first, second] = &self.laws;
        if reach(first, bits) <= reach(second, bits) {
            [first, second]
        } else {
            [second, first]
        }
    }

    /// The probabilities of the narrower law where it is not small, from which integer on, and the rest.
    fn cut(law: &NamedLaw, bits: u32) -> Result<(BigInt, Vec<Enclosure>, Enclosure), NumberError> {
        let to = reach(law, bits);
        let from = if law.is_symmetric() {
            -&to
        } else {
            BigInt::zero()
        };
        let masses = probabilities(law, &from, &to, bits)?;
        let beyond = law.upper_tail(&(to + 1), bits)?;
        let beyond = if law.is_symmetric() {
            beyond.shifted(1)
        } else {
            beyond
        };
        Ok((from, masses, beyond))
    }

    /// `sum over j of Pr[X = j] Pr[Y = k - j]`.
    fn convolved(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        let working = bits + GUARD;
        let [narrow, wide] = self.narrow_first(working);
        let (from, masses, beyond) = Self::cut(narrow, working)?;
        let to = &from + (masses.len() - 1);
        let others = probabilities(wide, &(k - to), &(k - &from), working)?;
        let zero = Enclosure::integer(0, working);
        let pairs = masses.iter().zip(others.iter().rev());
        let sum = pairs.fold(zero, |sum, (p, q)| sum + p * q);
        Ok(raised(&sum, &beyond).with_bits(bits))
    }

    /// `sum over j of Pr[X = j] Pr[Y <= k - j]`, or `>=`, each of the latter from the one before.
    fn cumulated(&self, k: &BigInt, side: Side, bits: u32) -> Result<Enclosure, NumberError> {
        let working = bits + GUARD;
        let [narrow, wide] = self.narrow_first(working);
        let (from, masses, beyond) = Self::cut(narrow, working)?;
        let to = &from + (masses.len() - 1);
        let (lowest, highest) = (k - to, k - &from);
        let mut others = probabilities(wide, &lowest, &highest, working)?;
        let mut masses = masses;
        // The smallest one first, then each greater one by one more term.
        let mut cumulated = match side {
            Side::AtMost => {
                masses.reverse();
                wide.cdf(&(&lowest - 1), working)?
            }
            Side::AtLeast => {
                others.reverse();
                wide.upper_tail(&(&highest + 1), working)?
            }
        };
        let mut sum = Enclosure::integer(0, working);
        for (p, q) in masses.iter().zip(&others) {
            cumulated = cumulated + q;
            sum = sum + p * &cumulated;
        }
        Ok(raised(&sum, &beyond).with_bits(bits))
    }

    /// The privacy profile `delta(epsilon)` of the sum as additive noise at the shift `D`, for `epsilon >= 0`, as in
    /// [`law`](crate::law); `None` unless both laws are symmetric.
    ///
    /// The three laws are log-concave, and so is a convolution of such (Keilson, Gerber 1971): `Pr[k]/Pr[k - D]` falls with `k` for
    /// `D > 0`, and the supremum is attained by the integers up to some `t`: `Pr[up to t] - e^epsilon Pr[up to t - D]`. `t` is found
    /// by bisection with certified comparisons; where one is not decided, what it can add is enclosed. A discrete Laplace law among the two, of
    /// scale `s`, bounds the loss by `D/s`: from there on the profile is 0, exactly.
    #[must_use]
    pub fn profile(
        &self,
        shift: &BigInt,
        epsilon: &Rational,
        bits: u32,
    ) -> Option<Result<Enclosure, NumberError>> {
        self.is_symmetric()
            .then(|| self.symmetric_profile(&shift.abs(), epsilon, bits))
    }

    fn symmetric_profile(
        &self,
        shift: &BigInt,
        epsilon: &Rational,
        bits: u32,
    ) -> Result<Enclosure, NumberError> {
        let zero = Enclosure::integer(0, bits);
        let is_bounded = self.laws.iter().any(|law| match law {
            NamedLaw::DiscreteLaplace(law) => {
                Rational::from_integer(shift.clone()) <= epsilon * law.scale()
            }
            _ => false,
        });
        if is_bounded || shift.is_zero() {
            return Ok(zero);
        }
        let working = bits + GUARD;
        let factor = Enclosure::exp_of(epsilon, working)?;
        let gain_to = |k: &BigInt, bits: u32| -> Result<Enclosure, NumberError> {
            Ok(self.pmf(k, bits)? - &factor * self.pmf(&(k - shift), bits)?)
        };
        // Its sign by few bits, where they suffice; and more bits only where the noise is not below what any would tell from 0.
        let gain = |k: &BigInt| -> Result<Enclosure, NumberError> {
            let rough = gain_to(k, ROUGH)?;
            let is_decided = !rough.hi().is_positive() || rough.lo().is_positive();
            match is_decided || rough.hi().magnitude() < UNDERFLOW {
                true => Ok(rough),
                false => gain_to(k, working),
            }
        };
        // 1. From the middle on the shifted noise is at least as likely. Below it, find where the gain is surely positive.
        let middle = (shift + 1u32) / 2u32;
        let mut none = middle.clone();
        let mut some = None;
        let mut distance = BigInt::from(1);
        while distance.bits() <= u64::from(FARTHEST) {
            let k = &middle - &distance;
            let at = gain(&k)?;
            if at.lo().is_positive() {
                some = Some(k);
                break;
            }
            if at.hi().is_positive() {
                break;
            }
            none = k;
            distance <<= 1;
        }
        let farthest = some.clone().unwrap_or_else(|| &middle - &distance);
        // 2. The last integer where it surely is, and the first where it surely is not.
        if let Some(last) = &mut some {
            let mut beyond = none.clone();
            while &beyond - &*last > BigInt::from(1) {
                let between = (&beyond + &*last) >> 1;
                if gain(&between)?.lo().is_positive() {
                    *last = between;
                } else {
                    beyond = between;
                }
            }
        }
        let mut before = some.clone().unwrap_or(farthest);
        while &none - &before > BigInt::from(1) {
            let between = (&none + &before) >> 1;
            if gain(&between)?.hi().is_positive() {
                before = between;
            } else {
                none = between;
            }
        }
        // 3. The gain up to the last, and what those in between may add.
        let up_to = |t: &BigInt| self.upper_tail(&-t, working);
        let (certain, open) = match &some {
            Some(last) => (
                up_to(last)? - &factor * up_to(&(last - shift))?,
                &none - last - 1,
            ),
            None => (zero.clone(), BigInt::from(FEW + 1)),
        };
        let mut extra = Enclosure::integer(0, working);
        if open > BigInt::from(FEW) {
            extra = up_to(&(&none - 1))?;
            extra = Enclosure::new(&Dyadic::zero(), extra.hi(), working);
        } else if let Some(last) = &some {
            let mut k = last + 1u32;
            while k < none {
                extra = extra + gain_to(&k, working)?.max(&zero);
                k += 1;
            }
        }
        Ok((certain.max(&zero) + extra).with_bits(bits))
    }

    /// The rates `a <= b` of a closed form.
    fn rates(&self) -> Option<Rates> {
        let (is_two_sided, first, second) = match &self.laws {
            [
                NamedLaw::DiscreteLaplace(first),
                NamedLaw::DiscreteLaplace(second),
            ] => (true, first.scale().recip(), second.scale().recip()),
            [NamedLaw::Geometric(first), NamedLaw::Geometric(second)] => {
                (false, first.rate().clone(), second.rate().clone())
            }
            _ => return None,
        };
        let [a, b] = if first <= second {
            [first, second]
        } else {
            [second, first]
        };
        Some(Rates { a, b, is_two_sided })
    }
}

/// So many undecided integers are looked at one by one.
const FEW: u32 = 16;

/// The sum with what is left out, at most `beyond`.
fn raised(sum: &Enclosure, beyond: &Enclosure) -> Enclosure {
    Enclosure::new(sum.lo(), &(sum.hi() + beyond.hi()), sum.bits())
}

/// Two laws of geometric tails, `p = e^-a`, `q = e^-b`, `0 < a <= b`.
struct Rates {
    a: Rational,
    b: Rational,
    /// Discrete Laplace, or geometric.
    is_two_sided: bool,
}

impl Rates {
    /// `e^(-rate n)`
    fn power(rate: &Rational, n: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        Enclosure::exp_of(&(-rate * n), bits)
    }

    /// `1 - e^-x`, without cancellation.
    fn miss(x: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
        Ok(-Enclosure::of(&-x, bits).exp_minus_one()?)
    }

    /// `h(n) = sum over 0 <= j <= n of p^j q^(n-j)`: `(p^(n+1) - q^(n+1))/(p - q)`, which is `p^n (1 - (q/p)^(n+1))/(1 - q/p)`,
    /// and `(n + 1) p^n` where `p = q`.
    fn mixed(&self, n: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        let power = Self::power(&self.a, n, bits)?;
        let apart = &self.b - &self.a;
        let terms = n + 1u32;
        if apart.is_zero() {
            return Ok(power * Enclosure::integer(terms, bits));
        }
        let sum = Self::miss(&(&apart * terms), bits)?.divided_by(&Self::miss(&apart, bits)?)?;
        Ok(power * sum)
    }

    /// `(1 - p)/(1 + p) (1 - q)/(1 + q)` or `(1 - p)(1 - q)`.
    fn normaliser(&self, bits: u32) -> Result<Enclosure, NumberError> {
        let product = Self::miss(&self.a, bits)? * Self::miss(&self.b, bits)?;
        if !self.is_two_sided {
            return Ok(product);
        }
        let one = Enclosure::integer(1, bits);
        let plus = |rate: &Rational| -> Result<Enclosure, NumberError> {
            Ok(&one + Self::power(rate, &1.into(), bits)?)
        };
        product.divided_by(&(plus(&self.a)? * plus(&self.b)?))
    }

    /// `p q / (1 - p q)`: what the terms on either side of 0 and k add to.
    fn outside(&self, bits: u32) -> Result<Enclosure, NumberError> {
        let both = &self.a + &self.b;
        Enclosure::exp_of(&-&both, bits)?.divided_by(&Self::miss(&both, bits)?)
    }

    /// Two-sided, with `n = |k|`: `C ((p^n + q^n) p q/(1 - p q) + h(n))`. One-sided: `C h(k)`.
    fn pmf(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        let working = bits + GUARD;
        if k.is_negative() && !self.is_two_sided {
            return Ok(Enclosure::integer(0, bits));
        }
        let n = k.abs();
        let mut sum = self.mixed(&n, working)?;
        if self.is_two_sided {
            let powers = Self::power(&self.a, &n, working)? + Self::power(&self.b, &n, working)?;
            sum = sum + powers * self.outside(working)?;
        }
        Ok((self.normaliser(working)? * sum).with_bits(bits))
    }

    /// The sum of [`Self::pmf`] from `k` on. For `n = k >= 0` the sum of `h` is
    /// `(h(n) (1 - q) + q^(n+1))/((1 - p)(1 - q))`, and that of `p^n` is `p^n/(1 - p)`.
    fn upper_tail(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        let working = bits + GUARD;
        if !k.is_positive() {
            return if self.is_two_sided {
                Ok(self.upper_tail(&(1 - k), bits)?.complement())
            } else {
                Ok(Enclosure::integer(1, bits))
            };
        }
        let [of_p, of_q] = [&self.a, &self.b].map(|rate| Self::miss(rate, working));
        let (of_p, of_q) = (of_p?, of_q?);
        let [p_n, q_n] = [&self.a, &self.b].map(|rate| Self::power(rate, k, working));
        let (p_n, q_n) = (p_n?, q_n?);
        let next = &q_n * Self::power(&self.b, &1.into(), working)?;
        let between = self.mixed(k, working)? * &of_q + next;
        let mut sum = between.divided_by(&(&of_p * &of_q))?;
        if self.is_two_sided {
            let powers = p_n.divided_by(&of_p)? + q_n.divided_by(&of_q)?;
            sum = sum + powers * self.outside(working)?;
        }
        Ok((self.normaliser(working)? * sum).with_bits(bits))
    }

    /// `1 - Pr[X + Y >= k + 1]` of two geometric laws, with as many bits more as the difference may lose.
    fn geometric_cdf(&self, k: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
        if k.is_negative() {
            return Ok(Enclosure::integer(0, bits));
        }
        // It is at least (1 - p)(1 - q), and 1 - e^-x >= x/2 for x <= 1.
        let small = |rate: &Rational| {
            let bits = rate.denom().bits().saturating_sub(rate.numer().bits());
            u32::try_from(bits + 2).unwrap_or(u32::MAX)
        };
        let more = small(&self.a).saturating_add(small(&self.b));
        let tail = self.upper_tail(&(k + 1u32), bits.saturating_add(more))?;
        Ok(tail.complement().with_bits(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::certify;
    use crate::number::rational::{integer, ratio};
    use proptest::prelude::*;

    fn sum(first: &str, second: &str) -> SumOfLaws {
        SumOfLaws::new(first.parse().unwrap(), second.parse().unwrap())
    }

    #[test]
    fn it_is_written_as_its_laws_and_knows_its_kind() {
        let two = sum("discrete-laplace scale=2", "geometric rate=1/2");
        assert_eq!(
            two.to_string(),
            "discrete-laplace scale=2 + geometric rate=1/2"
        );
        assert!(!two.is_closed() && !two.is_symmetric());
        assert!(two.profile(&1.into(), &integer(1), 64).is_none());
        assert!(sum("geometric rate=1", "geometric rate=2").is_closed());
        assert!(two.laws()[1].to_string().starts_with("geometric"));
    }

    #[test]
    fn far_out_every_digit_is_there() {
        for (law, far) in [
            (
                sum("discrete-laplace scale=1e6", "discrete-laplace scale=1e6"),
                100_000_000,
            ),
            (
                sum("discrete-laplace scale=2", "discrete-gaussian variance=9"),
                200,
            ),
            (
                sum(
                    "discrete-gaussian variance=4",
                    "discrete-gaussian variance=9",
                ),
                90,
            ),
        ] {
            let far = BigInt::from(far);
            let [a, b] = [&far, &-&far].map(|k| certify(30, |bits| law.pmf(k, bits)).unwrap());
            assert!(a.meets(&b), "{law}");
            let next = &far + 1u32;
            let tail = |k: &BigInt| certify(60, |bits| law.upper_tail(k, bits)).unwrap();
            assert!((tail(&far) - tail(&next)).meets(&a), "{law}");
            let below = certify(30, |bits| law.cdf(&-far.clone(), bits)).unwrap();
            assert!(below.meets(&tail(&far)), "{law}");
        }
    }

    #[test]
    fn two_slow_geometric_laws_have_a_small_cdf() {
        let law = sum("geometric rate=1e-30", "geometric rate=1e-30");
        let found = law.cdf(&0.into(), 64).unwrap();
        assert!(found.has_digits(15) && found.meets(&law.pmf(&0.into(), 64).unwrap()));
        assert!(law.cdf(&(-1).into(), 64).unwrap().hi().is_zero());
        assert!(
            law.upper_tail(&(-1).into(), 64)
                .unwrap()
                .contains(&integer(1))
        );
    }

    #[test]
    fn two_wide_laws_without_a_closed_form_are_refused() {
        let law = sum(
            "discrete-gaussian variance=1e20",
            "discrete-laplace scale=1e9",
        );
        let refused = law.pmf(&0.into(), 64).unwrap_err();
        assert!(matches!(refused, NumberError::TooManyTerms { .. }));
        // A narrow one beside a wide one is no trouble.
        let law = sum(
            "discrete-gaussian variance=1e20",
            "discrete-laplace scale=3",
        );
        assert!(certify(30, |bits| law.upper_tail(&7.into(), bits)).is_ok());
    }

    #[test]
    fn the_profile_ends_at_the_loss_of_the_wider_laplace() {
        let law = sum("discrete-laplace scale=2", "discrete-laplace scale=5");
        let at = |epsilon| law.profile(&1.into(), &epsilon, 128).unwrap().unwrap();
        assert!(at(ratio(1, 5)).hi().is_zero());
        assert!(at(ratio(199, 1000)).lo().is_positive());
        let wide = sum("discrete-laplace scale=1e6", "discrete-laplace scale=1e6");
        let found = certify(30, |bits| {
            wide.profile(&1000.into(), &ratio(1, 10_000), bits).unwrap()
        });
        assert!(found.unwrap().lo().is_positive());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn the_cumulated_probabilities_rise_by_the_probabilities(a in 1i64..40, b in 1i64..40, k in -30i64..30, kind in 0usize..3) {
            let (a, b) = (ratio(a, 9), ratio(b, 7));
            let law = match kind {
                0 => sum(&format!("discrete-laplace scale={a}"), &format!("discrete-laplace scale={b}")),
                1 => sum(&format!("geometric rate={a}"), &format!("geometric rate={b}")),
                _ => sum(&format!("discrete-gaussian variance={a}"), &format!("geometric rate={b}")),
            };
            let at = |k: i64| law.cdf(&k.into(), 128).unwrap();
            let step = at(k) - at(k - 1);
            let pmf = law.pmf(&k.into(), 128).unwrap();
            prop_assert!((step - pmf).abs().hi().magnitude() < -110);
            let rest = law.upper_tail(&(k + 1).into(), 128).unwrap();
            prop_assert!((at(k) + rest - Enclosure::integer(1, 128)).abs().hi().magnitude() < -110);
        }
    }
}
