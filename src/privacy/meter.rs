//! The meter: what a learner's draws cost on two neighbouring datasets, and whether they keep what it promises.
//!
//! [`meter()`] runs a learner on one dataset and, with the same outcomes, on the other
//! ([`lockstep`]), and judges what was drawn. Three things are asked:
//!
//! 1. **Results.** Did both runs draw laws of the same kinds in the same order, and return the same? Then whatever the
//!    data decide goes through a law that is drawn.
//! 2. **The pair.** What do the laws drawn compose to, for this pair and this transcript? That must be within the claim.
//! 3. **Promises.** Does each draw keep what its [`Stage`] promises; do these promises compose to that of the stage; and
//!    do those of the stages compose to the claim? The last two need no pair.
//!
//! What follows from it, and what does not, is in `spec/meter.md`. Everything is rounded to the side on which less is
//! promised.

use super::beside::found_beside;
use super::composition::{MOST_STEPS, optimal_delta};
use super::led::Panicked;
use super::one_record_descent::{composed_delta, own_epsilon};
use super::{Budget, NeighbouringRelation, PrivacyError, Published, Zcdp};
use super::{discrete_gaussian, noisy_answers};
use crate::coins::{
    Account, GaussianShift, HiddenThreshold, Lockstep, Loss, Meter, OneRecordSteps, Outcomes,
    Parted, Promise, Shifts, Stage, Together, Uses, lockstep,
};
use crate::number::Rational;
use crate::number::range::{above_zero, at_least_zero};
use crate::number::rational::{shortly, shortly_above};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Meters `learner` on two datasets that are neighbours under the relation of `claim`; where one has more records, it
/// is the first. `learner` gives its errors in its result: they are outputs like any other. A panic is a fault.
///
/// Reported is the run with these outcomes. If it shows no fault, the learner is run some more times: with the same
/// outcomes, and with others; [`Report::beside`] has what that shows.
///
/// # Errors
/// Those of the accounting; [`PrivacyError::Parameter`] if a stage promises what cannot be.
pub fn meter<D: Sync + ?Sized, T: Published + Send>(
    learner: impl Fn(&D, &mut Meter) -> T + Sync,
    first: &D,
    second: &D,
    outcomes: Outcomes,
    claim: &Budget,
) -> Result<Report, PrivacyError> {
    meter_any(&learner, [first, second], outcomes, claim)
}

/// The same, compiled once for all learners of such data and results.
fn meter_any<D: Sync + ?Sized, T: Published + Send>(
    learner: &(dyn Fn(&D, &mut Meter) -> T + Sync),
    [first, second]: [&D; 2],
    outcomes: Outcomes,
    claim: &Budget,
) -> Result<Report, PrivacyError> {
    // What a learner leaves broken it does not get back.
    let learner = |data: &D, coins: &mut Meter| {
        catch_unwind(AssertUnwindSafe(|| learner(data, coins)))
            .map_err(|panic| Panicked::of(&*panic))
    };
    let runs = lockstep(learner, first, second, outcomes.clone());
    let mut report = judge(&runs, claim)?;
    if report.is_sound() {
        let differing = RefCell::new(explaining(&runs));
        let first_fault = |runs: &Lockstep<_>| {
            let fault = judge(runs, claim)?.faults().into_iter().next();
            Ok(fault.or_else(|| not_explained(&mut differing.borrow_mut(), runs)))
        };
        let judged = (&runs, &first_fault as &_);
        report.beside = found_beside(&learner, [first, second], &outcomes, judged)?;
    }
    Ok(report)
}

/// What is wrong if no record explains what these runs read, and all runs before: one record differs in all of them.
fn not_explained<T>(differing: &mut Option<BTreeSet<u64>>, runs: &Lockstep<T>) -> Option<String> {
    let own = explaining(runs)?;
    let all = in_both(differing.take(), own);
    let none = all.is_empty();
    *differing = Some(all);
    none.then(|| "no one record explains what the rounds of all runs read".to_owned())
}

/// Judges two runs against a claim. Where the learner reads records by hidden numbers, and the caller knows which record
/// differs, [`Lockstep::differing_in`] says so: without it a record that is read more often may explain what the run shows.
///
/// # Errors
/// Those of the accounting.
pub fn judge<T: Published>(runs: &Lockstep<T>, claim: &Budget) -> Result<Report, PrivacyError> {
    let equal_results = runs.parted.is_none() && runs.first.page() == runs.second.page();
    let parted = runs.parted.clone();
    judge_accounts(
        (parted, equal_results),
        (&runs.accounts, runs.differing),
        claim,
    )
}

fn judge_accounts(
    (parted, equal_results): (Option<Parted>, bool),
    (accounts, differing): (&[Account], Option<u64>),
    claim: &Budget,
) -> Result<Report, PrivacyError> {
    for stage in accounts.iter().filter_map(|account| account.stage.as_ref()) {
        check_promise(&stage.each)?;
        check_promise(&stage.whole)?;
    }
    let loss = accounts
        .iter()
        .fold(Loss::none(), |loss, account| loss.plus(&account.loss));
    Ok(Report {
        claim: claim.clone(),
        parted,
        equal_results,
        loss,
        cost: cost(accounts, differing, claim)?,
        promised: promised(accounts, claim)?,
        stages: stages(accounts, differing, claim)?,
        beside: None,
    })
}

/// What the meter says of two runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What the learner claims.
    pub claim: Budget,
    /// Where the runs parted, if they did.
    pub parted: Option<Parted>,
    /// Whether the results are equal: byte by byte, as they are published ([`Published`]).
    pub equal_results: bool,
    /// The privacy loss of this transcript.
    pub loss: Loss,
    /// What the laws drawn compose to, for this pair.
    pub cost: Cost,
    /// What the promises of the stages compose to; `None` where the learner states no stage.
    pub promised: Option<Cost>,
    /// Stage by stage.
    pub stages: Vec<StageReport>,
    /// What is wrong that this run does not show, and others do. Only [`meter()`] runs others, and only if this one
    /// shows no fault.
    pub beside: Option<String>,
}

/// What draws cost together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cost {
    /// (epsilon, delta), rounded up.
    Bounded {
        /// Epsilon: that of the claim, or more.
        epsilon: Rational,
        /// Delta at this epsilon.
        delta: Rational,
    },
    /// Nothing bounds it, and why.
    Unbounded(&'static str),
}

/// A stage of the learner, all of its accounts together.
#[derive(Debug, Clone, PartialEq)]
pub struct StageReport {
    /// The stage.
    pub stage: Stage,
    /// How often it was begun.
    pub times: u64,
    /// How many draws were made in it, hidden ones not counted.
    pub draws: u64,
    /// What part of its promise the costliest draw takes, 1 being all of it: of epsilon for a pure promise, of rho for
    /// Gaussian noise and a concentrated one, and of delta at the promised epsilon for the others. `None` if nothing
    /// bounds that draw.
    pub attained: Option<Rational>,
    /// Whether it made as many draws each time as it states, or no more where it may end early; of rounds, whether no more
    /// than it states were not quiet, and one threshold was drawn where there is to be one.
    pub counted: bool,
    /// Whether the promises of the draws compose to that of the stage.
    pub composes: bool,
}

impl Report {
    /// Everything that is wrong: empty if this pair and transcript show no fault.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if let Some(parted) = &self.parted {
            faults.push(format!("the runs parted: {parted}"));
        } else if !self.equal_results {
            faults.push("equal outcomes gave different results".to_owned());
        }
        if let Some(fault) = self.cost.beyond(&self.claim) {
            faults.push(format!("the draws {fault}"));
        }
        if let Some(fault) = self
            .promised
            .as_ref()
            .and_then(|cost| cost.beyond(&self.claim))
        {
            faults.push(format!("the promises of the stages {fault}"));
        }
        for report in &self.stages {
            let name = report.stage.name;
            match &report.attained {
                None => faults.push(format!("{name}: a draw keeps no promise of this kind")),
                Some(share) if *share > Rational::one() => {
                    faults.push(format!(
                        "{name}: a draw takes {} of its promise",
                        shortly(share)
                    ));
                }
                Some(_) => {}
            }
            if !report.counted {
                faults.push(format!("{name}: not as many draws as stated"));
            }
            if !report.composes {
                faults.push(format!("{name}: its draws do not compose to its promise"));
            }
        }
        faults.extend(self.beside.clone());
        faults
    }

    /// Whether there is no fault. Of a learner that states no stage only the pair is judged: see whether
    /// [`Self::promised`] is there.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.faults().is_empty()
    }

    /// What part of the claim this pair takes, 1 being all of it: of epsilon for a pure claim, and otherwise of delta at
    /// the claimed epsilon. `None` if nothing bounds it.
    #[must_use]
    pub fn attained(&self) -> Option<Rational> {
        match &self.cost {
            Cost::Bounded { delta, .. } if self.claim.delta().is_positive() => {
                Some(delta / self.claim.delta())
            }
            Cost::Bounded { epsilon, .. } => Some(epsilon / self.claim.epsilon()),
            Cost::Unbounded(_) => None,
        }
    }
}

impl Cost {
    /// The larger epsilon and the larger delta of two, of which one only is paid.
    fn or_the_larger(self, other: Self) -> Self {
        match (self, other) {
            (
                Self::Bounded { epsilon, delta },
                Self::Bounded {
                    epsilon: others,
                    delta: fails,
                },
            ) => Self::Bounded {
                epsilon: epsilon.max(others),
                delta: delta.max(fails),
            },
            (unbounded @ Self::Unbounded(_), _) | (_, unbounded) => unbounded,
        }
    }

    /// How it goes beyond the claim, if it does.
    fn beyond(&self, claim: &Budget) -> Option<String> {
        match self {
            Self::Unbounded(why) => Some(format!("have no bound: {why}")),
            Self::Bounded { epsilon, delta } => {
                let within = epsilon <= claim.epsilon() && delta <= claim.delta();
                let (epsilon, delta) = (shortly(epsilon), shortly(delta));
                (!within).then(|| format!("cost (epsilon = {epsilon}, delta = {delta})"))
            }
        }
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bounded { epsilon, delta } => write!(
                formatter,
                "epsilon = {}, delta = {}",
                shortly_above(epsilon),
                shortly_above(delta)
            ),
            Self::Unbounded(why) => write!(formatter, "no bound: {why}"),
        }
    }
}

impl fmt::Display for Report {
    /// Some lines of text; of the data they show what the report shows, which is private.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "claim: {}", self.claim)?;
        writeln!(formatter, "this pair: {}", self.cost)?;
        for report in &self.stages {
            let share = report
                .attained
                .as_ref()
                .map_or("no bound".to_owned(), shortly);
            writeln!(
                formatter,
                "{}: {} draws, at most {share} of its promise",
                report.stage.name, report.draws
            )?;
        }
        for fault in self.faults() {
            writeln!(formatter, "FAULT: {fault}")?;
        }
        Ok(())
    }
}

/// The worst of several reports, stage by stage: what part of each promise some pair or transcript takes.
#[derive(Debug, Clone, Default)]
pub struct Worst {
    stages: Vec<(&'static str, Rational)>,
}

impl Worst {
    /// Enters a report; a stage whose promise is that nothing depends on the data has no share.
    pub fn enter(&mut self, report: &Report) {
        for stage in &report.stages {
            let Some(share) = &stage.attained else {
                continue;
            };
            if stage.stage.each == Promise::Public {
                continue;
            }
            let name = stage.stage.name;
            match self.stages.iter_mut().find(|(known, _)| *known == name) {
                Some((_, worst)) => *worst = (&*worst).max(share).clone(),
                None => self.stages.push((name, share.clone())),
            }
        }
    }

    /// The stages in the order in which they were met, and the largest part of each promise.
    #[must_use]
    pub fn stages(&self) -> &[(&'static str, Rational)] {
        &self.stages
    }
}

/// That no number of a promise is negative, so that none makes up for another.
fn check_promise(promise: &Promise) -> Result<(), PrivacyError> {
    let zero = Rational::zero();
    let (epsilon, delta, rho) = match promise {
        Promise::Public => (&zero, &zero, &zero),
        Promise::Pure(epsilon) => (epsilon, &zero, &zero),
        Promise::Approximate { epsilon, delta } => (epsilon, delta, &zero),
        Promise::Concentrated(rho) => (&zero, &zero, rho),
        Promise::OfOneRecord { epsilon, delta, .. } => (epsilon, delta, &zero),
        Promise::Gaussian(shift) => {
            above_zero("the variance of a promise", &shift.variance)?;
            (&zero, &zero, &shift.rho())
        }
    };
    at_least_zero("the epsilon of a promise", epsilon)?;
    at_least_zero("the delta of a promise", delta)?;
    Ok(at_least_zero("the rho of a promise", rho)?)
}

/// What all draws compose to: pure losses add up, or compose as their stage says; Gaussians add their rho, and those of one variance are also certified
/// as one that is as far apart as all of them together (`spec/random-features.md`, `lnsx25.r6`), the better of the two;
/// steps on one record follow the descent's theorem. Each of the last two kinds gets an equal part of the epsilon that
/// pure losses leave.
fn cost(
    accounts: &[Account],
    differing: Option<u64>,
    claim: &Budget,
) -> Result<Cost, PrivacyError> {
    if let Some(why) = accounts.iter().find_map(|account| account.unbounded) {
        return Ok(Cost::Unbounded(why));
    }
    // Rounds of hidden uses cost what they promise at the part of it that this path takes.
    let (rounds, others): (Vec<&Account>, Vec<&Account>) =
        accounts.iter().partition(|account| account.reads.is_some());
    let (mut pure, mut delta) = (Rational::zero(), Rational::zero());
    for account in rounds {
        let Some((epsilon, fails)) = cost_of_rounds(account, differing)? else {
            return Ok(Cost::Unbounded("no record explains what the rounds read"));
        };
        pure += epsilon;
        delta += fails;
    }
    for account in &others {
        if account
            .threshold
            .as_ref()
            .is_some_and(|kept| kept.forward.quiet.is_positive())
        {
            return Ok(Cost::Unbounded(
                "a quiet outcome is likelier on the first dataset",
            ));
        }
        let (epsilon, fails) = cost_of_pure(account)?;
        pure += epsilon;
        delta += fails;
    }
    let gaussian = all_gaussian(others.iter().copied());
    let steps = all_one_record(others.iter().copied());
    let kinds = usize::from(!gaussian.is_empty()) + steps.len();
    if kinds == 0 {
        return Ok(Cost::Bounded {
            epsilon: pure,
            delta: delta.min(Rational::one()),
        });
    }
    let epsilon = claim.epsilon().max(&pure).clone();
    let share = (&epsilon - pure) / BigInt::from(kinds);
    if !gaussian.is_empty() {
        delta += gaussian_delta(&gaussian, &share, claim.neighbours())?;
    }
    for group in &steps {
        delta += one_record_delta(group, &share, claim)?;
    }
    Ok(Cost::Bounded {
        epsilon,
        delta: delta.min(Rational::one()),
    })
}

/// What rounds of hidden uses cost: nothing if nothing differs; otherwise their epsilon, and the delta of as many uses if
/// one costs the part of its promise that this path takes. `None`: nothing bounds it.
fn cost_of_rounds(
    account: &Account,
    differing: Option<u64>,
) -> Result<Option<(Rational, Rational)>, PrivacyError> {
    let Some(stage) = &account.stage else {
        return Ok(None);
    };
    let (
        Together::HiddenUses(uses),
        Promise::Concentrated(of_one),
        Promise::Approximate { epsilon, delta },
    ) = (&stage.together, &stage.each, &stage.whole)
    else {
        return Ok(None);
    };
    match part_of_uses(account, differing, uses, of_one) {
        None => Ok(None),
        Some(part) if part.is_zero() => Ok(Some((Rational::zero(), Rational::zero()))),
        Some(_) if !delta.is_positive() => Ok(None),
        Some(part) => {
            let delta = uses.delta_for(&(of_one * part), epsilon, delta)?;
            Ok(Some((epsilon.clone(), delta)))
        }
    }
}

/// What the draws of a stage cost whose promise is not the sum of theirs: pure ones that compose to an approximate promise,
/// optimally or as rounds. It is their sum, if that is within its epsilon; otherwise its epsilon, with the delta at which
/// the largest loss on this path composes to it.
fn cost_of_pure(account: &Account) -> Result<(Rational, Rational), PrivacyError> {
    let sum = account.pure.sum.clone();
    let nothing = Rational::zero();
    let Some(stage) = &account.stage else {
        return Ok((sum, nothing));
    };
    if let (Some(kept), Together::Above { updates, .. }) = (&account.threshold, &stage.together) {
        let rounds = &kept.forward.loud * BigInt::from(*updates);
        return Ok((&kept.moved + rounds, nothing));
    }
    let (Promise::Pure(_), Promise::Approximate { epsilon, .. }) = (&stage.each, &stage.whole)
    else {
        return Ok((sum, nothing));
    };
    if sum <= *epsilon {
        return Ok((sum, nothing));
    }
    let largest = &account.pure.largest;
    let delta = match &stage.together {
        Together::Rounds { updates } => noisy_answers::delta(largest, *updates, epsilon)?,
        Together::Sums => delta_of_pure(largest, account.different, epsilon)?,
        Together::OnEveryPath | Together::HiddenUses(_) | Together::Above { .. } => {
            return Ok((sum, nothing));
        }
    };
    Ok((epsilon.clone(), delta))
}

/// Delta at `epsilon` of so many pure draws (Kairouz, Oh, Viswanath 2015), rounded up; 1 for more than can be summed.
fn delta_of_pure(
    each: &Rational,
    draws: u64,
    epsilon: &Rational,
) -> Result<Rational, PrivacyError> {
    if draws == 0 || each.is_zero() {
        return Ok(Rational::zero());
    }
    if draws > MOST_STEPS {
        return Ok(Rational::one());
    }
    let each = Budget::pure(each.clone(), NeighbouringRelation::Substitute)?;
    Ok(optimal_delta(&each, draws, epsilon, 64)?
        .upper()
        .min(Rational::one()))
}

/// What part of `j^2 of_one` the draws take, for the record that differs; or, if that is not known, for the record that
/// explains them best: the least, over all records, of the largest part of a draw for which the record is read `j` times.
/// `None` if no such record is read for each of the draws that differ, or the numbers of the records are not those that
/// the stage speaks of.
fn part_of_uses(
    account: &Account,
    differing: Option<u64>,
    uses: &Uses,
    of_one: &Rational,
) -> Option<Rational> {
    match parts_of_records(account, uses, of_one)? {
        None => Some(Rational::zero()),
        Some(mut parts) => match differing {
            Some(record) => parts.remove(&record),
            None => parts.into_values().min(),
        },
    }
}

/// What part of `j^2 of_one` the draws take, for each record that is read for all draws that differ; of no record it is said if
/// none differs. `None` if the numbers of the records are not those that the stage speaks of.
fn parts_of_records(
    account: &Account,
    uses: &Uses,
    of_one: &Rational,
) -> Option<Option<BTreeMap<u64, Rational>>> {
    let reads = account.reads.as_ref()?;
    if account.unbounded.is_some() || !account.one_record.is_empty() {
        return None;
    }
    let phases = uses.draws_of_phase.repeat(uses.rounds as usize);
    let drawn: u64 = phases.iter().sum();
    let fits = reads.records == Some(uses.records)
        && reads.numbers.len() as u64 == drawn
        && reads.rho_of_draw.len() == phases.len();
    if !fits {
        return None;
    }
    // How often each record is read in the phases whose draws differ; whoever misses one is out.
    let mut parts: Option<BTreeMap<u64, Rational>> = None;
    let mut rest = &reads.numbers[..];
    for (draws, rho) in phases.iter().zip(&reads.rho_of_draw) {
        let (numbers, later) = rest.split_at(*draws as usize);
        rest = later;
        if rho.is_zero() {
            continue;
        }
        let mut times: BTreeMap<u64, u64> = BTreeMap::new();
        for number in numbers {
            *times.entry(*number).or_default() += 1;
        }
        let of_draw = |times: u64| part(rho, &(of_one * BigInt::from(times) * BigInt::from(times)));
        let mut next = BTreeMap::new();
        for (record, times) in times {
            let before = match &parts {
                None => Some(Rational::zero()),
                Some(parts) => parts.get(&record).cloned(),
            };
            if let Some(worst) = both(before, of_draw(times)) {
                next.insert(record, worst);
            }
        }
        parts = Some(next);
    }
    Some(parts)
}

/// The records of which each alone explains all that these runs read by hidden numbers; `None` if nothing differs there.
fn explaining<T>(runs: &Lockstep<T>) -> Option<BTreeSet<u64>> {
    let mut all: Option<BTreeSet<u64>> = None;
    for account in &runs.accounts {
        let Some(stage) = &account.stage else {
            continue;
        };
        let (Together::HiddenUses(uses), Promise::Concentrated(of_one)) =
            (&stage.together, &stage.each)
        else {
            continue;
        };
        if let Some(Some(parts)) = parts_of_records(account, uses, of_one) {
            let within = parts
                .into_iter()
                .filter(|(_, part)| *part <= Rational::one());
            let own = within.map(|(record, _)| record).collect();
            all = Some(in_both(all, own));
        }
    }
    all
}

fn in_both(all: Option<BTreeSet<u64>>, own: BTreeSet<u64>) -> BTreeSet<u64> {
    match all {
        Some(all) => all.intersection(&own).copied().collect(),
        None => own,
    }
}

/// Delta at `epsilon` of Gaussian draws.
fn gaussian_delta(
    draws: &[Shifts],
    epsilon: &Rational,
    neighbours: NeighbouringRelation,
) -> Result<Rational, PrivacyError> {
    let rho = draws.iter().map(Shifts::rho).sum();
    let concentrated = Zcdp::new(rho, neighbours)?.delta(epsilon)?;
    let Some((first, rest)) = draws.split_first() else {
        return Ok(concentrated);
    };
    let variance = &first.farthest.variance;
    if rest
        .iter()
        .any(|shifts| shifts.farthest.variance != *variance)
    {
        return Ok(concentrated);
    }
    let together = GaussianShift {
        squared: draws.iter().map(|shifts| &shifts.squared_in_all).sum(),
        moved: draws.iter().fold(0u64, |moved, shifts| {
            moved.saturating_add(shifts.draws.saturating_mul(shifts.farthest.moved))
        }),
        variance: variance.clone(),
    };
    Ok(concentrated.min(shift_delta(&together, epsilon)?))
}

/// Delta at `epsilon` of one Gaussian vector.
fn shift_delta(shift: &GaussianShift, epsilon: &Rational) -> Result<Rational, PrivacyError> {
    discrete_gaussian::delta(&shift.variance, &shift.squared, shift.moved, epsilon)
}

/// The Gaussian draws of all accounts, by their variance.
fn all_gaussian<'a>(accounts: impl Iterator<Item = &'a Account>) -> Vec<Shifts> {
    Shifts::by_variance(accounts.flat_map(|account| account.gaussian.iter().cloned()))
}

/// The steps on one record of all accounts, by the number of records and the variance.
fn all_one_record<'a>(accounts: impl Iterator<Item = &'a Account>) -> Vec<OneRecordSteps> {
    OneRecordSteps::by_variance(accounts.flat_map(|account| account.one_record.iter().cloned()))
}

/// Delta at `epsilon` of steps that read one hidden record each, all of them taken for as far apart as the farthest.
fn one_record_delta(
    steps: &OneRecordSteps,
    epsilon: &Rational,
    claim: &Budget,
) -> Result<Rational, PrivacyError> {
    let (records, draws) = (steps.records, steps.read.draws);
    if !epsilon.is_positive() || !claim.delta().is_positive() {
        return Ok(Rational::one());
    }
    // Any epsilon of a step would do; this is the one that the descent's calibration chooses.
    let whole = Budget::approximate(epsilon.clone(), claim.delta().clone(), claim.neighbours())?;
    let own_epsilon = own_epsilon(&whole, records, draws)?;
    let own_delta = shift_delta(&steps.read.farthest, &own_epsilon)?;
    if own_delta >= Rational::one() {
        return Ok(Rational::one());
    }
    let own = Budget::approximate(own_epsilon, own_delta, claim.neighbours())?;
    composed_delta(&own, records, draws, epsilon)
}

/// What the promises of the stages compose to; a draw that is not public before the first stage promises nothing.
fn promised(accounts: &[Account], claim: &Budget) -> Result<Option<Cost>, PrivacyError> {
    if accounts.iter().all(|account| account.stage.is_none()) {
        return Ok(None);
    }
    let is_apart = |account: &&Account| account.stage.as_ref().is_some_and(|it| it.is_apart);
    let (apart, others): (Vec<&Account>, Vec<&Account>) = accounts.iter().partition(is_apart);
    let cost = promised_together(&others, claim)?;
    if apart.is_empty() {
        return Ok(Some(cost));
    }
    let differ = |part: &[&Account]| part.iter().any(|account| account.different > 0);
    let why = if claim.neighbours() != NeighbouringRelation::Substitute {
        "stages are apart under substitution only"
    } else if differ(&apart) && differ(&others) {
        "stages that are apart read the same record"
    } else {
        return Ok(Some(cost.or_the_larger(promised_together(&apart, claim)?)));
    };
    Ok(Some(Cost::Unbounded(why)))
}

/// What the promises of these stages add up to.
fn promised_together(accounts: &[&Account], claim: &Budget) -> Result<Cost, PrivacyError> {
    let (mut epsilon, mut delta, mut rho) = (Rational::zero(), Rational::zero(), Rational::zero());
    for account in accounts {
        let Some(stage) = &account.stage else {
            if account.different > 0 {
                return Ok(Cost::Unbounded("a draw stands before all stages"));
            }
            continue;
        };
        match &stage.whole {
            Promise::Public => {}
            Promise::Pure(whole) => epsilon += whole,
            Promise::Approximate {
                epsilon: whole,
                delta: fails,
            } => {
                epsilon += whole;
                delta += fails;
            }
            Promise::Concentrated(whole) => rho += whole,
            Promise::Gaussian(shift) => rho += shift.rho(),
            Promise::OfOneRecord { .. } => {
                return Ok(Cost::Unbounded(
                    "a stage promises something of one record only",
                ));
            }
        }
    }
    if rho.is_positive() {
        let left = (claim.epsilon() - &epsilon).max(Rational::zero());
        delta += Zcdp::new(rho, claim.neighbours())?.delta(&left)?;
        epsilon += left;
    }
    Ok(Cost::Bounded { epsilon, delta })
}

/// Stage by stage, in the order in which they first begin.
fn stages(
    accounts: &[Account],
    differing: Option<u64>,
    claim: &Budget,
) -> Result<Vec<StageReport>, PrivacyError> {
    let mut known: Vec<&Stage> = Vec::new();
    for stage in accounts.iter().filter_map(|account| account.stage.as_ref()) {
        if !known.contains(&stage) {
            known.push(stage);
        }
    }
    let report = |stage: &Stage| {
        let of_it = |account: &&Account| account.stage.as_ref() == Some(stage);
        let accounts: Vec<&Account> = accounts.iter().filter(of_it).collect();
        let counted = |account: &&Account| match (&stage.together, stage.draws) {
            (Together::Rounds { updates }, _) => account.loud <= *updates,
            (Together::Above { updates, .. }, _) => {
                let once = |kept: &HiddenThreshold| kept.draws == 1;
                let threshold = account.threshold.as_ref().is_some_and(once);
                account.loud <= *updates && account.hidden == 0 && threshold
            }
            (_, None) => true,
            (_, Some(draws)) if stage.may_end => account.draws <= draws,
            (_, Some(draws)) => account.draws == draws,
        };
        Ok(StageReport {
            stage: stage.clone(),
            times: accounts.len() as u64,
            draws: accounts.iter().map(|account| account.draws).sum(),
            attained: attained_together(&accounts, differing, stage)?,
            counted: accounts.iter().all(counted),
            composes: composes(stage, claim)?,
        })
    };
    known.into_iter().map(report).collect()
}

/// What part of the promise of a draw the costliest draw takes; or, if that is more, what part of the promise of a path
/// the costliest path. `None` if nothing bounds it.
fn attained_together(
    accounts: &[&Account],
    differing: Option<u64>,
    stage: &Stage,
) -> Result<Option<Rational>, PrivacyError> {
    match (&stage.together, &stage.each, &stage.whole) {
        (Together::Sums, each, _) | (Together::Rounds { .. }, each @ Promise::Pure(_), _) => {
            attained(accounts, each)
        }
        (Together::OnEveryPath, each, Promise::Concentrated(whole)) => {
            let mut worst = attained(accounts, each)?;
            for account in accounts {
                let gaussian: Rational = account.gaussian.iter().map(Shifts::rho).sum();
                // Sum of e_t^2/2 <= (sum of e_t) (largest)/2.
                let pure = &account.pure.sum * &account.pure.largest / BigInt::from(2);
                worst = both(worst, part(&(gaussian + pure), whole));
            }
            Ok(worst)
        }
        // Of the same variance, as `attained` asks.
        (Together::OnEveryPath, each @ Promise::Gaussian(shift), Promise::Approximate { .. }) => {
            let mut worst = attained(accounts, each)?;
            for account in accounts {
                let rho = account.gaussian.iter().map(Shifts::rho).sum();
                worst = both(worst, part(&rho, &shift.rho()));
            }
            Ok(worst)
        }
        (Together::Above { moved, .. }, Promise::Pure(loss), _) => {
            let mut worst = Some(Rational::zero());
            for account in accounts {
                let kept = account.threshold.as_ref().filter(|kept| {
                    account.unbounded.is_none() && !kept.forward.quiet.is_positive()
                });
                let Some(kept) = kept else {
                    return Ok(None);
                };
                // The threshold always takes all of its promise; more is a fault, and otherwise the rounds are of interest.
                let threshold = part(&kept.moved, moved).filter(|part| *part <= Rational::one());
                let rounds = part(&kept.forward.loud, loss).filter(|_| threshold.is_some());
                worst = both(worst, rounds);
            }
            Ok(worst)
        }
        (Together::HiddenUses(uses), Promise::Concentrated(of_one), _) => {
            let mut worst = Some(Rational::zero());
            for account in accounts {
                worst = both(worst, part_of_uses(account, differing, uses, of_one));
            }
            Ok(worst)
        }
        _ => Ok(None),
    }
}

/// What part of the promise of each draw the costliest draw of some accounts takes; `None` if nothing bounds it.
fn attained(accounts: &[&Account], each: &Promise) -> Result<Option<Rational>, PrivacyError> {
    if accounts.iter().any(|account| account.unbounded.is_some()) {
        return Ok(None);
    }
    let different = accounts.iter().any(|account| account.different > 0);
    let pure = accounts.iter().map(|account| &account.pure.largest);
    let pure = pure.max().cloned().unwrap_or_else(Rational::zero);
    // Of the same variance only the farthest counts.
    let gaussian = all_gaussian(accounts.iter().copied());
    let one_record = all_one_record(accounts.iter().copied());
    Ok(match each {
        Promise::Public => (!different).then(Rational::zero),
        Promise::Pure(epsilon) if gaussian.is_empty() && one_record.is_empty() => {
            part(&pure, epsilon)
        }
        Promise::Approximate { epsilon, delta } if one_record.is_empty() => {
            let mut worst = part(&pure, epsilon);
            for shifts in &gaussian {
                worst = both(worst, part(&shift_delta(&shifts.farthest, epsilon)?, delta));
            }
            worst
        }
        Promise::Concentrated(rho) if one_record.is_empty() => {
            // A pure loss of epsilon is epsilon^2 / 2 (Bun, Steinke 2016, Proposition 1.4).
            let squared = &pure * &pure / BigInt::from(2);
            let farthest = gaussian.iter().map(|shifts| shifts.farthest.rho());
            part(&farthest.fold(squared, Rational::max), rho)
        }
        Promise::Gaussian(promised) if one_record.is_empty() && pure.is_zero() => {
            let mut worst = Some(Rational::zero());
            for shift in gaussian.iter().map(|shifts| &shifts.farthest) {
                let fits = shift.variance == promised.variance && shift.moved <= promised.moved;
                let own = part(&shift.rho(), &promised.rho()).filter(|_| fits);
                worst = both(worst, own);
            }
            worst
        }
        Promise::OfOneRecord {
            records,
            epsilon,
            delta,
        } if gaussian.is_empty() && pure.is_zero() => {
            let mut worst = Some(Rational::zero());
            for steps in &one_record {
                let own = shift_delta(&steps.read.farthest, epsilon)?;
                let own = part(&own, delta).filter(|_| steps.records == *records);
                worst = both(worst, own);
            }
            worst
        }
        // A draw of a kind that the promise does not speak of.
        _ => None,
    })
}

/// `cost / promised`; `None` where something costs more than a promise of nothing.
fn part(cost: &Rational, promised: &Rational) -> Option<Rational> {
    if cost.is_zero() {
        return Some(Rational::zero());
    }
    promised.is_positive().then(|| cost / promised)
}

/// The larger of two parts, if both are bounded.
fn both(one: Option<Rational>, other: Option<Rational>) -> Option<Rational> {
    Some(one?.max(other?))
}

/// Whether so many draws, each with the promise of one, have that of the stage together.
fn composes(stage: &Stage, claim: &Budget) -> Result<bool, PrivacyError> {
    match &stage.together {
        Together::Sums => {}
        // That the costs add up to no more on any path is what the stage promises; the kinds must be those of Theorems 4
        // and 8.
        Together::OnEveryPath => {
            return Ok(match (&stage.each, &stage.whole, stage.draws) {
                (
                    Promise::Gaussian(shift),
                    Promise::Approximate { epsilon, delta },
                    Some(draws),
                ) => {
                    let path = GaussianShift {
                        moved: shift.moved.saturating_mul(draws),
                        ..shift.clone()
                    };
                    shift_delta(&path, epsilon)? <= *delta
                }
                (each, whole, _) => {
                    matches!(each, Promise::Concentrated(_) | Promise::Gaussian(_))
                        && matches!(whole, Promise::Concentrated(_))
                }
            });
        }
        Together::Rounds { updates } => {
            let (Promise::Pure(loss), Promise::Approximate { epsilon, delta }) =
                (&stage.each, &stage.whole)
            else {
                return Ok(false);
            };
            let fits = loss.is_zero() || noisy_answers::delta(loss, *updates, epsilon)? <= *delta;
            return Ok(stage.draws.is_none() && fits);
        }
        Together::Above { moved, updates } => {
            let (Promise::Pure(loss), Promise::Pure(whole)) = (&stage.each, &stage.whole) else {
                return Ok(false);
            };
            let all = moved + loss * BigInt::from(*updates);
            return Ok(stage.draws.is_none() && !moved.is_negative() && all <= *whole);
        }
        Together::HiddenUses(uses) => {
            let (Promise::Concentrated(of_one), Promise::Approximate { epsilon, delta }) =
                (&stage.each, &stage.whole)
            else {
                return Ok(false);
            };
            let draws = uses.draws_of_phase.len() as u64 * u64::from(uses.rounds);
            let substituted = claim.neighbours() == NeighbouringRelation::Substitute;
            return Ok(substituted
                && stage.draws == Some(draws)
                && delta.is_positive()
                && uses.delta_for(of_one, epsilon, delta)? <= *delta);
        }
    }
    if stage.each == stage.whole && stage.draws.is_none_or(|draws| draws == 1) {
        // Any number of public draws is public.
        return Ok(stage.draws.is_some() || stage.whole == Promise::Public);
    }
    let Some(draws) = stage.draws else {
        return Ok(false);
    };
    let times = BigInt::from(draws);
    Ok(match (&stage.each, &stage.whole) {
        (_, _) if draws == 0 => true,
        (Promise::Public, _) => true,
        (Promise::Pure(each), Promise::Pure(whole)) => each * times <= *whole,
        (Promise::Pure(each), Promise::Approximate { epsilon, delta }) => {
            each * times <= *epsilon || delta_of_pure(each, draws, epsilon)? <= *delta
        }
        (
            Promise::Approximate { epsilon, delta },
            Promise::Approximate {
                epsilon: whole,
                delta: fails,
            },
        ) => epsilon * &times <= *whole && delta * times <= *fails,
        (Promise::Concentrated(each), Promise::Concentrated(whole)) => each * times <= *whole,
        (Promise::Concentrated(each), Promise::Approximate { epsilon, delta }) => {
            Zcdp::new(each * times, claim.neighbours())?.delta(epsilon)? <= *delta
        }
        (Promise::Gaussian(shift), Promise::Approximate { epsilon, delta }) => {
            let together = GaussianShift {
                squared: &shift.squared * times,
                moved: shift.moved.saturating_mul(draws),
                variance: shift.variance.clone(),
            };
            shift_delta(&together, epsilon)? <= *delta
        }
        (
            Promise::OfOneRecord {
                records,
                epsilon,
                delta,
            },
            Promise::Approximate {
                epsilon: whole,
                delta: fails,
            },
        ) => {
            let own = Budget::approximate(epsilon.clone(), delta.clone(), claim.neighbours())?;
            composed_delta(&own, *records, draws, whole)? <= *fails
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::NeighbouringRelation::{AddOrRemove, Substitute};
    use super::*;
    use crate::coins::meter::PureLosses;
    use crate::coins::{ChaCha, Coins, CoinsError, Divergence, Law};
    use crate::law::{AboveThenAnswer, Censored, Noise};
    use crate::number::rational::{integer, ratio};
    use crate::number::{Enclosure, NumberError};
    use crate::privacy::one_record_descent::OneRecordDescent;
    use crate::sample::{
        DiscreteGaussian, DiscreteLaplace, ExponentialMechanism, ScoreClass, WithReplacement,
    };

    type Outcome<T> = Result<T, CoinsError>;

    fn drawn() -> Outcomes {
        Outcomes::drawn(ChaCha::reproducible(7, 0))
    }

    fn pure(epsilon: Rational) -> Budget {
        Budget::pure(epsilon, Substitute).unwrap()
    }

    fn laplace(scale: i64) -> DiscreteLaplace {
        DiscreteLaplace::new(integer(scale)).unwrap()
    }

    /// The sum of bits in {0, 1}, with Laplace noise of scale 1/epsilon.
    fn noisy_sum(data: &[i64], coins: &mut impl Coins, epsilon: Rational) -> Outcome<BigInt> {
        let noise = DiscreteLaplace::new(epsilon.recip())?;
        coins.stage(&Stage::once("the sum", Promise::Pure(ratio(1, 2))));
        coins.draw(&noise.around(data.iter().sum::<i64>()))
    }

    fn meter_sum(
        learner: impl Fn(&Vec<i64>, &mut Meter) -> Outcome<BigInt> + Sync,
        first: &[i64],
        second: &[i64],
    ) -> Report {
        let claim = pure(ratio(1, 2));
        meter(learner, &first.to_vec(), &second.to_vec(), drawn(), &claim).unwrap()
    }

    #[test]
    fn laplace_noise_takes_all_of_its_promise_and_no_more() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| noisy_sum(data, coins, ratio(1, 2));
        let report = meter_sum(learner, &[1, 1, 0], &[1, 1, 1]);
        assert!(report.is_sound(), "{report}");
        assert_eq!(report.attained(), Some(integer(1)));
        assert_eq!(report.stages[0].attained, Some(integer(1)));
        assert!(report.loss.magnitude().unwrap() <= ratio(1, 2));
        // On the same dataset, and on a permuted one, nothing differs.
        let report = meter_sum(learner, &[1, 1, 0], &[0, 1, 1]);
        assert!(report.is_sound() && report.loss.is_zero());
        assert_eq!(report.attained(), Some(integer(0)));
    }

    #[test]
    fn half_the_noise_is_noticed_by_the_pair_and_by_the_promise() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| noisy_sum(data, coins, integer(1));
        let report = meter_sum(learner, &[1, 0], &[1, 1]);
        assert_eq!(report.attained(), Some(integer(2)));
        assert_eq!(report.faults().len(), 2, "{report}");
    }

    #[test]
    fn noise_that_is_added_after_the_draw_is_noticed() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| {
            let noise = coins.draw(&laplace(2).around(0))?;
            Ok(noise + data.iter().sum::<i64>())
        };
        let report = meter_sum(learner, &[1, 0], &[1, 1]);
        assert!(!report.equal_results && report.parted.is_none());
        assert_eq!(report.faults(), ["equal outcomes gave different results"]);
    }

    #[test]
    fn a_number_of_draws_that_depends_on_the_data_is_noticed_with_both_places() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| {
            let mut last = coins.draw(&laplace(2).around(0))?;
            for _ in 1..data.iter().sum::<i64>() {
                last = coins.draw(&laplace(2).around(0))?;
            }
            Ok(last)
        };
        for (first, second) in [([1, 1], [1, 0]), ([1, 0], [1, 1])] {
            let parted = meter_sum(learner, &first, &second).parted.unwrap();
            let (longer, ended) = match first {
                [1, 1] => (&parted.first, &parted.second),
                _ => (&parted.second, &parted.first),
            };
            assert_eq!((parted.draws, ended.as_str()), (1, "had ended"));
            assert!(
                longer.starts_with("drew a Around<DiscreteLaplace> at src"),
                "{longer}"
            );
        }
    }

    #[test]
    fn a_learner_that_swallows_errors_does_not_come_together_again() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| {
            if data[1] == 1 {
                // A law of another kind, and its error passed over.
                let _ = coins.bernoulli(&ratio(1, 3));
            } else {
                let _ = coins.draw(&laplace(2).around(0));
            }
            let _ = coins.draw(&laplace(2).around(0));
            Ok(BigInt::zero())
        };
        let report = meter_sum(learner, &[1, 0], &[1, 1]);
        assert!(report.parted.is_some() && !report.is_sound());
    }

    #[test]
    fn an_outcome_that_the_neighbour_cannot_have_is_infinite_loss() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| {
            let n = data.iter().sum::<i64>() as u32;
            Ok(coins.uniform_below(&n.into())?.into())
        };
        // The first run has 1 in 1000 outcomes in common with the second.
        let report = meter_sum(learner, &[1000], &[1]);
        assert_eq!(report.loss, Loss::Infinite);
        assert!(report.parted.unwrap().second.contains("cannot draw that"));
        // In the other direction the loss is finite, and yet nothing bounds it.
        let report = meter_sum(learner, &[1], &[1000]);
        assert!(matches!(report.cost, Cost::Unbounded(_)), "{report}");
    }

    #[test]
    fn how_many_bits_were_consumed_is_noticed_when_it_is_published() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| {
            coins.draw(&laplace(2).around(data[0]))?;
            Ok(coins.consumed().into())
        };
        assert!(!meter_sum(learner, &[1], &[1]).equal_results);
    }

    #[test]
    fn a_panic_of_the_learner_is_a_fault() {
        for guilty in [1, 0] {
            let learner = |data: &Vec<i64>, coins: &mut Meter| {
                for _ in 0..1000 {
                    coins.draw(&laplace(2).around(0))?;
                }
                assert!(data[0] != guilty, "planted");
                Ok(BigInt::zero())
            };
            assert!(!meter_sum(learner, &[1], &[0]).is_sound());
        }
        let learner = |_: &Vec<i64>, _: &mut Meter| -> Outcome<BigInt> { panic!("planted") };
        let faults = meter_sum(learner, &[1], &[0]).faults();
        assert_eq!(faults, ["the learner panicked: it must return its errors"]);
    }

    fn gaussian_claim() -> Budget {
        Budget::approximate(integer(1), ratio(1, 100_000), Substitute).unwrap()
    }

    /// A vector that moves by at most `sensitivity`, released at once with the certified noise for `calibrated`.
    fn release_of(
        data: &[Vec<i64>],
        coins: &mut impl Coins,
        calibrated: i64,
    ) -> Outcome<Vec<BigInt>> {
        let claim = gaussian_claim();
        let squared = BigInt::from(calibrated * calibrated);
        let variance = discrete_gaussian::variance(&claim, &squared, 2).unwrap();
        coins.stage(&Stage::once(
            "the release",
            Promise::Approximate {
                epsilon: claim.epsilon().clone(),
                delta: claim.delta().clone(),
            },
        ));
        let sum = |axis: usize| data.iter().map(|record| record[axis]).sum::<i64>();
        coins.draw(&DiscreteGaussian::new(variance)?.around_all([sum(0), sum(1)]))
    }

    #[test]
    fn one_gaussian_vector_takes_its_own_certificate() {
        let run = |calibrated, second: Vec<i64>| {
            let learner =
                |data: &Vec<Vec<i64>>, coins: &mut Meter| release_of(data, coins, calibrated);
            let first = vec![vec![30, 40]];
            meter(learner, &first, &vec![second], drawn(), &gaussian_claim()).unwrap()
        };
        // The whole sensitivity of 100, from end to end of the ball.
        let report = run(100, vec![-30, -40]);
        assert!(report.is_sound(), "{report}");
        assert!(report.attained().unwrap() > ratio(99, 100));
        assert!(matches!(report.loss, Loss::Exact(_)));
        // The sensitivity for removal, 50, under substitution.
        let report = run(50, vec![-30, -40]);
        assert!(report.attained().unwrap() > integer(100) && report.faults().len() == 2);
    }

    /// Three steps of a vector with noise that is certified for all of them together.
    fn three_steps(data: &[i64], coins: &mut impl Coins, promised: i64) -> Outcome<Vec<BigInt>> {
        let claim = gaussian_claim();
        let squared = BigInt::from(promised * promised);
        let variance = discrete_gaussian::variance(&claim, &(&squared * 3), 3 * 2).unwrap();
        let noise = DiscreteGaussian::new(variance.clone())?;
        let each = Promise::Gaussian(GaussianShift {
            squared,
            moved: 2,
            variance,
        });
        let whole = Promise::Approximate {
            epsilon: claim.epsilon().clone(),
            delta: claim.delta().clone(),
        };
        coins.stage(&Stage::steps("the steps", 3, each, whole));
        let mut last = vec![BigInt::zero(); 2];
        for _ in 0..3 {
            let next = [&last[0] + data[0], &last[1] + data[1]];
            last = coins.draw(&noise.around_all(next))?;
        }
        Ok(last)
    }

    #[test]
    fn steps_of_one_variance_are_certified_together() {
        let run = |promised: i64, second: [i64; 2]| {
            let learner = |data: &Vec<i64>, coins: &mut Meter| three_steps(data, coins, promised);
            meter(
                learner,
                &vec![30, 40],
                &second.to_vec(),
                drawn(),
                &gaussian_claim(),
            )
            .unwrap()
        };
        // As far apart as promised: all of the promise and of the claim is taken, where their rho would be above it.
        let report = run(100, [-30, -40]);
        assert!(report.is_sound(), "{report}");
        assert!(report.attained().unwrap() > ratio(99, 100));
        assert_eq!(report.stages[0].attained, Some(integer(1)));
        // Half of the sensitivity.
        let report = run(50, [-30, -40]);
        assert!(report.faults().len() == 2, "{report}");
    }

    #[test]
    fn no_noise_in_a_coordinate_is_noticed() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| -> Outcome<(BigInt, i64)> {
            let noise = DiscreteGaussian::new(integer(9))?;
            let noisy = coins.draw(&noise.around(data[0]))?;
            Ok((noisy, data[1]))
        };
        let claim = gaussian_claim();
        let report = meter(learner, &vec![1, 0], &vec![1, 1], drawn(), &claim).unwrap();
        assert!(!report.equal_results);
    }

    /// Two steps of noise, then a choice between two candidates.
    fn two_stages(data: &[i64], coins: &mut impl Coins, choice: &Rational) -> Outcome<usize> {
        coins.stage(&Stage::steps(
            "the steps",
            2,
            Promise::Concentrated(ratio(1, 50)),
            Promise::Approximate {
                epsilon: integer(1),
                delta: ratio(1, 1000),
            },
        ));
        let noise = DiscreteGaussian::new(integer(25))?;
        let first = coins.draw(&noise.around(data[0]))?;
        coins.draw(&noise.around(BigInt::from(data[0]) + first))?;
        coins.stage(&Stage::once("the choice", Promise::Pure(choice.clone())));
        let class = |loss: i64| ScoreClass {
            loss: integer(loss),
            count: 1u32.into(),
        };
        let classes = vec![class(data[0]), class(-data[0])];
        coins.draw(&ExponentialMechanism::new(
            choice.clone(),
            integer(1),
            classes,
        )?)
    }

    #[test]
    fn promises_are_composed_without_a_pair() {
        let claim = Budget::approximate(integer(2), ratio(1, 1000), Substitute).unwrap();
        let run = |choice: Rational, first: i64, second: i64| {
            let learner = |data: &Vec<i64>, coins: &mut Meter| two_stages(data, coins, &choice);
            meter(learner, &vec![first], &vec![second], drawn(), &claim).unwrap()
        };
        let report = run(integer(1), 0, 1);
        assert!(report.is_sound(), "{report}");
        let [steps, choice] = &report.stages[..] else {
            panic!("{report}");
        };
        // rho = 1/50 a step, all of it; the losses +1 and -1 of two outcomes move the loss by epsilon in all.
        assert_eq!((&steps.attained, steps.draws), (&Some(integer(1)), 2));
        assert!(choice.attained.as_ref().unwrap() > &ratio(2, 5));
        // All of epsilon for the choice: noticed even on a pair on which nothing differs.
        let faults = run(integer(2), 0, 0).faults();
        assert!(faults.len() == 1 && faults[0].contains("the promises of the stages"));
        // Twice the sensitivity: by the steps, whatever the total.
        let faults = run(integer(1), 0, 2).faults();
        assert!(
            faults
                .iter()
                .any(|fault| fault.contains("the steps: a draw takes 4")),
            "{faults:?}"
        );
    }

    #[test]
    fn stages_that_do_not_hold_together_are_noticed() {
        let claim = pure(integer(1));
        let faults = |stage: Stage, draws: u32| {
            let learner = |data: &Vec<i64>, coins: &mut Meter| -> Outcome<()> {
                coins.stage(&stage);
                for _ in 0..draws {
                    coins.draw(&laplace(10).around(data[0]))?;
                }
                Ok(())
            };
            let report = meter(learner, &vec![0], &vec![1], drawn(), &claim).unwrap();
            report.faults().join("; ")
        };
        let tenth = || Promise::Pure(ratio(1, 10));
        let steps = |draws, whole| Stage::steps("it", draws, tenth(), Promise::Pure(whole));
        assert_eq!(faults(steps(3, ratio(3, 10)), 3), "");
        assert!(faults(steps(3, ratio(3, 10)), 2).contains("not as many draws"));
        assert!(faults(steps(4, ratio(3, 10)), 4).contains("do not compose"));
        assert!(faults(Stage::public("it"), 3).contains("keeps no promise"));
        assert!(faults(steps(3, integer(2)), 3).contains("promises of the stages cost"));
    }

    #[test]
    fn a_promise_below_zero_is_refused() {
        let shift = |squared: i64, variance: i64| {
            Promise::Gaussian(GaussianShift {
                squared: squared.into(),
                moved: 1,
                variance: integer(variance),
            })
        };
        for (gift, what) in [
            (Promise::Pure(integer(-1)), "the epsilon of a promise"),
            (Promise::Concentrated(integer(-1)), "the rho of a promise"),
            (shift(-1, 1), "the rho of a promise"),
            (shift(1, 0), "the variance of a promise"),
        ] {
            let learner = |data: &Vec<i64>, coins: &mut Meter| {
                coins.stage(&Stage::once("a gift", gift.clone()));
                coins.draw(&laplace(2).around(0))?;
                noisy_sum(data, coins, ratio(3, 2))
            };
            let claim = pure(ratio(1, 2));
            let refused = meter(learner, &vec![0], &vec![1], drawn(), &claim).unwrap_err();
            assert!(refused.to_string().contains(what), "{refused}");
        }
    }

    /// Laplace noise that says of itself that it hides everything.
    #[derive(Debug, Clone, PartialEq)]
    struct Boasting(i64);

    impl Law for Boasting {
        type Outcome = BigInt;

        fn sample<C: Coins>(&self, coins: &mut C) -> Outcome<BigInt> {
            laplace(2).around(self.0).sample(coins)
        }

        fn pmf(&self, outcome: &BigInt, bits: u32) -> Result<Enclosure, NumberError> {
            laplace(2).around(self.0).pmf(outcome, bits)
        }

        fn divergence(&self, _: &Self, _: u32) -> Result<Divergence, NumberError> {
            Ok(Divergence::None)
        }
    }

    #[test]
    fn a_divergence_below_a_loss_is_not_believed() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| coins.draw(&Boasting(data[0]));
        let report = meter_sum(learner, &[0], &[1]);
        assert!(matches!(report.cost, Cost::Unbounded(_)), "{report}");
    }

    #[test]
    fn a_draw_before_the_first_stage_promises_nothing() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| {
            coins.draw(&laplace(2).around(data[0]))?;
            noisy_sum(data, coins, ratio(1, 2))
        };
        let faults = meter_sum(learner, &[0], &[1]).faults();
        assert!(
            faults
                .iter()
                .any(|fault| fault.contains("before all stages")),
            "{faults:?}"
        );
    }

    /// A uniformly random record, as it stands: drawn by content, so that its coupling is by content.
    #[derive(Debug, Clone, PartialEq)]
    struct OneOf(Vec<i64>);

    impl Law for OneOf {
        type Outcome = usize;

        fn sample<C: Coins>(&self, coins: &mut C) -> Outcome<usize> {
            let place = coins.uniform_below(&self.0.len().into())?;
            Ok(usize::try_from(place).unwrap_or(0))
        }

        fn pmf(&self, _: &usize, bits: u32) -> Result<Enclosure, NumberError> {
            Ok(Enclosure::of(&ratio(1, self.0.len() as i64), bits))
        }

        fn outcome(&self, index: u64) -> Option<usize> {
            usize::try_from(index)
                .ok()
                .filter(|place| *place < self.0.len())
        }

        // The same place, wherever the others are the same.
        fn transport(&self, other: &Self, outcome: &usize) -> Option<usize> {
            (self.0.len() == other.0.len()).then_some(*outcome)
        }
    }

    #[test]
    fn a_hidden_draw_is_coupled_and_costs_nothing_itself() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| {
            let place = coins.draw_hidden(&OneOf(data.clone()))?;
            noisy_sum(&[data[place]], coins, ratio(1, 2))
        };
        let report = meter_sum(learner, &[0, 1], &[1, 0]);
        assert!(report.is_sound(), "{report}");
        // Another number of records: this law has no coupling.
        let report = meter_sum(learner, &[0, 1, 1], &[1, 0]);
        assert!(report.parted.unwrap().second.contains("no coupling"));
        // If what was hidden is published, the draw was not one to hide: here the law is the same and it is public.
        let learner = |data: &Vec<i64>, coins: &mut Meter| {
            let place = coins.draw_hidden(&OneOf(data.clone()))?;
            Ok(data[place].into())
        };
        assert!(!meter_sum(learner, &[0, 0], &[1, 1]).equal_results);
    }

    #[test]
    fn far_outcomes_are_far_and_steer_both_runs() {
        let far = std::sync::atomic::AtomicI64::new(0);
        let learner = |data: &Vec<i64>, coins: &mut Meter| -> Outcome<BigInt> {
            let outcome = coins.draw(&laplace(10).around(data[0]))?;
            let size = outcome.abs().try_into().unwrap_or(i64::MAX);
            far.fetch_max(size, std::sync::atomic::Ordering::Relaxed);
            Ok(outcome)
        };
        let outcomes = Outcomes::far_out(ChaCha::reproducible(1, 0), 20);
        let claim = Budget::pure(integer(1), AddOrRemove).unwrap();
        let report = meter(learner, &vec![0], &vec![3], outcomes, &claim).unwrap();
        assert!(report.is_sound(), "{report}");
        assert_eq!(report.loss.magnitude().unwrap(), ratio(3, 10));
        assert!(far.into_inner() >= 200);
    }

    #[test]
    fn a_run_longer_than_the_channel_is_metered() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| -> Outcome<BigInt> {
            let noise = laplace(1000);
            let mut sum = BigInt::zero();
            for _ in 0..5000 {
                sum += coins.draw(&noise.around(data[0]))?;
            }
            Ok(sum)
        };
        let report = meter(learner, &vec![0], &vec![1], drawn(), &pure(integer(5))).unwrap();
        assert!(report.is_sound(), "{report}");
        assert_eq!(report.attained(), Some(integer(1)));
    }

    #[test]
    fn the_worst_of_several_pairs_is_kept_stage_by_stage() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| noisy_sum(data, coins, ratio(1, 2));
        let mut worst = Worst::default();
        worst.enter(&meter_sum(learner, &[1], &[1]));
        worst.enter(&meter_sum(learner, &[1], &[0]));
        assert_eq!(worst.stages(), [("the sum", integer(1))]);
    }

    #[test]
    fn promises_of_draws_compose_to_that_of_the_stage_up_to_their_sum() {
        let composed = |each: &Promise, whole: Promise| {
            composes(
                &Stage::steps("it", 3, each.clone(), whole),
                &gaussian_claim(),
            )
            .unwrap()
        };
        let approximate = |epsilon: i64, delta: i64| Promise::Approximate {
            epsilon: ratio(epsilon, 100),
            delta: ratio(delta, 100),
        };
        let pure = |epsilon: i64| Promise::Pure(ratio(epsilon, 100));
        let each = pure(10);
        assert!(composed(&each, pure(30)) && !composed(&each, pure(29)));
        assert!(composed(&each, approximate(30, 0)) && !composed(&each, approximate(29, 0)));
        // All three true, with probability 0.1447, tell 0.3: 0.1447 (1 - e^-0.1) = 0.0138.
        assert!(composed(&each, approximate(20, 2)) && !composed(&each, approximate(20, 1)));
        let each = approximate(10, 1);
        assert!(composed(&each, approximate(30, 3)));
        assert!(!composed(&each, approximate(29, 3)) && !composed(&each, approximate(30, 2)));
        let concentrated = |rho: i64| Promise::Concentrated(ratio(rho, 100));
        let each = concentrated(10);
        assert!(composed(&each, concentrated(30)) && !composed(&each, concentrated(29)));
        // rho = 0.3 at epsilon = 1: Gaussian noise of that rho has delta = 0.056, and no noise of it has
        // more than e^(-0.7^2 / (4 * 0.3)) = 0.665.
        assert!(composed(&each, approximate(100, 67)) && !composed(&each, approximate(100, 5)));
        // What is public costs nothing, and nothing else is public.
        assert!(composed(&Promise::Public, pure(0)) && !composed(&each, Promise::Public));
    }

    #[test]
    fn one_draw_has_the_promise_of_its_stage_and_three_have_not() {
        let shift = GaussianShift {
            squared: 2.into(),
            moved: 1,
            variance: integer(25),
        };
        for promise in [
            Promise::Pure(ratio(1, 10)),
            Promise::Approximate {
                epsilon: ratio(1, 10),
                delta: ratio(1, 100),
            },
            Promise::Concentrated(ratio(1, 10)),
            Promise::Gaussian(shift),
            Promise::OfOneRecord {
                records: 5,
                epsilon: ratio(1, 10),
                delta: ratio(1, 100),
            },
        ] {
            let composed = |draws: Option<u64>| {
                let stage = Stage {
                    name: "it",
                    draws,
                    each: promise.clone(),
                    whole: promise.clone(),
                    may_end: false,
                    together: Together::Sums,
                    is_apart: false,
                };
                composes(&stage, &gaussian_claim()).unwrap()
            };
            assert!(composed(Some(0)) && composed(Some(1)), "{promise:?}");
            assert!(!composed(Some(3)) && !composed(None), "{promise:?}");
        }
        assert!(composes(&Stage::public("it"), &gaussian_claim()).unwrap());
    }

    #[test]
    fn of_stages_apart_the_larger_cost_counts_and_under_substitution_only() {
        let of = |promise: Promise, is_apart: bool| {
            let mut account = of_nothing();
            let stage = Stage::once("it", promise);
            account.stage = Some(if is_apart { stage.apart() } else { stage });
            account
        };
        let accounts = [
            of(Promise::Pure(integer(1)), false),
            of(Promise::Pure(integer(1)), false),
            of(Promise::Pure(integer(3)), true),
        ];
        let claim = |neighbours| Budget::pure(integer(3), neighbours).unwrap();
        let found = promised(&accounts, &claim(Substitute)).unwrap();
        let expected = Cost::Bounded {
            epsilon: integer(3),
            delta: Rational::zero(),
        };
        assert_eq!(found, Some(expected));
        let found = promised(&accounts, &claim(AddOrRemove)).unwrap();
        assert!(matches!(found, Some(Cost::Unbounded(why)) if why.contains("substitution only")));
        // A delta of the one part beside an epsilon of the other.
        let approximate = Promise::Approximate {
            epsilon: ratio(1, 2),
            delta: ratio(1, 9),
        };
        let accounts = [of(approximate, false), of(Promise::Pure(integer(1)), true)];
        let found = promised(&accounts, &claim(Substitute)).unwrap();
        let expected = Cost::Bounded {
            epsilon: integer(1),
            delta: ratio(1, 9),
        };
        assert_eq!(found, Some(expected));
    }

    #[test]
    fn a_report_prints_the_claim_the_cost_every_stage_and_every_fault() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| noisy_sum(data, coins, integer(1));
        let report = meter_sum(learner, &[1, 0], &[1, 1]);
        let claim = report.claim.to_string();
        assert_eq!(
            report.to_string(),
            format!(
                "claim: {claim}\n\
                 this pair: epsilon = 1, delta = 0\n\
                 the sum: 1 draws, at most 2 of its promise\n\
                 FAULT: the draws cost (epsilon = 1, delta = 0)\n\
                 FAULT: the sum: a draw takes 2 of its promise\n"
            )
        );
        // Nothing bounds a draw from a range that depends on the data.
        let learner = |data: &Vec<i64>, coins: &mut Meter| {
            coins.stage(&Stage::once("the range", Promise::Pure(ratio(1, 2))));
            Ok(coins.uniform_below(&(data[0] as u32).into())?.into())
        };
        let printed = meter_sum(learner, &[1], &[1000]).to_string();
        for line in [
            "this pair: no bound: ",
            "the range: 1 draws, at most no bound of its promise\n",
            "FAULT: the draws have no bound: ",
            "FAULT: the range: a draw keeps no promise of this kind\n",
        ] {
            assert!(printed.contains(line), "{printed}");
        }
    }

    fn of_nothing() -> Account {
        Account {
            stage: None,
            draws: 0,
            hidden: 0,
            loud: 0,
            different: 0,
            loss: Loss::none(),
            pure: PureLosses {
                sum: Rational::zero(),
                largest: Rational::zero(),
            },
            gaussian: Vec::new(),
            one_record: Vec::new(),
            reads: None,
            threshold: None,
            unbounded: None,
        }
    }

    #[test]
    fn a_promise_is_not_kept_by_draws_of_another_kind() {
        let shift = GaussianShift {
            squared: 1.into(),
            moved: 1,
            variance: integer(100),
        };
        let shifts = Shifts {
            draws: 1,
            squared_in_all: 1.into(),
            farthest: shift.clone(),
        };
        let pure = Account {
            pure: PureLosses {
                sum: ratio(1, 10),
                largest: ratio(1, 10),
            },
            ..of_nothing()
        };
        let gaussian = Account {
            gaussian: vec![shifts.clone()],
            ..of_nothing()
        };
        let one_record = Account {
            one_record: vec![OneRecordSteps {
                records: 5,
                read: shifts,
            }],
            ..of_nothing()
        };
        let (epsilon, delta) = (integer(1), ratio(1, 10));
        let of_one_record = Promise::OfOneRecord {
            records: 5,
            epsilon: epsilon.clone(),
            delta: delta.clone(),
        };
        // Which of the three kinds keep each promise.
        for (promise, keep) in [
            (Promise::Pure(integer(1)), [true, false, false]),
            (Promise::Approximate { epsilon, delta }, [true, true, false]),
            (Promise::Concentrated(integer(1)), [true, true, false]),
            (Promise::Gaussian(shift), [false, true, false]),
            (of_one_record, [false, false, true]),
        ] {
            let kept = [&pure, &gaussian, &one_record]
                .map(|account| attained(&[account], &promise).unwrap().is_some());
            assert_eq!(kept, keep, "{promise:?}");
        }
    }

    #[test]
    fn the_steps_of_a_calibrated_descent_take_its_delta() {
        let claim = gaussian_claim();
        let (records, steps, distance) = (10, 100, 1000);
        let descent = OneRecordDescent::calibrated(&claim, records, steps).unwrap();
        let deviation = descent.noise_multiplier() * integer(distance);
        let squared = BigInt::from(distance * distance);
        let read = Shifts {
            draws: steps,
            squared_in_all: &squared * steps,
            farthest: GaussianShift {
                squared,
                moved: 1,
                variance: &deviation * &deviation,
            },
        };
        let account = Account {
            one_record: vec![OneRecordSteps { records, read }],
            ..of_nothing()
        };
        let Cost::Bounded { epsilon, delta } = cost(&[account], None, &claim).unwrap() else {
            panic!("a descent has a bound");
        };
        assert_eq!(epsilon, *claim.epsilon());
        // Half of it is for steps that fail, and at most as much for the rest.
        let part = delta / claim.delta();
        assert!(part > ratio(49, 100) && part < ratio(101, 100), "{part}");
    }

    #[test]
    fn a_pure_loss_takes_half_its_square_of_a_concentrated_promise() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| {
            coins.stage(&Stage::once("the sum", Promise::Concentrated(ratio(1, 8))));
            coins.draw(&laplace(2).around(data[0]))
        };
        let report = meter_sum(learner, &[0], &[1]);
        assert_eq!(report.stages[0].attained, Some(integer(1)));
    }

    #[test]
    fn a_gaussian_promise_is_kept_by_its_own_noise_only() {
        let shift = |moved: u64, variance: i64| GaussianShift {
            squared: 2.into(),
            moved,
            variance: integer(variance),
        };
        let attained = |promised: GaussianShift| {
            let learner = |data: &Vec<i64>, coins: &mut Meter| -> Outcome<Vec<BigInt>> {
                coins.stage(&Stage::once("it", Promise::Gaussian(promised.clone())));
                let noise = DiscreteGaussian::new(integer(25))?;
                coins.draw(&noise.around_all([data[0], data[1]]))
            };
            let claim = gaussian_claim();
            let report = meter(learner, &vec![0, 0], &vec![1, 1], drawn(), &claim).unwrap();
            report.stages[0].attained.clone()
        };
        assert_eq!(attained(shift(2, 25)), Some(integer(1)));
        // It moves two coordinates, and its variance is 25.
        assert_eq!(attained(shift(1, 25)), None);
        assert_eq!(attained(shift(2, 26)), None);
    }

    #[test]
    fn steps_on_one_record_compose_to_the_descent_and_to_no_less_than_their_failures() {
        let claim = gaussian_claim();
        let (records, steps) = (10, 100);
        let descent = OneRecordDescent::calibrated(&claim, records, steps).unwrap();
        let each = Promise::OfOneRecord {
            records,
            epsilon: descent.own_step().epsilon().clone(),
            delta: descent.own_step().delta().clone(),
        };
        let composed = |part: Rational| {
            let whole = Promise::Approximate {
                epsilon: claim.epsilon().clone(),
                delta: claim.delta() * part,
            };
            composes(&Stage::steps("it", steps, each.clone(), whole), &claim).unwrap()
        };
        // Half of delta is for steps that fail.
        assert!(composed(integer(1)) && !composed(ratio(49, 100)));
    }

    #[test]
    fn a_cost_prints_its_numbers_rounded_up_or_why_it_has_none() {
        let bounded = Cost::Bounded {
            epsilon: ratio(1, 3),
            delta: ratio(1, 7_000_000_000_000_000_000),
        };
        assert_eq!(bounded.to_string(), "epsilon = 1/3, delta = 1.42858e-19");
        let unbounded = Cost::Unbounded("a reason");
        assert_eq!(unbounded.to_string(), "no bound: a reason");
    }

    #[test]
    fn promises_of_stages_add_up_and_rho_takes_the_epsilon_that_is_left() {
        let claim = gaussian_claim();
        let stage = |promise| Account {
            stage: Some(Stage::once("it", promise)),
            ..of_nothing()
        };
        let bounded = |accounts: &[Account]| match promised(accounts, &claim).unwrap() {
            Some(Cost::Bounded { epsilon, delta }) => (epsilon, delta),
            other => panic!("{other:?}"),
        };
        let approximate = Promise::Approximate {
            epsilon: ratio(1, 8),
            delta: ratio(1, 50),
        };
        let mut accounts = vec![
            of_nothing(),
            stage(Promise::Public),
            stage(Promise::Pure(ratio(1, 4))),
            stage(approximate.clone()),
            stage(approximate),
        ];
        assert_eq!(bounded(&accounts), (ratio(1, 2), ratio(1, 25)));
        // rho = 1/50 + 2 / (2 * 50), with the half of epsilon that is left.
        accounts.push(stage(Promise::Concentrated(ratio(1, 50))));
        accounts.push(stage(Promise::Gaussian(GaussianShift {
            squared: 2.into(),
            moved: 1,
            variance: integer(50),
        })));
        let rho = Zcdp::new(ratio(1, 25), Substitute).unwrap();
        let expected = |left| ratio(1, 25) + rho.delta(&left).unwrap();
        assert_eq!(bounded(&accounts), (integer(1), expected(ratio(1, 2))));
        // Nothing is left.
        accounts.push(stage(Promise::Pure(integer(1))));
        assert_eq!(bounded(&accounts), (ratio(3, 2), expected(integer(0))));
        // What one record alone is promised bounds nothing.
        accounts.push(stage(Promise::OfOneRecord {
            records: 5,
            epsilon: integer(1),
            delta: ratio(1, 10),
        }));
        let cost = promised(&accounts, &claim).unwrap();
        assert!(matches!(cost, Some(Cost::Unbounded(_))), "{cost:?}");
        assert_eq!(promised(&[of_nothing()], &claim).unwrap(), None);
    }

    #[test]
    fn a_stage_that_begins_twice_is_reported_once() {
        let learner = |data: &Vec<i64>, coins: &mut Meter| {
            noisy_sum(data, coins, ratio(1, 4))?;
            coins.stage(&Stage::public("between"));
            noisy_sum(data, coins, ratio(1, 4))
        };
        let report = meter_sum(learner, &[1, 0], &[1, 1]);
        let [sum, between] = &report.stages[..] else {
            panic!("{report}");
        };
        assert_eq!((sum.stage.name, sum.times, sum.draws), ("the sum", 2, 2));
        assert!(sum.counted && sum.attained == Some(ratio(1, 2)));
        assert_eq!((between.times, between.draws), (1, 0));
    }

    /// A public coin says which of two releases, with noise of variance 50, reads the only record.
    fn one_of_two(
        data: &[i64],
        coins: &mut impl Coins,
        stage: &Stage,
        both: bool,
    ) -> Outcome<Vec<BigInt>> {
        coins.stage(&Stage::public("which one"));
        let chosen = coins.bits(1)?;
        coins.stage(stage);
        let noise = DiscreteGaussian::new(integer(50))?;
        let mut released = Vec::new();
        for place in 0..2 {
            let value = if both || place == chosen { data[0] } else { 0 };
            released.push(coins.draw(&noise.around(value))?);
        }
        Ok(released)
    }

    #[test]
    fn on_every_path_the_costs_may_be_less_than_their_promises_added_up() {
        // Each may cost 1/100, and both together no more.
        let rho = || Promise::Concentrated(ratio(1, 100));
        let claim = Budget::approximate(
            integer(1),
            Zcdp::new(ratio(1, 100), Substitute)
                .unwrap()
                .delta(&integer(1))
                .unwrap(),
            Substitute,
        )
        .unwrap();
        let run = |stage: Stage, both: bool| {
            let learner =
                |data: &Vec<i64>, coins: &mut Meter| one_of_two(data, coins, &stage, both);
            meter(learner, &vec![0], &vec![1], drawn(), &claim).unwrap()
        };
        let report = run(Stage::path("it", 2, rho(), rho()), false);
        assert!(report.is_sound(), "{report}");
        assert_eq!(report.stages[1].attained, Some(integer(1)));
        // Promises that are added up are twice that.
        let report = run(Stage::steps("it", 2, rho(), rho()), false);
        assert!(!report.stages[1].composes && !report.is_sound());
        // A record that is read twice keeps the promise of each draw, and not that of the path.
        let report = run(Stage::path("it", 2, rho(), rho()), true);
        assert_eq!(report.stages[1].attained, Some(integer(2)));
        assert!(!report.is_sound());
        // Nothing else is promised of a path.
        for (each, whole) in [
            (rho(), Promise::Pure(integer(1))),
            (Promise::Pure(integer(1)), rho()),
        ] {
            assert!(!run(Stage::path("it", 2, each, whole), false).stages[1].composes);
        }
    }

    #[test]
    fn a_path_of_gaussian_draws_is_as_private_as_one_vector() {
        let shift = |moved| GaussianShift {
            squared: 1.into(),
            moved,
            variance: integer(50),
        };
        // Squared distance 1 in all, in two coordinates.
        let delta = shift_delta(&shift(2), &ratio(1, 8)).unwrap();
        let budget = |delta| Budget::approximate(ratio(1, 8), delta, Substitute).unwrap();
        let run = |delta: Rational, both: bool| {
            let claim = budget(delta);
            let stage = Stage::path("it", 2, Promise::Gaussian(shift(1)), claim.promise());
            let learner =
                |data: &Vec<i64>, coins: &mut Meter| one_of_two(data, coins, &stage, both);
            meter(learner, &vec![0], &vec![1], drawn(), &claim).unwrap()
        };
        let report = run(delta.clone(), false);
        assert!(report.is_sound(), "{report}");
        assert_eq!(report.stages[1].attained, Some(integer(1)));
        // Both draws at that distance, and a delta that is too small.
        let report = run(delta.clone(), true);
        assert_eq!(report.stages[1].attained, Some(integer(2)));
        let report = run(delta * ratio(9, 10), false);
        assert!(!report.stages[1].composes && !report.is_sound());
    }

    /// Noisy answers to one query until one is above 0, at most `draws` of them.
    fn until_above(
        data: &[i64],
        coins: &mut impl Coins,
        stage: &Stage,
        draws: u64,
    ) -> Outcome<u64> {
        coins.stage(stage);
        for round in 1..=draws {
            if coins.draw(&laplace(10).around(data[0]))?.is_positive() {
                return Ok(round);
            }
        }
        Ok(draws)
    }

    #[test]
    fn a_stage_may_end_early_and_not_late() {
        // 40 draws of 1/10 cost 4 as a sum; optimally, less than 1e-5 at 3.
        let whole = || Promise::Approximate {
            epsilon: integer(3),
            delta: ratio(1, 100_000),
        };
        let claim = Budget::approximate(integer(3), ratio(1, 100_000), Substitute).unwrap();
        let each = || Promise::Pure(ratio(1, 10));
        let run = |stage: Stage, draws: u64, first: i64| {
            let learner =
                |data: &Vec<i64>, coins: &mut Meter| until_above(data, coins, &stage, draws);
            meter(learner, &vec![first], &vec![first + 1], drawn(), &claim).unwrap()
        };
        // The first draw is above 0.
        let report = run(Stage::up_to("it", 40, each(), whole()), 40, 200);
        assert!(report.is_sound() && report.stages[0].draws == 1, "{report}");
        assert!(!run(Stage::steps("it", 40, each(), whole()), 40, 200).stages[0].counted);
        // None is; their sum is beyond the claim, and what they compose to is not.
        let report = run(Stage::up_to("it", 40, each(), whole()), 40, -1000);
        assert!(
            report.is_sound() && report.stages[0].draws == 40,
            "{report}"
        );
        let Cost::Bounded { epsilon, delta } = &report.cost else {
            panic!("{report}");
        };
        assert!(*epsilon == integer(3) && delta.is_positive());
        assert!(!run(Stage::up_to("it", 39, each(), whole()), 40, -1000).stages[0].counted);
        // 400 are too many for the promise.
        let report = run(Stage::up_to("it", 400, each(), whole()), 400, -10_000);
        assert!(!report.stages[0].composes && report.cost.beyond(&claim).is_some());
    }

    /// Rounds whose values are told above 5, until `updates` of them have been, at most a hundred.
    fn few_told(
        data: &[i64],
        coins: &mut impl Coins,
        stage: &Stage,
        updates: u64,
    ) -> Outcome<Vec<BigInt>> {
        coins.stage(stage);
        let mut told = Vec::new();
        for _ in 0..100 {
            let law = Censored::new(data[0], &laplace(50), [-1000, 5].map(BigInt::from))?;
            if (told.len() as u64) < updates {
                told.extend(coins.draw(&law)?);
            }
        }
        Ok(told)
    }

    #[test]
    fn rounds_of_which_few_are_told_cost_by_the_number_of_these() {
        let loss = || ratio(1, 50);
        let claim = |updates: u64| {
            let delta = noisy_answers::delta(&loss(), updates, &integer(1)).unwrap();
            Budget::approximate(integer(1), delta, Substitute).unwrap()
        };
        let run = |stated: u64, made: u64, pair: [i64; 2]| {
            let claim = claim(stated);
            let stage = Stage::rounds("the rounds", stated, loss(), claim.promise());
            let learner = |data: &Vec<i64>, coins: &mut Meter| few_told(data, coins, &stage, made);
            let [first, second] = pair.map(|value| vec![value]);
            meter(learner, &first, &second, drawn(), &claim).unwrap()
        };
        let report = run(5, 5, [-20, -19]);
        assert!(report.is_sound(), "{report}");
        assert_eq!(report.stages[0].attained, Some(integer(1)));
        // One update more than stated; twice the distance, which the pair's cost shows too.
        let report = run(5, 6, [0, 1]);
        assert!(!report.stages[0].counted && !report.is_sound());
        let report = run(40, 40, [-60, -58]);
        assert_eq!(report.stages[0].attained, Some(integer(2)));
        // A promise that Theorem A does not give, and one of another kind.
        let other = |each: Promise, whole: Promise| {
            let stage = Stage {
                each,
                ..Stage::rounds("the rounds", 5, loss(), whole)
            };
            composes(&stage, &claim(5)).unwrap()
        };
        let whole = claim(4).promise();
        assert!(
            !other(Promise::Pure(loss()), whole)
                && !other(Promise::Pure(loss()), Promise::Pure(integer(1)))
        );
        assert!(other(Promise::Pure(loss()), claim(5).promise()));
        assert!(!other(Promise::Concentrated(loss()), claim(5).promise()));
        assert!(other(Promise::Pure(Rational::zero()), claim(4).promise()));
    }

    #[test]
    fn rounds_cost_by_theorem_a_where_their_sum_is_more() {
        // 1000 quiet rounds, 1/50 each.
        let mut account = of_nothing();
        let delta = noisy_answers::delta(&ratio(1, 50), 5, &integer(1)).unwrap();
        let claim = Budget::approximate(integer(1), delta.clone(), Substitute).unwrap();
        account.stage = Some(Stage::rounds("it", 5, ratio(1, 50), claim.promise()));
        account.pure = PureLosses {
            sum: integer(20),
            largest: ratio(1, 50),
        };
        let found = cost(std::slice::from_ref(&account), None, &claim).unwrap();
        let expected = Cost::Bounded {
            epsilon: integer(1),
            delta,
        };
        assert_eq!(found, expected);
        account.pure.largest = ratio(1, 25);
        assert!(
            cost(&[account], None, &claim)
                .unwrap()
                .beyond(&claim)
                .is_some()
        );
    }

    /// What a session with a hidden threshold does: the law that is drawn for the threshold, by how much it is moved, how many
    /// rounds may be told, and whether it tells the threshold at the end.
    #[derive(Clone, Copy)]
    struct Above {
        threshold: i64,
        slack: i64,
        updates: u64,
        times: u64,
        tells: bool,
    }

    /// A hundred tests of a value against a threshold with noise of scale 10: noise of 40 on a test, and of 20 on an answer.
    fn above(
        data: &[i64],
        coins: &mut impl Coins,
        stage: &Stage,
        session: Above,
    ) -> Outcome<Vec<BigInt>> {
        coins.stage(stage);
        let mut threshold = BigInt::zero();
        for _ in 0..session.times {
            let law = laplace(10).around(session.threshold);
            threshold = coins.draw_moved(&law, &session.slack.into())?;
        }
        let mut told = Vec::new();
        for _ in 0..100 {
            let value = BigInt::from(data[0]);
            let law =
                AboveThenAnswer::new([&value - &threshold, value], &laplace(40), &laplace(20));
            if (told.len() as u64) < session.updates {
                told.extend(coins.draw(&law)?);
            }
        }
        if session.tells {
            told.push(threshold);
        }
        Ok(told)
    }

    #[test]
    fn a_hidden_threshold_pays_for_all_quiet_rounds() {
        // c = 1/10, s = 2/40 + 1/20; two updates make 3/10.
        let stage = |moved: Rational, updates: u64, loss: Rational, whole: Rational| {
            Stage::above("the rounds", moved, updates, loss, Promise::Pure(whole))
        };
        let right = stage(ratio(1, 10), 2, ratio(1, 10), ratio(3, 10));
        let honest = Above {
            threshold: 30,
            slack: 1,
            updates: 2,
            times: 1,
            tells: false,
        };
        let run = |stage: &Stage, session: Above, pair: [i64; 2]| {
            let claim = Budget::pure(ratio(3, 10), Substitute).unwrap();
            let learner = |data: &Vec<i64>, coins: &mut Meter| above(data, coins, stage, session);
            let [first, second] = pair.map(|value| vec![value]);
            meter(learner, &first, &second, drawn(), &claim).unwrap()
        };
        for (pair, attained) in [([1, 0], integer(1)), ([0, 1], ratio(1, 2))] {
            let report = run(&right, honest, pair);
            assert!(report.is_sound(), "{report}");
            assert_eq!(report.stages[0].attained, Some(attained));
        }
        let Cost::Bounded { epsilon, delta } = run(&right, honest, [1, 0]).cost else {
            panic!("no bound");
        };
        assert_eq!((epsilon, delta), (ratio(3, 10), Rational::zero()));
        // Neighbours farther apart than the threshold moves; a threshold that stays, moves too far, or is told.
        for (session, pair) in [
            (honest, [0, 2]),
            (Above { slack: 0, ..honest }, [0, 1]),
            (Above { slack: 2, ..honest }, [0, 1]),
            (
                Above {
                    tells: true,
                    ..honest
                },
                [0, 1],
            ),
            (Above { times: 2, ..honest }, [0, 1]),
            (Above { times: 0, ..honest }, [1, 1]),
            (
                Above {
                    threshold: -100,
                    updates: 3,
                    ..honest
                },
                [1, 1],
            ),
        ] {
            let report = run(&right, session, pair);
            assert!(!report.is_sound(), "{report}");
        }
        let report = run(&right, Above { slack: 0, ..honest }, [0, 1]);
        assert_eq!(report.stages[0].attained, None);
        assert!(matches!(report.cost, Cost::Unbounded(_)));
        let report = run(
            &right,
            Above {
                tells: true,
                ..honest
            },
            [0, 1],
        );
        assert!(!report.equal_results);
        // A loss of a round that is too small, and sums that are too large.
        let wrong = stage(ratio(1, 10), 2, ratio(1, 11), ratio(3, 10));
        // Only one direction shows it, and both orders look in both.
        assert!(!run(&wrong, honest, [0, 1]).is_sound() && !run(&wrong, honest, [1, 0]).is_sound());
        let claim = Budget::pure(integer(1), Substitute).unwrap();
        let sum = |moved, loss, whole| composes(&stage(moved, 2, loss, whole), &claim).unwrap();
        assert!(sum(ratio(1, 10), ratio(1, 10), ratio(3, 10)));
        assert!(!sum(ratio(2, 10), ratio(1, 10), ratio(3, 10)));
        assert!(!sum(ratio(-1, 10), ratio(1, 10), ratio(3, 10)));
        let delta = Promise::Approximate {
            epsilon: integer(1),
            delta: ratio(1, 10),
        };
        let approximate = Stage::above("it", ratio(1, 10), 2, ratio(1, 10), delta);
        assert!(!composes(&approximate, &claim).unwrap());
    }

    #[test]
    fn a_threshold_is_of_public_law_and_in_its_own_stage() {
        let claim = Budget::pure(integer(1), Substitute).unwrap();
        let whole = Promise::Pure(integer(1));
        let run = |stage: Stage, of_data: bool| {
            let learner = |data: &Vec<i64>, coins: &mut Meter| -> Outcome<()> {
                coins.stage(&stage);
                let around = if of_data { data[0] } else { 0 };
                coins.draw_moved(&laplace(10).around(around), &BigInt::one())?;
                Ok(())
            };
            meter(learner, &vec![0], &vec![1], drawn(), &claim).unwrap()
        };
        let above = || Stage::above("it", ratio(1, 10), 1, ratio(1, 10), whole.clone());
        assert!(run(above(), false).is_sound());
        assert!(matches!(run(above(), true).cost, Cost::Unbounded(_)));
        let other = Stage::up_to("it", 1, whole.clone(), whole.clone());
        assert!(matches!(run(other, false).cost, Cost::Unbounded(_)));
    }

    /// Two rounds of two phases, of two numbers and one; a release of the sum with noise of this variance.
    fn rounds_of(
        data: &[i64],
        coins: &mut impl Coins,
        stage: &Stage,
        variance: i64,
        most: usize,
    ) -> Outcome<Vec<BigInt>> {
        let noise = DiscreteGaussian::new(integer(variance))?;
        coins.stage(stage);
        let mut released = Vec::new();
        for _ in 0..2 {
            let law = WithReplacement::new(data.len(), 3)?.at_most(most)?;
            let numbers = coins.draw_hidden(&law)?;
            for phase in [&numbers[..2], &numbers[2..]] {
                let sum: i64 = phase.iter().map(|&number| data[number]).sum();
                released.push(coins.draw(&noise.around(sum))?);
            }
        }
        Ok(released)
    }

    #[test]
    fn hidden_uses_cost_the_square_of_how_often_a_record_is_read() {
        let uses = Uses::new(5, vec![2, 1], 2).unwrap();
        let of_one = ratio(1, 400);
        let delta = uses
            .delta_for(&of_one, &ratio(1, 4), &ratio(1, 100))
            .unwrap()
            * ratio(1_000_001, 1_000_000);
        let whole = |delta: &Rational| Promise::Approximate {
            epsilon: ratio(1, 4),
            delta: delta.clone(),
        };
        let claim = Budget::approximate(ratio(1, 4), delta.clone(), Substitute).unwrap();
        let stage =
            |delta: &Rational| Stage::hidden_uses("it", uses.clone(), of_one.clone(), whole(delta));
        let run = |stage: &Stage, variance: i64, most: usize, seed: u64| {
            let learner =
                |data: &Vec<i64>, coins: &mut Meter| rounds_of(data, coins, stage, variance, most);
            let outcomes = Outcomes::far_out(ChaCha::reproducible(seed, 0), 3);
            meter(learner, &vec![0; 5], &vec![1, 0, 0, 0, 0], outcomes, &claim).unwrap()
        };
        let worst = |variance: i64| {
            let mut worst = Rational::zero();
            for seed in 0..10 {
                let report = run(&stage(&delta), variance, 3, seed);
                assert_eq!(report.is_sound(), report.faults().is_empty());
                worst = worst.max(report.stages[0].attained.clone().unwrap());
                if variance == 200 {
                    assert!(report.is_sound(), "{report}");
                }
            }
            worst
        };
        // Whatever is drawn: j^2/400 of a shift of j, at variance 200; and four times as much with a quarter of it.
        assert_eq!(worst(200), integer(1));
        assert_eq!(worst(50), integer(4));
        // A delta that is too small; numbers that are not independent; other sizes than stated.
        let report = run(&stage(&(&delta * ratio(999, 1000))), 200, 3, 0);
        assert!(!report.stages[0].composes);
        let report = run(&stage(&delta), 200, 2, 0);
        assert!(matches!(report.cost, Cost::Unbounded(_)) && report.stages[0].attained.is_none());
        let others = Uses::new(5, vec![1, 2], 2).unwrap();
        let other = Stage::hidden_uses("it", others, of_one.clone(), whole(&integer(1)));
        assert!(run(&other, 200, 3, 0).stages[0].composes);
        let others = Uses::new(6, vec![2, 1], 2).unwrap();
        let other = Stage::hidden_uses("it", others, of_one.clone(), whole(&integer(1)));
        assert!(run(&other, 200, 3, 0).stages[0].attained.is_none());
        // Under addition or removal nothing is known.
        let other = Budget::approximate(ratio(1, 4), ratio(1, 2), AddOrRemove).unwrap();
        assert!(!composes(&stage(&delta), &other).unwrap());
    }

    #[test]
    fn a_release_of_what_no_number_reads_is_noticed() {
        let uses = Uses::new(5, vec![2, 1], 2).unwrap();
        let whole = Promise::Approximate {
            epsilon: ratio(1, 4),
            delta: ratio(1, 2),
        };
        let stage = Stage::hidden_uses("it", uses, ratio(1, 2), whole);
        // It adds record 0 whether it is read or not.
        let learner = |data: &Vec<i64>, coins: &mut Meter| -> Outcome<Vec<BigInt>> {
            let shifted: Vec<i64> = data.iter().map(|value| value + data[0]).collect();
            rounds_of(&shifted, coins, &stage, 200, 3)
        };
        let claim = Budget::approximate(ratio(1, 4), ratio(1, 2), Substitute).unwrap();
        let sound = (0..10).filter(|&seed| {
            let outcomes = Outcomes::drawn(ChaCha::reproducible(seed, 0));
            let report = meter(learner, &vec![0; 5], &vec![1, 0, 0, 0, 0], outcomes, &claim);
            report.unwrap().is_sound()
        });
        // No record is read in all four draws, but by chance.
        assert!(sound.count() <= 2);
    }

    #[test]
    fn a_record_that_is_read_more_often_explains_nothing_where_it_is_known_which_record_differs() {
        // One release of the sum over four of five records: a use moves it by 1, and may cost 1/400.
        let uses = Uses::new(5, vec![4], 1).unwrap();
        let promised = Promise::Approximate {
            epsilon: ratio(1, 4),
            delta: ratio(1, 2),
        };
        let stage = Stage::hidden_uses("it", uses, ratio(1, 400), promised);
        let claim = Budget::approximate(ratio(1, 4), ratio(1, 2), Substitute).unwrap();
        let learner = |data: &Vec<i64>, coins: &mut Meter| -> Outcome<BigInt> {
            coins.stage(&stage);
            let numbers = coins.draw_hidden(&WithReplacement::new(5, 4)?)?;
            let sum: i64 = numbers.iter().map(|&number| data[number]).sum();
            coins.draw(&DiscreteGaussian::new(integer(200))?.around(sum))
        };
        // What the release takes of the promise, if record 0 moves by this; and whether there is no fault.
        let metered = |seed: u64, moved: i64, differing: Option<u64>| {
            let outcomes = Outcomes::drawn(ChaCha::reproducible(seed, 0));
            let runs = lockstep(learner, &vec![0; 5], &vec![moved, 0, 0, 0, 0], outcomes);
            let runs = differing.into_iter().fold(runs, Lockstep::differing_in);
            let report = judge(&runs, &claim).unwrap();
            (report.stages[0].attained.clone(), report.is_sound())
        };
        let mut hidden_by_another = 0;
        for seed in 0..40 {
            // All of what it states if record 0 is read, and otherwise nothing.
            let (honest, sound) = metered(seed, 1, Some(0));
            let is_read = honest == Some(integer(1));
            assert!(
                sound && (is_read || honest == Some(integer(0))),
                "seed {seed}: {honest:?}"
            );
            // Twice as far is four times the cost of each use.
            let (twice, sound) = metered(seed, 2, Some(0));
            assert_eq!(twice, honest.map(|honest| honest * integer(4)));
            assert_eq!(sound, !is_read, "seed {seed}");
            if is_read {
                // Another record, if it is read twice as often, explains that; one that is not read does not.
                hidden_by_another += u32::from(metered(seed, 2, None).1);
                assert_eq!(metered(seed, 2, Some(5)), (None, false), "seed {seed}");
            }
        }
        assert!(hidden_by_another >= 2, "{hidden_by_another}");
    }
}
