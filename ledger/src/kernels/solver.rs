//! The solver of (2): what its gap says, that it arrives, and that it is within its tolerance.

use super::plain::{CUBIC, LINEAR, Plain, Terms, image, labels};
use super::{grid, integers, record};
use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::geometry::{Domain, Point};
use dp_assay::kernels::{Dataset, Labels, Problem, Record};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::erm::{Erm, Loss, Matrix};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

fn losses() -> [Loss; 3] {
    [
        Loss::Hinge,
        Loss::Huber { width: ratio(1, 3) },
        Loss::Squared {
            largest_label: integer(1),
        },
    ]
}

/// A dataset of integer points with the labels of a loss.
fn dataset(domain: Domain, loss: &Loss, records: Vec<(Record, u64)>) -> Result<Dataset, Trouble> {
    let labels = if loss.of_classes() {
        Labels::Classes
    } else {
        Labels::Numbers {
            grid: grid(0)?,
            largest: 1,
        }
    };
    Ok(Dataset::of_labels(domain, labels, records)?)
}

/// What the solver is given of a dataset of integer points.
struct Given {
    products: Matrix,
    labels: Vec<i64>,
    counts: Vec<u64>,
    squared_bound: Rational,
}

impl Given {
    fn new(kernel: &Plain, data: &Dataset) -> Self {
        let whole = |value: &Rational| i64::try_from(value.to_integer()).unwrap_or(i64::MAX);
        let rows = kernel.gram(data);
        let rows = rows.iter().map(|row| row.iter().map(whole).collect());
        Self {
            products: Matrix {
                rows: rows.collect(),
                bits: 0,
            },
            labels: data
                .records()
                .iter()
                .map(|(record, _)| record.label)
                .collect(),
            counts: data.records().iter().map(|(_, count)| *count).collect(),
            squared_bound: kernel.squared_bound(data.domain().radius()),
        }
    }

    fn erm<'a>(&'a self, problem: &'a Problem) -> Result<Erm<'a, Matrix>, Trouble> {
        let labels = (self.labels.as_slice(), 0);
        Ok(Erm::new(
            &self.products,
            labels,
            &self.counts,
            problem.loss(),
            problem.penalty(),
            &self.squared_bound,
        )?)
    }
}

/// Weights in steps as rationals.
fn rationals(weights: &[i64], bits: u32) -> Vec<Rational> {
    let step = BigInt::one() << bits;
    weights
        .iter()
        .map(|a| Rational::new((*a).into(), step.clone()))
        .collect()
}

/// `lambda |w(a) - w*|^2 <= gap(a)` at random dual points, against exact minimisers.
pub fn gap(check: &mut Check) -> Result<(), Trouble> {
    let points = if check.quick() { 5 } else { 20 };
    check.exact(format_args!(
        "hinge, Huber and squared loss, kernel (x z + 1)^3, lambda 1/10, 1 and 8, two datasets of three and four records with \
         counts 1 to 4: {points} random dual points each; the hinge loss of one record, all points of a grid"
    ));
    let mut coins = ChaCha::reproducible(12, 0);
    let domain = integers(1, 2)?;
    let sets = [
        vec![
            (record(&[1], 1), 1),
            (record(&[-1], -1), 3),
            (record(&[2], 1), 1),
        ],
        vec![
            (record(&[0], 1), 2),
            (record(&[1], -1), 1),
            (record(&[2], 1), 4),
            (record(&[-1], -1), 1),
        ],
    ];
    const BITS: u32 = 20;
    for loss in losses() {
        for penalty in [ratio(1, 10), integer(1), integer(8)] {
            for set in &sets {
                let problem = Problem::new(loss.clone(), CUBIC.shipped(), penalty.clone())?;
                let data = dataset(domain, &loss, set.clone())?;
                let exact = CUBIC.minimiser(&data, &problem)?;
                let given = Given::new(&CUBIC, &data);
                let erm = given.erm(&problem)?;
                for _ in 0..points {
                    let mut weights = Vec::new();
                    for label in &given.labels {
                        let share = coins.uniform_below(&(1u32 << BITS).into())?;
                        let share = i64::try_from(BigInt::from(share)).unwrap_or(0);
                        // Hinge: from 0 to y. The others: between -1 and 1.
                        weights.push(match loss {
                            Loss::Hinge => label * share,
                            _ => 2 * share - (1 << BITS),
                        });
                    }
                    let w = image(&data, &penalty, &rationals(&weights, BITS));
                    let left = &penalty * CUBIC.squared_distance(&w, &exact);
                    let gap = erm.gap(&weights, BITS)?;
                    check.holds(left <= gap, format_args!("{problem:?}, {weights:?}"));
                }
            }
        }
    }
    // One record, K = lambda n: the gap at s is (1 - s)^2, and so is lambda |w - w*|^2.
    let data = dataset(integers(1, 1)?, &Loss::Hinge, vec![(record(&[1], 1), 1)])?;
    let problem = Problem::new(Loss::Hinge, LINEAR.shipped(), integer(1))?;
    let exact = LINEAR.minimiser(&data, &problem)?;
    let given = Given::new(&LINEAR, &data);
    let erm = given.erm(&problem)?;
    let mut worst = Rational::zero();
    for s in 0..8 {
        let w = image(&data, problem.penalty(), &rationals(&[s], 3));
        let left = LINEAR.squared_distance(&w, &exact);
        let gap = erm.gap(&[s], 3)?;
        check.holds(left <= gap, format_args!("one record, s = {s}/8"));
        worst = worst.max(left / gap);
    }
    check.attained("lambda |w - w*|^2 over the gap", &worst, &integer(1));
    Ok(())
}

/// Integer ascent from far away on all small datasets: it ends, with the gap that is promised.
pub fn arrives(check: &mut Check) -> Result<(), Trouble> {
    let size = if check.quick() { 2 } else { 3 };
    check.exact(format_args!(
        "hinge, Huber and squared loss, x z and (x z + 1)^3: all datasets of {size} records at -1, 1, 2 with counts 1 and 2, \
         lambda 1/10 and 3, from all weights at 0 and at an end, weights of 4 bits (16 for the squared loss); the hinge loss \
         of one record with lambda n = 1 and K = 1 to 40"
    ));
    let domain = integers(1, 2)?;
    let mut worst = Rational::zero();
    for data in all_sets(size) {
        for loss in losses() {
            for (kernel, penalty) in [
                (LINEAR, ratio(1, 10)),
                (CUBIC, ratio(1, 10)),
                (CUBIC, integer(3)),
            ] {
                let problem = Problem::new(loss.clone(), kernel.shipped(), penalty)?;
                let data = dataset(domain, &loss, data.clone())?;
                let given = Given::new(&kernel, &data);
                let erm = given.erm(&problem)?;
                for end in [0, 1] {
                    let start: Vec<i64> = given.labels.iter().map(|y| (end * y) << 4).collect();
                    let found = erm.ascend(start, 4, &Rational::zero())?;
                    let promised = erm.arrival(found.bits);
                    check.holds(found.gap <= promised, format_args!("{problem:?}, {data:?}"));
                    worst = worst.max(&found.gap / promised);
                }
            }
        }
    }
    check.figure(
        "largest gap, as a share of what is promised",
        dp_assay::number::rational::shortly(&worst),
    );
    let mut worst = Rational::zero();
    for k in 1..=40 {
        let products = Matrix {
            rows: vec![vec![k]],
            bits: 0,
        };
        let penalty = integer(1);
        let erm = Erm::new(
            &products,
            (&[1], 0),
            &[1],
            &Loss::Hinge,
            &penalty,
            &integer(k),
        )?;
        for start in [0, 16] {
            let found = erm.ascend(vec![start], 4, &Rational::zero())?;
            let promised = erm.arrival(4);
            check.holds(found.gap <= promised, format_args!("one record, K = {k}"));
            worst = worst.max(found.gap / promised);
        }
    }
    check.attained(
        "the gap of one record, as a share of what is promised",
        &worst,
        &integer(1),
    );
    check.certified("the logistic loss: the same datasets of two records, weights of 6 bits");
    let mut worst = Rational::zero();
    for data in all_sets(2) {
        for (kernel, penalty) in [(LINEAR, ratio(1, 10)), (CUBIC, integer(3))] {
            let problem = Problem::new(Loss::Logistic, kernel.shipped(), penalty)?;
            let data = dataset(domain, &Loss::Logistic, data.clone())?;
            let given = Given::new(&kernel, &data);
            let erm = given.erm(&problem)?;
            let found = erm.ascend(vec![0; given.labels.len()], 6, &Rational::zero())?;
            let promised = erm.arrival(6);
            check.holds(found.gap <= promised, format_args!("logistic: {data:?}"));
            worst = worst.max(&found.gap / promised);
        }
    }
    check.figure(
        "logistic: the largest gap, as a share of what is promised",
        dp_assay::number::rational::shortly(&worst),
    );
    Ok(())
}

/// All datasets of so many records at -1, 1 and 2, the first of them twice.
fn all_sets(size: u32) -> Vec<Vec<(Record, u64)>> {
    let records: Vec<Record> = [-1, 1, 2]
        .iter()
        .flat_map(|&x| [-1, 1].map(|y| record(&[x], y)))
        .collect();
    let mut all = vec![Vec::new()];
    for place in 0..size {
        let mut longer = Vec::new();
        for set in &all {
            for (number, record) in records.iter().enumerate() {
                // In ascending order: a dataset is a multiset.
                let last = set
                    .last()
                    .and_then(|(last, _)| records.iter().position(|r| r == last));
                if last.is_none_or(|last| last <= number) {
                    let mut set: Vec<(Record, u64)> = set.clone();
                    set.push((record.clone(), if place == 0 { 2 } else { 1 }));
                    longer.push(set);
                }
            }
        }
        all = longer;
    }
    all
}

/// The shipped solver against exact minimisers, and against a gap worked out from the definitions.
pub fn solver(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "hinge, Huber and squared loss, kernel (x z + 1)^3, lambda 1/100 and 1: six records with counts 1, 2 and 10^6, the \
         tolerance that privacy asks for",
    );
    let domain = integers(1, 2)?;
    let set = vec![
        (record(&[-2], -1), 1),
        (record(&[-1], 1), 2),
        (record(&[0], -1), 1_000_000),
        (record(&[1], 1), 1_000_000),
        (record(&[2], -1), 2),
        (record(&[2], 1), 1),
    ];
    for loss in losses() {
        for penalty in [ratio(1, 100), integer(1)] {
            let problem = Problem::new(loss.clone(), CUBIC.shipped(), penalty.clone())?;
            let data = dataset(domain, &loss, set.clone())?;
            let tolerance = problem.tolerance(domain, data.size())?;
            let given = Given::new(&CUBIC, &data);
            let found = given.erm(&problem)?.solve(&tolerance)?;
            let w = image(&data, &penalty, &rationals(&found.weights, found.bits));
            let exact = CUBIC.minimiser(&data, &problem)?;
            let squared = CUBIC.squared_distance(&w, &exact);
            check.holds(
                squared <= &tolerance / &penalty,
                format_args!("{problem:?}"),
            );
            check.holds(found.gap <= tolerance, format_args!("{problem:?}: the gap"));
        }
    }
    let size = match (check.quick(), check.thorough()) {
        (true, _) => 10,
        (_, true) => 300,
        _ => 20,
    };
    check.certified(format_args!(
        "hinge, Huber, squared and logistic loss, kernel <x,z> in three dimensions, lambda = 1/100: {size} random records, \
         some of them equal, by the gap from the definitions"
    ));
    let domain = integers(3, 8)?;
    let mut coins = ChaCha::reproducible(13, 0);
    let mut set = Vec::new();
    for _ in 0..size {
        let mut small = || -> Result<i32, Trouble> {
            let number = BigInt::from(coins.uniform_below(&9u32.into())?);
            Ok(i32::try_from(number).unwrap_or(0) - 4)
        };
        let x = [small()?, small()?, small()?];
        // A label that a plane tells for most.
        let noise = small()?;
        let label = if x[0] + x[1] + noise > 0 { 1 } else { -1 };
        set.push((record(&x, label), 1));
    }
    let all = losses().into_iter().chain([Loss::Logistic]);
    for loss in all {
        let problem = Problem::new(loss.clone(), LINEAR.shipped(), ratio(1, 100))?;
        let data = dataset(domain, &loss, set.clone())?;
        let tolerance = problem.tolerance(domain, data.size())?;
        let given = Given::new(&LINEAR, &data);
        let found = given.erm(&problem)?.solve(&tolerance)?;
        let a = rationals(&found.weights, found.bits);
        let gap = defined_gap(&data, &problem, &a)?;
        check.holds(
            gap <= tolerance,
            format_args!("{loss:?}: the gap from the definitions"),
        );
        // Both are rounded up, by less than 2^-64.
        let stated = &found.gap + Rational::new(BigInt::one(), BigInt::one() << 64);
        check.holds(
            gap <= stated,
            format_args!("{loss:?}: the gap that the solver states"),
        );
    }
    Ok(())
}

/// `P(w(a)) - D(a)` of the linear kernel from the definitions of the losses and their conjugates, rounded up.
fn defined_gap(data: &Dataset, problem: &Problem, a: &[Rational]) -> Result<Rational, Trouble> {
    const BITS: u32 = 192;
    let w: Terms = image(data, problem.penalty(), a);
    let mut direction = vec![Rational::zero(); data.domain().dimension()];
    for (x, mu) in &w {
        for &(i, v) in x.coordinates() {
            direction[i as usize] += mu * integer(v);
        }
    }
    let predict = |z: &Point| -> Rational {
        let terms = z.coordinates().iter();
        terms
            .map(|&(i, v)| &direction[i as usize] * integer(v))
            .sum()
    };
    let squared: Rational = direction.iter().map(|v| v * v).sum();
    let mut sum = Enclosure::integer(0, BITS);
    for (((record, count), y), a) in data.records().iter().zip(labels(data)).zip(a) {
        let f = predict(&record.point);
        let (r, t) = (&y - &f, &y * &f);
        let half = ratio(1, 2);
        // The loss, and its conjugate at -a.
        let value = match problem.loss() {
            Loss::Hinge => {
                let s = &y * a;
                let loss = (integer(1) - t).max(Rational::zero());
                Enclosure::of(&(loss - s), BITS)
            }
            Loss::Huber { width } => {
                let loss = if r.abs() <= *width {
                    &r * &r / (width * integer(2))
                } else {
                    r.abs() - width * &half
                };
                Enclosure::of(&(loss + width * a * a * &half - a * &y), BITS)
            }
            Loss::Squared { .. } => {
                Enclosure::of(&(&r * &r * &half + a * a * &half - a * &y), BITS)
            }
            _ => {
                let s = &y * a;
                let exp = Enclosure::exp_of(&-t, BITS)?;
                let mut value = exp.ln_1p()?;
                for part in [s.clone(), integer(1) - s] {
                    if part.is_positive() {
                        let part = Enclosure::of(&part, BITS);
                        value = &value + &(&part * &part.ln()?);
                    }
                }
                value
            }
        };
        sum = &sum + &(&value * &Enclosure::integer(*count, BITS));
    }
    let mean = sum.upper() / integer(data.size());
    // (lambda/2) |w|^2 in the risk, and again in the dual.
    Ok(mean + problem.penalty() * squared)
}
