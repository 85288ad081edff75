//! lnsx25, Algorithm 1, **as coded**: `DP_RF.py` and the cells that call it, of github.com/liaochunyang/DPRFM at 7470664. Not
//! private as claimed: `lnsx25.alg1.as-coded`, `lnsx25.alg1.as-coded.kaczmarz`.
//!
//! The lines of the program, in order, in its letters. This file needs no other algorithm.
//!
//! Where the program is not what the paper prints:
//! - its features are real cosines of norm about 1, where A has rows of norm sqrt(N), and `Delta_c` is that of A, for
//!   eta = 3/8: too small by sqrt(N) (`lnsx25.a3`);
//! - `scale = 2 gamma` is a deviation, where the paper has a variance of 2 gamma;
//! - the pseudo-inverse stands in a comment, and what runs are steps of Kaczmarz, as many as records (`lnsx25.e-x`);
//! - labels are divided by their own norm, or placed between their own extremes (`lnsx25.a6`).
//!
//! Floats are exact numbers here: frequencies, inputs, features, labels that are divided by their norm and coefficients in
//! steps of a public grid `1/one`, to the nearest; an offset is a multiple of `2 pi/2^32`; a normal law is the discrete
//! Gaussian law on the grid, its variance rounded up to a squared step. `pinv` is exact, and cuts no singular values.

use crate::Error;
use crate::coins::Coins;
use crate::number::rational::{integer, nearest, ratio};
use crate::number::{Enclosure, Rational};
use crate::sample::DiscreteGaussian;
use crate::sample::Noise;
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

/// How the non-private coefficients are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solver {
    /// `np.linalg.pinv(A_train) @ y_train`
    Pinv,
    /// `randomized_kaczmarz(A_train, y_train, np.zeros((N,)), m)`
    Kaczmarz,
}

/// "our method" of the cells: `c_ours`, in steps of `1/one`.
///
/// `x_train`: in steps of `1/one`. `y_train`: [`divided_by_norm`] or [`min_max`] of the labels, test records included.
pub fn our_method(
    (x_train, y_train): (&[Vec<i64>], &[Rational]),
    (gamma, n, d): (&Rational, usize, usize),
    solver: Solver,
    (epsilon, delta): (&Rational, &Rational),
    one: i64,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, Error> {
    // Delta_c = 4/np.sqrt(N)
    let squared_delta_c = integer(16) / integer(n as u64);
    // A_train, A_test = RF_Gaussian(gamma, N, x_train, x_test)
    let a_train = rf_gaussian(gamma, n, d, x_train, one, coins)?;
    let c = match solver {
        // c = np.linalg.pinv(A_train) @ y_train
        Solver::Pinv => pinv_times(&a_train, n, y_train),
        // c = randomized_kaczmarz(A_train, y_train, np.zeros((N,)), m)
        Solver::Kaczmarz => {
            let x0 = vec![Rational::zero(); n];
            randomized_kaczmarz(&a_train, y_train, x0, a_train.len(), coins)?
        }
    };
    // c_ours = private(c, Delta_c, epsilon, delta, "Gaussian")
    private(&c, &squared_delta_c, epsilon, delta, one, coins)
}

/// `RF_Gaussian(gamma, N, x_train, x_test)`, without the test samples.
pub fn rf_gaussian(
    gamma: &Rational,
    n: usize,
    d: usize,
    x: &[Vec<i64>],
    one: i64,
    coins: &mut impl Coins,
) -> Result<Vec<Vec<Rational>>, Error> {
    // Omega = np.random.normal(loc=0, scale=2.0*gamma, size = (d,N))
    let scale = integer(2) * gamma * BigInt::from(one);
    let law = DiscreteGaussian::new(&scale * &scale)?;
    let mut omega = vec![vec![BigInt::zero(); n]; d];
    for entry in omega.iter_mut().flatten() {
        *entry = coins.draw(&law)?;
    }
    // random_offset = np.random.uniform(0, 2 * np.pi, size=(1,N))
    let mut random_offset = Vec::new();
    for _ in 0..n {
        let turns = Rational::new(coins.bits(32)?.into(), BigInt::from(1u64 << 32));
        random_offset.push(Enclosure::pi(BITS) * real(&(turns * integer(2))));
    }
    // A_train = np.cos(x_train@Omega + random_offset)
    // return A_train * (2.0 / N) ** 0.5
    let factor = real(&ratio(2, n as i64)).sqrt()?;
    let entry = |x: &Vec<i64>, k: usize| -> Result<Rational, Error> {
        let product: BigInt = x.iter().zip(&omega).map(|(x, row)| &row[k] * x).sum();
        let angle = real(&Rational::new(product, BigInt::from(one) * one)) + &random_offset[k];
        Ok(on_grid(&(angle.cos()? * &factor), one))
    };
    let row = |x| (0..n).map(|k| entry(x, k)).collect();
    x.iter().map(row).collect()
}

/// `private(c, Delta_c, epsilon, delta, "Gaussian")`, of the square of `Delta_c`.
pub fn private(
    c: &[Rational],
    squared_delta_c: &Rational,
    epsilon: &Rational,
    delta: &Rational,
    one: i64,
    coins: &mut impl Coins,
) -> Result<Vec<BigInt>, Error> {
    // Z = np.random.normal(loc=0.0, scale=np.sqrt(2*np.log(1.25/delta))*Delta_c/epsilon, size=c.shape)
    let factor = integer(2) * squared_delta_c / (epsilon * epsilon);
    let squared_scale = real(&(ratio(5, 4) / delta)).ln()? * real(&factor);
    let squared_step = BigInt::from(one) * one;
    let z = DiscreteGaussian::new((squared_scale.upper() * squared_step).ceil())?;
    // return c+Z
    let in_steps = c
        .iter()
        .map(|c| (c * BigInt::from(one)).round().to_integer());
    Ok(coins.draw(&z.around_all(in_steps))?)
}

/// `randomized_kaczmarz(A, b, x0, max_iter)`
pub fn randomized_kaczmarz(
    a: &[Vec<Rational>],
    b: &[Rational],
    x0: Vec<Rational>,
    max_iter: usize,
    coins: &mut impl Coins,
) -> Result<Vec<Rational>, Error> {
    // m, n = A.shape
    let m = a.len();
    // x = x0.copy()
    let mut x = x0;
    // for _ in range(max_iter):
    for _ in 0..max_iter {
        // i = np.random.randint(m)
        let i = coins.uniform_below(&m.into())?.to_usize().unwrap_or(0);
        // x = x + (b[i] - np.dot(A[i], x)) / np.linalg.norm(A[i])**2 * A[i]
        let squared_norm = dot(&a[i], &a[i]);
        if squared_norm.is_zero() {
            return Err(Error::Undefined("a division by the norm of a row of zeros"));
        }
        let step = (&b[i] - dot(&a[i], &x)) / squared_norm;
        for (x, entry) in x.iter_mut().zip(&a[i]) {
            *x += &step * entry;
        }
    }
    // return x
    Ok(x)
}

/// `np.linalg.pinv(A) @ y`: of all least squares solutions the shortest, `A^T z` with `G^2 z = G y`, `G = A A^T`. There
/// is such a z, and any will do.
pub fn pinv_times(a: &[Vec<Rational>], n: usize, y: &[Rational]) -> Vec<Rational> {
    let gram: Vec<Vec<Rational>> = a
        .iter()
        .map(|row| a.iter().map(|other| dot(row, other)).collect())
        .collect();
    // G^2, symmetric, and G y beside it; then elimination, which leaves out what depends on the rest.
    let mut rows: Vec<Vec<Rational>> = gram
        .iter()
        .map(|row| {
            gram.iter()
                .map(|other| dot(row, other))
                .chain([dot(row, y)])
                .collect()
        })
        .collect();
    let (m, mut done, mut z) = (a.len(), 0, vec![None; a.len()]);
    for k in 0..m {
        let Some(pivot) = (done..m).find(|&j| !rows[j][k].is_zero()) else {
            continue;
        };
        rows.swap(done, pivot);
        let unit: Vec<Rational> = rows[done].iter().map(|p| p / &rows[done][k]).collect();
        for row in &mut rows {
            let factor = row[k].clone();
            row.iter_mut()
                .zip(&unit)
                .for_each(|(p, unit)| *p -= &factor * unit);
        }
        rows[done] = unit;
        z[k] = Some(done);
        done += 1;
    }
    let mut c = vec![Rational::zero(); n];
    for (row, place) in a.iter().zip(z) {
        for (c, entry) in c.iter_mut().zip(row) {
            *c += place.map_or_else(Rational::zero, |place| &rows[place][m] * entry);
        }
    }
    c
}

/// `y/np.linalg.norm(y)`, of `generate_data`.
pub fn divided_by_norm(y: &[Rational], one: i64) -> Result<Vec<Rational>, Error> {
    let norm = real(&dot(y, y)).sqrt()?;
    let divided = |y| Ok(on_grid(&real(y).divided_by(&norm)?, one));
    y.iter().map(divided).collect()
}

/// `MinMaxScaler().fit_transform(y)`
pub fn min_max(y: &[Rational]) -> Vec<Rational> {
    let (Some(low), Some(high)) = (y.iter().min(), y.iter().max()) else {
        return Vec::new();
    };
    let width = if low == high { integer(1) } else { high - low };
    y.iter().map(|y| (y - low) / &width).collect()
}

fn dot(a: &[Rational], b: &[Rational]) -> Rational {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The nearest step, but for `2^-100` of it.
fn on_grid(value: &Enclosure, one: i64) -> Rational {
    let middle = (value.lower() + value.upper()) / integer(2);
    Rational::new(nearest(&(middle * BigInt::from(one))), one.into())
}

const BITS: u32 = 160;

fn real(x: &Rational) -> Enclosure {
    Enclosure::of(x, BITS)
}
