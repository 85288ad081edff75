//! `assay learn margin-labels`.

use super::candidates::{candidates, drawing, named_option};
use super::learn::Common;
use crate::error::Error;
use crate::options::{Range, whole, whole_in};
use crate::papers::classifier::{Data, Found, OfClasses, Options, Private, of_one_file};
use crate::papers::learn::{Learner, Parameters, Trained};
use crate::papers::work::{STEPS_A_SECOND, is_long, work_of};
use clap::{Args, Command};
use dp_assay::coins::Coins;
use dp_assay::margin::bounds::LabelRun;
use dp_assay::margin::gibbs::{Candidates, PRIOR_VARIANCE};
use dp_assay::margin::{Dataset, MarginError, labels};
use dp_assay::number::rational::{integer, shortly};
use dp_assay::number::{Grid, OutOfRange, Rational};
use num_traits::Zero;

/// Private labels, public features: candidates are drawn by a public seed, covered on the features, and the exponential
/// mechanism chooses in the cover.
///
/// The features are NOT private: what is learned may depend on them without noise. The records stand in one file with a
/// column of labels: a second file is refused, since with a file for each class a changed label would move its record.
#[derive(Debug, Args)]
pub struct Labels {
    #[command(flatten)]
    pub common: Common,
    /// The margin, in (0, 1]: that of candidates of the usual norm, scaled to 1, on records of the unit ball
    #[arg(long, value_name = "RHO", value_parser = Range::LearnedMargin.parser(), allow_hyphen_values = true)]
    margin: Rational,
    /// How many candidates are drawn
    #[arg(long, value_name = "N", value_parser = whole_in::<u64>(1..=u64::MAX), allow_hyphen_values = true, default_value_t = 1000)]
    candidates: u64,
    /// The public seed of the candidates
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, default_value_t = 1)]
    candidates_seed: u64,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    pub load: Data,
}

impl Learner for Labels {
    const NAME: &'static str = "margin-labels";
    type Family = OfClasses<Dataset>;
    type Before = ();

    fn family(&self) -> Options<'_> {
        Options {
            private: Private::LabelsOf(Self::NAME),
            ..Options::new(&self.common.inputs, &self.load)
        }
    }

    fn command(command: Command) -> Command {
        of_one_file(Self::augment_args(command))
    }

    fn before(&self) -> Result<(), Error> {
        self.common.validate(&self.load)
    }

    fn public(&self) -> &'static str {
        "ALL FEATURES, parameters, the candidates and their seed, intervals, categories and label values"
    }

    fn train(
        &self,
        _before: &(),
        data: &Dataset,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        let common = &self.common;
        let epsilon = &common.inputs.epsilon;
        let (m, d) = (data.records().len(), data.domain().dimension());
        let refused = |error| self.refusal(error);
        Candidates::check_size(self.candidates as usize, d).map_err(refused)?;
        let in_steps = in_steps(&self.margin, data.domain().grid(), d);
        labels::check((self.candidates as usize, m), &in_steps, epsilon).map_err(refused)?;
        drawing(self.candidates, d, named);
        announce(self.candidates, (m, d), named);
        let count = self.candidates as usize;
        let list = candidates(self.candidates_seed, count, d).map_err(refused)?;
        let model = labels::learn(data, &list, &in_steps, epsilon, coins).map_err(refused)?;
        let run = LabelRun {
            records: m as u64,
            hypotheses: self.candidates,
            epsilon: epsilon.clone(),
            beta: common.beta.clone(),
        };
        let guarantee = run.guarantee(&Rational::zero())?;
        let condition = format!("some candidate has the margin {}", self.margin);
        let bound = common.bound_if(&condition, &self.margin, guarantee);
        common.describe(named, &self.margin);
        named.set("candidates", self.candidates);
        named.set("candidates_seed", self.candidates_seed);
        named.set("candidate_chosen", model.chosen);
        let rho = self.margin.clone();
        Ok(Trained::halfspace(model.halfspace, rho, bound))
    }
}

/// The margin in steps of the grid and of a candidate's coordinate: that of a candidate of norm `sqrt(v d)`, `v` being the
/// variance of a coordinate.
fn in_steps(rho: &Rational, grid: Grid, dimension: usize) -> Rational {
    let squared = integer(PRIOR_VARIANCE) * integer(dimension as u64);
    let norm = squared.to_integer().sqrt();
    rho * integer(norm) * integer(grid.one())
}

/// Says how long the products of candidates and records take, where it takes long: those for the cover, and those
/// for the errors. The comparisons come on top, and depend on the features.
fn announce(candidates: u64, (m, d): (usize, usize), named: &Parameters) {
    let steps = 2 * u128::from(candidates) * (m as u128) * (d as u128);
    if is_long(steps, STEPS_A_SECOND) {
        let what = format!("{candidates} candidates on {m} records in dimension {d}");
        named.note(&work_of(&what, steps, STEPS_A_SECOND));
    }
}

impl Labels {
    /// The error, with the option that helps.
    fn refusal(&self, error: MarginError) -> Error {
        match error {
            MarginError::TooManyValues { .. } => {
                Error::Usage(format!("--candidates {}: {error}", self.candidates))
            }
            MarginError::Parameter(OutOfRange {
                parameter: "rho", ..
            }) => Error::Usage(format!(
                "--margin {} has too many digits: in steps of the grid it must be a fraction whose numerator and denominator \
                 are below 2^60; round it, or lower --grid-bits",
                shortly(&self.margin)
            )),
            error => named_option(error, (self.candidates, &self.common, &self.load)),
        }
    }
}
