//! Tests of the whole of it, on texts and recorded facts.

mod files;
mod judging;
mod lists;
mod editing;
mod schemas;

/// A suite with every key of the format.
const ORDERS: &str = include_str!("../../tests/suites/orders.sonde.yaml");
/// A suite of the demo server.
const LIGHTHOUSE: &str = include_str!("../../tests/suites/lighthouse.sonde.yaml");
/// A servers file.
const SERVERS: &str = include_str!("../../tests/suites/sonde.servers.yaml");

/// Files with one fault each: the text, the place of the fault, and a part of its words.
const BROKEN: &[(&str, (u32, u32), &str)] = &[
    ("", (0, 0), "empty"),
    ("sonde: 1\nsteps: [", (2, 8), "not valid YAML"),
    ("sonde: 2\nsteps: []\n", (1, 8), "reads format 1, not 2"),
    ("steps: []\n", (1, 1), "`sonde` is missing"),
    ("sonde: 1\n", (1, 1), "`steps` is missing"),
    (
        "sonde: 1\nstep: []\nsteps: []\n",
        (2, 1),
        "did you mean `steps`?",
    ),
    ("sonde: 1\nsteps: []\nname: 5\n", (3, 7), "Quote it"),
    (
        "sonde: 1\nsteps: []\nname: a\nname: b\n",
        (4, 1),
        "stands here twice; it is on line 3",
    ),
    ("sonde: 1\nname: &a x\nsteps: []\n", (2, 10), "Anchors"),
    ("sonde: 1\nname: !!str x\nsteps: []\n", (2, 13), "Tags"),
    (
        "sonde: 1\nsteps: []\n---\nsonde: 1\n",
        (3, 1),
        "one document",
    ),
    (
        "sonde: 1\nsteps:\n  - name: x\n",
        (3, 5),
        "one of list, call",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    read: b\n",
        (4, 5),
        "exclude each other",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    with: {}\n    with-json: x\n",
        (5, 16),
        "exclude each other",
    ),
    (
        "sonde: 1\nsteps:\n  - ping: true\n    verify:\n      - { ping: true, server: x }\n",
        (5, 31),
        "uses the server of its step",
    ),
    (
        "sonde: 1\nsteps:\n  - ping: true\n    with: {}\n",
        (4, 11),
        "Only `call` and `get`",
    ),
    (
        "sonde: 1\nsteps:\n  - list: tool\n",
        (3, 11),
        "did you mean `tools`?",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    with: { a: 0x1F }\n",
        (4, 16),
        "JSON cannot write",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { txt: b }\n",
        (4, 15),
        "did you mean `text`?",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { at: { id: b } }\n",
        (4, 21),
        "is no path",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { at: { '$.a[': 1 } }\n",
        (4, 21),
        "is no JSONPath",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { at: { '$[?@.id == 9007199254740993]': 1 } }\n",
        (4, 21),
        "9007199254740993 is not exact",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { text: { matches: '(' } }\n",
        (4, 32),
        "no regular expression",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { duration: 2s }\n",
        (4, 25),
        "no range of times",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { content: { count: many } }\n",
        (4, 33),
        "no range",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    retry: { times: 2, every: soon }\n",
        (4, 31),
        "no time",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    retry: { times: -1 }\n",
        (4, 21),
        "a whole number",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { ignore: [a] }\n",
        (4, 24),
        "no JSON Pointer",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    answers: [{ sampling: {} }]\n",
        (4, 15),
        "`reply` is missing",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    verify: [{ ping: true, verify: [] }]\n",
        (4, 36),
        "no steps that verify",
    ),
    (
        "sonde: 1\nclient: { timeout: \"${vars.t}\" }\nsteps: []\n",
        (2, 20),
        "no time",
    ),
    (
        "sonde: 1\nserver: { url: a, command: b }\nsteps: []\n",
        (2, 19),
        "exclude each other",
    ),
    ("sonde: 1\nsteps: \"${vars.steps}\"\n", (2, 8), "a list"),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { count: 3 }\n",
        (4, 15),
        "`count` is judged of a list alone",
    ),
    (
        "sonde: 1\nsteps:\n  - read: a\n    expect: { snapshot: b }\n",
        (4, 15),
        "`snapshot` is judged of a list alone",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { rpc-error: true, text: b }\n",
        (4, 32),
        "no result is expected, so that `text` is never judged",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    cancel: { after: 1s }\n    expect: { cancelled: true, at: { /a: 1 } }\n",
        (5, 32),
        "no result is expected",
    ),
    (
        "sonde: 1\nsteps:\n  - raw: { method: a, notification: true }\n    expect: { result: b }\n",
        (4, 15),
        "no result is expected",
    ),
    (
        "sonde: 1\nsteps:\n  - raw: { method: a }\n    expect: { content: {}, contents: {} }\n",
        (4, 28),
        "exclude each other",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { text: {} }\n",
        (4, 21),
        "judges nothing",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { at: { /a: {} } }\n",
        (4, 25),
        "judges nothing",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { at: {} }\n",
        (4, 19),
        "judges nothing",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { progress: {} }\n",
        (4, 25),
        "judges nothing",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { duration: {} }\n",
        (4, 25),
        "judges nothing",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { logs: [] }\n",
        (4, 15),
        "judges nothing",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { text: { contains: [] } }\n",
        (4, 33),
        "holds whatever the server says",
    ),
    (
        "sonde: 1\nsteps:\n  - call: a\n    expect: { text: { starts: '' } }\n",
        (4, 31),
        "holds whatever the server says",
    ),
];
