//! The random feature model: the algorithm as printed and as coded, the Gamma mechanism, and what repairs them.
//!
//! Data are labels, as integers; the inputs are public. All but A9 claim epsilon = 1 (and delta = 1e-5, but for the
//! Gamma mechanism) for one substituted record.
//!
//! | specimen | audit | truth on its pair |
//! |---|---|---|
//! | `random-features-real-noise` | A1 | infinite: the imaginary parts have no noise |
//! | `random-features-both-parts` | A1 | from its distance: private |
//! | `random-features-near-duplicates` | A2 | from its distance: ten times what the noise is for |
//! | `random-features-clipped` | A2 | from its distance: private |
//! | `random-features-as-coded` | A3 | from its distance: one prediction at N = 3200 |
//! | `random-features-reversed` | A8 | from its distance: private, and nothing is learned |
//! | `random-features-gamma` | A10 | from its law: exactly 1 |
//! | `random-features-gamma-inverted` | A10 | from its law: 9 |
//! | `random-features-fairness-noise` | A9 | from its distance: four times the claim, which is 1/20 |
//! | `random-features-ridge`, `…-without-two` | R3 | from its distance: private, and not |
//! | `random-features-kaczmarz`, `…-without-two` | R4 | from its distance: private, and not |
//!
//! Noise is the discrete Gaussian with deviations of many steps: its delta at a given epsilon is that of the normal
//! law to far more digits than are stated.

mod repaired;

use dp_assay::coins::{ChaCha, Coins, Law};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::OptimiseError;
use dp_assay::optimise::exact::{Complex, minimum_norm, reals, squared_norm};
use dp_assay::prepared::DrawnOften;
use dp_assay::privacy::{Budget, gaussian};
use dp_assay::random_features::as_coded;
use dp_assay::random_features::as_printed::Algorithm1;
use dp_assay::sample::{DiscreteGaussian, GammaNoise};
use dp_assay_audit::specimen::{self, Draw, Due, Mechanism, Specimen, Truth, integers, specimen};
use dp_assay_audit::targets::{Output, TargetError};
use dp_assay_ledger::random_features::instances::{self, Instance, x1};
use num_traits::{One, ToPrimitive};
use serde_json::{Value, json};

fn delta() -> Rational {
    ratio(1, 100_000)
}

fn claimed() -> Result<Budget, OptimiseError> {
    Ok(Budget::substituting(&integer(1), &delta())?)
}

fn algorithm() -> Result<Algorithm1, OptimiseError> {
    Ok(Algorithm1 {
        eta: ratio(3, 8),
        claimed: claimed()?,
    })
}

/// What the library refuses: labels that do not fit the inputs.
fn refused(data: &Value) -> impl Fn(OptimiseError) -> TargetError + use<> {
    specimen::refused(data, "one integer label for each public input")
}

/// The labels of the data, in units of `1/denominator`.
fn labels(data: &Value, denominator: i64) -> Result<Vec<Rational>, TargetError> {
    let values = integers(data)?;
    Ok(values.iter().map(|&y| ratio(y, denominator)).collect())
}

fn vector(entries: Vec<Rational>) -> Output {
    let entry = |value: Rational| value.to_integer().to_i128().unwrap_or(i128::MAX);
    Output::Vector(
        entries
            .into_iter()
            .map(|value| Output::Integer(entry(value)))
            .collect(),
    )
}

/// Algorithm 1 as printed, by the library's own code: the real parts in steps of 1/16, the imaginary ones in
/// steps of 1/20, on which those of X1 lie.
struct AsPrinted {
    instance: Instance,
    algorithm: Algorithm1,
}

/// The grid of [`AsPrinted`].
const GRID_BITS: u32 = 4;

impl Mechanism for AsPrinted {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        self.on(data)?(coins)
    }

    fn on<'a>(&'a self, data: &'a Value) -> Result<Draw<'a>, TargetError> {
        let labels = labels(data, 5)?;
        let solved = self
            .algorithm
            .before_noise(&self.instance.rows, &labels, GRID_BITS)
            .map_err(refused(data))?;
        Ok(Box::new(move |coins| {
            let release = solved.release_not_private(coins).map_err(refused(data))?;
            let real = release.real.into_iter().map(Rational::from);
            let imaginary = release.imaginary.into_iter().map(|im| im * integer(20));
            Ok(vector(real.chain(imaginary.map(|im| im.floor())).collect()))
        }))
    }
}

/// What is added up before there is noise.
enum Query {
    /// Real and imaginary parts of the coefficients of least norm.
    Coefficients(Vec<Vec<Complex>>),
    /// The same on real features, shortened to at most this norm if there is one.
    Real(Vec<Vec<Complex>>, Option<Rational>),
    /// The prediction at the only training record, which is its label.
    Prediction,
}

/// A query on a grid of steps `1/scale`, with discrete Gaussian noise on every coordinate.
struct Noisy {
    query: Query,
    denominator: i64,
    scale: i64,
    noise: DrawnOften<DiscreteGaussian>,
}

impl Noisy {
    /// With noise of this variance, in units of 1.
    fn new(
        query: Query,
        denominator: i64,
        scale: i64,
        variance: &Enclosure,
    ) -> Result<Self, TargetError> {
        let steps = variance.upper() * integer(scale) * integer(scale);
        Ok(Self {
            query,
            denominator,
            scale,
            // It answers thousands of times.
            noise: DrawnOften::new(DiscreteGaussian::new(steps.ceil())?, u64::MAX)?,
        })
    }

    /// The query's answer, in steps.
    fn answer(&self, data: &Value) -> Result<Vec<Rational>, TargetError> {
        let labels = labels(data, self.denominator)?;
        let solve =
            |rows: &[Vec<Complex>]| minimum_norm(rows, &reals(&labels)).map_err(refused(data));
        let entries = match &self.query {
            Query::Coefficients(rows) => solve(rows)?
                .into_iter()
                .flat_map(|c| [c.re, c.im])
                .collect(),
            Query::Real(rows, radius) => {
                let c = solve(rows)?;
                let factor = match radius {
                    None => Rational::one(),
                    Some(radius) => shortening(&squared_norm(&c), radius).map_err(refused(data))?,
                };
                c.into_iter().map(|c| c.re * &factor).collect()
            }
            Query::Prediction => match &labels[..] {
                [label] => vec![label.clone()],
                _ => return Err(refused(data)(OptimiseError::Singular)),
            },
        };
        let round = |value: Rational| (value * integer(self.scale)).round();
        Ok(entries.into_iter().map(round).collect())
    }

    /// The specimen on this pair, its truth from the distance of the two answers.
    fn specimen(
        self,
        name: &'static str,
        about: &'static str,
        pair: [Value; 2],
    ) -> Result<Specimen, TargetError> {
        let (first, second) = (self.answer(&pair[0])?, self.answer(&pair[1])?);
        let squared: Rational = first
            .iter()
            .zip(&second)
            .map(|(a, b)| (a - b) * (a - b))
            .sum();
        let truth = truth(&(squared / self.noise.law().variance())).map_err(refused(&pair[0]))?;
        Ok(Specimen {
            delta: delta(),
            truth,
            ..specimen(name, about, pair, self)?
        })
    }
}

impl Mechanism for Noisy {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        self.on(data)?(coins)
    }

    fn on<'a>(&'a self, data: &'a Value) -> Result<Draw<'a>, TargetError> {
        let answer = self.answer(data)?;
        Ok(Box::new(move |coins| {
            let mut noisy = Vec::with_capacity(answer.len());
            for value in &answer {
                noisy.push(value + Rational::from(coins.draw(&self.noise)?));
            }
            Ok(vector(noisy))
        }))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let answer = self.answer(data)?;
        let [center] = &answer[..] else {
            return Ok(None);
        };
        // One coordinate: a range that is the same for all labels in [0, 1], seven deviations on both sides.
        let deviation = self
            .noise
            .law()
            .variance()
            .to_f64()
            .unwrap_or(f64::NAN)
            .sqrt();
        let reach = (7.0 * deviation) as i64;
        let law = (-reach..=self.scale + reach).map(|k| {
            let k = integer(k);
            let pmf = self.noise.pmf(&(&k - center).to_integer(), 64);
            let pmf = pmf.map_err(|error| refused(data)(error.into()))?;
            let p = pmf.upper().to_f64().unwrap_or(f64::NAN);
            Ok((vector(vec![k]), p))
        });
        law.collect::<Result<_, TargetError>>().map(Some)
    }
}

/// The factor that brings a vector of this squared norm within the radius. The norm is rounded up, so that what is
/// shortened is within it.
fn shortening(squared: &Rational, radius: &Rational) -> Result<Rational, OptimiseError> {
    let norm = Enclosure::of(squared, 64).sqrt()?.upper();
    Ok(if norm > *radius {
        radius / norm
    } else {
        Rational::one()
    })
}

/// The least epsilon at delta = 1e-5 of normal laws at this squared distance in deviations, to six digits.
fn truth(squared_mu: &Rational) -> Result<Truth, OptimiseError> {
    let mu = Enclosure::of(squared_mu, 128).sqrt()?.lower();
    let exceeded = |epsilon: f64| -> Result<bool, OptimiseError> {
        let epsilon = dp_assay::number::rational::from_f64(epsilon)?;
        Ok(gaussian::profile(&mu, &epsilon, 128)?.is_above_rational(&delta()))
    };
    let (mut below, mut above) = (0.0, 1.0);
    while exceeded(above)? {
        (below, above) = (above, 2.0 * above);
    }
    for _ in 0..20 {
        let middle = (below + above) / 2.0;
        if exceeded(middle)? {
            below = middle;
        } else {
            above = middle;
        }
    }
    Ok(Truth {
        epsilon: above,
        exact: true,
        disjoint: Some(0.0),
    })
}

/// A sum with Gamma noise in the plane; the second coordinate of the query is always 0.
struct Gamma {
    noise: GammaNoise,
    rate: f64,
}

/// The largest absolute coordinate that is listed.
const LISTED: i64 = 60;

impl Gamma {
    fn new(rate: Rational) -> Result<Self, TargetError> {
        Ok(Self {
            rate: rate.to_f64().unwrap_or(f64::NAN),
            noise: GammaNoise::new(rate, 2)?,
        })
    }

    /// `exp(-rate |k|)`.
    fn weight(&self, x: i64, y: i64) -> f64 {
        (-self.rate * ((x * x + y * y) as f64).sqrt()).exp()
    }
}

impl Mechanism for Gamma {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let sum: i64 = integers(data)?.iter().sum();
        let mut noise = self.noise.draw(coins)?;
        noise[0] += sum;
        Ok(vector(noise.into_iter().map(Rational::from).collect()))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let sum: i64 = integers(data)?.iter().sum();
        let plane =
            |reach: i64| (-reach..=reach).flat_map(move |x| (-reach..=reach).map(move |y| (x, y)));
        let total: f64 = plane(2 * LISTED).map(|(x, y)| self.weight(x, y)).sum();
        let law = plane(LISTED).map(|(x, y)| {
            let output = vector(vec![integer(x), integer(y)]);
            (output, self.weight(x - sum, y) / total)
        });
        Ok(Some(law.collect()))
    }
}

/// What an audit must say of each.
pub const DUE: &[(&str, Due)] = &[
    ("random-features-both-parts", Due::NotRefuted),
    ("random-features-clipped", Due::NotRefuted),
    ("random-features-reversed", Due::NotRefuted),
    ("random-features-gamma", Due::NotRefuted),
    ("random-features-ridge", Due::NotRefuted),
    ("random-features-kaczmarz", Due::NotRefuted),
    ("random-features-ridge-without-two", Due::MayBeMissed),
    ("random-features-fairness-noise", Due::MayBeMissed),
    (
        "random-features-kaczmarz-without-two",
        Due::CaughtFrom(200000),
    ),
    ("random-features-real-noise", Due::CaughtFrom(1000)),
    ("random-features-near-duplicates", Due::CaughtFrom(1000)),
    ("random-features-as-coded", Due::CaughtFrom(1000)),
    ("random-features-gamma-inverted", Due::CaughtFrom(1000)),
];

/// All of them.
pub fn all() -> Result<Vec<Specimen>, TargetError> {
    let constants = refused(&Value::Null);
    let algorithm = algorithm().map_err(&constants)?;
    let variance = |frequencies| algorithm.variance(frequencies).map_err(&constants);
    let swapped = || [json!([3, 4]), json!([3, -4])];

    // A1. As printed, and with noise on both parts; the grid of 1/20 has all coefficients of X1.
    let as_printed = AsPrinted {
        instance: x1(),
        algorithm: algorithm.clone(),
    };
    let real_noise = Specimen {
        delta: delta(),
        truth: Truth {
            epsilon: f64::INFINITY,
            exact: true,
            disjoint: Some(1.0),
        },
        ..specimen(
            "random-features-real-noise",
            "Algorithm 1 as printed: complex coefficients, real noise",
            swapped(),
            as_printed,
        )?
    };
    let both_parts = Noisy::new(Query::Coefficients(x1().rows), 5, 20, &variance(3)?)?.specimen(
        "random-features-both-parts",
        "right on its pair: noise on both parts of the coefficients",
        swapped(),
    )?;

    // A2. Near-duplicates at ten times the printed sensitivity, and clipped to half of it. The printed variance is
    // for Delta = 4; rounding to the grid of 1/8 adds sqrt(2) steps.
    let near = instances::x6(50, 1);
    let unclipped = Noisy::new(Query::Real(near.rows.clone(), None), 5, 8, &variance(1)?)?
        .specimen(
            "random-features-near-duplicates",
            "the printed noise, on inputs nearly equal with different labels",
            swapped(),
        )?;
    let rounding = Enclosure::of(&(ratio(335, 320) * ratio(335, 320)), 128);
    let clipped = Noisy::new(
        Query::Real(near.rows, Some(integer(2))),
        5,
        8,
        &(variance(1)? * rounding),
    )?
    .specimen(
        "random-features-clipped",
        "right: the coefficients shortened to half the sensitivity",
        swapped(),
    )?;

    // A3. One prediction of the code at N = 3200, |phi| = 1: the label with noise of variance 16 c^2 / N.
    let claimed = claimed().map_err(&constants)?;
    let coded = as_coded::variance(3200, &claimed).map_err(&constants)?;
    let as_coded = Noisy::new(Query::Prediction, 1, 16, &coded)?.specimen(
        "random-features-as-coded",
        "the code's noise, for features that are not normalised, on ones that are: one prediction",
        [json!([0]), json!([1])],
    )?;

    // A8. All labels reversed: one record, four frequencies, coefficients -1/4 or 1/4.
    let rows = vec![vec![Complex::quarter_turns(0); 4]];
    let reversed = Noisy::new(Query::Real(rows, None), 5, 4, &variance(4)?)?.specimen(
        "random-features-reversed",
        "right: the printed noise on a well conditioned dataset, all labels reversed",
        [json!([5]), json!([-5])],
    )?;

    // A9. The noise of the fairness experiments, of deviation 5 Delta / sqrt(2 epsilon), at epsilon = 1/20.
    let fairness = Enclosure::of(&(integer(25) / ratio(1, 10)), 128);
    let fairness = Noisy::new(Query::Prediction, 1, 16, &fairness)?.specimen(
        "random-features-fairness-noise",
        "noise of deviation 5 Delta / sqrt(2 epsilon) at epsilon = 1/20",
        [json!([0]), json!([1])],
    )?;
    let fairness = Specimen {
        epsilon: ratio(1, 20),
        ..fairness
    };

    // A10. A sum that moves by 3 in the plane.
    let sums = || [json!([0, 0]), json!([0, 3])];
    let mut specimens = repaired::all()?;
    specimens.extend([
        fairness,
        real_noise,
        both_parts,
        unclipped,
        clipped,
        as_coded,
        reversed,
        specimen(
            "random-features-gamma",
            "right: Gamma noise of rate epsilon/3",
            sums(),
            Gamma::new(ratio(1, 3))?,
        )?,
        specimen(
            "random-features-gamma-inverted",
            "Gamma noise whose rate was taken for a scale",
            sums(),
            Gamma::new(integer(3))?,
        )?,
    ]);
    Ok(specimens)
}
