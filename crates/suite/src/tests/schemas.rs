use serde_json::Value;

use super::{LIGHTHOUSE, ORDERS, SERVERS, broken};
use crate::{format::Suite, node::Node, schema, servers::Servers};

/// The suites that the guide refers to.
const EXAMPLES: [&str; 3] = [
    include_str!("../../../../examples/everything.sonde.yaml"),
    include_str!("../../../../examples/filesystem.sonde.yaml"),
    include_str!("../../../../examples/fastmcp.sonde.yaml"),
];
const SERVERS_OF_EXAMPLES: &str = include_str!("../../../../examples/sonde.servers.yaml");

/// The committed file of a schema, which `SONDE_WRITE_SCHEMAS=1` writes.
fn committed(name: &str, schema: &Value) {
    let path = format!("{}/schema/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = format!("{}\n", serde_json::to_string_pretty(schema).unwrap());
    if std::env::var_os("SONDE_WRITE_SCHEMAS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == text,
        "{path} is not up to date: run with SONDE_WRITE_SCHEMAS=1"
    );
}

#[test]
fn the_schemas_are_committed() {
    committed("suite-1", &schema::suite());
    committed("servers-1", &schema::servers());
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
