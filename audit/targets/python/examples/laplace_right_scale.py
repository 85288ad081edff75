"""A count with the noise that epsilon = 1 needs, on the integers."""
import os, random, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from adapter import serve

def count(data):
    magnitudes = [int(random.expovariate(1.0)) for _ in range(2)]
    return sum(data) + magnitudes[0] - magnitudes[1]

serve(count)
