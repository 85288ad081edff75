//! `assay self-test`: the audit of the auditor, on mechanisms of known privacy.

use super::auditor::{Level, Seed, calls, could_not_run};
use super::{Format, Outcome};
use crate::corpus::{self, caught_from};
use crate::error::Error;
use crate::output;
use crate::screen;
use clap::Args;
use dp_assay::coins::ChaCha;
use dp_assay::number::rational::{ratio, to_f64_for_display, to_scientific, to_scientific_below};
use dp_assay::number::{Rational, shortened};
use dp_assay::pattern::matches;
use dp_assay::privacy::NeighbouringRelation;
use dp_assay_audit::refute::{Examined, Finding, Question, Until, Verdict, audit_pair};
use dp_assay_audit::report::{claim, short};
use dp_assay_audit::specimen::Specimen;
use serde_json::{Value, json};

/// More errors than a right auditor makes with at most this probability fail the self-test: of false alarms, and of
/// bounds above the truth.
const TOO_MANY: f64 = 1e-6;

/// Audit the auditor on the corpus of mechanisms with known privacy.
///
/// It fails if a violation is missed although the calls were enough, and if there are more false alarms or false bounds than
/// --alpha explains. Learners run on one to six records, those with gradients for one step. Exit status: 0 passed, 1 failed,
/// 2 could not run.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The mechanisms, instead of all (disjoint-* names several)
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// The calls on each mechanism, at least 50 and at most 16777216
    #[arg(long, value_name = "N", default_value = "200000", value_parser = calls, allow_hyphen_values = true)]
    calls: u64,
    /// Spend all calls, for the best bound on epsilon, instead of stopping at the first proof
    #[arg(long)]
    all_calls: bool,
    #[command(flatten)]
    level: Level,
    #[command(flatten)]
    seed: Seed,
    /// How to print what was found
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// Runs `assay self-test`: no more true claims may be refuted than the level allows, each violation must be proved from the
/// number of calls on that is stated for it, and no more bounds may be above the truth than the level allows.
pub fn run(arguments: &Arguments) -> Result<Outcome, Error> {
    let names = &arguments.names;
    // Names first: to build the corpus takes seconds.
    check(names)?;
    let corpus = corpus::corpus().map_err(Error::usage)?;
    let named = choose(&corpus, names);
    let width = named.iter().map(|(_, specimen)| specimen.name.len()).max();
    let width = width.unwrap_or(0);
    let mut tested = Vec::new();
    for (number, specimen) in named {
        output::progress(&format!("{} ...", specimen.name));
        let question = Question {
            claim: specimen.claim(),
            level: arguments.level.alpha.clone(),
            calls: arguments.calls,
            // The corpus was measured with audits that stop at the first proof.
            until: match arguments.all_calls {
                true => Until::End,
                false => Until::Proof,
            },
            shrink: false,
            time: false,
            // Of its place in the whole corpus, so that one specimen is audited as with all others.
            seed: arguments.seed.seed.wrapping_add(number as u64),
        };
        let coins = ChaCha::reproducible(arguments.seed.seed, number as u64);
        let mut target = specimen.target(coins);
        let finding = audit_pair(&mut target, &specimen.pair, &question).map_err(could_not_run)?;
        let result = Tested {
            specimen,
            question,
            finding,
        };
        // As it comes: some take minutes.
        if matches!(arguments.format, Format::Table) {
            screen::print(&format!("{:width$}  {}\n", specimen.name, result.row()))?;
        }
        tested.push(result);
    }
    let summary = Summary::of(&tested, &arguments.level.alpha);
    match arguments.format {
        Format::Json => output::print_json(&summary.as_json(&tested))?,
        Format::Table => screen::print(&summary.text(&tested, arguments))?,
    }
    Ok(if summary.passes() {
        Outcome::AsExpected
    } else {
        Outcome::NotAsExpected
    })
}

/// Checks that each name is one of the corpus.
fn check(names: &[String]) -> Result<(), Error> {
    let is_unknown = |name: &&String| !corpus::names().any(|known| matches(name, known));
    match names.iter().find(is_unknown) {
        None => Ok(()),
        Some(name) => Err(Error::Usage(format!(
            "NAME must be a name of the corpus, got '{}'; the names are {}",
            shortened(name),
            corpus::names().collect::<Vec<_>>().join(", ")
        ))),
    }
}

/// The specimens of these names, with their places in the corpus; all, if there are no names.
fn choose<'a>(corpus: &'a [Specimen], names: &[String]) -> Vec<(usize, &'a Specimen)> {
    let chosen = |(_, specimen): &(usize, &Specimen)| {
        names.is_empty() || names.iter().any(|name| matches(name, specimen.name))
    };
    corpus.iter().enumerate().filter(chosen).collect()
}

/// What the audit of one specimen gave.
struct Tested<'a> {
    specimen: &'a Specimen,
    question: Question,
    finding: Finding,
}

/// What that says of the auditor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    Caught,
    /// With fewer calls than are needed to catch it, as a rule.
    Missed,
    /// Although there were enough.
    Blind,
    NotRefuted,
    FalseAlarm,
}

impl Tested<'_> {
    fn result(&self) -> Says {
        let caught = self.finding.verdict == Verdict::Violation;
        let from = caught_from(self.specimen.name);
        // It was measured with audits that stop, at the level that they have unless another one is asked for.
        let as_measured =
            self.question.level >= ratio(1, 20) && self.question.until == Until::Proof;
        let enough = from.is_some_and(|calls| as_measured && self.question.calls >= calls);
        match (self.specimen.violates(), caught) {
            (true, true) => Says::Caught,
            (true, false) if enough => Says::Blind,
            (true, false) => Says::Missed,
            (false, false) => Says::NotRefuted,
            (false, true) => Says::FalseAlarm,
        }
    }

    /// Whether the true epsilon is known and finite, so that a bound can be seen to be false.
    fn has_known_truth(&self) -> bool {
        let truth = self.specimen.truth;
        self.specimen.measured.is_some() || (truth.exact && truth.epsilon.is_finite())
    }

    /// The true parameter of the claim: epsilon, unless it is in another measure.
    fn truth(&self) -> f64 {
        let measured = self.specimen.measured.as_ref();
        measured.map_or(self.specimen.truth.epsilon, |measured| {
            to_f64_for_display(&measured.truth)
        })
    }

    /// Whether the bound on epsilon, or on the parameter of another measure, is above the truth.
    fn is_false(&self) -> bool {
        let bound = self.finding.lower();
        let above = |bound: &Rational| to_f64_for_display(bound) > self.truth() + 1e-9;
        self.has_known_truth() && bound.is_some_and(above)
    }

    fn row(&self) -> String {
        let truth = self.specimen.truth;
        let says = match self.result() {
            Says::Caught => "caught",
            Says::Missed => "missed",
            Says::Blind => "NOT CAUGHT",
            Says::NotRefuted => "not refuted",
            Says::FalseAlarm => "FALSE ALARM",
        };
        let known = self.specimen.measured.is_some();
        let truth = if known || truth.epsilon.is_finite() {
            let least = if known || truth.exact { "" } else { ">" };
            format!("{least}{:.4}", self.truth())
        } else {
            "infinite".to_owned()
        };
        let bound = self.finding.lower();
        let bound = bound.map_or("-".to_owned(), |bound| to_scientific_below(bound, 4));
        let from = match (self.specimen.violates(), caught_from(self.specimen.name)) {
            (true, Some(calls)) => format!("must be from {calls}"),
            (true, None) => "may be missed".to_owned(),
            (false, _) => String::new(),
        };
        let mark = if self.is_false() {
            "  ABOVE THE TRUTH"
        } else {
            ""
        };
        format!(
            "{says:<12} {from:<19} claim {:<5} true {truth:<9} proved > {bound:<7} {:>7} calls {:>6.2} s{mark}",
            self.specimen.claim().parameter().1.to_string(),
            self.finding.calls,
            self.finding.seconds.as_secs_f64()
        )
    }

    fn as_json(&self) -> Value {
        let specimen = self.specimen;
        // Where the data are answers of queries, there is no relation; nothing is checked then.
        let relation = specimen
            .relation
            .unwrap_or(NeighbouringRelation::Substitute);
        let examined = Examined::alone(Some(relation), self.finding.clone());
        json!({
            "name": specimen.name,
            "about": specimen.about,
            "violates": specimen.violates(),
            "caught": self.finding.verdict == Verdict::Violation,
            "to_be_caught_from": caught_from(specimen.name),
            "true_epsilon": specimen.truth.epsilon.is_finite().then_some(specimen.truth.epsilon),
            "true_epsilon_is_exact": specimen.truth.exact,
            // Of a claim in another measure.
            "true_parameter": specimen.measured.as_ref().map(|measured| to_f64_for_display(&measured.truth)),
            "bound_above_truth": self.is_false(),
            "report": claim::as_json(&examined, &self.question),
        })
    }
}

/// What is said of the auditor.
struct Summary {
    false_alarms: Vec<&'static str>,
    /// Violations that were missed, and for which there were too few calls.
    missed: Vec<&'static str>,
    /// Violations that were missed, and should not have been.
    blind: Vec<&'static str>,
    false_bounds: Vec<&'static str>,
    /// How many bounds could have been seen to be false.
    bounds: usize,
    /// How many claims are true, and could have been called violated.
    true_claims: usize,
    /// The level, by which each of these is false with at most this probability.
    level: f64,
    /// The largest mass that some audit sees.
    least_seen: f64,
}

impl Summary {
    fn of(tested: &[Tested<'_>], level: &Rational) -> Self {
        let with = |result: Says| {
            let those = tested.iter().filter(|tested| tested.result() == result);
            those.map(|tested| tested.specimen.name).collect()
        };
        let false_bounds = tested.iter().filter(|tested| tested.is_false());
        let bounds = tested.iter().filter(|one| one.has_known_truth()).count();
        let true_claims = tested.iter().filter(|one| !one.specimen.violates()).count();
        let masses = tested.iter().map(|one| one.finding.undetectable_mass);
        Self {
            false_alarms: with(Says::FalseAlarm),
            missed: with(Says::Missed),
            blind: with(Says::Blind),
            false_bounds: false_bounds.map(|tested| tested.specimen.name).collect(),
            bounds,
            true_claims,
            level: to_f64_for_display(level),
            least_seen: masses.fold(f64::INFINITY, f64::min),
        }
    }

    fn passes(&self) -> bool {
        self.blind.is_empty()
            && self.false_alarms.len() <= allowed(self.true_claims, self.level)
            && self.false_bounds.len() <= allowed(self.bounds, self.level)
    }

    fn as_json(&self, tested: &[Tested<'_>]) -> Value {
        let errors = |names: &[&str], of: usize| {
            json!({
                "count": names.len(), "of": of, "allowed": allowed(of, self.level), "names": names,
            })
        };
        let missed: Vec<&str> = self.missed.iter().chain(&self.blind).copied().collect();
        json!({
            "corpus": tested.iter().map(Tested::as_json).collect::<Vec<_>>(),
            "false_alarms": errors(&self.false_alarms, self.true_claims),
            "missed": missed,
            "not_caught": self.blind,
            "bounds_above_truth": errors(&self.false_bounds, self.bounds),
            "level": self.level,
            "more_than_allowed_with_probability": TOO_MANY,
        })
    }

    fn text(&self, tested: &[Tested<'_>], arguments: &Arguments) -> String {
        let listed = |names: &[&str]| match names {
            [] => String::new(),
            names => format!(" ({})", names.join(", ")),
        };
        let level = to_scientific(&arguments.level.alpha, 4);
        format!(
            "\n{} mechanisms of known privacy, at most {} calls each\n\
             false alarms: {} of {} true claims{}; the level {} allows {}\n\
             not caught although the calls are enough: {}{}\n\
             missed with too few calls: {}{}\n\
             bounds above the truth: {} of {}{}; the level {} allows {}\n\
             a right auditor has more false alarms than are allowed with probability {} at most, and more false bounds likewise\n\
             a violation must be caught from twice the calls on with which 59 audits of 59 caught it (probability 0.95 or more, at 95 % confidence), at levels from 1/20 and without --all-calls\n\
             no audit of so many calls sees a leak of mass below {} with probability above 19/20\n",
            tested.len(),
            arguments.calls,
            self.false_alarms.len(),
            self.true_claims,
            listed(&self.false_alarms),
            level,
            allowed(self.true_claims, self.level),
            self.blind.len(),
            listed(&self.blind),
            self.missed.len(),
            listed(&self.missed),
            self.false_bounds.len(),
            self.bounds,
            listed(&self.false_bounds),
            level,
            allowed(self.bounds, self.level),
            TOO_MANY,
            short(self.least_seen)
        )
    }
}

/// The least count that so many bounds exceed with probability at most [`TOO_MANY`], if each is false with
/// probability `level` and they are independent. Likewise for claims.
fn allowed(bounds: usize, level: f64) -> usize {
    // The binomial law, from 0 upwards.
    let odds = level / (1.0 - level);
    let mut mass = (1.0 - level).powi(bounds as i32);
    let mut above = 1.0 - mass;
    let mut count = 0;
    while above > TOO_MANY && count < bounds {
        mass *= odds * (bounds - count) as f64 / (count + 1) as f64;
        above -= mass;
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::integer;
    use dp_assay_audit::targets::{Function, Output};
    use std::sync::LazyLock;

    /// Built once: it takes seconds where the code is not optimised.
    static CORPUS: LazyLock<Vec<Specimen>> = LazyLock::new(|| corpus::corpus().unwrap());

    /// What an auditor says of this specimen that hears the same answer always: it sees nothing.
    fn blind(specimen: &Specimen, calls: u64) -> Tested<'_> {
        let question = Question {
            claim: specimen.claim(),
            level: ratio(1, 20),
            calls,
            until: Until::Proof,
            shrink: false,
            time: false,
            seed: 1,
        };
        let mut silent = Function(|_: &Value| Ok(Output::Integer(0)));
        let finding = audit_pair(&mut silent, &specimen.pair, &question).unwrap();
        Tested {
            specimen,
            question,
            finding,
        }
    }

    #[test]
    fn an_auditor_that_sees_nothing_fails_as_soon_as_the_calls_are_enough() {
        let corpus = &*CORPUS;
        let length = corpus
            .iter()
            .find(|specimen| specimen.name == "length")
            .unwrap();
        let from = caught_from("length").unwrap();
        let says = |tested: Tested<'_>| {
            let level = tested.question.level.clone();
            (tested.result(), Summary::of(&[tested], &level).passes())
        };
        assert_eq!(says(blind(length, from - 1)), (Says::Missed, true));
        assert_eq!(says(blind(length, from)), (Says::Blind, false));
        // At another level nothing was measured.
        let mut careful = blind(length, from);
        careful.question.level = ratio(1, 1000);
        assert_eq!(says(careful), (Says::Missed, true));
    }

    #[test]
    fn more_false_bounds_than_the_level_allows_fail() {
        let corpus = &*CORPUS;
        let sound = corpus.iter().filter(|specimen| !specimen.violates());
        let mut tested: Vec<Tested<'_>> = sound.map(|specimen| blind(specimen, 400)).collect();
        let level = ratio(1, 20);
        assert!(Summary::of(&tested, &level).passes());
        let limit = allowed(tested.len(), 0.05);
        assert!(limit < tested.len(), "{limit}");
        for (wrong, one) in (1..).zip(&mut tested) {
            if wrong > limit + 1 {
                break;
            }
            // Above the truth, and not a violation of the claim.
            one.finding.epsilon_lower = Some(integer(30));
        }
        let summary = Summary::of(&tested, &level);
        assert_eq!(summary.false_bounds.len(), limit + 1);
        assert!(!summary.passes());
        tested[0].finding.epsilon_lower = None;
        assert!(Summary::of(&tested, &level).passes());
    }

    #[test]
    fn more_false_alarms_than_the_level_allows_fail() {
        let corpus = &*CORPUS;
        let mut tested: Vec<Tested<'_>> = corpus
            .iter()
            .filter(|specimen| !specimen.violates())
            .map(|specimen| blind(specimen, 400))
            .collect();
        let limit = allowed(tested.len(), 0.05);
        assert!(limit > 0 && limit < tested.len(), "{limit}");
        for one in tested.iter_mut().take(limit) {
            one.finding.verdict = Verdict::Violation;
        }
        let level = ratio(1, 20);
        assert!(Summary::of(&tested, &level).passes());
        // At a level that explains fewer, they are too many.
        assert!(!Summary::of(&tested, &ratio(1, 1000)).passes());
        tested[limit].finding.verdict = Verdict::Violation;
        let summary = Summary::of(&tested, &level);
        assert!(!summary.passes());
        let alarms = &summary.as_json(&tested)["false_alarms"];
        let (count, of) = (limit + 1, tested.len());
        assert_eq!(
            (&alarms["count"], &alarms["of"]),
            (&json!(count), &json!(of))
        );
        assert_eq!(alarms["allowed"], limit);
    }

    #[test]
    fn the_level_allows_few_bounds_above_the_truth() {
        // P(B(44, 1/20) > 11) = 1.14e-6, > 12: 1.5e-7.
        assert_eq!(allowed(44, 0.05), 12);
        // P(B(44, 1/1000) > 2) = 1.3e-5, > 3: 1.3e-7.
        assert_eq!(allowed(44, 0.001), 3);
        assert_eq!((allowed(0, 0.05), allowed(1, 0.05)), (0, 1));
    }

    #[test]
    fn specimens_are_chosen_by_name_and_keep_their_places() {
        let corpus = &*CORPUS;
        let names = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            check(&names).map(|()| choose(corpus, &names))
        };
        assert_eq!(names(&[]).unwrap().len(), corpus.len());
        let chosen = names(&["disjoint-*", "length"]).unwrap();
        assert_eq!(chosen.len(), 6);
        for (place, specimen) in chosen {
            assert_eq!(corpus[place].name, specimen.name);
        }
        let error = names(&["lenght"]).err().unwrap().to_string();
        assert!(
            error.contains("'lenght'") && error.contains("length"),
            "{error}"
        );
    }
}
