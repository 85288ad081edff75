//! The closed forms of the paper, and ours in their place, written out once more from the page at parameters that have nothing in common.

use crate::budgets;
use crate::claim::{Check, Trouble};
use dp_assay::kernels::bounds::test_dependent::{self, Setting};
use dp_assay::kernels::bounds::test_independent::Printed;
use dp_assay::kernels::bounds::{gaussian_process, noisy_answers};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, NumberError, Rational};

/// More bits than the library takes.
const BITS: u32 = 192;

type Found = Result<Enclosure, NumberError>;

fn of(value: &Rational) -> Enclosure {
    Enclosure::of(value, BITS)
}

fn whole(value: u64) -> Enclosure {
    Enclosure::integer(value, BITS)
}

/// `ln(1/x)`
fn log(x: &Rational) -> Found {
    of(&x.recip()).ln()
}

/// Which way the library rounds to 64 bits.
#[derive(Clone, Copy)]
enum Rounded {
    Up,
    Down,
}

/// A value that the library rounds to 64 bits, on the side that it says, by no more than that.
fn rounded(check: &mut Check, name: &str, way: Rounded, found: &Rational, again: &Enclosure) {
    let slip = again.upper() * ratio(1, 1 << 60);
    let right = match way {
        Rounded::Up => again.lower() <= *found && *found <= again.upper() + slip,
        Rounded::Down => *found <= again.upper() && again.lower() - slip <= *found,
    };
    check.holds(
        right,
        format_args!("{name}: {found}, and {again} where it is evaluated again"),
    );
}

/// What a round may cost. For `jt13.corA1`, `jt13.corA2`, `jt13.thm9` and `jt13.thm2`.
pub(super) fn rounds(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the losses of a round at B = 1, 7 and 1009, epsilon = 3/7 and 2, delta = 1/100003 and e^-20 or so: epsilon/(3 sqrt(B) ln(1/delta)), with 100 and ln(4/delta), and half of that, evaluated again");
    for updates in [1u64, 7, 1009] {
        for (epsilon, delta) in [
            (ratio(3, 7), ratio(1, 100_003)),
            (integer(2), ratio(3, 1_000_000_007)),
        ] {
            let budget = budgets::approximate(epsilon.clone(), delta.clone())?;
            let name = format!("B = {updates}, epsilon = {epsilon}, delta = {delta}");
            let root = whole(updates).sqrt()?;
            let (plain, four) = (log(&delta)?, of(&(integer(4) / &delta)).ln()?);
            let loss = |constant: u64, logarithm: &Enclosure| {
                of(&epsilon).divided_by(&(whole(constant) * &root * logarithm))
            };
            rounded(
                check,
                &name,
                Rounded::Down,
                &noisy_answers::closed_loss(updates, &budget)?,
                &loss(3, &plain)?,
            );
            rounded(
                check,
                &name,
                Rounded::Down,
                &noisy_answers::printed_loss(&integer(updates), &budget)?,
                &loss(100, &four)?,
            );
            rounded(
                check,
                &name,
                Rounded::Down,
                &noisy_answers::theorem_9_loss(updates, &budget)?,
                &loss(200, &four)?,
            );
        }
    }
    // Where Corollary A1 speaks: delta <= e^-5 and epsilon <= ln(1/delta)/5.
    for (epsilon, delta, right) in [
        (integer(1), ratio(1, 148), false),
        (integer(1), ratio(1, 149), true),
        (ratio(23, 10), ratio(1, 100_000), true),
        (ratio(231, 100), ratio(1, 100_000), false),
    ] {
        let found =
            noisy_answers::closed_loss(3, &budgets::approximate(epsilon.clone(), delta.clone())?)
                .is_ok();
        check.holds(
            found == right,
            format_args!("epsilon = {epsilon}, delta = {delta}: {found}"),
        );
    }
    Ok(())
}

/// How far noise takes predictions. For `jt13.gp.error` and `jt13.gp.error.adaptive`.
pub(super) fn noise(check: &mut Check) -> Result<(), Trouble> {
    check.certified("tau R sqrt(2 ln(2 T/beta)) and tau R (sqrt m + sqrt(2 ln(1/beta))) at tau^2 R^2 = 3/7 and 1009, T and m = 1, 11 and 5003, beta = 1/3 and 1/1009, evaluated again");
    for squared in [ratio(3, 7), integer(1009)] {
        for count in [1u64, 11, 5003] {
            for beta in [ratio(1, 3), ratio(1, 1009)] {
                let name = format!("tau^2 R^2 = {squared}, {count}, beta = {beta}");
                let fixed =
                    (of(&squared) * whole(2) * of(&(integer(2 * count) / &beta)).ln()?).sqrt()?;
                rounded(
                    check,
                    &name,
                    Rounded::Up,
                    &gaussian_process::at_fixed_points(&squared, count, &beta)?,
                    &fixed,
                );
                let anywhere = of(&squared).sqrt()?
                    * (whole(count).sqrt()? + (whole(2) * log(&beta)?).sqrt()?);
                rounded(
                    check,
                    &name,
                    Rounded::Up,
                    &gaussian_process::everywhere(&squared, count, &beta)?,
                    &anywhere,
                );
            }
        }
    }
    Ok(())
}

/// Settings of Algorithm 2 whose numbers have no factor in common.
fn settings() -> Result<Vec<Setting>, Trouble> {
    let setting = |lipschitz,
                   sensitivity,
                   squared_bound,
                   norm_bound,
                   epsilon,
                   delta,
                   beta|
     -> Result<Setting, Trouble> {
        Ok(Setting {
            lipschitz,
            sensitivity,
            squared_bound,
            norm_bound,
            budget: budgets::approximate(epsilon, delta)?,
            beta,
        })
    };
    Ok(vec![
        setting(
            ratio(3, 2),
            ratio(5, 1009),
            ratio(7, 3),
            ratio(11, 5),
            ratio(13, 17),
            ratio(1, 100_003),
            ratio(1, 19),
        )?,
        setting(
            ratio(2, 5),
            ratio(1, 31),
            integer(9),
            integer(101),
            integer(3),
            ratio(1, 1009),
            ratio(2, 7),
        )?,
    ])
}

/// `2 + sqrt(2 ln(1/beta))`
fn tail(beta: &Rational) -> Found {
    Ok(whole(2) + (whole(2) * log(beta)?).sqrt()?)
}

/// What the formulas of Algorithm 2 are made of, at `T` points.
struct Letters {
    t: Enclosure,
    slope: Enclosure,
    r: Enclosure,
    c0: Enclosure,
    epsilon: Enclosure,
    /// `ln(1/delta)`, `ln(2 T/beta)`, and `beta/2`.
    log: Enclosure,
    odds: Enclosure,
    half: Rational,
    /// `(S'/epsilon) sqrt(8 ln(1/delta)) ln(2 T/beta)`, and `C0 R (2 + sqrt(2 ln(2/beta)))`.
    p: Enclosure,
    q: Enclosure,
}

impl Letters {
    fn of(setting: &Setting, points: u64) -> Result<Self, NumberError> {
        let epsilon = setting.budget.epsilon();
        let half = &setting.beta / integer(2);
        let log = log(setting.budget.delta())?;
        let odds = of(&(integer(2 * points) / &setting.beta)).ln()?;
        let (r, c0) = (of(&setting.squared_bound).sqrt()?, of(&setting.norm_bound));
        Ok(Self {
            t: whole(points),
            slope: of(&setting.lipschitz),
            epsilon: of(epsilon),
            p: of(&(&setting.sensitivity / epsilon)) * (whole(8) * &log).sqrt()? * &odds,
            q: &c0 * &r * tail(&half)?,
            log,
            odds,
            half,
            r,
            c0,
        })
    }

    /// `C0 R (2 + sqrt(2 ln(1/beta)))/sqrt(T)`
    fn spread(&self, beta: &Rational) -> Found {
        (&self.c0 * &self.r * tail(beta)?).divided_by(&self.t.sqrt()?)
    }
}

/// Algorithm 2. For `jt13.thm4`, `jt13.thm5`, `jt13.thm12`, `jt13.cor6` and what stands in their place.
pub(super) fn targets(check: &mut Check) -> Result<(), Trouble> {
    check.certified("what a target may cost, the errors of Theorems 5 and 12 and the records of Corollary 6, as printed and ours, at two settings and T = 1, 13 and 2003, evaluated again");
    for setting in settings()? {
        for points in [1u64, 13, 2003] {
            let x = Letters::of(&setting, points)?;
            let name = format!("L = {}, T = {points}", setting.lipschitz);
            costs(check, &name, (&setting, points), &x)?;
            ours(check, &name, (&setting, points), &x)?;
            as_printed(check, &name, (&setting, points), &x)?;
        }
        // T is the number at which both errors are as large: p sqrt(T) = q/sqrt(T), up to a half.
        let points = setting.points()?;
        let x = Letters::of(&setting, points)?;
        let exact = x.q.divided_by(&x.p)?;
        let half = ratio(3, 4);
        let near =
            exact.upper() >= integer(points) - &half && exact.lower() <= integer(points) + half;
        check.holds(
            near || points == 1,
            format_args!("{points} points, {exact} evaluated again"),
        );
    }
    Ok(())
}

/// `epsilon/sqrt(8 T ln(1/delta))`, and `2 epsilon/(c sqrt(T ln(1/delta)))`.
fn costs(
    check: &mut Check,
    name: &str,
    (setting, points): (&Setting, u64),
    x: &Letters,
) -> Result<(), Trouble> {
    let budget = &setting.budget;
    let closed = x.epsilon.divided_by(&(whole(8) * &x.t * &x.log).sqrt()?)?;
    rounded(
        check,
        name,
        Rounded::Down,
        &test_dependent::closed_loss(points, budget)?,
        &closed,
    );
    let constant = ratio(17, 3);
    let printed = (whole(2) * &x.epsilon).divided_by(&(of(&constant) * (&x.t * &x.log).sqrt()?))?;
    rounded(
        check,
        name,
        Rounded::Down,
        &test_dependent::printed_loss(points, &constant, budget)?,
        &printed,
    );
    Ok(())
}

/// The errors and records that are proved.
fn ours(
    check: &mut Check,
    name: &str,
    (setting, points): (&Setting, u64),
    x: &Letters,
) -> Result<(), Trouble> {
    let Setting {
        lipschitz,
        sensitivity,
        squared_bound,
        norm_bound,
        budget,
        beta,
    } = setting;
    let found = test_dependent::deviation(norm_bound, squared_bound, points, beta)?;
    rounded(check, name, Rounded::Up, &found, &x.spread(beta)?);
    let (nu, gamma) = (ratio(19, 41), ratio(1, 57));
    let excess = &x.slope * (of(&nu) * &x.odds + of(&gamma) + x.spread(&x.half)?);
    rounded(
        check,
        name,
        Rounded::Up,
        &setting.excess(points, &nu, &gamma)?,
        &excess,
    );
    let (variance, rest) = (ratio(7, 43), ratio(3, 61));
    let deviation = (of(&variance) * of(&ratio(513, 512))).sqrt()? * &x.r;
    let noise = deviation * (whole(1) + (whole(2) * log(&x.half)?).sqrt()?);
    let rounding = of(&(sensitivity / integer(512)));
    let gaussian = &x.slope * (noise + rounding + &x.c0 * of(&rest).sqrt()? + x.spread(&x.half)?);
    rounded(
        check,
        name,
        Rounded::Up,
        &setting.gaussian_excess(points, &variance, &rest)?,
        &gaussian,
    );
    let balanced = &x.slope * (whole(2) * (whole(2) * &x.p * &x.q).sqrt()? + of(&gamma));
    rounded(
        check,
        name,
        Rounded::Up,
        &setting.balanced(points, &gamma)?,
        &balanced,
    );
    let (penalty, error) = (ratio(3, 71), ratio(2, 9));
    let outer = integer(97) * lipschitz.pow(4) * squared_bound.pow(2)
        / (penalty.pow(2) * budget.epsilon() * error.pow(2));
    let asked = of(&outer) * x.log.sqrt()? * tail(&x.half)? * &x.odds;
    let found = test_dependent::records(
        [lipschitz, squared_bound, &penalty, &error],
        budget,
        beta,
        points,
    )?;
    check.holds(
        found == asked.hi().ceil(),
        format_args!("{name}: {found} records, {asked} evaluated again"),
    );
    Ok(())
}

/// What is printed, with 1 for each hidden constant.
fn as_printed(
    check: &mut Check,
    name: &str,
    (setting, points): (&Setting, u64),
    x: &Letters,
) -> Result<(), Trouble> {
    let Setting {
        lipschitz,
        squared_bound,
        norm_bound,
        budget,
        beta,
        ..
    } = setting;
    let (penalty, records) = (ratio(3, 71), 100_019);
    let l_r = &x.slope * &x.r;
    let odds = of(&(integer(points) / beta)).ln()?;
    let up = &l_r * l_r.sqrt()? * (&x.c0 * x.log.sqrt()?).sqrt()? * odds;
    let again = up.divided_by(&(&x.epsilon * of(&(integer(records) * &penalty))).sqrt()?)?;
    let found = test_dependent::printed_excess(setting, &penalty, records, points)?;
    check.evaluated_again(format_args!("{name}: Theorem 5"), &found, &again);
    let lf = ratio(5, 7);
    let again = &x.c0 * &x.r * of(&lf) * log(beta)?.divided_by(&x.t)?.sqrt()?;
    let found = test_dependent::printed_deviation(norm_bound, squared_bound, &lf, points, beta)?;
    check.evaluated_again(format_args!("{name}: Theorem 12"), &found, &again);
    let error = ratio(2, 9);
    let outer = lipschitz.pow(4) * squared_bound / (error.pow(2) * budget.epsilon());
    let again = of(&outer) * &x.r * log(beta)?.squared() * x.log.sqrt()?;
    let found = test_dependent::printed_records([lipschitz, squared_bound, &error], budget, beta)?;
    check.evaluated_again(format_args!("{name}: Corollary 6"), &found, &again);
    Ok(())
}

/// Theorem 8. For its rows.
pub(super) fn theorem_8(check: &mut Check) -> Result<(), Trouble> {
    check.certified("Theorem 8 and the displays of its proof at numbers that have nothing in common, evaluated again by cubes: (value)^3 of each side");
    let x = Printed {
        lipschitz: ratio(3, 2),
        penalty: ratio(5, 97),
        records: integer(100_019),
        bound: ratio(7, 4),
        dimension: integer(13),
        of_features: integer(31),
        budget: budgets::approximate(ratio(11, 17), ratio(1, 1009))?,
        failure: ratio(1, 23),
    };
    let norm = ratio(29, 19);
    let cube = |x: &Enclosure| x * x * x;
    let (epsilon, logs) = (
        of(x.budget.epsilon()),
        of(&x.of_features).ln()? * log(&x.failure)? * log(x.budget.delta())?.squared(),
    );
    // R^3 d L^8 logs^3/((lambda^2 n)^2 epsilon^(3/2))
    let down = of(&(x.penalty.pow(2) * &x.records).pow(2)) * &epsilon * epsilon.sqrt()?;
    let up = of(&(x.bound.pow(3) * &x.dimension * x.lipschitz.pow(8))) * cube(&logs);
    check.evaluated_again(
        "the error, cubed",
        &cube(&x.error()?),
        &up.divided_by(&down)?,
    );
    // |w|^3 R^6 d L^2 logs^3/((lambda n)^2 epsilon^(3/2))
    let down = of(&(&x.penalty * &x.records).pow(2)) * &epsilon * epsilon.sqrt()?;
    let up = of(&(norm.pow(3) * x.bound.pow(6) * &x.dimension * x.lipschitz.pow(2))) * cube(&logs);
    check.evaluated_again(
        "the last display, cubed",
        &cube(&x.last_display(&norm)?),
        &up.divided_by(&down)?,
    );
    let sigma = ratio(37, 41);
    let [first, second] = x.terms(&norm, &sigma)?;
    let again = of(&(&norm * &x.bound / (integer(2) * &sigma * x.budget.epsilon())));
    check.evaluated_again("the first term", &first, &again);
    let outer = &x.dimension * x.lipschitz.pow(2) * x.bound.pow(6) * norm.pow(2)
        / (sigma.pow(2) * x.penalty.pow(2) * x.records.pow(2) * x.budget.epsilon());
    let again = of(&outer) * of(&x.of_features).ln()? * log(&x.failure)?;
    check.evaluated_again("the second term", &second, &again);
    Ok(())
}
