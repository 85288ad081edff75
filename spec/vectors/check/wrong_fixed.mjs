// own_accounts.mjs with a planted mistake: batches of a fixed size are taken for Poisson samples. check.mjs says UNSOUND.

import { Accounts } from "./own_accounts.mjs";

class Wrong extends Accounts {
  fixed(rate, noise, steps) {
    return this.curve("poisson-gaussian", rate, noise, steps);
  }
}

const wrong = new Wrong();
export const account = (law, parameters, quantity, at) => wrong.account(law, parameters, quantity, at);
