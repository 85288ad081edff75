//! The repaired Algorithm 1, with the shipped Noise-GD as its F, and with an F whose law is known.

use super::common::{any_records, big, coins_error, points, same_coins, shipped, signs};
use crate::lent::{ChaCha, Explorer};
use dp_assay::coins::{Coins, Layer};
use dp_assay::halfspaces::efficient::EfficientParameters;
use dp_assay::halfspaces::steps::overridden;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Grid};
use dp_assay::optimise::Hinge;
use dp_assay::privacy::{Budget, NeighbouringRelation};
use dp_assay_reference::data::Points;
use dp_assay_reference::halfspaces::algorithm_1::learn;
use dp_assay_reference::halfspaces::{algorithm_3, full_batch_descent};
use dp_assay_reference::sample::ScoredChoice;

/// F with one run: the choice among one candidate costs no coin.
#[test]
fn with_noise_gd_it_is_the_shipped_learner() {
    use dp_assay::halfspaces::efficient::{NoiseGd, RunBudget};
    let mut coins = ChaCha::reproducible(51, 0);
    for round in 0..crate::by_day_or_night(36u64, 120) {
        let (bits, d) = ((round % 6) as u32, 1 + (round % 3) as usize);
        let records = any_records(2 + (round % 4) as usize, d, bits, &mut coins);
        let (n, m) = (
            records.len(),
            [None, Some(1), Some(2)][round as usize / 3 % 3],
        );
        let budget =
            Budget::approximate(integer(200), ratio(1, 10), NeighbouringRelation::Substitute)
                .unwrap();
        let parameters = EfficientParameters {
            budget: budget.clone(),
            hinge: Hinge::of_algorithm_1(&ratio(1, 2)),
            projected_dimension: overridden(m),
            runs: overridden(1),
            steps: overridden(9),
        };
        let grid = Grid::new(bits).unwrap();
        let variance = parameters.noise(n, m.unwrap_or(d), grid).unwrap();
        let run = RunBudget {
            whole: Budget::approximate(
                integer(100),
                ratio(1, 10),
                NeighbouringRelation::Substitute,
            )
            .unwrap(),
            records: n as u64,
            steps: 9,
        };
        let noise_gd = NoiseGd::with_variance(variance, &run, grid).unwrap();
        let (mut ours, mut theirs) = same_coins(round);
        let (a, w, pulled_back) = learn(
            &points(bits, &records),
            m,
            |s_a, coins| {
                Ok(noise_gd
                    .run(&s_a.to_vec().into(), &parameters.hinge, coins)
                    .unwrap())
            },
            &mut ours,
        )
        .unwrap();
        let model = dp_assay::halfspaces::efficient::learn(
            &shipped(bits, &records),
            &parameters,
            &mut theirs,
        );
        let model = model.unwrap();
        assert_eq!(a, signs(model.projection.as_ref(), d));
        assert_eq!(w, model.candidates[0]);
        assert_eq!(pulled_back, big(&model.halfspace.direction));
        assert_eq!(ours.consumed(), theirs.consumed());
    }
}

/// Both learners that have an F of their own draw its matrix first, and pull its `w` back.
#[test]
fn the_learners_with_an_f_of_their_own_are_instances_of_it() {
    let mut coins = ChaCha::reproducible(52, 0);
    for round in 0..40u64 {
        let s = points(3, &any_records(3, 2, 3, &mut coins));
        let m = [None, Some(2)][round as usize % 2];
        let with_noise_gd = algorithm_3::Public {
            m,
            gamma: ratio(1, 2),
            epsilon: integer(1),
            k: 1,
            points: 5,
            variance: integer(900),
        };
        let with_full_batches = full_batch_descent::Public {
            m,
            mu: ratio(1, 2),
            epsilon: integer(1),
            k: 1,
            steps: 3,
            variance: integer(900),
            width: 0,
            squared_eta: ratio(1, 100),
        };
        let any = || ChaCha::reproducible(round, 0);
        for model in [
            algorithm_3::learn(&s, &with_noise_gd, &mut any()).unwrap(),
            full_batch_descent::learn(&s, &with_full_batches, &mut any()).unwrap(),
        ] {
            let w = model.candidates[0].clone();
            let (a, _, pulled_back) = learn(&s, m, |_, _| Ok(w), &mut any()).unwrap();
            assert_eq!((a, pulled_back), (model.a, model.pulled_back));
        }
    }
}

/// An F that is (1, 0)-private: the exponential mechanism among the two ends of the line. `A` and `w` together, and `w^T A`, are so as
/// well, also where some `A` sends a record to 0; and no less than nearly so.
#[test]
fn with_a_private_f_it_is_as_private_as_f() {
    let law = |last: (Vec<i64>, bool)| {
        let mut records = vec![(vec![2, 2], true); 3];
        records.push(last);
        let s: Points<bool> = points(2, &records);
        Explorer::new(Layer::Laws, 1000)
            .explore(|coins| {
                let f = |s_a: &[Vec<i64>], coins: &mut _| {
                    let bad = |w: i64| s_a.iter().filter(|v| v[0] * w <= 0).count() as u32;
                    let choice = ScoredChoice::new(vec![bad(-1), bad(1)], &integer(1))?;
                    Ok(vec![
                        if dp_assay_reference::coins::Coins::draw(coins, &choice)? == 0 {
                            -1
                        } else {
                            1
                        },
                    ])
                };
                learn(&s, Some(1), f, coins).map_err(coins_error)
            })
            .unwrap()
    };
    let base = law((vec![2, 2], true));
    assert_eq!(base.lower.len(), 8);
    let most = Enclosure::exp_of(&integer(1), 100).unwrap().upper();
    let mut largest = integer(0);
    for last in [
        (vec![2, 2], false),
        (vec![2, -2], true),
        (vec![0, 0], false),
    ] {
        let other = law(last);
        for (outcome, p) in &base.lower {
            let q = other.lower(outcome);
            for (p, q) in [(p, &q), (&q, p)] {
                largest = largest.max((p + &base.undecided + &other.undecided) / q);
            }
        }
    }
    assert!(largest <= most && largest > ratio(9, 4), "{largest}");
}
