//! Every function computed twice: by the integer arithmetic of this library and by MPFR.
//!
//! Two answers agree to `digits` digits when
//! 1. both are certified to `digits + 10` significant digits, each by its own arithmetic,
//! 2. the two enclosures meet,
//! 3. everything in both lies within `10^-digits`, relative to the number, and
//! 4. the decimals rounded to nearest at `digits` digits are the same text, whenever each enclosure
//!    determines its own (rounds to one text at both of its ends). An enclosure does not if it holds a
//!    rounding boundary; at ten digits more this happens by chance about once in `10^10` cases, and
//!    for numbers that are themselves on a boundary.
//!
//! And at a few low precisions, where the rounding errors of a function are most of its width, our
//! enclosure has to meet MPFR's of 400 bits, which is nearly the number itself.

use dp_assay::number::rational::{integer, parse, ratio, to_scientific};
use dp_assay::number::{Dyadic, Enclosure, NumberError, Rational, certify};
use dp_assay_witness as witness;
use num_bigint::BigInt;

/// The numbers of digits at which the two arithmetics are compared.
const DIGITS: [u32; 2] = [15, 40];

/// The number of arguments for each function and each number of digits, at night.
const ARGUMENTS: usize = 1500;

/// By day as many random ones as this, beside the hard ones.
const RANDOM_BY_DAY: usize = 100;

/// Whether `NIGHTLY` is set (`make test-nightly`).
fn at_night() -> bool {
    std::env::var_os("NIGHTLY").is_some()
}

/// Of many alike one in so many by day, and all at night.
fn one_in(by_day: usize) -> usize {
    if at_night() { 1 } else { by_day }
}

/// Knuth's 64-bit linear congruence: the same arguments in every run.
struct Arguments(u64);

impl Arguments {
    fn word(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 16
    }

    /// A dyadic of 47 bits and a sign, between `2^least` and `2^most` in absolute value.
    fn dyadic(&mut self, least: i64, most: i64) -> Rational {
        let mantissa = (self.word() >> 1 | 1 << 46) as i64;
        let span = (most - least) as u64;
        let exponent = least - 46 + (self.word() >> 8).rem_euclid(span) as i64;
        let sign = if self.word() >> 20 & 1 == 0 { 1 } else { -1 };
        Dyadic::new(sign * mantissa, exponent).to_rational()
    }
}

type Ours = fn(&Enclosure) -> Result<Enclosure, NumberError>;
type Theirs = fn(&Rational, u32) -> Enclosure;

/// Enough bits for a dyadic argument to be exact and for its function to be certified.
fn exact(x: &Rational, bits: u32) -> Enclosure {
    let own = x.numer().bits() as u32 + 1;
    Enclosure::of(x, bits.max(own))
}

/// Points 1 to 4 above. Answers whether the rounded decimals were determined by both.
fn agree(name: &str, x: &Rational, digits: u32, ours: &Enclosure, theirs: &Enclosure) -> bool {
    let context = format!("{name}({x}) to {digits} digits: {ours} and {theirs}");
    assert!(
        ours.has_digits(digits + 10) && theirs.has_digits(digits + 10),
        "{context}"
    );
    assert!(ours.meets(theirs), "{context}");
    assert!(ours.hull(theirs).has_digits(digits), "{context}");
    let text = |value: &Enclosure| {
        let (lo, hi) = (
            to_scientific(&value.lower(), digits),
            to_scientific(&value.upper(), digits),
        );
        (lo == hi).then_some(lo)
    };
    match (text(ours), text(theirs)) {
        (Some(a), Some(b)) => {
            assert_eq!(a, b, "{context}");
            true
        }
        _ => false,
    }
}

/// Compares one function at all arguments, which have to be dyadic.
fn compare(name: &str, ours: Ours, theirs: Theirs, arguments: &[Rational]) {
    for digits in DIGITS {
        let mut undetermined = 0;
        for x in arguments {
            let a = certify(digits + 10, |bits| ours(&exact(x, bits)))
                .unwrap_or_else(|error| panic!("{name}({x}): {error}"));
            let b = certify(digits + 10, |bits| {
                Ok(theirs(x, bits.max(x.numer().bits() as u32 + 1)))
            })
            .unwrap_or_else(|error| panic!("{name}({x}) by MPFR: {error}"));
            if !agree(name, x, digits, &a, &b) {
                undetermined += 1;
            }
        }
        // Numbers next to a boundary are among the arguments on purpose, but few: also of those of the night.
        assert!(
            undetermined * 20 <= ARGUMENTS,
            "{name}: {undetermined} undetermined"
        );
    }
    for x in arguments {
        for bits in [9, 24, 53] {
            // A shorter argument is exact at a low precision; it may have left the domain.
            let short = Dyadic::quotient_below(x.numer(), x.denom(), bits);
            let Ok(value) = ours(&Enclosure::new(&short, &short, bits)) else {
                continue;
            };
            let narrow = theirs(&short.to_rational(), 400);
            assert!(
                value.meets(&narrow),
                "{name}({x}) at {bits} bits: {value} and {narrow}"
            );
        }
    }
}

/// Random arguments in the given range of exponents that satisfy `domain`, then the hard ones.
fn arguments(
    seed: u64,
    least: i64,
    most: i64,
    hard: Vec<Rational>,
    domain: fn(&Rational) -> bool,
) -> Vec<Rational> {
    let mut source = Arguments(seed);
    let mut all: Vec<Rational> = hard;
    assert!(
        all.iter().all(domain),
        "a hard argument is outside the domain"
    );
    let wanted = match at_night() {
        true => ARGUMENTS,
        false => all.len() + RANDOM_BY_DAY,
    };
    while all.len() < wanted {
        let x = source.dyadic(least, most);
        if domain(&x) {
            all.push(x);
        }
    }
    all
}

fn power_of_two(exponent: i64) -> Rational {
    Dyadic::new(1, exponent).to_rational()
}

/// `centre +- 2^-k` for many `k`.
fn around(centre: &Rational) -> Vec<Rational> {
    (1..160)
        .step_by(3)
        .flat_map(|k| [centre + power_of_two(-k), centre - power_of_two(-k)])
        .collect()
}

/// The dyadics of 20 to 120 bits nearest to multiples of `pi/4`, small and large.
fn near_multiples_of_pi() -> Vec<Rational> {
    let mut all = Vec::new();
    for multiple in [
        1i64,
        2,
        3,
        4,
        6,
        7,
        8,
        1000,
        12_345_678,
        1 << 40,
        (1 << 60) + 1,
    ] {
        for bits in [20, 53, 64, 120] {
            let angle = witness::pi(300) * Enclosure::integer(multiple, 300);
            all.push(angle.shifted(-2).lo().round_down(bits).to_rational());
            all.push(angle.shifted(-2).hi().round_up(bits).to_rational());
        }
    }
    all
}

fn any(_: &Rational) -> bool {
    true
}

fn positive(x: &Rational) -> bool {
    *x > integer(0)
}

#[test]
fn pi() {
    for digits in [15, 40, 200, 2000] {
        let ours = certify(digits + 10, |bits| Ok(Enclosure::pi(bits))).unwrap();
        let theirs = certify(digits + 10, |bits| Ok(witness::pi(bits))).unwrap();
        assert!(agree("pi", &integer(0), digits, &ours, &theirs));
    }
}

#[test]
fn exp() {
    let mut hard = around(&integer(0));
    hard.extend(around(&integer(-1000)));
    hard.extend([power_of_two(20), -power_of_two(20), power_of_two(-3000)]);
    compare(
        "exp",
        Enclosure::exp,
        witness::exp,
        &arguments(1, -60, 14, hard, any),
    );
}

#[test]
fn exp_minus_one() {
    let mut hard = around(&integer(0));
    hard.extend(around(&ratio(1, 2)));
    hard.extend([power_of_two(-3000), -power_of_two(-3000)]);
    compare(
        "exp_minus_one",
        Enclosure::exp_minus_one,
        witness::exp_m1,
        &arguments(2, -200, 6, hard, any),
    );
}

#[test]
fn tanh() {
    let mut hard = around(&integer(0));
    hard.extend([power_of_two(19), -power_of_two(19), power_of_two(-3000)]);
    compare(
        "tanh",
        |x| Ok(x.tanh()),
        witness::tanh,
        &arguments(2, -200, 6, hard, any),
    );
}

#[test]
fn ln() {
    let mut hard = around(&integer(1));
    hard.retain(|x| *x != integer(1));
    hard.extend(around(&ratio(3, 4)));
    hard.extend(around(&integer(2)));
    hard.extend([power_of_two(9000), power_of_two(-9000)]);
    compare(
        "ln",
        Enclosure::ln,
        witness::ln,
        &arguments(3, -500, 500, hard, positive),
    );
}

#[test]
fn ln_1p() {
    let above = |x: &Rational| *x > integer(-1);
    let mut hard = around(&integer(0));
    hard.extend(around(&integer(-1)).into_iter().filter(above));
    hard.extend([power_of_two(-3000), -power_of_two(-3000)]);
    compare(
        "ln_1p",
        Enclosure::ln_1p,
        witness::ln_1p,
        &arguments(4, -200, 60, hard, above),
    );
}

#[test]
fn sqrt() {
    let mut hard = around(&integer(1));
    hard.extend(around(&integer(2)));
    hard.extend([power_of_two(9001), power_of_two(-9001)]);
    compare(
        "sqrt",
        Enclosure::sqrt,
        witness::sqrt,
        &arguments(5, -500, 500, hard, positive),
    );
}

#[test]
fn sin() {
    let mut hard = near_multiples_of_pi();
    hard.extend(around(&integer(0)));
    compare(
        "sin",
        Enclosure::sin,
        witness::sin,
        &arguments(6, -100, 64, hard, any),
    );
}

#[test]
fn cos() {
    let mut hard = near_multiples_of_pi();
    hard.extend(around(&integer(0)));
    compare(
        "cos",
        Enclosure::cos,
        witness::cos,
        &arguments(7, -20, 64, hard, any),
    );
}

#[test]
fn atan() {
    let mut hard = around(&integer(1));
    hard.extend(around(&integer(0)));
    hard.extend([power_of_two(3000), -power_of_two(-3000)]);
    compare(
        "atan",
        |x| Ok(x.atan()),
        witness::atan,
        &arguments(8, -200, 200, hard, any),
    );
}

#[test]
fn acos() {
    let inside = |x: &Rational| *x >= integer(-1) && *x < integer(1);
    let mut hard: Vec<Rational> = around(&integer(1)).into_iter().filter(inside).collect();
    hard.extend(around(&integer(-1)).into_iter().filter(inside));
    hard.extend(around(&integer(0)).into_iter().filter(inside));
    compare(
        "acos",
        Enclosure::acos,
        witness::acos,
        &arguments(9, -40, 0, hard, inside),
    );
}

#[test]
fn erfc() {
    // Around 6 and 10 the computation changes from the series to the asymptotic one.
    let eighths = (-80..240).step_by(one_in(3));
    let mut hard: Vec<Rational> = eighths.map(|n| ratio(n, 8)).collect();
    hard.extend(around(&integer(0)));
    hard.extend([integer(40), integer(500), integer(-500)]);
    compare(
        "erfc",
        |x| Ok(x.erfc()),
        witness::erfc,
        &arguments(10, -60, 7, hard, any),
    );
}

#[test]
fn normal_cdf() {
    let eighths = (-320..80).step_by(one_in(3));
    let mut hard: Vec<Rational> = eighths.map(|n| ratio(n, 8)).collect();
    hard.extend(around(&integer(0)));
    hard.extend([integer(-60), integer(-700), integer(700)]);
    compare(
        "normal_cdf",
        |x| Ok(x.normal_cdf()),
        witness::normal_cdf,
        &arguments(11, -60, 7, hard, any),
    );
    let upper = |x: &Enclosure| Ok((-x).normal_upper());
    compare(
        "normal_upper",
        upper,
        witness::normal_cdf,
        &arguments(12, -60, 5, Vec::new(), any),
    );
}

/// MPFR has no inverse normal function: it has to find the probability between its own values at the
/// two ends of our quantile.
#[test]
fn normal_quantile() {
    let half = ratio(1, 2);
    let near = around(&half).into_iter().step_by(one_in(3));
    let mut probabilities: Vec<Rational> = near.collect();
    probabilities.retain(|p| positive(p) && *p < integer(1));
    probabilities.extend(
        (1..1000)
            .step_by(13 * one_in(5))
            .flat_map(|k| [power_of_two(-k - 1), integer(1) - power_of_two(-k - 1)]),
    );
    let mut source = Arguments(13);
    while probabilities.len() < 600 / one_in(6) {
        let p = source.dyadic(-400, 0);
        if positive(&p) && p < integer(1) {
            probabilities.push(p);
        }
    }
    probabilities.push(Rational::new(BigInt::from(1), BigInt::from(1) << 20_000));
    for digits in DIGITS {
        for p in &probabilities {
            let ours = certify(digits, |bits| exact(p, bits).normal_quantile()).unwrap();
            let bits = 64 + 2 * (p.numer().bits() as u32).max(200);
            let (at_lo, at_hi) = (
                witness::normal_cdf(&ours.lower(), bits),
                witness::normal_cdf(&ours.upper(), bits),
            );
            assert!(at_lo.lower() <= *p && *p <= at_hi.upper(), "{ours} for {p}");
            // Where the quantile is not exact, MPFR tells both ends from the probability.
            if *p != half {
                assert!(at_lo.upper() < *p && *p < at_hi.lower(), "{ours} for {p}");
            }
        }
    }
    let known = parse("0.975").unwrap();
    let ours = Enclosure::of(&known, 256).normal_quantile().unwrap();
    assert!(witness::normal_cdf(&ours.lower(), 400).lower() < known);
    assert!(witness::normal_cdf(&ours.upper(), 400).upper() > known);
}
