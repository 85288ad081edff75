//! The law of [`WithReplacement`].

use crate::coins::{Coins, CoinsError, Law};
use crate::number::{Enclosure, NumberError, Rational};
use crate::sample::WithReplacement;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive};

impl Law for WithReplacement {
    type Outcome = Vec<usize>;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Vec<usize>, CoinsError> {
        self.draw(coins)
    }

    fn pmf(&self, sequence: &Vec<usize>, bits: u32) -> Result<Enclosure, NumberError> {
        if !self.contains(sequence) {
            return Ok(Enclosure::integer(0, bits));
        }
        let one_of = Rational::new(BigInt::one(), self.sequences());
        Ok(Enclosure::of(&one_of, bits))
    }

    fn label(&self) -> String {
        let (records, draws, most) = (self.records(), self.draws(), self.most());
        format!("WithReplacement({draws} of {records}, each at most {most} times)")
    }

    fn reads(&self, sequence: &Vec<usize>) -> Option<(u64, Vec<u64>)> {
        // Under a cap the numbers are not independent.
        if self.most() < self.draws() {
            return None;
        }
        let reads = sequence.iter().map(|&record| record as u64).collect();
        Some((self.records() as u64, reads))
    }

    /// A sequence in which record 0 occurs up to `stretch` times more, as often as the coins say: whoever meters a
    /// substituted record puts it first.
    fn far_out<C: Coins>(
        &self,
        stretch: u32,
        coins: &mut C,
    ) -> Result<Option<Vec<usize>>, CoinsError> {
        let most = self.most().min(stretch as usize);
        let times = coins.uniform_below(&BigUint::from(most + 1))?;
        let mut sequence = self.draw(coins)?;
        for _ in 0..times.to_usize().unwrap_or(0) {
            let place = coins.uniform_below(&BigUint::from(self.draws()))?;
            let place = place.to_usize().ok_or(CoinsError::NoOutcome)?;
            let before = std::mem::replace(&mut sequence[place], 0);
            // As often as it may be, and no more.
            if !self.contains(&sequence) {
                sequence[place] = before;
            }
        }
        Ok(Some(sequence))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Explorer, Layer};
    use crate::number::rational::{integer, ratio};
    use std::collections::BTreeSet;

    fn law(records: usize, draws: usize, most: usize) -> WithReplacement {
        let law = WithReplacement::new(records, draws).unwrap();
        law.at_most(most).unwrap()
    }

    #[test]
    fn every_sequence_is_as_likely_as_the_others() {
        // All sequences; those with no number three times; those with every number once.
        for (law, sequences) in [(law(3, 3, 3), 27), (law(3, 3, 2), 24), (law(3, 3, 1), 6)] {
            assert_eq!(law.sequences(), BigInt::from(sequences));
            let found = Explorer::new(Layer::Laws, 20_000)
                .explore(|coins| law.attempt(coins))
                .unwrap();
            assert_eq!(found.undecided, integer(0));
            let accepted = found
                .lower
                .iter()
                .filter(|(sequence, _)| sequence.is_some());
            for (sequence, probability) in accepted.clone() {
                assert_eq!(*probability, ratio(1, 27));
                let pmf = law.pmf(sequence.as_ref().unwrap(), 128).unwrap();
                assert!(pmf.contains(&ratio(1, sequences)));
            }
            assert_eq!(accepted.count() as i64, sequences);
            assert!(law.pmf(&vec![0, 1], 128).unwrap().hi().is_zero());
            assert!(law.pmf(&vec![0, 1, 3], 128).unwrap().hi().is_zero());
        }
        assert!(
            law(3, 3, 2)
                .pmf(&vec![1, 1, 1], 128)
                .unwrap()
                .hi()
                .is_zero()
        );
    }

    #[test]
    fn a_draw_is_a_sequence_of_the_law() {
        let mut coins = ChaCha::reproducible(3, 0);
        let law = law(5, 8, 2);
        let seen: BTreeSet<Vec<usize>> = (0..50).map(|_| law.draw(&mut coins).unwrap()).collect();
        assert!(seen.iter().all(|sequence| law.contains(sequence)) && seen.len() > 40);
        assert!(seen.iter().flatten().any(|record| *record == 4));
    }

    #[test]
    fn far_out_the_first_record_is_read_from_never_to_as_often_as_it_may() {
        let mut coins = ChaCha::reproducible(4, 0);
        let mut most = |law: &WithReplacement, stretch| {
            let times = (0..200).map(|_| {
                let sequence = law.far_out(stretch, &mut coins).unwrap().unwrap();
                assert!(law.contains(&sequence));
                sequence.iter().filter(|record| **record == 0).count()
            });
            let times: BTreeSet<usize> = times.collect();
            (times.first().copied(), times.last().copied())
        };
        assert_eq!(most(&law(100, 64, 3), 9), (Some(0), Some(3)));
        // As often as it is drawn anyhow, and six times.
        let (least, largest) = most(&law(1000, 64, 64), 6);
        assert!(least == Some(0) && largest >= Some(6));
    }

    #[test]
    fn sizes_that_make_no_sequence_are_refused() {
        assert!(WithReplacement::new(0, 3).is_err() && WithReplacement::new(3, 0).is_err());
        let refused = WithReplacement::new(3, 7).unwrap().at_most(2).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "draws with replacement: the most uses of one record must be at least draws / records, got 2"
        );
        assert!(WithReplacement::new(3, 7).unwrap().at_most(3).is_ok());
    }

    #[test]
    fn what_is_read_is_told_to_the_meter() {
        assert_eq!(law(4, 2, 2).reads(&vec![3, 0]), Some((4, vec![3, 0])));
        assert_eq!(law(4, 2, 1).reads(&vec![3, 0]), None);
    }
}
