//! Small instances with rational entries, on which everything is computed exactly.
//!
//! The frequencies and inputs are such that every `<w_k, x_j>` is a number of quarter turns, so that every
//! feature `exp(i <w_k, x_j>)` is one of 1, i, -1, -i; or lies at a rational point of the circle. An
//! instance is a pair of datasets: the same rows, with one label substituted. Only the data are typed in:
//! what follows from them is computed by [`dp_assay::optimise::exact`].

use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::optimise::OptimiseError;
use dp_assay::optimise::exact::{Complex, difference, minimum_norm, reals, squared_norm};

/// Two neighbouring datasets: the same inputs, and one label substituted.
#[derive(Debug, Clone)]
pub struct Instance {
    /// Its name in `spec/random-features.md`.
    pub name: &'static str,
    /// The rows of `A`: one for each record, one entry for each frequency (two for a pair of a cosine and
    /// a sine), not normalised.
    pub rows: Vec<Vec<Complex>>,
    /// The labels of the one dataset.
    pub labels: Vec<Rational>,
    /// The labels of its neighbour.
    pub neighbour: Vec<Rational>,
    /// The number `N` of frequencies.
    pub frequencies: u64,
}

impl Instance {
    /// The coefficients of least norm on both datasets.
    ///
    /// # Errors
    /// Those of [`minimum_norm`].
    pub fn coefficients(&self) -> Result<[Vec<Complex>; 2], OptimiseError> {
        Ok([
            minimum_norm(&self.rows, &reals(&self.labels))?,
            minimum_norm(&self.rows, &reals(&self.neighbour))?,
        ])
    }

    /// `|c - c'|^2` between the two datasets.
    ///
    /// # Errors
    /// Those of [`minimum_norm`].
    pub fn squared_distance(&self) -> Result<Rational, OptimiseError> {
        let [c, other] = self.coefficients()?;
        Ok(squared_norm(&difference(&c, &other)))
    }

    /// `|Im c - Im c'|^2`.
    ///
    /// # Errors
    /// Those of [`minimum_norm`].
    pub fn squared_imaginary_distance(&self) -> Result<Rational, OptimiseError> {
        let [c, other] = self.coefficients()?;
        let parts = difference(&c, &other);
        Ok(parts.iter().map(|c| &c.im * &c.im).sum())
    }
}

fn quarter_turns(rows: &[&[u32]]) -> Vec<Vec<Complex>> {
    let row = |row: &&[u32]| row.iter().map(|&q| Complex::quarter_turns(q)).collect();
    rows.iter().map(row).collect()
}

/// The labels `(3/5, 4/5)` and `(3/5, -4/5)`, both of norm 1.
fn three_four_five() -> [Vec<Rational>; 2] {
    [
        vec![ratio(3, 5), ratio(4, 5)],
        vec![ratio(3, 5), ratio(-4, 5)],
    ]
}

/// X1: inputs 0 and 1, frequencies `(pi/2)(1, 0, 0)`: two records, three features, well conditioned.
#[must_use]
pub fn x1() -> Instance {
    let [labels, neighbour] = three_four_five();
    Instance {
        name: "X1",
        rows: quarter_turns(&[&[0, 0, 0], &[1, 0, 0]]),
        labels,
        neighbour,
        frequencies: 3,
    }
}

/// X1 with inputs on two axes: rows `(i, 1, 1)` and `(1, i, 1)`, so that the imaginary part of the
/// coefficients determines both labels.
#[must_use]
pub fn x1_on_two_axes() -> Instance {
    Instance {
        name: "X1'",
        rows: quarter_turns(&[&[1, 0, 0], &[0, 1, 0]]),
        ..x1()
    }
}

/// X2: inputs 0 and 1, frequencies `(pi/2)(0, 1, 2, 3)`: orthogonal rows, `G = 4 I`.
#[must_use]
pub fn x2() -> Instance {
    Instance {
        name: "X2",
        rows: quarter_turns(&[&[0, 0, 0, 0], &[0, 1, 2, 3]]),
        frequencies: 4,
        ..x1()
    }
}

/// X3: three records, five features.
#[must_use]
pub fn x3() -> Instance {
    Instance {
        name: "X3",
        rows: quarter_turns(&[&[0, 0, 0, 0, 0], &[1, 0, 0, 0, 0], &[0, 1, 2, 3, 0]]),
        labels: vec![ratio(2, 3), ratio(2, 3), ratio(1, 3)],
        neighbour: vec![ratio(2, 3), ratio(-2, 3), ratio(1, 3)],
        frequencies: 5,
    }
}

/// X4: inputs 0 and 1 that only one of `n` frequencies tells apart, by a quarter turn; labels (0, 1) and
/// (0, -1).
#[must_use]
pub fn x4(n: u64) -> Instance {
    told_apart_by_one("X4", n, 1)
}

/// X5: the same by half a turn: all features are real.
#[must_use]
pub fn x5(n: u64) -> Instance {
    told_apart_by_one("X5", n, 2)
}

fn told_apart_by_one(name: &'static str, n: u64, quarters: u32) -> Instance {
    let ones = vec![Complex::quarter_turns(0); n as usize];
    let mut second = ones.clone();
    if let Some(first) = second.first_mut() {
        *first = Complex::quarter_turns(quarters);
    }
    Instance {
        name,
        rows: vec![ones, second],
        labels: vec![integer(0), integer(1)],
        neighbour: vec![integer(0), integer(-1)],
        frequencies: n,
    }
}

/// The rational point `((1 - t^2)/(1 + t^2), 2t/(1 + t^2))` of the circle, at `t = 1/n`: close to an
/// angle of `2/n`.
#[must_use]
pub fn point_of_the_circle(n: i64) -> (Rational, Rational) {
    let (n, one) = (integer(n), integer(1));
    let squared = &n * &n;
    let both = &squared + &one;
    ((squared - one) / &both, n * integer(2) / both)
}

/// X6: near-duplicates with real features: `copies` equal frequencies, inputs at angles 0 and about
/// `2/n`, features (cosine, sine) for each frequency: rows of norm `sqrt(copies)`, like those of `A`.
#[must_use]
pub fn x6(n: i64, copies: u64) -> Instance {
    let (cosine, sine) = point_of_the_circle(n);
    let repeated = |pair: [Rational; 2]| {
        let pairs = (0..copies).flat_map(|_| reals(&pair));
        pairs.collect::<Vec<_>>()
    };
    let [labels, neighbour] = three_four_five();
    Instance {
        name: "X6",
        rows: vec![repeated([integer(1), integer(0)]), repeated([cosine, sine])],
        labels,
        neighbour,
        frequencies: copies,
    }
}

/// X7: X1 without its second record.
#[must_use]
pub fn x7() -> Instance {
    let mut instance = Instance { name: "X7", ..x1() };
    instance.rows.pop();
    instance.labels.pop();
    instance.neighbour.pop();
    instance
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::optimise::exact::{kaczmarz, predictions, ridge};

    fn complex(re: (i64, i64), im: (i64, i64)) -> Complex {
        Complex {
            re: ratio(re.0, re.1),
            im: ratio(im.0, im.1),
        }
    }

    #[test]
    fn the_instances_are_as_worked_out_by_hand() {
        let [c, other] = x1().coefficients().unwrap();
        let tail = complex((7, 20), (1, 20));
        assert_eq!(c, [complex((-1, 10), (-1, 10)), tail.clone(), tail]);
        assert_eq!(other[0], complex((7, 10), (7, 10)));
        assert_eq!(x1().squared_distance().unwrap(), ratio(48, 25));
        assert_eq!(x1().squared_imaginary_distance().unwrap(), ratio(24, 25));
        assert_eq!(x2().squared_distance().unwrap(), ratio(16, 25));
        assert_eq!(x2().squared_imaginary_distance().unwrap(), ratio(8, 25));
        let [c, other] = x3().coefficients().unwrap();
        assert_eq!(squared_norm(&c), ratio(5, 36));
        assert_eq!(squared_norm(&other), ratio(41, 36));
        assert_eq!(x3().squared_distance().unwrap(), ratio(4, 3));
        for n in 3..7 {
            let expected = ratio(2 * n, n - 1);
            assert_eq!(x4(n as u64).squared_distance().unwrap(), expected);
            assert_eq!(x5(n as u64).squared_distance().unwrap(), ratio(n, n - 1));
        }
        // Of one frequency: 64/25 / (1 - k^2); the published figures are for two.
        for (n, expected) in [(2, ratio(2, 1)), (10, ratio(20_402, 625))] {
            assert_eq!(x6(n, 2).squared_distance().unwrap(), expected);
        }
        let [c, _] = x7().coefficients().unwrap();
        assert_eq!(squared_norm(&c), ratio(3, 25));
    }

    #[test]
    fn one_pass_of_kaczmarz_and_ridge_are_as_worked_out_by_hand() {
        let x1 = x1();
        let c = kaczmarz(&x1.rows, &reals(&x1.labels), &[0, 1]).unwrap();
        let tail = complex((1, 3), (-1, 15));
        assert_eq!(c, [complex((2, 15), (-2, 15)), tail.clone(), tail]);
        assert_eq!(squared_norm(&c), ratio(4, 15));
        // X9: at the penalty 4 = lambda_min the bound |c|^2 <= |y|^2 / (4 penalty) is attained.
        let x2 = x2();
        let norm = |penalty| {
            squared_norm(&ridge(&x2.rows, &reals(&x2.labels), &integer(penalty)).unwrap())
        };
        assert_eq!(norm(1), ratio(4, 25));
        assert_eq!(norm(4), ratio(1, 16));
    }

    #[test]
    fn the_near_duplicates_are_interpolated() {
        let x6 = x6(40, 3);
        let [c, other] = x6.coefficients().unwrap();
        assert_eq!(predictions(&x6.rows, &c), reals(&x6.labels));
        assert_eq!(predictions(&x6.rows, &other), reals(&x6.neighbour));
    }
}
