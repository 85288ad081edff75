//! What is out of range and what fails; and what the learners' parameters, plans and draws are, beside the theorems they are named after.

use super::{BITS, record};
use crate::budgets::{self, budget};
use crate::claim::{Check, Trouble};
use crate::failing;
use dp_assay::coins::{ChaCha, Coins, CoinsError, Law};
use dp_assay::geometry::{Record, ShiftInvariantKernel};
use dp_assay::margin::bounds::PureRun;
use dp_assay::margin::efficient::EfficientParameters;
use dp_assay::margin::erm::{Accounting, ErmPlan, solve};
use dp_assay::margin::feed_forward::Shape;
use dp_assay::margin::gibbs::{self, Candidates, PRIOR_VARIANCE};
use dp_assay::margin::kernel::{Features, KernelParameters};
use dp_assay::margin::map::Map;
use dp_assay::margin::network::{self, NetworkParameters, Networks};
use dp_assay::margin::pure::{self, PureParameters};
use dp_assay::margin::{Dataset, Domain, Margin, MarginError, labels};
use dp_assay::number::chosen::overridden;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Grid, Rational, grid};
use dp_assay::privacy::release;
use dp_assay::sample::{DiscreteGaussian, WithReplacement};
use num_bigint::BigInt;
use num_traits::One;
use std::cell::RefCell;

fn of(value: &Rational) -> Enclosure {
    Enclosure::of(value, BITS)
}

/// The least `k` with `2^k >= x`.
fn log2_above(x: &Rational) -> u32 {
    (0..64).find(|&k| integer(1u64 << k) >= *x).unwrap_or(64)
}

/// Records on the ball and one step beyond it. For `bms22.gibbs.bound`.
pub(super) fn outside(check: &mut Check) -> Result<(), Trouble> {
    check.exact("records on the sphere of radius 5 and inside are taken; those whose norm is above it are refused, though each coordinate may be within; other dimensions, and no records");
    let domain = Domain::new(Grid::new(0)?, 3, 5)?;
    for x in [[5, 0, 0], [0, -3, 4], [-4, 0, -3], [0, 0, 0], [1, 2, 4]] {
        let taken = Dataset::new(domain, vec![record(&x, true)]).is_ok();
        check.holds(taken, format_args!("{x:?} is in the ball"));
    }
    for x in [
        [5, 0, 1],
        [5, 5, 5],
        [3, -4, 1],
        [-4, 4, 0],
        [6, 0, 0],
        [0, 0, i64::MIN],
        [i64::MAX, 0, 0],
    ] {
        let found = Dataset::new(domain, vec![record(&[0, 0, 1], true), record(&x, false)]);
        let refused = found == Err(MarginError::OutsideTheBall { record: 1 });
        check.holds(refused, format_args!("{x:?} is not in the ball"));
    }
    for x in [&[5, 0][..], &[0, 0, 0, 0]] {
        let found = Dataset::new(domain, vec![record(x, true)]);
        check.holds(
            matches!(found, Err(MarginError::Length { .. })),
            format_args!("{} coordinates", x.len()),
        );
    }
    check.holds(Dataset::new(domain, Vec::new()).is_err(), "no records");
    Ok(())
}

/// Coins that note which laws are drawn, by their labels.
struct Noting<'a> {
    coins: ChaCha,
    laws: &'a RefCell<Vec<String>>,
}

impl Coins for Noting<'_> {
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        self.coins.bits(count)
    }

    fn consumed(&self) -> u64 {
        self.coins.consumed()
    }

    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        self.laws.borrow_mut().push(law.label());
        law.sample(&mut self.coins)
    }
}

/// Candidates are drawn from the prior of the bound. For `bms22.gibbs.bound` and `bms22.gibbs.prior`.
pub(super) fn candidates(check: &mut Check) -> Result<(), Trouble> {
    check.exact("300 candidates of 30 coordinates by seeds 1 to 3: the law of each coordinate, and the mean square and the mean fourth power of all, which are within 6 and 12 percent of v and 3 v^2");
    let prior = DiscreteGaussian::new(integer(PRIOR_VARIANCE))?.label();
    for seed in 1..=3 {
        let laws = RefCell::new(Vec::new());
        let mut coins = Noting {
            coins: ChaCha::reproducible(seed, 0),
            laws: &laws,
        };
        let (count, dimension) = (300, 30);
        let found = Candidates::draw(count, dimension, &mut coins)?;
        let laws = laws.into_inner();
        let coordinates = count * dimension;
        check.holds(
            laws.iter().filter(|label| label.contains(&prior)).count() == coordinates,
            format_args!(
                "seed {seed}: {} draws, the first of {:?}",
                laws.len(),
                laws.first()
            ),
        );
        check.holds(
            found.count() == count
                && found.dimension() == dimension
                && found == Candidates::from_seed(seed, count, dimension)?,
            format_args!("seed {seed}: drawn again from the seed"),
        );
        let mean = |power: u32| {
            let sum: BigInt = found
                .iter()
                .flatten()
                .map(|w| BigInt::from(*w).pow(power))
                .sum();
            integer(sum) / integer(coordinates as u64)
        };
        let v = integer(PRIOR_VARIANCE);
        for (power, expected, percent) in [(2, v.clone(), 6), (4, integer(3) * &v * &v, 12)] {
            let found = mean(power) / expected;
            let near = ratio(100 - percent, 100) < found && found < ratio(100 + percent, 100);
            check.holds(
                near,
                format_args!("seed {seed}: the mean power {power} is {found} of what is stated"),
            );
        }
    }
    Ok(())
}

/// The parameters of Algorithm 3 are those of its theorem. For `bms22.thm4_2.corrected`, `bms22.thm4_2.bound`.
pub(super) fn kernel_parameters(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "Algorithm 3 for m = 11 and 70 records, beta = 1/3 and 1/29, Lambda = 3/2, rho = 5/7: ceil(4 m ln(8 m/beta)) frequencies, Algorithm 2 at norm 2 Lambda, \
         radius 1 and beta/2, its rounds for a third of that; a plan's run is judged at beta/2; monomials at Lambda and beta",
    );
    let domain = Domain::unit_ball(Grid::new(6)?, 2)?;
    for m in [11usize, 70] {
        for beta in [ratio(1, 3), ratio(1, 29)] {
            let (norm, rho) = (ratio(3, 2), ratio(5, 7));
            let name = format!("m = {m}, beta = {beta}");
            let budget = budget("1", "1e-6")?;
            let kernel = ShiftInvariantKernel::Gaussian {
                variance: integer(2),
            };
            let parameters = KernelParameters::fourier(
                kernel,
                &beta,
                budget.clone(),
                (norm.clone(), rho.clone()),
                Accounting::Mixture,
                m,
            )?;
            let log = of(&(integer(8 * m as u64) / &beta)).ln()?;
            let needed = (log * Enclosure::integer(4 * m as u64, BITS)).hi().ceil();
            let Features::Fourier { frequencies, .. } = &parameters.features else {
                check.holds(false, format_args!("{name}: frequencies"));
                continue;
            };
            let count = frequencies.value;
            check.holds(
                BigInt::from(count) == needed,
                format_args!("{name}: {count} frequencies, {needed} by the formula"),
            );
            let margin = &parameters.learner.margin;
            check.holds(
                *margin.norm() == &norm * integer(2)
                    && *margin.radius() == integer(1)
                    && *margin.rho() == rho,
                format_args!("{name}: the margin of Algorithm 2"),
            );
            // Some round is good but for beta/12: log2(12/beta), of beta/2/3/2.
            let rounds = log2_above(&(integer(12) / &beta));
            check.holds(
                parameters.learner.rounds.value == rounds,
                format_args!("{name}: {} rounds", parameters.learner.rounds.value),
            );
            let run = parameters.plan(domain, m)?.run(&beta);
            check.holds(
                run.learner.beta == &beta / integer(2)
                    && run.learner.ratio == integer(2) * &norm / &rho
                    && run.frequencies == Some(count as u64)
                    && run.features == 2 * count as u64,
                format_args!("{name}: what is public of a run"),
            );
            let (polynomial, rounds) = (
                KernelParameters::polynomial(
                    (2, 64),
                    &beta,
                    budget,
                    (norm.clone(), rho.clone()),
                    Accounting::Mixture,
                    (m, domain),
                )?,
                log2_above(&(integer(6) / &beta)),
            );
            let run = polynomial.plan(domain, m)?.run(&beta);
            check.holds(
                run.learner.beta == beta
                    && run.frequencies.is_none()
                    && *polynomial.learner.margin.norm() == norm
                    && polynomial.learner.rounds.value == rounds,
                format_args!("{name}: monomials"),
            );
        }
    }
    Ok(())
}

/// The parameters of Algorithm 1 are those of the smallest cover at `q = Lambda r/rho`. For `bms22.thm3_1`.
pub(super) fn pure_parameters(check: &mut Check) -> Result<(), Trouble> {
    check.exact("Algorithm 1 for Lambda = 3, r = 5/2, rho = 7/4, and for Lambda = 1, r = 2, rho = 1/3, in 2, 60 and 10^5 dimensions: rows and radius of the smallest cover at q = Lambda r/rho");
    for (norm, radius, rho) in [
        (integer(3), ratio(5, 2), ratio(7, 4)),
        (integer(1), integer(2), ratio(1, 3)),
    ] {
        let margin = Margin::new(norm.clone(), radius.clone(), rho.clone())?;
        let q = norm * radius / rho;
        check.holds(margin.ratio() == q, "q");
        for d in [2u64, 60, 100_000] {
            let (beta, epsilon) = (ratio(1, 13), ratio(3, 7));
            let run = PureRun {
                records: 101,
                dimension: d,
                epsilon: epsilon.clone(),
                beta: beta.clone(),
                ratio: q.clone(),
            };
            let best = run.best()?;
            let found = PureParameters::from_theorem(&beta, &epsilon, &margin, (101, d))?;
            check.holds(
                found.rows(d as usize).map(|k| k as u64) == best.rows
                    && *found.radius() == best.radius
                    && *found.epsilon() == epsilon,
                format_args!("q = {q}, d = {d}: {found:?}, {best:?}"),
            );
            // Whatever is spent on the projection, what is left of the margin covers: radius <= (1 - c)/(q + c).
            let left = (integer(1) - &best.part) / (&q + &best.part);
            check.holds(
                *found.radius() <= left,
                format_args!("q = {q}, d = {d}: the margin is not overspent"),
            );
        }
    }
    Ok(())
}

/// The noise of each phase is nu times what a use moves, and no less. For the accountings of Algorithm 4.
pub(super) fn noise_of_phases(check: &mut Check, accounting: Accounting) -> Result<(), Trouble> {
    check.exact("plans for 5 to 40 records in 1 and 3 dimensions, radius 3 and 1000, q = 1 and 17/3: the variance of each phase's noise is at least (nu D)^2, and by less than 1 above it; what a run says of itself");
    for m in [5usize, 9, 40] {
        for (k, radius) in [(1, 3), (3, 1000), (3, 7)] {
            for q in [integer(1), ratio(17, 3)] {
                let epsilon = ratio(7, 3);
                let plan = ErmPlan::new(
                    (m, k, radius),
                    &q,
                    &budgets::approximate(epsilon.clone(), ratio(1, 1001))?,
                    3,
                    accounting,
                )?;
                let name = format!("m = {m}, k = {k}, radius {radius}, q = {q}");
                for (phase, noise) in plan.phases().iter().zip(plan.noise()) {
                    let exact = (integer(phase.sensitivity()) * plan.multiplier()).pow(2);
                    let above = noise.variance() - exact;
                    check.holds(
                        above >= integer(0) && above < integer(1),
                        format_args!("{name}: the variance of a phase is {above} above (nu D)^2"),
                    );
                }
                check.holds(
                    plan.noise().len() == m.ilog2() as usize,
                    format_args!("{name}: the phases"),
                );
                let run = plan.run();
                // 1 - m/(K + 1)! of a capped sample, with the least K for which (K + 1)! >= 4 m.
                let cap = (1..30).find(|&k| (1..=k + 1).product::<u64>() >= 4 * m as u64);
                let draws = (1u64 << m.ilog2()) - 1;
                let capped = accounting == Accounting::Zcdp && cap.is_some_and(|cap| cap < draws);
                let accepted = if capped { ratio(3, 4) } else { integer(1) };
                check.holds(
                    run.records == m as u64
                        && run.dimension == k as u64
                        && run.ratio == q
                        && run.radius == radius
                        && run.epsilon == epsilon
                        && run.rounds == 3
                        && run.multiplier == *plan.multiplier()
                        && run.step == *plan.step()
                        && run.acceptance == accepted,
                    format_args!("{name}: {run:?}"),
                );
            }
        }
    }
    Ok(())
}

/// A round, phase by phase, beside the one that ships; each phase starts in its own steps. For `bms22.lem3_1.util`.
pub(super) fn rounds(check: &mut Check) -> Result<(), Trouble> {
    check.exact("Algorithm 4 on 8 and 21 records of the plane, one and three rounds, epsilon = 1 and 10^5: its candidates beside those of the phases run one after the other on the same coins; with little noise a start is the mean that was released, up to a part in 2^12");
    let points: Vec<Vec<i64>> = (0..21i64).map(|k| vec![100 - 9 * k, 7 * k - 70]).collect();
    for (m, rounds) in [(8usize, 1u32), (21, 3)] {
        for epsilon in [1, 100_000] {
            let plan = ErmPlan::new(
                (m, 2, 150),
                &ratio(5, 3),
                &budgets::approximate(integer(epsilon), ratio(1, 1000))?,
                rounds,
                Accounting::Mixture,
            )?;
            let (candidates, _) = solve(&points[..m], &plan, &mut ChaCha::reproducible(5, 0))?;
            let mut coins = ChaCha::reproducible(5, 0);
            let drawn = (1usize << m.ilog2()) - 1;
            let sampling = WithReplacement::new(m, drawn)?;
            let phases: Vec<_> = plan.phases().iter().collect();
            let noises: Vec<_> = plan.noise().collect();
            for (round, candidate) in candidates.iter().enumerate() {
                let name = format!("m = {m}, epsilon = {epsilon}, round {round}");
                let sample = coins.draw(&sampling)?;
                let mut at = 0;
                let mut start = vec![0i128; 2];
                let mut found = Vec::new();
                for (number, (phase, noise)) in phases.iter().zip(&noises).enumerate() {
                    let count = phase.samples() as usize;
                    let next = sample[at..at + count]
                        .iter()
                        .map(|&number| &points[number][..]);
                    at += count;
                    let released = release(phase.sum(start.clone(), next), *noise, &mut coins)?;
                    match phases.get(number + 1) {
                        Some(next) => {
                            start = next.start(phase, &released);
                            starts(
                                check,
                                &name,
                                (phase.bits(), next.bits(), count),
                                &released,
                                &start,
                            );
                        }
                        None => found = phase.hypothesis(&released, 30),
                    }
                }
                check.holds(
                    found == *candidate,
                    format_args!("{name}: {candidate:?}, and {found:?} phase by phase"),
                );
            }
        }
    }
    Ok(())
}

/// The start of a phase is the mean of what was released, in its own steps: exactly in the ball, on the ball beyond.
fn starts(
    check: &mut Check,
    name: &str,
    (before, bits, count): (u32, u32, usize),
    released: &[BigInt],
    start: &[i128],
) {
    let one = |bits: u32| Rational::from(BigInt::one() << bits);
    let mean: Vec<Rational> = released
        .iter()
        .map(|sum| integer(sum.clone()) / (one(before) * integer(count as u64)))
        .collect();
    let start: Vec<Rational> = start
        .iter()
        .map(|x| integer(BigInt::from(*x)) / one(bits))
        .collect();
    let squared = |v: &[Rational]| v.iter().map(|x| x * x).sum::<Rational>();
    let (mean_squared, start_squared) = (squared(&mean), squared(&start));
    let slip = ratio(1, 1 << 12);
    let apart = match mean_squared <= integer(1) {
        true => mean
            .iter()
            .zip(&start)
            .map(|(a, b)| (a - b) * (a - b))
            .sum::<Rational>(),
        // Along the ray: what is left across it.
        false => {
            let product: Rational = mean.iter().zip(&start).map(|(a, b)| a * b).sum();
            (&start_squared - product.pow(2) / &mean_squared).max(integer(1) - &start_squared)
        }
    };
    check.holds(
        apart <= slip && start_squared <= integer(1),
        format_args!("{name}: the next phase starts {apart} from the mean of what was released"),
    );
}

/// Projected records are clipped to the stretched radius, not to that of the data. For `bms22.thm3_2.proj`.
pub(super) fn stretched_radius(check: &mut Check) -> Result<(), Trouble> {
    check.exact("maps to 1 and 3 dimensions by random signs, gamma = 1/3 and 5/4, records of norm 5 in 4 dimensions, 24 seeds: the radius of the descent is floor(sqrt((1 + gamma) k) r); candidates and choice are those of Algorithm 4 on records clipped to it, and there are records that a smaller ball would have cut");
    let domain = Domain::new(Grid::new(0)?, 4, 500)?;
    let records = [
        [500, 0, 0, 0],
        [250, 250, 250, 250],
        [-250, 250, -250, 250],
        [300, 400, 0, 0],
        [0, 300, -400, 0],
        [10, -20, 30, 40],
    ];
    let data = Dataset::new(
        domain,
        records.iter().map(|x| record(x, x[0] >= 0)).collect(),
    )?;
    let (mut between, mut cut) = (0, 0);
    for rows in [1usize, 3] {
        for gamma in [ratio(1, 3), ratio(5, 4)] {
            let mut parameters = EfficientParameters {
                budget: budgets::approximate(integer(1000), ratio(1, 1000))?,
                margin: Margin::new(integer(1), integer(500), integer(100))?,
                map: overridden(Map::Signs(rows)),
                distortion: overridden(gamma.clone()),
                rounds: overridden(2),
                accounting: Accounting::Mixture,
            };
            parameters.distortion = overridden(gamma.clone());
            let plan = parameters.plan(domain, data.records().len())?;
            let radius = plan.erm().radius();
            let exact = (integer(1) + &gamma) * integer(rows as u64 * 250_000);
            check.holds(
                integer(radius).pow(2) <= exact && exact < integer(radius + 1).pow(2),
                format_args!("{rows} rows, gamma = {gamma}: the radius {radius}"),
            );
            for seed in 0..24 {
                let model = plan.learn(&data, &mut ChaCha::reproducible(seed, 2))?;
                let mut coins = ChaCha::reproducible(seed, 2);
                // The signs are drawn first.
                let signs = dp_assay::geometry::SignMatrix::random(rows, 4, &mut coins)?;
                let mut points = Vec::new();
                for record in data.records() {
                    let mut image = signs.apply(&record.features)?;
                    if !record.positive {
                        image.iter_mut().for_each(|x| *x = -*x);
                    }
                    let length = grid::squared_norm(&image);
                    between += usize::from(length > 250_000 && length <= u128::from(radius).pow(2));
                    cut += usize::from(length > u128::from(radius).pow(2));
                    grid::clip_to_radius(&mut image, radius);
                    points.push(image);
                }
                let (candidates, chosen) = solve(&points, plan.erm(), &mut coins)?;
                check.holds(
                    candidates == model.candidates && chosen == model.chosen,
                    format_args!("{rows} rows, gamma = {gamma}, seed {seed}: {:?}, and {candidates:?} step by step", model.candidates),
                );
            }
        }
    }
    check.holds(
        between > 0 && cut > 0,
        format_args!("{between} images between the two balls, {cut} beyond both"),
    );
    Ok(())
}

/// A sign that is not decided is an error, whatever the label. For `bms22.sec5.dp`.
pub(super) fn undecided(check: &mut Check) -> Result<(), Trouble> {
    check.exact("networks of two hidden neurons whose weights are 2^-3000 of a step, so that tanh(2 u) and 2 tanh(u) agree to more bits than are computed: of each label every network errs on a point at which its sign is undecided or a tie, and on one label otherwise");
    let tiny = Rational::new(BigInt::one(), BigInt::one() << 3000);
    let parameters = NetworkParameters::new(
        integer(1),
        Shape::new(1, 2, 2)?,
        integer(4),
        tiny,
        None,
        &ratio(1, 4),
    )?;
    let domain = Domain::unit_ball(Grid::new(2)?, 1)?;
    let networks = Networks::new(&parameters, domain.grid(), vec![None, None])?;
    let errors = |positive: bool| -> Result<Vec<u32>, Trouble> {
        Ok(networks.errors(&Dataset::new(domain, vec![record(&[4], positive)])?)?)
    };
    let (plus, minus) = (errors(true)?, errors(false)?);
    let mut seen = [0, 0, 0];
    for number in 0..networks.count() {
        let sign = networks.network(number)?.sign(&[4])?;
        let expected = match sign {
            None => (0, [1, 1]),
            Some(std::cmp::Ordering::Equal) => (1, [1, 1]),
            Some(std::cmp::Ordering::Greater) => (2, [0, 1]),
            Some(std::cmp::Ordering::Less) => (2, [1, 0]),
        };
        seen[expected.0] += 1;
        check.holds(
            [plus[number], minus[number]] == expected.1,
            format_args!(
                "network {number} of sign {sign:?} errs on {} and {}",
                plus[number], minus[number]
            ),
        );
    }
    check.holds(
        seen.iter().all(|&count| count > 0),
        format_args!("undecided, ties, decided: {seen:?}"),
    );
    Ok(())
}

/// The learners on coins that fail: each of them for its own row.
pub(super) fn gibbs_fails(check: &mut Check) -> Result<(), Trouble> {
    let (data, candidates) = (plane()?, Candidates::from_seed(1, 40, 2)?);
    failing::learner(check, "the Gibbs learner", |coins| {
        gibbs::learn(&data, &candidates, &integer(1), coins)
    })?;
    failing::learner(check, "its candidates", |coins| {
        Candidates::draw(9, 2, coins)
    })
}

/// Six records of the plane.
fn plane() -> Result<Dataset, Trouble> {
    let domain = Domain::unit_ball(Grid::new(4)?, 2)?;
    let records: Vec<Record> = [[16, 0], [-3, 11], [5, 9], [-8, -8], [0, 1], [2, -15]]
        .iter()
        .map(|x| record(x, x[0] + x[1] > 0))
        .collect();
    Ok(Dataset::new(domain, records)?)
}

/// Algorithm 1.
pub(super) fn pure_fails(check: &mut Check) -> Result<(), Trouble> {
    let data = plane()?;
    let parameters = PureParameters::new(integer(1), Some(1), ratio(1, 4))?;
    failing::learner(check, "Algorithm 1", |coins| {
        pure::learn(&data, &parameters, coins)
    })
}

/// Algorithms 2 and 4.
pub(super) fn efficient_fails(check: &mut Check, accounting: Accounting) -> Result<(), Trouble> {
    let data = plane()?;
    let parameters = EfficientParameters {
        budget: budget("1", "1e-6")?,
        margin: Margin::new(integer(1), integer(1), ratio(1, 3))?,
        map: overridden(Map::Signs(1)),
        distortion: overridden(integer(1)),
        rounds: overridden(2),
        accounting,
    };
    let plan = parameters.plan(data.domain(), data.records().len())?;
    failing::learner(check, "Algorithm 2", |coins| plan.learn(&data, coins))
}

/// Algorithm 3.
pub(super) fn kernel_fails(check: &mut Check) -> Result<(), Trouble> {
    let data = plane()?;
    let kernel = ShiftInvariantKernel::Gaussian {
        variance: integer(2),
    };
    let parameters = KernelParameters::fourier_with(
        (kernel, 5),
        &ratio(1, 3),
        budget("1", "1e-6")?,
        (integer(1), ratio(1, 2)),
        Accounting::Mixture,
        data.records().len(),
    )?;
    let plan = parameters.plan(data.domain(), data.records().len())?;
    failing::learner(check, "Algorithm 3", |coins| plan.learn(&data, coins))
}

/// The learner of networks.
pub(super) fn network_fails(check: &mut Check) -> Result<(), Trouble> {
    let data = plane()?;
    let parameters = NetworkParameters::new(
        integer(1),
        Shape::new(2, 2, 2)?,
        integer(3),
        integer(1),
        Some(1),
        &ratio(1, 2),
    )?;
    failing::learner(check, "the learner of networks", |coins| {
        network::learn(&data, &parameters, coins)
    })
}

/// The learner with private labels.
pub(super) fn labels_fail(check: &mut Check) -> Result<(), Trouble> {
    let (data, hypotheses) = (plane()?, Candidates::from_seed(1, 40, 2)?);
    failing::learner(check, "the learner with private labels", |coins| {
        labels::learn(&data, &hypotheses, &integer(5000), &integer(1), coins)
    })
}
