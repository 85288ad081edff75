//! What a shard keeps: for each unit integers, and nothing of time or place, so that equal coins give equal bytes.

use super::fingerprint::Head;
use super::plan::{self, Named, Shard, Stamp};
use crate::error::Error;
use crate::output::{self, Destination};
use dp_assay::number::shortened;
use dp_assay_audit::hexadecimal::hexadecimal;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;

const FORMAT: &str = "dp-assay counts, 1";

/// The largest record that is read, in bytes.
const LARGEST: u64 = 1 << 26;

/// The longest reason of a failure that is kept, in characters.
const LONGEST_REASON: usize = 500;

/// What was counted in one unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// Which unit, from 0.
    pub unit: u64,
    /// How often the event of each line came, on the first dataset and on the second.
    pub counts: Vec<[u64; 2]>,
    /// How the answers on each dataset began.
    pub heads: [Head; 2],
}

/// A unit that was not counted to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failed {
    /// Which unit, from 0.
    pub unit: u64,
    /// Why.
    pub reason: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: String,
    version: String,
    plan: String,
    draws: u64,
    shard: String,
    counted: Vec<Unit>,
    failed: Vec<Failed>,
    /// That of all else. Records had none at first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
}

/// What a record says of itself.
#[derive(Deserialize)]
struct Said {
    #[serde(default)]
    sha256: Option<String>,
}

impl Written {
    /// The SHA-256 of a content that has none yet, as JSON without blanks. Whoever changes the content can make it anew; an
    /// accident does not.
    fn digest(&self) -> serde_json::Result<String> {
        Ok(hexadecimal(&Sha256::digest(serde_json::to_vec(self)?)))
    }
}

/// The record of a shard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Which shard.
    pub shard: Shard,
    /// What was counted.
    pub counted: BTreeMap<u64, Unit>,
    /// How units failed, also those that were counted later.
    pub failed: BTreeMap<u64, Failed>,
}

impl Record {
    /// Of a shard before anything is counted.
    #[must_use]
    pub fn new(shard: Shard) -> Self {
        Self {
            shard,
            counted: BTreeMap::new(),
            failed: BTreeMap::new(),
        }
    }

    /// A unit failed. The first reason stays.
    pub fn fail(&mut self, unit: u64, reason: &str) {
        let reason = reason.chars().take(LONGEST_REASON).collect();
        self.failed.entry(unit).or_insert(Failed { unit, reason });
    }

    /// Reads a record, if it is one of this plan.
    ///
    /// # Errors
    /// [`Error::Data`], which says what is wrong and what would be right.
    pub fn read(path: &Path, plan: &Named) -> Result<Self, Error> {
        let bytes = plan::read_at_most(path, LARGEST)?;
        let record = Self::parse(&bytes, plan).map_err(|reason| Error::data(path, reason))?;
        let said = serde_json::from_slice::<Said>(&bytes);
        if said.is_ok_and(|said| said.sha256.is_none()) {
            output::warn(&format!(
                "{}: it has no SHA-256 of its content, as records have since: damage would not be seen",
                path.display()
            ));
        }
        Ok(record)
    }

    fn parse(bytes: &[u8], plan: &Named) -> Result<Self, String> {
        const INSTEAD: &str = "merge with that version, or count again with this one";
        let none = |error| format!("it is not a record, as assay count writes one: {error}");
        let stamp: Stamp = serde_json::from_slice(bytes).map_err(none)?;
        stamp.check(FORMAT, INSTEAD)?;
        let ours = &plan.plan.version;
        if stamp.version != *ours {
            return Err(format!(
                "its version must be {ours:?}, got {:?}: {INSTEAD}",
                shortened(&stamp.version)
            ));
        }
        let mut written: Written = serde_json::from_slice(bytes).map_err(none)?;
        if written.plan != plan.name() {
            return Err(format!(
                "it is a record of another plan: of {}, and this plan is {}",
                written.plan,
                plan.name()
            ));
        }
        let draws = plan.plan.draws;
        if written.draws != draws {
            return Err(format!(
                "its units have {} draws, and those of the plan have {draws}",
                written.draws
            ));
        }
        let shard: Shard = written
            .shard
            .parse()
            .map_err(|reason| format!("its shard: {reason}, got {:?}", written.shard))?;
        let range = shard.check(plan.plan.units)?;
        let said = written.sha256.take();
        let digest = written.digest().map_err(|error| error.to_string())?;
        let mut record = Self::new(shard);
        for unit in written.counted {
            let number = unit.unit;
            check_unit(&unit, plan)?;
            if !range.contains(&number) {
                return Err(format!(
                    "unit {number} is none of the shard {shard}, which has the units {} to {}",
                    range.start,
                    range.end - 1
                ));
            }
            if record.counted.insert(number, unit).is_some() {
                return Err(format!("unit {number} stands there twice"));
            }
        }
        for failed in written.failed {
            let number = failed.unit;
            if !range.contains(&number) {
                return Err(format!(
                    "the failed unit {number} is none of the shard {shard}"
                ));
            }
            if record.failed.insert(number, failed).is_some() {
                return Err(format!("the failed unit {number} stands there twice"));
            }
        }
        match said.is_some_and(|said| said != digest) {
            false => Ok(record),
            true => Err(
                "it is damaged: its content has another SHA-256 than it says; remove it, or take another --out, and count this shard again"
                    .to_owned(),
            ),
        }
    }

    /// Its text: one line a unit.
    ///
    /// # Errors
    /// None that is expected.
    pub fn text(&self, plan: &Named) -> Result<String, Error> {
        let unprintable = |error| Error::Print(std::io::Error::other(error));
        let written = Written {
            format: FORMAT.to_owned(),
            version: plan.plan.version.clone(),
            plan: plan.name(),
            draws: plan.plan.draws,
            shard: self.shard.to_string(),
            counted: self.counted.values().cloned().collect(),
            failed: self.failed.values().cloned().collect(),
            sha256: None,
        };
        let head = output::json(&Written {
            sha256: Some(written.digest().map_err(unprintable)?),
            counted: Vec::new(),
            failed: Vec::new(),
            ..written
        })?;
        let listed = |items: Vec<serde_json::Result<String>>| {
            let items: serde_json::Result<Vec<String>> = items.into_iter().collect();
            let items = items.map_err(unprintable)?;
            Ok::<_, Error>(match items.is_empty() {
                true => "[]".to_owned(),
                false => format!("[\n    {}\n  ]", items.join(",\n    ")),
            })
        };
        let counted = listed(self.counted.values().map(serde_json::to_string).collect())?;
        let failed = listed(self.failed.values().map(serde_json::to_string).collect())?;
        Ok(head
            .replace("\"counted\": []", &format!("\"counted\": {counted}"))
            .replace("\"failed\": []", &format!("\"failed\": {failed}")))
    }

    /// Writes it, as a whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, destination: &Destination, plan: &Named) -> Result<(), Error> {
        destination.write_text(&self.text(plan)?)
    }
}

/// Whether a unit's counts can be those of this plan.
fn check_unit(unit: &Unit, plan: &Named) -> Result<(), String> {
    let (number, draws, lines) = (unit.unit, plan.plan.draws, plan.lines().len());
    if unit.counts.len() != lines {
        return Err(format!(
            "unit {number} must have counts of {lines} lines, got {}",
            unit.counts.len()
        ));
    }
    if let Some(count) = unit.counts.iter().flatten().find(|count| **count > draws) {
        return Err(format!(
            "unit {number}: {count} occurrences in {draws} draws"
        ));
    }
    let is_digest = |head: &Head| {
        head.digest.len() == 32 && head.digest.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    match unit.heads.iter().all(is_digest) {
        true => Ok(()),
        false => Err(format!(
            "unit {number}: a digest must have 32 hexadecimal digits"
        )),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::plan::tests::parts;
    use super::*;

    pub fn plan() -> Named {
        Named::new(parts(10, 100)).unwrap().1
    }

    pub fn unit(unit: u64, first: u64, second: u64) -> Unit {
        let head = |side: u64| Head {
            digest: format!("{:032x}", 2 * unit + side),
            bits: 80,
        };
        Unit {
            unit,
            counts: vec![[first, second]],
            heads: [head(0), head(1)],
        }
    }

    /// A record of the units of a shard, with these counts in each.
    pub fn record(shard: &str, counts: [u64; 2]) -> Record {
        let shard: Shard = shard.parse().unwrap();
        let units = shard.units(10);
        let mut record = Record::new(shard);
        record.counted = units
            .map(|number| (number, unit(number, counts[0], counts[1])))
            .collect();
        record
    }

    #[test]
    fn a_record_is_read_back_and_has_a_line_for_each_unit() {
        let mut record = record("2/3", [70, 30]);
        record.fail(4, "it \"died\"\nand said nothing");
        record.fail(4, "again");
        let text = record.text(&plan()).unwrap();
        assert_eq!(Record::parse(text.as_bytes(), &plan()).unwrap(), record);
        assert_eq!(
            text.lines()
                .filter(|line| line.contains("\"counts\""))
                .count(),
            3
        );
        let empty = Record::new("1/10".parse().unwrap());
        let text = empty.text(&plan()).unwrap();
        assert_eq!(Record::parse(text.as_bytes(), &plan()).unwrap(), empty);
    }

    /// The case: counts that are possible, and are not those that were counted.
    #[test]
    fn a_damaged_record_is_refused_and_one_without_a_digest_is_read() {
        let mut record = record("2/3", [70, 30]);
        record.fail(4, "it died");
        let text = record.text(&plan()).unwrap();
        for (from, to) in [
            ("[[70,30]]", "[[35,30]]"),
            ("\"bits\":80", "\"bits\":81"),
            ("\"digest\":\"00", "\"digest\":\"10"),
            ("it died", "it lied"),
            ("\"unit\":5", "\"unit\":3"),
        ] {
            assert!(text.contains(from), "{from}");
            let changed = text.replacen(from, to, 1);
            let error = Record::parse(changed.as_bytes(), &plan()).unwrap_err();
            let says = match to {
                "\"unit\":3" => "unit 3 stands there twice",
                _ => "it is damaged: its content has another SHA-256 than it says",
            };
            assert!(error.starts_with(says), "{to}: {error}");
        }
        // Blanks are no content.
        let blanks = text.replace("{\"unit\"", "{  \"unit\"");
        assert_eq!(Record::parse(blanks.as_bytes(), &plan()).unwrap(), record);
        // As the version before wrote it.
        let mut older: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(older.as_object_mut().unwrap().remove("sha256").is_some());
        let older = older.to_string();
        assert_eq!(Record::parse(older.as_bytes(), &plan()).unwrap(), record);
    }

    #[test]
    fn what_was_changed_by_hand_is_refused() {
        let text = record("2/3", [70, 30]).text(&plan()).unwrap();
        let other = Named::new(parts(10, 101)).unwrap().1;
        let error = Record::parse(text.as_bytes(), &other).unwrap_err();
        assert!(
            error.starts_with("it is a record of another plan"),
            "{error}"
        );
        let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
        for (from, to, says) in [
            (
                "[[70,30]]",
                "[[101,30]]",
                "unit 3: 101 occurrences in 100 draws",
            ),
            ("[[70,30]]", "[[-1,30]]", "invalid value: integer `-1`"),
            ("[[70,30]]", "[[70,30.5]]", "invalid type"),
            ("[[70,30]]", "[[70,30],[1,1]]", "counts of 1 lines, got 2"),
            ("\"unit\":4", "\"unit\":3", "unit 3 stands there twice"),
            (
                "\"unit\":3",
                "\"unit\":9",
                "unit 9 is none of the shard 2/3, which has the units 3 to 5",
            ),
            ("\"draws\": 100", "\"draws\": 1000", "have 1000 draws"),
            (
                "\"shard\": \"2/3\"",
                "\"shard\": \"0/3\"",
                "its shard: it must be i/N",
            ),
            ("counts, 1", "counts, 2", "its format must be"),
            (&*version, "\"version\": \"9\"", "its version must be"),
            ("\"digest\":\"0", "\"digest\":\"", "32 hexadecimal digits"),
            (
                "\"failed\": []",
                "\"failed\": [{\"unit\": 0, \"reason\": \"\"}]",
                "the failed unit 0 is none",
            ),
            ("}", "}}", "it is not a record"),
        ] {
            assert!(text.contains(from), "{from}");
            let error = Record::parse(text.replacen(from, to, 1).as_bytes(), &plan()).unwrap_err();
            assert!(error.contains(says), "{to}: {error}");
        }
        // Half of it.
        assert!(Record::parse(&text.as_bytes()[..text.len() / 2], &plan()).is_err());
    }
}
