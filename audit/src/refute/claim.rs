//! What is claimed, in the measure in which it is claimed, and the half-planes that it allows one event.
//!
//! A claim in any measure allows the probabilities `(p, q)` of an event on two neighbours a convex region, and is refuted
//! by an event outside. The region is an intersection of half-planes `p <= slope q + delta`, which are claims
//! (ln slope, delta): so the tests of [`dp_assay::stats`] decide on each measure, with one half-plane as their hypothesis.
//! Which one is chosen from calls that are spent, before the calls that decide.
//!
//! Floats choose; the half-plane that was chosen is computed again with certified numbers ([`HalfPlane`]), and contains
//! the region wherever the floats looked.

use super::error::{AuditError, Field};
use super::profile::{BITS, Profile};
use dp_assay::number::range::require;
use dp_assay::number::rational::{from_f64, integer, parse, ratio, shortly, to_f64_for_display};
use dp_assay::number::{OutOfRange, Rational};
use dp_assay::privacy::HalfPlane;
use dp_assay::stats::{Laws, Null};
use std::cell::Cell;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The least epsilon that may be claimed, 1e-6: with all calls, frequencies are known to some 1e-4, so a smaller claim would
/// be tested as this one.
pub const LEAST_EPSILON: (i64, i64) = (1, 1_000_000);

/// Neighbouring boundary points of a region have probabilities `q` in this ratio; the last one is about this.
const NEXT: f64 = 0.8;
const LEAST: f64 = 1e-9;
/// Between a corner's two edges, and between two edges of a profile of few points, these parts of the way are looked at.
const PARTS: [(i64, i64); 3] = [(1, 4), (1, 2), (3, 4)];
const FEW_EDGES: usize = 30;
/// The half-planes of Gaussian privacy are at thresholds of the likelihood ratio this far apart, in standard deviations.
const THRESHOLDS: (i64, i64) = (1, 10);
const MOST_THRESHOLDS: i64 = 60;
/// No event counted in so many calls is known to less.
const LEAST_VARIANCE: f64 = 1e-9;

/// In which measure, and how much.
#[derive(Debug, Clone, PartialEq)]
pub enum Measure {
    /// (epsilon, delta): epsilon from [`LEAST_EPSILON`] to 40, delta in [0, 1).
    Budget {
        /// Epsilon.
        epsilon: Rational,
        /// Delta.
        delta: Rational,
    },
    /// Zero-concentrated: the Rényi divergence of every order above 1 is at most `rho` times the order. From 1e-8 to 20.
    Zcdp {
        /// Rho.
        rho: Rational,
    },
    /// The Rényi divergence of this order is at most epsilon.
    Renyi {
        /// Above 1, at most 10,000.
        order: Rational,
        /// From 1e-6 to 20.
        epsilon: Rational,
    },
    /// As hard to tell apart as normal laws of variance 1 at distance `mu`: from 1e-4 to 10.
    Gaussian {
        /// Mu.
        mu: Rational,
    },
    /// A curve of (epsilon, delta), or a trade-off function.
    Profile(Profile),
}

impl Measure {
    /// Checks the range of every number.
    ///
    /// # Errors
    /// [`AuditError::Question`], which names the number.
    pub fn check(&self) -> Result<(), AuditError> {
        let within =
            |field: Field, parameter, value: &Rational, least: Rational, most: i64, expected| {
                let right = (least..=integer(most)).contains(value);
                field.check(require(right, parameter, &shortly(value), expected))
            };
        match self {
            Self::Budget { epsilon, delta } => {
                within(
                    Field::Epsilon,
                    "epsilon",
                    epsilon,
                    ratio(LEAST_EPSILON.0, LEAST_EPSILON.1),
                    40,
                    "at least 1e-6 and at most 40 (no number of calls tells a smaller one from 1e-6)",
                )?;
                Field::Delta.check(require(
                    (integer(0)..integer(1)).contains(delta),
                    "delta",
                    &shortly(delta),
                    "at least 0 and below 1",
                ))
            }
            Self::Zcdp { rho } => within(
                Field::Rho,
                "rho",
                rho,
                ratio(1, 100_000_000),
                20,
                "at least 1e-8 and at most 20 (no number of calls tells a smaller one from 1e-8)",
            ),
            Self::Renyi { order, epsilon } => {
                let right = (integer(1)..=integer(10_000)).contains(order) && *order != integer(1);
                let expected = "above 1 and at most 10000";
                Field::Order.check(require(right, "the order alpha", &shortly(order), expected))?;
                within(
                    Field::EpsilonOfOrder,
                    "the epsilon of the order alpha",
                    epsilon,
                    ratio(1, 1_000_000),
                    20,
                    "at least 1e-6 and at most 20 (no number of calls tells a smaller one from 1e-6)",
                )
            }
            Self::Gaussian { mu } => within(
                Field::Mu,
                "mu",
                mu,
                ratio(1, 10_000),
                10,
                "at least 1e-4 and at most 10 (no number of calls tells a smaller one from 1e-4)",
            ),
            Self::Profile(profile) => Field::Profile.check(require(
                !profile.half_planes().is_empty(),
                "the profile",
                &profile.name(),
                "a claim: a delta below 1 at an epsilon of at most 40",
            )),
        }
    }

    /// The same claim, so many times as weak.
    fn times(&self, factor: &Rational) -> Self {
        match self {
            Self::Budget { epsilon, delta } => Self::Budget {
                epsilon: epsilon * factor,
                delta: delta.clone(),
            },
            Self::Zcdp { rho } => Self::Zcdp { rho: rho * factor },
            Self::Renyi { order, epsilon } => Self::Renyi {
                order: order.clone(),
                epsilon: epsilon * factor,
            },
            Self::Gaussian { mu } => Self::Gaussian { mu: mu * factor },
            Self::Profile(profile) => Self::Profile(profile.stretched(factor)),
        }
    }
}

/// A claim: to clone it is cheap, and clones share what was computed.
#[derive(Clone)]
pub struct Claim(Arc<Prepared>);

struct Prepared {
    measure: Measure,
    edges: OnceLock<Vec<Edge>>,
    /// The claims of the steps.
    steps: OnceLock<Vec<(Step, OnceLock<Claim>)>>,
}

impl fmt::Debug for Claim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.measure.fmt(formatter)
    }
}

impl PartialEq for Claim {
    fn eq(&self, other: &Self) -> bool {
        self.0.measure == other.0.measure
    }
}

/// As a sentence goes on after "the program is".
impl fmt::Display for Claim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.measure {
            Measure::Budget { epsilon, delta } => {
                write!(formatter, "({epsilon}, {})-private", shortly(delta))
            }
            Measure::Zcdp { rho } => write!(formatter, "{}-zCDP", shortly(rho)),
            Measure::Renyi { order, epsilon } => write!(
                formatter,
                "({}, {})-Rényi private",
                shortly(order),
                shortly(epsilon)
            ),
            Measure::Gaussian { mu } => write!(formatter, "{}-Gaussian private", shortly(mu)),
            Measure::Profile(profile) => {
                write!(formatter, "private within the profile {}", profile.name())
            }
        }
    }
}

/// A half-plane around the region, for choosing, and how it is certified.
struct Edge {
    slope: f64,
    delta: f64,
    recipe: Recipe,
    certified: OnceLock<(HalfPlane, Null)>,
}

enum Recipe {
    Given(HalfPlane),
    /// The tangent of a Rényi divergence at a point; order 1 is that of Kullback and Leibler.
    Tangent {
        order: f64,
        at: (f64, f64),
    },
    /// A tangent, turned towards its mirror image.
    Turned {
        order: f64,
        at: (f64, f64),
        weight: Rational,
    },
}

/// A half-plane that was chosen.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// What is tested.
    pub null: Null,
    /// The same, exactly.
    pub half_plane: HalfPlane,
    /// By how many standard errors of one call the frequencies exceed it that it was chosen for.
    pub excess: f64,
}

impl Claim {
    /// A claim in this measure. Its numbers are checked by [`Self::check`].
    #[must_use]
    pub fn new(measure: Measure) -> Self {
        Self(Arc::new(Prepared {
            measure,
            edges: OnceLock::new(),
            steps: OnceLock::new(),
        }))
    }

    /// The claim (epsilon, delta).
    #[must_use]
    pub fn budget(epsilon: Rational, delta: Rational) -> Self {
        Self::new(Measure::Budget { epsilon, delta })
    }

    /// The measure.
    #[must_use]
    pub fn measure(&self) -> &Measure {
        &self.0.measure
    }

    /// Epsilon and delta, if that is the measure.
    #[must_use]
    pub fn as_budget(&self) -> Option<(&Rational, &Rational)> {
        match &self.0.measure {
            Measure::Budget { epsilon, delta } => Some((epsilon, delta)),
            _ => None,
        }
    }

    /// Whether it is (epsilon, delta) with a delta above 0.
    #[must_use]
    pub fn has_delta(&self) -> bool {
        self.as_budget()
            .is_some_and(|(_, delta)| *delta > integer(0))
    }

    /// Checks the range of every number.
    ///
    /// # Errors
    /// [`AuditError::Question`], which names the number.
    pub fn check(&self) -> Result<(), AuditError> {
        self.0.measure.check()
    }

    /// What is bounded from below beside the verdict, and its value in the claim.
    #[must_use]
    pub fn parameter(&self) -> (String, Rational) {
        match &self.0.measure {
            Measure::Budget { epsilon, .. } => ("epsilon".to_owned(), epsilon.clone()),
            Measure::Zcdp { rho } => ("rho".to_owned(), rho.clone()),
            Measure::Renyi { order, epsilon } => (
                format!("epsilon of order {}", shortly(order)),
                epsilon.clone(),
            ),
            Measure::Gaussian { mu } => ("mu".to_owned(), mu.clone()),
            Measure::Profile(_) => ("the multiple of the profile".to_owned(), integer(1)),
        }
    }

    /// The deltas for which events are worth learning: of the claim (epsilon, delta) its own; of others those of the
    /// half-plane that was best before, of one in the middle, and of one for rare events.
    pub(super) fn aims(&self, before: Option<&Chosen>) -> Vec<f64> {
        if let Some((_, delta)) = self.as_budget() {
            return vec![to_f64_for_display(delta)];
        }
        let deltas = || self.edges().iter().map(|edge| edge.delta);
        let most = deltas().fold(0.0, f64::max);
        let least = deltas().fold(1.0, f64::min);
        let before = before.map(|chosen| to_f64_for_display(chosen.half_plane.delta()));
        let mut aims: Vec<f64> = before
            .into_iter()
            .chain([most / 2.0, least.min(1e-9)])
            .collect();
        aims.dedup();
        aims
    }

    /// The delta by which pairs of datasets are compared before anything is known.
    pub(super) fn first_aim(&self) -> f64 {
        self.aims(None)[0]
    }

    /// The half-plane that these frequencies of an event, where it is likelier and on the other dataset, exceed by most
    /// standard errors.
    ///
    /// # Errors
    /// [`AuditError::Privacy`].
    pub(super) fn exceeded(&self, p: f64, q: f64) -> Result<Chosen, AuditError> {
        self.best(|edge| edge.excess(p, q))
    }

    /// The same of frequencies of cells, by the event that exceeds it most.
    ///
    /// # Errors
    /// As for [`Self::exceeded`].
    pub(super) fn exceeded_by(&self, laws: &Laws) -> Result<Chosen, AuditError> {
        if self.edges().len() == 1 {
            return self.best(|_| 0.0);
        }
        let [first, second] = [0, 1].map(|side: usize| {
            let total: f64 = laws[side].iter().sum();
            let shares = laws[side].iter().map(|weight| weight / total);
            shares.collect::<Vec<f64>>()
        });
        let of = |edge: &Edge, likely: &[f64], rare: &[f64]| {
            let (mut p, mut q) = (0.0, 0.0);
            for (likely, rare) in likely.iter().zip(rare) {
                if *likely > edge.slope * rare {
                    p += likely;
                    q += rare;
                }
            }
            edge.excess(p, q)
        };
        self.best(|edge| of(edge, &first, &second).max(of(edge, &second, &first)))
    }

    /// The half-plane of the largest value.
    fn best(&self, value: impl Fn(&Edge) -> f64) -> Result<Chosen, AuditError> {
        let mut best: Option<(f64, &Edge)> = None;
        for edge in self.edges() {
            let value = value(edge);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, edge));
            }
        }
        let expected = "one that allows some events less than all";
        let best = best.ok_or_else(|| OutOfRange::new("the claim", self, expected));
        let (excess, edge) = Field::Claim.check(best)?;
        let (half_plane, null) = match edge.certified.get() {
            Some(certified) => certified.clone(),
            None => {
                let half_plane = self.certify(edge)?;
                let null = Null::of_slope(half_plane.slope(), half_plane.delta())?;
                edge.certified.get_or_init(|| (half_plane, null)).clone()
            }
        };
        Ok(Chosen {
            null,
            half_plane,
            excess,
        })
    }

    fn certify(&self, edge: &Edge) -> Result<HalfPlane, AuditError> {
        let tangent = |order: f64, (p, q): (f64, f64)| {
            let (order, p, q) = (from_f64(order)?, from_f64(p)?, from_f64(q)?);
            let most = match &self.0.measure {
                Measure::Zcdp { rho } => rho * &order,
                Measure::Renyi { epsilon, .. } => epsilon.clone(),
                _ => integer(0),
            };
            // The order that is claimed may be no float.
            let order = match &self.0.measure {
                Measure::Renyi { order, .. } => order.clone(),
                _ => order,
            };
            Ok::<_, AuditError>(if order == integer(1) {
                HalfPlane::of_kullback_leibler(&most, (&p, &q), BITS)?
            } else {
                HalfPlane::of_renyi(&order, &most, (&p, &q), BITS)?
            })
        };
        match &edge.recipe {
            Recipe::Given(half_plane) => Ok(half_plane.clone()),
            Recipe::Tangent { order, at } => tangent(*order, *at),
            Recipe::Turned { order, at, weight } => Ok(tangent(*order, *at)?.turned(weight)?),
        }
    }

    /// Two outcomes that leave the claim nothing to spare: the probabilities of the first one on the dataset where it is
    /// likelier, and on the other. It has this mass where it is likelier or, without one, the second outcome is the first
    /// one's mirror image, as in randomised response.
    #[must_use]
    pub fn two_outcomes(&self, mass: Option<f64>) -> (f64, f64) {
        let edges = self.edges().iter();
        match mass {
            None => {
                let most = edges.map(|edge| (edge.slope + edge.delta) / (1.0 + edge.slope));
                let p = most.fold(1.0, f64::min);
                (p, 1.0 - p)
            }
            Some(p) => {
                let least = edges.map(|edge| {
                    let beside = 1.0 - edge.delta - edge.slope * (1.0 - p);
                    ((p - edge.delta) / edge.slope).max(beside)
                });
                (p, least.fold(0.0, f64::max))
            }
        }
    }

    /// The claim whose parameter is so many times as large.
    #[must_use]
    pub fn times(&self, factor: &Rational) -> Self {
        Self::new(self.0.measure.times(factor))
    }

    fn edges(&self) -> &[Edge] {
        self.0.edges.get_or_init(|| match &self.0.measure {
            Measure::Budget { epsilon, delta } => {
                let given = HalfPlane::of_budget(epsilon, delta, BITS);
                given.into_iter().map(Edge::given).collect()
            }
            Measure::Zcdp { rho } => {
                let rho = to_f64_for_display(rho);
                let last = Cell::new(0.0);
                tangents(|p, q| worst_order(p, q, rho, &last))
            }
            Measure::Renyi { order, epsilon } => {
                let (order, most) = (to_f64_for_display(order), to_f64_for_display(epsilon));
                tangents(|p, q| Bound {
                    order,
                    most,
                    excess: divergence(order, p, q) - most,
                })
            }
            Measure::Gaussian { mu } => {
                let step = mu * ratio(THRESHOLDS.0, THRESHOLDS.1);
                (0..=MOST_THRESHOLDS)
                    .map(|count| &step * integer(count))
                    .filter(|epsilon| *epsilon <= integer(40))
                    .filter_map(|epsilon| HalfPlane::of_gaussian(mu, &epsilon, BITS).ok())
                    .map(Edge::given)
                    .collect()
            }
            Measure::Profile(profile) => {
                let given = profile.half_planes();
                let mut all = given.to_vec();
                if given.len() <= FEW_EDGES {
                    let parts = PARTS.map(|(part, of)| ratio(part, of));
                    for two in given.windows(2) {
                        let between = parts.iter().map(|part| two[0].towards(&two[1], part));
                        all.extend(between.filter_map(Result::ok));
                    }
                    let corner = given.first().filter(|edge| *edge.slope() > integer(1));
                    if let Some(edge) = corner {
                        let turned = parts.iter().map(|part| edge.turned(part));
                        all.extend(
                            turned
                                .chain([edge.turned(&integer(1))])
                                .filter_map(Result::ok),
                        );
                    }
                }
                all.into_iter().map(Edge::given).collect()
            }
        })
    }

    /// The steps of the bound beside the verdict: rising multiples of the claim; each is implied by the one
    /// before. Those from below 1 on are for the exact test; bets begin at the claim.
    pub(super) fn steps(&self) -> Vec<Step> {
        let steps = self.multiples().iter();
        steps.map(|(step, _)| step.clone()).collect()
    }

    fn multiples(&self) -> &[(Step, OnceLock<Self>)] {
        self.0.steps.get_or_init(|| {
            let below = [10, 50, 100, 200, 300, 400, 500, 600, 700, 800, 900, 950];
            let above = std::iter::successors(Some(1000_i64), |step| {
                let part = if *step < 2000 { 100 } else { 20 };
                Some(step + (step / part).max(10))
            });
            let all = below
                .into_iter()
                .chain(above.take_while(|step| *step <= MOST_STEP));
            let factors = all.map(|thousandths| ratio(thousandths, 1000));
            let possible = factors.filter(|factor| self.0.measure.times(factor).check().is_ok());
            let steps = possible.enumerate();
            steps
                .map(|(place, factor)| (Step { place, factor }, OnceLock::new()))
                .collect()
        })
    }

    /// The claim of a step.
    pub(super) fn at(&self, step: &Step) -> &Self {
        match self.multiples().get(step.place) {
            Some((step, claim)) if step.factor != integer(1) => {
                claim.get_or_init(|| Self::new(self.0.measure.times(&step.factor)))
            }
            _ => self,
        }
    }
}

/// The last multiple of a claim, in thousandths.
const MOST_STEP: i64 = 1_000_000;

/// A multiple of a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Step {
    place: usize,
    /// The multiple.
    pub factor: Rational,
}

impl Edge {
    fn given(half_plane: HalfPlane) -> Self {
        Self {
            slope: to_f64_for_display(half_plane.slope()),
            delta: to_f64_for_display(half_plane.delta()),
            recipe: Recipe::Given(half_plane),
            certified: OnceLock::new(),
        }
    }

    /// By how many standard errors of one call on each dataset these frequencies exceed it.
    fn excess(&self, p: f64, q: f64) -> f64 {
        let variance = p * (1.0 - p) + self.slope * self.slope * q * (1.0 - q);
        (p - self.slope * q - self.delta) / variance.max(LEAST_VARIANCE).sqrt()
    }
}

/// What a divergence bound says of a point.
#[derive(Debug, Clone, Copy)]
struct Bound {
    /// The order that is exceeded most.
    order: f64,
    /// What is claimed of it.
    most: f64,
    /// By how much it is exceeded.
    excess: f64,
}

/// The Rényi divergence of the law `(p, 1 - p)` from `(q, 1 - q)`, `p > q`, without cancellation near order 1.
fn divergence(order: f64, p: f64, q: f64) -> f64 {
    let (within, beside) = ((p / q).ln(), ((1.0 - p) / (1.0 - q)).ln());
    let power = order - 1.0;
    if power == 0.0 {
        return p * within + (1.0 - p) * beside;
    }
    if power * within > 600.0 {
        return (p.ln() + power * within) / power;
    }
    (p * (power * within).exp_m1() + (1.0 - p) * (power * beside).exp_m1()).ln_1p() / power
}

/// The order at which `rho` times the order is exceeded most, or nearly: sought from the one that is in `last`, the
/// logarithm of how far it is above 1, which is replaced. Points that follow on each other have orders nearby.
fn worst_order(p: f64, q: f64, rho: f64, last: &Cell<f64>) -> Bound {
    let per_order = |order: f64| divergence(order, p, q) / order;
    let at = |power: f64| 1.0 + power.exp2();
    let mut power = last.get();
    let mut most = per_order(at(power));
    let mut width = 1.0;
    while width > 0.05 {
        let there = [power - width, power + width];
        let there = there.map(|power| power.clamp(-10.0, 14.0));
        let better = there.into_iter().find(|there| per_order(at(*there)) > most);
        match better {
            Some(better) => (power, most) = (better, per_order(at(better))),
            None => width /= 2.0,
        }
    }
    last.set(power);
    let order = if per_order(1.0) >= most {
        1.0
    } else {
        at(power)
    };
    Bound {
        order,
        most: rho * order,
        excess: per_order(order) - rho,
    }
}

/// The half-planes of a region of bounded divergences: its tangents at boundary points from its corner on, `p = 1 - q`,
/// towards rarer events, and at the corner those between the two edges.
fn tangents(bound: impl Fn(f64, f64) -> Bound) -> Vec<Edge> {
    let edge = |p: f64, q: f64, weight: Option<Rational>| {
        let Bound { order, most, .. } = bound(p, q);
        let (within, beside) = (p / q, (1.0 - p) / (1.0 - q));
        let (slope, delta) = if order == 1.0 {
            let (rise, fall) = ((within / beside).ln(), within - beside);
            let spare = most - divergence(1.0, p, q);
            (fall / rise, p - fall / rise * q + spare / rise)
        } else {
            let power = order - 1.0;
            let [a, b] = [within, beside].map(|ratio| (power * (ratio.ln() - most)).exp());
            let (rise, fall) = (order * (a - b), power * (a * within - b * beside));
            let spare = 1.0 - p * a - (1.0 - p) * b;
            (fall / rise, p - fall / rise * q + spare / rise)
        };
        let usable = |slope: f64, delta: f64| {
            (1.0..2e17).contains(&slope) && (0.0..0.999_999_999).contains(&delta)
        };
        if !usable(slope, delta) {
            return None;
        }
        let at = (p, q);
        let (slope, delta, recipe) = match weight {
            None => (slope, delta, Recipe::Tangent { order, at }),
            Some(weight) => {
                let part = to_f64_for_display(&weight);
                let by = 1.0 + part * slope;
                let delta = (part * (slope - 1.0) + (1.0 + part) * delta) / by;
                let slope = (slope + part) / by;
                (slope, delta, Recipe::Turned { order, at, weight })
            }
        };
        Some(Edge {
            slope,
            delta,
            recipe,
            certified: OnceLock::new(),
        })
    };
    let halved = |mut low: f64, mut high: f64, exceeds: &dyn Fn(f64) -> bool| {
        for _ in 0..48 {
            let middle = (low + high) / 2.0;
            if exceeds(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        low
    };
    // 1. The corner: the rarer the event there, the larger the divergence.
    let exponent = halved(0.0, 40.0, &|rare: f64| {
        let q = 0.5 * (-rare).exp();
        bound(1.0 - q, q).excess > 0.0
    });
    let corner = 0.5 * (-exponent).exp();
    let mut edges = Vec::new();
    let weights = PARTS.into_iter().chain([(1, 1)]);
    edges
        .extend(weights.filter_map(|(part, of)| edge(1.0 - corner, corner, Some(ratio(part, of)))));
    // 2. The boundary from there on.
    let mut q = corner;
    while q > LEAST.min(corner / 1e3) {
        let p = halved(q, 1.0 - q, &|p: f64| p > q && bound(p, q).excess > 0.0);
        edges.extend(edge(p, q, None));
        q *= NEXT;
    }
    edges
}

/// Reads `ALPHA:EPS`.
///
/// # Errors
/// A sentence that says what is wrong.
pub fn read_renyi(text: &str) -> Result<Measure, String> {
    let wrong = || "it must be an order and an epsilon, ALPHA:EPS, as in 8:0.5".to_owned();
    let (order, epsilon) = text.split_once(':').ok_or_else(wrong)?;
    let number = |text: &str| parse(text.trim()).map_err(|error| error.to_string());
    Ok(Measure::Renyi {
        order: number(order)?,
        epsilon: number(epsilon)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Rényi divergence of a mark of probabilities `p` and `q`, by the formula of its definition.
    fn renyi(order: f64, p: f64, q: f64) -> f64 {
        if order == 1.0 {
            return p * (p / q).ln() + (1.0 - p) * ((1.0 - p) / (1.0 - q)).ln();
        }
        // By logarithms: at a high order the powers are beyond the doubles.
        let term = |p: f64, q: f64| order * p.ln() + (1.0 - order) * q.ln();
        let (one, other) = (term(p, q), term(1.0 - p, 1.0 - q));
        let (most, least) = (one.max(other), one.min(other));
        (most + (least - most).exp().ln_1p()) / (order - 1.0)
    }

    /// The last `p` from `least` on, found by halving, that is within what is claimed beside its `q`.
    fn end(least: f64, measure: &Measure, q_of: impl Fn(f64) -> f64) -> f64 {
        let (mut low, mut high) = (least, 1.0 - 1e-12);
        for _ in 0..100 {
            let p = (low + high) / 2.0;
            if within(measure, p, q_of(p)) {
                low = p;
            } else {
                high = p;
            }
        }
        low
    }

    /// Whether both orders of a divergence are within what is claimed, of one order or of all from 1 on.
    fn within(measure: &Measure, p: f64, q: f64) -> bool {
        let both = |order: f64| renyi(order, p, q).max(renyi(order, q, p));
        match measure {
            Measure::Zcdp { rho } => {
                let rho = to_f64_for_display(rho);
                let powers = (0..300).map(|step| 2e-3 * 1.04f64.powi(step));
                let orders = std::iter::once(1.0).chain(powers.map(|power| 1.0 + power));
                orders.into_iter().all(|order| both(order) <= rho * order)
            }
            Measure::Renyi { order, epsilon } => {
                both(to_f64_for_display(order)) <= to_f64_for_display(epsilon)
            }
            _ => true,
        }
    }

    /// The corner `p = 1 - q` to nine digits; a rarer event, where straight edges follow the curve, to 3 %, and never with a
    /// probability that the claim allows.
    #[test]
    fn the_half_planes_of_a_divergence_touch_its_region() {
        let (order, epsilon) = (integer(2), ratio(1, 2));
        for measure in [
            Measure::Zcdp { rho: ratio(1, 2) },
            Measure::Zcdp { rho: ratio(1, 100) },
            Measure::Zcdp { rho: integer(3) },
            Measure::Renyi { order, epsilon },
            Measure::Renyi {
                order: ratio(3, 2),
                epsilon: ratio(1, 10),
            },
            Measure::Renyi {
                order: integer(64),
                epsilon: integer(1),
            },
        ] {
            let claim = Claim::new(measure.clone());
            let corner = end(0.5, &measure, |p| 1.0 - p);
            let (found, _) = claim.two_outcomes(None);
            assert!((found - corner).abs() < 1e-9, "{claim}: {found} {corner}");
            for q in [0.02, 0.1, 0.3] {
                let p = end(q, &measure, |_| q);
                let (_, found) = claim.two_outcomes(Some(p));
                assert!(
                    found <= q * (1.0 + 1e-3) && found >= 0.97 * q,
                    "{claim}: {found} {q}"
                );
            }
        }
    }

    /// For Gaussian privacy the corner is `Phi(mu / 2)`, the best test of one draw.
    #[test]
    fn the_half_planes_of_gaussian_privacy_touch_its_region() {
        for (mu, corner) in [(1, 0.691_462_461_274_013), (2, 0.841_344_746_068_543)] {
            let claim = Claim::new(Measure::Gaussian { mu: integer(mu) });
            let (found, _) = claim.two_outcomes(None);
            assert!((found - corner).abs() < 1e-9, "{mu}: {found}");
        }
    }

    /// Each half-plane that floats choose is certified as nearly the same.
    #[test]
    fn a_chosen_half_plane_is_certified_where_it_was_chosen() {
        for measure in [
            Measure::Zcdp { rho: ratio(1, 2) },
            Measure::Renyi {
                order: integer(2),
                epsilon: ratio(1, 2),
            },
        ] {
            let claim = Claim::new(measure);
            for edge in claim.edges().iter().step_by(7) {
                let certified = claim.certify(edge).unwrap();
                let [slope, delta] = [certified.slope(), certified.delta()].map(to_f64_for_display);
                assert!(
                    (slope / edge.slope - 1.0).abs() < 1e-6,
                    "{slope} {}",
                    edge.slope
                );
                assert!((delta - edge.delta).abs() < 1e-9, "{delta} {}", edge.delta);
            }
        }
    }
}
