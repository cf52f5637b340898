#!/usr/bin/env bats
# evecheck --format: each document is valid, whatever names and streams hold.
# Programs in single quotes are for other shells; bats sets the rest.
# shellcheck disable=SC2016,SC2154
load helper

# Files with names and texts that every format has to escape; prints nothing.
odd_files() {
    odd=$'odd %,:: \xff\e[31m\n#name.ndjson'
    head -n 20 "$ROOT/tests/streams/v24-tool.ndjson" >"$odd"
    printf '%s\n' '{"type":"::error::%0A,\u001b[31m\u0000]]>","data":{}}' '{"type":"a\ud83d"}' \
        $'{"type":"b\xff"}' $'\x01\xfe' '{"data":{}}' 'not json' >bad.ndjson
    cp "$ROOT/tests/streams/v24-retry.ndjson" good.ndjson
}

# check FORMAT [OPTION]...: the findings on the odd files, to out and err
check() {
    odd_files
    run -1 bash -c 'evecheck --format="$0" "$@" >out 2>err' "$@" "$odd" bad.ndjson good.ndjson
}

@test "text: one line a finding and one about the event, nothing raw" {
    check text
    run -0 grep -c '^evecheck: bad.ndjson:[0-9:]* error: .* \[json-' out
    grep -qF 'evecheck: odd %,:: \xff\x1b[31m\x0a#name.ndjson:' out
    # neither control characters nor bytes that are not UTF-8 come through
    run -1 grep -qP '[\x00-\x09\x0b-\x1f\x7f]' out
    iconv -f UTF-8 -t UTF-8 out >/dev/null
    # every line is a finding or belongs to one
    run -1 grep -qvE '^(evecheck: |    )' out
    grep -qE '^evecheck: 3 files, [0-9]+ events: [1-9][0-9]* errors, [0-9]+ warnings?, [0-9]+ notes?$' err
}

@test "json: one object a finding with all its members" {
    check json
    jq -e -s 'length > 5 and all(.[]; keys_unsorted ==
        ["schema","file","line","column","severity","rule","message","event","type","id"]
        and .schema == 1 and (.severity | IN("error","warning","note")))' out
    [ "$(jq -s length out)" -eq "$(wc -l <out)" ]
    jq -e -s 'any(.[]; .file == "odd %,:: \ufffd\u001b[31m\n#name.ndjson")' out
    grep -qF '"type":"::error::%0A,\u001b[31m\u0000]]>"' out
    grep -qF $'"type":"a\xef\xbf\xbd"' out
}

@test "json: standard input is <stdin>, and big numbers stay" {
    printf '%s\n' '{"type":"x.y","data":{}}' >one.ndjson
    evecheck --format=json --start-index=9007199254740993 <one.ndjson >out 2>err
    grep -qF '"file":"<stdin>"' out
    grep -qF '"event":9007199254740993,' out
}

@test "github: commands only, escaped, the most severe first" {
    check github
    run -1 grep -qvE '^::(error|warning|notice) (file=[^:,]*,(line=[0-9]+,)?(col=[0-9]+,)?)?title=[^:,]*::.*$' out
    grep -qF 'file=odd %25%2C%3A%3A ' out
    grep -qF '%0A#name.ndjson,line=' out
    grep -qF '::error::%250A' out
    sed 's/^::\([a-z]*\).*/\1/' out | uniq >order
    printf '%s\n' error warning notice >want
    cmp order want
}

@test "github: at most ten of each, and one line for the rest" {
    for ((i = 0; i < 25; i++)); do echo 'not json'; done >bad.ndjson
    for ((i = 0; i < 12; i++)); do
        printf '{"type":"session.started","data":{},"meta":{"at":"2026-01-01T00:00:00.000Z","id":"%s"}}\n' "$i"
    done >>bad.ndjson
    run -1 bash -c 'evecheck --severity=id-form=note --format=github bad.ndjson >out 2>err'
    [ "$(grep -c '^::error' out)" -eq 10 ]
    [ "$(grep -c '^::notice' out)" -le 10 ]
    tail -n 1 out | grep -qE '^::notice title=evecheck::not shown here: 15 errors, [0-9]+ warnings, [0-9]+ notes$'
}

@test "sarif: valid, relative addresses, rules with help" {
    check sarif
    "$ROOT/tests/schema/validate.py" "$ROOT/tests/schema/sarif.json" out
    jq -e '.runs[0] | .invocations[0].executionSuccessful
        and all(.results[]; . as $r | $r.partialFingerprints.primaryLocationLineHash | test("^[0-9a-f]{16}:[0-9]+$"))' out
    jq -e '.runs[0] | .tool.driver.rules as $rules | all(.results[]; $rules[.ruleIndex].id == .ruleId)' out
    jq -e '[.runs[0].results[].partialFingerprints.primaryLocationLineHash] | length == (unique | length)' out
    jq -e 'any(.runs[0].results[].locations[0].physicalLocation.artifactLocation;
        .uri == "odd%20%25%2C%3A%3A%20%FF%1B%5B31m%0A%23name.ndjson" and .uriBaseId == "%SRCROOT%")' out
}

@test "sarif: names below the folder of work are relative, others are whole" {
    mkdir -p a/b
    echo x >a/b/c.ndjson
    run -1 bash -c 'evecheck --format=sarif "$PWD/a/b/c.ndjson" .//a/b/c.ndjson /dev/stdin <a/b/c.ndjson 2>err >out'
    jq -r '.runs[0].results[].locations[0].physicalLocation.artifactLocation.uri' out | uniq >got
    printf '%s\n' a/b/c.ndjson file:///dev/stdin >want
    cmp got want
}

@test "sarif: at most 5,000 results, with a note" {
    yes x | head -n 5003 >bad.ndjson
    run -1 bash -c 'evecheck --format=sarif bad.ndjson >out 2>err'
    [ "$(jq '.runs[0].results | length' out)" -eq 5000 ]
    # they are alike
    jq '.runs[0].results |= .[:20] + .[-20:]' out >few
    "$ROOT/tests/schema/validate.py" "$ROOT/tests/schema/sarif.json" few
    jq -e '.runs[0].invocations[0].toolExecutionNotifications[0] |
        .level == "note" and (.message.text | test("^[0-9,]+ more findings"))' out
}

@test "sarif: the same finding keeps its fingerprint when lines move" {
    printf '%s\n' '{"type":"x.y","data":{}}' >a.ndjson
    evecheck --format=sarif a.ndjson >one 2>err
    printf '\n\n%s\n' '{"type":"x.y","data":{}}' >a.ndjson
    evecheck --format=sarif a.ndjson >two 2>err
    for f in one two; do
        jq -c '[.runs[0].results[] | [.ruleId, .partialFingerprints]]' $f >$f.prints
    done
    cmp one.prints two.prints
    run -1 cmp -s one two
}

@test "junit: valid, and a rule that failed is a failure" {
    check junit --disable=late
    xmllint --noout --schema "$ROOT/tests/schema/junit.xsd" out
    [ "$(xmllint --xpath 'count(//testsuite)' out)" -eq 3 ]
    # the counts are those of the elements
    for suite in 1 2 3; do
        for pair in tests:testcase failures:testcase/failure errors:testcase/error skipped:testcase/skipped; do
            [ "$(xmllint --xpath "string((//testsuite)[$suite]/@${pair%%:*})" out)" -eq \
                "$(xmllint --xpath "count((//testsuite)[$suite]/${pair#*:})" out)" ]
        done
    done
    [ "$(xmllint --xpath 'count(//testcase[@name="json-syntax"]/failure)' out)" -eq 1 ]
    [ "$(xmllint --xpath 'count(//testcase[@name="retry"]/failure)' out)" -eq 0 ]
    [ "$(xmllint --xpath 'count(//testcase[@name="late"]/skipped)' out)" -eq 3 ]
}

@test "junit: a warning fails with --strict only" {
    printf '%s\n' '{"type":"x.y","data":{}}' >a.ndjson
    run -0 bash -c 'evecheck --format=junit a.ndjson >out 2>err'
    [ "$(xmllint --xpath 'count(//failure)' out)" -eq 0 ]
    [ "$(xmllint --xpath 'count(//testcase[@name="unknown-type"]/system-out)' out)" -eq 1 ]
    run -1 bash -c 'evecheck --strict --format=junit a.ndjson >out 2>err'
    [ "$(xmllint --xpath 'count(//testcase[@name="unknown-type"]/failure)' out)" -eq 1 ]
}

@test "tap: prove reads it, and its blocks are YAML" {
    check tap
    run -1 prove -e cat out
    [[ $output == *'Failed 1/3 subtests'* ]]
    [[ $output != *'Parse errors'* ]]
    perl -MTAP::Parser -e '
        my $parser = TAP::Parser->new({tap => do { local (@ARGV, $/) = "out"; <> }});
        my ($blocks, $findings) = (0, 0);
        while (my $result = $parser->next) {
            next unless $result->is_yaml;
            $blocks++;
            $findings += @{$result->data->{findings}};
        }
        print $parser->parse_errors, "$blocks blocks\n";
        exit !($blocks == 3 && $findings > 5 && !$parser->parse_errors);'
    evecheck --format=tap good.ndjson >out 2>err
    run -0 prove -e cat out
}

@test "a run that ends early leaves a whole document, and says so" {
    odd_files
    for format in sarif junit tap github json; do
        run -1 bash -c 'evecheck --max-errors=1 --format="$0" bad.ndjson good.ndjson >"out.$0" 2>err' $format
        run -2 bash -c 'evecheck --format="$0" nowhere.ndjson good.ndjson >"lost.$0" 2>err' $format
    done
    for file in out lost; do
        "$ROOT/tests/schema/validate.py" "$ROOT/tests/schema/sarif.json" $file.sarif
        jq -e '.runs[0].invocations[0] | (.executionSuccessful | not)
            and any(.toolExecutionNotifications[]; .level == "error")' $file.sarif
        xmllint --noout --schema "$ROOT/tests/schema/junit.xsd" $file.junit
        [ "$(xmllint --xpath 'count(//error)' $file.junit)" -eq 1 ]
    done
    grep -qE '^Bail out!  .*max-errors' out.tap
    run -1 prove -e cat lost.tap
    grep -qF '::error file=nowhere.ndjson,title=evecheck::' lost.github
    jq -e . out.json
}

@test "no files but good ones: every format says so without findings" {
    cp "$ROOT/tests/streams/v24-tool.ndjson" a.ndjson
    for format in text json github; do
        evecheck --format=$format a.ndjson >out 2>err
        [ ! -s out ]
    done
    evecheck --format=sarif a.ndjson | jq -e '.runs[0].results == []'
    evecheck --format=tap a.ndjson >out
    printf 'TAP version 13\n1..1\nok 1 - a.ndjson\n' | cmp - out
}
