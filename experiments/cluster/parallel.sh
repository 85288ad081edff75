#!/bin/sh
# Counts all shards of a plan on this machine, as many at once as it has processors:
#
#     experiments/cluster/parallel.sh PLAN N DIRECTORY
#
# DP_ASSAY_COMMAND may name the command. Start it again to go on. With GNU parallel, add --sshloginfile HOSTS to its line to use other machines that see the same files.
set -eu
plan=$1 shards=$2 directory=$3
mkdir -p "$directory"
count='"${DP_ASSAY_COMMAND:-assay}" count "$1" --shard "$3/$2" --out "$4/$3.json"'
# Others have a parallel too.
if parallel --version 2>/dev/null | grep -q GNU; then
    seq "$shards" | parallel -q --halt never --retries 3 sh -c "$count" sh "$plan" "$shards" {} "$directory"
else
    seq "$shards" | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I{} sh -c "$count" sh "$plan" "$shards" {} "$directory"
fi
