//! Algorithm 2: a large-margin halfspace with pure differential privacy.
//!
//! Nguyen, Ullman, Zakynthinou 2020, Section 4, exactly: integers and rationals throughout, and the
//! exact exponential mechanism. Repaired in two places that the paper leaves open
//! (`spec/halfspaces.md`): a record with `Ax = 0` is bad for every hypothesis (E4), and a tie is an
//! error (E3). Theorem 10 holds of `(A, w)` jointly, hence of `w^T A` (E5): `A` is drawn once, before
//! the data are looked at.

use super::{Dataset, Halfspace, HalfspaceError, score::MarginScores, score::largest_squared_norm};
use crate::coins::{Coins, CoinsError};
use crate::geometry::{CoverKind, GeometryError, LatticeCover, SignMatrix, johnson_lindenstrauss};
use crate::number::range::{
    above_zero, above_zero_at_most_one, above_zero_below_one, at_least_one, require, zero_to_one,
};
use crate::number::{Rational, rational::ratio};
use crate::sample::{ExponentialMechanism, ScoreClass};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

/// Where the value of a parameter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// From Theorem 11: its guarantee of utility applies.
    Theorem,
    /// From the caller: the guarantee of privacy is the same, that of utility need not apply.
    Overridden,
}

/// A parameter and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub origin: Origin,
}

/// The parameters of Algorithm 2. All are public: none may be chosen after looking at the data.
///
/// Privacy rests on `epsilon` alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PureParameters {
    epsilon: Rational,
    gamma: Rational,
    projected_dimension: Chosen<Option<usize>>,
    threshold: Chosen<Rational>,
    radius: Chosen<Rational>,
    cover_kind: CoverKind,
    limit: u128,
}

/// The most points of a cover that are gone through unless told otherwise.
pub const DEFAULT_LIMIT: u128 = 1_000_000_000;

impl PureParameters {
    /// The parameters of Theorem 11 for `n` records in dimension `d`.
    ///
    /// The projection has `m` rows by the Johnson-Lindenstrauss lemma for `kappa = gamma/100` and
    /// `beta_JL = alpha beta^2 / (64 n)`; if `m >= d` there is none, which only helps. The threshold
    /// and the radius of the cover are `gamma/10`.
    ///
    /// # Errors
    /// [`HalfspaceError::Parameter`] unless `alpha` and `beta` are in (0, 1), `epsilon > 0`, `gamma` is
    /// in (0, 1], `n >= 2` and `d >= 1`.
    pub fn from_theorem(
        alpha: &Rational,
        beta: &Rational,
        epsilon: &Rational,
        gamma: &Rational,
        n: usize,
        d: usize,
    ) -> Result<Self, HalfspaceError> {
        above_zero_below_one("alpha", alpha)?;
        above_zero_below_one("beta", beta)?;
        above_zero("epsilon", epsilon)?;
        above_zero_at_most_one("gamma", gamma)?;
        require(n >= 2, "n", &n, "at least 2")?;
        at_least_one("d", d as u64)?;
        let beta_jl = alpha * beta * beta / (BigInt::from(n) * 64);
        let kappa = gamma / BigInt::from(100);
        let m = johnson_lindenstrauss::dimension(&beta_jl, &kappa)?;
        let tenth = Chosen {
            value: gamma / BigInt::from(10),
            origin: Origin::Theorem,
        };
        Ok(Self {
            epsilon: epsilon.clone(),
            gamma: gamma.clone(),
            projected_dimension: Chosen {
                value: m.to_usize().filter(|m| *m < d),
                origin: Origin::Theorem,
            },
            threshold: tenth.clone(),
            radius: tenth,
            cover_kind: CoverKind::Rounding,
            limit: DEFAULT_LIMIT,
        })
    }

    /// The same parameters with a projection to `dimension`, or without projection for `None`.
    ///
    /// # Errors
    /// [`HalfspaceError::Parameter`] for dimension 0.
    pub fn with_projected_dimension(
        self,
        dimension: Option<usize>,
    ) -> Result<Self, HalfspaceError> {
        at_least_one(
            "the projection's dimension",
            dimension.map_or(1, |m| m as u64),
        )?;
        Ok(Self {
            projected_dimension: overridden(dimension),
            ..self
        })
    }

    /// The same parameters with another threshold for the normalised margin.
    ///
    /// # Errors
    /// [`HalfspaceError::Parameter`] unless it is in [0, 1].
    pub fn with_threshold(self, threshold: Rational) -> Result<Self, HalfspaceError> {
        zero_to_one("threshold", &threshold)?;
        Ok(Self {
            threshold: overridden(threshold),
            ..self
        })
    }

    /// The same parameters with another radius of the cover. Claim 11.1 holds for every radius up to
    /// `0.96 gamma - threshold`.
    ///
    /// # Errors
    /// [`HalfspaceError::Parameter`] unless it is in (0, 1].
    pub fn with_radius(self, radius: Rational) -> Result<Self, HalfspaceError> {
        above_zero_at_most_one("radius", &radius)?;
        Ok(Self {
            radius: overridden(radius),
            ..self
        })
    }

    /// The same parameters with another kind of cover. (The default is [`CoverKind::Rounding`].)
    #[must_use]
    pub fn with_cover_kind(self, cover_kind: CoverKind) -> Self {
        Self { cover_kind, ..self }
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

    /// The margin.
    #[must_use]
    pub fn gamma(&self) -> &Rational {
        &self.gamma
    }

    /// The dimension `m` that is projected to; `None` for no projection.
    #[must_use]
    pub fn projected_dimension(&self) -> &Chosen<Option<usize>> {
        &self.projected_dimension
    }

    /// The normalised margin below which a record is bad.
    #[must_use]
    pub fn threshold(&self) -> &Chosen<Rational> {
        &self.threshold
    }

    /// The radius of the cover.
    #[must_use]
    pub fn radius(&self) -> &Chosen<Rational> {
        &self.radius
    }

    /// The cover, for data of dimension `d`.
    ///
    /// # Errors
    /// Those of [`LatticeCover::new`].
    pub fn cover(&self, d: usize) -> Result<LatticeCover, HalfspaceError> {
        let m = self.projected_dimension.value.unwrap_or(d);
        Ok(LatticeCover::new(self.cover_kind, m, &self.radius.value)?)
    }
}

fn overridden<T>(value: T) -> Chosen<T> {
    Chosen {
        value,
        origin: Origin::Overridden,
    }
}

/// What Algorithm 2 returns. All of it may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PureModel {
    /// `sqrt(m) A`; `None` where nothing was projected.
    pub projection: Option<SignMatrix>,
    /// The integer vector `k` of the hypothesis `w = k/q` that was chosen.
    pub point: Vec<i64>,
    /// `q`.
    pub denominator: u64,
    /// The halfspace `w^T A`, its normal vector scaled to the integers `k^T (sqrt(m) A)`.
    pub halfspace: Halfspace,
}

/// Learns a halfspace by Algorithm 2; `(epsilon, 0)`-differentially private under substitution of one
/// record (ledger: `nuz20.alg2`).
///
/// Goes through the cover twice, and stores none of it. The time that this takes depends on the data:
/// it must not be published.
///
/// # Errors
/// [`HalfspaceError::CoverTooLarge`] beyond the limit; [`HalfspaceError::Overflow`] for a grid too fine
/// for 64-bit scores; those of the projection, the cover and the coins. None depends on the records.
pub fn learn(
    data: &Dataset,
    parameters: &PureParameters,
    coins: &mut impl Coins,
) -> Result<PureModel, HalfspaceError> {
    // 0. Whether it can be done at all is decided by what is public.
    super::efficient::check_exponent(&parameters.epsilon, data.records().len())?;
    let cover = parameters.cover(data.dimension())?;
    check_count(&cover, parameters.limit)?;
    let rows = parameters.projected_dimension.value;
    check_room(data, rows, &cover)?;

    // 1. Choose A, once: drawing it again until it suits the data would not be private.
    let projection = rows
        .map(|m| SignMatrix::random(m, data.dimension(), coins))
        .transpose()?;

    // 2. S_A: of each record y sqrt(m) A x. It is normalised by the score, which knows its length.
    let projected = data.projected(projection.as_ref())?;

    // 3. The cover W; it is gone through, and never stored.
    // 4. The loss -n u(S_A, w): the number of bad records.
    let scores = MarginScores::new(&projected, &cover, &parameters.threshold.value)?;

    // 5. The exponential mechanism. A substituted record moves the loss of each w by at most one.
    let mechanism = ExponentialMechanism::new(
        parameters.epsilon.clone(),
        Rational::one(),
        score_classes(&scores.counts()),
    )?;
    let (loss, rank) = mechanism.draw_outcome(coins)?;
    //    The rank is below the number of points counted with that loss: there is such a point.
    let point = rank
        .to_u64()
        .and_then(|rank| scores.point(loss, rank))
        .ok_or(CoinsError::NoOutcome)?;

    //    Return w^T A.
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

/// How many points of the cover have `0, 1, ..., n` bad records, for a given projection.
///
/// # Errors
/// Those of [`learn`].
pub fn score_counts(
    data: &Dataset,
    projection: Option<&SignMatrix>,
    parameters: &PureParameters,
) -> Result<Vec<u64>, HalfspaceError> {
    let rows = projection.map(SignMatrix::rows);
    let dimension = rows.unwrap_or(data.dimension());
    let cover = LatticeCover::new(parameters.cover_kind, dimension, &parameters.radius.value)?;
    check_count(&cover, parameters.limit)?;
    check_room(data, rows, &cover)?;
    let projected = data.projected(projection)?;
    Ok(MarginScores::new(&projected, &cover, &parameters.threshold.value)?.counts())
}

/// The classes of the exponential mechanism: loss `c` for `c` bad records.
fn score_classes(counts: &[u64]) -> Vec<ScoreClass> {
    (0..)
        .zip(counts)
        .map(|(bad, &count)| ScoreClass {
            loss: ratio(bad, 1),
            count: count.into(),
        })
        .collect()
}

/// That the cover has no more points than the limit.
fn check_count(cover: &LatticeCover, limit: u128) -> Result<(), HalfspaceError> {
    match cover.count_at_most(limit) {
        Ok(_) => Ok(()),
        Err(GeometryError::TooManyPoints { points, limit }) => {
            Err(HalfspaceError::CoverTooLarge { points, limit })
        }
        Err(error) => Err(error.into()),
    }
}

/// That no dataset of this shape and grid can overflow the scores.
///
/// `|x| <= 2^b` in steps of the grid, so that `|sqrt(m) A x|^2 <= m d 4^b`.
fn check_room(
    data: &Dataset,
    rows: Option<usize>,
    cover: &LatticeCover,
) -> Result<(), HalfspaceError> {
    let one = u128::from(data.grid().one().unsigned_abs());
    let gain = match rows {
        Some(m) => m as u128 * data.dimension() as u128,
        None => 1,
    };
    if one.pow(2).saturating_mul(gain) <= largest_squared_norm(cover) {
        Ok(())
    } else {
        Err(HalfspaceError::Overflow { what: "a score" })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Record;
    use super::*;
    use crate::coins::{ChaCha, Explorer, Layer};
    use crate::number::{Enclosure, Grid};
    use std::collections::BTreeSet;

    fn parameters(epsilon: Rational, m: Option<usize>, radius: Rational) -> PureParameters {
        let half = ratio(1, 2);
        PureParameters::from_theorem(&half, &half, &epsilon, &half, 100, 10)
            .and_then(|theorem| theorem.with_projected_dimension(m)?.with_radius(radius))
            .unwrap()
    }

    fn dataset(records: &[(&[i64], bool)]) -> Dataset {
        let record = |&(features, positive): &(&[i64], bool)| Record {
            features: features.to_vec(),
            positive,
        };
        let records: Vec<_> = records.iter().map(record).collect();
        Dataset::new(Grid::new(2).unwrap(), records[0].features.len(), records).unwrap()
    }

    #[test]
    fn the_theorem_projects_only_to_fewer_dimensions() {
        let tenth = ratio(1, 10);
        let gamma = ratio(3, 10);
        let theorem =
            |d| PureParameters::from_theorem(&tenth, &tenth, &ratio(1, 1), &gamma, 1000, d);
        let low = theorem(100).unwrap();
        assert_eq!(low.projected_dimension().value, None);
        assert_eq!(low.projected_dimension().origin, Origin::Theorem);
        assert_eq!(low.radius().value, ratio(3, 100));
        let high = theorem(1 << 40).unwrap();
        let beta_jl = ratio(1, 64_000_000);
        let m = johnson_lindenstrauss::dimension(&beta_jl, &ratio(3, 1000)).unwrap();
        assert_eq!(high.projected_dimension().value, Some(m as usize));
        let changed = high.with_radius(ratio(1, 4)).unwrap();
        assert_eq!(changed.radius().origin, Origin::Overridden);
        assert_eq!(changed.threshold().origin, Origin::Theorem);
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        let half = ratio(1, 2);
        let new = |a: i64, b: i64, e: i64, g: i64, n, d| {
            let halves = |k| ratio(k, 2);
            PureParameters::from_theorem(&halves(a), &halves(b), &halves(e), &halves(g), n, d)
        };
        assert!(new(1, 1, 1, 1, 2, 1).is_ok());
        for (a, b, e, g, n, d) in [
            (2, 1, 1, 1, 2, 1),
            (1, 0, 1, 1, 2, 1),
            (1, 1, 0, 1, 2, 1),
            (1, 1, 1, 3, 2, 1),
            (1, 1, 1, 1, 1, 1),
            (1, 1, 1, 1, 2, 0),
        ] {
            assert!(matches!(
                new(a, b, e, g, n, d),
                Err(HalfspaceError::Parameter { .. })
            ));
        }
        let right = || new(1, 1, 1, 1, 2, 1).unwrap();
        assert!(right().with_projected_dimension(Some(0)).is_err());
        assert!(
            right()
                .with_radius(Rational::from_integer(2.into()))
                .is_err()
        );
        assert!(right().with_threshold(-half).is_err());
    }

    #[test]
    fn a_cover_too_large_is_refused_before_a_coin_is_drawn() {
        let data = dataset(&[(&[4, 0], true), (&[0, 4], false)]);
        let mut coins = ChaCha::new([1; 32], 0);
        let refused = learn(
            &data,
            &parameters(ratio(1, 1), Some(40), ratio(1, 20)),
            &mut coins,
        );
        assert_eq!(
            refused.unwrap_err().to_string(),
            "the cover has at least 21^40 points, more than the limit of 1000000000: \
             override the projection's dimension or the cover's radius, or raise the limit"
        );
        assert_eq!(coins.consumed(), 0);
    }

    #[test]
    fn a_separable_sample_is_learned() {
        // Labels by the first coordinate, margin 3/4, in dimension 5 and without projection.
        let mut records = Vec::new();
        for sign in [1, -1] {
            for axis in 1..5 {
                let mut features = vec![3 * sign, 0, 0, 0, 0];
                features[axis] = 2;
                records.push(Record {
                    features,
                    positive: sign == 1,
                });
            }
        }
        let records: Vec<_> = (0..40).map(|i| records[i % 8].clone()).collect();
        let data = Dataset::new(Grid::new(2).unwrap(), 5, records).unwrap();
        // Some point of the cover has no bad record. Any that errs has at least 5 bad ones, so that it
        // is drawn with probability at most exp(-20 * 5/2), and there are 5913 points.
        let model = learn(
            &data,
            &parameters(ratio(20, 1), None, ratio(43, 100)),
            &mut ChaCha::new([3; 32], 0),
        )
        .unwrap();
        assert_eq!(model.projection, None);
        assert_eq!(model.halfspace.direction, model.point);
        assert_eq!(model.halfspace.errors(&data).unwrap(), 0);
    }

    #[test]
    fn a_projected_halfspace_is_the_hypothesis_of_the_projected_records() {
        let data = dataset(&[(&[4, 0, 0], true), (&[0, -3, 2], false), (&[1, 1, 1], true)]);
        for stream in 0..20 {
            let parameters = parameters(ratio(1, 1), Some(2), ratio(1, 4));
            let model = learn(&data, &parameters, &mut ChaCha::new([5; 32], stream)).unwrap();
            let projection = model.projection.unwrap();
            assert!(parameters.cover(3).unwrap().contains(&model.point));
            for record in data.records() {
                let image = projection.apply(&record.features).unwrap();
                let product: i64 = image.iter().zip(&model.point).map(|(v, k)| v * k).sum();
                let label = (product != 0).then_some(product > 0);
                assert_eq!(model.halfspace.predict(&record.features).unwrap(), label);
            }
        }
    }

    /// The very code of the learner on every outcome of its draws: the law of what it returns lies
    /// within `exp(epsilon)` of that on a neighbour, and is that of the exponential mechanism.
    #[test]
    fn the_learner_explored_draw_by_draw_is_private() {
        let epsilon = ratio(1, 1);
        let parameters = parameters(epsilon.clone(), Some(1), ratio(1, 4));
        let law = |data: &Dataset| {
            Explorer::new(Layer::Laws, 100_000)
                .explore(|coins| {
                    learn(data, &parameters, coins)
                        .map(|model| (model.projection, model.point))
                        .map_err(|error| match error {
                            HalfspaceError::Coins(error)
                            | HalfspaceError::Geometry(GeometryError::Coins(error)) => error,
                            other => panic!("{other}"),
                        })
                })
                .unwrap()
        };
        let data = dataset(&[(&[2, 2], true), (&[2, 2], true), (&[2, -2], true)]);
        let neighbour = dataset(&[(&[2, 2], true), (&[2, 2], false), (&[2, -2], true)]);
        let (found, other) = (law(&data), law(&neighbour));
        // 4 matrices and 5 points.
        assert_eq!(found.lower.len(), 20);
        let tiny = Rational::new(1.into(), BigInt::one() << 100);
        assert!(found.undecided < tiny && other.undecided < tiny);
        let most = Enclosure::exp_of(&epsilon, 100).unwrap().upper();
        let mut largest = ratio(0, 1);
        for (outcome, probability) in &found.lower {
            let ratio = (probability + &found.undecided) / other.lower(outcome);
            assert!(ratio <= most);
            largest = largest.max(ratio);
        }
        assert!(largest > ratio(7, 5));
        // With A = (1, 1), x = (2, -2) is projected to zero: bad for all, it cancels. The points -2..=2
        // then lose 3, 3, 3, 1, 1.
        let projection = SignMatrix::from_signs(&[vec![1, 1]]).unwrap();
        assert_eq!(
            score_counts(&data, Some(&projection), &parameters).unwrap(),
            [0, 2, 0, 3]
        );
        let good = Enclosure::integer(1, 200);
        let bad = Enclosure::exp_of(&ratio(-1, 1), 200).unwrap();
        let total = good.shifted(1) + &bad * &Enclosure::integer(3, 200);
        let exact = good.divided_by(&total).unwrap().shifted(-2);
        assert!(found.allows(&(Some(projection), vec![1]), &exact));
    }

    #[test]
    fn a_projection_redrawn_until_the_data_fit_is_caught() {
        // The twin draws A again until no record is projected to zero. Its A is then uniform on a set
        // that depends on the data, and is published.
        let law = |data: &Dataset| -> BTreeSet<SignMatrix> {
            let fits = |matrix: &SignMatrix| {
                let projected = data.projected(Some(matrix)).unwrap();
                projected.iter().all(|v| v.iter().any(|&v| v != 0))
            };
            SignMatrix::all(2, 2).unwrap().filter(fits).collect()
        };
        let data = law(&dataset(&[(&[2, 2], true), (&[2, 2], true)]));
        let neighbour = law(&dataset(&[(&[2, 2], true), (&[2, -2], true)]));
        assert_eq!((data.len(), neighbour.len()), (12, 8));
        // Probability 1/12 against 0: no epsilon is enough.
        let equal_signs = SignMatrix::from_signs(&[vec![1, 1], vec![1, 1]]).unwrap();
        assert!(data.contains(&equal_signs) && !neighbour.contains(&equal_signs));
    }
}
