"""own_accounts.py with a planted mistake: batches of a fixed size are taken for Poisson samples. check.py says UNSOUND."""

import own_accounts


class Wrong(own_accounts.Accounts):
    def fixed(self, rate, noise, steps):
        return self.curve("poisson-gaussian", rate, noise, steps)


account = Wrong().account
