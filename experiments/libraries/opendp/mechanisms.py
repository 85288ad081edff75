"""Mechanisms of OpenDP, each as its documentation says to make it. A dataset is a list of records, or a value."""

import math

import opendp.prelude as dp
from named import start

dp.enable_features("contrib", "honest-but-curious")

INTEGER = dp.atom_domain(T="i32"), dp.absolute_distance(T="i32")
FLOAT = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
RECORDS = dp.vector_domain(dp.atom_domain(T="i32")), dp.symmetric_distance()
TEXTS = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()


def on_the_record(mechanism, kind=lambda record: record):
    """Of a dataset with one record, that record."""
    return lambda data: mechanism(kind(data[0]))


def laplace():
    return on_the_record(dp.m.make_laplace(*FLOAT, scale=1.0), float)


def laplace_integer():
    return on_the_record(dp.m.make_laplace(*INTEGER, scale=1.0))


def geometric_bounded():
    return on_the_record(dp.m.make_geometric(*INTEGER, scale=1.0, bounds=(0, 10)))


def gaussian():
    return on_the_record(dp.m.make_gaussian(*FLOAT, scale=1.0), float)


def gaussian_integer():
    return on_the_record(dp.m.make_gaussian(*INTEGER, scale=1.0))


def canonical():
    return on_the_record(dp.m.make_canonical_noise(*FLOAT, d_in=1.0, d_out=(1.0, 1e-2)), float)


def randomised_response_bool():
    return on_the_record(dp.m.make_randomized_response_bool(prob=0.75))


def randomised_response():
    return on_the_record(dp.m.make_randomized_response(["a", "b", "c"], prob=0.5))


def randomised_response_bits():
    """A dataset is a list with one record, a list of bytes; the two vectors of a pair may be any (discrete distance)."""
    mechanism = dp.m.make_randomized_response_bitvec(dp.bitvector_domain(max_weight=1), dp.discrete_distance(), f=0.5)
    return lambda data: list(mechanism(bytes(data[0])))


def vector_of(output):
    """A dataset is a list with one record, a vector of scores, each of which may move by 1."""
    return dp.vector_domain(dp.atom_domain(T="i32")), dp.linf_distance(T="i32"), output


def noisy_max():
    return on_the_record(dp.m.make_noisy_max(*vector_of(dp.max_divergence()), scale=2.0))


def noisy_max_concentrated():
    return on_the_record(dp.m.make_noisy_max(*vector_of(dp.zero_concentrated_divergence()), scale=1.0))


def noisy_top_k():
    return on_the_record(dp.m.make_noisy_top_k(*vector_of(dp.max_divergence()), k=2, scale=4.0))


def count():
    return RECORDS >> dp.t.then_count() >> dp.m.then_laplace(scale=1.0)


def bounded_sum():
    return RECORDS >> dp.t.then_clamp((0, 4)) >> dp.t.then_sum() >> dp.m.then_laplace(scale=4.0)


def mean():
    domain = dp.vector_domain(dp.atom_domain(T=float, nan=False), size=4)
    space = domain, dp.symmetric_distance()
    mechanism = space >> dp.t.then_clamp((0.0, 1.0)) >> dp.t.then_mean() >> dp.m.then_laplace(scale=0.25)
    return lambda data: mechanism([float(x) for x in data])


def histogram():
    categories = dp.t.then_count_by_categories(categories=["a", "b"], null_category=True)
    return TEXTS >> categories >> dp.m.then_laplace(scale=1.0)


def median():
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    scores = dp.t.then_quantile_score_candidates([0.0, 1.0, 2.0], alpha=0.5)
    mechanism = space >> scores >> dp.m.then_noisy_max(dp.max_divergence(), scale=2.0)
    return lambda data: mechanism([float(x) for x in data])


def count_by_threshold():
    counts = TEXTS >> dp.t.then_count_by()
    return counts >> dp.m.then_laplace_threshold(scale=1.0, threshold=5)


def released(frame_of, expression, domain_of, invariant="lengths", most=16):
    """One number from a frame with these columns, with noise of scale 1 for each unit of sensitivity."""
    import polars as pl

    mechanisms = {}

    def release(data):
        # Made once for each dataset; each collect draws anew.
        key = repr(data)
        if key not in mechanisms:
            frame = frame_of(data)
            series = [dp.series_domain(name, element) for name, element in domain_of.items()]
            margin = dp.polars.Margin(by=[], invariant=invariant, max_length=most)
            domain = dp.with_margin(dp.lazyframe_domain(series), margin)
            mechanism = dp.m.make_private_lazyframe(
                domain, dp.symmetric_distance(), dp.max_divergence(), frame.select(expression(pl)), global_scale=1.0)
            mechanisms[key] = frame, mechanism
        frame, mechanism = mechanisms[key]
        return mechanism(frame).collect().item()

    return release


def floats(data):
    """The column x; null in a dataset stands for NaN."""
    import polars as pl

    return pl.LazyFrame({"x": [math.nan if x is None else float(x) for x in data]})


# In the next three the number of rows is public, so that a count of them costs nothing and has no noise: what is counted
# is then the rows that are not null.


def fill_cast_count():
    """Issue 2938: a cast that fails makes a null after nulls were filled."""
    return released(
        floats, lambda pl: pl.col("x").fill_null(0.0).cast(pl.Int64, strict=False).dp.count(),
        {"x": dp.atom_domain(T=float, nan=True)})


def cut_count():
    """Issue 2939: a cut of NaN is null, and the count of what is not null is taken for the length."""
    return released(
        floats, lambda pl: pl.col("x").fill_null(0.0).cut([1.5]).dp.count(),
        {"x": dp.atom_domain(T=float, nan=True)})


def remainder_count():
    """Issue 2940: a remainder by 0 is null, likewise."""
    import polars as pl

    def frame(data):
        return pl.LazyFrame({"n": pl.Series([7] * len(data), dtype=pl.Int32), "m": pl.Series(data, dtype=pl.Int32)})

    return released(
        frame, lambda pl: (pl.col("n").fill_null(0) % pl.col("m").fill_null(1)).dp.count(),
        {"n": dp.atom_domain(T="i32"), "m": dp.atom_domain(T="i32")})


def narrow_sum():
    """Issue 2941: the sum of floats of 32 bits overflows where one of 64 bits would not."""
    return released(
        floats, lambda pl: pl.col("x").cast(pl.Float32).fill_nan(0.0).fill_null(0.0).dp.sum((-1e38, 1e38)),
        {"x": dp.atom_domain(T=float, nan=True)}, invariant=None)


def fill_nan_sum():
    """Issue 2936: nulls are filled with NaN, which no clipping bounds."""
    import polars as pl

    def frame(data):
        return pl.LazyFrame({"x": pl.Series(data, dtype=pl.Float64)})

    return released(
        frame, lambda pl: pl.col("x").fill_null(math.nan).clip(0.0, 1.0).sum().dp.noise(),
        {"x": dp.option_domain(dp.atom_domain(T=float, nan=False))}, most=100)


def truncated_then_redefined():
    """Issue 2949: rows are truncated by a column that is redefined afterwards. A dataset is a list of users, each the number
    of its groups, with one row in each."""
    import polars as pl

    types = {"id": pl.Int64, "g": pl.Int64}
    counts = (
        pl.LazyFrame(schema=types)
        .filter(pl.int_range(pl.len()).over("id", "g") < 1)
        .filter(pl.struct("g").rank("dense").over("id") < 101)
        .with_columns(g=pl.lit(0, dtype=pl.Int64))
        .group_by("g")
        .agg(dp.len(scale=10.0, signed=True)))
    columns = [dp.series_domain(name, dp.atom_domain(T="i64")) for name in types]
    mechanism = dp.m.make_private_lazyframe(
        dp.lazyframe_domain(columns), dp.symmetric_id_distance(identifier=pl.col("id")),
        dp.zero_concentrated_divergence(), pl.LazyFrame({"g": [0]}, schema={"g": pl.Int64}).join(counts, on="g", how="left"),
        global_scale=1.0)

    def release(data):
        rows = [(user, group) for user, groups in enumerate(data) for group in range(groups)]
        frame = pl.LazyFrame({"id": [user for user, _ in rows], "g": [group for _, group in rows]}, schema=types)
        return mechanism(frame).collect().item(0, 1)

    return release


# Transformations, whose claims are distances.

ORDERED = dp.vector_domain(dp.atom_domain(T="i32")), dp.insert_delete_distance()


def tree():
    """Issue 2924: four leaves and their sum."""
    return dp.t.make_b_ary_tree(
        dp.vector_domain(dp.atom_domain(T="i32")), dp.l2_distance(T="i32"), leaf_count=4, branching_factor=4)


def clamp():
    return RECORDS >> dp.t.then_clamp((0, 4))


def total():
    return RECORDS >> dp.t.then_clamp((0, 4)) >> dp.t.then_sum()


def counts_by_key():
    counts = TEXTS >> dp.t.then_count_by()
    # A map has no order, and the library's has another one each time.
    return lambda data: dict(sorted(counts(data).items()))


def counts_by_category():
    return TEXTS >> dp.t.then_count_by_categories(categories=["a", "b"], null_category=True)


def squares(low=2.0**50, size=1024):
    """Issue 2923: values from 2^50 to 2^50 + 1. A record is so many quarters above 2^50, since JSON has no room for more."""
    domain = dp.vector_domain(dp.atom_domain(bounds=(low, low + 1.0)), size=size)
    deviations = dp.t.make_sum_of_squared_deviations(domain, dp.symmetric_distance(), S="Pairwise<f64>")
    return lambda data: deviations([low + quarters / 4 for quarters in data])


def small_squares():
    """The same from 0 to 1."""
    return squares(0.0, 16)


def resized():
    """Issue 2927: the output has a random order if nothing is cut off, and otherwise not. Of 400 outputs the last one in
    alphabetic order: a function, but for a probability of 6 (5/6)^400 < 1e-30."""
    resize = dp.t.make_resize(*ORDERED, size=3, constant=0, MO="InsertDeleteDistance")
    return lambda data: max(list(resize(data)) for _ in range(400))


def metric_bounded():
    """Issue 2926."""
    return dp.t.make_metric_bounded(
        dp.vector_domain(dp.atom_domain(T="i32"), size=3), dp.insert_delete_distance())


if __name__ == "__main__":
    start(globals())
