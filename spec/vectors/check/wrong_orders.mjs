// own_accounts.mjs with a planted mistake: Renyi divergences of the orders 2, ..., 64 alone. check.mjs --sharp says so.

import { Accounts } from "./own_accounts.mjs";

class Wrong extends Accounts {
  curve(law, rate, noise, steps) {
    return law === "poisson-gaussian" ? this.byDivergences(rate, noise, steps) : undefined;
  }

  orders() {
    return Array.from({ length: 63 }, (_, i) => 2 + i);
  }
}

const wrong = new Wrong();
export const account = (law, parameters, quantity, at) => wrong.account(law, parameters, quantity, at);
