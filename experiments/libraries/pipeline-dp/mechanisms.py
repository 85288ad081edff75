"""Aggregations of PipelineDP by its local backend. A dataset is a list of values; each is of a user of its own, in one
partition. One more user is in another partition, since the backend refuses an empty collection."""

import pipeline_dp
from named import start


def aggregated(metric, noise=pipeline_dp.NoiseKind.LAPLACE, delta=1e-9, public=True):
    """The metric of the only partition; None where the partition is not told."""
    def release(data):
        accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=1.0, total_delta=delta)
        engine = pipeline_dp.DPEngine(accountant, pipeline_dp.LocalBackend())
        parameters = pipeline_dp.AggregateParams(
            noise_kind=noise, metrics=[metric], max_partitions_contributed=1, max_contributions_per_partition=1,
            min_value=0, max_value=4)
        extractors = pipeline_dp.DataExtractors(
            privacy_id_extractor=lambda row: row[0], partition_extractor=lambda row: row[1],
            value_extractor=lambda row: row[2])
        rows = [("of the other partition", "other", 0)] + [(user, "all", value) for user, value in enumerate(data)]
        result = engine.aggregate(rows, parameters, extractors, public_partitions=["all"] if public else None)
        accountant.compute_budgets()
        told = dict(result)
        return round(told["all"][0] * 10**4) if "all" in told else None

    return release


def count():
    return aggregated(pipeline_dp.Metrics.COUNT)


def total():
    return aggregated(pipeline_dp.Metrics.SUM)


def mean():
    return aggregated(pipeline_dp.Metrics.MEAN)


def users():
    return aggregated(pipeline_dp.Metrics.PRIVACY_ID_COUNT)


def count_of_private_partition():
    return aggregated(pipeline_dp.Metrics.COUNT, delta=0.1, public=False)


if __name__ == "__main__":
    start(globals())
