//! The Gibbs learner on public candidates: its law, its privacy, its prior and its bound.

use super::pairs;
use super::{BITS, of, of_the_coins};
use crate::claim::{Check, Trouble};
use crate::common::shares;
use dp_assay::coins::{ChaCha, Coins, CoinsError, Explorer, Law, Layer, Meter};
use dp_assay::geometry::Record;
use dp_assay::margin::bounds::GibbsRun;
use dp_assay::margin::gibbs::{Candidates, PRIOR_VARIANCE, learn};
use dp_assay::margin::{Dataset, Domain};
use dp_assay::number::rational::{integer, ratio, shortly};
use dp_assay::number::{Enclosure, Grid, Rational};
use dp_assay::sample::{DiscreteGaussian, ScoredChoice};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// `bms22.gibbs`: the learner as shipped, explored and metered.
pub(super) fn privacy(check: &mut Check) -> Result<(), Trouble> {
    super::edges::gibbs_fails(check)?;
    explored(check)?;
    metered(check)
}

/// On bits and uniform integers, all datasets of two records from six: each candidate has its probability, so that the
/// ratio for neighbours is that of the law, which is compared with `e^epsilon`.
fn explored(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "learn on every bit and uniform integer, to 2^-12: five candidates of the plane, the 36 datasets of two of six \
         records, epsilon = 1, with the probabilities by a count of their own; these on all 360 ordered pairs of neighbours",
    );
    let candidates = Candidates::new(2, vec![1, 0, 0, 1, -1, 2, -1, -3, 5, -2])?;
    let epsilon = integer(1);
    let undecided = ratio(1, 1 << 12);
    let mut laws = Vec::new();
    for data in pairs::two_of_six()? {
        let law = law_by_count(&data, &candidates, &epsilon)?;
        let found = Explorer::new(Layer::UniformBelow, 20_000)
            .until(undecided.clone())
            .explore(|coins| {
                let model = learn(&data, &candidates, &epsilon, coins);
                model.map(|model| model.chosen).map_err(of_the_coins)
            })?;
        let agree = (0..).zip(&law).all(|(k, p)| found.allows(&k, p));
        check.holds(
            found.undecided <= undecided && agree,
            format_args!("{:?}", data.records()),
        );
        laws.push(law);
    }
    let worst = pairs::largest_loss_of_two_of_six(&laws)?;
    check.attained("privacy loss on 36 datasets", &worst, &epsilon);
    Ok(())
}

/// The probability of each candidate, from the definition: `exp(-epsilon errors/2)` over their sum.
fn law_by_count(
    data: &Dataset,
    candidates: &Candidates,
    epsilon: &Rational,
) -> Result<Vec<Enclosure>, Trouble> {
    let mut weights = Vec::new();
    for w in candidates.iter() {
        let is_error = |record: &&Record| {
            let product: i64 = w
                .iter()
                .zip(&record.features)
                .map(|(&w, x)| i64::from(w) * x)
                .sum();
            product == 0 || (product > 0) != record.positive
        };
        let errors = data.records().iter().filter(is_error).count();
        let exponent = -(epsilon * BigInt::from(errors)) / BigInt::from(2);
        weights.push(Enclosure::exp_of(&exponent, BITS)?);
    }
    Ok(shares(&weights)?)
}

/// Small and at full size: one record that decides against all others, turned, and a random dataset with a record turned
/// or sent to the origin.
fn metered(check: &mut Check) -> Result<(), Trouble> {
    let n = 1000;
    check.certified(format!(
        "learn metered: 12 and {n} records on one point, all but one of them with one label, that one turned, in one and in \
         20 dimensions; {n} random records in 20 dimensions, one turned and one sent to the origin; drawn and steered \
         outcomes; the records reversed"
    ));
    let epsilon = integer(1);
    let grid = Grid::new(10)?;
    let one = grid.one();
    let two = Candidates::new(1, vec![1, -1])?;
    let many = Candidates::from_seed(5, 500, 20)?;
    for (n, candidates) in [(12, &two), (n, &many)] {
        let d = candidates.dimension();
        let mut point = vec![0; d];
        point[0] = one;
        let pair = pairs::one_against(Domain::unit_ball(grid, d)?, &point, n)?;
        meter(
            check,
            &format!("one of {n} against all others"),
            candidates,
            &epsilon,
            &[pair],
        )?;
    }
    let pairs = pairs::random(check.seed(), n)?;
    meter(check, "random records", &many, &epsilon, &pairs)
}

fn meter(
    check: &mut Check,
    name: &str,
    candidates: &Candidates,
    epsilon: &Rational,
    pairs: &[(Dataset, Dataset)],
) -> Result<(), Trouble> {
    let learner = |data: &Dataset, coins: &mut Meter| learn(data, candidates, epsilon, coins);
    pairs::metered(check, name, epsilon, learner, pairs, 1, &[])
}

/// `bms22.gibbs.prior`: the discrete Gaussian law, against a rounded normal variable.
pub(super) fn prior(check: &mut Check) -> Result<(), Trouble> {
    super::edges::candidates(check)?;
    check.certified(
        "v = 4, 16, 64 and 256: all |k| up to 8 standard deviations, with both tails beyond",
    );
    for v in [4u32, 16, 64, 256] {
        let law = DiscreteGaussian::new(integer(v))?;
        let deviation = Enclosure::of(&(integer(v) - ratio(1, 6)), BITS).sqrt()?;
        // Pr[z > x] for a normal variable z of variance v - 1/6.
        let upper = |x: &Rational| -> Result<Enclosure, Trouble> {
            Ok(Enclosure::of(x, BITS)
                .divided_by(&deviation)?
                .normal_upper())
        };
        let least = Enclosure::exp_of(&-ratio(1, 11 * i64::from(v)), BITS)?;
        let mut worst = Rational::zero();
        let farthest = 8 * i64::from(v.isqrt());
        for k in 0..=farthest {
            let rounded = upper(&(integer(k) - ratio(1, 2)))? - upper(&(integer(k) + ratio(1, 2)))?;
            let drawn = law.pmf(&BigInt::from(k), BITS)?;
            let loss = rounded.ln()? - drawn.ln()?;
            check.holds(
                (&rounded * &least).is_below(&drawn),
                format_args!("v = {v}, k = {k}: {rounded} against {drawn}"),
            );
            worst = worst.max(loss.upper());
        }
        let beyond = law.upper_tail(&BigInt::from(farthest + 1), BITS)?;
        let rounded = upper(&(integer(farthest) + ratio(1, 2)))?;
        check.holds(
            (rounded * least).is_below(&beyond),
            format_args!("v = {v}: the tail beyond {farthest}"),
        );
        check.attained(
            format_args!("ln(rounded/drawn), v = {v}"),
            &worst,
            &ratio(1, 11 * i64::from(v)),
        );
    }
    Ok(())
}

/// `bms22.gibbs.bound`: the first two of its three events, on drawn candidates and the law of the learner's choice.
pub(super) fn bound(check: &mut Check) -> Result<(), Trouble> {
    super::printed::gibbs(check)?;
    super::edges::candidates(check)?;
    super::edges::outside(check)?;
    let (seeds, count) = if check.quick() { (1, 6000) } else { (3, 6000) };
    check.certified(format!(
        "seeds: {seeds}, each {count} candidates in 5 dimensions, 300 records with q = 3/2 of which none or a tenth is turned, \
         epsilon = 1, beta = 1/20: how many candidates are good, and the exact probability of a worse choice"
    ));
    let run = GibbsRun {
        records: 300,
        dimension: 5,
        candidates: count,
        epsilon: integer(1),
        beta: ratio(1, 20),
    };
    // Where the grid counts: 10^8 dimensions are worth a factor of e^-.54 and a slip of 1.2.
    for (dimension, q) in [(5, ratio(3, 2)), (100_000_000, integer(1))] {
        let run = GibbsRun {
            records: 1000,
            dimension,
            candidates: 1_000_000,
            ..run.clone()
        };
        shipped_bound(check, &run, &q, &Rational::zero())?;
    }
    let q = ratio(3, 2);
    let mut least_share = None;
    let mut worst = Rational::zero();
    for seed in 0..seeds {
        let candidates = Candidates::from_seed(100 + seed, count as usize, 5)?;
        for turned in [0, 30] {
            let data = of_margin_two_thirds(seed, turned)?;
            let margin_loss = Rational::new(turned.into(), 300.into());
            let guarantee = run.guarantee(&q, &margin_loss)?;
            let Some(promised) = guarantee.training else {
                return Err(Trouble::from(CoinsError::NoOutcome));
            };
            let again = promised_by_hand(&run, &q, &margin_loss)?;
            let apart = (&again - &promised).abs() < ratio(1, 1 << 60);
            check.holds(
                apart,
                format_args!("the promise, {turned} turned: {}", shortly(&again)),
            );
            let errors = candidates.errors(&data)?;
            // 1. As many candidates as that are good.
            for tau in [integer(1), integer(2), ratio(5, 2)] {
                let share = run.good_share(&tau)?;
                let good = &margin_loss + run.lost_share(&q, &tau)? * integer(2);
                let most = (good * integer(300)).floor().to_integer();
                let found = errors.iter().filter(|e| BigInt::from(**e) <= most).count();
                let found = Rational::new(found.into(), count.into());
                check.holds(
                    found >= &share / integer(2),
                    format_args!("seed {seed}, {turned} turned, tau = {tau}: {found} of them"),
                );
                let quotient = found / share;
                least_share = Some(
                    least_share.map_or(quotient.clone(), |least: Rational| least.min(quotient)),
                );
            }
            // 2. The probability that the choice has more errors than is promised, from its law.
            let law = ScoredChoice::new(errors, &run.epsilon)?;
            let mut above = Enclosure::integer(0, BITS);
            for (score, probability) in law.law_of_the_score(BITS)? {
                if Rational::from_integer(score.into()) > &promised * integer(300) {
                    above = above + probability;
                }
            }
            worst = worst.max(above.upper());
        }
    }
    check.attained(
        "probability of a worse choice than promised",
        &worst,
        &ratio(1, 60),
    );
    if let Some(least) = least_share {
        check.figure(
            "least share of good candidates, over what is promised",
            shortly(&least),
        );
    }
    Ok(())
}

/// The shipped bound on the error on the distribution, which is not vacuous; compared with its formula.
pub(super) fn shipped_bound(
    check: &mut Check,
    run: &GibbsRun,
    q: &Rational,
    margin_loss: &Rational,
) -> Result<Rational, Trouble> {
    let guarantee = run.guarantee(q, margin_loss)?;
    let (Some(training), Some(alpha)) = (guarantee.training, guarantee.alpha) else {
        return Err(Trouble::from(CoinsError::NoOutcome));
    };
    let instance = format!("m = {}, d = {}, q = {q}", run.records, run.dimension);
    let again = promised_by_hand(run, q, margin_loss)?;
    let tiny = ratio(1, 1 << 60);
    check.holds(
        (&again - &training).abs() < tiny,
        format_args!("{instance}: the promise on the data: {}", shortly(&again)),
    );
    // R solves (R - B)^2 = 2 c R, c = ln(3N/beta)/m.
    let c = of(&(integer(3 * run.candidates) / &run.beta)).ln()?;
    let c = c * of(&integer(run.records).recip());
    let apart = of(&(&alpha - training)).squared() - (c * of(&alpha)).shifted(1);
    check.holds(
        apart.upper().abs() < tiny && apart.lower().abs() < tiny,
        format_args!("{instance}: the error on the distribution: {apart}"),
    );
    Ok(alpha)
}

/// `p + 2 T + (2/(epsilon m)) ln(6/(a beta))` with the best `tau` in sixteenths among those with `N a >= 8 ln(3/beta)`.
fn promised_by_hand(
    run: &GibbsRun,
    q: &Rational,
    margin_loss: &Rational,
) -> Result<Rational, Trouble> {
    let log = |x: Rational| of(&x).ln();
    let needed = log(integer(3) / &run.beta)? * of(&integer(8));
    let mut least: Option<Rational> = None;
    for sixteenths in 0..=80 {
        let tau = ratio(sixteenths, 16);
        // a = e^(-d/(11 v)) Phi(-tau), T = Phi(sqrt(d/(4 v - 2/3)) - tau/q).
        let grid = integer(run.dimension) / integer(11 * PRIOR_VARIANCE);
        let a = (Enclosure::exp_of(&-grid, BITS)? * of(&tau).normal_upper()).lower();
        if needed.upper() > &a * integer(run.candidates) {
            continue;
        }
        let odds = log(integer(6) / &run.beta)? - log(a)?;
        let choice = odds * of(&(integer(2) / (&run.epsilon * integer(run.records))));
        let slip = integer(run.dimension) / (integer(4 * PRIOR_VARIANCE) - ratio(2, 3));
        let lost = (of(&(tau / q)) - of(&slip).sqrt()?).normal_upper().upper();
        let whole = margin_loss + &lost + lost + choice.upper();
        least = Some(least.map_or(whole.clone(), |least| least.min(whole)));
    }
    least.ok_or_else(|| Trouble::from(CoinsError::NoOutcome))
}

/// 300 random points of the unit ball of dimension 5 with `|x_1| > 2/3`, labelled by the sign of `x_1`: for `w = e_1`,
/// `q = 3/2` at `Lambda = r = 1`; and of some of them the label turned.
pub(super) fn of_margin_two_thirds(seed: u64, turned: usize) -> Result<Dataset, Trouble> {
    let grid = Grid::new(10)?;
    let mut coins = ChaCha::reproducible(seed, 9);
    let mut records = Vec::new();
    for place in 0..300 {
        let positive = coins.bits(1)? == 1;
        // 700/1024 > 2/3, and 700^2 + 4 * 370^2 < 1024^2.
        let mut features = vec![if positive { 700 } else { -700 }];
        for _ in 0..4 {
            features.push((coins.bits(62)? % 741) as i64 - 370);
        }
        records.push(Record {
            features,
            positive: positive != (place < turned),
        });
    }
    Ok(Dataset::new(Domain::unit_ball(grid, 5)?, records)?)
}
