//! What a learner releases: the law of its output on small neighbours, over every outcome of its noise.

use super::{domain, record};
use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, CoinsError, Explored, Explorer, Layer};
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::rational::{integer, ratio, to_scientific_above};
use dp_assay::number::{Enclosure, Grid, Rational};
use dp_assay::optimise::FeatureMatrix;
use dp_assay::privacy::Budget;
use dp_assay::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
use dp_assay::random_features::steps::Fit;
use dp_assay::random_features::{Dataset, Domain, Model, RandomFeatureError};
use dp_assay::sample::DiscreteGaussian;
use num_bigint::BigInt;
use num_traits::Zero;

type FitOf<'a> =
    dyn Fn(&Dataset, &FeatureMatrix, &mut ChaCha) -> Result<Fit, RandomFeatureError> + 'a;
type LearnOf<'a> =
    dyn Fn(&Dataset, &FeatureMap, &Budget, &mut ChaCha) -> Result<Model, RandomFeatureError> + 'a;

/// What is said of the check of a learner by [`privately`].
pub(super) const LEARNER: &str = "the learner on one record with cosine and sine, the largest label or its opposite, or without it: both relations at (1, 1/10), every outcome of its noise";

/// The shipped learner is (1, 1/10)-private on one record at 1, both of whose features are not 0, with label `label`
/// against the opposite label, and against no record: what `learn` returns is `fit` and noise around it, from the same
/// coins; and that release, with the noise that `learn` took, is run on every outcome (but for a tail that is added),
/// on both.
pub(super) fn privately(
    check: &mut Check,
    name: &str,
    label: i64,
    fit: &FitOf<'_>,
    learn: &LearnOf<'_>,
) -> Result<(), Trouble> {
    let map = FeatureMap::new(
        Frequencies::new(Grid::new(0)?, 1, vec![1])?,
        Grid::new(1)?,
        Grid::new(4)?,
    )?;
    let seeds = if check.thorough() { 3 } else { 1 };
    for neighbours in [Substitute, AddOrRemove] {
        let budget = Budget::approximate(integer(1), ratio(1, 10), neighbours)?;
        let domain = Domain {
            largest_label: label,
            ..domain(neighbours, 1)?
        };
        let with = |labels: &[i64]| {
            let records = labels.iter().map(|&label| record(2, label));
            Dataset::new(domain, records.collect())
        };
        let other = match neighbours {
            Substitute => with(&[-label])?,
            AddOrRemove => with(&[])?,
        };
        let mut laws = Vec::new();
        let (mut fits, mut noises) = (Vec::new(), Vec::new());
        for (place, data) in [with(&[label])?, other].into_iter().enumerate() {
            let features = data.features(&map)?;
            for seed in 1..=seeds {
                // 1. The learner is its fit and the release of that, with noise of its own.
                let mut coins = ChaCha::reproducible(seed, 5);
                let learned = learn(&data, &map, &budget, &mut coins)?;
                let mut coins = ChaCha::reproducible(seed, 5);
                let fitted = fit(&data, &features, &mut coins)?;
                let released = fitted.release_with((&learned.noise, &budget), &mut coins)?;
                check.holds(
                    learned == released,
                    format_args!("{name}, {neighbours}, dataset {place}, seed {seed}: {learned:?}, of the fit {released:?}"),
                );
                // 2. The law of that release.
                if seed == 1 {
                    laws.push(law_of_release(&fitted, (&learned.noise, &budget))?);
                    fits.push(fitted.coefficients);
                    noises.push(learned.noise);
                }
            }
        }
        // The noise is public: the same on both.
        check.holds(
            noises[0] == noises[1],
            format_args!(
                "{name}, {neighbours}: noise {:?} and {:?}",
                noises[0], noises[1]
            ),
        );
        // The two fits differ. (Noise on some coordinates only is for the metered runs to notice.)
        check.holds(
            fits[0] != fits[1],
            format_args!("{name}, {neighbours}: fits {:?} and {:?}", fits[0], fits[1]),
        );
        // 3. Pr[o] - e^epsilon Pr'[o], added over the outputs where it is positive, both ways.
        let odds = Enclosure::exp_of(budget.epsilon(), 64)?.lower();
        for (one, two) in [(&laws[0], &laws[1]), (&laws[1], &laws[0])] {
            let gain = |(output, mass): (&Vec<BigInt>, &Rational)| {
                (mass - &odds * two.lower(output)).max(Rational::zero())
            };
            let reached = one.lower.iter().map(gain).sum::<Rational>() + &one.undecided;
            check.holds(
                reached <= *budget.delta(),
                format_args!(
                    "{name}, {neighbours}: delta(1) = {}, promised 1/10",
                    to_scientific_above(&reached, 5)
                ),
            );
            check.figure(
                format_args!(
                    "{name}, {neighbours}: delta(1) of the learner, at most (promised 1/10)"
                ),
                to_scientific_above(&reached, 3),
            );
        }
    }
    Ok(())
}

/// The law of what a fit releases with this noise, over all its outcomes but a tail of 2^-9 in each coordinate.
fn law_of_release(
    fit: &Fit,
    noise: (&DiscreteGaussian, &Budget),
) -> Result<Explored<Vec<BigInt>>, Trouble> {
    let explorer = Explorer::new(Layer::Laws, 1 << 16).with_tail(ratio(1, 1 << 9));
    Ok(
        explorer.explore(|coins| match fit.release_with(noise, coins) {
            Ok(model) => Ok(model.coefficients),
            Err(RandomFeatureError::Coins(error)) => Err(error),
            // The release has no other error once its noise is known.
            Err(_) => Err(CoinsError::NoOutcome),
        })?,
    )
}
