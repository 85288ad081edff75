//! The exact privacy loss of Algorithm 2 on a small domain, by going through everything.
//!
//! All multisets of `n` records from the domain, all their neighbours, all projections `A` and all
//! points of the cover. With `exp(epsilon/2) = t` rational, all probabilities are rational, and
//! nothing is rounded. What is bad is decided by the learner's own code, [`margin_scores`].
//!
//! The points of the cover are grouped by which records of the domain are bad for them: only that
//! enters a probability, so that the cost per dataset does not depend on the size of the cover.

use crate::common::compositions;
use dp_assay::geometry::{LatticeCover, SignMatrix};
use dp_assay::halfspaces::{HalfspaceError, Record, pure::margin_scores};
use dp_assay::number::Rational;
use dp_assay::number::range::{at_least_one, require};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// A small instance of Algorithm 2.
#[derive(Debug, Clone)]
pub struct SmallInstance {
    /// The possible records, at most 16. Their lengths do not matter to the algorithm, so that they
    /// need not be in the unit ball.
    pub domain: Vec<Record>,
    /// The number `n` of records of a dataset.
    pub records: usize,
    /// The cover, in the dimension `m` that is projected to.
    pub cover: LatticeCover,
    /// The normalised margin below which a record is bad.
    pub threshold: Rational,
    /// `t = exp(epsilon/2)`, above 1.
    pub root: Rational,
}

/// What going through an instance found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivacyRatios {
    /// How many datasets there are.
    pub datasets: usize,
    /// How many ordered pairs of neighbours.
    pub pairs: usize,
    /// How many matrices `A`.
    pub matrices: usize,
    /// How many values `w^T A` has.
    pub outputs: u64,
    /// How many ratios `Pr[w^T A | S] / Pr[w^T A | S']` were compared.
    pub ratios: u64,
    /// The largest of them.
    pub marginal: Rational,
    /// The largest ratio `Pr[(A, w) | S] / Pr[(A, w) | S']`.
    pub joint: Rational,
    /// Where it is attained.
    pub witness: Witness,
    /// Whether the probabilities of `w^T A` sum to exactly one, on every dataset.
    pub sums_to_one: bool,
}

/// Where the largest ratio is attained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The dataset `S`: how often each record of the domain is in it.
    pub dataset: Vec<usize>,
    /// Its neighbour `S'`.
    pub neighbour: Vec<usize>,
    /// `sqrt(m) A`.
    pub projection: SignMatrix,
    /// Which records of the domain are bad for `w`.
    pub bad: Vec<bool>,
}

/// A set of records of the domain, as bits.
type Records = u32;

/// The largest domain.
const LARGEST_DOMAIN: usize = 16;

impl SmallInstance {
    /// The largest ratios of the exponential mechanism that gives a point with `c` bad records the
    /// weight `t^-exponent(c)`.
    ///
    /// Algorithm 2 has `exponent(c) = c`; another exponent makes a broken twin of it.
    ///
    /// # Errors
    /// [`HalfspaceError::Parameter`] for an empty or large domain, no records, `t <= 1`, or more than 24
    /// signs in `A`; those of [`margin_scores`].
    pub fn ratios(&self, exponent: impl Fn(usize) -> u32) -> Result<PrivacyRatios, HalfspaceError> {
        self.check()?;
        let projections = self.projections()?;
        let outputs = outputs(&projections);
        let datasets = compositions(self.domain.len(), self.records);
        let index: BTreeMap<&Vec<usize>, usize> = datasets.iter().zip(0..).collect();

        // weights[c] = t^-exponent(c), times a common factor that makes it an integer.
        let exponents: Vec<u32> = (0..=self.records).map(exponent).collect();
        let largest = exponents.iter().copied().max().unwrap_or(0);
        let (numerator, denominator) =
            (self.root.numer().magnitude(), self.root.denom().magnitude());
        let weights: Vec<BigUint> = exponents
            .iter()
            .map(|&e| denominator.pow(e) * numerator.pow(largest - e))
            .collect();

        // Of each dataset: the sum of all weights for each A, and the probability of each output.
        let laws: Vec<Laws> = datasets
            .iter()
            .map(|dataset| Laws::new(dataset, &weights, &projections, &outputs))
            .collect();

        let mut found = PrivacyRatios {
            datasets: datasets.len(),
            pairs: 0,
            matrices: projections.len(),
            outputs: outputs.values().sum(),
            ratios: 0,
            marginal: Rational::zero(),
            joint: Rational::zero(),
            witness: Witness {
                dataset: datasets[0].clone(),
                neighbour: datasets[0].clone(),
                projection: projections[0].matrix.clone(),
                bad: vec![false; self.domain.len()],
            },
            sums_to_one: laws.iter().all(|law| {
                let mass = law.outputs.iter().zip(outputs.values());
                let mass: Rational = mass.map(|(p, &count)| p * BigInt::from(count)).sum();
                mass.is_one()
            }),
        };
        for (dataset, law) in datasets.iter().zip(&laws) {
            for neighbour in neighbours(dataset) {
                let other = &laws[index[&neighbour]];
                found.pairs += 1;
                // Pr[A] cancels from the ratio for (A, w).
                for (projection, (total, other_total)) in
                    projections.iter().zip(law.totals.iter().zip(&other.totals))
                {
                    for &bad in projection.classes.keys() {
                        let above = &weights[count_bad(dataset, bad)] * other_total;
                        let below = &weights[count_bad(&neighbour, bad)] * total;
                        if exceeds(&above, &below, &found.joint) {
                            found.joint = Rational::new(above.into(), below.into());
                            found.witness = Witness {
                                dataset: dataset.clone(),
                                neighbour: neighbour.clone(),
                                projection: projection.matrix.clone(),
                                bad: (0..self.domain.len()).map(|r| bad >> r & 1 == 1).collect(),
                            };
                        }
                    }
                }
                for ((p, other_p), count) in
                    law.outputs.iter().zip(&other.outputs).zip(outputs.values())
                {
                    found.ratios += count;
                    let above = p.numer().magnitude() * other_p.denom().magnitude();
                    let below = p.denom().magnitude() * other_p.numer().magnitude();
                    if exceeds(&above, &below, &found.marginal) {
                        found.marginal = Rational::new(above.into(), below.into());
                    }
                }
            }
        }
        Ok(found)
    }

    fn check(&self) -> Result<(), HalfspaceError> {
        let size = self.domain.len();
        let right = (1..=LARGEST_DOMAIN).contains(&size);
        require(right, "the size of the domain", &size, "between 1 and 16")?;
        at_least_one("n", self.records as u64)?;
        let right = self.root > Rational::one();
        Ok(require(right, "exp(epsilon/2)", &self.root, "above 1")?)
    }

    /// Every `A`, with the points of the cover by which records of the domain are bad for them.
    fn projections(&self) -> Result<Vec<Projection>, HalfspaceError> {
        let columns = self.domain[0].features.len();
        let mut projections = Vec::new();
        for matrix in SignMatrix::all(self.cover.dimension(), columns)? {
            let projected = self
                .domain
                .iter()
                .map(|record| record.projected(Some(&matrix)))
                .collect::<Result<Vec<_>, _>>()?;
            let scores = margin_scores(&projected, &self.cover, &self.threshold)?;
            let mut points = Vec::new();
            let mut classes: BTreeMap<Records, u64> = BTreeMap::new();
            let mut lines = self.cover.lines();
            while let Some(line) = lines.next_line() {
                for place in 0..line.length() {
                    let k = line.point(place);
                    let is_bad = |r: usize| Records::from(scores.is_bad(r, &k)) << r;
                    let bad = (0..self.domain.len()).map(is_bad).sum();
                    *classes.entry(bad).or_default() += 1;
                    points.push((matrix.pull_back(&k)?, bad));
                }
            }
            projections.push(Projection {
                matrix,
                classes,
                points,
            });
        }
        Ok(projections)
    }
}

/// A projection and what it makes of the cover.
struct Projection {
    matrix: SignMatrix,
    // How many points have each set of bad records.
    classes: BTreeMap<Records, u64>,
    // w^T A of each point, and its bad records.
    points: Vec<(Vec<i64>, Records)>,
}

/// From how many points, of which projections and with which bad records, an output arises.
type Sources = Vec<((usize, Records), u64)>;

/// How many values of `w^T A` arise from the same sources, and so have the same probability on every
/// dataset.
fn outputs(projections: &[Projection]) -> BTreeMap<Sources, u64> {
    let mut sources: BTreeMap<&Vec<i64>, BTreeMap<(usize, Records), u64>> = BTreeMap::new();
    for (a, projection) in projections.iter().enumerate() {
        for (output, bad) in &projection.points {
            let of_output = sources.entry(output).or_default();
            *of_output.entry((a, *bad)).or_default() += 1;
        }
    }
    let mut outputs: BTreeMap<Sources, u64> = BTreeMap::new();
    for (_, of_output) in sources {
        *outputs.entry(of_output.into_iter().collect()).or_default() += 1;
    }
    outputs
}

/// The law of what the algorithm returns on one dataset.
struct Laws {
    // For each A the sum of the weights of all points.
    totals: Vec<BigUint>,
    // The probability of an output of each kind.
    outputs: Vec<Rational>,
}

impl Laws {
    fn new(
        dataset: &[usize],
        weights: &[BigUint],
        projections: &[Projection],
        outputs: &BTreeMap<Sources, u64>,
    ) -> Self {
        let weight = |bad: Records| &weights[count_bad(dataset, bad)];
        let total = |projection: &Projection| -> BigUint {
            let classes = projection.classes.iter();
            classes.map(|(&bad, &count)| weight(bad) * count).sum()
        };
        let totals: Vec<BigUint> = projections.iter().map(total).collect();
        let probability = |sources: &Sources| -> Rational {
            // The same total comes up under many A: sum over each first.
            let mut by_total: BTreeMap<&BigUint, BigUint> = BTreeMap::new();
            for &((a, bad), count) in sources {
                *by_total.entry(&totals[a]).or_default() += weight(bad) * count;
            }
            let given_matrices: Rational = by_total
                .into_iter()
                .map(|(total, weight)| Rational::new(weight.into(), total.clone().into()))
                .sum();
            given_matrices / BigInt::from(projections.len())
        };
        let outputs = outputs.keys().map(probability).collect();
        Self { totals, outputs }
    }
}

/// How many records of the dataset are bad.
fn count_bad(dataset: &[usize], bad: Records) -> usize {
    let count = |(record, &times): (usize, &usize)| if bad >> record & 1 == 1 { times } else { 0 };
    dataset.iter().enumerate().map(count).sum()
}

/// Whether `above / below > ratio`.
fn exceeds(above: &BigUint, below: &BigUint, ratio: &Rational) -> bool {
    above * ratio.denom().magnitude() > below * ratio.numer().magnitude()
}

/// All multisets that differ from `dataset` by the substitution of one record.
fn neighbours(dataset: &[usize]) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for removed in (0..dataset.len()).filter(|&kind| dataset[kind] > 0) {
        for added in (0..dataset.len()).filter(|&kind| kind != removed) {
            let mut neighbour = dataset.to_vec();
            neighbour[removed] -= 1;
            neighbour[added] += 1;
            found.push(neighbour);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use dp_assay::number::rational::ratio;

    /// Both labels of each of the given points.
    fn labelled(points: &[&[i64]]) -> Vec<Record> {
        let both = |point: &&[i64]| {
            [true, false].map(|positive| Record {
                features: point.to_vec(),
                positive,
            })
        };
        points.iter().flat_map(both).collect()
    }

    fn instance(m: usize, gamma: Rational, n: usize, points: &[&[i64]]) -> SmallInstance {
        let tenth = gamma / BigInt::from(10);
        SmallInstance {
            domain: labelled(points),
            records: n,
            cover: LatticeCover::rounding(m, &tenth).unwrap(),
            threshold: tenth,
            root: ratio(3, 2),
        }
    }

    const BASIS: &[&[i64]] = &[&[1, 0], &[0, 1]];
    const DIAGONALS: &[&[i64]] = &[&[1, 1], &[1, -1]];
    const SPACE: &[&[i64]] = &[&[1, 0, 0], &[1, 1, 1]];

    #[test]
    fn the_largest_ratios_are_exactly_these_and_below_exp_epsilon() {
        let half = || ratio(1, 2);
        let large = || ratio(9, 10);
        for (instance, datasets, matrices, outputs, ratios, largest) in [
            (
                instance(1, half(), 2, BASIS),
                10,
                4,
                41,
                1968,
                ratio(201, 124),
            ),
            (
                instance(1, half(), 3, DIAGONALS),
                20,
                4,
                41,
                4920,
                ratio(537, 308),
            ),
            (
                instance(1, half(), 6, BASIS),
                84,
                4,
                41,
                27552,
                ratio(11991, 5884),
            ),
            (
                instance(2, large(), 2, BASIS),
                10,
                16,
                257,
                12336,
                ratio(2211, 1372),
            ),
            (
                instance(2, large(), 4, BASIS),
                35,
                16,
                257,
                61680,
                ratio(15729, 8548),
            ),
            (
                instance(2, large(), 3, SPACE),
                20,
                64,
                1309,
                157_080,
                ratio(5913, 3412),
            ),
        ] {
            let found = instance.ratios(|c| c as u32).unwrap();
            assert_eq!(found.joint, largest);
            assert_eq!(found.marginal, largest);
            assert!(found.joint < &instance.root * &instance.root);
            assert!(found.sums_to_one);
            assert_eq!(
                (found.datasets, found.matrices, found.outputs, found.ratios),
                (datasets, matrices, outputs, ratios)
            );
            assert_eq!(found.pairs as u64 * found.outputs, found.ratios);
        }
    }

    #[test]
    fn the_missing_factor_two_is_caught() {
        // exp(epsilon u / Delta) in place of exp(epsilon u / (2 Delta)).
        let instance = instance(1, ratio(1, 2), 2, BASIS);
        let found = instance.ratios(|c| 2 * c as u32).unwrap();
        assert!(found.joint > &instance.root * &instance.root);
        assert!(found.marginal > &instance.root * &instance.root);
    }

    #[test]
    fn a_score_not_divided_by_its_sensitivity_is_caught() {
        // u = -c with the sensitivity 1/n of -c/n: the weight is exp(-epsilon n c / 2).
        let n = 4;
        let instance = instance(1, ratio(1, 2), n, BASIS);
        let found = instance.ratios(|c| (n * c) as u32).unwrap();
        assert!(found.joint > &instance.root * &instance.root);
        // And by far: the loss is 3.2 where 0.81 is allowed.
        assert!(found.joint > ratio(24, 1));
    }

    #[test]
    fn the_witness_attains_the_ratio() {
        let instance = instance(1, ratio(1, 2), 2, BASIS);
        let found = instance.ratios(|c| c as u32).unwrap();
        let witness = &found.witness;
        assert!(neighbours(&witness.dataset).contains(&witness.neighbour));
        let record = |kind: usize| {
            let v = instance.domain[kind].projected(Some(&witness.projection));
            v.unwrap()
        };
        // Pr[w] proportional to t^-c, by the sweep's counts.
        let probability = |dataset: &[usize]| {
            let mut projected = Vec::new();
            let mut bad = 0;
            for (kind, &times) in dataset.iter().enumerate() {
                projected.extend((0..times).map(|_| record(kind)));
                bad += if witness.bad[kind] { times } else { 0 };
            }
            let scores = margin_scores(&projected, &instance.cover, &instance.threshold).unwrap();
            let weight = |c: usize| instance.root.pow(-(c as i32));
            let total: Rational = (0..)
                .zip(scores.counts())
                .map(|(c, count)| weight(c) * BigInt::from(count))
                .sum();
            weight(bad) / total
        };
        let attained = probability(&witness.dataset) / probability(&witness.neighbour);
        assert_eq!(attained, found.joint);
    }

    #[test]
    fn what_is_too_large_or_empty_is_refused() {
        let right = || instance(1, ratio(1, 2), 2, BASIS);
        let refused = |instance: SmallInstance| instance.ratios(|c| c as u32).is_err();
        assert!(refused(SmallInstance {
            domain: Vec::new(),
            ..right()
        }));
        assert!(refused(SmallInstance {
            records: 0,
            ..right()
        }));
        assert!(refused(SmallInstance {
            root: ratio(1, 1),
            ..right()
        }));
        assert!(refused(instance(13, ratio(1, 2), 2, BASIS)));
    }
}
