//! `assay learn halfspaces-descent`.

use super::learn::Common;
use crate::error::Error;
use crate::options::{MOST, Range, whole_in};
use crate::output;
use crate::papers::classifier::{Classifier, Data, Found, Inputs};
use crate::papers::learn::{Parameters, Trained};
use clap::{Args, ValueEnum};
use dp_assay::coins::Coins;
use dp_assay::halfspaces::Dataset;
use dp_assay::halfspaces::bounds::{Goal, guarantee};
use dp_assay::halfspaces::efficient::EfficientParameters;
use dp_assay::halfspaces::full_batch::FullBatchParameters;
use dp_assay::halfspaces::steps::{FINEST_GRID, overridden};
use dp_assay::number::Rational;
use dp_assay::number::rational::shortly;
use dp_assay::privacy::{Budget, NeighbouringRelation};

/// The efficient private learner of large-margin halfspaces: a random projection, and noisy gradient
/// descent on the hinge loss.
#[derive(Debug, Args)]
pub struct Efficient {
    #[command(flatten)]
    pub common: Common,
    /// The privacy parameter delta, in (0, 1)
    #[arg(long, value_name = "D", value_parser = Range::Probability.parser(), allow_hyphen_values = true)]
    delta: Rational,
    /// The records that a gradient step looks at
    #[arg(long, value_enum, default_value = "full-batch")]
    variant: Variant,
    /// The margin MU of the loss max(0, 1 - y <w, x> / MU) of full-batch, in (0, 1], instead of the
    /// part of --gamma that the theorem's projection leaves (without a projection all of it, but for the
    /// rounding to the grid)
    #[arg(long, value_name = "MU", value_parser = Range::Margin.parser(), allow_hyphen_values = true)]
    margin: Option<Rational>,
    /// The gradient steps of one run, instead of the theorem's
    #[arg(long, value_name = "T", value_parser = whole_in::<u64>(1..=u64::MAX), allow_hyphen_values = true)]
    steps: Option<u64>,
    /// The number of runs, instead of one for full-batch, and of the theorem's for one-record
    #[arg(long, value_name = "K", value_parser = whole_in::<u32>(1..=MOST), allow_hyphen_values = true)]
    runs: Option<u32>,
    /// The most coordinates of Gaussian noise that may be drawn, at some 500000 a second
    #[arg(long, value_name = "N", value_parser = whole_in::<u128>(0..=u64::MAX), allow_hyphen_values = true, default_value_t = 100_000_000)]
    limit: u128,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    pub load: Data,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Variant {
    /// All records
    FullBatch,
    /// One record, drawn at random: as in the paper, whose n^2 steps are for small n
    OneRecord,
}

impl Classifier for Efficient {
    const NAME: &'static str = "halfspaces-descent";
    const ALIASES: &'static [&'static str] = &["halfspaces-efficient"];
    type Dataset = Dataset;

    fn inputs(&self) -> (&Inputs, &Data) {
        (&self.common.inputs, &self.load)
    }

    fn delta(&self) -> Rational {
        self.delta.clone()
    }

    fn check(&self) -> Result<(), Error> {
        if let Some(margin) = &self.margin
            && self.variant == Variant::OneRecord
        {
            return Err(Error::Usage(format!(
                "--margin {} goes with --variant full-batch: the loss of one-record has the constants of the \
                 paper",
                shortly(margin)
            )));
        }
        let bits = self.load.grid_bits;
        if bits > FINEST_GRID {
            return Err(Error::option("--grid-bits", "at most 30 here", bits));
        }
        Ok(())
    }

    fn train(
        &self,
        data: &Dataset,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        match self.variant {
            Variant::FullBatch => self.full_batch(data, named, coins),
            Variant::OneRecord => self.one_record(data, named, coins),
        }
    }
}

impl Efficient {
    fn budget(&self) -> Result<Budget, Error> {
        Ok(Budget::approximate(
            self.common.inputs.epsilon.clone(),
            self.delta.clone(),
            NeighbouringRelation::Substitute,
        )?)
    }

    /// Names the runs and steps, refuses more noise than the limit, and says so where steps of so many
    /// `records` take minutes.
    fn descent(
        &self,
        named: &mut Parameters,
        (runs, steps, dimension): (u32, u64, usize),
        records: usize,
    ) -> Result<(), Error> {
        named.choose("runs", runs, self.runs.is_some());
        named.choose("steps", steps, self.steps.is_some());
        let draws = u128::from(runs) * u128::from(steps) * dimension as u128;
        if draws <= self.limit {
            // As measured, on one core.
            const NOISE_A_MINUTE: u128 = 30_000_000;
            const RECORD_COORDINATES_A_MINUTE: u128 = 50_000_000_000;
            let gradients = draws.saturating_mul(records as u128);
            let minutes = draws / NOISE_A_MINUTE + gradients / RECORD_COORDINATES_A_MINUTE;
            if minutes > 0 {
                output::warn(&format!(
                    "--runs {runs} of --steps {steps} take some {minutes} minutes; fewer steps are as private"
                ));
            }
            return Ok(());
        }
        let remedy = match self.variant {
            Variant::FullBatch => "",
            Variant::OneRecord => ", use --variant full-batch",
        };
        Err(Error::Usage(format!(
            "--runs {runs} of --steps {steps} in {dimension} dimensions need {draws} coordinates of \
             noise, more than --limit {}: lower --steps or --runs{remedy}, or raise --limit",
            self.limit
        )))
    }

    fn full_batch(
        &self,
        data: &Dataset,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        let common = &self.common;
        let (n, d) = (data.records().len(), data.dimension());
        let mut parameters = FullBatchParameters::from_theorem(
            (&common.alpha, &common.beta),
            self.budget()?,
            &common.gamma,
            (n, d),
        )?
        .with_one_run(&common.gamma, d);
        if let Some(rows) = common.rows(d) {
            parameters.projected_dimension = overridden(rows);
        }
        if let Some(runs) = self.runs {
            parameters.runs = overridden(runs);
        }
        parameters.steps = self.steps;
        let shape = data.shape();
        parameters = match &self.margin {
            Some(margin) => FullBatchParameters {
                margin: margin.clone(),
                ..parameters
            },
            None => parameters.with_margin_left(&common.gamma, shape),
        };
        let plan = parameters.plan(shape)?;
        common.describe(named, parameters.projected_dimension.value, d);
        let descent = (parameters.runs.value, plan.steps(), plan.dimension());
        self.descent(named, descent, n)?;
        named.choose("margin", &parameters.margin, self.margin.is_some());
        named.set("rho", plan.rho().rho());
        named.set(
            "noise_variance_in_squared_grid_steps",
            plan.noise().variance(),
        );
        let guarantee = guarantee::of_full_batch(&plan, &common.gamma, &common.beta)?;
        let bound = common.bound(guarantee);
        let found = plan.learn(data, coins)?.halfspace;
        Ok(Trained::halfspace(found, common.gamma.clone(), bound))
    }

    fn one_record(
        &self,
        data: &Dataset,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        let common = &self.common;
        let (n, d) = (data.records().len(), data.dimension());
        let mut parameters = EfficientParameters::from_theorem(
            (&common.alpha, &common.beta),
            self.budget()?,
            &common.gamma,
            (n, d),
        )?;
        if let Some(rows) = common.rows(d) {
            parameters.projected_dimension = overridden(rows);
        }
        if let Some(runs) = self.runs {
            parameters.runs = overridden(runs);
        }
        if let Some(steps) = self.steps {
            parameters.steps = overridden(steps);
        }
        let rows = parameters.projected_dimension.value;
        let dimension = rows.unwrap_or(d);
        common.describe(named, rows, d);
        let descent = (parameters.runs.value, parameters.steps.value, dimension);
        self.descent(named, descent, 1)?;
        named.set("loss_target", &parameters.hinge.target);
        named.set("loss_width", &parameters.hinge.width);
        let plan = parameters.plan(data.shape())?;
        named.set(
            "noise_variance_in_squared_grid_steps",
            plan.noise().variance(),
        );
        let goal = Goal::new(
            common.alpha.clone(),
            common.beta.clone(),
            common.gamma.clone(),
            common.inputs.epsilon.clone(),
        )?;
        let guarantee = guarantee::of_one_record(&parameters, &goal, n)?;
        let bound = common.bound(guarantee);
        let found = plan.learn(data, coins)?.halfspace;
        Ok(Trained::halfspace(found, common.gamma.clone(), bound))
    }
}
