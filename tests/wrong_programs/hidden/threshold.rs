//! Sound: one hidden threshold, and one round that is compared with it; what others do instead is their argument.
use crate::program::*;
use dp_assay::law::AboveThenAnswer;

/// What `program` does in a stage with a threshold that costs 1/10 to move, and one update that costs 1/5 at most.
pub fn reports<T: Published + Send>(
    program: impl Fn(i64, &mut Meter) -> Out<T> + Sync,
) -> Vec<Report> {
    with_rounds_of(ratio(2, 10), program)
}

/// The same with another cost of the update.
pub fn with_rounds_of<T: Published + Send>(
    loss: Rational,
    program: impl Fn(i64, &mut Meter) -> Out<T> + Sync,
) -> Vec<Report> {
    let whole = Promise::Pure(ratio(3, 10));
    let stage = Stage::above("the rounds", ratio(1, 10), 1, loss, whole);
    let staged = |record: &i64, coins: &mut Meter| {
        coins.stage(&stage);
        program(*record, coins)
    };
    metered(staged, [0, 1], &pure(ratio(3, 10)))
}

pub fn sound() -> Vec<Report> {
    reports(round)
}

/// The threshold moves by one, as the record does; the test's noise is for two, and the answer's for one.
pub fn round(record: i64, coins: &mut Meter) -> Out<Option<BigInt>> {
    let noise = DiscreteLaplace::new(integer(10))?;
    let hidden = coins.draw_moved(&noise.around(0), &1.into())?;
    let excess = record - hidden;
    let test = DiscreteLaplace::new(integer(20))?;
    coins.draw(&AboveThenAnswer::new(
        [excess, record.into()],
        &test,
        &noise,
    ))
}
