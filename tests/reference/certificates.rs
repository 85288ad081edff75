//! Certificates: what the library's searches find is enough by the reference, and hardly more than enough.

use dp_assay::number::rational::{integer, ratio};
use dp_assay::privacy as library;
use dp_assay::privacy::NeighbouringRelation::Substitute;
use dp_assay_reference::privacy::{discrete_gaussian, gaussian, zcdp};
use num_bigint::BigInt;

#[test]
fn the_noise_that_the_library_finds_is_enough_and_a_little_less_is_not() {
    let budgets = [
        (ratio(1, 10), ratio(1, 1_000_000)),
        (integer(1), ratio(1, 100_000)),
        (integer(8), ratio(1, 1000)),
    ];
    let shapes = [(1i64, 1u64), (1, 5), (9, 1), (100, 3), (1 << 40, 50)];
    for (i, (epsilon, delta)) in budgets.into_iter().enumerate() {
        for (j, (squared, dimension)) in shapes.into_iter().enumerate() {
            // By day half of the pairs, with each budget and each shape in some.
            if !(i + j).is_multiple_of(crate::by_day_or_night(2, 1)) {
                continue;
            }
            let budget =
                library::Budget::approximate(epsilon.clone(), delta.clone(), Substitute).unwrap();
            let squared = BigInt::from(squared);
            let found = library::discrete_gaussian::variance(&budget, &squared, dimension).unwrap();
            let cost = |variance| {
                discrete_gaussian::delta(variance, &squared, dimension, &epsilon).unwrap()
            };
            assert!(cost(&found) <= delta, "{epsilon} {squared} {dimension}");
            assert!(
                cost(&(&found * ratio(99, 100))) > delta,
                "{epsilon} {squared} {dimension}"
            );
        }
    }
}

#[test]
fn the_profile_of_gaussian_noise_is_that_of_the_library() {
    for mu in [ratio(1, 50), integer(1), ratio(7, 2)] {
        for epsilon in [integer(0), ratio(1, 3), integer(5)] {
            let ours = gaussian::profile(&mu, &epsilon, 96).unwrap();
            let theirs = library::gaussian::profile(&mu, &epsilon, 96).unwrap();
            assert_eq!(
                (ours.lower(), ours.upper()),
                (theirs.lower(), theirs.upper())
            );
        }
    }
}

#[test]
fn every_order_is_a_bound_and_the_good_one_is_nearly_the_best() {
    for rho in [ratio(1, 1000), ratio(1, 10), integer(2)] {
        for epsilon in [ratio(1, 2), integer(3), integer(20)] {
            let zcdp = library::Zcdp::new(rho.clone(), Substitute).unwrap();
            let best = zcdp.delta(&epsilon).unwrap();
            for excess in [ratio(1, 7), integer(1), integer(30)] {
                let ours = zcdp::delta_of_order(&rho, &excess, &epsilon).unwrap();
                let theirs = zcdp.delta_of_order(&excess, &epsilon, 128).unwrap();
                assert!(ours >= theirs.lower().min(integer(1)) && ours >= best);
                assert!(ours <= theirs.upper() * (integer(1) + ratio(1, 1 << 60)));
            }
            let good = zcdp::good_order(&rho, &epsilon).unwrap();
            let ours = zcdp::delta_of_order(&rho, &good, &epsilon).unwrap();
            assert!(
                ours <= best * (integer(1) + ratio(1, 1 << 30)),
                "{rho} {epsilon}"
            );
        }
    }
}

#[test]
fn what_no_certificate_is_for_is_refused() {
    let (zero, one, minus) = (integer(0), integer(1), ratio(-1, 9));
    let of = |variance, squared: i64, dimension, epsilon| {
        discrete_gaussian::delta(variance, &squared.into(), dimension, epsilon)
    };
    assert!(of(&one, 1, 1, &zero).is_ok());
    assert!(of(&zero, 1, 1, &one).is_err() && of(&one, 0, 1, &one).is_err());
    assert!(of(&one, 1, 0, &one).is_err() && of(&one, 1, 1, &minus).is_err());
    assert!(gaussian::profile(&zero, &one, 64).is_err());
    assert!(gaussian::profile(&one, &minus, 64).is_ok());
    assert!(zcdp::delta_of_order(&zero, &one, &zero).is_ok());
    assert!(zcdp::delta_of_order(&minus, &one, &one).is_err());
    assert!(zcdp::delta_of_order(&one, &zero, &one).is_err());
    assert!(zcdp::delta_of_order(&one, &one, &minus).is_err());
    assert!(zcdp::good_order(&zero, &one).is_err());
}
