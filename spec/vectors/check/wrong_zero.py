"""own.py with a planted mistake: minus zero is kept, so that zero is drawn twice as often. check.py refutes it."""

import own


class Wrong(own.Samplers):
    def keeps(self, minus, magnitude):
        return True


sample = Wrong().sample
