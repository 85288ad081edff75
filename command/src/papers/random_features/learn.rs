//! `assay learn random-features`: repairs R3 to R6 of the random feature model.

use super::model::{
    FEATURE_BITS, GRID_BITS, USUAL_FREQUENCIES, USUAL_INVERSE_VARIANCE, predictor, weights,
};
use crate::error::Error;
use crate::options::{Range, whole_in};
use crate::papers::Predict;
use crate::papers::forecast::{Forecast, Size, Way};
use crate::papers::held_out::Errors;
use crate::papers::learn::{Family, Given, Learner, Parameters, Trained};
use crate::papers::model::ModelFile;
use crate::papers::report::{Score, Scores};
use crate::papers::work::{Work, bytes_of_records};
use crate::table::{self, Count, DeclaredBox, Edit, Label, Row, Shape, Table, declared_box};
use clap::{Args, ValueEnum};
use dp_assay::coins::{ChaCha, Coins, Stage};
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::range::require;
use dp_assay::number::{Enclosure, Grid, Rational, rational};
use dp_assay::optimise::{MOST_ROWS, OptimiseError};
use dp_assay::privacy::{Budget, NeighbouringRelation};
use dp_assay::random_features::steps::{Fit, INVERSE_NOISE_VARIANCE};
use dp_assay::random_features::worth::TooNoisy;
use dp_assay::random_features::{
    Dataset, Domain, Model, RandomFeatureError, Record, clipped_gradient_descent, clipped_kaczmarz,
    noisy_statistics, ridge_of_bounded_labels, worth,
};
use dp_assay::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::path::{Path, PathBuf};

/// How many frequencies are drawn at most: a coordinate of one takes eight bytes, and stands in the model file.
const MOST_FREQUENCIES: usize = 1 << 15;
/// How many features all records have at most: four bytes each, and as many again while the matrix is made of its rows.
const MOST_FEATURES: usize = 1 << 27;
/// About so many features of records go through a step of descent in a second, as measured on one core.
const STEPS_A_SECOND: u128 = 500_000_000;
/// How many steps of descent are taken at most.
const MOST_STEPS: usize = 1 << 16;
// The usual frequencies, with a cosine and a sine each, fit as many records as may be learned from.
const _: () = assert!(2 * USUAL_FREQUENCIES * MOST_ROWS <= MOST_FEATURES);

/// Private regression on random Fourier features or on the columns themselves: by clipped gradient descent, unless
/// another solver is named.
///
/// How much noise a prediction will have is said before anything is spent, and a budget that is too small for the
/// number of records is refused. Intervals, categories and all other options must be chosen without the records.
#[derive(Debug, Args)]
pub struct RandomFeatures {
    /// The records, a CSV file
    #[arg(value_name = "DATA")]
    data: PathBuf,
    /// The privacy parameter epsilon, above 0
    #[arg(long, value_name = "E", value_parser = Range::Epsilon.parser(), allow_hyphen_values = true)]
    epsilon: Rational,
    /// The privacy parameter delta, in (0, 1)
    #[arg(long, value_name = "D", value_parser = Range::Probability.parser(), allow_hyphen_values = true)]
    delta: Rational,
    /// Neighbours differ by a record added or removed, of at most M; otherwise one is substituted, and their
    /// number is public
    #[arg(long, value_name = "M", value_parser = whole_in::<usize>(0..=u64::MAX), allow_hyphen_values = true)]
    at_most: Option<usize>,
    /// How to solve
    #[arg(long, value_enum, default_value = "descent")]
    solver: Solver,
    /// What to learn from
    #[arg(long, value_enum, default_value = "fourier")]
    features: Features,
    #[arg(long, value_name = "N", value_parser = whole_in::<usize>(0..=u64::MAX), allow_hyphen_values = true, help = format!(
        "Fourier: the number of frequencies, otherwise {USUAL_FREQUENCIES}; each gives a cosine and a sine"
    ))]
    frequencies: Option<usize>,
    #[arg(long, value_name = "V", value_parser = Range::Positive.parser(), allow_hyphen_values = true, help = format!(
        "Fourier: the variance of each coordinate of a frequency, for inputs in [-1, 1], otherwise \
         1/{USUAL_INVERSE_VARIANCE}"
    ))]
    variance: Option<Rational>,
    /// Descent: the number of steps; otherwise as many as the noise allows, at most 400
    #[arg(long, value_name = "T", value_parser = whole_in::<usize>(0..=u64::MAX), allow_hyphen_values = true)]
    steps: Option<usize>,
    #[arg(long, value_name = "T", value_parser = Range::Residual.parser(), allow_hyphen_values = true, help = format!(
        "Descent and kaczmarz: residuals are clipped to this, in units of half the label's interval; otherwise 1/4 for \
         descent, and for kaczmarz the largest power of 1/2 that keeps the variance of the noise of a prediction at \
         1/{INVERSE_NOISE_VARIANCE}"
    ))]
    residual: Option<Rational>,
    #[arg(long, value_name = "L", value_parser = Range::Positive.parser(), allow_hyphen_values = true, help = format!(
        "Ridge: the penalty Lambda, otherwise the least m 2^k / 512 that keeps the variance of the noise of a prediction \
         at 1/{INVERSE_NOISE_VARIANCE}, m the public number of records or the cap. Statistics: the penalty in units of \
         the noise, otherwise 1"
    ))]
    penalty: Option<Rational>,
    /// Descent: the most steps of work that may be taken, one for each feature of a record in each of --steps, at some 5e8 a
    /// second
    #[arg(long, value_name = "N", value_parser = whole_in::<u128>(0..=u64::MAX), allow_hyphen_values = true, default_value_t = 600 * STEPS_A_SECOND)]
    limit: u128,
    /// Learn even where the noise leaves less than the mean of the labels would tell
    #[arg(long)]
    accept_noise: bool,
    /// The public interval of the labels
    #[arg(long, value_name = "LO:HI", value_parser = declared_box, allow_hyphen_values = true, help_heading = "Data")]
    label_box: DeclaredBox,
    // Last, since its heading holds for all options after it.
    #[command(flatten)]
    table: table::Options,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Solver {
    /// Clipped gradient descent, repair R6
    Descent,
    /// Noisy sufficient statistics, repair R5
    Statistics,
    /// Ridge of bounded labels, repair R3
    Ridge,
    /// One pass of Kaczmarz with clipped residuals, repair R4
    Kaczmarz,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Features {
    /// The columns, and a constant
    Linear,
    /// Cosines and sines of random combinations of the columns
    Fourier,
}

/// What its errors are measured with.
pub struct Found {
    model: Model,
    map: FeatureMap,
    /// Of the label's interval.
    half_width: f64,
}

impl Learner for RandomFeatures {
    const NAME: &'static str = "random-features";
    type Family = Self;
    type Before = ();

    fn family(&self) -> &Self {
        self
    }

    fn before(&self) -> Result<(), Error> {
        self.validate()
    }

    fn public(&self) -> &'static str {
        "parameters, intervals, categories and frequencies"
    }

    fn forecast(&self, size: Size) -> Result<Option<Forecast>, Error> {
        if self.solver != Solver::Descent || self.at_most.is_some() {
            return Ok(None);
        }
        self.records_fit(size.records)?;
        let grid = Grid::new(GRID_BITS)?;
        let domain = domain_of(grid, size.coordinates, Count::Public, size.records);
        // The noise is the same whatever the frequencies are.
        let (map, _) = self.map(&domain, &mut ChaCha::reproducible(0, 0))?;
        let budget = self.budget_under(domain.neighbours)?;
        let (parameters, _, largest) = self.noise_of_descent(&domain, &map, &budget)?;
        Ok(Some(Forecast {
            way: Way::Gradients,
            noise: format!(
                "of a prediction at most {} of the label's interval, after {} steps",
                rational::to_scientific_above(&(largest / rational::integer(2)), 3),
                parameters.steps
            ),
            bound: None,
            work: self.work(
                &parameters,
                (size.records, map.dimension()),
                size.coordinates,
            )?,
        }))
    }

    fn train(
        &self,
        _before: &(),
        data: &Dataset,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Trained<Found>, Error> {
        // 1. The features, whatever the records are.
        coins.stage(&Stage::public("the features"));
        let (map, frequencies) = self.map(data.domain(), coins)?;
        match self.features {
            Features::Linear => named.set("features", "linear"),
            Features::Fourier => {
                named.set("features", "Fourier");
                named.set("frequencies", self.frequencies());
                named.set("variance", self.variance());
            }
        }
        // 2. The learner.
        let budget = self.budget_under(data.domain().neighbours)?;
        let model = match self.solver {
            Solver::Descent => self.descent(data, &map, &budget, named, coins),
            Solver::Statistics => self.statistics(data, &map, &budget, named, coins),
            Solver::Ridge => self.ridge(data, &map, &budget, named, coins),
            Solver::Kaczmarz => self.kaczmarz(data, &map, &budget, named, coins),
        }?;
        let label = self.label_box.scale();
        Ok(Trained {
            weights: weights(frequencies.as_ref(), &model),
            bound: None,
            predictor: Found {
                model,
                map,
                half_width: rational::to_f64_for_display(&(label.hi() - label.lo())) / 2.0,
            },
        })
    }

    fn predictor(model: &ModelFile) -> Result<Predict, String> {
        predictor(model)
    }
}

impl Family for RandomFeatures {
    type Options<'a> = &'a Self;
    type Features = Vec<i64>;
    type Data = Dataset;
    type Record = Record;
    type Predictor = Found;

    fn given(learner: Self::Options<'_>) -> Given<'_> {
        Given {
            epsilon: &learner.epsilon,
            data: &learner.data,
            second: None,
            also: Vec::new(),
            relation: None,
        }
    }

    fn read(learner: &Self, path: &Path, edit: Option<&Edit>) -> Result<Table, Error> {
        let opened = learner
            .table
            .open(path, None, Shape::Cube, GRID_BITS, false)?;
        let count = learner.at_most.map_or(Count::Public, Count::AtMost);
        let opened = opened.perhaps_edited(edit);
        opened.numbers(&learner.label_box, count)
    }

    fn records(
        learner: &Self,
        table: Table,
        _named: &Parameters,
    ) -> Result<(Dataset, Vec<Record>), Error> {
        let domain = domain(&table);
        learner.records_fit(domain.records)?;
        let training = Dataset::new(domain, records(table.training))?;
        Ok((training, records(table.held_out)))
    }

    fn budget(learner: &Self, data: &Dataset) -> Result<Budget, Error> {
        learner.budget_under(data.domain().neighbours)
    }

    fn held_out_errors(_learner: &Self, found: &Found, records: &[Record]) -> Errors {
        let one = i64::from(1u32 << GRID_BITS);
        Errors::of_numbers(records, one, |record| {
            let predicted = found.model.predict(&found.map, &record.features).ok()?;
            let (one, beyond) = (rational::integer(one), rational::integer(2));
            // Beyond an end it counts as that end, however far.
            let within = predicted.max(-beyond.clone()).min(beyond);
            let steps = rational::nearest(&(within * one)).to_i64()?;
            Some((steps, record.label))
        })
    }

    fn scores(
        found: &Found,
        data: &Dataset,
        held_out: &[Record],
        _label: &Label,
    ) -> Result<[Scores; 2], Error> {
        let training = data.records();
        Ok([
            errors(found, training, training)?,
            errors(found, training, held_out)?,
        ])
    }
}

/// The public facts about the records: there are this many, or at most this many.
fn domain(table: &Table) -> Domain {
    let dimension = table.placement.columns().dimension();
    let records = table.training.len();
    domain_of(table.placement.grid(), dimension, table.count, records)
}

fn domain_of(grid: Grid, dimension: usize, count: Count, records: usize) -> Domain {
    Domain {
        input_grid: grid,
        dimension,
        largest_feature: grid.one(),
        label_grid: grid,
        largest_label: grid.one(),
        neighbours: match count {
            Count::Public => NeighbouringRelation::Substitute,
            Count::AtMost(_) => NeighbouringRelation::AddOrRemove,
        },
        records: match count {
            Count::Public => records,
            Count::AtMost(cap) => cap,
        },
    }
}

fn records(rows: Vec<Row>) -> Vec<Record> {
    rows.into_iter()
        .map(|row| Record {
            features: row.features,
            label: row.label,
        })
        .collect()
}

impl RandomFeatures {
    fn frequencies(&self) -> usize {
        self.frequencies.unwrap_or(USUAL_FREQUENCIES)
    }

    fn variance(&self) -> Rational {
        self.variance
            .clone()
            .unwrap_or_else(|| rational::ratio(1, USUAL_INVERSE_VARIANCE))
    }

    fn validate(&self) -> Result<(), Error> {
        for (option, value, most) in [
            ("--frequencies", self.frequencies, MOST_FREQUENCIES),
            ("--at-most", self.at_most, MOST_ROWS),
            ("--steps", self.steps, MOST_STEPS),
        ] {
            if let Some(value) = value
                && !(1..=most).contains(&value)
            {
                return Err(Error::Usage(format!(
                    "{option} must be from 1 to {most}, got {value}"
                )));
            }
        }
        // What would have no effect is refused.
        let is_fourier = self.features == Features::Fourier;
        let is = |solvers: &[Solver]| solvers.contains(&self.solver);
        for (option, is_given, is_used, needs) in [
            (
                "--frequencies",
                self.frequencies.is_some(),
                is_fourier,
                "--features fourier",
            ),
            (
                "--variance",
                self.variance.is_some(),
                is_fourier,
                "--features fourier",
            ),
            (
                "--steps",
                self.steps.is_some(),
                is(&[Solver::Descent]),
                "--solver descent",
            ),
            (
                "--residual",
                self.residual.is_some(),
                is(&[Solver::Descent, Solver::Kaczmarz]),
                "--solver descent or kaczmarz",
            ),
            (
                "--penalty",
                self.penalty.is_some(),
                is(&[Solver::Statistics, Solver::Ridge]),
                "--solver statistics or ridge",
            ),
        ] {
            if is_given && !is_used {
                return Err(Error::Usage(format!("{option} needs {needs}")));
            }
        }
        if let (Solver::Ridge, Some(penalty)) = (self.solver, &self.penalty) {
            let steps = penalty * BigInt::from(1u64 << (2 * FEATURE_BITS));
            require(
                steps.is_integer(),
                "--penalty",
                &rational::shortly(penalty),
                "a multiple of 2^-40 for --solver ridge, such as 12 or 1/2",
            )?;
        }
        Ok(())
    }

    /// The solvers' sums must hold so many records, and the memory their features: a cosine and a sine a frequency.
    fn records_fit(&self, records: usize) -> Result<(), Error> {
        if records > MOST_ROWS {
            return Err(Error::Usage(format!(
                "at most {MOST_ROWS} records can be learned from, got {records}"
            )));
        }
        let most = MOST_FEATURES / 2 / records.max(1);
        if self.features == Features::Fourier && self.frequencies() > most {
            return Err(Error::Usage(format!(
                "--frequencies must be at most {most} for {records} records, got {}",
                self.frequencies()
            )));
        }
        Ok(())
    }

    /// The features of a record, and the frequencies that were drawn for them.
    fn map(
        &self,
        domain: &Domain,
        coins: &mut impl Coins,
    ) -> Result<(FeatureMap, Option<Frequencies>), Error> {
        let dimension = domain.dimension;
        let (inputs, grid) = (domain.input_grid, Grid::new(FEATURE_BITS)?);
        if self.features == Features::Linear {
            return Ok((FeatureMap::linear(dimension, inputs, grid)?, None));
        }
        let (count, variance) = (self.frequencies(), self.variance());
        let frequencies = Frequencies::draw(count, dimension, &variance, grid, coins)?;
        let map = FeatureMap::new(frequencies.clone(), inputs, grid)?;
        Ok((map, Some(frequencies)))
    }

    fn descent(
        &self,
        data: &Dataset,
        map: &FeatureMap,
        budget: &Budget,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Model, Error> {
        let domain = data.domain();
        let (parameters, noise, largest) = self.noise_of_descent(domain, map, budget)?;
        named.set("solver", "clipped gradient descent (R6)");
        named.set("steps", parameters.steps);
        named.set("residual", &parameters.residual_bound);
        say_noise(&format!("at most {}", self.in_label_units(&largest)), named);
        let shape = (domain.records, map.dimension());
        let work = self.work(&parameters, shape, domain.dimension)?;
        named.say(&work);
        let noise = (&noise, budget);
        let found = clipped_gradient_descent::learn_with(data, map, &parameters, noise, coins);
        Ok(found?)
    }

    /// The parameters of descent with what is overridden, its noise, and the largest deviation of that on a prediction; refused
    /// where it leaves less than the mean would tell.
    fn noise_of_descent(
        &self,
        domain: &Domain,
        map: &FeatureMap,
        budget: &Budget,
    ) -> Result<
        (
            clipped_gradient_descent::Parameters,
            DiscreteGaussian,
            Rational,
        ),
        Error,
    > {
        let mut parameters = clipped_gradient_descent::Parameters::suggested(domain, budget)?;
        self.refuse(worth::of_descent(parameters.steps))?;
        if let Some(steps) = self.steps {
            parameters.steps = steps as u32; // at most MOST_STEPS
        }
        if let Some(residual) = &self.residual {
            parameters.residual_bound = residual.clone();
        }
        let noise = clipped_gradient_descent::noise(domain, map, &parameters, budget)?;
        let largest = clipped_gradient_descent::largest_noise(domain, map, &parameters, &noise)?;
        Ok((parameters, noise, largest))
    }

    /// The work of descent on so many records of so many features, made of so many coordinates; more than the limit is refused.
    fn work(
        &self,
        parameters: &clipped_gradient_descent::Parameters,
        (records, features): (usize, usize),
        coordinates: usize,
    ) -> Result<Work, Error> {
        let steps = parameters.steps;
        let of_all = records as u128 * features as u128;
        let work = Work {
            what: format!("--steps {steps} on {records} records of {features} features"),
            steps: u128::from(steps) * of_all,
            a_second: STEPS_A_SECOND,
            // The features are there twice while their matrix is made.
            bytes: bytes_of_records(records, coordinates) + 8 * of_all,
        };
        work.within(self.limit, "lower --steps or --frequencies")
    }

    fn budget_under(&self, neighbours: NeighbouringRelation) -> Result<Budget, Error> {
        let (epsilon, delta) = (self.epsilon.clone(), self.delta.clone());
        Ok(Budget::approximate(epsilon, delta, neighbours)?)
    }

    fn statistics(
        &self,
        data: &Dataset,
        map: &FeatureMap,
        budget: &Budget,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Model, Error> {
        let domain = data.domain();
        let mut parameters = noisy_statistics::Parameters::suggested()?;
        if let Some(penalty) = &self.penalty {
            parameters.penalty = penalty.clone();
        }
        named.set("solver", "noisy sufficient statistics (R5)");
        named.set("penalty", &parameters.penalty);
        let shape = noisy_statistics::Shape::new(domain, map, &parameters.label_weight)?;
        let noise = noisy_statistics::noise(&shape, budget)?;
        let penalty = shape.penalty(&rational::integer(1), &noise)?;
        let share = &penalty / rational::integer(domain.records as u64);
        let shown = rational::to_scientific_above(&share, 2);
        say_noise(&format!("shrunk with a penalty of {shown} a record"), named);
        self.refuse(worth::of_statistics(&share))?;
        let noise = (&noise, budget);
        let found = noisy_statistics::learn_with(data, map, &parameters, noise, coins);
        Ok(found?)
    }

    fn ridge(
        &self,
        data: &Dataset,
        map: &FeatureMap,
        budget: &Budget,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Model, Error> {
        let mut parameters = ridge_of_bounded_labels::suggested(data.domain(), budget)?;
        if let Some(penalty) = &self.penalty {
            parameters.penalty = penalty.clone();
        }
        named.set("solver", "ridge of bounded labels (R3)");
        named.set("penalty", &parameters.penalty);
        let records = data.domain().records;
        self.refuse(worth::of_ridge(&parameters.penalty, records))?;
        let features = data.features(map)?;
        let fit = ridge_of_bounded_labels::fit(data, &features, &parameters)
            .map_err(|error| too_long(error, "raise --penalty", &parameters.penalty))?;
        self.release(&fit, budget, named, coins)
    }

    fn kaczmarz(
        &self,
        data: &Dataset,
        map: &FeatureMap,
        budget: &Budget,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Model, Error> {
        let mut parameters = clipped_kaczmarz::Parameters::suggested(data.domain(), budget)?;
        if let Some(residual) = &self.residual {
            parameters.residual_bound = residual.clone();
        }
        named.set("solver", "one pass of clipped Kaczmarz (R4)");
        named.set("residual", &parameters.residual_bound);
        let records = data.domain().records;
        self.refuse(worth::of_kaczmarz(&parameters.residual_bound, records))?;
        let features = data.features(map)?;
        let fit = clipped_kaczmarz::fit(data, &features, &parameters, coins)
            .map_err(|error| too_long(error, "lower --residual", &parameters.residual_bound))?;
        self.release(&fit, budget, named, coins)
    }

    /// A fit with its noise. A prediction has as much noise as a coefficient: features have norm at most 1.
    fn release(
        &self,
        fit: &Fit,
        budget: &Budget,
        named: &mut Parameters,
        coins: &mut impl Coins,
    ) -> Result<Model, Error> {
        let noise = fit.noise(budget)?;
        let one = rational::integer(fit.grid.one());
        let variance = noise.variance() / (&one * &one);
        let deviation = Enclosure::of(&variance, 64).sqrt()?.upper();
        say_noise(&self.in_label_units(&deviation), named);
        self.refuse(worth::of_release(&variance))?;
        Ok(fit.release_with((&noise, budget), coins)?)
    }

    /// A deviation in units of the label.
    fn in_label_units(&self, deviation: &Rational) -> String {
        let label = self.label_box.scale();
        let deviation = deviation * (label.hi() - label.lo()) / rational::integer(2);
        format!(
            "standard deviation {}",
            rational::to_scientific_above(&deviation, 3)
        )
    }

    /// An error where the mean of the labels would tell more, unless noise is accepted.
    fn refuse(&self, worth: Result<(), TooNoisy>) -> Result<(), Error> {
        let Err(why) = worth else {
            return Ok(());
        };
        if self.accept_noise {
            return Ok(());
        }
        Err(Error::Usage(format!(
            "--epsilon {} is too small for as many records: {why}, so that the mean of the labels is likely to predict better; \
             nothing was spent (--accept-noise learns all the same)",
            rational::shortly(&self.epsilon),
        )))
    }
}

/// Says how much noise a prediction will have, before anything is spent; it stands in the model as well.
fn say_noise(noise: &str, named: &mut Parameters) {
    named.note(&format!("noise of a prediction: {noise}"));
    named.set("noise of a prediction", noise);
}

/// The error, with the option that helps where numbers are too long for the solver's integers, and its value.
fn too_long(error: RandomFeatureError, remedy: &str, value: &Rational) -> Error {
    match error {
        RandomFeatureError::Optimise(OptimiseError::Overflow { what }) => Error::Usage(format!(
            "{what} might not fit in its integers: {remedy} (here {})",
            rational::shortly(value)
        )),
        error => error.into(),
    }
}

/// Root mean squared errors on `records`, in floats.
fn errors(found: &Found, training: &[Record], records: &[Record]) -> Result<Scores, Error> {
    if records.is_empty() {
        return Ok(Scores::default());
    }
    let one = f64::from(1u32 << GRID_BITS);
    let label = |record: &Record| record.label as f64 / one;
    let mean = training.iter().map(label).sum::<f64>() / training.len() as f64;
    let (mut ours, mut means) = (0.0, 0.0);
    for record in records {
        let prediction = found.model.predict(&found.map, &record.features)?;
        ours += (rational::to_f64_for_display(&prediction) - label(record)).powi(2);
        means += (mean - label(record)).powi(2);
    }
    let root = |squares: f64| found.half_width * (squares / records.len() as f64).sqrt();
    Ok(Scores(vec![
        ("this_model", Score::RootMeanSquare(root(ours))),
        (
            "mean_of_training_labels",
            Score::RootMeanSquare(root(means)),
        ),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        options: RandomFeatures,
    }

    #[test]
    fn too_many_records_are_refused_before_their_features() {
        let fit = |records: usize, more: &[&str]| {
            let all = "line d.csv --epsilon 1 --delta 1e-6 --label y --label-box 0:1 --box 0:1";
            let line = Line::try_parse_from(all.split(' ').chain(more.iter().copied())).unwrap();
            let found = line.options.records_fit(records);
            found.map_err(|error| error.to_string())
        };
        for more in [&[][..], &["--features", "linear"]] {
            assert_eq!(fit(MOST_ROWS, more), Ok(()));
            let message = fit(2_000_000, more).unwrap_err();
            assert!(message.contains("at most 1048576 records"), "{message}");
        }
        let message = fit(MOST_ROWS, &["--frequencies", "65"]).unwrap_err();
        assert!(
            message.contains("--frequencies must be at most 64"),
            "{message}"
        );
    }
}
