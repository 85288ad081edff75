"""Yes or no by randomised response, at the epsilon that is asked for, from a budget of 1 in each session: but what a question
costs is charged after it was answered, so that the last one goes beyond the budget."""

import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from adapter import serve_sessions

COINS = random.SystemRandom()


def open_session(data):
    spent = 0

    def ask(epsilon):
        nonlocal spent
        if spent >= 1:
            raise ValueError("the budget is spent")
        spent += epsilon
        truth = data[-1] == 1
        return truth if COINS.random() < 1 / (1 + math.exp(-epsilon)) else not truth

    return ask


serve_sessions(open_session)
