//! Every record makes it panic, and the message has the record.
use crate::program::*;

pub const REASON: &str = "the learner panicked";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, _: &mut Meter| -> Out<u8> { panic!("the record is {record}") };
    metered(program, [0, 9], &nothing())
}
