"""Counts the shards of a plan on a Ray cluster whose nodes see the directory of the records.

    python3 ray_count.py PLAN SHARDS DIRECTORY [ADDRESS]         without an address: a cluster of this machine

A shard whose node is lost is started again on another one, and goes on from its record. From Ray 2.60 on, clusters want a token: set
RAY_AUTH_MODE=token and RAY_AUTH_TOKEN as your cluster has them, or RAY_AUTH_MODE=disabled for one of this machine alone.
"""

import os
import subprocess
import sys

import ray

ASSAY = os.environ.get("DP_ASSAY_COMMAND", "assay")


@ray.remote(num_cpus=1, max_retries=3)
def count(plan, shard, shards, directory):
    """Counts one shard: its number and the exit status of `assay count`, which is 0 if all of it is counted."""
    record = os.path.join(directory, "%d.json" % shard)
    command = [ASSAY, "count", plan, "--shard", "%d/%d" % (shard, shards), "--out", record]
    return shard, subprocess.run(command, stdout=subprocess.DEVNULL).returncode


def count_all(plan, shards, directory):
    """Counts all shards. Returns those that are not counted as a whole."""
    plan, directory = os.path.abspath(plan), os.path.abspath(directory)
    os.makedirs(directory, exist_ok=True)
    waiting = {count.remote(plan, shard, shards, directory): shard for shard in range(1, shards + 1)}
    incomplete = []
    while waiting:
        [done], _ = ray.wait(list(waiting), num_returns=1)
        shard = waiting.pop(done)
        try:
            if ray.get(done)[1] != 0:
                incomplete.append(shard)
        except ray.exceptions.RayError as error:
            print("shard %d was given up: %s" % (shard, error), file=sys.stderr)
            incomplete.append(shard)
    return incomplete


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    ray.init(address=sys.argv[4] if len(sys.argv) == 5 else None, include_dashboard=False, log_to_driver=False)
    incomplete = count_all(sys.argv[1], int(sys.argv[2]), sys.argv[3])
    ray.shutdown()
    if incomplete:
        sys.exit("not complete: the shards %s" % ", ".join(map(str, incomplete)))
