//! What a claim, a check, its evidence and its status are. Types only: which claims there are is the matter of [`pages`](crate::pages).
//!
//! A claim is stated in one place, a heading of a page in `spec/`. Its check is a function that is handed a
//! [`Check`] and says what it does, in the order in which it does it:
//!
//! ```
//! use dp_assay_ledger::claim::{Check, Effort, Status, Trouble};
//!
//! fn squares_are_not_negative(check: &mut Check) -> Result<(), Trouble> {
//!     check.exact("all integers from -9 to 9");
//!     for x in -9..=9i64 {
//!         check.holds(x * x >= 0, format_args!("x = {x}"));
//!     }
//!     Ok(())
//! }
//!
//! let evidence = Check::run(squares_are_not_negative, Effort::default())?;
//! assert_eq!(evidence.status(), Status::Checked);
//! # Ok::<(), Trouble>(())
//! ```
//!
//! The status follows from what was asserted. There is no other way to set it:
//!
//! | what the check did | status |
//! |---|---|
//! | asserted nothing, or left the claim open | open |
//! | every assertion stands, one of them a counterexample | refuted |
//! | every assertion stands, all exact or certified | checked |
//! | every assertion stands, some by a statistical test | supported |
//! | an instance contradicts the claim | refuted, and never as expected |
//! | a counterexample does not stand, or on a scope nothing is asserted | open, and never as expected |

mod family;
mod machine_checked;
mod proof;

pub use family::MeteredFamily;
pub use machine_checked::MachineChecked;
pub use proof::Proof;

use dp_assay::number::{Enclosure, Rational, rational};
use dp_assay::privacy::meter::Report;
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::fmt::{self, Display};
use std::panic::Location;

/// What a check established.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// By exact enumeration, a certified enclosure or an exact identity; on the stated scope.
    Checked,
    /// By a statistical test of stated level and power.
    Supported,
    /// By a counterexample that replays.
    Refuted,
    /// Not checked, for a stated reason.
    Open,
}

impl Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Checked => "checked",
            Self::Supported => "supported",
            Self::Refuted => "refuted",
            Self::Open => "open",
        })
    }
}

/// The kind of a refutation: how a claim fails. Of an open claim, why it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// No reading saves it.
    False,
    /// The intended statement is plain, and holds.
    Misprint,
    /// A step of the proof fails; the statement may hold.
    Gap,
    /// The authors' program, not their text.
    AsCoded,
    /// Under the reading that the page names; a figure has the other, under which it holds.
    Reading,
    /// It stands where the paper is not legible to us: left open, and charged to nobody.
    NotLegible,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::False,
        Self::Misprint,
        Self::Gap,
        Self::AsCoded,
        Self::Reading,
        Self::NotLegible,
    ];
}

impl Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::False => "false",
            Self::Misprint => "misprint",
            Self::Gap => "gap",
            Self::AsCoded => "as coded",
            Self::Reading => "reading",
            Self::NotLegible => "not legible",
        })
    }
}

/// Who states a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// The paper, in print or in its authors' program.
    AsPrinted,
    /// We, in the place where the paper's own fails.
    Repaired,
    /// We, where the formula of the paper is not legible to us: what it must say for the paper's use of it.
    Reconstructed,
    /// We.
    Ours,
}

impl Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::AsPrinted => "as printed",
            Self::Repaired => "repaired",
            Self::Reconstructed => "reconstructed",
            Self::Ours => "ours",
        })
    }
}

/// A claim, as its page states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The permanent id, as `nuz20.thm6`; a repaired claim ends in `.corrected`.
    pub id: String,
    /// The key of the paper, or `dp-assay` for our own.
    pub paper: &'static str,
    /// The page and the line of the heading, as `spec/halfspaces.md:31`.
    pub source: String,
    /// What of the paper it is about: "Theorem 6", "Algorithm 2, step 5".
    pub item: String,
    /// Who states it.
    pub version: Version,
    /// Where the paper has the words of `quote`: section, appendix, figure. Of every claim that is as printed.
    pub place: Option<String>,
    /// The paper's own words, in double quotes; formulas in the notation of the page, and `[formula lost]` where our copy has
    /// none. Of every claim that is as printed, and of every claim that is refuted as false or as a gap.
    pub quote: Option<String>,
    /// What is claimed, in at most [`SHORT`] characters.
    pub short: String,
    /// What is claimed, with all quantifiers and constants.
    pub statement: String,
    /// The status that a check must establish.
    pub expected: Status,
    /// How the claim, or its printed proof, fails: of every refuted claim, and of an open one whose proof has a gap or whose
    /// formula is not legible.
    pub fault: Option<Fault>,
    /// The reading of the paper under which the claim is checked, where it has several.
    pub reading: Option<String>,
    /// The clauses of the statement that its check does not assert: they are proved on the page, and no more.
    pub proof_only: Option<String>,
    /// Ids of the claims in whose place it stands.
    pub repairs: Vec<String>,
    /// Ids of the claims that its proof uses.
    pub rests_on: Vec<String>,
    /// Keys of the works that its proof cites.
    pub cites: Vec<String>,
    /// The theorems that a proof assistant has checked of it.
    pub machine_checked: Option<MachineChecked>,
    /// Whether its page has a proof of it.
    pub proved: bool,
    /// What stands under its fields, in Markdown: proof or counterexample, what is left open, the scope of the check.
    pub prose: String,
}

/// The longest [`Claim::short`], in characters.
pub const SHORT: usize = 62;

/// A page of `spec/` and the checks of its claims.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// The paper's key, with which its ids begin; or `dp-assay`, for our own claims.
    pub paper: &'static str,
    /// What the page is about, for the heading of a table.
    pub title: &'static str,
    /// The page's path in the repository.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
    /// The checks of its claims.
    pub checks: &'static [Registered],
}

/// A check under the id of its claim.
pub type Registered = (&'static str, CheckFunction);

/// A check: it asserts on the [`Check`] that it is handed.
pub type CheckFunction = fn(&mut Check) -> Result<(), Trouble>;

/// How much work a check may do, and the seed of its statistical tests.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Smaller instances.
    pub quick: bool,
    /// Larger instances, which may take many minutes. Of no use beside `quick`, which wins.
    pub thorough: bool,
    /// The seed of the statistical tests.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            quick: false,
            thorough: false,
            seed: 1,
        }
    }
}

/// Why a check could not be run, which is not the same as a check that fails. Made of any error by `?`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble(String);

impl<E: std::error::Error> From<E> for Trouble {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

impl Display for Trouble {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What a statistical test can do.
#[derive(Debug, Clone)]
pub struct Strength {
    /// How many independent draws it takes.
    pub samples: u64,
    /// Its probability of a false alarm, at most.
    pub level: Rational,
    /// The smallest deviation that it detects with probability 0.99.
    pub detects: String,
}

/// How a part of a check decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    Exact,
    Certified,
    Statistical,
}

/// A scope, and how many assertions were made on it.
#[derive(Debug)]
struct Part {
    method: Method,
    scope: String,
    assertions: u64,
}

/// What a check does, as it does it.
#[derive(Debug)]
pub struct Check {
    effort: Effort,
    parts: Vec<Part>,
    counterexamples: Vec<String>,
    failure: Option<Failure>,
    left_open: Option<String>,
    slack: bool,
    figures: Vec<(String, String)>,
}

/// The first assertion that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Failure {
    text: String,
    /// Whether a counterexample did not stand, or an assertion had no scope or a scope no assertion: the check is at
    /// fault.
    of_the_check: bool,
}

impl Check {
    /// Runs a check, and gathers its evidence.
    ///
    /// # Errors
    /// What kept the check from running.
    pub fn run(
        check: impl FnOnce(&mut Self) -> Result<(), Trouble>,
        effort: Effort,
    ) -> Result<Evidence, Trouble> {
        let mut this = Self {
            effort,
            parts: Vec::new(),
            counterexamples: Vec::new(),
            failure: None,
            left_open: None,
            slack: false,
            figures: Vec::new(),
        };
        check(&mut this)?;
        if this.left_open.is_none() && this.assertions() > 0 {
            this.idle();
        }
        Ok(Evidence(this))
    }

    /// Whether smaller instances are asked for.
    #[must_use]
    pub fn quick(&self) -> bool {
        self.effort.quick
    }

    /// Whether larger instances are asked for, those that take too long for every run.
    #[must_use]
    pub fn thorough(&self) -> bool {
        self.effort.thorough && !self.effort.quick
    }

    /// The seed of the statistical tests.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.effort.seed
    }

    /// What follows is decided exactly, in integers or rationals, on this scope: what runs, and no more.
    pub fn exact(&mut self, scope: impl Display) {
        self.part(Method::Exact, scope.to_string());
    }

    /// What follows is decided by certified enclosures, on this scope: what runs, and no more.
    pub fn certified(&mut self, scope: impl Display) {
        self.part(Method::Certified, scope.to_string());
    }

    /// What follows is decided by statistical tests of this strength.
    pub fn statistical(&mut self, scope: impl Display, strength: &Strength) {
        let Strength {
            samples,
            level,
            detects,
        } = strength;
        let level = rational::to_scientific(level, 1);
        self.part(
            Method::Statistical,
            format!(
                "{scope}; n = {samples}, level {level}, detects {detects} with probability 0.99"
            ),
        );
    }

    /// The claim holds on this instance; or a fact does that the check needs.
    #[track_caller]
    pub fn holds(&mut self, holds: bool, instance: impl Display) {
        self.asserted(holds, false, Location::caller(), &instance);
    }

    /// The largest value seen keeps the promise; and how near it comes. Below nine tenths of what is promised
    /// the evidence says that the bound is slack.
    #[track_caller]
    pub fn attained(&mut self, name: impl Display, worst: &Rational, promised: &Rational) {
        let (shown, bound) = (rational::shortly(worst), rational::shortly(promised));
        self.asserted(
            worst <= promised,
            false,
            Location::caller(),
            &format_args!("{name}: {shown} where {bound} is promised"),
        );
        let near = if promised.is_zero() {
            "attained".to_owned()
        } else {
            let share = worst / promised;
            let slack = share < Rational::new(BigInt::from(9), BigInt::from(10));
            self.slack |= slack;
            let percent = rational::to_scientific(&(share * BigInt::from(100)), 3);
            format!("{percent} %{}", if slack { ", slack" } else { "" })
        };
        self.figure(name, format!("{shown} of {bound} promised: {near}"));
    }

    /// A formula of the library has the value that it has where it is written out again, from the page's text, in the check: both are
    /// known to 20 digits, and agree.
    #[track_caller]
    pub fn evaluated_again(&mut self, name: impl Display, found: &Enclosure, again: &Enclosure) {
        let agree = found.meets(again) && found.has_digits(20) && again.has_digits(20);
        let text = format!("{name}: {found}, and {again} where it is evaluated again");
        self.asserted(agree, false, Location::caller(), &text);
    }

    /// The same of a value that the library has rounded up, by at most 10^-20 of it.
    #[track_caller]
    pub fn evaluated_again_above(
        &mut self,
        name: impl Display,
        found: &Rational,
        again: &Enclosure,
    ) {
        let slip = Rational::new(BigInt::one(), BigInt::from(10u32).pow(20));
        let most = again.upper() + again.upper().abs() * slip;
        let agree = again.lower() <= *found && *found <= most && again.has_digits(20);
        let shown = rational::shortly(found);
        let text = format!("{name}: {shown}, and {again} where it is evaluated again");
        self.asserted(agree, false, Location::caller(), &text);
    }

    /// A metered run shows no fault.
    #[track_caller]
    pub fn sound(&mut self, report: &Report, instance: impl Display) {
        let faults = report.faults().join("; ");
        let text = format!("{instance}: {faults}");
        self.asserted(faults.is_empty(), false, Location::caller(), &text);
    }

    /// This counterexample stands. Rows that rest on one counterexample name it in the same words.
    #[track_caller]
    pub fn refutes(&mut self, stands: bool, counterexample: impl Display) {
        let text = counterexample.to_string();
        self.asserted(stands, true, Location::caller(), &text);
        if !self.counterexamples.contains(&text) {
            self.counterexamples.push(text);
        }
    }

    /// The claim stays open, for this reason, whatever else is asserted.
    pub fn left_open(&mut self, reason: impl Display) {
        self.left_open = Some(reason.to_string());
    }

    /// A number that came out.
    pub fn figure(&mut self, name: impl Display, value: impl Display) {
        self.figures.push((name.to_string(), value.to_string()));
    }

    fn part(&mut self, method: Method, scope: String) {
        self.idle();
        self.parts.push(Part {
            method,
            scope,
            assertions: 0,
        });
    }

    /// Nothing more is asserted on the last scope: a scope on which nothing is asserted is a fault of the check.
    fn idle(&mut self) {
        let idle = self.parts.last().filter(|part| part.assertions == 0);
        if let (Some(part), None) = (idle, &self.failure) {
            self.failure = Some(Failure {
                text: format!("nothing is asserted on: {}", part.scope),
                of_the_check: true,
            });
        }
    }

    fn assertions(&self) -> u64 {
        self.parts.iter().map(|part| part.assertions).sum()
    }

    fn asserted(
        &mut self,
        stands: bool,
        of_the_check: bool,
        place: &Location<'_>,
        instance: &dyn Display,
    ) {
        let without_scope = self.parts.is_empty();
        if let Some(part) = self.parts.last_mut() {
            part.assertions += 1;
        }
        if (stands && !without_scope) || self.failure.is_some() {
            return;
        }
        let why = if without_scope {
            "asserted before a scope was stated"
        } else if of_the_check {
            "the counterexample does not stand"
        } else {
            "fails"
        };
        self.failure = Some(Failure {
            text: format!("{why} at {}:{}: {instance}", place.file(), place.line()),
            of_the_check: of_the_check || without_scope,
        });
    }
}

/// What a check found. Only [`Check::run`] makes it.
#[derive(Debug)]
pub struct Evidence(Check);

impl Evidence {
    /// What was established: see the table of this module.
    #[must_use]
    pub fn status(&self) -> Status {
        let statistical = |part: &Part| part.method == Method::Statistical;
        let check = &self.0;
        match &check.failure {
            _ if check.left_open.is_some() || check.assertions() == 0 => Status::Open,
            Some(failure) if failure.of_the_check || !check.counterexamples.is_empty() => {
                Status::Open
            }
            Some(_) => Status::Refuted,
            None if !check.counterexamples.is_empty() => Status::Refuted,
            None if check.parts.iter().any(statistical) => Status::Supported,
            None => Status::Checked,
        }
    }

    /// The first assertion that failed: its place in the code, and the instance. Such evidence is never as expected.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        self.0.failure.as_ref().map(|failure| failure.text.as_str())
    }

    /// How it was decided: "exact", "certified", "statistical", several of these, or "none".
    #[must_use]
    pub fn method(&self) -> String {
        let named = [
            (Method::Exact, "exact"),
            (Method::Certified, "certified"),
            (Method::Statistical, "statistical"),
        ];
        let used: Vec<&str> = named
            .iter()
            .filter(|(method, _)| self.0.parts.iter().any(|part| part.method == *method))
            .map(|&(_, name)| name)
            .collect();
        if used.is_empty() {
            "none".to_owned()
        } else {
            used.join(", ")
        }
    }

    /// On what it was decided; of an open claim, why it is.
    #[must_use]
    pub fn scope(&self) -> String {
        let scopes: Vec<&str> = self
            .0
            .parts
            .iter()
            .map(|part| part.scope.as_str())
            .collect();
        match &self.0.left_open {
            Some(reason) if scopes.is_empty() => reason.clone(),
            Some(reason) => format!("{reason}; checked: {}", scopes.join("; ")),
            None if scopes.is_empty() => "nothing was asserted".to_owned(),
            None => scopes.join("; "),
        }
    }

    /// How many assertions were made.
    #[must_use]
    pub fn assertions(&self) -> u64 {
        self.0.assertions()
    }

    /// The counterexamples, each once.
    #[must_use]
    pub fn counterexamples(&self) -> &[String] {
        &self.0.counterexamples
    }

    /// Whether nothing seen came within a tenth of a bound.
    #[must_use]
    pub fn is_slack(&self) -> bool {
        self.0.slack
    }

    /// The numbers that came out, each with its name.
    #[must_use]
    pub fn figures(&self) -> &[(String, String)] {
        &self.0.figures
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::{integer, ratio};

    fn evidence(check: CheckFunction) -> Evidence {
        Check::run(check, Effort::default()).unwrap()
    }

    #[test]
    fn a_check_that_asserts_nothing_is_open() {
        let found = evidence(|check| {
            check.exact("everything");
            check.figure("n", 1);
            Ok(())
        });
        assert_eq!(found.status(), Status::Open);
    }

    #[test]
    fn a_check_is_as_strong_as_its_weakest_part() {
        let found = evidence(|check| {
            check.exact("n <= 4");
            check.holds(true, "n = 1");
            Ok(())
        });
        assert_eq!(
            (found.status(), found.method().as_str()),
            (Status::Checked, "exact")
        );
        let found = evidence(|check| {
            check.exact("n <= 4");
            check.holds(true, "n = 1");
            check.statistical(
                "draws",
                &Strength {
                    samples: 10,
                    level: ratio(1, 100),
                    detects: "a factor 2".to_owned(),
                },
            );
            check.holds(true, "even");
            Ok(())
        });
        assert_eq!(found.status(), Status::Supported);
    }

    #[test]
    fn a_check_is_never_asked_for_smaller_and_larger_instances_at_once() {
        for (quick, thorough) in [(false, false), (false, true), (true, false), (true, true)] {
            let effort = Effort {
                quick,
                thorough,
                ..Effort::default()
            };
            let asked = |check: &mut Check| {
                check.exact("what is asked for");
                check.holds(check.quick() == quick, "quick");
                check.holds(check.thorough() == (thorough && !quick), "thorough");
                Ok(())
            };
            assert_eq!(Check::run(asked, effort).unwrap().failure(), None);
        }
    }

    #[test]
    fn the_first_failure_is_named_with_its_instance() {
        let found = evidence(|check| {
            check.exact("n <= 4");
            for n in 1..=4 {
                check.holds(n < 3, format_args!("n = {n}"));
            }
            Ok(())
        });
        assert_eq!(found.status(), Status::Refuted);
        let failure = found.failure().unwrap();
        assert!(failure.ends_with(": n = 3"), "{failure}");
        assert!(failure.contains("claim.rs"), "{failure}");
    }

    #[test]
    fn a_counterexample_refutes_only_while_everything_stands() {
        let found = evidence(|check| {
            check.exact("d = 2");
            check.holds(true, "the records are neighbours");
            check.refutes(true, "x = w");
            check.refutes(true, "x = w");
            Ok(())
        });
        assert_eq!(found.status(), Status::Refuted);
        assert_eq!(found.counterexamples(), ["x = w"]);
        for broken in [
            (|check: &mut Check| {
                check.exact("d = 2");
                check.refutes(false, "x = w");
                Ok(())
            }) as CheckFunction,
            |check| {
                check.exact("d = 2");
                check.refutes(true, "x = w");
                check.holds(false, "the records are neighbours");
                Ok(())
            },
        ] {
            let found = evidence(broken);
            assert_eq!(found.status(), Status::Open);
            assert!(found.failure().is_some());
        }
    }

    #[test]
    fn an_assertion_needs_a_scope() {
        let found = evidence(|check| {
            check.holds(true, "n = 1");
            Ok(())
        });
        assert_eq!(found.status(), Status::Open);
        assert!(found.failure().is_some());
    }

    #[test]
    fn a_scope_on_which_nothing_is_asserted_is_a_fault_of_the_check() {
        for idle in [
            (|check: &mut Check| {
                check.exact("every n");
                check.exact("n <= 4");
                check.holds(true, "n = 1");
                Ok(())
            }) as CheckFunction,
            |check| {
                check.exact("n <= 4");
                check.holds(true, "n = 1");
                check.certified("every n");
                Ok(())
            },
        ] {
            let found = evidence(idle);
            assert_eq!(found.status(), Status::Open);
            assert_eq!(found.failure(), Some("nothing is asserted on: every n"));
        }
    }

    #[test]
    fn what_is_left_open_stays_open() {
        let found = evidence(|check| {
            check.exact("n <= 4");
            check.holds(true, "n = 1");
            check.left_open("constants without values");
            Ok(())
        });
        assert_eq!(found.status(), Status::Open);
        assert_eq!(found.scope(), "constants without values; checked: n <= 4");
    }

    #[test]
    fn a_formula_that_is_transcribed_wrongly_is_not_the_same_twice() {
        let again = |factor: Rational| {
            let check = |check: &mut Check| {
                check.certified("sqrt(2)");
                let root = Enclosure::integer(2, 128).sqrt()?;
                let other = Enclosure::of(&factor, 192) * Enclosure::integer(2, 192).sqrt()?;
                check.evaluated_again("as it is", &root, &other);
                check.evaluated_again_above("rounded up", &root.upper(), &other);
                Ok(())
            };
            Check::run(check, Effort::default()).unwrap().status()
        };
        assert_eq!(again(integer(1)), Status::Checked);
        let near = integer(1) + ratio(1, 1_000_000_000_000_000_000);
        for wrong in [integer(2), near] {
            assert_eq!(again(wrong), Status::Refuted);
        }
    }

    #[test]
    fn a_bound_that_nothing_comes_near_is_slack_and_one_that_is_exceeded_fails() {
        let found = evidence(|check| {
            check.exact("n <= 4");
            check.attained("loss", &ratio(19, 20), &integer(1));
            Ok(())
        });
        assert_eq!(found.status(), Status::Checked);
        assert!(!found.is_slack());
        let found = evidence(|check| {
            check.exact("n <= 4");
            check.attained("loss", &ratio(1, 2), &integer(1));
            Ok(())
        });
        assert!(found.is_slack());
        assert_eq!(found.figures()[0].1, "1/2 of 1 promised: 50.0 %, slack");
        let found = evidence(|check| {
            check.exact("n <= 4");
            check.attained("loss", &ratio(3, 2), &integer(1));
            Ok(())
        });
        assert_eq!(found.status(), Status::Refuted);
    }
}
