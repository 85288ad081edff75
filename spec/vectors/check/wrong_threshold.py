"""own.py with a planted mistake: what is released from the threshold on is counted above it. check.py says UNSOUND."""

import own


class Wrong(own.Values):
    def released(self, noise, threshold, count):
        return super().released(noise, threshold + 1, count)


value = Wrong().value
