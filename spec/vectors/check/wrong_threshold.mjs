// own.mjs with a planted mistake: what is released from the threshold on is counted above it. check.mjs says UNSOUND.

import { Values } from "./own.mjs";

class Wrong extends Values {
  released(scale, threshold, count) {
    return super.released(scale, threshold + 1, count);
  }
}

const wrong = new Wrong();
export const value = (law, parameters, quantity, at) => wrong.value(law, parameters, quantity, at);
