#!/usr/bin/env bats
# Tests of an agent by its event streams: the session that was recorded is right, and the agent
# does today what it did then.

@test "the recorded session is right, without a retry" {
    evecheck --strict --no-retries fixtures/weather.ndjson
}

@test "the agent asks for the weather in Zürich and answers with it" {
    cat >"$BATS_TEST_TMPDIR/expect.json" <<'JSON'
{
  "schema": 1,
  "turns": {"turn_0": {"status": "completed", "text": {"matches": "21\\.5.*Zürich"}}},
  "toolCalls": [{"name": "get_weather", "input": {"unit": "C"}}]
}
JSON
    evecheck --expect="$BATS_TEST_TMPDIR/expect.json" fixtures/weather.ndjson
}

@test "it is the session that was agreed on, however it came in chunks" {
    evenorm -q -c fixtures/weather.ndjson >"$BATS_TEST_TMPDIR/now.ndjson"
    evecheck --golden=fixtures/weather.ndjson "$BATS_TEST_TMPDIR/now.ndjson"
}
