//! `assay learn halfspaces-cover`.

use super::learn::Common;
use crate::error::Error;
use crate::options::{Range, whole_in};
use crate::papers::classifier::{Data, Found, OfClasses, Options};
use crate::papers::learn::{Learner, Parameters, Trained};
use crate::papers::work::{Covered, DEFAULT_LIMIT};
use clap::Args;
use dp_assay::coins::Coins;
use dp_assay::halfspaces::bounds::guarantee;
use dp_assay::halfspaces::pure::{self, PureParameters};
use dp_assay::halfspaces::steps::Origin;
use dp_assay::halfspaces::{Dataset, HalfspaceError};
use dp_assay::number::rational::shortly;
use dp_assay::number::{OutOfRange, Rational};

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

impl Learner for Pure {
    const NAME: &'static str = "halfspaces-cover";
    const ALIASES: &'static [&'static str] = &["halfspaces-pure"];
    type Family = OfClasses<Dataset>;
    type Before = ();

    fn family(&self) -> Options<'_> {
        Options::new(&self.common.inputs, &self.load)
    }

    fn before(&self) -> Result<(), Error> {
        Ok(())
    }

    fn train(
        &self,
        _before: &(),
        data: &Dataset,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        let common = &self.common;
        let (n, d) = (data.records().len(), data.dimension());
        let parameters = self.parameters(n, d)?;
        let refused = |error| self.too_many(error, &parameters, d);
        let cover = parameters.cover(d)?;
        let points = parameters.points(d).map_err(refused)?;
        named.note(&self.covered(&parameters, d).work(&cover, points, n)?);

        let (radius, threshold) = (parameters.radius(), parameters.threshold());
        common.describe(named, parameters.projected_dimension().value, d);
        named.choose("radius", &radius.value, radius.origin == Origin::Overridden);
        let overridden = threshold.origin == Origin::Overridden;
        named.choose("threshold", &threshold.value, overridden);
        named.set("cover_points", points);
        named.set("cover_denominator", cover.denominator());
        let guarantee = guarantee::of_pure(&parameters, (n, d), &common.beta)?;
        let model = pure::learn(data, &parameters, coins).map_err(refused)?;
        let (gamma, bound) = (common.gamma.clone(), common.bound(guarantee));
        Ok(Trained::halfspace(model.halfspace, gamma, bound))
    }
}

impl Pure {
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

    /// The cover in dimension `d`, as the options have it.
    fn covered<'a>(&'a self, parameters: &'a PureParameters, d: usize) -> Covered<'a> {
        Covered {
            limit: self.limit,
            dimension: parameters.projected_dimension().value.unwrap_or(d),
            radius: &parameters.radius().value,
            grid_bits: self.load.grid_bits,
            instead: "",
        }
    }

    /// The error, with the options that help where the cover is too large.
    fn too_many(&self, error: HalfspaceError, parameters: &PureParameters, d: usize) -> Error {
        let covered = self.covered(parameters, d);
        match error {
            HalfspaceError::CoverTooLarge { points, .. } => covered.too_large(points),
            HalfspaceError::Overflow { .. } => covered.overflow(),
            HalfspaceError::Parameter(OutOfRange {
                parameter: "epsilon",
                expected,
                ..
            }) => {
                let epsilon = shortly(&self.common.inputs.epsilon);
                Error::option("--epsilon", expected, epsilon)
            }
            error => error.into(),
        }
    }
}
