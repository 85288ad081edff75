"""own_accounts.py with a planted mistake: Renyi divergences of the orders 2, ..., 64 alone. check.py --sharp says so."""

import own_accounts


class Wrong(own_accounts.Accounts):
    def curve(self, law, rate, noise, steps):
        if law != "poisson-gaussian":
            raise NotImplementedError
        return lambda epsilon: self.by_divergences(rate, noise, steps, epsilon)

    def orders(self):
        return tuple(range(2, 65))


account = Wrong().account
