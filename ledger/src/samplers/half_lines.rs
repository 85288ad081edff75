//! What scores of many runs prove: the probabilities of all half-lines at once.

use super::scores::{choose, laws_in_steps};
use crate::claim::{Check, Trouble};
use dp_assay::number::Rational;
use dp_assay::number::rational::{from_f64, integer, ratio, shortly};
use dp_assay::stats::clopper_pearson;
use dp_assay::stats::order_band::{OrderBand, crossing};
use num_traits::Zero;

/// All ways in which so many variables fall into fourths of [0, 1]: in how many some order statistic is below its bound, in fourths.
fn crossings(bounds: &[i64]) -> u64 {
    let crosses = |ways: &u64| {
        let mut fourths: Vec<i64> = (0..bounds.len())
            .map(|i| (ways >> (2 * i) & 3) as i64)
            .collect();
        fourths.sort_unstable();
        fourths
            .iter()
            .zip(bounds)
            .any(|(fourth, bound)| fourth < bound)
    };
    (0..4u64.pow(bounds.len() as u32)).filter(crosses).count() as u64
}

/// The probability of a crossing, of all bounds in fourths.
fn fourths(check: &mut Check) -> Result<(), Trouble> {
    check.exact("all bounds in fourths on up to 4 variables: every way in which the variables fall into fourths");
    for trials in 1..=4usize {
        for code in 0..4i64.pow(trials as u32) {
            let bounds: Vec<i64> = (0..trials).map(|i| code >> (2 * i) & 3).collect();
            if !bounds.is_sorted() {
                continue;
            }
            let each: Vec<Rational> = bounds.iter().map(|bound| ratio(*bound, 4)).collect();
            let found = crossing(&each)?;
            let exact = ratio(crossings(&bounds) as i64, 4i64.pow(trials as u32));
            check.holds(
                found.contains(&exact) && found.width().to_rational() < ratio(1, 1 << 40),
                format_args!("{bounds:?} fourths: {exact}, crossing {found}"),
            );
        }
    }
    Ok(())
}

/// `stats.order-band`
pub(super) fn order_band(check: &mut Check) -> Result<(), Trouble> {
    fourths(check)?;
    let most = if check.quick() { 8 } else { 12 };
    check.certified(format_args!(
        "bands of 1 to 100 outputs at levels 1/40 and 1/5: the probability of a crossing; unshared levels, which are too much"
    ));
    for level in [ratio(1, 40), ratio(1, 5)] {
        for trials in [1u64, 2, 5, 20, 100] {
            let band = OrderBand::new(trials, &level)?;
            let bounds: Vec<Rational> =
                (1..=trials as usize).map(|seen| band.lower(seen)).collect();
            let crossed = crossing(&bounds)?;
            check.holds(
                crossed.is_below_rational(&(&level + ratio(1, 1 << 40)))
                    && crossed.is_above_rational(&(&level * ratio(4, 5))),
                format_args!("{trials} outputs at {level}: {crossed}"),
            );
        }
        // Each bound at the whole level: together they are above it.
        let unshared: Result<Vec<Rational>, Trouble> = (1..=20)
            .map(|seen| Ok(from_f64(clopper_pearson::lower(20, seen, &level)?)?))
            .collect();
        let crossed = crossing(&unshared?)?;
        check.holds(
            crossed.is_above_rational(&(&level * ratio(2, 1))),
            format_args!("20 bounds at {level} each: {crossed}"),
        );
    }
    check.exact(format_args!(
        "all laws on three scores in twelfths, {most} outputs: the probability that a bound on a half-line is above it"
    ));
    let level = ratio(1, 5);
    let band = OrderBand::new(most, &level)?;
    let mut worst = Rational::zero();
    for law in laws_in_steps(3, 12) {
        let wrong = wrongly_bounded(&band, &law, most as i64);
        worst = worst.max(wrong);
    }
    check.holds(
        worst <= level,
        format_args!("of some law a bound is too high with probability {worst}"),
    );
    check.figure(
        format_args!("a bound is too high, where {level} is allowed"),
        shortly(&worst),
    );
    Ok(())
}

/// The probability that some half-line of a law on three scores has a bound above its probability.
fn wrongly_bounded(band: &OrderBand, law: &[i64], outputs: i64) -> Rational {
    let [_, middle, high] = [0, 1, 2].map(|place| ratio(law[place], 12));
    let mut wrong = Rational::zero();
    for counts in laws_in_steps(3, outputs) {
        let above = |seen: i64, probability: &Rational| band.lower(seen as usize) > *probability;
        if !above(counts[2], &high) && !above(counts[1] + counts[2], &(&middle + &high)) {
            continue;
        }
        let ways = choose(outputs as usize, counts[0] as usize)
            * choose((outputs - counts[0]) as usize, counts[1] as usize);
        let each = counts.iter().zip(law);
        wrong += each.fold(integer(ways), |product, (count, mass)| {
            product * ratio(*mass, 12).pow(*count as i32)
        });
    }
    wrong
}
