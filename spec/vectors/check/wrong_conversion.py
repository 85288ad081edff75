"""own_accounts.py with a planted mistake: the conversion of Renyi divergences of before 2020. check.py --sharp says so."""

import own_accounts


class Wrong(own_accounts.Accounts):
    def curve(self, law, rate, noise, steps):
        if law != "poisson-gaussian":
            raise NotImplementedError
        return lambda epsilon: self.by_divergences(rate, noise, steps, epsilon)

    def exponent(self, order, excess):
        return (order - 1) * excess


account = Wrong().account
