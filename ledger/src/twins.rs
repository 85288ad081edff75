//! Broken twins: small programs that break one condition each, and that the meter must refuse in the rows that rest on the condition.
//!
//! A row that meters learners only, all of them right, is as content with a meter that looks away. The conditions are those of
//! `spec/meter.md`.

use crate::budgets;
use crate::claim::{Check, Trouble};
use dp_assay::coins::{
    ChaCha, Coins, CoinsError, Divergence, Forward, GaussianShift, Law, Loss, Meter,
    OneRecordSteps, Outcomes, Promise, Shifts, Stage,
};
use dp_assay::law::{AboveThenAnswer, Noise};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Rational};
use dp_assay::privacy::meter::{Report, meter};
use dp_assay::privacy::{Budget, Published};
use dp_assay::sample::{DiscreteGaussian, DiscreteLaplace};
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// What a twin returns.
type Outcome<T> = Result<T, CoinsError>;

/// The report on a learner of one integer, which is 0 and, on the neighbour, `other`.
fn report<T: Published + Send>(
    learner: impl Fn(i64, &mut Meter) -> Outcome<T> + Sync,
    [first, second]: [i64; 2],
    claim: &Budget,
) -> Result<Report, Trouble> {
    let outcomes = Outcomes::drawn(ChaCha::reproducible(7, 0));
    let learner = |data: &i64, coins: &mut Meter| learner(*data, coins);
    Ok(meter(learner, &first, &second, outcomes, claim)?)
}

fn pure(epsilon: Rational) -> Result<Budget, Trouble> {
    Ok(budgets::pure(epsilon)?)
}

/// The honest program shows no fault, and its broken twin does.
fn told_apart(check: &mut Check, condition: &str, honest: &Report, broken: &Report) {
    check.sound(honest, format_args!("{condition}: the honest program"));
    check.holds(
        !broken.faults().is_empty(),
        format_args!("{condition}: the broken twin is refused"),
    );
}

/// Condition 2 of Theorem 1: what is returned is a function of what was drawn.
pub(crate) fn results(check: &mut Check) -> Result<(), Trouble> {
    check.exact("broken twin: a datum in the result, beside its noisy value");
    let claim = pure(integer(1))?;
    let run = |tells: bool| {
        let learner = move |data: i64, coins: &mut Meter| -> Outcome<(BigInt, i64)> {
            coins.stage(&Stage::once("it", Promise::Pure(integer(1))));
            let noisy = coins.draw(&DiscreteLaplace::new(integer(1))?.around(data))?;
            Ok((noisy, if tells { data } else { 0 }))
        };
        report(learner, [0, 1], &claim)
    };
    told_apart(check, "results", &run(false)?, &run(true)?);
    Ok(())
}

/// A session with a hidden threshold: around what it is drawn, by how much it moves, and whose scale it has.
#[derive(Clone, Copy)]
struct Above {
    threshold_of_data: bool,
    scale_of_data: bool,
    slack: i64,
    updates: usize,
}

const HONEST: Above = Above {
    threshold_of_data: false,
    scale_of_data: false,
    slack: 1,
    updates: 2,
};

/// Sixty rounds: each asks whether the datum is above the threshold.
fn above(data: i64, coins: &mut Meter, session: Above) -> Outcome<Vec<BigInt>> {
    let moved = ratio(1, 10);
    let whole = Promise::Pure(ratio(3, 10));
    coins.stage(&Stage::above("the rounds", moved, 2, ratio(1, 10), whole));
    let of_data = |asked: bool| if asked { data } else { 0 };
    let scale = integer(10 + of_data(session.scale_of_data));
    // Low enough for all updates to be made.
    let law = DiscreteLaplace::new(scale)?.around(of_data(session.threshold_of_data) - 40);
    let threshold = coins.draw_moved(&law, &session.slack.into())?;
    let noise = |scale: i64| DiscreteLaplace::new(integer(scale));
    let mut told = Vec::new();
    for _ in 0..60 {
        if told.len() == session.updates {
            break;
        }
        let value = BigInt::from(data);
        let law = AboveThenAnswer::new([&value - &threshold, value], &noise(40)?, &noise(20)?);
        told.extend(coins.draw(&law)?);
    }
    Ok(told)
}

/// Theorem 9: the law of a hidden threshold is public, it moves as far as neighbours do, a quiet outcome is no likelier on the first
/// dataset, and no more than so many outcomes are told.
pub(crate) fn threshold(check: &mut Check) -> Result<(), Trouble> {
    let wrong = [
        (
            "around the datum",
            Above {
                threshold_of_data: true,
                ..HONEST
            },
        ),
        (
            "its scale is of the data",
            Above {
                scale_of_data: true,
                ..HONEST
            },
        ),
        ("it does not move", Above { slack: 0, ..HONEST }),
        ("it moves too far", Above { slack: 2, ..HONEST }),
        (
            "one update too many",
            Above {
                updates: 3,
                ..HONEST
            },
        ),
    ];
    check.exact(format_args!(
        "{} broken twins of a session with a hidden threshold, on both orders of a pair",
        wrong.len()
    ));
    let claim = pure(ratio(3, 10))?;
    for pair in [[0, 1], [1, 0]] {
        let run = |session: Above| {
            report(
                move |data, coins: &mut Meter| above(data, coins, session),
                pair,
                &claim,
            )
        };
        check.sound(&run(HONEST)?, format_args!("{pair:?}: the honest session"));
        for (name, session) in wrong {
            // What depends on the order is asked in the order in which it is wrong.
            let one_sided = name == "it does not move" && pair == [1, 0];
            let found = run(session)?;
            check.holds(
                one_sided || !found.faults().is_empty(),
                format_args!("{pair:?}: {name}: refused"),
            );
        }
    }
    Ok(())
}

/// What [`AboveThenAnswer`] says of itself in each direction: of a quiet outcome and of the others, against its probabilities.
pub(crate) fn forward(check: &mut Check) -> Result<(), Trouble> {
    check.certified("tests and answers 0, 1 or 3 apart, in both directions: the loss of no outcome is above what is stated, and far out some come near");
    let (test, noise) = (
        DiscreteLaplace::new(ratio(7, 2))?,
        DiscreteLaplace::new(ratio(5, 3))?,
    );
    for (excess, answer) in [(0, 0), (1, 0), (-1, 0), (0, 1), (3, -1), (-3, 1)] {
        // Where the test hardly ever passes, and where it hardly ever does not.
        for base in [-60i64, 0, 60] {
            let law =
                |[x, a]: [i64; 2]| AboveThenAnswer::new([x, a].map(BigInt::from), &test, &noise);
            let (one, other) = (law([base + excess, answer]), law([base, 0]));
            let Some(Forward { quiet, loud }) = one.forward(&other, 96)? else {
                check.holds(false, "a bound in one direction");
                continue;
            };
            let mut worst = [Rational::zero(), Rational::zero()];
            for outcome in std::iter::once(None).chain((-40..=40).map(|k| Some(BigInt::from(k)))) {
                let (p, q) = (one.pmf(&outcome, 160)?, other.pmf(&outcome, 160)?);
                let loss = p.ln()? - q.ln()?;
                let (side, stated) = match outcome {
                    None => (0, &quiet),
                    Some(_) => (1, &loud),
                };
                check.holds(
                    loss.lower() <= *stated,
                    format_args!("excess {excess} at {base}, answer {answer}: {outcome:?}"),
                );
                worst[side] = worst[side].clone().max(loss.lower());
            }
            let share = ratio(99, 100);
            let [near_quiet, near_loud] = [(&worst[0], &quiet), (&worst[1], &loud)]
                .map(|(worst, stated)| *worst >= stated * &share);
            // A test that passes less easily on the first dataset costs nothing where it surely passes.
            let loud_at = if excess < 0 { 60 } else { -60 };
            check.holds(
                (base != 60 || near_quiet) && (base != loud_at || near_loud),
                format_args!("excess {excess} at {base}, answer {answer}: attained"),
            );
        }
    }
    Ok(())
}

/// Theorem 4: what the draws of a path take adds up to its stage's promise; a vector is compared as one.
pub(crate) fn path(check: &mut Check) -> Result<(), Trouble> {
    check.certified("broken twins: a record read in two draws of a path, and noise that is certified for fewer coordinates than move");
    let noise = DiscreteGaussian::new(integer(50))?;
    let claim = budgets::approximate(integer(2), ratio(1, 1000))?;
    // 1. Draws by 1 each, of which the stage promises that one of them moves.
    let rho = || Promise::Concentrated(ratio(1, 100));
    let run = |moving: i64| {
        let noise = noise.clone();
        let learner = move |data: i64, coins: &mut Meter| -> Outcome<Vec<BigInt>> {
            coins.stage(&Stage::path("it", 3, rho(), rho()));
            let values = (0..3).map(|k| if k < moving { data } else { 0 });
            values
                .map(|value| coins.draw(&noise.around(value)))
                .collect()
        };
        report(learner, [0, 1], &claim)
    };
    told_apart(check, "a path", &run(1)?, &run(2)?);
    // 2. A vector whose coordinates all move, promised as one that moves in two of them.
    let run = |moving: usize| {
        let noise = noise.clone();
        let learner = move |data: i64, coins: &mut Meter| -> Outcome<Vec<BigInt>> {
            let shift = GaussianShift {
                squared: 4.into(),
                moved: 2,
                variance: noise.variance().clone(),
            };
            coins.stage(&Stage::once("it", Promise::Gaussian(shift)));
            let value = |k: usize| if k < moving { data } else { 0 };
            coins.draw(&noise.around_all((0..4).map(value)))
        };
        report(learner, [0, 1], &claim)
    };
    told_apart(check, "coordinates", &run(2)?, &run(4)?);
    // 3. What such a draw says of itself, counted again.
    for shift in [[3i64, 0, 0, 0], [1, 2, 0, -1], [1, 1, 1, 1]] {
        let [one, other] = [shift, [0; 4]].map(|values| noise.around_all(values));
        let stated = Divergence::Gaussian(GaussianShift {
            squared: shift.iter().map(|k| k * k).sum::<i64>().into(),
            moved: shift.iter().map(|k| u64::from(*k != 0)).sum(),
            variance: integer(50),
        });
        check.holds(
            one.divergence(&other, 96)? == stated,
            format_args!("moved by {shift:?}"),
        );
    }
    Ok(())
}

/// Steps that read one hidden record: those of other numbers of records are other steps.
pub(crate) fn one_record_steps(check: &mut Check) -> Result<(), Trouble> {
    check.exact("one-record steps of 12 and of 1200 records and of two variances: each pair that differs in either is two groups, and sums are kept");
    let step = |records: u64, variance: i64| OneRecordSteps {
        records,
        read: Shifts {
            draws: 1,
            squared_in_all: BigInt::from(9),
            farthest: GaussianShift {
                squared: BigInt::from(9),
                moved: 2,
                variance: integer(variance),
            },
        },
    };
    for (one, other, groups) in [
        (step(12, 40), step(12, 40), 1),
        (step(12, 40), step(1200, 40), 2),
        (step(12, 40), step(12, 41), 2),
    ] {
        let found = OneRecordSteps::by_variance([one, other]);
        check.holds(
            found.len() == groups,
            format_args!("{groups} groups, found {}", found.len()),
        );
        let squared: BigInt = found.iter().map(|group| &group.read.squared_in_all).sum();
        check.holds(squared == BigInt::from(18), "the squared distances add up");
    }
    Ok(())
}

/// A law states a divergence of `other`: no outcome of these has a larger loss, by their probabilities, in either direction.
pub(crate) fn divergence<L: Law>(
    check: &mut Check,
    [one, other]: [&L; 2],
    outcomes: impl IntoIterator<Item = L::Outcome>,
) -> Result<(), Trouble> {
    let stated = match one.divergence(other, 96)? {
        // Nothing is promised.
        Divergence::Unbounded(_) => return Ok(()),
        Divergence::Pure(worst) => worst,
        Divergence::None => Rational::zero(),
        other => {
            check.holds(false, format_args!("a pure loss, not {other:?}"));
            return Ok(());
        }
    };
    for outcome in outcomes {
        let (p, q) = (one.pmf(&outcome, 160)?, other.pmf(&outcome, 160)?);
        let impossible = |p: &Enclosure| p.hi().is_zero();
        let above = match (impossible(&p), impossible(&q)) {
            (true, true) => false,
            (true, _) | (_, true) => true,
            _ => (p.ln()? - q.ln()?).abs().lower() > stated,
        };
        check.holds(
            !above,
            format_args!(
                "{} and {}: the loss of {outcome:?}",
                one.label(),
                other.label()
            ),
        );
        // What the law says of this outcome is the same as its probabilities say.
        if !impossible(&p) {
            let right = match one.loss(other, &outcome, 128)? {
                Loss::Infinite => impossible(&q),
                Loss::Exact(loss) => !impossible(&q) && (p.ln()? - q.ln()?).contains(&loss),
                Loss::Enclosed(loss) => !impossible(&q) && (p.ln()? - q.ln()?).meets(&loss),
            };
            check.holds(
                right,
                format_args!("{}: what it says of {outcome:?}", one.label()),
            );
        }
    }
    Ok(())
}

/// A law for the explorer whose probabilities add up to 3/2.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TooLikely;

impl Law for TooLikely {
    type Outcome = bool;

    fn sample<C: Coins>(&self, coins: &mut C) -> Result<bool, CoinsError> {
        Ok(coins.bits(1)? == 1)
    }

    fn pmf(&self, _: &bool, bits: u32) -> Result<Enclosure, dp_assay::number::NumberError> {
        Ok(Enclosure::of(
            &Rational::new(3.into(), BigInt::one() << 2),
            bits,
        ))
    }

    fn outcome(&self, index: u64) -> Option<bool> {
        (index < 2).then_some(index == 1)
    }
}
