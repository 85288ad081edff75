//! Sound on the two datasets given; but these differ in nothing that it reads.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    let program = |data: &[i64; 2], _: &mut Meter| Ok(data[0]);
    metered(program, [[0, 1], [0, 2]], &nothing())
}
