//! It claims privacy where a record is substituted, and the pair has one record less: a substituted one moves the sum twice as far.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let program = |data: &Vec<i64>, coins: &mut Meter| {
        once(coins, integer(1));
        // Records are from -1 to 1.
        noisy(data.iter().sum(), 1, coins)
    };
    metered(program, [vec![1, 1], vec![1]], &pure(integer(1)))
}
