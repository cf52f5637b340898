// The differences between evenorm and the published package that are wanted, each with its reason.
// `is` says whether a line is one: it is given the rule by which evenorm refused it (none: accepted),
// whether the package accepted it, the line as bytes and what JSON.parse makes of it.

const object = (v) => typeof v === "object" && v !== null && !Array.isArray(v);
const utf8 = new TextDecoder("utf-8", { fatal: true });

function isUtf8(bytes) {
    try {
        utf8.decode(bytes);
        return true;
    } catch {
        return false;
    }
}

export const allowed = [
    {
        name: "invalid UTF-8",
        reason: "The package replaces what is not UTF-8 by U+FFFD. That loses bytes, so it is refused.",
        is: (c) => c.rule === "json-utf8" && !isUtf8(c.bytes),
    },
    {
        name: "not an event",
        reason: "The package passes on a value that is no object, or has no string for a type; nothing can be said about it.",
        is: (c) => c.accepts && ((c.rule === "not-object" && !object(c.value)) ||
            (c.rule === "type-missing" && object(c.value) && typeof c.value.type !== "string")),
    },
    {
        name: "white space of JavaScript",
        reason: "The package trims each line of what JavaScript calls white space; JSON has four characters of it.",
        is: (c) => c.rule === "json-syntax" && /^[\s\ufeff]*[\v\f\u00a0\ufeff\u2000-\u200a\u2028\u2029]|[\v\f\u00a0\ufeff\u2000-\u200a\u2028\u2029][\s\ufeff]*$/.test(c.bytes.toString()),
    },
    {
        name: "delta of a version 24 tool input",
        reason: "The package does not look at inputTextDelta where there is an inputTextOffset; what is no string cannot be appended.",
        is: (c) => c.accepts && c.rule === "bad-delta" && c.value.type === "action.input.appended" && "inputTextOffset" in c.value.data &&
            typeof c.value.data.inputTextDelta !== "string",
    },
    {
        name: "offsets as written",
        reason: "JavaScript rounds numbers; an inputTextOffset that is no integer, or too great, as it is written is refused.",
        is: (c) => c.accepts && c.rule === "bad-offset" && Number.isSafeInteger(c.value.data.inputTextOffset) &&
            /[0-9.]{15}|[eE]-[0-9]{3}/.test(c.bytes.toString()),
    },
    {
        name: "actions that are no objects",
        reason: "The package passes them on; what follows would read members of them.",
        is: (c) => c.accepts && c.rule === "bad-data" && c.value.type === "actions.requested" && c.value.data.actions.some((a) => !object(a)),
    },
    {
        name: "input of a skill that is no object",
        reason: "The package names such a skill load_skill; there is nothing that a name could come from.",
        is: (c) => c.accepts && c.rule === "bad-data" && c.value.type === "actions.requested" &&
            c.value.data.actions.some((a) => object(a) && a.kind === "load-skill" && typeof a.name !== "string" && !object(a.input)),
    },
];
