// A planted mistake: Gaussian losses on a grid, rounded up, convolved by Fourier in doubles, and what that errs by left out.
// At a small delta check.mjs says UNSOUND, of some cases: of others the error happens to make epsilon too large.

import { double, erfc } from "./own_accounts.mjs";

const LENGTH = 1 << 14;

// The transform of [real parts, imaginary parts], by halves.
function fourier([re, im], sign) {
  const n = re.length;
  if (n === 1) return [re, im];
  const half = (from) => fourier([re, im].map((part) => part.filter((_, i) => i % 2 === from)), sign);
  const [even, odd] = [half(0), half(1)];
  const found = [new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i < n / 2; i++) {
    const angle = (sign * 2 * Math.PI * i) / n;
    const turned = times([Math.cos(angle), Math.sin(angle)], [odd[0][i], odd[1][i]]);
    for (const part of [0, 1]) {
      found[part][i] = even[part][i] + turned[part];
      found[part][i + n / 2] = even[part][i] - turned[part];
    }
  }
  return found;
}

const times = ([a, b], [c, d]) => [a * c - b * d, a * d + b * c];

function power(x, k) {
  if (k === 0) return [1, 0];
  const root = power(x, Math.floor(k / 2));
  const square = times(root, root);
  return k % 2 === 1 ? times(square, x) : square;
}

const place = (node) => ((node % LENGTH) + LENGTH) % LENGTH;

// P at the multiples of the step: a cell's share of its upper end keeps its masses under P and Q.
function masses(mu, step) {
  const found = new Float64Array(LENGTH);
  const above = (x) => 0.5 * erfc(x / Math.SQRT2);
  const last = Math.ceil((mu ** 2 / 2 + 9.5 * mu) / step);
  for (let node = Math.floor((-(mu ** 2) / 2 - 9.5 * mu) / step); node < last; node++) {
    const [low, high] = [node * step, (node + 1) * step];
    // The loss is mu x - mu^2/2: under Q it is normal with mean -mu^2/2, under P with mean mu^2/2.
    const q = above(low / mu + mu / 2) - above(high / mu + mu / 2);
    const p = above(low / mu - mu / 2) - above(high / mu - mu / 2);
    const share = Math.min(q, Math.max(0, (p - Math.exp(low) * q) / (Math.exp(high) - Math.exp(low))));
    found[place(node + 1)] += share * Math.exp(high);
    found[place(node)] += (q - share) * Math.exp(low);
  }
  return found;
}

export function account(law, parameters, quantity, at) {
  if (law !== "poisson-gaussian" || double(parameters.rate) !== 1 || quantity !== "epsilon") return undefined;
  const [delta, mu, steps] = [double(at.delta), 1 / double(parameters.deviation), double(parameters.steps)];
  const spread = 10 * mu * Math.sqrt(steps);
  const step = (2 * spread) / (LENGTH - 8);
  const bottom = Math.floor(((steps * mu ** 2) / 2 - spread) / step);
  const transformed = fourier([masses(mu, step), new Float64Array(LENGTH)], -1);
  for (let i = 0; i < LENGTH; i++) [transformed[0][i], transformed[1][i]] = power([transformed[0][i], transformed[1][i]], steps);
  const sums = fourier(transformed, 1)[0].map((sum) => sum / LENGTH);
  let [everything, weighted] = [0, 0];
  for (let node = bottom + LENGTH - 1; node >= bottom; node--) {
    if (everything - weighted > delta) return Math.max(0, node * step + Math.log((everything - delta) / weighted));
    everything += sums[place(node)];
    weighted = (weighted + sums[place(node)]) * Math.exp(-step);
  }
  return undefined;
}
