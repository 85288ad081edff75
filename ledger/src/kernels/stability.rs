//! How far the minimiser of (2) moves with one record: (1), (2) and (3).

use super::plain::{CUBIC, LINEAR, Plain, Terms, image, terms};
use super::{grid, integers, record};
use crate::claim::{Check, Trouble};
use crate::common::compositions;
use dp_assay::geometry::{Domain, Point};
use dp_assay::kernels::{
    AnswerGrid, Dataset, KernelError, Labels, Predictor, Problem, Record, fit,
};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::optimise::erm::{Erm, Loss, Matrix};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

fn linear(kernel: &Plain, penalty: Rational) -> Result<Problem, KernelError> {
    Problem::new(Loss::Linear, kernel.shipped(), penalty)
}

fn hinge(kernel: &Plain, penalty: Rational) -> Result<Problem, KernelError> {
    Problem::new(Loss::Hinge, kernel.shipped(), penalty)
}

/// (1) with its `r(w) = |w|^2/2` has half the penalty of (2), and moves twice as far.
pub fn printed_regulariser(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "loss -y f, three and 10^6 records at 1 or at -1, linear and cubic kernel, one label substituted; the hinge loss, \
         three records, by exact minimisers",
    );
    let domain = integers(1, 1)?;
    let text = "(1) with r(w) = |w|^2/2 moves by twice 2 L R/(lambda n)";
    // (lambda/2) r(w) = (lambda/4) |w|^2 is (2) with lambda/2.
    for kernel in [LINEAR, CUBIC] {
        for n in [3u64, 1_000_000] {
            let all = Dataset::new(domain, [(record(&[1], 1), n)])?;
            let but_one = [(record(&[1], 1), n - 1), (record(&[1], -1), 1)];
            let neighbour = Dataset::new(domain, but_one)?;
            let moved = |problem: &Problem| -> Result<Rational, Trouble> {
                let (w, moved) = (fit(&all, problem)?, fit(&neighbour, problem)?);
                Ok(kernel.squared_distance(&terms(&w), &terms(&moved)))
            };
            let as_in_2 = linear(&kernel, integer(8))?;
            let as_in_1 = linear(&kernel, integer(4))?;
            // (2 L R/(lambda n))^2
            let bound = as_in_2.sensitivity(domain, n)?.squared_vectors();
            let (of_2, of_1) = (moved(&as_in_2)?, moved(&as_in_1)?);
            check.holds(of_2 == bound, format_args!("(2), n = {n}"));
            check.refutes(of_1 == &of_2 * integer(4), text);
        }
    }
    let (all, neighbour) = (three(1)?, three(-1)?);
    let moved = |penalty: i64| -> Result<Rational, Trouble> {
        let problem = hinge(&CUBIC, integer(penalty))?;
        let (w, moved) = (
            CUBIC.minimiser(&all, &problem)?,
            CUBIC.minimiser(&neighbour, &problem)?,
        );
        Ok(CUBIC.squared_distance(&w, &moved))
    };
    let (of_2, of_1) = (moved(16)?, moved(8)?);
    check.holds(of_2 == ratio(1, 72), "the hinge loss at lambda = 16");
    check.refutes(of_1 == &of_2 * integer(4), text);
    Ok(())
}

/// Records at 1, -1 and 1 with labels 1, -1 and this one.
fn three(label: i64) -> Result<Dataset, KernelError> {
    let records = [record(&[1], 1), record(&[-1], -1), record(&[1], label)];
    Dataset::new(integers(1, 1)?, records.map(|record| (record, 1)))
}

/// The minimiser is an expansion in the records, and its norm is at most `C`.
pub fn norm(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "hinge, Huber and squared loss, kernel (<x,z> + 1)^3, four datasets of two to four records with minimisers worked \
         out by hand for two losses; loss -y f",
    );
    for instance in instances()? {
        let data = &instance.data;
        let domain = data.domain();
        let problem = Problem::new(
            instance.loss.clone(),
            CUBIC.shipped(),
            instance.penalty.clone(),
        )?;
        let exact = CUBIC.minimiser(data, &problem)?;
        let name = format_args!("{:?} at lambda = {}", instance.loss, instance.penalty);
        let squared = CUBIC.squared_distance(&exact, &Vec::new());
        if let Some(by_hand) = &instance.squared_norm {
            check.holds(squared == *by_hand, format_args!("by hand: {name}"));
        }
        let bound = problem.norm_bound(domain)?;
        check.holds(squared <= &bound * &bound, format_args!("the norm: {name}"));
        let r2 = CUBIC.squared_bound(domain.radius());
        let slope = problem.loss().lipschitz(&r2, problem.penalty())?;
        let printed = integer(4) * &slope * &slope * r2 / (problem.penalty() * problem.penalty());
        check.holds(
            &bound * &bound <= printed,
            format_args!("the paper's bound: {name}"),
        );
        // The shipped solver is within r of the predictions.
        let shipped = fit(data, &problem)?;
        let within = problem.sensitivity(domain, data.size())?.solver;
        for (record, _) in data.records() {
            let z = &record.point;
            let off = (shipped.prediction(z) - CUBIC.prediction(&exact, z)).abs();
            check.holds(off <= within, format_args!("the solver: {name}"));
        }
    }
    let domain = integers(1, 2)?;
    let data = Dataset::new(domain, [(record(&[2], 1), 3)])?;
    let problem = linear(&LINEAR, ratio(1, 10))?;
    let norm = LINEAR.squared_distance(&terms(&fit(&data, &problem)?), &Vec::new());
    // L R/lambda = 20.
    check.holds(norm == integer(400), "loss -y f");
    let bound = problem.norm_bound(domain)?;
    check.attained("|w*|^2 of the loss -y f", &norm, &(&bound * &bound));
    Ok(())
}

struct Instance {
    data: Dataset,
    loss: Loss,
    penalty: Rational,
    squared_norm: Option<Rational>,
}

fn instances() -> Result<Vec<Instance>, Trouble> {
    type Points<'a> = (&'a [&'a [i32]], &'a [i64], u64);
    let points: [Points<'_>; 4] = [
        (&[&[1], &[-1]], &[1, -1], 1),
        (&[&[1], &[-1], &[1]], &[1, -1, -1], 1),
        (&[&[0], &[1], &[2], &[-1]], &[1, -1, 1, -1], 2),
        (&[&[1, 0], &[0, 1], &[-1, 0], &[1, 1]], &[1, -1, 1, -1], 2),
    ];
    let by_hand = [
        (0, Loss::Hinge, integer(1), ratio(1, 4)),
        (2, Loss::Hinge, ratio(1, 100), ratio(127, 27)),
        (2, Loss::Hinge, ratio(1, 8), ratio(86, 27)),
        (2, Loss::Hinge, integer(1), ratio(451, 1998)),
        (0, squared(), integer(1), ratio(4, 25)),
    ];
    let mut all = Vec::new();
    for (number, (points, labels, radius)) in points.iter().enumerate() {
        let domain = integers(points[0].len(), *radius)?;
        for loss in [Loss::Hinge, squared(), Loss::Huber { width: ratio(1, 3) }] {
            for penalty in [ratio(1, 100), ratio(1, 8), integer(1)] {
                let known = by_hand
                    .iter()
                    .find(|(which, of, at, _)| *which == number && *of == loss && *at == penalty);
                let kind = if loss.of_classes() {
                    Labels::Classes
                } else {
                    numbers(1)?
                };
                let records = points.iter().zip(*labels).map(|(x, y)| (record(x, *y), 1));
                all.push(Instance {
                    data: Dataset::of_labels(domain, kind, records)?,
                    loss: loss.clone(),
                    penalty,
                    squared_norm: known.map(|known| known.3.clone()),
                });
            }
        }
    }
    Ok(all)
}

fn squared() -> Loss {
    Loss::Squared {
        largest_label: integer(1),
    }
}

/// Integers of magnitude at most `largest` as labels.
fn numbers(largest: u64) -> Result<Labels, KernelError> {
    let grid = grid(0)?;
    Ok(Labels::Numbers { grid, largest })
}

/// "L-Lipschitz in the first parameter", which is `w`: with that constant (3) is too small by a factor `R < 1`.
pub fn lipschitz(check: &mut Check) -> Result<(), Trouble> {
    check.exact("loss -4 y f, points of norm 1/4: 1-Lipschitz in w, 4-Lipschitz in the prediction; three and 1000 records");
    let domain = Domain::new(grid(2)?, 1, 1)?;
    let slope = integer(4);
    for n in [3u64, 1000] {
        let all = Dataset::new(domain, [(record(&[1], 1), n)])?;
        let but_one = [(record(&[1], 1), n - 1), (record(&[1], -1), 1)];
        let neighbour = Dataset::new(domain, but_one)?;
        // The risk of -4 y f at lambda = 2 is four times that of -y f at lambda = 1/2.
        let penalty = integer(2);
        let problem = linear(&LINEAR, &penalty / &slope)?;
        let query = Point::dense(&[1]);
        let moved =
            fit(&all, &problem)?.prediction(&query) - fit(&neighbour, &problem)?.prediction(&query);
        let promised =
            |lipschitz: &Rational| integer(2) * lipschitz * ratio(1, 16) / (&penalty * integer(n));
        let text = "2 L R^2/(lambda n) with L the constant in w is exceeded by the factor 1/R";
        check.refutes(moved == promised(&integer(1)) * integer(4), text);
        check.holds(
            moved == promised(&slope),
            "L the constant in the prediction",
        );
    }
    check.figure(
        "read as the constant in the prediction",
        "holds, with equality",
    );
    Ok(())
}

/// (3), and what it says of predictions: all neighbours of small families, and one pair of a million records.
pub fn sensitivity(check: &mut Check) -> Result<(), Trouble> {
    let line: Vec<Record> = [-2, 1]
        .iter()
        .flat_map(|&x| [record(&[x], -1), record(&[x], 1)])
        .collect();
    let plane = vec![
        record(&[1, 0], 1),
        record(&[0, 1], -1),
        record(&[1, 1], 1),
        record(&[1, 1], -1),
    ];
    let most = if check.quick() { 2 } else { 3 };
    check.exact(format_args!(
        "exact minimisers of the loss -y f, hinge, Huber and squared loss, linear and cubic kernel, lambda 1/10 and 3; all \
         datasets of one to {most} records of two families, all neighbours, predictions at all points of the grid"
    ));
    let losses = [
        Loss::Linear,
        Loss::Hinge,
        Loss::Huber { width: ratio(1, 3) },
        squared(),
    ];
    for kernel in [LINEAR, CUBIC] {
        for (domain, records) in [(integers(1, 2)?, &line), (integers(2, 2)?, &plane)] {
            for loss in &losses {
                for penalty in [ratio(1, 10), integer(3)] {
                    let problem = Problem::new(loss.clone(), kernel.shipped(), penalty)?;
                    for n in 1..=most {
                        family(check, &kernel, &problem, (domain, records), n)?;
                    }
                }
            }
        }
    }
    check.exact("hinge loss, kernel (x z + 1)^3, records at 1, -1, 1, lambda = 8, a label substituted; loss -y f, 10^6 records");
    let problem = hinge(&CUBIC, integer(8))?;
    let (w, v) = (
        CUBIC.minimiser(&three(1)?, &problem)?,
        CUBIC.minimiser(&three(-1)?, &problem)?,
    );
    let stated = problem.sensitivity(integers(1, 1)?, 3)?;
    check.holds(stated.exact == ratio(2, 3), "S = 2 L R^2/(lambda n)");
    let squared_distance = CUBIC.squared_distance(&w, &v);
    let promised = &stated.exact * &stated.exact / &stated.squared_bound;
    check.attained("|w - w'|^2 of the hinge loss", &squared_distance, &promised);
    let domain = Domain::new(grid(2)?, 1, 3)?;
    let problem = linear(&LINEAR, ratio(1, 100))?;
    let n = 1_000_000;
    let all = Dataset::new(domain, [(record(&[3], 1), n)])?;
    let other = [(record(&[3], -1), 1), (record(&[3], 1), n - 1)];
    let other = Dataset::new(domain, other)?;
    let query = Point::dense(&[3]);
    let moved = fit(&all, &problem)?.prediction(&query) - fit(&other, &problem)?.prediction(&query);
    // 2 L R^2/(lambda n) with R = 3/4.
    let promised = integer(2) * ratio(9, 16) * integer(100) / integer(n);
    let stated = problem.sensitivity(domain, n)?.predictions();
    check.holds(stated == promised, "S of a million records");
    check.attained("S at n = 10^6", &moved.abs(), &promised);
    super::edges::outside(check)
}

/// The moves over all datasets of `n` of these records and all their neighbours, by exact minimisers.
fn family(
    check: &mut Check,
    kernel: &Plain,
    problem: &Problem,
    family: (Domain, &[Record]),
    n: u64,
) -> Result<(), Trouble> {
    let (domain, records) = family;
    let r2 = kernel.squared_bound(domain.radius());
    let slope = problem.loss().lipschitz(&r2, problem.penalty())?;
    // 2 L/(lambda n)
    let distance = integer(2) * slope / (problem.penalty() * integer(n));
    let (vectors, predictions) = (&distance * &distance * &r2, distance * r2);
    let stated = problem.sensitivity(domain, n)?;
    check.holds(
        stated.exact == predictions,
        format_args!("the stated S, n = {n}"),
    );
    let labels = match problem.loss().of_classes() {
        true => Labels::Classes,
        false => numbers(1)?,
    };
    let points = queries(domain);
    let pairs = Pairs::new((domain, labels), records, n, |data| {
        let w = kernel.minimiser(data, problem)?;
        let predictions = points.iter().map(|z| kernel.prediction(&w, z)).collect();
        Ok((w, predictions))
    })?;
    pairs.each(|data, (w, here): &(Terms, Vec<Rational>), (v, there)| {
        let within = kernel.squared_distance(w, v) <= vectors;
        check.holds(within, format_args!("{problem:?}, {data:?}: the vector"));
        for ((z, f), g) in points.iter().zip(here).zip(there) {
            let within = (f - g).abs() <= predictions;
            check.holds(within, format_args!("{problem:?}, {data:?}, at {z:?}"));
        }
    });
    Ok(())
}

/// All datasets of `n` of some records, with what was found of each, and which are neighbours.
struct Pairs<T> {
    found: Vec<(Dataset, T)>,
    neighbours: Vec<(usize, usize)>,
}

impl<T> Pairs<T> {
    fn new(
        space: (Domain, Labels),
        records: &[Record],
        n: u64,
        find: impl Fn(&Dataset) -> Result<T, Trouble>,
    ) -> Result<Self, Trouble> {
        let (domain, labels) = space;
        let mut found: Vec<(Dataset, T)> = Vec::new();
        for counts in compositions(records.len(), n as usize) {
            let counts = counts.into_iter().map(|count| count as u64);
            let data = records.iter().cloned().zip(counts);
            let data = data.filter(|(_, count)| *count > 0).collect::<Vec<_>>();
            let data = Dataset::of_labels(domain, labels, data)?;
            let value = find(&data)?;
            found.push((data, value));
        }
        let mut neighbours = Vec::new();
        for (j, (other, _)) in found.iter().enumerate() {
            for (i, (data, _)) in found.iter().enumerate().take(j) {
                // How many records of the one are not in the other.
                let count = |record: &Record| {
                    let same = other.records().iter().find(|(r, _)| r == record);
                    same.map_or(0, |(_, count)| *count)
                };
                let differ = data
                    .records()
                    .iter()
                    .map(|(r, m)| m.saturating_sub(count(r)));
                if differ.sum::<u64>() == 1 {
                    neighbours.push((i, j));
                }
            }
        }
        Ok(Self { found, neighbours })
    }

    /// Each pair of neighbours once.
    fn each(&self, mut see: impl FnMut(&Dataset, &T, &T)) {
        for &(i, j) in &self.neighbours {
            see(&self.found[i].0, &self.found[i].1, &self.found[j].1);
        }
    }
}

/// The points of a domain whose grid has a step of 1, in one or two dimensions.
fn queries(domain: Domain) -> Vec<Point> {
    let radius = domain.radius() as i32;
    let line = || -radius..=radius;
    let all: Vec<Point> = match domain.dimension() {
        1 => line().map(|x| Point::dense(&[x])).collect(),
        _ => line()
            .flat_map(|x| line().map(move |y| Point::dense(&[x, y])))
            .collect(),
    };
    all.into_iter()
        .filter(|z| domain.check(z).is_ok())
        .collect()
}

/// Whatever the solver does within its tolerance, steps of neighbours differ by at most `t`.
pub fn steps(check: &mut Check) -> Result<(), Trouble> {
    super::edges::evaluation(check)?;
    check.exact(
        "hinge loss, one and two records at 1 and -1, x z and (x z + 1)^3, lambda = R^2 and 2 R^2, share 0 and 2: all dual \
         points on a grid that are within the tolerance, all neighbours, t = 1 and 16",
    );
    let domain = integers(1, 1)?;
    let records = [record(&[1], 1), record(&[1], -1), record(&[-1], 1)];
    let query = Point::dense(&[1]);
    let mut worst = Rational::zero();
    for kernel in [LINEAR, CUBIC] {
        for factor in [1, 2] {
            let penalty = kernel.squared_bound(1) * integer(factor);
            for share in [0, 2] {
                let problem = hinge(&kernel, penalty.clone())?.with_share(share)?;
                for n in [1, 2] {
                    let stated = problem.sensitivity(domain, n)?;
                    // The gap that is asked for is lambda (r/R)^2, with r = S/2^share.
                    let r = &stated.exact / integer(1u64 << share);
                    let gap = problem.tolerance(domain, n)? * &stated.squared_bound;
                    let name = format_args!("{problem:?}, n = {n}: the tolerance");
                    check.holds(gap == &penalty * &r * &r, name);
                    let grids = [AnswerGrid::new(&stated, 1)?, AnswerGrid::new(&stated, 16)?];
                    let space = (domain, Labels::Classes);
                    let pairs = Pairs::new(space, &records, n, |data| {
                        within(&kernel, &problem, data, &query)
                    })?;
                    pairs.each(|data, one, other| {
                        for (low, high) in [(&one.0, &other.1), (&other.0, &one.1)] {
                            let name = format_args!("{problem:?}, {data:?}");
                            let moved = high - low;
                            check.holds(moved <= stated.predictions(), name);
                            // A prediction moves by at most R times what the vector does.
                            let vectors = stated.squared_vectors() * &stated.squared_bound;
                            check.holds(&moved * &moved <= vectors, name);
                            worst = worst.clone().max(moved / &stated.exact);
                            for grid in &grids {
                                let steps = grid.round(high) - grid.round(low);
                                check.holds(steps <= BigInt::from(grid.per_sensitivity()), name);
                            }
                        }
                    });
                }
            }
        }
    }
    check.holds(
        worst > integer(1),
        "some solver within its tolerance moves a prediction by more than S",
    );
    check.figure(
        "largest move of a prediction, in S",
        dp_assay::number::rational::shortly(&worst),
    );
    many_records(check)
}

/// With many records `r` is what integers attain, and no longer a share of `S`.
fn many_records(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "hinge loss, x z with values off by 2^-48, lambda = 2, from 10^7 to 2^40 records at one point: r by its formula, \
         two neighbours, beside the minimisers by hand",
    );
    let domain = Domain::new(grid(30)?, 1, 1 << 30)?;
    let point = Point::dense(&[1 << 30]);
    let problem = hinge(&LINEAR, integer(2))?;
    for n in [10_000_000u64, 1_000_000_000, 1 << 40] {
        let stated = problem.sensitivity(domain, n)?;
        // g = (h W/2)(d + R^2/lambda) + 2 L eta with h = 2^-61, W = R = L = 1, d = 0, eta = 2^-49; r = R sqrt(2 g/lambda).
        let gap = ratio(1, 1 << 61) / integer(4) + ratio(1, 1 << 48);
        let squared = &stated.solver * &stated.solver;
        check.holds(
            squared >= gap && squared <= &gap * (integer(1) + ratio(1, 1 << 40)),
            format_args!("n = {n}: r^2 = 2 g R^2/lambda"),
        );
        check.holds(
            problem.tolerance(domain, n)? == squared * integer(2),
            format_args!("n = {n}: the tolerance"),
        );
        check.holds(
            stated.solver > &stated.exact / integer(32),
            format_args!("n = {n}: r is more than S/2^share"),
        );
        let predicted = |positive: u64| -> Result<(Rational, Rational), Trouble> {
            let of = |label, count| {
                (
                    Record {
                        point: point.clone(),
                        label,
                    },
                    count,
                )
            };
            let data = Dataset::new(domain, [of(1, positive), of(-1, n - positive)])?;
            // The majority over lambda: 0 is in the subdifferential, since |f| < 1.
            let minimum = (integer(2 * positive) - integer(n)) / (integer(n) * integer(2));
            Ok((fit(&data, &problem)?.prediction(&point), minimum))
        };
        let positive = n / 2 + n / 7;
        let (one, other) = (predicted(positive)?, predicted(positive - 1)?);
        for (found, minimum) in [&one, &other] {
            check.holds(
                (found - minimum).abs() <= &stated.solver + &stated.evaluation,
                format_args!("n = {n}: beside the minimiser"),
            );
        }
        check.holds(
            (&one.0 - &other.0).abs() <= stated.predictions(),
            format_args!("n = {n}: neighbours"),
        );
    }
    Ok(())
}

/// The least and the largest prediction of images of dual points whose gap is within the problem's tolerance.
fn within(
    kernel: &Plain,
    problem: &Problem,
    data: &Dataset,
    query: &Point,
) -> Result<(Rational, Rational), Trouble> {
    const GRID: u32 = 4;
    let tolerance = problem.tolerance(data.domain(), data.size())?;
    let gram = kernel.gram(data);
    let rows = gram.iter().map(|row| row.iter().map(whole).collect());
    let products = Matrix {
        rows: rows.collect(),
        bits: 0,
    };
    let labels: Vec<i64> = data
        .records()
        .iter()
        .map(|(record, _)| record.label)
        .collect();
    let counts: Vec<u64> = data.records().iter().map(|(_, count)| *count).collect();
    let r2 = kernel.squared_bound(data.domain().radius());
    let erm = Erm::new(
        &products,
        (&labels, 0),
        &counts,
        problem.loss(),
        problem.penalty(),
        &r2,
    )?;
    let mut found: Vec<Rational> = Vec::new();
    let places = (1i64 << GRID) + 1;
    for number in 0..places.pow(labels.len() as u32) {
        let share = |i: usize| number / places.pow(i as u32) % places;
        let weights: Vec<i64> = labels
            .iter()
            .enumerate()
            .map(|(i, y)| y * share(i))
            .collect();
        if erm.gap(&weights, GRID)? <= tolerance {
            let a: Vec<Rational> = weights.iter().map(|a| ratio(*a, 1 << GRID)).collect();
            let w: Terms = image(data, problem.penalty(), &a);
            found.push(kernel.prediction(&w, query));
        }
    }
    let least = found.iter().min().cloned().unwrap_or_else(Rational::zero);
    let most = found.iter().max().cloned().unwrap_or_else(Rational::zero);
    Ok((least, most))
}

/// An integer of small magnitude.
fn whole(value: &Rational) -> i64 {
    i64::try_from(value.to_integer()).unwrap_or(i64::MAX)
}

/// A bias that is not regularised moves by 2, whatever `n` and `lambda` are; a regularised one within S.
pub fn bias(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "hinge loss, all points at 0, n = 5, 51, 501: the least majority of labels changes sides",
    );
    for n in [5u64, 51, 501] {
        let majority = n / 2 + 1;
        // The mean of max(0, 1 - y b) is linear between its kinks at -1 and 1, and rises outside of them.
        let risk = |positive: u64, b: i64| {
            positive as i64 * (1 - b).max(0) + (n - positive) as i64 * (1 + b).max(0)
        };
        let best = |positive: u64| (-2..=2).min_by_key(|b| risk(positive, *b)).unwrap_or(0);
        let unique = |positive: u64| {
            let least = risk(positive, best(positive));
            (-2..=2).filter(|b| risk(positive, *b) == least).count() == 1
        };
        check.holds(
            unique(majority) && unique(n - majority),
            "the bias is unique",
        );
        let moved = best(majority) - best(majority - 1);
        let text = "a bias that is not regularised moves by 2 with one of 5, 51 or 501 labels, for every lambda";
        check.refutes(moved == 2, text);
        // A constant feature of (x z + 1)^1 is a bias that is regularised.
        let domain = integers(1, 1)?;
        let kernel = Plain {
            degree: 1,
            offset: 1,
        };
        let of = |positive: u64| {
            Dataset::new(
                domain,
                [
                    (record(&[0], 1), positive),
                    (record(&[0], -1), n - positive),
                ],
            )
        };
        let (one, other) = (of(majority)?, of(majority - 1)?);
        let problem = hinge(&kernel, integer(10))?;
        let query = Point::dense(&[0]);
        let by =
            fit(&one, &problem)?.prediction(&query) - fit(&other, &problem)?.prediction(&query);
        let stated = problem.sensitivity(domain, n)?.predictions();
        check.holds(
            by.abs() <= stated,
            format_args!("a regularised constant feature, n = {n}"),
        );
    }
    check.figure("read without a bias, as (2) stands", "holds: jt13.eq3");
    Ok(())
}

/// Linear regression with labels that have no bound.
pub fn squared_loss(check: &mut Check) -> Result<(), Trouble> {
    check.exact("squared loss, K = 1, two records, lambda = 1, labels 0, 0 and 0, M for M = 4^k, k up to 10");
    let domain = integers(1, 1)?;
    let point = Point::dense(&[1]);
    for k in 0..=10u32 {
        let largest = 4u64.pow(k);
        let of = |label: i64| {
            let records = [(record(&[1], 0), 1), (record(&[1], label), 1)];
            Dataset::of_labels(domain, numbers(largest)?, records)
        };
        let loss = Loss::Squared {
            largest_label: integer(largest),
        };
        let problem = Problem::new(loss, LINEAR.shipped(), integer(1))?;
        let (w, v) = (
            LINEAR.minimiser(&of(0)?, &problem)?,
            LINEAR.minimiser(&of(largest as i64)?, &problem)?,
        );
        let moved = LINEAR.prediction(&v, &point) - LINEAR.prediction(&w, &point);
        check.refutes(
            moved == ratio(largest as i64, 4),
            "labels 0, 0 and 0, M: the minimiser of the squared loss moves by M/4",
        );
    }
    check.figure(
        "read with labels of magnitude at most Y",
        "holds with L = Y(1 + R/sqrt(lambda)): jt13.eq3.squared.corrected",
    );
    Ok(())
}

/// The squared loss with clipped labels.
pub fn clipped_labels(check: &mut Check) -> Result<(), Trouble> {
    let most = if check.quick() { 1 } else { 2 };
    check.exact(format_args!(
        "squared loss, K = x z and (x z + 1)^3, labels -1, 0, 1, up to {most} records at -1 and 1, lambda 1/100, 1, 100: the \
         minimiser with clipped residuals against the solution of the normal equations; all neighbours"
    ));
    let domain = integers(1, 1)?;
    let records: Vec<Record> = [-1, 1]
        .iter()
        .flat_map(|&x| [-1, 0, 1].map(|y| record(&[x], y)))
        .collect();
    let mut worst = Rational::zero();
    for kernel in [LINEAR, CUBIC] {
        for penalty in [ratio(1, 100), integer(1), integer(100)] {
            let problem = Problem::new(squared(), kernel.shipped(), penalty.clone())?;
            for n in 1..=most {
                let stated = problem.sensitivity(domain, n)?;
                let points = queries(domain);
                let pairs = Pairs::new((domain, numbers(1)?), &records, n, |data| {
                    // lambda w = (1/n) sum of (y_i - f_i) phi_i, which only the ridge solution satisfies.
                    let w = kernel.minimiser(data, &problem)?;
                    let residual = |(record, _): &(Record, u64)| {
                        integer(record.label) - kernel.prediction(&w, &record.point)
                    };
                    let residuals: Vec<Rational> = data.records().iter().map(residual).collect();
                    let ridge = image(data, &penalty, &residuals);
                    let same = kernel.squared_distance(&w, &ridge).is_zero();
                    let shipped = fit(data, &problem)?;
                    let predictions = points.iter().map(|z| shipped.prediction(z));
                    Ok((same, predictions.collect::<Vec<Rational>>()))
                })?;
                for (data, (same, _)) in &pairs.found {
                    check.holds(*same, format_args!("the normal equations: {data:?}"));
                }
                pairs.each(|data, (_, here), (_, there)| {
                    for (f, g) in here.iter().zip(there) {
                        let by = (f - g).abs();
                        check.holds(by <= stated.predictions(), format_args!("{data:?}"));
                        worst = worst.clone().max(by / stated.predictions());
                    }
                });
            }
        }
    }
    // A residual above Y: labels 1, 1 and -1 at one point.
    let mixed = [(record(&[1], 1), 2), (record(&[1], -1), 1)];
    let mixed = Dataset::of_labels(domain, numbers(1)?, mixed)?;
    let problem = Problem::new(squared(), LINEAR.shipped(), ratio(1, 100))?;
    let w = LINEAR.minimiser(&mixed, &problem)?;
    // (1/3) (1 + 1 - 1 - 3 f) = f/100
    let f = LINEAR.prediction(&w, &Point::dense(&[1]));
    check.holds(f == ratio(100, 303), "labels 1, 1 and -1 at one point");
    // A label beyond Y is clipped, record by record.
    let far = Dataset::of_labels(domain, numbers(1)?, [(record(&[1], 1000), 1)])?;
    let near = Dataset::of_labels(domain, numbers(1)?, [(record(&[1], 1), 1)])?;
    let problem = Problem::new(squared(), LINEAR.shipped(), integer(1))?;
    check.holds(
        fit(&far, &problem)? == fit(&near, &problem)?,
        "a label of 1000 is clipped to 1",
    );
    check.figure(
        "largest move of a prediction, in S'",
        dp_assay::number::rational::shortly(&worst),
    );
    Ok(())
}
