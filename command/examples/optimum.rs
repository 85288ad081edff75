//! How near the auditor comes to what any test could do, on the violations of claims of pure privacy whose laws are known:
//!
//! ```sh
//! cargo run --release -p dp-assay-cli --example optimum -- 101 51 1000000
//! ```
//!
//! The arguments are the audits that stop at a proof, those that spend all their calls, and these calls; names that follow
//! choose specimens. The output is kept in `audit/results/optimum.txt`; what it means is in `spec/auditor.md`.

use dp_assay::coins::ChaCha;
use dp_assay::number::rational::{ratio, to_f64_for_display};
use dp_assay_audit::refute::{Question, Until, Verdict, audit_pair};
use dp_assay_audit::specimen::Specimen;
use dp_assay_audit::targets::Output;
use dp_assay_cli::corpus::corpus;
use num_traits::Zero;
use std::collections::BTreeMap;
use std::error::Error;

/// The audits' level is one in so many.
const ONE_IN: u32 = 20;

/// The 0.95 quantile of the normal law.
const NORMAL_QUANTILE: f64 = 1.644_853_626_951_472_2;

/// The seeds come after those of the other examples.
const SEEDS_AFTER: u64 = 20_000;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, otherwise: u64| -> Result<u64, Box<dyn Error>> {
        Ok(words
            .get(place)
            .map_or(Ok(otherwise), |word| word.parse())?)
    };
    let (stopping, spending, calls) = (number(0, 101)?, number(1, 51)?, number(2, 1_000_000)?);
    let names = words.get(3..).unwrap_or_default();
    println!(
        "dp-assay-audit {}: level 1/{ONE_IN}; medians of {stopping} audits that stop at a proof, and of {spending} of {calls} calls",
        env!("CARGO_PKG_VERSION")
    );
    println!();
    println!(
        "{:34} | {:>9} {:>9} {:>6} | {:>8} {:>8} {:>8} {:>8} {:>6}",
        "violation", "calls", "optimum", "ratio", "true", "limit", "any test", "proved", "ratio"
    );
    for specimen in corpus()?.iter().filter(|specimen| specimen.violates()) {
        if !names.is_empty() && !names.iter().any(|name| name == specimen.name) {
            continue;
        }
        if let Some(laws) = Laws::of(specimen)? {
            row(specimen, &laws, stopping, spending, calls)?;
        }
    }
    Ok(())
}

/// One line of the table.
fn row(
    specimen: &Specimen,
    laws: &Laws,
    stopping: u64,
    spending: u64,
    calls: u64,
) -> Result<(), Box<dyn Error>> {
    let claimed = to_f64_for_display(&specimen.epsilon);
    let optimum = f64::from(ONE_IN).ln() / laws.projected(claimed).growth();
    let run = |runs: u64, until: Until, calls: u64| {
        let found = (1..=runs).map(|run| {
            let seed = SEEDS_AFTER + run;
            let question = Question {
                claim: specimen.claim(),
                level: ratio(1, ONE_IN.into()),
                calls,
                until,
                shrink: false,
                time: false,
                seed,
            };
            let mut target = specimen.target(ChaCha::reproducible(seed, 0));
            let found = audit_pair(&mut target, &specimen.pair, &question)?;
            let caught = found.verdict == Verdict::Violation;
            let calls = caught.then_some(found.calls as f64);
            Ok((
                calls,
                found.epsilon_lower.map(|lower| to_f64_for_display(&lower)),
            ))
        });
        found.collect::<Result<Vec<_>, dp_assay_audit::refute::AuditError>>()
    };
    let stopped = run(stopping, Until::Proof, calls)?;
    let found = median(
        stopped
            .iter()
            .map(|(calls, _)| calls.unwrap_or(f64::INFINITY)),
    );
    let spent = run(spending, Until::End, calls)?;
    let proved = median(
        spent
            .iter()
            .map(|(_, bound)| bound.unwrap_or(f64::NEG_INFINITY)),
    );
    let each = calls as f64 / 2.0;
    let (truth, limit, any) = (
        laws.epsilon(),
        laws.limit(each),
        laws.limit_of_any_test(each),
    );
    // Of a loss without a bound no bound is near.
    let gap = match truth.is_finite() {
        true => format!("{:.2}", (truth - proved) / (truth - any)),
        false => "-".to_owned(),
    };
    println!(
        "{:34} | {found:>9} {optimum:>9.0} {:>6.2} | {truth:>8.4} {limit:>8.4} {any:>8.4} {proved:>8.4} {gap:>6}",
        specimen.name,
        found / optimum,
    );
    Ok(())
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The probabilities of the outputs on both datasets, the likelier on the first one first.
struct Laws(Vec<[f64; 2]>);

impl Laws {
    /// Those of a specimen that claims pure privacy, in the direction that violates more; `None` if they are not known.
    fn of(specimen: &Specimen) -> Result<Option<Self>, Box<dyn Error>> {
        if specimen.measured.is_some() || !specimen.delta.is_zero() {
            return Ok(None);
        }
        let law = |data| specimen.mechanism().law(data);
        let (Some(first), Some(second)) = (law(&specimen.pair.0)?, law(&specimen.pair.1)?) else {
            return Ok(None);
        };
        let mut both: BTreeMap<Output, [f64; 2]> = BTreeMap::new();
        for (side, law) in [first, second].into_iter().enumerate() {
            for (output, mass) in law {
                both.entry(output).or_default()[side] += mass;
            }
        }
        let claimed = to_f64_for_display(&specimen.epsilon);
        let one = Self::sorted(both.values().copied());
        let other = Self::sorted(both.values().map(|[p, q]| [*q, *p]));
        let is_one = one.projected(claimed).growth() >= other.projected(claimed).growth();
        Ok(Some(if is_one { one } else { other }))
    }

    fn sorted(masses: impl Iterator<Item = [f64; 2]>) -> Self {
        let mut masses: Vec<[f64; 2]> = masses.filter(|[p, q]| p + q > 0.0).collect();
        masses.sort_by(|[p, q], [r, s]| (r / s).total_cmp(&(p / q)));
        Self(masses)
    }

    /// The largest log ratio.
    fn epsilon(&self) -> f64 {
        self.0.first().map_or(0.0, |[p, q]| (p / q).ln())
    }

    /// The claim's laws that are nearest: `(P', Q')` with `P' <= e^epsilon Q'` that minimises `KL(P || P') + KL(Q || Q')`.
    fn projected(&self, epsilon: f64) -> Projected<'_> {
        let bound = epsilon.exp();
        // t = 0 if the claim is true; the sum over all outputs rises with t.
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            let sum: f64 = self
                .0
                .iter()
                .map(|masses| nearest(*masses, bound, middle)[0])
                .sum();
            if sum < 1.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        Projected {
            laws: self,
            bound,
            t: low,
        }
    }

    /// The bound on epsilon that half of all tests of one event reach with so many calls on each side, in the normal approximation.
    fn limit(&self, each: f64) -> f64 {
        let (mut p, mut q, mut best) = (0.0, 0.0, 0.0_f64);
        for [here, there] in &self.0 {
            p += here;
            q += there;
            let deviation = (((1.0 - p) / p + (1.0 - q) / q) / each).sqrt();
            let bound = (p / q).ln() - NORMAL_QUANTILE * deviation;
            best = best.max(if bound.is_finite() { bound } else { 0.0 });
        }
        best
    }

    /// The largest epsilon that a test which knows both laws rejects half of the times, in the normal approximation: the likelihood
    /// ratio of the truth and of the nearest laws of the claim, which no test of that claim excels.
    fn limit_of_any_test(&self, each: f64) -> f64 {
        let (mut low, mut high) = (0.0, self.epsilon().min(50.0));
        for _ in 0..50 {
            let middle = (low + high) / 2.0;
            if self.projected(middle).is_rejected(each) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// The laws of a true claim that are nearest to some laws: each output's probabilities shrink or grow by a factor.
struct Projected<'a> {
    laws: &'a Laws,
    bound: f64,
    t: f64,
}

/// Their probabilities for one output.
fn nearest([p, q]: [f64; 2], bound: f64, t: f64) -> [f64; 2] {
    let (first, second) = (1.0 - t, 1.0 + t);
    if p * second <= bound * q * first {
        return [p / first, q / second];
    }
    let second_mass = (p + q) / (first * bound + second);
    [bound * second_mass, second_mass]
}

impl Projected<'_> {
    /// Each output's probabilities under the truth and under the claim, on one side and then on the other.
    fn masses(&self) -> impl Iterator<Item = (f64, f64, usize)> + '_ {
        self.laws.0.iter().flat_map(|masses| {
            let near = nearest(*masses, self.bound, self.t);
            [0, 1].map(|side| (masses[side], near[side], side))
        })
    }

    /// The growth of the best bet in a call, on either side at random.
    fn growth(&self) -> f64 {
        let gains = self.masses().filter(|(mass, ..)| *mass > 0.0);
        gains
            .map(|(mass, near, _)| mass * (mass / near).ln())
            .sum::<f64>()
            / 2.0
    }

    /// Whether the likelihood ratio rejects it half of the times: whether its median under the truth exceeds its 0.95 quantile under
    /// the claim.
    fn is_rejected(&self, each: f64) -> bool {
        let (mut gap, mut squares, mut means) = (0.0, 0.0, [0.0_f64; 2]);
        for (mass, near, side) in self.masses().filter(|(mass, ..)| *mass > 0.0) {
            let gain = (mass / near).ln();
            gap += (mass - near) * gain;
            squares += near * gain * gain;
            means[side] += near * gain;
        }
        let variance = squares - means[0] * means[0] - means[1] * means[1];
        gap * each > NORMAL_QUANTILE * (each * variance).sqrt()
    }
}
