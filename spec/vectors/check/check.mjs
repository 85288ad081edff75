#!/usr/bin/env node
// Checks a library against the vectors of dp-assay. One file; Node 16 suffices.
//
//     node check.mjs VECTORS ADAPTER.mjs [--only=A,B,C] [--digits=N] [--strict] [--all]
//
// VECTORS is the folder that has MANIFEST.json. ADAPTER.mjs says how to call your library: template.mjs is one to fill in.
// It exports one of these functions, or both. Each returns undefined for what your library does not offer.
//
//     value(law, parameters, quantity, at)     a number: Number, BigInt, or a string "p/q" or "1.25e-7"
//     sample(algorithm, parameters, bits)      an integer (Number or BigInt) or a boolean; every coin comes from bits.next()
//
// `parameters` and `at` are objects of strings, integers "3" and fractions "3/2", or of arrays of them. Throw where parameters
// make no sense. What bits.next() throws at the end of the tape must pass through. An adapter that exports
// sameAlgorithm = true says that its sampler is that of algorithms.md bit for bit. What is checked:
//
// A  values. How many digits are right, and on which side of the certified enclosure the value lies. It must be the nearest
//    double, or have --digits correct digits (10). A delta may have fewer if it is above: that is conservative, and below
//    is UNSOUND. With --strict no delta may be below, by however little.
// B  tapes. The sample, and how many bits it took; parameters that must be refused. Samples for the same algorithm only.
// C  tape trees, for every sampler that takes its coins from outside: an exact test, without a p-value. The sampler runs on
//    every tape of so many bits. What it returned on the way has at least that probability, and at most that and what is
//    undecided. One that takes more bits at once than a tape has is undecided. The same algorithm must also give the same tree.
//
// Exit status: 0 all agreed, 1 something is refuted, 2 usage, bad files, or nothing that could be checked.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const BOUNDS = ["profile", "delta"]; // quantities that promise privacy: too small a value is unsound
const TRUTHS = ["bernoulli", "bernoulli-exp"]; // algorithms whose outcomes are true and false
const DEEPEST = 24; // a tree is of at most 2^24 runs
const OTHERS = "all other outcomes";

class BadFile extends Error {} // a file of vectors that is not as its schema says
class Refuted extends Error {} // what the library does disagrees with the vectors
class TapeEnded extends Error {} // the sampler asked for a bit beyond the end of its tape

// A tape. While it is explored it grows by zeros, up to `length` bits.
class Bits {
  constructor(tape, length) {
    Object.assign(this, { tape, length, used: 0, ended: false });
  }
  next() {
    if (this.used === this.length) {
      this.ended = true;
      throw new TapeEnded(`the tape of ${this.length} bits has ended`);
    }
    if (this.used === this.tape.length) this.tape.push(0);
    return this.tape[this.used++];
  }
}

// Exact numbers: n / d with d > 0, not in lowest terms.

function fraction(text) {
  let found = /^(-?\d+)\/(\d+)$/.exec(text);
  if (found && BigInt(found[2]) > 0n) return { n: BigInt(found[1]), d: BigInt(found[2]) };
  found = /^(-?\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text);
  if (found) return scaled(BigInt(found[1] + (found[2] ?? "")), 10n, Number(found[3] ?? 0) - (found[2] ?? "").length);
  found = /^(-?)0x([01])(?:\.([0-9a-f]+))?p([+-]\d+)$/.exec(text);
  if (!found) return undefined;
  const [, minus, whole, rest = "", power] = found;
  const mantissa = BigInt("0x" + whole + rest);
  return scaled(minus ? -mantissa : mantissa, 2n, Number(power) - 4 * rest.length);
}

// mantissa * base^power
function scaled(mantissa, base, power) {
  return power < 0 ? { n: mantissa, d: base ** BigInt(-power) } : { n: mantissa * base ** BigInt(power), d: 1n };
}

// A double, exactly.
function ofDouble(x) {
  if (!Number.isFinite(x)) return undefined;
  let power = 0;
  while (!Number.isInteger(x)) {
    x *= 2; // exact: a double that is no integer is far from the largest
    power += 1;
  }
  return { n: BigInt(x), d: 2n ** BigInt(power) };
}

const compare = (x, y) => (x.n * y.d < y.n * x.d ? -1 : x.n * y.d > y.n * x.d ? 1 : 0);
const absolute = (n) => (n < 0n ? -n : n);

// For reading.
function shown(x) {
  if (x.d === 1n || x.n === 0n) return String(x.n / x.d);
  let places = 17 + String(x.d).length - String(absolute(x.n)).length;
  const digits = String(places < 0 ? x.n / x.d / 10n ** BigInt(-places) : (x.n * 10n ** BigInt(places)) / x.d);
  const text = String(Number(`${digits}e${-places}`) || `${digits}e${-places}`);
  return x.d < 10n ** 9n ? `${x.n}/${x.d} = ${text}` : text;
}

// A decimal of the files, for reading.
function shortly(text) {
  const [digits, power] = text.split("e");
  return digits.slice(0, Math.max(12, digits.split(".")[0].length)) + (power === undefined ? "" : `e${power}`);
}

// Files.

function field(record, name, kind, where) {
  const value = record === null || typeof record !== "object" ? undefined : record[name];
  if (value === undefined) throw new BadFile(`${where}: the field ${name} is missing`);
  const found = Array.isArray(value) ? "array" : typeof value;
  if (found !== kind) throw new BadFile(`${where}: the field ${name} is ${JSON.stringify(value)}, not of type ${kind}`);
  return value;
}

function exact(record, name, where) {
  const text = field(record, name, "string", where);
  const x = fraction(text);
  if (x === undefined) throw new BadFile(`${where}: the field ${name} is ${JSON.stringify(text)}, not a number`);
  return x;
}

function read(path) {
  try {
    const content = readFileSync(path);
    return [createHash("sha256").update(content).digest("hex"), JSON.parse(content.toString("utf8"))];
  } catch (error) {
    throw new BadFile(`${path}: ${error.message}`);
  }
}

// The files that the manifest lists, each with the hash that it says.
function load(folder) {
  const path = join(folder, "MANIFEST.json");
  return field(read(path)[1], "files", "array", path).map((entry) => {
    const name = field(entry, "path", "string", path);
    const [digest, content] = read(join(folder, ...name.split("/")));
    if (digest !== field(entry, "sha256", "string", path)) {
      throw new BadFile(`${name}: its SHA-256 is ${digest}, not that of MANIFEST.json`);
    }
    return [name, content];
  });
}

// A: values.

function number(value) {
  const x = typeof value === "bigint" ? { n: value, d: 1n } : typeof value === "number" ? ofDouble(value) : fraction(String(value));
  if (x === undefined) throw new Refuted(`${value} is not a number`);
  return x;
}

// The side of the enclosure on which the value lies, and how many of its digits are right.
function score(value, lo, hi) {
  const side = compare(value, lo) < 0 ? "below" : compare(value, hi) > 0 ? "above" : "inside";
  if (side === "inside") return [side, Infinity];
  const end = side === "below" ? lo : hi;
  // |value - end| / |end|, without their common denominator.
  let gap = absolute(value.n * end.d - end.n * value.d);
  const size = absolute(end.n * value.d);
  let digits = 0;
  while (size > 0n && digits < 99 && (gap *= 10n) <= size) digits += 1;
  return [side, digits];
}

function checkValue(quantity, reported, test, where, options) {
  if (reported === undefined) return undefined;
  const value = number(reported);
  if ("exact" in test) {
    if (compare(value, exact(test, "exact", where)) !== 0) throw new Refuted(`${shown(value)}, but it is ${test.exact}`);
    return "exact";
  }
  const [side, digits] = score(value, exact(test, "lo", where), exact(test, "hi", where));
  const nearest = compare(value, exact(test, "f64", where)) === 0;
  const found = `${shown(value)}, certified ${shortly(test.lo)}: ${side}, ${digits} digits right`;
  const bound = BOUNDS.includes(quantity);
  if (bound && side === "below" && (options.strict || (!nearest && digits < options.digits))) throw new Refuted(`${found}, UNSOUND`);
  if (side === "inside" || nearest || digits >= options.digits) return side === "inside" ? side : `${side} by rounding`;
  if (bound && side === "above") return "conservative";
  throw new Refuted(found);
}

function checkValues(name, content, adapter, options, report) {
  const law = field(content, "law", "string", name);
  const parameters = field(content, "parameters", "object", name);
  for (const group of field(content, "groups", "array", name)) {
    const quantity = field(group, "quantity", "string", name);
    const where = `${name}: ${field(group, "id", "string", name)}`;
    for (const test of field(group, "values", "array", where)) {
      const at = field(test, "at", "object", where);
      const label = group.id + Object.keys(at).sort().map((key) => ` ${key}=${at[key]}`).join("");
      report.tryCase("A", label, () => checkValue(quantity, adapter.value(law, parameters, quantity, at), test, where, options));
    }
  }
}

// B: tapes.

function outcome(algorithm, sample) {
  if (sample === undefined) return undefined;
  if (TRUTHS.includes(algorithm)) return sample ? "true" : "false";
  if (typeof sample === "bigint" || Number.isSafeInteger(sample)) return String(BigInt(sample));
  throw new Refuted(`returned ${sample}, which is not an integer; above 2^53 it has to be a BigInt`);
}

function checkTape(algorithm, test, adapter, where) {
  const parameters = field(test, "parameters", "object", where);
  const result = field(test, "result", "string", where);
  const count = field(test, "bits", "number", where);
  const tape = Buffer.from(field(test, "tape", "string", where), "hex");
  if (count > 8 * tape.length) throw new BadFile(`${where}: the tape has fewer than ${count} bits`);
  if (result !== "invalid" && !adapter.sameAlgorithm) return undefined;
  // The first bit is the highest of the first byte.
  const bits = new Bits(Array.from({ length: count }, (_, i) => (tape[i >> 3] >> (7 - (i & 7))) & 1), count);
  let sample;
  try {
    sample = adapter.sample(algorithm, parameters, bits);
  } catch (error) {
    if (bits.ended && result === "ends") return "ended";
    if (result === "invalid" && !bits.ended) return "refused";
    throw new Refuted(`${error}; due was: ${test.sample ?? result}`);
  }
  if (sample === undefined) return undefined;
  if (result !== "valid") {
    const due = result === "invalid" ? "must be refused" : `needs more bits than the tape of ${count} has`;
    throw new Refuted(`${JSON.stringify(parameters)} ${due}, and returned ${sample}`);
  }
  const found = `${outcome(algorithm, sample)} after ${bits.used}`;
  const due = `${field(test, "sample", "string", where)} after ${field(test, "consumed", "number", where)}`;
  if (found !== due) throw new Refuted(`returned ${found} bits; due was ${due}`);
  return "sampled";
}

// C: tape trees.

// Runs draw(bits) on every tape of `depth` bits. Counts, out of 2^depth: of each outcome, and of what is undecided.
function explore(draw, depth) {
  const lower = new Map();
  const path = [];
  let undecided = 0;
  let ended = 0;
  for (;;) {
    const prefix = path.length;
    const bits = new Bits(path, depth);
    const found = run(draw, bits);
    if (bits.used < prefix) throw new Refuted("asked for fewer bits on the same tape: it is no function of its bits");
    if (bits.ended) {
      undecided += 1;
    } else if (found === undefined && bits.used === 0) {
      return undefined;
    } else {
      ended += 1;
      if ((ended & (ended - 1)) === 0) { // now and then once more
        const again = new Bits([...path], depth);
        if (run(draw, again) !== found || again.used !== bits.used) {
          throw new Refuted("gave another outcome on the same tape: it is no function of its bits");
        }
      }
      lower.set(found, (lower.get(found) ?? 0) + 2 ** (depth - bits.used));
    }
    // The next tape: the last zero becomes a one.
    while (path[path.length - 1] === 1) path.pop();
    if (path.length === 0) return { lower, undecided };
    path[path.length - 1] = 1;
  }
}

// The outcome; nothing where the tape ended, whatever the sampler made of that.
function run(draw, bits) {
  try {
    const found = draw(bits);
    if (found === undefined && bits.used > 0 && !bits.ended) throw new Refuted("returned undefined after it had read bits");
    return found;
  } catch (error) {
    if (bits.ended) return undefined;
    throw error instanceof Refuted ? error : new Refuted(`valid parameters, and it stopped with ${error}`);
  }
}

// The first outcome whose certified probability can't be that of a sampler with this tree, with the numbers.
function contradiction({ lower, undecided }, test, where) {
  const d = 2n ** BigInt(test.depth);
  const rows = [...test.outcomes.map((row) => [row.outcome, row]), [OTHERS, field(test, "others", "object", where)]];
  for (const [name, row] of rows) {
    const least = { n: BigInt(lower.get(name) ?? 0), d };
    const most = { n: least.n + BigInt(undecided), d };
    if (compare(least, exact(row, "hi", where)) > 0 || compare(most, exact(row, "lo", where)) < 0) {
      const label = name === OTHERS ? name : `outcome ${name}`;
      const [from, to] = [least, most].map(({ n }) => `${n}/${d} = ${(Number(n) / Number(d)).toFixed(6)}`);
      return `${label}: between ${from} and ${to} on all tapes of ${test.depth} bits, but its probability is ${shortly(row.lo)}`;
    }
  }
  return undefined;
}

// The tree that a file has, as counts out of 2^depth.
function storedTree(test, where) {
  const total = 2 ** test.depth;
  const count = (record, name) => {
    const { n, d } = exact(record, name, where);
    return Number((n * BigInt(total)) / d);
  };
  const lower = new Map(field(test, "outcomes", "array", where).map((row) => [field(row, "outcome", "string", where), count(row, "lower")]));
  const undecided = count(test, "undecided");
  lower.set(OTHERS, total - undecided - [...lower.values()].reduce((x, y) => x + y, 0));
  return { lower, undecided };
}

const sameTree = (x, y) => x.undecided === y.undecided && [...x.lower].every(([name, count]) => y.lower.get(name) === count);

function checkTree(algorithm, test, tests, adapter, where) {
  const parameters = field(test, "parameters", "object", where);
  const depth = field(test, "depth", "number", where);
  if (depth > DEEPEST) throw new BadFile(`${where}: the field depth is ${depth}, more than ${DEEPEST}`);
  const stored = storedTree(test, where);
  const allowed = contradiction(stored, test, where) === undefined;
  if (allowed !== (field(test, "result", "string", where) === "consistent")) {
    throw new BadFile(`${where}: the field result is not what its own numbers say`);
  }
  if (field(test, "planted", "string", where) !== "none") return "planted"; // the tree of a mistake, which the rule has just refuted
  const found = explore((bits) => outcome(algorithm, adapter.sample(algorithm, parameters, bits)), depth);
  if (found === undefined) return undefined;
  const lower = new Map([...stored.lower.keys()].map((name) => [name, 0]));
  for (const [name, count] of found.lower) {
    const key = lower.has(name) ? name : OTHERS;
    lower.set(key, lower.get(key) + count);
  }
  const tree = { lower, undecided: found.undecided };
  const wrong = contradiction(tree, test, where);
  if (wrong !== undefined) {
    const same = tests.filter((other) => other.depth === depth && JSON.stringify(other.parameters) === JSON.stringify(parameters));
    const mistakes = same.filter((other) => sameTree(storedTree(other, where), tree));
    throw new Refuted(wrong + mistakes.map((other) => `; this is the tree of the mistake ${other.planted}`).join(""));
  }
  if (adapter.sameAlgorithm && !sameTree(tree, stored)) {
    throw new Refuted(`its law is not refuted, but its tree of ${depth} bits is not that of the algorithm`);
  }
  return tree.undecided === 2 ** depth ? "undecided" : "consistent";
}

// What was found.

class Report {
  constructor(showAll) {
    Object.assign(this, { counts: {}, refuted: 0, showAll });
  }
  tryCase(kind, label, test) {
    let word;
    try {
      word = test() ?? "not compared";
      if (this.showAll && word !== "not compared") console.log(`${kind}  ${label}: ${word}`);
    } catch (error) {
      if (error instanceof BadFile) throw error;
      word = "REFUTED";
      this.refuted += 1;
      console.log(`${kind}  ${label}: REFUTED: ${error instanceof Refuted ? error.message : error}`);
    }
    const counts = (this.counts[kind] ??= {});
    counts[word] = (counts[word] ?? 0) + 1;
  }
  // Prints the counts; returns how many cases were compared.
  summary() {
    for (const kind of Object.keys(this.counts).sort()) {
      const counts = this.counts[kind];
      console.log(`${kind}  ${Object.keys(counts).sort().map((word) => `${counts[word]} ${word}`).join(", ")}`);
    }
    const words = Object.values(this.counts).flatMap(Object.entries);
    const compared = words.filter(([word]) => !["not compared", "planted", "undecided"].includes(word));
    return compared.reduce((sum, [, count]) => sum + count, 0);
  }
}

const USAGE = "usage: node check.mjs VECTORS ADAPTER.mjs [--only=A,B,C] [--digits=N] [--strict] [--all]";

function fail(message) {
  console.error(`check.mjs: ${message}`);
  process.exit(2);
}

const positional = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const options = { only: ["A", "B", "C"], digits: 10, strict: false, all: false };
for (const word of process.argv.slice(2).filter((word) => word.startsWith("--"))) {
  const [name, value] = word.slice(2).split("=");
  if ((name === "strict" || name === "all") && value === undefined) options[name] = true;
  else if (name === "only" && /^[ABC](,[ABC])*$/.test(value)) options.only = value.split(",");
  else if (name === "digits" && /^([1-9]|[1-4][0-9]|50)$/.test(value)) options.digits = Number(value);
  else fail(`${word} is no option; --only takes A, B and C, --digits an integer from 1 to 50\n${USAGE}`);
}
if (positional.length !== 2) fail(`two arguments are due, not ${positional.length}\n${USAGE}`);

const adapter = await import(pathToFileURL(resolve(positional[1])).href).catch((error) => fail(`${positional[1]}: ${error}`));
const report = new Report(options.all);
try {
  for (const [name, content] of load(positional[0])) {
    const schema = field(content, "schema", "string", name);
    const kind = { certified_values_v1: "A", tape_v1: "B", tape_tree_v1: "C" }[schema];
    if (!options.only.includes(kind) || !adapter[kind === "A" ? "value" : "sample"]) continue;
    if (kind === "A") {
      checkValues(name, content, adapter, options, report);
      continue;
    }
    const algorithm = field(content, "algorithm", "string", name);
    const tests = field(content, "tests", "array", name);
    for (const test of tests) {
      const where = `${name}: ${field(test, "id", "string", name)}`;
      const check = kind === "B" ? () => checkTape(algorithm, test, adapter, where) : () => checkTree(algorithm, test, tests, adapter, where);
      report.tryCase(kind, test.id, check);
    }
  }
} catch (error) {
  if (!(error instanceof BadFile)) throw error;
  fail(error.message);
}
const compared = report.summary();
if (compared === 0) fail("nothing could be compared: the adapter has none of the functions, or offers nothing");
console.log(report.refuted > 0 ? `REFUTED: ${report.refuted} of ${compared} cases` : `agreed: ${compared} cases`);
process.exitCode = report.refuted > 0 ? 1 : 0;
