//! Sound: a hidden place, coupled by content and only by a permutation, and its record with noise.
use crate::program::*;

/// A uniform place of the data, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Place(Vec<i64>);

impl Place {
    pub fn of(data: &[i64]) -> Self {
        Self(data.to_vec())
    }
}

impl Law for Place {
    type Outcome = usize;

    fn sample<C: Coins>(&self, coins: &mut C) -> Out<usize> {
        Ok(coins.below(self.0.len() as u64)? as usize)
    }

    fn pmf(&self, place: &usize, bits: u32) -> Result<Enclosure, NumberError> {
        let inside = *place < self.0.len();
        Ok(Enclosure::of(&ratio(i64::from(inside), self.0.len() as i64), bits))
    }

    fn outcome(&self, index: u64) -> Option<usize> {
        Some(index as usize).filter(|place| *place < self.0.len())
    }

    // The same record, and of equal ones the same in their order.
    fn transport(&self, other: &Self, place: &usize) -> Option<usize> {
        let order = |records: &[i64]| {
            let mut places: Vec<usize> = (0..records.len()).collect();
            places.sort_by_key(|place| (records[*place], *place));
            places
        };
        let rank = order(&self.0).iter().position(|own| own == place)?;
        order(&other.0).get(rank).copied()
    }
}

pub fn reports() -> Vec<Report> {
    let program = |data: &Vec<i64>, coins: &mut Meter| {
        once(coins, integer(1));
        let place = coins.draw_hidden(&Place::of(data))?;
        noisy(data[place], 1, coins)
    };
    metered(program, [vec![0, 1, 0, 1], vec![1, 0, 0, 1]], &pure(integer(1)))
}
