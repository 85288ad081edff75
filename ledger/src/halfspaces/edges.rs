//! What is out of range and what fails, and terms that usual sizes hide: coarse grids, few steps, many columns.

use super::{of, record, rows_for};
use crate::budgets::{self, budget};
use crate::claim::{Check, Trouble};
use crate::failing;
use dp_assay::coins::{ChaCha, Coins, Tape};
use dp_assay::geometry::{SignMatrix, largest_squared_norm};
use dp_assay::halfspaces::bounds::RoundedDescent;
use dp_assay::halfspaces::efficient::EfficientParameters;
use dp_assay::halfspaces::full_batch::FullBatchParameters;
use dp_assay::halfspaces::pure::{self, PureParameters};
use dp_assay::halfspaces::steps::overridden;
use dp_assay::halfspaces::{Dataset, HalfspaceError, Shape};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Grid, Rational};
use dp_assay::optimise::noisy_descent::{least_moved_by, shift};
use dp_assay::privacy::one_record_descent::OneRecordDescent;
use dp_assay::privacy::{Budget, discrete_gaussian};
use dp_assay::stats::chi_square;
use num_bigint::BigInt;

/// A matrix is drawn from as many bits as it has signs, and each bit is one sign of it. For `nuz20.lem5.corrected`.
pub(super) fn drawn_matrices(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "matrices drawn with 1, 3, 31, 32, 33, 63, 64, 65, 100, 128 and 130 columns and up to 3 rows: on bits that are all alike but one, for each of them, \
         all signs are alike but one, and each sign is that one once",
    );
    for columns in [1usize, 3, 31, 32, 33, 63, 64, 65, 100, 128, 130] {
        let rows = if columns < 40 { 3 } else { 1 };
        let signs = rows * columns;
        let drawn = |odd: Option<usize>, rest: bool| -> Result<(Vec<i64>, u64), Trouble> {
            let bits = (0..signs).map(|place| rest != (odd == Some(place)));
            let mut tape = Tape::new(bits.collect());
            let matrix = SignMatrix::random(rows, columns, &mut tape)?;
            let mut entries = Vec::new();
            for column in 0..columns {
                let axis: Vec<i64> = (0..columns).map(|k| i64::from(k == column)).collect();
                entries.extend(matrix.apply(&axis)?);
            }
            Ok((entries, tape.consumed()))
        };
        let name = format!("{rows} rows, {columns} columns");
        for rest in [false, true] {
            let (all, used) = drawn(None, rest)?;
            let alike = if rest { 1 } else { -1 };
            check.holds(
                used == signs as u64 && all.iter().all(|&sign| sign == alike),
                format_args!("{name}: {used} bits, all {rest}"),
            );
            let mut met = vec![0; signs];
            for odd in 0..signs {
                let (entries, _) = drawn(Some(odd), rest)?;
                for (count, sign) in met.iter_mut().zip(&entries) {
                    *count += i32::from(*sign != alike);
                }
            }
            check.holds(
                met.iter().all(|&count| count == 1),
                format_args!("{name}: each sign is decided by one bit"),
            );
        }
    }
    Ok(())
}

/// What rounding adds, evaluated again where each of its terms counts. For `nuz20.thm6.run`.
pub(super) fn coarse_grids(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "what rounding adds to a run of 1, 3 and 400 steps, n = 5 and 1001, m = 2 and 11, variance 3/7 and 900, grids 2^-2 to 2^-9: \
         (1/mu) (sqrt(T (n^2 + m sigma^2)) (2 e + e^2/2) + n e/2) at e = 2 ceil(sqrt m) 2^-b, evaluated again, to 20 digits",
    );
    let slip = ratio(1, 1_000_000_000) * ratio(1, 1_000_000_000) * ratio(1, 100);
    for steps in [1u64, 3, 400] {
        for (records, dimension, root) in [(5u64, 2u64, 2i64), (1001, 11, 4)] {
            for (variance, bits) in [
                (ratio(3, 7), 2),
                (ratio(3, 7), 5),
                (integer(900), 3),
                (integer(900), 9),
            ] {
                let margin = ratio(3, 11);
                let run = RoundedDescent {
                    records,
                    dimension,
                    steps,
                    margin: margin.clone(),
                    width: integer(0),
                    variance: variance.clone(),
                    bits,
                };
                let found = run.of_the_steps()?;
                let e = integer(2 * root) / integer(1u64 << bits);
                let squared =
                    integer(steps) * (integer(records).pow(2) + integer(dimension) * &variance);
                let descent = of(&squared).sqrt()? * of(&(integer(2) * &e + e.pow(2) / integer(2)));
                let average = of(&(integer(records) * &e / integer(2)));
                let whole = (descent + average) * of(&margin.recip());
                check.holds(
                    whole.lower() <= found && found <= whole.upper() * (integer(1) + &slip),
                    format_args!("T = {steps}, n = {records}, m = {dimension}, grid 2^-{bits}: {found}, and {whole} evaluated again"),
                );
            }
        }
    }
    Ok(())
}

/// A goal and a number of records, and what follows for them.
struct Asked {
    alpha: Rational,
    beta: Rational,
    gamma: Rational,
    n: usize,
    budget: Budget,
    /// `ceil(log2(8/beta))`
    runs: u32,
}

impl Asked {
    fn new([alpha, beta, gamma]: [Rational; 3], n: usize) -> Result<Self, Trouble> {
        Ok(Self {
            runs: (0..64)
                .find(|&k| integer(1u64 << k) * &beta >= integer(8))
                .unwrap_or(64),
            budget: budgets::approximate(ratio(3, 2), ratio(1, 1_000_000))?,
            alpha,
            beta,
            gamma,
            n,
        })
    }

    fn name(&self) -> String {
        let Self {
            alpha,
            beta,
            gamma,
            n,
            ..
        } = self;
        format!("alpha = {alpha}, beta = {beta}, gamma = {gamma}, n = {n}")
    }

    /// `ceil(ln(2/b)/E(kappa))`, `b = alpha beta^2/(share n)`.
    fn rows(&self, share: u64, kappa: &Rational) -> Result<usize, Trouble> {
        let failure = &self.alpha * self.beta.pow(2) / integer(share * self.n as u64);
        Ok(usize::try_from(rows_for(&failure, kappa)?.hi().ceil())?)
    }
}

/// The parameters that bear a theorem's name are the theorem's. For `nuz20.thm6.corrected` and `nuz20.thm11.corrected`.
pub(super) fn of_the_theorem(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "the parameters that the learners take of Theorems 6 and 11 for (alpha, beta, gamma) = (1/7, 1/13, 2/5) and (1/3, 1/100, 9/11), n = 101 and 50021: rows \
         ceil(ln(2/b)/E(kappa)), with b = alpha beta^2/(64 n) at kappa = gamma/100 and alpha beta^2/(32 n) at kappa = gamma/2; runs ceil(log2(8/beta)); margins; no \
         projection where d is not larger",
    );
    for goal in [
        [ratio(1, 7), ratio(1, 13), ratio(2, 5)],
        [ratio(1, 3), ratio(1, 100), ratio(9, 11)],
    ] {
        for n in [101usize, 50_021] {
            let asked = Asked::new(goal.clone(), n)?;
            let rows = asked.rows(64, &(&asked.gamma / integer(100)))?;
            of_algorithms_2_and_3(check, &asked, (rows, None))?;
            of_algorithms_2_and_3(check, &asked, (rows + 1, Some(rows)))?;
            let rows = asked.rows(32, &(&asked.gamma / integer(2)))?;
            of_full_batches(check, &asked, (rows, None))?;
            of_full_batches(check, &asked, (rows + 1, Some(rows)))?;
        }
    }
    Ok(())
}

/// In this dimension, with this projection.
fn of_algorithms_2_and_3(
    check: &mut Check,
    asked: &Asked,
    (d, projected): (usize, Option<usize>),
) -> Result<(), Trouble> {
    let Asked {
        alpha,
        beta,
        gamma,
        n,
        budget,
        runs,
    } = asked;
    let name = format!("{}, d = {d}", asked.name());
    let pure = PureParameters::from_theorem(alpha, beta, budget.epsilon(), gamma, *n, d)?;
    let tenth = gamma / integer(10);
    check.holds(
        pure.projected_dimension().value == projected
            && pure.threshold().value == tenth
            && pure.radius().value == tenth,
        format_args!("{name}: Theorem 11"),
    );
    let found = EfficientParameters::from_theorem((alpha, beta), budget.clone(), gamma, (*n, d))?;
    let (width, target) = (gamma * ratio(86, 100), gamma * ratio(96, 100));
    check.holds(
        found.steps.value == (n * n) as u64
            && found.runs.value == *runs
            && found.hinge.width == width
            && found.hinge.target == target,
        format_args!("{name}: Algorithm 3"),
    );
    let rows = found.projected_dimension.value;
    check.holds(
        rows == projected,
        format_args!("{name}: Algorithm 3: {rows:?} rows, {projected:?} by the formula"),
    );
    Ok(())
}

/// The same of F'.
fn of_full_batches(
    check: &mut Check,
    asked: &Asked,
    (d, projected): (usize, Option<usize>),
) -> Result<(), Trouble> {
    let Asked {
        alpha,
        beta,
        gamma,
        n,
        budget,
        runs,
    } = asked;
    let found = FullBatchParameters::from_theorem((alpha, beta), budget.clone(), gamma, (*n, d))?;
    let kappa = gamma / integer(2);
    let left = match projected {
        Some(_) => (gamma - &kappa) / (integer(1) + &kappa),
        None => gamma.clone(),
    };
    let rows = found.projected_dimension.value;
    check.holds(
        rows == projected && found.runs.value == *runs && found.margin == left,
        format_args!(
            "{}, d = {d}: {} runs, margin {}, {rows:?} rows, {projected:?} by the formula",
            asked.name(),
            found.runs.value,
            found.margin
        ),
    );
    Ok(())
}

/// The noise of a plan is certified for its dimension. For `nuz20.alg3.corrected`.
pub(super) fn noise_of_a_plan(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "plans for n = 2 and 3 on a grid of halves, 2, 3 and 9 dimensions, with and without projection, k = 3, epsilon = 150 and 40: a gradient of m coordinates keeps the \
         step's (epsilon, delta) by the certificate for m, and with 1/1000 less noise not",
    );
    let grid = Grid::new(1)?;
    let mut differ = 0;
    for (epsilon, delta) in [(integer(150), ratio(1, 50)), (integer(40), ratio(1, 1000))] {
        for n in [2usize, 3] {
            for (dimension, rows) in [(2usize, None), (3, None), (9, None), (4, Some(9))] {
                let budget = budgets::approximate(epsilon.clone(), delta.clone())?;
                let mut parameters = EfficientParameters::from_theorem(
                    (&ratio(1, 2), &ratio(1, 2)),
                    budget,
                    &ratio(1, 2),
                    (n, dimension),
                )?;
                parameters.projected_dimension = overridden(rows);
                parameters.runs = overridden(3);
                let steps = 5;
                parameters.steps = overridden(steps);
                let shape = Shape {
                    records: n,
                    dimension,
                    grid,
                };
                let plan = parameters.plan(shape)?;
                let variance = plan.noise().variance().clone();
                let each = budgets::approximate(&epsilon / integer(6), &delta / integer(3))?;
                let descent = OneRecordDescent::calibrated(&each, n as u64, steps - 1)?;
                let own = descent.own_step();
                let squared = BigInt::from(2 * n as u64 * 2).pow(2);
                let m = rows.unwrap_or(dimension) as u64;
                let cost = |variance: &Rational, m: u64| {
                    discrete_gaussian::delta(variance, &squared, m, own.epsilon())
                };
                let name = format!("epsilon = {epsilon}, n = {n}, m = {m}");
                check.holds(
                    cost(&variance, m)? <= *own.delta(),
                    format_args!("{name}: variance {variance}"),
                );
                check.holds(
                    cost(&(&variance * ratio(999, 1000)), m)? > *own.delta(),
                    format_args!("{name}: less than variance {variance} is enough"),
                );
                differ += usize::from(cost(&(&variance * ratio(999, 1000)), 1)? <= *own.delta());
            }
        }
    }
    check.holds(differ > 0, "for one coordinate less would do somewhere");
    Ok(())
}

/// Whether scores may overflow is decided by what is public, and at the bound. For `nuz20.alg2.corrected`.
pub(super) fn room(check: &mut Check) -> Result<(), Trouble> {
    check.exact(
        "Algorithm 2 projected to a row, with a cover of radius 2^-16, on records of norm 1 and at the origin in 1, 600 and 4000 dimensions, and without projection in one, \
         grids 2^-20 to 2^-40: refused before a draw where m d 4^b, the largest |sqrt(m) A x|^2, is above what a score has room for, and nowhere else",
    );
    let mut seen = [0, 0, 0];
    for (dimension, rows) in [
        (1usize, None),
        (1, Some(1usize)),
        (600, Some(1)),
        (4000, Some(1)),
    ] {
        for bits in [20, 36, 38, 39, 40] {
            let grid = Grid::new(bits)?;
            let half = ratio(1, 2);
            let parameters =
                PureParameters::from_theorem(&half, &half, &integer(1), &integer(1), 2, dimension)?
                    .with_projected_dimension(rows)?
                    .with_radius(ratio(1, 1 << 16))?;
            let cover = parameters.cover(dimension)?;
            let gain = rows.map_or(1, |m| m as u128 * dimension as u128);
            let fits = gain << (2 * bits) <= largest_squared_norm(&cover);
            // Where the factor d decides.
            seen[2] += usize::from(!fits && 1 << (2 * bits) <= largest_squared_norm(&cover));
            seen[usize::from(fits)] += 1;
            for size in [grid.one(), 0] {
                let mut far = vec![0; dimension];
                far[0] = size;
                let data = Dataset::new(
                    grid,
                    dimension,
                    vec![record(&far, true), record(&far, false)],
                )?;
                let mut coins = ChaCha::reproducible(1, 0);
                let found = pure::learn(&data, &parameters, &mut coins);
                let refused = matches!(found, Err(HalfspaceError::Overflow { .. }));
                check.holds(
                    refused != fits && found.is_ok() == fits && (fits || coins.consumed() == 0),
                    format_args!("d = {dimension}, {rows:?} rows, grid 2^-{bits}, records of {size} steps: refused: {refused}"),
                );
            }
        }
    }
    check.holds(
        seen.iter().all(|&count| count > 1),
        format_args!("refused, learned, and refused for d: {seen:?}"),
    );
    Ok(())
}

/// The least number that is moved so far, and one less. For `nuz20.alg-noisegd.corrected`.
pub(super) fn least_moves(check: &mut Check) -> Result<(), Trouble> {
    check.exact("gradients up to 400 at scales whose squares are 1, 4, 2, 7/3, 1/5 and 1000/7: the least that moves by 0 to 9 steps does, and one less does not");
    for squared in [
        integer(1),
        integer(4),
        integer(2),
        ratio(7, 3),
        ratio(1, 5),
        ratio(1000, 7),
    ] {
        for distance in 0..10i64 {
            let least = least_moved_by(&distance.into(), &squared);
            // v/sqrt(Q) rounded down, found by trial.
            let by_trial =
                (0..400i64).find(|v| integer(v * v) >= integer(distance * distance) * &squared);
            check.holds(
                by_trial.map(BigInt::from) == Some(least.clone()),
                format_args!("Q = {squared}, {distance} steps: {least}"),
            );
            let moved = shift(&least, &squared);
            let less = shift(&(&least - 1), &squared);
            check.holds(
                moved >= distance.into() && (distance == 0 || less < distance.into()),
                format_args!("Q = {squared}: {least} is moved by {moved}"),
            );
        }
    }
    Ok(())
}

/// Tails of chi-square at few bits contain those at many. For `nuz20.lem4`.
pub(super) fn tails(check: &mut Check) -> Result<(), Trouble> {
    check.certified("both tails of chi-square of 1 to 60 degrees at 8 places each, at 12, 20 and 40 bits: the enclosures contain those at 256 bits");
    for degrees in (1..=60).step_by(7) {
        for eighth in 1..=8i64 {
            let x = ratio(i64::try_from(degrees)? * eighth, 4);
            let at = |bits: u32| Enclosure::of(&x, bits);
            let sharp = [
                chi_square::lower_tail(degrees, &at(256))?,
                chi_square::upper_tail(degrees, &at(256))?,
            ];
            for bits in [12, 20, 40] {
                // The argument itself, without rounding.
                let wide = at(256).with_bits(bits);
                let few = [
                    chi_square::lower_tail(degrees, &wide)?,
                    chi_square::upper_tail(degrees, &wide)?,
                ];
                let within = few
                    .iter()
                    .zip(&sharp)
                    .all(|(few, sharp)| few.lo() <= sharp.lo() && sharp.hi() <= few.hi());
                check.holds(
                    within,
                    format_args!(
                        "{degrees} degrees, x = {x}, {bits} bits: {} and {}",
                        few[0], few[1]
                    ),
                );
            }
        }
    }
    Ok(())
}

/// Three records in the plane.
fn data() -> Result<Dataset, Trouble> {
    let grid = Grid::new(4)?;
    let records = vec![
        record(&[16, 0], true),
        record(&[-3, 11], false),
        record(&[5, 9], true),
    ];
    Ok(Dataset::new(grid, 2, records)?)
}

/// Algorithm 2 on coins that fail. For `nuz20.alg2`.
pub(super) fn pure_fails(check: &mut Check) -> Result<(), Trouble> {
    let parameters =
        PureParameters::from_theorem(&ratio(1, 2), &ratio(1, 2), &integer(1), &ratio(1, 2), 3, 2)?
            .with_projected_dimension(Some(2))?
            .with_radius(ratio(1, 5))?;
    let data = data()?;
    failing::learner(check, "Algorithm 2", |coins| {
        pure::learn(&data, &parameters, coins)
    })
}

/// Algorithm 3 on coins that fail. For `nuz20.alg3.corrected`.
pub(super) fn efficient_fails(check: &mut Check) -> Result<(), Trouble> {
    let data = data()?;
    let mut parameters = EfficientParameters::from_theorem(
        (&ratio(1, 2), &ratio(1, 2)),
        budget("1", "1e-6")?,
        &ratio(1, 2),
        (3, 2),
    )?;
    parameters.projected_dimension = overridden(Some(3));
    let plan = parameters.plan(data.shape())?;
    failing::learner(check, "Algorithm 3", |coins| plan.learn(&data, coins))
}

/// F' on coins that fail. For `nuz20.full-batch`.
pub(super) fn full_batch_fails(check: &mut Check) -> Result<(), Trouble> {
    let data = data()?;
    let mut parameters = FullBatchParameters::from_theorem(
        (&ratio(1, 2), &ratio(1, 2)),
        budget("1", "1e-6")?,
        &ratio(1, 2),
        (3, 2),
    )?;
    parameters.projected_dimension = overridden(Some(3));
    parameters.steps = Some(9);
    let plan = parameters.plan(data.shape())?;
    failing::learner(check, "F'", |coins| plan.learn(&data, coins))
}
