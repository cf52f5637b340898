#!/bin/sh
# follow.sh URL: follows the session whose stream is at URL until it is interrupted, and writes its texts, calls and
# reasoning to blocks.ndjson as they end. Connections may break, and so may this script: the file `state` says how
# far it came, with the texts that are not complete, and the next run goes on there without a gap or a repetition.
URL=$1

while sleep 1; do
    n=$(sed 's/.*"cursor":\([0-9]*\).*/\1/' state 2>/dev/null)
    n=${n:-0}
    curl -s -N -i "$URL?startIndex=$n" |
        eveaccum -q -f http -S state --start-index="$n" >>blocks.ndjson
done
