//! The order of a pass that nobody is told: a law over the records, so that the orders of two datasets can be coupled.
//!
//! Where the order is hidden, an output's law is the mean over all orders. If the order `s` of the one dataset goes with
//! the order `t(s)` of the other, where `t(s)` is uniform as `s` is, then (epsilon, delta) for each pair `(s, t(s))`
//! gives it for the two means: `Pr[E] = mean over s of Pr[E; s] <= mean over s of (e^epsilon Pr'[E; t(s)] + delta)`. So
//! the coupling may put the records that the datasets have in common in the same places. [`HiddenOrder::transport`]
//! does, and the meter uses it.

use super::{Dataset, Record};
use crate::coins::{Coins, CoinsError, Law};
use crate::number::{Enclosure, NumberError, Rational};
use crate::optimise::kaczmarz::permutation;
use num_bigint::BigInt;
use num_traits::One;
use std::collections::HashMap;

/// A uniformly random order of the records of a dataset: their places in it, the first to be visited first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenOrder {
    records: Vec<Record>,
}

impl HiddenOrder {
    /// The order of the records of these data.
    #[must_use]
    pub fn of(data: &Dataset) -> Self {
        Self {
            records: data.records().to_vec(),
        }
    }

    /// For each record its partner in `other`: one of equal content as long as there is one left; then, in their order,
    /// those that are left. `None` of all if `other` has more records.
    fn partners(&self, other: &Self) -> Option<Vec<Option<usize>>> {
        if other.records.len() > self.records.len() {
            return None;
        }
        // 1. Equal content.
        let mut left: HashMap<&Record, Vec<usize>> = HashMap::new();
        for (place, record) in other.records.iter().enumerate().rev() {
            left.entry(record).or_default().push(place);
        }
        let mut partners: Vec<Option<usize>> = self
            .records
            .iter()
            .map(|record| left.get_mut(record).and_then(Vec::pop))
            .collect();
        // 2. What is left: the substituted record.
        let mut left: Vec<usize> = left.into_values().flatten().collect();
        left.sort_unstable();
        let alone = partners.iter_mut().filter(|partner| partner.is_none());
        for (partner, place) in alone.zip(left) {
            *partner = Some(place);
        }
        Some(partners)
    }
}

impl Law for HiddenOrder {
    type Outcome = Vec<usize>;

    fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
        true
    }

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<Vec<usize>, CoinsError> {
        permutation(self.records.len(), coins)
    }

    // 1/n! for each order.
    fn pmf(&self, order: &Vec<usize>, bits: u32) -> Result<Enclosure, NumberError> {
        let mut places = order.clone();
        places.sort_unstable();
        if !places.into_iter().eq(0..self.records.len()) {
            return Ok(Enclosure::integer(0, bits));
        }
        let orders: BigInt = (1..=self.records.len()).map(BigInt::from).product();
        Ok(Enclosure::of(&Rational::new(BigInt::one(), orders), bits))
    }

    /// Each record's partner in its place; records without a partner are left out.
    ///
    /// Equal multisets of records go through equal sequences; a substituted record has the place of the one that it
    /// stands for; and a removed one is left out of the sequence.
    ///
    /// *What is returned is uniform.* Which record is whose partner depends on the two datasets and not on the order,
    /// and each of the `k` records of `other` is the partner of one. So those that have a partner are the same `k` of
    /// the `n` places in every order; each way to arrange these `k` is left over by `n!/k!` of the `n!` orders; and the
    /// partners are arranged like them, one to one.
    fn transport(&self, other: &Self, order: &Vec<usize>) -> Option<Vec<usize>> {
        let partners = self.partners(other)?;
        let partner = |&place: &usize| partners.get(place).copied().flatten();
        Some(order.iter().filter_map(partner).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{Explorer, Layer};
    use std::collections::BTreeMap;

    /// One record a letter.
    fn order(letters: &str) -> HiddenOrder {
        let record = |letter: u8| Record {
            features: vec![i64::from(letter)],
            label: 0,
        };
        HiddenOrder {
            records: letters.bytes().map(record).collect(),
        }
    }

    fn all_orders(law: &HiddenOrder) -> Vec<Vec<usize>> {
        let explored = Explorer::new(Layer::UniformBelow, 1000)
            .explore(|coins| law.sample(coins))
            .unwrap();
        assert!(explored.disagreement(law).unwrap().is_none());
        explored.lower.into_keys().collect()
    }

    fn spelt(law: &HiddenOrder, order: &[usize]) -> String {
        let letter = |&place: &usize| char::from(law.records[place].features[0] as u8);
        order.iter().map(letter).collect()
    }

    #[test]
    fn a_transported_order_is_uniform_and_a_permutation_is_one_of_the_law() {
        for (first, second) in [
            ("abcd", "dbca"),
            ("abcd", "abxd"),
            ("aabc", "caba"),
            ("aabc", "bxca"),
            ("abcd", "bdc"),
            ("aab", "ab"),
            ("abc", "xyz"),
            ("abcd", "c"),
            ("a", ""),
        ] {
            let (first, second) = (order(first), order(second));
            let orders = all_orders(&first);
            let mut times: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
            for own in &orders {
                let other = first.transport(&second, own).unwrap();
                *times.entry(other).or_default() += 1;
            }
            assert_eq!(
                times.keys().cloned().collect::<Vec<_>>(),
                all_orders(&second)
            );
            let each = orders.len() / times.len();
            assert!(times.values().all(|&count| count == each));
        }
    }

    #[test]
    fn common_records_keep_their_places() {
        let transported = |first: &str, second: &str, own: &Vec<usize>| {
            let (first, second) = (order(first), order(second));
            let other = first.transport(&second, own).unwrap();
            (spelt(&first, own), spelt(&second, &other))
        };
        for own in all_orders(&order("abca")) {
            let (one, other) = transported("abca", "caab", &own);
            assert_eq!(one, other);
            let (one, other) = transported("abca", "axca", &own);
            assert_eq!(one.replace('b', "x"), other);
            let (one, other) = transported("abca", "aac", &own);
            assert_eq!(one.replace('b', ""), other);
        }
    }

    #[test]
    fn what_is_no_order_has_probability_0_and_fewer_records_no_coupling() {
        let law = order("abc");
        for wrong in [vec![], vec![0, 1], vec![0, 1, 1], vec![0, 1, 2, 3]] {
            assert!(law.pmf(&wrong, 64).unwrap().hi().is_zero());
        }
        assert_eq!(law.transport(&order("abcd"), &vec![0, 1, 2]), None);
    }
}
