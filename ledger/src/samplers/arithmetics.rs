//! `number.two-arithmetics`.

use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::rational::ratio;
use dp_assay::number::{Dyadic, Enclosure, NumberError};
use dp_assay::stats::chi_square;
use num_bigint::BigInt;

/// A function of two intervals: its name, itself, and the least and the largest arguments.
type OfTwo = (
    &'static str,
    fn(&Enclosure, &Enclosure) -> Result<Enclosure, NumberError>,
    [[i64; 2]; 2],
);

/// All functions of enclosures; those of one argument pass over the second.
const FUNCTIONS: [OfTwo; 24] = [
    ("x + y", |x, y| Ok(x + y), [[-9, 9], [-9, 9]]),
    ("x - y", |x, y| Ok(x - y), [[-9, 9], [-9, 9]]),
    ("x y", |x, y| Ok(x * y), [[-9, 9], [-9, 9]]),
    ("x/y", Enclosure::divided_by, [[-9, 9], [1, 9]]),
    ("x/y, y < 0", Enclosure::divided_by, [[-9, 9], [-9, -1]]),
    ("x^2", |x, _| Ok(x.squared()), [[-9, 9], [0, 0]]),
    ("x^7", |x, _| Ok(x.power(7)), [[-3, 3], [0, 0]]),
    ("|x|", |x, _| Ok(x.abs()), [[-9, 9], [0, 0]]),
    ("1 - x", |x, _| Ok(x.complement()), [[0, 1], [0, 0]]),
    ("exp", |x, _| x.exp(), [[-30, 30], [0, 0]]),
    ("exp - 1", |x, _| x.exp_minus_one(), [[-9, 9], [0, 0]]),
    ("tanh", |x, _| Ok(x.tanh()), [[-9, 9], [0, 0]]),
    ("ln", |x, _| x.ln(), [[1, 60], [0, 0]]),
    ("ln(1 + x)", |x, _| x.ln_1p(), [[0, 9], [0, 0]]),
    ("sqrt", |x, _| x.sqrt(), [[0, 60], [0, 0]]),
    ("sin", |x, _| x.sin(), [[-30, 30], [0, 0]]),
    ("cos", |x, _| x.cos(), [[-30, 30], [0, 0]]),
    ("atan", |x, _| Ok(x.atan()), [[-30, 30], [0, 0]]),
    ("acos", |x, _| x.acos(), [[-1, 1], [0, 0]]),
    ("erfc", |x, _| Ok(x.erfc()), [[-9, 9], [0, 0]]),
    ("Phi", |x, _| Ok(x.normal_cdf()), [[-9, 9], [0, 0]]),
    ("1 - Phi", |x, _| Ok(x.normal_upper()), [[-9, 9], [0, 0]]),
    (
        "chi-square, below",
        |x, _| chi_square::lower_tail(5, x),
        [[0, 30], [0, 0]],
    ),
    (
        "chi-square, above",
        |x, _| chi_square::upper_tail(8, x),
        [[0, 30], [0, 0]],
    ),
];

// The least and the most bits of the arithmetic whose sides are tried, and those of the sharp one.
const FEW: u32 = 24;
const MANY: u32 = 64;
const SHARP: u32 = 256;

/// Each function of intervals at few bits contains its values, at 256 bits, at the ends and inside: whatever it rounds, it rounds
/// outwards. Where an argument is a point, an end that is rounded inwards leaves the value out.
fn contained(check: &mut Check) -> Result<(), Trouble> {
    let count = if check.quick() { 12 } else { 60 };
    check.certified(format_args!(
        "{} functions, sums, products and quotients among them, of {count} points and {count} intervals at {FEW} and {MANY} bits: the values \
         at {SHARP} bits at both ends and at two points inside are contained, seed {}",
        FUNCTIONS.len(),
        check.seed()
    ));
    let mut coins = ChaCha::reproducible(check.seed(), 101);
    for (name, function, [of_x, of_y]) in FUNCTIONS {
        for number in 0..2 * count {
            for bits in [FEW, MANY] {
                let is_point = number % 2 == 0;
                let [x, y] = [
                    interval(of_x, is_point, &mut coins)?,
                    interval(of_y, is_point, &mut coins)?,
                ];
                let enclose = |[lo, hi]: &[Dyadic; 2]| Enclosure::new(lo, hi, bits);
                // Ends of at most 24 bits: the argument is not rounded.
                let found = function(&enclose(&x), &enclose(&y))?;
                for part in 0..4i64 {
                    let at = |[lo, hi]: &[Dyadic; 2]| {
                        let inside = lo.to_rational()
                            + (hi.to_rational() - lo.to_rational()) * ratio(part, 3);
                        Enclosure::of(&inside, SHARP)
                    };
                    // As good as a point: outside of it by less than its width is what alone would be missed.
                    let within = found.meets(&function(&at(&x), &at(&y))?);
                    check.holds(
                        within,
                        format_args!("{name} at {bits} bits of {x:?}, {y:?}, part {part}"),
                    );
                }
            }
        }
    }
    Ok(())
}

/// A point or an interval with ends of at most 20 bits, somewhere between these integers: at times as wide as they allow.
fn interval(
    [least, largest]: [i64; 2],
    is_point: bool,
    coins: &mut ChaCha,
) -> Result<[Dyadic; 2], Trouble> {
    let steps = BigInt::from(largest - least) << 14;
    let mut place = || -> Result<BigInt, Trouble> {
        let drawn: BigInt = (BigInt::from(coins.bits(14)?) * &steps) >> 14;
        Ok(drawn + (BigInt::from(least) << 14))
    };
    let (a, b) = (place()?, place()?);
    let (lo, hi) = if is_point {
        (a.clone(), a)
    } else {
        (a.clone().min(b.clone()), a.max(b))
    };
    let at = |k: BigInt| Dyadic::new(k, -14);
    Ok([at(lo), at(hi)])
}

/// Arguments of many sizes, and both arithmetics at each.
#[cfg(feature = "mpfr")]
pub(super) fn agree(check: &mut Check) -> Result<(), Trouble> {
    use dp_assay::number::{Rational, certify};
    use dp_assay_witness as witness;
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
        "MPFR: {} functions at {count} random arguments each, of 40 bits and size 2^-20 to 2^5, to {digits} digits, seed {}",
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
    contained(check)
}

/// Without MPFR there is one arithmetic only.
#[cfg(not(feature = "mpfr"))]
pub(super) fn agree(check: &mut Check) -> Result<(), Trouble> {
    contained(check)?;
    check.left_open(
        "one arithmetic spoke: built without the feature mpfr, which needs m4 and a C compiler",
    );
    Ok(())
}
