"""Accountants of others, each asked one question: how much epsilon do so many Poisson-sampled Gaussian steps cost at delta?

    python peers.py PEER        answers questions from standard input, a line each

A question is [rate, deviation, steps, delta], an answer {"epsilon": ..., "seconds": ...} or {"refused": ..., "seconds": ...}. Each peer
answers with the figure that it would have a user report, with its own default of every other parameter.
"""

import importlib.util
import json
import math
import resource
import signal
import sys
import time
import warnings
from pathlib import Path

# What a peer may take for an answer: bytes that it may address, and seconds of the processor.
MEMORY, LIMIT = 6 << 30, 10


def dp_accounting_pld():
    import dp_accounting
    from dp_accounting.pld import PLDAccountant

    return lambda *cell: composed(dp_accounting, PLDAccountant(), *cell)


def dp_accounting_rdp():
    import dp_accounting
    from dp_accounting.rdp import RdpAccountant

    return lambda *cell: composed(dp_accounting, RdpAccountant(), *cell)


def composed(dp_accounting, accountant, rate, deviation, steps, delta):
    step = dp_accounting.PoissonSampledDpEvent(rate, dp_accounting.GaussianDpEvent(deviation))
    return accountant.compose(step, steps).get_epsilon(delta)


def jax_privacy_pld():
    """Its rate is a batch of so many records."""
    from jax_privacy.accounting import accountants, analysis

    def ask(rate, deviation, steps, delta):
        records = 10000
        training = analysis.DpsgdTrainingAccountant(dp_accountant_config=accountants.PldAccountantConfig())
        parameters = analysis.DpParams(
            noise_multipliers=deviation, num_samples=records, batch_size=round(rate * records), delta=delta)
        return training.compute_epsilon(steps, parameters)

    return ask


def prv_accountant():
    """delta_error "typically around 10^-3 x delta", as its documentation says."""
    from prv_accountant.dpsgd import DPSGDAccountant

    def ask(rate, deviation, steps, delta):
        made = DPSGDAccountant(
            noise_multiplier=deviation, sampling_probability=rate, max_steps=steps, eps_error=0.1, delta_error=delta / 1000)
        return made.compute_epsilon(delta=delta, num_steps=steps)[2]

    return ask


def opacus(name):
    def start():
        from opacus import accountants

        def ask(rate, deviation, steps, delta):
            made = getattr(accountants, name)()
            # What so many calls of `step` leave.
            made.history = [(deviation, rate, steps)]
            return made.get_epsilon(delta)

        return ask

    return start


def autodp():
    from autodp.mechanism_zoo import NoisySGD_Mechanism

    return lambda rate, deviation, steps, delta: NoisySGD_Mechanism(rate, deviation, steps).get_approxDP(delta)


def opake():
    """Its compiled module alone: the Python around it needs PyTorch, and does not load in Python 3.11.7."""
    home = Path(importlib.util.find_spec("opake.api.accounting").submodule_search_locations[0]) / "core"
    spec = importlib.util.spec_from_file_location("opake_accounting", next(home.glob("opake_accounting*.so")))
    native = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(native)

    def ask(rate, deviation, steps, delta):
        step = native.gaussian_pld(deviation, native.DiscretizationConfig())
        return (step if rate == 1 else native.poisson_pld(step, rate)).self_compose(steps).epsilon_at(delta)

    return ask


def fourier_accountant():
    from fourier_accountant import get_epsilon_R

    return lambda rate, deviation, steps, delta: get_epsilon_R(target_delta=delta, sigma=deviation, q=rate, ncomp=steps)


def pld_accounting():
    """Its sampling of the Gaussian of dp-accounting, which also composes."""
    from PLD_accounting import subsample_pld
    from dp_accounting.pld import privacy_loss_distribution

    def ask(rate, deviation, steps, delta):
        step = privacy_loss_distribution.from_gaussian_mechanism(deviation)
        return subsample_pld(pld=step, sampling_probability=rate).self_compose(steps).get_epsilon_for_delta(delta)

    return ask


def dp_accelerator():
    from dp_accelerator import DPSGDAccountant

    def ask(rate, deviation, steps, delta):
        return DPSGDAccountant(deviation, round(rate * 10000), 10000).get_epsilon(steps, delta)

    return ask


# By name: the environment of experiments/libraries/ that it is in, and what makes the function that is asked.
PEERS = {
    "dp-accounting-pld": ("accountants", dp_accounting_pld),
    "dp-accounting-rdp": ("accountants", dp_accounting_rdp),
    "jax-privacy-pld": ("jax-privacy", jax_privacy_pld),
    "prv-accountant": ("accountants", prv_accountant),
    "opacus-prv": ("opacus", opacus("PRVAccountant")),
    "opacus-rdp": ("opacus", opacus("RDPAccountant")),
    "opacus-gdp": ("opacus", opacus("GaussianAccountant")),
    "autodp-rdp": ("accountants", autodp),
    "opake-accounting": ("accountants", opake),
    "dp-accelerator": ("accountants", dp_accelerator),
    "fourier-accountant": ("accountants", fourier_accountant),
    "pld-accounting": ("accountants", pld_accounting),
}


def answer(ask, cell):
    started = time.process_time()
    try:
        epsilon = float(ask(*cell))
        found = {"epsilon": epsilon} if math.isfinite(epsilon) else {"refused": "answers %s" % epsilon}
    except (Exception, MemoryError) as error:  # whatever a library raises is its refusal
        found = {"refused": "%s: %s" % (type(error).__name__, str(error)[:200])}
    return {**found, "seconds": time.process_time() - started}


def main(peer):
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # A peer may print; answers have the true output to themselves.
    out, sys.stdout = sys.stdout, sys.stderr
    ask = PEERS[peer][1]()
    print("ready", file=out, flush=True)
    for line in sys.stdin:
        # The process ends by SIGPROF where the answer takes longer, in whatever code it is then.
        signal.setitimer(signal.ITIMER_PROF, LIMIT)
        found = answer(ask, json.loads(line))
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps(found), file=out, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
