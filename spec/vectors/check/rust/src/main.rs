//! Checks the samplers, the laws and the accountant that dp-assay ships: `cargo run -- dp-assay ../../v1`. With a planted
//! mistake they are refuted: `cargo run -- wrong-division ../../v1`, and so with the others of [`MISTAKES`].

mod check;
#[cfg(test)]
mod tests;

use check::{Answer, Bits, Library, Parameters};
use dp_assay::accountant::{Account, Mechanism, Relation, Step};
use dp_assay::coins::{Coins, CoinsError, Law, layers};
use dp_assay::law::named::NamedLaw;
use dp_assay::number::rational::parse;
use dp_assay::number::{Enclosure, Rational};
use dp_assay::privacy::mechanisms::LaplaceThreshold;
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace, Geometric};
use num_bigint::BigInt;
use std::process::ExitCode;

/// What is planted in the shipped samplers.
#[derive(Clone, Copy, PartialEq)]
enum Mistake {
    /// Nothing.
    None,
    /// That of dashu-ratio 0.4.0, (2/3)/2 = 1/2: the common factor is taken out of the denominator, and rounded.
    Division,
    /// Minus zero is kept, so that zero is drawn twice as often.
    Zero,
    /// What is released from the threshold on is counted above it.
    Threshold,
    /// Of Gaussian noise only the addition of a record is accounted, of Laplace noise only the removal.
    Direction,
    /// Batches of a fixed size are taken for Poisson samples.
    Fixed,
}

/// The planted mistakes by the word of the command.
const MISTAKES: [(&str, Mistake); 6] = [
    ("dp-assay", Mistake::None),
    ("wrong-division", Mistake::Division),
    ("wrong-zero", Mistake::Zero),
    ("wrong-threshold", Mistake::Threshold),
    ("wrong-direction", Mistake::Direction),
    ("wrong-fixed", Mistake::Fixed),
];

/// The checker's tape as coins of the library, which builds everything else on `bits`.
struct Tape<'a> {
    bits: &'a mut Bits,
    mistake: Mistake,
}

impl Coins for Tape<'_> {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        (0..count).try_fold(0, |word, _| match self.bits.bit() {
            Ok(bit) => Ok((word << 1) + u64::from(bit)),
            Err(_) => Err(CoinsError::TapeEnded {
                length: self.consumed(),
            }),
        })
    }

    fn consumed(&self) -> u64 {
        self.bits.used() as u64
    }

    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, CoinsError> {
        if self.mistake != Mistake::Division || x.numer() > x.denom() {
            return layers::bernoulli_exp(self, x);
        }
        let mut k = BigInt::from(1);
        while self.bernoulli(&wrongly_divided(x, &k))? {
            k += 1;
        }
        Ok(k.bit(0))
    }
}

fn wrongly_divided(x: &Rational, k: &BigInt) -> Rational {
    let x = Rational::new(x.numer().clone(), x.denom().clone());
    let common = gcd(x.numer().clone(), k.clone());
    Rational::new(x.numer() / &common, x.denom() / &common * k)
}

fn gcd(a: BigInt, b: BigInt) -> BigInt {
    if b == BigInt::from(0) {
        a
    } else {
        let rest = a % &b;
        gcd(b, rest)
    }
}

/// dp-assay as it ships, or with a planted mistake.
struct Shipped(Mistake);

impl Library for Shipped {
    fn same_algorithm(&self) -> bool {
        self.0 == Mistake::None
    }

    fn account(
        &self,
        law: &str,
        parameters: &Parameters,
        quantity: &str,
        at: &Parameters,
    ) -> Answer {
        let offers = matches!(self.0, Mistake::None | Mistake::Direction | Mistake::Fixed);
        offers
            .then(|| accounted(law, parameters, quantity, at, self.0).transpose())
            .flatten()
    }

    fn sample(&self, algorithm: &str, parameters: &Parameters, bits: &mut Bits) -> Answer {
        if matches!(self.0, Mistake::Direction | Mistake::Fixed) {
            return None;
        }
        let mut coins = Tape {
            bits,
            mistake: self.0,
        };
        Some(draw(algorithm, parameters, &mut coins))
    }

    fn value(&self, law: &str, parameters: &Parameters, quantity: &str, at: &Parameters) -> Answer {
        let offers = matches!(self.0, Mistake::None | Mistake::Threshold);
        let wanted = offers
            .then(|| enclosed(law, parameters, quantity, at, self.0))
            .flatten()?;
        Some(wanted.map(|found| found.midpoint().to_rational().to_string()))
    }
}

fn parameter(parameters: &Parameters, name: &str) -> Result<Rational, String> {
    let text = parameters.get(name).and_then(|value| value.as_str());
    let text = text.ok_or_else(|| format!("the parameter {name} is missing"))?;
    parse(text).map_err(|error| error.to_string())
}

fn draw(algorithm: &str, parameters: &Parameters, coins: &mut Tape) -> Result<String, String> {
    let parameter = |name| parameter(parameters, name);
    let drawn = |drawn: Result<BigInt, CoinsError>| drawn.map(|k| k.to_string());
    let tossed = |tossed: Result<bool, CoinsError>| tossed.map(|truth| truth.to_string());
    match algorithm {
        "uniform-below" => {
            let n = parameter("n")?.to_integer();
            let n = n.to_biguint().ok_or("n is negative")?;
            drawn(coins.uniform_below(&n).map(BigInt::from))
        }
        "bernoulli" => tossed(coins.bernoulli(&parameter("p")?)),
        "bernoulli-exp" => tossed(coins.bernoulli_exp(&parameter("x")?)),
        "geometric" => drawn(
            Geometric::new(parameter("rate")?)
                .and_then(|law| law.sample(coins))
                .map(BigInt::from),
        ),
        "discrete-laplace" => {
            drawn(
                DiscreteLaplace::new(parameter("scale")?).and_then(|law| match coins.mistake {
                    Mistake::Zero => law.attempt(coins).map(Option::unwrap_or_default),
                    _ => law.sample(coins),
                }),
            )
        }
        "discrete-gaussian" => {
            drawn(DiscreteGaussian::new(parameter("variance")?).and_then(|law| law.sample(coins)))
        }
        other => return Err(format!("no sampler is called {other}")),
    }
    .map_err(|error| error.to_string())
}

/// The library's own enclosure of a value, to more digits than the vectors have: of the laws that have a name, and of the
/// Laplace threshold.
fn enclosed(
    law: &str,
    parameters: &Parameters,
    quantity: &str,
    at: &Parameters,
    mistake: Mistake,
) -> Option<Result<Enclosure, String>> {
    let read = |name: &str| at.get(name)?.as_str().and_then(|text| parse(text).ok());
    if law == "laplace-threshold" {
        let selection = match of_threshold(parameters, mistake) {
            Ok(selection) => selection,
            Err(error) => return Some(Err(error)),
        };
        let found = match read("count") {
            Some(count) => selection.released(&count.to_integer(), BITS),
            None => selection.delta(&read("epsilon")?, BITS),
        };
        return Some(found.map_err(|error| error.to_string()));
    }
    let (name, value) = parameters.first_key_value()?;
    let named = format!("{law} {name}={}", value.as_str().unwrap_or_default());
    let law: NamedLaw = named.parse().ok()?;
    let k = read("k").map(|k| k.to_integer());
    let found = match (quantity, k) {
        ("pmf", Some(k)) => law.pmf(&k, BITS),
        ("cdf", Some(k)) => law.cdf(&k, BITS),
        ("mean", _) => law.mean(BITS),
        ("variance", _) => law.variance(BITS),
        ("profile", _) => law.profile(&read("shift")?.to_integer(), &read("epsilon")?, BITS)?,
        _ => return None,
    };
    Some(found.map_err(|error| error.to_string()))
}

/// More than the vectors have.
const BITS: u32 = 400;

/// With the mistake, what is released from the threshold on is counted above it.
fn of_threshold(parameters: &Parameters, mistake: Mistake) -> Result<LaplaceThreshold, String> {
    let noise = DiscreteLaplace::new(parameter(parameters, "scale")?);
    let threshold = parameter(parameters, "threshold")?.to_integer();
    let above = if mistake == Mistake::Threshold { 1 } else { 0 };
    Ok(LaplaceThreshold::new(
        noise.map_err(|error| error.to_string())?,
        threshold + above,
    ))
}

/// More steps are not accounted here: without optimisation that takes long.
const MOST_STEPS: u64 = 1000;

/// Digits of an account.
const DIGITS: u32 = 3;

/// The upper end of an account.
fn accounted(
    law: &str,
    parameters: &Parameters,
    quantity: &str,
    at: &Parameters,
    mistake: Mistake,
) -> Result<Option<String>, String> {
    let rate = parameter(parameters, "rate")?;
    let times = parameter(parameters, "steps")?.to_integer();
    let times = u64::try_from(times).map_err(|error| error.to_string())?;
    if times > MOST_STEPS {
        return Ok(None);
    }
    let noise = |name| parameter(parameters, name);
    let both = Relation::AddOrRemove;
    let is_wrong = mistake == Mistake::Direction;
    let (mechanism, relation) = match law {
        "fixed-gaussian" if mistake != Mistake::Fixed => {
            let deviation = noise("deviation")?;
            let mechanism = Mechanism::FixedBatch { deviation, rate };
            (mechanism, Relation::Substitution)
        }
        "poisson-gaussian" | "fixed-gaussian" => {
            let deviation = noise("deviation")?;
            let mechanism = Mechanism::Gaussian { deviation, rate };
            (mechanism, if is_wrong { Relation::Add } else { both })
        }
        "poisson-laplace" => {
            let scale = noise("scale")?;
            let mechanism = Mechanism::Laplace { scale, rate };
            (mechanism, if is_wrong { Relation::Remove } else { both })
        }
        _ => return Ok(None),
    };
    let account = Account::new(&[Step { mechanism, times }], relation);
    let account = account.map_err(|error| error.to_string())?;
    let known = match quantity {
        "epsilon" => account.epsilon(&parameter(at, "delta")?, DIGITS),
        _ => account.delta(&parameter(at, "epsilon")?, DIGITS),
    };
    let upper = known.map_err(|error| error.to_string())?.value.upper();
    Ok(Some(upper.to_string()))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let word = arguments.first().map_or("", String::as_str);
    match MISTAKES.iter().find(|(name, _)| *name == word) {
        Some((_, mistake)) => check::main(&arguments[1..], &Shipped(*mistake)),
        None => {
            let words = MISTAKES.map(|(name, _)| name).join("|");
            eprintln!("usage: check {words} {}", check::USAGE);
            ExitCode::from(2)
        }
    }
}
