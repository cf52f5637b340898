"""serve.py FILE PORTFILE CUT...: a session's stream over HTTP, as eve serves it, from a recorded log.

The first answers break off after so many bytes of the body as the CUTs say, in the middle of a chunk; the last one is
whole. Its port is written to PORTFILE. `startIndex` counts events.
"""
import http.server
import os
import sys
import urllib.parse

log = open(sys.argv[1], "rb").read().splitlines(keepends=True)
cuts = [int(cut) for cut in sys.argv[3:]]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query)
        events = [line for line in log if line.strip()]
        body = b"\n" + b"".join(events[int(query.get("startIndex", ["0"])[0]):])
        self.send_response(200)
        self.send_header("content-type", "application/x-ndjson; charset=utf-8")
        self.send_header("x-eve-stream-version", "24")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for at in range(0, len(body), 1000):
            chunk = b"%x\r\n%s\r\n" % (len(body[at:at + 1000]), body[at:at + 1000])
            if cuts and at + 1000 > cuts[0]:
                self.wfile.write(chunk[:cuts.pop(0) - at])
                self.close_connection = True
                return
            self.wfile.write(chunk)
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
with open(sys.argv[2] + ".new", "w") as port:
    port.write("%d\n" % server.server_port)
os.rename(sys.argv[2] + ".new", sys.argv[2])
server.serve_forever()
