"""own_accounts.py with a planted mistake: the addition of a record alone is accounted. Where that is a closed form, of one step:
check.py says UNSOUND."""

import own_accounts


class Wrong(own_accounts.Accounts):
    def both_ways(self, rate, mu, epsilon):
        return self.addition(rate, mu, epsilon)

    def by_divergences(self, *_):
        raise NotImplementedError


account = Wrong().account
