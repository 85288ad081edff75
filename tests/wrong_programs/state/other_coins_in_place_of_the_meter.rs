//! In the second run it draws by a meter within a meter, and leaves that one's coins, which saw nothing, in place of those it was
//! given.
use crate::program::*;
use dp_assay::coins::lockstep;
use std::sync::Mutex;

pub const REASON: &str = "changed its coins for others";

fn release(record: &i64, coins: &mut Meter) -> Out<BigInt> {
    public(coins);
    noisy(*record, 1, coins)
}

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        if format!("{coins:?}").contains("First") {
            return release(record, coins);
        }
        let (given, drawn) = (Mutex::new(coins), Mutex::new(None));
        let within = |second: &bool, own: &mut Meter| {
            public(own);
            if *second {
                std::mem::swap(&mut **given.lock().unwrap(), own);
                *drawn.lock().unwrap() = Some(release(record, own));
            }
        };
        let outcomes = Outcomes::drawn(ChaCha::reproducible(1, 0));
        lockstep(within, &false, &true, outcomes);
        drawn.into_inner().unwrap().unwrap()
    };
    metered(program, [0, 1], &nothing())
}
