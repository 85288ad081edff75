//! Checks a library against the vectors of dp-assay: copy this file. It needs `num-bigint`, `serde` and `serde_json`.
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
//!   undecided. One that takes more bits at once than a tape has is undecided. The same algorithm must also give the same tree.
//!
//! Exit status: 0 all agreed, 1 something is refuted, 2 usage, bad files, or nothing that could be checked. (The hashes of
//! the manifest are left to check.py and check.mjs.)

use num_bigint::{BigInt, Sign};
use serde::{Deserialize, de::DeserializeOwned};
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
    fn value(&self, _: &str, _: &Parameters, _quantity: &str, _at: &Parameters) -> Answer {
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
pub type Parameters = BTreeMap<String, serde_json::Value>;

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
/// A tree is of at most 2^24 runs.
const DEEPEST: usize = 24;
const OTHERS: &str = "all other outcomes";

// The files. What they have beside this is for readers.

#[derive(Deserialize)]
struct Manifest {
    files: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    path: String,
}

#[derive(Deserialize)]
#[serde(tag = "schema", rename_all = "snake_case")]
enum File {
    CertifiedValuesV1 {
        law: String,
        parameters: Parameters,
        groups: Vec<Group>,
    },
    TapeV1 {
        algorithm: String,
        tests: Vec<TapeTest>,
    },
    TapeTreeV1 {
        algorithm: String,
        tests: Vec<TreeTest>,
    },
    #[serde(other)]
    NotForLibraries,
}

#[derive(Deserialize)]
struct Group {
    id: String,
    quantity: String,
    values: Vec<Certified>,
}

/// An integer has `exact`, a real number the others.
#[derive(Deserialize)]
struct Certified {
    at: Parameters,
    lo: Option<Exact>,
    hi: Option<Exact>,
    f64: Option<Exact>,
    exact: Option<Exact>,
}

#[derive(Deserialize)]
struct TapeTest {
    id: String,
    parameters: Parameters,
    tape: String,
    bits: usize,
    result: String,
    sample: Option<String>,
    consumed: Option<usize>,
}

#[derive(Deserialize)]
struct TreeTest {
    id: String,
    parameters: Parameters,
    depth: usize,
    planted: String,
    result: String,
    outcomes: Vec<Row>,
    others: Enclosure,
    undecided: Exact,
}

#[derive(Deserialize)]
struct Row {
    outcome: String,
    lower: Exact,
    #[serde(flatten)]
    certified: Enclosure,
}

#[derive(Deserialize)]
struct Enclosure {
    lo: Exact,
    hi: Exact,
}

/// An exact number, as it is written: numerator, and denominator above 0, not in lowest terms.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Exact {
    written: String,
    numerator: BigInt,
    denominator: BigInt,
}

impl TryFrom<String> for Exact {
    type Error = String;

    fn try_from(written: String) -> Result<Self, String> {
        let (numerator, denominator) =
            fraction(&written).ok_or_else(|| format!("{written:?} is not a number"))?;
        Ok(Self {
            written,
            numerator,
            denominator,
        })
    }
}

/// Reads an integer, `p/q`, a decimal `1.5e-40` or a double `0x1.8p-3`.
fn fraction(text: &str) -> Option<(BigInt, BigInt)> {
    if let Some((p, q)) = text.split_once('/') {
        let q = q.parse::<BigInt>().ok()?;
        return (q.sign() == Sign::Plus).then_some((p.parse().ok()?, q));
    }
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (text, radix, base, mark) = match text.strip_prefix("0x") {
        Some(rest) => (rest, 16, 2u32, 'p'),
        None => (text, 10, 10, 'e'),
    };
    let (mantissa, power) = text.split_once(mark).unwrap_or((text, "0"));
    let (whole, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = sign * BigInt::parse_bytes(format!("{whole}{rest}").as_bytes(), radix)?;
    let places = rest.len() as i64 * if radix == 16 { 4 } else { 1 };
    let power = power.parse::<i64>().ok()? - places;
    let scale = BigInt::from(base).pow(u32::try_from(power.unsigned_abs()).ok()?);
    Some(if power < 0 {
        (digits, scale)
    } else {
        (digits * scale, 1.into())
    })
}

impl Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.numerator * &other.denominator).cmp(&(&other.numerator * &self.denominator))
    }

    fn probability(count: u64, depth: usize) -> Self {
        let total = 1u64 << depth;
        let written = format!("{count}/{total} = {:.6}", count as f64 / total as f64);
        Self {
            written,
            numerator: count.into(),
            denominator: (1u64 << depth).into(),
        }
    }

    /// For reading.
    fn shown(&self) -> String {
        let (digits, power) = self
            .written
            .split_at(self.written.find('e').unwrap_or(self.written.len()));
        let whole = digits.find('.').unwrap_or(digits.len());
        digits
            .chars()
            .take(whole.max(16))
            .chain(power.chars())
            .collect()
    }
}

/// How a case agrees, in a word.
enum Word {
    Agreed(&'static str),
    NotCompared,
    Refuted(String),
}
use Word::{Agreed, NotCompared, Refuted};

// A: values.

/// On which side of the enclosure a value lies, and how many of its digits are right.
fn score(value: &Exact, lo: &Exact, hi: &Exact) -> (&'static str, usize) {
    let (side, end) = match (value.cmp(lo), value.cmp(hi)) {
        (Ordering::Less, _) => ("below", lo),
        (_, Ordering::Greater) => ("above", hi),
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

fn check_value(
    quantity: &str,
    reported: String,
    certified: &Certified,
    options: &Options,
) -> Result<Word, String> {
    let value = match Exact::try_from(reported) {
        Ok(value) => value,
        Err(error) => return Ok(Refuted(error)),
    };
    if let Some(exact) = &certified.exact {
        return Ok(match value.cmp(exact) {
            Ordering::Equal => Agreed("exact"),
            _ => Refuted(format!("{}, but it is {}", value.shown(), exact.written)),
        });
    }
    let (Some(lo), Some(hi), Some(f64)) = (&certified.lo, &certified.hi, &certified.f64) else {
        return Err("a field of lo, hi and f64 is missing".to_owned());
    };
    let (side, digits) = score(&value, lo, hi);
    let bound = BOUNDS.contains(&quantity);
    let close = value.cmp(f64).is_eq() || digits >= options.digits;
    let unsound = bound && side == "below" && (options.strict || !close);
    Ok(match side {
        "inside" => Agreed(side),
        "below" if close && !unsound => Agreed("below by rounding"),
        "above" if close => Agreed("above by rounding"),
        "above" if bound => Agreed("conservative"),
        _ => Refuted(format!(
            "{}, certified {}: {side}, {digits} digits right{}",
            value.shown(),
            lo.shown(),
            if unsound { ", UNSOUND" } else { "" }
        )),
    })
}

// B: tapes.

fn check_tape(algorithm: &str, test: &TapeTest, library: &impl Library) -> Result<Word, String> {
    // The first bit is the highest of the first byte.
    let nibbles: Option<Vec<u32>> = test.tape.chars().map(|digit| digit.to_digit(16)).collect();
    let nibbles = nibbles.ok_or("the field tape is not hexadecimal")?;
    let bit = |nibble: u32| [3, 2, 1, 0].map(|place| nibble >> place & 1 == 1);
    let mut tape: Vec<bool> = nibbles.into_iter().flat_map(bit).collect();
    if test.bits > tape.len() {
        return Err(format!("the field tape has fewer than {} bits", test.bits));
    }
    tape.truncate(test.bits);
    if test.result != "invalid" && !library.same_algorithm() {
        return Ok(NotCompared);
    }
    let mut bits = Bits::new(tape, test.bits);
    let Some(found) = library.sample(algorithm, &test.parameters, &mut bits) else {
        return Ok(NotCompared);
    };
    let due = (test.sample.as_ref(), test.consumed);
    Ok(match (found, test.result.as_str()) {
        (Err(_), "ends") if bits.ended => Agreed("ended"),
        (Err(_), "invalid") if !bits.ended => Agreed("refused"),
        (Ok(sample), "valid") if (Some(&sample), Some(bits.used)) == due => Agreed("sampled"),
        (found, result) => Refuted(format!(
            "{found:?} after {} bits; due was {result}: {due:?}",
            bits.used
        )),
    })
}

// C: tape trees.

/// A tree, as counts out of 2^depth: of each outcome, and of what is undecided.
#[derive(PartialEq)]
struct Tree {
    lower: BTreeMap<String, u64>,
    undecided: u64,
}

/// Runs `draw` on every tape of `depth` bits.
fn explore(draw: impl Fn(&mut Bits) -> Answer, depth: usize) -> Result<Tree, Word> {
    let no_function = |how| {
        Refuted(format!(
            "{how} on the same tape: it is no function of its bits"
        ))
    };
    let (mut lower, mut undecided, mut ended) = (BTreeMap::new(), 0, 0u64);
    let mut path = Vec::new();
    loop {
        let prefix = path.len();
        let mut bits = Bits::new(path, depth);
        let found = draw(&mut bits);
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
                if draw(&mut again) != Some(Ok(found.clone())) || again.used != bits.used {
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
        let listed = self
            .outcomes
            .iter()
            .map(|row| (row.outcome.as_str(), &row.certified));
        listed.chain([(OTHERS, &self.others)]).find_map(|(name, certified)| {
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

    /// The tree that the file has.
    fn tree(&self) -> Result<Tree, String> {
        let counted = |p: &Exact| u64::try_from((&p.numerator << self.depth) / &p.denominator);
        let mut lower = BTreeMap::new();
        for row in &self.outcomes {
            let count = counted(&row.lower).map_err(|_| "a field lower is no probability")?;
            lower.insert(row.outcome.clone(), count);
        }
        let undecided =
            counted(&self.undecided).map_err(|_| "the field undecided is no probability")?;
        let rest = (1u64 << self.depth).checked_sub(undecided + lower.values().sum::<u64>());
        lower.insert(
            OTHERS.to_owned(),
            rest.ok_or("its probabilities are above 1 together")?,
        );
        Ok(Tree { lower, undecided })
    }

    fn check(
        &self,
        algorithm: &str,
        tests: &[Self],
        library: &impl Library,
    ) -> Result<Word, String> {
        if self.depth > DEEPEST {
            return Err(format!(
                "the field depth is {}, more than {DEEPEST}",
                self.depth
            ));
        }
        let stored = self.tree()?;
        if self.contradiction(&stored).is_none() != (self.result == "consistent") {
            return Err("the field result is not what its own numbers say".to_owned());
        }
        if self.planted != "none" {
            return Ok(Agreed("planted")); // the tree of a mistake, which the rule has just refuted
        }
        let draw = |bits: &mut Bits| library.sample(algorithm, &self.parameters, bits);
        let found = match explore(draw, self.depth) {
            Ok(found) => found,
            Err(word) => return Ok(word),
        };
        let lower = stored.lower.keys().map(|name| (name.clone(), 0)).collect();
        let mut tree = Tree {
            lower,
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
            for other in tests {
                let same = other.parameters == self.parameters && other.depth == self.depth;
                if same && other.tree()? == tree {
                    wrong += &format!("; this is the tree of the mistake {}", other.planted);
                }
            }
            return Ok(Refuted(wrong));
        }
        if library.same_algorithm() && tree != stored {
            let wrong = "its law is not refuted, but its tree is not that of the algorithm";
            return Ok(Refuted(wrong.to_owned()));
        }
        let all = tree.undecided == 1 << self.depth;
        Ok(Agreed(if all { "undecided" } else { "consistent" }))
    }
}

// What was found.

struct Report {
    options: Options,
    counts: BTreeMap<(char, &'static str), usize>,
    refuted: Vec<String>,
}

impl Report {
    fn add(&mut self, kind: char, label: &str, word: Word) {
        let word = match word {
            Agreed(word) => {
                if self.options.all {
                    println!("{kind}  {label}: {word}");
                }
                word
            }
            NotCompared => "not compared",
            Refuted(why) => {
                let line = format!("{kind}  {label}: REFUTED: {why}");
                println!("{line}");
                self.refuted.push(line);
                "REFUTED"
            }
        };
        *self.counts.entry((kind, word)).or_default() += 1;
    }

    fn check(&mut self, file: &File, library: &impl Library) -> Result<(), String> {
        let wanted = |kind| self.options.only.split(',').any(|word| word == kind);
        match file {
            File::CertifiedValuesV1 {
                law,
                parameters,
                groups,
            } if wanted("A") => {
                for group in groups {
                    for case in &group.values {
                        let found = library.value(law, parameters, &group.quantity, &case.at);
                        let word = match found {
                            None => Ok(NotCompared),
                            Some(Ok(value)) => {
                                check_value(&group.quantity, value, case, &self.options)
                            }
                            Some(Err(error)) => Ok(Refuted(format!("stopped with {error}"))),
                        };
                        let at: String = case
                            .at
                            .iter()
                            .map(|(name, value)| format!(" {name}={value}"))
                            .collect();
                        let word = word.map_err(|error| format!("{}: {error}", group.id))?;
                        self.add('A', &format!("{}{at}", group.id), word);
                    }
                }
            }
            File::TapeV1 { algorithm, tests } if wanted("B") => {
                for test in tests {
                    let word = check_tape(algorithm, test, library);
                    self.add(
                        'B',
                        &test.id,
                        word.map_err(|error| format!("{}: {error}", test.id))?,
                    );
                }
            }
            File::TapeTreeV1 { algorithm, tests } if wanted("C") => {
                for test in tests {
                    let word = test.check(algorithm, tests, library);
                    self.add(
                        'C',
                        &test.id,
                        word.map_err(|error| format!("{}: {error}", test.id))?,
                    );
                }
            }
            _ => {}
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

fn options(arguments: &[String]) -> Result<(String, Options), String> {
    let mut options = Options {
        only: "A,B,C".to_owned(),
        digits: 10,
        strict: false,
        all: false,
    };
    let mut folders = Vec::new();
    for argument in arguments {
        match argument.split_once('=').unwrap_or((argument, "")) {
            ("--strict", "") => options.strict = true,
            ("--all", "") => options.all = true,
            ("--only", kinds) if kinds.split(',').all(|kind| ["A", "B", "C"].contains(&kind)) => {
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
                    "{argument}: --only takes A, B and C, --digits an integer from 1 to 50"
                ));
            }
        }
    }
    match <[String; 1]>::try_from(folders) {
        Ok([folder]) => Ok((folder, options)),
        Err(_) => Err("usage: VECTORS [--only=A,B,C] [--digits=N] [--strict] [--all]".to_owned()),
    }
}

fn read<T: DeserializeOwned>(path: &str) -> Result<T, String> {
    let content = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    serde_json::from_slice(&content).map_err(|error| format!("{path}: {error}"))
}

/// Checks the library, and prints what is found. Returns the lines of what is refuted.
///
/// # Errors
/// Bad usage, bad files, and nothing that could be compared.
pub fn check(arguments: &[String], library: &impl Library) -> Result<Vec<String>, String> {
    let (folder, options) = options(arguments)?;
    let mut report = Report {
        options,
        counts: BTreeMap::new(),
        refuted: Vec::new(),
    };
    let manifest: Manifest = read(&format!("{folder}/MANIFEST.json"))?;
    for Entry { path } in manifest.files {
        let checked = report.check(&read(&format!("{folder}/{path}"))?, library);
        checked.map_err(|error| format!("{path}: {error}"))?;
    }
    for ((kind, word), count) in &report.counts {
        println!("{kind}  {count} {word}");
    }
    let not_compared = ["not compared", "planted", "undecided"];
    let compared = report
        .counts
        .iter()
        .filter(|((_, word), _)| !not_compared.contains(word));
    match (
        report.refuted.len(),
        compared.map(|(_, count)| count).sum::<usize>(),
    ) {
        (_, 0) => return Err("nothing could be compared: the library offers nothing".to_owned()),
        (0, compared) => println!("agreed: {compared} cases"),
        (refuted, compared) => println!("REFUTED: {refuted} of {compared} cases"),
    }
    Ok(report.refuted)
}

/// Checks the library with the arguments of the command, for its exit status.
pub fn main(arguments: &[String], library: &impl Library) -> ExitCode {
    match check(arguments, library) {
        Ok(refuted) => ExitCode::from(u8::from(!refuted.is_empty())),
        Err(error) => {
            eprintln!("check: {error}");
            ExitCode::from(2)
        }
    }
}
