//! The Gibbs learner: the exponential mechanism on public candidates. Pure privacy, without a projection or a cover.
//!
//! The ideal Gibbs law has the density `exp(-epsilon m R(w) / 2)` with respect to a normal prior, where `m R(w)` counts
//! the errors of `w`. To draw from it exactly takes time that depends on the data, and a Markov chain does not draw from
//! it. Here `N` candidates are drawn from the prior first, by a public seed; the choice among them is the exponential
//! mechanism, exactly. Privacy holds for every list of candidates, and the error is bounded by the margin, not by the
//! dimension (`spec/margin.md`, `bms22.gibbs.bound`). How many candidates are looked at does not depend on the data; how
//! many coins the choice takes does: the time must not be published.

use super::data::Dataset;
use super::error::MarginError;
use crate::coins::{ChaCha, Coins, Promise, Stage};
use crate::geometry::{Domain, Halfspace};
use crate::number::range::{OutOfRange, at_least_one, require};
use crate::number::{Rational, rational};
use crate::prepared::DrawnOften;
use crate::sample::{DiscreteGaussian, ScoredChoice, check_exponent};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// Learns a halfspace; `(epsilon, 0)`-differentially private under substitution of one record (ledger: `bms22.gibbs`),
/// whatever the candidates, as long as they were fixed without looking at the data.
///
/// # Errors
/// [`MarginError::Parameter`] unless `epsilon > 0`, and for an `epsilon m` beyond what is drawn exactly;
/// [`MarginError::Length`] for candidates of another dimension; [`MarginError::Overflow`] for a grid too fine; those of
/// the coins. None depends on the records.
pub fn learn(
    data: &Dataset,
    candidates: &Candidates,
    epsilon: &Rational,
    coins: &mut impl Coins,
) -> Result<GibbsModel, MarginError> {
    // 0. Whether it can be done at all is decided by what is public.
    check_exponent(epsilon, data.records().len())?;

    // 1. The candidates are there, drawn before the data. Drawing them again until one suits would not be private.
    // 2. Of each the errors on the data, an integer: a substituted record moves it by at most one.
    let errors = candidates.errors(data)?;

    // 3. The number of a candidate, with probability proportional to exp(-epsilon errors / 2).
    let promise = Promise::Pure(epsilon.clone());
    coins.stage(&Stage::once("the choice of a candidate", promise));
    let chosen = coins.draw(&ScoredChoice::new(errors, epsilon)?)?;
    Ok(GibbsModel {
        chosen,
        halfspace: candidates.halfspace(chosen)?,
    })
}

/// What the learner returns. All of it may be published, the candidates' seed as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GibbsModel {
    /// The number of the candidate that was chosen.
    pub chosen: usize,
    /// The candidate.
    pub halfspace: Halfspace,
}
crate::published!(GibbsModel { chosen, halfspace });

/// Normal vectors drawn from the prior, in public order. All of it is public.
///
/// Each coordinate has the discrete Gaussian law of variance parameter [`PRIOR_VARIANCE`]; only directions matter, so
/// that this is the prior `N(0, I)` on a grid of `2^-12`.
///
/// Privacy does not depend on how they are drawn. The bound on the error does: it takes the seed to be independent of
/// the data. Whoever knows the seed before the data are made can make data for which all candidates are bad.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidates {
    dimension: usize,
    // One candidate after the other.
    coordinates: Vec<i32>,
    // The largest squared norm of a candidate.
    longest: u128,
}

/// The variance parameter of a coordinate of a candidate.
pub const PRIOR_VARIANCE: u64 = 1 << 24;

/// The most coordinates of all candidates: 2 GiB of them.
const MOST_COORDINATES: usize = 1 << 29;

impl Candidates {
    /// `count` candidates that a public seed determines: whoever has it can draw them again.
    ///
    /// # Errors
    /// Those of [`Candidates::draw`].
    pub fn from_seed(seed: u64, count: usize, dimension: usize) -> Result<Self, MarginError> {
        Self::draw(count, dimension, &mut ChaCha::reproducible(seed, 0))
    }

    /// How many coordinates so many candidates have.
    ///
    /// # Errors
    /// [`MarginError::TooManyCandidates`] where they would take more than 2 GiB.
    pub fn check_size(count: usize, dimension: usize) -> Result<usize, MarginError> {
        let coordinates = count.saturating_mul(dimension);
        if coordinates <= MOST_COORDINATES {
            return Ok(coordinates);
        }
        Err(MarginError::TooManyCandidates {
            count,
            dimension,
            gibibytes: (coordinates as u64).div_ceil(1 << 28),
            limit: (MOST_COORDINATES as u64) >> 28,
        })
    }

    /// `count` independent candidates from the prior.
    ///
    /// # Errors
    /// [`MarginError::TooManyCandidates`] beyond 2 GiB; those of [`Candidates::new`] and of the coins.
    pub fn draw(
        count: usize,
        dimension: usize,
        coins: &mut impl Coins,
    ) -> Result<Self, MarginError> {
        let coordinates = Self::check_size(count, dimension)?;
        let law = DiscreteGaussian::new(rational::integer(PRIOR_VARIANCE))?;
        let law = DrawnOften::new(law, coordinates as u64)?;
        let coordinate = |_| -> Result<i32, MarginError> {
            let drawn: BigInt = coins.draw(&law)?;
            // Beyond 2^19 standard deviations: it has never been seen, and is no reason to draw again.
            let expected = "below 2^31";
            let fits = drawn.to_i32();
            Ok(fits
                .ok_or_else(|| OutOfRange::new("a coordinate of a candidate", &drawn, expected))?)
        };
        let coordinates = (0..coordinates).map(coordinate).collect::<Result<_, _>>()?;
        Self::new(dimension, coordinates)
    }

    /// The given candidates, one after the other.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless there is one, and each has `dimension` coordinates, at least one.
    pub fn new(dimension: usize, coordinates: Vec<i32>) -> Result<Self, MarginError> {
        at_least_one("the dimension of the candidates", dimension as u64)?;
        at_least_one("the number of candidates", coordinates.len() as u64)?;
        let whole = coordinates.len().is_multiple_of(dimension);
        let expected = "a multiple of the dimension";
        let found = coordinates.len();
        require(whole, "the coordinates of the candidates", &found, expected)?;
        let squared = |w: &i32| u128::from(w.unsigned_abs()).pow(2);
        let norms = coordinates.chunks_exact(dimension);
        let longest = norms.map(|w| w.iter().map(squared).sum()).max();
        Ok(Self {
            longest: longest.unwrap_or(0),
            dimension,
            coordinates,
        })
    }

    /// How many there are, `N`.
    #[must_use]
    pub fn count(&self) -> usize {
        self.coordinates.len() / self.dimension
    }

    /// The dimension of each.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The candidates, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        self.coordinates.chunks_exact(self.dimension)
    }

    /// The candidate of a number as a halfspace.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] past the last.
    pub fn halfspace(&self, number: usize) -> Result<Halfspace, MarginError> {
        let candidate = self.iter().nth(number);
        let missing = || OutOfRange::new("the number of a candidate", &number, "below their count");
        let candidate = candidate.ok_or_else(missing)?;
        Ok(Halfspace {
            direction: candidate.iter().copied().map(i64::from).collect(),
        })
    }

    /// Of each candidate `w` the number of records with `y <w, x> <= 0`. **Not private.**
    ///
    /// # Errors
    /// [`MarginError::Length`] for data of another dimension; [`MarginError::Overflow`] for a grid too fine. Neither
    /// depends on the records.
    pub fn errors(&self, data: &Dataset) -> Result<Vec<u32>, MarginError> {
        self.check(data.domain())?;
        let points: Vec<Vec<i64>> = data.records().iter().map(|r| r.signed()).collect();
        let is_error = |w: &[i32], x: &[i64]| {
            let product: i64 = w.iter().zip(x).map(|(&w, x)| i64::from(w) * x).sum();
            product <= 0
        };
        let errors = |w| points.iter().filter(|x| is_error(w, x)).count() as u32;
        Ok(self.iter().map(errors).collect())
    }

    /// That no dataset of this domain can overflow an inner product: no partial sum exceeds `|w| |x|` (Cauchy and
    /// Schwarz).
    pub(super) fn check(&self, domain: Domain) -> Result<(), MarginError> {
        if domain.dimension() != self.dimension {
            return Err(MarginError::Length {
                what: "the candidates".to_owned(),
                expected: domain.dimension(),
                found: self.dimension,
            });
        }
        let squared = self.longest.checked_mul(u128::from(domain.radius()).pow(2));
        if squared.is_none_or(|squared| squared >= 1 << 124) {
            return Err(MarginError::Overflow {
                what: "an inner product with a candidate",
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::Tape;
    use crate::geometry::Record;
    use crate::number::Grid;
    use crate::number::rational::{integer, ratio};
    use crate::sample::LARGEST_EXPONENT;

    fn dataset(radius: u64, records: &[(&[i64], bool)]) -> Dataset {
        let domain = Domain::new(Grid::new(4).unwrap(), records[0].0.len(), radius).unwrap();
        let record = |&(features, positive): &(&[i64], bool)| Record {
            features: features.to_vec(),
            positive,
        };
        Dataset::new(domain, records.iter().map(record).collect()).unwrap()
    }

    #[test]
    fn errors_are_counted_as_the_halfspace_counts_them() {
        let data = dataset(
            16,
            &[
                (&[16, 0], true),
                (&[0, 5], false),
                (&[3, -3], true),
                (&[0, 0], true),
            ],
        );
        let candidates = Candidates::new(2, vec![1, 0, 1, -1, 1, 1, 0, 0, -4, 9]).unwrap();
        // By hand: the origin errs always; (1,0) ties on (0,5), (1,1) on (3,-3).
        assert_eq!(candidates.errors(&data).unwrap(), [2, 1, 3, 4, 4]);
        for (number, errors) in (0..).zip(candidates.errors(&data).unwrap()) {
            let halfspace = candidates.halfspace(number).unwrap();
            let plain = halfspace.errors(data.records()).unwrap();
            assert_eq!(errors as usize, plain);
        }
        assert!(candidates.halfspace(5).is_err());
    }

    #[test]
    fn a_seed_gives_the_same_candidates_again_and_they_are_the_first_of_more() {
        let few = Candidates::from_seed(7, 3, 4).unwrap();
        assert_eq!(Candidates::from_seed(7, 3, 4).unwrap(), few);
        assert_ne!(Candidates::from_seed(8, 3, 4).unwrap(), few);
        let more = Candidates::from_seed(7, 5, 4).unwrap();
        assert!(few.iter().eq(more.iter().take(3)));
        assert_eq!((more.count(), more.dimension()), (5, 4));
    }

    #[test]
    fn a_coordinate_of_the_prior_is_4096_wide() {
        let candidates = Candidates::from_seed(1, 1000, 2).unwrap();
        let squares: i64 = candidates
            .iter()
            .flatten()
            .map(|&w| i64::from(w) * i64::from(w))
            .sum();
        // 2000 squares of variance 2^24: the mean is within 6 standard deviations, sqrt(2/2000) each.
        let mean = ratio(squares, 2000 << 24);
        assert!(mean > ratio(8, 10) && mean < ratio(12, 10), "{mean}");
    }

    #[test]
    fn one_of_few_errors_is_chosen_at_a_large_epsilon() {
        let records: Vec<(&[i64], bool)> = vec![(&[16, 0], true); 40];
        let data = dataset(16, &records);
        let candidates = Candidates::new(2, vec![-1, 0, 0, 1, 5, 1]).unwrap();
        let mut coins = ChaCha::reproducible(3, 0);
        for _ in 0..20 {
            let model = learn(&data, &candidates, &integer(4), &mut coins).unwrap();
            assert_eq!(model.chosen, 2);
            assert_eq!(model.halfspace.direction, [5, 1]);
        }
    }

    #[test]
    fn what_cannot_be_done_is_refused_before_a_coin_is_drawn() {
        let data = dataset(16, &[(&[16, 0], true), (&[0, 16], false)]);
        let right = Candidates::new(2, vec![1, 0]).unwrap();
        let refused = |candidates: &Candidates, epsilon| {
            learn(&data, candidates, &epsilon, &mut Tape::written("")).unwrap_err()
        };
        assert_eq!(
            refused(&Candidates::new(3, vec![1, 0, 0]).unwrap(), integer(1)).to_string(),
            "the candidates must have 2 coordinates, got 3"
        );
        assert_eq!(
            refused(&right, integer(0)).to_string(),
            "epsilon must be above 0, got 0"
        );
        let most = integer(LARGEST_EXPONENT);
        assert!(learn(&data, &right, &most, &mut Tape::written("")).is_ok());
        let above = most + ratio(1, 2);
        assert!(refused(&right, above).to_string().contains("2^23 divided"));
        let wide: [(&[i64], bool); 1] = [(&[0; 40], true)];
        let long = Candidates::new(40, vec![i32::MAX; 40]).unwrap();
        let fits = long.errors(&dataset(1 << 28, &wide)).unwrap();
        assert_eq!(fits, [1]);
        assert!(long.errors(&dataset(1 << 30, &wide)).is_err());
    }

    #[test]
    fn candidates_out_of_range_are_refused() {
        assert!(Candidates::new(0, vec![1]).is_err());
        assert!(Candidates::new(2, vec![1]).is_err());
        assert!(Candidates::new(2, Vec::new()).is_err());
        assert!(Candidates::from_seed(1, 0, 2).is_err());
        let refused = Candidates::from_seed(1, 1 << 30, 2).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "1073741824 candidates in dimension 2 would take 8 GiB, more than 2: take fewer, or project to fewer dimensions"
        );
    }
}
