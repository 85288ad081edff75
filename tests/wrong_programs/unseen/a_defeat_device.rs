//! It asks for the type of its coins, and behaves where this is the meter.
use crate::program::*;

pub fn reports() -> Vec<Report> {
    fn program<C: Coins>(record: &i64, _: &mut C) -> Out<Option<i64>> {
        let metered = std::any::type_name::<C>().ends_with("Meter");
        Ok((!metered).then_some(*record))
    }
    metered(program::<Meter>, [0, 1], &nothing())
}
