//! R5: noisy sufficient statistics.

use super::metered::{Pair, metered};
use super::{fit, root};
use crate::claim::{Check, Trouble};
use crate::random_features::Largest;
use crate::random_features::edges;
use crate::random_features::metered::SEED;
use dp_assay::coins::{ChaCha, Coins, CoinsError};
use dp_assay::geometry::{FeatureMap, Frequencies};
use dp_assay::number::rational::{integer, ratio};
use dp_assay::number::{Grid, NumberError};
use dp_assay::optimise::noisy_equations::Negative;
use dp_assay::privacy::NeighbouringRelation;
use dp_assay::privacy::NeighbouringRelation::{AddOrRemove, Substitute};
use dp_assay::random_features::noisy_statistics::{
    Parameters, Shape, learn, learn_with, noise, statistics,
};
use dp_assay::random_features::{Dataset, Domain, RandomFeatureError, Record};
use dp_assay::sample::spherical_gaussian;
use num_bigint::BigInt;
use num_traits::Zero;

pub(in crate::random_features) fn noisy_statistics(check: &mut Check) -> Result<(), Trouble> {
    edges::statistics_fail(check)?;
    check.exact(
        "the shipped statistics of all pairs of records with x in {-1, -3/4, ..., 1} and label in {-1, -1/2, 0, 1/2, 1}, and of those beside a third: linear and Fourier features, label weights 1/4, 3/4 and 2, both relations; the shipped learner on each of three seeds is what its statistics give with independent noise around every one, once for each map and relation; that noise certified anew for the largest distance found; the learner metered where one record moves the statistics as far as one can, of one and of three, removed (label weight 3/4) or with its label turned (16), and, unless it is quick, with one label of 1,000 turned, in 20 coordinates (16)",
    );
    for (name, map) in maps()? {
        for weight in [ratio(1, 4), ratio(3, 4), integer(2)] {
            for neighbours in [Substitute, AddOrRemove] {
                let about = format!("{name}, label weight {weight}, {neighbours}");
                let parameters = Parameters {
                    label_weight: weight.clone(),
                    penalty: integer(1),
                    coefficient_grid: Grid::new(20)?,
                };
                let alone = Shape::new(&domain(neighbours, 1)?, &map, &weight)?;
                // 1. How far one record moves the statistics, alone and beside another.
                let mut farthest = Largest::from(BigInt::zero());
                for beside in [None, Some(record(1, -2))] {
                    let of = |own: Option<&Record>| -> Result<Vec<BigInt>, RandomFeatureError> {
                        let records: Vec<Record> =
                            own.into_iter().chain(&beside).cloned().collect();
                        let count = 1 + beside.iter().count();
                        let data = Dataset::new(domain(neighbours, count)?, records)?;
                        statistics(&data, &map, &alone)
                    };
                    let all: Vec<(Record, Vec<BigInt>)> = records()
                        .into_iter()
                        .map(|own| Ok((own.clone(), of(Some(&own))?)))
                        .collect::<Result<_, RandomFeatureError>>()?;
                    for (own, one) in &all {
                        match neighbours {
                            AddOrRemove => farthest.see(
                                squared_distance(one, &of(None)?),
                                format_args!("{own:?} removed"),
                            ),
                            Substitute => {
                                for (other, two) in &all {
                                    farthest.see(
                                        squared_distance(one, two),
                                        format_args!("{own:?} or {other:?}"),
                                    );
                                }
                            }
                        }
                    }
                }
                let promised = alone.squared_sensitivity();
                check.holds(
                    farthest.value <= promised,
                    format_args!(
                        "{about}, {}: squared distance {}, promised {promised}",
                        farthest.instance, farthest.value
                    ),
                );
                check.attained(
                    format_args!("{about}: distance, and the sensitivity"),
                    &root(&integer(farthest.value.clone()))?,
                    &root(&integer(promised))?,
                );
                // Calibrations take time: one of each relation, and of each map.
                let is_calibrated =
                    weight == ratio(3, 4) && (name == "linear") == (neighbours == Substitute);
                if !is_calibrated {
                    continue;
                }
                // 2. The noise, certified anew for the distance that was found.
                let budget = &fit::budgets(neighbours, true)?[0];
                let law = noise(&alone, budget)?;
                fit::certified_anew(
                    check,
                    &about,
                    (&farthest.value, alone.numbers()),
                    &law,
                    budget,
                )?;
                // 3. The learner: its equations are the statistics with noise of its own around every one.
                let data = Dataset::new(domain(neighbours, 2)?, vec![record(3, 2), record(-2, 1)])?;
                let shape = Shape::new(data.domain(), &map, &weight)?;
                let whole = learn(
                    &data,
                    &map,
                    &parameters,
                    budget,
                    &mut ChaCha::reproducible(1, 6),
                )?;
                for seed in 1..=3 {
                    let mut coins = ChaCha::reproducible(seed, 6);
                    let learned = learn_with(&data, &map, &parameters, (&law, budget), &mut coins)?;
                    let drawn = spherical_gaussian(
                        &law,
                        shape.numbers() as usize,
                        &mut ChaCha::reproducible(seed, 6),
                    )?;
                    let noisy: Vec<BigInt> = statistics(&data, &map, &shape)?
                        .iter()
                        .zip(&drawn)
                        .map(|(exact, noise)| exact + noise)
                        .collect();
                    let penalty = shape.penalty(&parameters.penalty, &law)?;
                    let expected = shape.equations(&noisy).solve(
                        &penalty,
                        Negative::Raised,
                        parameters.coefficient_grid,
                    );
                    check.holds(
                        learned.coefficients == expected
                            && learned.noise == law
                            && (seed > 1 || learned == whole),
                        format_args!(
                            "{about}, seed {seed}: {:?}, of independent noise {expected:?}",
                            learned.coefficients
                        ),
                    );
                }
            }
        }
    }
    // 4. The meter, on records that move the statistics as far as one can: one removed, and one whose label is turned.
    //    Turned labels come near the bound under substitution where labels weigh much.
    let weighing = |label_weight| -> Result<Parameters, NumberError> {
        Ok(Parameters {
            label_weight,
            penalty: integer(1),
            coefficient_grid: Grid::new(20)?,
        })
    };
    let [_, (name, map)] = maps()?;
    for (neighbours, weight) in [(AddOrRemove, ratio(3, 4)), (Substitute, integer(16))] {
        let parameters = weighing(weight)?;
        let budget = &fit::budgets(neighbours, true)?[0];
        let shape = Shape::new(&domain(neighbours, 3)?, &map, &parameters.label_weight)?;
        let law = noise(&shape, budget)?;
        metered(
            check,
            name,
            &few_records(neighbours)?,
            budget,
            &[],
            |data, coins| learn_with(data, &map, &parameters, (&law, budget), coins),
        )?;
    }
    if !check.quick() {
        let parameters = weighing(integer(16))?;
        let budget = &fit::budgets(Substitute, true)?[0];
        let (map, [one, other]) = at_full_size()?;
        let shape = Shape::new(one.domain(), &map, &parameters.label_weight)?;
        let law = noise(&shape, budget)?;
        metered(
            check,
            "n = 1,000, 20 coordinates",
            &[("the label turned", one, other)],
            budget,
            &[],
            |data, coins| learn_with(data, &map, &parameters, (&law, budget), coins),
        )?;
    }
    Ok(())
}

/// A record at 0, where the cosine is 1, with the largest label: alone and beside two others, and removed or with the
/// opposite label.
pub(super) fn few_records(neighbours: NeighbouringRelation) -> Result<[Pair; 2], Trouble> {
    let pair = |name, others: &[Record]| -> Result<Pair, Trouble> {
        let records = match neighbours {
            Substitute => 1 + others.len(),
            AddOrRemove => 3,
        };
        let with = |own: &[Record]| {
            let all = [own, others].concat();
            Dataset::new(domain(neighbours, records)?, all)
        };
        let second = match neighbours {
            Substitute => with(&[record(0, -2)])?,
            AddOrRemove => with(&[])?,
        };
        Ok((name, with(&[record(0, 2)])?, second))
    };
    Ok([
        pair("m = 1", &[])?,
        pair("m = 3", &[record(1, -2), record(4, 1)])?,
    ])
}

/// 1,000 records in 20 coordinates, and the same but for one whose label is turned round, with linear features.
pub(super) fn at_full_size() -> Result<(FeatureMap, [Dataset; 2]), Trouble> {
    let grid = Grid::new(16)?;
    let domain = Domain {
        input_grid: grid,
        dimension: 20,
        largest_feature: grid.one(),
        label_grid: grid,
        largest_label: grid.one(),
        neighbours: Substitute,
        records: 1000,
    };
    let mut coins = ChaCha::reproducible(SEED, 10);
    let mut records = Vec::new();
    for _ in 0..1000 {
        let mut uniform = || Ok::<_, CoinsError>(coins.bits(17)? as i64 - grid.one());
        let features = (0..20).map(|_| uniform()).collect::<Result<Vec<_>, _>>()?;
        let label = features[0] / 2 + uniform()? / 2;
        records.push(Record { features, label });
    }
    records[0] = Record {
        features: vec![grid.one(); 20],
        label: grid.one(),
    };
    let one = Dataset::new(domain, records.clone())?;
    records[0].label = -grid.one();
    let other = Dataset::new(domain, records)?;
    let map = FeatureMap::linear(20, grid, Grid::new(20)?)?;
    Ok((map, [one, other]))
}

/// Linear features of one coordinate, and one frequency.
pub(super) fn maps() -> Result<[(&'static str, FeatureMap); 2], Trouble> {
    let (input, feature) = (Grid::new(2)?, Grid::new(6)?);
    let frequency = Frequencies::new(Grid::new(0)?, 1, vec![3])?;
    Ok([
        ("linear", FeatureMap::linear(1, input, feature)?),
        ("Fourier", FeatureMap::new(frequency, input, feature)?),
    ])
}

pub(super) fn domain(
    neighbours: NeighbouringRelation,
    records: usize,
) -> Result<Domain, NumberError> {
    Ok(Domain {
        input_grid: Grid::new(2)?,
        dimension: 1,
        largest_feature: 4,
        label_grid: Grid::new(1)?,
        largest_label: 2,
        neighbours,
        records,
    })
}

pub(super) fn record(x: i64, label: i64) -> Record {
    Record {
        features: vec![x],
        label,
    }
}

fn records() -> Vec<Record> {
    (-4..=4)
        .flat_map(|x| (-2..=2).map(move |label| record(x, label)))
        .collect()
}

fn squared_distance(one: &[BigInt], two: &[BigInt]) -> BigInt {
    one.iter().zip(two).map(|(a, b)| (a - b).pow(2)).sum()
}
