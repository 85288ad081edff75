//! The shipped learners on the meter: what they release on adversarial neighbours, in lockstep.
//!
//! One function a learner, which its rows call. Each meters `learn` on pairs of neighbours, small and at full size:
//! whether both runs do the same, and whether this pair's exact cost is within the claim and the stated promise. Under
//! each relation and for each number of records some pair takes at least nine tenths of the promise; where none does, the
//! row says why. So noise that is missing, too small or added after the draw shows, and so does a
//! sensitivity that is not that of the relation.

use super::instances::{point_of_the_circle, x1};
use super::{algorithm, budget, delta};
use crate::budgets;
use crate::claim::{Check, MeteredFamily, Trouble};
use dp_assay::coins::{
    ChaCha, Coins, CoinsError, Lockstep, Meter, Outcomes, Promise, Stage, lockstep,
};
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::rational::{integer, ratio, shortly, to_scientific_below};
use dp_assay::number::{Grid, NumberError, Rational};
use dp_assay::optimise::exact::{minimum_norm, reals};
use dp_assay::optimise::{FeatureMatrix, OptimiseError, ridge};
use dp_assay::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
use dp_assay::privacy::discrete_gaussian::profile_of_shift;
use dp_assay::privacy::meter::{Report, judge};
use dp_assay::privacy::{Budget, NeighbouringRelation, Published};
use dp_assay::random_features::clipped_kaczmarz::Order;
use dp_assay::random_features::steps::RidgeParameters;
use dp_assay::random_features::{
    Dataset, Domain, Model, RandomFeatureError, Record, as_coded, clipped_interpolation,
    clipped_kaczmarz, ridge_of_bounded_labels, ridge_of_normed_labels, ridge_with_gamma_noise,
};
use dp_assay::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

/// Inputs, labels: in steps of 2^-10.
const ONE: i64 = 1 << 10;

/// A quarter turn, about: at frequency 1 its cosine is below a step.
const QUARTER: i64 = 1608;

/// Of the coins of metered runs: what they certify does not depend on the seed of the statistical tests.
pub(super) const SEED: u64 = 1;

/// `learn` of a learner, its parameters given.
type Learner<'a> = dyn Fn(&Dataset, &FeatureMap, &Budget, &mut Meter) -> Result<Model, RandomFeatureError>
    + Sync
    + 'a;

/// Two neighbouring datasets, the larger one first, and the features that they are learned with.
struct Pair {
    name: String,
    /// Pairs of one family are of one number of records and under one relation.
    family: String,
    map: FeatureMap,
    data: [Dataset; 2],
}

impl Pair {
    fn meter(&self, learn: &Learner<'_>, outcomes: Outcomes) -> Result<Report, Trouble> {
        let [first, second] = &self.data;
        let claim = claim(first.domain().neighbours)?;
        let learner = |data: &Dataset, coins: &mut Meter| learn(data, &self.map, &claim, coins);
        Ok(judge(&lockstep(learner, first, second, outcomes), &claim)?)
    }

    fn run(
        &self,
        family: &mut MeteredFamily<'_>,
        learn: &Learner<'_>,
        outcomes: Outcomes,
    ) -> Result<Report, Trouble> {
        let [first, second] = &self.data;
        let claim = claim(first.domain().neighbours)?;
        let learner = |data: &Dataset, coins: &mut Meter| learn(data, &self.map, &claim, coins);
        let (_, report) = family.run(&self.name, learner, (first, second), outcomes, &claim)?;
        Ok(report)
    }
}

/// The budget of all runs: (1, 1e-5).
fn claim(neighbours: NeighbouringRelation) -> Result<Budget, Trouble> {
    Ok(Budget::approximate(integer(1), delta(), neighbours)?)
}

fn drawn() -> Outcomes {
    Outcomes::drawn(ChaCha::reproducible(SEED, 10))
}

/// Inputs of a dimension, and their features.
struct Space {
    dimension: usize,
    map: FeatureMap,
}

/// One frequency in one dimension: `(cos x, sin x)`.
fn one_frequency() -> Result<Space, Trouble> {
    space(Frequencies::new(Grid::new(0)?, 1, vec![1])?)
}

/// Sixteen frequencies in 20 dimensions: drawn, or all of them the first axis.
fn sixteen_frequencies(drawn: bool) -> Result<Space, Trouble> {
    let coins = &mut ChaCha::reproducible(16, 0);
    let frequencies = if drawn {
        Frequencies::draw(16, 20, &integer(1), Grid::new(10)?, coins)?
    } else {
        let axis = |place: usize| i64::from(place.is_multiple_of(20));
        Frequencies::new(Grid::new(0)?, 20, (0..320).map(axis).collect())?
    };
    space(frequencies)
}

fn space(frequencies: Frequencies) -> Result<Space, Trouble> {
    Ok(Space {
        dimension: frequencies.dimension(),
        map: FeatureMap::new(frequencies, Grid::new(10)?, Grid::new(16)?)?,
    })
}

/// What the other records of a pair are, beside the one that differs, which is at 0 with the largest label. At 0 all
/// cosines are 1, and the features have norm 1.
#[derive(Debug, Clone, Copy)]
enum Others {
    /// All a quarter turn away, where the features are orthogonal, and with this label.
    Aside(i64),
    /// At these angles to either side by turns, so that their cosines add up and their sines do not, with this label.
    Tilted(i64, i64),
    /// Anywhere, with labels of this size and any sign.
    Anywhere(i64),
}

impl Others {
    fn record(self, place: usize, dimension: usize, coins: &mut ChaCha) -> Result<Record, Trouble> {
        let mut features = vec![0; dimension];
        let label = match self {
            Self::Aside(label) => {
                features[0] = QUARTER;
                label
            }
            Self::Tilted(angle, label) => {
                features[0] = if place.is_multiple_of(2) {
                    angle
                } else {
                    -angle
                };
                label
            }
            Self::Anywhere(label) => {
                for x in &mut features {
                    *x = coins.bits(11)? as i64 - ONE;
                }
                if coins.bits(1)? == 1 { label } else { -label }
            }
        };
        Ok(Record { features, label })
    }
}

/// How the two datasets of a pair differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    /// The label of the record at 0 is turned.
    Label,
    /// The record at 0 is half a turn away instead, its features the opposite.
    Opposite,
    /// The record at 0 is removed; this many more records would be allowed.
    Removed(usize),
    /// None, but for the order of the records.
    Order,
}

impl Display for Others {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Aside(_) => "the others orthogonal",
            Self::Tilted(..) => "the others tilted",
            Self::Anywhere(_) => "the others anywhere",
        })
    }
}

impl Display for Change {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Label => "a label turned",
            Self::Opposite => "the opposite record",
            Self::Removed(0) => "one removed at the cap",
            Self::Removed(_) => "one removed below the cap",
            Self::Order => "in the opposite order",
        })
    }
}

/// The pair of `n` records, the first of which changes; labels are at most `largest`.
fn pair(
    space: &Space,
    n: usize,
    others: Others,
    change: Change,
    largest: i64,
) -> Result<Pair, Trouble> {
    let dimension = space.dimension;
    let coins = &mut ChaCha::reproducible(n as u64, 11);
    let own = |x: i64, label: i64| {
        let mut features = vec![0; dimension];
        features[0] = x;
        Record { features, label }
    };
    let rest: Vec<Record> = (1..n)
        .map(|place| others.record(place, dimension, coins))
        .collect::<Result<_, _>>()?;
    let with = |record: Record| [&[record][..], &rest].concat();
    let first = with(own(0, largest));
    let second = match change {
        Change::Label => with(own(0, -largest)),
        Change::Opposite => with(own(2 * QUARTER, largest)),
        Change::Removed(_) => rest.clone(),
        Change::Order => first.iter().rev().cloned().collect(),
    };
    let (neighbours, room) = match change {
        Change::Removed(room) => (AddOrRemove, room),
        _ => (Substitute, 0),
    };
    let domain = Domain {
        input_grid: Grid::new(10)?,
        dimension,
        largest_feature: 4 * ONE,
        label_grid: Grid::new(10)?,
        largest_label: largest,
        neighbours,
        records: n + room,
    };
    Ok(Pair {
        name: match n {
            1 => format!("one record, {change}"),
            _ => format!("{n} records in dimension {dimension}, {others}, {change}"),
        },
        family: match n {
            1 => format!("1 record, {neighbours}"),
            _ => format!("{n} records, {neighbours}"),
        },
        map: space.map.clone(),
        data: [Dataset::new(domain, first)?, Dataset::new(domain, second)?],
    })
}

/// Pairs of few records in one dimension: the label of a single one turned, and that one removed; unless it is quick also
/// one of two removed, where the cap is reached; in a thorough run also the opposite record, three records, and a cap
/// that is not reached.
fn small(check: &Check, others: &[Others], largest: i64) -> Result<Vec<Pair>, Trouble> {
    let line = one_frequency()?;
    let alone = |change| pair(&line, 1, Others::Aside(0), change, largest);
    let mut pairs = vec![alone(Change::Label)?, alone(Change::Removed(0))?];
    if check.quick() {
        return Ok(pairs);
    }
    if let Some(&first) = others.first() {
        pairs.push(pair(&line, 2, first, Change::Removed(0), largest)?);
    }
    if !check.thorough() {
        return Ok(pairs);
    }
    pairs.push(alone(Change::Opposite)?);
    for &others in others {
        for (n, change) in [
            (2, Change::Label),
            (3, Change::Opposite),
            (2, Change::Removed(0)),
            (3, Change::Removed(4)),
        ] {
            pairs.push(pair(&line, n, others, change, largest)?);
        }
    }
    Ok(pairs)
}

/// Pairs of 1,000 records in 20 dimensions, with drawn frequencies or none but the first axis; in a thorough run both
/// with the label turned and with the record removed.
fn large(
    check: &Check,
    drawn: bool,
    others: Others,
    usual: Change,
    largest: i64,
) -> Result<Vec<Pair>, Trouble> {
    let space = sixteen_frequencies(drawn)?;
    [Change::Label, Change::Removed(0)]
        .into_iter()
        .filter(|&change| change == usual || check.thorough())
        .map(|change| pair(&space, 1000, others, change, largest))
        .collect()
}

/// Meters a learner on pairs; each must be without a fault, and the worst of each family near the promise, unless a
/// reason is given by the family's name. A reason for a family that is not metered is at fault. On the second pair the
/// outcome is one far out, on the others it is as drawn.
fn near_its_promise(
    check: &mut Check,
    name: &str,
    learn: &Learner<'_>,
    pairs: &[Pair],
    reasons: &[(&str, &str)],
) -> Result<(), Trouble> {
    let names: Vec<&str> = pairs.iter().map(|pair| pair.name.as_str()).collect();
    let far = if pairs.len() > 1 {
        "; the second with an outcome far out"
    } else {
        ""
    };
    check.certified(format_args!(
        "{name} metered at (1, 1e-5): {}{far}",
        names.join("; ")
    ));
    let families: BTreeSet<&str> = pairs.iter().map(|pair| pair.family.as_str()).collect();
    for (family, _) in reasons {
        let text = format!("{name}: a reason for '{family}', which is not metered");
        check.holds(families.contains(family), text);
    }
    for of_all in families {
        let reason = reasons.iter().find(|(family, _)| *family == of_all);
        let reason = reason.map(|(_, why)| ("the release", *why));
        let runs = format!("{name}, {of_all}");
        let mut shares = Vec::new();
        check.family(runs, reason.as_slice(), |family| {
            for (place, pair) in pairs.iter().enumerate() {
                if pair.family != of_all {
                    continue;
                }
                let outcomes = if place == 1 {
                    Outcomes::far_out(ChaCha::reproducible(SEED, 10), 20)
                } else {
                    drawn()
                };
                let report = pair.run(family, learn, outcomes)?;
                shares.extend(report.attained().map(|share| (&pair.name, share)));
            }
            Ok(())
        })?;
        for (pair, share) in shares {
            let share = format!("{} of delta", shortly(&share));
            check.figure(format_args!("{name}: {pair}"), share);
        }
    }
    Ok(())
}

/// The order of the records costs nothing: both runs draw from the same law.
fn no_cost_of_the_order(
    check: &mut Check,
    learn: &Learner<'_>,
    pair: &Pair,
) -> Result<(), Trouble> {
    check.certified(format_args!("the loss is exactly 0: {}", pair.name));
    let report = pair.meter(learn, drawn())?;
    let free = report.loss.is_zero() && report.attained().is_some_and(|part| part.is_zero());
    check.holds(
        report.is_sound() && free,
        format_args!("{}: {report}", pair.name),
    );
    Ok(())
}

/// What is metered: a learner, or its fit where the solver errs by all of its tolerance.
const LEARN: &str = "`learn`";
const ERRING: &str = "the fit of a solver that errs by all of its tolerance, and its release";

/// R1, which is Algorithm 1 repaired.
pub(super) fn clipped_interpolation(check: &mut Check) -> Result<(), Trouble> {
    let parameters = clipped_interpolation::Parameters {
        eta: ratio(3, 8),
        coefficient_grid: Grid::new(20)?,
    };
    let learn = |data: &Dataset, map: &FeatureMap, budget: &Budget, coins: &mut Meter| {
        clipped_interpolation::learn(data, map, &parameters, budget, coins)
    };
    // The ball has radius 2: labels of 4 reach beyond it.
    let most = 4 * ONE;
    let mut pairs = small(check, &[Others::Aside(ONE), Others::Tilted(3, -most)], most)?;
    let right_angle = "a removal turns an interpolation by a right angle at most, so that clipped ones are 2 sqrt 2 apart and not 4; those metered are nearer still";
    let none = "there is no interpolation, with the record or without";
    let mut reasons = vec![
        ("1 record, add or remove one record", right_angle),
        (
            "24 records, substitute one record",
            "records anywhere are no near-duplicates",
        ),
        (
            "1000 records, substitute one record",
            "there is no interpolation, with either label",
        ),
    ];
    if !check.quick() {
        reasons.push(("2 records, add or remove one record", right_angle));
    }
    if check.thorough() {
        reasons.push(("3 records, add or remove one record", right_angle));
        for family in [
            "2 records, substitute one record",
            "3 records, substitute one record",
        ] {
            reasons.push((
                family,
                "beside records that stay, the interpolation turns by less than the ball allows",
            ));
        }
        reasons.push(("1000 records, add or remove one record", none));
    }
    // 1,000 rows in 32 columns have no interpolation, and are no error; 24 rows have one.
    let others = Others::Anywhere(ONE);
    pairs.extend(large(check, true, others, Change::Label, most)?);
    let drawn = sixteen_frequencies(true)?;
    pairs.push(pair(
        &drawn,
        24,
        Others::Anywhere(most),
        Change::Label,
        most,
    )?);
    near_its_promise(check, LEARN, &learn, &pairs, &reasons)
}

/// R2.
pub(super) fn ridge_of_normed_labels(check: &mut Check) -> Result<(), Trouble> {
    let parameters = RidgeParameters {
        penalty: integer(1),
        coefficient_grid: Grid::new(20)?,
    };
    let learn = |data: &Dataset, map: &FeatureMap, budget: &Budget, coins: &mut Meter| {
        ridge_of_normed_labels::learn(data, map, &parameters, budget, coins)
    };
    // The vector of labels has norm at most 1.
    let mut pairs = small(check, &[Others::Aside(0)], ONE)?;
    let others = Others::Anywhere(16);
    pairs.extend(large(check, true, others, Change::Label, 32)?);
    let small_labels = "1,000 labels of norm at most 1 are small ones, and one record moves little";
    let mut reasons = vec![("1000 records, substitute one record", small_labels)];
    if check.thorough() {
        reasons.push(("1000 records, add or remove one record", small_labels));
    }
    near_its_promise(check, LEARN, &learn, &pairs, &reasons)?;
    let stub = |data: &Dataset, map: &FeatureMap, budget: &Budget, coins: &mut Meter| {
        let features = data.features(map)?;
        ridge_of_normed_labels::fit_with(data, &features, &parameters, outwards)?
            .release(budget, coins)
    };
    near_its_promise(check, ERRING, &stub, &small(check, &[], ONE)?, &[])
}

/// R3.
pub(super) fn ridge_of_bounded_labels(check: &mut Check) -> Result<(), Trouble> {
    let parameters = RidgeParameters {
        penalty: integer(1),
        coefficient_grid: Grid::new(20)?,
    };
    let learn = |data: &Dataset, map: &FeatureMap, budget: &Budget, coins: &mut Meter| {
        ridge_of_bounded_labels::learn(data, map, &parameters, budget, coins)
    };
    let mut pairs = small(
        check,
        &[Others::Aside(-ONE), Others::Tilted(ONE, -ONE)],
        ONE,
    )?;
    // Cosines of 0.021 are about the best for Lambda = 1 and 1,000 records.
    let tilted = Others::Tilted(1587, -ONE);
    pairs.extend(large(check, false, tilted, Change::Removed(0), ONE)?);
    let others = Others::Anywhere(ONE);
    pairs.extend(large(check, true, others, Change::Label, ONE)?);
    let mut reasons = vec![(
        "1000 records, substitute one record",
        "the bound under substitution is not known to be attained at Lambda = 1, and records anywhere move the minimum less",
    )];
    if !check.quick() {
        reasons.push((
            "2 records, add or remove one record",
            "beside a single other record, orthogonal or tilted, one moves the minimum less than the bound allows",
        ));
    }
    near_its_promise(check, LEARN, &learn, &pairs, &reasons)?;
    let stub = |data: &Dataset, map: &FeatureMap, budget: &Budget, coins: &mut Meter| {
        let features = data.features(map)?;
        ridge_of_bounded_labels::fit_with(data, &features, &parameters, outwards)?
            .release(budget, coins)
    };
    near_its_promise(check, ERRING, &stub, &small(check, &[], ONE)?, &[])
}

/// A solver that errs by all of its tolerance: the minimum, moved away from 0 along its largest coefficient, or
/// downwards if it is 0.
fn outwards(
    features: &FeatureMatrix,
    labels: &[i64],
    limits: &ridge::Limits,
    penalty: &Rational,
    tolerance: &Rational,
) -> Result<ridge::Solution, OptimiseError> {
    let close = tolerance / BigInt::from(1 << 10);
    let mut solution = ridge::solve(features, labels, limits, penalty, &close)?;
    let left = (tolerance - &solution.gap) * (BigInt::one() << solution.bits);
    let step = left.to_integer().to_i64().unwrap_or(0);
    let c = &mut solution.coefficients;
    let largest = (0..c.len()).rev().max_by_key(|&k| c[k].unsigned_abs());
    if let Some(largest) = largest {
        c[largest] += if c[largest] > 0 { step } else { -step };
    }
    solution.gap = tolerance.clone();
    Ok(solution)
}

/// R4, in both orders.
pub(super) fn clipped_kaczmarz(check: &mut Check) -> Result<(), Trouble> {
    let beside = [Others::Aside(ONE), Others::Tilted(ONE, -ONE)];
    for order in [Order::Random, Order::AsGiven] {
        let parameters = |bits: u32| -> Result<clipped_kaczmarz::Parameters, NumberError> {
            Ok(clipped_kaczmarz::Parameters {
                residual_bound: integer(1),
                order,
                coefficient_grid: Grid::new(bits)?,
            })
        };
        let fine = parameters(30)?;
        let learn = |data: &Dataset, map: &FeatureMap, budget: &Budget, coins: &mut Meter| {
            clipped_kaczmarz::learn(data, map, &fine, budget, coins)
        };
        // 1. Near the promise.
        let hidden = order == Order::Random;
        let name = if hidden {
            "`learn` in a hidden order"
        } else {
            "`learn` in the given order"
        };
        let mut pairs = small(check, if check.thorough() { &beside } else { &[] }, ONE)?;
        if hidden || check.thorough() {
            let others = Others::Aside(0);
            pairs.extend(large(check, false, others, Change::Removed(0), ONE)?);
        }
        near_its_promise(check, name, &learn, &pairs, &[])?;
        if !hidden {
            continue;
        }
        // 2. A hidden order hides that of the records.
        let space = sixteen_frequencies(true)?;
        let reordered = pair(&space, 1000, Others::Anywhere(ONE), Change::Order, ONE)?;
        no_cost_of_the_order(check, &learn, &reordered)?;
        // 3. On a coarse grid the rounding, which grows with the cap, is a large part of the sensitivity.
        let coarse = parameters(8)?;
        let learn = |data: &Dataset, map: &FeatureMap, budget: &Budget, coins: &mut Meter| {
            clipped_kaczmarz::learn(data, map, &coarse, budget, coins)
        };
        let removed = pair(&one_frequency()?, 2, beside[1], Change::Removed(0), ONE)?;
        let report = removed.meter(&learn, drawn())?;
        check.certified(format_args!("the same in steps of 2^-8: {}", removed.name));
        check.sound(&report, &removed.name);
    }
    Ok(())
}

/// Ridge regression with Gamma noise.
pub(super) fn ridge_with_gamma_noise(check: &mut Check) -> Result<(), Trouble> {
    use ridge_with_gamma_noise::{Parameters, Record, learn};
    check.certified("`learn` metered at epsilon = 1 on neighbours of 1, 2 and 3 records in the plane and of 1,000 in four dimensions: a label turned, the opposite record; on the same records in another order, where the loss is exactly 0; and one record removed, which is refused");
    let less = "the other records are anywhere, and beside them one moves the fit less than the bound allows";
    for (m, dimension) in [(1, 1), (1, 2), (2, 2), (3, 2), (1000, 4)] {
        let coins = &mut ChaCha::reproducible(m as u64, 12);
        let quarters = |numbers: &[i64], y: i64| Record {
            x: numbers.iter().map(|&k| ratio(k, 4)).collect(),
            y: ratio(y, 4),
        };
        let mut rest = Vec::new();
        for _ in 1..m {
            let mut x = Vec::new();
            for _ in 0..dimension {
                x.push(coins.bits(2)? as i64 - 2);
            }
            rest.push(quarters(&x, coins.bits(3)? as i64 - 4));
        }
        let axis = |length: i64| {
            let mut x = vec![0; dimension];
            x[0] = length;
            x
        };
        let with = |record: Record| [&[record][..], &rest].concat();
        let first = with(quarters(&axis(4), 4));
        let parameters = Parameters {
            dimension,
            records: m,
            label_bound: integer(1),
            penalty: integer(1),
            grid_bits: 20,
        };
        let epsilon = integer(1);
        let claim = budgets::pure(epsilon.clone())?;
        let learner =
            |data: &Vec<Record>, coins: &mut Meter| learn(data, &parameters, &epsilon, coins);
        let of_shape = format!("m = {m}, d = {dimension}");
        let reasons = [("the release", less)];
        check.family(of_shape, if m > 1 { &reasons } else { &[] }, |family| {
            for (name, second) in [
                ("the label turned", with(quarters(&axis(4), -4))),
                ("the opposite record", with(quarters(&axis(-4), 4))),
            ] {
                family.run(name, learner, (&first, &second), drawn(), &claim)?;
            }
            Ok(())
        })?;
        // Removal is not claimed. The number of records is public, and no other number is taken, whatever the records.
        let refused = learn(&rest, &parameters, &epsilon, coins);
        check.holds(
            matches!(refused, Err(RandomFeatureError::Count { .. })),
            format_args!("m = {m}, d = {dimension}, one removed: {refused:?}"),
        );
        let reversed: Vec<Record> = first.iter().rev().cloned().collect();
        let report = judge(&lockstep(learner, &first, &reversed, drawn()), &claim)?;
        check.holds(
            report.is_sound() && report.loss.is_zero(),
            format_args!("m = {m}, d = {dimension}, reversed: {report}"),
        );
    }
    Ok(())
}

/// Algorithm 1 as printed with complex features: what it releases beside the noise. All draws are the same, and the results
/// are not.
pub(super) fn complex(check: &mut Check) -> Result<(), Trouble> {
    check.exact("Algorithm 1 as printed in lockstep on X1, at the same outcomes");
    let (algorithm, x) = (algorithm()?, x1());
    let run = |labels: &Vec<Rational>, coins: &mut Meter| {
        algorithm.release_not_private(&x.rows, labels, 20, coins)
    };
    let runs = lockstep(run, &x.labels, &x.neighbour, drawn());
    let unequal = match (&runs.first, &runs.second) {
        (Ok(one), Ok(two)) => one.real == two.real && one.imaginary != two.imaginary,
        _ => false,
    };
    check.refutes(
        runs.parted.is_none() && unequal,
        "X1: the imaginary part of the output is that of c, and never that of the neighbour's",
    );
    promises_as_claimed(check, &runs, &algorithm.claimed, "X1")?;
    Ok(())
}

/// Algorithm 1 as printed with real features: noise that is too small.
pub(super) fn as_printed(check: &mut Check) -> Result<(), Trouble> {
    // 1. Features of norm sqrt(2) at N = 2: (1, 1), and that turned by about 2/n.
    check.certified("Algorithm 1 as printed in lockstep on near-duplicates at N = 2, n = 50 with real features: the exact delta(1) of its two laws");
    let (algorithm, x) = (algorithm()?, x1());
    let (cosine, sine) = point_of_the_circle(50);
    let rows = [
        reals(&[integer(1), integer(1)]),
        reals(&[&cosine + &sine, &cosine - &sine]),
    ];
    let run = |labels: &Vec<Rational>, coins: &mut Meter| {
        algorithm.release_not_private(&rows, labels, 0, coins)
    };
    let runs = lockstep(run, &x.labels, &x.neighbour, drawn());
    let on_grid = |labels: &[Rational]| -> Result<Vec<i64>, Trouble> {
        let c = minimum_norm(&rows, &reals(labels))?;
        let steps = c.iter().map(|c| c.re.round().to_integer().to_i64());
        Ok(steps.map(|step| step.unwrap_or(0)).collect())
    };
    let (one, two) = (on_grid(&x.labels)?, on_grid(&x.neighbour)?);
    let shift: Vec<i64> = one.iter().zip(&two).map(|(a, b)| a - b).collect();
    let squared: i64 = shift.iter().map(|k| k * k).sum();
    let [account] = &runs.accounts[..] else {
        return Err(CoinsError::NoOutcome.into());
    };
    let [shifts] = &account.gaussian[..] else {
        return Err(CoinsError::NoOutcome.into());
    };
    check.holds(
        runs.parted.is_none() && shifts.farthest.squared == BigInt::from(squared),
        format_args!("the coefficients differ by {shift:?}, the laws drawn by {shifts:?}"),
    );
    let shown = profile_of_shift(&shifts.farthest.variance, &shift, &integer(1), 40)?;
    // 2. What is promised of that draw is what is printed, and the pair breaks it.
    let report = promises_as_claimed(check, &runs, &algorithm.claimed, "near-duplicates")?;
    check.holds(
        beyond_its_promise(&report),
        format_args!("near-duplicates: {report}"),
    );
    check.refutes(
        shown.is_above_rational(algorithm.claimed.delta()),
        "near-duplicates with real features and opposite labels, N = 2: the release itself",
    );
    check.figure(
        "delta(1) of the release on near-duplicates at N = 2, n = 50",
        &shown,
    );
    Ok(())
}

/// The one stage of an algorithm as printed promises the budget that is claimed, neither more nor less. Gives what the
/// meter says of the two runs.
fn promises_as_claimed<T: Published>(
    check: &mut Check,
    runs: &Lockstep<T>,
    claimed: &Budget,
    pair: &str,
) -> Result<Report, Trouble> {
    let report = judge(runs, claimed)?;
    let promise = Promise::Approximate {
        epsilon: claimed.epsilon().clone(),
        delta: claimed.delta().clone(),
    };
    let stages: Vec<&Stage> = report.stages.iter().map(|stage| &stage.stage).collect();
    check.holds(
        matches!(stages[..], [stage] if stage.each == promise && stage.whole == promise),
        format_args!("{pair}: the stages are {stages:?}, claimed is {claimed}"),
    );
    Ok(report)
}

/// Whether some draw is not within what its stage promises, as far as the meter's bound can say.
fn beyond_its_promise(report: &Report) -> bool {
    let mut attained = report
        .stages
        .iter()
        .filter_map(|stage| stage.attained.as_ref());
    attained.any(|share| *share > Rational::one())
}

/// The public program, on features where each input has one that is not 0.
pub(super) fn as_coded(check: &mut Check) -> Result<(), Trouble> {
    check.certified("the program's release in lockstep at N = 32 and 200, three inputs with one cosine 1 each and the others 0, a label that moves from 0 to 1: the exact delta(1) of its two laws");
    for root in [4usize, 10] {
        let n = 2 * root * root;
        let row = |input: usize| (0..n).map(|k| integer(i64::from(k == input))).collect();
        let rows = as_coded::features(&[row(0), row(1), row(2)])?;
        let claim = budget(integer(1))?;
        let learner = |labels: &Vec<Rational>, coins: &mut Meter| {
            as_coded::release_not_private(&rows, labels, &claim, 4, coins)
        };
        let labels = |first: i64| vec![integer(first), integer(1), integer(0)];
        let runs = lockstep(learner, &labels(0), &labels(1), drawn());
        let report = promises_as_claimed(check, &runs, &claim, "three inputs")?;
        check.holds(
            report.parted.is_none() && report.equal_results && beyond_its_promise(&report),
            format_args!("N = {n}: {report}"),
        );
        // One coordinate moves: the profile is exact.
        for shifts in runs.accounts.iter().flat_map(|account| &account.gaussian) {
            let law = DiscreteGaussian::new(shifts.farthest.variance.clone())?;
            let shift = shifts.farthest.squared.sqrt();
            let shown = law.profile(&shift, claim.epsilon(), 200)?;
            check.refutes(
                shifts.farthest.moved == 1 && shown.is_above_rational(claim.delta()),
                "inputs with one cosine 1 each and the others 0, the label of one 0 or 1: the release itself",
            );
            check.figure(
                format_args!("N = {n}: delta(1) of the release"),
                to_scientific_below(&shown.lower(), 4),
            );
        }
    }
    Ok(())
}
