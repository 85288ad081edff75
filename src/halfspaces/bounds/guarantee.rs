//! What a run is guaranteed to achieve, with the parameters that it really used.
//!
//! The paper conditions on good records and removes the condition by Markov's inequality. That is not
//! needed: for a fixed projection, generalise over the *whole* distribution, and let the projection be
//! good for the `n` records only. With `q` the probability that a record is bad, over the projection:
//!
//! 1. all `n` records keep their margin, except with probability `n q`;
//! 2. then the learner's training error is small, except with the probability of its own coins;
//! 3. training error and error are close for all hypotheses at once, except with the probability of the
//!    generalisation bound, which holds for every fixed projection.

use super::efficient::theorem_6;
use super::full_batch::{RoundedDescent, choice_excess, descent_excess};
use super::{BITS, Goal, ceiling, falls_by, log_growth_base, of, whole};
use crate::geometry::johnson_lindenstrauss::exponent_rate;
use crate::halfspaces::HalfspaceError;
use crate::halfspaces::efficient::EfficientParameters;
use crate::halfspaces::full_batch::{FullBatchPlan, damping};
use crate::halfspaces::pure::PureParameters;
use crate::halfspaces::steps::{Origin, rounding_of_a_record};
use crate::number::range::{above_zero, above_zero_at_most_one, above_zero_below_one, require};
use crate::number::rational::{integer, parse, ratio, to_scientific_above};
use crate::number::{Enclosure, Rational};
use num_bigint::BigUint;
use num_traits::{One, Signed, Zero};

/// What the theorem guarantees with probability `1 - beta`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guarantee {
    /// The error, rounded up to four digits; nothing if it is not below 1/2, which a coin achieves.
    pub alpha: Option<Rational>,
    /// The terms of the bound, or why it is vacuous.
    pub reason: String,
}

/// How records were brought to the dimension in which was learnt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Projection {
    /// Not at all.
    None,
    /// By a random sign matrix with this many rows.
    Signs {
        /// The rows, `m`.
        rows: u64,
    },
}

impl From<Option<usize>> for Projection {
    /// No projection for no rows.
    fn from(rows: Option<usize>) -> Self {
        rows.map_or(Self::None, |rows| Self::Signs { rows: rows as u64 })
    }
}

/// What a run of Algorithm 2 with these parameters guarantees on `n` records of dimension `d`.
///
/// # Errors
/// Those of the cover, whose points are counted, and of [`PureRun::guarantee`].
pub fn of_pure(
    parameters: &PureParameters,
    (n, d): (usize, usize),
    beta: &Rational,
) -> Result<Guarantee, HalfspaceError> {
    PureRun {
        records: n as u64,
        projection: parameters.projected_dimension().value.into(),
        epsilon: parameters.epsilon().clone(),
        gamma: parameters.gamma().clone(),
        beta: beta.clone(),
        radius: parameters.radius().value.clone(),
        threshold: parameters.threshold().value.clone(),
        net: parameters.points(d)?.into(),
    }
    .guarantee()
}

/// What a planned run of the full-batch learner guarantees on a distribution of margin `gamma`, its rounding
/// included.
///
/// # Errors
/// Those of [`FullBatchRun::guarantee`].
pub fn of_full_batch(
    plan: &FullBatchPlan,
    gamma: &Rational,
    beta: &Rational,
) -> Result<Guarantee, HalfspaceError> {
    let (parameters, shape) = (plan.parameters(), plan.shape());
    let (dimension, grid) = (plan.dimension() as u64, shape.grid);
    let rounding = rounding_of_a_record(dimension, grid.bits());
    if &rounding + plan.width() / integer(2) >= parameters.margin {
        return Ok(Guarantee {
            alpha: None,
            reason: format!(
                "rounding to the grid may move a record by {}, as far as the loss's margin",
                to_scientific_above(&rounding, 3)
            ),
        });
    }
    let rounded = RoundedDescent {
        records: shape.records as u64,
        dimension,
        steps: plan.steps(),
        margin: parameters.margin.clone(),
        width: plan.width(),
        variance: plan.noise().variance() / integer(grid.one()).pow(2),
        bits: grid.bits(),
    };
    FullBatchRun {
        records: shape.records as u64,
        dimension: shape.dimension as u64,
        projection: parameters.projected_dimension.value.into(),
        gamma: gamma.clone(),
        beta: beta.clone(),
        margin: parameters.margin.clone(),
        width: plan.width(),
        steps: plan.steps(),
        runs: parameters.runs.value,
        rho: plan.rho().rho() / integer(parameters.runs.value),
        choice_epsilon: parameters.budget.epsilon() / integer(2),
        extra_loss: rounded.of_the_steps()?,
        rounding,
    }
    .guarantee()
}

/// What a run of Algorithm 3 guarantees on `n` records: nothing, since Theorem 6 asks for more of them than
/// its `n^2` steps could ever go through, and says nothing of other parameters than its own.
///
/// # Errors
/// Those of [`theorem_6`].
pub fn of_one_record(
    parameters: &EfficientParameters,
    goal: &Goal,
    n: usize,
) -> Result<Guarantee, HalfspaceError> {
    let origins = [
        ("dimension", parameters.projected_dimension.origin),
        ("runs", parameters.runs.origin),
        ("steps", parameters.steps.origin),
    ];
    let overridden: Vec<&str> = origins
        .into_iter()
        .filter_map(|(name, origin)| (origin == Origin::Overridden).then_some(name))
        .collect();
    let reason = if overridden.is_empty() {
        let needed = theorem_6(goal, parameters.budget.delta())?.records;
        format!("Theorem 6 asks for {needed} records, got {n}")
    } else {
        format!(
            "no guarantee is stated for other parameters than the theorem's (overridden: {})",
            overridden.join(", ")
        )
    };
    Ok(Guarantee {
        alpha: None,
        reason,
    })
}

/// A run of the pure learner (Algorithm 2).
///
/// The net must contain a point within `radius` of every unit vector. A record counts against a
/// hypothesis if its margin is below `threshold`; at threshold 0, if it is not positive. A record whose
/// projection is zero counts against every hypothesis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PureRun {
    /// The records `n`.
    pub records: u64,
    /// The projection.
    pub projection: Projection,
    /// The privacy of the exponential mechanism.
    pub epsilon: Rational,
    /// The margin of the distribution.
    pub gamma: Rational,
    /// The failure probability.
    pub beta: Rational,
    /// The radius of the net.
    pub radius: Rational,
    /// The margin below which a record counts against a hypothesis.
    pub threshold: Rational,
    /// The number of points of the net.
    pub net: BigUint,
}

impl PureRun {
    /// The guarantee: `alpha = (1 - (b/|W|)^(1/n))/(1 - e^(-epsilon/2))`, where `b = beta - n q`
    /// (`nuz20.thm11.run`).
    ///
    /// A net point within `radius` of the projected separator errs on no record if the margin left is
    /// `radius + threshold`, which determines the distortion allowed and so `q`. Then a hypothesis of error
    /// above `alpha` is drawn with probability at most `|W| (1 - alpha (1 - e^(-epsilon/2)))^n = b`
    /// (`nuz20.thm11.one-line`).
    ///
    /// # Errors
    /// [`HalfspaceError::Parameter`] for a parameter outside its range.
    pub fn guarantee(&self) -> Result<Guarantee, HalfspaceError> {
        require(self.records > 0, "records", &self.records, "at least 1")?;
        above_zero_at_most_one("gamma", &self.gamma)?;
        above_zero_below_one("beta", &self.beta)?;
        above_zero("epsilon", &self.epsilon)?;
        above_zero("radius", &self.radius)?;
        if self.radius >= self.gamma {
            return Ok(Guarantee {
                alpha: None,
                reason: format!(
                    "a net of radius {} need not have a point that keeps a part of the margin {}",
                    to_scientific_above(&self.radius, 3),
                    to_scientific_above(&self.gamma, 3)
                ),
            });
        }
        let threshold = &self.threshold;
        require(
            !threshold.is_negative(),
            "threshold",
            threshold,
            "at least 0",
        )?;
        require(!self.net.is_zero(), "net", &self.net, "at least 1")?;
        let kept = &self.radius + &self.threshold;
        let left = match left_of(
            &self.beta,
            self.records,
            self.projection,
            &self.gamma,
            &kept,
        )? {
            Ok(left) => left,
            Err(vacuous) => return Ok(vacuous),
        };
        let each = of(&(whole(&self.net) / left)).ln()? * of(&integer(self.records).recip());
        let alpha = (-each)
            .exp()?
            .complement()
            .divided_by(&falls_by(&self.epsilon)?)?;
        Ok(judge(
            &alpha,
            format!(
                "one of the {} points of the net errs on none of {} records",
                to_scientific_above(&whole(&self.net), 3),
                self.records
            ),
        ))
    }
}

/// A run of the full-batch learner ([`mod@super::full_batch`]).
///
/// What a record is learnt from as whose projection is zero does not matter: it has lost its margin. The
/// steps are taken to be exact:
/// `rounding` is about the records, and what is lost by rounding the steps belongs in `extra_loss`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullBatchRun {
    /// The records `n`.
    pub records: u64,
    /// The dimension of the data before the projection.
    pub dimension: u64,
    /// The projection.
    pub projection: Projection,
    /// The margin of the distribution.
    pub gamma: Rational,
    /// The failure probability.
    pub beta: Rational,
    /// The margin of the hinge loss `max(0, 1 - s/margin)`.
    pub margin: Rational,
    /// Over so much of the margin the slope of the loss falls, where it is smoothed: at most the margin. 0 for the hinge loss.
    pub width: Rational,
    /// The gradient steps of one run, from 0, with the step length of [`mod@super::full_batch`].
    pub steps: u64,
    /// The runs.
    pub runs: u32,
    /// The zCDP budget of one run, which determines its noise.
    pub rho: Rational,
    /// The budget of the exponential mechanism that chooses among the runs; unused for one run.
    pub choice_epsilon: Rational,
    /// How far a record that is learnt from may be from its exact projection.
    pub rounding: Rational,
    /// What the expected excess loss of one run may exceed that of exact steps by:
    /// [`RoundedDescent`].
    pub extra_loss: Rational,
}

impl FullBatchRun {
    /// The guarantee: `alpha n = (1 + zeta) E + 1 + C/lambda` for an excess loss `E` and
    /// `C = ln(6/b) + v ln(2en/v)`, where `b = beta - n q` and `v` is the dimension learnt in; `lambda` is a public number
    /// below `ln 2`, and `e^lambda + e^(-(1+zeta) lambda) = 2`.
    ///
    /// The separator's loss is 0 if the margin left is `margin + rounding`. One run has expected excess
    /// `e`; the best of `k` has at most `(3/b)^(1/k) e` except with probability `b/3` (Markov), and the
    /// choice adds its term except with probability `b/3`; one alone has the excess of [`likely_excess`]
    /// except with both. A training error on the exact projection
    /// costs a loss of at least `1 - (rounding + width/2)/margin`. Lemma 7, in its sharper form (`nuz20.lem7.sharper`), fails with
    /// probability at most `2 e^lambda Pi(2n) e^(-lambda eta n)`, which is `b/3` at `eta n = 1 + C/lambda`.
    /// Homogeneous halfspaces in dimension `v` have VC dimension `v`.
    ///
    /// # Errors
    /// [`HalfspaceError::Parameter`] for a parameter outside its range.
    pub fn guarantee(&self) -> Result<Guarantee, HalfspaceError> {
        self.check()?;
        let kept = &self.margin + &self.rounding;
        let left = match left_of(
            &self.beta,
            self.records,
            self.projection,
            &self.gamma,
            &kept,
        )? {
            Ok(left) => left,
            Err(vacuous) => return Ok(vacuous),
        };
        let learnt_in = match self.projection {
            Projection::None => self.dimension,
            Projection::Signs { rows } => rows,
        };
        let third = left / integer(3);
        let n = integer(self.records);
        let log_odds = of(&(integer(1) / &third)).ln()?;
        let excess = if self.runs == 1 {
            self.likely_excess(learnt_in, &log_odds)? + of(&self.extra_loss)
        } else {
            let (steps, rows) = (integer(self.steps), integer(learnt_in));
            let one_run = descent_excess(&n, &steps, &rows, &of(&self.rho), &self.margin)?;
            // (3/b)^(1/k) = exp(ln(3/b) / k)
            let repeated = (log_odds * of(&integer(self.runs).recip())).exp()?;
            let odds = integer(self.runs) / &third;
            let choice = choice_excess(&self.margin, &self.choice_epsilon, &odds)?;
            repeated * (one_run + of(&self.extra_loss)) + choice
        };
        let lost = &self.rounding + &self.width / integer(2);
        let wrong = excess.divided_by(&of(&(integer(1) - lost / &self.margin)))?;
        let class = of(&(integer(2) / &third)).ln()?
            + log_growth(learnt_in.min(self.dimension), self.records)?;
        let alpha = generalised(&wrong, &class)?.divided_by(&of(&n))?;
        Ok(judge(
            &alpha,
            format!(
                "the training loss is at most {} on {} records",
                ceiling(&wrong),
                self.records
            ),
        ))
    }

    /// The excess of one run of exact steps in dimension `m`, but for a probability of `2 e^-x` (`nuz20.full-batch.one-run`):
    /// `(1/margin) ((G^2 + sigma^2 (sqrt(m x/T) + x/T))/(G sqrt T) + sigma sqrt(2 x (4 + n^2/(G^2 T))/T))`, `G^2 = n^2 + m sigma^2`,
    /// `sigma^2 = 2 T/rho`. Of the smoothed loss (`nuz20.full-batch.smoothed`): `(1/margin) (n/T + (n/width + r)/(2 T)
    /// + sigma^2 (m + 2 sqrt(m x/T) + 2 x/T)/(2 r) + 2 sigma sqrt(2 x/T))`, for the [`damping`] `r`.
    fn likely_excess(&self, m: u64, x: &Enclosure) -> Result<Enclosure, HalfspaceError> {
        let (n, steps) = (integer(self.records), integer(self.steps));
        let squared_sigma = integer(2) * &steps / &self.rho;
        if self.width.is_positive() {
            let damping = integer(damping(&(integer(m) * &squared_sigma), self.steps));
            let way = (&n + (&n / &self.width + &damping) / integer(2)) / &steps;
            let per_step = x * of(&steps.recip());
            let squares =
                of(&integer(m)) + ((&per_step * of(&integer(m))).sqrt()? + &per_step).shifted(1);
            let noise = squares * of(&(&squared_sigma / (integer(2) * damping)));
            let sideways = (per_step.shifted(1) * of(&squared_sigma))
                .sqrt()?
                .shifted(1);
            return Ok((of(&way) + noise + sideways).divided_by(&of(&self.margin))?);
        }
        let squared_gradient = &n * &n + integer(m) * &squared_sigma;
        let per_step = x * of(&steps.recip());
        // |xi|^2 of all steps, and <xi, h> of all, h at most 4 + eta^2 n^2 long when squared.
        let longer = of(&squared_sigma) * ((&per_step * of(&integer(m))).sqrt()? + &per_step);
        let length = (of(&squared_gradient) + longer)
            .divided_by(&of(&(&squared_gradient * &steps)).sqrt()?)?;
        let squared_path = integer(4) + &n * &n / (&squared_gradient * &steps);
        let across = (per_step.shifted(1) * of(&(squared_sigma * squared_path))).sqrt()?;
        Ok((length + across).divided_by(&of(&self.margin))?)
    }

    fn check(&self) -> Result<(), HalfspaceError> {
        require(self.records > 0, "records", &self.records, "at least 1")?;
        require(
            self.dimension > 0,
            "dimension",
            &self.dimension,
            "at least 1",
        )?;
        above_zero_at_most_one("gamma", &self.gamma)?;
        above_zero_below_one("beta", &self.beta)?;
        above_zero("margin", &self.margin)?;
        require(
            self.margin <= Rational::one(),
            "margin",
            &self.margin,
            "at most 1",
        )?;
        require(self.steps > 0, "steps", &self.steps, "at least 1")?;
        require(self.runs > 0, "runs", &self.runs, "at least 1")?;
        above_zero("rho", &self.rho)?;
        if self.runs > 1 {
            above_zero("choice_epsilon", &self.choice_epsilon)?;
        }
        let right = if self.runs > 1 {
            self.width.is_zero()
        } else {
            !self.width.is_negative()
        };
        let range = "at least 0 for one run, and 0 for several";
        require(right, "width", &self.width, range)?;
        let lost = &self.rounding + &self.width / integer(2);
        let right = !self.rounding.is_negative() && lost < self.margin;
        require(
            right,
            "rounding",
            &self.rounding,
            "at least 0 and below the margin, less half of the width",
        )?;
        let right = !self.extra_loss.is_negative();
        Ok(require(
            right,
            "extra_loss",
            &self.extra_loss,
            "at least 0",
        )?)
    }
}

/// The least `(1 + zeta) E + 1 + C/lambda` over `lambda = 2^-j s/16`, `s = 6, ..., 11`, `j = 0, ..., 11`, where
/// `1 + zeta = -ln(2 - e^lambda)/lambda`.
fn generalised(excess: &Enclosure, class: &Enclosure) -> Result<Enclosure, HalfspaceError> {
    let mut least: Option<Enclosure> = None;
    for halvings in 0..12 {
        for sixteenths in 6..=11 {
            let lambda = of(&ratio(sixteenths, 16 << halvings));
            let price = -(of(&integer(2)) - lambda.exp()?).ln()?;
            let bound = (excess * price + class).divided_by(&lambda)? + of(&integer(1));
            least = Some(least.map_or(bound.clone(), |least| least.min(&bound)));
        }
    }
    Ok(least.unwrap_or_else(|| excess.clone()))
}

/// The failure probability that is left when all records keep the margin `kept`: `beta - n q`, where
/// `q = 2 exp(-m (kappa^2/4 - kappa^3/6))` for the largest distortion allowed; or why nothing is left.
///
/// The tails are those of distortions of `kappa` *or more*, so that good records have more than `kept`.
fn left_of(
    beta: &Rational,
    n: u64,
    projection: Projection,
    gamma: &Rational,
    kept: &Rational,
) -> Result<Result<Rational, Guarantee>, HalfspaceError> {
    let vacuous = |reason| {
        Ok(Err(Guarantee {
            alpha: None,
            reason,
        }))
    };
    let short = |x: &Rational| to_scientific_above(x, 3);
    let enough = match projection {
        Projection::None => kept <= gamma,
        Projection::Signs { .. } => kept < gamma,
    };
    if !enough {
        return vacuous(format!(
            "the margin {} does not leave {}, which the learner relies on",
            short(gamma),
            short(kept)
        ));
    }
    let Projection::Signs { rows } = projection else {
        return Ok(Ok(beta.clone()));
    };
    require(rows > 0, "rows", &rows, "at least 1")?;
    let kappa = sharp_margin(gamma, kept);
    let rate = exponent_rate(&kappa)?;
    let exponent = -integer(rows) * &rate;
    let failure = (Enclosure::exp_of(&exponent, BITS)?.shifted(1) * of(&integer(n))).upper();
    if failure >= *beta {
        let needed = of(&(integer(2) * integer(n) / beta))
            .ln()?
            .divided_by(&of(&rate))?;
        return vacuous(format!(
            "{rows} rows keep the margins of {n} records except with probability {}; \
             below beta they do from {} rows on",
            short(&failure.min(Rational::one())),
            needed.hi().floor() + 1
        ));
    }
    Ok(Ok(beta - failure))
}

/// The margin that a projection leaves, `(gamma - kappa) / (1 - gamma kappa)`, with probability one minus
/// *two tails*: `|A(x+w)|^2` too small, or `|A(x-w)|^2` too large (for label 1; exchanged for -1).
///
/// Proof: scale `x` and `w` to unit vectors, which the margin of `Ax/|Ax|` does not notice. With
/// `P = |A(x+w)|^2` and `M = |A(x-w)|^2`, `4 <Ax,Aw> = P - M` and `4 |Ax| |Aw| <= P + M`; and
/// `(P - M)/(P + M)` increases in `P` and decreases in `M`. Put `P = (1 - kappa) 2 (1 + <x,w>)` and
/// `M = (1 + kappa) 2 (1 - <x,w>)`: the quotient is `(<x,w> - kappa)/(1 - kappa <x,w>)`, which increases
/// in `<x,w> >= gamma`. It is its own inverse in `kappa`.
pub fn sharp_margin(gamma: &Rational, kappa: &Rational) -> Rational {
    (gamma - kappa) / (integer(1) - gamma * kappa)
}

/// `ln Pi(2n)` for VC dimension `v`: `v ln(2en/v)`, or `2n ln 2` if `v > 2n`.
fn log_growth(v: u64, n: u64) -> Result<Enclosure, HalfspaceError> {
    if v / 2 >= n {
        return Ok(Enclosure::ln_two(BITS) * of(&(integer(2) * integer(n))));
    }
    Ok(of(&integer(v)) * log_growth_base(&v.into(), &n.into())?)
}

/// The guarantee of an error bound: below 1/2, or vacuous.
fn judge(bound: &Enclosure, terms: String) -> Guarantee {
    let digits = to_scientific_above(&bound.upper(), 4);
    let alpha = parse(&digits).unwrap_or_else(|_| bound.upper());
    if &alpha * integer(2) < Rational::one() {
        return Guarantee {
            alpha: Some(alpha),
            reason: terms,
        };
    }
    Guarantee {
        alpha: None,
        reason: format!("the bound is {digits}, and a coin errs with 1/2; {terms}"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::pure::{Net, one_line};
    use super::super::tests::goal;
    use super::*;
    use crate::halfspaces::Shape;
    use crate::halfspaces::full_batch::FullBatchParameters;
    use crate::halfspaces::steps::overridden;
    use crate::number::Grid;
    use crate::privacy::{Budget, NeighbouringRelation};

    fn pure_run() -> PureRun {
        PureRun {
            records: 20_000,
            projection: Projection::None,
            epsilon: integer(1),
            gamma: ratio(1, 2),
            beta: ratio(1, 10),
            radius: ratio(1, 4),
            threshold: ratio(1, 20),
            net: BigUint::from(10_000u32),
        }
    }

    fn full_batch_run() -> FullBatchRun {
        FullBatchRun {
            records: 100_000,
            dimension: 20,
            projection: Projection::None,
            gamma: ratio(1, 2),
            beta: ratio(1, 10),
            margin: ratio(1, 2),
            width: Rational::zero(),
            steps: 10_000_000_000,
            runs: 1,
            rho: ratio(1, 10),
            choice_epsilon: integer(1),
            rounding: Rational::zero(),
            extra_loss: Rational::zero(),
        }
    }

    #[test]
    fn a_run_without_projection_pays_for_its_class_only() {
        // (1 - e^(-ln(1e4/0.1)/2e4))/(1 - e^(-1/2)) = 0.00057548/0.39347
        let found = pure_run().guarantee().unwrap();
        assert_eq!(found.alpha, Some(ratio(1463, 1_000_000)));
        // One run: x = ln 30, E = 86.706, C = ln 60 + 20 ln(2e 5000) = 208.30, and 588.15 at the best lambda.
        let found = full_batch_run().guarantee().unwrap();
        assert_eq!(found.alpha, Some(ratio(5882, 1_000_000)));
    }

    #[test]
    fn too_few_rows_are_named_as_the_reason() {
        let with = |rows| PureRun {
            projection: Projection::Signs { rows },
            ..pure_run()
        };
        let few = with(10).guarantee().unwrap();
        assert_eq!(few.alpha, None);
        assert!(few.reason.contains("from 1106 rows on"), "{}", few.reason);
        assert_eq!(with(1105).guarantee().unwrap().alpha, None);
        assert!(with(1106).guarantee().unwrap().alpha.is_some());
    }

    #[test]
    fn a_threshold_above_the_margin_and_too_few_records_are_vacuous() {
        let greedy = PureRun {
            threshold: ratio(2, 5),
            ..pure_run()
        };
        assert!(
            greedy
                .guarantee()
                .unwrap()
                .reason
                .contains("does not leave")
        );
        let short = PureRun {
            records: 10,
            ..pure_run()
        };
        let found = short.guarantee().unwrap();
        assert!(found.alpha.is_none() && found.reason.contains("coin"));
        let short = FullBatchRun {
            records: 10,
            ..full_batch_run()
        };
        assert!(short.guarantee().unwrap().alpha.is_none());
    }

    #[test]
    fn more_runs_and_rounded_records_are_paid_for() {
        let plain = full_batch_run().guarantee().unwrap().alpha;
        let thrice = FullBatchRun {
            runs: 3,
            ..full_batch_run()
        };
        assert!(
            thrice.guarantee().unwrap().alpha > plain,
            "the choice among three"
        );
        let rounded = FullBatchRun {
            gamma: ratio(3, 5),
            rounding: ratio(1, 10),
            ..full_batch_run()
        };
        assert!(rounded.guarantee().unwrap().alpha > plain);
    }

    #[test]
    fn the_sample_size_and_the_guarantee_agree() {
        let goal = goal("0.1", "0.1", "0.3", "1");
        let size = one_line(&goal, &ratio(88, 100), Net::Lattice).unwrap();
        let run = PureRun {
            records: u64::try_from(&size.records).unwrap(),
            projection: Projection::Signs {
                rows: u64::try_from(&size.dimension).unwrap(),
            },
            epsilon: integer(1),
            gamma: ratio(3, 10),
            beta: ratio(1, 10),
            radius: size.radius,
            threshold: Rational::zero(),
            net: size
                .log_net
                .exp()
                .unwrap()
                .hi()
                .ceil()
                .to_biguint()
                .unwrap(),
        };
        let alpha = run.guarantee().unwrap().alpha.unwrap();
        assert!(alpha <= ratio(1, 10) && alpha > ratio(9, 100));
    }

    #[test]
    fn parameters_outside_their_range_are_refused() {
        let zero = FullBatchRun {
            rho: Rational::zero(),
            ..full_batch_run()
        };
        assert_eq!(
            zero.guarantee().unwrap_err().to_string(),
            "rho must be above 0, got 0"
        );
        let pure = |change: fn(&mut PureRun)| {
            let mut run = pure_run();
            change(&mut run);
            run.guarantee().unwrap_err().to_string()
        };
        for (refused, name) in [
            (pure(|run| run.records = 0), "records must"),
            (pure(|run| run.gamma = ratio(11, 10)), "gamma must"),
            (pure(|run| run.beta = integer(1)), "beta must"),
            (pure(|run| run.epsilon = integer(0)), "epsilon must"),
            (pure(|run| run.radius = integer(0)), "radius must"),
            (pure(|run| run.threshold = ratio(-1, 20)), "threshold must"),
            (pure(|run| run.net = BigUint::zero()), "net must"),
            (
                pure(|run| run.projection = Projection::Signs { rows: 0 }),
                "rows must",
            ),
        ] {
            assert!(refused.starts_with(name), "{refused}");
        }
        let full_batch = |change: fn(&mut FullBatchRun)| {
            let mut run = full_batch_run();
            change(&mut run);
            run.guarantee().unwrap_err().to_string()
        };
        for (refused, name) in [
            (full_batch(|run| run.records = 0), "records must"),
            (full_batch(|run| run.dimension = 0), "dimension must"),
            (full_batch(|run| run.gamma = ratio(11, 10)), "gamma must"),
            (full_batch(|run| run.beta = integer(1)), "beta must"),
            (full_batch(|run| run.margin = integer(0)), "margin must"),
            (full_batch(|run| run.margin = ratio(11, 10)), "margin must"),
            (full_batch(|run| run.steps = 0), "steps must"),
            (full_batch(|run| run.width = ratio(-1, 10)), "width must"),
            (
                full_batch(|run| (run.runs, run.width) = (2, ratio(1, 4))),
                "width must",
            ),
            (full_batch(|run| run.width = integer(1)), "rounding must"),
            (full_batch(|run| run.runs = 0), "runs must"),
            (
                full_batch(|run| run.rounding = ratio(-1, 10)),
                "rounding must",
            ),
            (
                full_batch(|run| run.rounding = ratio(1, 2)),
                "rounding must",
            ),
            (
                full_batch(|run| run.extra_loss = integer(-1)),
                "extra_loss must",
            ),
            (
                full_batch(|run| (run.runs, run.choice_epsilon) = (2, integer(0))),
                "choice_epsilon must",
            ),
        ] {
            assert!(refused.starts_with(name), "{refused}");
        }
        // One run has no choice to make.
        let alone = FullBatchRun {
            choice_epsilon: Rational::zero(),
            ..full_batch_run()
        };
        assert!(alone.guarantee().is_ok());
    }

    fn substitution(epsilon: i64) -> Budget {
        let delta = ratio(1, 1_000_000);
        Budget::approximate(integer(epsilon), delta, NeighbouringRelation::Substitute).unwrap()
    }

    #[test]
    fn the_guarantee_of_a_full_batch_plan_is_that_of_its_numbers() {
        let (gamma, beta) = (ratio(1, 2), ratio(1, 10));
        let shape = |records, bits| Shape {
            records,
            dimension: 2,
            grid: Grid::new(bits).unwrap(),
        };
        let plan = |shape: Shape| {
            FullBatchParameters::from_theorem(
                (&ratio(1, 10), &beta),
                substitution(1),
                &gamma,
                (shape.records, shape.dimension),
            )
            .unwrap()
            .with_margin_left(&gamma, shape)
            .plan(shape)
            .unwrap()
        };
        let fine = plan(shape(100_000, 30));
        let found = of_full_batch(&fine, &gamma, &beta).unwrap();
        let exact = FullBatchRun {
            records: 100_000,
            dimension: 2,
            projection: Projection::None,
            gamma: gamma.clone(),
            beta: beta.clone(),
            margin: gamma.clone(),
            width: Rational::zero(),
            steps: fine.steps(),
            runs: 7,
            rho: fine.rho().rho() / integer(7),
            choice_epsilon: ratio(1, 2),
            rounding: Rational::zero(),
            extra_loss: Rational::zero(),
        };
        // Rounding costs a little: sqrt(T (n^2 + m sigma^2)) 2 e / margin is about 3, of a loss of hundreds.
        let exact = exact.guarantee().unwrap().alpha.unwrap();
        let found = found.alpha.unwrap();
        assert!(found > exact && found <= exact * ratio(102, 100));
        // On a grid whose step is half the margin nothing is left.
        let coarse = of_full_batch(&plan(shape(100_000, 2)), &gamma, &beta).unwrap();
        assert_eq!(coarse.alpha, None);
        assert!(coarse.reason.contains("as far as the loss's margin"));
    }

    #[test]
    fn the_guarantee_of_pure_parameters_counts_their_cover() {
        let tenth = ratio(1, 10);
        let parameters =
            PureParameters::from_theorem(&tenth, &tenth, &integer(1), &ratio(1, 2), 20_000, 2)
                .unwrap();
        // The cover of radius 1/20 in dimension 2 has 777 points.
        let run = PureRun {
            radius: ratio(1, 20),
            net: BigUint::from(777u32),
            ..pure_run()
        };
        let found = of_pure(&parameters, (20_000, 2), &tenth).unwrap();
        assert_eq!(found, run.guarantee().unwrap());
    }

    #[test]
    fn algorithm_3_guarantees_nothing_and_says_why() {
        let goal = goal("0.1", "0.1", "0.5", "1");
        let mut parameters = EfficientParameters::from_theorem(
            (&ratio(1, 10), &ratio(1, 10)),
            substitution(1),
            &ratio(1, 2),
            (50, 2),
        )
        .unwrap();
        let found = of_one_record(&parameters, &goal, 50).unwrap();
        assert_eq!(found.alpha, None);
        assert!(found.reason.ends_with("records, got 50"), "{found:?}");
        parameters.steps = overridden(3);
        let found = of_one_record(&parameters, &goal, 50).unwrap();
        assert!(found.reason.ends_with("(overridden: steps)"), "{found:?}");
    }

    #[test]
    fn a_smoothed_run_pays_half_of_its_width_and_needs_fewer_steps() {
        // T = 10^6, sigma^2 = 2 10^7, r = 20_000_001 and x = ln 30: the excess of the smoothed loss is
        // 2 (1/10 + (200_000 + r)/(2 10^6) + 2 10^7 (20 + 0.0165)/(2 r) + 2 sqrt(2 2 10^7 x/10^6)) = 2 (0.1 + 10.1 + 10.01 + 23.33), and an
        // error costs half.
        let run = |width: Rational, steps| FullBatchRun {
            width,
            steps,
            ..full_batch_run()
        };
        let smoothed = run(ratio(1, 2), 1_000_000).guarantee().unwrap();
        let loss = "the training loss is at most 175 on 100000 records";
        assert_eq!(smoothed.reason, loss);
        // With as few steps the hinge loss has the worse bound; with all of its own the better one.
        let hinge = |steps| run(Rational::zero(), steps).guarantee().unwrap().alpha;
        assert!(smoothed.alpha < hinge(50_000) && smoothed.alpha > hinge(10_000_000_000));
    }

    #[test]
    fn the_choice_among_two_runs_is_paid_for() {
        // sqrt(30) 2 sqrt(1 + 400) = 219.36 for the better of two, and (2/1) (1 + 2) ln(2 * 30) = 24.57.
        let twice = FullBatchRun {
            runs: 2,
            ..full_batch_run()
        };
        let reason = twice.guarantee().unwrap().reason;
        assert_eq!(reason, "the training loss is at most 244 on 100000 records");
    }

    #[test]
    fn an_error_of_a_half_is_no_guarantee() {
        let alpha = |bound: Rational| judge(&of(&bound), String::new()).alpha;
        assert_eq!(alpha(ratio(1, 2)), None);
        assert_eq!(alpha(ratio(1, 4)), Some(ratio(1, 4)));
    }

    #[test]
    fn an_error_on_a_rounded_record_costs_less_than_a_loss_of_one() {
        // 86.706, and an error costs 1 - (1/10) / (1/2) = 4/5: 108.4.
        let rounded = FullBatchRun {
            gamma: ratio(3, 5),
            rounding: ratio(1, 10),
            ..full_batch_run()
        };
        let reason = rounded.guarantee().unwrap().reason;
        assert_eq!(reason, "the training loss is at most 109 on 100000 records");
    }

    #[test]
    fn a_projection_needs_more_than_the_margin_that_is_relied_on() {
        let with = |projection, threshold| {
            let run = PureRun {
                projection,
                threshold,
                ..pure_run()
            };
            run.guarantee().unwrap()
        };
        let rows = Projection::Signs { rows: 1 << 20 };
        let all = ratio(1, 4);
        assert!(with(Projection::None, all.clone()).alpha.is_some());
        assert!(with(rows, all).reason.contains("does not leave"));
        assert!(with(rows, ratio(1, 5)).alpha.is_some());
    }
}
