//! Tails of the chi-square distribution, as enclosures.
//!
//! `X = Z_1^2 + ... + Z_n^2` for independent standard normal `Z_i`. Both tails are sums of positive terms,
//! the same for the two, so that each is relatively accurate however small it is.

use crate::number::{Dyadic, Enclosure, NumberError};

/// Bits that are computed beyond those asked for: the sums below have fewer than 2^30 terms.
const GUARD: u32 = 40;

/// The arguments up to which tails are computed, and the degrees of freedom: the sums have about as
/// many terms.
const LIMIT: u64 = 1 << 20;

/// `Pr[X <= x]` for `X` chi-square with so many degrees of freedom; 0 for `x <= 0`.
///
/// # Errors
/// [`NumberError::OutOfDomain`] unless there are 1 to 2^20 degrees of freedom and `x` is at most 2^20.
pub fn lower_tail(degrees: u64, x: &Enclosure) -> Result<Enclosure, NumberError> {
    let x = in_range(degrees, x)?;
    let low = lower_at(degrees, x.lo(), x.bits())?;
    let high = lower_at(degrees, x.hi(), x.bits())?;
    Ok(low.hull(&high))
}

/// `Pr[X >= x]` for `X` chi-square with so many degrees of freedom; 1 for `x <= 0`.
///
/// # Errors
/// Those of [`lower_tail`].
pub fn upper_tail(degrees: u64, x: &Enclosure) -> Result<Enclosure, NumberError> {
    let x = in_range(degrees, x)?;
    let low = upper_at(degrees, x.lo(), x.bits())?;
    let high = upper_at(degrees, x.hi(), x.bits())?;
    Ok(low.hull(&high))
}

/// The part of `x` from 0 on, or the error of an argument out of range.
fn in_range(degrees: u64, x: &Enclosure) -> Result<Enclosure, NumberError> {
    let error = |argument: String, expected| NumberError::OutOfDomain {
        function: "chi-square tail",
        argument,
        expected,
    };
    if degrees == 0 || degrees > LIMIT {
        let expected = "there must be 1 to 2^20 degrees of freedom";
        return Err(error(format!("{degrees} degrees of freedom"), expected));
    }
    if *x.hi() > Dyadic::new(LIMIT, 0) {
        let expected = "the argument must be at most 2^20";
        return Err(error(x.to_string(), expected));
    }
    Ok(x.max(&Enclosure::integer(0, x.bits())))
}

/// `w_n = (x/2)^(n/2) e^(-x/2) / Gamma(n/2 + 1)`: the upper tail gains it, and the lower one loses it, where
/// `n` degrees of freedom become `n + 2` (by parts).
///
/// `w_0 = e^(-x/2)`, `w_1 = w_0 sqrt(x/2) / (sqrt(pi)/2)`, and `w_n = w_(n-2) x/n`.
struct Weight {
    x: Enclosure,
    degrees: u64,
    value: Enclosure,
}

impl Weight {
    /// `w_0`, or `w_1` for an odd number of degrees.
    fn first(odd: bool, x: &Dyadic, bits: u32) -> Result<Self, NumberError> {
        let x = Enclosure::new(x, x, bits + GUARD);
        let half = x.shifted(-1);
        let mut value = (-&half).exp()?;
        if odd {
            let gamma = Enclosure::pi(x.bits()).sqrt()?.shifted(-1);
            value = value * half.sqrt()?.divided_by(&gamma)?;
        }
        Ok(Self {
            x,
            degrees: u64::from(odd),
            value,
        })
    }

    /// The next weight: two degrees of freedom more.
    fn advance(&mut self) -> Result<(), NumberError> {
        self.degrees += 2;
        let degrees = Enclosure::integer(self.degrees, self.x.bits());
        self.value = (&self.value * &self.x).divided_by(&degrees)?;
        Ok(())
    }
}

/// `Pr[X <= x] = w_n + w_(n+2) + w_(n+4) + ...`
fn lower_at(degrees: u64, x: &Dyadic, bits: u32) -> Result<Enclosure, NumberError> {
    let mut weight = Weight::first(degrees % 2 == 1, x, bits)?;
    while weight.degrees < degrees {
        weight.advance()?;
    }
    let mut sum = Enclosure::integer(0, weight.x.bits());
    loop {
        sum = sum + &weight.value;
        // From where each weight is at most half the one before, all that follow add up to at most this one. It is no smaller than what
        // is asked for: a rest that is left out would be seen.
        let halves = Dyadic::new(weight.degrees + 2, 0) >= x.shifted(1);
        if halves && *weight.value.hi() <= sum.hi().shifted(-i64::from(bits)) {
            let rest = weight.value.hi().clone();
            let all = Enclosure::new(sum.lo(), &(sum.hi() + &rest), bits);
            return Ok(all.min(&Enclosure::integer(1, bits)));
        }
        weight.advance()?;
    }
}

/// `Pr[X >= x] = w_(n-2) + w_(n-4) + ...` down to `w_0`, or to `w_1` and `Pr[Z^2 >= x]`.
fn upper_at(degrees: u64, x: &Dyadic, bits: u32) -> Result<Enclosure, NumberError> {
    let odd = degrees % 2 == 1;
    let mut weight = Weight::first(odd, x, bits)?;
    let mut sum = if odd {
        weight.x.shifted(-1).sqrt()?.erfc()
    } else {
        Enclosure::integer(0, weight.x.bits())
    };
    while weight.degrees < degrees {
        sum = sum + &weight.value;
        weight.advance()?;
    }
    Ok(sum.with_bits(bits).min(&Enclosure::integer(1, bits)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio, to_scientific};
    use crate::stats::binomial::ln_factorial;
    use proptest::prelude::*;

    const BITS: u32 = 128;

    fn at(n: i64, d: i64) -> Enclosure {
        Enclosure::of(&ratio(n, d), BITS)
    }

    #[test]
    fn one_degree_of_freedom_is_a_squared_normal_variable() {
        for x in [at(1, 100), at(1, 1), at(15, 2), at(400, 1)] {
            let tail = x.sqrt().unwrap().normal_upper().shifted(1);
            let upper = upper_tail(1, &x).unwrap();
            assert!(upper.meets(&tail) && upper.has_digits(30));
            let lower = lower_tail(1, &x).unwrap();
            assert!(lower.meets(&tail.complement()));
        }
    }

    #[test]
    fn two_degrees_of_freedom_are_an_exponential_variable() {
        for x in [at(1, 1000), at(3, 1), at(1000, 1)] {
            let tail = (-x.shifted(-1)).exp().unwrap();
            assert!(upper_tail(2, &x).unwrap().meets(&tail));
            assert!(lower_tail(2, &x).unwrap().meets(&tail.complement()));
        }
    }

    #[test]
    fn an_even_number_of_degrees_counts_the_jumps_of_a_poisson_process() {
        // Pr[chi^2_(2k) >= x] = Pr[Poisson(x/2) < k], here with each probability from ln n!.
        let x = at(70, 1);
        for k in [1u64, 7, 40] {
            let mut sum = Enclosure::integer(0, BITS);
            for j in 0..k {
                let log = Enclosure::integer(j, BITS) * at(35, 1).ln().unwrap()
                    - at(35, 1)
                    - ln_factorial(j, BITS).unwrap();
                sum = sum + log.exp().unwrap();
            }
            assert!(upper_tail(2 * k, &x).unwrap().meets(&sum));
        }
    }

    #[test]
    fn published_quantiles_are_met() {
        // The 0.95 quantiles of 1, 10 and 100 degrees of freedom, from every statistical table.
        for (degrees, below, above) in [
            (1, "3.8414", "3.8415"),
            (10, "18.3070", "18.3071"),
            (100, "124.3421", "124.3422"),
        ] {
            let read = |text| Enclosure::of(&crate::number::rational::parse(text).unwrap(), BITS);
            let level = ratio(5, 100);
            assert!(
                upper_tail(degrees, &read(below))
                    .unwrap()
                    .is_above_rational(&level)
            );
            assert!(
                upper_tail(degrees, &read(above))
                    .unwrap()
                    .is_below_rational(&level)
            );
        }
    }

    #[test]
    fn a_tail_of_nearly_everything_falls_with_the_degrees_below() {
        // 1 less 10^-78: the upper tails are not told apart.
        let [fewer, more] = [49, 50].map(|degrees| lower_tail(degrees, &at(1, 37)).unwrap());
        assert!(more.upper() < fewer.lower());
    }

    #[test]
    fn tails_far_out_keep_their_digits() {
        let tiny = lower_tail(1000, &at(250, 1)).unwrap();
        assert!(tiny.has_digits(30) && tiny.is_below_rational(&ratio(1, 1_000_000_000)));
        let tiny = upper_tail(11, &at(3000, 1)).unwrap();
        assert!(tiny.has_digits(30));
        assert_eq!(
            to_scientific(&lower_tail(4, &at(0, 1)).unwrap().upper(), 3),
            "0"
        );
    }

    #[test]
    fn arguments_out_of_range_are_refused() {
        assert!(lower_tail(0, &at(1, 1)).is_err());
        assert!(upper_tail((1 << 20) + 1, &at(1, 1)).is_err());
        assert!(upper_tail(1, &at((1 << 20) + 1, 1)).is_err());
        let all = upper_tail(3, &at(-1, 1)).unwrap();
        assert!(all.contains(&integer(1)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn the_tails_add_up_to_one(degrees in 1u64..60, n in 1i64..4000) {
            let x = at(n, 37);
            let (lower, upper) = (lower_tail(degrees, &x).unwrap(), upper_tail(degrees, &x).unwrap());
            let sum = &lower + &upper;
            prop_assert!(sum.contains(&integer(1)) && sum.has_digits(30));
            // More of the law is above x with more degrees; where nearly all is, that shows below.
            let [below, above] = [lower_tail, upper_tail].map(|tail| tail(degrees + 1, &x).unwrap());
            prop_assert!(above.lower() > upper.upper() || below.upper() < lower.lower());
        }
    }
}
