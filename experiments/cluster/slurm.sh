#!/bin/sh
# One shard of a plan for each task of a job array:
#
#     sbatch --array=1-100 experiments/cluster/slurm.sh plan.json 100 shards
#     assay merge plan.json shards/*.json
#
# A task that is preempted or lost is queued again, and goes on from its record. Submit tasks again to try units that failed,
# as with --array=5,7: the number of shards stays.
#SBATCH --job-name=assay
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --time=04:00:00
#SBATCH --requeue
set -eu
plan=$1 shards=$2 directory=$3
mkdir -p "$directory"
exec "${DP_ASSAY_COMMAND:-assay}" count "$plan" --shard "$SLURM_ARRAY_TASK_ID/$shards" --out "$directory/$SLURM_ARRAY_TASK_ID.json"
