//! R5: noisy sufficient statistics.

use super::farthest::{self, farthest};
use super::fit;
use super::metered::{Pair, metered};
use crate::claim::{Check, Trouble};
use crate::random_features::metered::SEED;
use crate::random_features::{domain, edges, record};
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
use dp_assay::random_features::{Dataset, Domain, Record};
use dp_assay::sample::spherical_gaussian;
use num_bigint::BigInt;

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
                let all = farthest::records(&[-2, -1, 0, 1, 2]);
                let released = |data: &Dataset| Ok(statistics(data, &map, &alone)?);
                let farthest = farthest(neighbours, &all, &record(1, -2), released)?;
                let what = "distance, and the sensitivity";
                let promised = alone.squared_sensitivity();
                farthest::within(check, (&about, what), &farthest, &promised)?;
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
                let coins = |seed| ChaCha::reproducible(seed, 6);
                let learned = |seed| {
                    let noise = (&law, budget);
                    Ok(learn_with(
                        &data,
                        &map,
                        &parameters,
                        noise,
                        &mut coins(seed),
                    )?)
                };
                let expected = |seed| {
                    let numbers = shape.numbers() as usize;
                    let drawn = spherical_gaussian(&law, numbers, &mut coins(seed))?;
                    let exact = statistics(&data, &map, &shape)?;
                    let noisy: Vec<BigInt> = exact
                        .iter()
                        .zip(&drawn)
                        .map(|(x, noise)| x + noise)
                        .collect();
                    let penalty = shape.penalty(&parameters.penalty, &law)?;
                    let grid = parameters.coefficient_grid;
                    Ok(shape
                        .equations(&noisy)
                        .solve(&penalty, Negative::Raised, grid))
                };
                farthest::has_noise_of_its_own(check, &about, (&whole, &law), learned, expected)?;
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
