// own_accounts.mjs with a planted mistake: the addition of a record alone is accounted. Where that is a closed form, of one step:
// check.mjs says UNSOUND.

import { Accounts } from "./own_accounts.mjs";

class Wrong extends Accounts {
  bothWays(rate, mu, epsilon) {
    return this.addition(rate, mu, epsilon);
  }

  byDivergences() {
    return undefined;
  }
}

const wrong = new Wrong();
export const account = (law, parameters, quantity, at) => wrong.account(law, parameters, quantity, at);
