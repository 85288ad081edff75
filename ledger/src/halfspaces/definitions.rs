//! Section 2.1: the error of a hypothesis.

use super::sample_complexity::counted_records;
use crate::claim::{Check, Trouble};
use crate::common::{dot, points_of};
use dp_assay::geometry::LatticeCover;
use dp_assay::halfspaces::Halfspace;
use dp_assay::halfspaces::pure::margin_scores;
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use num_traits::{One, Zero};

/// What a classifier says of `<w,x> = product`, if `sign(0)` is this.
fn sign(product: i64, sign_of_zero: i64) -> i64 {
    if product == 0 {
        sign_of_zero
    } else {
        product.signum()
    }
}

/// `nuz20.e3`.
pub(super) fn ties(check: &mut Check) -> Result<(), Trouble> {
    check.exact("w = 0, the records (1, +) and (1, -), sign(0) = +1 and -1");
    let records = [(1i64, 1i64), (1, -1)];
    let w = 0;
    let share = |wrong: &dyn Fn(i64, i64) -> bool| {
        let count = records.iter().filter(|(x, y)| wrong(w * x, *y)).count();
        Rational::new(count.into(), records.len().into())
    };
    let below = share(&|product, y| y * product < 0);
    let at_most = share(&|product, y| y * product <= 0);
    check.figure("Pr[y <w,x> < 0]", &below);
    for sign_of_zero in [1, -1] {
        let differs = share(&|product, y| sign(product, sign_of_zero) != y);
        check.refutes(differs > below, "w = 0 on the records (1, +) and (1, -)");
        check.figure(
            format_args!("Pr[sign(<w,x>) != y] for sign(0) = {sign_of_zero}"),
            differs,
        );
    }
    // The intended statement: sign(0) = 0 is no label, and "<" is "<=".
    let no_label = share(&|product, y| sign(product, 0) != y);
    check.holds(no_label == at_most, "sign(0) = 0, and <= for <");
    check.figure("Pr[y <w,x> <= 0]", at_most);
    Ok(())
}

/// `nuz20.e3.corrected`.
pub(super) fn ties_corrected(check: &mut Check) -> Result<(), Trouble> {
    check.exact("all triples of w and x in {-2, ..., 2}^2 and a label");
    let line = || -2..=2i64;
    let points: Vec<[i64; 2]> = line().flat_map(|x| line().map(move |y| [x, y])).collect();
    for w in &points {
        let halfspace = Halfspace {
            direction: w.to_vec(),
        };
        for x in &points {
            let product = w[0] * x[0] + w[1] * x[1];
            for y in [1, -1] {
                // What the learners and their reports count.
                let error = halfspace.predict(x)? != Some(y > 0);
                let instance = format!("w = {w:?}, x = {x:?}, y = {y}");
                check.holds(error == (y * product <= 0), &instance);
                check.holds(error == (sign(product, 0) != y), &instance);
                for sign_of_zero in [1, -1] {
                    let differs = sign(product, sign_of_zero) != y;
                    check.holds(error || !differs, &instance);
                    check.holds(product == 0 || error == differs, &instance);
                }
            }
        }
    }
    check.exact("Algorithm 2 at threshold 0: all records y x of {-2, ..., 2}^2, all points of a net of radius 1/4");
    let cover = LatticeCover::rounding(2, &ratio(1, 4))?;
    let net = points_of(&cover);
    for v in &points {
        let scores = margin_scores(&[v.to_vec()], &cover, &Rational::zero())?;
        let mut ties_and_errors = 0;
        for h in &net {
            let error = dot(h, v) <= 0;
            ties_and_errors += u64::from(error);
            check.holds(
                scores.score(h) == u64::from(error),
                format_args!("h = {h:?}, y x = {v:?}"),
            );
        }
        // As the learner counts them.
        check.holds(
            scores.counts()[1] == ties_and_errors,
            format_args!("bad points for y x = {v:?}"),
        );
    }
    Ok(())
}

/// `nuz20.normalisation`.
pub(super) fn normalised_records(check: &mut Check) -> Result<(), Trouble> {
    check.exact("w and x in {-3, ..., 3}^2, x scaled by 1 to 5: labels and relative margins");
    let line = || -3..=3i64;
    let points: Vec<[i64; 2]> = line().flat_map(|x| line().map(move |y| [x, y])).collect();
    let norm = |x: &[i64; 2]| x[0] * x[0] + x[1] * x[1];
    // <w,x>^2/(|w|^2 |x|^2)
    let margin = |w: &[i64; 2], x: &[i64; 2]| {
        let product = w[0] * x[0] + w[1] * x[1];
        Rational::new((product * product).into(), (norm(w) * norm(x)).into())
    };
    for w in points.iter().filter(|w| norm(w) > 0) {
        let halfspace = Halfspace {
            direction: w.to_vec(),
        };
        for x in points.iter().filter(|x| norm(x) > 0) {
            for factor in 1..=5 {
                let scaled = x.map(|x| x * factor);
                let same = halfspace.predict(&scaled)? == halfspace.predict(x)?;
                check.holds(
                    same && margin(w, &scaled) == margin(w, x),
                    format_args!("w = {w:?}, x = {factor} {x:?}"),
                );
            }
        }
    }
    check.certified("the records of nuz20.thm11.corrected (b) at margin gamma/R, of those at gamma: gamma in {1/2, 1/10}, R in {2, 8, 64}");
    for gamma in [ratio(1, 2), ratio(1, 10)] {
        let at_one = counted_records(&gamma)?;
        for factor in [2, 8, 64] {
            let scaled = counted_records(&(&gamma / integer(factor)))?;
            let grown = &scaled / &at_one / integer(factor * factor);
            check.holds(
                grown >= ratio(1, 2) && grown <= integer(4),
                format_args!("gamma = {gamma}, R = {factor}: {grown} R^2"),
            );
            check.figure(
                format_args!("n at gamma/R, gamma = {gamma}, R = {factor}, of R^2 n at gamma"),
                dp_assay::number::rational::to_scientific(&grown, 4),
            );
        }
    }
    Ok(())
}

/// `nuz20.footnote1`.
pub(super) fn thresholds(check: &mut Check) -> Result<(), Trouble> {
    check.exact("unit vectors w along (1, 0), (3, 4), (-5, 12), (8, -15), thresholds in eighths up to 1, records of the ball in eighths");
    let line = || -8..=8i64;
    let ball: Vec<[i64; 2]> = line()
        .flat_map(|x| line().map(move |y| [x, y]))
        .filter(|x| x[0] * x[0] + x[1] * x[1] <= 64 && *x != [0, 0])
        .collect();
    let mut nearest = Rational::zero();
    for (w, length) in [
        ([1i64, 0], 1i64),
        ([3, 4], 5),
        ([-5, 12], 13),
        ([8, -15], 17),
    ] {
        for eighths in line() {
            let theta = ratio(eighths, 8);
            let size = if eighths < 0 { -&theta } else { theta.clone() };
            for x in &ball {
                let value =
                    Rational::new((w[0] * x[0] + w[1] * x[1]).into(), (8 * length).into()) + &theta;
                let squared = Rational::new((x[0] * x[0] + x[1] * x[1]).into(), 64.into());
                // The margin relative to |w| |x|, and that of [w, theta] on [x, 1].
                let gamma = value.pow(2) / &squared;
                let lifted = value.pow(2)
                    / ((Rational::one() + theta.pow(2)) * (Rational::one() + &squared));
                // gamma min(1, |x|)/(2 + 2 |theta|)
                let printed = &gamma * &squared / (integer(2) * (Rational::one() + &size)).pow(2);
                let instance = format!("w = {w:?}/{length}, theta = {theta}, x = {x:?}/8");
                check.holds(lifted >= printed, &instance);
                // gamma |x|/sqrt(2 (1 + theta^2))
                let sharp = &gamma * &squared / (integer(2) * (Rational::one() + theta.pow(2)));
                check.holds(lifted >= sharp, &instance);
                if !lifted.is_zero() {
                    nearest = nearest.max(sharp / lifted);
                }
            }
        }
    }
    check.attained(
        "squared margin gamma^2 |x|^2/(2 (1 + theta^2)), of that of the lifted record",
        &nearest,
        &Rational::one(),
    );
    Ok(())
}
