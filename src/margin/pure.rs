//! Algorithm 1: pure privacy by a projection, a cover and the exponential mechanism.
//!
//! Bassily, Mohri, Suresh 2022, Section 3.1, in integers. Only the sign of `<w, Phi x>` matters, so that the factor
//! `1/sqrt(k)` of the projection and the radius of the ball are left out: the cover is that of the unit ball, and its
//! radius is relative to it.
//!
//! With the parameters of Theorem 3.1 the cover is far too large to go through (`spec/margin.md`, `bms22.thm3_1`). With
//! few rows privacy is the same, and nothing is promised of the error. The learner to take is [`mod@super::gibbs`].

use super::bounds::PureRun;
use super::data::{Dataset, Margin};
use super::error::MarginError;
use crate::coins::{Coins, Promise, Stage};
use crate::geometry::{
    CoverChoice, CoverScores, Domain, GeometryError, Halfspace, LatticeCover, Record, SignMatrix,
    largest_squared_norm,
};
use crate::number::Rational;
use crate::number::range::{above_zero, above_zero_at_most_one, at_least_one};
use crate::sample::check_exponent;
use num_traits::ToPrimitive;

/// Learns a halfspace by Algorithm 1; `(epsilon, 0)`-differentially private under substitution of one record (ledger:
/// `bms22.alg1.dp`).
///
/// Goes through the cover twice, and stores none of it. The time that this takes depends on the data: it must not be
/// published.
///
/// # Errors
/// [`MarginError::CoverTooLarge`] beyond the limit; [`MarginError::Overflow`] for a grid too fine for 64-bit scores;
/// [`MarginError::Parameter`] for an `epsilon m` beyond what is drawn exactly; those of the projection, the cover and
/// the coins. None depends on the records.
pub fn learn(
    data: &Dataset,
    parameters: &PureParameters,
    coins: &mut impl Coins,
) -> Result<PureModel, MarginError> {
    // 0. Whether it can be done at all is decided by what is public.
    let d = data.domain().dimension();
    let rows = parameters.rows(d);
    check_exponent(&parameters.epsilon, data.records().len())?;
    let cover = parameters.cover(d)?;
    check_count(&cover, parameters.limit)?;
    check_room(data.domain(), rows, &cover)?;

    // 1. Phi, once, with entries +-1/sqrt(k). Drawing it again until it suits the data would not be private.
    coins.stage(&Stage::public("the projection"));
    let projection = match rows {
        Some(k) => Some(SignMatrix::random(k, d, coins)?),
        None => None,
    };

    // 2. S_Phi: of each record v = y sqrt(k) Phi x.
    let image = |record: &Record| record.projected(projection.as_ref());
    let projected: Vec<_> = data.records().iter().map(image).collect::<Result<_, _>>()?;

    // 3. The cover C; it is gone through, and never stored.
    // 4. Of each of its points the errors on S_Phi: those with <w, v> <= 0.
    let scores = error_scores(&projected, &cover)?;

    // 5. w with probability proportional to exp(-epsilon errors / 2): a substituted record moves the errors of each w
    //    by at most one.
    let promise = Promise::Pure(parameters.epsilon.clone());
    coins.stage(&Stage::once("the choice of a point", promise));
    let point = coins.draw(&CoverChoice::new(scores, &parameters.epsilon)?)?;

    // 6. Return Phi^T w.
    let direction = match &projection {
        Some(matrix) => matrix.pull_back(&point)?,
        None => point.clone(),
    };
    Ok(PureModel {
        projection,
        point,
        denominator: cover.denominator(),
        halfspace: Halfspace { direction },
    })
}

/// The scores of all points of the cover on records given as `v = y sqrt(k) Phi x`: of each point the number of records
/// with `<w, v> <= 0`. A tie is an error.
///
/// # Errors
/// [`MarginError::Geometry`] unless each vector has the cover's dimension and is at most as long as
/// [`largest_squared_norm`] allows.
pub fn error_scores(
    projected: &[Vec<i64>],
    cover: &LatticeCover,
) -> Result<CoverScores, MarginError> {
    // An integer product is good from 1 on.
    let least_good = vec![1; projected.len()];
    Ok(CoverScores::new(projected, &least_good, cover)?)
}

/// What Algorithm 1 returns. All of it may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PureModel {
    /// `sqrt(k) Phi`; `None` where nothing was projected.
    pub projection: Option<SignMatrix>,
    /// The point of the cover that was chosen, times the denominator.
    pub point: Vec<i64>,
    /// The denominator.
    pub denominator: u64,
    /// The halfspace `Phi^T w`, its normal vector scaled to integers.
    pub halfspace: Halfspace,
}
crate::published!(PureModel {
    projection,
    point,
    denominator,
    halfspace
});

/// The parameters of Algorithm 1. All are public: none may be chosen after looking at the data.
///
/// Privacy rests on `epsilon` alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PureParameters {
    epsilon: Rational,
    rows: Option<usize>,
    radius: Rational,
    limit: u128,
}

/// The most points of a cover that are gone through unless told otherwise.
pub const DEFAULT_LIMIT: u128 = 1_000_000_000;

impl PureParameters {
    /// A projection to `rows` dimensions, or none, and a cover of this radius, relative to the ball that is covered.
    ///
    /// As many rows as the data have dimensions, or more, are no projection: see [`PureParameters::rows`].
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless `epsilon > 0`, there is at least one row, and the radius is in (0, 1].
    pub fn new(
        epsilon: Rational,
        rows: Option<usize>,
        radius: Rational,
    ) -> Result<Self, MarginError> {
        above_zero("epsilon", &epsilon)?;
        at_least_one("the rows of the projection", rows.map_or(1, |k| k as u64))?;
        above_zero_at_most_one("the radius of the cover", &radius)?;
        Ok(Self {
            epsilon,
            rows,
            radius,
            limit: DEFAULT_LIMIT,
        })
    }

    /// The parameters of Theorem 3.1 for `m` records in dimension `d`: those of the smallest cover ([`PureRun::best`]).
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless `0 < beta < 1`, `epsilon > 0`, `m >= 1` and `d >= 1`.
    pub fn from_theorem(
        beta: &Rational,
        epsilon: &Rational,
        margin: &Margin,
        (m, d): (u64, u64),
    ) -> Result<Self, MarginError> {
        let run = PureRun {
            records: m,
            dimension: d,
            epsilon: epsilon.clone(),
            beta: beta.clone(),
            ratio: margin.ratio(),
        };
        let best = run.best()?;
        let rows = best.rows.and_then(|k| k.to_usize());
        Self::new(epsilon.clone(), rows, best.radius)
    }

    /// The same parameters with another limit on the points gone through.
    #[must_use]
    pub fn with_limit(self, limit: u128) -> Self {
        Self { limit, ..self }
    }

    /// The privacy parameter: the learner is `(epsilon, 0)`-differentially private.
    #[must_use]
    pub fn epsilon(&self) -> &Rational {
        &self.epsilon
    }

    /// The dimension `k` that data of dimension `d` are projected to; `None` for no projection: none was asked for, or
    /// it would not reduce the dimension.
    #[must_use]
    pub fn rows(&self, d: usize) -> Option<usize> {
        self.rows.filter(|k| *k < d)
    }

    /// The radius of the cover, relative to the ball that is covered.
    #[must_use]
    pub fn radius(&self) -> &Rational {
        &self.radius
    }

    /// The cover, for data of dimension `d`.
    ///
    /// # Errors
    /// Those of [`LatticeCover::new`].
    pub fn cover(&self, d: usize) -> Result<LatticeCover, MarginError> {
        let k = self.rows(d).unwrap_or(d);
        Ok(LatticeCover::rounding(k, &self.radius)?)
    }

    /// How many points the cover has, for data of dimension `d`.
    ///
    /// # Errors
    /// [`MarginError::CoverTooLarge`] beyond the limit.
    pub fn points(&self, d: usize) -> Result<u128, MarginError> {
        check_count(&self.cover(d)?, self.limit)
    }
}

/// The number of points of the cover, which must be no more than the limit.
fn check_count(cover: &LatticeCover, limit: u128) -> Result<u128, MarginError> {
    cover.count_at_most(limit).map_err(|error| match error {
        GeometryError::TooManyPoints { points, limit } => {
            MarginError::CoverTooLarge { points, limit }
        }
        error => error.into(),
    })
}

/// That no dataset of this domain can overflow the scores: `|sqrt(k) Phi x|^2 <= k d |x|^2`.
fn check_room(
    domain: Domain,
    rows: Option<usize>,
    cover: &LatticeCover,
) -> Result<(), MarginError> {
    let gain = rows.map_or(1, |k| k as u128 * domain.dimension() as u128);
    let longest = u128::from(domain.radius()).pow(2).saturating_mul(gain);
    if longest <= largest_squared_norm(cover) {
        Ok(())
    } else {
        Err(MarginError::Overflow { what: "a score" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Tape};
    use crate::number::Grid;
    use crate::number::rational::{integer, ratio};

    fn dataset(radius: u64, records: &[(&[i64], bool)]) -> Dataset {
        let domain = Domain::new(Grid::new(4).unwrap(), records[0].0.len(), radius).unwrap();
        let record = |&(features, positive): &(&[i64], bool)| Record {
            features: features.to_vec(),
            positive,
        };
        Dataset::new(domain, records.iter().map(record).collect()).unwrap()
    }

    fn parameters(rows: Option<usize>, radius: Rational) -> PureParameters {
        PureParameters::new(integer(4), rows, radius).unwrap()
    }

    #[test]
    fn a_point_that_errs_on_no_record_is_chosen_at_a_large_epsilon() {
        let records: Vec<(&[i64], bool)> = vec![(&[0, 16, 1], false); 40];
        let data = dataset(17, &records);
        for (seed, rows) in [(1, None), (2, Some(2)), (3, Some(1))] {
            let mut coins = ChaCha::reproducible(seed, 0);
            let model = learn(&data, &parameters(rows, ratio(1, 2)), &mut coins).unwrap();
            assert_eq!(model.halfspace.errors(data.records()).unwrap(), 0);
            assert_eq!(model.projection.as_ref().map(SignMatrix::rows), rows);
            assert_eq!(model.point.len(), rows.unwrap_or(3));
            // The prediction is that of the point on the projected record, with its sign.
            let image = data.records()[0].projected(model.projection.as_ref());
            let product = |w: &[i64], x: &[i64]| -> i64 {
                let products = w.iter().zip(x).map(|(w, x)| w * x);
                products.sum()
            };
            let projected = product(&model.point, &image.unwrap());
            let pulled_back = product(&model.halfspace.direction, &data.records()[0].signed());
            assert_eq!(projected, pulled_back);
        }
    }

    #[test]
    fn ties_and_records_that_are_sent_to_zero_are_errors_of_every_point() {
        let cover = LatticeCover::rounding(2, &ratio(1, 2)).unwrap();
        let scores = error_scores(&[vec![0, 0], vec![1, 0], vec![-3, 1]], &cover).unwrap();
        assert_eq!(scores.score(&[0, 0]), 3);
        assert_eq!(scores.score(&[0, 1]), 2);
        assert_eq!(scores.score(&[1, 0]), 2);
        assert_eq!(scores.score(&[-1, 1]), 2);
        assert_eq!(scores.score(&[1, 3]), 2);
        let total: u64 = scores.counts().iter().sum();
        assert_eq!(u128::from(total), cover.count_at_most(1000).unwrap());
    }

    #[test]
    fn as_many_rows_as_dimensions_are_no_projection() {
        let right = parameters(Some(3), ratio(1, 2));
        assert_eq!((right.rows(3), right.rows(4)), (None, Some(3)));
        assert_eq!(right.rows(2), None);
        assert_eq!(right.cover(2).unwrap().dimension(), 2);
        assert_eq!(right.cover(9).unwrap().dimension(), 3);
        assert_eq!(
            right.points(9).unwrap(),
            right.cover(9).unwrap().count_at_most(1000).unwrap()
        );
    }

    #[test]
    fn what_cannot_be_done_is_refused_before_a_coin_is_drawn() {
        let data = dataset(16, &[(&[16, 0], true), (&[0, 16], false)]);
        let refused = |parameters: &PureParameters| {
            let model = learn(&data, parameters, &mut Tape::written(""));
            model.unwrap_err().to_string()
        };
        let right = parameters(None, ratio(1, 2));
        assert_eq!(
            refused(&right.clone().with_limit(8)),
            "the cover has at least 3^2 points, more than the limit of 8: project to fewer dimensions, take a larger \
             radius, or raise the limit"
        );
        // 2^31 points and records of up to 2^30 steps: 2^30 2^30 2^30 is too much.
        let fine = parameters(Some(1), ratio(1, 1 << 31)).with_limit(1 << 40);
        let wide = dataset(1 << 30, &[(&[16, 0], true)]);
        let error = learn(&wide, &fine, &mut Tape::written("")).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a score might not fit in its integers: use a coarser grid"
        );
        let large = PureParameters::new(integer(1 << 23), None, ratio(1, 2)).unwrap();
        assert!(refused(&large).contains("2^23 divided"));
        for wrong in [
            PureParameters::new(integer(0), None, ratio(1, 2)),
            PureParameters::new(integer(1), Some(0), ratio(1, 2)),
            PureParameters::new(integer(1), None, integer(0)),
            PureParameters::new(integer(1), None, integer(2)),
        ] {
            assert!(wrong.is_err());
        }
    }

    #[test]
    fn the_theorem_projects_only_to_fewer_dimensions() {
        let margin = Margin::new(integer(2), integer(1), integer(1)).unwrap();
        let theorem = |d| {
            let shape = (1000, d);
            PureParameters::from_theorem(&ratio(1, 20), &integer(1), &margin, shape).unwrap()
        };
        // q = 2: without a projection the radius is 1/2.
        let low = theorem(20);
        assert_eq!((low.rows(20), low.radius()), (None, &ratio(1, 2)));
        let high = theorem(1 << 40);
        assert!(high.rows(1 << 40).is_some() && *high.radius() < ratio(1, 2));
        let refused = high.points(1 << 40).unwrap_err().to_string();
        assert!(refused.starts_with("the cover has at least "), "{refused}");
    }
}
