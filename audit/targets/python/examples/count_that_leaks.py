"""A noisy count that also says which groups there are. `assay replay` proves the leak in two runs."""
import os, random, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from recorder import noise, serve

def laplace(scale):
    return noise("laplace", scale, lambda: random.expovariate(1 / scale) - random.expovariate(1 / scale))

def counts(data):
    return {str(group): data.count(group) + laplace(1) for group in sorted(set(data))}

serve(counts)
