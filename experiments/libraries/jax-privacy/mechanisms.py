"""Clipping and noise of jax-privacy. A dataset is a list of vectors of two numbers, or of one number."""

import jax.numpy as jnp
import numpy as np
from jax_privacy import clipping, noise_addition
from named import start


def clipped_sum():
    """A transformation: vectors are clipped to norm 1 and added, in floats of 32 bits."""
    total = clipping.clipped_fun(lambda vector: vector, l2_clip_norm=1.0, keep_batch_dim=False)
    return lambda data: np.asarray(total(jnp.array(data, dtype=jnp.float32)), dtype=float).tolist()


def noise(told):
    """One step of noise of deviation 1 on a number. The state goes on: each draw is new."""
    adder = noise_addition.gaussian_privatizer(stddev=1.0)
    state = adder.init(jnp.zeros(1))

    def release(data):
        nonlocal state
        answer, state = adder.update(jnp.array(data, dtype=jnp.float32), state)
        return told(float(answer[0]))

    return release


def gaussian():
    return noise(float)


def gaussian_rounded():
    return noise(lambda value: round(value * 10**4))


if __name__ == "__main__":
    start(globals())
