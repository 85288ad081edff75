// The algorithms of algorithms.md once more, written plainly: check.mjs agrees with them on every vector.
//
//     node check.mjs ../v1 own.mjs
//
// The class is there for the planted mistakes beside it, each of which changes one of its methods. Fractions are pairs
// [numerator, denominator] of BigInts, which need not be in lowest terms save where it is said.

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

// The probabilities of one law, in doubles: about 13 digits are right.
export function value(law, parameters, quantity, at) {
  if (law !== "geometric" || !["pmf", "tail"].includes(quantity)) return undefined;
  const [a, b] = rational(parameters.rate).map(Number);
  const k = Number(at.k);
  if (k < 0) return quantity === "pmf" ? 0 : 1;
  return Math.exp((-a * k) / b) * (quantity === "pmf" ? -Math.expm1(-a / b) : 1);
}
