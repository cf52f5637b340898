# shellcheck shell=bash disable=SC2034
# For `load accum`, after `load helper`: what the tests of eveaccum share.
STREAMS=$ROOT/tests/streams

# accum STATUS ARGUMENT...: runs eveaccum with its streams in the files out and err.
accum() {
    local wanted=$1 status=0
    shift
    eveaccum "$@" >out 2>err || status=$?
    status_is "$status" "$wanted" "eveaccum $*"
}

# texts: of records on standard input, what does not depend on the recording.
texts() {
    sed -E 's/"(turnId|callId)":"[^"]*",//g; s/"sequence":[0-9]*,//; s/,"retried":.*|,"deltas".*/}/'
}
