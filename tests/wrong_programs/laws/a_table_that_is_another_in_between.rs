//! A table whose rare place has a probability that its closer bounds tell, and that all others leave open: 2^-97, or 2^-120.
use crate::program::*;
use dp_assay::number::Dyadic;

pub const REASON: &str = "a draw keeps no promise of this kind";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        let record = *record;
        let ends = move |bits| {
            let [zero, largest, own] = [Dyadic::zero(), Dyadic::new(1, -96), Dyadic::new(1, -record)];
            let end = match bits {
                200..1000 => Enclosure::new(&own, &own, bits),
                _ => Enclosure::new(&zero, &largest, bits),
            };
            Ok(vec![end, Enclosure::integer(1, bits)])
        };
        coins.pick(&Table::new("a place", ends)?)
    };
    metered(program, [97, 120], &nothing())
}
