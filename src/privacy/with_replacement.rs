//! What rounds of noisy passes cost that read records drawn with replacement.
//!
//! One round draws the numbers of the records that it reads: independent, uniform, hidden. It has phases; a phase reads
//! `n_i` of them and then releases a vector that one use of a record moves by at most `D_i` (and `j` uses by at most
//! `j D_i`), with discrete Gaussian noise of deviation `multiplier * D_i`. All rounds have the same phases.
//!
//! Why [`Uses::delta`] is right: for fixed numbers the releases are `J/(2 multiplier^2)`-zCDP for the record that
//! differs, where `J` is the sum, over rounds and phases, of the squares of how often it is read. The numbers have the
//! same law for both datasets, which does not depend on them; so both laws of what is released are mixtures with the
//! same weights, and `delta(epsilon) = sup_E P(E) - e^epsilon Q(E)` of the mixtures is at most the mean of the deltas,
//! each of which the conversion of [`zcdp`](super::zcdp) bounds. Proof: `bms22.uses` in `spec/margin.md`.
//!
//! Everything is rounded up: the law of `J` is a list of upper bounds in fixed point, whose sum is a little above 1.

use super::search::{BITS, Found, rounded_down, rounded_up, smallest_within};
use super::{Budget, NeighbouringRelation, PrivacyError, Zcdp};
use crate::coins::Uses;
use crate::number::range::{above_zero, at_least_one, at_least_zero, require};
use crate::number::rational::shortly;
use crate::number::{Dyadic, Enclosure, Rational};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Zero};

/// The largest `J` that is kept apart; what is beyond counts as a failure.
const LARGEST: usize = 4096;

/// Multipliers are rounded up within one part in `2^SLACK`.
const SLACK: i64 = 10;

/// What costs less than one part in `2^NOTHING` of the rest is not computed, but bounded.
const NOTHING: u32 = 14;

/// Further bits of the fixed point beyond those of the tail.
const GUARD: u32 = 64;

impl Uses {
    /// So many records, draws of each phase of a round, and rounds.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] if one of them is 0, or there is no phase.
    pub fn new(records: u64, draws_of_phase: Vec<u64>, rounds: u32) -> Result<Self, PrivacyError> {
        let uses = Self {
            records,
            draws_of_phase,
            rounds,
        };
        uses.check()?;
        Ok(uses)
    }

    fn check(&self) -> Result<(), PrivacyError> {
        at_least_one("the number of records", self.records)?;
        at_least_one("the number of phases", self.draws_of_phase.len() as u64)?;
        for &draws in &self.draws_of_phase {
            at_least_one("the draws of a phase", draws)?;
        }
        Ok(at_least_one("the number of rounds", self.rounds.into())?)
    }

    /// Upper bounds on the probabilities of `J`, such that those beyond the largest that is kept apart are at most
    /// `2^-tail` together, or it is 4096.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] if a number of records, draws or rounds is 0.
    pub fn squares(&self, tail: u32) -> Result<Squares, PrivacyError> {
        self.check()?;
        let bits = tail + GUARD;
        let most = self
            .draws_of_phase
            .iter()
            .map(|&draws| u128::from(draws).pow(2))
            .fold(0, u128::saturating_add)
            .saturating_mul(self.rounds.into());
        let limit = usize::try_from(most).unwrap_or(LARGEST).min(LARGEST);
        let mut largest = limit.min(64);
        loop {
            let mut round = Squares::none(bits);
            for &draws in &self.draws_of_phase {
                let phase = Squares::of_phase(self.records, draws, largest, bits);
                round = round.and(&phase, largest);
            }
            let all = round.times(self.rounds, largest);
            let enough = BigUint::one() << GUARD;
            if largest == limit || all.beyond <= enough {
                return Ok(all.trimmed(&enough));
            }
            largest = limit.min(2 * largest);
        }
    }

    /// A delta, rounded up and at most 1, with which all rounds together are (epsilon, delta)-private under
    /// substitution, for noise of `multiplier` times what one use moves.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `multiplier > 0` and `epsilon >= 0`, or if a number of records, draws or
    /// rounds is 0; those of the real functions.
    pub fn delta(
        &self,
        multiplier: &Rational,
        epsilon: &Rational,
    ) -> Result<Rational, PrivacyError> {
        above_zero("the noise multiplier", multiplier)?;
        self.delta_of_rho(&rho_of_one(multiplier), epsilon)
    }

    /// The same, where one use costs the rho `of_one`, and `j` uses in one phase `j^2` times as much.
    ///
    /// # Errors
    /// [`PrivacyError::Parameter`] unless `of_one > 0` and `epsilon >= 0`, or if a number of records, draws or rounds is
    /// 0; those of the real functions.
    pub fn delta_of_rho(
        &self,
        of_one: &Rational,
        epsilon: &Rational,
    ) -> Result<Rational, PrivacyError> {
        above_zero("the rho of one use", of_one)?;
        at_least_zero("epsilon", epsilon)?;
        let mut least = Rational::one();
        for tail in [40, 100] {
            let squares = self.squares(tail)?;
            let delta = squares.delta(of_one, epsilon)?;
            let enough = squares.beyond() * BigInt::from(1 << 10) <= delta;
            least = least.min(delta);
            if enough {
                break;
            }
        }
        Ok(least)
    }

    /// The same, with as many values of `J` kept apart as a delta of `most` asks for: what [`Self::multiplier`] compares
    /// with the delta of its budget, and the meter with that of a stage.
    ///
    /// # Errors
    /// Those of [`Self::delta_of_rho`]; [`PrivacyError::Parameter`] unless `most > 0`.
    pub fn delta_for(
        &self,
        of_one: &Rational,
        epsilon: &Rational,
        most: &Rational,
    ) -> Result<Rational, PrivacyError> {
        above_zero("the rho of one use", of_one)?;
        at_least_zero("epsilon", epsilon)?;
        above_zero("delta", most)?;
        self.squares(tail_for(most))?.delta(of_one, epsilon)
    }

    /// The least multiplier, rounded up within one part in 2^10, with which [`Self::delta`] keeps all rounds within
    /// the budget.
    ///
    /// # Errors
    /// [`PrivacyError::OtherNeighbours`] unless the budget is under substitution; [`PrivacyError::Parameter`] if its
    /// delta is 0, or a number of records, draws or rounds; [`PrivacyError::DeltaOutOfReach`] if its delta is so small
    /// that more than 4096 squared uses would have to be kept apart; those of the real functions.
    pub fn multiplier(&self, budget: &Budget) -> Result<Rational, PrivacyError> {
        budget.under(NeighbouringRelation::Substitute)?;
        above_zero("delta", budget.delta())?;
        let delta = budget.delta();
        let squares = self.squares(tail_for(delta))?;
        if squares.beyond() >= *delta {
            return Err(PrivacyError::DeltaOutOfReach {
                delta: shortly(delta),
                // A sum over uses, which may exceed 1.
                least: shortly(&squares.beyond().min(Rational::one())),
            });
        }
        static FOUND: Found<(Uses, Rational, Rational)> = Found::nothing();
        let key = (self.clone(), budget.epsilon().clone(), delta.clone());
        FOUND.or_search(key, || {
            smallest_within(SLACK, |multiplier| {
                let of_one = rho_of_one(multiplier);
                Ok(squares.delta(&of_one, budget.epsilon())? <= *delta)
            })
        })
    }
}

/// Upper bounds on the law of the sum of squared uses, in steps of `2^-bits`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Squares {
    bits: u32,
    of: Vec<BigUint>,
    beyond: BigUint,
}

impl Squares {
    /// Surely 0.
    fn none(bits: u32) -> Self {
        Self {
            bits,
            of: vec![BigUint::one() << bits],
            beyond: BigUint::zero(),
        }
    }

    /// The square of a binomial variable with `draws` trials of probability `1/records`, up to `largest`. Beyond, the
    /// probability of `j` uses or more is at most `C(draws, j)/records^j`.
    fn of_phase(records: u64, draws: u64, largest: usize, bits: u32) -> Self {
        let mut law = Self {
            bits,
            of: vec![BigUint::zero(); largest + 1],
            beyond: BigUint::zero(),
        };
        let one = BigUint::one() << bits;
        let kept = (largest as u64).isqrt();
        if records == 1 {
            match usize::try_from(draws).ok().filter(|_| draws <= kept) {
                Some(uses) => law.of[uses * uses] = one,
                None => law.beyond = one,
            }
            return law;
        }
        // Pr[j] = C(n, j) (1/m)^j (1 - 1/m)^(n - j), each from the one before.
        let mut probability = power(&quotient(&one, records - 1, records), draws, bits);
        let mut tail = one;
        for j in 0..=draws.min(kept) {
            law.of[(j * j) as usize] = probability.clone();
            let ways = (draws - j, (j + 1) * (records - 1));
            probability = quotient(&probability, ways.0, ways.1);
            tail = quotient(&tail, draws - j, (j + 1) * records);
        }
        law.beyond = if draws > kept { tail } else { BigUint::zero() };
        law
    }

    /// The law of the sum of two independent such variables, up to `largest`.
    fn and(&self, other: &Self, largest: usize) -> Self {
        let mut of = vec![BigUint::zero(); largest + 1];
        let mut beyond = BigUint::zero();
        let seconds: Vec<(usize, &BigUint)> = other.occurring().collect();
        for (one, probability) in self.occurring() {
            for &(other, second) in &seconds {
                let both = probability * second;
                match of.get_mut(one + other) {
                    Some(sum) => *sum += both,
                    None => beyond += both,
                }
            }
        }
        let of = of.iter().map(|sum| lowered(sum, self.bits)).collect();
        let beyond = lowered(&beyond, self.bits) + &self.beyond + &other.beyond;
        let bits = self.bits;
        Self { bits, of, beyond }
    }

    /// The law of the sum of so many of them.
    fn times(&self, mut count: u32, largest: usize) -> Self {
        let (mut doubled, mut sum) = (self.clone(), Self::none(self.bits));
        while count > 0 {
            if count % 2 == 1 {
                sum = sum.and(&doubled, largest);
            }
            count /= 2;
            if count > 0 {
                doubled = doubled.and(&doubled, largest);
            }
        }
        sum
    }

    /// The same, with values from the top on counted as beyond, as long as that is no more than `most`.
    fn trimmed(mut self, most: &BigUint) -> Self {
        while let Some(last) = self.of.last().filter(|_| self.of.len() > 1) {
            let more = &self.beyond + last;
            if more > *most {
                break;
            }
            self.beyond = more;
            self.of.pop();
        }
        self
    }

    fn occurring(&self) -> impl Iterator<Item = (usize, &BigUint)> {
        let all = self.of.iter().enumerate();
        all.filter(|(_, probability)| !probability.is_zero())
    }

    /// The largest value that is kept apart.
    #[must_use]
    pub fn largest(&self) -> usize {
        self.of.len() - 1
    }

    /// An upper bound on the probability of `value`; 0 if it is not kept apart.
    #[must_use]
    pub fn probability(&self, value: usize) -> Rational {
        let zero = BigUint::zero();
        self.rational(self.of.get(value).unwrap_or(&zero))
    }

    /// An upper bound on the probability that the value is larger than [`Self::largest`].
    #[must_use]
    pub fn beyond(&self) -> Rational {
        self.rational(&self.beyond)
    }

    fn rational(&self, steps: &BigUint) -> Rational {
        Rational::new(steps.clone().into(), (BigUint::one() << self.bits).into())
    }

    /// `sum over J of Pr[J] delta(J of_one; epsilon)`, and what is beyond; rounded up.
    ///
    /// The bounds of the probabilities add up to at most 2: they are rounded up by less than `2^-64` in all.
    fn delta(&self, of_one: &Rational, epsilon: &Rational) -> Result<Rational, PrivacyError> {
        let one = BigUint::one() << self.bits;
        let mut sum = &self.beyond << self.bits;
        // The best order falls as J grows: that of the one before is where the search for the next begins.
        let mut excess = Dyadic::new(1, -64).to_rational();
        let values: Vec<(usize, &BigUint)> = self.occurring().collect();
        for (value, probability) in values.into_iter().rev().filter(|(value, _)| *value > 0) {
            let rho = of_one * BigInt::from(value);
            let rho = Zcdp::new(rho, NeighbouringRelation::Substitute)?;
            let (delta, best) = rho.delta_from_order(epsilon, &excess)?;
            excess = best;
            let scaled = (delta * BigInt::from(one.clone())).ceil();
            let scaled = scaled.to_integer().magnitude().clone();
            // A smaller J has no larger delta, and all of them together have a probability of hardly more than 1.
            let of_the_rest = &scaled * &one * 2u32;
            if &of_the_rest << NOTHING <= sum {
                sum += of_the_rest;
                break;
            }
            sum += probability * scaled;
        }
        Ok(self
            .rational(&lowered(&sum, self.bits))
            .min(Rational::one()))
    }
}

/// How many bits the probability of what is not kept apart has, so that it is a small part of this delta.
fn tail_for(delta: &Rational) -> u32 {
    delta.denom().bits().saturating_sub(delta.numer().bits()) as u32 + 12
}

/// The rho of one use, with noise of `multiplier` times what it moves: `1/(2 multiplier^2)`.
fn rho_of_one(multiplier: &Rational) -> Rational {
    (multiplier * multiplier * BigInt::from(2)).recip()
}

/// `value a/b`, rounded up.
fn quotient(value: &BigUint, a: u64, b: u64) -> BigUint {
    (value * a).div_ceil(&BigUint::from(b))
}

/// `value 2^-bits`, rounded up.
fn lowered(value: &BigUint, bits: u32) -> BigUint {
    let floor = value >> bits;
    if (&floor << bits) == *value {
        floor
    } else {
        floor + 1u32
    }
}

/// The power of a number in steps of `2^-bits`, rounded up.
fn power(base: &BigUint, mut exponent: u64, bits: u32) -> BigUint {
    let (mut squared, mut product) = (base.clone(), BigUint::one() << bits);
    while exponent > 0 {
        if exponent % 2 == 1 {
            product = lowered(&(product * &squared), bits);
        }
        squared = lowered(&(&squared * &squared), bits);
        exponent /= 2;
    }
    product
}

/// The least `K` with `(K + 1)! >= bound`. With `n <= m` draws a record is read more than `K` times with probability at
/// most `C(n, K + 1)/m^(K + 1) <= 1/(K + 1)!`: with `bound = 2 rounds/delta` no round reads it more often, up to
/// `delta/2`; with `bound = 4 m` no record is read more often in a round, with probability at least 3/4
/// ([`WithReplacement::at_most`](crate::sample::WithReplacement::at_most)).
///
/// # Errors
/// [`PrivacyError::Parameter`] unless `bound > 0`.
pub fn least_cap(bound: &Rational) -> Result<u64, PrivacyError> {
    above_zero("the bound of a factorial", bound)?;
    let mut cap = 0u64;
    let mut factorial = Rational::one();
    while factorial < *bound {
        cap += 1;
        factorial *= BigInt::from(cap + 1);
    }
    Ok(cap)
}

/// The multiplier, rounded up, with which `rounds` rounds cost at most the budget if none reads any record more than
/// `cap` times: they are `rounds cap^2/(2 multiplier^2)`-zCDP, since `sum of j_i^2 <= (sum of j_i)^2`.
///
/// # Errors
/// [`PrivacyError::OtherNeighbours`] unless the budget is under substitution; [`PrivacyError::Parameter`] if the cap, the
/// rounds or its delta is 0; those of the real functions.
pub fn capped_multiplier(cap: u64, rounds: u32, budget: &Budget) -> Result<Rational, PrivacyError> {
    budget.under(NeighbouringRelation::Substitute)?;
    at_least_one("the most uses of one record", cap)?;
    at_least_one("the number of rounds", rounds.into())?;
    let rho = Zcdp::largest_for(budget)?;
    let squared = BigInt::from(cap) * cap * rounds;
    multiplier_of(&Rational::from_integer(squared), &rho)
}

/// `sqrt(squared / (2 rho))`, rounded up.
fn multiplier_of(squared: &Rational, rho: &Zcdp) -> Result<Rational, PrivacyError> {
    let square = squared / (rho.rho() * BigInt::from(2));
    Ok(rounded_up(&Enclosure::of(&square, BITS).sqrt()?))
}

/// The accounting of the paper's proof, with every constant: a cap by Chernoff's bound, and group privacy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grouped {
    /// With this probability or more no round reads the record more often than `cap` times: `1 - delta/2`.
    pub cap: u64,
    /// The budget of a round, if the record is read once: `epsilon/(rounds cap)` and
    /// `(delta/(2 rounds)) (e^e - 1)/(e^(cap e) - 1)` at this epsilon `e`.
    pub of_one: Budget,
    /// The noise multiplier with which one use keeps within `of_one`.
    pub multiplier: Rational,
}

/// The accounting of the proof of Lemma 3.1 for all rounds, within `budget`: in one round the record is read at most
/// `cap = floor(1 + 3 ln(2 rounds/delta))` times, but for a probability of `delta/(2 rounds)` (Chernoff, for at most as
/// many draws as records); then `cap` uses cost `cap` times the epsilon of one, and its delta times
/// `(e^(cap e) - 1)/(e^e - 1)`; and the rounds add up.
///
/// # Errors
/// [`PrivacyError::OtherNeighbours`] unless the budget is under substitution; [`PrivacyError::Parameter`] if a round
/// draws more often than there are records, or delta is 0; those of the real functions.
pub fn grouped(uses: &Uses, budget: &Budget) -> Result<Grouped, PrivacyError> {
    uses.check()?;
    budget.under(NeighbouringRelation::Substitute)?;
    above_zero("delta", budget.delta())?;
    let draws = uses
        .draws_of_phase
        .iter()
        .fold(0, |sum: u64, draws| sum.saturating_add(*draws));
    let fits = draws <= uses.records;
    require(fits, "the draws of a round", &draws, "at most the records")?;
    let rounds = BigInt::from(uses.rounds);
    let failing: Rational = budget.delta() / (&rounds * BigInt::from(2));
    // The largest is the safe side of rounding.
    let logarithm = Enclosure::of(&failing.recip(), BITS).ln()?.upper();
    let cap = (logarithm * BigInt::from(3) + Rational::one()).floor();
    let cap = u64::try_from(cap.to_integer()).unwrap_or(u64::MAX);
    let epsilon = budget.epsilon() / (rounds * cap);
    let shrunk = group_factor(&epsilon, cap)?;
    let delta = rounded_down(&Enclosure::of(&failing, BITS).divided_by(&shrunk)?);
    let of_one = Budget::approximate(epsilon, delta, budget.neighbours())?;
    let multiplier = multiplier_of(&Rational::one(), &Zcdp::largest_for(&of_one)?)?;
    Ok(Grouped {
        cap,
        of_one,
        multiplier,
    })
}

/// `(e^(k epsilon) - 1)/(e^epsilon - 1)`: by what the delta of one use grows to that of `k`.
///
/// # Errors
/// Those of the real functions.
pub fn group_factor(epsilon: &Rational, uses: u64) -> Result<Enclosure, PrivacyError> {
    let bits = BITS;
    let all = Enclosure::of(&(epsilon * BigInt::from(uses)), bits).exp_minus_one()?;
    Ok(all.divided_by(&Enclosure::of(epsilon, bits).exp_minus_one()?)?)
}

#[cfg(test)]
mod tests {
    use super::NeighbouringRelation::Substitute;
    use super::*;
    use crate::number::rational::{integer, parse, ratio};

    fn halving(records: u64, rounds: u32) -> Uses {
        let phases = records.ilog2();
        let draws = (0..phases).rev().map(|exponent| 1 << exponent).collect();
        Uses::new(records, draws, rounds).unwrap()
    }

    fn budget(epsilon: &str, delta: &str) -> Budget {
        Budget::approximate(parse(epsilon).unwrap(), parse(delta).unwrap(), Substitute).unwrap()
    }

    /// The law of the sum of squares by all sequences of numbers.
    fn enumerated(uses: &Uses) -> Vec<Rational> {
        let phases = uses.draws_of_phase.repeat(uses.rounds as usize);
        let draws: u64 = phases.iter().sum();
        let mut law = vec![Rational::zero(); 1 + (draws * draws) as usize];
        let sequences = uses.records.pow(draws as u32);
        for mut sequence in 0..sequences {
            let mut squares = 0;
            for phase in &phases {
                let mut times = 0;
                for _ in 0..*phase {
                    times += usize::from(sequence % uses.records == 0);
                    sequence /= uses.records;
                }
                squares += times * times;
            }
            law[squares] += ratio(1, sequences as i64);
        }
        law
    }

    #[test]
    fn the_law_of_the_squares_is_that_of_all_sequences() {
        for (records, phases, rounds) in [
            (2, vec![1], 1),
            (2, vec![2, 1], 2),
            (3, vec![4], 1),
            (3, vec![2, 1, 1], 2),
            (1, vec![2, 1], 2),
            (5, vec![1, 1], 3),
        ] {
            let uses = Uses::new(records, phases, rounds).unwrap();
            let squares = uses.squares(64).unwrap();
            assert_eq!(squares.beyond(), integer(0));
            for (value, expected) in enumerated(&uses).iter().enumerate() {
                let more = squares.probability(value) - expected;
                assert!(
                    more >= integer(0) && more < ratio(1, 1 << 60) * ratio(1, 1 << 50),
                    "{uses:?} {value}"
                );
            }
        }
    }

    #[test]
    fn what_is_beyond_is_kept_and_the_whole_is_a_little_above_one() {
        for (records, rounds) in [(1000, 1), (10_000, 6), (1_000_000, 6)] {
            for tail in [32, 64] {
                let squares = halving(records, rounds).squares(tail).unwrap();
                let sum: Rational = (0..=squares.largest())
                    .map(|value| squares.probability(value))
                    .sum();
                let whole = sum + squares.beyond();
                assert!(
                    whole >= integer(1)
                        && whole < integer(1) + ratio(1, 1 << tail.min(60)) * integer(2)
                );
                assert!(squares.beyond() <= ratio(1, 1 << 32) && squares.beyond() > integer(0));
            }
        }
    }

    #[test]
    fn the_multiplier_is_the_least_by_a_sum_of_its_own() {
        let half = budget("1/2", "1e-6");
        for (records, low, high) in [(10_000, 32, 33), (1_000_000, 26, 27)] {
            let uses = halving(records, 6);
            let multiplier = uses.multiplier(&half).unwrap();
            assert!(
                integer(low) < multiplier && multiplier < integer(high),
                "{multiplier}"
            );
            // Each value by itself, with the search of `Zcdp::delta` for the order.
            let squares = uses.squares(40).unwrap();
            let delta = |multiplier: &Rational| {
                let mut sum = squares.beyond();
                for value in 1..=squares.largest() {
                    let rho = integer(value as i64) / (multiplier * multiplier * integer(2));
                    let delta = Zcdp::new(rho, Substitute).unwrap().delta(half.epsilon());
                    sum += squares.probability(value) * delta.unwrap();
                }
                sum
            };
            assert!(delta(&multiplier) <= half.delta() * ratio(1001, 1000));
            assert!(delta(&(&multiplier * ratio(99, 100))) > *half.delta());
            let found = uses.delta(&multiplier, half.epsilon()).unwrap();
            let one = rho_of_one(&multiplier);
            assert!(uses.delta_for(&one, half.epsilon(), half.delta()).unwrap() <= *half.delta());
            assert!(found <= *half.delta() && found > half.delta() * ratio(99, 100));
        }
    }

    #[test]
    fn one_draw_of_one_phase_is_amplified_no_more_than_its_mean() {
        // J is 1 with probability 1/m: delta is that of one use divided by m.
        let uses = Uses::new(50, vec![1], 1).unwrap();
        let one = Zcdp::new(ratio(1, 8), Substitute)
            .unwrap()
            .delta(&ratio(1, 2))
            .unwrap();
        let found = uses.delta(&integer(2), &ratio(1, 2)).unwrap() * integer(50);
        assert!(found >= &one * ratio(9999, 10_000) && found <= &one * ratio(1001, 1000));
    }

    #[test]
    fn a_cap_is_the_least_factorial() {
        for (bound, cap) in [
            (1, 0),
            (2, 1),
            (3, 2),
            (6, 2),
            (7, 3),
            (12_000_000, 10),
            (40_000, 7),
        ] {
            assert_eq!(least_cap(&integer(bound)).unwrap(), cap, "{bound}");
        }
        assert!(least_cap(&integer(0)).is_err());
    }

    #[test]
    fn a_cap_costs_its_square_in_every_round() {
        let half = budget("1/2", "1e-6");
        let multiplier = capped_multiplier(7, 6, &half).unwrap();
        let rho = |multiplier: &Rational| {
            let rho = ratio(49 * 6, 2) / (multiplier * multiplier);
            Zcdp::new(rho, Substitute)
                .unwrap()
                .delta(half.epsilon())
                .unwrap()
        };
        assert!(rho(&multiplier) <= *half.delta());
        assert!(rho(&(&multiplier * ratio(9999, 10_000))) > *half.delta());
    }

    #[test]
    fn group_privacy_comes_back_to_the_budget() {
        let half = budget("1/2", "1e-6");
        let uses = halving(10_000, 6);
        let found = grouped(&uses, &half).unwrap();
        // floor(1 + 3 ln(12e6)) = floor(49.9)
        assert_eq!(found.cap, 49);
        assert_eq!(found.of_one.epsilon() * integer(6 * 49), ratio(1, 2));
        // By adding up: sum over l below 49 of e^(l e).
        let mut sum = Enclosure::integer(0, 128);
        for uses in 0..49 {
            sum = sum + Enclosure::exp_of(&(found.of_one.epsilon() * integer(uses)), 128).unwrap();
        }
        let spent = (sum * Enclosure::of(found.of_one.delta(), 128)).upper() * integer(6);
        let allowed = half.delta() / integer(2);
        assert!(
            spent <= &allowed * ratio(1_000_001, 1_000_000) && spent > allowed * ratio(999, 1000)
        );
        let one = rho_of_one(&found.multiplier);
        let one = Zcdp::new(one, Substitute)
            .unwrap()
            .delta(found.of_one.epsilon())
            .unwrap();
        assert!(one <= *found.of_one.delta());
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let half = budget("1/2", "1e-6");
        for (records, phases, rounds) in [
            (0, vec![1], 1),
            (1, vec![], 1),
            (1, vec![1, 0], 1),
            (1, vec![1], 0),
        ] {
            assert!(Uses::new(records, phases.clone(), rounds).is_err());
            let uses = Uses {
                records,
                draws_of_phase: phases,
                rounds,
            };
            assert!(uses.delta(&integer(1), &integer(1)).is_err());
            assert!(uses.multiplier(&half).is_err() && grouped(&uses, &half).is_err());
        }
        let uses = halving(100, 1);
        assert!(
            uses.delta(&integer(0), &integer(1)).is_err()
                && uses.delta(&integer(1), &integer(-1)).is_err()
        );
        assert!(
            uses.multiplier(&Budget::pure(integer(1), Substitute).unwrap())
                .is_err()
        );
        let other =
            Budget::approximate(integer(1), ratio(1, 10), NeighbouringRelation::AddOrRemove)
                .unwrap();
        assert!(uses.multiplier(&other).is_err() && capped_multiplier(1, 1, &other).is_err());
        assert!(capped_multiplier(0, 1, &half).is_err() && capped_multiplier(1, 0, &half).is_err());
        // More draws than records.
        assert!(grouped(&Uses::new(3, vec![2, 2], 1).unwrap(), &half).is_err());
        // Far beyond what is kept apart.
        let tiny = budget("1", "1e-300");
        let refused = halving(10_000, 1).multiplier(&tiny);
        assert!(
            matches!(refused, Err(PrivacyError::DeltaOutOfReach { .. })),
            "{refused:?}"
        );
    }
}
