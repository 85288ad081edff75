//! Tails of the binomial and chi-square laws, and Clopper and Pearson's bounds.

use super::root::{Bracket, Function, is_below, least, positive_root, refined};
use super::{
    Answer, Given, Kind, Quantity, SLOW, SLOWEST, Subject, Takes, affordable, forms, parameter,
};
use crate::error::Error;
use dp_assay::number::{Dyadic, Enclosure, NumberError, Rational, rational};
use dp_assay::stats::{binomial, chi_square};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

const TERMS: &str = "binomial coefficients exactly or by Stirling's series, the terms of a tail by their ratios; remainders enclosed";
const SUM: &str = "a finite or infinite sum of positive terms; the remainder enclosed";
const INVERTED: &str = "the binomial tail, inverted: an enclosure of it is above the level at one end and below at the other";
const RATIONAL: &str = "a rational function of the parameters";

/// The subjects.
pub fn subjects() -> Vec<Subject> {
    vec![binomial(), chi_square(), clopper_pearson()]
}

/// The tails are summed term by term.
const MOST_TRIALS: u64 = 1_000_000;

fn binomial() -> Subject {
    Subject {
        name: "binomial",
        definition: "Pr[k] = C(n, k) p^k (1 - p)^(n - k) for k = 0, ..., n, with n the trials and p the probability".to_owned(),
        parameters: vec![
            parameter("trials", Kind::Whole { least: 1, most: MOST_TRIALS }, None),
            parameter("probability", Kind::Fraction, None),
        ],
        quantities: vec![
            forms::pmf(binomial_pmf).written("Pr[X = {at}]", "--at 0..4").by(TERMS, SLOW),
            forms::cdf(binomial_cdf).written("Pr[X <= {at}]", "--at 3").by(TERMS, SLOW),
            forms::tail(binomial_tail).written("Pr[X >= {at}]", "--at 7").by(TERMS, SLOW),
            Quantity::new("quantile", "the least integer k with Pr[X <= k] >= p", "least k with Pr[X <= k] >= {at}", &[Takes::Probability], "--at 9/10", binomial_quantile).by("the distribution function on both sides of the answer", SLOWEST),
            forms::mean(|given| {
                    Ok(Answer::Exact(given.number("trials")? * given.number("probability")?))
                }).by(RATIONAL, SLOW),
            forms::variance(|given| {
                    let p = given.number("probability")?;
                    Ok(Answer::Exact(given.number("trials")? * p * (Rational::one() - p)))
                }).by(RATIONAL, SLOW),
        ],
        example: "trials=10 probability=1/3",
    }
}

/// Where `k` is among `0, ..., n`: below, there, or above.
fn count(given: &Given) -> Result<Result<u64, Answer<'_>>, Error> {
    let k = given.at_integer()?;
    let trials = given.whole("trials")?;
    Ok(match k.to_u64() {
        Some(k) if k <= trials => Ok(k),
        Some(_) => Err(Answer::Exact(Rational::one())),
        None if k < BigInt::zero() => Err(Answer::Exact(Rational::zero())),
        None => Err(Answer::Exact(Rational::one())),
    })
}

fn binomial_pmf(given: &Given) -> Result<Answer<'_>, Error> {
    let (n, p) = (given.whole("trials")?, given.number("probability")?);
    let Ok(k) = count(given)? else {
        return Ok(Answer::Exact(Rational::zero()));
    };
    Ok(Answer::enclosed(move |bits| {
        binomial::pmf(n, k, &probability(p, bits)).map(|value| value.with_bits(bits))
    }))
}

fn binomial_cdf(given: &Given) -> Result<Answer<'_>, Error> {
    let (n, p) = (given.whole("trials")?, given.number("probability")?);
    let k = match count(given)? {
        Ok(k) if k < n => k,
        Ok(_) => return Ok(Answer::Exact(Rational::one())),
        Err(all_or_none) => return Ok(all_or_none),
    };
    Ok(Answer::enclosed(move |bits| {
        binomial::lower_tail(n, k, &probability(p, bits)).map(|value| value.with_bits(bits))
    }))
}

/// Up to so many trials the distribution function is compared as a rational number: it may be equal to p.
const MOST_EXACT: u64 = 1000;

fn binomial_quantile(given: &Given) -> Result<Answer<'_>, Error> {
    let (n, probability_of_one) = (given.whole("trials")?, given.number("probability")?);
    let p = given.at()?;
    let is_low = |k: &BigInt| {
        let Some(k) = k.to_u64() else {
            return Ok(true);
        };
        if k >= n {
            return Ok(false);
        }
        if n <= MOST_EXACT {
            let beyond = binomial::exact_upper_tail(n, k + 1, probability_of_one);
            return Ok(Rational::one() - beyond < *p);
        }
        is_below(
            |bits| binomial::lower_tail(n, k, &probability(probability_of_one, bits)),
            p,
        )
    };
    Ok(Answer::Exact(Rational::from_integer(least(is_low, false)?)))
}

fn binomial_tail(given: &Given) -> Result<Answer<'_>, Error> {
    let (n, p) = (given.whole("trials")?, given.number("probability")?);
    let k = match count(given)? {
        Ok(k) if k > 0 => k,
        Ok(_) => return Ok(Answer::Exact(Rational::one())),
        Err(Answer::Exact(below)) => return Ok(Answer::Exact(Rational::one() - below)),
        Err(other) => return Ok(other),
    };
    Ok(Answer::enclosed(move |bits| {
        binomial::upper_tail(n, k, &probability(p, bits)).map(|value| value.with_bits(bits))
    }))
}

/// The probability with its own digits in addition, and those that a power of a million loses.
fn probability(p: &Rational, bits: u32) -> Enclosure {
    let own = u32::try_from(p.denom().bits()).unwrap_or(u32::MAX);
    Enclosure::of(p, bits.saturating_add(own).saturating_add(32))
}

/// The sums of a chi-square tail have about as many terms as degrees of freedom, and as the argument.
const MOST_DEGREES: u64 = 100_000;

fn chi_square() -> Subject {
    Subject {
        name: "chi-square",
        definition: "the law of the sum of the squares of n independent standard normal variables, with n the degrees".to_owned(),
        parameters: vec![parameter("degrees", Kind::Whole { least: 1, most: MOST_DEGREES }, None)],
        quantities: vec![
            Quantity::new("cdf", "the probability of at most x", "Pr[X <= {at}]", &[Takes::Number], "--at 5", chi_square_cdf).by(SUM, SLOW),
            Quantity::new("tail", "the probability of at least x", "Pr[X >= {at}]", &[Takes::Number], "--at 1..20..5", chi_square_tail).by(SUM, SLOW),
            forms::mean(|given| {
                    Ok(Answer::Exact(given.number("degrees")?.clone()))
                }).by(RATIONAL, SLOW),
            forms::variance(|given| {
                    Ok(Answer::Exact(given.number("degrees")? * BigInt::from(2)))
                }).by(RATIONAL, SLOW),
            Quantity::new("quantile", "the x with Pr[X <= x] = p", "x with Pr[X <= x] = {at}", &[Takes::Probability], "--at 0.95", chi_square_quantile).by("the distribution function, inverted: an enclosure of it is below p at one end and above at the other", SLOWEST),
        ],
        example: "degrees=5",
    }
}

/// The argument, which is at most 1e5.
fn chi_square_argument(given: &Given) -> Result<&Rational, Error> {
    let x = given.at()?;
    match *x <= rational::integer(MOST_DEGREES) {
        true => Ok(x),
        false => Err(Error::option("--at", "at most 1e5", rational::shortly(x))),
    }
}

/// Terms times bits of a chi-square tail.
const MOST_WORK: u64 = 1 << 27;

fn affordable_sum(degrees: u64, x: &Rational, bits: u32) -> Result<(), NumberError> {
    let x = x.ceil().to_integer().to_u64().unwrap_or(0);
    affordable(degrees.saturating_add(x), bits, MOST_WORK)
}

fn chi_square_cdf(given: &Given) -> Result<Answer<'_>, Error> {
    let (n, x) = (given.whole("degrees")?, chi_square_argument(given)?);
    Ok(Answer::enclosed(move |bits| {
        affordable_sum(n, x, bits)?;
        chi_square::lower_tail(n, &Enclosure::of(x, bits + 32))
    }))
}

fn chi_square_tail(given: &Given) -> Result<Answer<'_>, Error> {
    let (n, x) = (given.whole("degrees")?, chi_square_argument(given)?);
    Ok(Answer::enclosed(move |bits| {
        affordable_sum(n, x, bits)?;
        chi_square::upper_tail(n, &Enclosure::of(x, bits + 32))
    }))
}

fn chi_square_quantile(given: &Given) -> Result<Answer<'_>, Error> {
    let (n, p) = (given.whole("degrees")?, given.at()?);
    let is_low = *p <= rational::ratio(1, 2);
    let rest = Rational::one() - p;
    // By the smaller of the two tails, so that nothing is lost; it falls where x grows.
    let above = move |x: &Rational, bits: u32| {
        if *x > rational::integer(1 << 20) {
            return Ok(Enclosure::integer(-1, bits));
        }
        affordable_sum(n, x, bits)?;
        let x = Enclosure::of(x, bits + 32);
        Ok(match is_low {
            true => Enclosure::of(p, bits) - chi_square::lower_tail(n, &x)?,
            false => chi_square::upper_tail(n, &x)? - Enclosure::of(&rest, bits),
        })
    };
    Ok(Answer::enclosed(move |bits| positive_root(&above, bits)))
}

fn clopper_pearson() -> Subject {
    Subject {
        name: "clopper-pearson",
        definition: "one-sided confidence bounds for the probability of an event, from its occurrences among independent trials; each fails with probability at most the level".to_owned(),
        parameters: vec![
            parameter("trials", Kind::Whole { least: 1, most: MOST_TRIALS }, None),
            parameter("occurrences", Kind::Whole { least: 0, most: MOST_TRIALS }, None),
            parameter("level", Kind::Fraction, None),
        ],
        quantities: vec![
            Quantity::new("lower", "the p at which as many occurrences, or more, have the level as their probability", "lower bound", &[], "", lower_bound).by(INVERTED, SLOWEST),
            Quantity::new("upper", "the p at which as many occurrences, or fewer, have the level as their probability", "upper bound", &[], "", upper_bound).by(INVERTED, SLOWEST),
        ],
        example: "trials=20 occurrences=3 level=1/20",
    }
}

/// Trials, occurrences and the level.
fn counts(given: &Given) -> Result<(u64, u64, &Rational), Error> {
    let (trials, occurrences) = (given.whole("trials")?, given.whole("occurrences")?);
    if occurrences > trials {
        return Err(Error::Usage(format!(
            "clopper-pearson: occurrences must be at most trials, got {occurrences} of {trials}"
        )));
    }
    Ok((trials, occurrences, given.number("level")?))
}

fn lower_bound(given: &Given) -> Result<Answer<'_>, Error> {
    let (trials, occurrences, level) = counts(given)?;
    if occurrences == 0 {
        return Ok(Answer::Exact(Rational::zero()));
    }
    Ok(Answer::enclosed(move |bits| {
        reaching_level(trials, occurrences, level, bits)
    }))
}

fn upper_bound(given: &Given) -> Result<Answer<'_>, Error> {
    let (trials, occurrences, level) = counts(given)?;
    if occurrences == trials {
        return Ok(Answer::Exact(Rational::one()));
    }
    // The misses have a lower bound.
    Ok(Answer::enclosed(move |bits| {
        let misses = reaching_level(trials, trials - occurrences, level, bits + 32)?;
        Ok(misses.complement())
    }))
}

/// The `p` with `Pr[X >= k] = level` for `X` binomial, `1 <= k <= n`.
fn reaching_level(n: u64, k: u64, level: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
    let above = |p: &Rational, bits: u32| {
        if *p >= Rational::one() {
            return Ok(Enclosure::of(&(level - Rational::one()), bits));
        }
        let tail = binomial::upper_tail(n, k, &probability(p, bits))?;
        Ok(Enclosure::of(level, bits) - tail)
    };
    // What is not multiplied out ends with Stirling's series: more digits would be waited for in vain.
    let fewer = k.min(n - k);
    affordable(fewer, bits, 1 << 28)?;
    let function: &Function = &above;
    // In the right half by its distance from 1, where the function is known.
    let half = Dyadic::new(1, -1).to_rational();
    let at_half = function(&half, bits)?;
    if at_half.lo().is_positive() {
        let bracket = Bracket {
            left: (half, at_half),
            right: (Rational::one(), function(&Rational::one(), bits)?),
        };
        return refined(function, bracket, bits);
    }
    positive_root(function, bits)
}

#[cfg(test)]
mod tests {
    use super::super::{Place, Value, subject};
    use super::*;
    use dp_assay::number::rational::{parse, ratio, to_f64_for_display};
    use dp_assay::stats::{binomial::exact_upper_tail, clopper_pearson};

    fn value(words: &str, quantity: &str, at: &str, digits: u32) -> Value {
        let mut words = words.split_whitespace();
        let subject = subject(words.next().unwrap()).unwrap();
        let given = Given::read(&subject, &words.collect::<Vec<_>>()).unwrap();
        let at = (!at.is_empty()).then(|| parse(at).unwrap());
        let place = Place {
            at,
            ..Place::default()
        };
        Value::of(
            subject.quantity(Some(quantity)).unwrap(),
            &given,
            &place,
            digits,
        )
        .unwrap()
    }

    fn ends(value: &Value) -> (Rational, Rational) {
        (
            parse(value.lo.as_ref().unwrap()).unwrap(),
            parse(&value.hi).unwrap(),
        )
    }

    #[test]
    fn a_binomial_quantile_that_is_met_exactly_is_taken() {
        // Pr[X <= 1] of two fair coins is 3/4.
        let quantile = |words: &str, at: &str| value(words, "quantile", at, 20).exact.unwrap();
        let coins = "binomial trials=2 probability=1/2";
        for (at, k) in [("1/4", 0), ("0.26", 1), ("3/4", 1), ("0.76", 2)] {
            assert_eq!(quantile(coins, at), parse(&k.to_string()).unwrap(), "{at}");
        }
        // By sums of enclosures, where they are many: the middle of a symmetric law.
        let many = quantile("binomial trials=2001 probability=1/2", "0.49");
        assert_eq!(many, parse("1000").unwrap());
    }

    #[test]
    fn binomial_tails_are_exact_sums_at_many_digits_too() {
        for (n, p) in [(10, "1/3"), (200, "9/10")] {
            let words = format!("binomial trials={n} probability={p}");
            for k in [1, 3, n / 2, n] {
                let exact = exact_upper_tail(n, k, &parse(p).unwrap());
                for digits in [20, 300] {
                    let (lo, hi) = ends(&value(&words, "tail", &k.to_string(), digits));
                    assert!(lo <= exact && exact <= hi, "{words} {k}");
                    let (lo, hi) = ends(&value(&words, "cdf", &(k - 1).to_string(), digits));
                    let rest = Rational::one() - &exact;
                    assert!(lo <= rest && rest <= hi, "{words} {k}");
                }
            }
        }
        for (quantity, at, exact) in [
            ("pmf", "-1", 0),
            ("pmf", "11", 0),
            ("cdf", "-1", 0),
            ("cdf", "10", 1),
            ("cdf", "11", 1),
            ("tail", "-1", 1),
            ("tail", "0", 1),
            ("tail", "11", 0),
            ("tail", "1e30", 0),
            ("cdf", "1e30", 1),
        ] {
            let found = value("binomial trials=10 probability=1/3", quantity, at, 20);
            assert_eq!(
                found.exact,
                Some(rational::integer(exact)),
                "{quantity} {at}"
            );
        }
    }

    /// From the tables of the chi-square law.
    #[test]
    fn quantiles_of_chi_square_are_those_of_the_tables() {
        for (degrees, p, expected) in [
            (1, "0.95", 3.841_458_820_694_124),
            (5, "0.95", 11.070_497_693_516_351),
            (10, "0.05", 3.940_299_136_119_06),
            (100, "0.99", 135.806_723_171_026_8),
        ] {
            let words = format!("chi-square degrees={degrees}");
            let (lo, _) = ends(&value(&words, "quantile", p, 20));
            let found = to_f64_for_display(&lo);
            assert!(
                (found / expected - 1.0).abs() < 1e-13,
                "{degrees} {p}: {found}"
            );
        }
        // Two degrees: -2 ln(1 - p), to all digits.
        let found = value("chi-square degrees=2", "quantile", "0.95", 60);
        let expected = -Enclosure::of(&ratio(1, 20), 300).ln().unwrap().shifted(1);
        let (lo, hi) = ends(&found);
        assert!(expected.is_above_rational(&lo) && expected.is_below_rational(&hi));
    }

    #[test]
    fn the_bounds_are_those_at_which_the_exact_tail_is_the_level() {
        for (n, x, level) in [
            (20, 3, "1/20"),
            (5, 5, "1/100"),
            (40, 39, "1/2"),
            (30, 1, "1e-9"),
        ] {
            let words = format!("clopper-pearson trials={n} occurrences={x} level={level}");
            let level = parse(level).unwrap();
            let (lo, hi) = ends(&value(&words, "lower", "", 25));
            assert!(exact_upper_tail(n, x, &lo) <= level, "{words}");
            assert!(exact_upper_tail(n, x, &hi) >= level, "{words}");
            if x < n {
                let (lo, hi) = ends(&value(&words, "upper", "", 25));
                let below = |p: &Rational| Rational::one() - exact_upper_tail(n, x + 1, p);
                assert!(below(&lo) >= level && below(&hi) <= level, "{words}");
            }
            // The bound in doubles of the auditor is on its safe side, and close.
            let double = rational::from_f64(clopper_pearson::lower(n, x, &level).unwrap()).unwrap();
            assert!(
                double <= hi && double >= lo * ratio(999_999_999, 1_000_000_000),
                "{words}"
            );
        }
        // Nothing seen: 1 - level^(1/n) from above.
        let none = value(
            "clopper-pearson trials=1000 occurrences=0 level=1/20",
            "upper",
            "",
            20,
        );
        assert!(
            none.hi.starts_with("0.00299124954") || none.hi.starts_with("2.99124954"),
            "{}",
            none.hi
        );
        let all = value(
            "clopper-pearson trials=3 occurrences=3 level=1/20",
            "upper",
            "",
            20,
        );
        assert_eq!(all.exact, Some(rational::integer(1)));
        let all = value(
            "clopper-pearson trials=3 occurrences=0 level=1/20",
            "lower",
            "",
            20,
        );
        assert_eq!(all.exact, Some(rational::integer(0)));
    }
}
