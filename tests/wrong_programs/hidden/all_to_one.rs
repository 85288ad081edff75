//! A coupling that sends every place to the first: it does not have the law of the second run.
use crate::program::*;

pub const REASON: &str = "does not take the one law to the other";

#[derive(Debug, Clone, PartialEq)]
struct Place(Vec<i64>);

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

    fn transport(&self, other: &Self, place: &usize) -> Option<usize> {
        // To a record that is the same.
        other.0.iter().position(|record| *record == self.0[*place]).or(Some(0))
    }
}

pub fn reports() -> Vec<Report> {
    let program = |data: &Vec<i64>, coins: &mut Meter| {
        public(coins);
        let place = coins.draw_hidden(&Place(data.clone()))?;
        coins.draw(&DiscreteLaplace::new(integer(1))?.around(data[place]))
    };
    metered(program, [vec![0, 1, 0], vec![0, 0, 0]], &nothing())
}
