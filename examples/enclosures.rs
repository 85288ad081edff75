//! Prints certified enclosures, exactly, for another arithmetic to check: `make arb` does.
//!
//! `echo 'exp 1/3 64' | cargo run --release --example enclosures`
//!
//! A line names a function, its arguments (rationals or integers) and, last, a precision in bits. The answer is `m e n f`:
//! the value is between `m 2^e` and `n 2^f`; or a Bernoulli number; or `refused` and why, where the function is not
//! defined at the arguments. A line of another form, or that names another function, ends the program.

use dp_assay::coins::Law;
use dp_assay::law::GammaLaw;
use dp_assay::number::{Enclosure, Rational, bernoulli_numbers, rational::parse};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace, GammaNoise, Geometric};
use num_bigint::{BigInt, BigUint};
use std::error::Error;
use std::io::{self, BufRead, Write};

/// The function at these arguments; `None` if there is none of this name.
fn enclosure(
    function: &str,
    a: &[Rational],
    bits: u32,
) -> Result<Option<Enclosure>, Box<dyn Error>> {
    let x = || Enclosure::of(&a[0], bits);
    let whole = |place: usize| -> BigInt { a[place].to_integer() };
    let gaussian = || DiscreteGaussian::new(a[0].clone());
    let laplace = || DiscreteLaplace::new(a[0].clone());
    let geometric = || Geometric::new(a[0].clone());
    let count = |place: usize| -> Result<BigUint, _> { BigUint::try_from(whole(place)) };
    let found = match function {
        "pi" => Enclosure::pi(bits),
        "ln-two" => Enclosure::ln_two(bits),
        "exp" => x().exp()?,
        "exp-of" => Enclosure::exp_of(&a[0], bits)?,
        "exp-minus-one" => x().exp_minus_one()?,
        "ln" => x().ln()?,
        "ln-1p" => x().ln_1p()?,
        "sqrt" => x().sqrt()?,
        "sin" => x().sin()?,
        "cos" => x().cos()?,
        "atan" => x().atan(),
        "acos" => x().acos()?,
        "erfc" => x().erfc(),
        "normal-cdf" => x().normal_cdf(),
        "normal-upper" => x().normal_upper(),
        "normal-quantile" => x().normal_quantile()?,
        "gaussian-normaliser" => gaussian()?.normaliser(bits)?,
        "gaussian-variance" => gaussian()?.variance_of_law(bits)?,
        "gaussian-pmf" => gaussian()?.pmf(&whole(1), bits)?,
        "gaussian-cdf" => gaussian()?.cdf(&whole(1), bits)?,
        "gaussian-profile" => gaussian()?.profile(&whole(1), &a[2], bits)?,
        "laplace-pmf" => laplace()?.pmf(&whole(1), bits)?,
        "laplace-cdf" => laplace()?.cdf(&whole(1), bits)?,
        "laplace-variance" => laplace()?.variance(bits)?,
        "laplace-profile" => laplace()?.profile(&whole(1), &a[2], bits)?,
        "geometric-pmf" => geometric()?.pmf(&count(1)?, bits)?,
        "geometric-cdf" => geometric()?.cdf(&count(1)?, bits)?,
        "geometric-variance" => geometric()?.variance(bits)?,
        "gamma-pmf" => {
            let place: Vec<BigInt> = a[1..].iter().map(Rational::to_integer).collect();
            GammaLaw::new(GammaNoise::new(a[0].clone(), place.len())?)?.pmf(&place, bits)?
        }
        _ => return Ok(None),
    };
    Ok(Some(found))
}

fn answer(line: &str) -> Result<String, Box<dyn Error>> {
    let mut words = line.split_whitespace();
    let function = words.next().ok_or("an empty line")?;
    let mut numbers = words.map(parse).collect::<Result<Vec<_>, _>>()?;
    let last = numbers.pop().ok_or("no precision")?.to_integer();
    if function == "bernoulli" {
        let place = usize::try_from(last)?;
        let number = bernoulli_numbers().get(place).ok_or("not kept")?;
        return Ok(number.to_string());
    }
    let found = match enclosure(function, &numbers, u32::try_from(last)?) {
        Ok(found) => found.ok_or_else(|| format!("no function {function}"))?,
        Err(reason) => return Ok(format!("refused {reason}")),
    };
    let (lo, hi) = (found.lo(), found.hi());
    Ok(format!(
        "{} {} {} {}",
        lo.mantissa(),
        lo.exponent(),
        hi.mantissa(),
        hi.exponent()
    ))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        writeln!(out, "{}", answer(&line?)?)?;
    }
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    // From 1 to the next number of 64 bits.
    assert_eq!(
        answer("exp 0 64")?,
        "9223372036854775808 -63 9223372036854775809 -63"
    );
    assert_eq!(answer("bernoulli 0")?, "1/6");
    assert!(answer("ln -1 64")?.starts_with("refused"));
    for unknown in ["logarithm 1 64", "", "ln", "ln one 64", "bernoulli 99"] {
        assert!(answer(unknown).is_err(), "{unknown}");
    }
    Ok(())
}
