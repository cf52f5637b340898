#!/usr/bin/env bats
# evecheck --golden: the same session, whatever its chunks and its version.
# Programs in single quotes are for other shells; bats sets the rest.
# shellcheck disable=SC2016,SC2154
load helper

STREAMS=$BATS_TEST_DIRNAME/../streams
PAIRS=(emptydelta finish-length reason retry retry-same schema surrogate text tool)
# The user's text differs by a tag, and v26 adds the usage of the session.
IGNORE=(--ignore=message.received/data/message --ignore=message.received/data/parts
    --ignore=session.waiting/data/usage)

# golden STATUS FILE... : with --golden=golden.ndjson; the findings of that rule to out
golden() {
    run "-$1" bash -c 'evecheck -k --golden=golden.ndjson "$@" >all 2>err' "${@:1}"
    grep -F '[golden]' all >out || true
}

@test "every recorded stream equals its evenorm result, with and without -c, both ways" {
    for file in "$STREAMS"/v2*.ndjson; do
        for option in '' -c; do
            evenorm -q $option "$file" >norm.ndjson
            evecheck --severity=starts-midway=off --golden="$file" norm.ndjson >out 2>err
            evecheck --golden=norm.ndjson "$file" >out 2>err
            run -1 grep -F '[golden]' out
        done
    done
}

@test "a stream of v24 equals that of v26, both ways" {
    for pair in "${PAIRS[@]}"; do
        evecheck "${IGNORE[@]}" --golden="$STREAMS/v24-$pair.ndjson" "$STREAMS/v26-$pair.ndjson"
        evecheck "${IGNORE[@]}" --golden="$STREAMS/v26-$pair.ndjson" "$STREAMS/v24-$pair.ndjson"
        run -1 evecheck --golden="$STREAMS/v24-$pair.ndjson" "$STREAMS/v26-$pair.ndjson"
    done
}

# Writes FILE once for each text that is compared, with one character of it altered, to alt.N.ndjson.
# Prints how many. Of streams with failed attempts appends are left alone: what came before the
# completed text is not compared.
alter() {
    perl -e '
        my ($file, $appends) = @ARGV;
        open my $in, "<:raw", $file or die; my @lines = <$in>;
        my $names = "message|reasoning" . ($appends ? "|messageDelta|reasoningDelta|inputTextDelta" : "");
        my $n = 0;
        for my $i (0 .. $#lines) {
            next if $lines[$i] =~ /"type":"message\.received"/;
            next unless $lines[$i] =~ /"(?:$names)":"((?:[^"\\]|\\.)*)"/;
            my ($from, $text) = ($-[1], $1);
            my @at = (0); # places in the text where a plain letter or digit stands
            @at = (); while ($text =~ /\\u[0-9a-f]{4}|\\.|([A-Za-z0-9])/g) { push @at, $-[1] if defined $1 }
            next unless @at;
            my $at = $from + $at[$i % @at];
            my @copy = @lines;
            substr($copy[$i], $at, 1) = substr($copy[$i], $at, 1) eq "x" ? "y" : "x";
            open my $out, ">:raw", sprintf("alt.%d.ndjson", $n++) or die;
            print $out @copy; close $out or die;
        }
        print $n;' "$@"
}

@test "one altered character in a text is seen" {
    total=0
    for pair in "${PAIRS[@]}"; do
        appends=1
        [[ $pair != retry* ]] || appends=0
        rm -f alt.*
        n=$(alter "$STREAMS/v26-$pair.ndjson" $appends)
        [ "$n" -gt 0 ]
        total=$((total + n))
        run -1 bash -c 'evecheck --format=json "$@" alt.*.ndjson >out 2>err' "${IGNORE[@]}" \
            --golden="$STREAMS/v24-$pair.ndjson"
        [ "$(jq -r 'select(.rule == "golden") | .file' out | sort -u | wc -l)" -eq "$n" ]
    done
    echo "# $total altered texts" >&3
    [ "$total" -gt 150 ]
}

start='{"type":"session.started","data":{}}
{"type":"turn.started","data":{"turnId":"t"}}
{"type":"step.started","data":{"turnId":"t","stepIndex":0}}'
append() { # TEXT [SNAPSHOT]
    printf '{"type":"message.appended","data":{"messageDelta":"%s",%s"turnId":"t","stepIndex":0}}\n' \
        "$1" "${2+\"messageSoFar\":\"$2\",}"
}
complete() { printf '{"type":"message.completed","data":{"message":"%s","turnId":"t","stepIndex":0}}\n' "$1"; }
end='{"type":"step.completed","data":{"turnId":"t","stepIndex":0}}
{"type":"turn.completed","data":{"turnId":"t"}}'

@test "the differences are told event by event" {
    { echo "$start"; append abc; complete abc; echo "$end"; } >golden.ndjson
    { echo "$start"; append abd; complete abd; echo "$end" | tail -n 1; echo '{"type":"x.y"}'; } >a.ndjson
    golden 1 a.ndjson
    cat >want <<'END'
evecheck: a.ndjson:4: error: message.appended, the text appended: - abc, + abd (line 4 of golden.ndjson) [golden]
evecheck: a.ndjson:5: error: message.completed/data/message: - "abc", + "abd" (line 5 of golden.ndjson) [golden]
evecheck: a.ndjson:6: error: - step.completed {"data":{"stepIndex":0,"turnId":"t"},"type":"step.completed"...: missing (line 6 of golden.ndjson) [golden]
evecheck: a.ndjson:7: error: + x.y {"type":"x.y"}: not in golden.ndjson [golden]
END
    cmp out want
}

@test "only the first differences are told" {
    for ((i = 0; i < 30; i++)); do echo "{\"type\":\"a.b\",\"data\":{\"n\":$i}}"; done >golden.ndjson
    sed 's/"n":/"n":1/' golden.ndjson >a.ndjson
    golden 1 a.ndjson
    [ "$(wc -l <out)" -eq 11 ]
    tail -n 1 out | grep -qF 'there are more differences, which are not shown'
}

@test "streams that part for good are not compared to the end" {
    for ((i = 0; i < 300; i++)); do echo "{\"type\":\"a.b\",\"data\":{\"n\":$i}}"; done >golden.ndjson
    sed 's/"n":/"m":/' golden.ndjson >a.ndjson
    golden 1 a.ndjson
    tail -n 1 out | grep -qF 'the streams part here'
}

@test "values count, not spellings; addresses of a run do not count" {
    echo '{"type":"a.b","data":{"n":1.0,"s":"A\/","o":{"x":1,"y":[]}},"meta":{"id":"1"}}' >golden.ndjson
    echo '{"meta":{"id":"2"},"data":{"o":{"y":[ ],"x":1e0},"s":"\u0041/","n":1,"sessionId":"s","q":{"trace":{}}},"type":"a.b"}' |
        sed 's/"q":{"trace":{}}/"trace":7/' >a.ndjson
    golden 0 a.ndjson
    [ ! -s out ]
    echo '{"type":"a.b","data":{"n":9007199254740993}}' >golden.ndjson
    echo '{"type":"a.b","data":{"n":9007199254740992}}' >a.ndjson
    golden 1 a.ndjson
    grep -qF 'a.b/data/n: - 9007199254740993, + 9007199254740992' out
    echo '{"type":"session.started","data":{"runtime":{"eveVersion":"1"}}}' >golden.ndjson
    echo '{"type":"session.started","data":{"runtime":{"eveVersion":"2"}}}' >a.ndjson
    golden 0 a.ndjson
    echo '{"type":"session.started","data":{"eveVersion":"2"}}' >a.ndjson
    golden 1 a.ndjson
}

@test "--ignore: a member, in any event, by any index, whole events" {
    echo '{"type":"a.b","data":{"p":[{"q":1},{"q":2}]}}' >golden.ndjson
    echo '{"type":"a.b","data":{"p":[{"q":1},{"q":3}]}}' >a.ndjson
    golden 1 a.ndjson
    golden 1 --ignore=a.b/data/p/0/q a.ndjson
    golden 1 --ignore=c.d/data a.ndjson
    golden 1 --ignore=a.b/p a.ndjson
    golden 1 --ignore=a.b/data/p/1/q/r a.ndjson
    golden 0 --ignore=a.b/data/p/1/q a.ndjson
    golden 0 '--ignore=a.b/data/p/*/q' a.ndjson
    golden 0 '--ignore=*/data/p' a.ndjson
    golden 0 --ignore=a.b a.ndjson
    echo '{"type":"c.d"}' >>a.ndjson
    golden 0 --ignore=a.b --ignore=c.d a.ndjson
}

@test "--exact-chunks compares every append, in delta-only form" {
    evenorm -q "$STREAMS/v24-text.ndjson" >norm.ndjson
    evenorm -qc "$STREAMS/v24-text.ndjson" >joined.ndjson
    evecheck --exact-chunks --golden="$STREAMS/v24-text.ndjson" norm.ndjson
    run -1 evecheck --exact-chunks --golden="$STREAMS/v24-text.ndjson" joined.ndjson
    run -0 evecheck --golden="$STREAMS/v24-text.ndjson" joined.ndjson
}

@test "an attempt that failed does not count, hidden or not" {
    { echo "$start"; append ab; append cd; append xy; complete xy; echo "$end"; } >retried.ndjson
    { echo "$start"; append ab ab; append cd abcd; append xy xy; complete xy; echo "$end"; } >legacy.ndjson
    { echo "$start"; append xy; complete xy; echo "$end"; } >golden.ndjson
    golden 0 retried.ndjson legacy.ndjson
    # without a completed text what legacy shows is the tail of what delta-only form shows
    for f in retried legacy; do grep -v message.completed $f.ndjson >$f.open.ndjson; done
    evecheck --severity=block-open=off --golden=retried.open.ndjson legacy.open.ndjson
    evecheck --severity=block-open=off --golden=legacy.open.ndjson retried.open.ndjson
    grep -v message.completed golden.ndjson >once.ndjson
    run -1 evecheck --golden=once.ndjson retried.open.ndjson
    # a snapshot that neither goes on nor starts again is a gap, and not an attempt
    { echo "$start"; append ab ab; append cd aXcd; append xy aXcdxy; echo "$end"; } >gap.ndjson
    run -0 bash -c 'evecheck --golden=once.ndjson gap.ndjson | grep -F "[golden]"'
}

@test "neighbouring partial results of one call count as the last" {
    partial() { printf '{"type":"action.partial","data":{"result":{"callId":"%s","output":%s}}}\n' "$1" "$2"; }
    { partial a 1; partial a 2; partial b 1; partial a 3; } >golden.ndjson
    { partial a 2; partial b 0; partial b 1; partial a 3; } >a.ndjson
    golden 0 a.ndjson
    { partial a 2; partial a 3; partial b 1; } >a.ndjson
    golden 1 a.ndjson
}

@test "sessions told apart by --group-by are compared each by itself" {
    g() { sed "s/^{/{\"s\":\"$1\",/"; }
    { { echo "$start"; append ab; } | g 1; { echo "$start"; append cd; complete cd; } | g 2
        { append yz; complete abyz; } | g 1; } >golden.ndjson
    { { echo "$start"; append a; } | g 1; { echo "$start"; append c; append d; complete cd; } | g 2
        { append byz; complete abyz; } | g 1; } >a.ndjson
    run -0 bash -c 'evecheck -g s --golden=golden.ndjson a.ndjson'
}

@test "a golden stream that cannot be read or is bad: exit 2 and its place" {
    echo '{"type":"a.b"}' >a.ndjson
    run -2 --separate-stderr evecheck --golden=nowhere.ndjson a.ndjson
    [[ $stderr == *nowhere.ndjson*'cannot open'* ]]
    printf '%s\n' '{"type":"a.b"}' '{' >golden.ndjson
    run -2 --separate-stderr evecheck --golden=golden.ndjson a.ndjson
    [[ $stderr == *golden.ndjson:2:* ]]
}

@test "what goes with --golden only is refused without it" {
    run -2 evecheck --ignore=a.b/c /dev/null
    run -2 evecheck --exact-chunks /dev/null
    for word in '' / a.b/ /c a.b//c; do
        run -2 evecheck --golden=/dev/null --ignore="$word" /dev/null
    done
}
