//! What Lemma 9 becomes: a statement about a pair of datasets that is fixed before the frequencies are
//! drawn.
//!
//! The least-norm coefficients `c = A* G^-1 y` obey two identities, `G` being the Gram matrix of the larger
//! dataset:
//!
//! - (9-dist) if only label `j` differs, `|c - c'|^2 = (y_j - y_j')^2 (G^-1)_jj`;
//! - (9-rem) if record `j` is removed, `|c - c_-j|^2 = |c|^2 - |c_-j|^2 = |y_j - a_j c_-j|^2 (G^-1)_jj`.
//!
//! So removal moves `c` by at most `|c| <= |y|/sqrt(lambda_min(G))`, half of what Lemma 9 states, and
//! substitution by at most twice that, if the eigenvalues of *both* Gram matrices are bounded below. They
//! are, except with a probability that has to be added to `delta_p`: (9-pair).

use super::{Setting, of};
use crate::number::rational::integer;
use crate::number::{Enclosure, Rational};
use crate::privacy::NeighbouringRelation;
use crate::random_features::RandomFeatureError;
use num_traits::One;

/// How far the coefficients of a pair are apart while the least eigenvalues are at least
/// `N (1 - 2 eta)`, for labels of norm at most 1: `1/sqrt(N (1 - 2 eta))` for removal, twice that for
/// substitution.
///
/// # Errors
/// Those of the square root.
pub fn distance(
    setting: &Setting,
    relation: NeighbouringRelation,
) -> Result<Enclosure, RandomFeatureError> {
    let radius = of(&(integer(setting.features) * setting.lower_edge()).recip()).sqrt()?;
    Ok(match relation {
        NeighbouringRelation::AddOrRemove => radius,
        NeighbouringRelation::Substitute => radius.shifted(1),
    })
}

/// The `delta` of (9-pair): with noise for [`distance`] at `(epsilon_p, delta_p)`, and eigenvalues that
/// fail with probability at most `edge_failure` for each dataset,
/// `Pr[M(D) in R] <= e^epsilon_p Pr[M(D') in R] + delta_p + f`, where `f` is `edge_failure` for removal
/// (one Gram matrix, since those of the smaller dataset interlace) and twice that for substitution;
/// at most 1.
///
/// Under Theorem 8, `edge_failure` is `3 delta`, and is also over the draw of the data.
#[must_use]
pub fn delta_of_pair(
    setting: &Setting,
    relation: NeighbouringRelation,
    edge_failure: &Rational,
) -> Rational {
    let matrices = match relation {
        NeighbouringRelation::AddOrRemove => 1,
        NeighbouringRelation::Substitute => 2,
    };
    (&setting.delta + edge_failure * integer(matrices)).min(Rational::one())
}

#[cfg(test)]
mod tests {
    use super::super::tests::usual;
    use super::*;
    use crate::number::rational::ratio;
    use NeighbouringRelation::{AddOrRemove, Substitute};

    #[test]
    fn substitution_costs_twice_what_removal_costs() {
        let setting = usual(1000, 10_000);
        let of_pair = distance(&setting, Substitute).unwrap();
        // 2/sqrt(N/4) = 4/sqrt(N)
        assert!(of_pair.contains(&ratio(4, 100)));
        assert!(
            distance(&setting, AddOrRemove)
                .unwrap()
                .contains(&ratio(2, 100))
        );
    }

    #[test]
    fn the_probability_of_bad_eigenvalues_is_part_of_delta() {
        let setting = usual(1000, 10_000);
        let failure = ratio(3, 20);
        assert_eq!(
            delta_of_pair(&setting, Substitute, &failure),
            ratio(30_001, 100_000)
        );
        assert_eq!(
            delta_of_pair(&setting, AddOrRemove, &failure),
            ratio(15_001, 100_000)
        );
        assert_eq!(
            delta_of_pair(&setting, Substitute, &ratio(1, 2)),
            integer(1)
        );
    }
}
