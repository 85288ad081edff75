//! Two runs of one learner in lockstep: the second dataset is learned from with the outcomes of the first.
//!
//! [`lockstep`] runs a learner on a dataset, and beside it on another one, where each draw has the outcome that the
//! first run drew, by force. What differs then is what the data decide: the laws. Draw by draw the meter compares
//! the two, and keeps their privacy loss at the outcome drawn and their divergence over all outcomes. What may be
//! concluded of it, and what may not, is in `spec/meter.md`; [`privacy::meter`](crate::privacy::meter) concludes it.
//!
//! The runs are two threads. The first sends what it draws in batches, a few of which are alive at a time; nothing
//! else is stored, so that a run may be as long as it likes.

use super::compared::{self, Compared, PRECISION, Questions, compared};
use super::layers::Question;
use super::small_laws::{Bernoulli, BernoulliExp, FairBits, UniformBelow};
use super::steering::{Probe, Steering};
use super::{
    Against, ChaCha, Coins, CoinsError, Divergence, Forward, GaussianShift, Law, Loss, Sharp,
    Stage, Table, Together,
};
use crate::number::Rational;
use num_bigint::{BigInt, BigUint};
use num_traits::{ToPrimitive, Zero};
use std::any::{Any, type_name};
use std::cell::Cell;
use std::fmt;
use std::mem::take;
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Runs `learner` on `first`, and on `second` with the same outcomes. The errors of a learner are outputs like any
/// other: they must be part of its result.
///
/// Where one dataset has more records than the other, it must be the first: the coupling of hidden draws goes from
/// more records to fewer.
///
/// # Panics
/// If the learner does.
pub fn lockstep<D: Sync + ?Sized, T: Send>(
    learner: impl Fn(&D, &mut Meter) -> T + Sync,
    first: &D,
    second: &D,
    outcomes: Outcomes,
) -> Lockstep<T> {
    lockstep_of(Fresh::First, learner, [first, second], outcomes)
}

/// Which of the two runs gets a thread of its own; the other one has that of the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fresh {
    /// The first.
    First,
    /// The second.
    Second,
}

/// [`lockstep`] on these threads: a learner whose result depends on its thread is not a function of data and draws.
///
/// # Panics
/// If the learner does.
pub fn lockstep_of<D: Sync + ?Sized, T: Send>(
    fresh: Fresh,
    learner: impl Fn(&D, &mut Meter) -> T + Sync,
    [first, second]: [&D; 2],
    outcomes: Outcomes,
) -> Lockstep<T> {
    in_lockstep(fresh, &learner, [first, second], outcomes)
}

/// The same, compiled once for all learners of such data and results.
fn in_lockstep<D: Sync + ?Sized, T: Send>(
    fresh: Fresh,
    learner: &(dyn Fn(&D, &mut Meter) -> T + Sync),
    [first, second]: [&D; 2],
    outcomes: Outcomes,
) -> Lockstep<T> {
    let (sender, receiver) = sync_channel(BATCHES);
    // These coins do not fail: they are a cipher's.
    let seed = outcomes.coins.clone().bits(64).unwrap_or_default();
    let leading = Meter::new(Side::First(Box::new(First {
        outcomes,
        batch: Vec::new(),
        sender,
    })));
    let following = Meter::new(Side::Second(Box::new(Second {
        batch: Vec::new().into_iter(),
        receiver,
        accounts: Vec::new(),
        draws: 0,
        parted: None,
        quiet: None,
        explored: 0,
        seed,
    })));
    let (mut led, mut followed) = (None, None);
    let lead = Box::new(|| led = Some(leading.lead(|coins| learner(first, coins))));
    let follow = Box::new(|| followed = Some(following.follow(|coins| learner(second, coins))));
    match fresh {
        Fresh::First => both(follow, lead),
        Fresh::Second => both(lead, follow),
    }
    let (Some((first, wrong, probes)), Some(mut followed)) = (led, followed) else {
        unreachable!("both ran, or a panic went on");
    };
    if wrong.is_some() || followed.wrong.is_some() {
        let told = |wrong: Option<&str>| wrong.unwrap_or("did not").to_owned();
        followed.parted.get_or_insert(Parted {
            draws: followed.draws,
            first: told(wrong),
            second: told(followed.wrong),
        });
    }
    Lockstep {
        first,
        second: followed.result,
        parted: followed.parted,
        accounts: followed.accounts,
        differing: None,
        probes,
    }
}

/// Runs one here and the other on a thread of its own, whose panic goes on here. Compiled once for all learners.
fn both(here: Box<dyn FnOnce() + Send + '_>, there: Box<dyn FnOnce() + Send + '_>) {
    std::thread::scope(|scope| {
        let other = scope.spawn(there);
        here();
        other
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
}

const ASKED: &str = "asked how many bits were drawn, which a result may not depend on";
const EXCHANGED: &str = "changed its coins for others";
const CAUGHT: &str = "panicked in a draw, and went on";

/// What the second run leaves.
struct Followed<T> {
    result: T,
    accounts: Vec<Account>,
    parted: Option<Parted>,
    draws: u64,
    wrong: Option<&'static str>,
}

/// How many batches wait between the two runs, and how many events are in one.
const BATCHES: usize = 4;
const BATCH: usize = 256;

/// Which outcomes the runs are led through.
#[derive(Debug, Clone)]
pub struct Outcomes {
    coins: ChaCha,
    far: Option<FarOut>,
    // From which draw on they are led elsewhere, by its number.
    led: Option<(usize, Steering)>,
    // What so many draws from this one on can be led to.
    probed_from: usize,
    probes: Vec<(usize, Probe)>,
    draws: usize,
}

/// How outcomes are steered.
#[derive(Debug, Clone)]
struct FarOut {
    stretch: u32,
    // For so many draws in a row the same coins decide in which direction.
    patience: u64,
    drawn: u64,
    direction: ChaCha,
}

impl Outcomes {
    /// Those that the laws of the first dataset give.
    #[must_use]
    pub fn drawn(coins: ChaCha) -> Self {
        Self {
            coins,
            far: None,
            led: None,
            probed_from: 0,
            probes: Vec::new(),
            draws: 0,
        }
    }

    /// Unlikely ones, about `stretch` times as far out as usual, wherever a law knows some ([`Law::far_out`]): a
    /// promise must be kept whatever was drawn before. From draw 2^16 on they are usual ones, so that a loop that draws noise
    /// until it is small ends.
    #[must_use]
    pub fn far_out(coins: ChaCha, stretch: u32) -> Self {
        let far = FarOut {
            stretch,
            patience: 1,
            drawn: 0,
            direction: coins.clone(),
        };
        Self {
            far: Some(far),
            ..Self::drawn(coins)
        }
    }

    /// The same, where `draws` draws in a row go in one direction: a descent of so many steps is led to the end.
    #[must_use]
    pub fn patiently(mut self, draws: u64) -> Self {
        if let Some(far) = &mut self.far {
            far.patience = draws.max(1);
        }
        self
    }

    /// Other outcomes, the `k`-th of several: the first as laws give them, and then far out, every other time with several draws
    /// in one direction.
    pub(crate) fn elsewhere(&self, k: u64) -> Self {
        // These coins do not fail: they are a cipher's.
        let seed = self.coins.clone().bits(64).unwrap_or_default();
        let coins = ChaCha::reproducible(seed, k);
        match k {
            0 => Self::drawn(coins),
            _ if k.is_multiple_of(2) => Self::far_out(coins, FURTHER),
            _ => Self::far_out(coins, FURTHER).patiently(IN_ONE_DIRECTION),
        }
    }

    /// These outcomes, but for what is led elsewhere from the draw of this number on, counted from 0.
    pub(crate) fn but_for(&self, draw: usize, steering: Steering) -> Self {
        Self {
            led: Some((draw, steering)),
            ..self.clone()
        }
    }

    /// The same, where it is found out what the draws from this one on can be led to, [`PROBES`] of them.
    pub(crate) fn probed_from(&self, draw: usize) -> Self {
        Self {
            probed_from: draw,
            ..self.clone()
        }
    }

    fn choose<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        let outcome = self.usual(law)?;
        let number = self.draws;
        self.draws += 1;
        let probed = self.probed_from..self.probed_from + PROBES;
        if self.led.is_none() && probed.contains(&number) {
            self.probes.push((number, Probe::of(law, &outcome)));
        }
        match &self.led {
            Some((from, steering)) if *from <= number => {
                Ok(steering.of(number - from, law, outcome))
            }
            _ => Ok(outcome),
        }
    }

    fn usual<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        if let Some(far) = &mut self.far
            && far.drawn < LED_FAR_OUT
        {
            if far.drawn.is_multiple_of(far.patience) {
                far.direction = ChaCha::reproducible(self.coins.bits(64)?, 0);
            }
            far.drawn += 1;
            let direction = &mut far.direction.clone();
            return compared::steered(law, far.stretch, direction, &mut self.coins);
        }
        law.sample(&mut self.coins)
    }
}

/// Of so many draws of a run it is known what they can be led to.
pub(crate) const PROBES: usize = 16;

/// So many draws in a row go in one direction there; not all of them, or a loop that rejects would not end.
const IN_ONE_DIRECTION: u64 = 16;

/// So many draws of a run go far out.
const LED_FAR_OUT: u64 = 1 << 16;

/// How far out [`Outcomes::elsewhere`] goes.
const FURTHER: u32 = 20;

/// What [`lockstep`] found.
#[derive(Debug)]
pub struct Lockstep<T> {
    /// The result on the first dataset.
    pub first: T,
    /// The result on the second, with the same outcomes.
    pub second: T,
    /// Where the two runs parted, if they did. The results then mean nothing.
    pub parted: Option<Parted>,
    /// What was drawn, stage by stage, in order. Draws before the first stage have an account without one.
    pub accounts: Vec<Account>,
    /// The number of the only record in which the datasets differ, counted from 0, if it is known: see
    /// [`Self::differing_in`].
    pub differing: Option<u64>,
    /// What some draws can be led to, by their numbers.
    pub(crate) probes: Vec<(usize, Probe)>,
}

impl<T> Lockstep<T> {
    /// Whether a draw had no bound for this reason.
    pub(crate) fn is_unbounded(&self, why: &str) -> bool {
        self.accounts
            .iter()
            .any(|account| account.unbounded == Some(why))
    }

    /// The same runs, of datasets that have their records in one order and differ in this one only, counted from 0. What
    /// is drawn with hidden uses of the records must then be explained by the uses of this record; otherwise by those of
    /// some record (`spec/meter.md`, Theorem 5).
    #[must_use]
    pub fn differing_in(mut self, record: u64) -> Self {
        self.differing = Some(record);
        self
    }
}

/// Where two runs did not do the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parted {
    /// After how many draws of the second run.
    pub draws: u64,
    /// What the first run did there.
    pub first: String,
    /// What the second run did.
    pub second: String,
}

impl fmt::Display for Parted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "after {} draws the first run {}, the second {}",
            self.draws, self.first, self.second
        )
    }
}

/// What was drawn in one stage.
#[derive(Debug, Clone)]
pub struct Account {
    /// The stage; `None` for draws before any.
    pub stage: Option<Stage>,
    /// How many draws, hidden ones not counted.
    pub draws: u64,
    /// How many hidden draws.
    pub hidden: u64,
    /// How many draws, hidden ones not counted, had an outcome that is not quiet ([`Law::is_quiet`]).
    pub loud: u64,
    /// How many draws had different laws on the two datasets.
    pub different: u64,
    /// The privacy loss of the outcomes drawn.
    pub loss: Loss,
    /// The pure losses: their sum, and the largest.
    pub pure: PureLosses,
    /// Gaussian noise, by its variance.
    pub gaussian: Vec<Shifts>,
    /// Gaussian noise around one hidden record, by its variance and the number of records.
    pub one_record: Vec<OneRecordSteps>,
    /// Which records were read, and what each draw cost; kept where the stage promises something of hidden uses.
    pub reads: Option<HiddenReads>,
    /// The hidden threshold and the losses in this direction; kept where the stage has one.
    pub threshold: Option<HiddenThreshold>,
    /// Why nothing bounds the cost, if a draw has no bound.
    pub unbounded: Option<&'static str>,
}

/// What is kept of a stage with a hidden threshold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenThreshold {
    /// How often a threshold was drawn.
    pub draws: u64,
    /// What moving them costs together.
    pub moved: Rational,
    /// The largest losses of a round.
    pub forward: Forward,
}

impl HiddenThreshold {
    fn enter(&mut self, forward: Forward) {
        let Forward { quiet, loud } = &mut self.forward;
        *quiet = take(quiet).max(forward.quiet);
        *loud = take(loud).max(forward.loud);
    }
}

/// What is kept of a stage that reads records by hidden numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HiddenReads {
    /// How many records there are; `None` before the first hidden draw.
    pub records: Option<u64>,
    /// The numbers of the records that are read, in order.
    pub numbers: Vec<u64>,
    /// The rho of each draw, in order.
    pub rho_of_draw: Vec<Rational>,
}

/// Pure losses of several draws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PureLosses {
    /// The sum of the worst losses.
    pub sum: Rational,
    /// The largest of them.
    pub largest: Rational,
}

/// Gaussian noise of one variance around vectors that differ: what was farthest, and the sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shifts {
    /// How many draws.
    pub draws: u64,
    /// The largest squared distance, and the largest number of coordinates moved.
    pub farthest: GaussianShift,
    /// The sum of the squared distances.
    pub squared_in_all: BigInt,
}

impl Shifts {
    /// Those of each variance together.
    #[must_use]
    pub fn by_variance(all: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut groups = Vec::new();
        all.into_iter().for_each(|one| one.enter(&mut groups));
        groups
    }

    /// Joins those of the same variance, if there are any.
    fn enter(self, groups: &mut Vec<Self>) {
        let same = |group: &&mut Self| group.farthest.variance == self.farthest.variance;
        match groups.iter_mut().find(same) {
            Some(group) => group.join(self),
            None => groups.push(self),
        }
    }

    fn join(&mut self, other: Self) {
        self.draws += other.draws;
        self.squared_in_all += other.squared_in_all;
        self.farthest.moved = self.farthest.moved.max(other.farthest.moved);
        self.farthest.squared = take(&mut self.farthest.squared).max(other.farthest.squared);
    }

    /// The rho of all of them together.
    #[must_use]
    pub fn rho(&self) -> Rational {
        GaussianShift {
            squared: self.squared_in_all.clone(),
            ..self.farthest.clone()
        }
        .rho()
    }
}

/// Steps that read one hidden record each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneRecordSteps {
    /// How many records there are.
    pub records: u64,
    /// The shifts, if the record that differs is the one that is read.
    pub read: Shifts,
}

impl OneRecordSteps {
    /// Those of each number of records and variance together.
    #[must_use]
    pub fn by_variance(all: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut groups = Vec::new();
        all.into_iter().for_each(|one| one.enter(&mut groups));
        groups
    }

    /// Joins those of as many records and the same variance, if there are any.
    fn enter(self, groups: &mut Vec<Self>) {
        let same = |group: &&mut Self| {
            group.records == self.records
                && group.read.farthest.variance == self.read.farthest.variance
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.read.join(self.read),
            None => groups.push(self),
        }
    }
}

/// Of so many draws of a stage everything is asked.
const ASKED_ALL: u64 = 64;

/// In so many runs the samplers of a stage are explored at every draw.
const EXPLORED_ALL: usize = 1 << 19;

impl Account {
    pub(crate) fn new(stage: Option<Stage>) -> Self {
        let hidden_uses = |stage: &Stage| matches!(stage.together, Together::HiddenUses(_));
        let reads = stage.as_ref().is_some_and(hidden_uses);
        let above = |stage: &Stage| matches!(stage.together, Together::Above { .. });
        let threshold = HiddenThreshold {
            draws: 0,
            moved: Rational::zero(),
            forward: Forward::none(),
        };
        Self {
            reads: reads.then(HiddenReads::default),
            threshold: stage.as_ref().is_some_and(above).then_some(threshold),
            stage,
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
            unbounded: None,
        }
    }

    /// Which questions are asked of the next draw, if samplers were explored in so many runs: all of the first ones, and then
    /// ever more rarely. They are tried with coins of this seed.
    fn questions(&self, explored: usize, seed: u64) -> Questions {
        let rarely = self.draws.is_power_of_two();
        Questions {
            seed,
            forward: self.threshold.is_some(),
            all: rarely || self.draws < ASKED_ALL,
            explore: rarely || explored < EXPLORED_ALL,
        }
    }

    /// Enters what was found of a draw.
    fn draw(&mut self, found: Compared) {
        self.enter(&found.loss, found.divergence);
        self.loud += u64::from(!found.quiet);
        if let Some(threshold) = &mut self.threshold {
            match found.forward {
                Some(forward) => threshold.enter(forward),
                None => self.unbounded = Some("nothing bounds a round in one direction"),
            }
        }
    }

    fn enter(&mut self, loss: &Loss, divergence: Divergence) {
        self.draws += 1;
        if let Some(reads) = &mut self.reads {
            // A draw of another kind is found where its promise is looked at.
            reads.rho_of_draw.push(match &divergence {
                Divergence::Gaussian(shift) => shift.rho(),
                Divergence::Pure(worst) => worst * worst / BigInt::from(2),
                _ => Rational::zero(),
            });
        }
        if divergence == Divergence::None {
            return;
        }
        self.different += 1;
        self.loss = self.loss.plus(loss);
        match divergence {
            Divergence::None => {}
            Divergence::Pure(worst) => {
                self.pure.sum += &worst;
                self.pure.largest = take(&mut self.pure.largest).max(worst);
            }
            Divergence::Gaussian(shift) => {
                Shifts::of(shift).enter(&mut self.gaussian);
            }
            Divergence::OneRecord { records, read } => {
                let read = Shifts::of(read);
                OneRecordSteps { records, read }.enter(&mut self.one_record);
            }
            Divergence::Unbounded(why) => self.unbounded = Some(why),
        }
    }
}

impl Shifts {
    fn of(shift: GaussianShift) -> Self {
        Self {
            draws: 1,
            squared_in_all: shift.squared.clone(),
            farthest: shift,
        }
    }
}

/// The source of coins of one of two runs in [`lockstep`].
pub struct Meter {
    side: Side,
    // No other meter has it: a learner may exchange its coins for those of another.
    number: u64,
    // Once the runs have parted, every draw is an error: a learner may pass over one. So it is within a draw: a learner may
    // catch the panic of a law.
    halted: bool,
    // Whether the learner asked how many bits were drawn.
    asked: Cell<bool>,
}

/// Which of the two it is, it does not say.
impl fmt::Debug for Meter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Meter")
    }
}

enum Side {
    First(Box<First>),
    Second(Box<Second>),
}

struct First {
    outcomes: Outcomes,
    batch: Vec<Event>,
    sender: SyncSender<Vec<Event>>,
}

struct Second {
    batch: std::vec::IntoIter<Event>,
    receiver: Receiver<Vec<Event>>,
    accounts: Vec<Account>,
    draws: u64,
    parted: Option<Parted>,
    // Of the last account: the quiet outcome, if one was drawn (there may be one only: `spec/meter.md`, Theorem 7), and in how
    // many runs samplers were explored.
    quiet: Option<Box<dyn Any + Send>>,
    explored: usize,
    // Of coins with which samplers are tried.
    seed: u64,
}

/// What a run does that the other must do too.
#[derive(Debug)]
enum Event {
    Stage(Box<Stage>),
    Draw {
        law: Box<dyn Any + Send>,
        outcome: Result<Box<dyn Any + Send>, CoinsError>,
        kind: fn() -> String,
        place: &'static Location<'static>,
        shown: Shown,
    },
    /// It asked for what only samplers may ask for.
    Refused(&'static Location<'static>),
    /// A sampler asked for bits with these arguments.
    Asked(Asked),
}

/// A [`Question`], to keep.
#[derive(Debug, Clone, PartialEq)]
enum Asked {
    /// Of this kind, with this argument.
    Number(&'static str, String),
    /// So many times a place of a table.
    Pick(Table, usize),
}

impl From<Question<'_>> for Asked {
    fn from(question: Question<'_>) -> Self {
        match question {
            Question::UniformBelow(n) => Self::Number("a uniform integer", n.to_string()),
            Question::Bernoulli(p) => Self::Number("a coin", p.to_string()),
            Question::BernoulliExp(x) => Self::Number("an exponential coin", x.to_string()),
            Question::Below(n) => Self::Number("a uniform word", n.to_string()),
            Question::Against(outright, sharp) => {
                Self::Number("a comparison", format!("{outright}, {sharp:?}"))
            }
            Question::Pick(table, times) => Self::Pick(table.clone(), times),
        }
    }
}

/// What becomes of an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// It may be published.
    Seen,
    /// It is hidden, and the second run gets the one that is coupled with it.
    Hidden,
    /// It is a hidden threshold, and the second run gets one that is moved.
    Threshold,
}

impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stage(stage) => write!(formatter, "began the stage '{}'", stage.name),
            Self::Draw { kind, place, .. } => write!(formatter, "drew a {} at {place}", kind()),
            Self::Refused(place) => write!(formatter, "{COMPARED} at {place}"),
            Self::Asked(asked) => write!(formatter, "{SAMPLED} {asked:?}"),
        }
    }
}

impl First {
    /// False if there is nobody to receive it any more.
    fn send(&mut self, event: Event) -> bool {
        self.batch.push(event);
        self.batch.len() < BATCH || self.flush()
    }

    fn flush(&mut self) -> bool {
        self.sender.send(take(&mut self.batch)).is_ok()
    }
}

impl Second {
    /// The next thing that the first run did; `None` if it has ended.
    fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.batch.next() {
                return Some(event);
            }
            self.batch = self.receiver.recv().ok()?.into_iter();
        }
    }

    fn part(&mut self, first: String, second: String) -> CoinsError {
        self.parted.get_or_insert(Parted {
            draws: self.draws,
            first,
            second,
        });
        CoinsError::Parted
    }

    fn expect_no_more(&mut self) {
        if self.parted.is_none()
            && let Some(event) = self.next()
        {
            self.part(event.to_string(), ENDED.to_owned());
        }
    }

    fn account(&mut self) -> &mut Account {
        if self.accounts.is_empty() {
            self.accounts.push(Account::new(None));
        }
        let last = self.accounts.len() - 1;
        &mut self.accounts[last]
    }

    fn stage(&mut self, stage: &Stage) -> Result<(), CoinsError> {
        match self.next() {
            Some(Event::Stage(first)) if *first == *stage => {
                self.accounts.push(Account::new(Some(*first)));
                (self.quiet, self.explored) = (None, 0);
                Ok(())
            }
            other => Err(self.part(done(other), format!("began the stage '{}'", stage.name))),
        }
    }

    /// A sampler's question, which must be that of the first run.
    fn asked(&mut self, asked: &Asked) -> Result<(), CoinsError> {
        match self.next() {
            Some(Event::Asked(first)) if first == *asked => Ok(()),
            other => Err(self.part(done(other), format!("{SAMPLED} {asked:?}"))),
        }
    }

    fn draw<L: Law>(
        &mut self,
        law: &L,
        shown: Shown,
        place: &'static Location<'static>,
    ) -> Result<L::Outcome, CoinsError> {
        let here = || format!("drew a {} at {place}", short_name::<L>());
        let (first, outcome) = match self.next() {
            Some(Event::Draw {
                law: first,
                outcome,
                place: there,
                shown: first_shown,
                kind,
            }) if there == place && first_shown == shown => match first.downcast::<L>() {
                Ok(first) => (first, outcome),
                Err(_) => {
                    let first = format!("drew a {} at {there}", kind());
                    return Err(self.part(first, here()));
                }
            },
            other => return Err(self.part(done(other), here())),
        };
        let outcome = match outcome.map(|outcome| outcome.downcast::<L::Outcome>()) {
            Ok(Ok(outcome)) => outcome,
            // One kind of laws has one kind of outcomes.
            Ok(Err(_)) => return Err(self.part(here(), here())),
            // The same law fails in the same way; of an unknown one nobody knows.
            Err(error) if compared::are_known_and_equal(&*first, law) => {
                return Err(error);
            }
            Err(error) => {
                let first = format!("failed to draw a {} at {place}: {error}", short_name::<L>());
                return Err(self.part(
                    first,
                    "had another law, or one that is not known".to_owned(),
                ));
            }
        };
        self.draws += 1;
        match shown {
            Shown::Seen => self.seen([&*first, law], *outcome, place),
            Shown::Hidden => self.coupled(&*first, law, &outcome, place),
            Shown::Threshold => {
                if !compared::are_known_and_equal(&*first, law) {
                    self.account().unbounded = Some("the law of a threshold depends on the data");
                }
                Ok(*outcome)
            }
        }
    }

    /// A draw whose outcome may be published.
    fn seen<L: Law>(
        &mut self,
        laws: [&L; 2],
        outcome: L::Outcome,
        place: &'static Location<'static>,
    ) -> Result<L::Outcome, CoinsError> {
        let (explored, seed) = (self.explored, self.seed);
        let questions = self.account().questions(explored, seed);
        let found = match compared(laws, &outcome, questions) {
            Ok(found) => found,
            Err(error) => {
                let why = Divergence::Unbounded(NOT_ENCLOSED);
                self.account().enter(&Loss::none(), why);
                let first = format!("drew a {} at {place}", short_name::<L>());
                let second = format!("drew what cannot be compared: {error}");
                return Err(self.part(first, second));
            }
        };
        let impossible = found.loss == Loss::Infinite;
        self.explored += found.explored;
        let other_quiet = found.quiet && self.is_other_quiet(&outcome);
        let account = self.account();
        account.draw(found);
        if other_quiet {
            account.unbounded = Some("two different outcomes are quiet");
        }
        if impossible {
            let first = format!("drew {outcome:?} from a {} at {place}", short_name::<L>());
            return Err(self.part(first, "cannot draw that".to_owned()));
        }
        Ok(compared::as_listed(laws[1], outcome))
    }

    /// Whether another outcome than this one was quiet in the last account.
    fn is_other_quiet<O: Clone + Ord + Send + 'static>(&mut self, outcome: &O) -> bool {
        let known = self
            .quiet
            .get_or_insert_with(|| -> Box<dyn Any + Send> { Box::new(outcome.clone()) })
            .downcast_ref::<O>();
        known.is_none_or(|known| known.cmp(outcome).is_ne())
    }

    /// The outcome of a hidden draw that goes with the first run's.
    fn coupled<L: Law>(
        &mut self,
        first: &L,
        law: &L,
        outcome: &L::Outcome,
        place: &'static Location<'static>,
    ) -> Result<L::Outcome, CoinsError> {
        let here = compared::transported(first, law, outcome, self.seed);
        let account = self.account();
        account.hidden += 1;
        if let Err(why) = here {
            account.unbounded = Some(why);
        }
        if let Some(reads) = &mut account.reads {
            let equal = compared::are_known_and_equal(first, law);
            let read = law.reads(outcome).filter(|(records, _)| {
                equal && reads.records.is_none_or(|known| known == *records)
            });
            match read {
                Some((records, numbers)) => {
                    reads.records = Some(records);
                    reads.numbers.extend(numbers);
                }
                None => {
                    account.unbounded = Some("a hidden draw is not of uniform, independent records")
                }
            }
        }
        here.map_err(|why| {
            let first = format!("drew a hidden {} at {place}", short_name::<L>());
            self.part(first, format!("found no coupling for it: {why}"))
        })
    }
}

impl Second {
    /// The threshold that goes with the first run's.
    fn moved<L: Law<Outcome = BigInt>>(
        &mut self,
        law: &L,
        slack: &BigInt,
        first: BigInt,
    ) -> BigInt {
        // Pr[h] is at most so many times Pr[h + slack] as Pr[h + slack] of the moved law is of Pr[h + slack].
        let cost = law
            .moved(slack)
            .map(|moved| moved.divergence(law, PRECISION));
        let account = self.account();
        match (cost, &mut account.threshold) {
            (Some(Ok(Divergence::Pure(cost))), Some(threshold)) => {
                threshold.draws += 1;
                threshold.moved += cost;
            }
            (Some(Ok(Divergence::None)), Some(threshold)) => threshold.draws += 1,
            _ => account.unbounded = Some("a threshold that cannot be moved here"),
        }
        first + slack
    }
}

const ENDED: &str = "had ended";

/// Why a draw has no bound of which too few digits are left.
pub(crate) const NOT_ENCLOSED: &str = "the loss of a draw could not be enclosed";

const SAMPLED: &str = "called a sampler for";

const COMPARED: &str = "compared a uniform number with bounds (`against`), which only samplers may";

/// What the first run did, in words.
fn done(event: Option<Event>) -> String {
    event.map_or_else(|| ENDED.to_owned(), |event| event.to_string())
}

/// The name of a type without the modules that it stands in, its arguments likewise.
fn short_name<L>() -> String {
    let short = |part: &'static str| &part[part.rfind("::").map_or(0, |place| place + 2)..];
    type_name::<L>()
        .split_inclusive(['<', '>', ','])
        .map(short)
        .collect()
}

impl Meter {
    fn new(side: Side) -> Self {
        static METERS: AtomicU64 = AtomicU64::new(0);
        Self {
            side,
            number: METERS.fetch_add(1, Ordering::Relaxed),
            halted: false,
            asked: Cell::new(false),
        }
    }

    /// What a learner did that no run shows, if it was given the meter of this number.
    fn wrong(&self, number: u64) -> Option<&'static str> {
        match self.number == number {
            false => Some(EXCHANGED),
            true if self.asked.get() => Some(ASKED),
            true => self.halted.then_some(CAUGHT),
        }
    }

    /// The first run: its result, and what is wrong with it. At its end what it did last is sent, and the other run learns
    /// that there is no more.
    fn lead<T>(
        mut self,
        learner: impl FnOnce(&mut Self) -> T,
    ) -> (T, Option<&'static str>, Vec<(usize, Probe)>) {
        let number = self.number;
        let result = learner(&mut self);
        let mut probes = Vec::new();
        if let Side::First(first) = &mut self.side {
            // Nobody may be left to receive it: the runs have parted.
            let _ = first.flush();
            probes = take(&mut first.outcomes.probes);
        }
        (result, self.wrong(number), probes)
    }

    /// The second run. At its end nobody receives any more, so that the first run waits for no one.
    fn follow<T>(mut self, learner: impl FnOnce(&mut Self) -> T) -> Followed<T> {
        let number = self.number;
        let result = learner(&mut self);
        let wrong = self.wrong(number);
        let (accounts, parted, draws) = match self.side {
            Side::Second(mut side) => {
                side.expect_no_more();
                (side.accounts, side.parted, side.draws)
            }
            // Exchanged.
            Side::First(_) => (Vec::new(), None, 0),
        };
        Followed {
            result,
            accounts,
            parted,
            draws,
            wrong,
        }
    }

    fn record<L: Law>(
        &mut self,
        law: &L,
        shown: Shown,
        place: &'static Location<'static>,
    ) -> Result<L::Outcome, CoinsError> {
        if self.halted {
            return Err(CoinsError::Parted);
        }
        self.halted = true;
        let outcome = match &mut self.side {
            Side::First(first) => {
                let outcome = first.outcomes.choose(law);
                let boxed = |outcome: L::Outcome| -> Box<dyn Any + Send> { Box::new(outcome) };
                let sent = first.send(Event::Draw {
                    law: Box::new(law.clone()),
                    outcome: outcome.clone().map(boxed),
                    kind: short_name::<L>,
                    place,
                    shown,
                });
                if sent {
                    outcome
                } else {
                    Err(CoinsError::Parted)
                }
            }
            Side::Second(second) => second.draw(law, shown, place),
        };
        self.halted = matches!(outcome, Err(CoinsError::Parted));
        outcome
    }
}

impl Coins for Meter {
    #[track_caller]
    fn bits(&mut self, count: u32) -> Result<u64, CoinsError> {
        self.record(&FairBits { count }, Shown::Seen, Location::caller())
    }

    /// Nobody is told: how many bits a sampler took is part of no law. Whoever asks is found out.
    fn consumed(&self) -> u64 {
        self.asked.set(true);
        0
    }

    #[track_caller]
    fn words(&mut self, out: &mut [u64]) -> Result<(), CoinsError> {
        let place = Location::caller();
        for word in out {
            *word = self.record(&FairBits { count: 64 }, Shown::Seen, place)?;
        }
        Ok(())
    }

    #[track_caller]
    fn pick(&mut self, table: &Table) -> Result<usize, CoinsError> {
        self.record(table, Shown::Seen, Location::caller())
    }

    #[track_caller]
    fn pick_each(&mut self, table: &Table, out: &mut [i64]) -> Result<(), CoinsError> {
        let place = Location::caller();
        for entry in out {
            // A table has at most 2^24 places.
            *entry = self.record(table, Shown::Seen, place)? as i64;
        }
        Ok(())
    }

    #[track_caller]
    fn below(&mut self, n: u64) -> Result<u64, CoinsError> {
        let law = UniformBelow { n: n.into() };
        let drawn = self.record(&law, Shown::Seen, Location::caller())?;
        drawn.to_u64().ok_or(CoinsError::NoOutcome)
    }

    /// Refused: its bounds come one after the other, and the second only if it is needed. It is for samplers, and what
    /// a learner draws is a law.
    #[track_caller]
    fn against(
        &mut self,
        _outright: u64,
        _sharp: impl FnOnce() -> Sharp,
    ) -> Result<Against, CoinsError> {
        let place = Location::caller();
        match &mut self.side {
            Side::First(first) => {
                first.send(Event::Refused(place));
            }
            Side::Second(second) => {
                let event = second.next();
                second.part(done(event), format!("{COMPARED} at {place}"));
            }
        }
        self.halted = true;
        Err(CoinsError::Parted)
    }

    #[track_caller]
    fn uniform_below(&mut self, n: &BigUint) -> Result<BigUint, CoinsError> {
        let law = UniformBelow { n: n.clone() };
        self.record(&law, Shown::Seen, Location::caller())
    }

    #[track_caller]
    fn bernoulli(&mut self, p: &Rational) -> Result<bool, CoinsError> {
        let law = Bernoulli { p: p.clone() };
        self.record(&law, Shown::Seen, Location::caller())
    }

    #[track_caller]
    fn bernoulli_exp(&mut self, x: &Rational) -> Result<bool, CoinsError> {
        let law = BernoulliExp { x: x.clone() };
        self.record(&law, Shown::Seen, Location::caller())
    }

    #[track_caller]
    fn draw<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        self.record(law, Shown::Seen, Location::caller())
    }

    #[track_caller]
    fn draw_hidden<L: Law>(&mut self, law: &L) -> Result<L::Outcome, CoinsError> {
        self.record(law, Shown::Hidden, Location::caller())
    }

    #[track_caller]
    fn draw_moved<L: Law<Outcome = BigInt>>(
        &mut self,
        law: &L,
        slack: &BigInt,
    ) -> Result<BigInt, CoinsError> {
        let drawn = self.record(law, Shown::Threshold, Location::caller())?;
        Ok(match &mut self.side {
            Side::First(_) => drawn,
            Side::Second(second) => second.moved(law, slack, drawn),
        })
    }

    fn asks(&mut self, question: Question<'_>) {
        if self.halted {
            return;
        }
        let asked = Asked::from(question);
        let on = match &mut self.side {
            Side::First(first) => first.send(Event::Asked(asked)),
            Side::Second(second) => second.asked(&asked).is_ok(),
        };
        self.halted = !on;
    }

    #[track_caller]
    fn stage(&mut self, stage: &Stage) {
        if self.halted {
            return;
        }
        let on = match &mut self.side {
            Side::First(first) => first.send(Event::Stage(Box::new(stage.clone()))),
            Side::Second(second) => second.stage(stage).is_ok(),
        };
        self.halted = !on;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::Promise;
    use crate::number::rational::{integer, ratio};
    use crate::number::{Enclosure, NumberError};
    use std::collections::BTreeSet;

    type Outcome<T> = Result<T, CoinsError>;

    /// What a learner does that knows only whether it runs on the second dataset.
    fn two_runs<T: Send>(
        learner: impl Fn(&bool, &mut Meter) -> Outcome<T> + Sync,
    ) -> Lockstep<Outcome<T>> {
        let outcomes = Outcomes::drawn(ChaCha::reproducible(1, 0));
        lockstep(learner, &false, &true, outcomes)
    }

    fn fair() -> Bernoulli {
        Bernoulli { p: ratio(1, 2) }
    }

    #[test]
    fn every_layer_draws_from_its_law_and_both_runs_the_same() {
        let runs = two_runs(|_, coins| {
            let mut drawn = Vec::new();
            for _ in 0..100 {
                drawn.push((
                    coins.bits(2)?,
                    coins.uniform_below(&3u32.into())?,
                    coins.bernoulli(&ratio(1, 2))?,
                    coins.bernoulli_exp(&integer(1))?,
                ));
            }
            Ok(drawn)
        });
        let drawn = runs.first.unwrap();
        assert_eq!(runs.second.unwrap(), drawn);
        assert_eq!(
            (runs.accounts[0].draws, runs.accounts[0].different),
            (400, 0)
        );
        // Each outcome is among a hundred.
        let bits: BTreeSet<_> = drawn.iter().map(|all| all.0).collect();
        let below: BTreeSet<_> = drawn.iter().map(|all| &all.1).collect();
        let coin: BTreeSet<_> = drawn.iter().map(|all| all.2).collect();
        let exp: BTreeSet<_> = drawn.iter().map(|all| all.3).collect();
        assert_eq!(
            (bits.len(), below.len(), coin.len(), exp.len()),
            (4, 3, 2, 2)
        );
    }

    #[test]
    fn two_exponential_coins_are_as_far_apart_as_their_exponents() {
        let runs = two_runs(|second, coins| coins.bernoulli_exp(&integer(1 + i64::from(*second))));
        let account = &runs.accounts[0];
        assert_eq!((account.draws, account.different), (1, 1));
        // e^-1 to e^-2 where it is true; where it is not, about 0.63 to 0.86.
        let more = &account.pure.largest - integer(1);
        assert!(more >= integer(0) && more < ratio(1, 1 << 60), "{more}");
    }

    #[test]
    fn draws_at_two_places_of_the_code_part_the_runs() {
        let runs = two_runs(|second, coins| {
            if *second {
                return coins.draw(&fair());
            }
            coins.draw(&fair())
        });
        assert!(runs.parted.is_some() && runs.second.is_err());
    }

    #[test]
    fn a_draw_that_only_one_run_hides_parts_them() {
        // Both draws have the place of the caller.
        #[track_caller]
        fn draw(coins: &mut Meter, hidden: bool) -> Outcome<bool> {
            match hidden {
                true => coins.draw_hidden(&fair()),
                false => coins.draw(&fair()),
            }
        }
        let runs = two_runs(|_, coins| draw(coins, true));
        assert!(runs.parted.is_none() && runs.second.is_ok());
        let runs = two_runs(|second, coins| draw(coins, *second));
        assert!(runs.parted.is_some() && runs.second.is_err());
        let runs = two_runs(|second, coins| draw(coins, !*second));
        assert!(runs.parted.is_some() && runs.second.is_err());
    }

    #[test]
    fn a_stage_that_depends_on_the_data_parts_the_runs() {
        let runs = two_runs(|second, coins| {
            let epsilon = integer(1 + i64::from(*second));
            coins.stage(&Stage::once("the release", Promise::Pure(epsilon)));
            coins.draw(&fair())
        });
        assert!(runs.parted.is_some() && runs.second.is_err());
    }

    #[test]
    fn hidden_draws_are_counted_beside_the_others() {
        let runs = two_runs(|_, coins| {
            coins.draw_hidden(&fair())?;
            coins.draw_hidden(&fair())?;
            coins.draw(&fair())
        });
        let account = &runs.accounts[0];
        assert_eq!((account.hidden, account.draws), (2, 1));
    }

    /// Far out it is its stretch, up or down; drawn it is 0.
    #[derive(Debug, Clone, PartialEq)]
    struct UpOrDown;

    impl Law for UpOrDown {
        type Outcome = i64;

        fn sample<C: Coins>(&self, _: &mut C) -> Outcome<i64> {
            Ok(0)
        }

        fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
            true
        }

        fn pmf(&self, _: &i64, bits: u32) -> Result<Enclosure, NumberError> {
            Ok(Enclosure::integer(1, bits))
        }

        fn far_out<C: Coins>(&self, stretch: u32, coins: &mut C) -> Outcome<Option<i64>> {
            let far = i64::from(stretch);
            Ok(Some(if coins.bits(1)? == 0 { -far } else { far }))
        }
    }

    #[test]
    fn a_loop_that_draws_noise_until_it_is_small_ends() {
        let mut outcomes = Outcomes::far_out(ChaCha::reproducible(1, 0), 20);
        let small = (0..).find(|_| outcomes.choose(&UpOrDown).unwrap() == 0);
        assert_eq!(small, Some(LED_FAR_OUT));
    }

    #[test]
    fn outcomes_go_far_out_in_one_direction_as_long_as_patience_lasts() {
        let coins = || ChaCha::reproducible(1, 0);
        let mut patient = Outcomes::far_out(coins(), 7).patiently(5);
        let drawn: Vec<i64> = (0..100)
            .map(|_| patient.choose(&UpOrDown).unwrap())
            .collect();
        assert!(
            drawn
                .chunks(5)
                .all(|five| five.iter().all(|one| *one == five[0]))
        );
        assert_eq!(BTreeSet::from_iter(drawn), BTreeSet::from([-7, 7]));
        // Without patience each draw has a direction of its own.
        let mut hasty = Outcomes::far_out(coins(), 7);
        let drawn: Vec<i64> = (0..100).map(|_| hasty.choose(&UpOrDown).unwrap()).collect();
        assert!(drawn.chunks(2).any(|two| two[0] != two[1]));
        assert_eq!(Outcomes::drawn(coins()).choose(&UpOrDown), Ok(0));
        // A law that knows nothing far out is drawn from.
        let drawn = BTreeSet::from_iter((0..100).map(|_| hasty.choose(&fair()).unwrap()));
        assert_eq!(drawn.len(), 2);
    }

    fn shift(squared: i64, moved: u64, variance: i64) -> GaussianShift {
        GaussianShift {
            squared: squared.into(),
            moved,
            variance: integer(variance),
        }
    }

    #[test]
    fn shifts_of_one_variance_are_joined() {
        let all = [
            shift(1, 1, 2),
            shift(9, 2, 2),
            shift(5, 1, 3),
            shift(4, 3, 2),
        ];
        let found = Shifts::by_variance(all.map(Shifts::of));
        let first = Shifts {
            draws: 3,
            farthest: shift(9, 3, 2),
            squared_in_all: 14.into(),
        };
        // 14 / (2 * 2)
        assert_eq!(first.rho(), ratio(7, 2));
        assert_eq!(found, [first, Shifts::of(shift(5, 1, 3))]);
    }

    #[test]
    fn steps_of_one_variance_and_as_many_records_are_joined() {
        let steps = |records, variance| OneRecordSteps {
            records,
            read: Shifts::of(shift(1, 1, variance)),
        };
        let all = [steps(10, 2), steps(20, 2), steps(10, 3), steps(10, 2)];
        let found = OneRecordSteps::by_variance(all);
        let counted = found
            .iter()
            .map(|one| (one.records, one.read.draws, &one.read.farthest.variance));
        assert!(counted.eq([
            (10, 2, &integer(2)),
            (20, 1, &integer(2)),
            (10, 1, &integer(3))
        ]));
    }

    #[test]
    fn an_account_adds_up_what_is_drawn() {
        let mut account = Account::new(None);
        for worst in [1, 3, 2] {
            let worst = integer(worst);
            account.enter(&Loss::Exact(-&worst), Divergence::Pure(worst));
        }
        account.enter(&Loss::none(), Divergence::None);
        for squared in [4, 5] {
            let loss = Loss::Exact(ratio(1, 2));
            account.enter(&loss, Divergence::Gaussian(shift(squared, 1, 2)));
            let read = shift(squared, 1, 2);
            account.enter(&loss, Divergence::OneRecord { records: 9, read });
        }
        assert_eq!((account.draws, account.different), (8, 7));
        assert_eq!(account.loss, Loss::Exact(integer(-4)));
        let pure = PureLosses {
            sum: integer(6),
            largest: integer(3),
        };
        assert_eq!(account.pure, pure);
        assert_eq!((account.gaussian.len(), account.gaussian[0].draws), (1, 2));
        assert_eq!(account.one_record.len(), 1);
        assert_eq!(account.one_record[0].read.draws, 2);
        assert_eq!(account.unbounded, None);
        account.enter(&Loss::none(), Divergence::Unbounded("why"));
        assert_eq!(account.unbounded, Some("why"));
    }

    /// A coin that states a divergence of its own, and is of the library or not.
    #[derive(Debug, Clone, PartialEq)]
    struct Stating {
        coin: Bernoulli,
        divergence: Divergence,
        known: bool,
    }

    impl Law for Stating {
        type Outcome = bool;

        fn is_of_the_library(&self, _: crate::coins::Seal) -> bool {
            self.known
        }

        fn sample<C: Coins>(&self, coins: &mut C) -> Outcome<bool> {
            self.coin.sample(coins)
        }

        fn pmf(&self, side: &bool, bits: u32) -> Result<Enclosure, NumberError> {
            self.coin.pmf(side, bits)
        }

        fn outcome(&self, index: u64) -> Option<bool> {
            self.coin.outcome(index)
        }

        fn divergence(&self, _: &Self, _: u32) -> Result<Divergence, NumberError> {
            Ok(self.divergence.clone())
        }
    }

    #[test]
    fn a_law_that_states_less_than_it_loses_is_not_believed() {
        // 1/2 to 1/4 and 1/2 to 3/4: the losses are 0.69 and -0.41.
        let account = |divergence: Divergence, known: bool| {
            let runs = two_runs(|second, coins| {
                let p = if *second { ratio(1, 4) } else { ratio(1, 2) };
                coins.draw(&Stating {
                    coin: Bernoulli { p },
                    divergence: divergence.clone(),
                    known,
                })
            });
            runs.accounts[0].clone()
        };
        for too_little in [Divergence::None, Divergence::Pure(ratio(2, 5))] {
            let found = account(too_little, true);
            let says = "a law states a divergence below the loss of an outcome";
            assert_eq!((found.different, found.unbounded), (1, Some(says)));
        }
        let found = account(Divergence::Pure(ratio(7, 10)), true);
        assert_eq!((found.different, found.unbounded), (1, None));
        assert_eq!(found.pure.sum, ratio(7, 10));
        // A law that the library does not have is not asked: ln 2.
        let found = account(Divergence::None, false);
        assert_eq!((found.different, found.unbounded), (1, None));
        assert!(found.pure.sum > ratio(69, 100) && found.pure.sum < ratio(7, 10));
    }

    /// At one place of the code, whatever the law.
    #[track_caller]
    fn draw_here<L: Law>(coins: &mut Meter, law: &L) -> Outcome<L::Outcome> {
        coins.draw(law)
    }

    #[test]
    fn where_the_runs_part_is_said_of_both() {
        let exponential = BernoulliExp { x: integer(1) };
        let sure = |side: bool| Bernoulli {
            p: integer(i64::from(side)),
        };
        // Another law, another number of draws, a stage, an impossible outcome, a hidden draw without coupling.
        let runs = [
            two_runs(|second, coins| {
                coins.draw(&fair())?;
                match second {
                    true => draw_here(coins, &exponential),
                    false => draw_here(coins, &fair()),
                }
            }),
            two_runs(|second, coins| {
                coins.draw(&fair())?;
                if *second {
                    Ok(true)
                } else {
                    coins.draw(&fair())
                }
            }),
            two_runs(|second, coins| {
                coins.draw(&fair())?;
                if *second {
                    coins.draw(&fair())
                } else {
                    Ok(true)
                }
            }),
            two_runs(|second, coins| {
                coins.draw(&fair())?;
                let name = if *second { "one" } else { "other" };
                coins.stage(&Stage::public(name));
                coins.draw(&fair())
            }),
            two_runs(|second, coins| coins.draw(&sure(!*second))),
            two_runs(|second, coins| {
                let p = if *second { ratio(1, 3) } else { ratio(1, 2) };
                coins.draw_hidden(&Bernoulli { p })
            }),
        ];
        let expected = [
            ("drew a Bernoulli at src", "drew a BernoulliExp at src"),
            ("drew a Bernoulli at src", "had ended"),
            ("had ended", "drew a Bernoulli at src"),
            ("began the stage 'other'", "began the stage 'one'"),
            ("drew true from a Bernoulli at src", "cannot draw that"),
            ("drew a hidden Bernoulli at src", "found no coupling for it"),
        ];
        for (runs, (first, second)) in runs.iter().zip(expected) {
            let parted = runs.parted.as_ref().unwrap();
            assert_eq!(parted.draws, 1);
            assert!(parted.first.starts_with(first), "{parted}");
            assert!(parted.second.starts_with(second), "{parted}");
            let says = parted.to_string();
            let begins = format!("after 1 draws the first run {first}");
            assert!(says.starts_with(&begins), "{says}");
            assert!(says.contains(&format!(", the second {second}")), "{says}");
        }
        assert_eq!(runs[4].accounts[0].loss, Loss::Infinite);
        let why = Some("a hidden draw has no coupling");
        assert_eq!(
            (runs[5].accounts[0].hidden, runs[5].accounts[0].unbounded),
            (1, why)
        );
    }

    #[test]
    fn a_name_is_short_where_its_arguments_are() {
        assert_eq!(short_name::<Bernoulli>(), "Bernoulli");
        assert_eq!(short_name::<Option<ChaCha>>(), "Option<ChaCha>");
        assert_eq!(short_name::<u64>(), "u64");
    }

    #[test]
    fn each_stage_has_an_account_of_its_own() {
        let runs = two_runs(|_, coins| {
            coins.draw(&fair())?;
            coins.stage(&Stage::public("one"));
            coins.stage(&Stage::public("two"));
            coins.draw(&fair())?;
            coins.draw(&fair())
        });
        assert!(runs.parted.is_none() && runs.second.is_ok());
        let accounts = runs.accounts.iter();
        let found = accounts.map(|one| (one.stage.as_ref().map(|stage| stage.name), one.draws));
        assert!(found.eq([(None, 1), (Some("one"), 0), (Some("two"), 2)]));
    }

    #[test]
    fn once_the_runs_have_parted_every_draw_is_an_error() {
        // The learner passes over the first error, and goes on for more than all batches hold.
        let runs = two_runs(|second, coins| {
            if *second {
                coins.stage(&Stage::public("only here"));
            }
            let draws = 4 * BATCHES * BATCH;
            let drawn: Vec<_> = (0..draws).map(|_| coins.draw(&fair())).collect();
            coins.stage(&Stage::public("later"));
            Ok(drawn)
        });
        assert_eq!(runs.first.unwrap().last(), Some(&Err(CoinsError::Parted)));
        let second = runs.second.unwrap();
        assert!(second.iter().all(|drawn| *drawn == Err(CoinsError::Parted)));
        assert!(runs.accounts.is_empty());
    }

    #[test]
    fn events_are_sent_in_batches() {
        let (sender, receiver) = sync_channel(BATCHES);
        let mut first = First {
            outcomes: Outcomes::drawn(ChaCha::reproducible(1, 0)),
            batch: Vec::new(),
            sender,
        };
        let mut send = || first.send(Event::Stage(Box::new(Stage::public("any"))));
        for _ in 1..BATCH {
            assert!(send());
        }
        assert!(receiver.try_recv().is_err());
        assert!(send());
        assert_eq!(receiver.try_recv().unwrap().len(), BATCH);
        assert!(send());
        assert!(first.flush());
        assert_eq!(receiver.try_recv().unwrap().len(), 1);
        // Nobody is left to receive them.
        drop(receiver);
        assert!(!first.flush());
    }

    #[test]
    fn who_asks_how_many_bits_were_drawn_is_found_out() {
        let runs = two_runs(|_, coins| {
            coins.bits(3)?;
            Ok(coins.consumed())
        });
        assert_eq!((runs.first, runs.second), (Ok(0), Ok(0)));
        let parted = runs.parted.unwrap();
        assert!(parted.first.starts_with("asked how many bits"), "{parted}");
    }

    /// The names of the functions in the block that begins with this line.
    fn functions(source: &str, block: &str) -> BTreeSet<String> {
        let from = source.split_once(block).unwrap().1;
        let body = from.split_once("\n}\n").unwrap().0;
        let name = |line: &str| {
            let name = line.strip_prefix("    fn ")?.split(['(', '<']).next()?;
            Some(name.to_owned())
        };
        body.lines().filter_map(name).collect()
    }

    #[test]
    fn every_way_to_ask_for_coins_is_metered_or_refused() {
        let (layers, meter) = (include_str!("layers.rs"), include_str!("meter.rs"));
        let asked = functions(layers, "pub trait Coins {\n");
        assert!(asked.len() >= 14 && asked.contains("against"), "{asked:?}");
        assert_eq!(functions(meter, "impl Coins for Meter {\n"), asked);
        // Nor is one lost behind a borrow.
        assert_eq!(
            functions(layers, "impl<C: Coins> Coins for &mut C {\n"),
            asked
        );
    }

    #[test]
    fn every_sampler_s_question_is_compared_by_its_arguments() {
        let table = |cut: i64| {
            let ends = move |bits| -> Result<Vec<_>, NumberError> {
                let ends = [ratio(cut, 4), integer(1)];
                Ok(ends.iter().map(|end| Enclosure::of(end, bits)).collect())
            };
            Table::new("a table", ends).unwrap()
        };
        type Ask<'a> = dyn Fn(u64, &mut Meter) -> Outcome<()> + Sync + 'a;
        let same: [&Ask<'_>; 4] = [
            &|_, coins| coins.below(6).map(drop),
            &|_, coins| coins.pick(&table(1)).map(drop),
            &|_, coins| coins.pick_each(&table(1), &mut [0; 3]),
            &|_, coins| coins.words(&mut [0; 3]),
        ];
        for ask in same {
            let runs = two_runs(|second, coins| ask(u64::from(*second), coins));
            assert!(runs.parted.is_none() && runs.accounts[0].different == 0);
        }
        let other: [&Ask<'_>; 5] = [
            &|more, coins| coins.below(6 + more).map(drop),
            &|more, coins| coins.pick(&table(1 + more as i64)).map(drop),
            &|more, coins| coins.pick_each(&table(1 + more as i64), &mut [0; 3]),
            &|more, coins| coins.words(&mut vec![0; 3 + more as usize]),
            &|_, coins| {
                coins
                    .against(1 << 60, || Sharp {
                        below: 1 << 61,
                        last: 1 << 61,
                    })
                    .map(drop)
            },
        ];
        for ask in other {
            let runs = two_runs(|second, coins| ask(u64::from(*second), coins));
            let different = runs.accounts.iter().any(|account| account.different > 0);
            assert!(runs.parted.is_some() || different);
        }
    }

    #[test]
    fn a_law_that_fails_on_both_sides_gives_one_error() {
        let runs = two_runs(|_, coins| coins.bernoulli(&integer(2)));
        assert!(runs.parted.is_none() && runs.first.is_err());
        assert_eq!(runs.first, runs.second);
        let runs = two_runs(|second, coins| coins.bernoulli(&integer(2 + i64::from(*second))));
        assert!(runs.parted.is_some());
    }
}
