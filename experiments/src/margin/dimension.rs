//! Error against the dimension, from 10 to 10,000, at a fixed margin and a fixed number of records.

use super::compare::{concentrated, errors_of, in_units};
use super::descent::{self, Loss};
use super::peer::Peer;
use super::sphere::{Sphere, dataset, domain};
use super::{DELTA, Settings};
use crate::draws::Draws;
use crate::plot::{Axis, Chart};
use crate::table::{Cell, Table, mean_and_spread};
use dp_assay::geometry::Record;
use dp_assay::margin::efficient::{EfficientParameters, EfficientPlan};
use dp_assay::margin::erm::Accounting;
use dp_assay::margin::map::MapKind;
use dp_assay::margin::{Dataset, MarginError, gibbs};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio, to_f64_for_display};
use dp_assay::privacy::Budget;
use dp_assay_cli::error::Error;
use dp_assay_cli::papers::margin::candidates::candidates;
use dp_assay_cli::papers::margin::learn::Common;
use dp_assay_cli::papers::margin::svm;
use rayon::prelude::*;

/// As many are learned from, and as many tested on.
const RECORDS: usize = 1000;

/// The candidates of the Gibbs learner, in every dimension.
const CANDIDATES: usize = 1000;

/// The margins, and the files of their plots.
fn margins() -> [(Rational, &'static str); 2] {
    [
        (ratio(1, 2), "dimension-margin-half.svg"),
        (ratio(1, 10), "dimension-margin-tenth.svg"),
    ]
}

/// The learners. After them comes the peer, if there is one.
const LEARNERS: [&str; 5] = [
    "Gibbs learner, 1000 candidates",
    "Algorithm 2, projected",
    "Algorithm 2, not projected",
    "noisy gradient descent, hinge loss",
    "support vector machine, not private",
];

/// Where the peer is asked: it is slow in many dimensions, and this is where its errors were noticed first.
const DIMENSION_OF_PEER: usize = 1000;

type Plots = Vec<(&'static str, String)>;

/// The table, and a plot for each margin.
pub fn run(settings: &Settings, peer: Option<&Peer>) -> Result<(Table, Plots), Error> {
    let dimensions: &[usize] = if settings.quick {
        &[10, 100, 1000]
    } else {
        &[10, 30, 100, 300, 1000, 3000, 10_000]
    };
    let mut table = Table::new(
        "dimension",
        format!(
            "Error against the dimension at a fixed margin: {RECORDS} records, epsilon 1, delta {DELTA} where there is one"
        ),
        &[
            "margin",
            "learner",
            "dimension",
            "error on fresh records",
            "standard error",
            "error on the data",
        ],
    );
    let mut learners = LEARNERS.map(str::to_owned).to_vec();
    learners.extend(peer.map(Peer::name));
    for (margin, _) in margins() {
        let mut found = Vec::new();
        for &dimension in dimensions {
            let setting = Setting::new(&margin, dimension, settings.seed, peer)?;
            let trials: Vec<Trial> = (0..settings.repetitions)
                .into_par_iter()
                .map(|repetition| setting.trial(repetition))
                .collect::<Result<_, Error>>()?;
            found.push((dimension, trials));
        }
        for (number, learner) in learners.iter().enumerate() {
            for (dimension, trials) in &found {
                if let Some(row) = row(&margin, learner, *dimension, number, trials) {
                    table.rows.push(row);
                }
            }
        }
    }
    table.notes = vec![
        format!(
            "{} repetitions, each with other records, other candidates and other noise; records are uniform on the \
             unit sphere but for the margin, which all of them have exactly",
            settings.repetitions
        ),
        "noisy gradient descent: 500 steps on all records in the full space, in floats; the Gibbs learner is pure"
            .to_owned(),
        "Algorithm 2 has the parameters of Theorem 3.2 at beta 1/10, as margin-descent without other options: random \
         signs, to fewer dimensions than the data have from 300 on; and beside it --map none"
            .to_owned(),
    ];
    let plots = margins()
        .into_iter()
        .map(|(margin, file)| (file, chart(&table, &margin).svg()));
    let plots = plots.collect();
    Ok((table, plots))
}

/// The errors of each learner on fresh records and on the data, where it was run.
type Trial = [Option<[f64; 2]>; LEARNERS.len() + 1];

/// What the repetitions at one margin in one dimension share.
struct Setting<'a> {
    margin: &'a Rational,
    dimension: usize,
    seed: u64,
    /// Algorithm 2, its noise calibrated: projected, and not.
    plans: [EfficientPlan; 2],
    peer: Option<&'a Peer>,
}

impl<'a> Setting<'a> {
    fn new(
        margin: &'a Rational,
        dimension: usize,
        seed: u64,
        peer: Option<&'a Peer>,
    ) -> Result<Self, Error> {
        let domain = domain(dimension)?;
        let plan = |kind| -> Result<EfficientPlan, Error> {
            let budget = Budget::substituting(&integer(1), &ratio(1, 1_000_000));
            let parameters = EfficientParameters::from_theorem_for(
                kind,
                &ratio(1, 10),
                budget.map_err(MarginError::from)?,
                Common::margin(margin)?,
                Accounting::Mixture,
                (RECORDS, dimension),
            )?;
            Ok(parameters.plan(domain, RECORDS)?)
        };
        Ok(Self {
            margin,
            dimension,
            seed,
            plans: [plan(MapKind::Signs)?, plan(MapKind::Identity)?],
            peer,
        })
    }

    fn trial(&self, repetition: usize) -> Result<Trial, Error> {
        let (margin, dimension, seed) = (self.margin, self.dimension, self.seed);
        let label = format!("dimension, {margin}, {dimension}, {repetition}");
        let mut draws = Draws::new(seed, &label);
        let sphere = Sphere::new(dimension, to_f64_for_display(margin), &mut draws)?;
        let mut records = || sphere.records(RECORDS, &mut draws);
        let training = dataset(records()?, dimension)?;
        let test = dataset(records()?, dimension)?;
        let share = |wrong: usize| wrong as f64 / RECORDS as f64;
        let of = |halfspace| -> Result<Option<[f64; 2]>, Error> {
            let wrong = |data: &Dataset| -> Result<f64, Error> {
                Ok(share(errors_of(&halfspace, data.records())?))
            };
            Ok(Some([wrong(&test)?, wrong(&training)?]))
        };

        let list = candidates(
            seed.wrapping_mul(1000) + repetition as u64,
            CANDIDATES,
            dimension,
        )?;
        let mut coins = Draws::new(seed, &format!("{label}, Gibbs")).into_coins();
        let model = gibbs::learn(&training, &list, &integer(1), &mut coins)?;
        drop(list);
        let mut efficient = [None, None];
        for (number, plan) in self.plans.iter().enumerate() {
            let name = format!("{label}, Algorithm 2, {number}");
            let mut coins = Draws::new(seed, &name).into_coins();
            efficient[number] = of(plan.learn(&training, &mut coins)?.halfspace)?;
        }
        let one = training.domain().grid().one() as f64;
        let points = in_units(training.records(), one);
        let mut noise = Draws::new(seed, &format!("{label}, descent"));
        let w = descent::learn(
            &points,
            dimension,
            Loss::Hinge,
            to_f64_for_display(margin),
            concentrated(&integer(1))?,
            &mut noise,
        )?;
        let without = svm::learn(training.domain(), training.records(), margin);
        let of_peer = match self.peer {
            Some(peer) if dimension == DIMENSION_OF_PEER => {
                let parts: [&[Record]; 2] = [training.records(), test.records()];
                let errors = peer.errors(parts, (1.0, repetition as u64), one)?;
                Some([share(errors.test), share(errors.training)])
            }
            _ => None,
        };
        let [projected, not_projected] = efficient;
        Ok([
            of(model.halfspace)?,
            projected,
            not_projected,
            of(svm::integers(&w))?,
            of(without)?,
            of_peer,
        ])
    }
}

/// The row of a learner in one dimension, if it was run.
fn row(
    margin: &Rational,
    learner: &str,
    dimension: usize,
    number: usize,
    trials: &[Trial],
) -> Option<Vec<Cell>> {
    let errors: Vec<[f64; 2]> = trials.iter().filter_map(|trial| trial[number]).collect();
    if errors.is_empty() {
        return None;
    }
    let fresh: Vec<f64> = errors.iter().map(|[fresh, _]| *fresh).collect();
    let on_data: Vec<f64> = errors.iter().map(|[_, on_data]| *on_data).collect();
    let (mean, spread) = mean_and_spread(&fresh);
    let standard_error = spread.map(|spread| spread / (fresh.len() as f64).sqrt());
    Some(vec![
        margin.to_string().into(),
        learner.into(),
        dimension.into(),
        mean.into(),
        standard_error.into(),
        mean_and_spread(&on_data).0.into(),
    ])
}

fn chart(table: &Table, margin: &Rational) -> Chart {
    let margin = margin.to_string();
    let mut chart = Chart {
        title: format!("Error at margin {margin}, {RECORDS} records, epsilon 1"),
        x: "dimension",
        y: "error on fresh records",
        axes: [Axis::Logarithmic, Axis::Linear],
        lines: Vec::new(),
    };
    for row in &table.rows {
        let (Cell::Text(of), Cell::Text(learner)) = (&row[0], &row[1]) else {
            continue;
        };
        let [Some(dimension), Some(error)] = [&row[2], &row[3]].map(Cell::number) else {
            continue;
        };
        if *of == margin {
            let dashed = learner.ends_with("not private");
            chart.add(learner, dashed, (dimension, error));
        }
    }
    chart
}
