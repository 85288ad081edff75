//! Tails of the binomial distribution, as enclosures.

pub use crate::number::ln_factorial;
use crate::number::{Enclosure, NumberError, Rational};
use num_bigint::BigInt;
use num_traits::One;

/// `Pr[X = k]` for `X` binomial with `n` trials of probability `p`, which must lie strictly between
/// 0 and 1.
///
/// # Errors
/// [`NumberError::OutOfDomain`] if the enclosure of `p` or of `1 - p` reaches zero.
pub fn pmf(n: u64, k: u64, p: &Enclosure) -> Result<Enclosure, NumberError> {
    let bits = p.bits();
    if k > n {
        return Ok(Enclosure::integer(0, bits));
    }
    let fewer = k.min(n - k);
    if bits > FINE && fewer <= MULTIPLIED {
        let choices = Enclosure::integer(choices(n, fewer), bits);
        return Ok(choices * p.power(k) * p.complement().power(n - k));
    }
    let choose = ln_factorial(n, bits)? - ln_factorial(k, bits)? - ln_factorial(n - k, bits)?;
    let hits = Enclosure::integer(k, bits) * p.ln()?;
    let misses = Enclosure::integer(n - k, bits) * p.complement().ln()?;
    (choose + hits + misses).exp()
}

/// Above this precision Stirling's series may end before the digits do, and what is not too long is multiplied out.
const FINE: u32 = 256;
const MULTIPLIED: u64 = 1 << 12;

/// The number of ways to choose `k` of `n`.
fn choices(n: u64, k: u64) -> BigInt {
    (0..k).fold(BigInt::one(), |ways, j| ways * (n - j) / (j + 1))
}

/// `Pr[X >= k]` for `X` binomial with `n` trials of probability `p`, strictly between 0 and 1.
///
/// # Errors
/// Those of [`pmf`].
pub fn upper_tail(n: u64, k: u64, p: &Enclosure) -> Result<Enclosure, NumberError> {
    let bits = p.bits();
    if k == 0 {
        return Ok(Enclosure::integer(1, bits));
    }
    if k > n {
        return Ok(Enclosure::integer(0, bits));
    }
    // Summed away from the mean, where the terms fall: below the mean through the other tail.
    if Enclosure::integer(k, bits).is_below(&(Enclosure::integer(n + 1, bits) * p)) {
        return Ok(falling_tail(n, n - k + 1, &p.complement())?.complement());
    }
    falling_tail(n, k, p)
}

/// `Pr[X <= k]` for `X` binomial with `n` trials of probability `p`, strictly between 0 and 1.
///
/// # Errors
/// Those of [`pmf`].
pub fn lower_tail(n: u64, k: u64, p: &Enclosure) -> Result<Enclosure, NumberError> {
    // The misses are binomial too.
    match n.checked_sub(k) {
        Some(misses) => upper_tail(n, misses, &p.complement()),
        None => Ok(Enclosure::integer(1, p.bits())),
    }
}

/// `Pr[X >= k]`, from its first term on; quick where `k` is above the mean.
fn falling_tail(n: u64, k: u64, p: &Enclosure) -> Result<Enclosure, NumberError> {
    let bits = p.bits();
    if k > n {
        return Ok(Enclosure::integer(0, bits));
    }
    let odds = p.divided_by(&p.complement())?;
    let mut term = pmf(n, k, p)?;
    let mut sum = term.clone();
    for j in k..n {
        // Pr[j + 1] / Pr[j] = (n - j) / (j + 1) odds, which falls with j.
        let ratio = &odds * Enclosure::of(&Rational::new((n - j).into(), (j + 1).into()), bits);
        term = term * &ratio;
        let gap = ratio.complement();
        if gap.lo().is_positive()
            && term.hi().magnitude() < sum.lo().magnitude().saturating_sub(i64::from(bits))
        {
            // The rest is at most term (1 + ratio + ratio^2 + ...).
            let rest = term.divided_by(&gap)?;
            return Ok(Enclosure::new(sum.lo(), &(sum.hi() + rest.hi()), bits));
        }
        sum = sum + &term;
    }
    Ok(sum)
}

/// The exact probability `Pr[X >= k]` for a rational `p`, by summing all terms: for small `n`.
#[must_use]
pub fn exact_upper_tail(n: u64, k: u64, p: &Rational) -> Rational {
    let q = Rational::one() - p;
    let mut binomial = BigInt::one();
    let mut sum = Rational::from_integer(0.into());
    for j in 0..=n {
        if j >= k {
            sum +=
                Rational::from_integer(binomial.clone()) * p.pow(j as i32) * q.pow((n - j) as i32);
        }
        binomial = binomial * (n - j) / (j + 1);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;

    #[test]
    fn tails_are_those_of_the_exact_sum() {
        for (n, p) in [
            (1, ratio(1, 2)),
            (7, ratio(1, 3)),
            (40, ratio(9, 10)),
            (80, ratio(1, 50)),
        ] {
            let enclosed = Enclosure::of(&p, 160);
            for k in 0..=n + 1 {
                let exact = exact_upper_tail(n, k, &p);
                let tail = upper_tail(n, k, &enclosed).unwrap();
                assert!(tail.contains(&exact), "{n} {k}: {tail} {exact}");
                assert!(k > n || tail.has_digits(30), "{n} {k}: {tail}");
                if k > 0 {
                    let below = lower_tail(n, k - 1, &enclosed).unwrap();
                    assert!(below.contains(&(Rational::one() - exact)), "{n} {k}");
                }
            }
        }
    }

    #[test]
    fn at_many_digits_nothing_is_left_to_the_series() {
        for (n, k) in [(100, 30), (1000, 999), (5000, 4)] {
            let p = ratio(1, 3);
            let fine = pmf(n, k, &Enclosure::of(&p, 2000)).unwrap();
            assert!(fine.has_digits(580), "{fine}");
            let coarse = pmf(n, k, &Enclosure::of(&p, 200)).unwrap();
            assert!(fine.meets(&coarse), "{n} {k}: {fine} {coarse}");
        }
    }

    #[test]
    fn a_million_trials_are_quick_and_certified() {
        let tail = upper_tail(1_000_000, 502_000, &Enclosure::of(&ratio(1, 2), 128)).unwrap();
        // Between the normal tail at 4 and a little above it.
        assert!(
            tail.is_above_rational(&ratio(31, 1_000_000))
                && tail.is_below_rational(&ratio(32, 1_000_000)),
            "{tail}"
        );
    }
}
