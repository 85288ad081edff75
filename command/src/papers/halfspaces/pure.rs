//! `assay learn halfspaces-pure`.

use super::learn::{Common, learner};
use crate::error::Error;
use crate::options::{Range, whole_in};
use crate::output;
use crate::papers::classifier::{self, Data, Inputs, Trained};
use crate::papers::cover_time::{DEFAULT_LIMIT, steps, work};
use crate::papers::learn::Options;
use crate::papers::meter::{self, Metered};
use clap::Args;
use dp_assay::coins::Coins;
use dp_assay::halfspaces::bounds::guarantee;
use dp_assay::halfspaces::pure::{self, PureParameters};
use dp_assay::halfspaces::steps::Origin;
use dp_assay::halfspaces::{Dataset, HalfspaceError};
use dp_assay::number::rational::shortly;
use dp_assay::number::{OutOfRange, Rational};
use num_traits::Zero;

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
    #[arg(long, value_name = "N", value_parser = whole_in::<u128>(0..=u64::MAX), allow_hyphen_values = true, default_value_t = DEFAULT_LIMIT)]
    limit: u128,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    pub load: Data,
}

/// Its name.
pub const NAME: &str = "halfspaces-pure";

/// Runs `assay learn halfspaces-pure`.
pub fn run(arguments: &Pure, options: &Options) -> Result<(), Error> {
    let learner = learner(NAME, Rational::zero());
    classifier::run(&learner, options, arguments.of(), |data, coins| {
        train(data, arguments, coins, output::note)
    })
}

/// Runs `assay meter halfspaces-pure`.
pub fn meter(arguments: &Pure, options: &meter::Options) -> Result<Metered, Error> {
    let learner = learner(NAME, Rational::zero());
    classifier::meter(&learner, options, arguments.of(), |data, coins| {
        train(data, arguments, coins, |_| {})
    })
}

impl Pure {
    fn of(&self) -> (&Inputs, &Data) {
        (&self.common.inputs, &self.load)
    }

    /// The theorem's parameters for `n` records in dimension `d`, with what is overridden.
    fn parameters(&self, n: usize, d: usize) -> Result<PureParameters, Error> {
        let common = &self.common;
        let mut parameters = PureParameters::from_theorem(
            &common.alpha,
            &common.beta,
            &common.inputs.epsilon,
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
    let work = work(points, n, steps);
    if steps > arguments.limit {
        return Err(above_limit(&format!("{work},"), arguments, &parameters, d));
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
    Ok(Trained::halfspace(model.halfspace, named, bound))
}

/// The error for more `work` than the limit allows, with the options that help.
fn above_limit(work: &str, arguments: &Pure, parameters: &PureParameters, d: usize) -> Error {
    Error::Usage(format!(
        "{work} are more than --limit {}: lower --dimension (here {}), raise --radius (here {}), or raise --limit; \
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
        }) => Error::option(
            "--epsilon",
            expected,
            shortly(&arguments.common.inputs.epsilon),
        ),
        error => error.into(),
    }
}
