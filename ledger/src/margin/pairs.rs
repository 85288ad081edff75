//! Metered runs that the rows of several learners share.

use super::record;
use crate::claim::{Check, Trouble};
use dp_assay::coins::{ChaCha, Coins, Meter, Outcomes};
use dp_assay::geometry::Record;
use dp_assay::margin::{Dataset, Domain, MarginError};
use dp_assay::number::{Grid, Rational};
use dp_assay::privacy::{Budget, NeighbouringRelation, Published};

/// `n` random records in 20 dimensions, labelled by the first coordinate; the first of them turned, and sent to the origin.
pub(super) fn random(seed: u64, n: usize) -> Result<Vec<(Dataset, Dataset)>, Trouble> {
    let domain = Domain::unit_ball(Grid::new(10)?, 20)?;
    let mut coins = ChaCha::reproducible(seed, 12);
    let mut records = Vec::new();
    for _ in 0..n {
        let mut features = Vec::new();
        for _ in 0..20 {
            features.push((coins.bits(62)? % 401) as i64 - 200);
        }
        let positive = features[0] >= 0;
        records.push(Record { features, positive });
    }
    let turned = Record {
        positive: !records[0].positive,
        ..records[0].clone()
    };
    let first = Dataset::new(domain, records.clone())?;
    let mut pairs = Vec::new();
    for other in [turned, record(&[0; 20], true)] {
        records[0] = other;
        pairs.push((first.clone(), Dataset::new(domain, records.clone())?));
    }
    Ok(pairs)
}

/// Meters a pure learner on pairs of one shape, along drawn and steered outcomes of so many streams of coins (several where
/// what is drawn first decides what a record is worth), and on the first dataset reversed, where nothing is lost.
pub(super) fn metered<T: Published + Send>(
    check: &mut Check,
    name: &str,
    epsilon: &Rational,
    learner: impl Fn(&Dataset, &mut Meter) -> Result<T, MarginError> + Sync,
    pairs: &[(Dataset, Dataset)],
    streams: u64,
    reasons: &[(&str, &str)],
) -> Result<(), Trouble> {
    let seed = check.seed();
    let claim = Budget::pure(epsilon.clone(), NeighbouringRelation::Substitute)?;
    let losses = check.family(name, reasons, |family| {
        let mut losses = Vec::new();
        for (first, second) in pairs {
            for stream in 1..=streams {
                let coins = || ChaCha::reproducible(seed, stream);
                let (drawn, steered) = (Outcomes::drawn(coins()), Outcomes::far_out(coins(), 1));
                family.run("as drawn", &learner, (first, second), drawn, &claim)?;
                family.run("steered", &learner, (first, second), steered, &claim)?;
            }
            let reversed = first.records().iter().rev().cloned().collect();
            let reversed = Dataset::new(first.domain(), reversed)?;
            let drawn = Outcomes::drawn(ChaCha::reproducible(seed, 5));
            let (_, report) =
                family.run("reversed", &learner, (first, &reversed), drawn, &claim)?;
            losses.push(report.loss);
        }
        Ok(losses)
    })?;
    let nothing = losses.iter().all(|loss| loss.is_zero());
    check.holds(nothing, format_args!("{name}: the records reversed"));
    Ok(())
}
