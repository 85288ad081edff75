#!/bin/sh
# Randomised response in a shell: the last record, told truthfully with probability 3/4 (epsilon = ln 3).
# A byte of the operating system for each answer: 192 of its 256 values tell the truth. No generator is seeded: mawk, for
# one, takes all seeds from 2^31 - 1 on as the same.
while read -r request; do
    n=$(printf '%s\n' "$request" | sed 's/.*"n":\([0-9]*\).*/\1/')
    case $(printf '%s\n' "$request" | sed 's/.*"data":\[\([^]]*\)\].*/,\1/') in
        *,1) bit=1 ;;
        *) bit=0 ;;
    esac
    od -An -v -tu1 -N "$n" /dev/urandom |
        awk -v bit="$bit" '{ for (i = 1; i <= NF; i++) print ($i < 192 ? bit : 1 - bit) }'
done
