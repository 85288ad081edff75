//! What the learners with a kernel have in common: how they are declared, their options, and the records.

use super::kernel::{Named, kernel, loss, shown};
use crate::error::Error;
use crate::options::{MOST, Range, whole_in};
use crate::output;
use crate::papers::halfspace_model::{Decision, of_classes};
use crate::papers::held_out::Errors;
use crate::papers::learn::{Family, Given, Parameters};
use crate::papers::model::ModelFile;
use crate::papers::report::{Score, Scores};
use crate::papers::work::{is_long, work_of};
use crate::papers::{Predict, Predicted};
use crate::table::{
    self, Count, DeclaredBox, DeclaredClasses, Edit, Label, MOST_FEATURES, Opened, Records, Row,
    Shape, Table, declared_box,
};
use clap::Args;
use dp_assay::geometry::{Domain, FINEST_GRID, FeatureMap, Point};
use dp_assay::kernels::coefficients::exact as exact_coefficients;
use dp_assay::kernels::{
    Dataset, Kernel, KernelError, Labels, Predictor, Problem, Record, fit, point_of_features,
};
use dp_assay::number::rational::to_f64_for_display;
use dp_assay::number::{Grid, Rational};
use dp_assay::optimise::erm::Loss;
use dp_assay::privacy::{Budget, NeighbouringRelation};
use std::cmp::Ordering;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

/// What all of them take.
#[derive(Debug, Args)]
pub struct Common {
    /// The records, a CSV file, or with --libsvm one in that format
    #[arg(value_name = "DATA")]
    pub data: PathBuf,
    /// The privacy parameter epsilon, above 0
    #[arg(long, value_name = "E", value_parser = Range::Epsilon.parser(), allow_hyphen_values = true)]
    pub epsilon: Rational,
    /// The privacy parameter delta, from 1e-100 to 1/2
    #[arg(long, value_name = "D", value_parser = Range::Delta.parser(), allow_hyphen_values = true)]
    pub delta: Rational,
    /// The loss: hinge or logistic for two classes, huber=W or squared for numbers in the interval of --label-box, which is
    /// placed on [-1, 1]; W is from 2^-20 to 1000
    #[arg(long, value_name = "LOSS", value_parser = loss, default_value = "hinge")]
    loss: Loss,
    /// The penalty lambda of (lambda/2) |w|^2, above 0; to be chosen without the records. Noise falls as 1/(lambda n)
    #[arg(long, value_name = "L", value_parser = Range::Positive.parser(), allow_hyphen_values = true)]
    lambda: Rational,
    /// The kernel: linear is <x, x'>, polynomial=P,C is (<x, x'> + C)^P, gaussian=V is exp(-V |x - x'|^2 / 2), and
    /// fourier=N,V has N random frequencies for gaussian=V. P is from 1 to 20, C from 0 to 1000 and a multiple of 4^-B (B is
    /// --grid-bits), V from 1/1024 to 1e6, N at most 32768. matrix=FILE is a matrix of public numbers, a row a line: record
    /// and query have one column, the --category whose values are the rows. To be chosen without the records
    #[arg(long, value_name = "KERNEL", value_parser = kernel, default_value = "linear")]
    pub kernel: Named,
    /// The most steps that may be taken, at some 1e7 a second: one for each pair of records; with --kernel linear or fourier=N,V
    /// there are no pairs, and a record takes 200, or 10000 with --loss logistic
    #[arg(long, value_name = "N", value_parser = whole_in::<u128>(0..=u64::MAX), allow_hyphen_values = true, default_value_t = DEFAULT_LIMIT)]
    limit: u128,
}

/// About so many pairs of records are looked at in a second, as measured with 20,000 records on one core.
const STEPS_A_SECOND: u128 = 10_000_000;

/// About so many steps a record takes where there are no pairs, as measured with up to a million of them.
const STEPS_OF_A_RECORD: u128 = 200;
const STEPS_OF_A_LOGISTIC_RECORD: u128 = 10_000;

/// The most steps unless told otherwise: those of the pairs of 100,000 records, a quarter of an hour.
const DEFAULT_LIMIT: u128 = 10_000_000_000;

/// How the records are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub struct Data {
    /// The two classes
    #[command(flatten)]
    classes: DeclaredClasses,
    /// The public interval of labels that are numbers
    #[arg(long, value_name = "LO:HI", value_parser = declared_box, allow_hyphen_values = true)]
    label_box: Option<DeclaredBox>,
    /// The records are in the LIBSVM format, LABEL INDEX:VALUE INDEX:VALUE ..., with features 1 to D, those that are 0 left
    /// out, and # before a comment. --box is one interval -B:B, -1:1 unless it is given. A record is divided by B, and
    /// shortened to length 1 if it is longer, whatever the others are. For learners, not for sessions
    #[arg(long, value_name = "D", value_parser = whole_in::<u32>(1..=MOST_FEATURES), allow_hyphen_values = true)]
    libsvm: Option<u32>,
    /// Add a constant coordinate: a bias that is regularised. There is no other
    #[arg(long)]
    intercept: bool,
    /// Place the data on the multiples of 2^-B, at most 30
    #[arg(long, value_name = "B", value_parser = whole_in::<u32>(0..=MOST), allow_hyphen_values = true, default_value_t = 12)]
    grid_bits: u32,
    /// The table
    #[command(flatten)]
    table: table::Options,
}

/// What a learner finds.
pub struct Found {
    /// The prediction for a point, in the units of the grid's labels.
    pub predict: Prediction,
    /// Where features are drawn: the records as points of the features, and the map. **Not private.**
    pub features: Option<(Dataset, FeatureMap)>,
}

/// A prediction for a point: a number whose sign is the class, or the label in [-1, 1].
pub type Prediction = Box<dyn Fn(&Point) -> Result<f64, KernelError>>;

/// What a learner is given.
pub struct Setting {
    /// The records.
    pub data: Dataset,
    /// What is minimised.
    pub problem: Problem,
    /// The budget.
    pub budget: Budget,
}

/// The options that all learners with a kernel have, and what else tells how their records are read.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// What all of them take.
    pub common: &'a Common,
    /// How the records are read.
    pub load: &'a Data,
    /// A public file that is read as well.
    pub also: Option<&'a Path>,
    /// Whether the learner is (epsilon, 0)-private, whatever delta is.
    pub is_pure: bool,
}

/// The learners with a kernel.
pub struct WithKernel;

impl Family for WithKernel {
    type Options<'a> = Options<'a>;
    type Features = Point;
    type Data = Setting;
    type Record = Record;
    type Predictor = Found;

    fn given(options: Self::Options<'_>) -> Given<'_> {
        let Options { common, also, .. } = options;
        Given {
            epsilon: &common.epsilon,
            data: &common.data,
            second: None,
            also: also.into_iter().chain(common.kernel.path()).collect(),
            relation: None,
        }
    }

    fn read(options: Options<'_>, path: &Path, edit: Option<&Edit>) -> Result<Table<Point>, Error> {
        let Options { common, load, .. } = options;
        common.problem(load)?;
        match load.libsvm {
            Some(count) => common.numbered(load, count, path, edit),
            None => {
                let opened = load.open(common, path)?.perhaps_edited(edit);
                common.read(load, opened)?.of_points()
            }
        }
    }

    fn records(
        options: Options<'_>,
        table: Table<Point>,
        named: &Parameters,
    ) -> Result<(Setting, Vec<Record>), Error> {
        let Options { common, load, .. } = options;
        let (problem, domain) = (common.problem(load)?, domain(&table)?);
        common.check_kernel(load, &problem, domain)?;
        let count = table.training.len() as u64;
        common.announce(&problem, domain, count, |work| named.note(work))?;
        let data = dataset(domain, &problem, of_rows(table.training))?;
        let budget = match options.is_pure {
            true => Budget::pure(common.epsilon.clone(), NeighbouringRelation::Substitute)?,
            false => common.budget()?,
        };
        let setting = Setting {
            data,
            problem,
            budget,
        };
        Ok((setting, of_rows(table.held_out)))
    }

    fn budget(_options: Options<'_>, setting: &Setting) -> Result<Budget, Error> {
        Ok(setting.budget.clone())
    }

    fn held_out_errors(options: Options<'_>, found: &Found, records: &[Record]) -> Errors {
        let Options { common, load, .. } = options;
        if common.loss.of_classes() {
            let is_right = |record: &Record| {
                // Labels are 1 and -1; on the boundary no class is predicted.
                let predicted = (found.predict)(&record.point);
                predicted
                    .is_ok_and(|f| (f > 0.0 && record.label > 0) || (f < 0.0 && record.label < 0))
            };
            return Errors::of_classes(records, is_right);
        }
        let one = 1i64 << common.bits_of_labels(load);
        Errors::of_numbers(records, one, |record| {
            let f = (found.predict)(&record.point).ok()?;
            // Each record's error is rounded and clipped before errors are summed. An undefined number is 0 here.
            Some((
                (f.clamp(-2.0, 2.0) * one as f64).round() as i64,
                record.label,
            ))
        })
    }

    fn scores(
        found: &Found,
        setting: &Setting,
        held_out: &[Record],
        label: &Label,
    ) -> Result<[Scores; 2], Error> {
        scores(found, setting, held_out, label)
    }
}

/// Coordinates lie in the unit ball.
const SHAPE: Shape = Shape::Ball;

impl Data {
    /// Data are placed on the multiples of 2 to minus this.
    pub fn grid_bits(&self) -> u32 {
        self.grid_bits
    }

    pub fn open(&self, common: &Common, path: &Path) -> Result<Opened<'_>, Error> {
        if let Some(count) = self.libsvm {
            return Err(Error::Usage(format!(
                "--libsvm {count}: a session reads CSV; take assay learn for records in the LIBSVM format"
            )));
        }
        let Some(rows) = common.kernel.rows()? else {
            let (bits, intercept) = (self.grid_bits, self.intercept);
            return self.table.open(path, None, SHAPE, bits, intercept);
        };
        if self.table.has_rules()? {
            return Err(Error::Usage(format!(
                "--missing: not with --kernel {}, whose records are its rows: there is no zero record",
                common.kernel
            )));
        }
        // The points of a matrix are the unit vectors of the integers.
        let opened = self
            .table
            .open(path, None, Shape::Cube, 0, self.intercept)?;
        let columns = opened.placement.columns();
        let values = columns.categories.iter().map(|column| column.values.len());
        let right = columns.numeric.is_empty() && !columns.intercept && values.eq([rows]);
        right.then_some(opened).ok_or_else(|| {
            Error::Usage(format!(
                "--kernel {} has {rows} rows: there must be one column besides the label, its {rows} values declared by \
                 --category COLUMN=A,B,... in the order of the rows, and no --intercept",
                common.kernel
            ))
        })
    }

    /// Public points, of a file with the data's feature columns, which `option` names.
    pub fn points(&self, common: &Common, option: &str, path: &Path) -> Result<Vec<Point>, Error> {
        // Points that are records' points are not refused: whether there are any the records decide, and a model that is
        // there would tell. Which file it is tells nothing of them. A copy is another file: whoever runs this is warned,
        // and what comes out stays the same.
        if is_same_file(path, &common.data) {
            return Err(Error::Usage(format!(
                "{option} {}: it is the file of the records, which are private; take points that are public",
                path.display()
            )));
        }
        if is_copy(path, &common.data) {
            output::warn(&format!(
                "{option} {}: it is a copy of the file of the records. Public points stand in the model file: do not \
                 publish that unless everybody may have the records",
                path.display()
            ));
        }
        let points = match self.libsvm {
            None => self.listed(common, path)?,
            Some(count) => {
                let (bits, intercept) = (self.grid_bits, self.intercept);
                let opened = self.table.open_numbered(path, count, bits, intercept)?;
                opened.points(MOST_POINTS)?
            }
        };
        if points.is_empty() || points.len() > MOST_POINTS {
            return Err(Error::data(
                path,
                format!(
                    "from 1 to {MOST_POINTS} public points are needed, got {}",
                    points.len()
                ),
            ));
        }
        Ok(points)
    }

    /// Points of a CSV file with the data's columns.
    fn listed(&self, common: &Common, path: &Path) -> Result<Vec<Point>, Error> {
        let placement = self.open(common, &common.data)?.placement;
        let mut records = Records::open(path, self.table.form())?;
        let places = placement.find(&records)?;
        let mut points = Vec::new();
        while let Some(line) = records.advance()? {
            let (features, _) = placement.place(&records, line, &places)?;
            points.push(point(&features)?);
            if points.len() > MOST_POINTS {
                break;
            }
        }
        Ok(points)
    }
}

/// Random frequencies have a coordinate for each feature, and stand in the model file.
const MOST_FREQUENCY_COORDINATES: u64 = 1 << 22;

/// What is said of a bound that holds for minimisers up to `--norm-bound`.
pub fn provided(norm_bound: Option<&Rational>) -> &'static str {
    match norm_bound {
        Some(_) => ", provided that its norm is at most --norm-bound",
        None => "",
    }
}

/// Whether two paths are of one file, also by another link.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let file = |path| std::fs::metadata(path).map(|found| (found.dev(), found.ino()));
        matches!((file(one), file(other)), (Ok(one), Ok(other)) if one == other)
    }
    #[cfg(not(unix))]
    {
        let file = |path| std::fs::canonicalize(path);
        matches!((file(one), file(other)), (Ok(one), Ok(other)) if one == other)
    }
}

/// Whether two files have the same bytes. Only files are compared: what comes from a pipe can be read once.
fn is_copy(one: &Path, other: &Path) -> bool {
    let size = |path| match std::fs::metadata(path) {
        Ok(found) if found.is_file() => Some(found.len()),
        _ => None,
    };
    let open = |path| File::open(path).map(|file| BufReader::new(file).bytes());
    match (size(one), size(other), open(one), open(other)) {
        (Some(length), Some(same), Ok(one), Ok(other)) if length == same => one
            .zip(other)
            .all(|pair| matches!(pair, (Ok(a), Ok(b)) if a == b)),
        _ => false,
    }
}

/// More public points take too long: their kernels are all computed.
const MOST_POINTS: usize = 10_000;

impl Common {
    /// Refuses what no parser can.
    fn validate(&self, load: &Data) -> Result<(), Error> {
        if load.grid_bits > FINEST_GRID {
            return Err(Error::option(
                "--grid-bits",
                "at most 30 here",
                load.grid_bits,
            ));
        }
        if let Some(count) = load.libsvm {
            self.validate_numbered(count)?;
        }
        match (self.loss.of_classes(), &load.label_box) {
            (true, Some(_)) => Err(Error::Usage(format!(
                "--label-box is for labels that are numbers: take --loss huber=W or squared (here {})",
                shown(&self.loss)
            ))),
            (false, None) => Err(Error::Usage(format!(
                "--label-box LO:HI is missing: --loss {} is for labels that are numbers of a public interval",
                shown(&self.loss)
            ))),
            _ => Ok(()),
        }
    }

    /// Refuses kernels that are not for so many features.
    fn validate_numbered(&self, count: u32) -> Result<(), Error> {
        if matches!(self.kernel, Named::Matrix(_)) {
            return Err(Error::Usage(format!(
                "--libsvm {count}: --kernel {} is for records of one --category, in a CSV file",
                self.kernel
            )));
        }
        if let Some((frequencies, _)) = self.kernel.frequencies() {
            let all = frequencies as u64 * u64::from(count);
            if all > MOST_FREQUENCY_COORDINATES {
                return Err(Error::Usage(format!(
                    "--kernel {}: {frequencies} frequencies of {count} coordinates are {all} numbers in the model file, and \
                     here at most {MOST_FREQUENCY_COORDINATES}; take fewer frequencies, or linear",
                    self.kernel
                )));
            }
        }
        Ok(())
    }

    /// Reads records of numbered features, one of them perhaps as if it were another.
    fn numbered(
        &self,
        load: &Data,
        count: u32,
        path: &Path,
        edit: Option<&Edit>,
    ) -> Result<Table<Point>, Error> {
        let (bits, intercept) = (load.grid_bits, load.intercept);
        let opened = load.table.open_numbered(path, count, bits, intercept)?;
        let opened = opened.perhaps_edited(edit);
        match &load.label_box {
            None => opened.classes(&load.classes),
            Some(interval) => opened.numbers(interval),
        }
    }

    /// Labels that are numbers are multiples of 2 to minus this; those of a matrix have the grid of its rows' numbers.
    fn bits_of_labels(&self, load: &Data) -> u32 {
        match self.kernel {
            Named::Matrix(_) => 0,
            _ => load.grid_bits,
        }
    }

    /// What is minimised.
    pub fn problem(&self, load: &Data) -> Result<Problem, Error> {
        self.validate(load)?;
        let kernel = self.kernel.of_the_library(load.grid_bits)?;
        Ok(Problem::new(
            self.loss.clone(),
            kernel,
            self.lambda.clone(),
        )?)
    }

    /// Refuses a kernel that has values too large on the domain, by the names of its options.
    pub fn check_kernel(
        &self,
        load: &Data,
        problem: &Problem,
        domain: Domain,
    ) -> Result<(), Error> {
        problem.kernel().on(domain).map(drop).map_err(|error| {
            let bits = load.grid_bits;
            Error::Usage(format!(
                "--kernel {} on --grid-bits {bits}: {error}",
                self.kernel
            ))
        })
    }

    /// Refuses more work than the limit for so many records, and says how much there is where it takes long. The number of
    /// records is public; how many of them differ, on which the time depends too, is not.
    pub fn announce(
        &self,
        problem: &Problem,
        domain: Domain,
        records: u64,
        say: impl Fn(&str),
    ) -> Result<(), Error> {
        let features = self
            .kernel
            .frequencies()
            .map(|(count, _)| 2 * count as u128);
        if features.is_some() || problem.kernel().on(domain)?.has_a_vector() {
            let (steps, _) = self.steps(records, features.unwrap_or(0));
            let what = format!("{records} records with --loss {}", shown(&self.loss));
            return self.announce_work((&what, steps), "fewer records, or --loss hinge", say);
        }
        // Equal records count once: of a matrix there are its rows, each with a label from -1 to 1.
        let rows = self.kernel.rows()?.map_or(u64::MAX, |rows| 3 * rows as u64);
        let pairs = u128::from(records.min(rows)).pow(2);
        let what = format!("{records} records with --kernel {}", self.kernel);
        let instead = match &self.kernel {
            Named::Linear => "--grid-bits 24 or less".to_owned(),
            Named::Gaussian { variance } => format!(
                "learn kernel-release with --kernel fourier=N,{variance}, which draws N frequencies, or --kernel linear"
            ),
            _ => "--kernel linear, or learn kernel-release with --kernel fourier=N,V".to_owned(),
        };
        let grows = "the time then grows with the records, and not with their square";
        self.announce_work((&what, pairs), &format!("{instead}: {grows}"), say)
    }

    /// The steps where there are no pairs, and how many are taken in a second: one or so for each of the features that are
    /// drawn, and many for each record.
    pub fn steps(&self, records: u64, features: u128) -> (u128, u128) {
        let each = match self.loss {
            Loss::Logistic => STEPS_OF_A_LOGISTIC_RECORD,
            _ => STEPS_OF_A_RECORD,
        };
        (u128::from(records) * (each + features), STEPS_A_SECOND)
    }

    /// What a run spends that is not purely private.
    pub fn budget(&self) -> Result<Budget, Error> {
        Ok(Budget::substituting(&self.epsilon, &self.delta)?)
    }

    /// Refuses more work than the limit, with what would do `instead`, and says it where it takes long.
    pub fn announce_work(
        &self,
        (what, steps): (&str, u128),
        instead: &str,
        say: impl Fn(&str),
    ) -> Result<(), Error> {
        let work = work_of(what, steps, STEPS_A_SECOND);
        if steps > self.limit {
            return Err(Error::Usage(format!(
                "{work}: more than --limit {}; nothing was spent. Take {instead}; or raise --limit",
                self.limit
            )));
        }
        if is_long(steps, STEPS_A_SECOND) {
            say(&work);
        }
        Ok(())
    }

    /// Reads the records of a file whose header was read.
    pub fn read(&self, load: &Data, opened: Opened) -> Result<Table, Error> {
        match &load.label_box {
            None => opened.classes(&load.classes),
            Some(interval) => opened.numbers(interval, Count::Public),
        }
    }

    /// Sets the parameters that all learners have.
    pub fn describe(&self, parameters: &mut Parameters) -> Result<(), Error> {
        parameters.set("loss", shown(&self.loss));
        parameters.set("lambda", &self.lambda);
        parameters.set("kernel", self.kernel.public());
        if let Named::Matrix(file) = &self.kernel {
            parameters.set("matrix_rows", file.read()?.rows);
            parameters.set("matrix_sha256", file.digest()?);
        }
        Ok(())
    }

    /// What is minimised, and the budget, exactly: by their options. A matrix is not told by its path.
    pub fn exactly(&self) -> Vec<(&'static str, String)> {
        vec![
            ("--epsilon", self.epsilon.to_string()),
            ("--delta", self.delta.to_string()),
            ("--loss", shown(&self.loss)),
            ("--lambda", self.lambda.to_string()),
            ("--kernel", self.kernel.public()),
        ]
    }
}

/// The public domain of a table's points.
pub fn domain<F>(table: &Table<F>) -> Result<Domain, Error> {
    let dimension = table.placement.columns().dimension();
    Ok(Domain::unit_ball(table.placement.grid(), dimension)?)
}

pub fn dataset(domain: Domain, problem: &Problem, records: Vec<Record>) -> Result<Dataset, Error> {
    let labels = if problem.loss().of_classes() {
        Labels::Classes
    } else {
        let grid = domain.grid();
        Labels::Numbers {
            grid,
            largest: grid.one().unsigned_abs(),
        }
    };
    let records = records.into_iter().map(|record| (record, 1));
    Ok(Dataset::of_labels(domain, labels, records)?)
}

/// Placed records.
pub fn records(rows: Vec<Row>) -> Result<Vec<Record>, Error> {
    Ok(of_rows(points(rows)?))
}

/// Placed records, as points.
fn points(rows: Vec<Row>) -> Result<Vec<Row<Point>>, Error> {
    let placed = |row: Row| {
        let (features, label) = (point(&row.features)?, row.label);
        Ok(Row { features, label })
    };
    rows.into_iter().map(placed).collect()
}

/// Records of points.
fn of_rows(rows: Vec<Row<Point>>) -> Vec<Record> {
    let record = |row: Row<Point>| Record {
        point: row.features,
        label: row.label,
    };
    rows.into_iter().map(record).collect()
}

impl Table {
    /// The same table, of points.
    fn of_points(self) -> Result<Table<Point>, Error> {
        Ok(Table {
            training: points(self.training)?,
            held_out: points(self.held_out)?,
            placement: self.placement,
            label: self.label,
            classes_found: self.classes_found,
            neighbours: self.neighbours,
            count: self.count,
            clipped: self.clipped,
        })
    }
}

/// A placed record as a point: coordinates have at most 30 bits.
pub fn point(features: &[i64]) -> Result<Point, Error> {
    let place = |(index, v): (u32, &i64)| Some((index, i32::try_from(*v).ok()?));
    let coordinates: Option<Vec<_>> = (0..).zip(features).map(place).collect();
    let coordinates = coordinates
        .ok_or_else(|| Error::Usage("a coordinate is larger than the grid allows".to_owned()))?;
    Ok(Point::new(coordinates)?)
}

/// The errors of the model, of the minimiser without noise, and of the majority class or the mean.
fn scores(
    found: &Found,
    setting: &Setting,
    held_out: &[Record],
    label: &Label,
) -> Result<[Scores; 2], Error> {
    let interval = match label {
        Label::Classes(_) => None,
        Label::Interval(column) => Some(column),
    };
    let predict = &found.predict;
    let (domain, features) = (setting.data.domain(), found.features.as_ref());
    let minimised = features.map_or(&setting.data, |(featured, _)| featured);
    let w = fit(minimised, &setting.problem)?;
    // One coefficient a coordinate where that is possible: quicker than the kernel with every record.
    let along = match setting.problem.kernel() {
        Kernel::Linear => Some(exact_coefficients(&w)?),
        _ => None,
    };
    let value = |z: &Point| {
        along
            .as_ref()
            .map_or_else(|| w.prediction(z), |w| w.prediction(z))
    };
    let minimiser = |z: &Point| {
        Ok(to_f64_for_display(&match features {
            None => value(z),
            Some((_, map)) => value(&point_of_features(z, domain, map)?),
        }))
    };
    let one = 2f64.powi(setting.data.labels().bits() as i32);
    let all = setting.data.records();
    let total: f64 = all
        .iter()
        .map(|(record, m)| record.label as f64 * *m as f64)
        .sum();
    let mean = total / setting.data.size() as f64 / one;
    let constant = match interval {
        None => {
            if mean >= 0.0 {
                1.0
            } else {
                -1.0
            }
        }
        Some(_) => mean,
    };
    let score = |predict: &dyn Fn(&Point) -> Result<f64, KernelError>,
                 records: &[(Record, u64)]| {
        let size: u64 = records.iter().map(|(_, m)| m).sum();
        let (mut wrong, mut squares) = (0, 0.0);
        for (record, m) in records {
            let (f, label) = (predict(&record.point)?, record.label as f64 / one);
            wrong += if f * label > 0.0 { 0 } else { *m };
            squares += (f - label).powi(2) * *m as f64;
        }
        Ok::<Score, Error>(match interval {
            None => Score::Wrong(wrong, size as usize),
            Some(column) => {
                let width = to_f64_for_display(&(column.scale.hi() - column.scale.lo()));
                Score::RootMeanSquare(width / 2.0 * (squares / size as f64).sqrt())
            }
        })
    };
    let trivial = match interval {
        None => "majority_class",
        Some(_) => "mean_of_training_labels",
    };
    let scores = |records: &[(Record, u64)]| -> Result<Scores, Error> {
        if records.is_empty() {
            return Ok(Scores::default());
        }
        Ok(Scores(vec![
            ("this_model", score(predict, records)?),
            ("without_noise", score(&minimiser, records)?),
            (trivial, score(&|_| Ok(constant), records)?),
        ]))
    };
    let counted: Vec<(Record, u64)> = held_out.iter().map(|record| (record.clone(), 1)).collect();
    Ok([scores(all)?, scores(&counted)?])
}

/// The domain of the points that a model predicts at.
pub fn domain_of(model: &ModelFile) -> Result<Domain, String> {
    let columns = &model.columns;
    // The points of a matrix are unit vectors.
    let of_a_matrix = columns.grid_bits == 0 && columns.numeric.is_empty() && !columns.intercept;
    let is_one = of_a_matrix && columns.categories.len() == 1;
    if columns.shape != SHAPE && !is_one {
        return Err("the shape of its columns must be \"ball\"".to_owned());
    }
    let grid = Grid::new(columns.grid_bits).map_err(|error| error.to_string())?;
    Domain::unit_ball(grid, columns.dimension()).map_err(|error| error.to_string())
}

/// A prediction as it is printed: the class that its sign says, with itself as the score, or the label in the units of its
/// interval, in which it may also lie outside.
pub fn printed(model: &ModelFile, predict: Prediction) -> Predict {
    let label = model.label.clone();
    let text = move |z: &Point| {
        let f = predict(z)?;
        Ok::<Predicted, Error>(match &label {
            Label::Classes(classes) => {
                let order = f.partial_cmp(&0.0).unwrap_or(Ordering::Equal);
                of_classes(classes, Decision::new(order, f))
            }
            Label::Interval(column) => {
                let [lo, hi] = [column.scale.lo(), column.scale.hi()].map(to_f64_for_display);
                Predicted {
                    label: ((lo + hi + (hi - lo) * f) / 2.0).to_string(),
                    score: None,
                }
            }
        })
    };
    match model.columns.numbered {
        Some(_) => Predict::Numbered(Box::new(text)),
        None => Predict::Listed(Box::new(move |features| text(&point(features)?))),
    }
}
