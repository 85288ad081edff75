//! Plans: TOML files that name the mechanisms of one library, how each is started, and what is expected of it.

use crate::options::number;
use dp_assay::number::{Rational, shortened};
use dp_assay_audit::hexadecimal::hexadecimal;
use dp_assay_audit::input::{digest_of_file, read_text_at_most};
use num_traits::{One, Signed};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The level of an audit whose plan names none: that of `assay audit`.
pub const LEVEL: &str = "1/20";

/// The largest plan, in bytes.
const LARGEST_PLAN: u64 = 1 << 24;

/// The longest name of a library or mechanism, which names a directory.
const LONGEST_NAME: usize = 64;

/// Options of the auditor that are the campaign's business, and how a plan says the same.
const TAKEN: [(&str, &str); 9] = [
    ("target", "the keys target and arguments"),
    ("format", "nothing: it is JSON"),
    ("report", "nothing: each mechanism has a record"),
    ("verbose", "nothing: a record has everything"),
    ("help", "nothing"),
    ("version", "nothing"),
    ("plan", "nothing: assay plan is another stage"),
    // As a plan said it before these were commands.
    ("map", "the key command = \"stable\" beside name"),
    ("replay", "the key command = \"replay\" beside name"),
];

/// The verdicts of the auditor's commands.
const VERDICTS: [&str; 7] = [
    "violation",
    "not-refuted",
    "not-conforming",
    "conforms-not-refuted",
    "violation-given-the-recorded-noise",
    "not-refuted-given-the-recorded-noise",
    "inconclusive",
];

/// Options that say how an audit runs, not what is claimed.
const NOT_CLAIMS: [&str; 11] = [
    "alpha",
    "calls",
    "seed",
    "deadline",
    "grace",
    "reply",
    "no-shrink",
    "all-calls",
    "power",
    "most-pairs",
    "one-start",
];

/// The options that are named here.
#[cfg(test)]
pub fn named_options() -> Vec<&'static str> {
    let taken = TAKEN.iter().map(|(name, _)| name);
    NOT_CLAIMS.iter().chain(taken).copied().collect()
}

/// Whether a command of `assay` has an option: their names.
pub type Has<'a> = &'a dyn Fn(&str, &str) -> bool;

/// One plan: a library, or what stands for one.
#[derive(Debug)]
pub struct Plan {
    /// Its name, which is a directory of the records.
    pub library: String,
    /// Its version and what else is to be said of it, in one line.
    pub about: String,
    /// A command that makes what the mechanisms need, run once before them; empty: none.
    pub prepare: Vec<String>,
    /// Where the commands run: beside the plan.
    pub directory: PathBuf,
    /// What it asks, in its order.
    pub entries: Vec<Entry>,
}

/// One mechanism of a plan, or why its entry cannot be read.
#[derive(Debug)]
pub struct Entry {
    /// Its name; no other entry of the plan has it.
    pub name: String,
    /// What is to be done.
    pub mechanism: Result<Mechanism, String>,
}

/// How one mechanism is started, what is asked of it, and what is expected.
#[derive(Debug, Clone, Serialize)]
pub struct Mechanism {
    /// The program and its arguments. No shell reads it.
    pub command: Vec<String>,
    /// Whether the command is audited, or prints a report of its own.
    pub kind: Kind,
    /// The directory in which it runs, as the plan has it: relative to the plan's.
    pub directory: String,
    /// Variables that are set for it.
    pub environment: BTreeMap<String, String>,
    /// The plan's command that makes what it needs; empty: none.
    pub prepare: Vec<String>,
    /// The files beside the plan on which it depends, though no word of it names them.
    pub uses: Vec<String>,
    /// JSON files that are written for the audit, by the name of the option that reads them.
    pub files: Vec<(String, Vec<String>)>,
    /// The options of the command that audits it, by name.
    pub options: BTreeMap<String, Given>,
    /// What is expected.
    pub expected: Expected,
}

/// What the command of an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A target of the auditor.
    Audit(Question),
    /// A program that prints one JSON object with its own `verdict`.
    Check,
}

/// The commands of the auditor that a plan may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Question {
    /// `assay audit`.
    Audit,
    /// `assay conform`.
    Conform,
    /// `assay stable`.
    Stable,
    /// `assay replay`.
    Replay,
}

impl Question {
    const ALL: [Self; 4] = [Self::Audit, Self::Conform, Self::Stable, Self::Replay];

    /// The command's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Audit => "audit",
            Self::Conform => "conform",
            Self::Stable => "stable",
            Self::Replay => "replay",
        }
    }
}

/// What is given to an option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Given {
    /// The option stands alone, or not at all.
    Switch(bool),
    /// One value.
    Value(String),
    /// The option comes once for each.
    Values(Vec<String>),
}

impl Given {
    /// Its values.
    fn values(&self) -> &[String] {
        match self {
            Self::Switch(_) => &[],
            Self::Value(value) => std::slice::from_ref(value),
            Self::Values(values) => values,
        }
    }
}

/// What is expected of a mechanism, and why.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// The report's `verdict`.
    pub verdict: String,
    /// The bound on epsilon that a proof should reach at least: an exact number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon_lower: Option<String>,
    /// What else the report should hold: values by JSON pointer, as in `"/counts/second" = 0`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub report: BTreeMap<String, serde_json::Value>,
    /// Why, in one line.
    pub why: String,
}

/// A plan as it is written, but for its entries.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPlan {
    library: String,
    #[serde(default)]
    about: String,
    #[serde(default)]
    prepare: Vec<String>,
    #[serde(default)]
    uses: Vec<String>,
    #[serde(default)]
    target: Vec<String>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    #[serde(default)]
    options: toml::Table,
    mechanism: Vec<toml::Table>,
}

/// An entry as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEntry {
    #[expect(
        dead_code,
        reason = "it is read before, so that a wrong entry has a name"
    )]
    name: String,
    #[serde(default)]
    command: Option<Question>,
    #[serde(default)]
    target: Vec<String>,
    #[serde(default)]
    check: Vec<String>,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    directory: Option<String>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    #[serde(default)]
    pair: Vec<String>,
    #[serde(default)]
    domain: Option<String>,
    #[serde(default)]
    data: Option<String>,
    #[serde(default)]
    options: toml::Table,
    expected: Expected,
}

impl Plan {
    /// Reads a plan. What is wrong with one entry is that entry's; what is wrong with the plan is said of it as a whole.
    ///
    /// # Errors
    /// What is wrong with the file, and where.
    pub fn read(path: &Path, has: Has<'_>) -> Result<Self, String> {
        let cannot =
            |reason: &dyn std::fmt::Display| format!("cannot read {}: {reason}", path.display());
        let text = read_text_at_most(path, LARGEST_PLAN).map_err(|error| cannot(&error))?;
        let text =
            text.ok_or_else(|| cannot(&format!("a plan has at most {LARGEST_PLAN} bytes")))?;
        let parent = path
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty());
        let directory = parent.unwrap_or(Path::new(".")).to_owned();
        Self::parse(&text, directory, has).map_err(|error| cannot(&error))
    }

    fn parse(text: &str, directory: PathBuf, has: Has<'_>) -> Result<Self, String> {
        let written: WrittenPlan =
            toml::from_str(text).map_err(|error| on_one_line(&error.to_string()))?;
        check_name("library", &written.library)?;
        if written.library.starts_with("campaign.") {
            return Err(format!(
                "library must not begin with campaign., as the files of a campaign do, got '{}'",
                written.library
            ));
        }
        for file in &written.uses {
            check_used(&directory, file)?;
        }
        let mut entries: Vec<Entry> = Vec::new();
        for (number, table) in (1..).zip(&written.mechanism) {
            let named = table.get("name").and_then(toml::Value::as_str);
            let (name, mechanism) = match named.map(|name| (name, check_name("name", name))) {
                Some((name, Ok(()))) if entries.iter().any(|entry| entry.name == name) => (
                    format!("entry-{number}"),
                    Err(format!(
                        "name must be one that no other entry has, got '{name}'"
                    )),
                ),
                Some((name, Ok(()))) if name.starts_with("entry-") => (
                    format!("entry-{number}"),
                    Err(format!(
                        "name must not begin with entry-, as those without a name do, got '{name}'"
                    )),
                ),
                Some((name, Ok(()))) => (name.to_owned(), mechanism(&written, table, has)),
                Some((_, Err(reason))) => (format!("entry-{number}"), Err(reason)),
                None => (
                    format!("entry-{number}"),
                    Err("name is needed: a text".to_owned()),
                ),
            };
            entries.push(Entry { name, mechanism });
        }
        if entries.is_empty() {
            return Err("a plan has at least one [[mechanism]]".to_owned());
        }
        Ok(Self {
            library: written.library,
            about: written.about,
            prepare: written.prepare,
            directory,
            entries,
        })
    }
}

/// What is wrong with TOML, and in which key.
fn on_one_line(error: &str) -> String {
    let lines = error.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("; ")
}

/// A name is a directory of the records: letters, digits and `.` `-` `_`, and a letter or digit first.
fn check_name(key: &str, name: &str) -> Result<(), String> {
    let is_first = name.starts_with(|first: char| first.is_ascii_alphanumeric());
    let all = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
    if is_first && name.chars().all(all) && name.len() <= LONGEST_NAME {
        return Ok(());
    }
    Err(format!(
        "{key} must have 1 to {LONGEST_NAME} letters, digits, '.', '-' or '_', the first a letter or digit, got '{}'",
        shortened(name)
    ))
}

/// A file that the plan says it uses is there.
fn check_used(directory: &Path, file: &str) -> Result<(), String> {
    let found = fs::metadata(directory.join(file))
        .map_err(|error| format!("uses: cannot read {}: {error}", shortened(file)))?;
    match found.is_file() {
        true => Ok(()),
        false => Err(format!("uses: must name files, got {}", shortened(file))),
    }
}

/// Reads one entry, with what the plan says for all.
fn mechanism(plan: &WrittenPlan, table: &toml::Table, has: Has<'_>) -> Result<Mechanism, String> {
    let entry: WrittenEntry = table
        .clone()
        .try_into()
        .map_err(|error: toml::de::Error| on_one_line(&error.to_string()))?;
    let kind = match (&entry.target[..], &entry.check[..]) {
        ([_, ..], [_, ..]) => {
            return Err("target and check are two kinds of entry: give one of them".to_owned());
        }
        (_, [_, ..]) if entry.command.is_some() => {
            return Err("command is that of an audit: a check has none".to_owned());
        }
        (_, [_, ..]) => Kind::Check,
        _ => Kind::Audit(entry.command.unwrap_or(Question::Audit)),
    };
    let command = match kind {
        Kind::Check => entry.check,
        Kind::Audit(_) if entry.target.is_empty() => plan.target.clone(),
        Kind::Audit(_) => entry.target,
    };
    if command.is_empty() {
        return Err("target is needed, here or for the whole plan: a list of words".to_owned());
    }
    let mut given = BTreeMap::new();
    if let Kind::Audit(question) = kind {
        // What no command has is kept, so that this one refuses it.
        let is_of_others = |name: &str| {
            let is_of = |of: &Question| has(of.name(), name);
            !is_of(&question) && Question::ALL.iter().any(is_of)
        };
        let of_all = plan.options.iter().filter(|(name, _)| !is_of_others(name));
        for (name, value) in of_all.chain(&entry.options) {
            given.insert(name.clone(), read_option(name, value)?);
        }
    } else if !entry.options.is_empty() {
        return Err("options are those of an audit: a check takes arguments".to_owned());
    }
    let mut files = Vec::new();
    match &entry.pair[..] {
        [] => {}
        [_, _] => files.push(("pair".to_owned(), entry.pair.clone())),
        others => {
            return Err(format!(
                "pair must be two datasets, each a text in JSON, got {}",
                others.len()
            ));
        }
    }
    for (option, text) in [("domain", &entry.domain), ("data", &entry.data)] {
        files.extend(
            text.iter()
                .map(|text| (option.to_owned(), vec![text.clone()])),
        );
    }
    if let Some((option, _)) = files.iter().find(|(option, _)| given.contains_key(option)) {
        return Err(format!("{option} is given twice: as a key, and in options"));
    }
    if kind == Kind::Check && !files.is_empty() {
        return Err(
            "pair, domain and data are those of an audit: a check takes arguments".to_owned(),
        );
    }
    let expected = &entry.expected;
    if kind != Kind::Check && !VERDICTS.contains(&expected.verdict.as_str()) {
        return Err(format!(
            "expected.verdict must be one of {}, got '{}'",
            VERDICTS.join(", "),
            shortened(&expected.verdict)
        ));
    }
    if let Some(pointer) = expected
        .report
        .keys()
        .find(|pointer| !pointer.starts_with('/'))
    {
        return Err(format!(
            "expected.report: a JSON pointer begins with /, as in /counts/second, got '{}'",
            shortened(pointer)
        ));
    }
    if let Some(bound) = &expected.epsilon_lower {
        number(bound).map_err(|reason| {
            format!(
                "expected.epsilon_lower: {reason}, got '{}'",
                shortened(bound)
            )
        })?;
    }
    let mut environment = plan.environment.clone();
    environment.extend(entry.environment);
    Ok(Mechanism {
        command: [command, entry.arguments].concat(),
        kind,
        directory: entry.directory.unwrap_or_else(|| ".".to_owned()),
        environment,
        prepare: plan.prepare.clone(),
        uses: plan.uses.clone(),
        files,
        options: given,
        expected: entry.expected,
    })
}

/// What an option is given. Numbers are printed as the plan has them, or so that they are the same.
fn read_option(name: &str, value: &toml::Value) -> Result<Given, String> {
    if let Some((_, instead)) = TAKEN.iter().find(|(taken, _)| *taken == name) {
        return Err(format!(
            "options: {name} is not for a plan; instead: {instead}"
        ));
    }
    let is_name = |letter: char| letter.is_ascii_lowercase() || letter == '-';
    if name.starts_with('-') || !name.chars().all(is_name) || name.is_empty() {
        return Err(format!(
            "options: a key is the long name of an option without its dashes, got '{}'",
            shortened(name)
        ));
    }
    let one = |value: &toml::Value| match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Float(number) => Ok(number.to_string()),
        other => Err(format!(
            "options: {name} must be a text, a number, true, false or a list of texts and numbers, got a {}",
            other.type_str()
        )),
    };
    Ok(match value {
        toml::Value::Boolean(stands) => Given::Switch(*stands),
        toml::Value::Array(_) if name == "alpha" => {
            return Err("options: alpha must be one number, got an array".to_owned());
        }
        toml::Value::Array(values) => {
            Given::Values(values.iter().map(one).collect::<Result<_, _>>()?)
        }
        value => Given::Value(one(value)?),
    })
}

impl Mechanism {
    /// The options as words of a command line.
    pub fn words(&self) -> Vec<String> {
        let with = |name: &str, value: &str| format!("--{name}={value}");
        let mut words = Vec::new();
        for (name, given) in &self.options {
            if *given == Given::Switch(true) {
                words.push(format!("--{name}"));
            }
            words.extend(given.values().iter().map(|value| with(name, value)));
        }
        words
    }

    /// Whether a verdict of it is wrong with some probability: a check and a distance are computed.
    pub fn has_level(&self) -> bool {
        !matches!(self.kind, Kind::Check | Kind::Audit(Question::Stable))
    }

    /// The probability with which a true claim may be called violated; `None` if the plan's is no number.
    pub fn level(&self) -> Option<Rational> {
        match self.options.get("alpha") {
            Some(Given::Value(text)) => number(text).ok(),
            Some(_) => None,
            None => number(LEVEL).ok(),
        }
    }

    /// What is claimed, in a few words.
    pub fn claim(&self) -> String {
        let asked = match self.kind {
            Kind::Check => return "values".to_owned(),
            Kind::Audit(Question::Audit) => None,
            Kind::Audit(question) => Some(question.name().to_owned()),
        };
        let claims = self
            .options
            .iter()
            .filter(|(name, _)| !NOT_CLAIMS.contains(&name.as_str()));
        let words = claims.filter_map(|(name, given)| match given {
            Given::Switch(true) => Some(name.clone()),
            Given::Switch(false) => None,
            Given::Value(value) => Some(format!("{name} {value}")),
            Given::Values(values) => Some(format!("{name} {}", values.join(", "))),
        });
        asked
            .into_iter()
            .chain(words)
            .collect::<Vec<_>>()
            .join("; ")
    }

    /// The entry's digest: of what it and the plan's `prepare` say, of the files that their words name and that the plan uses, and
    /// of this version of the auditor. While it is the same, a record is as good as a new run.
    pub fn digest(&self, beside: &Path) -> String {
        let mut hash = Sha256::new();
        let mut add = |bytes: &[u8]| {
            hash.update((bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        add(env!("CARGO_PKG_VERSION").as_bytes());
        add(&serde_json::to_vec(self).unwrap_or_default());
        let directory = beside.join(&self.directory);
        // A pair is two files with a comma between them.
        let of_options = self.options.values().flat_map(Given::values);
        let of_options = of_options.flat_map(|value| value.split(','));
        let here = self.command.iter().map(String::as_str).chain(of_options);
        let files = (here.map(|word| directory.join(word)))
            .chain(self.prepare.iter().map(|word| beside.join(word)))
            .chain(self.uses.iter().map(|file| beside.join(file)));
        for file in files {
            // A word that names no file is in the entry.
            add(digest_of_file(&file).unwrap_or_default().as_bytes());
        }
        hexadecimal(&hash.finalize())
    }
}

/// Which audits of a campaign share a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// All of them.
    All,
    /// Those that have none in their plan.
    WithoutOne,
}

/// Gives each of these audits of the campaign an equal share of one level: the level divided by the least power of two that is no
/// less than their number. So a few more audits leave the shares of the others as they are, and their records too.
///
/// # Errors
/// If the level is not above 0 and below 1.
pub fn share_level(plans: &mut [Plan], level: &Rational, whose: Whose) -> Result<(), String> {
    if !level.is_positive() || *level >= Rational::one() {
        return Err(format!("--level must be above 0 and below 1, got {level}"));
    }
    let mut audits: Vec<&mut Mechanism> = plans
        .iter_mut()
        .flat_map(|plan| &mut plan.entries)
        .filter_map(|entry| entry.mechanism.as_mut().ok())
        .filter(|mechanism| mechanism.has_level())
        .filter(|mechanism| whose == Whose::All || !mechanism.options.contains_key("alpha"))
        .collect();
    let shares = audits.len().max(1).next_power_of_two();
    let share = level / Rational::from_integer(shares.into());
    for mechanism in &mut audits {
        let given = Given::Value(share.to_string());
        mechanism.options.insert("alpha".to_owned(), given);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands for the options of the command.
    fn has(command: &str, option: &str) -> bool {
        match command {
            "audit" => ["alpha", "calls", "epsilon", "seed"].contains(&option),
            "stable" => ["seed", "stability"].contains(&option),
            _ => false,
        }
    }

    fn read(text: &str) -> Result<Plan, String> {
        Plan::parse(text, PathBuf::from("."), &has)
    }

    #[test]
    fn a_mechanism_takes_those_options_of_its_plan_that_its_command_has() {
        let plan = read(
            r#"
            library = "a"
            target = ["x"]
            options = { calls = 20000, alpha = "1e-6", seed = 7, calsl = 9 }
            [[mechanism]]
            name = "map"
            command = "stable"
            options = { stability = 1 }
            expected = { verdict = "not-refuted", why = "w" }
            [[mechanism]]
            name = "of-its-own"
            command = "stable"
            options = { calls = 3 }
            expected = { verdict = "not-refuted", why = "w" }
            [[mechanism]]
            name = "audit"
            options = { epsilon = 1 }
            expected = { verdict = "not-refuted", why = "w" }
            "#,
        )
        .unwrap();
        let words = |entry: usize| {
            let mechanism = plan.entries[entry].mechanism.as_ref().unwrap();
            mechanism.words().join(" ")
        };
        // A word that no command has is for the command to refuse.
        assert_eq!(words(0), "--calsl=9 --seed=7 --stability=1");
        // So is what its own entry says.
        assert_eq!(words(1), "--calls=3 --calsl=9 --seed=7");
        let all = "--alpha=1e-6 --calls=20000 --calsl=9 --epsilon=1 --seed=7";
        assert_eq!(words(2), all);
        let levels = plan.entries.iter().map(|entry| {
            let mechanism = entry.mechanism.as_ref().unwrap();
            mechanism.has_level()
        });
        assert_eq!(levels.collect::<Vec<_>>(), [false, false, true]);
        let claim = plan.entries[0].mechanism.as_ref().unwrap().claim();
        assert_eq!(claim, "stable; calsl 9; stability 1");
    }

    /// Why the only entry of this plan cannot be read.
    fn refused(entry: &str) -> String {
        let plan = read(&format!(
            "library = \"a\"\n[[mechanism]]\nname = \"m\"\n{entry}"
        ))
        .unwrap();
        plan.entries[0].mechanism.as_ref().unwrap_err().clone()
    }

    const EXPECTED: &str = "expected = { verdict = \"violation\", why = \"w\" }\n";

    #[test]
    fn an_entry_has_what_the_plan_says_for_all_and_its_own() {
        let plan = read(
            r#"
            library = "a"
            target = ["python", "adapter.py"]
            environment = { A = "1", B = "2" }
            options = { calls = 400, delta = "1/3" }
            [[mechanism]]
            name = "m"
            arguments = ["m"]
            environment = { B = "3" }
            pair = ["[0]", "[null]"]
            options = { epsilon = 0.1, calls = 1000, no-shrink = true, all-calls = false, rdp = ["2:1", "3:1"] }
            expected = { verdict = "violation", epsilon_lower = "0.2", why = "w" }
            "#,
        )
        .unwrap();
        let mechanism = plan.entries[0].mechanism.as_ref().unwrap();
        assert_eq!(mechanism.command, ["python", "adapter.py", "m"]);
        assert_eq!(mechanism.environment["A"], "1");
        assert_eq!(mechanism.environment["B"], "3");
        let words = "--calls=1000 --delta=1/3 --epsilon=0.1 --no-shrink --rdp=2:1 --rdp=3:1";
        assert_eq!(mechanism.words().join(" "), words);
        assert_eq!(mechanism.claim(), "delta 1/3; epsilon 0.1; rdp 2:1, 3:1");
        assert_eq!(
            mechanism.files,
            [(
                "pair".to_owned(),
                vec!["[0]".to_owned(), "[null]".to_owned()]
            )]
        );
    }

    #[test]
    fn what_is_wrong_with_an_entry_names_the_key_and_stops_no_other() {
        for (entry, says) in [
            (format!("{EXPECTED}targett = [\"a\"]"), "unknown field `targett`"),
            (EXPECTED.to_owned(), "target is needed"),
            ("target = [\"a\"]".to_owned(), "missing field `expected`"),
            (format!("{EXPECTED}target = [\"a\"]\ncheck = [\"b\"]"), "give one of them"),
            (format!("{EXPECTED}target = [\"a\"]\npair = [\"[0]\"]"), "two datasets"),
            (format!("{EXPECTED}target = [\"a\"]\noptions = {{ alpha = [\"0.1\"] }}"), "alpha must be one number"),
            (format!("{EXPECTED}target = [\"a\"]\noptions = {{ \"alpha=0.1\" = true }}"), "without its dashes"),
            (format!("{EXPECTED}target = [\"a\"]\noptions = {{ plan = \"x\" }}"), "plan is not for a plan"),
            (format!("{EXPECTED}target = [\"a\"]\noptions = {{ map = true }}"), "instead: the key command = \"stable\""),
            (format!("{EXPECTED}target = [\"a\"]\noptions = {{ replay = true }}"), "instead: the key command = \"replay\""),
            (format!("{EXPECTED}target = [\"a\"]\ncommand = \"map\""), "unknown variant `map`"),
            (format!("{EXPECTED}check = [\"a\"]\ncommand = \"stable\""), "a check has none"),
            (format!("{EXPECTED}target = [\"a\"]\npair = [[0], [1]]"), "pair"),
            (
                "target = [\"a\"]\nexpected = { verdict = \"not refuted\", why = \"w\" }".to_owned(),
                "expected.verdict must be one of violation, not-refuted,",
            ),
            (
                "target = [\"a\"]\nexpected = { verdict = \"violation\", report = { counts = 1 }, why = \"w\" }".to_owned(),
                "begins with /",
            ),
            (format!("{EXPECTED}target = [\"a\"]\noptions = {{ format = \"json\" }}"), "format is not for a plan"),
            (format!("{EXPECTED}target = [\"a\"]\noptions = {{ \"-x\" = 1 }}"), "without its dashes"),
            (format!("{EXPECTED}target = [\"a\"]\noptions = {{ x = {{ y = 1 }} }}"), "got a table"),
            (format!("{EXPECTED}target = [\"a\"]\ndata = \"1\"\noptions = {{ data = \"a.json\" }}"), "given twice"),
            (format!("{EXPECTED}check = [\"a\"]\ndata = \"1\""), "a check takes arguments"),
            (
                "target = [\"a\"]\nexpected = { verdict = \"violation\", epsilon_lower = \"much\", why = \"w\" }".to_owned(),
                "expected.epsilon_lower",
            ),
        ] {
            let reason = refused(&entry);
            assert!(reason.contains(says), "{entry}: {reason}");
        }
        let good = format!("[[mechanism]]\nname = \"g\"\ntarget = [\"a\"]\n{EXPECTED}");
        let plan = read(&format!(
            "library = \"a\"\n[[mechanism]]\nname = 3\n{good}{good}"
        ))
        .unwrap();
        let found: Vec<_> = plan
            .entries
            .iter()
            .map(|entry| (entry.name.as_str(), entry.mechanism.is_ok()))
            .collect();
        assert_eq!(found, [("entry-1", false), ("g", true), ("entry-3", false)]);
    }

    #[test]
    fn what_is_wrong_with_a_plan_is_said_of_it() {
        let entry = format!("[[mechanism]]\nname = \"m\"\ntarget = [\"a\"]\n{EXPECTED}");
        for (plan, says) in [
            ("library = ".to_owned(), "string values must be quoted"),
            (entry.clone(), "missing field `library`"),
            (
                format!("library = \"../a\"\n{entry}"),
                "library must have 1 to 64 letters",
            ),
            (
                format!("library = \"a\"\nlevel = 1\n{entry}"),
                "unknown field `level`",
            ),
            ("library = \"a\"\nmechanism = []".to_owned(), "at least one"),
        ] {
            let reason = read(&plan).unwrap_err();
            assert!(reason.contains(says), "{plan}: {reason}");
        }
    }

    #[test]
    fn a_level_is_shared_by_what_has_one() {
        let mut plans = [read(&format!(
            "library = \"a\"\n\
             [[mechanism]]\nname = \"m\"\ntarget = [\"a\"]\noptions = {{ alpha = \"1/2\" }}\n{EXPECTED}\
             [[mechanism]]\nname = \"n\"\ntarget = [\"a\"]\n{EXPECTED}\
             [[mechanism]]\nname = \"map\"\ntarget = [\"a\"]\ncommand = \"stable\"\n{EXPECTED}\
             [[mechanism]]\nname = \"check\"\ncheck = [\"a\"]\n{EXPECTED}\
             [[mechanism]]\nname = \"wrong\"\n",
        ))
        .unwrap()];
        let digest = |plans: &[Plan]| {
            plans[0].entries[0]
                .mechanism
                .as_ref()
                .unwrap()
                .digest(Path::new("."))
        };
        let before = digest(&plans);
        share_level(&mut plans, &number("0.1").unwrap(), Whose::All).unwrap();
        let of = |place: usize| plans[0].entries[place].mechanism.as_ref().unwrap();
        for place in [0, 1] {
            assert_eq!(of(place).level(), Some(number("1/20").unwrap()));
            assert_eq!(of(place).words(), ["--alpha=1/20"]);
        }
        assert!(of(2).words().is_empty() && !of(2).has_level() && !of(3).has_level());
        assert_ne!(before, digest(&plans));
        assert!(share_level(&mut plans, &number("1").unwrap(), Whose::All).is_err());
        // What has a level keeps it, if it is not one over all.
        share_level(&mut plans, &number("1/1000").unwrap(), Whose::WithoutOne).unwrap();
        assert_eq!(
            plans[0].entries[0].mechanism.as_ref().unwrap().level(),
            number("1/20").ok()
        );
    }

    #[test]
    fn the_digest_is_of_the_entry_and_of_its_files() {
        let room = tempfile::tempdir().unwrap();
        let digest = |changed: &[(&str, &str)], argument: &str, version: &str| {
            for file in ["adapter.py", "imported.py", "pair.json", "prepare.sh"] {
                let change = changed.iter().find(|(name, _)| *name == file);
                let text = change.map_or("1", |(_, text)| text);
                // However long it is.
                fs::write(room.path().join(file), text.repeat(3 << 20)).unwrap();
            }
            let plan = format!(
                "library = \"a\"\nuses = [\"imported.py\"]\nprepare = [\"sh\", \"prepare.sh\", \"{version}\"]\n[[mechanism]]\nname = \"m\"\n{EXPECTED}\
                 target = [\"python\", \"adapter.py\", \"{argument}\"]\noptions = {{ data = \"pair.json\" }}"
            );
            let plan = Plan::parse(&plan, room.path().to_owned(), &has).unwrap();
            let mechanism = plan.entries[0].mechanism.as_ref().unwrap();
            mechanism.digest(room.path())
        };
        let first = digest(&[], "x", "1.0");
        assert_eq!(first, digest(&[], "x", "1.0"));
        assert_ne!(first, digest(&[], "y", "1.0"));
        assert_ne!(first, digest(&[], "x", "1.1"));
        for file in ["adapter.py", "imported.py", "pair.json", "prepare.sh"] {
            assert_ne!(first, digest(&[(file, "2")], "x", "1.0"), "{file}");
        }
    }

    #[test]
    fn a_plan_that_uses_what_is_not_there_is_refused() {
        let room = tempfile::tempdir().unwrap();
        for file in ["absent.py", "."] {
            let plan = format!(
                "library = \"a\"\nuses = [\"{file}\"]\n[[mechanism]]\nname = \"m\"\n{EXPECTED}target = [\"a\"]"
            );
            let reason = Plan::parse(&plan, room.path().to_owned(), &has).unwrap_err();
            assert!(
                reason.starts_with("uses: ") && reason.contains(file),
                "{reason}"
            );
        }
    }
}
