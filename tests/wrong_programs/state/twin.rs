//! Sound: it computes in other threads what needs no coins, and keeps a public table between its runs.
use crate::program::*;
use std::sync::OnceLock;

pub fn reports() -> Vec<Report> {
    static PUBLIC: OnceLock<Table> = OnceLock::new();
    let program = |record: &[i64; 2], coins: &mut Meter| {
        let places = PUBLIC.get_or_init(|| table("a place", ratio(1, 3)).unwrap());
        public(coins);
        let place = coins.pick(places)?;
        let sum: i64 = std::thread::scope(|scope| {
            let parts = record.map(|part| scope.spawn(move || part));
            parts.into_iter().map(|part| part.join().unwrap()).sum()
        });
        once(coins, integer(1));
        Ok((place, noisy(sum, 1, coins)?))
    };
    metered(program, [[0, 3], [1, 3]], &pure(integer(1)))
}
