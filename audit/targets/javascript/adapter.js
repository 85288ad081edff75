// Lets `assay audit` ask a JavaScript function for samples. Copy this file; it needs nothing else.
//
//     const { serve } = require("./adapter.js");
//     serve((data) => data.length + noise());
//
// With `assay audit --time` each answer is stamped with the nanoseconds that the mechanism took.
//
// For a program that answers by sessions: serveSessions((data) => (question) => answer), where what is returned may have close().
//
// The mechanism takes one dataset and returns one output: a number, a bigint, a string, bytes (a Uint8Array), a boolean,
// null, or an array or a plain object of those. An exception is an output too. In a dataset, {"float": "nan"} (or "inf",
// "-inf", "0x1.8p+0") is that number: JSON has none for it.

const view = new DataView(new ArrayBuffer(8));

// Decimal digits keep the bits of a double, but JSON has no infinities and no NaN, and JavaScript drops the sign of -0.
// "Infinity" in quotes would be a label. Some engines make all NaN one.
function number(value) {
  if (Object.is(value, -0)) return "-0.0";
  if (Number.isFinite(value)) return String(value);
  view.setFloat64(0, value);
  if (Number.isNaN(value)) return `"nan:0x${view.getBigUint64(0).toString(16)}"`;
  return value > 0 ? '"inf"' : '"-inf"';
}

// The JSON text of an output.
function encode(value) {
  if (typeof value === "number") return number(value);
  if (typeof value === "bigint") return String(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (value instanceof Uint8Array) return `{"bytes":"${Buffer.from(value).toString("hex")}"}`;
  if (Array.isArray(value)) return `[${value.map(encode).join(",")}]`;
  if (typeof value === "object") {
    const entries = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}:${encode(item)}`);
    return `{${entries.join(",")}}`;
  }
  throw new TypeError(`an output is a number, a string, bytes, a boolean, null, an array or an object, got ${typeof value}`);
}

// A double as outputs are written: nan, inf, -inf, nan:0x… or 0x1.8p+0.
function float(text) {
  if (text.startsWith("nan")) {
    view.setBigUint64(0, BigInt(text === "nan" ? "0x7ff8000000000000" : text.slice(4)));
    return view.getFloat64(0);
  }
  const sign = text.startsWith("-") ? -1 : 1;
  if (text.endsWith("inf")) return sign * Infinity;
  const [, whole, fraction, power] = /^-?0x([0-9a-f]*)\.?([0-9a-f]*)p([+-]?[0-9]+)$/i.exec(text);
  const digits = Number(`0x${whole}${fraction}`);
  // In two steps, since 2 ** -1074 is the least double.
  const exponent = Number(power) - 4 * fraction.length;
  const half = Math.trunc(exponent / 2);
  return sign * digits * 2 ** half * 2 ** (exponent - half);
}

function decode(_, value) {
  const isFloat = value !== null && typeof value === "object" && typeof value.float === "string";
  return isFloat && Object.keys(value).length === 1 ? float(value.float) : value;
}

// What is written of what a function does: an output, or the exception.
function written(act) {
  try {
    return act();
  } catch (error) {
    return JSON.stringify({ error: String(error) });
  }
}

// The line that answers.
function answer(mechanism, ...data) {
  return written(() => encode(mechanism(...data))) + "\n";
}

// The same after a line with the nanoseconds that the mechanism alone took.
function stamped(mechanism, data) {
  let value, failed, took;
  const start = process.hrtime.bigint();
  try {
    value = mechanism(data);
    took = process.hrtime.bigint() - start;
  } catch (error) {
    took = process.hrtime.bigint() - start;
    failed = { error };
  }
  const line = written(() => {
    if (failed) throw failed.error;
    return encode(value);
  });
  return `{"time":${took}}\n${line}\n`;
}

function answerLines(reply) {
  const lines = require("readline").createInterface({ input: process.stdin });
  lines.on("line", (line) => process.stdout.write(reply(JSON.parse(line, decode))));
}

// Answers requests on standard input until it ends.
// To be counted on many machines a mechanism takes its seed from us: serve(mechanism, reseed), where reseed gets the
// seed of a request, 64 hexadecimal digits, before the request is answered.
function serve(mechanism, reseed) {
  answerLines(({ op, data, n, seed, time }) => {
    if (op !== "sample") throw new Error(`this program has no answer to ${op}: for --questions write serveSessions(begin)`);
    if (seed !== undefined) {
      if (!reseed) throw new Error("the request has a seed, and this program takes none: write serve(mechanism, reseed)");
      reseed(seed);
    }
    const before = JSON.stringify(data);
    let reply = "";
    for (let i = 0; i < n; i++) reply += time ? stamped(mechanism, data) : answer(mechanism, data);
    if (JSON.stringify(data) !== before) {
      throw new Error("the mechanism changed its dataset, so that its answers are about different ones: copy what it changes");
    }
    return reply;
  });
}

// Answers requests of sessions (--questions) on standard input until it ends. begin(data) opens one, and
// returns what answers its questions: a function of one question. Its close(), if it has one, ends it.
function serveSessions(begin) {
  let session;
  const nothing = (act) => () => (act(), null);
  answerLines(({ op, data, question }) => {
    if (op === "open") return answer(nothing(() => (session = begin(data))));
    if (op === "ask") return answer(session, question);
    if (op === "close") return answer(nothing(() => session.close?.()));
    throw new Error("this program answers by sessions: give --questions, or write serve(mechanism)");
  });
}

module.exports = { serve, serveSessions };
