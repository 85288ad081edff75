//! What a mechanism of known privacy is: its claim, a pair of datasets, its true privacy on that pair, and what an
//! audit must say of it. Where the law of the output is discrete, the truth is computed from the law.

use crate::pairs::Pair;
use crate::refute::Claim;
use crate::targets::{Batch, Output, Target, TargetError};
use dp_assay::coins::{ChaCha, Coins};
use dp_assay::number::{Rational, rational::ratio};
use dp_assay::prepared::DrawnOften;
use dp_assay::privacy::NeighbouringRelation;
use dp_assay::sample::DiscreteLaplace;
use num_traits::ToPrimitive;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Display;

/// Draws outputs on one dataset.
pub type Draw<'a> = Box<dyn Fn(&mut ChaCha) -> Result<Output, TargetError> + 'a>;

/// A mechanism of the corpus.
pub trait Mechanism: Send + Sync {
    /// One output on `data`.
    ///
    /// # Errors
    /// [`TargetError::Data`] for data that it does not take; those of the coins.
    fn draw(&self, data: &Value, coins: &mut ChaCha) -> Result<Output, TargetError>;

    /// What draws many outputs on `data`: [`Self::draw`], with what needs no coins computed once for all of them.
    ///
    /// # Errors
    /// [`TargetError::Data`] for data that it does not take.
    fn on<'a>(&'a self, data: &'a Value) -> Result<Draw<'a>, TargetError> {
        Ok(Box::new(move |coins| self.draw(data, coins)))
    }

    /// The probabilities of the outputs on `data`, to about twelve digits; of infinitely many, a range that
    /// is the same for neighbours. `None` where they are not known.
    ///
    /// # Errors
    /// [`TargetError::Data`] for data that it does not take.
    fn law(&self, data: &Value) -> Result<Option<Vec<(Output, f64)>>, TargetError> {
        let _ = data;
        Ok(None)
    }
}

/// What is true of a mechanism on its pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Truth {
    /// The least epsilon with the claimed delta, which is 0 in most claims; infinite if one dataset has
    /// outputs that the other never has, of a larger mass than that.
    pub epsilon: f64,
    /// Whether that is its value; otherwise it is a certified lower bound.
    pub exact: bool,
    /// The probability, on one of the two datasets, of outputs that the other never has: the delta that no
    /// epsilon brings down. `None` if it is known to be positive and not how large.
    pub disjoint: Option<f64>,
}

/// What an audit that stops at a proof must say at level 1/20, but for errors of that probability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Its claim is true.
    NotRefuted,
    /// Its claim is false, and 59 audits of 59 caught it with at most half as many calls, so that each does with
    /// probability at least 0.95, at 95 % confidence. `command/examples/caught_from.rs` prints the table.
    CaughtFrom(u64),
    /// Its claim is false, and 100,000 calls were not enough for that.
    MayBeMissed,
}

impl Due {
    /// The calls from which on the violation must be caught; `None` if there is no such number.
    #[must_use]
    pub fn caught_from(self) -> Option<u64> {
        match self {
            Self::CaughtFrom(calls) => Some(calls),
            Self::NotRefuted | Self::MayBeMissed => None,
        }
    }
}

/// What is claimed of a mechanism in another measure than (epsilon, delta), and what is true.
#[derive(Debug, Clone)]
pub struct Measured {
    /// The claim.
    pub claim: Claim,
    /// The least parameter ([`Claim::parameter`]) that could be claimed truly, to about eight digits.
    pub truth: Rational,
}

/// A mechanism, what is claimed of it, and what is true.
pub struct Specimen {
    /// Its permanent name.
    pub name: &'static str,
    /// What is wrong with it, if anything is.
    pub about: &'static str,
    /// The epsilon that is claimed.
    pub epsilon: Rational,
    /// The delta that is claimed.
    pub delta: Rational,
    /// The datasets.
    pub pair: Pair,
    /// Their relation; `None` where the data are the answers of queries of sensitivity 1.
    pub relation: Option<NeighbouringRelation>,
    /// What is true on this pair.
    pub truth: Truth,
    /// If this is said, it is the claim, and `epsilon` and `delta` are not.
    pub measured: Option<Measured>,
    /// What draws.
    pub mechanism: Box<dyn Mechanism>,
}

impl Specimen {
    /// The same with a delta above 0 in the claim, and the truth for that.
    pub fn claiming(mut self, delta: Rational) -> Result<Self, TargetError> {
        let (p, q) = (
            self.mechanism.law(&self.pair.0)?,
            self.mechanism.law(&self.pair.1)?,
        );
        if let (Some(p), Some(q)) = (p, q) {
            let claimed = delta.to_f64().unwrap_or(f64::NAN);
            self.truth.epsilon = least_epsilon(&p, &q, claimed);
        }
        self.delta = delta;
        Ok(self)
    }

    /// Whether the claim is false on this pair.
    #[must_use]
    pub fn violates(&self) -> bool {
        if let Some(Measured { claim, truth }) = &self.measured {
            return *truth > claim.parameter().1;
        }
        let claimed = self.epsilon.to_f64().unwrap_or(f64::INFINITY);
        self.truth.epsilon > claimed + 1e-9
    }

    /// What is claimed.
    #[must_use]
    pub fn claim(&self) -> Claim {
        match &self.measured {
            Some(measured) => measured.claim.clone(),
            None => Claim::budget(self.epsilon.clone(), self.delta.clone()),
        }
    }

    /// The mechanism.
    #[must_use]
    pub fn mechanism(&self) -> &dyn Mechanism {
        &*self.mechanism
    }

    /// The mechanism as a target, with these coins.
    pub fn target(&self, coins: ChaCha) -> impl Target {
        InProcess {
            mechanism: &*self.mechanism,
            coins,
        }
    }
}

struct InProcess<'a> {
    mechanism: &'a dyn Mechanism,
    coins: ChaCha,
}

impl Target for InProcess<'_> {
    fn sample(&mut self, data: &Value, n: usize) -> Result<Batch, TargetError> {
        let draw = self.mechanism.on(data)?;
        let draws = (0..n).map(|_| draw(&mut self.coins));
        Ok(Batch {
            outputs: draws.collect::<Result<_, _>>()?,
            traces: Vec::new(),
        })
    }
}

/// A specimen that claims epsilon = 1 under substitution, and whose truth follows from its law.
pub fn specimen(
    name: &'static str,
    about: &'static str,
    pair: [Value; 2],
    mechanism: impl Mechanism + 'static,
) -> Result<Specimen, TargetError> {
    let [first, second] = pair;
    let unknown = Truth {
        epsilon: f64::INFINITY,
        exact: true,
        disjoint: None,
    };
    let truth = match (mechanism.law(&first)?, mechanism.law(&second)?) {
        (Some(p), Some(q)) => compare(&p, &q),
        _ => unknown,
    };
    Ok(Specimen {
        name,
        about,
        epsilon: ratio(1, 1),
        delta: ratio(0, 1),
        pair: Pair(first, second),
        relation: Some(NeighbouringRelation::Substitute),
        truth,
        measured: None,
        mechanism: Box::new(mechanism),
    })
}

/// The largest log ratio of two laws, and the larger of the masses that one has alone.
fn compare(p: &[(Output, f64)], q: &[(Output, f64)]) -> Truth {
    let mut both: BTreeMap<&Output, [f64; 2]> = BTreeMap::new();
    for (side, law) in [p, q].into_iter().enumerate() {
        for (output, mass) in law {
            both.entry(output).or_default()[side] += mass;
        }
    }
    let (mut epsilon, mut alone) = (0.0_f64, [0.0, 0.0]);
    for [p, q] in both.into_values() {
        match (p > 0.0, q > 0.0) {
            (true, true) => epsilon = epsilon.max((p / q).ln().abs()),
            (true, false) => alone[0] += p,
            (false, true) => alone[1] += q,
            (false, false) => {}
        }
    }
    let disjoint = f64::max(alone[0], alone[1]);
    Truth {
        epsilon: if disjoint > 0.0 {
            f64::INFINITY
        } else {
            epsilon
        },
        exact: true,
        disjoint: Some(disjoint),
    }
}

/// The least epsilon of two laws with a delta above 0: the profile is continuous and falls.
fn least_epsilon(p: &[(Output, f64)], q: &[(Output, f64)], delta: f64) -> f64 {
    let masses = |law: &[(Output, f64)]| {
        let mut masses: BTreeMap<Output, f64> = BTreeMap::new();
        for (output, mass) in law {
            *masses.entry(output.clone()).or_default() += mass;
        }
        masses
    };
    let (p, q) = (masses(p), masses(q));
    let excess = |p: &BTreeMap<Output, f64>, q: &BTreeMap<Output, f64>, epsilon: f64| -> f64 {
        let other = |output| q.get(output).copied().unwrap_or(0.0);
        p.iter()
            .map(|(output, mass)| (mass - epsilon.exp() * other(output)).max(0.0))
            .sum()
    };
    let profile = |epsilon| f64::max(excess(&p, &q, epsilon), excess(&q, &p, epsilon));
    let (mut low, mut high) = (0.0, 60.0);
    if profile(low) <= delta {
        return 0.0;
    }
    if profile(high) > delta {
        return f64::INFINITY;
    }
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if profile(middle) > delta {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// Data that are an array of integers.
pub fn integers(data: &Value) -> Result<Vec<i64>, TargetError> {
    let read = || data.as_array()?.iter().map(Value::as_i64).collect();
    let values: Option<Vec<i64>> = read();
    values
        .filter(|values| values.iter().all(|value| value.abs() < 1 << 32))
        .ok_or_else(|| TargetError::Data {
            expected: "an array of integers below 2^32",
            got: data.to_string(),
        })
}

/// What a mechanism refuses of its data.
pub fn refused<E: Display>(
    data: &Value,
    expected: &'static str,
) -> impl Fn(E) -> TargetError + use<E> {
    let got = data.to_string();
    move |error| TargetError::Data {
        expected,
        got: format!("{got} ({error})"),
    }
}

/// The last record, which must be a bit.
pub(crate) fn last_bit(data: &Value) -> Result<bool, TargetError> {
    match integers(data)?.last() {
        Some(0) => Ok(false),
        Some(1) => Ok(true),
        _ => Err(TargetError::Data {
            expected: "an array of integers that ends in 0 or 1",
            got: data.to_string(),
        }),
    }
}

/// Discrete Laplace noise, and its probabilities as doubles.
pub struct Noise {
    law: DrawnOften<DiscreteLaplace>,
    q: f64,
}

impl Noise {
    /// Noise of this scale, above 0.
    ///
    /// # Errors
    /// [`TargetError`] for another scale.
    pub fn new(scale: Rational) -> Result<Self, TargetError> {
        let q = (-1.0 / scale.to_f64().unwrap_or(f64::NAN)).exp();
        Ok(Self {
            // A mechanism answers thousands of times.
            law: DrawnOften::new(DiscreteLaplace::new(scale)?, u64::MAX)?,
            q,
        })
    }

    /// One draw.
    ///
    /// # Errors
    /// [`TargetError`] if the coins fail.
    pub fn draw(&self, coins: &mut ChaCha) -> Result<i64, TargetError> {
        // Beyond 64 bits with a probability of exp(-2^50) and less.
        Ok(coins.draw(&self.law)?.to_i64().unwrap_or(i64::MAX / 4))
    }

    /// The probability of `k`, in floats.
    pub fn pmf(&self, k: i64) -> f64 {
        (1.0 - self.q) / (1.0 + self.q) * self.power(k.unsigned_abs())
    }

    /// The probability of at most `k`.
    pub fn cdf(&self, k: i64) -> f64 {
        if k < 0 {
            self.power(k.unsigned_abs()) / (1.0 + self.q)
        } else {
            1.0 - self.power(k.unsigned_abs() + 1) / (1.0 + self.q)
        }
    }

    pub(crate) fn power(&self, k: u64) -> f64 {
        self.q.powf(k as f64)
    }
}
