//! Samplers: on the same coins the library draws what the reference draws, and uses as many.

use dp_assay::coins::{self as library, Coins as _};
use dp_assay::law::{self, Noise as _};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::sample as shipped;
use dp_assay_reference::coins::{ChaCha, Coins};
use dp_assay_reference::sample::{self, Noise};
use num_bigint::BigInt;

/// So many draws of one law under each of some seeds.
const DRAWS: usize = 60;

#[track_caller]
fn same<L, R>(theirs: &L, ours: &R)
where
    L: library::Law,
    R: dp_assay_reference::coins::Law<Outcome = L::Outcome>,
{
    for seed in 0..8 {
        let (mut coins, mut again) = (
            library::ChaCha::reproducible(seed, 1),
            ChaCha::reproducible(seed, 1),
        );
        for _ in 0..DRAWS {
            assert_eq!(
                coins.draw(theirs).unwrap(),
                again.draw(ours).unwrap(),
                "{}",
                theirs.label()
            );
            assert_eq!(coins.consumed(), again.consumed(), "{}", theirs.label());
        }
    }
}

/// Small, large, whole, at 1 and on both sides of it, and beyond a machine word.
fn parameters() -> Vec<Rational> {
    let long = Rational::new((BigInt::from(1) << 70) + 1, (1i64 << 60).into());
    vec![
        ratio(1, 9),
        ratio(99, 100),
        integer(1),
        ratio(101, 100),
        ratio(7, 3),
        integer(4),
        integer(1000),
        long,
    ]
}

#[test]
fn noise_is_drawn_the_same() {
    for p in parameters() {
        let laplace = (
            shipped::DiscreteLaplace::new(p.clone()).unwrap(),
            sample::DiscreteLaplace::new(p.clone()).unwrap(),
        );
        let gaussian = (
            shipped::DiscreteGaussian::new(p.clone()).unwrap(),
            sample::DiscreteGaussian::new(p.clone()).unwrap(),
        );
        same(
            &shipped::Geometric::new(p.recip()).unwrap(),
            &sample::Geometric::new(p.recip()).unwrap(),
        );
        same(&laplace.0, &laplace.1);
        same(&gaussian.0, &gaussian.1);
        same(&laplace.0.around(-7), &laplace.1.around(-7));
        same(
            &gaussian.0.around_all([1, 0, -5]),
            &gaussian.1.around_all([1, 0, -5]),
        );
        // A threshold met exactly, an interval of one point, and values within and beyond it.
        for excess in [-3, 0, 2] {
            let values = [BigInt::from(excess), BigInt::from(5)];
            same(
                &law::AboveThenAnswer::new(values.clone(), &laplace.0, &laplace.0),
                &sample::AboveThenAnswer::new(values, &laplace.1, &laplace.1),
            );
            let quiet = || [BigInt::from(0), BigInt::from(excess.max(0))];
            same(
                &law::Censored::new(excess, &laplace.0, quiet()).unwrap(),
                &sample::Censored::new(excess, &laplace.1, quiet()).unwrap(),
            );
        }
    }
}

#[test]
fn frequencies_and_vectors_are_drawn_the_same() {
    for p in parameters().into_iter().filter(|p| *p >= integer(1)) {
        same(
            &shipped::DiscreteCauchy::new(p.clone()).unwrap(),
            &sample::DiscreteCauchy::new(p).unwrap(),
        );
    }
    for dimension in [1, 2, 4, 5] {
        for rate in [ratio(1, 4), integer(3)] {
            let theirs = shipped::GammaNoise::new(rate.clone(), dimension).unwrap();
            let ours = sample::GammaNoise::new(rate, dimension).unwrap();
            same(
                &theirs.around_all(vec![2; dimension]),
                &ours.around_all(vec![2; dimension]),
            );
        }
    }
}

#[test]
fn choices_are_drawn_the_same() {
    let classes: [&[(Rational, u32)]; 5] = [
        &[(integer(3), 1)],
        &[(integer(0), 0), (integer(1), 2), (integer(1), 3)],
        &[
            (integer(5), 1),
            (integer(0), 0),
            (integer(0), 2),
            (ratio(1, 3), 4),
        ],
        &[(integer(-100_000_000), 0), (integer(0), 1), (integer(1), 1)],
        &[(integer(0), 1), (ratio(1, 1 << 40), 1)],
    ];
    for classes in classes {
        let theirs = classes.iter().map(|(loss, count)| shipped::ScoreClass {
            loss: loss.clone(),
            count: (*count).into(),
        });
        let ours = classes.iter().map(|(loss, count)| sample::ScoreClass {
            loss: loss.clone(),
            count: (*count).into(),
        });
        same(
            &shipped::ExponentialMechanism::new(ratio(3, 2), ratio(2, 3), theirs.collect())
                .unwrap(),
            &sample::ExponentialMechanism::new(ratio(3, 2), ratio(2, 3), ours.collect()).unwrap(),
        );
    }
    for losses in [vec![0], vec![2, 2, 2], vec![3, 0, 3, 1, 0, u32::MAX]] {
        same(
            &shipped::ScoredChoice::new(losses.clone(), &ratio(1, 2)).unwrap(),
            &sample::ScoredChoice::new(losses, &ratio(1, 2)).unwrap(),
        );
    }
}

#[test]
fn passes_are_drawn_the_same() {
    for (records, draws, most) in [(1, 1, 1), (5, 3, 3), (5, 3, 1), (4, 8, 2), (3, 7, 7)] {
        same(
            &shipped::WithReplacement::new(records, draws)
                .unwrap()
                .at_most(most)
                .unwrap(),
            &sample::WithReplacement::new(records, draws, most).unwrap(),
        );
    }
}

#[test]
fn what_no_law_has_is_refused() {
    for bad in [integer(0), ratio(-1, 2)] {
        assert!(sample::Geometric::new(bad.clone()).is_err());
        assert!(sample::DiscreteLaplace::new(bad.clone()).is_err());
        assert!(sample::DiscreteGaussian::new(bad.clone()).is_err());
        assert!(sample::GammaNoise::new(bad.clone(), 1).is_err());
        assert!(sample::ScoredChoice::new(vec![1], &bad).is_err());
        assert!(sample::ExponentialMechanism::new(integer(1), bad, Vec::new()).is_err());
    }
    assert!(sample::DiscreteCauchy::new(ratio(99, 100)).is_err());
    assert!(sample::GammaNoise::new(integer(1), 17).is_err());
    assert!(sample::ScoredChoice::new(Vec::new(), &integer(1)).is_err());
    assert!(sample::WithReplacement::new(2, 5, 2).is_err());
    let laplace = sample::DiscreteLaplace::new(integer(1)).unwrap();
    assert!(sample::Censored::new(0, &laplace, [1.into(), 0.into()]).is_err());
}
