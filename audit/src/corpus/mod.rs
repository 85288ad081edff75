//! Mechanisms with exactly known privacy: the audit of the auditor. The command has more of them, beside its papers.

mod additive;
mod choice;
mod due;
mod float;
mod inside;
mod leak;
mod measures;
mod services;
mod sparse_vector;
mod time;
mod unseen;

pub use crate::specimen::{Draw, Due, Measured, Mechanism, Specimen, Truth};
pub use due::{DUE, caught_from, names};

use crate::targets::TargetError;

/// All specimens of the corpus, as [`sorted`].
///
/// # Errors
/// None that is expected: the parameters are constants.
pub fn corpus() -> Result<Vec<Specimen>, TargetError> {
    sorted(lists())
}

/// The specimens of these lists, those that keep their claim first; after them those of claims in other measures than
/// (epsilon, delta), in the same order.
///
/// # Errors
/// None that is expected: the parameters are constants.
pub fn sorted(lists: impl IntoIterator<Item = List>) -> Result<Vec<Specimen>, TargetError> {
    let mut specimens = Vec::new();
    for list in lists {
        specimens.extend(list()?);
    }
    specimens.sort_by_key(|one| (one.measured.is_some(), one.violates()));
    Ok(specimens)
}

/// What builds a list of specimens.
pub type List = fn() -> Result<Vec<Specimen>, TargetError>;

/// The lists of specimens, each by what builds it.
pub fn lists() -> [List; 10] {
    [
        additive::all,
        choice::all,
        sparse_vector::all,
        services::all,
        leak::all,
        float::all,
        inside::all,
        time::all,
        measures::all,
        unseen::all,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::{Output, Target};
    use dp_assay::coins::ChaCha;
    use serde_json::Value;
    use std::collections::HashMap;

    #[test]
    fn the_truth_is_what_it_should_be() {
        let corpus = corpus().unwrap();
        let find = |name| {
            let found = corpus.iter().find(|specimen| specimen.name == name);
            found.unwrap_or_else(|| panic!("{name}"))
        };
        for (name, epsilon) in [
            ("discrete-laplace", 1.0),
            ("discrete-laplace-1.01", 1.01),
            ("discrete-laplace-1.05", 1.05),
            ("discrete-laplace-1.2", 1.2),
            ("discrete-laplace-2", 2.0),
            ("randomised-response", 1.0),
            ("randomised-response-1.05", 1.05),
            ("geometric-clamped", 1.0),
            ("noisy-max-value", 2.5),
            ("rare-release", f64::INFINITY),
            ("geometric-without-zero", f64::INFINITY),
            ("sparse-vector-5", f64::INFINITY),
            ("spent-twice", 2.0),
            ("bits-for-one", 2.0),
        ] {
            let truth = find(name).truth.epsilon;
            assert!(
                truth == epsilon || (truth - epsilon).abs() < 1e-9,
                "{name}: {truth}"
            );
        }
        assert_eq!(
            find("rare-release")
                .truth
                .disjoint
                .map(|d| (d * 1e9).round()),
            Some(1e6)
        );
        for specimen in &corpus {
            if let Some(relation) = specimen.relation {
                specimen.pair.check(relation).unwrap();
            }
        }
    }

    /// One test for each output of each law: 20,000 draws, Hoeffding at 1e-14 each. Detects a deviation of
    /// 0.04 with probability 0.99.
    #[test]
    fn samplers_have_their_laws() {
        let n = 20_000;
        let tolerance = (f64::ln(2.0 / 1e-14) / (2.0 * n as f64)).sqrt();
        for specimen in corpus().unwrap() {
            for data in [&specimen.pair.0, &specimen.pair.1] {
                let Some(law) = specimen.mechanism().law(data).unwrap() else {
                    continue;
                };
                let sum: f64 = law.iter().map(|(_, p)| p).sum();
                assert!((sum - 1.0).abs() < 1e-5, "{}: {sum}", specimen.name);
                let coins = ChaCha::reproducible(5, 0);
                let batch = specimen.target(coins).sample(data, n).unwrap();
                let mut counts: HashMap<&Output, u64> = HashMap::new();
                for output in &batch.outputs {
                    *counts.entry(output).or_default() += 1;
                }
                for (output, p) in &law {
                    let found = counts.remove(output).unwrap_or(0) as f64 / n as f64;
                    assert!(
                        (found - p).abs() < tolerance,
                        "{} {output}: {found} {p}",
                        specimen.name
                    );
                }
                let rest: u64 = counts.values().sum();
                assert!(rest < 10, "{}: {counts:?}", specimen.name);
            }
        }
    }

    #[test]
    fn wrong_data_are_refused() {
        for specimen in corpus().unwrap() {
            let mut target = specimen.target(ChaCha::reproducible(0, 0));
            for data in [
                Value::Null,
                serde_json::json!(["x"]),
                serde_json::json!([1e300]),
            ] {
                assert!(target.sample(&data, 1).is_err(), "{}", specimen.name);
            }
        }
    }
}
