// own.mjs with a planted mistake: minus zero is kept, so that zero is drawn twice as often. check.mjs refutes it.

import { Samplers } from "./own.mjs";

class Wrong extends Samplers {
  keeps() {
    return true;
  }
}

const wrong = new Wrong();
export const sample = (algorithm, parameters, bits) => wrong.sample(algorithm, parameters, bits);
