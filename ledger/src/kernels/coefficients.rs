//! The release of coefficients: metered at full size, its error, and what its points may depend on.

use super::plain::{CUBIC, LINEAR, Plain};
use super::{BITS, grid, integers, record};
use crate::budgets::budget;
use crate::claim::{Check, Trouble};
use crate::twins;
use dp_assay::coins::{ChaCha, CoinsError, Explorer, Law, Layer, Meter};
use dp_assay::geometry::{Domain, FeatureMap, Frequencies, Point};
use dp_assay::kernels::bounds::gaussian_process as bounds;
use dp_assay::kernels::coefficients::{Coefficients, Plan, release};
use dp_assay::kernels::{
    Dataset, Kernel, KernelError, Predictor, Problem, Record, fit, of_features, point_of_features,
};
use dp_assay::number::rational::{integer, parse, ratio, to_scientific};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::erm::Loss;
use dp_assay::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::{One, Signed};
use std::collections::BTreeMap;

/// About the most records for which the hinge loss is solved: then the noise is far below all else.
const MANY: u64 = 1 << 24;

/// `jt13.gp.coefficients`
pub(super) fn privacy(check: &mut Check) -> Result<(), Trouble> {
    let most = if check.quick() { 2 } else { 6 };
    check.certified(format_args!(
        "10^6 records, all at one point but up to {} at another, one label turned: the linear kernel in three dimensions, a \
         cubic one with six weights in two, random Fourier features; the loss -y f, and the hinge loss with a solver; \
         epsilon = 1, delta = 1e-6, outcomes drawn and steered",
        most - 1
    ));
    const N: u64 = 1_000_000;
    let space = integers(3, 3)?;
    let apart = [record(&[3, 0, 0], 1), record(&[2, 2, 1], 1)];
    let all = pairs(space, N, &apart, most)?;
    let loss = Problem::new(Loss::Linear, Kernel::Linear, ratio(1, 100))?;
    family(check, "linear, -y f", &loss, &all)?;
    // At lambda = 16 > R^2 every hinge is on its slope.
    let hinge = Problem::new(Loss::Hinge, Kernel::Linear, integer(16))?.with_share(12)?;
    family(check, "linear, hinge", &hinge, &all[..2])?;
    // There the solver errs next to nothing: what the plan allows for is worked out apart, R being 3.
    check.exact("a plan whose solver may err by as much as a record moves predictions: D' = (1 + 2^-10)(S + 2r)/R");
    let coarse = Problem::new(Loss::Hinge, Kernel::Linear, integer(16))?.with_share(0)?;
    let stated = coarse.sensitivity(space, N)?;
    let plan = Plan::new(&coarse, (space, N), &budget("1", "1e-6")?)?;
    let moved = (&stated.exact + &stated.solver + &stated.solver) * ratio(1025, 1024) / integer(3);
    check.holds(
        stated.solver == stated.exact && *plan.squared_sensitivity() == &moved * &moved,
        "D'",
    );
    // Coordinates in halves, c = 1/4: the weights are 1/64, 3/16, 3/4, 1, 3/2 and 3.
    let halves = Domain::new(grid(1)?, 2, 4)?;
    let apart = [record(&[4, 0], 1), record(&[0, -4], 1)];
    let all = pairs(halves, N, &apart, most)?;
    let cubic = Problem::new(Loss::Linear, CUBIC.shipped(), ratio(1, 100))?;
    family(check, "cubic, -y f", &cubic, &all)?;
    let map = fourier(halves)?;
    let mut of_map = Vec::new();
    for (first, second) in &all[..2] {
        of_map.push((of_features(first, &map)?, of_features(second, &map)?));
    }
    let problem = Problem::new(Loss::Linear, Kernel::Linear, ratio(1, 100))?;
    family(check, "Fourier features, -y f", &problem, &of_map)?;
    super::edges::other_data(check)?;
    super::edges::coefficients_fail(check)?;
    twins::path(check)
}

/// Random Fourier features of four frequencies.
fn fourier(domain: Domain) -> Result<FeatureMap, Trouble> {
    let mut coins = ChaCha::reproducible(1, 0);
    let dimension = domain.dimension();
    let frequencies = Frequencies::draw(4, dimension, &integer(1), grid(8)?, &mut coins)?;
    Ok(FeatureMap::new(frequencies, domain.grid(), grid(16)?)?)
}

/// Pairs of `n` records: `k` at the second of two points, for all `k` below `most`, the others at the first, where the label
/// of one is turned.
pub(super) fn pairs(
    domain: Domain,
    n: u64,
    [here, there]: &[Record; 2],
    most: u64,
) -> Result<Vec<(Dataset, Dataset)>, KernelError> {
    let turned = Record {
        label: -here.label,
        ..here.clone()
    };
    let pair = |k: u64| {
        let others = (there.clone(), k);
        let first = Dataset::new(domain, [(here.clone(), n - k), others.clone()])?;
        let but_one = [
            (here.clone(), n - k - 1),
            (turned.clone(), 1),
            others.clone(),
        ];
        Ok((first, Dataset::new(domain, but_one)?))
    };
    (0..most).map(pair).collect()
}

fn family(
    check: &mut Check,
    name: &str,
    problem: &Problem,
    pairs: &[(Dataset, Dataset)],
) -> Result<(), Trouble> {
    let budget = budget("1", "1e-6")?;
    let data = &pairs[0].0;
    let plan = Plan::new(problem, (data.domain(), data.size()), &budget)?;
    let learner = |data: &Dataset, coins: &mut Meter| release(data, &plan, coins);
    check.family(name, &[], |family| {
        for (number, (first, second)) in (0..).zip(pairs) {
            let steered = (ChaCha::reproducible(2, number), 6);
            family.drawn_and_steered(learner, (first, second), steered, &budget)?;
        }
        Ok(())
    })?;
    let sensitivity = problem.sensitivity(data.domain(), data.size())?;
    let squared = plan.variance() / sensitivity.squared_vectors();
    let tau = Enclosure::of(&squared, BITS).sqrt()?;
    check.figure(format_args!("{name}: tau, in D"), tau);
    Ok(())
}

/// `jt13.gp.error`
pub(super) fn at_fixed_points(check: &mut Check) -> Result<(), Trouble> {
    super::printed::noise(check)?;
    let most = if check.quick() { 1 } else { 2 };
    check.certified(format_args!(
        "tails of a discrete Gaussian of variance 1/4, 1, 9, 100, and of 2 Y_1 + Y_2 of variance 4; the release explored over \
         whole draws in up to {most} dimensions, at one and three points; 2^24 records at all points of a domain, the linear \
         and a cubic kernel and random Fourier features"
    ));
    // 1. Pr[Y >= k] <= e^(-k^2/(2v)), and of a combination <z, Y> with v |z|^2 for v.
    for variance in [ratio(1, 4), integer(1), integer(9), integer(100)] {
        let law = DiscreteGaussian::new(variance.clone())?;
        for k in 1..=60i64 {
            let tail = law.upper_tail(&k.into(), BITS)?;
            let bound = sub_gaussian(k, &variance)?;
            let instance = format_args!("variance {variance}, beyond {k}: {tail}");
            check.holds(tail.is_below(&bound), instance);
        }
    }
    let law = DiscreteGaussian::new(integer(4))?;
    let normaliser = law.normaliser(BITS)?;
    let tail = |k: i64| law.upper_tail_with(&k.into(), &normaliser, BITS);
    let tails: Result<Vec<Enclosure>, _> = (-80..=120).map(tail).collect();
    let (tails, masses) = (tails?, masses(&law)?);
    for k in 1..=40i64 {
        let mut tail = tails[80 + 1 + REACH as usize].shifted(1);
        for (y, mass) in (-REACH..).zip(&masses) {
            tail = tail + mass * &tails[(80 + k - 2 * y) as usize];
        }
        let bound = sub_gaussian(k, &integer(20))?;
        let instance = format_args!("2 Y_1 + Y_2, variance 4, beyond {k}: {tail}");
        check.holds(tail.is_below(&bound), instance);
    }
    // 2. What is shipped, on every outcome.
    let axes = [[1, 0], [-1, 0], [0, 1]].map(|z| Point::dense(&z));
    let explored = [(1, &axes[..1], ratio(1, 100)), (2, &axes, ratio(1, 20))];
    for (dimension, points, failure) in explored.into_iter().take(most) {
        let small = Small::new(dimension, 5 - dimension as u32)?;
        let deviation = small.squared_deviation();
        let bound = bounds::at_fixed_points(&deviation, points.len() as u64, &failure)?;
        small.fails_at_most(check, points, &bound, &failure)?;
    }
    // 3. Every point of a domain, when the noise is far below all else.
    let domain = integers(2, 3)?;
    let points = ball(domain);
    let records = [
        (record(&[2, -1], 1), MANY / 2),
        (record(&[0, 3], -1), MANY / 2),
    ];
    let data = Dataset::new(domain, records)?;
    let map = fourier(domain)?;
    let of_map = of_features(&data, &map)?;
    let features: Result<Vec<Point>, KernelError> = points
        .iter()
        .map(|z| point_of_features(z, domain, &map))
        .collect();
    let instances = [
        ("linear", LINEAR.shipped(), &data, &points),
        ("cubic", CUBIC.shipped(), &data, &points),
        ("Fourier features", Kernel::Linear, &of_map, &features?),
    ];
    for (name, kernel, data, points) in instances {
        let problem = Problem::new(Loss::Hinge, kernel, ratio(1, 100))?;
        let plan = Plan::new(
            &problem,
            (data.domain(), data.size()),
            &budget("1", "1e-6")?,
        )?;
        let (w, found) = (
            fit(data, &problem)?,
            release(data, &plan, &mut ChaCha::reproducible(3, 0))?,
        );
        let deviation = squared_deviation(&plan)?;
        let failure = ratio(1, 1_000_000_000);
        let bound = bounds::at_fixed_points(&deviation, points.len() as u64, &failure)?;
        // Beside the solver's own vector: what the solver may err does not count.
        let solver = problem.sensitivity(data.domain(), data.size())?.solver;
        let allowed = bound + plan.slack() - solver;
        let off = farthest(&found, &w, points);
        check.holds(off <= allowed, format_args!("{name}: off by {off}"));
        check.figure(
            format_args!("{name}, 2^24 records: largest error, bound"),
            format_args!("{}, {}", to_scientific(&off, 3), to_scientific(&allowed, 3)),
        );
    }
    Ok(())
}

/// `e^(-k^2/(2v))`
fn sub_gaussian(k: i64, variance: &Rational) -> Result<Enclosure, Trouble> {
    let exponent = integer(k * k) / (variance * BigInt::from(2));
    Ok(Enclosure::exp_of(&-exponent, BITS)?)
}

/// Sums over a coordinate go so far.
const REACH: i64 = 24;

/// The probabilities of `-REACH` to `REACH`.
fn masses(law: &DiscreteGaussian) -> Result<Vec<Enclosure>, Trouble> {
    let mass = |k: i64| Ok(law.pmf(&k.into(), BITS)?);
    (-REACH..=REACH).map(mass).collect()
}

/// All points of a domain of two dimensions, on the integers.
pub(super) fn ball(domain: Domain) -> Vec<Point> {
    let reach = domain.radius() as i32;
    let range = || -reach..=reach;
    let all = range().flat_map(|x| range().map(move |y| Point::dense(&[x, y])));
    all.filter(|z| domain.check(z).is_ok()).collect()
}

/// The largest difference at these points.
fn farthest(one: &impl Predictor, other: &impl Predictor, points: &[Point]) -> Rational {
    let off = |z: &Point| (one.prediction(z) - other.prediction(z)).abs();
    points.iter().map(off).fold(integer(0), Rational::max)
}

/// `tau^2 R^2`
fn squared_deviation(plan: &Plan) -> Result<Rational, KernelError> {
    let kernel = plan.problem().kernel().on(plan.basis().domain())?;
    Ok(plan.variance() * kernel.squared_bound())
}

/// A release that is explored: the linear kernel, few outcomes.
struct Small {
    data: Dataset,
    plan: Plan,
}

impl Small {
    fn new(dimension: usize, fineness: u32) -> Result<Self, Trouble> {
        let domain = integers(dimension, 1)?;
        let data = Dataset::new(domain, [(record(&[1], 1), 3), (record(&[1], -1), 1)])?;
        let problem = Problem::new(Loss::Linear, Kernel::Linear, integer(1))?;
        let budget = budget("4", "0.1")?;
        let plan = Plan::with_fineness(fineness, &problem, (domain, data.size()), &budget)?;
        Ok(Self { data, plan })
    }

    fn squared_deviation(&self) -> Rational {
        // R = 1.
        self.plan.variance()
    }

    /// On all outcomes: with probability at most `failure` a prediction is off by more than the bound at one of the points.
    fn fails_at_most(
        &self,
        check: &mut Check,
        points: &[Point],
        bound: &Rational,
        failure: &Rational,
    ) -> Result<(), Trouble> {
        let w = fit(&self.data, self.plan.problem())?;
        let allowed = bound + self.plan.slack();
        let within = |found: Result<Coefficients, KernelError>| match found {
            Ok(found) => Ok(farthest(&found, &w, points) <= allowed),
            Err(KernelError::Coins(error)) => Err(error),
            // No release at all is a failure.
            Err(_) => Ok(false),
        };
        let sampler = |coins: &mut _| -> Result<bool, CoinsError> {
            within(release(&self.data, &self.plan, coins))
        };
        let explorer = Explorer::new(Layer::Laws, 1 << 16).with_tail(ratio(1, 1 << 12));
        let found = explorer.explore(sampler)?;
        let fails = found.lower(&false) + &found.undecided;
        let dimension = self.data.domain().dimension();
        check.holds(
            fails <= *failure,
            format_args!("{dimension} dimensions: fails with probability {fails}"),
        );
        check.figure(
            format_args!("explored in {dimension} dimensions: fails with probability"),
            format_args!(
                "at most {}, where {failure} is stated",
                to_scientific(&fails, 3)
            ),
        );
        Ok(())
    }
}

/// `jt13.gp.error.adaptive`
pub(super) fn everywhere(check: &mut Check) -> Result<(), Trouble> {
    super::printed::noise(check)?;
    check.certified(
        "mean of e^(s Y^2/v), variances 1/16, 1/4, 1, 9, s = 1/100 to 49/100; the length of one to three coordinates of \
         variance 1 and 4, beta = 1/2, 1/10, 1/1000; the release explored over whole draws, at all points of the domain",
    );
    // 1. E e^(s Y^2/v) <= (1 - 2s)^(-1/2): the quotient of two normalisers.
    for variance in [ratio(1, 16), ratio(1, 4), integer(1), integer(9)] {
        let normaliser = DiscreteGaussian::new(variance.clone())?.normaliser(BITS)?;
        for s in [1, 10, 25, 40, 49] {
            let left = ratio(100 - 2 * s, 100);
            let wider = DiscreteGaussian::new(&variance / &left)?.normaliser(BITS)?;
            let mean = wider.divided_by(&normaliser)?;
            let bound = Enclosure::of(&left.recip(), BITS).sqrt()?;
            // For wide laws both are the same to many digits.
            let excess = mean.divided_by(&bound)?.upper() - integer(1);
            let instance = format_args!("variance {variance}, s = {s}/100: {mean}");
            check.holds(excess <= ratio(1, 1 << 60), instance);
        }
    }
    // 2. |Y| > sigma (sqrt m + sqrt(2 ln(1/beta))) with probability at most beta.
    let mut nearest = integer(0);
    for variance in [integer(1), integer(4)] {
        let law = DiscreteGaussian::new(variance.clone())?;
        for m in 1..=3 {
            let (lengths, missing) = squared_lengths(&law, m)?;
            for failure in [ratio(1, 2), ratio(1, 10), ratio(1, 1000)] {
                let longest = bounds::everywhere(&variance, m, &failure)?;
                let squared = &longest * &longest;
                let beyond = lengths.iter().filter(|(sum, _)| integer(**sum) > squared);
                let fails = beyond.fold(missing.clone(), |all, (_, mass)| all + mass);
                let instance =
                    format_args!("{m} coordinates, variance {variance}, beta = {failure}: {fails}");
                check.holds(fails.upper() <= failure, instance);
                nearest = nearest.max(fails.upper() / &failure);
            }
        }
    }
    check.figure("largest part of beta", to_scientific(&nearest, 3));
    // 3. What is shipped, on every outcome, everywhere.
    let small = Small::new(2, 3)?;
    let failure = ratio(1, 10);
    let bound = bounds::everywhere(&small.squared_deviation(), 2, &failure)?;
    small.fails_at_most(check, &ball(small.data.domain()), &bound, &failure)
}

/// The law of the squared length of `m` coordinates, but for the probability that is returned beside it.
fn squared_lengths(
    law: &DiscreteGaussian,
    m: u64,
) -> Result<(BTreeMap<i64, Enclosure>, Enclosure), Trouble> {
    let left_out = law.upper_tail(&(REACH + 1).into(), BITS)?.shifted(1);
    let masses = masses(law)?;
    let mut sums = BTreeMap::from([(0, Enclosure::integer(1, BITS))]);
    for _ in 0..m {
        let mut next: BTreeMap<i64, Enclosure> = BTreeMap::new();
        for (sum, mass) in &sums {
            for (y, own) in (-REACH..).zip(&masses) {
                let zero = || Enclosure::integer(0, BITS);
                let cell = next.entry(sum + y * y).or_insert_with(zero);
                *cell = &*cell + mass * own;
            }
        }
        sums = next;
    }
    Ok((sums, Enclosure::integer(m, BITS) * left_out))
}

/// `jt13.hall`
pub(super) fn quadratically_many(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "lambda = 1/100, unit ball, epsilon = 1, delta = 1e-6: the release for 10^5 records at 10^15 points that are fixed in \
         advance; a release of 1000 coefficients, and the point in the direction of its noise",
    );
    let (penalty, budget) = (ratio(1, 100), budget("1", "1e-6")?);
    let problem = Problem::new(Loss::Linear, Kernel::Linear, penalty)?;
    // 1. Points that do not depend on the noise: exponentially many.
    let n = 100_000u64;
    let unit = Domain::unit_ball(grid(20)?, 10)?;
    let plan = Plan::new(&problem, (unit, n), &budget)?;
    let deviation = squared_deviation(&plan)?;
    let bound = bounds::at_fixed_points(&deviation, n.pow(3), &ratio(1, 20))? + plan.slack();
    check.refutes(
        bound < ratio(1, 10),
        "n = 10^5: with probability 19/20 all of n^3 predictions at points fixed in advance are within 1/10",
    );
    check.figure(
        "n = 10^5: error at n^3 points fixed in advance",
        to_scientific(&bound, 3),
    );
    // 2. A point that depends on it: its error grows with the root of the number of coordinates.
    const M: usize = 1000;
    let unit = Domain::unit_ball(grid(20)?, M)?;
    let plan = Plan::new(&problem, (unit, n), &budget)?;
    let records = [1, -1].map(|label| (record(&[1 << 20], label), n / 2));
    let data = Dataset::new(unit, records)?;
    let found = release(&data, &plan, &mut ChaCha::reproducible(4, 0))?;
    // w* = 0, so that the coefficients are noise.
    let length = norm_above(found.steps());
    let towards = |y: &BigInt| i32::try_from(y * (1 << 20) / &length).unwrap_or(0);
    let query = Point::dense(&found.steps().iter().map(towards).collect::<Vec<i32>>());
    unit.check(&query)?;
    let error = found.prediction(&query);
    let deviation = squared_deviation(&plan)?;
    let fixed = bounds::at_fixed_points(&deviation, M as u64 + 1, &ratio(1, 20))?;
    let all = bounds::everywhere(&deviation, M as u64, &ratio(1, 20))?;
    check.holds(
        error > &fixed + plan.slack() && error <= all + plan.slack(),
        format_args!("a point chosen by 1000 answers: {error}"),
    );
    let tau = Enclosure::of(&deviation, BITS).sqrt()?;
    let in_tau = |error: Rational| -> Result<Enclosure, Trouble> {
        Ok(Enclosure::of(&error, BITS).divided_by(&tau)?)
    };
    check.figure("chosen by 1000 answers: error, in tau R", in_tau(error)?);
    check.figure("1001 points fixed in advance, in tau R", in_tau(fixed)?);
    // 3. That was no accident: Pr[|Y|^2 <= 25 v] <= e^(25 s) (E e^(-s Y^2/v))^m.
    let s = ratio(39, 2);
    let variance = plan.variance() / (plan.step() * plan.step());
    let normaliser = |variance: Rational| -> Result<Enclosure, Trouble> {
        Ok(DiscreteGaussian::new(variance)?.normaliser(BITS)?)
    };
    let narrower = normaliser(&variance / (integer(1) + integer(2) * &s))?;
    let mean = narrower.divided_by(&normaliser(variance)?)?;
    let fails = Enclosure::exp_of(&(integer(25) * s), BITS)? * mean.power(M as u64);
    check.holds(
        fails.is_below_rational(&parse("1e-500")?),
        format_args!("below 5 tau R with probability {fails}"),
    );
    Ok(())
}

/// The norm of a vector, rounded up.
fn norm_above(vector: &[BigInt]) -> BigInt {
    let squared: BigInt = vector.iter().map(|y| y * y).sum();
    squared.sqrt() + 1
}

/// `jt13.gp.equivariance`
pub(super) fn equivariance(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "1000 records, the scale 4 of the features with the linear kernel and of the predictions with Huber and squared loss; unless \
         quick 10^6 records, the scale 16; a quadratic kernel, features times 16",
    );
    let all = [(1000, 1), (1_000_000, 2)];
    for &(n, k) in if check.quick() { &all[..1] } else { &all } {
        let quadratic = Plain {
            degree: 2,
            offset: 1,
        };
        // 1. phi -> a phi, lambda -> a^2 lambda: predictions stay. x -> 4 x, c -> 16 c makes a = 4^p.
        for (kernel, radius, times) in [(LINEAR, 3, 4u64.pow(k)), (quadratic, 1, 4)] {
            let scaled = Plain {
                offset: kernel.offset * times * times,
                ..kernel
            };
            let a = integer(times).pow(kernel.degree as i32);
            let plan = |kernel: &Plain, penalty: Rational, radius| {
                let problem = Problem::new(Loss::Hinge, kernel.shipped(), penalty)?;
                numbers(problem, (integers(1, radius)?, n))
            };
            let here = plan(&kernel, ratio(1, 10), radius)?;
            let there = plan(&scaled, ratio(1, 10) * &a * &a, times * radius)?;
            let expected = here.scaled(&a.recip(), &integer(1));
            there.equals(
                check,
                &expected,
                format_args!("{n} records, phi to {a} phi"),
            );
        }
        // 2. f -> c f: of Huber's loss with width and labels times c, and lambda over c; of the squared loss with labels times c.
        let c = integer(4u64.pow(k));
        let of = |loss, penalty| {
            let problem = Problem::new(loss, Kernel::Linear, penalty)?;
            numbers(problem, (integers(1, 3)?, n))
        };
        let huber = |width: Rational| Loss::Huber { width };
        let squared = |largest_label: Rational| Loss::Squared { largest_label };
        let pairs = [
            (
                of(huber(integer(1)), ratio(1, 10))?,
                of(huber(c.clone()), ratio(1, 10) / &c)?,
            ),
            (
                of(squared(integer(1)), integer(4))?,
                of(squared(c.clone()), integer(4))?,
            ),
        ];
        for (here, there) in pairs {
            let expected = here.scaled(&c, &c);
            there.equals(check, &expected, format_args!("{n} records, f to {c} f"));
        }
    }
    Ok(())
}

/// The numbers of a plan that have units: `D'`, and `tau R`, both squared, and the slack of a prediction.
struct Numbers {
    squared_sensitivity: Rational,
    squared_deviation: Rational,
    slack: Rational,
}

fn numbers(problem: Problem, shape: (Domain, u64)) -> Result<Numbers, Trouble> {
    let plan = Plan::new(&problem, shape, &budget("1", "1e-6")?)?;
    Ok(Numbers {
        squared_sensitivity: plan.squared_sensitivity().clone(),
        squared_deviation: squared_deviation(&plan)?,
        slack: plan.slack().clone(),
    })
}

impl Numbers {
    /// With the vector in other units, and predictions.
    fn scaled(&self, vector: &Rational, prediction: &Rational) -> Self {
        Self {
            squared_sensitivity: &self.squared_sensitivity * vector * vector,
            squared_deviation: &self.squared_deviation * prediction * prediction,
            slack: &self.slack * prediction,
        }
    }

    /// The variance is rounded up to an integer in steps of a grid that is a power of two: equal to five digits.
    fn equals(&self, check: &mut Check, other: &Self, instance: std::fmt::Arguments<'_>) {
        let apart = (&self.squared_deviation / &other.squared_deviation - Rational::one()).abs();
        check.holds(
            self.squared_sensitivity == other.squared_sensitivity
                && self.slack == other.slack
                && apart < ratio(1, 100_000),
            instance,
        );
    }
}
