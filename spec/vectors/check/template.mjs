// An adapter to fill in: how check.mjs calls your library. What it does not offer stays undefined.
//
//     node check.mjs ../v1 template.mjs

// True if your sampler is that of algorithms.md bit for bit: then the tapes (B) and the trees themselves (C) are compared.
export const sameAlgorithm = false;

// A: a number. For example: law "discrete-laplace", parameters {scale: "2/1"}, quantity "pmf", at {k: "3"}.
export function value(law, parameters, quantity, at) {
  if (law === "discrete-laplace" && quantity === "pmf") {
    // return myLibrary.pmf(Number(at.k), parameters.scale);
  }
  return undefined;
}

// F: an upper bound. For example: law "poisson-gaussian", parameters {rate: "1/100", deviation: "1/1", steps: "1000"}, quantity
// "epsilon", at {delta: "1/100000"}.
export function account(law, parameters, quantity, at) {
  if (law === "poisson-gaussian" && quantity === "epsilon") {
    // return myLibrary.epsilon(parameters.rate, parameters.deviation, parameters.steps, at.delta);
  }
  return undefined;
}

// B and C: one draw. Every coin comes from bits.next(), which is 0 or 1.
export function sample(algorithm, parameters, bits) {
  if (algorithm === "discrete-laplace") {
    // return myLibrary.discreteLaplace(parameters.scale, () => bits.next());
  }
  return undefined;
}
