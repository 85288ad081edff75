// The algorithms of algorithms.md once more, written plainly, and a few values of class A in doubles: check.mjs compares all
// tapes and trees with them, and says how many values. Accounts of class F are in own_accounts.mjs.
//
//     node check.mjs ../v1 own.mjs
//
// The class is there for the planted mistakes beside it, each of which changes one of its methods. Fractions are pairs
// [numerator, denominator] of BigInts, which need not be in lowest terms save where it is said.

export { account } from "./own_accounts.mjs";

export const sameAlgorithm = true;

export function gcd(a, b) {
  return b === 0n ? a : gcd(b, a % b);
}

export function lowest([a, b]) {
  const common = gcd(a < 0n ? -a : a, b);
  return [a / common, b / common];
}

export class Samplers {
  uniformBelow(n, bits) {
    require(n >= 1n, "n", n, "at least 1");
    const width = n === 1n ? 0 : (n - 1n).toString(2).length;
    for (;;) {
      let candidate = 0n;
      for (let i = 0; i < width; i++) candidate = 2n * candidate + BigInt(bits.next());
      if (candidate < n) return candidate;
    }
  }

  // The binary digits of p beside the tape, up to the first that differ.
  bernoulli([a, b], bits) {
    require(a >= 0n && a <= b, "p", `${a}/${b}`, "from 0 to 1");
    if (a === b) return true;
    while (a > 0n) {
      a *= 2n;
      const digit = a >= b ? 1 : 0;
      if (digit === 1) a -= b;
      if (bits.next() !== digit) return digit === 1;
    }
    return false;
  }

  bernoulliExp([a, b], bits) {
    require(a >= 0n, "x", `${a}/${b}`, "at least 0");
    if (a > b) {
      for (let whole = a / b; whole > 0n; whole--) {
        if (!this.bernoulliExp([1n, 1n], bits)) return false;
      }
      return this.bernoulliExp([a % b, b], bits);
    }
    let k = 1n;
    while (this.bernoulli(this.divide([a, b], k), bits)) k += 1n;
    return k % 2n === 1n;
  }

  divide([a, b], k) {
    return [a, b * k];
  }

  geometric(rate, bits) {
    require(rate[0] > 0n, "rate", rate.join("/"), "above 0");
    const [s, t] = lowest(rate);
    let u;
    do u = this.uniformBelow(t, bits);
    while (!this.bernoulliExp([u, t], bits));
    let v = 0n;
    while (this.bernoulliExp([1n, 1n], bits)) v += 1n;
    return (u + t * v) / s;
  }

  discreteLaplace([a, b], bits) {
    require(a > 0n, "scale", `${a}/${b}`, "above 0");
    for (;;) {
      const minus = bits.next() === 1;
      const magnitude = this.geometric([b, a], bits);
      if (this.keeps(minus, magnitude)) return minus ? -magnitude : magnitude;
    }
  }

  // Zero has one sign, not two.
  keeps(minus, magnitude) {
    return !(minus && magnitude === 0n);
  }

  discreteGaussian([a, b], bits) {
    require(a > 0n, "variance", `${a}/${b}`, "above 0");
    const t = root(a / b) + 1n;
    for (;;) {
      const y = this.discreteLaplace([t, 1n], bits);
      // (|y| - variance / t)^2 / (2 variance), for variance = a / b.
      const gap = (y < 0n ? -y : y) * b * t - a;
      if (this.bernoulliExp([gap * gap, 2n * a * b * t * t], bits)) return y;
    }
  }

  // What check.mjs calls.
  sample(algorithm, parameters, bits) {
    switch (algorithm) {
      case "uniform-below": return this.uniformBelow(BigInt(parameters.n), bits);
      case "bernoulli": return this.bernoulli(rational(parameters.p), bits);
      case "bernoulli-exp": return this.bernoulliExp(rational(parameters.x), bits);
      case "geometric": return this.geometric(rational(parameters.rate), bits);
      case "discrete-laplace": return this.discreteLaplace(rational(parameters.scale), bits);
      case "discrete-gaussian": return this.discreteGaussian(rational(parameters.variance), bits);
    }
  }
}

function rational(text) {
  const [a, b = "1"] = text.split("/");
  return [BigInt(a), BigInt(b)];
}

// The integer part of the square root, by Newton's method from above.
function root(n) {
  if (n === 0n) return 0n;
  let x = n;
  for (let better = (x + n / x) / 2n; better < x; better = (x + n / x) / 2n) x = better;
  return x;
}

function require(right, name, value, expected) {
  if (!right) throw new RangeError(`${name} is ${value}, and must be ${expected}`);
}

const samplers = new Samplers();
export const sample = (algorithm, parameters, bits) => samplers.sample(algorithm, parameters, bits);

// Values in doubles: about 13 digits are right.
export class Values {
  value(law, parameters, quantity, at) {
    const of = Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, Array.isArray(text) ? text : double(text)]));
    if (law === "geometric") return this.geometric(of.rate, quantity, Number(at.k));
    if (law === "randomised-response") return this.response(of.epsilon, quantity, at);
    if (law === "laplace-threshold" && quantity !== "profile") return this.released(of.scale, of.threshold, Number(at.count));
    return undefined;
  }

  geometric(rate, quantity, k) {
    if (!["pmf", "tail"].includes(quantity)) return undefined;
    if (k < 0) return quantity === "pmf" ? 0 : 1;
    return Math.exp(-rate * k) * (quantity === "pmf" ? -Math.expm1(-rate) : 1);
  }

  response(epsilon, quantity, at) {
    if (quantity === "pmf") return 1 / (1 + Math.exp(at.k === "0" ? -epsilon : epsilon));
    const spent = double(at.epsilon);
    // (e^epsilon - e^spent) / (1 + e^epsilon)
    return spent < epsilon ? -Math.expm1(spent - epsilon) / (1 + Math.exp(-epsilon)) : 0;
  }

  // Pr[count + X >= threshold]
  released(scale, threshold, count) {
    const upper = (k) => Math.exp(-k / scale) / (1 + Math.exp(-1 / scale));
    const k = threshold - count;
    return k > 0 ? upper(k) : 1 - upper(1 - k);
  }
}

function double(text) {
  const [a, b] = rational(text).map(Number);
  return a / b;
}

const values = new Values();
export const value = (law, parameters, quantity, at) => values.value(law, parameters, quantity, at);
