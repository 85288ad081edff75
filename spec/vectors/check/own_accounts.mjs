// Accounts of class F in plain doubles: closed forms of one step and of steps on all records, which are right to 9 digits; of
// other Gaussian steps Renyi divergences, which are sound, and a few percent too large. own.mjs offers them to check.mjs.
//
// The class is there for the planted mistakes beside this file, each of which changes one of its methods.

// 2/sqrt(pi) times the integral of e^(-t^2) from x on: by its series, or from 2 on by a continued fraction.
export function erfc(x) {
  if (x < 0) return 2 - erfc(-x);
  const scale = Math.exp(-x * x) / Math.sqrt(Math.PI);
  if (x < 2) {
    let [term, sum] = [2 * x, 0];
    for (let n = 1; term > 1e-18; n++) {
      sum += term;
      term *= (2 * x * x) / (2 * n + 1);
    }
    return 1 - scale * sum;
  }
  let fraction = x;
  for (let n = 200; n > 0; n--) fraction = x + n / 2 / fraction;
  return scale / fraction;
}

const phi = (x) => 0.5 * erfc(-x / Math.SQRT2);

// The delta of N(mu, 1) beside N(0, 1).
const gaussian = (mu, epsilon) => phi(mu / 2 - epsilon / mu) - Math.exp(epsilon) * phi(-mu / 2 - epsilon / mu);

export class Accounts {
  // What check.mjs calls.
  account(law, parameters, quantity, at) {
    if (law === "poisson-laplace") return undefined;
    const [rate, noise, steps] = [parameters.rate, parameters.deviation, parameters.steps].map(double);
    const curve = this.curve(law, rate, noise, steps);
    if (curve === undefined) return undefined;
    return quantity === "delta" ? curve(double(at.epsilon)) : least(curve, double(at.delta));
  }

  // Delta as a function of epsilon.
  curve(law, rate, noise, steps) {
    if (law === "fixed-gaussian") return this.fixed(rate, noise, steps);
    if (rate === 1) return (epsilon) => gaussian(Math.sqrt(steps) / noise, epsilon);
    if (steps === 1) return (epsilon) => this.bothWays(rate, 1 / noise, epsilon);
    return this.byDivergences(rate, noise, steps);
  }

  // A record in place of another moves a sum by up to 2. Of more steps it is known for all records alone.
  fixed(rate, noise, steps) {
    if (rate === 1) return (epsilon) => gaussian((2 * Math.sqrt(steps)) / noise, epsilon);
    if (steps === 1) return (epsilon) => this.removal(rate, 2 / noise, epsilon);
    return undefined;
  }

  bothWays(rate, mu, epsilon) {
    return Math.max(this.removal(rate, mu, epsilon), this.addition(rate, mu, epsilon));
  }

  // q h((g - 1 + q) / q), g = e^epsilon (spec/accounting.md)
  removal(rate, mu, epsilon) {
    return rate * gaussian(mu, Math.log1p(Math.expm1(epsilon) / rate));
  }

  // r h(g q / r), r = 1 - g (1 - q)
  addition(rate, mu, epsilon) {
    const rest = 1 - Math.exp(epsilon) * (1 - rate);
    return rest > 1e-12 ? rest * gaussian(mu, epsilon + Math.log(rate / rest)) : 0;
  }

  // The least over the orders. Removal has the larger divergences (Mironov, Talwar and Zhang 2019).
  byDivergences(rate, deviation, steps) {
    const found = divergences(this.orders(), rate, deviation);
    return (epsilon) => Math.exp(Math.min(0, ...found.map(([order, one]) => this.exponent(order, steps * one - epsilon))));
  }

  // So close together that others would hardly matter.
  orders() {
    return Array.from({ length: 110 }, (_, i) => 1 + 0.02 * (8 / 7) ** i);
  }

  // ln delta by Canonne, Kamath and Steinke 2020, Proposition 12
  exponent(order, excess) {
    return (order - 1) * (excess + Math.log1p(-1 / order)) - Math.log(order);
  }
}

const known = new Map();

function divergences(orders, rate, deviation) {
  const key = [rate, deviation].join();
  if (!known.has(key)) {
    const near = orders.filter((order) => order <= 1000 * deviation);
    known.set(key, near.map((order) => [order, divergence(rate, deviation, order)]));
  }
  return known.get(key);
}

// ln(E_Q[T^order]) / (order - 1) by a sum over even points, with T = 1 - q + q e^(y/s - 1/(2 s^2)) and Q normal.
function divergence(rate, deviation, order) {
  const height = (_, i) => {
    const y = i / 8 - 14;
    const exponent = (y - 0.5 / deviation) / deviation;
    const low = rate < 1 ? () => Math.log1p(rate * Math.expm1(exponent)) : () => exponent;
    const ratio = exponent > 0 ? exponent + Math.log(rate + (1 - rate) * Math.exp(-exponent)) : low();
    return order * ratio - (y * y) / 2;
  };
  const heights = Array.from({ length: Math.floor(8 * (order / deviation + 28)) + 2 }, height);
  const top = heights.reduce((one, other) => Math.max(one, other));
  const sum = heights.reduce((all, one) => all + Math.exp(one - top), 0);
  return Math.max(0, (top + Math.log(sum / 8 / Math.sqrt(2 * Math.PI))) / (order - 1));
}

// The least epsilon whose delta is at most this, from above.
function least(curve, delta) {
  let [low, high] = [0, 1e-6];
  if (curve(low) <= delta) return 0;
  while (curve(high) > delta) {
    [low, high] = [high, 2 * high];
    if (high > 700) return Infinity;
  }
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    [low, high] = curve(middle) > delta ? [middle, high] : [low, middle];
  }
  return high;
}

export function double(text) {
  const [a, b = "1"] = text.split("/").map(Number);
  return a / b;
}

const accounts = new Accounts();
export const account = (law, parameters, quantity, at) => accounts.account(law, parameters, quantity, at);
