#!/bin/sh
# Randomised response in awk: the last record, told truthfully with probability 3/4 (epsilon = ln 3).
# A new seed for each request, as each has an awk of its own: seeds that follow on each other are not independent.
while read -r request; do
    seed=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
    printf '%s\n' "$request" | awk -v seed="$seed" '{
        match($0, /"data":\[[^]]*\]/); data = substr($0, RSTART, RLENGTH)
        match($0, /"n":[0-9]+/); n = substr($0, RSTART + 4, RLENGTH - 4) + 0
        bit = (data ~ /1\]$/)
        srand(seed)
        for (i = 0; i < n; i++) print (rand() < 0.75 ? bit : 1 - bit)
    }'
done
