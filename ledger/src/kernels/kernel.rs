//! Kernels as integers: the Gaussian one, and matrices with a certificate.

use super::{grid, integers, record};
use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::geometry::{Domain, Point};
use dp_assay::kernels::{
    Dataset, Kernel, KernelError, Precomputed, Predictor, Problem, VALUE_BITS, fit,
};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::optimise::erm::Loss;
use dp_assay::optimise::positive::certify_positive;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::sync::Arc;

/// An integer from 0 to `below - 1`.
fn random(coins: &mut ChaCha, below: u32) -> Result<i32, Trouble> {
    let number = BigInt::from(coins.uniform_below(&below.into())?);
    Ok(i32::try_from(number).unwrap_or(0))
}

/// Values of the Gaussian kernel against enclosures of their definition.
pub fn gaussian(check: &mut Check) -> Result<(), Trouble> {
    let pairs = if check.quick() { 200 } else { 2000 };
    check.certified(format_args!(
        "squared widths 1/10, 3 and 50, grids of 2^-4 and 2^-20 in two dimensions: {pairs} random pairs of points each, near \
         and far; hinge loss, three records at multiples of 1/4, one of them at every place and with either label"
    ));
    let mut coins = ChaCha::reproducible(14, 0);
    let step = Rational::new(BigInt::one(), BigInt::one() << VALUE_BITS);
    let mut worst = Rational::zero();
    for bits in [4, 20] {
        let domain = Domain::new(grid(bits)?, 2, 9 << bits)?;
        for squared_width in [ratio(1, 10), integer(3), integer(50)] {
            let kernel = Kernel::Gaussian {
                squared_width: squared_width.clone(),
            };
            let kernel = kernel.on(domain)?;
            check.holds(*kernel.squared_bound() == integer(1), "R^2 = 1");
            for number in 0..pairs {
                // Near 0 at first, then up to the edge.
                let size = 1 << (number % (bits + 3) + 1);
                let mut point = || -> Result<[i32; 2], Trouble> {
                    Ok([random(&mut coins, size)?, random(&mut coins, size)?])
                };
                let (a, b) = (point()?, point()?);
                let squared: Rational = a
                    .iter()
                    .zip(&b)
                    .map(|(a, b)| ratio((a - b).into(), 1 << bits))
                    .map(|by| &by * &by)
                    .sum();
                let exact = Enclosure::exp_of(&-(squared / &squared_width / integer(2)), 96)?;
                let (x, z) = (Point::dense(&a), Point::dense(&b));
                let value = kernel.value(&x, &z);
                let ends = [exact.lower(), exact.upper()];
                let off = ends.map(|end| (end / &step - integer(value)).abs());
                let name = format_args!("V = {squared_width}, bits {bits}, {a:?}, {b:?}");
                for off in off {
                    check.holds(off <= integer(kernel.error()), name);
                    worst = worst.max(off);
                }
                check.holds(kernel.value(&z, &x) == value, name);
                check.holds(kernel.value(&x, &x) == 1 << VALUE_BITS, name);
            }
        }
    }
    let shown = dp_assay::number::rational::shortly_above(&worst);
    check.figure("largest error of a value, in steps of 2^-48", shown);
    moves(check)
}

/// Predictions of the shipped solver with a Gaussian kernel move by at most `S'`, over all neighbours in one record.
fn moves(check: &mut Check) -> Result<(), Trouble> {
    let domain = Domain::new(grid(2)?, 1, 4)?;
    let kernel = Kernel::Gaussian {
        squared_width: ratio(1, 8),
    };
    let problem = Problem::new(Loss::Hinge, kernel, ratio(1, 2))?;
    let places = -4..=4;
    let stated = problem.sensitivity(domain, 3)?.predictions();
    let mut least: Vec<Rational> = Vec::new();
    let mut most: Vec<Rational> = Vec::new();
    for x in places.clone() {
        for y in [-1, 1] {
            let records = [record(&[4], 1), record(&[0], -1), record(&[x], y)];
            let data = Dataset::new(domain, records.map(|record| (record, 1)))?;
            let w = fit(&data, &problem)?;
            let here: Vec<Rational> = places
                .clone()
                .map(|z| w.prediction(&Point::dense(&[z])))
                .collect();
            if least.is_empty() {
                (least, most) = (here.clone(), here.clone());
            }
            for ((low, high), f) in least.iter_mut().zip(&mut most).zip(here) {
                *low = low.clone().min(f.clone());
                *high = high.clone().max(f);
            }
        }
    }
    let mut worst = Rational::zero();
    for (low, high) in least.iter().zip(&most) {
        check.holds(high - low <= stated, "predictions of neighbours");
        worst = worst.max((high - low) / &stated);
    }
    let shown = dp_assay::number::rational::shortly(&worst);
    check.figure("largest move of a prediction, in S'", shown);
    Ok(())
}

/// Inner products of integer vectors, in steps of `2^-shift`.
fn gram(vectors: &[Vec<i64>], shift: u32) -> Vec<Vec<i64>> {
    let product = |x: &Vec<i64>, z: &Vec<i64>| -> i64 {
        let terms = x.iter().zip(z).map(|(a, b)| a * b);
        terms.sum::<i64>() << shift
    };
    let row = |x: &Vec<i64>| vectors.iter().map(|z| product(x, z)).collect();
    vectors.iter().map(row).collect()
}

/// Matrices that are kernels are certified, those that are not are refused; and a matrix of inner products is the linear
/// kernel.
pub fn precomputed(check: &mut Check) -> Result<(), Trouble> {
    let large = if check.quick() { 20 } else { 100 };
    check.exact(format_args!(
        "matrices of 2 to 12 rows and rank up to 3, decided; of {large} rows, certified with a jitter; each with a direction \
         in which it is less than positive; predictions of six points by the matrix and by the linear kernel"
    ));
    let mut coins = ChaCha::reproducible(15, 0);
    // The first vector is there twice: e_0 - e_1 is in the kernel of the matrix.
    let mut vectors = |count: usize, rank: u32| -> Result<Vec<Vec<i64>>, Trouble> {
        let mut all = Vec::new();
        for _ in 1..count {
            let mut vector = Vec::new();
            for _ in 0..rank {
                vector.push(i64::from(random(&mut coins, 21)? - 10));
            }
            if all.is_empty() {
                all.push(vector.clone());
            }
            all.push(vector);
        }
        Ok(all)
    };
    // K - t (e_0 - e_1)(e_0 - e_1)^T has a value of -4 t at e_0 - e_1, so an eigenvalue of at most -2 t.
    let lowered = |matrix: &[Vec<i64>], t: i64| {
        let mut matrix = matrix.to_vec();
        for (i, j) in [(0, 0), (1, 1)] {
            matrix[i][j] -= t;
        }
        for (i, j) in [(0, 1), (1, 0)] {
            matrix[i][j] += t;
        }
        matrix
    };
    for count in 2..=12 {
        for rank in 1..=3 {
            let matrix = gram(&vectors(count, rank)?, 0);
            let name = format_args!("{count} rows of rank {rank}");
            check.holds(certify_positive(&matrix, 0).is_ok(), name);
            check.holds(certify_positive(&lowered(&matrix, 1), 0).is_err(), name);
        }
    }
    // Eigenvalues of at most -2 t need a jitter of 2 t. The certificate has room for one of 4 t and more.
    let matrix = gram(&vectors(large, 3)?, 30);
    let t = 1i64 << 24;
    let lower = lowered(&matrix, t);
    let certified =
        |matrix: &[Vec<i64>], jitter: i64| certify_positive(matrix, jitter.unsigned_abs()).is_ok();
    check.holds(certified(&matrix, t), "singular, with a jitter");
    check.holds(certified(&lower, 5 * t), "indefinite, within the jitter");
    for jitter in [t, 3 * t / 2, 2 * t - 1] {
        let refused = !certified(&lower, jitter);
        check.holds(refused, format_args!("indefinite, jitter {jitter}"));
    }
    // An eigenvalue below -61, and floats that see a positive matrix: next to 2^60 they have steps of 2^8.
    let a = 1i64 << 60;
    let blurred = [vec![a, a + 127], vec![a + 127, a + 130]];
    let refused = !certified(&blurred, 61);
    check.holds(refused, "indefinite by less than floats resolve");
    refusals(check)?;
    linear_again(check)
}

/// What is no matrix of a kernel is refused.
fn refusals(check: &mut Check) -> Result<(), Trouble> {
    let new = |rows: Vec<Vec<i64>>, jitter| Precomputed::new(rows, &integer(1), jitter).err();
    let one = 1i64 << VALUE_BITS;
    let good = new(vec![vec![one, -one], vec![-one, one]], 0);
    check.holds(good.is_none(), "at the bound");
    let above = new(vec![vec![1, 0], vec![0, one + 1]], 0);
    check.holds(
        above == Some(KernelError::Diagonal { row: 1 }),
        "above the bound",
    );
    for (name, rows) in [
        ("asymmetric", vec![vec![one, 1], vec![2, one]]),
        ("not square", vec![vec![one, 0], vec![0]]),
        ("indefinite", vec![vec![1, 2], vec![2, 1]]),
        (
            "indefinite, 0 on the diagonal",
            vec![vec![0, 2], vec![2, 0]],
        ),
    ] {
        for jitter in [0, 1] {
            check.holds(new(rows.clone(), jitter).is_some(), name);
        }
    }
    Ok(())
}

/// The matrix of the linear kernel, with and without a jitter.
fn linear_again(check: &mut Check) -> Result<(), Trouble> {
    let line = [-2i32, -1, 0, 1, 2, 2];
    let vectors: Vec<Vec<i64>> = line.iter().map(|x| vec![i64::from(*x)]).collect();
    let rows = gram(&vectors, VALUE_BITS);
    let labels = [-1, 1, -1, 1, 1];
    let linear = Dataset::new(
        integers(1, 2)?,
        line.iter().zip(labels).map(|(x, y)| (record(&[*x], y), 1)),
    )?;
    let problem = |kernel| Problem::new(Loss::Hinge, kernel, ratio(1, 10));
    let by_points = fit(&linear, &problem(Kernel::Linear)?)?;
    let jitter = 1u64 << (VALUE_BITS - 2);
    for jitter in [0, jitter] {
        let matrix = Arc::new(Precomputed::new(rows.clone(), &integer(4), jitter)?);
        let domain = matrix.domain()?;
        let mut records = Vec::new();
        for (i, label) in (0..).zip(labels) {
            let point = matrix.point(i)?;
            records.push((dp_assay::kernels::Record { point, label }, 1));
        }
        let data = Dataset::new(domain, records)?;
        let problem = problem(Kernel::Precomputed(Arc::clone(&matrix)))?;
        let stated = problem.sensitivity(domain, data.size())?;
        let w = fit(&data, &problem)?;
        if jitter == 0 {
            // Both are within r of the minimiser's.
            for (i, x) in (0..).zip(line) {
                let off =
                    w.prediction(&matrix.point(i)?) - by_points.prediction(&Point::dense(&[x]));
                let within = off.abs() <= &stated.solver * integer(2);
                check.holds(within, format_args!("the prediction at {x}"));
            }
        } else {
            check.holds(stated.squared_bound == ratio(17, 4), "R^2 with a jitter");
            // Points 4 and 5 are equal but for the jitter: f(x_4) - f(x_5) = mu_4/4, and point 5 is no record.
            let by = w.prediction(&matrix.point(4)?) - w.prediction(&matrix.point(5)?);
            let point = matrix.point(4)?;
            let mu = w.terms().find(|(x, _)| **x == point).map(|(_, mu)| mu);
            let exact = mu.is_some_and(|mu| mu.is_positive() && by == mu / integer(4));
            check.holds(exact, "a jitter tells equal rows apart");
        }
    }
    check.holds(
        problem(Kernel::Precomputed(Arc::new(Precomputed::new(
            rows,
            &integer(4),
            0,
        )?)))?
        .sensitivity(integers(1, 2)?, 1)
        .is_err(),
        "a matrix on another domain",
    );
    Ok(())
}
