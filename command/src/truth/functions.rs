//! The real functions and the constants.

use super::{Answer, Given, QUICK, Quantity, Subject, Takes, second};
use crate::error::Error;
use dp_assay::number::{Enclosure, NumberError, Rational, ln_factorial, rational};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

/// Name, definition, how a value is written, how it is computed, an example.
type Function = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

const SERIES: &str = "a series with an enclosed remainder, after exact reductions of the argument";
const TAIL: &str =
    "a series of positive terms near 0, the asymptotic series far out; remainders enclosed";

/// The functions of one real number.
const FUNCTIONS: [Function; 15] = [
    (
        "exp",
        "e^x, for x from -1e6 to 1e6",
        "exp({at})",
        SERIES,
        "--at 1",
    ),
    (
        "expm1",
        "e^x - 1, for x from -1e6 to 1e6",
        "expm1({at})",
        SERIES,
        "--at 1e-20",
    ),
    (
        "ln",
        "the natural logarithm of x > 0",
        "ln({at})",
        SERIES,
        "--at 2",
    ),
    (
        "ln1p",
        "ln(1 + x) for x > -1",
        "ln1p({at})",
        SERIES,
        "--at 1e-20",
    ),
    (
        "sqrt",
        "the square root of x >= 0",
        "sqrt({at})",
        "the root of an integer, exactly",
        "--at 2",
    ),
    (
        "sin",
        "the sine, for x within 2^64 of 0",
        "sin({at})",
        SERIES,
        "--at 1",
    ),
    (
        "cos",
        "the cosine, for x within 2^64 of 0",
        "cos({at})",
        SERIES,
        "--at 1",
    ),
    (
        "atan",
        "the inverse tangent, between -pi/2 and pi/2",
        "atan({at})",
        SERIES,
        "--at 1",
    ),
    (
        "acos",
        "the inverse cosine of x from -1 to 1, between 0 and pi",
        "acos({at})",
        SERIES,
        "--at 1/3",
    ),
    (
        "tanh",
        "the hyperbolic tangent",
        "tanh({at})",
        SERIES,
        "--at 1/2",
    ),
    (
        "erfc",
        "the complementary error function, 2/sqrt(pi) times the integral of e^(-t^2) from x on",
        "erfc({at})",
        TAIL,
        "--at 1",
    ),
    (
        "normal-cdf",
        "the probability that a standard normal variable is at most x",
        "Pr[Z <= {at}]",
        TAIL,
        "--at -2",
    ),
    (
        "normal-tail",
        "the probability that a standard normal variable is at least x",
        "Pr[Z >= {at}]",
        TAIL,
        "--at 6",
    ),
    (
        "normal-quantile",
        "the x with Pr[Z <= x] = p for a standard normal variable Z",
        "x with Pr[Z <= x] = {at}",
        "Newton's method proposes, the function at both sides certifies",
        "--at 0.975",
    ),
    (
        "ln-factorial",
        "ln(n!) for n from 0 to 1e6",
        "ln({at}!)",
        "the logarithm of the product up to 4096; beyond, Stirling's series with Binet's remainder",
        "--at 100",
    ),
];

/// Names of constants, and their definitions.
const CONSTANTS: [(&str, &str); 2] = [
    ("pi", "the circumference of a circle of diameter 1"),
    ("ln-2", "the natural logarithm of 2"),
];

pub fn subjects() -> Vec<Subject> {
    let functions = FUNCTIONS
        .iter()
        .map(|&(name, definition, label, method, example)| Subject {
            name,
            definition: definition.to_owned(),
            parameters: Vec::new(),
            quantities: vec![Quantity {
                name: "value",
                meaning: "the value of the function",
                label,
                method,
                takes: match name {
                    "normal-quantile" => &[Takes::Probability],
                    "ln-factorial" => &[Takes::Natural],
                    _ => &[Takes::Number],
                },
                example,
                most: QUICK,
                answer: function,
            }],
            example: "",
        });
    let constants = CONSTANTS.iter().map(|&(name, definition)| Subject {
        name,
        definition: definition.to_owned(),
        parameters: Vec::new(),
        quantities: vec![Quantity {
            name: "value",
            meaning: "the constant",
            label: name,
            method: "Machin's formula and its like: inverse tangents of reciprocals",
            takes: &[],
            example: "",
            most: QUICK,
            answer: constant,
        }],
        example: "",
    });
    functions.chain(constants).collect()
}

fn constant(given: &Given) -> Result<Answer<'_>, Error> {
    let name = given.subject;
    Ok(match name {
        "pi" => Answer::witnessed(
            |bits| Ok(Enclosure::pi(bits)),
            |bits| second::function("pi", &rational::integer(0), bits),
        ),
        _ => Answer::witnessed(
            |bits| Ok(Enclosure::ln_two(bits)),
            |bits| second::function("ln", &rational::integer(2), bits),
        ),
    })
}

/// Refuses an argument at which the function is not computed.
fn check(name: &str, x: &Rational) -> Result<(), Error> {
    let million = || rational::integer(1_000_000);
    let one = || rational::integer(1);
    let limit = || Rational::from_integer(BigInt::from(1) << 64);
    let (right, expected) = match name {
        "exp" | "expm1" => (x.abs() <= million(), "from -1e6 to 1e6"),
        "ln" => (x.is_positive(), "above 0"),
        "ln1p" => (*x > -one(), "above -1"),
        "sqrt" => (!x.is_negative(), "at least 0"),
        "sin" | "cos" => (x.abs() <= limit(), "from -2^64 to 2^64"),
        "acos" => (x.abs() <= one(), "from -1 to 1"),
        "ln-factorial" => (*x <= million(), "at most 1e6"),
        _ => (true, ""),
    };
    match right {
        true => Ok(()),
        false => Err(Error::option("--at", expected, rational::shortly(x))),
    }
}

fn function(given: &Given) -> Result<Answer<'_>, Error> {
    let (name, x) = (given.subject, given.at()?);
    check(name, x)?;
    if let Some(exact) = rational_value(name, x) {
        return Ok(Answer::Exact(exact));
    }
    if name == "ln-factorial" {
        let n = x.to_integer().to_u64().unwrap_or(0);
        return Ok(Answer::enclosed(move |bits| {
            logarithm_of_factorial(n, bits)
        }));
    }
    if name == "normal-quantile" {
        let quantile = move |bits: u32| enclose(name, x, bits);
        let rising = |at: &Rational, bits: u32| second::function("normal-cdf", at, bits);
        return Ok(Answer::rising_through(quantile, rising, x));
    }
    Ok(Answer::witnessed(
        move |bits| enclose(name, x, bits),
        move |bits| second::function(name, x, bits),
    ))
}

/// The value, where it is known to be rational: at one place of most functions, and the root of a square.
fn rational_value(name: &str, x: &Rational) -> Option<Rational> {
    let (at, value) = match name {
        "sqrt" => return rational_root(x),
        "exp" | "cos" | "erfc" => (rational::integer(0), rational::integer(1)),
        "normal-cdf" | "normal-tail" => (rational::integer(0), rational::ratio(1, 2)),
        "normal-quantile" => (rational::ratio(1, 2), rational::integer(0)),
        "ln" | "acos" => (rational::integer(1), rational::integer(0)),
        "expm1" | "ln1p" | "sin" | "atan" | "tanh" => (rational::integer(0), rational::integer(0)),
        _ => return None,
    };
    (*x == at).then_some(value)
}

/// The square root of a rational number, if it is one too.
fn rational_root(x: &Rational) -> Option<Rational> {
    let root = Rational::new(x.numer().sqrt(), x.denom().sqrt());
    (&root * &root == *x).then_some(root)
}

/// The function at an exact number.
fn enclose(name: &str, x: &Rational, bits: u32) -> Result<Enclosure, NumberError> {
    // Its own digits in addition, so that nothing is lost where the function is steep or is next to 0.
    let own = u32::try_from(x.numer().bits() + x.denom().bits()).unwrap_or(u32::MAX);
    let near = Enclosure::of(x, bits.saturating_add(own));
    let value = match name {
        "exp" => return Enclosure::exp_of(x, bits),
        "expm1" => near.exp_minus_one(),
        "ln" => near.ln(),
        "ln1p" => near.ln_1p(),
        "sqrt" => near.sqrt(),
        "sin" => near.sin(),
        "cos" => near.cos(),
        "atan" => Ok(near.atan()),
        "acos" => near.acos(),
        "tanh" => Ok(near.tanh()),
        "erfc" => Ok(near.erfc()),
        "normal-cdf" => Ok(near.normal_cdf()),
        "normal-tail" => Ok(near.normal_upper()),
        _ => near.normal_quantile(),
    };
    Ok(value?.with_bits(bits))
}

/// Up to here the factorial is multiplied out: Stirling's series, which has 20 terms, is good for about 140 digits beyond.
const MULTIPLIED: u64 = 4096;

fn logarithm_of_factorial(n: u64, bits: u32) -> Result<Enclosure, NumberError> {
    if n > MULTIPLIED {
        return ln_factorial(n, bits);
    }
    let product: BigInt = (2..=n).map(BigInt::from).product();
    Enclosure::integer(product, bits.saturating_add(16)).ln()
}

#[cfg(test)]
mod tests {
    use super::super::{Given, Place, Value, Worth, subject};
    use dp_assay::number::rational::{parse, to_f64_for_display};

    fn value(name: &str, at: &str, digits: u32) -> Value {
        let subject = subject(name).unwrap();
        let given = Given::read(&subject, &[]).unwrap();
        let at = (!at.is_empty()).then(|| parse(at).unwrap());
        let place = Place {
            at,
            ..Place::default()
        };
        Value::of(&subject.quantities[0], &given, &place, digits).unwrap()
    }

    #[test]
    fn published_digits_are_met() {
        for (name, at, digits) in [
            ("exp", "1", "2.71828182845904523536028747135266249775"),
            ("ln", "2", "6.9314718055994530941723212145817656807550e-1"),
            ("ln-2", "", "6.9314718055994530941723212145817656807550e-1"),
            (
                "pi",
                "",
                "3.14159265358979323846264338327950288419716939937510",
            ),
            ("sqrt", "2", "1.41421356237309504880168872420969807856967"),
            (
                "erfc",
                "1",
                "1.57299207050285130658779364917390740703933e-1",
            ),
            ("normal-quantile", "0.975", "1.95996398454005423552"),
            ("normal-tail", "6", "9.865876450376981407"),
            ("ln-factorial", "100", "3.63739375555563490144"),
        ] {
            let lo = parse(&value(name, at, 18).lo.unwrap()).unwrap();
            let text = digits.split('e').next().unwrap();
            let found = to_f64_for_display(&lo);
            let mantissa = found / 10f64.powf(found.abs().log10().floor());
            let expected: f64 = text.parse().unwrap();
            assert!((mantissa / expected - 1.0).abs() < 1e-14, "{name}: {found}");
        }
        // All digits of two of them.
        let pi = value("pi", "", 50);
        assert_eq!(
            pi.lo.unwrap(),
            "3.1415926535897932384626433832795028841971693993751"
        );
        let e = value("exp", "1", 30);
        assert_eq!(e.hi, "2.71828182845904523536028747136");
    }

    #[test]
    fn doubles_of_the_standard_library_are_met() {
        type Double = fn(f64) -> f64;
        let functions: [(&str, Double); 9] = [
            ("exp", f64::exp),
            ("expm1", f64::exp_m1),
            ("ln", f64::ln),
            ("ln1p", f64::ln_1p),
            ("sin", f64::sin),
            ("cos", f64::cos),
            ("atan", f64::atan),
            ("acos", f64::acos),
            ("tanh", f64::tanh),
        ];
        for (name, function) in functions {
            for at in ["1/4", "0.75", "1/1024", "1"] {
                let found = value(name, at, 20);
                let found = to_f64_for_display(&parse(&found.hi).unwrap());
                let expected = function(to_f64_for_display(&parse(at).unwrap()));
                assert!(
                    (found - expected).abs() <= 1e-15 * expected.abs(),
                    "{name} {at}"
                );
            }
        }
    }

    #[test]
    fn a_rational_value_says_so() {
        for (name, at, exact) in [
            ("exp", "0", "1"),
            ("expm1", "0", "0"),
            ("ln", "1", "0"),
            ("ln1p", "0", "0"),
            ("sqrt", "4/9", "2/3"),
            ("sqrt", "0", "0"),
            ("sin", "0", "0"),
            ("cos", "0", "1"),
            ("atan", "0", "0"),
            ("acos", "1", "0"),
            ("tanh", "0", "0"),
            ("erfc", "0", "1"),
            ("normal-cdf", "0", "1/2"),
            ("normal-tail", "0", "1/2"),
            ("normal-quantile", "1/2", "0"),
            ("ln-factorial", "1", "0"),
        ] {
            let found = value(name, at, 30);
            assert_eq!(found.worth, Worth::Exact, "{name} {at}: {found:?}");
            assert_eq!(found.exact, Some(parse(exact).unwrap()), "{name} {at}");
        }
        assert_eq!(value("sqrt", "2", 30).worth, Worth::Enclosure);
    }

    #[test]
    fn arguments_next_to_the_edge_are_taken() {
        let near_one = format!("0.{}", "9".repeat(200));
        for (name, at) in [
            ("ln", &near_one[..]),
            ("acos", &near_one),
            ("normal-quantile", &near_one),
            ("ln1p", "-0.99999999999999999999999999999999999999"),
            ("sin", "18446744073709551616"),
            ("exp", "-1000000"),
            ("exp", "1000000"),
            ("normal-cdf", "-1500"),
            ("expm1", "1e-300"),
        ] {
            let found = value(name, at, 25);
            assert_eq!(found.worth, Worth::Enclosure, "{name} {at}");
        }
    }
}
