//! Certificates: what the library's searches find is enough by the reference, and hardly more than enough.

use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::privacy as library;
use dp_assay::privacy::NeighbouringRelation::Substitute;
use dp_assay::sample::DiscreteGaussian;
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

/// The bound by rounding of `reference/src/privacy/discrete_gaussian.rs`, written out: `(1 + eta)^k H(D/r; epsilon - k ln((1 + eta)/(1 -
/// eta)))`, `r^2 = s^2 - t^2`, and `eta = 2 q/(1 - q^3)`, `q = exp(-2 pi^2 t^2)`. From below and from above.
fn by_rounding_written_out(
    [variance, epsilon, t_squared]: [&Rational; 3],
    squared: i64,
    moved: u64,
) -> (Rational, Rational) {
    let bits = 500;
    let one = Enclosure::integer(1, bits);
    let pi_t = Enclosure::pi(bits).squared() * Enclosure::of(t_squared, bits);
    let q = (-(&pi_t + &pi_t)).exp().unwrap();
    let eta = (&q + &q).divided_by(&(&one - &q * &q * &q)).unwrap();
    let apart = (&one + &eta)
        .divided_by(&(&one - &eta))
        .unwrap()
        .ln()
        .unwrap();
    let room = Enclosure::of(epsilon, bits) - Enclosure::integer(moved, bits) * apart;
    let squared_mu = integer(squared) / (variance - t_squared);
    let mu = Enclosure::of(&squared_mu, bits).sqrt().unwrap();
    let profile = |mu, room| library::gaussian::profile(&mu, &room, bits).unwrap();
    let factor = (&one + &eta).power(moved);
    let least = &factor * &profile(mu.lower(), room.upper());
    let most = &factor * &profile(mu.upper(), room.lower());
    (least.lower(), most.upper())
}

#[test]
fn the_bound_by_rounding_is_as_written_and_no_bound_where_it_has_no_value() {
    let wide = Rational::from_integer(BigInt::from(1) << 200u32);
    let close = ratio(1, 1 << 30) / (BigInt::from(1) << 70u32);
    for (variance, epsilon, t_squared, squared, moved) in [
        (integer(20), ratio(3, 2), ratio(1, 4), 7, 3),
        (ratio(31, 3), integer(0), ratio(1, 16), 2, 5),
        (ratio(9, 2), integer(1), ratio(5, 16), 3, 2),
        (integer(900), ratio(1, 3), integer(1), 40, 11),
        // The profile is a small difference, and needs more bits.
        (wide, close, integer(3), 5, 2),
    ] {
        let big = BigInt::from(squared);
        let found = discrete_gaussian::by_rounding(&variance, &big, moved, &epsilon, &t_squared);
        let found = found.unwrap().unwrap();
        let (least, most) =
            by_rounding_written_out([&variance, &epsilon, &t_squared], squared, moved);
        assert!(
            found >= least && found <= most * (integer(1) + ratio(1, 1 << 60)),
            "{variance}"
        );
    }
    // t^2 = s^2, and eta above 1.
    let (one, two) = (BigInt::from(1), integer(2));
    let none = |t_squared| discrete_gaussian::by_rounding(&two, &one, 1, &two, &t_squared).unwrap();
    assert!(none(two.clone()).is_none() && none(ratio(1, 40)).is_none());
    assert!(none(ratio(1, 16)).is_some());
}

/// The three bounds of which `discrete_gaussian::delta` is the least: concentrated, by rounding, and the exact profile.
fn three_bounds(
    variance: &Rational,
    squared: &BigInt,
    dimension: u64,
    epsilon: &Rational,
) -> [Rational; 3] {
    let rho = Rational::from(squared.clone()) / (variance * integer(2));
    let concentrated = library::Zcdp::new(rho, Substitute).unwrap().delta(epsilon);
    let moved = BigInt::from(dimension).min(squared.clone());
    let moved = u64::try_from(moved).unwrap();
    let rounding = |sixteenths| {
        let t_squared = ratio(sixteenths, 16);
        discrete_gaussian::by_rounding(variance, squared, moved, epsilon, &t_squared).unwrap()
    };
    let rounded = (1..=64).filter_map(rounding).min();
    let law = DiscreteGaussian::new(variance.clone()).unwrap();
    let profile = match moved {
        1 => law.profile(&squared.sqrt(), epsilon, 300).unwrap().upper(),
        _ => integer(1),
    };
    [
        concentrated.unwrap(),
        rounded.unwrap_or(integer(1)),
        profile,
    ]
}

#[test]
fn a_delta_is_the_least_of_three_bounds_and_each_is_the_least_somewhere() {
    let wide = integer(1 << 24);
    for (variance, squared, dimension, epsilon, least) in [
        (ratio(1, 2), BigInt::from(3), 3, integer(4), 0),
        (ratio(1, 20), BigInt::from(3), 3, integer(40), 0),
        (integer(100), BigInt::from(2), 50, ratio(1, 4), 1),
        (integer(100), BigInt::from(9), 2, ratio(1, 4), 1),
        (
            integer(1) / integer(1 << 10) * (BigInt::from(1) << 80),
            BigInt::from(1) << 70,
            2,
            integer(3),
            1,
        ),
        (ratio(9, 4), BigInt::from(5), 1, integer(1), 2),
        (integer(7), BigInt::from(1), 9, ratio(1, 9), 2),
        (&wide - integer(1), BigInt::from(1 << 20), 1, ratio(1, 9), 2),
        // Of so wide a law the profile is not summed.
        (wide, BigInt::from(1 << 20), 1, ratio(1, 9), 1),
    ] {
        let mut bounds = three_bounds(&variance, &squared, dimension, &epsilon);
        if least == 1 {
            assert!(bounds[2] <= bounds[1] || dimension > 1);
            bounds[2] = integer(1);
        }
        assert!(
            bounds.iter().all(|bound| bounds[least] <= *bound),
            "{variance} {bounds:?}"
        );
        let found = discrete_gaussian::delta(&variance, &squared, dimension, &epsilon).unwrap();
        assert!(
            found >= &bounds[least] * (integer(1) - ratio(1, 1 << 60)),
            "{variance}"
        );
        assert!(
            found <= &bounds[least] * (integer(1) + ratio(1, 1 << 30)),
            "{variance}"
        );
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
