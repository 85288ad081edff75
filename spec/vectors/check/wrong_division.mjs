// own.mjs with a planted mistake, that of dashu-ratio 0.4.0: (2/3)/2 = 1/2. check.mjs refutes it.

import { Samplers, gcd, lowest } from "./own.mjs";

class Wrong extends Samplers {
  // The common factor of p and k is taken out of q, not of k, and rounded.
  divide(x, k) {
    const [p, q] = lowest(x);
    const common = gcd(p, k);
    return [p / common, (q / common) * k];
  }
}

const wrong = new Wrong();
export const sample = (algorithm, parameters, bits) => wrong.sample(algorithm, parameters, bits);
