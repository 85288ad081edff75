//! `assay learn margin-pure`.

use super::learn::{Common, pure_learner, trained, without_privacy};
use crate::error::Error;
use crate::options::Range;
use crate::output;
use crate::papers::classifier::{self, Data, Inputs, Trained};
use crate::papers::cover_time::{DEFAULT_LIMIT, steps, work};
use crate::papers::learn::Options;
use crate::papers::meter::{self, Metered};
use clap::Args;
use dp_assay::coins::Coins;
use dp_assay::margin::bounds::{Guarantee, PureRun};
use dp_assay::margin::pure::{self, PureParameters};
use dp_assay::margin::{Dataset, MarginError};
use dp_assay::number::rational::shortly;
use dp_assay::number::{OutOfRange, Rational};
use num_traits::Zero;

/// Algorithm 1, pure: a random projection, a lattice cover of the ball, and the exponential mechanism.
///
/// The cover that the theorem asks for is far too large to go through unless the data have few dimensions or the margin
/// is wide: margin-gibbs needs none. With --dimension and --radius privacy is the same.
#[derive(Debug, Args)]
pub struct Pure {
    #[command(flatten)]
    pub common: Common,
    /// The margin, in (0, 1]: that of halfspaces of norm 1 on records of the unit ball
    #[arg(long, value_name = "RHO", value_parser = Range::LearnedMargin.parser(), allow_hyphen_values = true)]
    margin: Rational,
    /// The dimension of the projection, instead of the theorem's; there is none if this is at least the
    /// dimension of the data
    #[arg(long, value_name = "K")]
    dimension: Option<u32>,
    /// The radius of the cover, in (0, 1], instead of the theorem's
    #[arg(long, value_name = "R", value_parser = Range::Margin.parser(), allow_hyphen_values = true)]
    radius: Option<Rational>,
    /// The most steps that may be taken, each of one record at one point of the cover, at some 1e9 a second
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT)]
    limit: u128,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    pub load: Data,
}

/// Its name.
pub const NAME: &str = "margin-pure";

/// What is public of a run.
const PUBLIC: &str = "parameters, intervals, categories and label values";

/// Runs `assay learn margin-pure`.
pub fn run(arguments: &Pure, options: &Options) -> Result<(), Error> {
    arguments.validate()?;
    let svm = |data: &Dataset| Ok(without_privacy(data, &arguments.margin));
    let learner = pure_learner(NAME, PUBLIC, &svm);
    classifier::run(&learner, options, arguments.of(), |data, coins| {
        train(data, arguments, coins, output::note)
    })
}

/// Runs `assay meter margin-pure`.
pub fn meter(arguments: &Pure, options: &meter::Options) -> Result<Metered, Error> {
    arguments.validate()?;
    let svm = |data: &Dataset| Ok(without_privacy(data, &arguments.margin));
    let learner = pure_learner(NAME, PUBLIC, &svm);
    classifier::meter(&learner, options, arguments.of(), |data, coins| {
        train(data, arguments, coins, |_| {})
    })
}

impl Pure {
    fn of(&self) -> (&Inputs, &Data) {
        (&self.common.inputs, &self.load)
    }

    fn validate(&self) -> Result<(), Error> {
        self.common.validate(&self.load)?;
        if self.dimension == Some(0) {
            return Err(Error::option("--dimension", "at least 1", 0));
        }
        Ok(())
    }

    /// The theorem's parameters for `m` records in dimension `d`, with what is overridden.
    fn parameters(&self, m: usize, d: usize) -> Result<PureParameters, Error> {
        let common = &self.common;
        let epsilon = &common.inputs.epsilon;
        let theorem = PureParameters::from_theorem(
            &common.beta,
            epsilon,
            &Common::margin(&self.margin)?,
            (m as u64, d as u64),
        )?;
        let rows = match self.dimension {
            Some(rows) => Some(rows as usize),
            None => theorem.rows(d),
        };
        let radius = self.radius.as_ref().unwrap_or_else(|| theorem.radius());
        let parameters = PureParameters::new(epsilon.clone(), rows, radius.clone())?;
        Ok(parameters.with_limit(self.limit))
    }

    /// What the run guarantees at margin loss 0.
    fn guarantee(
        &self,
        parameters: &PureParameters,
        (m, d): (usize, usize),
    ) -> Result<Guarantee, Error> {
        let run = PureRun {
            records: m as u64,
            dimension: d as u64,
            epsilon: self.common.inputs.epsilon.clone(),
            beta: self.common.beta.clone(),
            ratio: Common::margin(&self.margin)?.ratio(),
        };
        let rows = parameters.rows(d).map(|rows| rows as u64);
        let setting = run.setting_of(rows, parameters.radius())?;
        Ok(match setting {
            Some(setting) => run.guarantee(&setting, &Rational::zero())?,
            None => Guarantee {
                alpha: None,
                training: None,
                reason: match rows {
                    Some(rows) => format!(
                        "a projection to {rows} dimensions and a cover of radius {} need not keep it",
                        shortly(parameters.radius())
                    ),
                    None => format!(
                        "a cover of radius {} need not keep it",
                        shortly(parameters.radius())
                    ),
                },
            },
        })
    }
}

/// Learns from `data`; before the work it tells `say` how much there is.
fn train(
    data: &Dataset,
    arguments: &Pure,
    coins: &mut impl Coins,
    say: impl Fn(&str),
) -> Result<Trained, Error> {
    let (m, d) = (data.records().len(), data.domain().dimension());
    let parameters = arguments.parameters(m, d)?;
    let refused = |error| too_many(error, arguments, &parameters, d);
    let cover = parameters.cover(d)?;
    let points = parameters.points(d).map_err(refused)?;
    let steps = steps(&cover, points, m);
    let work = work(points, m, steps);
    if steps > arguments.limit {
        return Err(above_limit(&work, arguments, &parameters, d));
    }
    say(&work);

    let mut named = arguments.common.parameters(&arguments.margin);
    let rows = parameters.rows(d);
    named.choose(
        "dimension",
        rows.unwrap_or(d),
        arguments.dimension.is_some(),
    );
    let projection = match (rows, arguments.dimension) {
        (Some(_), _) => "random signs".to_owned(),
        (None, None) => "none".to_owned(),
        (None, Some(k)) => format!("none, since --dimension {k} is not below {d}"),
    };
    named.set("projection", projection);
    named.choose("radius", parameters.radius(), arguments.radius.is_some());
    named.set("cover_points", points);
    named.set("cover_denominator", cover.denominator());
    let bound = arguments
        .common
        .bound(&arguments.margin, arguments.guarantee(&parameters, (m, d))?);
    let model = pure::learn(data, &parameters, coins).map_err(refused)?;
    Ok(trained(model.halfspace, named, bound))
}

/// The error for more `work` than the limit allows, with the options that help.
fn above_limit(work: &str, arguments: &Pure, parameters: &PureParameters, d: usize) -> Error {
    Error::Usage(format!(
        "{work}, are more than --limit {}: lower --dimension (here {}), raise --radius (here {}), or raise --limit; \
         the guarantee of privacy stays, that of accuracy need not; or take margin-gibbs, which needs no cover",
        arguments.limit,
        parameters.rows(d).unwrap_or(d),
        shortly(parameters.radius()),
    ))
}

/// The error, with the options that help.
fn too_many(error: MarginError, arguments: &Pure, parameters: &PureParameters, d: usize) -> Error {
    match error {
        MarginError::CoverTooLarge { points, .. } => {
            let work = format!("{points} points of the cover");
            above_limit(&work, arguments, parameters, d)
        }
        MarginError::Overflow { .. } => Error::Usage(format!(
            "a score might not fit in 64 bits: lower --grid-bits (here {}) or raise --radius (here {})",
            arguments.load.grid_bits,
            shortly(parameters.radius())
        )),
        MarginError::Parameter(OutOfRange {
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
