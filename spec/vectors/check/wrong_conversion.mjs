// own_accounts.mjs with a planted mistake: the conversion of Renyi divergences of before 2020. check.mjs --sharp says so.

import { Accounts } from "./own_accounts.mjs";

class Wrong extends Accounts {
  curve(law, rate, noise, steps) {
    return law === "poisson-gaussian" ? this.byDivergences(rate, noise, steps) : undefined;
  }

  exponent(order, excess) {
    return (order - 1) * excess;
  }
}

const wrong = new Wrong();
export const account = (law, parameters, quantity, at) => wrong.account(law, parameters, quantity, at);
