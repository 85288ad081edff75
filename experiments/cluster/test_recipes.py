"""The recipes against one process, and with a worker killed in the middle. `run-tests` runs this."""

import glob
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

ASSAY = os.environ["DP_ASSAY_COMMAND"]
HERE = os.path.dirname(os.path.abspath(__file__))
SHARDS = 8


def assay(status, *arguments):
    ran = subprocess.run([ASSAY, *arguments], capture_output=True, text=True)
    assert ran.returncode == status, (arguments, ran.returncode, ran.stderr)
    return ran.stdout


def plan(room, units, draws):
    """A plan for a mechanism of known privacy, whose claim is false, and what one process makes of it."""
    path = os.path.join(room, "plan.json")
    assay(
        0, "plan", path, "--specimen", "discrete-laplace-2", "--calls", "2000",
        "--units", str(units), "--unit-draws", str(draws),
    )
    whole = os.path.join(room, "whole.json")
    assay(0, "count", path, "--shard", "1/1", "--out", whole)
    return path, merged(path, [whole])


def merged(path, records):
    return assay(1, "merge", path, *records, "--format", "json")


def records(directory):
    return sorted(glob.glob(os.path.join(directory, "*.json")))


def counted(directory):
    """The units in all records so far."""
    total = 0
    for path in records(directory):
        with open(path) as file:
            total += len(json.load(file)["counted"])
    return total


def two_dask_workers_count_what_one_process_does():
    from dask_count import count_all
    from distributed import Client, LocalCluster

    with tempfile.TemporaryDirectory() as room:
        path, whole = plan(room, 40, 2000)
        directory = os.path.join(room, "shards")
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            client.wait_for_workers(2)
            assert count_all(client, path, SHARDS, directory) == []
        assert len(records(directory)) == SHARDS
        assert merged(path, records(directory)) == whole
        assert json.loads(whole)["verdict"] == "violation"


def a_dask_worker_that_is_killed_in_the_middle_changes_nothing():
    from dask_count import count_all
    from distributed import Client, LocalCluster

    with tempfile.TemporaryDirectory() as room:
        units = 40
        path, whole = plan(room, units, 30_000)
        directory = os.path.join(room, "shards")
        os.mkdir(directory)
        killed = []

        def kill(workers):
            # If all is counted before, the test fails below.
            while counted(directory) < 4:
                time.sleep(0.01)
            os.kill(workers[0], signal.SIGKILL)
            killed.append(counted(directory))

        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
            client.wait_for_workers(2)
            workers = list(client.run(os.getpid).values())
            killer = threading.Thread(target=kill, args=(workers,), daemon=True)
            killer.start()
            assert count_all(client, path, SHARDS, directory) == []
            killer.join(10)
            after = set(client.run(os.getpid).values())
        assert killed and killed[0] < units, killed
        assert workers[0] not in after
        print("   killed after %d of %d units" % (killed[0], units))
        assert merged(path, records(directory)) == whole


def two_ray_workers_count_what_one_process_does():
    import ray
    from ray_count import count_all

    os.environ.setdefault("RAY_AUTH_MODE", "disabled")
    with tempfile.TemporaryDirectory() as room:
        path, whole = plan(room, 40, 2000)
        directory = os.path.join(room, "shards")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        try:
            assert count_all(path, SHARDS, directory) == []
        finally:
            ray.shutdown()
        assert merged(path, records(directory)) == whole


def parallel_counts_what_one_process_does():
    with tempfile.TemporaryDirectory() as room:
        path, whole = plan(room, 10, 2000)
        directory = os.path.join(room, "shards")
        script = os.path.join(HERE, "parallel.sh")
        environment = dict(os.environ, DP_ASSAY_COMMAND=ASSAY)
        ran = subprocess.run([script, path, "5", directory], env=environment, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        assert merged(path, records(directory)) == whole


def slurm_counts_a_task_of_its_array():
    """With the variables that Slurm sets, and without Slurm."""
    with tempfile.TemporaryDirectory() as room:
        path, whole = plan(room, 10, 2000)
        directory = os.path.join(room, "shards")
        os.symlink(ASSAY, os.path.join(room, "assay"))
        for task in range(1, 4):
            environment = dict(os.environ, SLURM_ARRAY_TASK_ID=str(task))
            environment["PATH"] = room + os.pathsep + environment["PATH"]
            script = os.path.join(HERE, "slurm.sh")
            ran = subprocess.run([script, path, "3", directory], env=environment, capture_output=True, text=True)
            assert ran.returncode == 0, ran.stderr
        assert merged(path, records(directory)) == whole


def kubernetes_counts_a_pod_of_its_job():
    """The command of the pod with the variables that an Indexed Job sets, and without Kubernetes."""
    import yaml

    with open(os.path.join(HERE, "kubernetes.yaml")) as file:
        job = yaml.safe_load(file)["spec"]
    assert job["completionMode"] == "Indexed"
    [container] = job["template"]["spec"]["containers"]
    [shards] = container["env"]
    assert shards == {"name": "SHARDS", "value": str(job["completions"])}
    with tempfile.TemporaryDirectory() as room:
        path, whole = plan(room, 10, 2000)
        assert path == os.path.join(room, "plan.json")
        os.symlink(ASSAY, os.path.join(room, "assay"))
        for index in range(3):
            environment = dict(os.environ, SHARDS="3", JOB_COMPLETION_INDEX=str(index))
            environment["PATH"] = room + os.pathsep + environment["PATH"]
            command = container["command"] + container["args"]
            ran = subprocess.run(command, cwd=room, env=environment, capture_output=True, text=True)
            assert ran.returncode == 0, ran.stderr
        assert merged(path, records(os.path.join(room, "shards"))) == whole


if __name__ == "__main__":
    tests = [parallel_counts_what_one_process_does, slurm_counts_a_task_of_its_array]
    if "dask" in sys.argv[1:]:
        # Dask brings what reads YAML.
        tests += [
            kubernetes_counts_a_pod_of_its_job,
            two_dask_workers_count_what_one_process_does,
            a_dask_worker_that_is_killed_in_the_middle_changes_nothing,
        ]
    if "ray" in sys.argv[1:]:
        tests.append(two_ray_workers_count_what_one_process_does)
    wrong = 0
    for test in tests:
        print("== " + test.__name__.replace("_", " "), flush=True)
        try:
            test()
        except Exception:
            traceback.print_exc()
            wrong += 1
    print("%d recipes of %d count what one process counts" % (len(tests) - wrong, len(tests)))
    sys.exit(1 if wrong else 0)
