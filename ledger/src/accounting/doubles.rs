//! The doubles of the accountant beside rationals and enclosures: every end on its side, for every sign, and beyond their range.

use super::{BITS, exactly};
use crate::claim::{Check, Trouble};
use dp_assay::accountant::interval::Interval;
use dp_assay::accountant::normal;
use dp_assay::accountant::tilt::beyond;
use dp_assay::number::rational::integer;
use dp_assay::number::{Enclosure, Rational};
use num_traits::{One, Zero};

/// The ends of intervals; few of them have few digits.
static ENDS: [f64; 6] = [-3.7, -1e-3, 0.0, 0.1, 1.0, 7.3];

/// Arguments of the exponential, some of them where doubles have no more of it.
const EXPONENTS: [f64; 11] = [
    -1000.0, -680.1, -679.9, -1.0, 0.0, 0.3, 0.7, 100.0, 699.9, 700.1, 1000.0,
];

/// Operations on intervals contain those on their ends.
pub(super) fn intervals(check: &mut Check) -> Result<(), Trouble> {
    check.exact("sums, differences, products, quotients and powers of intervals with ends -3.7, -1/1000, 0, 1/10, 1 and 7.3");
    let wide = |place: usize| {
        ENDS[place..]
            .iter()
            .map(move |hi| Interval::between(ENDS[place], *hi))
    };
    let all: Vec<Interval> = (0..ENDS.len()).flat_map(wide).collect();
    for a in &all {
        for b in &all {
            for x in ends(*a)? {
                for y in ends(*b)? {
                    let mut holds = contains(*a + *b, &(&x + &y))?
                        && contains(*a - *b, &(&x - &y))?
                        && contains(*a * *b, &(&x * &y))?;
                    if b.lo > 0.0 {
                        holds &= contains(a.over(*b), &(&x / &y))?;
                    }
                    check.holds(holds, format_args!("{a:?} and {b:?} at {x} and {y}"));
                }
            }
        }
        for x in ends(*a)?.iter().filter(|_| a.lo >= 0.0) {
            for power in [0, 1, 2, 7] {
                let holds = contains(a.power(power), &x.pow(power as i32))?;
                check.holds(holds, format_args!("{a:?} to the {power} at {x}"));
            }
        }
    }
    Ok(())
}

/// The exponential, and what a normal law has between two points, of a mean that is an interval.
pub(super) fn functions(check: &mut Check) -> Result<(), Trouble> {
    check.certified(
        "exponentials at -1000 to 1000, and normal masses of means between 1/3 and 1/3 + 1/10000",
    );
    for x in EXPONENTS {
        let exact = Enclosure::exp_of(&exactly(x)?, BITS)?;
        let found = Interval::exactly(x).exp();
        check.holds(is_around(found, &exact)?, format_args!("e^{x}: {found:?}"));
        if x > 0.0 {
            let less_one = exact - Enclosure::integer(1, BITS);
            let found = Interval::exactly(x).exp_minus_one();
            check.holds(
                is_around(found, &less_one)?,
                format_args!("e^{x} - 1: {found:?}"),
            );
        }
    }
    let mean = Interval::between(0.3333, 0.3334);
    for (a, b) in [
        (-8.0, -7.5),
        (-1.0, -0.99),
        (0.2, 0.4),
        (0.3, 3.0),
        (4.0, 4.1),
    ] {
        let found = normal::mass(a, b, mean);
        for mean in [mean.lo, mean.hi] {
            let at = |x: f64| -> Result<Enclosure, Trouble> {
                Ok(Enclosure::of(&(exactly(x)? - exactly(mean)?), 2 * BITS).normal_upper())
            };
            let exact = at(a)? - at(b)?;
            check.holds(
                is_around(found, &exact)?,
                format_args!("between {a} and {b} of mean {mean}: {found:?}"),
            );
        }
    }
    Ok(())
}

/// Chernoff's bound of what lies beyond an edge, beside the sum itself; and where no double is as large.
pub(super) fn edges(check: &mut Check) -> Result<(), Trouble> {
    check.exact("two and three steps of masses 1/2, 1/4, 1/8 and 0 at nodes 0, 3, 5 and 9, beyond all edges, Chernoff's parameter from 1/10 to 10^6");
    let masses = [(0, 0.5), (3, 0.25), (5, 0.125), (9, 0.0)];
    for times in [2u32, 3] {
        for edge in -1..16 {
            for t in [0.1, 1.0, 30.0, 1e6] {
                let above = beyond(&[(&masses[..], times.into())], 1.0, edge, t);
                let below = beyond(&[(&masses[..], times.into())], 1.0, edge, -t);
                let least = mass_of(&masses, times, &|node| node >= edge)?;
                let name =
                    format!("{times} steps, edge {edge}, parameter {t}: {above} and {below}");
                check.holds(above == f64::INFINITY || exactly(above)? >= least, &name);
                let least = mass_of(&masses, times, &|node| node <= edge)?;
                check.holds(below == f64::INFINITY || exactly(below)? >= least, &name);
            }
        }
    }
    Ok(())
}

/// The mass of so many steps together at the nodes that are asked for.
fn mass_of(
    masses: &[(i64, f64)],
    times: u32,
    is_asked: &dyn Fn(i64) -> bool,
) -> Result<Rational, Trouble> {
    let mut sum = Rational::zero();
    for code in 0..masses.len().pow(times) {
        let (mut node, mut mass) = (0, Rational::one());
        for step in 0..times {
            let (at, of_it) = masses[code / masses.len().pow(step) % masses.len()];
            node += at;
            mass *= exactly(of_it)?;
        }
        if is_asked(node) {
            sum += mass;
        }
    }
    Ok(sum)
}

fn ends(interval: Interval) -> Result<[Rational; 2], Trouble> {
    Ok([exactly(interval.lo)?, exactly(interval.hi)?])
}

fn contains(interval: Interval, exact: &Rational) -> Result<bool, Trouble> {
    let [lo, hi] = ends(interval)?;
    Ok(lo <= *exact && *exact <= hi)
}

/// Whether an interval contains an enclosure. The upper end of the interval may be infinite.
fn is_around(interval: Interval, exact: &Enclosure) -> Result<bool, Trouble> {
    let above = match interval.hi == f64::INFINITY {
        true => exact.upper() + integer(1),
        false => exactly(interval.hi)?,
    };
    Ok(exactly(interval.lo)? <= exact.lower() && exact.upper() <= above)
}
