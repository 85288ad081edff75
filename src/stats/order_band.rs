//! Lower bounds on the probabilities of all half-lines at once, from independent outputs of one law (Berk and Jones 1979).
//!
//! Of `n` outputs, `x` are at least `t`. Then `P(output >= t) >= b_x`, for all `t` together, except with probability at most the
//! level. `b_x` is the bound of Clopper and Pearson at a smaller level, the same for all `x`. How much smaller is guessed; that it is
//! enough is certified, by the exact probability that some order statistic of uniform variables is below its bound.
#![allow(clippy::float_arithmetic)] // the level of each bound is guessed; a certified probability decides

use super::{StatsError, clopper_pearson, directed};
use crate::number::range::above_zero_below_one;
use crate::number::rational::from_f64;
use crate::number::{Enclosure, NumberError, Rational};
use num_traits::One;

/// The most outputs: the probability takes a number of steps that grows with the square, on numbers that grow too.
pub const MOST_ORDERED: u64 = 500;

/// So often the level of each bound is refined.
const REFINEMENTS: u32 = 6;

/// Bounds for all half-lines.
#[derive(Debug, Clone)]
pub struct OrderBand {
    /// For each number of outputs from 1 on.
    bounds: Vec<Rational>,
}

impl OrderBand {
    /// The bounds from `trials` outputs, all of which hold except with probability at most `level`.
    ///
    /// # Errors
    /// [`StatsError::Parameter`] for a level outside (0, 1), [`StatsError::Counts`] for no trials or more than [`MOST_ORDERED`].
    pub fn new(trials: u64, level: &Rational) -> Result<Self, StatsError> {
        above_zero_below_one("level", level)?;
        if trials == 0 || trials > MOST_ORDERED {
            return Err(StatsError::Counts {
                trials,
                occurrences: 0,
            });
        }
        // From where a union bound would do, up to one level for all. Nothing holds without its certificate but 0.
        let mut low = directed::below(&(level / Rational::from_integer(trials.into())));
        let mut high = directed::below(level);
        let mut found: Vec<_> = (0..trials).map(|_| Rational::default()).collect();
        let mut each = low;
        for _ in 0..=REFINEMENTS {
            let tried = bounds(trials, each)?;
            match crossing(&tried)?.upper() <= *level {
                true => (low, found) = (each, tried),
                false => high = each,
            }
            each = (low * high).sqrt();
        }
        Ok(Self { bounds: found })
    }

    /// Below the probability of the half-line that `seen` of the outputs are in.
    ///
    /// # Panics
    /// If more were seen than there are.
    #[must_use]
    pub fn lower(&self, seen: usize) -> Rational {
        match seen.checked_sub(1) {
            None => Rational::default(),
            Some(place) => self.bounds[place].clone(),
        }
    }

    /// Above the probability of the half-line that `seen` of the outputs are in.
    ///
    /// # Panics
    /// If more were seen than there are.
    #[must_use]
    pub fn upper(&self, seen: usize) -> Rational {
        Rational::one() - self.lower(self.bounds.len() - seen)
    }
}

/// The bounds of Clopper and Pearson at one level, each at least the one before.
fn bounds(trials: u64, level: f64) -> Result<Vec<Rational>, StatsError> {
    let mut most = 0.0f64;
    (1..=trials)
        .map(|seen| {
            most = most.max(clopper_pearson::lower_at(trials, seen, level));
            Ok(from_f64(most)?)
        })
        .collect()
}

/// The probability that of as many independent uniform variables on [0, 1] some `i`-th smallest is below the `i`-th bound; the bounds
/// rise.
///
/// # Errors
/// Those of enclosures.
pub fn crossing(bounds: &[Rational]) -> Result<Enclosure, NumberError> {
    let n = bounds.len();
    // Each probability is one less a sum of later ones, and an error grows with the number of ways to choose the last bounds that are
    // crossed: by some n log(n)/2 bits in all. Where these did not suffice, the enclosure would be wide, and nothing certified.
    let length = usize::BITS - n.leading_zeros();
    let bits = u32::try_from(n).unwrap_or(u32::MAX / 64) * length * 3 / 4 + 128;
    let one = || Enclosure::integer(1, bits);
    let bounds: Vec<Enclosure> = bounds.iter().map(|b| Enclosure::of(b, bits)).collect();
    // terms[l]: of the variables beyond the i-th, the last that is below its bound is the l-th. Beyond it nothing happens: clear[l].
    let mut terms: Vec<Enclosure> = Vec::new();
    let mut crossed = one();
    for i in (0..n).rev() {
        // What is beyond l = i + 1 is known by now.
        let clear = match i + 1 == n {
            true => one(),
            false => crossed.complement(),
        };
        terms.push(clear);
        crossed = Enclosure::integer(0, bits);
        for (term, l) in terms.iter_mut().zip((i + 1..=n).rev()) {
            let (all, those) = (n - i, l - i);
            let weight = &bounds[l - 1] * Enclosure::integer(all as u64, bits);
            *term = (&*term * weight).divided_by(&Enclosure::integer(those as u64, bits))?;
            crossed = crossed + &*term;
        }
    }
    Ok(crossed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::{integer, ratio};

    /// All ways in which variables fall into quarters of [0, 1], of which the bounds are ends.
    fn enumerated(bounds: &[Rational]) -> Rational {
        let n = u32::try_from(bounds.len()).unwrap();
        let crosses = |ways: &u64| {
            let mut quarters: Vec<i64> = (0..n).map(|i| (ways >> (2 * i)) as i64 % 4).collect();
            quarters.sort_unstable();
            let mut each = quarters.iter().zip(bounds);
            each.any(|(quarter, bound)| ratio(*quarter, 4) < *bound)
        };
        let all = 4u64.pow(n);
        ratio((0..all).filter(crosses).count() as i64, all as i64)
    }

    #[test]
    fn the_probability_of_a_crossing_is_that_of_all_ways() {
        let quarters = |places: &[i64]| -> Vec<Rational> {
            places.iter().map(|&place| ratio(place, 4)).collect()
        };
        for places in [
            &[1][..],
            &[0, 2],
            &[1, 1],
            &[0, 0, 0],
            &[0, 1, 3],
            &[1, 2, 3],
            &[0, 0, 1, 2, 3],
            &[1, 1, 2, 2, 3, 3],
        ] {
            let bounds = quarters(places);
            let found = crossing(&bounds).unwrap();
            let exact = enumerated(&bounds);
            assert!(
                found.contains(&exact) && found.width().to_rational() < ratio(1, 1 << 40),
                "{places:?}: {found}, {exact}"
            );
        }
    }

    #[test]
    fn the_level_is_paid_for_all_bounds_and_is_not_much_more_than_that() {
        let level = ratio(1, 40);
        for trials in [1, 2, 10, 50, 200] {
            let band = OrderBand::new(trials, &level).unwrap();
            let crossed = crossing(&band.bounds).unwrap();
            assert!(crossed.is_below_rational(&(&level + ratio(1, 1 << 40))));
            assert!(
                crossed.is_above_rational(&(&level * ratio(9, 10))),
                "{crossed}"
            );
        }
        // Not shared, it is several times as much.
        let each = bounds(50, 0.025).unwrap();
        assert!(crossing(&each).unwrap().is_above_rational(&ratio(1, 8)));
    }

    #[test]
    fn both_ends_are_bounded() {
        let level = ratio(1, 40);
        let band = OrderBand::new(50, &level).unwrap();
        assert_eq!(band.lower(0), integer(0));
        assert_eq!(band.upper(50), integer(1));
        // Of 50 at a level of 0.00147 each, by another program.
        let all = band.lower(50);
        assert!(all > ratio(875, 1000) && all < ratio(879, 1000), "{all}");
        assert_eq!(band.upper(0), integer(1) - all);
        assert!((1..=50).all(|seen| band.lower(seen) < ratio(seen as i64, 50)));
    }

    #[test]
    fn as_many_as_are_taken_are_enough_digits() {
        let found = crossing(&bounds(MOST_ORDERED, 0.0005).unwrap()).unwrap();
        assert!(found.has_digits(6), "{found}");
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(OrderBand::new(0, &ratio(1, 20)).is_err());
        assert!(OrderBand::new(MOST_ORDERED + 1, &ratio(1, 20)).is_err());
        assert!(OrderBand::new(5, &integer(1)).is_err());
    }
}
