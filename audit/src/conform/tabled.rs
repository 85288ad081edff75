//! Laws of integers by their probabilities, one by one: truncated and Skellam noise, and the sum or the difference of two draws.
//!
//! Beyond a table each side has a mass of at most its rest; a sum over the table with that much more is a bound from above, which is
//! what bets are made against. Truncated noise is certified by its weights, and Skellam noise by ratios of Bessel functions, all of
//! them positive. Two draws are added up in doubles: a sum of fewer than `2^20` products of positive numbers, each within `2^-45` of
//! itself, is within `2^-30` of itself, and that is charged to it.

use dp_assay::law::named::NamedLaw;
use dp_assay::number::rational::{from_f64, integer, to_f64_for_display};
use dp_assay::number::{Enclosure, NumberError, OutOfRange, Rational};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};
use std::fmt;

/// The bits of probabilities.
const BITS: u32 = 128;
/// The mass that may lie beyond a table, as a power of two.
const BEYOND: i64 = -80;
/// The most integers on one side of a table, and the most products that are added up.
const MOST: i64 = 1 << 17;
const MOST_PRODUCTS: usize = 1 << 27;
/// By how much a sum of products may be wrong, as a part of it.
const ERROR: f64 = 1.0 / (1u64 << 30) as f64;

/// A law that is known by a table.
#[derive(Debug, Clone)]
pub enum Tabled {
    /// `Pr[k]` in proportion to `e^(-|k| / scale)` for `|k| <= bound`.
    Truncated {
        /// From 1e-6 to 1000.
        scale: Rational,
        /// At least 1.
        bound: u64,
    },
    /// The difference of two independent Poisson numbers, each of half of this mean.
    Skellam {
        /// From 1e-6 to 1e4.
        variance: Rational,
    },
    /// The first draw and, or less, the second one.
    Two {
        /// The two laws.
        laws: Box<[NamedLaw; 2]>,
        /// Whether the second is subtracted.
        is_difference: bool,
    },
}

impl fmt::Display for Tabled {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { scale, bound } => {
                write!(
                    formatter,
                    "truncated-discrete-laplace scale={scale} bound={bound}"
                )
            }
            Self::Skellam { variance } => write!(formatter, "skellam variance={variance}"),
            Self::Two {
                laws,
                is_difference,
            } => {
                let name = if *is_difference { "difference" } else { "sum" };
                let [first, second] =
                    [0, 1].map(|at: usize| laws[at].to_string().replace([' ', '='], ":"));
                write!(formatter, "{name} first={first} second={second}")
            }
        }
    }
}

/// The probabilities of a law.
#[derive(Debug, Clone)]
pub struct Table {
    law: Tabled,
    /// The integer of the first probability.
    least: i64,
    pmf: Vec<Enclosure>,
    /// What lies beyond it on either side: from 0 to what it is at most.
    rest: Enclosure,
}

impl Table {
    /// The table of a law.
    ///
    /// # Errors
    /// [`OutOfRange`] if it would be too long.
    pub fn new(law: Tabled) -> Result<Self, OutOfRange> {
        let made = match &law {
            Tabled::Truncated { scale, bound } => truncated(scale, *bound),
            Tabled::Skellam { variance } => skellam(variance),
            Tabled::Two {
                laws,
                is_difference,
            } => two(laws, *is_difference),
        };
        let (least, pmf, rest) = made.ok().flatten().ok_or_else(|| {
            let expected =
                "one whose noise is at most some hundreds wide: longer tables are not made";
            OutOfRange::new("the law", &law, expected)
        })?;
        let rest = Enclosure::integer(0, BITS).hull(&rest);
        Ok(Self {
            law,
            least,
            pmf,
            rest,
        })
    }

    /// Whether the law can answer `k`.
    pub fn is_possible(&self, k: &BigInt) -> bool {
        match &self.law {
            Tabled::Truncated { bound, .. } => k.magnitude().to_u64().is_some_and(|k| k <= *bound),
            Tabled::Skellam { .. } => true,
            Tabled::Two {
                laws,
                is_difference,
            } => {
                let are_counts = laws.iter().all(|law| !law.is_symmetric());
                *is_difference || !are_counts || !k.is_negative()
            }
        }
    }

    /// Whether `k` and `-k` are equally likely, as far as it is known.
    pub fn is_symmetric(&self) -> bool {
        match &self.law {
            Tabled::Truncated { .. } | Tabled::Skellam { .. } => true,
            Tabled::Two {
                laws,
                is_difference,
            } => {
                let are_alike = laws[0].to_string() == laws[1].to_string();
                laws.iter().all(NamedLaw::is_symmetric) || (*is_difference && are_alike)
            }
        }
    }

    /// The law of the same kind whose noise is `factor` times as large.
    ///
    /// # Errors
    /// Those of [`Self::new`], and of the laws.
    pub fn scaled(&self, factor: &Rational) -> Result<Self, OutOfRange> {
        Self::new(match &self.law {
            Tabled::Truncated { scale, bound } => Tabled::Truncated {
                scale: scale * factor,
                bound: (integer(*bound) * factor)
                    .ceil()
                    .to_integer()
                    .to_u64()
                    .unwrap_or(*bound)
                    .max(1),
            },
            Tabled::Skellam { variance } => Tabled::Skellam {
                variance: variance * factor * factor,
            },
            Tabled::Two {
                laws,
                is_difference,
            } => {
                let scaled = |law: &NamedLaw| {
                    let wrong = "one with less and with more noise";
                    let scaled = law.scaled(factor);
                    scaled.map_err(|error| OutOfRange::new("the law", &error, wrong))
                };
                let [first, second] = [scaled(&laws[0])?, scaled(&laws[1])?];
                Tabled::Two {
                    laws: Box::new([first, second]),
                    is_difference: *is_difference,
                }
            }
        })
    }

    /// The probability of at least `from` and at most `to`; without an end if it is `None`.
    pub fn between(&self, from: Option<&BigInt>, to: Option<&BigInt>) -> Enclosure {
        let size = self.pmf.len();
        let place = |k: &BigInt| (k - self.least).to_i64();
        // The first place within, and the first beyond.
        let first = from.map_or(Some(0), |from| {
            place(from).map(|at| at.clamp(0, size as i64) as usize)
        });
        let after = to.map_or(Some(size), |to| {
            place(to).map(|at| (at + 1).clamp(0, size as i64) as usize)
        });
        let end = |k: &BigInt| if k.is_negative() { 0 } else { size };
        let first = first.unwrap_or_else(|| from.map_or(0, end));
        let after = after.unwrap_or_else(|| to.map_or(size, end));
        let zero = Enclosure::integer(0, BITS);
        let within = self.pmf.get(first..after).unwrap_or_default();
        let mut sum = within.iter().fold(zero, |sum, p| sum + p);
        // A part of what lies beyond may be within.
        if first == 0 {
            sum = sum + &self.rest;
        }
        if after == size {
            sum = sum + &self.rest;
        }
        sum
    }

    /// For each residue a bound from above on the probability of its class.
    pub fn residues_at_most(&self, modulus: u32) -> Vec<Enclosure> {
        let mut classes = vec![self.rest.shifted(1); modulus as usize];
        for (at, p) in (self.least..).zip(&self.pmf) {
            let class = &mut classes[at.rem_euclid(i64::from(modulus)) as usize];
            *class = &*class + p;
        }
        classes
    }

    /// The probabilities of at most each integer from `least` on, in doubles.
    pub fn cumulated(&self) -> (i64, Vec<f64>) {
        let mut sum = 0.0;
        let up_to = self.pmf.iter().map(|p| {
            sum += to_f64_for_display(&p.upper());
            sum
        });
        (self.least, up_to.collect())
    }
}

/// The first integer of a table, its probabilities, and what lies beyond it on either side at most; `None` if it is too long.
type Made = Result<Option<(i64, Vec<Enclosure>, Enclosure)>, NumberError>;

/// A table that is alike on both sides, of the weights from 0 on, and what they leave out on either side at most.
fn mirrored(weights: &[Enclosure], beyond: &Enclosure) -> Made {
    let Some((middle, side)) = weights.split_first() else {
        return Ok(None);
    };
    let both = side
        .iter()
        .fold(Enclosure::integer(0, BITS), |sum, w| sum + w)
        .shifted(1);
    let table = middle + &both;
    let all = table.hull(&(&table + &beyond.shifted(1)));
    let pmf = side.iter().rev().chain([middle]).chain(side);
    let pmf = pmf.map(|w| w.divided_by(&all)).collect::<Result<_, _>>()?;
    Ok(Some((-(side.len() as i64), pmf, beyond.divided_by(&all)?)))
}

/// The weights `q^k`, `q = e^(-1/scale)`.
fn truncated(scale: &Rational, bound: u64) -> Made {
    let q = Enclosure::exp_of(&-scale.recip(), BITS)?;
    let little = Enclosure::integer(1, BITS).shifted(BEYOND);
    let mut weights = vec![Enclosure::integer(1, BITS)];
    let mut next = q.clone();
    // What is beyond weighs q^k / (1 - q) = q^k + q^(k+1) + ...
    let lack = q.complement();
    while (weights.len() as u64) <= bound {
        let beyond = next.divided_by(&lack)?;
        if beyond.is_below(&little) {
            return mirrored(&weights, &beyond);
        }
        if weights.len() as i64 > MOST {
            return Ok(None);
        }
        weights.push(next.clone());
        next = next * &q;
    }
    mirrored(&weights, &Enclosure::integer(0, BITS))
}

/// The weights `I_k(V) / I_0(V)`, products of ratios `R_k = I_(k+1) / I_k = 1 / (2 (k+1) / V + R_(k+1))`, from a far one on, which is
/// between 0 and `V / (2 (k+1))`.
fn skellam(variance: &Rational) -> Made {
    let last = match variance.ceil().to_integer().to_i64() {
        Some(whole) if whole < MOST => whole + 200,
        _ => return Ok(None),
    };
    let step = |k: i64| Enclosure::of(&(integer(2 * (k + 1)) / variance), BITS);
    let zero = Enclosure::integer(0, BITS);
    let one = Enclosure::integer(1, BITS);
    let mut ratio = zero.hull(&one.divided_by(&step(last))?);
    let mut ratios = Vec::new();
    for k in (0..last).rev() {
        ratio = one.divided_by(&(step(k) + ratio))?;
        ratios.push(ratio.clone());
    }
    let little = one.shifted(BEYOND);
    let mut weights = vec![one];
    for ratio in ratios.iter().rev() {
        let next = &weights[weights.len() - 1] * ratio;
        let k = weights.len() as i64;
        // From V on each weight is at most half of the one before.
        if integer(k) >= *variance && next.shifted(1).is_below(&little) {
            return mirrored(&weights, &next.shifted(1));
        }
        weights.push(next);
    }
    Ok(None)
}

/// The probabilities of a law in doubles, from the first integer on, and what lies beyond on either side at most.
fn in_doubles(law: &NamedLaw) -> Result<Option<(i64, Vec<f64>)>, NumberError> {
    let little = Enclosure::integer(1, BITS).shifted(BEYOND - 2);
    let mut end = BigInt::one();
    while !law.upper_tail(&end, BITS)?.is_below(&little) {
        end *= 2;
        if end > BigInt::from(MOST) {
            return Ok(None);
        }
    }
    let last = end.to_i64().unwrap_or(MOST);
    let least = if law.is_symmetric() { -last } else { 0 };
    let p = |k: i64| Ok(to_f64_for_display(&law.pmf(&k.into(), BITS)?.upper()));
    let pmf = (least..=last).map(p).collect::<Result<_, NumberError>>()?;
    Ok(Some((least, pmf)))
}

fn two(laws: &[NamedLaw; 2], is_difference: bool) -> Made {
    let (Some((from, first)), Some((to, mut second))) =
        (in_doubles(&laws[0])?, in_doubles(&laws[1])?)
    else {
        return Ok(None);
    };
    if first.len() * second.len() > MOST_PRODUCTS {
        return Ok(None);
    }
    let mut beside = to;
    if is_difference {
        beside = -(to + second.len() as i64 - 1);
        second.reverse();
    }
    let mut sums = vec![0.0; first.len() + second.len() - 1];
    for (at, p) in first.iter().enumerate() {
        for (sum, q) in sums[at..].iter_mut().zip(&second) {
            *sum += p * q;
        }
    }
    // What was left out of either law may be anywhere.
    let rest = Enclosure::integer(1, BITS).shifted(BEYOND);
    let enclosed = |sum: f64| -> Result<Enclosure, NumberError> {
        let ends = [
            from_f64(sum * (1.0 - ERROR))?,
            from_f64(sum * (1.0 + ERROR))?,
        ];
        Ok(Enclosure::between(
            &ends[0],
            &(&ends[1] + rest.upper()),
            BITS,
        ))
    };
    let pmf = sums.into_iter().map(enclosed).collect::<Result<_, _>>()?;
    Ok(Some((from + beside, pmf, rest)))
}

#[cfg(test)]
mod tests {
    use super::super::{LawVerdict, Reference, audit_law};
    use super::*;
    use crate::targets::{Function, Output};
    use dp_assay::coins::{ChaCha, Coins};
    use dp_assay::number::rational::ratio;
    use num_traits::Zero;

    fn table(law: Tabled) -> Table {
        Table::new(law).unwrap()
    }

    fn two_of(first: &str, second: &str, is_difference: bool) -> Table {
        let laws = [first, second].map(|text| text.parse().unwrap());
        table(Tabled::Two {
            laws: Box::new(laws),
            is_difference,
        })
    }

    fn at(table: &Table, k: i64) -> Enclosure {
        table.between(Some(&k.into()), Some(&k.into()))
    }

    #[test]
    fn the_probabilities_add_up_to_one_and_tails_are_parts_of_it() {
        for table in [
            table(Tabled::Truncated {
                scale: ratio(3, 2),
                bound: 4,
            }),
            table(Tabled::Truncated {
                scale: ratio(3, 2),
                bound: 1 << 40,
            }),
            table(Tabled::Skellam {
                variance: ratio(7, 2),
            }),
            two_of("geometric rate=1/3", "discrete-gaussian variance=2", true),
        ] {
            let name = table.law.to_string();
            let all = table.between(None, None);
            assert!(all.contains(&integer(1)), "{name}: {all:?}");
            assert!(all.upper() - all.lower() < ratio(1, 1 << 28), "{name}");
            let (below, above) = (
                table.between(None, Some(&2.into())),
                table.between(Some(&3.into()), None),
            );
            assert!((below + above).contains(&integer(1)), "{name}");
            let classes = table.residues_at_most(3);
            let sum = classes
                .iter()
                .fold(Enclosure::integer(0, 64), |sum, p| sum + p);
            assert!(
                sum.upper() >= integer(1) && sum.upper() < integer(1) + ratio(1, 1 << 28),
                "{name}"
            );
            let far = BigInt::from(10).pow(40);
            assert!(
                table.between(Some(&far), None).upper() < ratio(1, 1 << 40),
                "{name}"
            );
            assert!(
                table.between(Some(&-far), None).contains(&integer(1)),
                "{name}"
            );
        }
    }

    /// By closed forms: two geometric numbers differ by discrete Laplace noise, and the truncated law is that noise, given that it is
    /// within the bound. Skellam by `e^-V I_k(V)`, `I_0(2) = 2.2795853023360673`, `I_1(2) = 1.5906368546373291`.
    #[test]
    fn each_law_is_what_it_is_elsewhere() {
        let noise: NamedLaw = "discrete-laplace scale=3/2".parse().unwrap();
        let by_two = two_of("geometric rate=2/3", "geometric rate=2/3", true);
        let truncated = table(Tabled::Truncated {
            scale: ratio(3, 2),
            bound: 4,
        });
        let within = noise.cdf(&4.into(), BITS).unwrap() - noise.cdf(&(-5).into(), BITS).unwrap();
        for k in -4..=4 {
            let p = noise.pmf(&k.into(), BITS).unwrap();
            assert!(at(&by_two, k).meets(&p), "{k}");
            assert!(
                at(&truncated, k).meets(&p.divided_by(&within).unwrap()),
                "{k}"
            );
        }
        assert!(at(&truncated, 5).upper().is_zero());
        let skellam = table(Tabled::Skellam {
            variance: integer(2),
        });
        for (k, bessel) in [(0, 2.279_585_302_336_067_3), (1, 1.590_636_854_637_329)] {
            let expected = (-2.0f64).exp() * bessel;
            for k in [-k, k] {
                let found = to_f64_for_display(&at(&skellam, k).upper());
                assert!((found - expected).abs() < 1e-14, "{k}: {found} {expected}");
            }
        }
        let sum = two_of("geometric rate=1", "geometric rate=1", false);
        // k + 1 ways.
        let expected = |k: f64| (1.0 - (-1.0f64).exp()).powi(2) * (k + 1.0) * (-k).exp();
        for k in 0..9 {
            let found = to_f64_for_display(&at(&sum, k).upper());
            assert!((found / expected(k as f64) - 1.0).abs() < 1e-8, "{k}");
        }
        assert!(!sum.is_possible(&(-1).into()) && by_two.is_possible(&(-1).into()));
    }

    /// Whether 20,000 draws are said to have another law than this one, at level 1e-6.
    fn is_refuted(law: &str, draw: impl Fn(&mut ChaCha) -> i64) -> bool {
        let mut coins = ChaCha::reproducible(3, 7);
        let mut target =
            Function(|_: &serde_json::Value| Ok(Output::Integer(draw(&mut coins).into())));
        let reference = Reference {
            law: law.parse().unwrap(),
            centre: integer(0),
            level: ratio(1, 1_000_000),
            calls: 20_000,
        };
        let found = audit_law(&mut target, &serde_json::Value::Null, &reference).unwrap();
        found.verdict == LawVerdict::NotConforming
    }

    #[test]
    fn draws_conform_to_their_law_and_to_no_other() {
        let geometric = |rate| {
            let law = dp_assay::sample::Geometric::new(rate).unwrap();
            move |coins: &mut ChaCha| coins.draw(&law).unwrap().to_i64().unwrap()
        };
        let (wide, narrow) = (geometric(ratio(1, 3)), geometric(ratio(1, 2)));
        let difference = |coins: &mut ChaCha| wide(coins) - narrow(coins);
        let law = "difference first=geometric:rate:1/3 second=geometric:rate:1/2";
        assert!(!is_refuted(law, difference));
        assert!(is_refuted(law, |coins| -difference(coins)));
        assert!(is_refuted(law, |coins| wide(coins) - wide(coins)));
        let within = |bound: i64| {
            let difference = &difference;
            move |coins: &mut ChaCha| {
                let draws = std::iter::repeat_with(|| difference(coins));
                draws.into_iter().find(|k| k.abs() <= bound).unwrap()
            }
        };
        let same = |coins: &mut ChaCha| wide(coins) - wide(coins);
        assert!(is_refuted(
            "truncated-discrete-laplace scale=3 bound=6",
            same
        ));
        let cut = |coins: &mut ChaCha| {
            let draws = std::iter::repeat_with(|| same(coins));
            draws.into_iter().find(|k| k.abs() <= 6).unwrap()
        };
        assert!(!is_refuted(
            "truncated-discrete-laplace scale=3 bound=6",
            cut
        ));
        assert!(is_refuted(
            "truncated-discrete-laplace scale=3 bound=7",
            cut
        ));
        assert!(is_refuted(
            "truncated-discrete-laplace scale=3 bound=6",
            within(6)
        ));
        // A Poisson number by the waiting times of its events, in doubles.
        let poisson = |coins: &mut ChaCha| {
            let uniform = |coins: &mut ChaCha| coins.bits(53).unwrap() as f64 / (1u64 << 53) as f64;
            let (mut left, mut events) = ((-1.0f64).exp(), -1);
            while left <= 1.0 {
                left /= 1.0 - uniform(coins);
                events += 1;
            }
            events
        };
        let skellam = |coins: &mut ChaCha| poisson(coins) - poisson(coins);
        assert!(!is_refuted("skellam variance=2", skellam));
        assert!(is_refuted("skellam variance=9/4", skellam));
    }

    #[test]
    fn what_would_take_too_long_a_table_is_refused() {
        let wide = "discrete-laplace scale=1e6".parse::<NamedLaw>().unwrap();
        let laws = Box::new([wide.clone(), wide]);
        for law in [
            Tabled::Truncated {
                scale: integer(1_000_000),
                bound: 1 << 40,
            },
            Tabled::Two {
                laws,
                is_difference: true,
            },
            Tabled::Skellam {
                variance: integer(1_000_000),
            },
        ] {
            let error = Table::new(law).unwrap_err().to_string();
            assert!(error.contains("some hundreds wide"), "{error}");
        }
    }
}
