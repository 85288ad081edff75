//! `number.two-arithmetics`.

use crate::claim::{Check, Trouble};

/// Arguments of many sizes, and both arithmetics at each.
#[cfg(feature = "mpfr")]
pub(super) fn agree(check: &mut Check) -> Result<(), Trouble> {
    use dp_assay::coins::{ChaCha, Coins};
    use dp_assay::number::{Enclosure, NumberError, Rational, certify};
    use dp_assay_witness as witness;
    use num_bigint::BigInt;
    use num_traits::One;
    type Function = (
        &'static str,
        fn(&Enclosure) -> Result<Enclosure, NumberError>,
        fn(&Rational, u32) -> Enclosure,
        bool,
    );
    // The last entry: whether negative arguments are in the domain.
    let functions: [Function; 10] = [
        ("exp", Enclosure::exp, witness::exp, true),
        ("exp - 1", Enclosure::exp_minus_one, witness::exp_m1, true),
        ("tanh", |x| Ok(x.tanh()), witness::tanh, true),
        ("ln", Enclosure::ln, witness::ln, false),
        ("sqrt", Enclosure::sqrt, witness::sqrt, false),
        ("sin", Enclosure::sin, witness::sin, true),
        ("cos", Enclosure::cos, witness::cos, true),
        ("atan", |x| Ok(x.atan()), witness::atan, true),
        ("erfc", |x| Ok(x.erfc()), witness::erfc, true),
        ("Phi", |x| Ok(x.normal_cdf()), witness::normal_cdf, true),
    ];
    let digits = 40;
    let count = if check.quick() { 40 } else { 400 };
    check.certified(format_args!(
        "{} functions at {count} random arguments each, of 40 bits and size 2^-20 to 2^5, to {digits} digits, seed {}",
        functions.len(),
        check.seed()
    ));
    let mut coins = ChaCha::reproducible(check.seed(), 100);
    for (name, ours, theirs, negative) in functions {
        for _ in 0..count {
            let mantissa = BigInt::from(coins.bits(40)? | 1);
            let shift = 15 + coins.bits(5)? % 26 + 20;
            let sign = negative && coins.bits(1)? == 1;
            let magnitude = Rational::new(mantissa, BigInt::one() << shift);
            let x = if sign { -magnitude } else { magnitude };
            let enclosure = certify(digits, |bits| ours(&Enclosure::of(&x, bits.max(64))))?;
            let other = certify(digits, |bits| Ok(theirs(&x, bits)))?;
            check.holds(enclosure.meets(&other), format_args!("{name}({x})"));
        }
    }
    Ok(())
}

/// Without MPFR there is one arithmetic only.
#[cfg(not(feature = "mpfr"))]
pub(super) fn agree(check: &mut Check) -> Result<(), Trouble> {
    check.left_open(
        "one arithmetic spoke: built without the feature mpfr, which needs m4 and a C compiler",
    );
    Ok(())
}
