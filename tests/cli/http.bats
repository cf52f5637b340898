#!/usr/bin/env bats
# shellcheck disable=SC2002,SC2012,SC2016,SC2030,SC2031,SC2086,SC2094,SC2119
# -f http: a response head before the stream.
load helper

# head STATUS HEADER...: a response head.
head_of() {
    printf 'HTTP/1.1 %s\r\n' "$1"
    shift
    [ $# -eq 0 ] || printf '%s\r\n' "$@"
    printf '\r\n'
}

# chunk: standard input as one chunk.
chunk() {
    cat >piece
    printf '%x\r\n' "$(wc -c <piece)"
    cat piece
    printf '\r\n'
}

v24='X-Eve-Stream-Version: 24'

@test "the version comes from the head, whatever the protocol and the case of names" {
    old a a >body
    for first in 'HTTP/1.0 200 OK' 'HTTP/1.1 200 ' 'HTTP/2 200' 'HTTP/3 200 '; do
        for name in x-eve-stream-version X-EVE-Stream-Version 'x-eve-stream-version '; do
            { printf '%s\r\n%s:24\r\n\r\n' "$first" "$name"; cat body; } >in
            tool 0 -f http in
            cmp out <(new a)
        done
    done
    { printf 'HTTP/2 200\nx-eve-stream-version: \t21 \n\n'; cat body; } >in
    tool 0 -f http in
    cmp out <(new a)
    { head_of '200 OK' 'x-eve-stream-version: 26'; cat body; } >in
    tool 1 -f http in
    has out
    says 'evenorm: in:4:' '[legacy-field]'
}

@test "interim and redirect heads are passed over" {
    {
        head_of '100 Continue'
        head_of '103 Early Hints' 'x-eve-stream-version: 99' 'content-encoding: gzip'
        head_of '302 Found' 'location: /x' 'x-eve-stream-version: 26'
        head_of '200 OK' "$v24"
        old a a
    } >in
    tool 0 -f http in
    cmp out <(new a)
}

@test "a version that is missing or unknown, an encoded body, no head: status 2 and no rule" {
    refused() {
        tool 2 -f http in
        has out
        says "$1"
        not grep -q '\[' err
    }
    { head_of '200 OK' 'content-type: application/x-ndjson'; old a a; } >in
    refused x-eve-stream-version
    for version in 20 27 24.0 24,25 x ''; do
        { head_of '200 OK' "x-eve-stream-version: $version"; old a a; } >in
        refused x-eve-stream-version
    done
    for coding in gzip br 'identity, gzip'; do
        { head_of '200 OK' "$v24" "Content-Encoding: $coding"; old a a; } >in
        refused content-encoding
    done
    old a a >in
    refused 'no HTTP response head'
    : >in
    refused 'no HTTP response head'
    printf 'HTTP/1.1 200 OK\r\nx-eve-stream-version: 24\r\n' >in
    refused 'head ends too soon'
    printf 'HTTP/1.1 200 OK\r\nx-eve-stre' >in
    refused 'head ends too soon'
    { head_of '200 OK' "$v24" 'content-encoding: Identity'; old a a; } >in
    tool 0 -f http in
    cmp out <(new a)
}

@test "another final status: status 2, and what the server said" {
    body_says() {
        tool 2 -f http in
        has out
        says "$1" "$2"
        lines_of err 1
        not grep -qE '\[[a-z]+-[a-z]+\]$' err
    }
    { head_of '404 Not Found' "$v24"; printf '{"error":"no such session","ok":false}'; } >in
    body_says 404 'no such session'
    { head_of '500 Internal Server Error'; printf '{"error":{"code":1,"message":"it broke"}}\n'; } >in
    body_says 500 'it broke'
    { head_of '502 Bad Gateway'; printf '\n<html><h1>Bad gateway</h1></html>\n'; } >in
    body_says 502 'Bad gateway'
    { head_of '503 Service Unavailable'; printf 'try later\033[31m\n'; } >in
    body_says 503 'try later'
    not grep -q $'\033' err
    head_of '401 Unauthorized' >in
    body_says 401 status
    head_of '204 No Content' "$v24" >in
    body_says 204 status
    {
        head_of '404 Not Found' 'transfer-encoding: chunked'
        printf '{"error":"no such session"}' | chunk
        printf '0\r\n\r\n'
    } >in
    body_says 404 'no such session'
}

@test "chunks are decoded wherever they are cut, if their framing is there" {
    samples
    for size in 1 2 5 100 1000; do
        {
            head_of '200 OK' "$v24" 'Transfer-Encoding: gzip, chunked'
            LC_ALL=C awk -v n=$size -v RS='\001' -v ORS= '{
                for (i = 1; i <= length; i += n) {
                    piece = substr($0, i, n)
                    printf "%x\r\n%s\r\n", length(piece), piece
                }
            }' old
            printf '0\r\nTrailer: x\r\n\r\n'
        } >in
        tool 0 -f http in
        cmp out new
    done
    { head_of '200 OK' "$v24" 'transfer-encoding: Chunked'; cat old; } >in
    tool 0 -f http in
    cmp out new
    { head_of '200 OK' "$v24" 'transfer-encoding: chunked'; printf '\n'; cat old; } >in
    tool 0 -f http in
    cmp out new
    {
        head_of '200 OK' "$v24" 'transfer-encoding: chunked'
        printf '00004;name="value"\r\n\n\n\n\n\r\n'
        chunk <old
        printf '0\r\n\r\n'
    } >in
    tool 0 -f http in
    cmp out new
}

@test "chunks that end early are truncated, status 1; what came before is out" {
    samples
    {
        head_of '200 OK' "$v24" 'transfer-encoding: chunked'
        chunk <old
        printf '0\r\n\r\n'
    } >whole
    for less in 5 7 8; do
        head -c -$less whole >in
        tool 1 -f http in
        cmp out new
        says '[truncated]'
    done
    head -c -15 whole >in
    tool 1 -f http in
    says '[truncated]'
    [ "$(wc -l <out)" -eq 2 ]
    { head_of '200 OK' "$v24" 'transfer-encoding: chunked'; chunk <old; printf 'zz\r\n'; } >in
    status=0
    evenorm -f http in >out 2>err || status=$?
    [ "$status" -gt 0 ]
    cmp out new
}

@test "a broken chunk is told where it comes, in the middle of a line too" {
    { head_of '200 OK' "$v24" 'transfer-encoding: chunked'; old a a | chunk; old b b | head -c 50 | chunk; printf 'zz\r\n'; } >in
    tool 2 -f http in
    has out "$(new a)"
    says 'in:6:51: error: bad chunk in a chunked HTTP body'
    { head_of '200 OK' "$v24" 'transfer-encoding: chunked'; old a a | chunk; old b b | head -c 50 | chunk; } >in
    tool 1 -f http in
    says 'in:6:51: error: the chunked body ends too soon [truncated]'
}

@test "a line cut at the end of the body is truncated" {
    { head_of '200 OK' "$v24"; old a a | head -c 50; } >in
    tool 1 -f http in
    has out
    says 'in:4:51: error:' '[truncated]'
}

@test "each file has a head and a version of its own" {
    samples
    { head_of '200 OK' "$v24"; cat old; } >one
    { head_of '200 OK' 'x-eve-stream-version: 26'; cat new; } >two
    head_of '404 Not Found' >three
    tool 0 -f http one two one
    cmp out <(cat new new new)
    tool 2 -f http one three two
    cmp out <(cat new new)
}

@test "through a pipe, and in small reads" {
    samples
    { head_of '200 OK' "$v24" 'transfer-encoding: chunked'; chunk <old; printf '0\r\n\r\n'; } >in
    cat in | tool 0 -f http
    cmp out new
    for bytes in 1 2 3; do
        EVETOOLS_TEST_READ=$bytes tool 0 -f http in
        cmp out new
    done
}

@test "-o and --check go with -f http" {
    samples
    { head_of '200 OK' "$v24"; cat old; } >in
    tool 0 -f http -o to in
    cmp to new
    tool 1 -f http --check in
    has out in
}

@test "data after the last chunk is an error, not dropped" {
    cat "$ROOT/tests/streams/v24-tool.rawhttp" "$ROOT/tests/streams/v24-tool.rawhttp" >in
    tool 2 -q -f http in
    says 'after the last chunk'
    evenorm -q "$ROOT/tests/streams/v24-tool.ndjson" >want
    cmp out want
}

@test "a body shorter than its content-length is truncated" {
    printf 'HTTP/1.1 200 OK\r\nx-eve-stream-version: 26\r\nContent-Length: 14\r\n\r\n{"type":"a"}\n' >in
    tool 1 -f http in
    says '[truncated]'
    sed -i 's/: 14/: 13/' in
    tool 0 -f http in
    has out '{"type":"a"}'
}
