//! `assay learn halfspaces-pure`.

use super::learn::{self, Common, Data, Trained};
use crate::error::Error;
use crate::options::Range;
use crate::output;
use crate::papers::learn::Options;
use crate::papers::meter::{self, Metered};
use clap::Args;
use dp_assay::coins::Coins;
use dp_assay::geometry::LatticeCover;
use dp_assay::halfspaces::bounds::guarantee;
use dp_assay::halfspaces::pure::{self, PureParameters};
use dp_assay::halfspaces::steps::Origin;
use dp_assay::halfspaces::{Dataset, HalfspaceError};
use dp_assay::number::rational::shortly;
use dp_assay::number::{OutOfRange, Rational};
use num_traits::Zero;
use std::f64::consts::TAU;

/// The pure private learner of large-margin halfspaces: a random projection, a cover of the sphere,
/// and the exponential mechanism.
#[derive(Debug, Args)]
pub struct Pure {
    #[command(flatten)]
    pub common: Common,
    /// The radius of the cover, in (0, 1], instead of the theorem's
    #[arg(long, value_name = "R", value_parser = Range::Margin.parser(), allow_hyphen_values = true)]
    radius: Option<Rational>,
    /// The margin below which a record counts as an error, in [0, 1], instead of the theorem's
    #[arg(long, value_name = "S", value_parser = Range::Threshold.parser(), allow_hyphen_values = true)]
    threshold: Option<Rational>,
    /// The most steps that may be taken, each of one record at one point of the cover, at some 1e9 a second
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT)]
    limit: u128,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    pub load: Data,
}

/// Its name.
pub const NAME: &str = "halfspaces-pure";

/// About so many steps are taken in a second, as measured on one core.
const STEPS_A_SECOND: u128 = 1_000_000_000;

/// Not many more than a minute.
const DEFAULT_LIMIT: u128 = 60 * STEPS_A_SECOND;

/// Runs `assay learn halfspaces-pure`.
pub fn run(arguments: &Pure, options: &Options) -> Result<(), Error> {
    let of = (&arguments.common, &arguments.load);
    learn::run(NAME, options, of, Rational::zero(), |data, coins| {
        train(data, arguments, coins, output::note)
    })
}

/// Runs `assay meter halfspaces-pure`.
pub fn meter(arguments: &Pure, options: &meter::Options) -> Result<Metered, Error> {
    let of = (&arguments.common, &arguments.load);
    learn::meter(NAME, options, of, &Rational::zero(), |data, coins| {
        train(data, arguments, coins, |_| {})
    })
}

impl Pure {
    /// The theorem's parameters for `n` records in dimension `d`, with what is overridden.
    fn parameters(&self, n: usize, d: usize) -> Result<PureParameters, Error> {
        let common = &self.common;
        let mut parameters = PureParameters::from_theorem(
            &common.alpha,
            &common.beta,
            &common.epsilon,
            &common.gamma,
            n,
            d,
        )?
        .with_limit(self.limit);
        if let Some(rows) = common.rows(d) {
            parameters = parameters.with_projected_dimension(rows)?;
        }
        if let Some(radius) = &self.radius {
            parameters = parameters.with_radius(radius.clone())?;
        }
        if let Some(threshold) = &self.threshold {
            parameters = parameters.with_threshold(threshold.clone())?;
        }
        Ok(parameters)
    }
}

/// Learns from `data`; before the work it tells `say` how much there is.
fn train(
    data: &Dataset,
    arguments: &Pure,
    coins: &mut impl Coins,
    say: impl Fn(&str),
) -> Result<Trained, Error> {
    let common = &arguments.common;
    let (n, d) = (data.records().len(), data.dimension());
    let parameters = arguments.parameters(n, d)?;
    let rows = parameters.projected_dimension().value;
    let cover = parameters.cover(d)?;
    let points = parameters
        .points(d)
        .map_err(|error| too_many(error, arguments, &parameters, d))?;
    let steps = steps(&cover, points, n);
    let work = format!(
        "{points} points of the cover on {n} records, some {:.1e} steps, {}",
        steps as f64,
        in_words(steps / STEPS_A_SECOND)
    );
    if steps > arguments.limit {
        return Err(above_limit(&work, arguments, &parameters, d));
    }
    say(&work);

    let (radius, threshold) = (parameters.radius(), parameters.threshold());
    let mut named = common.parameters(rows, d);
    named.choose("radius", &radius.value, radius.origin == Origin::Overridden);
    named.choose(
        "threshold",
        &threshold.value,
        threshold.origin == Origin::Overridden,
    );
    named.set("cover_points", points);
    named.set("cover_denominator", cover.denominator());

    let guarantee = guarantee::of_pure(&parameters, (n, d), &common.beta)?;
    let bound = common.bound(guarantee);
    let model = pure::learn(data, &parameters, coins)
        .map_err(|error| too_many(error, arguments, &parameters, d))?;
    Ok(Trained {
        halfspace: model.halfspace,
        parameters: named,
        bound,
    })
}

/// About how many steps the learner takes. It goes through the cover twice, line by line. A line costs a record a step a
/// point, but at most 16; and each point costs 8 steps besides, as measured.
fn steps(cover: &LatticeCover, points: u128, records: usize) -> u128 {
    // The mean length of a line through a ball, near enough.
    let radius = (cover.squared_bound() as f64).sqrt();
    let length = radius * (TAU / (cover.dimension() as f64 + 1.0)).sqrt();
    let of_a_point = 8.0 + records as f64 * (16.0 / length).min(1.0);
    (2.0 * points as f64 * of_a_point) as u128
}

/// So many seconds, roughly.
fn in_words(seconds: u128) -> String {
    match seconds {
        0 => "less than a second".to_owned(),
        1..120 => format!("about {seconds} s"),
        120..7200 => format!("about {} minutes", seconds / 60),
        7200..172_800 => format!("about {} hours", seconds / 3600),
        _ => format!("about {} days", seconds / 86_400),
    }
}

/// The error for more `work` than the limit allows, with the options that help.
fn above_limit(work: &str, arguments: &Pure, parameters: &PureParameters, d: usize) -> Error {
    Error::Usage(format!(
        "{work}, are more than --limit {}: lower --dimension (here {}), raise --radius (here {}), or raise --limit; \
         the guarantee of privacy stays, that of accuracy need not",
        arguments.limit,
        parameters.projected_dimension().value.unwrap_or(d),
        shortly(&parameters.radius().value),
    ))
}

/// The error, with the options that help where the cover is too large.
fn too_many(
    error: HalfspaceError,
    arguments: &Pure,
    parameters: &PureParameters,
    d: usize,
) -> Error {
    match error {
        HalfspaceError::CoverTooLarge { points, .. } => {
            let work = format!("{points} points of the cover");
            above_limit(&work, arguments, parameters, d)
        }
        HalfspaceError::Overflow { .. } => Error::Usage(format!(
            "a score might not fit in 64 bits: lower --grid-bits (here {}) or raise --radius (here {})",
            arguments.load.grid_bits,
            shortly(&parameters.radius().value)
        )),
        HalfspaceError::Parameter(OutOfRange {
            parameter: "epsilon",
            expected,
            ..
        }) => Error::option("--epsilon", expected, shortly(&arguments.common.epsilon)),
        error => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::ratio;

    #[test]
    fn short_lines_cost_a_step_a_point_and_long_ones_less() {
        let cover = |radius| LatticeCover::rounding(3, &radius).unwrap();
        let short = cover(ratio(1, 2));
        let points = short.count_at_most(1 << 20).unwrap();
        assert_eq!(steps(&short, points, 100), 2 * points * 108);
        let long = cover(ratio(1, 1000));
        let points = long.count_at_most(1 << 40).unwrap();
        assert!(steps(&long, points, 100) < points * 25);
    }

    #[test]
    fn seconds_are_said_in_words() {
        for (seconds, words) in [
            (0, "less than a second"),
            (119, "about 119 s"),
            (7199, "about 119 minutes"),
            (7200, "about 2 hours"),
            (1 << 20, "about 12 days"),
        ] {
            assert_eq!(in_words(seconds), words);
        }
    }
}
