//! Shared by the learners with a margin guarantee: options, parameters, and the bound.

use super::svm;
use crate::error::Error;
use crate::options::Range;
use crate::papers::classifier::{Data, Inputs, Labelled};
use crate::papers::learn::Parameters;
use crate::papers::report::Bound;
use clap::Args;
use dp_assay::geometry::{Halfspace, Record};
use dp_assay::margin::bounds::Guarantee;
use dp_assay::margin::{Dataset, Domain, FINEST_GRID, Margin, MarginError};
use dp_assay::number::rational::shortly;
use dp_assay::number::{Grid, OutOfRange, Rational, rational};
use num_traits::One;

/// What all of them take.
#[derive(Debug, Args)]
pub struct Common {
    #[command(flatten)]
    pub inputs: Inputs,
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

    const BESIDE: &'static str = "non_private_svm";

    fn without_privacy(&self, margin: &Rational) -> Result<Halfspace, Error> {
        Ok(svm::learn(self.domain(), self.records(), margin))
    }
}

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
    pub fn margin(rho: &Rational) -> Result<Margin, MarginError> {
        Margin::new(Rational::one(), Rational::one(), rho.clone())
    }

    /// Sets the parameters that all learners have.
    pub fn describe(&self, named: &mut Parameters, rho: &Rational) {
        named.set("beta", &self.beta);
        named.set("margin", rho);
    }

    /// The error, with the option that helps where it is one that all of them have.
    pub fn named_option(&self, error: MarginError, data: &Data) -> Error {
        match error {
            MarginError::Overflow { .. } => Error::Usage(format!(
                "{error}: lower --grid-bits (here {})",
                data.grid_bits
            )),
            MarginError::Parameter(OutOfRange {
                parameter: "epsilon",
                expected,
                ..
            }) => Error::option("--epsilon", expected, shortly(&self.inputs.epsilon)),
            error => error.into(),
        }
    }

    /// The guarantee of a run, in words. It is that for a margin loss of 0: the margin loss on the data is private.
    pub fn bound(&self, rho: &Rational, guarantee: Guarantee) -> Bound {
        let condition = format!("some w of norm 1 has y <w, x> > {rho}");
        self.bound_if(&condition, rho, guarantee)
    }

    /// The same, under this condition on every record.
    pub fn bound_if(&self, condition: &str, rho: &Rational, guarantee: Guarantee) -> Bound {
        let Some(alpha) = guarantee.alpha else {
            return nothing_promised(rho, &guarantee.reason);
        };
        let alpha = rational::to_scientific_above(&alpha, 4);
        let statement = format!(
            "if {condition} on every record of the data, error at most {alpha} with probability {}: {}; otherwise the \
             error may be larger",
            Rational::one() - &self.beta,
            guarantee.reason
        );
        Bound::at_most(alpha, statement)
    }
}

/// A bound that says nothing at this margin, and why.
pub fn nothing_promised(rho: &Rational, reason: &str) -> Bound {
    Bound::vacuous(format!(
        "no error below 1/2 is promised at margin {rho}: {reason}"
    ))
}
