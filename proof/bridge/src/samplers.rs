//! The samplers that ship, and beside each the function of `samplers/*.v` that is to do the same on every tape.

use crate::tapes::Program;
use dp_assay::coins::{Coins, CoinsError, Tape};
use dp_assay::law::Noise;
use dp_assay::number::Dyadic;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::sample::{
    DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, Geometric, ScoreClass,
};
use num_bigint::{BigInt, BigUint};

/// A sampler: the claim of its law, the file that is written, and its instances, each with the Coq term of its model.
pub struct Sampler {
    pub claim: &'static str,
    pub file: &'static str,
    /// Files of models beside `Samplers`, each followed by a space.
    pub imports: &'static str,
    /// Run on every short tape.
    pub on_all_tapes: Vec<(String, Program)>,
    /// Parameters that no short tape decides; run on some long tapes.
    pub on_long_tapes: Vec<(String, Program)>,
}

/// Fuel enough for every tape that is short.
const SHORT: u32 = 40;
/// And for the long ones.
const LONG: u32 = 300;

/// All samplers that have a model.
pub fn all() -> Vec<Sampler> {
    vec![
        uniform_below(),
        bernoulli(),
        bernoulli_exp(),
        geometric(),
        discrete_laplace(),
        discrete_gaussian(),
        spherical_gaussian(),
        exponential_mechanism(),
    ]
}

fn uniform_below() -> Sampler {
    let instance = |fuel, n: BigUint| {
        let model = format!("uniform_below {fuel} {n}");
        let run = move |tape: &mut Tape| Ok(tape.uniform_below(&n)?.into());
        (model, program(run))
    };
    let small = [1u32, 2, 3, 5, 6, 8, 13, 100].map(|n| instance(SHORT, n.into()));
    let power = |exponent: u32| BigUint::from(1u32) << exponent;
    Sampler {
        claim: "sample.uniform-below",
        file: "TapesUniformBelow",
        imports: "",
        on_all_tapes: small.into(),
        // The coins come in words of at most 64 bits: below, at and above one word.
        on_long_tapes: [power(64) - 5u32, power(64), power(100) + 1u32]
            .map(|n| instance(LONG, n))
            .into(),
    }
}

fn bernoulli() -> Sampler {
    let instance = |fuel, [p, q]: [i64; 2]| {
        let model = format!("tmap Z.b2z (bernoulli {fuel} {p} {q})");
        let run = move |tape: &mut Tape| Ok(tape.bernoulli(&ratio(p, q))?.into());
        (model, program(run))
    };
    let small = [
        [0, 1],
        [1, 1],
        [1, 2],
        [1, 3],
        [2, 3],
        [3, 8],
        [5, 7],
        [1, 1000],
    ];
    let large = [[100_000_000_003, 300_000_000_077], [1, 1 << 20]];
    Sampler {
        claim: "sample.bernoulli",
        file: "TapesBernoulli",
        imports: "",
        on_all_tapes: small.map(|p| instance(SHORT, p)).into(),
        on_long_tapes: large.map(|p| instance(LONG, p)).into(),
    }
}

fn bernoulli_exp() -> Sampler {
    let instance = |fuel, [p, q]: [i64; 2]| {
        let model = format!("tmap Z.b2z (bernoulli_exp {fuel} {p} {q})");
        let run = move |tape: &mut Tape| Ok(tape.bernoulli_exp(&ratio(p, q))?.into());
        (model, program(run))
    };
    let small = [[0, 1], [1, 2], [2, 3], [3, 4], [1, 1], [5, 2]];
    let large = [[100_000_000_003, 100_000_000_019], [21, 4], [1, 100]];
    Sampler {
        claim: "sample.bernoulli-exp",
        file: "TapesBernoulliExp",
        imports: "",
        on_all_tapes: small.map(|x| instance(SHORT, x)).into(),
        on_long_tapes: large.map(|x| instance(LONG, x)).into(),
    }
}

fn geometric() -> Sampler {
    let instance = |fuel, [s, t]: [i64; 2]| {
        let model = format!("geometric {fuel} {s} {t}");
        let law = Geometric::new(ratio(s, t)).expect("a rate");
        let run = move |tape: &mut Tape| Ok(tape.draw(&law)?.into());
        (model, program(run))
    };
    let small = [[1, 1], [3, 1], [2, 3], [1, 3], [7, 5]];
    let large = [[1, 1_000_000], [7, 1_000_000], [1_000_003, 999_983]];
    Sampler {
        claim: "sample.geometric",
        file: "TapesGeometric",
        imports: "",
        on_all_tapes: small.map(|rate| instance(SHORT, rate)).into(),
        on_long_tapes: large.map(|rate| instance(LONG, rate)).into(),
    }
}

fn discrete_laplace() -> Sampler {
    let law = |[p, q]: [i64; 2]| DiscreteLaplace::new(ratio(p, q)).expect("a scale");
    let attempt = |scale: [i64; 2]| {
        let [p, q] = scale;
        let law = law(scale);
        let run = move |tape: &mut Tape| Ok(optional(law.attempt(tape)?));
        (
            format!("tmap out (laplace_attempt {SHORT} {p} {q})"),
            program(run),
        )
    };
    let drawn = |fuel, scale: [i64; 2]| {
        let [p, q] = scale;
        let law = law(scale);
        let run = move |tape: &mut Tape| tape.draw(&law);
        (format!("laplace {fuel} {p} {q}"), program(run))
    };
    let around = |value: i64, scale: [i64; 2]| {
        let [p, q] = scale;
        let law = law(scale).around(value);
        let run = move |tape: &mut Tape| tape.draw(&law);
        (
            format!("around {SHORT} ({value}) (fun fuel => laplace fuel {p} {q})"),
            program(run),
        )
    };
    let mut on_all_tapes: Vec<_> = [[1, 1], [1, 2], [3, 2], [7, 3]].map(attempt).into();
    on_all_tapes.extend([[1, 1], [1, 2], [3, 2]].map(|scale| drawn(SHORT, scale)));
    on_all_tapes.push(around(-5, [3, 2]));
    Sampler {
        claim: "sample.discrete-laplace",
        file: "TapesDiscreteLaplace",
        imports: "Around ",
        on_all_tapes,
        on_long_tapes: vec![drawn(LONG, [1_000_000, 7])],
    }
}

fn discrete_gaussian() -> Sampler {
    let law = |[a, b]: [i64; 2]| DiscreteGaussian::new(ratio(a, b)).expect("a variance");
    let attempt = |variance: [i64; 2]| {
        let [a, b] = variance;
        let law = law(variance);
        let run = move |tape: &mut Tape| Ok(optional(law.attempt(tape)?));
        (
            format!("tmap out (gaussian_attempt {SHORT} {a} {b})"),
            program(run),
        )
    };
    let drawn = |fuel, variance: [i64; 2]| {
        let [a, b] = variance;
        let law = law(variance);
        let run = move |tape: &mut Tape| tape.draw(&law);
        (format!("gaussian {fuel} {a} {b}"), program(run))
    };
    let around = |value: i64, variance: [i64; 2]| {
        let [a, b] = variance;
        let law = law(variance).around(value);
        let run = move |tape: &mut Tape| tape.draw(&law);
        (
            format!("around {SHORT} ({value}) (fun fuel => gaussian fuel {a} {b})"),
            program(run),
        )
    };
    let mut on_all_tapes: Vec<_> = [[1, 4], [1, 1], [4, 1], [25, 7]].map(attempt).into();
    on_all_tapes.extend([[1, 4], [1, 1], [25, 7]].map(|variance| drawn(SHORT, variance)));
    on_all_tapes.push(around(3, [25, 7]));
    Sampler {
        claim: "sample.discrete-gaussian",
        file: "TapesDiscreteGaussian",
        imports: "Around ",
        on_all_tapes,
        on_long_tapes: vec![drawn(LONG, [1_000_000_000_000, 7])],
    }
}

fn spherical_gaussian() -> Sampler {
    let around_all = |fuel, values: &'static [i64], [a, b]: [i64; 2]| {
        let law = DiscreteGaussian::new(ratio(a, b)).expect("a variance");
        let law = law.around_all(values.iter().copied());
        let run = move |tape: &mut Tape| Ok(vector(&tape.draw(&law)?));
        let values: Vec<String> = values.iter().map(|value| format!("({value})")).collect();
        let model = format!(
            "tmap out_vector (around_all {fuel} [{}] (fun fuel => gaussian fuel {a} {b}))",
            values.join("; ")
        );
        (model, program(run))
    };
    Sampler {
        claim: "sample.spherical-gaussian",
        file: "TapesSphericalGaussian",
        imports: "Around ",
        on_all_tapes: vec![
            around_all(SHORT, &[], [1, 1]),
            around_all(SHORT, &[2], [1, 4]),
            around_all(SHORT, &[-1, 3], [1, 4]),
        ],
        on_long_tapes: vec![around_all(LONG, &[5, -7, 0], [10, 3])],
    }
}

/// Classes of outcomes: a loss and a count. At epsilon = 2 and sensitivity 1 the exponents are the losses, less the least.
type Classes = &'static [([i64; 2], u32)];

fn exponential_mechanism() -> Sampler {
    let attempt = |classes: Classes| {
        let law = mechanism(classes);
        let run = move |tape: &mut Tape| Ok(optional(law.attempt(tape)?.map(BigInt::from)));
        let model = format!(
            "tmap out (exponential_attempt {SHORT} {})",
            written(classes)
        );
        (model, program(run))
    };
    let by_rejection = |fuel, classes: Classes| {
        let law = mechanism(classes);
        let run = move |tape: &mut Tape| Ok(law.draw_class_by_rejection(tape)?.into());
        (
            format!("exponential {fuel} {}", written(classes)),
            program(run),
        )
    };
    let by_inversion = |fuel, classes: Classes| {
        let law = mechanism(classes);
        let bounds = bounds(&law);
        let run = move |tape: &mut Tape| Ok(law.draw_class(tape)?.into());
        let model = format!(
            "draw_class first_failing ({bounds}) {} {fuel}",
            written(classes)
        );
        (model, program(run))
    };
    const ONE: Classes = &[([3, 1], 1)];
    const TWO: Classes = &[([0, 1], 2), ([1, 1], 1)];
    const WITH_AN_EMPTY_ONE: Classes = &[([5, 2], 3), ([1, 2], 1), ([7, 1], 0), ([4, 3], 2)];
    const MANY: Classes = &[
        ([1, 7], 1000),
        ([0, 1], 1),
        ([22, 7], 1_000_000),
        ([2, 3], 77),
    ];
    Sampler {
        claim: "sample.exponential-mechanism",
        file: "TapesExponentialMechanism",
        imports: "ExponentialRejection Inversion ExponentialInversion ",
        on_all_tapes: vec![
            attempt(ONE),
            attempt(TWO),
            attempt(WITH_AN_EMPTY_ONE),
            by_rejection(SHORT, TWO),
            by_rejection(SHORT, WITH_AN_EMPTY_ONE),
            by_inversion(SHORT, ONE),
            by_inversion(SHORT, TWO),
            by_inversion(SHORT, WITH_AN_EMPTY_ONE),
        ],
        on_long_tapes: vec![by_rejection(LONG, MANY), by_inversion(LONG, MANY)],
    }
}

fn mechanism(classes: Classes) -> ExponentialMechanism {
    let class = |&([p, q], count): &([i64; 2], u32)| ScoreClass {
        loss: ratio(p, q),
        count: count.into(),
    };
    let classes = classes.iter().map(class).collect();
    ExponentialMechanism::new(integer(2), integer(1), classes).expect("a mechanism")
}

/// The classes as Coq has them: a count and an exponent.
fn written(classes: Classes) -> String {
    let occupied = classes.iter().filter(|(_, count)| *count > 0);
    let least = occupied.map(|&([p, q], _)| ratio(p, q)).min();
    let least = least.expect("a class that is not empty");
    let class = |&([p, q], count): &([i64; 2], u32)| {
        let exponent = ratio(p, q) - &least;
        let (numerator, denominator) = (exponent.numer(), exponent.denom());
        format!("Build_class {count} ({numerator}) {denominator}")
    };
    let classes: Vec<String> = classes.iter().map(class).collect();
    format!("[{}]", classes.join("; "))
}

/// The bounds by which inversion decides, as a function of the precision: at 128 bits, and above at 256. Integers over a power of 2.
fn bounds(law: &ExponentialMechanism) -> String {
    let at = |bits: u32| {
        let bounds = law.cumulative_probabilities(bits).expect("bounds");
        let ends = bounds.iter().flat_map(|bound| [bound.lo(), bound.hi()]);
        let scale = ends.map(|end| -end.exponent()).max().unwrap_or(0).max(0);
        let integer = |end: &Dyadic| end.mantissa() << (scale + end.exponent());
        let ends = bounds
            .iter()
            .map(|bound| format!("({}, {})", integer(bound.lo()), integer(bound.hi())));
        let ends: Vec<String> = ends.collect();
        format!("Build_enclosures {scale} [{}]", ends.join("; "))
    };
    format!(
        "fun precision => if precision =? 128 then {} else {}",
        at(128),
        at(256)
    )
}

fn program(run: impl Fn(&mut Tape) -> Result<BigInt, CoinsError> + 'static) -> Program {
    Box::new(run)
}

/// As `out` of `Agreement.v` has it: 0 for a rejection, 2k + 1 for k >= 0, and -2k for k < 0.
fn optional(outcome: Option<BigInt>) -> BigInt {
    match outcome {
        None => BigInt::ZERO,
        Some(k) if k >= BigInt::ZERO => 2 * k + 1,
        Some(k) => -2 * k,
    }
}

/// As `out_vector` of `Agreement.v` has it: 0 for none, and 2^(out k) (2 v + 1) for the coordinate k before the vector v.
fn vector(coordinates: &[BigInt]) -> BigInt {
    let Some((first, rest)) = coordinates.split_first() else {
        return BigInt::ZERO;
    };
    let shift = u64::try_from(optional(Some(first.clone()))).expect("a small coordinate");
    (2 * vector(rest) + 1) << shift
}
