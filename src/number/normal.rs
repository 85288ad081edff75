//! The standard normal distribution: its tails, its distribution function and the inverse of it.

use super::exponential::{Sign, exactly, exp_at, power_series};
use super::logarithm::ln_at;
use super::memo::Memo;
use super::root::sqrt_at;
use super::{Dyadic, Enclosure, NumberError};

/// Tails below `2^-(2^RANGE)` are not told from zero.
const RANGE: i64 = 22;

/// Quantiles are computed for tails of at least `2^-(2^QUANTILE_RANGE)`.
const QUANTILE_RANGE: i64 = 20;

thread_local! {
    static UPPER: Memo = Memo::new(upper_at);
}

impl Enclosure {
    /// The complementary error function, to nearly full relative accuracy also far in the tail.
    ///
    /// Where it is below `2^-(2^22)` the answer is `[0, 2^-(2^22)]`.
    #[must_use]
    pub fn erfc(&self) -> Self {
        // erfc(x) = P(|Z| > sqrt(2) x) for x >= 0
        self.monotone(|x| {
            let tails = two_tails(&(x * x).shifted(1), self.bits());
            if x.is_negative() {
                Self::integer(2, self.bits() + 4) - tails
            } else {
                tails
            }
        })
    }

    /// The probability that a standard normal variable is at most `self`, to nearly full relative
    /// accuracy also far in the lower tail.
    #[must_use]
    pub fn normal_cdf(&self) -> Self {
        UPPER.with(|known| self.monotone(|x| known.at(&-x, self.bits())))
    }

    /// The probability that a standard normal variable is at least `self`, to nearly full relative
    /// accuracy also far in the upper tail.
    #[must_use]
    pub fn normal_upper(&self) -> Self {
        UPPER.with(|known| self.monotone(|x| known.at(x, self.bits())))
    }

    /// The inverse of [`Enclosure::normal_cdf`], certified by evaluating that function on both sides.
    ///
    /// A probability close to one is to be given with as many bits as its distance from one needs.
    ///
    /// # Errors
    /// [`NumberError::OutOfDomain`] unless the whole enclosure is strictly between zero and one, by
    /// at least `2^-(2^20)`.
    pub fn normal_quantile(&self) -> Result<Self, NumberError> {
        let least = Dyadic::new(1, -(1 << QUANTILE_RANGE));
        let inside = *self.lo() >= least && &Dyadic::from(1) - self.hi() >= least;
        if !inside {
            return Err(self.outside(
                "normal_quantile",
                "the probability must be between 2^-(2^20) and 1 - 2^-(2^20)",
            ));
        }
        Ok(self.monotone(|p| quantile_at(p, self.bits())))
    }
}

/// `P(Z > x)` at one point.
fn upper_at(x: &Dyadic, bits: u32) -> Enclosure {
    let tail = two_tails(&(x * x), bits).shifted(-1);
    if x.is_negative() {
        tail.complement()
    } else {
        tail
    }
}

/// `P(|Z| > sqrt(s))` for a standard normal `Z` and `s >= 0`: every function here is this one, taken
/// at an exact `s` that is a square or twice a square.
///
/// It is at most `e^(-s/2) < 2^-(s/2)`, which is all we say for `s > 2^23`.
fn two_tails(s: &Dyadic, bits: u32) -> Enclosure {
    if *s > Dyadic::new(1, RANGE + 1) {
        return Enclosure::new(&Dyadic::zero(), &Dyadic::new(1, -(1 << RANGE)), bits);
    }
    // The asymptotic series is good for about s/2 log2(e) bits, and 7/5 > 2 ln(2).
    let value = if &Dyadic::from(5) * s > Dyadic::from(7 * (i64::from(bits) + 32)) {
        tails_far_out(s, bits + 24)
    } else {
        tails_by_complement(s, bits)
    };
    value.with_bits(bits + 4)
}

/// `1 - sqrt(2s/pi) e^(-s/2) (1 + s/3 + s^2/(3*5) + s^3/(3*5*7) + ...)`.
///
/// The series has positive terms only. What cancels is the subtraction from one, of
/// `s/2 log2(e) + log2(1 + s)` bits at most, which are computed in addition.
fn tails_by_complement(s: &Dyadic, bits: u32) -> Enclosure {
    let whole = u32::try_from(s.ceil()).unwrap_or(u32::MAX >> 2);
    let guarded = bits + (whole - whole / 4) + 2 * whole.max(bits).max(1).ilog2() + 32;
    let series = power_series(&exactly(s), guarded, Sign::Constant, |n| (1, 2 * n + 1));
    (density(s, guarded) * series).complement()
}

/// `sqrt(2/(pi s)) e^(-s/2) (1 - 1/s + 3/s^2 - 3*5/s^3 + ...)`, broken off at its smallest term at the
/// latest.
///
/// With `x = sqrt(s)` the tail is `2 phi(x)` times the integral of `e^(-xt) e^(-t^2/2)` over `t > 0`.
/// For `y >= 0` the number `e^-y` lies between any two successive partial sums of its Taylor series;
/// put `y = t^2/2` and integrate: term `n` becomes `(-1)^n (2n-1)!! / x^(2n+1)`, and the integral lies
/// between any two successive partial sums of these. The error is below the first omitted term,
/// although the series diverges.
fn tails_far_out(s: &Dyadic, bits: u32) -> Enclosure {
    let floor_unit = Dyadic::new(1, -i64::from(bits));
    let point = exactly(s).with_bits(bits);
    let mut term = Enclosure::integer(1, bits);
    let mut sum = term.clone();
    let mut factor = 1;
    loop {
        // Each term is the negated one before, times (2n - 1) / s.
        let next = -(term * Enclosure::integer(factor, bits)).over(&point);
        if next.abs().hi() <= &floor_unit || Dyadic::from(factor + 2) > *s {
            sum = sum.widened(next.abs().hi());
            break;
        }
        sum = sum + &next;
        term = next;
        factor += 2;
    }
    (density(s, bits) * sum).over(&point)
}

/// `sqrt(2s/pi) e^(-s/2)`.
fn density(s: &Dyadic, bits: u32) -> Enclosure {
    let squared = exactly(&s.shifted(1))
        .with_bits(bits)
        .over(&Enclosure::pi(bits));
    squared.monotone(|x| sqrt_at(x, bits)) * exp_at(&-s.shifted(-1), bits)
}

/// The `x` with `P(Z <= x) = p`, for `0 < p < 1`.
fn quantile_at(p: &Dyadic, bits: u32) -> Enclosure {
    let half = Dyadic::new(1, -1);
    if *p == half {
        Enclosure::integer(0, bits)
    } else if *p < half {
        -upper_quantile(p, bits)
    } else {
        upper_quantile(&(&Dyadic::from(1) - p), bits)
    }
}

/// The `x > 0` with `P(Z > x) = p`, for `0 < p < 1/2`.
///
/// Newton's method finds it, but only the tail at the two ends of a bracket certifies it: the tail
/// decreases, so that `x` is between `a` and `b` if `P(Z > a) >= p >= P(Z > b)`. An end that fails is
/// moved outward, the lower one until it is zero.
fn upper_quantile(p: &Dyadic, bits: u32) -> Enclosure {
    // Next to the median the tail differs from 1/2 by little: those bits are needed in addition.
    let to_median = (&Dyadic::new(1, -1) - p).magnitude();
    let extra = 16 + u32::try_from(-to_median).unwrap_or(0);
    let x = approximate_quantile(p, bits + 8, extra);
    let end = |towards: i64| {
        let mut radius = x.shifted(-i64::from(bits) - 4);
        loop {
            let at = if towards > 0 {
                &x + &radius
            } else {
                &x - &radius
            };
            if !at.is_positive() {
                return Dyadic::zero();
            }
            let tail = upper_at(&at, bits + extra);
            let beyond = if towards > 0 {
                tail.hi() <= p
            } else {
                tail.lo() >= p
            };
            if beyond {
                return at;
            }
            radius = radius.shifted(2);
        }
    };
    Enclosure::new(&end(-1), &end(1), bits + 4)
}

/// A positive number close to the `x` with `P(Z > x) = p`; nothing is certified about it.
///
/// `ln P(Z > x)` is concave and decreasing, so that Newton's method for it converges from the right
/// without ever stepping beyond the root, and quadratically; it is nearly a parabola, so that it
/// does so at once. It starts at `sqrt(2 ln(1/(2p)))`, which is on the right by the bound
/// `P(Z > x) <= e^(-x^2/2) / 2`. Each time that the step is below half of the digits, the precision
/// doubles.
fn approximate_quantile(p: &Dyadic, bits: u32, extra: u32) -> Dyadic {
    let mut precision = 24.min(bits);
    let start = -ln_at(&p.shifted(1), precision).lo().shifted(1);
    let mut x = sqrt_at(&start, precision).hi().clone();
    // Far more steps than it ever takes: this only makes the end of the loop evident.
    for _ in 0..200 {
        let working = precision + extra;
        let tail = upper_at(&x, working);
        let density = density(&(&x * &x), working).over(&exactly(&x)).shifted(-1);
        let excess = ln_at(tail.lo(), working) - ln_at(p, working);
        let step = (tail.over(&density) * excess).midpoint();
        let next = (&x + &step).round_down(precision + 8);
        if !next.is_positive() {
            break;
        }
        x = next;
        if step.magnitude() < x.magnitude() - i64::from(precision) / 2 {
            if precision == bits {
                break;
            }
            precision = (2 * precision).min(bits);
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::super::rational::{Rational, integer, parse, ratio};
    use super::*;
    use num_bigint::BigInt;
    use num_traits::One;
    use proptest::prelude::*;

    fn of(text: &str, bits: u32) -> Enclosure {
        Enclosure::of(&parse(text).unwrap(), bits)
    }

    fn is_narrow(value: &Enclosure, bits: u32) -> bool {
        value.width().is_zero()
            || value.width().magnitude() <= value.hi().abs().magnitude() - i64::from(bits)
    }

    #[test]
    fn known_digits() {
        let below = |value: Enclosure| value.to_decimals(50).0;
        assert_eq!(
            below(of("1", 200).erfc()),
            "0.15729920705028513065877936491739074070393300203369"
        );
        assert_eq!(
            below(of("10", 200).erfc()),
            "2.0884875837625447570007862949577886115608181193211e-45"
        );
        assert_eq!(
            below(of("1", 200).normal_cdf()),
            "0.84134474606854294858523254563203792247791296672660"
        );
        assert_eq!(
            below(of("5", 200).normal_upper()),
            "2.8665157187919391167375233287464535385442301361188e-7"
        );
        let quantile = |text, bits| of(text, bits).normal_quantile().unwrap();
        assert_eq!(
            below(quantile("0.975", 200)),
            "1.9599639845400542355245944305205515279555500778695"
        );
        assert_eq!(
            below(-quantile("1e-300", 200)),
            "37.047096299361199237222962507860436844345288438011"
        );
        // 1 - 1e-300 needs a thousand bits to be told from one.
        let close = integer(1) - parse("1e-300").unwrap();
        let mirrored = Enclosure::of(&close, 1200).normal_quantile().unwrap();
        assert!((-quantile("1e-300", 1200)).meets(&mirrored) && mirrored.has_digits(55));
    }

    #[test]
    fn the_two_ways_to_the_tail_agree() {
        for s in [40, 60, 100, 150, 230] {
            let s = Dyadic::from(s);
            let near = tails_by_complement(&s, 128);
            let far = tails_far_out(&s, 200);
            assert!(near.meets(&far));
            assert!(is_narrow(&near, 120));
        }
        for s in [240, 241, 300] {
            let s = Dyadic::from(s);
            assert!(is_narrow(&two_tails(&s, 128), 128));
        }
    }

    #[test]
    fn far_out_nothing_is_left_and_nothing_fails() {
        let far = of("1e4000", 64);
        assert!(far.erfc().lo().is_zero() && far.erfc().hi().is_positive());
        assert!((-&far).normal_cdf().lo().is_zero());
        assert!(far.normal_cdf().contains(&integer(1)));
        assert!((-&far).erfc().contains(&integer(2)));
        assert!(of("2000", 64).normal_upper().has_digits(15));
        let line = Enclosure::between(&-parse("1e4000").unwrap(), &parse("1e4000").unwrap(), 64);
        assert!(line.normal_cdf().contains(&ratio(1, 2)));
        assert_eq!(of("0", 64).normal_cdf().width(), Dyadic::zero());
    }

    #[test]
    fn quantiles_at_the_ends() {
        assert!(of("1/2", 64).normal_quantile().unwrap().width().is_zero());
        for text in ["0", "1", "-1", "2"] {
            assert!(of(text, 64).normal_quantile().is_err());
        }
        let around = Enclosure::between(&ratio(-1, 10), &ratio(1, 2), 64);
        assert!(around.normal_quantile().is_err());
        let least = Dyadic::new(1, -(1 << QUANTILE_RANGE));
        let least = Enclosure::new(&least, &least, 32)
            .normal_quantile()
            .unwrap();
        assert!(least.has_digits(8));
        // The median's neighbour: the quantile is about sqrt(2 pi) times the distance.
        let half_and_little = &Dyadic::new(1, -1) + &Dyadic::new(1, -60);
        let value = Enclosure::new(&half_and_little, &half_and_little, 128)
            .normal_quantile()
            .unwrap();
        assert!(value.has_digits(36));
        let slope = Enclosure::pi(128).shifted(1).sqrt().unwrap().shifted(-60);
        assert!((value - slope).abs().hi() < &Dyadic::new(1, -170));
    }

    proptest! {
        #[test]
        fn both_sides_add_to_one(m in any::<i64>(), e in -140i64..-57, bits in 16u32..260) {
            let x = Dyadic::new(m, e);
            let upper = upper_at(&x, bits);
            prop_assert!(is_narrow(&upper, bits));
            prop_assert!((&upper + &upper_at(&-&x, bits)).contains(&Rational::one()));
            prop_assert!(upper.meets(&upper_at(&x, 400)));
            // To the left of -10 the tail differs from one by less than is computed here.
            prop_assume!(x > Dyadic::from(-10));
            let slightly_more = &x + &Dyadic::new(1, -40);
            prop_assert!(upper_at(&slightly_more, 300).hi() < upper_at(&x, 300).lo());
        }

        #[test]
        fn wide_intervals_hold_their_points(n in 1i64..1000, width in 0i64..400, at in 0i64..400) {
            let end = (n + width).min(1000);
            let inner = (n + at).min(end);
            let p = |n: i64| Rational::new(n.into(), BigInt::from(1001));
            let wide = Enclosure::between(&p(n), &p(end), 64).normal_quantile().unwrap();
            prop_assert!(wide.meets(&Enclosure::of(&p(inner), 64).normal_quantile().unwrap()));
        }
    }

    /// A quantile of 700 bits takes long: by day there are fewer.
    fn cases() -> ProptestConfig {
        ProptestConfig::with_cases(match std::env::var_os("NIGHTLY") {
            Some(_) => 256,
            None => 40,
        })
    }

    proptest! {
        #![proptest_config(cases())]
        #[test]
        fn quantiles_are_undone(m in 1..i64::MAX, e in 0i64..600, mirror in any::<bool>(), bits in 16u32..260) {
            let small = Dyadic::new(m, -64 - e);
            let p = if mirror { &Dyadic::from(1) - &small } else { small };
            let value = quantile_at(&p, bits);
            prop_assert!(is_narrow(&value, bits));
            let point = Enclosure::new(&p, &p, 700).normal_quantile().unwrap();
            prop_assert!(value.meets(&point));
            prop_assert!(point.normal_cdf().contains(&p.to_rational()));
        }
    }
}
