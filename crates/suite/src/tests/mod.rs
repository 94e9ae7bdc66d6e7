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

/// Rows of a table of texts: a line each, with `|` between the columns.
fn rows<const COLUMNS: usize>(table: &str) -> impl Iterator<Item = [&str; COLUMNS]> {
    table.trim().lines().map(|line| {
        let columns: Vec<_> = line.split('|').map(str::trim).collect();
        columns.try_into().unwrap_or_else(|_| panic!("{line}"))
    })
}

/// Files with one fault each: the text, the place of the fault, and a part of its words.
fn broken() -> impl Iterator<Item = (String, String, &'static str)> {
    let files = rows(BROKEN_FILES);
    let files =
        files.map(|[place, words, text]| (text.replace("\\n", "\n"), place.to_owned(), words));
    let steps = rows(BROKEN_STEPS).map(|[column, words, line]| {
        let text = format!("sonde: 1\nsteps:\n  - call: a\n    {line}\n");
        (text, format!("4:{column}"), words)
    });
    files.chain(steps)
}

/// The place of the fault, a part of its words, and the file.
const BROKEN_FILES: &str = r#"
0:0 | empty |
2:8 | not valid YAML | sonde: 1\nsteps: [
1:8 | reads format 1, not 2 | sonde: 2\nsteps: []\n
1:1 | `sonde` is missing | steps: []\n
1:1 | `steps` is missing | sonde: 1\n
2:1 | did you mean `steps`? | sonde: 1\nstep: []\nsteps: []\n
3:7 | Quote it | sonde: 1\nsteps: []\nname: 5\n
4:1 | is given twice: it is already on line 3 | sonde: 1\nsteps: []\nname: a\nname: b\n
2:10 | Anchors | sonde: 1\nname: &a x\nsteps: []\n
2:13 | Tags | sonde: 1\nname: !!str x\nsteps: []\n
3:1 | one document | sonde: 1\nsteps: []\n---\nsonde: 1\n
3:5 | one of list, call | sonde: 1\nsteps:\n  - name: x\n
5:16 | exclude each other | sonde: 1\nsteps:\n  - call: a\n    with: {}\n    with-json: '{}'\n
5:13 | nothing to run in | sonde: 1\nsteps: []\nmatrix:\n  transport: [stdio]\n  revision: []\n
4:11 | Write `ping: true` | sonde: 1\nsteps:\n  - name: x\n    ping: false\n
5:31 | uses the server of its step | sonde: 1\nsteps:\n  - ping: true\n    verify:\n      - { ping: true, server: x }\n
4:11 | Only `call` and `get` | sonde: 1\nsteps:\n  - ping: true\n    with: {}\n
3:11 | did you mean `tools`? | sonde: 1\nsteps:\n  - list: tool\n
2:20 | not a duration | sonde: 1\nclient: { timeout: "${vars.t}" }\nsteps: []\n
2:20 | whole seconds | sonde: 1\nclient: { timeout: 200ms }\nsteps: []\n
2:20 | whole seconds | sonde: 1\nclient: { timeout: 0s }\nsteps: []\n
2:19 | exclude each other | sonde: 1\nserver: { url: a, command: b }\nsteps: []\n
2:8 | a list | sonde: 1\nsteps: "${vars.steps}"\n
4:15 | `snapshot` applies only to lists | sonde: 1\nsteps:\n  - read: a\n    expect: { snapshot: b }\n
5:32 | No result is expected | sonde: 1\nsteps:\n  - call: a\n    cancel: { after: 1s }\n    expect: { cancelled: true, at: { /a: 1 } }\n
4:15 | No result is expected | sonde: 1\nsteps:\n  - raw: { method: a, notification: true }\n    expect: { result: b }\n
5:13 | does not apply to `list`: use `raw` | sonde: 1\nsteps:\n  - name: x\n    list: tools\n    cancel: { after: 1s }\n
4:11 | does not apply to `subscribe`: use `raw` | sonde: 1\nsteps:\n  - subscribe: a\n    lost: true\n
4:11 | write `_meta` there | sonde: 1\nsteps:\n  - raw: { method: a, params: {} }\n    meta: { b: 1 }\n
4:38 | exclude each other | sonde: 1\nsteps:\n  - raw: { method: a }\n    expect: { content: { count: 1 }, contents: { count: 1 } }\n
"#;

/// The column of the fault, a part of its words, and the second line of a step.
const BROKEN_STEPS: &str = r#"
5 | exclude each other | read: b
16 | JSON cannot write | with: { a: 0x1F }
15 | did you mean `text`? | expect: { txt: b }
21 | is not a path | expect: { at: { id: b } }
21 | is not a JSONPath | expect: { at: { '$.a[': 1 } }
21 | 9007199254740993 is not exact | expect: { at: { '$[?@.id == 9007199254740993]': 1 } }
32 | not a regular expression | expect: { text: { matches: '(' } }
25 | not a range of times | expect: { duration: 2s }
33 | not a range | expect: { content: { count: many } }
31 | not a duration | retry: { times: 2, every: soon }
21 | a whole number | retry: { times: -1 }
49 | not a JSON Pointer | expect: { result: { snapshot: b }, ignore: [a] }
15 | `reply` is missing | answers: [{ sampling: {} }]
36 | no steps that verify | verify: [{ ping: true, verify: [] }]
15 | `count` applies only to lists | expect: { count: 3 }
32 | No result is expected here, so `text` would never be checked | expect: { rpc-error: true, text: b }
21 | judges nothing | expect: { text: {} }
25 | judges nothing | expect: { at: { /a: {} } }
19 | judges nothing | expect: { at: {} }
25 | judges nothing | expect: { progress: {} }
25 | judges nothing | expect: { duration: {} }
15 | judges nothing | expect: { logs: [] }
13 | judges nothing | expect: {}
33 | holds whatever the server says | expect: { text: { contains: [] } }
31 | holds whatever the server says | expect: { text: { starts: '' } }
31 | holds whatever the server says | expect: { text: { schema: {} } }
24 | judges nothing | expect: { content: {} }
15 | about snapshots, and here is none | expect: { ignore: [/a] }
15 | a request that the step cancels | expect: { late-result: false }
15 | There is no rule `no-such-rule` | expect: { findings: { except: [no-such-rule] } }
19 | is not a path | capture: { a: nothere }
16 | not valid JSON | with-json: '{bad'
41 | has an `action` | answers: [{ elicitation: {}, reply: { text: b } }]
42 | takes no reply | answers: [{ default: decline, reply: { text: b } }]
32 | `schema` would never be checked | expect: { logs: [{ data: { schema: { type: string } } }] }
48 | `snapshot` would never be checked | expect: { logs: [{ logger: { json: { /a: { snapshot: b } } } }] }
39 | `schema` would never be checked | answers: [{ sampling: { system: { schema: true } }, reply: { text: b } }]
34 | is left out with its step | verify: [{ ping: true, skip: true }]
35 | is repeated with its step | verify: [{ ping: true, retry: { times: 2 } }]
51 | not a regular expression | expect: { result: { snapshot: b }, replace: { '(': c } }
"#;
