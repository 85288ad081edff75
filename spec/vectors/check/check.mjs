#!/usr/bin/env node
// Checks a library against the vectors of dp-assay. One file; Node 16 suffices.
//
//     node check.mjs VECTORS ADAPTER.mjs [--only=A,B,C,F] [--digits=N] [--strict] [--sharp] [--bug=WORD] [--all]
//
// VECTORS is the folder that has MANIFEST.json. ADAPTER.mjs says how to call your library: template.mjs is one to fill in.
// It exports some of these functions. Each returns undefined for what your library does not offer.
//
//     value(law, parameters, quantity, at)     a number: Number, BigInt, or a string "p/q" or "1.25e-7"
//     account(law, parameters, quantity, at)   an upper bound of epsilon at a delta, or of delta at an epsilon: a number, or Infinity
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
// F  accounts: what private steps cost together. The truth lies between two certified ends. What is below the lower end is
//    UNSOUND, unless --digits digits are right; what is above the upper end is conservative, and the last lines say by how
//    much. It is loose if it is no less than an accountant with the mistake of the case would say: with --sharp that is
//    refused. With --bug the cases for this mistake alone are checked.
//
// Exit status: 0 all agreed, 1 something is refuted, 2 anything else: usage, bad files, nothing that could be checked. The
// last line says it: "agreed: 5 cases". A library that ends the process in a way that Node does not tell (process.reallyExit)
// can't be held back: no such line comes then, whatever the status.

import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const BOUNDS = ["profile", "delta"]; // quantities that promise privacy: too small a value is unsound
const QUANTITIES = [...BOUNDS, "pmf", "cdf", "tail", "mean", "variance", "quantile", "release"];
const TRUTHS = ["bernoulli", "bernoulli-exp"]; // algorithms whose outcomes are true and false
const KINDS = { certified_values_v1: "A", tape_v1: "B", tape_tree_v1: "C", accumulated_v1: "D", self_test_v1: "E", account_v1: "F" };
const OTHERS = "all other outcomes";

const DEEPEST = 24; // a tree is of at most 2^24 runs
const FARTHEST = 10_000; // exponents go so far
const LONGEST = 40_000; // a number has at most so many characters
const MOST_BYTES = 2 ** 26; // a file has at most so many

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

// The number that is written p/q, as a decimal, or as a double in hexadecimal. A RangeError says what is wrong.
function parsed(text) {
  if (text.length > LONGEST) throw new RangeError(`a text of ${text.length} characters, and may have ${LONGEST}`);
  let found = /^([+-]?[0-9]+)\/([0-9]+)$/.exec(text);
  if (found && BigInt(found[2]) > 0n) return { n: integer(found[1]), d: BigInt(found[2]) };
  found = /^([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?$/.exec(text);
  const isDecimal = found !== null;
  found ??= /^([+-]?)0x([01])(?:\.([0-9a-f]+))?p([+-][0-9]+)$/.exec(text);
  const [, sign, whole, rest = "", power = "0"] = found ?? [];
  if (!found || whole + rest === "") throw new RangeError(`${shortened(text)}, not a number`);
  if (Math.abs(Number(power)) > FARTHEST) throw new RangeError(`${shortened(text)}, whose exponent is beyond ${FARTHEST}`);
  const size = BigInt((isDecimal ? "" : "0x") + whole + rest);
  const exponent = Number(power) - (isDecimal ? 1 : 4) * rest.length;
  return scaled(sign === "-" ? -size : size, isDecimal ? 10n : 2n, exponent);
}

const integer = (text) => BigInt(text.replace(/^\+/, "")); // BigInt reads a minus, and no plus

// mantissa * base^power
function scaled(mantissa, base, power) {
  return power < 0 ? { n: mantissa, d: base ** BigInt(-power) } : { n: mantissa * base ** BigInt(power), d: 1n };
}

// A value of any kind in one short line.
function shortened(value) {
  let text;
  try {
    const isData = typeof value === "object" && value !== null && !(value instanceof Error);
    text = typeof value === "string" || isData ? JSON.stringify(value) : String(value);
  } catch (error) {
    text = `of type ${typeof value} (${error.name})`;
  }
  return text.length <= 80 ? text : `${text.slice(0, 60)}... (${text.length} characters)`;
}

// A double, exactly.
function ofDouble(x) {
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

// Files. All are read and judged before the library is called.

function field(record, name, kind, where) {
  const value = record === null || typeof record !== "object" ? undefined : record[name];
  if (value === undefined) throw new BadFile(`${where}: the field ${name} is missing`);
  const found = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
  if (found !== kind) throw new BadFile(`${where}: the field ${name} is ${shortened(value)}, not of type ${kind}`);
  return value;
}

// The list record[name], which must not be empty.
function entries(record, name, where) {
  const found = field(record, name, "array", where);
  if (found.length === 0) throw new BadFile(`${where}: the field ${name} is empty`);
  return found;
}

// record[name], which must be one of these words.
function known(record, name, words, where) {
  const word = field(record, name, "string", where);
  if (!words.includes(word)) throw new BadFile(`${where}: the field ${name} is ${shortened(word)}, not one of ${words.join(", ")}`);
  return word;
}

// The integer record[name], from 0 to `most`.
function count(record, name, most, where) {
  const found = field(record, name, "number", where);
  if (!Number.isInteger(found) || found < 0 || found > most) {
    throw new BadFile(`${where}: the field ${name} is ${found}, not an integer from 0 to ${most}`);
  }
  return found;
}

function exact(record, name, where) {
  const text = field(record, name, "string", where);
  try {
    return parsed(text);
  } catch (error) {
    throw new BadFile(`${where}: the field ${name} is ${error.message}`);
  }
}

// The ends, lo and hi, and lo as it is written.
function enclosure(record, where) {
  const [lo, hi] = [exact(record, "lo", where), exact(record, "hi", where)];
  if (compare(lo, hi) > 0) throw new BadFile(`${where}: the field lo is above the field hi`);
  return { lo, hi, written: record.lo };
}

// The hash of a file, and the JSON in it.
function read(path) {
  let file;
  try {
    file = openSync(path, "r");
    const found = fstatSync(file);
    if (!found.isFile()) throw new Error("it is no file");
    if (found.size > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`);
    const content = readFileSync(file);
    return [createHash("sha256").update(content).digest("hex"), JSON.parse(content.toString("utf8"))];
  } catch (error) {
    throw new BadFile(`${path}: ${error.message}`);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

// The cases in the files that the manifest lists, each file with the hash that it says.
function load(folder) {
  const path = join(folder, "MANIFEST.json");
  return entries(read(path)[1], "files", path).flatMap((entry) => {
    const name = field(entry, "path", "string", path);
    if (!/^[^/\\:]+(\/[^/\\:]+)*$/.test(name) || name.split("/").includes("..")) {
      throw new BadFile(`${path}: the field path is ${shortened(name)}, not a path below the folder`);
    }
    const [digest, content] = read(join(folder, ...name.split("/")));
    if (digest !== field(entry, "sha256", "string", path)) {
      throw new BadFile(`${name}: its SHA-256 is ${digest}, not that of MANIFEST.json`);
    }
    const kind = KINDS[known(content, "schema", Object.keys(KINDS), name)];
    return { A: values, B: tapes, C: trees, F: accounts }[kind]?.(name, content) ?? [];
  });
}

// A certified value: an integer has `exact`, a real number the others.
function values(name, content) {
  const law = field(content, "law", "string", name);
  const parameters = field(content, "parameters", "object", name);
  return entries(content, "groups", name).flatMap((group) => {
    const id = field(group, "id", "string", name);
    const quantity = known(group, "quantity", QUANTITIES, `${name}: ${id}`);
    return entries(group, "values", `${name}: ${id}`).map((test) => {
      const at = field(test, "at", "object", `${name}: ${id}`);
      const label = id + Object.keys(at).sort().map((key) => ` ${key}=${at[key]}`).join("");
      const where = `${name}: ${label}`;
      const certified = "exact" in test
        ? { exact: exact(test, "exact", where) }
        : { ...enclosure(test, where), f64: exact(test, "f64", where) };
      return { kind: "A", label, law, parameters, quantity, at, ...certified };
    });
  });
}

// Two ends of what private steps cost, and what an accountant with the mistake of the case says.
function accounts(name, content) {
  const law = field(content, "law", "string", name);
  const quantity = known(content, "quantity", ["epsilon", "delta"], name);
  return entries(content, "tests", name).map((test) => {
    const label = field(test, "id", "string", name);
    const where = `${name}: ${label}`;
    const parameters = field(test, "parameters", "object", where);
    const at = field(test, "at", "object", where);
    const { lo, hi } = enclosure(test, where);
    if (lo.n <= 0n) throw new BadFile(`${where}: the field lo is not above 0`);
    const bug = field(test, "bug", "string", where);
    const mistaken = exact(test, "mistaken", where);
    const loose = known(test, "effect", ["unsound", "loose"], where) === "loose";
    if (loose ? compare(mistaken, hi) <= 0 : compare(mistaken, lo) >= 0) {
      throw new BadFile(`${where}: the field mistaken is not what the field effect says`);
    }
    const written = `certified from ${shortly(test.lo)} to ${shortly(test.hi)}: `;
    const said = `; the mistake ${bug} gives ${test.mistaken}`;
    return { kind: "F", label, law, quantity, parameters, at, lo, hi, bug, mistaken, loose, written, said };
  });
}

// Bits in, sample and bits consumed out.
function tapes(name, content) {
  const algorithm = field(content, "algorithm", "string", name);
  return entries(content, "tests", name).map((test) => {
    const label = field(test, "id", "string", name);
    const where = `${name}: ${label}`;
    const parameters = field(test, "parameters", "object", where);
    const result = known(test, "result", ["valid", "invalid", "ends"], where);
    const text = field(test, "tape", "string", where);
    if (!/^([0-9a-f][0-9a-f])*$/.test(text)) throw new BadFile(`${where}: the field tape is ${shortened(text)}, not hexadecimal`);
    const bytes = Buffer.from(text, "hex");
    const length = count(test, "bits", 8 * bytes.length, where);
    // The first bit is the highest of the first byte.
    const tape = Array.from({ length }, (_, i) => (bytes[i >> 3] >> (7 - (i & 7))) & 1);
    const due = result === "valid" ? `${field(test, "sample", "string", where)} after ${count(test, "consumed", length, where)}` : result;
    return { kind: "B", label, algorithm, parameters, result, tape, due };
  });
}

// All tapes to a depth, beside the law. Counts are out of 2^depth.
function trees(name, content) {
  const algorithm = field(content, "algorithm", "string", name);
  const found = entries(content, "tests", name).map((test) => tree(algorithm, test, name));
  for (const one of found) one.siblings = found.filter((other) => other.key === one.key);
  return found;
}

function tree(algorithm, test, name) {
  const label = field(test, "id", "string", name);
  const where = `${name}: ${label}`;
  const parameters = field(test, "parameters", "object", where);
  const depth = count(test, "depth", DEEPEST, where);
  const planted = field(test, "planted", "string", where);
  const total = 2 ** depth;
  const counted = (record, field) => {
    const { n, d } = exact(record, field, where);
    if (n < 0n || n > d || (n * BigInt(total)) % d !== 0n) {
      throw new BadFile(`${where}: the field ${field} is no probability of tapes of ${depth} bits`);
    }
    return Number((n * BigInt(total)) / d);
  };
  const lower = new Map();
  const law = [];
  for (const row of entries(test, "outcomes", where)) {
    const outcome = field(row, "outcome", "string", where);
    lower.set(outcome, counted(row, "lower"));
    law.push([outcome, enclosure(row, where)]);
  }
  law.push([OTHERS, enclosure(field(test, "others", "object", where), where)]);
  const undecided = counted(test, "undecided");
  lower.set(OTHERS, total - undecided - [...lower.values()].reduce((x, y) => x + y, 0));
  if (lower.get(OTHERS) < 0) throw new BadFile(`${where}: the fields lower and undecided are above 1 together`);
  const stored = { lower, undecided };
  const result = known(test, "result", ["consistent", "refuted"], where);
  if ((contradiction(stored, law, depth) === undefined) !== (result === "consistent")) {
    throw new BadFile(`${where}: the field result is not what its own numbers say`);
  }
  const key = JSON.stringify([depth, Object.entries(parameters).sort()]);
  return { kind: "C", label, algorithm, parameters, depth, planted, law, stored, key };
}

// A: values.

function number(value) {
  if (typeof value === "bigint") {
    if (value.toString(16).length > LONGEST) throw new Refuted("an integer of more than so many digits: " + LONGEST);
    return { n: value, d: 1n };
  }
  if (typeof value === "number" && Number.isFinite(value)) return ofDouble(value);
  if (typeof value !== "string") throw new Refuted(`${shortened(value)} is not a number`);
  try {
    return parsed(value);
  } catch (error) {
    throw new Refuted(error.message);
  }
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

// A word for how a value agrees; undefined where the library offers none.
function checkValue(test, adapter, options) {
  const reported = adapter.value(test.law, test.parameters, test.quantity, test.at);
  if (reported === undefined) return undefined;
  const value = number(reported);
  if (test.exact !== undefined) {
    if (compare(value, test.exact) !== 0) throw new Refuted(`${shown(value)}, but it is ${shown(test.exact)}`);
    return "exact";
  }
  const [side, digits] = score(value, test.lo, test.hi);
  const nearest = compare(value, test.f64) === 0;
  const found = `${shown(value)}, certified ${shortly(test.written)}: ${side}, ${digits} digits right`;
  const bound = BOUNDS.includes(test.quantity);
  if (bound && side === "below" && (options.strict || (!nearest && digits < options.digits))) throw new Refuted(`${found}, UNSOUND`);
  if (side === "inside" || nearest || digits >= options.digits) return side === "inside" ? side : `${side} by rounding`;
  if (bound && side === "above") return "conservative";
  throw new Refuted(found);
}

// B: tapes.

function outcome(algorithm, sample) {
  if (sample === undefined) return undefined;
  if (TRUTHS.includes(algorithm)) return sample ? "true" : "false";
  if (typeof sample === "bigint" || Number.isSafeInteger(sample)) {
    const hexadecimal = BigInt(sample).toString(16);
    if (hexadecimal.length > LONGEST) throw new Refuted(`returned an integer of ${hexadecimal.length} hexadecimal digits`);
    return String(BigInt(sample));
  }
  throw new Refuted(`returned ${shortened(sample)}, which is not an integer; above 2^53 it has to be a BigInt`);
}

function checkTape(test, adapter) {
  const { algorithm, parameters, result } = test;
  if (result !== "invalid" && !adapter.sameAlgorithm) return undefined;
  const bits = new Bits([...test.tape], test.tape.length);
  let sample;
  try {
    sample = adapter.sample(algorithm, parameters, bits);
  } catch (error) {
    if (bits.ended && result === "ends") return "ended";
    if (result === "invalid" && !bits.ended) return "refused";
    throw new Refuted(`${shortened(error)}; due was: ${test.due}`);
  }
  if (sample === undefined) return undefined;
  if (result !== "valid") {
    const due = result === "invalid" ? "must be refused" : `needs more bits than the tape of ${test.tape.length} has`;
    throw new Refuted(`${shortened(parameters)} ${due}, and returned ${shortened(sample)}`);
  }
  const found = `${outcome(algorithm, sample)} after ${bits.used}`;
  if (found !== test.due) throw new Refuted(`returned ${found} bits; due was ${test.due}`);
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
    throw error instanceof Refuted ? error : new Refuted(`valid parameters, and it stopped with ${shortened(error)}`);
  }
}

// The first outcome whose certified probability can't be that of a sampler with these counts, with the numbers.
function contradiction({ lower, undecided }, law, depth) {
  const d = 2n ** BigInt(depth);
  for (const [name, { lo, hi, written }] of law) {
    const least = { n: BigInt(lower.get(name) ?? 0), d };
    const most = { n: least.n + BigInt(undecided), d };
    if (compare(least, hi) > 0 || compare(most, lo) < 0) {
      const label = name === OTHERS ? name : `outcome ${name}`;
      const [from, to] = [least, most].map(({ n }) => `${n}/${d} = ${(Number(n) / Number(d)).toFixed(6)}`);
      return `${label}: between ${from} and ${to} on all tapes of ${depth} bits, but its probability is ${shortly(written)}`;
    }
  }
  return undefined;
}

const sameTree = (x, y) => x.undecided === y.undecided && [...x.lower].every(([name, count]) => y.lower.get(name) === count);

function checkTree(test, adapter) {
  const { algorithm, parameters, depth, stored } = test;
  if (test.planted !== "none") return "planted"; // the tree of a mistake, which the rule refuted when the file was read
  const found = explore((bits) => outcome(algorithm, adapter.sample(algorithm, parameters, bits)), depth);
  if (found === undefined) return undefined;
  const lower = new Map([...stored.lower.keys()].map((name) => [name, 0]));
  for (const [name, count] of found.lower) {
    const key = lower.has(name) ? name : OTHERS;
    lower.set(key, lower.get(key) + count);
  }
  const grown = { lower, undecided: found.undecided };
  const wrong = contradiction(grown, test.law, depth);
  if (wrong !== undefined) {
    const mistakes = test.siblings.filter((other) => sameTree(other.stored, grown));
    throw new Refuted(wrong + mistakes.map((other) => `; this is the tree of the mistake ${other.planted}`).join(""));
  }
  if (adapter.sameAlgorithm && !sameTree(grown, stored)) {
    throw new Refuted(`its law is not refuted, but its tree of ${depth} bits is not that of the algorithm`);
  }
  return grown.undecided === 2 ** depth ? "undecided" : "consistent";
}

// F: accounts.

function checkAccount(test, adapter, options) {
  const reported = adapter.account(test.law, test.parameters, test.quantity, test.at);
  if (reported === undefined) return undefined;
  if (reported === Infinity) return "infinite";
  const value = number(reported);
  const [side, digits] = score(value, test.lo, test.hi);
  const refuted = (word) => new Refuted(`${shown(value)}, ${test.written}${word}${test.said}`);
  if (side === "below" && (options.strict || digits < options.digits)) throw refuted("UNSOUND");
  if (side === "inside") return side;
  if (side === "below") return "below by rounding";
  // Six digits of the quotient, for reading.
  const factor = Number((value.n * test.hi.d * 1_000_000n) / (value.d * test.hi.n)) / 1e6;
  options.above.push({ factor, label: test.label });
  if (!test.loose || compare(value, test.mistaken) < 0) return "conservative";
  if (options.sharp) throw refuted("loose");
  return "loose";
}

const CHECKS = { A: checkValue, B: checkTape, C: checkTree, F: checkAccount };
const FUNCTIONS = { A: "value", B: "sample", C: "sample", F: "account" };

// What was found.

// Writes at once: what an adapter that ends the process may cut off is not what was found before.
function print(line) {
  for (let rest = Buffer.from(`${line}\n`); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") throw new BadFile(`what it prints is not read to the end (${error.code})`);
    }
  }
}

class Report {
  constructor(showAll) {
    Object.assign(this, { counts: {}, refuted: 0, showAll });
  }
  tryCase(test, adapter, options) {
    const { kind, label } = test;
    let word;
    let why;
    try {
      word = CHECKS[kind](test, adapter, options) ?? "not compared";
    } catch (error) {
      word = "REFUTED";
      why = error instanceof Refuted ? error.message : `stopped with ${shortened(error)}`;
      this.refuted += 1;
    }
    if (why !== undefined) print(`${kind}  ${label}: REFUTED: ${why}`);
    else if (this.showAll && word !== "not compared") print(`${kind}  ${label}: ${word}`);
    const counts = (this.counts[kind] ??= {});
    counts[word] = (counts[word] ?? 0) + 1;
  }
  // Prints the counts; returns how many cases were compared.
  summary() {
    const sum = (numbers) => numbers.reduce((x, y) => x + y, 0);
    let compared = 0;
    for (const kind of Object.keys(this.counts).sort()) {
      const counts = this.counts[kind];
      const words = Object.keys(counts).sort();
      const ofKind = sum(words.filter((word) => !["not compared", "planted", "undecided"].includes(word)).map((word) => counts[word]));
      compared += ofKind;
      print(`${kind}  ${ofKind} of ${sum(Object.values(counts))} compared: ${words.map((word) => `${counts[word]} ${word}`).join(", ")}`);
    }
    return compared;
  }
}

// How far above their upper ends values of class F are, if any is.
function howFar(above) {
  if (above.length === 0) return;
  above.sort((one, other) => one.factor - other.factor);
  const most = above[above.length - 1];
  print(`F  above the upper end: half of ${above.length} by at most the factor ${above[(above.length - 1) >> 1].factor}, all by at most ${most.factor} (${most.label})`);
}

const USAGE = "usage: node check.mjs VECTORS ADAPTER.mjs [--only=A,B,C,F] [--digits=N] [--strict] [--sharp] [--bug=WORD] [--all]";

async function main() {
  const words = process.argv.slice(2);
  const positional = words.filter((word) => !word.startsWith("--"));
  const options = { only: ["A", "B", "C", "F"], digits: 10, strict: false, sharp: false, bug: undefined, all: false, above: [] };
  for (const word of words.filter((word) => word.startsWith("--"))) {
    const [name, value] = word.slice(2).split("=");
    if (["strict", "sharp", "all"].includes(name) && value === undefined) options[name] = true;
    else if (name === "only" && /^[ABCF](,[ABCF])*$/.test(value)) options.only = value.split(",");
    else if (name === "bug" && value) options.bug = value;
    else if (name === "digits" && /^([1-9]|[1-4][0-9]|50)$/.test(value)) options.digits = Number(value);
    else throw new BadFile(`${word} is no option; --only takes A, B, C and F, --digits an integer from 1 to 50\n${USAGE}`);
  }
  if (positional.length !== 2) throw new BadFile(`two arguments are due, not ${positional.length}\n${USAGE}`);
  const all = load(positional[0]);
  const tests = options.bug === undefined ? all : all.filter((test) => test.bug === options.bug);
  if (options.bug !== undefined && tests.length === 0) throw new BadFile(`no case is for the mistake ${options.bug}`);
  const adapter = await import(pathToFileURL(resolve(positional[1])).href).catch((error) => {
    throw new BadFile(`${positional[1]}: ${shortened(error)}`);
  });
  const report = new Report(options.all);
  for (const test of tests) {
    if (options.only.includes(test.kind) && adapter[FUNCTIONS[test.kind]]) report.tryCase(test, adapter, options);
  }
  const compared = report.summary();
  howFar(options.above);
  if (compared === 0) throw new BadFile("nothing could be compared: the adapter has none of the functions, or offers nothing");
  print(report.refuted > 0 ? `REFUTED: ${report.refuted} of ${compared} cases` : `agreed: ${compared} cases`);
  return report.refuted > 0 ? 1 : 0;
}

// Whatever ends the process, the status is 2 until there is a verdict: process.exit(0) in a library is none.
let status = 2;
process.on("exit", () => {
  if (status === 2) process.exitCode = 2;
});
process.exitCode = 2;
try {
  status = await main();
  process.exitCode = status;
} catch (error) {
  console.error(`check.mjs: ${error instanceof BadFile ? error.message : `unexpected: ${shortened(error)}`}`);
}
