// Chance with a seed, and JSON text spelled in every way that RFC 8259 allows.

// SplitMix32: the same numbers for the same seed, everywhere.
export function chance(seed) {
    let state = seed >>> 0;
    const next = () => {
        state = (state + 0x9e3779b9) >>> 0;
        let z = state;
        z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
        z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
        return (z ^ (z >>> 15)) >>> 0;
    };
    const below = (n) => next() % n;
    return {
        below,
        one: (n) => below(n) === 0, // true once in n times
        pick: (list) => list[below(list.length)],
        shuffle(list) {
            for (let i = list.length - 1; i > 0; i--) {
                const j = below(i + 1);
                [list[i], list[j]] = [list[j], list[i]];
            }
            return list;
        },
    };
}

// Text that is to be spelled as it stands, a number that JavaScript does not hold, say.
export class Raw {
    constructor(text) {
        this.text = text;
    }
}

// Members in their order, of which two may have the same name.
export class Members {
    constructor(list) {
        this.list = list;
    }
}

const short = { '"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

// A speller of values. `wild`: escapes, white space and member order by chance; otherwise as
// JSON.stringify has it.
export function speller(random, wild) {
    const space = () => (wild && random.one(6) ? random.pick([" ", "\t", "\r", "  "]) : "");
    const unit = (c) => {
        const code = c.charCodeAt(0);
        const hex = code.toString(16).padStart(4, "0");
        const half = code >= 0xd800 && code < 0xe000;
        if (wild && random.one(12)) {
            return c in short && random.one(2) ? short[c] : "\\u" + (random.one(2) ? hex : hex.toUpperCase());
        }
        if (c === '"' || c === "\\" || code < 0x20) {
            return c in short ? short[c] : "\\u" + hex;
        }
        return half ? "\\u" + hex : c;
    };
    const escape = (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0");
    const string = (s) => {
        let out = '"';
        for (const c of s) {
            const pair = c.length === 2;
            out += !pair ? unit(c) : wild && random.one(8) ? escape(c[0]) + escape(c[1]) : c;
        }
        return out + '"';
    };
    const value = (v) => {
        if (v instanceof Raw) return v.text;
        if (v === null || typeof v === "boolean") return String(v);
        if (typeof v === "number") return number(v);
        if (typeof v === "string") return string(v);
        if (Array.isArray(v)) return "[" + v.map((x) => space() + value(x) + space()).join(",") + space() + "]";
        const list = v instanceof Members ? v.list : Object.entries(v);
        const order = wild && random.one(3) && !(v instanceof Members) ? random.shuffle([...list]) : list;
        return "{" + space() + order.map(([k, x]) => string(k) + space() + ":" + space() + value(x) + space()).join(",") + "}";
    };
    const number = (v) => {
        if (!wild || !random.one(8) || !Number.isInteger(v) || Object.is(v, -0)) return Object.is(v, -0) ? "-0" : String(v);
        return random.pick([v + ".0", v + "e0", v + "E+0", v * 10 + "e-1", v + ".000"]);
    };
    return value;
}
