//! Sessions with the noise of a Gaussian process: the certificate of their coordinates, and whole sessions, metered.

use super::plain::{CUBIC, Plain};
use super::{BITS, grid, integers, record};
use crate::budgets::budget;
use crate::claim::{Check, Trouble};
use crate::twins;
use dp_assay::coins::{ChaCha, Law, Meter};
use dp_assay::geometry::{Domain, Point};
use dp_assay::kernels::bounds::gaussian_process as bounds;
use dp_assay::kernels::coordinates::{self, Coordinates, KAPPA_BITS};
use dp_assay::kernels::gaussian_process::{Answer, GaussianProcess, Plan, Session};
use dp_assay::kernels::{Dataset, Kernel, KernelError, Predictor, Problem, Record, fit};
use dp_assay::number::rational::{integer, parse, ratio, shortly, to_scientific};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::erm::Loss;
use dp_assay::privacy::discrete_gaussian;
use dp_assay::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::{FromPrimitive, One, Signed, ToPrimitive, Zero};

fn plan(problem: &Problem, domain: Domain, n: u64, m: usize) -> Result<Plan, Trouble> {
    let asked = GaussianProcess {
        budget: budget("1", "1e-6")?,
        coordinates: m,
    };
    let sensitivity = problem.sensitivity(domain, n)?;
    Ok(asked.plan(&sensitivity, &problem.kernel().on(domain)?)?)
}

/// `jt13.gp.online`
pub(super) fn online(check: &mut Check) -> Result<(), Trouble> {
    certificate(check)?;
    whitening_in_floats(check)?;
    sensitivity(check)?;
    sessions(check)?;
    accuracy(check)?;
    super::edges::own_norm(check)?;
    super::edges::gaussian_process_fails(check)?;
    twins::path(check)
}

/// Vectors that are not nearly orthonormal are not taken.
fn certificate(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "unit vectors of nine dimensions, and one more that leans towards eight of them or towards one; a kernel of degree 12 \
         at 33 points of the line: the matrix of inner products of what is taken, by the definition of the kernel",
    );
    let kernel = Kernel::Linear.on(integers(10, 1)?)?;
    let kappa = ratio(1, 1 << KAPPA_BITS);
    let axis = |j: usize| {
        let mut z = vec![0; j + 1];
        z[j] = 1;
        Point::dense(&z)
    };
    let steps = |number: Rational| {
        let step = BigInt::one() << coordinates::BITS;
        (number * step).to_integer()
    };
    let first = |count: usize| {
        let mut all = Coordinates::new(kernel.clone(), 10, BigInt::one() << 100);
        let added = (0..count).all(|j| {
            let expanded = all.expand(&axis(j));
            all.add(&expanded)
        });
        (all, added)
    };
    // The next axis, leaning towards the first ones by these parts of kappa.
    let leaning = |all: &mut Coordinates, parts: &[Rational]| {
        let expanded = all.expand(&axis(all.count()));
        let mut weights: Vec<BigInt> = parts.iter().map(|part| steps(part * &kappa)).collect();
        weights.resize(all.count(), BigInt::zero());
        weights.push(steps(integer(1)));
        all.add_vector(&expanded, weights)
    };
    for (name, parts, taken) in [
        ("a ninth of kappa to each", vec![ratio(1, 9); 8], true),
        ("a seventh of kappa to each", vec![ratio(1, 7); 8], false),
        (
            "1.1 kappa to the last of eight",
            {
                let mut parts = vec![integer(0); 8];
                parts[7] = ratio(11, 10);
                parts
            },
            false,
        ),
        ("to no one", vec![], true),
    ] {
        let (mut all, added) = first(8);
        check.holds(
            added && leaning(&mut all, &parts) == taken,
            format_args!("a unit vector that leans {name}"),
        );
    }
    // Two that lean by .6 kappa towards the same one: then its own row has 1.2 kappa.
    let (mut all, _) = first(1);
    let towards = [ratio(6, 10)];
    check.holds(
        leaning(&mut all, &towards) && !leaning(&mut all, &towards),
        "two vectors that lean towards a third",
    );
    orthonormal(check)
}

/// A kernel of degree 12 on the line, whose values are rounded, and 33 points between -1/2 and 1/2.
fn line() -> Result<(Plain, Domain, Vec<Point>), Trouble> {
    let kernel = Plain {
        degree: 12,
        offset: 1 << 10,
    };
    let domain = Domain::new(grid(5)?, 1, 16)?;
    let points = (-16..=16).map(|x| Point::dense(&[x])).collect();
    Ok((kernel, domain, points))
}

/// What is taken is nearly orthonormal for the kernel without rounding, in rationals.
fn orthonormal(check: &mut Check) -> Result<(), Trouble> {
    let (kernel, domain, points) = line()?;
    let shipped = kernel.shipped().on(domain)?;
    let mut all = Coordinates::new(shipped, points.len(), BigInt::one() << 100);
    for z in &points {
        let expanded = all.expand(z);
        all.add(&expanded);
    }
    let unit = Rational::new(BigInt::one(), BigInt::one() << (10 * kernel.degree));
    let gram: Vec<Vec<Rational>> = {
        let value = |x: &Point, z: &Point| kernel.value(x, z) * &unit;
        let row = |x: &Point| all.points().iter().map(|z| value(x, z)).collect();
        all.points().iter().map(row).collect()
    };
    let vector = |j: usize| -> Vec<Rational> {
        let mut weights: Vec<Rational> = all.weights(j).iter().map(coordinates::value).collect();
        weights.resize(all.count(), integer(0));
        weights
    };
    let vectors: Vec<Vec<Rational>> = (0..all.count()).map(vector).collect();
    let image = |weights: &[Rational]| -> Vec<Rational> {
        let dot = |row: &Vec<Rational>| row.iter().zip(weights).map(|(a, b)| a * b).sum();
        gram.iter().map(dot).collect()
    };
    let images: Vec<Vec<Rational>> = vectors.iter().map(|weights| image(weights)).collect();
    let mut worst = integer(0);
    for (i, weights) in vectors.iter().enumerate() {
        let mut off = integer(0);
        for (j, image) in images.iter().enumerate() {
            let product: Rational = weights.iter().zip(image).map(|(a, b)| a * b).sum();
            off += (product - integer(u8::from(i == j))).abs();
        }
        worst = worst.max(off);
    }
    check.holds(
        worst <= ratio(1, 1 << KAPPA_BITS) && all.count() >= 5,
        format_args!(
            "{} coordinates, the worst row is off by {worst}",
            all.count()
        ),
    );
    check.figure(
        "degree 12 on the line, 33 points: coordinates, worst row",
        format_args!("{}, {}", all.count(), to_scientific(&worst, 3)),
    );
    Ok(())
}

/// Gram and Schmidt's vectors by Cholesky's method in floats, as one would write it, are not all taken.
#[allow(clippy::float_arithmetic)]
fn whitening_in_floats(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "(x y + 1)^2 at 1000, 1001 and 1002 in steps of 2^-12, whose values are exact: whitened by the code, and in floats without \
         a floor",
    );
    let kernel = Kernel::Polynomial {
        degree: 2,
        offset: 1 << 24,
    };
    let shipped = kernel.on(Domain::new(grid(12)?, 1, 1 << 12)?)?;
    let points = [1000, 1001, 1002].map(|x| Point::dense(&[x]));
    let mut all = Coordinates::new(shipped.clone(), points.len(), BigInt::one() << 160);
    for z in &points {
        let expanded = all.expand(z);
        check.holds(all.add(&expanded), format_args!("{z:?} is a coordinate"));
    }
    let value = |i: usize, j: usize| {
        let value = shipped.value(&points[i], &points[j]);
        value.to_f64().unwrap_or_default() / 2f64.powi(48)
    };
    // K = L L^T, and the rows of the inverse of L.
    let n = points.len();
    let mut lower = vec![vec![0f64; n]; n];
    let mut inverse: Vec<Vec<f64>> = Vec::new();
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            lower[i][j] = if i == j {
                (value(i, i) - sum).abs().max(f64::MIN_POSITIVE).sqrt()
            } else {
                (value(i, j) - sum) / lower[j][j]
            };
        }
        let mut row = vec![0f64; n];
        row[i] = 1.0;
        for (before, factor) in inverse.iter().zip(&lower[i]) {
            for (c, other) in row.iter_mut().zip(before) {
                *c -= factor * other;
            }
        }
        inverse.push(row.iter().map(|c| c / lower[i][i]).collect());
    }
    let mut all = Coordinates::new(shipped.clone(), n, BigInt::one() << 160);
    let mut taken = 0;
    for (z, row) in points.iter().zip(&inverse) {
        let expanded = all.expand(z);
        let steps = |c: &f64| BigInt::from_f64(c * 2f64.powi(64)).unwrap_or_default();
        let weights = row[..=all.count()].iter().map(steps).collect();
        if !all.add_vector(&expanded, weights) {
            break;
        }
        taken += 1;
    }
    check.holds(
        taken == n - 1,
        format_args!("{taken} of {n} vectors are taken"),
    );
    check.figure(
        "vectors whitened in floats that are taken",
        format_args!("{taken} of {n}"),
    );
    Ok(())
}

/// `D'` has room for the vectors' norms, for what predictions are off by, and for rounding.
fn sensitivity(check: &mut Check) -> Result<(), Trouble> {
    check.certified("D' beside its parts: 8 and 1000 coordinates, an exact and a rounded kernel");
    let near = near()?;
    let far = (integers(2, 3)?, CUBIC.shipped());
    for (domain, kernel) in [near, far] {
        let problem = Problem::new(Loss::Hinge, kernel, ratio(1, 100))?;
        let stated = problem.sensitivity(domain, 1_000_000)?;
        for m in [8, 1000] {
            let plan = plan(&problem, domain, 1_000_000, m)?;
            let root = Enclosure::integer(m, BITS).sqrt()?;
            let of = |number: &Rational| Enclosure::of(number, BITS);
            let moved = of(&stated.squared_vectors()).sqrt()?;
            // sqrt(1 + kappa) D + 2 sqrt(m) A eta + gamma sqrt(m)
            let longest_vector = of(&ratio((1 << KAPPA_BITS) + 1, 1 << KAPPA_BITS)).sqrt()?;
            let evaluation = plan.longest() * &stated.evaluation * integer(2);
            let needed = moved * longest_vector + &root * of(&(evaluation + plan.step()));
            let needed = needed.squared().upper();
            check.attained(
                format_args!(
                    "{m} coordinates, eta = {}: D'^2",
                    shortly(&stated.evaluation)
                ),
                &needed,
                plan.squared_sensitivity(),
            );
        }
    }
    Ok(())
}

/// A fine grid, on which queries are nearly dependent and the kernel's values are rounded.
fn near() -> Result<(Domain, Kernel), Trouble> {
    let kernel = Kernel::Polynomial {
        degree: 3,
        offset: 1 << 18,
    };
    Ok((Domain::new(grid(9)?, 2, 512)?, kernel))
}

/// A session whose queries are chosen by the answers: of those that are left, the first after an answer that is not
/// negative, otherwise the last. After every fifth query it is stopped and started again.
fn session(
    data: &Dataset,
    problem: &Problem,
    plan: &Plan,
    queries: &[Point],
    coins: &mut Meter,
) -> Result<Vec<Answer>, KernelError> {
    let optimum = fit(data, problem)?;
    let mut session = Session::open(&optimum, plan.clone(), coins);
    let mut answers: Vec<Answer> = Vec::new();
    let mut left = queries;
    while let ([first, others @ ..], [before @ .., last]) = (left, left) {
        let negative = answers
            .last()
            .is_some_and(|answer| answer.value.is_negative());
        let query = if negative { last } else { first };
        left = if negative { before } else { others };
        if answers.len() % 10 == 8 {
            let released: Vec<(Point, BigInt)> = session
                .released()
                .map(|(z, noisy)| (z.clone(), noisy.clone()))
                .collect();
            session = Session::resume(&optimum, plan.clone(), released)?;
        }
        answers.push(session.answer(query, coins)?);
        // A query that is repeated draws nothing.
        answers.push(session.answer(query, coins)?);
    }
    Ok(answers)
}

/// Whole sessions at full size.
fn sessions(check: &mut Check) -> Result<(), Trouble> {
    let most = if check.quick() { 1 } else { 4 };
    check.certified(format_args!(
        "sessions metered, 10^6 records at up to two points, one label turned, epsilon = 1, delta = 1e-6: queries chosen by \
         the answers and repeated, all points of a coarse grid, more than there may be coordinates, and points of a fine \
         grid that are nearly dependent, stopped and started again every fifth query, up to {most} pairs, outcomes drawn and \
         steered"
    ));
    const N: u64 = 1_000_000;
    let coarse = integers(2, 3)?;
    let all = super::coefficients::ball(coarse);
    let pairs = |domain: Domain, here: [i32; 2], there: [i32; 2]| {
        let apart = [record(&here, 1), record(&there, -1)];
        super::coefficients::pairs(domain, N, &apart, most)
    };
    let problem = Problem::new(Loss::Linear, CUBIC.shipped(), ratio(1, 100))?;
    for m in [7, 10] {
        let name = format!("coarse grid, m = {m}");
        family(
            check,
            &name,
            (&problem, m),
            &pairs(coarse, [3, 0], [-1, 2])?,
            &all,
        )?;
    }
    let (fine, kernel) = near()?;
    let queries: Vec<Point> = [
        [512, 0],
        [511, 0],
        [511, 1],
        [510, 2],
        [509, -3],
        [508, 4],
        [505, 9],
    ]
    .iter()
    .map(|z| Point::dense(z))
    .collect();
    let problem = Problem::new(Loss::Linear, kernel, ratio(1, 100))?;
    family(
        check,
        "fine grid",
        (&problem, 8),
        &pairs(fine, [512, 0], [0, 100])?,
        &queries,
    )
}

fn family(
    check: &mut Check,
    name: &str,
    (problem, m): (&Problem, usize),
    pairs: &[(Dataset, Dataset)],
    queries: &[Point],
) -> Result<(), Trouble> {
    let (budget, data) = (budget("1", "1e-6")?, &pairs[0].0);
    let plan = plan(problem, data.domain(), data.size(), m)?;
    let learner = |data: &Dataset, coins: &mut Meter| session(data, problem, &plan, queries, coins);
    let mut added = 0;
    check.family(name, &[], |family| {
        for (number, (first, second)) in (0..).zip(pairs) {
            let steered = (ChaCha::reproducible(5, number), 6);
            let answers = family.drawn_and_steered(learner, (first, second), steered, &budget)?;
            added = answers.iter().filter(|answer| answer.added).count();
        }
        Ok(())
    })?;
    check.holds(added > 3, format_args!("{name}: {added} coordinates"));
    check.figure(format_args!("{name}: coordinates"), added);
    Ok(())
}

/// Every answer beside the prediction without noise, when the noise is far below all else.
fn accuracy(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "2^24 records, the hinge loss with a solver, cubic kernel, all points of the grid of radius 3, with as many coordinates \
         as there are dimensions and with fewer: the errors of the answers beside their bound",
    );
    let domain = integers(2, 3)?;
    let queries = super::coefficients::ball(domain);
    let problem = Problem::new(Loss::Hinge, CUBIC.shipped(), ratio(1, 100))?;
    let records: [(Record, u64); 2] = [
        (record(&[2, -1], 1), 1 << 23),
        (record(&[0, 3], -1), 1 << 23),
    ];
    let data = Dataset::new(domain, records)?;
    let optimum = fit(&data, &problem)?;
    let stated = problem.sensitivity(domain, data.size())?;
    let norm = problem.norm_bound(domain)?;
    for m in [4, 10] {
        let plan = plan(&problem, domain, data.size(), m)?;
        let mut coins = ChaCha::reproducible(6, 0);
        let mut session = Session::open(&optimum, plan.clone(), &mut coins);
        let deviation = plan.variance() * &stated.squared_bound * ratio(513, 512);
        let failure = ratio(1, 1_000_000_000);
        let noise = bounds::at_fixed_points(&deviation, queries.len() as u64, &failure)?;
        // gamma sqrt(m) |u|/2, and nothing for the solver: the predictions are those of its vector.
        let rounding = plan.step() * plan.step() * integer(m) * &stated.squared_bound;
        let rounding = Enclosure::of(&(rounding * ratio(513, 2048)), BITS).sqrt()?;
        let within = noise + rounding.upper();
        let mut largest = integer(0);
        for z in &queries {
            let answer = session.answer(z, &mut coins)?;
            let error = (answer.value - optimum.prediction(z)).abs();
            let beyond = (&error - &within).max(integer(0));
            let allowed = &norm * &norm * answer.squared_rest;
            check.holds(
                &beyond * &beyond <= allowed + ratio(1, 1 << 60),
                format_args!("m = {m}, {z:?}: off by {error}"),
            );
            largest = largest.max(error);
        }
        check.holds(
            session.left() == 0 && (m < 10 || largest <= within),
            format_args!("m = {m}: largest error {largest}"),
        );
        check.figure(
            format_args!("m = {m}: largest error, bound in the span"),
            format_args!(
                "{}, {}",
                to_scientific(&largest, 3),
                to_scientific(&within, 3)
            ),
        );
    }
    Ok(())
}

/// `jt13.gp.adaptive`
pub(super) fn adaptive(check: &mut Check) -> Result<(), Trouble> {
    super::edges::theorem_8(check)?;
    check.certified(
        "two draws of variance 4, 9, 25: the first moves by 1, 2 or 3, and the second, after an outcome above the middle, by 3: squared \
         distances 10, 13, 18; epsilon = 1/4, 1, 2; both directions",
    );
    for variance in [4, 9, 25] {
        let law = DiscreteGaussian::new(integer(variance))?;
        for (first, squared) in [(1, 10), (2, 13), (3, 18)] {
            for epsilon in ["0.25", "1", "2"] {
                let epsilon = parse(epsilon)?;
                let found = delta_of_path(&law, (first, 3), &epsilon, false)?;
                let reverse = delta_of_path(&law, (first, 3), &epsilon, true)?;
                let bound = discrete_gaussian::delta(
                    &integer(variance),
                    &BigInt::from(squared),
                    2,
                    &epsilon,
                )?;
                let instance = format!("variance {variance}, squared distance {squared}");
                check.holds(
                    found.upper() <= bound && reverse.upper() <= bound,
                    format_args!("{instance}, epsilon = {epsilon}: {found}, {reverse}"),
                );
                if epsilon == integer(1) {
                    check.figure(
                        format_args!("{instance}: delta of the path, certified"),
                        format_args!("{found}, {}", to_scientific(&bound, 4)),
                    );
                }
            }
        }
    }
    Ok(())
}

/// The delta of a path: the first integer differs by `first`; after an outcome above 0 the second differs by `second`,
/// otherwise by nothing. Of the first dataset against the second, or the reverse.
fn delta_of_path(
    law: &DiscreteGaussian,
    (first, second): (i64, i64),
    epsilon: &Rational,
    reverse: bool,
) -> Result<Enclosure, Trouble> {
    const REACH: i64 = 40;
    let mass = |k: i64| law.pmf(&k.into(), BITS);
    let masses: Result<Vec<Enclosure>, _> = (-2 * REACH..=2 * REACH).map(mass).collect();
    let masses = masses?;
    let at = |k: i64| &masses[(k + 2 * REACH) as usize];
    let factor = Enclosure::exp_of(epsilon, BITS)?;
    let zero = Enclosure::integer(0, BITS);
    // What is left out, of the first law.
    let beyond = law.upper_tail(&(REACH - 8).into(), BITS)?;
    let mut delta = beyond.shifted(2);
    for y in -REACH..=REACH {
        // The outcome y, and then z, on either dataset.
        let ordered = |one, other| if reverse { (other, one) } else { (one, other) };
        let (p, q) = ordered(at(y - first), at(y));
        let q = &factor * q;
        if y <= 0 {
            delta = delta + (p - &q).max(&zero);
            continue;
        }
        for z in -REACH..=REACH {
            let (of_p, of_q) = ordered(at(z - second), at(z));
            let gap = p * of_p - &q * of_q;
            delta = delta + gap.max(&zero);
        }
    }
    Ok(delta)
}
