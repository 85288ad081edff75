"""Lets `assay replay` record the noise of a Python function and play it back on other data.

    from recorder import serve
    serve(lambda data: sum(data) + numpy.random.default_rng().laplace(0, 2))

Import it before what you audit: it replaces numpy.random's and random's samplers. Copy adapter.py with it. Noise of another
sampler is recorded if it is drawn through `noise`:

    serve(lambda data: sum(data) + noise("discrete-laplace", 2, lambda: my_sampler(2)))

The laws are laplace (scale b), gaussian (scale sigma), and on the integers discrete-laplace (P(k) ~ exp(-|k| / scale)) and
discrete-gaussian (P(k) ~ exp(-k^2 / (2 scale^2))). The difference of two draws of geometric (P(k) ~ exp(-k / scale) from the
least k on, as numpy's) is told as one of discrete-laplace.

A draw around 0 waits for the value that it is added to; the sum is a noisy value. When the noise is played back on other
data, the sum is made to be what it was, and the value under it is told. So a draw is used once: added to a value, or first
multiplied by a public constant. Every other use of it (a comparison, float(noise)) is told too, and then no verdict is given.
What draws randomness that is no noise (choices, coins, permutations) is played back as it was, and told as "other". To make
or to seed a generator is no draw. It is tested with numpy from 1.23.2 to 2.4.6, and needs none.
"""

import functools
import json
import math
import numbers
import operator
import os
import random
import secrets
import struct
import sys

import adapter

ON_INTEGERS = ("discrete-laplace", "discrete-gaussian", "geometric")
LAWS = ("laplace", "gaussian") + ON_INTEGERS


class Draw:
    """A draw: its law and scale, the value under it and the noisy value, once they are known."""

    def __init__(self, place, law, scale, noise, released):
        self.place, self.law, self.scale, self.noise = place, law, scale, noise
        self.sampled = law  # before it became the difference of two draws
        self.subtracted = False  # another draw tells of the difference of both
        self.value, self.released = None, None
        self.forced = released  # what the noisy value was when the noise was recorded
        self.otherwise_used = law == "other"

    def release(self, value, factor, less=None):
        """The noisy value: value + factor * (this draw - less), or what it was when it was recorded."""
        noise = self.noise if less is None else self.noise - less.noise
        draws = [self] if less is None else sorted([self, less], key=lambda draw: draw.place)
        if any(draw.is_used() for draw in draws):
            for draw in draws:
                draw.use()
            return value + factor * noise
        first = draws[0]  # it tells of both
        if less is not None:
            first.law, draws[1].subtracted = "discrete-laplace", True
        first.value, first.scale = value, first.scale * abs(factor)
        first.released = value + factor * noise if first.forced is None else first.forced
        return first.released

    def is_used(self):
        return self.released is not None or self.subtracted

    def use(self):
        """The noise itself, for another use than being added to a value."""
        self.otherwise_used = True
        return self.noise

    def told(self):
        number = lambda value: None if value is None else adapter.encode(plain(value))
        return {
            "law": self.law,
            "scale": number(self.scale),
            "value": number(self.value),
            "released": number(self.released),
            "otherwise_used": self.otherwise_used,
        }


class Tape:
    """The draws of one run, and those of the run that is played back."""

    def __init__(self):
        self.draws, self.before, self.open = [], None, False

    def start(self, before):
        self.draws, self.before, self.open = [], before, True

    def draw(self, law, scale, sample, centre=None):
        """A draw: recorded, or played back if the run before drew the same law here."""
        before = None
        if self.before is not None and len(self.draws) < len(self.before):
            before = self.before[len(self.draws)]
            if before.sampled != law:
                before = None
        noise = sample() if before is None else before.noise
        drawn = Draw(len(self.draws), law, scale, noise, before and before.released)
        self.draws.append(drawn)
        if law == "other":
            return noise
        return Noise(drawn) if centre is None else drawn.release(centre, 1)


TAPE = Tape()


def plain(value):
    """A number without numpy."""
    return value.item() if hasattr(value, "item") else value


def is_number(value):
    return isinstance(value, numbers.Real) or (hasattr(value, "item") and getattr(value, "ndim", 1) == 0)


class Noise:
    """A multiple of a draw around 0, or of the difference of two, that has not been added to a value yet."""

    def __init__(self, draw, factor=1, less=None):
        self.draw, self.factor, self.less = draw, factor, less

    def __add__(self, value):
        if is_number(value):
            return self.draw.release(plain(value), self.factor, self.less)
        if isinstance(value, Noise) and self.cancels(value):
            return Noise(self.draw, self.factor, value.draw)
        return self.itself() + itself(value)

    def cancels(self, other):
        """Whether the two sum to the difference of geometric draws of one scale."""
        one, two = self.draw, other.draw
        are_alike = one.sampled == two.sampled == "geometric" and one.scale == two.scale
        return are_alike and one is not two and self.factor == -other.factor and self.less is other.less is None

    __radd__ = __add__

    def __sub__(self, value):
        return self + -value

    def __rsub__(self, value):
        return -self + value

    def __neg__(self):
        return Noise(self.draw, -self.factor, self.less)

    def __mul__(self, factor):
        if not is_number(factor) or self.draw.law in ON_INTEGERS:
            return self.itself() * itself(factor)
        return Noise(self.draw, self.factor * plain(factor))

    __rmul__ = __mul__

    def __truediv__(self, divisor):
        return self * (1 / divisor)

    def itself(self):
        return self.factor * (self.draw.use() - (self.less.use() if self.less else 0))

    def tolist(self):
        """As an output: noise around 0 is a noisy 0."""
        return self + 0

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        return ufunc_of_noise(ufunc, method, inputs, out, options)

    def __array__(self, *_, **__):
        import numpy

        return numpy.asarray(self.itself())


class NoiseArray:
    """Draws around 0, of one call with a size."""

    def __init__(self, items, shape):
        self.items, self.shape, self.ndim, self.size = items, shape, len(shape), len(items)

    def each(self, function, other):
        import numpy

        if isinstance(other, NoiseArray):
            others = other.items
        else:
            others = numpy.broadcast_to(numpy.asarray(other), self.shape).reshape(-1)
        results = [function(noise, value) for noise, value in zip(self.items, others)]
        if all(isinstance(result, Noise) for result in results):
            return NoiseArray(results, self.shape)
        return numpy.asarray([itself(result) for result in results]).reshape(self.shape)

    def fits(self, other):
        import numpy

        return numpy.broadcast_shapes(self.shape, numpy.shape(other)) == self.shape

    def __add__(self, value):
        is_alike = isinstance(value, NoiseArray) and value.shape == self.shape
        if not is_alike and (isinstance(value, (Noise, NoiseArray)) or not self.fits(value)):
            return self.itself() + itself(value)
        return self.each(lambda noise, one: noise + one, value)

    __radd__ = __add__

    def __sub__(self, value):
        return self + -value

    def __rsub__(self, value):
        return -self + value

    def __neg__(self):
        return NoiseArray([-noise for noise in self.items], self.shape)

    def __mul__(self, factor):
        if isinstance(factor, (Noise, NoiseArray)) or not self.fits(factor):
            return self.itself() * itself(factor)
        return self.each(lambda noise, one: noise * one, factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor):
        return self * (1 / divisor)

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, place):
        if len(self.shape) == 1 and isinstance(place, int):
            return self.items[place]
        return self.itself()[place]

    def itself(self):
        import numpy

        return numpy.asarray([noise.itself() for noise in self.items]).reshape(self.shape)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        return ufunc_of_noise(ufunc, method, inputs, out, options)

    def __array__(self, *_, **__):
        return self.itself()

    def tolist(self):
        """As an output: noise around 0 is a noisy 0."""
        return (self + 0).tolist()

    def __getattr__(self, name):
        return getattr(self.itself(), name)


def itself(value):
    return value.itself() if isinstance(value, (Noise, NoiseArray)) else value


OPERATIONS = {
    "add": lambda a, b: a + b if isinstance(a, (Noise, NoiseArray)) else b + a,
    "subtract": lambda a, b: a - b if isinstance(a, (Noise, NoiseArray)) else -b + a,
    "multiply": lambda a, b: a * b if isinstance(a, (Noise, NoiseArray)) else b * a,
}


def ufunc_of_noise(ufunc, method, inputs, out, options):
    """What numpy computes with noise: sums, differences and multiples are followed, all else is another use."""
    operation = OPERATIONS.get(ufunc.__name__) if method == "__call__" and not options else None
    if operation is None or len(inputs) != 2:
        return getattr(ufunc, method)(*map(itself, inputs), out=out, **options)
    result = operation(*inputs)
    if out is None:
        return result
    out[0][...] = itself(result)
    return out[0]


def forward(kind, doc):
    """A method of Noise for another use of the noise."""

    def method(self, *others):
        return getattr(plain(self.itself()), kind)(*map(itself, others))

    method.__doc__ = doc
    return method


for kind in "lt le gt ge eq ne float int bool round abs hash str pow floordiv mod rtruediv rpow trunc floor ceil".split():
    setattr(Noise, "__%s__" % kind, forward("__%s__" % kind, "Another use of the noise."))


def noise(law, scale, sample):
    """Noise around 0 of this law and scale, drawn by `sample()`."""
    if law not in LAWS:
        raise ValueError("the law must be one of %s, got %r" % (", ".join(LAWS), law))
    return TAPE.draw(law, scale, lambda: quietly(sample)) if TAPE.open else sample()


def recorded(law, standard, given):
    """A sampler of numpy's or random's that is recorded: `standard` has no parameters, others have a centre and a scale."""

    def sampler(*arguments, **named):
        if not TAPE.open:
            return given(*arguments, **named)
        names = ["size"] if standard else ["loc" if "loc" in named else "mu", "scale" if "scale" in named else "sigma", "size"]
        values = dict(zip(names, arguments), **named)
        centre = 0 if standard else values.get("loc", values.get("mu", 0))
        scale = 1 if standard else values.get("scale", values.get("sigma", 1))
        size = values.get("size")
        unknown = set(values) - {"loc", "mu", "scale", "sigma", "size"}
        if unknown or not is_number(centre) or not is_number(scale):
            return other(given)(*arguments, **named)
        centre, scale = plain(centre), plain(scale)

        def one():
            drawn = quietly(given, *(() if standard else (0.0, scale)))
            return plain(drawn)

        def draw():
            return TAPE.draw(law, scale, one, None if centre == 0 else centre)

        return sized(draw, size)

    return sampler


def sized(draw, size):
    """One draw, or an array of draws."""
    if size is None:
        return draw()
    shape = tuple(size) if isinstance(size, (list, tuple)) else (operator.index(size),)
    items = [draw() for _ in range(math.prod(shape))]
    if items and isinstance(items[0], Noise):
        return NoiseArray(items, shape)
    import numpy

    return numpy.asarray(items).reshape(shape)


def geometric(given):
    """numpy's geometric sampler, recorded where it has one probability."""

    def sampler(p, size=None):
        if not TAPE.open or not is_number(p) or not 0 < plain(p) < 1:
            return other(given)(p, size)
        # p may have been rounded: no more noise was meant than of a p that is less by a part 2^-48.
        scale = -1 / math.log1p(-plain(p) * (1 - 2.0**-48))
        return sized(lambda: TAPE.draw("geometric", scale, lambda: plain(quietly(given, p))), size)

    return sampler


def other(given):
    """A sampler of what is no noise, or none that is known: played back as it was."""

    def sampler(*arguments, **named):
        if not TAPE.open:
            return given(*arguments, **named)
        return TAPE.draw("other", None, lambda: quietly(given, *arguments, **named))

    return sampler


def quietly(function, *arguments, **named):
    """What a sampler draws while it draws is not recorded."""
    TAPE.open = False
    try:
        return function(*arguments, **named)
    finally:
        TAPE.open = True


NOISE = {"laplace": "laplace", "normal": "gaussian", "gauss": "gaussian", "normalvariate": "gaussian"}
STANDARD = {"standard_normal": "gaussian"}


def wrapped(name, given):
    if name in NOISE:
        return recorded(NOISE[name], False, given)
    if name in STANDARD:
        return recorded(STANDARD[name], True, given)
    if name == "geometric":
        return geometric(given)
    return other(given)


SAMPLERS = (
    "gauss normalvariate random uniform triangular betavariate expovariate gammavariate lognormvariate vonmisesvariate"
    " paretovariate weibullvariate randrange randint choice choices sample shuffle getrandbits randbytes binomialvariate"
).split()
NOT_SAMPLERS = (
    "bit_generator spawn seed get_state set_state get_bit_generator set_bit_generator test default_rng"
).split()


def methods(given, names):
    """The methods of a class of generators, recorded."""

    def method(name, function):
        return lambda self, *a, **k: wrapped(name, functools.partial(function, self))(*a, **k)

    return {name: method(name, getattr(given, name)) for name in names if hasattr(given, name)}


def numpy_random():
    """numpy.random, or None where it is not there."""
    try:
        import numpy.random
    except ImportError:
        return None
    return numpy.random


def patch():
    """Replaces the samplers of random, and of numpy if it is there."""
    # Before those of secrets are replaced: numpy takes the seed of each generator, also of one that is given a seed, from the
    # function that secrets has when numpy is first imported, and that would be a draw.
    of_numpy = numpy_random()
    for module, name in [(random, "Random"), (random, "SystemRandom"), (secrets, "SystemRandom")]:
        given = getattr(module, name)
        setattr(module, name, type(name, (given,), methods(given, SAMPLERS)))
    for name in SAMPLERS:
        if hasattr(random, name):
            setattr(random, name, wrapped(name, getattr(random, name)))
    # The functions of secrets have a generator that was made before.
    for name in "choice randbelow randbits token_bytes token_hex token_urlsafe".split():
        setattr(secrets, name, other(getattr(secrets, name)))
    os.urandom = other(os.urandom)
    if of_numpy is not None:
        patch_numpy(of_numpy)


def patch_numpy(module):
    samplers = lambda of: [n for n in dir(of) if not n.startswith("_") and n not in NOT_SAMPLERS and callable(getattr(of, n))]
    for name in samplers(module):
        if not isinstance(getattr(module, name), type):
            setattr(module, name, wrapped(name, getattr(module, name)))
    for name in ("Generator", "RandomState"):
        given = getattr(module, name)
        setattr(module, name, type(name, (given,), methods(given, samplers(given))))
    make = module.default_rng
    module.default_rng = lambda *seed, **named: module.Generator(make(*seed, **named).bit_generator)


patch()


def run(mechanism, data, before):
    """One run: its output and its draws."""
    TAPE.start(before)
    try:
        output = adapter.answer(mechanism, data)
    finally:
        TAPE.open = False
    told = [draw.told() for draw in TAPE.draws if draw.otherwise_used or not draw.subtracted]
    return {"output": output, "draws": told}


def serve(mechanism, reseed=None):
    """Answers requests on standard input until it ends: samples, as adapter.serve does, recordings and replays."""
    replies = sys.stdout.buffer
    sys.stdout = sys.stderr  # what the mechanism prints is no reply
    tape = None
    for line in sys.stdin:
        request = json.loads(line, object_hook=adapter.decode)
        if request["op"] == "record":
            told = run(mechanism, request["data"], None)
            tape = TAPE.draws
        elif request["op"] == "replay":
            told = run(mechanism, request["data"], tape)
        else:
            replies.write(adapter.reply(mechanism, request, reseed))
            replies.flush()
            continue
        replies.write((json.dumps(told) + "\n").encode())
        replies.flush()
