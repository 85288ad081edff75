// own.mjs with every promise of privacy a millionth too large: check.mjs says conservative, and refutes nothing.

import { value as own } from "./own.mjs";

export function value(law, parameters, quantity, at) {
  if (!["profile", "delta"].includes(quantity)) return undefined;
  const found = own(law, parameters, quantity, at);
  return found === undefined ? undefined : found * 1.000001;
}
