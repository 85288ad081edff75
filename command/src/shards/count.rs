//! Counting a shard: unit by unit, each by a program of its own, with a record that is written after each.

use super::fingerprint::Heading;
use super::plan::{Named, Shard};
use super::program::{Answering, Program, REQUEST, probe, specimen};
use super::record::{Record, Unit};
use crate::error::Error;
use crate::output::Destination;
use crate::start_target::start_target;
use dp_assay_audit::targets::{Settings, TargetError};
use std::path::Path;
use std::time::{Duration, Instant};

/// So many units that fail one after the other end the run: the rest would fail too.
const FAILURES: u32 = 3;

/// What a run counted.
#[derive(Debug)]
pub struct Run {
    /// The record, with what earlier runs counted.
    pub record: Record,
    /// The units of the shard.
    pub units: u64,
    /// The units that this run counted.
    pub counted: u64,
    /// How long it took.
    pub seconds: Duration,
}

impl Run {
    /// Whether every unit of the shard is counted.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.record.counted.len() as u64 == self.units
    }
}

/// Counts the units of a shard that are not counted yet. `told` gets the number of units that are, after each.
///
/// # Errors
/// If the program or the record is another one than that of the plan, or cannot be started or written. A unit that fails is an entry
/// of the record.
pub fn run(
    plan: &Named,
    shard: Shard,
    path: &Path,
    settings: Settings,
    told: impl Fn(u64),
) -> Result<Run, Error> {
    let range = shard.check(plan.plan.units).map_err(Error::Usage)?;
    let program = &plan.plan.program;
    program.check_files()?;
    let before = there(path, plan)?;
    let mut record = before.clone().unwrap_or_else(|| Record::new(shard));
    if record.shard != shard {
        return Err(Error::data(
            path,
            format!(
                "it is the record of the shard {}, and --shard is {shard}",
                record.shard
            ),
        ));
    }
    let destination = Destination::new(path, &[])?;
    let counts_this: Vec<u64> = range
        .clone()
        .filter(|unit| !record.counted.contains_key(unit))
        .collect();
    let begin = Instant::now();
    let mut counted = 0;
    if !counts_this.is_empty() {
        check_probe(plan, settings)?;
        let specimen = match program {
            Program::Specimen { name } => Some(specimen(name)?),
            _ => None,
        };
        let mut written = before;
        let mut failures = 0;
        for unit in counts_this {
            let answering =
                Answering::of_unit(program, specimen.as_ref(), &plan.hash, unit, settings)?;
            match count(plan, unit, answering) {
                Ok(found) => {
                    record.counted.insert(unit, found);
                    (counted, failures) = (counted + 1, 0);
                }
                Err(error) => {
                    record.fail(unit, &error.to_string());
                    failures += 1;
                }
            }
            // Two runs that count into one record would overwrite each other's units.
            if there(path, plan)? != written {
                let reason = "another process has written it since: is this shard counted twice at once? Let that one end";
                return Err(Error::data(path, reason));
            }
            record.write(&destination, plan)?;
            written = Some(record.clone());
            told(record.counted.len() as u64);
            if failures == FAILURES {
                break;
            }
        }
    }
    Ok(Run {
        record,
        units: range.end - range.start,
        counted,
        seconds: begin.elapsed(),
    })
}

/// The record that is there, if there is one.
fn there(path: &Path, plan: &Named) -> Result<Option<Record>, Error> {
    path.exists().then(|| Record::read(path, plan)).transpose()
}

/// Counts one unit. The two datasets take turns: a drift of the program meets both. The turns are for 1, 2, 4, ... outputs, in all units
/// alike, however fast the program is: a slow one is asked several times in a turn. So units with one seed begin alike
/// ([`super::fingerprint`]).
fn count(plan: &Named, unit: u64, mut answering: Answering<'_>) -> Result<Unit, TargetError> {
    let data = [&plan.plan.pair.0, &plan.plan.pair.1];
    let mut left = [plan.plan.draws; 2];
    let mut counts = vec![[0; 2]; plan.lines().len()];
    let mut headings = [Heading::default(), Heading::default()];
    let mut most = 1;
    while left.iter().any(|left| *left > 0) {
        for (side, left) in left.iter_mut().enumerate() {
            let mut due = most.min(*left);
            *left -= due;
            while due > 0 {
                let outputs = answering.ask(side, data[side], due)?.outputs;
                due -= outputs.len() as u64;
                for (count, line) in counts.iter_mut().zip(plan.lines()) {
                    count[side] += line.event.count(&outputs);
                }
                headings[side].hear(&outputs);
            }
        }
        most = (most * 2).min(REQUEST as u64);
    }
    // A program that says more than it was asked for may have answered one request for another.
    answering.finish()?;
    Ok(Unit {
        unit,
        counts,
        heads: headings.map(Heading::end),
    })
}

/// Whether a seeded program answers here as it did where the plan was made.
fn check_probe(plan: &Named, settings: Settings) -> Result<(), Error> {
    let Program::Seeded {
        command,
        reply,
        probe: expected,
        ..
    } = &plan.plan.program
    else {
        return Ok(());
    };
    let settings = Settings {
        reply: *reply,
        ..settings
    };
    let mut program = start_target(command, settings)?;
    let found = probe(&mut program, &plan.plan.pair)?;
    match found == *expected {
        true => Ok(()),
        false => Err(Error::Usage(
            "the program answers a seed here otherwise than where the plan was made: is it, or a library that it uses, of another version?".to_owned(),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::tests::parts;
    use super::*;

    #[test]
    fn a_unit_is_a_function_of_the_plan_and_its_number() {
        let plan = Named::new(parts(4, 5000)).unwrap().1;
        let other = Named::new(parts(5, 5000)).unwrap().1;
        let specimen = specimen("discrete-laplace-2").unwrap();
        let count = |plan: &Named, unit| {
            let (program, settings) = (&plan.plan.program, Settings::default());
            let answering =
                Answering::of_unit(program, Some(&specimen), &plan.hash, unit, settings).unwrap();
            count(plan, unit, answering).unwrap()
        };
        let unit = count(&plan, 1);
        assert_eq!(unit, count(&plan, 1));
        assert_ne!(unit.heads, count(&plan, 2).heads);
        assert_ne!(unit.heads, count(&other, 1).heads);
        assert_ne!(unit.heads[0].digest, unit.heads[1].digest);
        let [first, second] = unit.counts[0];
        assert!(first > second && first < 5000, "{unit:?}");
    }

    #[test]
    fn a_shard_goes_on_where_it_stopped_and_ends_with_the_same_bytes() {
        let plan = Named::new(parts(6, 2000)).unwrap().1;
        let room = tempfile::tempdir().unwrap();
        let shard: Shard = "1/2".parse().unwrap();
        let path = |name: &str| room.path().join(name);
        let count = |name: &str| run(&plan, shard, &path(name), Settings::default(), |_| ());
        let whole = count("whole").unwrap();
        assert!(whole.is_complete() && whole.counted == 3);
        // What a run that was ended after its second unit leaves.
        let mut part = whole.record.clone();
        part.counted.remove(&2);
        part.write(&Destination::new(&path("part"), &[]).unwrap(), &plan)
            .unwrap();
        let rest = count("part").unwrap();
        assert_eq!((rest.counted, rest.is_complete()), (1, true));
        let read = |name: &str| std::fs::read(path(name)).unwrap();
        assert_eq!(read("part"), read("whole"));
        assert_eq!(count("whole").unwrap().counted, 0);
        // Nor is what another process counts at the same time.
        let other = Record::new(shard);
        let twice = run(&plan, shard, &path("twice"), Settings::default(), |_| {
            let destination = Destination::new(&path("twice"), &[]).unwrap();
            other.write(&destination, &plan).unwrap();
        });
        let error = twice.unwrap_err().to_string();
        assert!(error.contains("counted twice at once"), "{error}");
        // The record of another shard is not replaced.
        let other = run(
            &plan,
            "2/2".parse().unwrap(),
            &path("whole"),
            Settings::default(),
            |_| (),
        );
        let error = other.unwrap_err().to_string();
        assert!(error.contains("the record of the shard 1/2"), "{error}");
        assert_eq!(read("part"), read("whole"));
    }
}
