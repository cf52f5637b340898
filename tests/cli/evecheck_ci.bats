#!/usr/bin/env bats
# The step and the tests that samples and README give to users do what they say.
load helper

fixtures() {
    mkdir fixtures
    cp "$ROOT/samples/v24-tool-call.ndjson" fixtures/weather.ndjson
}

# The command of the step, as the job would run it.
step() {
    bash -eo pipefail -c "$(sed -n 's/^  run: //p' "$ROOT/samples/evecheck-step.yml")" >out 2>err
}

@test "the GitHub Actions step passes for a good stream and fails for a bad one" {
    fixtures
    step
    [ ! -s out ]
    evenorm -q fixtures/weather.ndjson | sed 's/"messageDelta":"21.5"/"messageDelta":"22.5"/' >fixtures/bad.ndjson
    run -1 step
    grep -q '^::error file=fixtures/bad.ndjson,line=31,col=[0-9]*,title=text-diverged::' out
}

@test "the bats tests pass for the agreed session and fail for another" {
    fixtures
    bats "$ROOT/samples/evecheck.bats" >out
    [ "$(grep -c '^ok' out)" -eq 3 ]
    sed -i 's/21\.5/22.5/g; s/"unit":"C"/"unit":"F"/' fixtures/weather.ndjson
    run -1 bats "$ROOT/samples/evecheck.bats"
    [[ $output == *'not ok 2 '* ]]
}

@test "README shows them as they are" {
    grep -q '^## Check' "$ROOT/README.md" || return 0
    for sample in evecheck-step.yml evecheck.bats; do
        grep -v '^#' "$ROOT/samples/$sample" | grep . | while IFS= read -r line; do
            grep -qF -e "$line" "$ROOT/README.md" || { echo "not shown: $line"; return 1; }
        done
    done
}
