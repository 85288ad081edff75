//! Numbers: the fast arithmetic has the same ends as the plain one.

use dp_assay::number as library;
use dp_assay::number::Rational;
use dp_assay_reference::number as reference;
use num_bigint::BigInt;
use proptest::prelude::*;

/// A dyadic number as both arithmetics have it.
fn both(mantissa: &BigInt, exponent: i64) -> (reference::Dyadic, library::Dyadic) {
    (
        reference::Dyadic::new(mantissa.clone(), exponent),
        library::Dyadic::new(mantissa.clone(), exponent),
    )
}

type Both = (reference::Enclosure, library::Enclosure);

fn interval(lo: &BigInt, width: u64, exponent: i64, bits: u32) -> Both {
    let hi = lo + width;
    let (lo, hi) = (both(lo, exponent), both(&hi, exponent));
    (
        reference::Enclosure::new(&lo.0, &hi.0, bits),
        library::Enclosure::new(&lo.1, &hi.1, bits),
    )
}

/// Whether both have the same ends and the same precision.
#[track_caller]
fn same(found: (reference::Enclosure, library::Enclosure)) {
    let (ours, theirs) = found;
    assert_eq!(ours.lower(), theirs.lower());
    assert_eq!(ours.upper(), theirs.upper());
    assert_eq!(ours.bits(), theirs.bits());
}

#[track_caller]
fn same_or_both_refuse<E: std::fmt::Debug, F: std::fmt::Debug>(
    ours: Result<reference::Enclosure, E>,
    theirs: Result<library::Enclosure, F>,
) {
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => same((ours, theirs)),
        (Err(_), Err(_)) => {}
        other => panic!("{other:?}"),
    }
}

/// Integers of few bits and of many, some next to a power of two: there a carry goes through all limbs.
fn integer() -> impl Strategy<Value = BigInt> {
    let around = (0u32..20, -2i64..=2).prop_map(|(limbs, d)| (BigInt::from(1) << (64 * limbs)) + d);
    let wide = (any::<[u64; 4]>(), 0u32..256).prop_map(|(limbs, shift)| {
        let whole = limbs
            .iter()
            .fold(BigInt::ZERO, |sum, limb| (sum << 64u32) + limb);
        whole >> shift
    });
    (
        prop_oneof![around, wide, (-9i64..9).prop_map(BigInt::from)],
        any::<bool>(),
    )
        .prop_map(|(value, minus)| if minus { -value } else { value })
}

proptest! {
    #[test]
    fn dyadic_numbers_are_the_same(a in integer(), b in integer(), e in -70i64..70, f in -70i64..70, bits in 1u32..300) {
        let (x, u) = both(&a, e);
        let (y, v) = both(&b, f);
        for (ours, theirs) in [
            (&x + &y, &u + &v),
            (&x - &y, &u - &v),
            (&x * &y, &u * &v),
            (-&x, -&u),
            (x.abs(), u.abs()),
            (x.round_down(bits), u.round_down(bits)),
            (x.round_up(bits), u.round_up(bits)),
        ] {
            prop_assert_eq!(ours.to_rational(), theirs.to_rational());
        }
        prop_assert_eq!(x.cmp(&y), u.cmp(&v));
        prop_assert_eq!((x.floor(), x.ceil(), x.magnitude()), (u.floor(), u.ceil(), u.magnitude()));
    }

    #[test]
    fn intervals_are_the_same(
        a in integer(), b in integer(), (w, z) in (any::<u64>(), any::<u64>()), (e, f) in (-70i64..70, -70i64..70), bits in 2u32..300, power in 0u64..9,
    ) {
        let (x, u) = interval(&a, w, e, bits);
        let (y, v) = interval(&b, z >> 40, f, bits + 7);
        same((&x + &y, &u + &v));
        same((&x - &y, &u - &v));
        same((&x * &y, &u * &v));
        same((-&x, -&u));
        same((x.abs(), u.abs()));
        same((x.squared(), u.squared()));
        same((x.max(&y), u.max(&v)));
        same((x.min(&y), u.min(&v)));
        same((x.power(power), u.power(power)));
        same((x.complement(), u.complement()));
        same_or_both_refuse(x.divided_by(&y), u.divided_by(&v));
        same_or_both_refuse(x.sqrt(), u.sqrt());
    }

    #[test]
    fn real_functions_are_the_same(a in -(1i64 << 50)..1 << 50, w in 0u64..1 << 20, e in -60i64..-30, bits in 8u32..260) {
        let (x, u) = interval(&a.into(), w, e, bits);
        same_or_both_refuse(x.exp(), u.exp());
        same_or_both_refuse(x.exp_minus_one(), u.exp_minus_one());
        same_or_both_refuse(x.ln(), u.ln());
        same_or_both_refuse(x.ln_1p(), u.ln_1p());
        same_or_both_refuse(x.sin(), u.sin());
        same_or_both_refuse(x.cos(), u.cos());
        let (x, u) = interval(&(a >> 40).into(), w >> 18, -4, bits);
        same((x.normal_upper(), u.normal_upper()));
    }

    #[test]
    fn rationals_are_enclosed_the_same(a in integer(), b in 1i64.., bits in 2u32..300) {
        let value = Rational::new(a, b.into());
        same((reference::Enclosure::of(&value, bits), library::Enclosure::of(&value, bits)));
        prop_assert_eq!(reference::rational::nearest(&value), library::rational::nearest(&value));
        let small = value / (BigInt::from(1) << 1000u32);
        same_or_both_refuse(reference::Enclosure::exp_of(&small, bits), library::Enclosure::exp_of(&small, bits));
    }
}

#[test]
fn constants_are_the_same() {
    for bits in [2, 64, 128, 777] {
        same((reference::Enclosure::pi(bits), library::Enclosure::pi(bits)));
        same((
            reference::Enclosure::ln_two(bits),
            library::Enclosure::ln_two(bits),
        ));
    }
}

#[test]
fn arguments_at_the_ends_of_the_ranges_are_the_same() {
    for x in [
        0,
        1,
        -1,
        1 << 22,
        -(1 << 22),
        (1 << 22) + 1,
        -(1 << 22) - 1,
        3,
        -3,
    ] {
        let (x, u) = (
            reference::Enclosure::integer(x, 64),
            library::Enclosure::integer(x, 64),
        );
        same_or_both_refuse(x.exp(), u.exp());
        same_or_both_refuse(x.exp_minus_one(), u.exp_minus_one());
        same_or_both_refuse(x.ln(), u.ln());
        same_or_both_refuse(x.ln_1p(), u.ln_1p());
        same((x.normal_upper(), u.normal_upper()));
    }
}
