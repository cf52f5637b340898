#!/usr/bin/env bats
# The five pipelines of evetools(7), as the scripts in samples/, on recorded streams.
load helper
load page

# Streams of several versions in $1, one of them in a folder below, under a name with a space.
logs() {
    mkdir -p "$1/below"
    cp "$ROOT"/tests/streams/v2[1346]-t*.ndjson "$1"
    cp "$ROOT/samples/v24-long-answer.ndjson" "$1/below/a log.ndjson"
    chmod -R u+w "$1"
}

@test "what evetools(7) shows, copied from the page, are the samples" {
    for sample in migrate follow answers fixtures cost; do
        block sample "$sample.sh" >shown
        [ -s shown ]
        sed '1,/^$/d' "$ROOT/samples/$sample.sh" | cmp - shown
        sh -n "$ROOT/samples/$sample.sh"
    done
}

@test "migrate.sh brings a folder to delta-only form, keeps what was there, and proves it" {
    logs old
    cp -r old new
    "$ROOT/samples/migrate.sh" new >out 2>err
    has out
    (cd old && find . -type f) | while IFS= read -r log; do
        evenorm -q "old/$log" >old-form
        evenorm -q "new/$log" | cmp old-form -
        if [ -e "new/$log.bak" ]; then cmp "old/$log" "new/$log.bak"; else cmp "old/$log" "new/$log"; fi
    done
    evenorm -q --check new/*.ndjson new/below/*.ndjson
    [ -e 'new/below/a log.ndjson.bak' ]
    cp -r new again
    "$ROOT/samples/migrate.sh" again >out 2>err
    has out
    diff -r new again
}

@test "migrate.sh names a log that says something else, and leaves a broken one" {
    logs new
    printf '{"type":' >>new/v24-tool.ndjson
    cp new/v24-tool.ndjson broken
    "$ROOT/samples/migrate.sh" new >out 2>err || true
    cmp broken new/v24-tool.ndjson
    has out
    sed -i 's/21\.5/22.5/g' new/v23-tool.ndjson
    "$ROOT/samples/migrate.sh" new >out 2>err || true
    has out ./v23-tool.ndjson.bak
}

# Waits are short.
hurry() {
    mkdir -p bin
    printf '#!/bin/sh\nexec /bin/sleep 0.1\n' >bin/sleep
    chmod +x bin/sleep
    PATH=$PWD/bin:$PATH
}

@test "follow.sh survives disconnects in the middle of lines and texts, and being stopped" {
    local log=$ROOT/samples/v24-long-answer.ndjson url pid
    hurry
    python3 "$ROOT/tests/cli/serve.py" "$log" port 20500 30000 40404 3>&- &
    echo $! >server
    waits test -s port
    url=http://127.0.0.1:$(cat port)/eve/v1/session/x/stream
    "$ROOT/samples/follow.sh" "$url" 2>>err 3>&- &
    pid=$!
    waits grep -q '"cursor":' state
    kill "$pid"
    waits not pgrep -P "$pid"
    "$ROOT/samples/follow.sh" "$url" 2>>err 3>&- &
    pid=$!
    waits grep -q '"cursor":179' state
    kill "$pid" "$(cat server)"
    [ "$(grep -c 'cut off' err)" -ge 2 ]
    eveaccum -q -S state --flush >>blocks.ndjson
    eveaccum -q "$log" | cmp - blocks.ndjson
}

@test "README: a live session becomes delta-only, event by event" {
    local log=$ROOT/samples/v24-tool-call.ndjson
    python3 "$ROOT/tests/cli/serve.py" "$log" port 3>&- &
    waits test -s port
    sed -n '/^    curl /s/^ *//p' "$ROOT/README.md" >line
    lines_of line 1
    URL=http://127.0.0.1:$(cat port) ID=x bash -e -o pipefail line >out 2>err
    kill $!
    evenorm -q "$log" | cmp - out
}

@test "answers.sh writes the final answers of every log in a folder" {
    mkdir many
    for i in $(seq 120); do
        ln "$ROOT/tests/streams/v26-tool.ndjson" "many/log $i.ndjson" 2>/dev/null ||
            cp "$ROOT/tests/streams/v26-tool.ndjson" "many/log $i.ndjson"
    done
    cp "$ROOT"/tests/streams/v2[14]-*.ndjson many
    "$ROOT/samples/answers.sh" many
    [ "$(cat many/log*.answer | sort | uniq -c | tr -s ' ')" = ' 120 It is 21.5°C in Zürich 🏔️.' ]
    for log in many/v2*.ndjson; do
        eveaccum -q -a text --final "$log" | cmp - "${log%.ndjson}.answer"
    done
}

@test "fixtures.sh passes for what was agreed on in other chunks, and fails for something else" {
    mkdir fixtures recorded
    cp "$ROOT"/tests/streams/v26-t*.ndjson fixtures
    for log in fixtures/*; do evenorm -q -c "$log" >"recorded/${log##*/}"; done
    env -u GITHUB_ACTIONS "$ROOT/samples/fixtures.sh" >out 2>err
    sed -i 's/21\.5/22.5/g' recorded/v26-tool.ndjson
    run -1 env -u GITHUB_ACTIONS "$ROOT/samples/fixtures.sh"
    [[ $output == *'[golden]'* ]]
    run -1 env GITHUB_ACTIONS=true "$ROOT/samples/fixtures.sh"
    [[ $output == *'::error file=recorded/v26-tool.ndjson,line='* ]]
}

# A stand-in for the client of a store, over the folder `bucket`.
aws() {
    mkdir -p bin
    cat >bin/aws <<'EOF'
#!/bin/sh
case $1-$2 in
s3-ls) cd bucket && find . -type f | cut -c 3- | sort | while read -r key; do
    printf '2026-11-30 10:00:00 %10d %s\n' "$(wc -c <"$key")" "$key"
done ;;
s3-cp) cp "bucket/${4#s3://logs/}" "$5" ;;
esac
EOF
    chmod +x bin/aws
    PATH=$PWD/bin:$PATH
}

@test "cost.sh adds up a bucket, and names what is wrong in it" {
    logs bucket
    aws
    "$ROOT/samples/cost.sh" logs >out
    [ ! -e look-at ]
    cat bucket/below/* bucket/*.ndjson | evestat -q | sed -n 5,7p >whole
    sed -n 5,7p out | diff whole -
    printf 'not JSON\n' >'bucket/below/b ad.ndjson'
    echo x >bucket/unreadable.txt
    ln -s nowhere bucket/gone.ndjson
    cat >bin/find <<'EOF'
#!/bin/sh
echo ./gone.ndjson
/usr/bin/find "$@"
EOF
    chmod +x bin/find
    "$ROOT/samples/cost.sh" logs >out 2>err
    has look-at 'below/b ad.ndjson' gone.ndjson
    grep -q '^  bad lines *9  1 line' out
}
