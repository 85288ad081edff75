"""Counts the shards of a plan on a Dask cluster whose workers see the directory of the records.

    python3 dask_count.py PLAN SHARDS DIRECTORY [SCHEDULER]      without a scheduler: two workers here

A shard whose worker is lost is started again on another one, and goes on from its record.
"""

import os
import subprocess
import sys

from distributed import Client, LocalCluster, as_completed

ASSAY = os.environ.get("DP_ASSAY_COMMAND", "assay")


def count(plan, shard, shards, directory):
    """Counts one shard: its number and the exit status of `assay count`, which is 0 if all of it is counted."""
    record = os.path.join(directory, "%d.json" % shard)
    command = [ASSAY, "count", plan, "--shard", "%d/%d" % (shard, shards), "--out", record]
    return shard, subprocess.run(command, stdout=subprocess.DEVNULL).returncode


def count_all(client, plan, shards, directory):
    """Counts all shards. Returns those that are not counted as a whole."""
    plan, directory = os.path.abspath(plan), os.path.abspath(directory)
    os.makedirs(directory, exist_ok=True)
    # Not pure: a shard that was counted before may have units to try again.
    numbers = range(1, shards + 1)
    futures = client.map(lambda shard: count(plan, shard, shards, directory), numbers, pure=False, retries=3)
    shard_of = dict(zip(futures, numbers))
    incomplete = []
    for future in as_completed(futures):
        if future.status != "finished":
            print("shard %d was given up: %r" % (shard_of[future], future.exception()), file=sys.stderr)
            incomplete.append(shard_of[future])
        elif future.result()[1] != 0:
            incomplete.append(future.result()[0])
    return incomplete


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    plan, shards, directory = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    if len(sys.argv) == 5:
        client = Client(sys.argv[4])
    else:
        client = Client(LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None))
    with client:
        incomplete = count_all(client, plan, shards, directory)
    if incomplete:
        sys.exit("not complete: the shards %s" % ", ".join(map(str, incomplete)))
