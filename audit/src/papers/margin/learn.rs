//! Shared by the learners with a margin guarantee: options, parameters, and the bound.

use super::svm;
use crate::error::Error;
use crate::options::Range;
use crate::papers::classifier::{
    Data, Inputs, Labelled, Learner, Trained, WithoutPrivacy, by_halfspace,
};
use crate::papers::halfspace_model;
use crate::papers::learn::Parameters;
use crate::papers::report::Bound;
use clap::Args;
use dp_assay::geometry::{Halfspace, Record};
use dp_assay::margin::bounds::Guarantee;
use dp_assay::margin::{Dataset, Domain, FINEST_GRID, Margin};
use dp_assay::number::{Grid, Rational, rational};
use num_traits::One;

/// What all of them take.
#[derive(Debug, Args)]
pub struct Common {
    #[command(flatten)]
    pub inputs: Inputs,
    /// The margin, in (0, 1]: that of halfspaces of norm 1 on records of the unit ball
    #[arg(long, value_name = "RHO", value_parser = Range::LearnedMargin.parser(), allow_hyphen_values = true)]
    pub margin: Rational,
    /// The probability of failure, in (0, 1)
    #[arg(long, value_name = "B", default_value = "1/10", value_parser = Range::Probability.parser(), allow_hyphen_values = true)]
    pub beta: Rational,
}

impl Labelled for Dataset {
    fn of(grid: Grid, dimension: usize, records: Vec<Record>) -> Result<Self, Error> {
        Ok(Self::new(Domain::unit_ball(grid, dimension)?, records)?)
    }

    fn records(&self) -> &[Record] {
        self.records()
    }
}

/// The learner without privacy that all are compared with, as the report calls it.
pub const BESIDE: &str = "non_private_svm";

impl Common {
    /// Refuses what no parser can.
    pub fn validate(&self, data: &Data) -> Result<(), Error> {
        if data.grid_bits > FINEST_GRID {
            return Err(Error::option(
                "--grid-bits",
                "at most 30 here",
                data.grid_bits,
            ));
        }
        Ok(())
    }

    /// Halfspaces of norm 1, records of the unit ball, and the margin that was asked for.
    pub fn margin(&self) -> Result<Margin, Error> {
        Ok(Margin::new(
            Rational::one(),
            Rational::one(),
            self.margin.clone(),
        )?)
    }

    /// The parameters that all learners have.
    pub fn parameters(&self) -> Parameters {
        let mut parameters = Parameters::default();
        parameters.set("beta", &self.beta);
        parameters.set("margin", &self.margin);
        parameters
    }

    /// What a support vector machine finds on the same records, without privacy.
    pub fn svm(&self, data: &Dataset) -> Halfspace {
        svm::learn(data.domain(), data.records(), &self.margin)
    }

    /// The guarantee of a run, in words. It is that for a margin loss of 0: the margin loss on the data is private.
    pub fn bound(&self, guarantee: Guarantee) -> Bound {
        let Some(alpha) = guarantee.alpha else {
            let reason = guarantee.reason;
            let reason = reason.strip_prefix("vacuous: ").unwrap_or(&reason);
            return Bound::vacuous(format!(
                "no error below 1/2 is promised at margin {}: {reason}",
                self.margin
            ));
        };
        let alpha = rational::to_scientific_above(&alpha, 4);
        Bound {
            statement: format!(
                "if some w of norm 1 has y <w, x> > {} on every record of the data, error at most {alpha} with \
                 probability {}: {}; otherwise the error may be larger",
                self.margin,
                Rational::one() - &self.beta,
                guarantee.reason
            ),
            vacuous: false,
            error_at_most: Some(alpha),
        }
    }
}

/// A pure learner of this name, compared with what `beside` finds.
pub fn pure_learner<'a>(
    name: &'static str,
    public: &'static str,
    beside: &'a WithoutPrivacy<'a, Dataset>,
) -> Learner<'a, Dataset> {
    Learner {
        name,
        delta: Rational::default(),
        public,
        beside: (BESIDE, beside),
    }
}

/// What is found, for the model file and the report.
pub fn trained(halfspace: Halfspace, parameters: Parameters, bound: Bound) -> Trained {
    Trained {
        weights: halfspace_model::weights(&halfspace),
        predict: by_halfspace(halfspace),
        parameters,
        bound,
    }
}
