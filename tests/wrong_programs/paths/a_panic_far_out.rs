//! Public noise a thousand times its usual size makes it panic, with the record in its message.
use crate::program::*;

pub const REASON: &str = "the learner panicked";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let far = noisy(0, 10, coins)? > BigInt::from(10_000);
        assert!(!far, "the record is {record}");
        Ok(far)
    };
    metered(program, [0, 1], &nothing())
}
