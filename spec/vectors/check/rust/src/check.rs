//! Checks a library against the vectors of dp-assay: copy this file. It needs `num-bigint` and `serde_json`.
//!
//! Implement [`Library`], and call [`main`] from yours: `cargo run -- VECTORS [--only=A,B,C,F] [--digits=N] [--strict]
//! [--sharp] [--bug=WORD] [--all]`.
//! `VECTORS` is the folder that has MANIFEST.json. What is checked:
//!
//! - A, values. How many digits are right, and on which side of the certified enclosure the value lies. It must be the nearest
//!   double, or have `--digits` correct digits (10). A delta may have fewer if it is above: that is conservative, and
//!   below is UNSOUND. With `--strict` no delta may be below, by however little.
//! - B, tapes. The sample, and how many bits it took; parameters that must be refused. Samples for the same algorithm only.
//! - C, tape trees, for every sampler that takes its coins from outside: an exact test, without a p-value. The sampler runs
//!   on every tape of so many bits. What it returned on the way has at least that probability, and at most that and what is
//!   undecided. One that takes more bits at once than a tape has is undecided. The same algorithm must also give the same tree.
//! - F, accounts: what private steps cost together. The truth lies between two certified ends. What is below the lower end is
//!   UNSOUND, unless `--digits` digits are right; what is above the upper end is conservative, and the last lines say by how
//!   much. It is loose if it is no less than an accountant with the mistake of the case would say: with `--sharp` that is
//!   refused. With `--bug` the cases for this mistake alone are checked.
//!
//! Exit status: 0 all agreed, 1 something is refuted, 2 anything else: usage, bad files, nothing that could be checked. The
//! last line says it: "agreed: 5 cases". A library that ends the process (`std::process::exit`) can't be held back: no such
//! line comes then, whatever the status. (The hashes of the manifest are left to check.py and check.mjs.)

use num_bigint::{BigInt, Sign};
use serde_json::Value;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// The library that is checked. `None` is what it does not offer; an error is a refusal of parameters that make no sense.
pub trait Library {
    /// Whether its sampler is that of algorithms.md bit for bit.
    fn same_algorithm(&self) -> bool {
        false
    }

    /// A number: an integer, a fraction `p/q`, a decimal `1.25e-7`, or a double by [`double`].
    fn value(&self, _: &str, _: &Parameters, _quantity: &str, _at: &Parameters) -> Answer {
        None
    }

    /// An upper bound of epsilon at a delta, or of delta at an epsilon, written as a value is; or `inf`.
    fn account(&self, _: &str, _: &Parameters, _quantity: &str, _at: &Parameters) -> Answer {
        None
    }

    /// One draw by the algorithm of this name: an integer, `true` or `false`. Every coin comes from `bits`.
    fn sample(&self, _: &str, _: &Parameters, _bits: &mut Bits) -> Answer {
        None
    }
}

/// What a library says: nothing, a number or an outcome, or why it refuses.
pub type Answer = Option<Result<String, String>>;

/// Parameters, or the arguments of a value: names, and integers `3`, fractions `3/2` or lists of them.
pub type Parameters = BTreeMap<String, Value>;

/// A double as [`Library::value`] returns it, exactly: every double has at most 1074 places.
#[allow(dead_code)]
#[must_use]
pub fn double(x: f64) -> String {
    format!("{x:.1074}")
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
        let (used, ended) = (0, false);
        Self {
            tape,
            length,
            used,
            ended,
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
    #[allow(dead_code)]
    #[must_use]
    pub fn used(&self) -> usize {
        self.used
    }
}

/// Quantities that promise privacy: too small a value is unsound.
const BOUNDS: [&str; 2] = ["profile", "delta"];
const QUANTITIES: [&str; 9] = [
    "profile", "delta", "pmf", "cdf", "tail", "mean", "variance", "quantile", "release",
];
const SCHEMAS: [&str; 6] = [
    "certified_values_v1",
    "tape_v1",
    "tape_tree_v1",
    "accumulated_v1",
    "self_test_v1",
    "account_v1",
];
const OTHERS: &str = "all other outcomes";

/// A tree is of at most 2^24 runs.
const DEEPEST: u64 = 24;
/// Exponents go so far.
const FARTHEST: i64 = 10_000;
/// A number has at most so many characters.
const LONGEST: usize = 40_000;
/// A file has at most so many bytes.
const MOST_BYTES: u64 = 1 << 26;

// Numbers, read within bounds.

/// An exact number, as it is written: numerator, and denominator above 0, not in lowest terms.
struct Exact {
    written: String,
    numerator: BigInt,
    denominator: BigInt,
}

impl Exact {
    /// Reads an integer, `p/q`, a decimal `1.5e-40` or a double `0x1.8p-3`. The error says what the text is instead.
    fn read(text: &str) -> Result<Self, String> {
        if text.len() > LONGEST {
            return Err(format!(
                "a text of {} characters, and may have {LONGEST}",
                text.len()
            ));
        }
        let read = match text.split_once('/') {
            Some((p, q)) => integer(p)
                .zip(digits(q, 10))
                .filter(|(_, q)| q.sign() == Sign::Plus),
            None => scaled(text)?,
        };
        let (numerator, denominator) =
            read.ok_or_else(|| format!("{}, not a number", shortened(text)))?;
        Ok(Self {
            written: text.to_owned(),
            numerator,
            denominator,
        })
    }

    fn cmp(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }

    /// The quotient by a number above 0, to six digits and for reading.
    fn over(&self, other: &Self) -> f64 {
        let million = BigInt::from(1_000_000);
        let quotient =
            &self.numerator * &other.denominator * million / (&self.denominator * &other.numerator);
        quotient.to_string().parse().unwrap_or(f64::INFINITY) / 1e6
    }

    fn probability(count: u64, depth: u64) -> Self {
        let total = 1u64 << depth;
        let written = format!("{count}/{total} = {:.6}", count as f64 / total as f64);
        Self {
            written,
            numerator: count.into(),
            denominator: total.into(),
        }
    }

    /// For reading.
    fn shown(&self) -> String {
        if self.written.len() > 40 && self.written.contains('/') {
            // 17 digits or so, and a power of ten.
            let length = |n: &BigInt| n.magnitude().to_string().len() as i64;
            let places = 17 + length(&self.denominator) - length(&self.numerator);
            let ten = BigInt::from(10).pow(u32::try_from(places.unsigned_abs()).unwrap_or(0));
            let digits = match places {
                0.. => &self.numerator * ten / &self.denominator,
                _ => &self.numerator / ten / &self.denominator,
            };
            return format!("{digits}e{}", -places);
        }
        let (digits, power) = self
            .written
            .split_at(self.written.find('e').unwrap_or(self.written.len()));
        let whole = digits.find('.').unwrap_or(digits.len());
        let all = digits.chars().take(whole.max(16)).chain(power.chars());
        all.take(80).collect()
    }
}

/// Digits alone, without a sign.
fn digits(text: &str, radix: u32) -> Option<BigInt> {
    let all = !text.is_empty() && text.chars().all(|c| c.is_digit(radix));
    all.then(|| BigInt::parse_bytes(text.as_bytes(), radix))?
}

fn integer(text: &str) -> Option<BigInt> {
    match text.strip_prefix('-') {
        Some(rest) => digits(rest, 10).map(|size| -size),
        None => digits(text.strip_prefix('+').unwrap_or(text), 10),
    }
}

/// A decimal, or a double in hexadecimal: nothing where it is neither, an error where its exponent is too far.
fn scaled(text: &str) -> Result<Option<(BigInt, BigInt)>, String> {
    let (is_negative, size) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (size, radix, base, places, mark) = match size.strip_prefix("0x") {
        Some(rest) => (rest, 16, 2u32, 4, 'p'),
        None => (size, 10, 10, 1, 'e'),
    };
    let (mantissa, power) = size
        .split_once([mark, mark.to_ascii_uppercase()])
        .unwrap_or((size, "0"));
    let (whole, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let Some(mantissa) = digits(&format!("{whole}{rest}"), radix) else {
        return Ok(None);
    };
    let Some(power) = integer(power) else {
        return Ok(None);
    };
    let power = i64::try_from(power).unwrap_or(i64::MAX);
    if !(-FARTHEST..=FARTHEST).contains(&power) {
        return Err(format!(
            "{}, whose exponent is beyond {FARTHEST}",
            shortened(text)
        ));
    }
    let power = power - rest.len() as i64 * places;
    let scale = BigInt::from(base).pow(u32::try_from(power.unsigned_abs()).unwrap_or(u32::MAX));
    let mantissa = if is_negative { -mantissa } else { mantissa };
    Ok(Some(if power < 0 {
        (mantissa, scale)
    } else {
        (mantissa * scale, 1.into())
    }))
}

/// A text in quotes, in one short line.
fn shortened(text: &str) -> String {
    let whole = format!("{text:?}");
    match whole.chars().count() {
        0..=80 => whole,
        count => {
            let start: String = whole.chars().take(60).collect();
            format!("{start}... ({count} characters)")
        }
    }
}

// Files. All are read and judged before the library is called. What they have beside this is for readers.

/// A record of a file, and where it is.
struct Record<'a> {
    value: &'a Value,
    place: String,
}

impl<'a> Record<'a> {
    fn of(value: &'a Value, place: impl Into<String>) -> Self {
        let place = place.into();
        Self { value, place }
    }

    fn wrong(&self, name: &str, what: impl std::fmt::Display) -> String {
        format!("{}: the field {name} is {what}", self.place)
    }

    /// A field, read as `kind` says.
    fn field<T>(
        &self,
        name: &str,
        kind: &str,
        read: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<T, String> {
        let found = self.value.get(name);
        let found = found.ok_or_else(|| self.wrong(name, "missing"))?;
        read(found).ok_or_else(|| {
            let written = match found {
                Value::Array(_) => "a list".to_owned(),
                Value::Object(_) => "an object".to_owned(),
                Value::String(text) => shortened(text),
                short => short.to_string(),
            };
            self.wrong(name, format!("{written}, not {kind}"))
        })
    }

    fn text(&self, name: &str) -> Result<String, String> {
        self.field(name, "a text", |value| value.as_str().map(str::to_owned))
    }

    /// One of these words.
    fn word(&self, name: &str, words: &[&'static str]) -> Result<&'static str, String> {
        self.field(name, &format!("one of {}", words.join(", ")), |value| {
            let text = value.as_str()?;
            words.iter().copied().find(|word| *word == text)
        })
    }

    /// An integer from 0 to `most`.
    fn count(&self, name: &str, most: u64) -> Result<u64, String> {
        self.field(name, &format!("an integer from 0 to {most}"), |value| {
            value.as_u64().filter(|count| *count <= most)
        })
    }

    fn exact(&self, name: &str) -> Result<Exact, String> {
        Exact::read(&self.text(name)?).map_err(|what| self.wrong(name, what))
    }

    fn enclosure(&self) -> Result<Enclosure, String> {
        let (lo, hi) = (self.exact("lo")?, self.exact("hi")?);
        match lo.cmp(&hi) {
            Ordering::Greater => Err(self.wrong("lo", "above the field hi")),
            _ => Ok(Enclosure { lo, hi }),
        }
    }

    fn parameters(&self, name: &str) -> Result<Parameters, String> {
        self.field(name, "an object", |value| {
            let fields = value.as_object()?.iter();
            Some(
                fields
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect(),
            )
        })
    }

    /// The entries of a list, which must not be empty, with their place.
    fn entries(&self, name: &str) -> Result<Vec<Record<'a>>, String> {
        let list = self.field(name, "a list", Value::as_array)?;
        if list.is_empty() {
            return Err(self.wrong(name, "empty"));
        }
        Ok(list
            .iter()
            .map(|value| Record::of(value, self.place.clone()))
            .collect())
    }

    /// The same, and by its `id` from now on.
    fn named(self) -> Result<(String, Self), String> {
        let id = self.text("id")?;
        let place = format!("{}: {id}", self.place);
        Ok((id, Record::of(self.value, place)))
    }
}

struct Enclosure {
    lo: Exact,
    hi: Exact,
}

/// A case, and what it is called.
struct Case {
    label: String,
    test: Test,
}

enum Test {
    Value(Box<ValueTest>),
    Tape(TapeTest),
    Tree(TreeTest),
    Account(Box<AccountTest>),
}

/// Two ends of what private steps cost, and what an accountant with the mistake of the case says.
struct AccountTest {
    law: String,
    parameters: Parameters,
    quantity: &'static str,
    at: Parameters,
    certified: Enclosure,
    bug: String,
    mistaken: Exact,
    is_loose: bool,
}

struct ValueTest {
    law: String,
    parameters: Parameters,
    quantity: &'static str,
    at: Parameters,
    certified: Certified,
}

/// An integer is exact; a real number is enclosed, with the double that is nearest to it.
enum Certified {
    Integer(Exact),
    Real(Enclosure, Exact),
}

struct TapeTest {
    algorithm: String,
    parameters: Parameters,
    tape: Vec<bool>,
    due: Due,
}

/// What must come of a tape.
#[derive(Debug, PartialEq)]
enum Due {
    Sample(String, usize),
    Invalid,
    Ends,
}

/// All tapes to a depth, beside the law.
struct TreeTest {
    algorithm: String,
    parameters: Parameters,
    depth: u64,
    planted: String,
    law: Vec<(String, Enclosure)>,
    stored: Tree,
}

/// A tree, as counts out of 2^depth: of each outcome, and of what is undecided.
#[derive(PartialEq)]
struct Tree {
    lower: BTreeMap<String, u64>,
    undecided: u64,
}

/// The cases of a file of these classes.
fn cases(name: &str, content: &Value) -> Result<Vec<Case>, String> {
    let file = Record::of(content, name);
    let schema = file.word("schema", &SCHEMAS)?;
    let mut found = Vec::new();
    match schema {
        "certified_values_v1" => {
            let (law, parameters) = (file.text("law")?, file.parameters("parameters")?);
            for group in file.entries("groups")? {
                let (id, group) = group.named()?;
                let quantity = group.word("quantity", &QUANTITIES)?;
                for case in group.entries("values")? {
                    let at = case.parameters("at")?;
                    let places: String = at
                        .iter()
                        .map(|(name, value)| {
                            format!(" {name}={}", value.as_str().unwrap_or_default())
                        })
                        .collect();
                    let label = format!("{id}{places}");
                    let case = Record::of(case.value, format!("{name}: {label}"));
                    let certified = match case.value.get("exact") {
                        Some(_) => Certified::Integer(case.exact("exact")?),
                        None => Certified::Real(case.enclosure()?, case.exact("f64")?),
                    };
                    let test = Test::Value(Box::new(ValueTest {
                        law: law.clone(),
                        parameters: parameters.clone(),
                        quantity,
                        at,
                        certified,
                    }));
                    found.push(Case { label, test });
                }
            }
        }
        "tape_v1" | "tape_tree_v1" => {
            let algorithm = file.text("algorithm")?;
            for test in file.entries("tests")? {
                let (label, test) = test.named()?;
                let test = match schema {
                    "tape_v1" => Test::Tape(tape(&algorithm, &test)?),
                    _ => Test::Tree(tree(&algorithm, &test)?),
                };
                found.push(Case { label, test });
            }
        }
        "account_v1" => {
            let law = file.text("law")?;
            let quantity = file.word("quantity", &["epsilon", "delta"])?;
            for test in file.entries("tests")? {
                let (label, test) = test.named()?;
                let test = Test::Account(Box::new(account(&law, quantity, &test)?));
                found.push(Case { label, test });
            }
        }
        _ => {}
    }
    Ok(found)
}

fn account(law: &str, quantity: &'static str, test: &Record) -> Result<AccountTest, String> {
    let certified = test.enclosure()?;
    if certified.lo.numerator.sign() != Sign::Plus {
        return Err(test.wrong("lo", "not above 0"));
    }
    let mistaken = test.exact("mistaken")?;
    let is_loose = test.word("effect", &["unsound", "loose"])? == "loose";
    let is_right = match is_loose {
        true => mistaken.cmp(&certified.hi).is_gt(),
        false => mistaken.cmp(&certified.lo).is_lt(),
    };
    if !is_right {
        return Err(test.wrong("mistaken", "not what the field effect says"));
    }
    Ok(AccountTest {
        law: law.to_owned(),
        parameters: test.parameters("parameters")?,
        quantity,
        at: test.parameters("at")?,
        certified,
        bug: test.text("bug")?,
        mistaken,
        is_loose,
    })
}

fn tape(algorithm: &str, test: &Record) -> Result<TapeTest, String> {
    // The first bit is the highest of the first byte.
    let bit = |nibble: u32| [3, 2, 1, 0].map(|place| nibble >> place & 1 == 1);
    let mut tape: Vec<bool> = test.field("tape", "hexadecimal", |value| {
        let text = value.as_str().filter(|text| text.len() % 2 == 0)?;
        let nibbles: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
        Some(nibbles?.into_iter().flat_map(bit).collect())
    })?;
    let length = test.count("bits", tape.len() as u64)?;
    tape.truncate(length as usize);
    let due = match test.word("result", &["valid", "invalid", "ends"])? {
        "invalid" => Due::Invalid,
        "ends" => Due::Ends,
        _ => Due::Sample(
            test.text("sample")?,
            test.count("consumed", length)? as usize,
        ),
    };
    Ok(TapeTest {
        algorithm: algorithm.to_owned(),
        parameters: test.parameters("parameters")?,
        tape,
        due,
    })
}

fn tree(algorithm: &str, test: &Record) -> Result<TreeTest, String> {
    let depth = test.count("depth", DEEPEST)?;
    let total = 1u64 << depth;
    let counted = |record: &Record, name: &str| {
        let p = record.exact(name)?;
        let whole = &p.numerator << depth;
        let count = u64::try_from(&whole / &p.denominator).ok();
        count
            .filter(|count| *count <= total && BigInt::from(*count) * &p.denominator == whole)
            .ok_or_else(|| record.wrong(name, format!("no probability of tapes of {depth} bits")))
    };
    let (mut law, mut lower) = (Vec::new(), BTreeMap::new());
    for row in test.entries("outcomes")? {
        let outcome = row.text("outcome")?;
        lower.insert(outcome.clone(), counted(&row, "lower")?);
        law.push((outcome, row.enclosure()?));
    }
    let others = test.field("others", "an object", |value| {
        value.is_object().then_some(value)
    })?;
    law.push((
        OTHERS.to_owned(),
        Record::of(others, test.place.clone()).enclosure()?,
    ));
    let undecided = counted(test, "undecided")?;
    let rest = total.checked_sub(undecided + lower.values().sum::<u64>());
    let rest = rest.ok_or_else(|| test.wrong("undecided", "above 1, with all fields lower"))?;
    lower.insert(OTHERS.to_owned(), rest);
    let found = TreeTest {
        algorithm: algorithm.to_owned(),
        parameters: test.parameters("parameters")?,
        depth,
        planted: test.text("planted")?,
        law,
        stored: Tree { lower, undecided },
    };
    let is_consistent = test.word("result", &["consistent", "refuted"])? == "consistent";
    if found.contradiction(&found.stored).is_none() != is_consistent {
        return Err(test.wrong("result", "not what its own numbers say"));
    }
    Ok(found)
}

fn read(path: &str) -> Result<Value, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("{path}: {error}");
    let is_file = std::fs::metadata(path).map_err(|error| wrong(&error))?;
    if !is_file.is_file() {
        return Err(wrong(&"it is no file"));
    }
    let file = std::fs::File::open(path).map_err(|error| wrong(&error))?;
    let mut content = Vec::new();
    file.take(MOST_BYTES + 1)
        .read_to_end(&mut content)
        .map_err(|error| wrong(&error))?;
    if content.len() as u64 > MOST_BYTES {
        return Err(wrong(&format!("it has more than {MOST_BYTES} bytes")));
    }
    serde_json::from_slice(&content).map_err(|error| wrong(&error))
}

/// The cases in the files that the manifest lists.
fn load(folder: &str) -> Result<Vec<Case>, String> {
    let path = format!("{folder}/MANIFEST.json");
    let manifest = read(&path)?;
    let mut found = Vec::new();
    for entry in Record::of(&manifest, path).entries("files")? {
        let name = entry.field("path", "a path below the folder", |value| {
            let is_plain =
                |part: &str| !part.is_empty() && part != ".." && !part.contains(['\\', ':']);
            value.as_str().filter(|name| name.split('/').all(is_plain))
        })?;
        found.extend(cases(name, &read(&format!("{folder}/{name}"))?)?);
    }
    Ok(found)
}

/// How a case agrees, in a word.
enum Word {
    Agreed(&'static str),
    NotCompared,
    Refuted(String),
}
use Word::{Agreed, NotCompared, Refuted};

/// What the library says. A panic is no answer, and no refusal.
fn asked(ask: impl FnOnce() -> Answer) -> Result<Answer, Word> {
    catch_unwind(AssertUnwindSafe(ask)).map_err(|_| Refuted("it panicked".to_owned()))
}

// A: values.

/// On which side of the enclosure a value lies, and how many of its digits are right.
fn score(value: &Exact, certified: &Enclosure) -> (&'static str, usize) {
    let (side, end) = match (value.cmp(&certified.lo), value.cmp(&certified.hi)) {
        (Ordering::Less, _) => ("below", &certified.lo),
        (_, Ordering::Greater) => ("above", &certified.hi),
        _ => return ("inside", usize::MAX),
    };
    // |value - end| and |end|, without their common denominator.
    let (ours, theirs) = (
        &value.numerator * &end.denominator,
        &end.numerator * &value.denominator,
    );
    let (mut gap, size) = ((ours - &theirs).magnitude().clone(), theirs.magnitude());
    let mut digits = 0;
    while digits < 99 && gap.clone() * 10u32 <= *size {
        gap *= 10u32;
        digits += 1;
    }
    (side, digits)
}

impl ValueTest {
    fn check(&self, library: &impl Library, options: &Options) -> Word {
        let Self {
            law,
            parameters,
            quantity,
            at,
            ..
        } = self;
        let value = match asked(|| library.value(law, parameters, quantity, at)) {
            Err(word) => return word,
            Ok(None) => return NotCompared,
            Ok(Some(Err(error))) => return Refuted(format!("stopped with {error}")),
            Ok(Some(Ok(text))) => match Exact::read(&text) {
                Err(what) => return Refuted(what),
                Ok(value) => value,
            },
        };
        let (certified, double) = match &self.certified {
            Certified::Integer(exact) => {
                return match value.cmp(exact) {
                    Ordering::Equal => Agreed("exact"),
                    _ => Refuted(format!("{}, but it is {}", value.shown(), exact.shown())),
                };
            }
            Certified::Real(certified, double) => (certified, double),
        };
        let (side, digits) = score(&value, certified);
        let bound = BOUNDS.contains(quantity);
        let close = value.cmp(double).is_eq() || digits >= options.digits;
        let unsound = bound && side == "below" && (options.strict || !close);
        match side {
            "inside" => Agreed(side),
            "below" if close && !unsound => Agreed("below by rounding"),
            "above" if close => Agreed("above by rounding"),
            "above" if bound => Agreed("conservative"),
            _ => Refuted(format!(
                "{}, certified {}: {side}, {digits} digits right{}",
                value.shown(),
                certified.lo.shown(),
                if unsound { ", UNSOUND" } else { "" }
            )),
        }
    }
}

// B: tapes.

impl TapeTest {
    fn check(&self, library: &impl Library) -> Word {
        if self.due != Due::Invalid && !library.same_algorithm() {
            return NotCompared;
        }
        let mut bits = Bits::new(self.tape.clone(), self.tape.len());
        let found = match asked(|| library.sample(&self.algorithm, &self.parameters, &mut bits)) {
            Err(word) => return word,
            Ok(None) => return NotCompared,
            Ok(Some(found)) => found,
        };
        match (&found, &self.due) {
            (Err(_), Due::Ends) if bits.ended => Agreed("ended"),
            (Err(_), Due::Invalid) if !bits.ended => Agreed("refused"),
            (Ok(sample), Due::Sample(due, consumed)) if sample == due && bits.used == *consumed => {
                Agreed("sampled")
            }
            (found, due) => Refuted(format!(
                "{found:?} after {} bits; due was {due:?}",
                bits.used
            )),
        }
    }
}

// C: tape trees.

/// Runs `draw` on every tape of `depth` bits.
fn explore(draw: impl Fn(&mut Bits) -> Answer, depth: u64) -> Result<Tree, Word> {
    let no_function = |how| {
        Refuted(format!(
            "{how} on the same tape: it is no function of its bits"
        ))
    };
    let (mut lower, mut undecided, mut ended) = (BTreeMap::new(), 0, 0u64);
    let (mut path, depth) = (Vec::new(), depth as usize);
    loop {
        let prefix = path.len();
        let mut bits = Bits::new(path, depth);
        let found = asked(|| draw(&mut bits))?;
        if bits.used < prefix {
            return Err(no_function("asked for fewer bits"));
        }
        if bits.ended {
            // Whatever the sampler made of that.
            undecided += 1;
        } else {
            let stopped = |error| Refuted(format!("valid parameters, and it stopped with {error}"));
            let found = found.ok_or(NotCompared)?.map_err(stopped)?;
            ended += 1;
            // Now and then once more.
            if ended.is_power_of_two() {
                let mut again = Bits::new(bits.tape.clone(), depth);
                if asked(|| draw(&mut again))? != Some(Ok(found.clone())) || again.used != bits.used
                {
                    return Err(no_function("gave another outcome"));
                }
            }
            *lower.entry(found).or_default() += 1 << (depth - bits.used);
        }
        // The next tape: the last zero becomes a one.
        path = bits.tape;
        while path.last() == Some(&true) {
            path.pop();
        }
        match path.last_mut() {
            Some(last) => *last = true,
            None => return Ok(Tree { lower, undecided }),
        }
    }
}

impl TreeTest {
    /// The first outcome whose certified probability can't be that of a sampler with this tree, with the numbers.
    fn contradiction(&self, tree: &Tree) -> Option<String> {
        self.law.iter().find_map(|(name, certified)| {
            let count = tree.lower.get(name).copied().unwrap_or(0);
            let least = Exact::probability(count, self.depth);
            let most = Exact::probability(count + tree.undecided, self.depth);
            let wrong = least.cmp(&certified.hi).is_gt() || most.cmp(&certified.lo).is_lt();
            wrong.then(|| format!(
                "outcome {name}: between {} and {} on all tapes of {} bits, but its probability is {}",
                least.written, most.written, self.depth, certified.lo.shown()
            ))
        })
    }

    fn check(&self, all: &[Case], library: &impl Library) -> Word {
        if self.planted != "none" {
            return Agreed("planted"); // the tree of a mistake, which the rule refuted when the file was read
        }
        let draw = |bits: &mut Bits| library.sample(&self.algorithm, &self.parameters, bits);
        let found = match explore(draw, self.depth) {
            Ok(found) => found,
            Err(word) => return word,
        };
        let lower = self.stored.lower.keys();
        let mut tree = Tree {
            lower: lower.map(|name| (name.clone(), 0)).collect(),
            undecided: found.undecided,
        };
        for (name, count) in found.lower {
            let name = if tree.lower.contains_key(&name) {
                &name
            } else {
                OTHERS
            };
            *tree.lower.entry(name.to_owned()).or_default() += count;
        }
        if let Some(mut wrong) = self.contradiction(&tree) {
            for case in all {
                if let Test::Tree(other) = &case.test
                    && other.algorithm == self.algorithm
                    && other.parameters == self.parameters
                    && other.depth == self.depth
                    && other.stored == tree
                {
                    wrong += &format!("; this is the tree of the mistake {}", other.planted);
                }
            }
            return Refuted(wrong);
        }
        if library.same_algorithm() && tree != self.stored {
            let wrong = "its law is not refuted, but its tree is not that of the algorithm";
            return Refuted(wrong.to_owned());
        }
        let all = tree.undecided == 1 << self.depth;
        Agreed(if all { "undecided" } else { "consistent" })
    }
}

// F: accounts.

impl AccountTest {
    /// A word for where an upper bound lies, and by what factor it is above the upper end, if it is.
    fn check(&self, library: &impl Library, options: &Options) -> (Word, Option<f64>) {
        let Self {
            law,
            parameters,
            quantity,
            at,
            certified,
            bug,
            mistaken,
            is_loose,
        } = self;
        let value = match asked(|| library.account(law, parameters, quantity, at)) {
            Err(word) => return (word, None),
            Ok(None) => return (NotCompared, None),
            Ok(Some(Err(error))) => return (Refuted(format!("stopped with {error}")), None),
            Ok(Some(Ok(text))) if text == "inf" => return (Agreed("infinite"), None),
            Ok(Some(Ok(text))) => match Exact::read(&text) {
                Err(what) => return (Refuted(what), None),
                Ok(value) => value,
            },
        };
        let refuted = |word| {
            Refuted(format!(
                "{}, certified from {} to {}: {word}; the mistake {bug} gives {}",
                value.shown(),
                certified.lo.shown(),
                certified.hi.shown(),
                mistaken.shown()
            ))
        };
        let (side, digits) = score(&value, certified);
        let is_mistaken = *is_loose && value.cmp(mistaken).is_ge();
        match side {
            "inside" => (Agreed(side), None),
            "below" if options.strict || digits < options.digits => (refuted("UNSOUND"), None),
            "below" => (Agreed("below by rounding"), None),
            _ => {
                let word = match is_mistaken {
                    true if options.sharp => refuted("loose"),
                    true => Agreed("loose"),
                    false => Agreed("conservative"),
                };
                (word, Some(value.over(&certified.hi)))
            }
        }
    }
}

// What was found.

/// Where it is printed, and what is counted.
struct Report<'a> {
    options: Options,
    out: &'a mut dyn Write,
    counts: BTreeMap<char, BTreeMap<&'static str, usize>>,
    refuted: Vec<String>,
    /// By what factors values of class F are above their upper ends, and of which case.
    above: Vec<(f64, String)>,
}

impl Report<'_> {
    /// Prints a line. Whoever reads may have had enough: then there is no verdict.
    fn say(&mut self, line: &str) -> Result<(), String> {
        writeln!(self.out, "{line}")
            .map_err(|error| format!("what it prints is not read to the end ({error})"))
    }

    fn add(&mut self, kind: char, label: &str, word: Word) -> Result<(), String> {
        let word = match word {
            Agreed(word) => {
                if self.options.all {
                    self.say(&format!("{kind}  {label}: {word}"))?;
                }
                word
            }
            NotCompared => "not compared",
            Refuted(why) => {
                let line = format!("{kind}  {label}: REFUTED: {why}");
                self.say(&line)?;
                self.refuted.push(line);
                "REFUTED"
            }
        };
        *self
            .counts
            .entry(kind)
            .or_default()
            .entry(word)
            .or_default() += 1;
        Ok(())
    }

    fn check(&mut self, cases: &[Case], library: &impl Library) -> Result<(), String> {
        for Case { label, test } in cases {
            let kind = match test {
                Test::Value(_) => 'A',
                Test::Tape(_) => 'B',
                Test::Tree(_) => 'C',
                Test::Account(_) => 'F',
            };
            if self.options.only.contains(kind) {
                let word = match test {
                    Test::Value(test) => test.check(library, &self.options),
                    Test::Tape(test) => test.check(library),
                    Test::Tree(test) => test.check(cases, library),
                    Test::Account(test) => {
                        let (word, factor) = test.check(library, &self.options);
                        self.above
                            .extend(factor.map(|factor| (factor, label.clone())));
                        word
                    }
                };
                self.add(kind, label, word)?;
            }
        }
        Ok(())
    }

    /// Prints the counts, and the verdict at the end.
    fn summary(&mut self) -> Result<(), String> {
        let mut compared = 0;
        for (kind, counts) in std::mem::take(&mut self.counts) {
            let count = |(word, count): (&&str, &usize)| match *word {
                "not compared" | "planted" | "undecided" => 0,
                _ => *count,
            };
            let of_kind: usize = counts.iter().map(count).sum();
            compared += of_kind;
            let words: Vec<String> = counts
                .iter()
                .map(|(word, count)| format!("{count} {word}"))
                .collect();
            let all: usize = counts.values().sum();
            let words = words.join(", ");
            self.say(&format!("{kind}  {of_kind} of {all} compared: {words}"))?;
        }
        self.above
            .sort_by(|(one, _), (other, _)| one.total_cmp(other));
        if let Some((most, label)) = self.above.last() {
            let (half, _) = self.above[(self.above.len() - 1) / 2];
            self.say(&format!(
                "F  above the upper end: half of {} by at most the factor {half}, all by at most {most} ({label})",
                self.above.len()
            ))?;
        }
        match (self.refuted.len(), compared) {
            (_, 0) => Err("nothing could be compared: the library offers nothing".to_owned()),
            (0, compared) => self.say(&format!("agreed: {compared} cases")),
            (refuted, compared) => self.say(&format!("REFUTED: {refuted} of {compared} cases")),
        }
    }
}

struct Options {
    only: String,
    digits: usize,
    strict: bool,
    sharp: bool,
    bug: Option<String>,
    all: bool,
}

/// The classes that are checked.
const KINDS: [&str; 4] = ["A", "B", "C", "F"];

/// What follows the name of the program.
pub const USAGE: &str =
    "VECTORS [--only=A,B,C,F] [--digits=N] [--strict] [--sharp] [--bug=WORD] [--all]";

fn options(arguments: &[String]) -> Result<(String, Options), String> {
    let mut options = Options {
        only: "A,B,C,F".to_owned(),
        digits: 10,
        strict: false,
        sharp: false,
        bug: None,
        all: false,
    };
    let mut folders = Vec::new();
    for argument in arguments {
        match argument.split_once('=').unwrap_or((argument, "")) {
            ("--strict", "") => options.strict = true,
            ("--sharp", "") => options.sharp = true,
            ("--all", "") => options.all = true,
            ("--bug", word) if !word.is_empty() => options.bug = Some(word.to_owned()),
            ("--only", kinds) if kinds.split(',').all(|kind| KINDS.contains(&kind)) => {
                options.only = kinds.to_owned();
            }
            ("--digits", digits)
                if digits
                    .parse()
                    .is_ok_and(|digits| (1..=50).contains(&digits)) =>
            {
                options.digits = digits.parse().unwrap_or(options.digits);
            }
            (folder, "") if !folder.starts_with("--") => folders.push(folder.to_owned()),
            _ => {
                return Err(format!(
                    "{argument}: --only takes A, B, C and F, --digits an integer from 1 to 50"
                ));
            }
        }
    }
    match <[String; 1]>::try_from(folders) {
        Ok([folder]) => Ok((folder, options)),
        Err(_) => Err(format!("usage: {USAGE}")),
    }
}

/// Checks the library, and prints what is found. Returns the lines of what is refuted.
///
/// # Errors
/// Bad usage, bad files, nothing that could be compared, and an output that can't be written.
pub fn check(
    arguments: &[String],
    library: &impl Library,
    out: &mut dyn Write,
) -> Result<Vec<String>, String> {
    let (folder, options) = options(arguments)?;
    let mut cases = load(&folder)?;
    if let Some(bug) = &options.bug {
        cases.retain(|case| matches!(&case.test, Test::Account(test) if test.bug == *bug));
        if cases.is_empty() {
            return Err(format!("no case is for the mistake {bug}"));
        }
    }
    let mut report = Report {
        options,
        out,
        counts: BTreeMap::new(),
        refuted: Vec::new(),
        above: Vec::new(),
    };
    report.check(&cases, library)?;
    report.summary()?;
    Ok(report.refuted)
}

/// Checks the library with the arguments of the command, for its exit status.
pub fn main(arguments: &[String], library: &impl Library) -> ExitCode {
    match check(arguments, library, &mut std::io::stdout()) {
        Ok(refuted) => ExitCode::from(u8::from(!refuted.is_empty())),
        Err(error) => {
            // A closed standard error is no reason to panic.
            let _ = writeln!(std::io::stderr(), "check: {error}");
            ExitCode::from(2)
        }
    }
}
