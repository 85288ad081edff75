//! `nuz20.held-out`: a model and the noisy count of its errors on records that were held out from it.

use super::record;
use crate::budgets::budget;
use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, Meter, Outcomes};
use dp_assay::halfspaces::full_batch::{FullBatchParameters, FullBatchPlan};
use dp_assay::halfspaces::steps::overridden;
use dp_assay::halfspaces::{Dataset, Halfspace, HalfspaceError, Record, Shape};
use dp_assay::law::named::NamedLaw;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Enclosure, Grid, Rational};
use dp_assay::privacy::meter::{Report, meter};
use dp_assay::privacy::{Budget, HeldOut};
use dp_assay::sample::DiscreteLaplace;
use dp_assay::stats::{NoisySum, binomial};
use num_bigint::BigInt;

/// The records to learn from, and those held out.
type Parts = (Vec<Record>, Vec<Record>);

/// A learner that holds out some of its records, and how often it tells the errors on them.
struct Holding<'a> {
    plan: &'a FullBatchPlan,
    claim: &'a Budget,
    split: fn(&[Record]) -> Parts,
    releases: u64,
}

/// The public grid of the records.
fn grid() -> Result<Grid, HalfspaceError> {
    Ok(Grid::new(8)?)
}

/// The first three records are learned from.
fn by_place(data: &[Record]) -> Parts {
    (data[..3].to_vec(), data[3..].to_vec())
}

/// The same after they were sorted by what stands in them.
fn by_content(data: &[Record]) -> Parts {
    let mut sorted = data.to_vec();
    sorted.sort_by(|a, b| a.features.cmp(&b.features));
    by_place(&sorted)
}

impl Holding<'_> {
    fn learn(
        &self,
        data: &[Record],
        coins: &mut Meter,
    ) -> Result<(Halfspace, Vec<BigInt>), HalfspaceError> {
        let (learned, held_out) = (self.split)(data);
        let data = Dataset::new(grid()?, 1, learned)?;
        let model = self.plan.learn(&data, coins)?.halfspace;
        let mut errors = Vec::new();
        for record in &held_out {
            let side = model.predict(&record.features)?;
            errors.push(u64::from(side != Some(record.positive)));
        }
        let release = HeldOut::new(errors.len() as u64, 1, self.claim.epsilon())?;
        let told = (0..self.releases).map(|_| release.release(&errors, coins));
        let told = told.collect::<Result<_, _>>()?;
        Ok((model, told))
    }

    fn report(&self, [first, second]: &[Vec<Record>; 2], seed: u64) -> Result<Report, Trouble> {
        let learner = |data: &[Record], coins: &mut Meter| self.learn(data, coins);
        let drawn = Outcomes::drawn(ChaCha::reproducible(seed, 0));
        Ok(meter(learner, &first[..], &second[..], drawn, self.claim)?)
    }
}

/// Five records on the line, the first three to be learned from, and the same with the record at one place turned, moved or sent to
/// the origin.
fn pairs(one: i64) -> Vec<(String, [Vec<Record>; 2])> {
    let first: Vec<Record> = [one, one, one / 2, one, one / 2]
        .map(|x| record(&[x], true))
        .into();
    let mut pairs = Vec::new();
    for place in 0..first.len() {
        for (what, other) in [
            ("its label turned", record(&first[place].features, false)),
            ("turned", record(&[-one], true)),
            ("at the origin", record(&[0], true)),
        ] {
            let mut second = first.clone();
            second[place] = other;
            let name = format!("record {place} {what}");
            pairs.push((name, [first.clone(), second]));
        }
    }
    pairs
}

/// The model and the count together cost what the model costs, and three programs that break a condition are refused.
pub(super) fn held_out(check: &mut Check) -> Result<(), Trouble> {
    let claim = budget("1", "1e-6")?;
    let (half, shape) = (ratio(1, 2), (3, 1));
    let mut parameters =
        FullBatchParameters::from_theorem((&half, &half), claim.clone(), &half, shape)?;
    parameters.projected_dimension = overridden(None);
    parameters.runs = overridden(1);
    // So many that the average of its points is seldom the origin.
    parameters.steps = Some(20);
    let plan = parameters.plan(Shape {
        records: 3,
        dimension: 1,
        grid: grid()?,
    })?;
    let honest = Holding {
        plan: &plan,
        claim: &claim,
        split: by_place,
        releases: 1,
    };
    let pairs = pairs(grid()?.one());
    check.certified(format_args!(
        "one run of F' as shipped on three records, and the errors on two others, metered: {} pairs that differ in a record \
         of either part; drawn outcomes and steered ones",
        pairs.len()
    ));
    check.family("held out by place", &[], |family| {
        for (name, [first, second]) in &pairs {
            let drawn = Outcomes::drawn(ChaCha::reproducible(1, 1));
            let far = Outcomes::far_out(ChaCha::reproducible(1, 2), 1000).patiently(plan.steps());
            for outcomes in [drawn, far] {
                let learner = |data: &[Record], coins: &mut Meter| honest.learn(data, coins);
                family.run(name, learner, (&first[..], &second[..]), outcomes, &claim)?;
            }
        }
        Ok(())
    })?;
    broken_twins(check, &honest)?;
    other_numbers(check)?;
    intervals(check)?;
    widths(check)
}

/// The errors of another number of records than was stated are not released.
fn other_numbers(check: &mut Check) -> Result<(), Trouble> {
    let release = HeldOut::new(3, 2, &integer(1))?;
    let mut coins = ChaCha::reproducible(1, 0);
    for count in 0..=5 {
        let told = release.release(&vec![2; count], &mut coins);
        check.holds(
            told.is_ok() == (count == 3),
            format_args!("{count} errors where 3 were stated"),
        );
    }
    Ok(())
}

/// Of errors up to 7 the interval for the expectation reaches farther than that for these records by Hoeffding's width, at a quarter of
/// the level a side.
fn widths(check: &mut Check) -> Result<(), Trouble> {
    const BITS: u32 = 128;
    check.certified(
        "the interval for the mean of 400 errors up to 7, its width by the formula again",
    );
    let (level, terms) = (ratio(1, 20), 400);
    let sum = NoisySum::new(1300.into(), (terms, 7), &integer(3))?;
    let [these, all] = [
        sum.mean_of_these(&(&level / integer(2)))?,
        sum.mean_of_all(&level)?,
    ];
    // e^(-2 n x^2) = level/4.
    let exponent = Enclosure::of(&(integer(4) / &level), BITS).ln()?;
    let width = exponent
        .divided_by(&Enclosure::integer(2 * terms, BITS))?
        .sqrt()?;
    for reach in [&these[0] - &all[0], &all[1] - &these[1]] {
        check.evaluated_again_above("how far the interval reaches on a side", &reach, &width);
    }
    Ok(())
}

/// What breaks a condition is refused: held out by content, and told twice.
fn broken_twins(check: &mut Check, honest: &Holding<'_>) -> Result<(), Trouble> {
    check.certified("two broken twins of it: held out by content, and told twice");
    let one = grid()?.one();
    // The record goes from one end of the order to the other. So one that is on the wrong side is learned from, which was held
    // out before.
    let first: Vec<Record> = [
        (-one, false),
        (-one / 2, false),
        (one / 4, true),
        (one / 2, false),
        (one, true),
    ]
    .map(|(x, positive)| record(&[x], positive))
    .into();
    let mut second = first.clone();
    second[0] = record(&[one], true);
    let pair = [first, second];
    check.sound(&honest.report(&pair, 1)?, "held out by place");
    let by_content = Holding {
        split: by_content,
        ..*honest
    };
    let twice = Holding {
        releases: 2,
        ..*honest
    };
    for (name, twin, reason) in [
        ("held out by content", by_content, "read the same record"),
        ("told twice", twice, "the promises of the stages cost"),
    ] {
        let faults = twin.report(&pair, 1)?.faults();
        let refused = faults.iter().any(|fault| fault.contains(reason));
        check.holds(refused, format_args!("{name}: refused, {faults:?}"));
    }
    Ok(())
}

/// The interval for the error probability misses as seldom as it says: over all counts and all noise but for what is counted as
/// missed.
fn intervals(check: &mut Check) -> Result<(), Trouble> {
    const BITS: u32 = 128;
    let (records, level) = (8u64, ratio(1, 20));
    let noise_beyond = 80i64;
    let errors = [ratio(1, 50), ratio(1, 3), ratio(9, 10)];
    check.certified(format_args!(
        "the law of the interval for {records} records at level {level}, epsilon 1 and 1/4, {} error probabilities: every \
         count, and every noise up to {noise_beyond}",
        errors.len()
    ));
    for epsilon in [integer(1), ratio(1, 4)] {
        let noise = DiscreteLaplace::new(epsilon.recip())?;
        let law = NamedLaw::DiscreteLaplace(noise.clone());
        let beyond = law.upper_tail(&(noise_beyond + 1).into(), BITS)?;
        for p in &errors {
            let mut missed = &beyond + &beyond;
            for count in 0..=records {
                let weight = binomial::pmf(records, count, &Enclosure::of(p, BITS))?;
                for z in -noise_beyond..=noise_beyond {
                    let told = BigInt::from(count) + z;
                    let [low, high] =
                        NoisySum::new(told, (records, 1), noise.scale())?.mean_of_all(&level)?;
                    if *p < low || *p > high {
                        missed = missed + &weight * &law.pmf(&z.into(), BITS)?;
                    }
                }
            }
            let instance = format!("epsilon = {epsilon}, error probability {p}");
            check.holds(missed.upper() <= level, &instance);
            check.figure(
                format!("the interval misses with probability, {instance}"),
                shown(&missed.upper()),
            );
        }
    }
    Ok(())
}

fn shown(probability: &Rational) -> String {
    dp_assay::number::rational::to_scientific_above(probability, 3)
}
