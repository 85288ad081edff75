//! `assay learn halfspaces-pure`.

use super::learn::{self, Common, Data, Trained};
use crate::error::Error;
use crate::options::Range;
use crate::papers::learn::Options;
use crate::papers::meter::{self, Metered};
use clap::Args;
use dp_assay::coins::Coins;
use dp_assay::halfspaces::bounds::guarantee;
use dp_assay::halfspaces::pure::{self, PureParameters};
use dp_assay::halfspaces::steps::Origin;
use dp_assay::halfspaces::{Dataset, HalfspaceError};
use dp_assay::number::Rational;
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
    /// The most points of the cover that may be visited
    #[arg(long, value_name = "N", default_value_t = pure::DEFAULT_LIMIT)]
    limit: u128,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    pub load: Data,
}

/// Its name.
pub const NAME: &str = "halfspaces-pure";

/// Runs `assay learn halfspaces-pure`.
pub fn run(arguments: &Pure, options: &Options) -> Result<(), Error> {
    let of = (&arguments.common, &arguments.load);
    learn::run(NAME, options, of, Rational::zero(), |data, coins| {
        train(data, arguments, coins)
    })
}

/// Runs `assay meter halfspaces-pure`.
pub fn meter(arguments: &Pure, options: &meter::Options) -> Result<Metered, Error> {
    let of = (&arguments.common, &arguments.load);
    learn::meter(NAME, options, of, &Rational::zero(), |data, coins| {
        train(data, arguments, coins)
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

/// Learns from `data`.
fn train(data: &Dataset, arguments: &Pure, coins: &mut impl Coins) -> Result<Trained, Error> {
    let common = &arguments.common;
    let (n, d) = (data.records().len(), data.dimension());
    let parameters = arguments.parameters(n, d)?;
    let rows = parameters.projected_dimension().value;
    let cover = parameters.cover(d)?;
    let points = parameters
        .points(d)
        .map_err(|error| too_many(error, arguments, &parameters, d))?;

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

/// The error, with the options that help where the cover is too large.
fn too_many(
    error: HalfspaceError,
    arguments: &Pure,
    parameters: &PureParameters,
    d: usize,
) -> Error {
    match error {
        HalfspaceError::CoverTooLarge { points, limit } => Error::Usage(format!(
            "the cover has {points} points, more than --limit {limit}: lower --dimension (here {}), \
                 raise --radius (here {}), or raise --limit; the guarantee of privacy stays, that of \
                 accuracy need not",
            parameters.projected_dimension().value.unwrap_or(d),
            parameters.radius().value,
        )),
        HalfspaceError::Overflow { .. } => Error::Usage(format!(
            "a score might not fit in 64 bits: lower --grid-bits (here {}) or raise --radius (here {})",
            arguments.load.grid_bits,
            parameters.radius().value
        )),
        error => error.into(),
    }
}
