//! `assay learn halfspaces-descent`.

use super::learn::Common;
use crate::error::Error;
use crate::options::{MOST, Range, whole_in};
use crate::papers::classifier::{Data, Found, OfClasses, Options};
use crate::papers::forecast::{Forecast, Size, Way};
use crate::papers::learn::{Learner, Parameters, Trained};
use crate::papers::work::{SECONDS_UNLESS_TOLD, Work, bytes_of_records};
use clap::{Args, ValueEnum};
use dp_assay::coins::Coins;
use dp_assay::halfspaces::bounds::{Goal, guarantee};
use dp_assay::halfspaces::efficient::EfficientParameters;
use dp_assay::halfspaces::full_batch::{FEWEST_STEPS, FullBatchParameters, FullBatchPlan};
use dp_assay::halfspaces::steps::{FINEST_GRID, overridden};
use dp_assay::halfspaces::{Dataset, Shape};
use dp_assay::number::rational::{integer, shortly, to_scientific_above};
use dp_assay::number::{Enclosure, Grid, Rational};
use dp_assay::privacy::Budget;
use num_traits::Zero;

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
    /// Over which share of --margin the slope of full-batch's loss falls from all to nothing, from 0 to 1, instead of 0, which is that
    /// loss itself; for one run. Any is as private. Smoothed over all of the margin it takes far fewer steps. But
    /// the guarantee counts an error half, so that with all of its steps 0 promises a smaller error
    #[arg(long, value_name = "H", value_parser = Range::Threshold.parser(), allow_hyphen_values = true)]
    smoothing: Option<Rational>,
    /// The gradient steps of one run, instead of the theorem's; with full-batch instead of those, or of as many as take some 10
    /// seconds, if these are fewer
    #[arg(long, value_name = "T", value_parser = whole_in::<u64>(1..=u64::MAX), allow_hyphen_values = true)]
    steps: Option<u64>,
    /// The number of runs, instead of one for full-batch, and of the theorem's for one-record
    #[arg(long, value_name = "K", value_parser = whole_in::<u32>(1..=MOST), allow_hyphen_values = true)]
    runs: Option<u32>,
    /// The most steps that may be taken, each as long as a coordinate of Gaussian noise, at some 500000 a second; to look at a
    /// coordinate of 1700 records takes as long
    #[arg(long, value_name = "N", value_parser = whole_in::<u128>(0..=u64::MAX), allow_hyphen_values = true, default_value_t = 100_000_000)]
    limit: u128,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    pub load: Data,
}

/// About so many coordinates of noise are drawn in a second, as measured on one core.
const DRAWS_A_SECOND: u128 = 500_000;
/// To look at a coordinate of so many records takes as long as to draw one of noise.
const RECORDS_A_DRAW: u128 = 1700;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Variant {
    /// All records
    FullBatch,
    /// One record, drawn at random: as in the paper, whose n^2 steps are for small n
    OneRecord,
}

impl Learner for Efficient {
    const NAME: &'static str = "halfspaces-descent";
    const ALIASES: &'static [&'static str] = &["halfspaces-efficient"];
    type Family = OfClasses<Dataset>;
    type Before = ();

    fn family(&self) -> Options<'_> {
        Options {
            delta: Some(&self.delta),
            ..Options::new(&self.common.inputs, &self.load)
        }
    }

    fn before(&self) -> Result<(), Error> {
        if let Some(margin) = &self.margin
            && self.variant == Variant::OneRecord
        {
            return Err(Error::Usage(format!(
                "--margin {} goes with --variant full-batch: the loss of one-record has the constants of the \
                 paper",
                shortly(margin)
            )));
        }
        if let Some(smoothing) = &self.smoothing {
            self.check_smoothing(smoothing)?;
        }
        let bits = self.load.grid_bits;
        if bits > FINEST_GRID {
            return Err(Error::option("--grid-bits", "at most 30 here", bits));
        }
        Ok(())
    }

    fn forecast(&self, size: Size) -> Result<Option<Forecast>, Error> {
        if self.variant == Variant::OneRecord {
            return Ok(None);
        }
        let common = &self.common;
        let plan = self.plan(Shape {
            records: size.records,
            dimension: size.coordinates,
            grid: Grid::new(self.load.grid_bits)?,
        })?;
        let one = integer(plan.shape().grid.one());
        let deviation = Enclosure::of(&(plan.noise().variance() / (&one * &one)), 64).sqrt()?;
        let deviation = to_scientific_above(&deviation.upper(), 3);
        let (steps, rows) = (plan.steps(), plan.dimension());
        let descent = (plan.parameters().runs.value, steps, rows);
        let guarantee = guarantee::of_full_batch(&plan, &common.gamma, &common.beta)?;
        Ok(Some(Forecast {
            way: Way::Gradients,
            noise: format!(
                "standard deviation {deviation} on a coordinate of each of {steps} sums of {} gradients",
                size.records
            ),
            bound: Some(common.bound(guarantee)),
            work: self.work(descent, (size.records, size.coordinates))?,
        }))
    }

    fn train(
        &self,
        _before: &(),
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
        Ok(Budget::substituting(
            &self.common.inputs.epsilon,
            &self.delta,
        )?)
    }

    /// Refuses a smoothed loss of one record, and of several runs.
    fn check_smoothing(&self, smoothing: &Rational) -> Result<(), Error> {
        let wrong = if self.variant == Variant::OneRecord {
            "goes with --variant full-batch: the loss of one-record has the constants of the paper"
        } else if self.runs.is_some_and(|runs| runs > 1) && !smoothing.is_zero() {
            "goes with one run: leave out --runs, or --smoothing"
        } else {
            return Ok(());
        };
        let smoothing = shortly(smoothing);
        Err(Error::Usage(format!("--smoothing {smoothing} {wrong}")))
    }

    /// Names the runs and steps, and says how long they take where it is long.
    fn descent(
        &self,
        named: &mut Parameters,
        descent: (u32, u64, usize),
        shape: (usize, usize),
        theorems_steps: u64,
    ) -> Result<(), Error> {
        let (runs, steps, _) = descent;
        named.choose("runs", runs, self.runs.is_some());
        named.choose("steps", steps, steps != theorems_steps);
        let work = self.work(descent, shape)?;
        if work.is_long() {
            named.note(&format!(
                "{}; fewer --steps are as private",
                work.in_words()
            ));
        }
        Ok(())
    }

    /// The work of so many runs of so many steps in a dimension, on `records` of `d` features; more than the limit is refused. With
    /// one record a step, that is all that is looked at.
    fn work(
        &self,
        (runs, steps, dimension): (u32, u64, usize),
        (records, d): (usize, usize),
    ) -> Result<Work, Error> {
        let looked_at = match self.variant {
            Variant::FullBatch => records as u128,
            Variant::OneRecord => 1,
        };
        let draws = u128::from(runs) * u128::from(steps) * dimension as u128;
        let of_a_draw = of_a_draw(looked_at);
        let work = Work {
            what: format!(
                "--runs {runs} of --steps {steps} in {dimension} dimensions on {records} records"
            ),
            steps: (draws as f64 * of_a_draw) as u128,
            a_second: DRAWS_A_SECOND,
            bytes: bytes_of_records(records, d) + bytes_of_records(records, dimension),
        };
        if work.steps <= self.limit {
            return Ok(work);
        }
        let fit = steps_within(self.limit, (runs, dimension), looked_at);
        let remedy = match self.variant {
            Variant::FullBatch => "",
            Variant::OneRecord => ", use --variant full-batch",
        };
        Err(Error::Usage(format!(
            "{}: more than --limit {}: --steps {} would do, and fewer steps are as private; lower --steps or --runs{remedy}, or \
             raise --limit",
            work.in_words(),
            self.limit,
            fit.max(1)
        )))
    }

    /// The plan of full-batch for data of a shape, with what is overridden.
    fn plan(&self, shape: Shape) -> Result<FullBatchPlan, Error> {
        let (common, d) = (&self.common, shape.dimension);
        let mut parameters = FullBatchParameters::from_theorem(
            (&common.alpha, &common.beta),
            self.budget()?,
            &common.gamma,
            (shape.records, d),
        )?
        .with_one_run(&common.gamma, d);
        if let Some(rows) = common.rows(d) {
            parameters.projected_dimension = overridden(rows);
        }
        if let Some(runs) = self.runs {
            parameters.runs = overridden(runs);
        }
        if let Some(smoothing) = &self.smoothing {
            parameters.smoothing = smoothing.clone();
        }
        parameters = match &self.margin {
            Some(margin) => FullBatchParameters {
                margin: margin.clone(),
                ..parameters
            },
            None => parameters.with_margin_left(&common.gamma, shape),
        };
        parameters.steps = Some(self.steps(&parameters, shape)?);
        Ok(parameters.plan(shape)?)
    }

    /// The steps of a run of full-batch: those that are named, or the theorem's, but of these no more than take some seconds.
    fn steps(&self, parameters: &FullBatchParameters, shape: Shape) -> Result<u64, Error> {
        if let Some(steps) = self.steps {
            return Ok(steps);
        }
        let (runs, rows) = (parameters.runs.value, parameters.projected_dimension.value);
        let dimension = rows.unwrap_or(shape.dimension);
        let draws = SECONDS_UNLESS_TOLD * DRAWS_A_SECOND;
        let quick = steps_within(draws, (runs, dimension), shape.records as u128);
        let theorems = parameters.balanced_steps(shape)?;
        Ok(theorems.min(quick.max(FEWEST_STEPS)))
    }

    fn full_batch(
        &self,
        data: &Dataset,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        let common = &self.common;
        let (n, d) = (data.records().len(), data.dimension());
        let plan = self.plan(data.shape())?;
        let parameters = plan.parameters();
        common.describe(named, parameters.projected_dimension.value, d);
        let (runs, rows) = (parameters.runs.value, plan.dimension());
        let theorems = parameters.balanced_steps(plan.shape())?;
        self.descent(named, (runs, plan.steps(), rows), (n, d), theorems)?;
        named.choose("margin", &parameters.margin, self.margin.is_some());
        if let Some(smoothing) = &self.smoothing {
            named.choose("smoothing", smoothing, true);
        }
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
        let theorems = parameters.steps.value;
        if let Some(steps) = self.steps {
            parameters.steps = overridden(steps);
        }
        let rows = parameters.projected_dimension.value;
        let dimension = rows.unwrap_or(d);
        common.describe(named, rows, d);
        let descent = (parameters.runs.value, parameters.steps.value, dimension);
        self.descent(named, descent, (n, d), theorems)?;
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

/// How long a coordinate of a step takes that looks at so many records, against a draw.
fn of_a_draw(records: u128) -> f64 {
    (RECORDS_A_DRAW + records) as f64 / RECORDS_A_DRAW as f64
}

/// How many steps take as long as so many draws, in so many runs in a dimension, each looking at so many records.
fn steps_within(draws: u128, (runs, dimension): (u32, usize), records: u128) -> u64 {
    (draws as f64 / of_a_draw(records) / (dimension as f64 * f64::from(runs))) as u64
}
