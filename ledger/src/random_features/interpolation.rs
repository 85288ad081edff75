//! Equations (4) and (5): the interpolation of least norm, and the ridge that comes to it.

use super::instances::{x1, x2, x7};
use super::{all_second_rows, list, second, squared_distance};
use crate::claim::{Check, Trouble};
use dp_assay::number::rational::{integer, ratio, to_scientific_above};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::OptimiseError;
use dp_assay::optimise::exact::{
    Complex, combination, difference, gram, inverse_gram_diagonal, minimum_norm, predictions,
    product, reals, ridge, solve, squared_norm,
};
use num_bigint::BigInt;
use num_traits::{One, Zero};

const BITS: u32 = 128;

pub(super) fn equation_4(check: &mut Check) -> Result<(), Trouble> {
    let n = if check.quick() { 3 } else { 5 };
    check.exact(format_args!(
        "all two-row matrices of {n} quarter turns with an inverse Gram matrix, up to a phase of each column, labels (3/5, 4/5)"
    ));
    let labels = reals(&[ratio(3, 5), ratio(4, 5)]);
    let (mut regular, mut singular) = (0, 0);
    for rows in all_second_rows(n) {
        let c = match minimum_norm(&rows, &labels) {
            Ok(c) => c,
            // The rows are one up to a phase: no inverse.
            Err(OptimiseError::Singular | OptimiseError::Conflict { .. }) => {
                singular += 1;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        regular += 1;
        // 1. It interpolates.
        check.holds(
            predictions(&rows, &c) == labels,
            format_args!("A c = y for the second row {}", second(&rows)),
        );
        // 2. Every other interpolation is longer: for each axis e, v = e - A* G^-1 A e is in the kernel of A,
        //    and |c + v|^2 = |c|^2 + |v|^2. These v span the kernel.
        for axis in 0..rows[0].len() {
            let mut e = vec![Complex::zero(); rows[0].len()];
            e[axis] = Complex::quarter_turns(0);
            let inside = combination(&rows, &solve(&gram(&rows), &predictions(&rows, &e))?);
            let v = difference(&e, &inside);
            check.holds(
                predictions(&rows, &v).iter().all(Complex::is_zero),
                format_args!(
                    "{} in the kernel for the second row {}",
                    list(&v),
                    second(&rows)
                ),
            );
            let sum: Vec<Complex> = c.iter().zip(&v).map(|(c, v)| c + v).collect();
            check.holds(
                squared_norm(&sum) == squared_norm(&c) + squared_norm(&v),
                format_args!(
                    "c and {} orthogonal for the second row {}",
                    list(&v),
                    second(&rows)
                ),
            );
        }
        // 3. Removal of the second record: an orthogonal increment of known length.
        let fewer = minimum_norm(&rows[..1], &labels[..1])?;
        let residual = &labels[1] - &product(&rows[1], &fewer);
        let length = residual.squared() * inverse_gram_diagonal(&rows, 1)?;
        check.holds(
            squared_norm(&c) == squared_norm(&fewer) + &length
                && squared_distance(&c, &fewer) == length,
            format_args!(
                "removal of the second row {}: increment {length}",
                second(&rows)
            ),
        );
        // 4. A label swap: its change squared times (G^-1)_22.
        let swapped = minimum_norm(&rows, &reals(&[ratio(3, 5), ratio(-4, 5)]))?;
        let change = ratio(64, 25) * inverse_gram_diagonal(&rows, 1)?;
        check.holds(
            squared_distance(&c, &swapped) == change,
            format_args!(
                "label 4/5 for -4/5 at the second row {}: {change}",
                second(&rows)
            ),
        );
    }
    check.figure(
        "matrices with an inverse, and without",
        format_args!("{regular}, {singular}"),
    );
    let seven = minimum_norm(&x7().rows, &reals(&x7().labels))?;
    check.figure("X7: |c(D_-2)|^2", squared_norm(&seven));
    check.figure("X1: |c(D)|^2", squared_norm(&x1().coefficients()?[0]));
    Ok(())
}

pub(super) fn misprinted_inverse(check: &mut Check) -> Result<(), Trouble> {
    check.exact("A = [[1, 1], [1, i]], where at least the sizes fit, on both unit vectors");
    let turn = Complex::quarter_turns;
    let rows = vec![vec![turn(0), turn(0)], vec![turn(0), turn(1)]];
    let mut printed_inverts = true;
    for place in 0..2 {
        let unit: Vec<Complex> = (0..2)
            .map(|k| Complex::real(integer(i32::from(k == place))))
            .collect();
        let weights = solve(&gram(&rows), &unit)?;
        // A A(A A*)^-1 e and A A*(A A*)^-1 e.
        let printed = predictions(&rows, &predictions(&rows, &weights));
        let meant = predictions(&rows, &combination(&rows, &weights));
        printed_inverts &= printed == unit;
        check.holds(
            meant == unit,
            format_args!("A A*(A A*)^-1 e_{} = {}", place + 1, list(&meant)),
        );
    }
    check.refutes(
        !printed_inverts,
        "A = [[1, 1], [1, i]]: A A (A A*)^-1 is not the identity",
    );
    Ok(())
}

/// `lambda_min` of a Gram matrix of two rows of squared norm `n`: `n - |g|`.
pub(super) fn least_eigenvalue(rows: &[Vec<Complex>]) -> Result<Enclosure, OptimiseError> {
    let gram = gram(rows);
    let off = Enclosure::of(&gram[0][1].squared(), BITS).sqrt()?;
    Ok(Enclosure::of(&gram[0][0].re, BITS) - off)
}

pub(super) fn equation_5(check: &mut Check) -> Result<(), Trouble> {
    check.certified("X1 and X2 at Lambda = 1, 1/10, ..., 10^-6: the normal equation exactly, and the distance to the limit; attained on X2");
    // |c_Lambda - c| <= Lambda |y| / (sqrt(l) (l + Lambda)), l = lambda_min(G): s/(s^2 + Lambda) against 1/s.
    for instance in [x1(), x2()] {
        let name = instance.name;
        let labels = reals(&instance.labels);
        let least = least_eigenvalue(&instance.rows)?;
        let c = minimum_norm(&instance.rows, &labels)?;
        let mut previous: Option<Rational> = None;
        for power in 0..7 {
            let penalty = Rational::new(BigInt::one(), BigInt::from(10).pow(power));
            let found = ridge(&instance.rows, &labels, &penalty)?;
            // A*(y - A c) = Lambda c
            let residual = difference(&labels, &predictions(&instance.rows, &found));
            let scaled: Vec<Complex> = found.iter().map(|c| c.scaled(&penalty)).collect();
            check.holds(
                combination(&instance.rows, &residual) == scaled,
                format_args!("{name}, Lambda = {penalty}: the normal equation"),
            );
            let distance = squared_distance(&found, &c);
            let bound = Enclosure::of(&(&penalty * &penalty), BITS)
                .divided_by(&(&least * (&least + Enclosure::of(&penalty, BITS)).squared()))?;
            check.holds(
                !bound.is_below_rational(&distance),
                format_args!(
                    "{name}, Lambda = {penalty}: |c_Lambda - c|^2 = {distance}, at most {bound}"
                ),
            );
            check.holds(
                name != "X2" || bound.contains(&distance),
                format_args!("{name}, Lambda = {penalty}: {distance} attains {bound}"),
            );
            if let Some(previous) = previous {
                check.holds(
                    distance < previous,
                    format_args!("{name}, Lambda = {penalty}: {distance}, before {previous}"),
                );
            }
            previous = Some(distance);
        }
        let last = previous.unwrap_or_else(Rational::zero);
        check.figure(
            format_args!("{name}: |c_Lambda - c|^2 at Lambda = 10^-6 is at most"),
            to_scientific_above(&last, 4),
        );
    }
    Ok(())
}
