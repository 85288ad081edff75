#!/bin/sh
# One shard of a plan for each task of a job array:
#
#     sbatch --array=1-100 audit/cluster/slurm.sh plan.json shards
#     assay merge plan.json shards/*.json
#
# A task that is preempted or lost is queued again, and goes on from its record. Submit again to try units that failed.
#SBATCH --job-name=assay
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --time=04:00:00
#SBATCH --requeue
set -eu
plan=$1 directory=$2
mkdir -p "$directory"
# The array begins at 1: then the last task is the number of shards.
exec assay count "$plan" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_MAX" --out "$directory/$SLURM_ARRAY_TASK_ID.json"
