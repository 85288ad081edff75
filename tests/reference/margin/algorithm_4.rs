//! Algorithm 4: the reference is the shipped `erm`; what is printed is checked by a computation of its own, in floats.

use super::common::{Dice, Records, Silent, plain, points, same_coins};
use dp_assay::coins::Coins;
use dp_assay::margin::descent::{Phase, Phases};
use dp_assay::margin::erm::{Accounting, ErmPlan, solve};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio, to_f64_for_display as float};
use dp_assay::privacy::{Budget, NeighbouringRelation::Substitute, Zcdp, with_replacement};
use dp_assay_reference::margin::algorithm_4::{Public, is_enough, learn};
use dp_assay_reference::margin::algorithm_4_as_printed::{Required, algorithm_4};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};

fn public(plan: &ErmPlan, q: &Rational, epsilon: &Rational) -> Public {
    Public {
        q: q.clone(),
        rounds: plan.rounds(),
        h: plan.step().clone(),
        bits: plan.phases().iter().map(Phase::bits).collect(),
        variances: plan.noise().map(|noise| noise.variance().clone()).collect(),
        epsilon: epsilon / BigInt::from(2),
    }
}

fn signed(records: &Records) -> Vec<Vec<i64>> {
    let sign = |(x, y): &(Vec<i64>, bool)| x.iter().map(|x| if *y { *x } else { -x }).collect();
    records.iter().map(sign).collect()
}

#[test]
fn the_reference_is_the_shipped_learner_on_the_same_coins() {
    let mut dice = Dice::new(6);
    let (mut chosen, mut inside) = ([0; 4], [0, 0]);
    for seed in 0..40 {
        let d = dice.between(1, 4) as usize;
        let m = dice.one_of(&[2, 3, 4, 7, 8, 9, 20]);
        let radius = dice.one_of(&[1, 3, 16, 1000]);
        let records = dice.records(m, radius, d);
        let q = dice.one_of(&[integer(1), ratio(5, 4), integer(7)]);
        let epsilon = dice.one_of(&[ratio(1, 2), integer(20), integer(20_000)]);
        let rounds = dice.between(1, 4) as u32;
        let accounting = dice.one_of(&[Accounting::Mixture, Accounting::Paper]);
        let budget = Budget::approximate(epsilon.clone(), ratio(1, 1000), Substitute).unwrap();
        let plan = ErmPlan::new((m, d, radius as u64), &q, &budget, rounds, accounting).unwrap();

        let (mut ours, mut theirs) = same_coins(seed);
        let found = learn(
            &points(radius, d, &records),
            &public(&plan, &q, &epsilon),
            &mut ours,
        )
        .unwrap();
        let (candidates, place) = solve(&signed(&records), &plan, &mut theirs).unwrap();
        let big = |w: &Vec<i64>| w.iter().copied().map(BigInt::from).collect::<Vec<_>>();
        assert_eq!(found, (candidates.iter().map(big).collect(), place));
        assert_eq!(ours.consumed(), theirs.consumed());
        chosen[place] += 1;
        for w in &candidates {
            let squared: i128 = w.iter().map(|w| i128::from(*w).pow(2)).sum();
            inside[usize::from(squared < 1 << 59)] += 1;
        }
    }
    assert!(chosen[0] > 0 && inside[1] > 50, "{chosen:?} {inside:?}");
}

/// The descent of the shipped phases without noise, for points that are all the same.
fn quiet_candidate(phases: &Phases, z: &[i64]) -> Vec<BigInt> {
    let mut start = Phase::origin(z.len());
    let mut before: Option<(&Phase, Vec<BigInt>)> = None;
    for phase in phases.iter() {
        if let Some((before, sum)) = &before {
            start = phase.start(before, sum);
        }
        let samples = std::iter::repeat_n(z, phase.samples() as usize);
        let sum = phase.sum(start.clone(), samples);
        before = Some((phase, sum.into_iter().map(BigInt::from).collect()));
    }
    let (last, sum) = before.unwrap();
    last.hypothesis(&sum, 30)
        .into_iter()
        .map(BigInt::from)
        .collect()
}

#[test]
fn on_the_boundaries_of_a_step_the_reference_is_the_shipped_descent() {
    // Points of one direction, so that it does not matter which are drawn. The ball reached exactly, the margin met exactly, the
    // longest step met exactly, a point that is 0, steps far beyond the ball.
    for z in [
        vec![1],
        vec![-1],
        vec![3, 4],
        vec![5, 0],
        vec![0, 0],
        vec![2, 1],
    ] {
        let radius = dp_assay::number::grid::squared_norm(&z).isqrt().max(1) as i64
            + i64::from(z.len() == 2 && z[1] == 1);
        for q in [integer(1), integer(2), ratio(3, 2), integer(9)] {
            for h in [integer(4), integer(2), integer(1), ratio(1, 8), ratio(1, 3)] {
                for log_n in 1..=4 {
                    let phases =
                        Phases::new(z.len(), radius as u64, &q.recip(), &h, log_n).unwrap();
                    let public = Public {
                        q: q.clone(),
                        rounds: 1,
                        h: h.clone(),
                        bits: phases.iter().map(Phase::bits).collect(),
                        variances: phases.iter().map(|_| integer(1)).collect(),
                        epsilon: integer(1),
                    };
                    let records: Records = vec![(z.clone(), true); 1 << log_n];
                    let mut coins = Silent::new(1);
                    let (candidates, _) =
                        learn(&points(radius, z.len(), &records), &public, &mut coins).unwrap();
                    assert_eq!(candidates, [quiet_candidate(&phases, &z)]);
                }
            }
        }
    }
}

#[test]
fn a_step_onto_the_sphere_stays_there_and_meets_the_margin_exactly() {
    // On the line with q = 1 and h = 2: 0, then 1/2 and 1 by the longest step, and at 1 there is no loss.
    let public = Public {
        q: integer(1),
        rounds: 1,
        h: integer(2),
        bits: vec![20; 3],
        variances: vec![integer(1); 3],
        epsilon: integer(1),
    };
    let mut coins = Silent::new(1);
    let records: Records = vec![(vec![1], true); 8];
    let (candidates, _) = learn(&points(1, 1, &records), &public, &mut coins).unwrap();
    let half: BigInt = BigInt::one() << 19;
    // The sums: 0 + 1/2 + 1 + 1; from their mean 5/8 a step of 1/8 at most: 5/8 + 3/4; and 11/16 of one.
    let sums: Vec<BigInt> = coins
        .released
        .iter()
        .map(|(sum, _)| sum[0].clone())
        .collect();
    assert_eq!(sums, [&half * 5, &half * 2 * 11 / 8, &half * 2 * 11 / 16]);
    assert_eq!(candidates, [[(BigInt::one() << 30) * 11 / 16]]);
}

/// Good orders for `is_enough`: of `J = 1, ..., largest` the zero of the derivative, in floats.
fn orders(rho: f64, epsilon: f64, largest: usize) -> Vec<Rational> {
    let of = |j: usize| {
        let derivative =
            |excess: f64| (2.0 * excess + 1.0) * j as f64 * rho - epsilon - (1.0 / excess).ln_1p();
        let (mut low, mut high) = (1e-9f64, 1e12f64);
        for _ in 0..200 {
            let middle = (low * high).sqrt();
            if derivative(middle) < 0.0 {
                low = middle
            } else {
                high = middle
            }
        }
        dp_assay::number::rational::from_f64(low).unwrap()
    };
    (1..=largest).map(of).collect()
}

#[test]
fn the_certificate_holds_of_what_the_library_found_and_of_no_less_noise() {
    for (m, k, radius, rounds, epsilon, delta) in [
        (16, 2, 100, 2, integer(1), ratio(1, 1000)),
        (1000, 5, 1 << 20, 6, integer(1), ratio(1, 1 << 20)),
        (300, 3, 1 << 10, 4, integer(8), ratio(1, 1 << 30)),
        (2, 1, 4, 1, ratio(1, 4), ratio(1, 10)),
    ]
    .into_iter()
    .step_by(crate::by_day_or_night(2, 1))
    {
        let q = integer(2);
        let budget = Budget::approximate(epsilon.clone(), delta.clone(), Substitute).unwrap();
        let plan = ErmPlan::new((m, k, radius), &q, &budget, rounds, Accounting::Mixture).unwrap();
        let half = &epsilon / BigInt::from(2);
        let public = public(&plan, &q, &epsilon);
        let rho = 1.0 / (2.0 * float(plan.multiplier()).powi(2));
        let orders = orders(rho, float(&half), 150);
        let shape = (m, k, radius as i64);
        let enough = |public: &Public, epsilon: &Rational, delta: &Rational| {
            is_enough(public, shape, &orders, (epsilon, delta)).unwrap()
        };
        assert!(enough(&public, &epsilon, &delta));
        // The delta that the library computes is that of the certificate, within a thousandth.
        let phases = plan.phases().iter().map(Phase::samples).collect();
        let uses = dp_assay::coins::Uses::new(m as u64, phases, rounds).unwrap();
        let exact = uses.delta(plan.multiplier(), &half).unwrap();
        assert!(enough(&public, &epsilon, &(&exact * ratio(1001, 1000))));
        assert!(!enough(&public, &epsilon, &(&exact * ratio(98, 100))));
        // A hundredth less noise, in one phase alone, does not pass; nor do other points, a finer one of them, or more of the choice.
        for place in 0..public.variances.len() {
            let mut less = public.clone();
            less.variances[place] *= ratio(97, 100);
            assert!(!enough(&less, &epsilon, &delta), "{place}");
        }
        let more = Public {
            rounds: rounds + 1,
            ..public.clone()
        };
        assert!(!enough(&more, &epsilon, &delta));
        let more = Public {
            epsilon: &half * ratio(11, 10),
            ..public.clone()
        };
        assert!(!enough(&more, &epsilon, &delta));
        let all = Public {
            epsilon: &epsilon * ratio(11, 10),
            ..public.clone()
        };
        assert!(!enough(&all, &epsilon, &delta));
        let longer = Public {
            h: &public.h * ratio(102, 100),
            ..public.clone()
        };
        assert!(!enough(&longer, &epsilon, &delta));
        // Without orders nothing is certified, and a wrong number of phases is refused.
        assert!(!is_enough(&public, shape, &[], (&epsilon, &delta)).unwrap());
        assert!(is_enough(&public, (2 * m, k, 1), &orders, (&epsilon, &delta)).is_err());
    }
}

#[test]
fn the_certificate_knows_what_a_use_moves_with_its_rounding() {
    // The largest deviation over what a use moves, of each phase, is the multiplier: rounding up the variance is all that is lost.
    let budget = Budget::approximate(integer(1), ratio(1, 1000), Substitute).unwrap();
    let q = integer(3);
    let plan = ErmPlan::new((40, 7, 200), &q, &budget, 3, Accounting::Mixture).unwrap();
    let exact = public(&plan, &q, &integer(1));
    // At the exact quotient nu^2, one part in 2^40 less of any variance is seen by a delta that is exact at nu^2.
    let squared =
        |phase: &Phase| Rational::from(phase.sensitivity().pow(2)) * plan.multiplier().pow(2);
    let tight = Public {
        variances: plan.phases().iter().map(squared).collect(),
        ..exact
    };
    let rho = 1.0 / (2.0 * float(plan.multiplier()).powi(2));
    let orders = orders(rho, 0.5, 100);
    let passes = |public: &Public, delta: &Rational| {
        is_enough(public, (40, 7, 200), &orders, (&integer(1), delta)).unwrap()
    };
    // The least delta that passes, to a part in 2^50.
    let (mut low, mut high) = (integer(0), integer(1));
    for _ in 0..70 {
        let middle = (&low + &high) / BigInt::from(2);
        if passes(&tight, &middle) {
            high = middle
        } else {
            low = middle
        }
    }
    for place in 0..tight.variances.len() {
        let mut less = tight.clone();
        less.variances[place] *= integer(1) - ratio(1, 1 << 40);
        assert!(!passes(&less, &high), "{place}");
        // And no phase is counted as needing more.
        let mut more = tight.clone();
        more.variances[place] *= integer(2);
        assert!(passes(&more, &high) && !passes(&more, &(&low * ratio(999, 1000))));
    }
}

#[test]
fn what_is_not_a_dataset_of_the_plan_is_refused_by_public_numbers() {
    let public = |phases: usize| Public {
        q: integer(1),
        rounds: 1,
        h: integer(1),
        bits: vec![10; phases],
        variances: vec![integer(1); phases],
        epsilon: integer(1),
    };
    let mut coins = same_coins(1).0;
    let none = points(4, 1, &vec![]);
    let one = points(4, 1, &vec![(vec![1], true)]);
    let two = points(4, 1, &vec![(vec![1], true), (vec![0], false)]);
    assert!(learn(&none, &public(0), &mut coins).is_err());
    assert!(learn(&one, &public(0), &mut coins).is_err());
    assert!(learn(&two, &public(0), &mut coins).is_err());
    assert!(learn(&two, &public(2), &mut coins).is_err());
    assert_eq!(coins.consumed(), 0);
    assert!(learn(&two, &public(1), &mut coins).is_ok());
    for wrong in [
        Public {
            q: integer(0),
            ..public(1)
        },
        Public {
            h: integer(0),
            ..public(1)
        },
        Public {
            rounds: 0,
            ..public(1)
        },
    ] {
        assert!(learn(&two, &wrong, &mut coins).is_err());
    }
}

/// The printed algorithm in floats, for the numbers that were drawn: the releases in order, with their deviations.
struct Float {
    q: f64,
    h: f64,
    nu: f64,
    z: Vec<Vec<f64>>,
}

impl Float {
    fn round(&self, numbers: &[usize], n: usize) -> (Vec<Vec<f64>>, Vec<f64>, Vec<f64>) {
        let d = self.z[0].len();
        let ball = |u: Vec<f64>| {
            let norm = u.iter().map(|u| u * u).sum::<f64>().sqrt();
            if norm > 1.0 {
                u.iter().map(|u| u / norm).collect()
            } else {
                u
            }
        };
        let (mut w, mut means, mut deviations) = (vec![0.0; d], vec![], vec![]);
        let mut next = numbers.iter();
        let mut power = 1.0;
        let mut n_i = n / 2;
        while n_i > 0 {
            power *= 4.0;
            let (mut u, mut sum) = (w.clone(), vec![0.0; d]);
            for _ in 0..n_i {
                let z = &self.z[*next.next().unwrap()];
                sum.iter_mut()
                    .zip(&u)
                    .for_each(|(s, u)| *s += u / n_i as f64);
                let dot: f64 = u.iter().zip(z).map(|(u, z)| u * z).sum();
                let norm: f64 = z.iter().map(|z| z * z).sum();
                if norm > 0.0 && dot < 1.0 / self.q {
                    // The minimiser of the hinge and B |v - u|^2/2 along z, B = 8 q/h: the slope times the step h/(q 4^i).
                    let curvature = 8.0 * self.q / self.h / norm;
                    let slope = (curvature * (1.0 / self.q - dot)).min(self.q);
                    let step = slope * self.h / self.q / power;
                    u.iter_mut().zip(z).for_each(|(u, z)| *u += step * z);
                    u = ball(u);
                }
            }
            means.push(sum.clone());
            deviations.push(self.nu * 2.0 * self.h / power);
            w = ball(sum);
            n_i /= 2;
        }
        (means, deviations, w)
    }
}

#[test]
fn what_is_printed_is_the_descent_in_floats_at_every_release() {
    let mut dice = Dice::new(7);
    for seed in 0..40 {
        let d = dice.between(1, 3) as usize;
        let m = dice.one_of(&[2, 3, 5, 8, 17]);
        let records = dice.records(m, 50, d);
        let (epsilon, delta) = (dice.one_of(&[1.0, 3.0]), dice.one_of(&[0.01, 0.0001]));
        let beta = dice.one_of(&[ratio(1, 2), ratio(1, 8), ratio(1, 10)]);
        let rational = |x: f64| dp_assay::number::rational::from_f64(x).unwrap();
        let required = Required {
            epsilon: rational(epsilon),
            delta: rational(delta),
            lambda: ratio(3, 2),
            r: ratio(1, 2),
            rho: dice.one_of(&[ratio(1, 4), ratio(3, 4), ratio(1, 20)]),
            beta: beta.clone(),
            steps: 50,
            grid: 1 << 40,
        };
        let mut coins = Silent::new(seed);
        let w = algorithm_4(&plain(&records), &required, &mut coins).unwrap();

        let rounds = (2.0 / float(&beta)).log2().ceil();
        let k = (1.0 + 3.0 * (2.0 * rounds / delta).ln()).floor();
        let e = epsilon / (2.0 * rounds * k);
        let dl = delta / (2.0 * rounds) * e.exp_m1() / (k * e).exp_m1();
        let log = (1.0 / dl).ln();
        let rho = ((log + e).sqrt() - log.sqrt()).powi(2);
        let nu = (1.0 / (2.0 * rho)).sqrt();
        let n = 1usize << (m as f64).log2().floor() as usize;
        let (size, dimension) = (n as f64, d as f64);
        let c = 11.0 / 48.0
            + 16.0 * dimension * nu * nu / size
            + 2.0 * dimension.sqrt() * nu / size.powi(2);
        let q = 1.5 * 0.5 / float(&required.rho);
        let z: Vec<Vec<f64>> = signed(&records)
            .iter()
            .map(|z| z.iter().map(|z| *z as f64 / 50.0).collect())
            .collect();
        let model = Float {
            q,
            h: 2.0 / (size * c).sqrt(),
            nu,
            z: z.clone(),
        };

        let mut same = Silent::new(seed);
        let sampler = dp_assay::sample::WithReplacement::new(m, n - 1).unwrap();
        let mut releases = coins.released.iter();
        let unit = (1u64 << 40) as f64;
        let mut candidates = vec![];
        for _ in 0..rounds as usize {
            let numbers = same.draw(&sampler).unwrap();
            let (means, deviations, last) = model.round(&numbers, n);
            for (mean, deviation) in means.iter().zip(deviations) {
                let (found, variance) = releases.next().unwrap();
                for (found, mean) in found.iter().zip(mean) {
                    assert!(
                        (found.to_f64().unwrap() / unit - mean).abs() < 1e-8 * deviation,
                        "{found} {mean}"
                    );
                }
                let found = float(variance).sqrt() / unit;
                assert!(
                    (found / deviation - 1.0).abs() < 1e-8,
                    "{found} {deviation}"
                );
            }
            candidates.push(last);
        }
        assert!(releases.next().is_none());
        // Line 8: the exponential mechanism on the total losses, with the coins that follow.
        let loss = |w: &Vec<f64>| {
            z.iter()
                .map(|z| (1.0 - q * w.iter().zip(z).map(|(w, z)| w * z).sum::<f64>()).max(0.0))
                .sum::<f64>()
        };
        let classes = candidates.iter().map(|w| dp_assay::sample::ScoreClass {
            loss: rational(loss(w)),
            count: 1u32.into(),
        });
        let choice = dp_assay::sample::ExponentialMechanism::new(
            rational(epsilon / 2.0),
            rational(1.0 + q),
            classes.collect(),
        )
        .unwrap();
        let chosen = same.draw(&choice).unwrap();
        assert_eq!(same.consumed(), coins.consumed());
        for (found, expected) in w.iter().zip(&candidates[chosen]) {
            assert!((found.to_f64().unwrap() / unit - expected).abs() < 1e-8);
        }
    }
}

#[test]
fn what_is_printed_asks_for_more_noise_than_its_proof_does() {
    // The closed form of zCDP in the place of the best order: within a part in ten of what the library finds for the same proof.
    let required = Required {
        epsilon: integer(1),
        delta: ratio(1, 1000),
        lambda: integer(1),
        r: integer(1),
        rho: integer(1),
        beta: ratio(1, 8),
        steps: 4,
        grid: 1 << 20,
    };
    let mut coins = Silent::new(1);
    let s = vec![(vec![4, 0], 1); 8];
    algorithm_4(&s, &required, &mut coins).unwrap();
    let half = Budget::approximate(ratio(1, 2), ratio(1, 1000), Substitute).unwrap();
    let uses = dp_assay::coins::Uses::new(8, vec![4, 2, 1], 4).unwrap();
    let grouped = with_replacement::grouped(&uses, &half).unwrap();
    // Two phases' deviations are 4 apart, and four rounds have three phases each.
    assert_eq!(coins.released.len(), 12);
    let deviation = |place: usize| float(&coins.released[place].1).sqrt();
    assert!((deviation(0) / deviation(1) - 4.0).abs() < 1e-9);
    let of_one = &grouped.of_one;
    let closed = Zcdp::closed_for(of_one).unwrap();
    let best = Zcdp::largest_for(of_one).unwrap();
    assert!(closed.rho() <= best.rho());
    let nu = (0.5 / float(closed.rho())).sqrt();
    assert!(nu < 2.0 * (0.5 / float(best.rho())).sqrt());
    // h = 2/sqrt(n c), at d = 2 and n = 8.
    let c = 11.0 / 48.0 + 4.0 * nu * nu + 2.0f64.sqrt() * nu / 32.0;
    let expected = nu * 2.0 * (2.0 / (8.0 * c).sqrt()) / 4.0 * f64::from(1 << 20);
    assert!(
        (deviation(0) / expected - 1.0).abs() < 1e-8,
        "{} {expected}",
        deviation(0)
    );
}
