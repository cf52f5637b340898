// The job of evenorm in Node, tuned: large reads, lines cut from the buffer, one JSON.parse and one
// JSON.stringify a line, large writes.  node reader.mjs FILE >OUT
import { openSync, readSync, writeSync } from "node:fs";

const fd = openSync(process.argv[2], "r");
const block = Buffer.allocUnsafe(1 << 20);
let rest = Buffer.alloc(0);
let out = [];
let size = 0;

function flush() {
    const all = Buffer.from(out.join(""), "utf8");
    for (let at = 0; at < all.length; ) at += writeSync(1, all, at);
    out = [];
    size = 0;
}

function drop(data, sum, delta) {
    if (!data[sum].endsWith(data[delta])) throw new Error("snapshot does not end with delta");
    delete data[sum];
}

function line(text) {
    const event = JSON.parse(text);
    const data = event.data;
    if (event.type === "message.appended" && "messageSoFar" in data)
        drop(data, "messageSoFar", "messageDelta");
    else if (event.type === "reasoning.appended" && "reasoningSoFar" in data)
        drop(data, "reasoningSoFar", "reasoningDelta");
    else if (event.type === "action.input.appended") delete data.inputTextOffset;
    const done = JSON.stringify(event) + "\n";
    out.push(done);
    size += done.length;
    if (size > 1 << 20) flush();
}

for (;;) {
    const n = readSync(fd, block, 0, block.length, null);
    if (n === 0) break;
    const bytes = rest.length > 0 ? Buffer.concat([rest, block.subarray(0, n)]) : block.subarray(0, n);
    let from = 0;
    for (let lf = bytes.indexOf(10); lf >= 0; lf = bytes.indexOf(10, from)) {
        if (lf > from) line(bytes.toString("utf8", from, lf));
        from = lf + 1;
    }
    rest = Buffer.from(bytes.subarray(from));
}
if (rest.length > 0) line(rest.toString("utf8"));
flush();
