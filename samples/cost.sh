#!/bin/sh
# cost.sh BUCKET: what the logs in a bucket take, and what they would take in delta-only form. One object at a time is
# fetched into a temporary file. Objects that could not be fetched, or have bad lines (which are counted as such), are
# named in the file `look-at`.
BUCKET=$1

part=$(mktemp)
aws s3 ls --recursive "s3://$BUCKET/" | grep '\.ndjson' |
    sed 's/^[^ ]* [^ ]*  *[0-9]* //' | while IFS= read -r key; do
        { aws s3 cp --quiet "s3://$BUCKET/$key" "$part" </dev/null &&
            evestat -q -k --format=json <"$part"; } ||
            echo "$key" >>look-at
    done | evestat --merge
rm -f "$part"
