//! The samplers that ship, and beside each the function of `samplers/*.v` that is to do the same on every tape.

use crate::tapes::Program;
use dp_assay::coins::{Coins, CoinsError, Law, Tape};
use dp_assay::law::Noise;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Dyadic, Enclosure, Rational};
use dp_assay::sample::{
    self, DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, Geometric, ScoreClass,
};
use num_bigint::{BigInt, BigUint};

/// A sampler: the claim of its law, the file that is written, and its instances, each with the Coq term of its model.
pub struct Sampler {
    pub claim: &'static str,
    pub file: &'static str,
    /// Files of models beside `Samplers`.
    pub imports: &'static [&'static str],
    /// Run on every short tape.
    pub on_all_tapes: Vec<(String, Program)>,
    /// Large parameters, run on some random long tapes.
    pub on_long_tapes: Vec<(String, Program)>,
    /// Run on one tape that leads far: many digits, a large result, a late end of a series.
    pub on_chosen_tapes: Vec<(String, Program, String)>,
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
    let three_words = BigUint::from(3u32).pow(90);
    let power = |exponent: u32| BigUint::from(1u32) << exponent;
    Sampler {
        claim: "sample.uniform-below",
        file: "TapesUniformBelow",
        imports: &[],
        on_all_tapes: small.into(),
        // The coins come in words of at most 64 bits: below, at and above one word.
        on_long_tapes: [power(64) - 5u32, power(64), power(100) + 1u32, three_words]
            .map(|n| instance(LONG, n))
            .into(),
        on_chosen_tapes: vec![],
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
        imports: &[],
        on_all_tapes: small.map(|p| instance(SHORT, p)).into(),
        on_long_tapes: large.map(|p| instance(LONG, p)).into(),
        on_chosen_tapes: vec![on(instance(LONG, [1, 3]), "01".repeat(100) + "1")],
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
        imports: &[],
        on_all_tapes: small.map(|x| instance(SHORT, x)).into(),
        on_long_tapes: large.map(|x| instance(LONG, x)).into(),
        on_chosen_tapes: vec![
            on(instance(LONG, [1, 1]), "0".repeat(177) + "1"),
            on(instance(LONG, [2001, 2]), "01".repeat(1000) + "1"),
        ],
    }
}

fn geometric() -> Sampler {
    let instance = |fuel, s: &BigInt, t: &BigInt| {
        let model = format!("geometric {fuel} {s} {t}");
        let law = Geometric::new(Rational::new(s.clone(), t.clone())).expect("a rate");
        let run = move |tape: &mut Tape| Ok(tape.draw(&law)?.into());
        (model, program(run))
    };
    let of = |fuel, [s, t]: [i64; 2]| instance(fuel, &s.into(), &t.into());
    let one = &BigInt::from(1);
    let small = [[1, 1], [3, 1], [2, 3], [1, 3], [7, 5]];
    let large = [[1, 1_000_000], [7, 1_000_000], [1_000_003, 999_983]];
    let mut on_long_tapes: Vec<_> = large.map(|rate| of(LONG, rate)).into();
    // Beyond a machine word.
    on_long_tapes.push(instance(LONG, one, &((one << 70) + 9)));
    Sampler {
        claim: "sample.geometric",
        file: "TapesGeometric",
        imports: &[],
        on_all_tapes: small.map(|rate| of(SHORT, rate)).into(),
        on_long_tapes,
        on_chosen_tapes: vec![on(instance(LONG, one, one), "01".repeat(200) + "1")],
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
    let drawn_at = |fuel, scale: Rational| {
        let model = format!("laplace {fuel} {} {}", scale.numer(), scale.denom());
        draws(model, DiscreteLaplace::new(scale).expect("a scale"))
    };
    let drawn = |fuel, [p, q]: [i64; 2]| drawn_at(fuel, ratio(p, q));
    let huge = Rational::new(BigInt::from(1) << 80, 7.into());
    let around = |value: i64, scale: [i64; 2]| {
        let [p, q] = scale;
        let model = format!("around {SHORT} ({value}) (fun fuel => laplace fuel {p} {q})");
        draws(model, law(scale).around(value))
    };
    let mut on_all_tapes: Vec<_> = [[1, 1], [1, 2], [3, 2], [7, 3]].map(attempt).into();
    on_all_tapes.extend([[1, 1], [1, 2], [3, 2]].map(|scale| drawn(SHORT, scale)));
    on_all_tapes.push(around(-5, [3, 2]));
    Sampler {
        claim: "sample.discrete-laplace",
        file: "TapesDiscreteLaplace",
        imports: &["Around"],
        on_all_tapes,
        on_long_tapes: vec![drawn(LONG, [1_000_000, 7]), drawn_at(LONG, huge)],
        on_chosen_tapes: vec![],
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
    let drawn_at = |fuel, variance: Rational| {
        let model = format!("gaussian {fuel} {} {}", variance.numer(), variance.denom());
        draws(model, DiscreteGaussian::new(variance).expect("a variance"))
    };
    let drawn = |fuel, [a, b]: [i64; 2]| drawn_at(fuel, ratio(a, b));
    let huge = Rational::new(BigInt::from(10).pow(40), 7.into());
    let around = |value: i64, variance: [i64; 2]| {
        let [a, b] = variance;
        let model = format!("around {SHORT} ({value}) (fun fuel => gaussian fuel {a} {b})");
        draws(model, law(variance).around(value))
    };
    let mut on_all_tapes: Vec<_> = [[1, 4], [1, 1], [4, 1], [25, 7]].map(attempt).into();
    on_all_tapes.extend([[1, 4], [1, 1], [25, 7]].map(|variance| drawn(SHORT, variance)));
    on_all_tapes.push(around(3, [25, 7]));
    Sampler {
        claim: "sample.discrete-gaussian",
        file: "TapesDiscreteGaussian",
        imports: &["Around"],
        on_all_tapes,
        on_long_tapes: vec![drawn(LONG, [1_000_000_000_000, 7]), drawn_at(LONG, huge)],
        on_chosen_tapes: vec![],
    }
}

fn spherical_gaussian() -> Sampler {
    let model = |fuel, values: &[i64], noise: String| {
        let values: Vec<String> = values.iter().map(|value| format!("({value})")).collect();
        let values = values.join("; ");
        format!("tmap out_vector (around_all {fuel} [{values}] (fun fuel => {noise}))")
    };
    let around_all = |fuel, values: &'static [i64], [a, b]: [i64; 2]| {
        let law = DiscreteGaussian::new(ratio(a, b)).expect("a variance");
        let law = law.around_all(values.iter().copied());
        draws_vector(model(fuel, values, format!("gaussian fuel {a} {b}")), law)
    };
    let laplace_around_all = |fuel, values: &'static [i64], [p, q]: [i64; 2]| {
        let law = DiscreteLaplace::new(ratio(p, q)).expect("a scale");
        let law = law.around_all(values.iter().copied());
        draws_vector(model(fuel, values, format!("laplace fuel {p} {q}")), law)
    };
    let spherical = |fuel, dimension: usize, [a, b]: [i64; 2]| {
        let law = DiscreteGaussian::new(ratio(a, b)).expect("a variance");
        let run =
            move |tape: &mut Tape| Ok(vector(&sample::spherical_gaussian(&law, dimension, tape)?));
        let model = format!("tmap out_vector (spherical_gaussian {fuel} {dimension} {a} {b})");
        (model, program(run))
    };
    Sampler {
        claim: "sample.spherical-gaussian",
        file: "TapesSphericalGaussian",
        imports: &["Around", "SphericalGaussian"],
        on_all_tapes: vec![
            spherical(SHORT, 2, [1, 4]),
            around_all(SHORT, &[], [1, 1]),
            around_all(SHORT, &[2], [1, 4]),
            around_all(SHORT, &[-1, 3], [1, 4]),
            laplace_around_all(SHORT, &[-1, 3], [1, 2]),
        ],
        on_long_tapes: vec![around_all(LONG, &[5, -7, 0], [10, 3])],
        on_chosen_tapes: vec![],
    }
}

/// Classes of outcomes: a loss and a count.
type Classes = Vec<(Rational, u32)>;

fn exponential_mechanism() -> Sampler {
    let of = |classes: &[([i64; 2], u32)]| -> Classes {
        classes
            .iter()
            .map(|&([p, q], count)| (ratio(p, q), count))
            .collect()
    };
    let attempt = |scale, classes: &Classes| {
        let law = mechanism(scale, classes);
        let run = move |tape: &mut Tape| Ok(optional(law.attempt(tape)?.map(BigInt::from)));
        let model = format!("fun classes => tmap out (exponential_attempt {SHORT} classes)");
        (made_of(scale, classes, &model), program(run))
    };
    let by_rejection = |fuel, scale, classes: &Classes| {
        let law = mechanism(scale, classes);
        let run = move |tape: &mut Tape| Ok(law.draw_class_by_rejection(tape)?.into());
        (
            made_of(scale, classes, &format!("exponential {fuel}")),
            program(run),
        )
    };
    let by_inversion = |fuel, scale, classes: &Classes| {
        let law = mechanism(scale, classes);
        let model = format!(
            "fun classes => draw_class first_failing ({}) classes {fuel}",
            bounds(&law)
        );
        let run = move |tape: &mut Tape| Ok(law.draw_class(tape)?.into());
        (made_of(scale, classes, &model), program(run))
    };
    let with_rank = |fuel, scale, classes: &Classes| {
        let law = mechanism(scale, classes);
        let model = format!(
            "fun classes => tmap (fun p => out_vector [fst p; snd p]) \
             (draw_outcome (draw_class first_failing ({}) classes) {fuel} classes)",
            bounds(&law)
        );
        let run = move |tape: &mut Tape| {
            let (class, rank) = law.draw_outcome(tape)?;
            Ok(vector(&[class.into(), rank.into()]))
        };
        (made_of(scale, classes, &model), program(run))
    };
    // The exponents are the losses, less the least; or three eighths of that.
    const PLAIN: [i64; 2] = [2, 1];
    const OTHER: [i64; 2] = [3, 4];
    let one = of(&[([3, 1], 1)]);
    let two = of(&[([0, 1], 2), ([1, 1], 1)]);
    let with_an_empty_one = of(&[([5, 2], 3), ([1, 2], 1), ([7, 1], 0), ([4, 3], 2)]);
    let with_an_empty_best = of(&[([0, 1], 0), ([1, 2], 1), ([4, 3], 2)]);
    let many = of(&[
        ([1, 7], 1000),
        ([0, 1], 900),
        ([22, 7], 10_000),
        ([2, 3], 1177),
    ]);
    // So near to 1/2 that 128 bits do not decide.
    let nearly_equal = vec![
        (integer(0), 1),
        (Rational::new(1.into(), BigInt::from(1) << 200), 1),
    ];
    Sampler {
        claim: "sample.exponential-mechanism",
        file: "TapesExponentialMechanism",
        imports: &[
            "ExponentialRejection",
            "Inversion",
            "ExponentialInversion",
            "RankInClass",
            "Scores",
        ],
        on_all_tapes: vec![
            attempt(PLAIN, &one),
            attempt(PLAIN, &two),
            attempt(OTHER, &with_an_empty_one),
            by_rejection(SHORT, PLAIN, &two),
            by_rejection(SHORT, OTHER, &with_an_empty_best),
            by_inversion(SHORT, PLAIN, &one),
            by_inversion(SHORT, OTHER, &two),
            by_inversion(SHORT, PLAIN, &with_an_empty_one),
            by_inversion(SHORT, PLAIN, &with_an_empty_best),
            with_rank(SHORT, PLAIN, &with_an_empty_one),
        ],
        on_long_tapes: vec![
            by_rejection(LONG, OTHER, &many),
            by_inversion(LONG, OTHER, &many),
        ],
        on_chosen_tapes: vec![on(
            by_inversion(LONG, PLAIN, &nearly_equal),
            "0".to_owned() + &"1".repeat(200),
        )],
    }
}

fn mechanism([epsilon, sensitivity]: [i64; 2], classes: &Classes) -> ExponentialMechanism {
    let class = |(loss, count): &(Rational, u32)| ScoreClass {
        loss: loss.clone(),
        count: (*count).into(),
    };
    let classes = classes.iter().map(class).collect();
    ExponentialMechanism::new(integer(epsilon), integer(sensitivity), classes).expect("a mechanism")
}

/// A program of Coq for the classes that Coq makes of epsilon, the sensitivity and the losses.
fn made_of([epsilon, sensitivity]: [i64; 2], classes: &Classes, program: &str) -> String {
    let class = |(loss, count): &(Rational, u32)| {
        let (numerator, denominator) = (loss.numer(), loss.denom());
        format!("Build_score_class (QArith_base.Qmake ({numerator}) {denominator}) {count}")
    };
    let classes: Vec<String> = classes.iter().map(class).collect();
    format!(
        "made_of (QArith_base.Qmake {epsilon} 1) (QArith_base.Qmake {sensitivity} 1) [{}] ({program})",
        classes.join("; ")
    )
}

/// The bounds by which inversion decides, as a function of the precision: at 128 bits, and above at 256. Integers over a
/// power of 2. They are the library's own: that they enclose the probabilities is not what the tapes show.
fn bounds(law: &ExponentialMechanism) -> String {
    let at = |bits: u32| {
        let bounds = law.cumulative_probabilities(bits).expect("bounds");
        let ends = bounds.iter().flat_map(|bound| [bound.lo(), bound.hi()]);
        let scale = ends.map(|end| -end.exponent()).max().unwrap_or(0).max(0);
        let integer = |end: &Dyadic| end.mantissa() << (scale + end.exponent());
        let pair =
            |bound: &Enclosure| format!("({}, {})", integer(bound.lo()), integer(bound.hi()));
        let ends: Vec<String> = bounds.iter().map(pair).collect();
        format!("Build_enclosures {scale} [{}]", ends.join("; "))
    };
    format!(
        "fun precision => if precision =? 128 then {} else {}",
        at(128),
        at(256)
    )
}

/// An instance on a chosen tape.
fn on((model, program): (String, Program), tape: String) -> (String, Program, String) {
    (model, program, tape)
}

/// The program that draws from a law, and its model.
fn draws(model: String, law: impl Law<Outcome = BigInt>) -> (String, Program) {
    (model, program(move |tape| tape.draw(&law)))
}

/// The same of a law on vectors.
fn draws_vector(model: String, law: impl Law<Outcome = Vec<BigInt>>) -> (String, Program) {
    (model, program(move |tape| Ok(vector(&tape.draw(&law)?))))
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
