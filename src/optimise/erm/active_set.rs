//! The exact minimum of small problems, over the rationals.

use super::loss::Loss;
use crate::number::range::require;
use crate::number::{Rational, rational::integer};
use crate::optimise::OptimiseError;
use crate::optimise::exact::{Complex, solve};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

/// The most records: 3^8 systems of equations are 6561.
const MOST_RECORDS: usize = 8;

/// A small problem in rationals.
#[derive(Debug, Clone)]
pub struct SmallProblem<'a> {
    /// `K(x_i, x_j)`.
    pub gram: &'a [Vec<Rational>],
    /// `y_i`.
    pub labels: &'a [Rational],
    /// `m_i`, how often each record occurs.
    pub counts: &'a [u64],
    /// The loss: any but the logistic one, whose minimum is not rational.
    pub loss: &'a Loss,
    /// `lambda`.
    pub penalty: &'a Rational,
    /// `R^2`.
    pub squared_bound: &'a Rational,
}

/// Where a dual variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Low,
    Free,
    High,
}

impl SmallProblem<'_> {
    /// Dual variables `a_i` of the minimum, `w* = (1/(lambda n)) sum of m_i a_i phi_i`. The minimiser is unique; of the dual
    /// variables, where there are several, the first that the search finds.
    ///
    /// 1. In each of the 3^n ways every variable is at an end of its interval or free, where the dual does not rise with it.
    /// 2. The first that satisfies the conditions of an optimum is one, since the dual is concave. Some way with a regular
    ///    system is: if the free records are dependent, a variable can be moved to an end without a change of the dual.
    ///
    /// # Errors
    /// [`OptimiseError::Parameter`] for more than 8 records or the logistic loss, and those of [`Loss::lipschitz`];
    /// [`OptimiseError::Singular`] if the matrix is not positive semi-definite.
    pub fn minimise(&self) -> Result<Vec<Rational>, OptimiseError> {
        let count = self.labels.len();
        let expected = "at most 8";
        require(
            count <= MOST_RECORDS,
            "the records of a small problem",
            &count,
            expected,
        )?;
        let slope = self.loss.lipschitz(self.squared_bound, self.penalty)?;
        let quadratic = self.loss.quadratic(&slope);
        let expected = "one with a rational minimum";
        require(
            quadratic.is_some(),
            "the loss of a small problem",
            &"logistic",
            expected,
        )?;
        let Some(quadratic) = quadratic else {
            return Err(OptimiseError::Singular);
        };
        let intervals: Vec<_> = self.labels.iter().map(|y| quadratic.interval(y)).collect();
        for way in 0..3usize.pow(count as u32) {
            let place = |i: usize| match way / 3usize.pow(i as u32) % 3 {
                0 => Place::Low,
                1 => Place::Free,
                _ => Place::High,
            };
            let places: Vec<Place> = (0..count).map(place).collect();
            if let Some(weights) = self.stationary(&places, &intervals, &quadratic.width)? {
                return Ok(weights);
            }
        }
        Err(OptimiseError::Singular)
    }

    /// The dual variables with these places, if they are a maximum of the dual.
    fn stationary(
        &self,
        places: &[Place],
        intervals: &[(Rational, Rational)],
        width: &Rational,
    ) -> Result<Option<Vec<Rational>>, OptimiseError> {
        let at_end = |(place, (low, high)): (&Place, &(Rational, Rational))| match place {
            Place::Low => low.clone(),
            Place::Free => integer(0),
            Place::High => high.clone(),
        };
        let mut weights: Vec<Rational> = places.iter().zip(intervals).map(at_end).collect();
        let free: Vec<usize> = (0..places.len())
            .filter(|&i| places[i] == Place::Free)
            .collect();
        // d a_i + f_i = y_i for the free ones.
        let equation = |&i: &usize| -> Vec<Complex> {
            let entry = |&j: &usize| {
                let diagonal = if i == j { width.clone() } else { integer(0) };
                Complex::real(diagonal + self.influence(i, j))
            };
            free.iter().map(entry).collect()
        };
        let matrix: Vec<Vec<Complex>> = free.iter().map(equation).collect();
        let right = |&i: &usize| Complex::real(&self.labels[i] - self.prediction(i, &weights));
        let right: Vec<Complex> = free.iter().map(right).collect();
        let solution = match solve(&matrix, &right) {
            Ok(solution) => solution,
            Err(OptimiseError::Singular) => return Ok(None),
            Err(error) => return Err(error),
        };
        for (&i, a) in free.iter().zip(solution) {
            weights[i] = a.re;
        }
        let optimal = (0..places.len()).all(|i| {
            let (low, high) = &intervals[i];
            let rise = &self.labels[i] - self.prediction(i, &weights) - width * &weights[i];
            match places[i] {
                Place::Low => !rise.is_positive(),
                Place::Free => rise.is_zero() && (low..=high).contains(&&weights[i]),
                Place::High => !rise.is_negative(),
            }
        });
        Ok(optimal.then_some(weights))
    }

    /// `m_j K_ij/(lambda n)`.
    fn influence(&self, i: usize, j: usize) -> Rational {
        let size: BigInt = self.counts.iter().map(|m| BigInt::from(*m)).sum();
        &self.gram[i][j] * BigInt::from(self.counts[j]) / (self.penalty * size)
    }

    /// `f_i`.
    fn prediction(&self, i: usize, weights: &[Rational]) -> Rational {
        (0..weights.len())
            .map(|j| self.influence(i, j) * &weights[j])
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;

    /// The points (1,0), (0,1), (-1,0), (1,1) with labels 1, -1, 1, -1 and the kernel (<x,z> + 1)^3.
    fn gram() -> Vec<Vec<Rational>> {
        let rows = [[8, 1, 0, 8], [1, 8, 1, 8], [0, 1, 8, 0], [8, 8, 0, 27]];
        rows.iter()
            .map(|row| row.iter().map(|v| integer(*v)).collect())
            .collect()
    }

    fn minimise(loss: &Loss) -> Vec<Rational> {
        let labels = [1, -1, 1, -1].map(integer);
        let small = SmallProblem {
            gram: &gram(),
            labels: &labels,
            counts: &[1; 4],
            loss,
            penalty: &integer(1),
            squared_bound: &integer(27),
        };
        small.minimise().unwrap()
    }

    #[test]
    fn minimisers_by_hand() {
        // w = sum of mu_i phi_i, so that a_i = n lambda mu_i.
        let hinge = minimise(&Loss::Hinge);
        let by_hand = [27, -13, 18, -9].map(|mu| ratio(4 * mu, 131));
        assert_eq!(hinge, by_hand);
        let squared = minimise(&Loss::Squared {
            largest_label: integer(1),
        });
        let by_hand = [(1071, 8998), (-29, 409), (73, 818), (-201, 4499)];
        assert_eq!(squared, by_hand.map(|(mu, of)| ratio(4 * mu, of)));
    }

    #[test]
    fn what_has_no_rational_minimum_is_refused() {
        let labels = [integer(1)];
        let small = SmallProblem {
            gram: &[vec![integer(1)]],
            labels: &labels,
            counts: &[1],
            loss: &Loss::Logistic,
            penalty: &integer(1),
            squared_bound: &integer(1),
        };
        assert!(small.minimise().is_err());
        let loss = Loss::Hinge;
        let nine = SmallProblem {
            labels: &vec![integer(1); 9],
            loss: &loss,
            ..small
        };
        assert!(nine.minimise().is_err());
    }
}
