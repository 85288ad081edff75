//! Algorithm 3 for linear kernels: the choice without going through the net.

use super::BITS;
use super::test_independent::Linear;
use crate::budgets::budget;
use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, Coins, Explorer, Law, Layer, Meter};
use dp_assay::geometry::{LatticeCover, LinearChoice};
use dp_assay::kernels::linear_test_independent::{LinearPlan, learn};
use dp_assay::kernels::{Calibration, Dataset, TestIndependent, fit};
use dp_assay::number::rational::{integer, parse, ratio, shortly};
use dp_assay::number::{Enclosure, NumberError, Rational};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// Small covers, each with slopes.
fn small() -> Result<Vec<(LatticeCover, Vec<Rational>)>, Trouble> {
    let all = [
        ("0.34", vec![ratio(3, 4)]),
        ("0.9", vec![ratio(1, 2), ratio(-5, 3)]),
        ("0.9", vec![ratio(1, 2), ratio(0, 1), ratio(-2, 1)]),
    ];
    let mut found = Vec::new();
    for (radius, slopes) in all {
        let cover = LatticeCover::truncating(slopes.len(), &parse(radius)?)?;
        found.push((cover, slopes));
    }
    Ok(found)
}

/// The points of a cover, each with `<slopes, k>`.
fn exponents(cover: &LatticeCover, slopes: &[Rational]) -> Vec<(Vec<i64>, Rational)> {
    (0..)
        .map_while(|rank| cover.point_at(rank))
        .map(|k| {
            let products = slopes.iter().zip(&k).map(|(s, &k)| s * BigInt::from(k));
            let x = products.sum();
            (k, x)
        })
        .collect()
}

/// `jt13.tdil.linear`
pub(super) fn linear(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "three lattices in one to three dimensions: the probability of each point against cosh over the sum of all; in one and two \
         dimensions the sampler explored, bit by bit",
    );
    let (runs, left) = if check.quick() {
        (3_000, 20)
    } else {
        (8_000, 30)
    };
    for (cover, slopes) in small()? {
        let law = LinearChoice::new(cover.clone(), slopes.clone())?;
        let points = exponents(&cover, &slopes);
        let cosh = |x: &Rational| -> Result<Enclosure, NumberError> {
            let both = Enclosure::exp_of(x, BITS)? + Enclosure::exp_of(&-x, BITS)?;
            Ok(both.shifted(-1))
        };
        let mut total = Enclosure::integer(0, BITS);
        for (_, x) in &points {
            total = total + cosh(x)?;
        }
        let explored = if slopes.len() < 3 {
            let found = Explorer::new(Layer::Bits, runs).explore(|coins| law.sample(coins))?;
            check.holds(
                found.undecided < ratio(1, left),
                format_args!("{} points: {} undecided", points.len(), found.undecided),
            );
            Some(found)
        } else {
            None
        };
        for (k, x) in &points {
            let by_definition = cosh(x)?.divided_by(&total)?;
            let stated = law.pmf(k, BITS)?;
            let allowed = explored
                .as_ref()
                .is_none_or(|found| found.allows(k, &stated));
            check.holds(
                by_definition.meets(&stated) && stated.has_digits(30) && allowed,
                format_args!("{k:?}: {stated}"),
            );
        }
    }
    let dimensions: &[usize] = if check.quick() { &[2] } else { &[2, 6] };
    for &d in dimensions {
        metered(check, d)?;
    }
    if !check.quick() {
        check.exact("a draw in 54 dimensions, with a net of radius 1/2");
        let cover = LatticeCover::truncating(54, &ratio(1, 2))?;
        let slopes = (0..54).map(|j| ratio(j - 27, 100)).collect();
        let law = LinearChoice::new(cover.clone(), slopes)?;
        let drawn = ChaCha::reproducible(1, 0).draw(&law)?;
        check.holds(cover.contains(&drawn), format_args!("{drawn:?}"));
    }
    Ok(())
}

/// A label turned, on both sides of the net.
fn metered(check: &mut Check, d: usize) -> Result<(), Trouble> {
    let (n, rounds) = (10_000, 4);
    check.certified(format_args!(
        "metered, {rounds} rounds, a net of radius 1/2 in {d} dimensions, {n} records, lambda = 1/100: a label turned"
    ));
    let all = Linear::new(d, 6, ratio(1, 100), n)?;
    let asked = budget("1", "1e-6")?;
    let setting = TestIndependent {
        budget: asked.clone(),
        calibration: Calibration::Exact,
        failure: ratio(1, 20),
        norm_bound: all.problem.norm_bound(all.domain)?,
    };
    let cover = LatticeCover::truncating(d, &ratio(1, 2))?;
    // The points are among (2q + 1)^d, and cosh is at least half of the larger exponential.
    let choices = 2 * (2 * cover.denominator() + 1).pow(d as u32);
    let sensitivity = all.sensitivity()?;
    let plan = LinearPlan::new(&setting, &sensitivity, &all.kernel, cover, Some(rounds))?;
    let listed = setting.plan_of_rounds(&sensitivity, &all.kernel, choices, rounds)?;
    check.holds(
        *plan.plan() == listed,
        format_args!("d = {d}: what is as for a listed net of {choices} points"),
    );
    let data = |turned: u64| all.data(&[(&[64], 4000 - turned, turned), (&[0, 64], 3000, 3000)]);
    let (first, second) = (data(0)?, data(1)?);
    let learner = |data: &Dataset, coins: &mut Meter| {
        let w = fit(data, &all.problem)?;
        learn(&w, &plan, coins)
    };
    check.family(format_args!("d = {d}"), &[], |family| {
        family.both_orders(learner, (&first, &second), (7, 20), &asked)
    })
}

/// `jt13.thm8.linear`: how many updates the potential allows, by its recursion with equality.
pub(super) fn updates(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "C/sigma in {1, 10, 100, 1000}, g/sigma in {0, 1, 10}: updates by the recursion with equality, from a = C",
    );
    let step = ratio(3, 4);
    for distance in [1i64, 10, 100, 1000] {
        for worse in [0i64, 1, 10] {
            let count = updates_from(&integer(distance), &integer(worse), &step)?;
            let rest = integer(1) + ratio(8 * worse, 3);
            let bound = ratio(8 * distance, 3) + &rest * &rest;
            let instance = format!("C = {distance} sigma, g = {worse} sigma");
            check.holds(integer(count) <= bound, &instance);
            let by_page = ratio(16 * distance * distance, 9);
            check.figure(
                format_args!("{instance}: updates, the bound, and 16 C^2/(9 sigma^2)"),
                format_args!("{count}, {}, {}", shortly(&bound), shortly(&by_page)),
            );
        }
    }
    Ok(())
}

/// How often `a^2` can become `a^2 - 2 eta max(eta, a - g) + eta^2` before it is negative: at least as often as it is in
/// truth, by the upper ends. In units of sigma, with `eta = 3/4`.
fn updates_from(start: &Rational, worse: &Rational, eta: &Rational) -> Result<i64, Trouble> {
    let mut squared = Enclosure::of(&(start * start), BITS);
    let mut count = 0;
    loop {
        let a = squared.sqrt()?.upper();
        let least = (&a - worse).max(eta.clone());
        let next = &a * &a - eta * integer(2) * least + eta * eta;
        if next.is_negative() {
            return Ok(count);
        }
        count += 1;
        squared = Enclosure::of(&next, BITS);
    }
}

/// `jt13.sec6.linear`
pub(super) fn mixture(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "three lattices in one to three dimensions: the weights e^|x| of the points on the two sides of a hyperplane, those on it \
         half on either",
    );
    for (cover, slopes) in small()? {
        let points = exponents(&cover, &slopes);
        let zero = || Enclosure::integer(0, BITS);
        let (mut sides, mut whole) = ([zero(), zero()], zero());
        for (_, x) in &points {
            let weight = Enclosure::exp_of(&x.abs(), BITS)?;
            whole = whole + &weight;
            let half = weight.shifted(-1);
            if !x.is_negative() {
                sides[0] = &sides[0] + &half;
            }
            if !x.is_positive() {
                sides[1] = &sides[1] + &half;
            }
            if !x.is_zero() {
                let side = usize::from(x.is_negative());
                sides[side] = &sides[side] + &half;
            }
        }
        let [above, below] = &sides;
        check.holds(
            above.meets(below) && above.has_digits(30) && whole.meets(&(above + below)),
            format_args!("{} points: {above} and {below}", points.len()),
        );
        // On either side the weight is the exponential of a linear function.
        let log_linear = points.iter().all(|(k, x)| {
            let opposite: Vec<i64> = k.iter().map(|k| -k).collect();
            points.iter().any(|(l, y)| *l == opposite && *y == -x)
        });
        check.holds(log_linear, "each point goes with its opposite");
    }
    Ok(())
}
