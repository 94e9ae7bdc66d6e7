use std::fmt::Write as _;

use serde_json::Value;

use super::{LIGHTHOUSE, ORDERS, SERVERS, broken};
use crate::{
    format::{Object, SERVERS_SHAPE, SUITE_SHAPE, Shape, Suite, expected},
    node::Node,
    schema,
    servers::Servers,
};

/// The suites that the guide refers to.
const EXAMPLES: [&str; 3] = [
    include_str!("../../../../examples/everything.sonde.yaml"),
    include_str!("../../../../examples/filesystem.sonde.yaml"),
    include_str!("../../../../examples/fastmcp.sonde.yaml"),
];
const SERVERS_OF_EXAMPLES: &str = include_str!("../../../../examples/sonde.servers.yaml");

const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide");

/// The committed file of a schema.
fn assert_schema(name: &str, schema: &Value) {
    let path = format!("{}/schema/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = format!("{}\n", serde_json::to_string_pretty(schema).unwrap());
    assert_committed(&path, &text);
}

/// A committed file, which `SONDE_WRITE_SCHEMAS=1` writes.
fn assert_committed(path: &str, text: &str) {
    if std::env::var_os("SONDE_WRITE_SCHEMAS").is_some() {
        std::fs::write(path, text).unwrap();
    }
    let stored = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        stored == text,
        "{path} is not up to date: run with SONDE_WRITE_SCHEMAS=1"
    );
}

#[test]
fn the_schemas_are_committed() {
    assert_schema("suite-1", &schema::suite());
    assert_schema("servers-1", &schema::servers());
}

/// Adds an object and those in it, each once, in the order of their keys.
fn objects(shape: &Shape, found: &mut Vec<&'static Object>) {
    match shape {
        Shape::Object(object) if !found.iter().any(|one| one.name == object.name) => {
            found.push(object);
            object
                .keys
                .iter()
                .for_each(|key| objects(&key.shape, found));
        }
        Shape::List(item) | Shape::OneOrMore(item) | Shape::Map(item) | Shape::PathMap(item) => {
            objects(item, found);
        }
        Shape::Either(shapes) => shapes.iter().for_each(|shape| objects(shape, found)),
        _ => {}
    }
}

/// Describes a value for the guide: an object by its name alone.
fn describe(shape: &Shape) -> String {
    match shape {
        Shape::Object(object) => object.name.to_owned(),
        Shape::List(item) => format!("a list with {}", describe(item)),
        Shape::OneOrMore(item) => format!("{}, or a list", describe(item)),
        Shape::Map(value) => format!("names with {}", describe(value)),
        Shape::PathMap(value) => format!("paths with {}", describe(value)),
        Shape::Either(shapes) => {
            let shapes: Vec<_> = shapes.iter().map(describe).collect();
            shapes.join(" or ")
        }
        _ => expected(shape),
    }
}

/// The page of the guide about all keys.
fn page() -> String {
    let mut found = Vec::new();
    objects(&SUITE_SHAPE, &mut found);
    objects(&SERVERS_SHAPE, &mut found);
    let mut page = "# Keys of suites

<!-- Also: format, yaml, sonde.servers.yaml, reference, all keys, expect, answers, capture, retry, matrix, vars, variables -->

All keys of suites (`*.sonde.yaml`), for [checks](checks.md) and [the command line](command-line.md#run-suites), and of `sonde.servers.yaml`, for the
command line. `sonde schema` and `sonde schema servers` print them as JSON Schemas. An asterisk marks what has to be there.

Texts may have variables: `${vars.NAME}`, `${env.NAME}`, `${secrets.NAME}`, `${NAME}` (captured by an earlier step, or of `vars` of the step),
`${workdir}` (an empty folder, removed at the end), `${uuid}` and `${now}`. `$${` stands for `${` itself. A text that is one variable becomes its value,
of whatever type, and is compared as a value: a condition is written where it is judged, such as `> ${vars.n}`.

| in | key | value | for |
|---|---|---|---|
"
    .to_owned();
    for object in found {
        for key in object.keys {
            let mark = if key.required { " \\*" } else { "" };
            let (value, about) = (describe(&key.shape), key.about);
            let _ = writeln!(
                page,
                "| {} | `{}`{mark} | {value} | {about} |",
                object.name, key.name
            );
        }
    }
    page
}

#[test]
fn the_page_of_keys_is_written_from_them() {
    assert_committed(&format!("{GUIDE}/suites.md"), &page());
}

#[test]
fn suites_and_servers_in_the_guide_are_valid() {
    let mut read = [0, 0];
    for entry in std::fs::read_dir(GUIDE).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        for block in text.split("```yaml\n").skip(1) {
            let block = block.split("```").next().unwrap_or_default();
            let has = |key: &str| block.lines().any(|line| line.starts_with(key));
            if has("sonde:") {
                read[0] += 1;
                Suite::read(&path.display().to_string(), block).unwrap();
            } else if has("sonde-servers:") {
                read[1] += 1;
                Servers::read(&path.display().to_string(), block).unwrap();
            }
        }
    }
    assert!(!read.contains(&0), "{read:?}");
}

#[test]
fn the_schema_and_the_parser_take_the_same_timeouts() {
    let suites = jsonschema::draft202012::new(&schema::suite()).unwrap();
    for (time, is_valid) in [
        ("2s", true),
        ("010 m", true),
        ("1h", true),
        ("0s", false),
        ("1.5s", false),
        ("0.5m", false),
        ("2000ms", false),
    ] {
        let text = format!("sonde: 1\nclient: {{ timeout: {time} }}\nsteps: []\n");
        let json = Node::read(&text).unwrap().json();
        assert_eq!(suites.is_valid(&json), is_valid, "{time}");
        assert_eq!(Suite::read("a", &text).is_ok(), is_valid, "{time}");
    }
}

#[test]
fn examples_are_valid_and_broken_files_are_not() {
    let suites = jsonschema::draft202012::new(&schema::suite()).unwrap();
    let [everything, filesystem, fastmcp] = EXAMPLES;
    for example in [ORDERS, LIGHTHOUSE, everything, filesystem, fastmcp] {
        Suite::read("a.sonde.yaml", example).unwrap();
        let json = Node::read(example).unwrap().json();
        let errors: Vec<_> = suites
            .iter_errors(&json)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
    let servers = jsonschema::draft202012::new(&schema::servers()).unwrap();
    for example in [SERVERS, SERVERS_OF_EXAMPLES] {
        assert!(servers.is_valid(&Node::read(example).unwrap().json()));
        Servers::read("sonde.servers.yaml", example).unwrap();
    }
    // Only the parser checks these.
    let beyond = [
        "with-json",
        "Only `call`",
        "not a JSONPath",
        "is not exact",
        "not a regular",
        "`reply` is",
        "no steps that",
        "the server of its step",
        "not a duration",
        "applies only to lists",
        "No result is expected",
        "holds whatever",
        "contents: { count: 1 }",
        "logs: []",
        "nothing to run in",
        "about snapshots",
        "that the step cancels",
        "There is no rule",
        "not valid JSON",
        "is not a path",
        "has an `action`",
        "takes no reply",
        "Write `ping: true`",
        "would never be checked",
        "with its step",
        "does not apply to",
        "write `_meta` there",
        "cancelled: true }",
    ];
    let mut refused = 0;
    for (text, _, words) in broken() {
        let Ok(node) = Node::read(&text) else {
            continue;
        };
        let unseen = beyond
            .iter()
            .any(|one| words.contains(one) || text.contains(one));
        let is_valid = suites.is_valid(&node.json());
        assert!(unseen || !is_valid, "{text}");
        refused += usize::from(!is_valid);
    }
    assert!(refused > 10, "{refused}");
}
