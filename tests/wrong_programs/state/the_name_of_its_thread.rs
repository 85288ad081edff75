//! It publishes the record only where its thread has a name, as the first one of a program has.
use crate::program::*;

pub const REASON: &str = "gave";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, _: &mut Meter| {
        Ok(std::thread::current().name().is_some().then_some(*record))
    };
    let named = std::thread::Builder::new().name("main".to_owned());
    std::thread::scope(|scope| {
        let run = || metered(program, [0, 1], &nothing());
        named.spawn_scoped(scope, run).unwrap().join().unwrap()
    })
}
