//! The release always costs what the record that is read most often may cost, whichever that is.
use crate::program::*;
use dp_assay::sample::{DiscreteGaussian, WithReplacement};

pub const REASON: &str = "no one record explains";

pub fn reports() -> Vec<Report> {
    let uses = Uses::new(50, vec![50], 1).unwrap();
    let (of_one, epsilon) = (ratio(1, 200), ratio(1, 10));
    let delta = uses.delta_for(&of_one, &epsilon, &ratio(1, 100)).unwrap() * ratio(1001, 1000);
    let whole = Promise::Approximate { epsilon: epsilon.clone(), delta: delta.clone() };
    let program = |record: &i64, coins: &mut Meter| {
        coins.stage(&Stage::hidden_uses("rounds", uses.clone(), of_one.clone(), whole.clone()));
        let numbers = coins.draw_hidden(&WithReplacement::new(50, 50)?)?;
        let times = |k| numbers.iter().filter(|number| **number == k).count() as i64;
        let most = (0..50).map(times).max().unwrap_or(0);
        coins.draw(&DiscreteGaussian::new(integer(100))?.around(record * most))
    };
    metered(program, [0, 1], &approximate(epsilon, delta.clone()))
}
