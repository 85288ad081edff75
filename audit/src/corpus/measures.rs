//! Claims in other measures than (epsilon, delta): for each a mechanism that leaves nothing to spare, and one whose
//! parameter is larger by a twentieth.

use crate::refute::{Claim, Measure, Profile};
use crate::specimen::{Measured, Mechanism, Specimen, last_bit, specimen};
use crate::targets::{Output, TargetError};
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::Rational;
use dp_assay::number::rational::{integer, ratio};
use dp_assay::prepared::DrawnOften;
use dp_assay::sample::DiscreteGaussian;
use num_traits::ToPrimitive;
use serde_json::{Value, json};

/// A mark, with these probabilities where the last record is 0 and where it is 1.
struct TwoOutcomes([Rational; 2]);

impl Mechanism for TwoOutcomes {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let chance = &self.0[usize::from(last_bit(data)?)];
        Ok(Output::Integer(coins.bernoulli(chance)?.into()))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let chance = self.0[usize::from(last_bit(data)?)].to_f64();
        let chance = chance.unwrap_or(f64::NAN);
        Ok(Some(vec![
            (Output::Integer(0), 1.0 - chance),
            (Output::Integer(1), chance),
        ]))
    }
}

/// The last record with discrete Gaussian noise: its Rényi divergence is `order / (2 variance)` for whole orders, and no
/// larger for others.
struct Gaussian {
    variance: f64,
    noise: DrawnOften<DiscreteGaussian>,
}

impl Mechanism for Gaussian {
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError> {
        let noise = coins.draw(&self.noise)?;
        // Beyond 64 bits with a probability of exp(-2^100) and less.
        let noise = i128::from(noise.to_i64().unwrap_or(i64::MAX));
        Ok(Output::Integer(noise + i128::from(last_bit(data)?)))
    }

    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let centre = f64::from(u8::from(last_bit(data)?));
        let weight = |k: i32| (-(f64::from(k) - centre).powi(2) / (2.0 * self.variance)).exp();
        let total: f64 = (-40..=40).map(weight).sum();
        let law = (-40..=40).map(|k| (Output::Integer(k.into()), weight(k) / total));
        Ok(Some(law.collect()))
    }
}

/// The profile of the corpus: a total variation of 3/10, and (1, 1/10).
const PROFILE: &str = "epsilon,delta\n0,3/10\n1,1/10\n";

/// The names, the claim, and the probabilities of the mark on the two datasets, at the claim and at a twentieth more: in
/// parts of 10^10, rounded inwards.
struct Row {
    names: [&'static str; 2],
    claim: Claim,
    marked: [[i64; 2]; 2],
}

pub(super) fn all() -> Result<Vec<Specimen>, TargetError> {
    let two = || integer(2);
    let profile = Profile::parse("corpus", PROFILE);
    let profile = profile.map_err(|reason| TargetError::Data {
        expected: "a profile",
        got: reason,
    })?;
    let rows = [
        Row {
            names: ["zcdp", "zcdp-1.05"],
            claim: Claim::new(Measure::Zcdp { rho: two() }),
            marked: [[832217202, 9167782798], [770779758, 9229220242]],
        },
        Row {
            names: ["renyi", "renyi-1.05"],
            claim: Claim::new(Measure::Renyi {
                order: two(),
                epsilon: two(),
            }),
            marked: [[1078968698, 8921031302], [994456626, 9005543374]],
        },
        Row {
            names: ["gaussian-privacy", "gaussian-privacy-1.05"],
            claim: Claim::new(Measure::Gaussian { mu: two() }),
            marked: [[1000000000, 7637595841], [1000000000, 7934494125]],
        },
        Row {
            names: ["profile", "profile-1.05"],
            claim: Claim::new(Measure::Profile(profile)),
            marked: [[1163953414, 4163953413], [1130459848, 4280459847]],
        },
    ];
    let mut all = Vec::new();
    let pair = || [json!([0]), json!([1])];
    let truths =
        |claim: &Claim| [integer(1), ratio(21, 20)].map(|times| claim.parameter().1 * times);
    for Row {
        names,
        claim,
        marked,
    } in rows
    {
        for ((name, truth), marked) in names.into_iter().zip(truths(&claim)).zip(marked) {
            let mechanism = TwoOutcomes(marked.map(|count| ratio(count, 10_000_000_000)));
            all.push(measured(
                name,
                &claim,
                truth,
                specimen(name, ABOUT, pair(), mechanism)?,
            ));
        }
    }
    let claim = Claim::new(Measure::Zcdp { rho: two() });
    for (name, truth) in ["zcdp-gaussian", "zcdp-gaussian-1.05"]
        .into_iter()
        .zip(truths(&claim))
    {
        let variance = (&truth * two()).recip();
        let mechanism = Gaussian {
            variance: variance.to_f64().unwrap_or(f64::NAN),
            noise: DrawnOften::new(DiscreteGaussian::new(variance)?, u64::MAX)?,
        };
        all.push(measured(
            name,
            &claim,
            truth,
            specimen(name, ABOUT, pair(), mechanism)?,
        ));
    }
    Ok(all)
}

const ABOUT: &str = "a claim in another measure, with nothing to spare or a twentieth too small";

fn measured(name: &'static str, claim: &Claim, truth: Rational, specimen: Specimen) -> Specimen {
    let claim = claim.clone();
    Specimen {
        name,
        measured: Some(Measured { claim, truth }),
        ..specimen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::Enclosure;

    /// The divergence of order `a` of one law from another, by its definition.
    fn divergence(a: f64, p: &[f64], q: &[f64]) -> f64 {
        // Up to order 11 the largest term of these laws is at 11, and where a tail underflows, from 18 on, the terms are
        // below e^-90 of it.
        let terms = p.iter().zip(q).filter(|(p, q)| p.min(**q) > 1e-300);
        if a == 1.0 {
            return terms.map(|(p, q)| p * (p / q).ln()).sum();
        }
        let sum: f64 = terms
            .map(|(p, q)| ((p / q).ln() * (a - 1.0) + p.ln()).exp())
            .sum();
        sum.ln() / (a - 1.0)
    }

    fn quantile(p: f64) -> f64 {
        let p = dp_assay::number::rational::from_f64(p).unwrap();
        let value = Enclosure::of(&p, 80).normal_quantile().unwrap();
        value.lower().to_f64().unwrap()
    }

    /// The least parameter that is true, from the two laws.
    fn parameter(measure: &Measure, p: &[f64], q: &[f64]) -> f64 {
        let both = |a: f64| divergence(a, p, q).max(divergence(a, q, p));
        match measure {
            Measure::Zcdp { .. } => {
                // Beyond, e^(2 order (order - 1)) overflows for the Gaussian, where each whole order gives rho; and of two
                // outcomes no divergence exceeds the largest loss, 2.5, which is far below 11 rho.
                let orders = (0..=1000).map(|step| 1.0 + f64::from(step) / 100.0);
                orders.map(|a| both(a) / a).fold(0.0, f64::max)
            }
            Measure::Renyi { order, .. } => both(order.to_f64().unwrap()),
            // Of two outcomes: the distance at which the two are as hard to tell apart.
            Measure::Gaussian { .. } => quantile(p[1]) - quantile(q[1]),
            Measure::Profile(_) => {
                // The least multiple of (0, 3/10) and of (1, 1/10).
                let excess =
                    |c: f64| f64::max(p[1] - q[1] - 0.3 * c, p[1] - c.exp() * q[1] - 0.1 * c);
                let (mut low, mut high) = (0.5, 2.0);
                for _ in 0..60 {
                    let middle = (low + high) / 2.0;
                    if excess(middle) > 0.0 {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
                high
            }
            Measure::Budget { .. } => f64::NAN,
        }
    }

    #[test]
    fn the_truth_is_that_of_the_laws_and_the_claim_is_true_with_nothing_to_spare() {
        for specimen in all().unwrap() {
            let law = |data: &Value| -> Vec<f64> {
                let law = specimen.mechanism().law(data).unwrap().unwrap();
                law.into_iter().map(|(_, p)| p).collect()
            };
            let (q, p) = (law(&specimen.pair.0), law(&specimen.pair.1));
            let Measured { claim, truth } = specimen.measured.as_ref().unwrap();
            let least = parameter(claim.measure(), &p, &q);
            let truth = truth.to_f64().unwrap();
            // Rounded inwards: not above, but for the rounding of this test, and near.
            let gap = truth - least;
            assert!((-1e-12..1e-7).contains(&gap), "{}: {gap:e}", specimen.name);
            assert_eq!(specimen.violates(), specimen.name.ends_with("1.05"));
        }
    }
}
