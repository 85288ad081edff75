//! Another thread adds noise of its own.
use crate::program::*;

pub const REASON: &str = "equal outcomes gave different results";

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, _: &mut Meter| {
        std::thread::scope(|scope| {
            let noisy = scope.spawn(|| {
                let noise = DiscreteLaplace::new(integer(1_000_000_000))?;
                ChaCha::from_operating_system()?.draw(&noise.around(*record))
            });
            noisy.join().unwrap()
        })
    };
    metered(program, [0, 1], &nothing())
}
