//! Algorithm 3: the reference is the shipped `kernel`; what is printed is checked line by line.
//!
//! The shipped Fourier features are computed in floats, those of the reference by enclosures. They may be a step apart; on the
//! instances below they are not.

use super::common::{Dice, plain, points, same_coins, shipped};
use crate::lent::ChaCha;
use dp_assay::coins::Coins;
use dp_assay::geometry::{Domain, FeatureMap, Frequencies, PolynomialMap, ShiftInvariantKernel};
use dp_assay::margin::descent::Phase;
use dp_assay::margin::erm::{Accounting, ErmPlan};
use dp_assay::margin::kernel::KernelParameters;
use dp_assay::margin::map::Map;
use dp_assay::number::chosen::overridden;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Grid, Rational};
use dp_assay::privacy::{Budget, NeighbouringRelation::Substitute};
use dp_assay_reference::Error;
use dp_assay_reference::margin::algorithm_1::signs;
use dp_assay_reference::margin::algorithm_2::Matrix;
use dp_assay_reference::margin::algorithm_3::{Features, frequencies, learn, psi, space};
use dp_assay_reference::margin::algorithm_3_as_printed::{self, Required, algorithm_3};
use dp_assay_reference::margin::algorithm_4::Public;
use dp_assay_reference::sample::{DiscreteCauchy, DiscreteGaussian, DiscreteLaplace};
use num_bigint::BigInt;

fn public(plan: &ErmPlan, q: Rational, epsilon: &Rational) -> Public {
    Public {
        q,
        rounds: plan.rounds(),
        h: plan.step().clone(),
        bits: plan.phases().iter().map(Phase::bits).collect(),
        variances: plan.noise().map(|noise| noise.variance().clone()).collect(),
        epsilon: epsilon / BigInt::from(2),
    }
}

fn big(w: &[i64]) -> Vec<BigInt> {
    w.iter().copied().map(BigInt::from).collect()
}

fn small(omega: &[Vec<BigInt>]) -> Vec<i64> {
    omega
        .iter()
        .flatten()
        .map(|w| i64::try_from(w).unwrap())
        .collect()
}

fn identity(d: usize) -> Matrix {
    (0..d)
        .map(|i| (0..d).map(|j| i64::from(i == j)).collect())
        .collect()
}

fn budget(epsilon: &Rational) -> Budget {
    Budget::approximate(epsilon.clone(), ratio(1, 100), Substitute).unwrap()
}

/// 2^-8 and 2^10 steps to 1: of points and of frequencies, in the ball of `radius` steps.
fn domain(d: usize, radius: i64) -> Domain {
    Domain::new(Grid::new(8).unwrap(), d, radius as u64).unwrap()
}

#[test]
fn the_reference_is_the_shipped_learner_of_frequencies_on_the_same_coins() {
    let mut dice = Dice::new(11);
    for seed in 0..90 {
        let d = dice.between(1, 3) as usize;
        let m = dice.one_of(&[2, 5, 8]);
        let radius = dice.one_of(&[200, 256, 600]);
        let count = dice.between(1, 4) as usize;
        let rows = dice.one_of(&[1, 3, 100]);
        let records = dice.records(m, radius, d);
        let epsilon = dice.one_of(&[integer(2), integer(5000)]);
        let kernel = match seed % 3 {
            0 => ShiftInvariantKernel::Gaussian {
                variance: integer(2),
            },
            1 => ShiftInvariantKernel::Laplacian { rate: ratio(1, 2) },
            _ => ShiftInvariantKernel::Cauchy { scale: ratio(3, 2) },
        };
        let norms = (integer(1), ratio(1, 2));
        let mut parameters = KernelParameters::fourier_with(
            (kernel, count),
            &ratio(1, 10),
            budget(&epsilon),
            norms,
            Accounting::Mixture,
            m,
        )
        .unwrap();
        parameters.learner.map = overridden(Map::Signs(rows));
        parameters.learner.distortion = overridden(ratio(1, 2));
        parameters.learner.rounds = overridden(2);
        let plan = parameters.plan(domain(d, radius), m).unwrap();
        let (mut ours, mut theirs) = same_coins(seed);

        let one = integer(1 << 10);
        let omega = match seed % 3 {
            0 => frequencies(
                (count, d),
                &DiscreteGaussian::new(integer(2) * &one * &one).unwrap(),
                &mut ours,
            ),
            1 => frequencies(
                (count, d),
                &DiscreteCauchy::new(ratio(1, 4) * &one * &one).unwrap(),
                &mut ours,
            ),
            _ => frequencies(
                (count, d),
                &DiscreteLaplace::new(ratio(3, 2) * &one).unwrap(),
                &mut ours,
            ),
        }
        .unwrap();
        let features = Features::Fourier {
            omega: omega.clone(),
            unit: BigInt::from(1 << 18),
            one: 1 << 20,
        };
        let (map, q) = if rows < 2 * count {
            (signs(rows, 2 * count, &mut ours).unwrap(), integer(6))
        } else {
            (identity(2 * count), integer(4))
        };
        let image = plan.learner().erm().radius() as i64;
        let public = public(plan.learner().erm(), q, &epsilon);
        let s = points(radius, d, &records);
        let (candidates, chosen, direction) =
            learn(&s, &features, &map, image, &public, &mut ours).unwrap();
        let model = plan
            .learn(&shipped(domain(d, radius), &records), &mut theirs)
            .unwrap();
        assert!(model.map.frequencies().flatten().eq(&small(&omega)));
        for (x, _) in &records {
            assert_eq!(psi(x, &features), model.map.features(x).unwrap());
        }
        let theirs_too: Vec<Vec<BigInt>> = model.model.candidates.iter().map(|w| big(w)).collect();
        assert_eq!((candidates, chosen), (theirs_too, model.model.chosen));
        assert_eq!(direction, big(&model.model.halfspace.direction));
        assert_eq!(ours.consumed(), theirs.consumed());
    }
}

#[test]
fn the_reference_is_the_shipped_learner_of_monomials_on_the_same_coins() {
    let mut dice = Dice::new(12);
    for seed in 0..90 {
        let d = dice.between(1, 3) as usize;
        let m = dice.one_of(&[2, 5, 8]);
        let radius = dice.one_of(&[1, 30, 256]);
        let records = dice.records(m, radius, d);
        let epsilon = dice.one_of(&[integer(2), integer(5000)]);
        let (degree, offset) = (dice.between(1, 3) as u32, dice.one_of(&[0, 1, 7, 65_536]));
        let kernel = (degree, offset);
        let map = PolynomialMap::new(domain(d, radius), degree, offset).unwrap();
        let parameters = KernelParameters::polynomial(
            kernel,
            &ratio(1, 10),
            budget(&epsilon),
            (integer(1), map.domain().radius_value() / integer(3)),
            Accounting::Mixture,
            (m, domain(d, radius)),
        );
        let mut parameters = parameters.unwrap();
        parameters.learner.map = overridden(Map::Identity);
        parameters.learner.rounds = overridden(2);
        let plan = parameters.plan(domain(d, radius), m).unwrap();
        let features = Features::Polynomial {
            degree,
            offset,
            coarser: map.coarser(),
        };
        let found = space(&features, radius, d).unwrap();
        assert_eq!(
            found,
            (map.domain().radius() as i64, map.domain().dimension())
        );
        for (x, _) in &records {
            assert_eq!(psi(x, &features), map.features(x).unwrap());
        }
        let (mut ours, mut theirs) = same_coins(seed);
        let public = public(plan.learner().erm(), integer(3), &epsilon);
        let s = points(radius, d, &records);
        let image = plan.learner().erm().radius() as i64;
        let (candidates, chosen, direction) =
            learn(&s, &features, &identity(found.1), image, &public, &mut ours).unwrap();
        let model = plan
            .learn(&shipped(domain(d, radius), &records), &mut theirs)
            .unwrap();
        let theirs_too: Vec<Vec<BigInt>> = model.model.candidates.iter().map(|w| big(w)).collect();
        assert_eq!((candidates, chosen), (theirs_too, model.model.chosen));
        assert_eq!(direction, big(&model.model.halfspace.direction));
        assert_eq!(ours.consumed(), theirs.consumed());
    }
}

#[test]
fn the_features_are_the_certified_ones_of_the_library_and_never_too_long() {
    let mut dice = Dice::new(13);
    let mut apart = 0;
    for _ in 0..100 {
        let (d, count) = (dice.between(1, 3) as usize, dice.between(1, 7) as usize);
        let bits = dice.one_of(&[3, 10, 24]);
        let mut omega = dice.vectors(count, 100_000, d);
        omega[0] = vec![0; d]; // cos 0 = 1, sin 0 = 0
        let flat = Frequencies::new(Grid::new(10).unwrap(), d, omega.concat()).unwrap();
        let map = FeatureMap::new(flat, Grid::new(8).unwrap(), Grid::new(bits).unwrap()).unwrap();
        let (omega, unit, one) = (
            omega.iter().map(|w| big(w)).collect::<Vec<_>>(),
            BigInt::from(1 << 18),
            1i64 << bits,
        );
        for (x, _) in dice.records(8, 256, d) {
            let wide = |row: Vec<i32>| row.into_iter().map(i64::from).collect::<Vec<_>>();
            let found = psi(
                &x,
                &Features::Fourier {
                    omega: omega.clone(),
                    unit: unit.clone(),
                    one,
                },
            );
            assert_eq!(found, wide(map.certified_features(&x).unwrap()));
            assert_eq!(found, algorithm_3_as_printed::psi(&x, &omega, &unit, one));
            assert!(found.iter().map(|v| v * v).sum::<i64>() <= one * one);
            let floats = wide(map.features(&x).unwrap());
            let steps = found.iter().zip(&floats).map(|(a, b)| (a - b).abs());
            assert!(steps.clone().all(|step| step <= 1));
            apart += steps.sum::<i64>();
        }
    }
    println!("{apart} entries of the shipped features are a step apart");
}

#[test]
fn an_angle_beyond_any_cosine_and_a_point_without_coordinates_are_no_error() {
    let far = Features::Fourier {
        omega: vec![vec![BigInt::from(1) << 200]],
        unit: BigInt::from(1),
        one: 100,
    };
    assert_eq!(psi(&[1], &far), [0, 0]);
    assert_eq!(psi(&[0], &far), [100, 0]);
    assert_eq!(
        algorithm_3_as_printed::psi(&[1], &[vec![BigInt::from(1) << 200]], &BigInt::from(1), 100),
        [0, 0]
    );
    let none = Features::Fourier {
        omega: vec![],
        unit: BigInt::from(1),
        one: 100,
    };
    assert_eq!(
        (psi(&[1], &none), space(&none, 1, 1).unwrap()),
        (vec![], (100, 0))
    );
    for (offset, features) in [(0, vec![]), (3, vec![3])] {
        let flat = Features::Polynomial {
            degree: 2,
            offset,
            coarser: 0,
        };
        assert_eq!(psi(&[], &flat), features);
        assert_eq!(space(&flat, 4, 0).unwrap().1, features.len());
    }
    let still = Features::Fourier {
        omega: vec![],
        unit: BigInt::from(0),
        one: 100,
    };
    assert!(space(&still, 1, 1).is_err());
    assert!(
        space(
            &Features::Polynomial {
                degree: 1,
                offset: 0,
                coarser: 0
            },
            0,
            1
        )
        .is_err()
    );
}

fn required(beta: Rational) -> Required {
    Required {
        epsilon: ratio(3, 2),
        delta: ratio(1, 50),
        lambda: ratio(5, 2),
        r: ratio(1, 2),
        rho: ratio(1, 4),
        beta,
    }
}

#[test]
fn what_is_printed_hands_features_and_half_of_beta_to_algorithm_2() {
    let mut dice = Dice::new(14);
    for seed in 0..30 {
        let (d, m) = (dice.between(1, 3) as usize, dice.between(1, 4) as usize);
        let records = dice.records(m, 256, d);
        let beta = dice.one_of(&[ratio(1, 10), ratio(1, 3)]);
        let law = DiscreteLaplace::new(integer(1500)).unwrap();
        let (mut ours, mut theirs) = same_coins(seed);
        let mut seen = None;
        let (omega, answer) = algorithm_3(
            &plain(&records),
            &law,
            (256, 1024, 1 << 20),
            &required(beta.clone()),
            &mut ours,
            |s, steps, problem, coins| {
                seen = Some((s.to_vec(), steps, problem.clone()));
                Ok::<_, Error>(dp_assay_reference::coins::Coins::bits(coins, 9)?)
            },
        )
        .unwrap();
        // 2: D = m^2 log(2m/beta), rounded up.
        let size = (m as f64).powi(2)
            * (2.0 * m as f64 / dp_assay::number::rational::to_f64_for_display(&beta)).ln();
        assert_eq!(omega.len(), size.ceil() as usize);
        // 3: the shipped frequencies.
        let kernel = ShiftInvariantKernel::Cauchy {
            scale: ratio(1500, 1024),
        };
        let drawn =
            Frequencies::of_kernel(omega.len(), d, &kernel, Grid::new(10).unwrap(), &mut theirs)
                .unwrap();
        assert!(drawn.iter().flatten().eq(&small(&omega)));
        // 4: the shipped features.
        let map = FeatureMap::new(drawn, Grid::new(8).unwrap(), Grid::new(20).unwrap()).unwrap();
        let (s, steps, problem) = seen.unwrap();
        assert_eq!(steps, 1 << 20);
        for ((found, y), (x, label)) in s.iter().zip(plain(&records)) {
            let row = map
                .certified_features(&x)
                .unwrap()
                .into_iter()
                .map(i64::from);
            assert_eq!((found, *y), (&row.collect(), label));
        }
        // 5: A(S, epsilon, delta, 2 Lambda, rho, beta/2), by the coins that follow.
        assert_eq!(
            (problem.lambda, problem.beta),
            (integer(5), beta / BigInt::from(2))
        );
        assert_eq!((problem.rho, problem.r), (ratio(1, 4), ratio(1, 2)));
        assert_eq!(
            (problem.epsilon, problem.delta),
            (ratio(3, 2), ratio(1, 50))
        );
        assert_eq!(answer, theirs.bits(9).unwrap());
        assert_eq!(ours.consumed(), theirs.consumed());
    }
    let mut coins = ChaCha::reproducible(1, 0);
    let law = DiscreteLaplace::new(integer(1500)).unwrap();
    let empty = algorithm_3(
        &[],
        &law,
        (256, 1024, 1 << 20),
        &required(ratio(1, 2)),
        &mut coins,
        |_, _, _, _| Ok(()),
    );
    assert!(empty.is_err());
}
