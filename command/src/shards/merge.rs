//! Adding up the records of shards, and judging the claim once.

use super::plan::Named;
use super::record::{Failed, Record, Unit};
use crate::error::Error;
use dp_assay_audit::hexadecimal::hexadecimal;
use dp_assay_audit::refute::{AuditError, EventCounts, Judged, Verdict, judge};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// A program whose units are independent is accused of one stream for two units with at most this probability: 2 to the minus this.
const SURE: f64 = 30.0;

/// What the records say together: a function of them, whatever their order and their shards.
#[derive(Debug)]
pub struct Merged {
    /// The sums of each line.
    pub counts: Vec<EventCounts>,
    /// What they prove.
    pub judged: Vec<Judged>,
    /// The units that were counted.
    pub counted: u64,
    /// Those that are missing.
    pub missing: Vec<u64>,
    /// Those of them that failed.
    pub failed: Vec<Failed>,
    /// Those that were counted after they had failed once.
    pub again: Vec<Failed>,
    /// The SHA-256 of all counts, in the order of the units.
    pub digest: String,
}

impl Merged {
    /// The verdict: that of any line, if it is a violation.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let is_violation = |judged: &Judged| judged.verdict == Verdict::Violation;
        match self.judged.iter().any(is_violation) {
            true => Verdict::Violation,
            false => Verdict::NotRefuted,
        }
    }

    /// Whether every unit was counted.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }
}

/// All units, with the record that has each.
struct Sum {
    units: BTreeMap<u64, (Unit, usize)>,
    failed: BTreeMap<u64, Failed>,
}

/// Merges the records in these files.
///
/// # Errors
/// For a record that is none of this plan, for units that were counted twice and differently, and for two units with one stream of coins.
pub fn merge(plan: &Named, paths: &[PathBuf]) -> Result<Merged, Error> {
    let mut sum = Sum {
        units: BTreeMap::new(),
        failed: BTreeMap::new(),
    };
    for (place, path) in paths.iter().enumerate() {
        let record = Record::read(path, plan)?;
        sum.add(record, place)
            .map_err(|(unit, other)| counted_twice(unit, path, &paths[other]))?;
    }
    sum.check_streams().map_err(Error::Usage)?;
    sum.judged(plan)
        .map_err(|error| Error::Usage(error.to_string()))
}

fn counted_twice(unit: u64, path: &Path, other: &Path) -> Error {
    Error::data(
        path,
        format!(
            "unit {unit} was counted in {} too, and differently: which of them counts must not depend on what they say",
            other.display()
        ),
    )
}

impl Sum {
    /// Takes a record into account. An error names a unit, and the record that has it already.
    fn add(&mut self, record: Record, place: usize) -> Result<(), (u64, usize)> {
        for (number, unit) in record.counted {
            match self.units.get(&number) {
                Some((known, other)) if *known != unit => return Err((number, *other)),
                Some(_) => {}
                None => {
                    self.units.insert(number, (unit, place));
                }
            }
        }
        for (number, failed) in record.failed {
            // Of several reasons the first in the alphabet, so that the order of records does not matter.
            let kept = self.failed.entry(number).or_insert_with(|| failed.clone());
            if failed.reason < kept.reason {
                *kept = failed;
            }
        }
        Ok(())
    }

    /// Whether two units begin alike on a dataset although independent answers would hardly do.
    fn check_streams(&self) -> Result<(), String> {
        let units = self.units.len() as f64;
        // On either dataset each pair of units could have been alike.
        let enough = SURE + (units * (units - 1.0)).max(1.0).log2();
        for side in 0..2 {
            let mut seen: HashMap<&str, u64> = HashMap::new();
            for (number, (unit, _)) in &self.units {
                let head = &unit.heads[side];
                if f64::from(head.bits) < enough {
                    continue;
                }
                if let Some(other) = seen.insert(&head.digest, *number) {
                    return Err(format!(
                        "the units {other} and {number} have the same answers on the {} dataset, which independent ones have with probability 1e-9 at most: their generators were made with one seed. Does the program take the time as its seed, or a constant?",
                        ["first", "second"][side]
                    ));
                }
            }
        }
        Ok(())
    }

    fn judged(self, plan: &Named) -> Result<Merged, AuditError> {
        let (units, draws) = (plan.plan.units, plan.plan.draws);
        let mut digest = Sha256::new();
        let mut counts = vec![EventCounts::default(); plan.lines().len()];
        for (number, (unit, _)) in &self.units {
            digest.update(number.to_le_bytes());
            for (sum, [first, second]) in counts.iter_mut().zip(&unit.counts) {
                sum.first_calls += draws;
                sum.first += first;
                sum.second_calls += draws;
                sum.second += second;
                digest.update(first.to_le_bytes());
                digest.update(second.to_le_bytes());
            }
        }
        let missing: Vec<u64> = (0..units)
            .filter(|unit| !self.units.contains_key(unit))
            .collect();
        let judged = plan.lines().iter().zip(&counts).map(|(line, counts)| {
            let missing = missing.len() as u64 * draws;
            judge(line, &plan.claim, &plan.level_of_line, counts, missing)
        });
        let judged = judged.collect::<Result<_, _>>()?;
        let (again, failed) = self
            .failed
            .into_values()
            .partition(|failed| self.units.contains_key(&failed.unit));
        Ok(Merged {
            counts,
            judged,
            counted: self.units.len() as u64,
            missing,
            failed,
            again,
            digest: hexadecimal(&digest.finalize()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::{plan, record};
    use super::*;
    use dp_assay::number::Rational;
    use dp_assay::number::rational::to_f64_for_display;

    fn merged(records: &[Record]) -> Result<Merged, String> {
        let room = tempfile::tempdir().unwrap();
        let mut paths = Vec::new();
        for (place, record) in records.iter().enumerate() {
            let path = room.path().join(format!("{place}.json"));
            std::fs::write(&path, record.text(&plan()).unwrap()).unwrap();
            paths.push(path);
        }
        merge(&plan(), &paths).map_err(|error| error.to_string())
    }

    fn shards(of: u64) -> Vec<Record> {
        let name = |index| format!("{index}/{of}");
        (1..=of)
            .map(|index| record(&name(index), [70, 20]))
            .collect()
    }

    #[test]
    fn the_sum_does_not_depend_on_the_shards_nor_on_their_order() {
        let whole = merged(&shards(1)).unwrap();
        assert!(whole.is_complete() && whole.verdict() == Verdict::Violation);
        let counts = &whole.counts[0];
        assert_eq!(
            (counts.first_calls, counts.first, counts.second),
            (1000, 700, 200)
        );
        for of in [2, 3, 7, 10] {
            let mut records = shards(of);
            records.reverse();
            // A record twice says nothing more.
            records.push(records[0].clone());
            // Nor does that of another cut.
            records.push(record("1/4", [70, 20]));
            let other = merged(&records).unwrap();
            assert_eq!(
                (&other.counts, &other.judged),
                (&whole.counts, &whole.judged)
            );
            assert_eq!(other.digest, whole.digest);
        }
    }

    /// Values and bits: each of two lines is judged at half of the level.
    #[test]
    fn each_line_has_its_part_of_the_level() {
        use super::super::plan::tests::parts;
        let mut parts = parts(10, 100);
        parts.lines.push(parts.lines[0].clone());
        let two = Named::new(parts).unwrap().1;
        let mut record = record("1/1", [70, 20]);
        for unit in record.counted.values_mut() {
            unit.counts.push([20, 70]);
        }
        let room = tempfile::tempdir().unwrap();
        let path = room.path().join("record.json");
        std::fs::write(&path, record.text(&two).unwrap()).unwrap();
        let found = merge(&two, &[path]).unwrap();
        let at = |level| {
            let judged = judge(&two.lines()[0], &two.claim, &level, &found.counts[0], 0);
            judged.unwrap().epsilon_lower
        };
        let level = two.level();
        assert_eq!(
            found.judged[0].epsilon_lower,
            at(&level / Rational::from_integer(2.into()))
        );
        assert_ne!(found.judged[0].epsilon_lower, at(level));
        assert_eq!(found.judged[1].verdict, Verdict::NotRefuted);
    }

    #[test]
    fn what_is_missing_is_named_and_counts_against_the_proof() {
        let whole = merged(&shards(1)).unwrap();
        let mut records = shards(10);
        records.remove(4);
        records[4].counted.clear();
        records[4].fail(5, "died");
        let part = merged(&records).unwrap();
        assert_eq!((part.counted, &part.missing[..]), (8, &[4, 5][..]));
        assert_eq!(part.failed.len(), 1);
        assert!(part.judged[0].epsilon_lower < whole.judged[0].epsilon_lower);
        // 560 of 1000 against 360 of 1000 do not refute epsilon = 1, whatever the 800 that were counted say.
        assert_eq!(part.verdict(), Verdict::NotRefuted);
        let bound = part.judged[0]
            .epsilon_lower
            .as_ref()
            .map(to_f64_for_display);
        assert!(
            bound.is_some_and(|bound| (0.0..(560f64 / 360.0).ln()).contains(&bound)),
            "{bound:?}"
        );
        // A shard that failed and was counted later is complete, and that is told.
        let mut records = shards(10);
        records[5].fail(5, "died");
        let again = merged(&records).unwrap();
        assert!(again.is_complete() && again.again.len() == 1 && again.failed.is_empty());
    }

    #[test]
    fn a_unit_that_was_counted_twice_and_differently_is_refused() {
        let mut records = shards(2);
        records.push(record("1/10", [71, 20]));
        let error = merged(&records).unwrap_err();
        assert!(
            error.contains("unit 0 was counted in") && error.contains("differently"),
            "{error}"
        );
    }

    /// The planted error: two units with one stream of coins. Nothing else in their counts tells it.
    #[test]
    fn one_stream_for_two_units_is_noticed() {
        let mut records = shards(2);
        let head = records[0].counted[&3].heads[1].clone();
        records[1].counted.get_mut(&8).unwrap().heads[1] = head.clone();
        let error = merged(&records).unwrap_err();
        assert!(
            error.contains("the units 3 and 8 have the same answers on the second dataset"),
            "{error}"
        );
        // Answers that may well be alike accuse nobody.
        for (record, unit) in [(0, 3), (1, 8)] {
            records[record].counted.get_mut(&unit).unwrap().heads[1].bits = 36;
        }
        assert!(merged(&records).is_ok());
    }
}
