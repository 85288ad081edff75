//! The bettors of the sequential test: on which cells they bet, and how they guess the laws.
//!
//! 1. One bets on the event and the rest, which is best where one event is all that differs.
//! 2. One bets on a few cells, whose laws are known early.
//! 3. One bets on many cells: the outputs themselves, if these are few, or else a partition by one feature, which grows with
//!    the calls. It guesses in the way that was best on held-out outputs.
//! 4. One bets by the odds of a model of the numbers or, if there are no numbers, carefully on the many cells.
//!
//! A fifth is in `rare`, since what it knows lasts longer than an epoch.
//!
//! Each bets against the half-plane of the claim that the laws it guesses exceed most.
//!
//! The proof asks one thing of them: the bets on a round depend on the calls before it only.

use super::claim::Claim;
use super::question::AuditError;
use super::rare::SHARE;
use crate::events::{Estimator, Event, Lesson, MOST_CELLS, Partition, Side};
use crate::targets::Output;
use dp_assay::stats::{CellCounts, Laws, Null, StatsError};

/// How many there are, each with a partition of its own.
const BETTORS: usize = 4;
/// The shares of the wealth that they start with, and that of [`super::rare`], where there is one. Audits stop soonest by the
/// event or by the model; the others win where outcomes are few, or the model is far off.
const SHARES: [f64; BETTORS + 1] = [0.25, 0.125, 0.125, 0.5 - SHARE, SHARE];
const WITHOUT_RARE: [f64; BETTORS] = [0.25, 0.125, 0.125, 0.5];

/// The shares of all bettors of a line.
pub const fn shares(with_rare: bool) -> &'static [f64] {
    if with_rare { &SHARES } else { &WITHOUT_RARE }
}

const FEW_CELLS: usize = 8;
/// The most cells that are told as events.
const MOST_WON: usize = 6;

/// The bettors of one epoch.
pub struct Bettors {
    event: Event,
    cells: [Partition; BETTORS],
    /// How often each cell came: in the calls whose outputs were kept, except those that the cells were fitted to, and in
    /// the calls after.
    counts: Vec<CellCounts>,
    /// How the laws on the many cells are guessed.
    guess: Estimator,
    /// And how those on the cells by the odds of a model.
    model: Estimator,
}

impl Bettors {
    /// Learns where to bet against this half-plane of the claim.
    pub fn learn(lesson: &Lesson<'_>, event: &Event, claim: &Null) -> Self {
        let all = lesson.all();
        let few = lesson.cells(event, FEW_CELLS, claim);
        let most = many_cells(all[0].len() + all[1].len());
        let many = lesson.outcomes();
        let many = many.unwrap_or_else(|| lesson.cells(event, most, claim));
        let guess = lesson.estimator(&many, claim);
        let (by_odds, model) = lesson
            .by_odds()
            .unwrap_or_else(|| (many.clone(), Estimator::even(many.count())));
        let mut bettors = Self {
            event: event.clone(),
            cells: [Partition::two(event), few, many, by_odds],
            counts: Vec::new(),
            guess,
            model,
        };
        // Where the cells were fitted to outputs, laws are guessed from the others: they would promise too much. (A
        // threshold that was fitted once more is fitted to all; it is one of few.)
        let (all, held) = (bettors.counts_of(all), bettors.counts_of(lesson.held()));
        let each = bettors.cells.iter().zip(all.into_iter().zip(held));
        let each = each.map(|(cells, (all, held))| if cells.is_fitted() { held } else { all });
        bettors.counts = each.collect();
        bettors
    }

    /// The laws that each guesses, and what it bets against.
    pub fn bets(&self, claim: &Claim) -> Result<Vec<(Laws, Null)>, AuditError> {
        let bet = |laws: Laws| {
            let null = claim.exceeded_by(&laws)?.null;
            Ok::<_, AuditError>((laws, null))
        };
        self.guesses()?.into_iter().map(bet).collect()
    }

    fn guesses(&self) -> Result<Vec<Laws>, StatsError> {
        let [event, few, many, by_odds] = [0, 1, 2, 3].map(|partition| &self.counts[partition]);
        Ok(vec![
            Estimator::Pooled.laws(event)?,
            Estimator::Pooled.laws(few)?,
            self.guess.laws(many)?,
            self.model.laws(by_odds)?,
        ])
    }

    /// How often the cells of each came in a round. The next guesses rest on it too.
    pub fn count(&mut self, outputs: &[Vec<Output>; 2]) -> Vec<CellCounts> {
        let round = self.counts_of(outputs.each_ref().map(Vec::as_slice));
        let pairs = self.counts.iter_mut().flatten().zip(round.iter().flatten());
        for (counts, more) in pairs {
            for (count, more) in counts.iter_mut().zip(more) {
                *count += more;
            }
        }
        round
    }

    /// The cells that came most unlike often, as events: what the bets won on, if they won.
    pub fn won(&self) -> Vec<Event> {
        let mut won: Vec<(f64, Event)> = Vec::new();
        for (cells, counts) in self.cells.iter().zip(&self.counts).take(BETTORS - 1) {
            let calls = [0, 1].map(|side: usize| counts[side].iter().sum::<u64>() as f64);
            let both = counts[0].iter().zip(&counts[1]).take(cells.count());
            for (cell, (first, second)) in both.enumerate() {
                let came = [*first, *second];
                let Some(predicate) = cells.predicate(cell) else {
                    continue;
                };
                let (likelier, unlike) = unlike(came, calls);
                won.push((
                    unlike,
                    Event {
                        likelier,
                        predicate,
                    },
                ));
            }
        }
        won.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        won.truncate(MOST_WON);
        won.into_iter().map(|(_, event)| event).collect()
    }

    fn counts_of(&self, outputs: [&[Output]; 2]) -> Vec<CellCounts> {
        let nothing = |cells: &Partition| [vec![0; cells.count()], vec![0; cells.count()]];
        let mut counts: Vec<CellCounts> = self.cells.iter().map(nothing).collect();
        for (side, outputs) in outputs.into_iter().enumerate() {
            for output in outputs {
                let is_inside = self.event.contains(output);
                for (counts, cells) in counts.iter_mut().zip(&self.cells) {
                    counts[side][cells.index_if(output, is_inside)] += 1;
                }
            }
        }
        counts
    }
}

/// Where a cell came more often, and the logarithm of how much more, two standard errors to the safe side.
fn unlike(came: [u64; 2], calls: [f64; 2]) -> (Side, f64) {
    let rate = |side: usize| (came[side] as f64 + 0.5) / (calls[side] + 1.0);
    let error = came
        .iter()
        .map(|count| 1.0 / (*count as f64 + 0.5))
        .sum::<f64>();
    let ratio = (rate(0) / rate(1)).ln();
    let likelier = if ratio >= 0.0 {
        Side::First
    } else {
        Side::Second
    };
    (likelier, ratio.abs() - 2.0 * error.sqrt())
}

/// The more calls there are, the finer the cells whose frequencies are known from them.
fn many_cells(calls: usize) -> usize {
    calls.isqrt().clamp(2 * FEW_CELLS, MOST_CELLS)
}
