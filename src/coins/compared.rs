//! Two laws and an outcome: what the meter asks of them, and what it does not believe.
//!
//! A law of the library is asked how far it is from the other one ([`Law::divergence`] and its kin): tests hold what it
//! answers against its probabilities. Any other law is *unknown*. Of an unknown law nothing is believed but its list of
//! outcomes and their probabilities; these must add up to one and be those of its sampler, as far as the explorer gets,
//! and everything else is computed of them, outcome by outcome. An unknown law that has no such list is a fault.

use super::layers::{MOST_OUTCOMES, Seal};
use super::{ChaCha, Coins, CoinsError, Divergence, Explorer, Forward, Law, Layer, Loss};
use crate::number::{Enclosure, NumberError, Rational};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::collections::BTreeSet;

/// The working precision of losses and divergences, in bits.
pub(super) const PRECISION: u32 = 128;

/// What is found of a draw.
pub(super) struct Compared {
    /// The loss at the outcome.
    pub(super) loss: Loss,
    /// The worst over all outcomes; [`Divergence::Unbounded`] also where something is wrong with the laws.
    pub(super) divergence: Divergence,
    /// The worst in this direction, if the stage asks for it and something bounds it.
    pub(super) forward: Option<Forward>,
    /// Whether the outcome is quiet.
    pub(super) quiet: bool,
    /// How many runs it took to explore the samplers.
    pub(super) explored: usize,
}

/// Which questions are asked of a draw.
#[derive(Debug, Clone, Copy)]
pub(super) struct Questions {
    /// The losses in this direction.
    pub(super) forward: bool,
    /// Whether laws of the library that say that they are equal are.
    pub(super) all: bool,
    /// Whether the sampler of an unknown law has the law that it says.
    pub(super) explore: bool,
    /// The seed of coins with which such a sampler is tried.
    pub(super) seed: u64,
}

/// Compares the law of the first run and that of the second at an outcome of the first.
pub(super) fn compared<L: Law>(
    [first, second]: [&L; 2],
    outcome: &L::Outcome,
    questions: Questions,
) -> Result<Compared, NumberError> {
    let quiet = second.is_quiet(outcome);
    let mut found = match is_known(first) && is_known(second) {
        true => of_known([first, second], outcome, questions)?,
        false => of_unknown([first, second], outcome, questions)?,
    };
    if first.is_quiet(outcome) != quiet {
        found.divergence = Divergence::Unbounded("whether an outcome is quiet depends on the data");
    }
    Ok(Compared { quiet, ..found })
}

/// Whether the library has this law.
pub(super) fn is_known<L: Law>(law: &L) -> bool {
    law.is_of_the_library(Seal)
}

/// Whether two laws are one, and the library's.
pub(super) fn are_known_and_equal<L: Law>(first: &L, second: &L) -> bool {
    is_known(first) && is_known(second) && first == second && first.label() == second.label()
}

fn of_known<L: Law>(
    [first, second]: [&L; 2],
    outcome: &L::Outcome,
    questions: Questions,
) -> Result<Compared, NumberError> {
    let compared = |loss, divergence, forward| Compared {
        loss,
        divergence,
        forward,
        quiet: false,
        explored: 0,
    };
    if first == second {
        let wrong = questions
            .all
            .then(|| not_one([first, second], outcome))
            .flatten();
        let divergence = wrong.map_or(Divergence::None, Divergence::Unbounded);
        return Ok(compared(Loss::none(), divergence, Some(Forward::none())));
    }
    let loss = first.loss(second, outcome, PRECISION)?;
    let divergence = first.divergence(second, PRECISION)?;
    // A law whose bound is below a loss that it has is not believed.
    let bound = match &divergence {
        Divergence::None => Some(Rational::zero()),
        Divergence::Pure(worst) => Some(worst.clone()),
        _ => None,
    };
    if bound.is_some_and(|bound| loss.surely_above(&bound)) {
        let divergence = Divergence::Unbounded(TOO_LITTLE);
        return Ok(compared(loss, divergence, None));
    }
    let forward = match questions.forward {
        true => one_sided([first, second], &loss, second.is_quiet(outcome)),
        false => None,
    };
    Ok(compared(loss, divergence, forward))
}

const LABELS: &str = "equal laws have different labels";
const TOO_LITTLE: &str = "a law states a divergence below the loss of an outcome";

/// What is wrong with two laws that say that they are equal: they have a loss at the outcome, or two labels.
fn not_one<L: Law>([first, second]: [&L; 2], outcome: &L::Outcome) -> Option<&'static str> {
    let no_loss = match first.loss(second, outcome, PRECISION) {
        Ok(Loss::Exact(loss)) => loss.is_zero(),
        Ok(Loss::Enclosed(loss)) => loss.contains_zero(),
        Ok(Loss::Infinite) => false,
        // Too unlikely to be enclosed, on both sides.
        Err(_) => true,
    };
    if !no_loss {
        return Some(
            "two laws say that they are equal, and one outcome is likelier in one of them",
        );
    }
    (first.label() != second.label()).then_some(LABELS)
}

/// The losses of a round in this direction; `None` if nothing bounds them, or the law states less than it loses.
fn one_sided<L: Law>([first, second]: [&L; 2], loss: &Loss, quiet: bool) -> Option<Forward> {
    let forward = first.forward(second, PRECISION).ok()??;
    let bound = if quiet { &forward.quiet } else { &forward.loud };
    (!loss.surely_more_than(bound)).then_some(forward)
}

fn of_unknown<L: Law>(
    laws: [&L; 2],
    outcome: &L::Outcome,
    questions: Questions,
) -> Result<Compared, NumberError> {
    let fault = |why| Compared {
        loss: Loss::none(),
        divergence: Divergence::Unbounded(why),
        forward: None,
        quiet: false,
        explored: 0,
    };
    let [first, second] = laws;
    let listed = match listed(first, second) {
        Ok(listed) => listed,
        Err(Trouble::Fault(why)) => return Ok(fault(why)),
        Err(Trouble::Number(error)) => return Err(error),
    };
    if let Some(why) = listed.wrong_quiet([first, second]) {
        return Ok(fault(why));
    }
    let mut explored = 0;
    if questions.explore {
        match listed.explored(laws, questions.seed) {
            Ok(runs) => explored = runs,
            Err(why) => return Ok(fault(why)),
        }
    }
    let Some([p, q]) = listed.masses_of(outcome) else {
        return Ok(fault("a law drew an outcome that it does not list"));
    };
    if !list_it(&laws, outcome) {
        return Ok(fault(CARRIES));
    }
    if p.hi().is_zero() {
        return Ok(fault("a law drew an outcome that it calls impossible"));
    }
    if listed.is_equal() {
        let divergence = match first.label() == second.label() {
            true => Divergence::None,
            false => Divergence::Unbounded(LABELS),
        };
        let forward = Some(Forward::none());
        return Ok(Compared {
            divergence,
            forward,
            explored,
            ..fault("")
        });
    }
    let loss = Loss::of_probabilities(p, q)?;
    let (divergence, forward) = listed.worst(|outcome| second.is_quiet(outcome))?;
    Ok(Compared {
        loss,
        divergence,
        forward,
        quiet: false,
        explored,
    })
}

/// Why two unknown laws have no list.
enum Trouble {
    Fault(&'static str),
    Number(NumberError),
}

impl From<NumberError> for Trouble {
    fn from(error: NumberError) -> Self {
        Self::Number(error)
    }
}

const CARRIES: &str = "an outcome carries more than it is ordered by";

/// Whether each of these laws that lists this outcome writes it so, to the letter: `Ord` may leave something out.
fn list_it<L: Law>(laws: &[&L], outcome: &L::Outcome) -> bool {
    let words = format!("{outcome:?}");
    let alike = |law: &&L| own(*law, outcome).is_none_or(|own| format!("{own:?}") == words);
    laws.iter().all(alike)
}

/// The outcome that a law lists in this place.
fn own<L: Law>(law: &L, outcome: &L::Outcome) -> Option<L::Outcome> {
    let mut outcomes = (0..MOST_OUTCOMES).map_while(|index| law.outcome(index));
    outcomes.find(|listed| listed == outcome)
}

/// What the second run gets: of an unknown law what it lists itself, as words may leave something out, too.
pub(super) fn as_listed<L: Law>(law: &L, outcome: L::Outcome) -> L::Outcome {
    match is_known(law) {
        true => outcome,
        false => own(law, &outcome).unwrap_or(outcome),
    }
}

/// The probabilities of an unknown law must add up to 1 within `2^-SHARP`.
const SHARP: u32 = 64;

/// In so many runs the sampler of an unknown law must be explored, but for a share of `2^-UNDECIDED`.
const RUNS: usize = 4096;
const UNDECIDED: u32 = 20;

/// All outcomes of two laws, in order, and the probabilities of each.
struct Listed<O>(Vec<(O, [Enclosure; 2])>);

/// The outcomes of two unknown laws with their probabilities, if these are probabilities.
fn listed<L: Law>(first: &L, second: &L) -> Result<Listed<L::Outcome>, Trouble> {
    let mut all = BTreeSet::new();
    for law in [first, second] {
        let own = outcomes(law, MOST_OUTCOMES).map_err(Trouble::Fault)?;
        let mut sum = Enclosure::integer(0, PRECISION);
        for outcome in &own {
            let p = law.pmf(outcome, PRECISION)?;
            if p.lo().is_negative() {
                return Err(Trouble::Fault("a law has a probability below 0"));
            }
            sum = sum + p;
        }
        let sharp = Rational::new(1.into(), BigInt::one() << SHARP);
        if sum.width().cmp_rational(&sharp).is_gt() {
            return Err(Trouble::Fault(
                "the probabilities that a law lists are not sharp",
            ));
        }
        if !sum.contains(&Rational::one()) {
            return Err(Trouble::Fault(
                "the probabilities that a law lists do not add up to 1",
            ));
        }
        all.extend(own);
    }
    let masses = |outcome: L::Outcome| -> Result<_, Trouble> {
        let [p, q] = [first, second].map(|law| law.pmf(&outcome, PRECISION));
        Ok((outcome, [p?, q?]))
    };
    Ok(Listed(
        all.into_iter().map(masses).collect::<Result<_, _>>()?,
    ))
}

/// The outcomes that a law lists, each once, if there are at most so many.
fn outcomes<L: Law>(law: &L, most: u64) -> Result<BTreeSet<L::Outcome>, &'static str> {
    let mut all = BTreeSet::new();
    for index in 0.. {
        let Some(outcome) = law.outcome(index) else {
            break;
        };
        if index >= most {
            return Err("a law that the library does not know has too many outcomes to go through");
        }
        if !all.insert(outcome) {
            return Err("a law lists an outcome twice");
        }
    }
    match all.is_empty() {
        true => Err("a law that the library does not know lists no outcomes"),
        false => Ok(all),
    }
}

impl<O: Ord + Clone> Listed<O> {
    fn masses_of(&self, outcome: &O) -> Option<&[Enclosure; 2]> {
        let place = self.0.binary_search_by(|(other, _)| other.cmp(outcome));
        place.ok().map(|place| &self.0[place].1)
    }

    /// Whether each outcome has one probability in both, to all of the precision.
    fn is_equal(&self) -> bool {
        let one = |[p, q]: &[Enclosure; 2]| p.lo() == q.lo() && p.hi() == q.hi();
        self.0.iter().all(|(_, masses)| one(masses))
    }

    /// How many runs it took to explore the samplers of two laws; and what is wrong with them.
    fn explored<L: Law<Outcome = O>>(
        &self,
        laws: [&L; 2],
        seed: u64,
    ) -> Result<usize, &'static str> {
        let coins = ChaCha::reproducible(seed, 0);
        let of_clone = |law: &L| law.clone().sample(&mut coins.clone());
        // What clones share, the second one finds as the first one left it.
        if laws.into_iter().any(|law| of_clone(law) != of_clone(law)) {
            return Err("a sampler gave two outcomes for the same coins");
        }
        let runs = self.explored_side(laws[0], 0)? + self.explored_side(laws[1], 1)?;
        // Explored are clones.
        if laws
            .into_iter()
            .any(|law| of_clone(law) != law.sample(&mut coins.clone()))
        {
            return Err("a law and its clone gave two outcomes for the same coins");
        }
        Ok(runs)
    }

    /// The sampler must have the probabilities of which losses are computed, in each run anew.
    fn explored_side<L: Law<Outcome = O>>(
        &self,
        law: &L,
        side: usize,
    ) -> Result<usize, &'static str> {
        let enough = Rational::new(1.into(), BigInt::one() << UNDECIDED);
        // What it draws of other unknown laws is explored too.
        let explorer = Explorer::new(Layer::Laws, RUNS)
            .of_the_library()
            .until(enough.clone());
        let not_explored =
            "a law that the library does not know has a sampler that was not explored";
        let found = explorer.explore(|coins| law.clone().sample(coins));
        let found = found.map_err(|_| not_explored)?;
        let is_listed = |seen: &O| self.masses_of(seen).is_some();
        let allowed = |(listed, masses): &(O, [Enclosure; 2])| found.allows(listed, &masses[side]);
        if !found.lower.keys().all(is_listed) || !self.0.iter().all(allowed) {
            return Err("a sampler does not have the probabilities of its law");
        }
        match found.undecided <= enough {
            true => Ok(found.runs),
            false => Err(not_explored),
        }
    }

    /// Theorem 7 asks for one quiet outcome.
    fn wrong_quiet<L: Law<Outcome = O>>(&self, laws: [&L; 2]) -> Option<&'static str> {
        let counts = laws.map(|law| self.0.iter().filter(|(o, _)| law.is_quiet(o)).count());
        counts
            .into_iter()
            .any(|count| count > 1)
            .then_some("a law calls more than one outcome quiet")
    }

    /// The largest loss either way, and the largest in this direction.
    fn worst(
        &self,
        is_quiet: impl Fn(&O) -> bool,
    ) -> Result<(Divergence, Option<Forward>), NumberError> {
        let (mut worst, mut forward) = (Rational::zero(), Forward::none());
        for (outcome, [p, q]) in &self.0 {
            if p.hi().is_zero() && q.hi().is_zero() {
                continue;
            }
            if p.lo().is_zero() || q.lo().is_zero() {
                let why = "an outcome is possible on one side only";
                return Ok((Divergence::Unbounded(why), None));
            }
            let loss = p.ln()? - q.ln()?;
            worst = worst.max(loss.abs().upper());
            let side = match is_quiet(outcome) {
                true => &mut forward.quiet,
                false => &mut forward.loud,
            };
            *side = std::mem::take(side).max(loss.upper());
        }
        Ok((Divergence::Pure(worst), Some(forward)))
    }
}

/// Of a hidden draw: the outcome of the second law that goes with this one of the first, and what is wrong with it.
/// The coupling of an unknown law is believed only if it takes the one law to the other, outcome by outcome.
pub(super) fn transported<L: Law>(
    first: &L,
    second: &L,
    outcome: &L::Outcome,
    seed: u64,
) -> Result<L::Outcome, &'static str> {
    if are_known_and_equal(first, second) {
        return Ok(outcome.clone());
    }
    let are_known = is_known(first) && is_known(second);
    let no_coupling = if are_known {
        NO_COUPLING
    } else {
        NOT_BOTH_WAYS
    };
    let transport = |outcome: &L::Outcome| first.transport(second, outcome).ok_or(no_coupling);
    if are_known {
        return transport(outcome);
    }
    let Ok(listed) = listed(first, second) else {
        return Err("nothing is known of the law of a hidden draw");
    };
    listed.explored([first, second], seed)?;
    let given = |outcome: L::Outcome| match list_it(&[first, second], &outcome) {
        true => Ok(as_listed(second, outcome)),
        false => Err(CARRIES),
    };
    if first == second && first.label() == second.label() && listed.is_equal() {
        return given(outcome.clone());
    }
    let there = transport(outcome)?;
    let mut carried: Vec<Enclosure> = vec![Enclosure::integer(0, PRECISION); listed.0.len()];
    for (outcome, [p, _]) in listed.0.iter().filter(|(_, [p, _])| !p.hi().is_zero()) {
        let there = transport(outcome)?;
        let place = listed.0.binary_search_by(|(other, _)| other.cmp(&there));
        let place = place.map_err(|_| "a coupling leads to an outcome that is not listed")?;
        carried[place] = carried[place].clone() + p.clone();
    }
    let fits =
        |(carried, (_, [_, q])): (&Enclosure, &(L::Outcome, [Enclosure; 2]))| carried.meets(q);
    match carried.iter().zip(&listed.0).all(fits) {
        true => given(there),
        false => Err("the coupling of a hidden draw does not take the one law to the other"),
    }
}

/// Why a hidden draw of two laws has no outcome in the second run.
pub(crate) const NO_COUPLING: &str = "a hidden draw has no coupling";

/// The same of a law of somebody else: the library's may lack one on the way from fewer records to more.
const NOT_BOTH_WAYS: &str =
    "a hidden draw has no coupling, which a law of one's own must have both ways";

/// The most outcomes of a law that is steered to its rarest one.
const FEW: u64 = 256;

/// An unlikely outcome: far out if a law of the library knows some; of a law with few outcomes the rarest, every other
/// time; and otherwise a drawn one.
pub(super) fn steered<L: Law>(
    law: &L,
    stretch: u32,
    direction: &mut ChaCha,
    coins: &mut ChaCha,
) -> Result<L::Outcome, CoinsError> {
    if is_known(law)
        && let Some(outcome) = law.far_out(stretch, direction)?
    {
        return Ok(outcome);
    }
    let drawn = law.sample(coins)?;
    if direction.bits(1)? == 0 {
        return Ok(drawn);
    }
    Ok(rarest(law)?.unwrap_or(drawn))
}

/// The least likely of a law's possible outcomes, if it lists few.
fn rarest<L: Law>(law: &L) -> Result<Option<L::Outcome>, CoinsError> {
    let Ok(outcomes) = outcomes(law, FEW) else {
        return Ok(None);
    };
    let mut rarest: Option<(Enclosure, L::Outcome)> = None;
    for outcome in outcomes {
        let p = law.pmf(&outcome, PRECISION)?;
        if p.lo().is_positive() && rarest.as_ref().is_none_or(|(least, _)| p.is_below(least)) {
            rarest = Some((p, outcome));
        }
    }
    Ok(rarest.map(|(_, outcome)| outcome))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::rational::ratio;
    use std::cmp::Ordering;

    /// A number, and a word that equality and order leave out.
    #[derive(Debug, Clone)]
    struct Told(
        u64,
        #[expect(dead_code, reason = "read by `Debug`, as the comparison reads it")] &'static str,
    );

    impl PartialEq for Told {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }

    impl Eq for Told {}

    impl PartialOrd for Told {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Told {
        fn cmp(&self, other: &Self) -> Ordering {
            self.0.cmp(&other.0)
        }
    }

    /// An unknown law on three outcomes, in eighths, of which the first so many are quiet.
    #[derive(Debug, Clone, PartialEq)]
    struct Eighths {
        parts: [u64; 3],
        quiet: u64,
        word: &'static str,
    }

    impl Law for Eighths {
        type Outcome = Told;

        fn sample<C: Coins>(&self, coins: &mut C) -> Result<Told, CoinsError> {
            let drawn = coins.bits(3)?;
            let [first, second, _] = self.parts;
            let place = u64::from(drawn >= first) + u64::from(drawn >= first + second);
            Ok(Told(place, self.word))
        }

        fn pmf(&self, outcome: &Told, bits: u32) -> Result<Enclosure, NumberError> {
            let part = self.parts[outcome.0 as usize] as i64;
            Ok(Enclosure::of(&ratio(part, 8), bits))
        }

        fn outcome(&self, index: u64) -> Option<Told> {
            (index < 3).then_some(Told(index, self.word))
        }

        fn is_quiet(&self, outcome: &Told) -> bool {
            outcome.0 < self.quiet
        }

        fn label(&self) -> String {
            "eighths".to_owned()
        }
    }

    fn law(parts: [u64; 3], quiet: u64) -> Eighths {
        let word = "";
        Eighths { parts, quiet, word }
    }

    fn found(first: &Eighths, second: &Eighths) -> Compared {
        let questions = Questions {
            forward: true,
            all: true,
            explore: true,
            seed: 1,
        };
        compared([first, second], &Told(2, ""), questions).unwrap()
    }

    /// Whether this is the logarithm of the fraction, rounded up.
    fn is_logarithm(value: &Rational, numerator: i64, denominator: i64) -> bool {
        let exact = Enclosure::of(&ratio(numerator, denominator), 256);
        let exact = exact.ln().unwrap();
        *value >= exact.lower() && value - exact.upper() < ratio(1, 1 << 60)
    }

    #[test]
    fn the_losses_of_an_unknown_law_are_those_of_its_own_direction() {
        let (first, second) = (law([1, 3, 4], 1), law([2, 1, 5], 1));
        let there = found(&first, &second);
        let Divergence::Pure(worst) = there.divergence else {
            panic!("{:?}", there.divergence)
        };
        assert!(is_logarithm(&worst, 3, 1));
        let forward = there.forward.unwrap();
        // A quiet outcome is half as likely here.
        assert_eq!(forward.quiet, Rational::zero());
        assert!(is_logarithm(&forward.loud, 3, 1));
        let back = found(&second, &first).forward.unwrap();
        assert!(is_logarithm(&back.quiet, 2, 1) && is_logarithm(&back.loud, 5, 4));
    }

    #[test]
    fn what_is_wrong_with_either_of_two_unknown_laws_is_a_fault() {
        let (right, other) = (law([1, 3, 4], 1), law([2, 1, 5], 1));
        let two_quiet = law([2, 1, 5], 2);
        let carries = Eighths {
            word: "a record",
            ..other.clone()
        };
        for (wrong, why) in [
            (two_quiet, "more than one outcome quiet"),
            (carries, "carries more"),
            (law([2, 1, 4], 1), "do not add up to 1"),
        ] {
            for pair in [[&right, &wrong], [&wrong, &right]] {
                let found = found(pair[0], pair[1]).divergence;
                let is_fault = matches!(found, Divergence::Unbounded(says) if says.contains(why));
                assert!(is_fault, "{why}: {found:?}");
            }
        }
        assert!(matches!(
            found(&right, &other).divergence,
            Divergence::Pure(_)
        ));
    }
}
