//! What is out of range, and what fails: records outside the domain, plans for other data, scores beyond 32 bits, coins that fail.

use super::interactive::{Constant, Coordinates, axis, linear, opposite_labels};
use super::plain::{CUBIC, Plain};
use super::test_independent::{Linear, points};
use super::{grid, integers, record};
use crate::budgets::{self, budget};
use crate::claim::{Check, Trouble};
use crate::failing::{self, Failing, Queried};
use dp_assay::coins::{ChaCha, Coins, Meter, Outcomes, lockstep};
use dp_assay::geometry::{Domain, Point};
use dp_assay::kernels::coefficients::{self, release};
use dp_assay::kernels::coordinates::Coordinates as Vectors;
use dp_assay::kernels::gaussian_process;
use dp_assay::kernels::session::Request;
use dp_assay::kernels::test_independent::{self, TestIndependent};
use dp_assay::kernels::{
    Calibration, Dataset, Kernel, KernelError, Labels, Predictor, Problem, Record, fit,
    noisy_answers, sparse_vector,
};
use dp_assay::number::rational::{integer, parse, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::erm::Loss;
use dp_assay::privacy::meter::judge;
use dp_assay::privacy::{Budget, NeighbouringRelation};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;

/// Records outside the domain are clipped, one by one: then `S` holds for whatever was handed in. For `jt13.eq3`.
pub(super) fn outside(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "records on the ball of radius 3, one step beyond it, and as far out as integers go, linear and cubic kernel: what is learned from lies \
         in the ball, what lay in it is as it was; one label turned there moves predictions by at most S. Labels at their largest and one \
         beyond; classes that are none; a coordinate beyond the dimension",
    );
    let domain = integers(2, 3)?;
    let on_and_in = [[3, 0], [0, -3], [2, 2], [-1, 1]];
    let beyond = [
        [4, 0],
        [3, 1],
        [-3, -1],
        [0, -7],
        [100, 100],
        [i32::MAX, i32::MIN],
    ];
    for (x, inside) in on_and_in
        .map(|x| (x, true))
        .into_iter()
        .chain(beyond.map(|x| (x, false)))
    {
        let data = Dataset::new(domain, [(record(&x, -1), 1)])?;
        let found = &data.records()[0].0;
        let stays = !inside || found.point == Point::dense(&x);
        check.holds(
            domain.check(&found.point).is_ok() && stays && found.label == -1,
            format_args!("{x:?} becomes {found:?}"),
        );
        for kernel in [
            Plain {
                degree: 1,
                offset: 0,
            },
            CUBIC,
        ] {
            let problem = Problem::new(Loss::Linear, kernel.shipped(), ratio(1, 7))?;
            let with = |label: i64| -> Result<_, Trouble> {
                let records = [(record(&x, label), 1), (record(&[1, 2], 1), 4)];
                Ok(fit(&Dataset::new(domain, records)?, &problem)?)
            };
            let (one, other) = (with(1)?, with(-1)?);
            // 2 L R^2/(lambda n), with R^2 the largest value of the kernel in the ball.
            let most = integer(2) * kernel.squared_bound(3) * integer(7) / integer(5);
            for z in [
                found.point.clone(),
                Point::dense(&[3, 0]),
                Point::dense(&[0, -3]),
            ] {
                let moved = (one.prediction(&z) - other.prediction(&z)).abs();
                check.holds(
                    moved <= most,
                    format_args!("{x:?} turned moves the prediction at {z:?}"),
                );
            }
        }
    }
    labels_outside(check, domain)
}

/// The same of labels, coordinates and counts.
fn labels_outside(check: &mut Check, domain: Domain) -> Result<(), Trouble> {
    let kind = Labels::Numbers {
        grid: grid(0)?,
        largest: 5,
    };
    for (given, kept) in [
        (5, 5),
        (6, 5),
        (-5, -5),
        (-6, -5),
        (i64::MAX, 5),
        (i64::MIN, -5),
        (0, 0),
    ] {
        let data = Dataset::of_labels(domain, kind, [(record(&[1, 0], given), 1)])?;
        let found = data.records()[0].0.label;
        check.holds(
            found == kept,
            format_args!("the label {given} of at most 5 becomes {found}"),
        );
    }
    for label in [0, 2, -2, i64::MAX] {
        let found = Dataset::new(domain, [(record(&[1, 0], label), 1)]);
        let refused = matches!(found, Err(KernelError::Label { .. }));
        check.holds(refused, format_args!("{label} is no class"));
    }
    let third = Record {
        point: Point::new(vec![(2, 1)])?,
        label: 1,
    };
    check.holds(
        Dataset::new(domain, [(third, 1)]).is_err(),
        "a third coordinate of two",
    );
    for largest in [0, (1 << 40) + 1] {
        let kind = Labels::Numbers {
            grid: grid(0)?,
            largest,
        };
        let found = Dataset::of_labels(domain, kind, [(record(&[1, 0], 0), 1)]);
        check.holds(found.is_err(), format_args!("a largest label of {largest}"));
    }
    for count in [0, (1 << 40) + 1] {
        let found = Dataset::new(domain, [(record(&[1, 0], 1), count)]);
        check.holds(found.is_err(), format_args!("{count} records"));
    }
    Ok(())
}

/// `eta` and `S'` worked out again, where kernel values are rounded, and how far evaluations really are off. For `jt13.eq3.solver`.
pub(super) fn evaluation(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "values of (x z + c)^3 on a grid of 2^-9, which are rounded to 2^-48: eta = (L/lambda) e and S' = S + 2 r + 2 eta, evaluated again; \
         predictions beside those of the kernel without rounding",
    );
    let kernel = Plain {
        degree: 3,
        offset: 1 << 16,
    };
    let domain = Domain::new(grid(9)?, 1, 509)?;
    let data = Dataset::new(
        domain,
        [
            (record(&[509], 1), 4),
            (record(&[-33], -1), 3),
            (record(&[7], 1), 1),
        ],
    )?;
    for (loss, slope, penalty) in [
        (Loss::Linear, integer(1), ratio(1, 1000)),
        (Loss::Hinge, integer(1), ratio(3, 7)),
    ] {
        let problem = Problem::new(loss, kernel.shipped(), penalty.clone())?;
        let on = problem.kernel().on(domain)?;
        let stated = problem.sensitivity(domain, data.size())?;
        let eta = &slope / &penalty * on.error_of_a_value();
        check.holds(eta.is_positive() && stated.evaluation == eta, "eta");
        let whole = &stated.exact + integer(2) * &stated.solver + integer(2) * &eta;
        check.holds(stated.predictions() == whole, "S'");
        let moved = &stated.exact + integer(2) * &stated.solver;
        check.holds(
            stated.squared_vectors() * &stated.squared_bound == &moved * &moved,
            "the vector moves by (S + 2 r)/R",
        );
        let w = fit(&data, &problem)?;
        let unit = Rational::new(BigInt::one(), BigInt::one() << 54);
        let mut largest = Rational::zero();
        for z in [509, 508, -300, 33, 6] {
            let z = Point::dense(&[z]);
            let without = w.terms().map(|(x, mu)| mu * kernel.value(x, &z) * &unit);
            let off = (w.prediction(&z) - without.sum::<Rational>()).abs();
            check.holds(
                off <= eta,
                format_args!("the prediction at {z:?} is off by {off}"),
            );
            largest = largest.max(off);
        }
        check.holds(largest.is_positive(), "some prediction is off");
    }
    Ok(())
}

/// A vector by rounded values is taken only if its own norm is certain. For `jt13.gp.online`.
pub(super) fn own_norm(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "(x z + 2^-18)^3 on a grid of 2^-9, values rounded to 2^-48: the direction of one point, whose norm by rounded values is 1: taken where \
         e/K(z, z) is below kappa, refused where it is above, whatever came before",
    );
    let kernel = Kernel::Polynomial {
        degree: 3,
        offset: 1,
    };
    let shipped = kernel.on(Domain::new(grid(9)?, 1, 512)?)?;
    for x in [1, 2, 4, 6, 12, 40, 100, 512] {
        let z = Point::dense(&[x]);
        let value = Rational::new(BigInt::from(shipped.value(&z, &z)), BigInt::one() << 48);
        let mut all = Vectors::new(shipped.clone(), 3, BigInt::one() << 100);
        let expanded = all.expand(&z);
        let taken = all.add(&expanded);
        // |rest|/|rest| has weights 1/sqrt(K), and e counts with their square; rounding of the weights is far below.
        let off = shipped.error_of_a_value() / value.max(ratio(1, 1 << 60));
        let kappa = ratio(1, 1024);
        let near = off > &kappa * ratio(99, 100) && off < &kappa * ratio(101, 100);
        check.holds(
            near || taken == (off < kappa),
            format_args!("x = {x}/512: off by {off}, taken: {taken}"),
        );
    }
    Ok(())
}

/// A plan is for one domain and one number of records. For `jt13.gp.coefficients`.
pub(super) fn other_data(check: &mut Check) -> Result<(), Trouble> {
    check.exact("a plan for 100 records in a ball of radius 3: data of 10, 99, 101 and 10^6 records, of another radius and dimension are refused before a draw");
    let domain = integers(2, 3)?;
    let problem = Problem::new(Loss::Linear, Kernel::Linear, ratio(1, 5))?;
    let plan = coefficients::Plan::new(&problem, (domain, 100), &budget("1", "1e-6")?)?;
    let data = |domain, n| Dataset::new(domain, [(record(&[1], 1), n)]);
    let mut refused = |name: &str, data: Dataset, expected: bool| {
        let mut coins = ChaCha::reproducible(1, 0);
        let found = release(&data, &plan, &mut coins);
        check.holds(
            found.is_err() == expected && (coins.consumed() == 0) == expected,
            format_args!("{name}"),
        );
    };
    refused("its own data", data(domain, 100)?, false);
    for n in [10, 99, 101, 1_000_000] {
        refused(&format!("{n} records"), data(domain, n)?, true);
    }
    refused("another radius", data(integers(2, 4)?, 100)?, true);
    refused("another dimension", data(integers(3, 3)?, 100)?, true);
    Ok(())
}

/// Scores about and beyond 32 bits: a neighbour moves the choice by no more than its loss. For `jt13.tdil`.
pub(super) fn large_scores(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "predictions of 2^31, 2^32 - 1, 2^32, 2^33, 2^64 and 2^100 steps at one point of a net of three, and next to the largest score that counts, \
         beside a neighbour whose predictions differ by S': every draw keeps its promise",
    );
    let all = Linear::new(2, 6, ratio(1, 100), 10_000)?;
    let net = points(&[&[63, 8], &[0, 8], &[5, 5]]);
    let asked = budget("1", "1e-6")?;
    for epsilon in ["1", "0.001"] {
        let claim = budgets::pure(parse(epsilon)?)?;
        let setting = TestIndependent {
            budget: budgets::approximate(parse(epsilon)?, asked.delta().clone())?,
            calibration: Calibration::Pure,
            failure: ratio(9, 10),
            norm_bound: integer(1_000_000),
        };
        let plan = setting.plan_of_rounds(&all.sensitivity()?, &all.kernel, 3, 1)?;
        let moved = plan.sensitivity().clone();
        let step = &moved / integer(16);
        // The exponent of a score is e/(2 t) of it, and 2^14 or so is the largest: wherever it lies.
        let mut sizes: Vec<Rational> = [31u32, 32, 33, 64, 100]
            .map(|bits| Rational::from(BigInt::one() << bits))
            .to_vec();
        sizes.extend((10..31).map(|bits| Rational::from(BigInt::one() << bits)));
        for size in sizes {
            for (here, there) in [(-16, 0), (-1, 15), (0, 16), (-8, 8)] {
                let at = |off: i64| {
                    let first = &step * (&size + integer(off));
                    let values = [first, moved.clone() * integer(3), Rational::zero()];
                    Coordinates(net.iter().cloned().zip(values).collect::<BTreeMap<_, _>>())
                };
                for pair in [(at(here), at(there)), (at(there), at(here))] {
                    let learner = |w: &Coordinates, coins: &mut Meter| {
                        test_independent::learn(w, &net, &plan, coins)
                    };
                    let runs = lockstep(
                        learner,
                        &pair.0,
                        &pair.1,
                        Outcomes::drawn(ChaCha::reproducible(3, 0)),
                    );
                    check.sound(
                        &judge(&runs, &claim)?,
                        format_args!("epsilon = {epsilon}, {size} steps"),
                    );
                }
            }
        }
    }
    Ok(())
}

fn request(budget: Budget) -> Request {
    Request {
        budget,
        queries: 9,
        failure: ratio(1, 3),
        norm_bound: integer(2),
        updates: Some(7),
        steps: 16,
    }
}

impl Queried for noisy_answers::Session<'_, Constant> {
    fn ask(&mut self, query: usize, coins: &mut Failing) -> Result<String, Trouble> {
        Ok(format!("{:?}", self.answer(&axis(query), coins)?))
    }

    fn told(&self) -> String {
        format!("{:?}", self.answered())
    }
}

impl Queried for sparse_vector::Session<'_, Constant> {
    fn ask(&mut self, query: usize, coins: &mut Failing) -> Result<String, Trouble> {
        Ok(format!("{:?}", self.answer(&axis(query), coins)?))
    }

    fn told(&self) -> String {
        format!("{:?}", self.answered())
    }
}

impl Queried for gaussian_process::Session<'_, Constant> {
    fn ask(&mut self, query: usize, coins: &mut Failing) -> Result<String, Trouble> {
        Ok(format!("{:?}", self.answer(&axis(query), coins)?))
    }

    fn told(&self) -> String {
        format!("{:?}", self.released().collect::<Vec<_>>())
    }
}

/// A session of noisy answers. For `jt13.nt`.
pub(super) fn noisy_answers_fail(check: &mut Check) -> Result<(), Trouble> {
    let problem = linear(integer(1))?;
    let domain = integers(8, 1)?;
    let (sensitivity, kernel) = (
        problem.sensitivity(domain, 100)?,
        problem.kernel().on(domain)?,
    );
    let asked = request(budget("1", "1e-3")?);
    let plan = noisy_answers::Plan::new(&asked, &sensitivity, &kernel)?;
    let optimum = Constant(plan.threshold() * integer(2));
    failing::session(check, "a session of noisy answers", 2..6, |coins| {
        Ok(noisy_answers::Session::open(&optimum, plan.clone(), coins))
    })
}

/// A session with a hidden threshold. For `jt13.svt`.
pub(super) fn sparse_vector_fails(check: &mut Check) -> Result<(), Trouble> {
    let problem = linear(integer(1))?;
    let domain = integers(8, 1)?;
    let (sensitivity, kernel) = (
        problem.sensitivity(domain, 100)?,
        problem.kernel().on(domain)?,
    );
    let asked = request(budgets::pure(integer(1))?);
    let plan = sparse_vector::Plan::new(&asked, &sensitivity, &kernel)?;
    let optimum = Constant(plan.threshold() * integer(2));
    failing::session(check, "a session with a hidden threshold", 2..6, |coins| {
        Ok(sparse_vector::Session::open(&optimum, plan.clone(), coins)?)
    })?;
    failing::learner(
        check,
        "opening a session with a hidden threshold",
        |coins| {
            let session = sparse_vector::Session::open(&optimum, plan.clone(), coins)?;
            Ok::<_, KernelError>(session.threshold_not_private().clone())
        },
    )
}

/// A session with the noise of a Gaussian process. For `jt13.gp.online`.
pub(super) fn gaussian_process_fails(check: &mut Check) -> Result<(), Trouble> {
    let domain = integers(8, 3)?;
    let problem = Problem::new(Loss::Linear, Kernel::Linear, ratio(1, 10))?;
    let asked = gaussian_process::GaussianProcess {
        budget: budget("1", "1e-6")?,
        coordinates: 7,
    };
    let plan = asked.plan(
        &problem.sensitivity(domain, 1000)?,
        &problem.kernel().on(domain)?,
    )?;
    let optimum = Constant(integer(3));
    failing::session(
        check,
        "a session with the noise of a Gaussian process",
        2..6,
        |coins| {
            Ok(gaussian_process::Session::open(
                &optimum,
                plan.clone(),
                coins,
            ))
        },
    )
}

/// The learners that learn once. For their rows.
pub(super) fn test_independent_fails(check: &mut Check) -> Result<(), Trouble> {
    let all = Linear::new(2, 6, ratio(1, 100), 10_000)?;
    let net = points(&[&[63, 8], &[0, 8], &[5, 5]]);
    let setting = TestIndependent {
        budget: budget("1", "1e-6")?,
        calibration: Calibration::Closed,
        failure: ratio(1, 20),
        norm_bound: integer(100),
    };
    let plan = setting.plan_of_rounds(&all.sensitivity()?, &all.kernel, 3, 5)?;
    let data = all.data(&[(&[64, 0], 10, 810), (&[0, 64], 8650, 530)])?;
    let w = fit(&data, &all.problem)?;
    failing::learner(check, "Algorithm 3", |coins| {
        test_independent::learn(&w, &net, &plan, coins)
    })
}

/// The release of coefficients.
pub(super) fn coefficients_fail(check: &mut Check) -> Result<(), Trouble> {
    let domain = integers(3, 3)?;
    let problem = Problem::new(Loss::Linear, CUBIC.shipped(), ratio(1, 5))?;
    let plan = coefficients::Plan::new(&problem, (domain, 100), &budget("1", "1e-6")?)?;
    let data = Dataset::new(
        domain,
        [(record(&[1, 2, -1], 1), 60), (record(&[0, -3], -1), 40)],
    )?;
    failing::learner(check, "the release of coefficients", |coins| {
        release(&data, &plan, coins)
    })
}

/// `m` of a session with a hidden threshold: the least above omega and `C R/sqrt(B)`, in steps, whichever is larger. For `jt13.svt.error`.
pub(super) fn threshold_by_hand(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "plans with C = 1/1000, 1/3 and 100, B = 1, 7 and 30, T = 11 and 1000, R = 5: m is above omega and above C R/sqrt(B), and m less a step is not; theta - m and \
         the error beside gamma, worked out again",
    );
    let problem = linear(ratio(1, 4))?;
    let [data, _] = opposite_labels(1_000_000)?;
    let domain = data.domain();
    let kernel = problem.kernel().on(domain)?;
    let sensitivity = problem.sensitivity(domain, data.size())?;
    let squared = kernel.squared_bound().clone();
    check.holds(squared == integer(25), "R = 5");
    let mut by_omega = [0, 0];
    for norm in [ratio(1, 1000), ratio(1, 3), integer(100)] {
        for updates in [1u64, 7, 30] {
            for queries in [11, 1000] {
                let asked = Request {
                    budget: budgets::pure(ratio(9, 7))?,
                    queries,
                    failure: ratio(1, 17),
                    norm_bound: norm.clone(),
                    updates: Some(updates),
                    steps: 37,
                };
                let plan = sparse_vector::Plan::new(&asked, &sensitivity, &kernel)?;
                let step = plan.step();
                let m = plan.rate() * &squared;
                let [of_threshold, of_tests, omega] = plan.noise_within();
                let enough = |m: &Rational| {
                    let by_root = m * m * integer(updates) > &norm * &norm * &squared;
                    (*m > omega && by_root, by_root)
                };
                let name = format!("C = {norm}, B = {updates}, T = {queries}");
                check.holds(enough(&m).0, format_args!("{name}: m = {m} is enough"));
                let less = enough(&(&m - step));
                check.holds(!less.0, format_args!("{name}: m less a step is not"));
                by_omega[usize::from(less.1)] += 1;
                let gamma = of_threshold + of_tests;
                // Rounding and the solver: at least half a step for each of two rounded predictions.
                let slack = plan.threshold() - &m - &gamma;
                check.holds(
                    slack >= sensitivity.solver && slack <= &sensitivity.solver + step * integer(3),
                    format_args!("{name}: theta is m + gamma and {slack} for rounding"),
                );
                check.holds(
                    *plan.error() == plan.threshold() + gamma + slack,
                    format_args!("{name}: the error is theta + gamma and what rounding adds"),
                );
            }
        }
    }
    check.holds(
        by_omega[0] > 0 && by_omega[1] > 0,
        "either of the two is the larger one",
    );
    Ok(())
}

/// Theorem 8 evaluated again, over all t that are tried. For `jt13.gp.adaptive`.
pub(super) fn theorem_8(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "delta of the discrete Gaussian for 2, 3 and 7 coordinates, variance 2, 5/2 and 11, squared distance 7 and 12, epsilon = 2/3 and 3: the least of \
         (1 + eta)^k H(D/r; epsilon - k ln((1 + eta)/(1 - eta))) over t^2 = 1/16 to 4, evaluated again, to 18 digits",
    );
    let mut smaller = 0;
    for variance in [integer(2), ratio(5, 2), integer(11)] {
        for (coordinates, squared) in [(2u64, 7i64), (3, 7), (7, 12)] {
            for epsilon in [ratio(2, 3), integer(3)] {
                let found = dp_assay::privacy::discrete_gaussian::delta(
                    &variance,
                    &BigInt::from(squared),
                    coordinates,
                    &epsilon,
                )?;
                let mut least: Option<Enclosure> = None;
                for sixteenths in 1..=64 {
                    let t = ratio(sixteenths, 16);
                    if let Some(bound) =
                        at_split([&variance, &integer(squared), &epsilon, &t], coordinates)?
                    {
                        least = Some(least.map_or(bound.clone(), |least| least.min(&bound)));
                    }
                }
                let rho = integer(squared) / (&variance * integer(2));
                let concentrated =
                    dp_assay::privacy::Zcdp::new(rho, NeighbouringRelation::Substitute)?
                        .delta(&epsilon)?;
                let name = format!(
                    "variance {variance}, {coordinates} coordinates, D^2 = {squared}, epsilon = {epsilon}"
                );
                let Some(least) = least else { continue };
                // The library rounds a delta up to 64 bits.
                let slip = ratio(1, 1 << 60);
                let equal = (&found - least.upper()).abs() <= least.upper() * slip;
                check.holds(
                    if found == concentrated {
                        least.upper() >= found
                    } else {
                        equal
                    },
                    format_args!("{name}: {found}, and {least} evaluated again"),
                );
                smaller += usize::from(found != concentrated);
            }
        }
    }
    check.holds(
        smaller >= 6,
        format_args!("Theorem 8 decides {smaller} of them"),
    );
    Ok(())
}

/// The bound of Theorem 8 at one `t^2`; `None` where there is no room.
fn at_split(
    [variance, squared, epsilon, t]: [&Rational; 4],
    coordinates: u64,
) -> Result<Option<Enclosure>, Trouble> {
    const SHARP: u32 = 192;
    let of = |x: &Rational| Enclosure::of(x, SHARP);
    let one = Enclosure::integer(1, SHARP);
    let rest = variance - t;
    // eta = 2 q/(1 - q^3), q = e^(-2 pi^2 t^2)
    let q = (-(Enclosure::pi(SHARP).squared() * of(&(t * integer(2))))).exp()?;
    let eta = q.shifted(1).divided_by(&(&one - q.power(3)))?;
    if !rest.is_positive() || !eta.is_below(&one) {
        return Ok(None);
    }
    let k = Enclosure::integer(coordinates, SHARP);
    let mu = of(&(squared / rest)).sqrt()?;
    let e = of(epsilon) - k * ((&one + &eta).divided_by(&(&one - &eta))?).ln()?;
    let slope = e.divided_by(&mu)?;
    let half = mu.shifted(-1);
    let profile = (&half - &slope).normal_cdf() - e.exp()? * (-&half - &slope).normal_cdf();
    Ok(Some((&one + &eta).power(coordinates) * profile).filter(|bound| bound.is_below(&one)))
}
