//! Algorithm 6 (Appendix F): a margin is chosen privately, and then a learner is run.
//!
//! The scores of the margins have different sensitivities, so that the choice is by the generalised exponential mechanism
//! of Raskhodnikova and Smith, [`GeneralisedMechanism`]. Scores are exact rationals: of each margin the least loss of a public
//! candidate and what the learner's bound adds ([`Choice`]). [`learn_with`] is for any learner, [`learn`] for the Gibbs learner on
//! the same candidates.
//!
//! **The Gibbs learner does not read the margin**: its bound holds for every margin, and for all those of the grid at once
//! if it is stated at `beta / |V|`. What [`learn`] adds is a margin that may be published with the model, at the price of
//! `epsilon` of the choice. If you need only the model, run [`gibbs::learn`].

use super::bounds::{EfficientRun, GibbsRun};
use super::data::Dataset;
use super::error::MarginError;
use super::gibbs::{self, Candidates, GibbsModel};
use crate::coins::{Coins, Promise, Stage};
use crate::number::range::{above_zero, above_zero_below_one, at_least_one, require};
use crate::number::root::ceil_sqrt;
use crate::number::{Enclosure, Rational};
use crate::sample::{ExponentialMechanism, ScoreClass, check_exponent};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// Chooses a margin `rho = Lambda r / 2^j` and runs a learner at it; `(epsilon_1 + epsilon_2, delta)`-differentially private
/// under substitution of one record if the learner is `(epsilon_2, delta)`-private for each `j` below the number of bounds,
/// whatever the candidates (ledger: `bms22.algF.hinge`). The learner gets `j`.
///
/// # Errors
/// Those of [`Choice::choose`] and of the learner.
pub fn learn_with<C: Coins, M>(
    data: &Dataset,
    candidates: &Candidates,
    choice: &Choice,
    coins: &mut C,
    learner: impl FnOnce(usize, &mut C) -> Result<M, MarginError>,
) -> Result<(usize, M), MarginError> {
    let halvings = choice.choose(data, candidates, coins)?;
    Ok((halvings, learner(halvings, coins)?))
}

/// Chooses a margin `rho = Lambda r / 2^j` and learns a halfspace; `(epsilon_1 + epsilon_2, 0)`-differentially private
/// under substitution of one record (ledger: `bms22.algF`), whatever the candidates.
///
/// # Errors
/// Those of [`ChoiceParameters::bounds`] and of [`gibbs::learn`], for both epsilons. None depends on the records.
pub fn learn(
    data: &Dataset,
    candidates: &Candidates,
    parameters: &ChoiceParameters,
    coins: &mut impl Coins,
) -> Result<ChoiceModel, MarginError> {
    // What is public: whether it can be done, the grid V, and of each margin the bound at beta / |V|.
    let m = data.records().len();
    check_exponent(&parameters.epsilon, m)?;
    let choice = parameters.choice(m, candidates)?;
    let (halvings, model) = learn_with(data, candidates, &choice, coins, |_, coins| {
        // With its bound at beta / |V|.
        gibbs::learn(data, candidates, &parameters.epsilon, coins)
    })?;
    Ok(ChoiceModel { halvings, model })
}

/// Which loss of the candidates a margin is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// The margin loss, [`least_margin_errors`]: for a learner whose bound is in terms of it. A record moves the least number
    /// of errors by at most 1.
    Margin,
    /// The hinge loss, [`least_hinge_losses`]: a record moves the least sum by at most `1 + q`.
    Hinge,
}

impl Loss {
    /// By how much a record moves the score of the margin `Lambda r / 2^j`, at most: `m` times that of the loss.
    #[must_use]
    pub fn sensitivity(self, halvings: usize) -> Rational {
        match self {
            Self::Margin => Rational::one(),
            Self::Hinge => power_of_two(halvings) + Rational::one(),
        }
    }

    /// Of each of so many margins the least sum of losses of a candidate. **Not private.**
    fn least(
        self,
        candidates: &Candidates,
        data: &Dataset,
        margins: usize,
    ) -> Result<Vec<Rational>, MarginError> {
        match self {
            Self::Margin => {
                let errors = least_margin_errors(candidates, data, margins)?;
                Ok(errors
                    .into_iter()
                    .map(|e| Rational::from_integer(e.into()))
                    .collect())
            }
            Self::Hinge => least_hinge_losses(candidates, data, margins),
        }
    }
}

/// What is public of the choice of a margin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The loss.
    pub loss: Loss,
    /// Of each margin `Lambda r / 2^j`, `j = 0, 1, ...`, what the learner's bound adds to the loss. There is one.
    pub bounds: Vec<Rational>,
    /// The privacy parameter of the choice.
    pub epsilon: Rational,
    /// The probability with which the choice may be a bad one.
    pub beta: Rational,
}

impl Choice {
    /// The number `j` of a margin, by the generalised exponential mechanism; `(epsilon, 0)`-differentially private under
    /// substitution of one record.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] for more than 33 bounds; those of [`GeneralisedMechanism::new`], of [`least_margin_errors`] and
    /// of the coins. None depends on the records.
    pub fn choose(
        &self,
        data: &Dataset,
        candidates: &Candidates,
        coins: &mut impl Coins,
    ) -> Result<usize, MarginError> {
        let (count, m) = (self.bounds.len(), data.records().len());
        check_exponent(&self.epsilon, m)?;
        require(count <= 33, "the number of margins", &count, "at most 33")?;
        let mechanism = self.mechanism()?;
        // 1. Of each margin the score m (least loss + bound). The bound does not depend on the records.
        let least = self.loss.least(candidates, data, count)?;
        let m = BigInt::from(m);
        let scores = least.iter().zip(&self.bounds);
        let scores: Vec<Rational> = scores.map(|(loss, bound)| bound * &m + loss).collect();
        // 2. The number of a margin.
        let promise = Promise::Pure(self.epsilon.clone());
        coins.stage(&Stage::once("the choice of a margin", promise));
        Ok(coins.draw(&mechanism.choice(&scores)?)?)
    }

    /// The mechanism: the sensitivity of each score is that of its loss.
    ///
    /// # Errors
    /// Those of [`GeneralisedMechanism::new`].
    pub fn mechanism(&self) -> Result<GeneralisedMechanism, MarginError> {
        let sensitivities = (0..self.bounds.len()).map(|j| self.loss.sensitivity(j));
        GeneralisedMechanism::new(sensitivities.collect(), &self.epsilon, &self.beta)
    }
}

/// What Algorithm 2's bound on the hinge loss of its hypothesis on the data adds to the least hinge loss, vacuous or not:
/// `gamma q + excess`, see [`EfficientRun::guarantee`].
///
/// # Errors
/// Those of [`ErmRun::excess`](super::bounds::ErmRun::excess).
pub fn of_efficient(run: &EfficientRun) -> Result<Rational, MarginError> {
    // gamma is 0 without a projection.
    let by_the_projection = &run.distortion * &run.ratio;
    Ok(by_the_projection + run.erm.excess(&(&run.beta / BigInt::from(3)))?)
}

/// What the learner returns. All of it may be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceModel {
    /// The margin is `Lambda r / 2^halvings`.
    pub halvings: usize,
    /// The model.
    pub model: GibbsModel,
}
crate::published!(ChoiceModel { halvings, model });

impl ChoiceModel {
    /// `q = Lambda r / rho`.
    #[must_use]
    pub fn ratio(&self) -> Rational {
        power_of_two(self.halvings)
    }
}

/// What the choice of a margin and the learner may spend, and how surely the bound is to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceParameters {
    /// The privacy parameter of the choice of a margin.
    pub epsilon_of_choice: Rational,
    /// The privacy parameter of the learner.
    pub epsilon: Rational,
    /// The probability with which the choice may be a bad one, and that with which the learner may fail at some margin.
    pub beta: Rational,
}

impl ChoiceParameters {
    /// Of each margin of the grid what the learner's bound, at `beta / |V|`, adds to the margin loss; 1 where it is
    /// vacuous. It depends on nothing that is private.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] for a parameter outside its range; those of the enclosures.
    pub fn bounds(
        &self,
        records: usize,
        candidates: &Candidates,
    ) -> Result<Vec<Rational>, MarginError> {
        above_zero_below_one("beta", &self.beta)?;
        let margins = grid_size(records)?;
        let run = GibbsRun {
            records: records as u64,
            dimension: candidates.dimension() as u64,
            candidates: candidates.count() as u64,
            epsilon: self.epsilon.clone(),
            beta: &self.beta / BigInt::from(margins),
        };
        let bound = |halvings| {
            let guarantee = run.guarantee(&power_of_two(halvings), &Rational::zero())?;
            Ok(guarantee.training.unwrap_or_else(Rational::one))
        };
        (0..margins).map(bound).collect()
    }

    /// The choice among the margins of the grid, by margin losses.
    ///
    /// # Errors
    /// Those of [`ChoiceParameters::bounds`].
    pub fn choice(&self, records: usize, candidates: &Candidates) -> Result<Choice, MarginError> {
        Ok(Choice {
            loss: Loss::Margin,
            bounds: self.bounds(records, candidates)?,
            epsilon: self.epsilon_of_choice.clone(),
            beta: self.beta.clone(),
        })
    }
}

/// `|V| = 1 + ceil(log2 sqrt m)`: the margins `Lambda r, Lambda r / 2, ...`, down to `Lambda r / sqrt m` or below, at which
/// every bound is vacuous.
///
/// # Errors
/// [`MarginError::Parameter`] without records.
pub fn grid_size(records: usize) -> Result<usize, MarginError> {
    at_least_one("the number of records", records as u64)?;
    let sufficient = |halvings: &usize| 1u128 << (2 * halvings) >= records as u128;
    // At most 32 halvings: the number of records fits in 64 bits.
    Ok(1 + (0..32).find(sufficient).unwrap_or(32))
}

/// Of each margin `Lambda r / 2^j`, for so many `j` from 0, the least number of margin errors that a candidate has which is
/// scaled to norm `Lambda`. **Not private.**
///
/// A record is one of `w` if `y <w, x> <= |w| r / 2^j`, which is decided in integers. A substituted record moves each
/// candidate's number by at most one, and so the least of them.
///
/// # Errors
/// Those of [`Candidates::errors`].
pub fn least_margin_errors(
    candidates: &Candidates,
    data: &Dataset,
    margins: usize,
) -> Result<Vec<u32>, MarginError> {
    candidates.check(data.domain())?;
    let points: Vec<Vec<i64>> = data.records().iter().map(|r| r.signed()).collect();
    let radius_squared = u128::from(data.domain().radius()).pow(2);
    let mut least = vec![points.len() as u32; margins];
    for w in candidates.iter() {
        let norm_squared: u128 = w.iter().map(|w| u128::from(w.unsigned_abs()).pow(2)).sum();
        // `y <w, x>`, and 0 where it is below: either is an error at every margin.
        let product = |x: &Vec<i64>| -> u128 {
            let pairs = w.iter().zip(x);
            let product: i64 = pairs.map(|(&w, x)| i64::from(w) * x).sum();
            u128::from(product.max(0).unsigned_abs())
        };
        let products: Vec<u128> = points.iter().map(product).collect();
        for (halvings, least) in least.iter_mut().enumerate() {
            // p <= |w| r / 2^j if and only if the integer p^2 is at most the floor of |w|^2 r^2 / 4^j.
            let most = (norm_squared * radius_squared) >> (2 * halvings);
            let errors = products.iter().filter(|&p| p * p <= most).count() as u32;
            *least = errors.min(*least);
        }
    }
    Ok(least)
}

/// Of each margin `Lambda r / 2^j`, for so many `j` from 0, at most 33, the least sum over the records of the hinge losses
/// `max(0, 1 - y <w, x>/rho)` of the origin, or of a candidate which is scaled to norm `Lambda`, or shorter by a part in its
/// norm. **Not private.**
///
/// A candidate is divided by its norm rounded up, so that the sum is a rational number. A substituted record moves the sum
/// of each candidate by at most `1 + 2^j`, and so the least of them.
///
/// # Errors
/// Those of [`Candidates::errors`].
pub fn least_hinge_losses(
    candidates: &Candidates,
    data: &Dataset,
    margins: usize,
) -> Result<Vec<Rational>, MarginError> {
    candidates.check(data.domain())?;
    let points: Vec<Vec<i64>> = data.records().iter().map(|r| r.signed()).collect();
    let radius = i128::from(data.domain().radius());
    // That of the origin.
    let mut least = vec![Rational::from_integer(points.len().into()); margins];
    for w in candidates.iter() {
        let norm_squared: u128 = w.iter().map(|w| u128::from(w.unsigned_abs()).pow(2)).sum();
        let norm = ceil_sqrt(&norm_squared);
        if norm == 0 {
            continue;
        }
        // A loss is max(0, |w| r - 2^j y <w, x>) in parts of |w| r.
        let whole = norm as i128 * radius;
        let product = |x: &Vec<i64>| -> i128 {
            let pairs = w.iter().zip(x);
            i128::from(pairs.map(|(&w, x)| i64::from(w) * x).sum::<i64>())
        };
        let products: Vec<i128> = points.iter().map(product).collect();
        for (halvings, least) in least.iter_mut().enumerate() {
            let losses = products.iter().map(|p| (whole - (p << halvings)).max(0));
            let sum = Rational::new(losses.sum::<i128>().into(), whole.into());
            if sum < *least {
                *least = sum;
            }
        }
    }
    Ok(least)
}

fn power_of_two(exponent: usize) -> Rational {
    Rational::from_integer(BigInt::one() << exponent)
}

/// The generalised exponential mechanism of Raskhodnikova and Smith 2016: a choice by scores of which each has a
/// sensitivity of its own. Low scores are good.
///
/// With `t = 2 ln(n/beta)/epsilon` each score `q_i` becomes `s_i`, the largest of
/// `((q_i + t D_i) - (q_j + t D_j)) / (D_i + D_j)`, which a neighbour moves by at most 1; then it is the exponential
/// mechanism. `(epsilon, 0)`-private if a neighbour moves each `q_i` by at most `D_i`, where `n`, the `D_i` and `t` are
/// public. With probability at least `1 - beta` the chosen score is at most `q_j + 2 t D_j`, for every `j`
/// (ledger: `bms22.gem`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneralisedMechanism {
    sensitivities: Vec<Rational>,
    epsilon: Rational,
    shift: Rational,
}

/// The working precision of `t`, in bits.
const BITS: u32 = 64;

impl GeneralisedMechanism {
    /// The mechanism on as many scores as there are sensitivities.
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless there is one, all are above 0, `epsilon > 0` and `0 < beta < 1`.
    pub fn new(
        sensitivities: Vec<Rational>,
        epsilon: &Rational,
        beta: &Rational,
    ) -> Result<Self, MarginError> {
        at_least_one("the number of scores", sensitivities.len() as u64)?;
        for sensitivity in &sensitivities {
            above_zero("the sensitivity of a score", sensitivity)?;
        }
        above_zero("epsilon", epsilon)?;
        above_zero_below_one("beta", beta)?;
        let odds = Rational::from_integer(sensitivities.len().into()) / beta;
        let logarithm = Enclosure::of(&odds, BITS).ln()?.upper();
        Ok(Self {
            // Rounded up, which keeps the bound on the chosen score. Privacy holds for every public t.
            shift: logarithm * BigInt::from(2) / epsilon,
            sensitivities,
            epsilon: epsilon.clone(),
        })
    }

    /// `t`, rounded up.
    #[must_use]
    pub fn shift(&self) -> &Rational {
        &self.shift
    }

    /// `s_1, ..., s_n`: a neighbour moves each by at most 1. One is 0, and none is below. **Not private.**
    ///
    /// # Errors
    /// [`MarginError::Parameter`] unless there are as many scores as sensitivities.
    pub fn normalised(&self, scores: &[Rational]) -> Result<Vec<Rational>, MarginError> {
        self.check(scores)?;
        let pairs = scores.iter().zip(&self.sensitivities);
        // q_i + t D_i, and D_i.
        let shifted: Vec<(Rational, &Rational)> =
            pairs.map(|(q, d)| (q + &self.shift * d, d)).collect();
        let largest = |(own, d): &(Rational, &Rational)| {
            let quotients = shifted.iter().map(|(other, e)| (own - other) / (*d + *e));
            // The quotient with itself is 0.
            quotients.fold(Rational::zero(), Rational::max)
        };
        Ok(shifted.iter().map(largest).collect())
    }

    fn check(&self, scores: &[Rational]) -> Result<(), MarginError> {
        let found = scores.len();
        let right = found == self.sensitivities.len();
        let expected = "that of the sensitivities";
        Ok(require(right, "the number of scores", &found, expected)?)
    }

    /// `min over j of q_j + 2 t D_j`, which the chosen score is at most with probability at least `1 - beta`. **Not
    /// private.**
    ///
    /// # Errors
    /// Those of [`GeneralisedMechanism::normalised`].
    pub fn promised(&self, scores: &[Rational]) -> Result<Rational, MarginError> {
        self.check(scores)?;
        let slack = &self.shift * BigInt::from(2);
        let pairs = scores.iter().zip(&self.sensitivities);
        let least = pairs.map(|(q, d)| q + &slack * d).min();
        // There is a score.
        Ok(least.unwrap_or_else(Rational::zero))
    }

    /// The law of the number of the chosen score.
    ///
    /// # Errors
    /// Those of [`GeneralisedMechanism::normalised`].
    pub fn choice(&self, scores: &[Rational]) -> Result<ExponentialMechanism, MarginError> {
        let class = |loss| ScoreClass {
            loss,
            count: BigUint::one(),
        };
        let classes = self.normalised(scores)?.into_iter().map(class).collect();
        Ok(ExponentialMechanism::new(
            self.epsilon.clone(),
            Rational::one(),
            classes,
        )?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coins::{ChaCha, Tape};
    use crate::geometry::Record;
    use crate::margin::Domain;
    use crate::number::Grid;
    use crate::number::rational::{integer, ratio};

    fn parameters() -> ChoiceParameters {
        ChoiceParameters {
            epsilon_of_choice: integer(8),
            epsilon: integer(8),
            beta: ratio(1, 10),
        }
    }

    /// Points of the plane, all labelled +1, in the ball of radius 16.
    fn points(points: &[[i64; 2]]) -> Dataset {
        let record = |point: &[i64; 2]| Record {
            features: point.to_vec(),
            positive: true,
        };
        let domain = Domain::new(Grid::new(4).unwrap(), 2, 16).unwrap();
        Dataset::new(domain, points.iter().map(record).collect()).unwrap()
    }

    #[test]
    fn the_grid_halves_down_to_the_root_of_the_records() {
        let sizes = [1, 2, 4, 5, 16, 17, 1000, 1 << 20].map(|m| grid_size(m).unwrap());
        assert_eq!(sizes, [1, 2, 2, 3, 3, 4, 6, 11]);
        assert!(grid_size(0).is_err());
    }

    #[test]
    fn a_margin_is_that_of_the_candidate_scaled_and_a_tie_is_an_error() {
        // The products with (5, 0), over its norm: 16, 8, 7, 0, -3; the margins are 16, 8 and 4.
        let data = points(&[[16, 0], [8, 3], [7, 0], [0, 9], [-3, 0]]);
        let one = Candidates::new(2, vec![5, 0]).unwrap();
        assert_eq!(least_margin_errors(&one, &data, 3).unwrap(), [5, 4, 2]);
        // (0, 1) has products 0, 3, 0, 9, 0; (1, 1) over its norm: 11.3, 7.8, 4.9, 6.4, -2.1.
        let three = Candidates::new(2, vec![5, 0, 0, 1, 1, 1]).unwrap();
        assert_eq!(least_margin_errors(&three, &data, 3).unwrap(), [5, 4, 1]);
        // Of the origin every record is an error.
        let origin = Candidates::new(2, vec![0, 0]).unwrap();
        assert_eq!(least_margin_errors(&origin, &data, 2).unwrap(), [5, 5]);
        let other = Candidates::new(3, vec![0, 0, 1]).unwrap();
        assert!(least_margin_errors(&other, &data, 2).is_err());
    }

    #[test]
    fn hinge_losses_are_those_of_the_scaled_candidate() {
        // The products with (5, 0), over its norm: 16, 8, 7, 0, -3; over the margins 16 and 8: losses 0, 1/2, 9/16, 1, 19/16 and
        // 0, 0, 1/8, 1, 11/8.
        let data = points(&[[16, 0], [8, 3], [7, 0], [0, 9], [-3, 0]]);
        let one = Candidates::new(2, vec![5, 0]).unwrap();
        let found = least_hinge_losses(&one, &data, 2).unwrap();
        assert_eq!(found, [ratio(13, 4), ratio(5, 2)]);
        // (1, 1) has norm below 2 and the products 16, 11, 7, 9, -3; over 32: 1/2, 21/32, 25/32, 23/32, 35/32.
        let both = Candidates::new(2, vec![5, 0, 1, 1]).unwrap();
        let found = least_hinge_losses(&both, &data, 2).unwrap();
        assert_eq!(found, [ratio(13, 4), ratio(5, 2)]);
        let other = Candidates::new(2, vec![1, 1, 0, 0]).unwrap();
        let found = least_hinge_losses(&other, &data, 1).unwrap();
        assert_eq!(found, [ratio(120, 32)]);
        // The origin loses 1 a record.
        let origin = Candidates::new(2, vec![0, 0]).unwrap();
        assert_eq!(least_hinge_losses(&origin, &data, 1).unwrap(), [integer(5)]);
        assert_eq!(Loss::Hinge.sensitivity(3), integer(9));
        assert_eq!(Loss::Margin.sensitivity(3), integer(1));
    }

    #[test]
    fn scores_are_normalised_as_defined() {
        let sensitivities = vec![integer(1), integer(3)];
        let mechanism = GeneralisedMechanism::new(sensitivities, &integer(2), &ratio(1, 5));
        let mechanism = mechanism.unwrap();
        // t = ln 10 = 2.302585...
        let t = mechanism.shift();
        assert!(*t > ratio(2_302_585, 1_000_000) && *t < ratio(2_302_586, 1_000_000));
        // q + t D: 10 + t and 1 + 3 t; the first is larger by 9 - 2 t = 4.39..., over D_1 + D_2 = 4.
        let found = mechanism.normalised(&[integer(10), integer(1)]).unwrap();
        assert_eq!(
            found,
            [(integer(9) - t * integer(2)) / integer(4), integer(0)]
        );
        let law = mechanism.choice(&[integer(10), integer(1)]).unwrap();
        assert_eq!(law.exponents(), found);
        // 10 + 2 t or 1 + 6 t: the first is less.
        let promised = mechanism.promised(&[integer(10), integer(1)]).unwrap();
        assert_eq!(promised, integer(10) + t * integer(2));
        let short = [integer(1)];
        assert!(mechanism.normalised(&short).is_err() && mechanism.promised(&short).is_err());
    }

    #[test]
    fn a_wide_margin_is_chosen_where_there_is_one() {
        let mut one = vec![3; 2000];
        one.extend([-1; 2000]);
        let many = Candidates::new(1, one).unwrap();
        let domain = Domain::new(Grid::new(4).unwrap(), 1, 16).unwrap();
        let record = Record {
            features: vec![16],
            positive: true,
        };
        let data = Dataset::new(domain, vec![record; 400]).unwrap();
        let mut coins = ChaCha::reproducible(1, 0);
        let chosen = learn(&data, &many, &parameters(), &mut coins).unwrap();
        // A margin equal to r is an error at j = 0, and none at j = 1; at j = 2 and beyond the bound is vacuous.
        assert_eq!((chosen.halvings, chosen.ratio()), (1, integer(2)));
        assert!(chosen.model.chosen < 2000);
    }

    #[test]
    fn what_cannot_be_done_is_refused_before_a_coin_is_drawn() {
        let data = points(&[[16, 0], [0, 16]]);
        let candidates = Candidates::new(2, vec![1, 0]).unwrap();
        let refused = |parameters: &ChoiceParameters| {
            let mut coins = Tape::written("");
            let error = learn(&data, &candidates, parameters, &mut coins).unwrap_err();
            error.to_string()
        };
        let right = parameters();
        let wrong = ChoiceParameters {
            epsilon_of_choice: integer(1 << 24),
            ..right.clone()
        };
        assert!(refused(&wrong).contains("2^23 divided"));
        let wrong = ChoiceParameters {
            epsilon: integer(0),
            ..right.clone()
        };
        assert_eq!(refused(&wrong), "epsilon must be above 0, got 0");
        let wrong = ChoiceParameters {
            beta: integer(1),
            ..right
        };
        assert!(refused(&wrong).starts_with("beta must be"));
        let mechanism =
            |sensitivities| GeneralisedMechanism::new(sensitivities, &integer(1), &ratio(1, 10));
        assert!(mechanism(vec![integer(1), integer(0)]).is_err());
        assert!(mechanism(Vec::new()).is_err());
    }
}
