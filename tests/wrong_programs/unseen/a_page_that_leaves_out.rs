//! A result of one's own that leaves a field out of what it says is published.
use crate::program::*;

struct Answer {
    record: i64,
}

impl Published for Answer {
    fn publish(&self, page: &mut Vec<u8>) {
        // The record is in the struct, and not on the page.
        (self.record >= 0).publish(page);
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, _: &mut Meter| Ok(Answer { record: *record });
    metered(program, [0, 1], &nothing())
}
