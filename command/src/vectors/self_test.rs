//! Class E: mechanisms of known privacy, some of the corpus and a threshold, as certified laws on two neighbouring inputs.

use super::mistakes::notes;
use super::numbers::{enclosed, fraction};
use super::{File, document};
use crate::corpus::caught_from;
use crate::error::Error;
use crate::truth::mechanisms::{given_otherwise, kept};
use dp_assay::coins::Law;
use dp_assay::number::rational::{integer, parse, ratio};
use dp_assay::number::{Enclosure, NumberError, Rational};
use dp_assay::sample::{DiscreteLaplace, ExponentialMechanism, ScoreClass};
use num_traits::{One, Zero};
use serde_json::{Value, json};

/// Working precision, in bits, and significant digits that are written.
const BITS: u32 = 256;
const DIGITS: u32 = 30;

/// Of infinitely many outputs those up to this distance are summed over, and those up to the second are written.
const REACH: i64 = 60;
const SHOWN: i64 = 10;

/// An output and its probabilities on the first and on the second input.
struct Row {
    output: String,
    masses: [Enclosure; 2],
    is_shown: bool,
}

/// A mistake and what it does.
type Bug = (&'static str, &'static str, &'static str);

const NONE: Bug = ("none", "none", "nothing is wrong: the claim is true");
const SCALE: Bug = ("scale", "unsound", "the noise is too small by a factor");
const EPSILON: Bug = (
    "epsilon",
    "unsound",
    "run with more than the claimed epsilon",
);
const ZERO: Bug = (
    "zero",
    "leak",
    "the noise is never 0, so that the value itself never comes",
);
const TWO: Bug = (
    "factor-two",
    "unsound",
    "the factor two of the exponential mechanism is missing",
);
const MARK: Bug = (
    "mark",
    "leak",
    "an output that only one of the inputs has, and seldom",
);
const STRICT: Bug = (
    "strict",
    "unsound",
    "released from the threshold on, and accounted as above it",
);

/// The least epsilon at the claimed delta.
enum Least {
    Known(Rational),
    Infinite,
    OfOutputs,
}

struct Case {
    name: String,
    mechanism: String,
    epsilon: Rational,
    delta: Rational,
    least: Least,
    flag: &'static str,
    bug: Bug,
    rows: Vec<Row>,
    /// With so many calls the violation must be found.
    calls: Option<u64>,
}

/// The file of this class.
///
/// # Errors
/// Those of the real functions; a case whose verdict is not that of its numbers.
pub fn files() -> Result<Vec<File>, Error> {
    let cases = cases()?;
    let tests: Vec<Value> = cases.iter().map(Case::json).collect::<Result<_, _>>()?;
    let flags = cases.iter().map(|case| case.flag);
    let notes = notes(flags, meaning, cases.iter().map(|case| case.bug));
    let content = json!({"level": "1/20", "notes": notes, "tests": tests});
    let path = "self-test/mechanisms.json".to_owned();
    Ok(vec![document(path, "self_test_v1", content, cases.len())])
}

fn meaning(flag: &str) -> &'static str {
    match flag {
        "Null" => "the claim is true, and mostly leaves nothing to spare",
        "Graded" => "the claim is false by a factor that is in the name",
        "Disjoint" => "one input has outputs that the other never has",
        "OffByOne" => "the claim is that of a neighbouring integer",
        _ => "",
    }
}

fn cases() -> Result<Vec<Case>, Error> {
    let mut cases = Vec::new();
    for (factor, name) in FACTORS {
        let factor = parse(factor)?;
        cases.push(laplace(&factor, name)?);
    }
    for (factor, name) in FACTORS {
        let factor = parse(factor)?;
        cases.push(response(&factor, name)?);
    }
    cases.push(clamped()?);
    cases.push(without_zero()?);
    for (name, epsilon) in [
        ("exponential-mechanism", 1),
        ("exponential-mechanism-without-two", 2),
    ] {
        cases.push(exponential(name, epsilon)?);
    }
    for (name, one_in) in [
        ("disjoint-1e-2", 100),
        ("disjoint-1e-3", 1000),
        ("disjoint-1e-4", 10_000),
        ("disjoint-1e-5", 100_000),
        ("disjoint-1e-6", 1_000_000),
    ] {
        cases.push(marked(name, &ratio(1, one_in), false)?);
    }
    cases.push(marked("rare-release", &ratio(1, 1000), true)?);
    for off_by_one in [false, true] {
        cases.push(threshold(off_by_one)?);
    }
    Ok(cases)
}

/// How much more than the claim is spent, and how the names end.
const FACTORS: [(&str, &str); 5] = [
    ("1", ""),
    ("1.01", "-1.01"),
    ("1.05", "-1.05"),
    ("1.2", "-1.2"),
    ("2", "-2"),
];

/// A sum, 0 or 1, with discrete Laplace noise.
fn laplace(factor: &Rational, ending: &str) -> Result<Case, Error> {
    let scale = factor.recip();
    let law = DiscreteLaplace::new(scale.clone())?;
    let rows = (-REACH..=REACH + 1).map(|k| {
        Ok(Row {
            output: k.to_string(),
            masses: [law.pmf(&k.into(), BITS)?, law.pmf(&(k - 1).into(), BITS)?],
            is_shown: (-SHOWN..=SHOWN + 1).contains(&k),
        })
    });
    let name = format!("discrete-laplace{ending}");
    Ok(Case {
        mechanism: format!(
            "s + X, where s is 0 on the first input and 1 on the second, and X is discrete Laplace of scale {}",
            fraction(&scale)
        ),
        least: Least::Known(factor.clone()),
        rows: rows.collect::<Result<_, NumberError>>()?,
        ..case(name, factor.is_one(), SCALE)
    })
}

/// What most cases share: a claim of epsilon = 1.
fn case(name: String, is_true: bool, bug: Bug) -> Case {
    Case {
        mechanism: String::new(),
        epsilon: Rational::one(),
        delta: Rational::zero(),
        least: Least::Infinite,
        flag: if is_true { "Null" } else { "Graded" },
        bug: if is_true { NONE } else { bug },
        rows: Vec::new(),
        calls: caught_from(&name),
        name,
    }
}

/// The probabilities that randomised response keeps a bit, and that it flips it.
fn kept_and_flipped(epsilon: &Rational) -> Result<[Enclosure; 2], NumberError> {
    Ok([kept(epsilon, 2, BITS)?, given_otherwise(epsilon, 2, BITS)?])
}

fn response(factor: &Rational, ending: &str) -> Result<Case, Error> {
    let [kept, flipped] = kept_and_flipped(factor)?;
    let rows = vec![
        row("0", kept.clone(), flipped.clone()),
        row("1", flipped, kept),
    ];
    let name = format!("randomised-response{ending}");
    Ok(Case {
        mechanism: format!(
            "a bit, 0 on the first input and 1 on the second, kept with probability e^E / (1 + e^E) and flipped otherwise, E = {}",
            fraction(factor)
        ),
        least: Least::Known(factor.clone()),
        rows,
        ..case(name, factor.is_one(), EPSILON)
    })
}

fn row(output: &str, first: Enclosure, second: Enclosure) -> Row {
    Row {
        output: output.to_owned(),
        masses: [first, second],
        is_shown: true,
    }
}

/// The noisy sum, clamped to 0, ..., 3.
fn clamped() -> Result<Case, Error> {
    let law = DiscreteLaplace::new(integer(1))?;
    let mass = |k: i64, sum: i64| match k {
        0 => law.cdf(&(-sum).into(), BITS),
        3 => law.cdf(&(sum - 3).into(), BITS),
        _ => law.pmf(&(k - sum).into(), BITS),
    };
    let rows = (0..=3).map(|k| Ok(row(&k.to_string(), mass(k, 0)?, mass(k, 1)?)));
    Ok(Case {
        mechanism: "s + X clamped to 0, ..., 3, where s is 0 on the first input and 1 on the second, and X is discrete Laplace of scale 1/1".to_owned(),
        least: Least::Known(integer(1)),
        rows: rows.collect::<Result<_, NumberError>>()?,
        ..case("geometric-clamped".to_owned(), true, NONE)
    })
}

/// The sum with a fair sign times a magnitude that starts at 1.
fn without_zero() -> Result<Case, Error> {
    let q = Enclosure::exp_of(&integer(-1), BITS)?;
    let mass = |k: i64| match k.unsigned_abs() {
        0 => Enclosure::integer(0, BITS),
        magnitude => (q.complement() * q.power(magnitude - 1)).shifted(-1),
    };
    let rows = (-REACH..=REACH + 1).map(|k| Row {
        output: k.to_string(),
        masses: [mass(k), mass(k - 1)],
        is_shown: (-SHOWN..=SHOWN + 1).contains(&k),
    });
    Ok(Case {
        mechanism: "s + S M, where s is 0 on the first input and 1 on the second, S is a fair sign, and M = 1, 2, ... has the probability (1 - q) q^(M - 1), q = e^-1".to_owned(),
        rows: rows.collect(),
        flag: "Disjoint",
        ..case("geometric-without-zero".to_owned(), false, ZERO)
    })
}

/// Five candidates, three votes; the last voter changes from candidate 0 to candidate 1.
fn exponential(name: &str, epsilon: i64) -> Result<Case, Error> {
    let law = |losses: [i64; 5]| {
        let class = |loss| ScoreClass {
            loss: integer(loss),
            count: 1u32.into(),
        };
        let classes = losses.map(class).to_vec();
        ExponentialMechanism::new(integer(epsilon), integer(1), classes)
    };
    let laws = [law([-3, 0, 0, 0, 0])?, law([-2, -1, 0, 0, 0])?];
    let rows = (0..5).map(|candidate| {
        let [first, second] = &laws;
        Ok(row(
            &candidate.to_string(),
            first.pmf(&candidate, BITS)?,
            second.pmf(&candidate, BITS)?,
        ))
    });
    Ok(Case {
        mechanism: format!(
            "one of the candidates 0, ..., 4, with a probability proportional to e^({epsilon} v / 2), where v is the number of its votes: 3, 0, 0, 0, 0 on the first input and 2, 1, 0, 0, 0 on the second"
        ),
        least: Least::OfOutputs,
        rows: rows.collect::<Result<_, NumberError>>()?,
        ..case(name.to_owned(), epsilon == 1, TWO)
    })
}

/// Randomised response with epsilon = 1/2, and with a small probability a mark instead: on the second input alone, or another one
/// on each.
fn marked(name: &str, probability: &Rational, both: bool) -> Result<Case, Error> {
    let [kept, flipped] = kept_and_flipped(&ratio(1, 2))?;
    let none = || Enclosure::integer(0, BITS);
    let mark = Enclosure::of(probability, BITS);
    let first = match both {
        true => mark.complement(),
        false => Enclosure::integer(1, BITS),
    };
    let mut rows = vec![
        row("0", &kept * &first, &flipped * mark.complement()),
        row("1", &flipped * &first, &kept * mark.complement()),
    ];
    if both {
        rows.push(row("10", mark.clone(), none()));
    }
    rows.push(row("11", none(), mark));
    let marks = match both {
        true => "10 on the first input and 11 on the second",
        false => "11, on the second input alone",
    };
    Ok(Case {
        mechanism: format!(
            "with probability {}: {marks}. Otherwise a bit, 0 on the first input and 1 on the second, kept with probability e^E / (1 + e^E) and flipped otherwise, E = 1/2",
            fraction(probability)
        ),
        rows,
        flag: "Disjoint",
        ..case(name.to_owned(), false, MARK)
    })
}

/// Whether a partition with one record is released, and without it. The claimed delta is that of a release above the threshold,
/// rounded up.
fn threshold(off_by_one: bool) -> Result<Case, Error> {
    let law = DiscreteLaplace::new(integer(1))?;
    // 1 + X >= 5 or 1 + X > 5, by symmetry.
    let least = if off_by_one { 4 } else { 5 };
    let released = law.cdf(&(-least).into(), BITS)?;
    let (name, sign) = match off_by_one {
        true => ("threshold-off-by-one", ">="),
        false => ("threshold", ">"),
    };
    Ok(Case {
        mechanism: format!(
            "a partition of one record on the first input, of none on the second: released if there is a record and 1 + X {sign} 5, where X is discrete Laplace of scale 1/1; the output says whether it is released"
        ),
        delta: ratio(4_925_834, 1_000_000_000),
        least: match off_by_one {
            true => Least::Infinite,
            false => Least::Known(integer(0)),
        },
        rows: vec![
            row(
                "nothing",
                released.complement(),
                Enclosure::integer(1, BITS),
            ),
            row("released", released, Enclosure::integer(0, BITS)),
        ],
        flag: if off_by_one { "OffByOne" } else { "Null" },
        calls: off_by_one.then_some(THRESHOLD_CALLS),
        ..case(name.to_owned(), !off_by_one, STRICT)
    })
}

/// 59 audits of 59 by this auditor caught it with half as many calls.
const THRESHOLD_CALLS: u64 = 20_000;

impl Case {
    fn json(&self) -> Result<Value, Error> {
        let violates = match &self.least {
            Least::Known(least) => *least > self.epsilon,
            Least::Infinite => true,
            Least::OfOutputs => self.epsilon_of_outputs()?.is_above_rational(&self.epsilon),
        };
        // The two ways to say so must agree: by epsilon, and by delta.
        let delta = self.delta_of_outputs()?;
        if violates != delta.is_above_rational(&self.delta) || violates == (self.flag == "Null") {
            return Err(Error::Usage(format!(
                "{}: the verdict is unclear",
                self.name
            )));
        }
        let epsilon = match &self.least {
            Least::Known(least) => enclosed(&Enclosure::of(least, BITS), DIGITS),
            Least::Infinite => "infinite".into(),
            Least::OfOutputs => enclosed(&self.epsilon_of_outputs()?, DIGITS),
        };
        let shown = || self.rows.iter().filter(|row| row.is_shown);
        let outputs: Vec<Value> = shown()
            .map(|row| {
                let [first, second] = row.masses.each_ref().map(|mass| enclosed(mass, DIGITS));
                json!({"output": row.output, "first": first, "second": second})
            })
            .collect();
        let others = [0, 1].map(|side| {
            if shown().count() == self.rows.len() {
                return enclosed(&Enclosure::integer(0, BITS), DIGITS);
            }
            let sum = shown().fold(Enclosure::integer(0, BITS), |sum, row| {
                sum + &row.masses[side]
            });
            enclosed(&sum.complement(), DIGITS)
        });
        let mut value = json!({
            "id": format!("dpv:self-test-{}", self.name),
            "mechanism": self.mechanism,
            "claim": {"epsilon": fraction(&self.epsilon), "delta": fraction(&self.delta)},
            "truth": {
                "epsilon": epsilon,
                "delta": enclosed(&delta, DIGITS),
                "disjoint": enclosed(&self.disjoint(), DIGITS),
            },
            "verdict": if violates { "violation" } else { "not-refuted" },
            "flags": [self.flag],
            "bug": self.bug.0,
            "effect": self.bug.1,
            "outputs": outputs,
            "others": {"first": others[0], "second": others[1]},
        });
        if let Some(calls) = self.calls {
            value["required"] = json!({"calls": calls, "power": "19/20"});
        }
        Ok(value)
    }

    /// The largest log ratio; of outputs that both inputs have, and that are all.
    fn epsilon_of_outputs(&self) -> Result<Enclosure, NumberError> {
        let mut most = Enclosure::integer(0, BITS);
        for Row { masses, .. } in &self.rows {
            let [first, second] = masses;
            most = most.max(&(first.ln()? - second.ln()?).abs());
        }
        Ok(most)
    }

    /// The larger of the probabilities of outputs that the other input never has.
    fn disjoint(&self) -> Enclosure {
        let alone = |side: usize| {
            let rows = self.rows.iter();
            let rows = rows.filter(|row| row.masses[1 - side].hi().is_zero());
            rows.fold(Enclosure::integer(0, BITS), |sum, row| {
                sum + &row.masses[side]
            })
        };
        alone(0).max(&alone(1))
    }

    /// The least delta at the claimed epsilon. What is not listed adds at most its probability.
    fn delta_of_outputs(&self) -> Result<Enclosure, NumberError> {
        let factor = Enclosure::exp_of(&self.epsilon, BITS)?;
        let zero = Enclosure::integer(0, BITS);
        let one_way = |side: usize| {
            let (mut delta, mut listed) = (zero.clone(), zero.clone());
            for Row { masses, .. } in &self.rows {
                let gain = &masses[side] - &factor * &masses[1 - side];
                delta = delta + gain.max(&zero);
                listed = listed + &masses[side];
            }
            let others = listed.complement().max(&zero);
            delta.hull(&(&delta + &others))
        };
        Ok(one_way(0).max(&one_way(1)))
    }
}
