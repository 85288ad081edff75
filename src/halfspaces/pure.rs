//! Algorithm 2: a large-margin halfspace with pure differential privacy.
//!
//! Nguyen, Ullman, Zakynthinou 2020, Section 4, exactly: integers and rationals throughout, and the
//! exact exponential mechanism. Repaired in two places that the paper leaves open
//! (`spec/halfspaces.md`): a record with `Ax = 0` is bad for every hypothesis (`nuz20.e4`), and a tie is an
//! error (`nuz20.e3`). Theorem 10 holds of `(A, w)` jointly, hence of `w^T A` (`nuz20.e5`): `A` is drawn once, before
//! the data are looked at.

use super::data::{Dataset, Halfspace};
use super::error::HalfspaceError;
use super::steps::{Chosen, draw_projection, overridden, pull_back};
use crate::coins::{Coins, Promise, Stage};
use crate::geometry::{
    CoverChoice, CoverKind, CoverScores, GeometryError, LatticeCover, SignMatrix,
    johnson_lindenstrauss, largest_squared_norm,
};
use crate::number::chosen::from_theorem;
use crate::number::range::{
    above_zero, above_zero_at_most_one, above_zero_below_one, at_least_one, require, zero_to_one,
};
use crate::number::root::ceil_sqrt;
use crate::number::{Rational, grid::squared_norm};
use crate::sample::check_exponent;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

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
    check_exponent(&parameters.epsilon, data.records().len())?;
    let cover = parameters.cover(data.dimension())?;
    check_count(&cover, parameters.limit)?;
    let rows = parameters.projected_dimension.value;
    check_room(data, rows, &cover)?;

    // 1. Choose A, once, with entries +-1/sqrt(m). Drawing it again until it suits the data would not be
    //    private.
    coins.stage(&Stage::public("the projection"));
    let projection = draw_projection(rows, data.dimension(), coins)?;

    // 2. S_A: of each record v = y sqrt(m) A x. The score normalises it.
    let projected = data.projected(projection.as_ref())?;

    // 3. The cover W of the unit ball, with radius gamma/10; it is gone through, and never stored.
    // 4. The loss -n u(S_A, w): the number of bad records, those with y <w, A x / |A x|> < gamma/10.
    let scores = margin_scores(&projected, &cover, &parameters.threshold.value)?;

    // 5. w with probability proportional to exp(-epsilon loss / 2): a substituted record moves the loss of
    //    each w by at most one.
    let promise = Promise::Pure(parameters.epsilon.clone());
    coins.stage(&Stage::once("the choice of a point", promise));
    let point = coins.draw(&CoverChoice::new(scores, &parameters.epsilon)?)?;

    // 6. Return w^T A.
    let halfspace = pull_back(projection.as_ref(), &point)?;
    Ok(PureModel {
        projection,
        point,
        denominator: cover.denominator(),
        halfspace,
    })
}

/// The scores of all points of the cover on records given as `v = y sqrt(m) A x`: how many are bad.
///
/// A record is bad for `w = k/q` if `y <w, A x / |A x|> < threshold` or `A x = 0`. The first is
/// `<k, v> < threshold q |v|`, and since the left side is an integer, `<k, v> < T(v)` for
/// `T(v) = ceil(threshold q |v|)`, raised to 1 where that is 0. The 1 makes a tie an error where the
/// threshold is 0, and makes `v = 0` bad for every `w`: the paper leaves `0/|0|` open, and a learner
/// that failed there would not be private (`nuz20.e3`, `nuz20.e4`).
///
/// # Errors
/// [`HalfspaceError::Parameter`] unless `0 <= threshold <= 1`; [`HalfspaceError::Geometry`] unless each
/// vector has the cover's dimension and is at most as long as [`largest_squared_norm`] allows.
pub fn margin_scores(
    projected: &[Vec<i64>],
    cover: &LatticeCover,
    threshold: &Rational,
) -> Result<CoverScores, HalfspaceError> {
    zero_to_one("the margin's threshold", threshold)?;
    let least_good: Vec<i64> = projected
        .iter()
        .map(|v| least_good_product(squared_norm(v), cover, threshold))
        .collect();
    Ok(CoverScores::new(projected, &least_good, cover)?)
}

/// `T = max(1, ceil(threshold q |v|))`: the least positive integer `t` with
/// `t^2 >= threshold^2 q^2 |v|^2`.
fn least_good_product(norm_squared: u128, cover: &LatticeCover, threshold: &Rational) -> i64 {
    let scale = threshold * Rational::from_integer(cover.denominator().into());
    let square = &scale * &scale * Rational::from_integer(norm_squared.into());
    // An integer t has t^2 >= square if and only if t^2 >= ceil(square).
    let square = square.ceil().to_integer().magnitude().clone();
    // It fits wherever |v| is at most the root of the largest squared norm.
    ceil_sqrt(&square).to_i64().unwrap_or(i64::MAX).max(1)
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
crate::published!(PureModel {
    projection,
    point,
    denominator,
    halfspace
});

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
        let tenth = from_theorem(gamma / BigInt::from(10));
        Ok(Self {
            epsilon: epsilon.clone(),
            gamma: gamma.clone(),
            projected_dimension: from_theorem(m.to_usize().filter(|m| *m < d)),
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

    /// How many points the cover has, for data of dimension `d`.
    ///
    /// # Errors
    /// [`HalfspaceError::CoverTooLarge`] beyond the limit.
    pub fn points(&self, d: usize) -> Result<u128, HalfspaceError> {
        check_count(&self.cover(d)?, self.limit)
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

/// The number of points of the cover, which must be no more than the limit.
fn check_count(cover: &LatticeCover, limit: u128) -> Result<u128, HalfspaceError> {
    cover.count_at_most(limit).map_err(|error| match error {
        GeometryError::TooManyPoints { points, limit } => {
            HalfspaceError::CoverTooLarge { points, limit }
        }
        error => error.into(),
    })
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
    use super::*;
    use crate::coins::{ChaCha, Explorer, Layer};
    use crate::halfspaces::Record;
    use crate::halfspaces::steps::Origin;
    use crate::number::{Enclosure, Grid, rational::ratio};
    use num_traits::{One, Zero};
    use proptest::prelude::*;
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
        let (as_many, one_more) = (theorem(m as usize), theorem(m as usize + 1));
        assert_eq!(as_many.unwrap().projected_dimension().value, None);
        assert_eq!(
            one_more.unwrap().projected_dimension().value,
            Some(m as usize)
        );
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
        assert_eq!(model.halfspace.errors(data.records()).unwrap(), 0);
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
        let projected = data.projected(Some(&projection)).unwrap();
        let cover = parameters.cover(2).unwrap();
        let scores = margin_scores(&projected, &cover, &parameters.threshold.value).unwrap();
        assert_eq!(scores.counts(), [0, 2, 0, 3]);
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

    /// The definition without our rearrangement: `y <k, v> < threshold q |v|` over the rationals.
    fn is_bad_in_rationals(k: &[i64], v: &[i64], q: u64, threshold: &Rational) -> bool {
        let product: i64 = k.iter().zip(v).map(|(k, v)| k * v).sum();
        let norm_squared = Rational::from_integer(BigInt::from(squared_norm(v)));
        let bound = threshold * threshold * Rational::from_integer((q * q).into()) * norm_squared;
        product <= 0 || Rational::from_integer((product * product).into()) < bound
    }

    #[test]
    fn a_strict_comparison_made_non_strict_at_zero_is_caught() {
        // k = 0 is bad for every record, also at threshold 0; v = 0 is bad for every k.
        let cover = LatticeCover::rounding(2, &ratio(1, 3)).unwrap();
        let records = [vec![0, 0], vec![1, 2], vec![-3, 1]];
        for threshold in [Rational::zero(), ratio(1, 10)] {
            let scores = margin_scores(&records, &cover, &threshold).unwrap();
            assert!((0..3).all(|record| scores.is_bad(record, &[0, 0])));
            let counts = scores.counts();
            assert_eq!(counts[0], 0);
            // The twin that lets T be 0 counts v = 0 good everywhere, and the counts change.
            let least = |v: &Vec<i64>| least_good_product(squared_norm(v), &cover, &threshold);
            let twin = [0, least(&records[1]), least(&records[2])];
            let twin = CoverScores::new(&records, &twin, &cover).unwrap();
            assert!(!twin.is_bad(0, &[1, 1]));
            assert_ne!(twin.counts(), counts);
        }
        // At threshold 0 the twin counts k = 0 good for all.
        let twin = CoverScores::new(&records, &[0; 3], &cover).unwrap();
        assert!((0..3).all(|record| !twin.is_bad(record, &[0, 0])));
    }

    #[test]
    fn the_threshold_itself_is_good() {
        // q = 4, v = (3, 4), threshold 7/20: T = 7 exactly, and <(1, 1), v> = 7.
        let cover = LatticeCover::rounding(2, &ratio(1, 5)).unwrap();
        assert_eq!(cover.denominator(), 4);
        let records = [vec![3, 4]];
        let scores = margin_scores(&records, &cover, &ratio(7, 20)).unwrap();
        assert!(!scores.is_bad(0, &[1, 1]));
        let scores = margin_scores(&records, &cover, &ratio(7001, 20000)).unwrap();
        assert!(scores.is_bad(0, &[1, 1]));
    }

    #[test]
    fn records_and_thresholds_that_do_not_fit_are_refused() {
        let cover = LatticeCover::rounding(2, &ratio(1, 3)).unwrap();
        let new = |v: &[i64], threshold| margin_scores(&[v.to_vec()], &cover, &threshold);
        assert!(new(&[1], ratio(1, 2)).is_err());
        assert!(new(&[1, 1], ratio(-1, 2)).is_err() && new(&[1, 1], ratio(3, 2)).is_err());
        assert!(new(&[i64::MAX, i64::MAX], ratio(1, 2)).is_err());
        // The longest vector accepted is swept without overflow.
        let longest = largest_squared_norm(&cover).isqrt() as i64;
        let scores = new(&[-longest, 0], Rational::one()).unwrap();
        assert_eq!(
            scores.counts().iter().sum::<u64>() as u128,
            cover.count_at_most(1 << 20).unwrap()
        );
    }

    proptest! {
        #[test]
        fn the_scores_are_those_of_the_definition_and_do_not_see_lengths(
            (m, records) in (1usize..5).prop_flat_map(|m| {
                (Just(m), prop::collection::vec(prop::collection::vec(-6i64..=6, m), 1..8))
            }),
            radius in 1i64..=75, threshold in 0i64..=100, scale in 1i64..1_000_000_000
        ) {
            let finest = [1, 3, 15, 25][m - 1];
            let cover = LatticeCover::rounding(m, &ratio(finest + radius, 100)).unwrap();
            let threshold = ratio(threshold, 100);
            let small = margin_scores(&records, &cover, &threshold).unwrap();
            let scaled: Vec<Vec<i64>> =
                records.iter().map(|v| v.iter().map(|v| v * scale).collect()).collect();
            let scores = margin_scores(&scaled, &cover, &threshold).unwrap();
            let mut counts = vec![0; records.len() + 1];
            let mut lines = cover.lines();
            while let Some(line) = lines.next_line() {
                for place in 0..line.length() {
                    let k = line.point(place);
                    let mut score = 0;
                    for (i, v) in records.iter().enumerate() {
                        let bad = is_bad_in_rationals(&k, v, cover.denominator(), &threshold);
                        prop_assert_eq!(scores.is_bad(i, &k), bad);
                        score += usize::from(bad);
                    }
                    counts[score] += 1;
                }
            }
            prop_assert_eq!(&scores.counts(), &counts);
            // Normalised: the length of a record does not matter.
            prop_assert_eq!(&small.counts(), &counts);
        }
    }
}
