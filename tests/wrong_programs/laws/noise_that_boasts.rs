//! Noise of one's own in a law of the library: it says that moving its centre costs nothing.
use crate::program::*;
use dp_assay::coins::{Divergence, Loss};

pub const REASON: &str = "does not know";

#[derive(Debug, Clone, PartialEq)]
struct Mine;

impl Noise for Mine {
    fn draw_vector<C: Coins>(&self, dimension: usize, coins: &mut C) -> Out<Vec<BigInt>> {
        (0..dimension).map(|_| Ok(coins.bits(1)?.into())).collect()
    }

    fn pmf_of_vector(&self, k: &[BigInt], bits: u32) -> Result<Enclosure, NumberError> {
        let inside = k.iter().all(|k| [0, 1].map(BigInt::from).contains(k));
        Ok(Enclosure::integer(u64::from(inside), bits).shifted(-(k.len() as i64)))
    }

    fn loss_between(&self, _: &[BigInt], _: &[BigInt], _: u32) -> Result<Loss, NumberError> {
        Ok(Loss::none())
    }

    fn divergence_of(&self, _: &[BigInt]) -> Divergence {
        Divergence::None
    }

    fn usual_size(&self) -> BigInt {
        1.into()
    }
}

pub fn reports() -> Vec<Report> {
    let program = |record: &i64, coins: &mut Meter| {
        public(coins);
        coins.draw(&Mine.around_all([*record]))
    };
    metered(program, [0, 1], &nothing())
}
