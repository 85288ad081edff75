//! Checks a library against the vectors of dp-assay: copy this file. It needs `num-bigint` and `serde_json`.
//!
//! Implement [`Library`], and call [`main`] from yours: `cargo run -- VECTORS [--only=A,B,C] [--digits=N] [--strict] [--all]`.
//! `VECTORS` is the folder that has MANIFEST.json. What is checked:
//!
//! - A, values. How many digits are right, and on which side of the certified enclosure the value lies. It must be the nearest
//!   double, or have `--digits` correct digits (10). A delta may have fewer if it is above: that is conservative, and
//!   below is UNSOUND. With `--strict` no delta may be below, by however little.
//! - B, tapes. The sample, and how many bits it took; parameters that must be refused. Samples for the same algorithm only.
//! - C, tape trees, for every sampler that takes its coins from outside: an exact test, without a p-value. The sampler runs
//!   on every tape of so many bits. What it returned on the way has at least that probability, and at most that and what is
//!   undecided. The same algorithm must also give the same tree.
//!
//! Exit status: 0 all agreed, 1 something is refuted, 2 usage, bad files, or nothing that could be checked. (The hashes of
//! the manifest are left to check.py and check.mjs.)

use num_bigint::{BigInt, Sign};
use serde_json::{Map, Value};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::process::ExitCode;

/// The library that is checked. `None` is what it does not offer; an error is a refusal of parameters that make no sense.
pub trait Library {
    /// Whether its sampler is that of algorithms.md bit for bit.
    fn same_algorithm(&self) -> bool {
        false
    }

    /// A number: an integer, a fraction `p/q`, a decimal `1.25e-7`, or a double by [`double`].
    fn value(
        &self,
        _law: &str,
        _parameters: &Parameters,
        _quantity: &str,
        _at: &Parameters,
    ) -> Option<Result<String, String>> {
        None
    }

    /// One draw, an integer, `true` or `false`. Every coin comes from `bits`.
    fn sample(
        &self,
        _algorithm: &str,
        _parameters: &Parameters,
        _bits: &mut Bits,
    ) -> Option<Result<String, String>> {
        None
    }
}

/// Parameters, or the arguments of a value: names, and integers `3`, fractions `3/2` or lists of them.
pub type Parameters = Map<String, Value>;

/// A double as [`Library::value`] returns it: exactly.
#[allow(dead_code)]
#[must_use]
pub fn double(x: f64) -> String {
    let (bits, sign) = (x.to_bits(), if x.is_sign_negative() { "-" } else { "" });
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    match exponent {
        0x7ff => x.to_string(),
        0 => format!("{sign}0x0.{fraction:013x}p-1022"),
        _ => format!("{sign}0x1.{fraction:013x}p{:+}", exponent as i64 - 1023),
    }
}

/// A tape. While it is explored it grows by zeros, up to `length` bits.
pub struct Bits {
    tape: Vec<bool>,
    length: usize,
    used: usize,
    ended: bool,
}

/// The sampler asked for a bit beyond the end of its tape.
#[derive(Debug)]
pub struct TapeEnded;

impl Bits {
    fn new(tape: Vec<bool>, length: usize) -> Self {
        Self {
            tape,
            length,
            used: 0,
            ended: false,
        }
    }

    /// The next bit. The error must end the draw.
    pub fn bit(&mut self) -> Result<bool, TapeEnded> {
        if self.used == self.length {
            self.ended = true;
            return Err(TapeEnded);
        }
        if self.used == self.tape.len() {
            self.tape.push(false);
        }
        self.used += 1;
        Ok(self.tape[self.used - 1])
    }

    /// How many bits were read.
    #[must_use]
    pub fn used(&self) -> usize {
        self.used
    }
}

/// Quantities that promise privacy: too small a value is unsound.
const BOUNDS: [&str; 2] = ["profile", "delta"];
/// A tree is of at most 2^24 runs.
const DEEPEST: usize = 24;
const OTHERS: &str = "all other outcomes";

/// Why a case does not agree.
enum Trouble {
    /// What the library does disagrees with the vectors.
    Refuted(String),
    /// A file of vectors is not as its schema says.
    BadFile(String),
}
use Trouble::{BadFile, Refuted};

/// How a case agrees, in a word; `None` if it is not compared.
type Agreed = Result<Option<&'static str>, Trouble>;

/// An exact number: numerator, and denominator above 0. Not in lowest terms.
#[derive(Clone)]
struct Exact(BigInt, BigInt);

impl Exact {
    /// An integer, `p/q`, a decimal `1.5e-40` or a double `0x1.8p-3`.
    fn read(text: &str) -> Option<Self> {
        if let Some((p, q)) = text.split_once('/') {
            let (p, q) = (p.parse().ok()?, q.parse::<BigInt>().ok()?);
            return (q.sign() == Sign::Plus).then_some(Self(p, q));
        }
        let (minus, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (text, radix, base, mark) = match text.strip_prefix("0x") {
            Some(rest) => (rest, 16, 2u32, 'p'),
            None => (text, 10, 10, 'e'),
        };
        let (mantissa, power) = text.split_once(mark).unwrap_or((text, "0"));
        let (whole, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut digits = BigInt::parse_bytes(format!("{whole}{rest}").as_bytes(), radix)?;
        if minus {
            digits = -digits;
        }
        let places = rest.len() as i64 * if radix == 16 { 4 } else { 1 };
        let power = power.parse::<i64>().ok()? - places;
        let scale = BigInt::from(base).pow(u32::try_from(power.unsigned_abs()).ok()?);
        Some(if power < 0 {
            Self(digits, scale)
        } else {
            Self(digits * scale, 1.into())
        })
    }

    fn cmp(&self, other: &Self) -> Ordering {
        (&self.0 * &other.1).cmp(&(&other.0 * &self.1))
    }
}

/// The field, which must be there.
fn field<'a>(record: &'a Value, name: &str, place: &str) -> Result<&'a Value, Trouble> {
    let missing = || BadFile(format!("{place}: the field {name} is missing"));
    record.get(name).ok_or_else(missing)
}

/// The field, which must be of the kind that `read` reads.
fn typed<'a, T>(
    record: &'a Value,
    name: &str,
    place: &str,
    kind: &str,
    read: impl Fn(&'a Value) -> Option<T>,
) -> Result<T, Trouble> {
    let value = field(record, name, place)?;
    read(value).ok_or_else(|| BadFile(format!("{place}: the field {name} is {value}, not {kind}")))
}

fn text<'a>(record: &'a Value, name: &str, place: &str) -> Result<&'a str, Trouble> {
    typed(record, name, place, "a string", Value::as_str)
}

fn list<'a>(record: &'a Value, name: &str, place: &str) -> Result<&'a Vec<Value>, Trouble> {
    typed(record, name, place, "an array", Value::as_array)
}

fn object<'a>(record: &'a Value, name: &str, place: &str) -> Result<&'a Parameters, Trouble> {
    typed(record, name, place, "an object", Value::as_object)
}

fn count(record: &Value, name: &str, place: &str) -> Result<usize, Trouble> {
    let read = |value: &Value| value.as_u64().and_then(|count| usize::try_from(count).ok());
    typed(record, name, place, "a count", read)
}

fn exact(record: &Value, name: &str, place: &str) -> Result<Exact, Trouble> {
    typed(record, name, place, "a number in a string", |value| {
        Exact::read(value.as_str()?)
    })
}

fn read(path: &str) -> Result<Value, Trouble> {
    let content =
        std::fs::read_to_string(path).map_err(|error| BadFile(format!("{path}: {error}")))?;
    serde_json::from_str(&content).map_err(|error| BadFile(format!("{path}: {error}")))
}

/// On which side of the enclosure a value lies, and how many of its digits are right.
fn score(value: &Exact, lo: &Exact, hi: &Exact) -> (&'static str, usize) {
    let (side, end) = match (value.cmp(lo), value.cmp(hi)) {
        (Ordering::Less, _) => ("below", lo),
        (_, Ordering::Greater) => ("above", hi),
        _ => return ("inside", usize::MAX),
    };
    // |value - end| / |end|, without their common denominator.
    let mut gap = BigInt::from((&value.0 * &end.1 - &end.0 * &value.1).magnitude().clone());
    let size = BigInt::from((&end.0 * &value.1).magnitude().clone());
    let mut digits = 0;
    while size.sign() == Sign::Plus && digits < 99 {
        gap *= 10;
        if gap > size {
            break;
        }
        digits += 1;
    }
    (side, digits)
}

fn check_value(
    quantity: &str,
    reported: &str,
    case: &Value,
    place: &str,
    options: &Options,
) -> Agreed {
    let value =
        Exact::read(reported).ok_or_else(|| Refuted(format!("{reported} is not a number")))?;
    if case.get("exact").is_some() {
        return match value.cmp(&exact(case, "exact", place)?) {
            Ordering::Equal => Ok(Some("exact")),
            _ => Err(Refuted(format!("{reported}, but it is {}", case["exact"]))),
        };
    }
    let (side, digits) = score(
        &value,
        &exact(case, "lo", place)?,
        &exact(case, "hi", place)?,
    );
    let nearest = value.cmp(&exact(case, "f64", place)?).is_eq();
    let certified: String = text(case, "lo", place)?.chars().take(24).collect();
    let reported: String = reported.chars().take(60).collect();
    let found = format!("{reported}, certified {certified}: {side}, {digits} digits right");
    let bound = BOUNDS.contains(&quantity);
    if bound && side == "below" && (options.strict || (!nearest && digits < options.digits)) {
        return Err(Refuted(format!("{found}, UNSOUND")));
    }
    match side {
        "inside" => Ok(Some("inside")),
        "below" if nearest || digits >= options.digits => Ok(Some("below by rounding")),
        "above" if nearest || digits >= options.digits => Ok(Some("above by rounding")),
        "above" if bound => Ok(Some("conservative")),
        _ => Err(Refuted(found)),
    }
}

fn check_tape(algorithm: &str, test: &Value, library: &impl Library, place: &str) -> Agreed {
    let result = text(test, "result", place)?;
    let (length, hex) = (count(test, "bits", place)?, text(test, "tape", place)?);
    // The first bit is the highest of the first byte.
    let nibbles: Option<Vec<u32>> = hex.chars().map(|digit| digit.to_digit(16)).collect();
    let nibbles = nibbles
        .ok_or_else(|| BadFile(format!("{place}: the field tape is {hex}, not hexadecimal")))?;
    let mut tape: Vec<bool> = nibbles
        .iter()
        .flat_map(|nibble| [3, 2, 1, 0].map(|place| nibble >> place & 1 == 1))
        .collect();
    if length > tape.len() {
        return Err(BadFile(format!(
            "{place}: the tape has fewer than {length} bits"
        )));
    }
    tape.truncate(length);
    if result != "invalid" && !library.same_algorithm() {
        return Ok(None);
    }
    let mut bits = Bits::new(tape, length);
    let Some(found) = library.sample(algorithm, object(test, "parameters", place)?, &mut bits)
    else {
        return Ok(None);
    };
    match (found, result) {
        (Err(_), "ends") if bits.ended => Ok(Some("ended")),
        (Err(_), "invalid") if !bits.ended => Ok(Some("refused")),
        (Ok(sample), "valid") => {
            let due = (
                text(test, "sample", place)?,
                count(test, "consumed", place)?,
            );
            let used = bits.used();
            if (sample.as_str(), used) == due {
                return Ok(Some("sampled"));
            }
            Err(Refuted(format!(
                "returned {sample} after {used} bits; due was {} after {}",
                due.0, due.1
            )))
        }
        (found, _) => {
            let found = found.map_or_else(
                |error| format!("stopped with {error}"),
                |sample| format!("returned {sample}"),
            );
            Err(Refuted(format!(
                "{}: {found}; due was: {}",
                test["parameters"],
                test.get("sample").unwrap_or(&test["result"])
            )))
        }
    }
}

/// A tree, as counts out of 2^depth: of each outcome, and of what is undecided.
#[derive(PartialEq)]
struct Tree {
    lower: BTreeMap<String, u64>,
    undecided: u64,
}

/// Runs `draw` on every tape of `depth` bits; `None` if it offers nothing.
fn explore(
    mut draw: impl FnMut(&mut Bits) -> Option<Result<String, String>>,
    depth: usize,
) -> Result<Option<Tree>, Trouble> {
    let mut tree = Tree {
        lower: BTreeMap::new(),
        undecided: 0,
    };
    let (mut path, mut ended) = (Vec::new(), 0u64);
    loop {
        let prefix = path.len();
        let mut bits = Bits::new(path, depth);
        let Some(found) = draw(&mut bits) else {
            return Ok(None);
        };
        if bits.used < prefix {
            return Err(Refuted(
                "asked for fewer bits on the same tape: it is no function of its bits".to_owned(),
            ));
        }
        if bits.ended {
            // Whatever the sampler made of that.
            tree.undecided += 1;
        } else {
            let found = found.map_err(|error| {
                Refuted(format!("valid parameters, and it stopped with {error}"))
            })?;
            ended += 1;
            // Now and then once more.
            if ended.is_power_of_two() {
                let mut again = Bits::new(bits.tape.clone(), depth);
                if draw(&mut again) != Some(Ok(found.clone())) || again.used != bits.used {
                    return Err(Refuted(
                        "gave another outcome on the same tape: it is no function of its bits"
                            .to_owned(),
                    ));
                }
            }
            *tree.lower.entry(found).or_default() += 1 << (depth - bits.used);
        }
        // The next tape: the last zero becomes a one.
        path = bits.tape;
        while path.last() == Some(&true) {
            path.pop();
        }
        match path.last_mut() {
            Some(last) => *last = true,
            None => return Ok(Some(tree)),
        }
    }
}

/// The first outcome whose certified probability can't be that of a sampler with this tree, with the numbers.
fn contradiction(
    tree: &Tree,
    test: &Value,
    depth: usize,
    place: &str,
) -> Result<Option<String>, Trouble> {
    let total = BigInt::from(1u64 << depth);
    let mut rows = vec![(OTHERS, field(test, "others", place)?)];
    for row in list(test, "outcomes", place)?.iter().rev() {
        rows.push((text(row, "outcome", place)?, row));
    }
    for (name, row) in rows.into_iter().rev() {
        let least = tree.lower.get(name).copied().unwrap_or(0);
        let most = least + tree.undecided;
        let (below, above) = (
            Exact(least.into(), total.clone()),
            Exact(most.into(), total.clone()),
        );
        if below.cmp(&exact(row, "hi", place)?).is_gt()
            || above.cmp(&exact(row, "lo", place)?).is_lt()
        {
            let certified: String = text(row, "lo", place)?.chars().take(24).collect();
            return Ok(Some(format!(
                "outcome {name}: between {least}/{total} and {most}/{total} on all tapes of {depth} bits, but its probability is {certified}"
            )));
        }
    }
    Ok(None)
}

/// The tree that a file has.
fn stored_tree(test: &Value, depth: usize, place: &str) -> Result<Tree, Trouble> {
    let counted = |record: &Value, name: &str| {
        let Exact(p, q) = exact(record, name, place)?;
        u64::try_from((p << depth) / q)
            .map_err(|_| BadFile(format!("{place}: the field {name} is no probability")))
    };
    let mut lower = BTreeMap::new();
    for row in list(test, "outcomes", place)? {
        lower.insert(
            text(row, "outcome", place)?.to_owned(),
            counted(row, "lower")?,
        );
    }
    let undecided = counted(test, "undecided")?;
    let rest = (1u64 << depth).checked_sub(undecided + lower.values().sum::<u64>());
    let rest = rest.ok_or_else(|| {
        BadFile(format!(
            "{place}: the probabilities are more than 1 together"
        ))
    })?;
    lower.insert(OTHERS.to_owned(), rest);
    Ok(Tree { lower, undecided })
}

fn check_tree(
    algorithm: &str,
    test: &Value,
    tests: &[Value],
    library: &impl Library,
    place: &str,
) -> Agreed {
    let depth = count(test, "depth", place)?;
    if depth > DEEPEST {
        return Err(BadFile(format!(
            "{place}: the field depth is {depth}, more than {DEEPEST}"
        )));
    }
    let stored = stored_tree(test, depth, place)?;
    let allowed = contradiction(&stored, test, depth, place)?.is_none();
    if allowed != (text(test, "result", place)? == "consistent") {
        return Err(BadFile(format!(
            "{place}: the field result is not what its own numbers say"
        )));
    }
    if text(test, "planted", place)? != "none" {
        return Ok(None); // the tree of a mistake, which is for comparison
    }
    let parameters = object(test, "parameters", place)?;
    let Some(found) = explore(|bits| library.sample(algorithm, parameters, bits), depth)? else {
        return Ok(None);
    };
    let mut tree = Tree {
        lower: stored.lower.keys().map(|name| (name.clone(), 0)).collect(),
        undecided: found.undecided,
    };
    for (name, mass) in found.lower {
        let name = if tree.lower.contains_key(&name) {
            name
        } else {
            OTHERS.to_owned()
        };
        *tree.lower.entry(name).or_default() += mass;
    }
    if let Some(mut wrong) = contradiction(&tree, test, depth, place)? {
        for other in tests.iter().filter(|other| {
            other["parameters"] == test["parameters"] && other["depth"] == test["depth"]
        }) {
            if stored_tree(other, depth, place)? == tree {
                wrong += &format!(
                    "; this is the tree of the mistake {}",
                    text(other, "planted", place)?
                );
            }
        }
        return Err(Refuted(wrong));
    }
    if library.same_algorithm() && tree != stored {
        return Err(Refuted(format!(
            "its law is not refuted, but its tree of {depth} bits is not that of the algorithm"
        )));
    }
    Ok(Some("consistent"))
}

/// Counts, and what is refuted.
struct Report {
    counts: BTreeMap<(char, &'static str), usize>,
    all: bool,
}

impl Report {
    fn add(&mut self, kind: char, label: &str, agreed: Agreed) -> Result<(), Trouble> {
        let word = match agreed {
            Ok(Some(word)) => {
                if self.all {
                    println!("{kind}  {label}: {word}");
                }
                word
            }
            Ok(None) => "not compared",
            Err(Refuted(why)) => {
                println!("{kind}  {label}: REFUTED: {why}");
                "REFUTED"
            }
            Err(bad) => return Err(bad),
        };
        *self.counts.entry((kind, word)).or_default() += 1;
        Ok(())
    }

    fn check(
        &mut self,
        content: &Value,
        name: &str,
        library: &impl Library,
        options: &Options,
    ) -> Result<(), Trouble> {
        let kind = match text(content, "schema", name)? {
            "certified_values_v1" => 'A',
            "tape_v1" => 'B',
            "tape_tree_v1" => 'C',
            _ => return Ok(()),
        };
        if !options.only.contains(kind) {
            return Ok(());
        }
        if kind == 'A' {
            let (law, parameters) = (
                text(content, "law", name)?,
                object(content, "parameters", name)?,
            );
            for group in list(content, "groups", name)? {
                let (id, quantity) = (text(group, "id", name)?, text(group, "quantity", name)?);
                let place = format!("{name}: {id}");
                for case in list(group, "values", &place)? {
                    let at = object(case, "at", &place)?;
                    let agreed = match library.value(law, parameters, quantity, at) {
                        None => Ok(None),
                        Some(Ok(value)) => check_value(quantity, &value, case, &place, options),
                        Some(Err(error)) => Err(Refuted(format!("stopped with {error}"))),
                    };
                    self.add(kind, &format!("{id} {}", case["at"]), agreed)?;
                }
            }
            return Ok(());
        }
        let (algorithm, tests) = (
            text(content, "algorithm", name)?,
            list(content, "tests", name)?,
        );
        for test in tests {
            let id = text(test, "id", name)?;
            let place = format!("{name}: {id}");
            let agreed = match kind {
                'B' => check_tape(algorithm, test, library, &place),
                _ => check_tree(algorithm, test, tests, library, &place),
            };
            self.add(kind, id, agreed)?;
        }
        Ok(())
    }
}

struct Options {
    only: String,
    digits: usize,
    strict: bool,
    all: bool,
}

fn options(arguments: &[String]) -> Result<(&str, Options), String> {
    let mut options = Options {
        only: "ABC".to_owned(),
        digits: 10,
        strict: false,
        all: false,
    };
    let mut folders = Vec::new();
    for argument in arguments {
        match argument.split_once('=').unwrap_or((argument, "")) {
            ("--strict", "") => options.strict = true,
            ("--all", "") => options.all = true,
            ("--only", value) if value.split(',').all(|kind| ["A", "B", "C"].contains(&kind)) => {
                options.only = value.to_owned()
            }
            ("--digits", value) if value.parse().is_ok_and(|digits| (1..=50).contains(&digits)) => {
                options.digits = value.parse().unwrap_or_default();
            }
            (folder, "") if !folder.starts_with("--") => folders.push(folder.to_owned()),
            _ => {
                return Err(format!(
                    "{argument} is no option; --only takes A, B and C, --digits an integer from 1 to 50"
                ));
            }
        }
    }
    match arguments
        .iter()
        .find(|argument| !argument.starts_with("--"))
    {
        Some(folder) if folders.len() == 1 => Ok((folder, options)),
        _ => Err("usage: VECTORS [--only=A,B,C] [--digits=N] [--strict] [--all]".to_owned()),
    }
}

fn check(arguments: &[String], library: &impl Library) -> Result<ExitCode, String> {
    let (folder, options) = options(arguments)?;
    let mut report = Report {
        counts: BTreeMap::new(),
        all: options.all,
    };
    let mut check_files = || {
        let path = format!("{folder}/MANIFEST.json");
        let manifest = read(&path)?;
        for entry in list(&manifest, "files", &path)? {
            let name = text(entry, "path", &path)?;
            report.check(&read(&format!("{folder}/{name}"))?, name, library, &options)?;
        }
        Ok(())
    };
    check_files().map_err(|trouble| match trouble {
        Refuted(why) | BadFile(why) => why,
    })?;
    for ((kind, word), count) in &report.counts {
        println!("{kind}  {count} {word}");
    }
    let all = |words: fn(&str) -> bool| -> usize {
        report
            .counts
            .iter()
            .filter(|((_, word), _)| words(word))
            .map(|(_, count)| count)
            .sum()
    };
    let (compared, refuted) = (
        all(|word| word != "not compared"),
        all(|word| word == "REFUTED"),
    );
    if compared == 0 {
        return Err("nothing could be compared: the library offers nothing".to_owned());
    }
    if refuted > 0 {
        println!("REFUTED: {refuted} of {compared} cases");
        return Ok(ExitCode::from(1));
    }
    println!("agreed: {compared} cases");
    Ok(ExitCode::SUCCESS)
}

/// Checks the library with the arguments of the command, and prints what is found.
pub fn main(arguments: &[String], library: &impl Library) -> ExitCode {
    check(arguments, library).unwrap_or_else(|error| {
        eprintln!("check: {error}");
        ExitCode::from(2)
    })
}
