//! Analysis of the references of a schema.

use std::collections::HashMap;

use serde_json::Value;

/// Finds a reference that leads back to itself without descending into the value: following it would never end.
pub(super) fn circle(schema: &Value) -> Option<String> {
    // Only schemas that references name can be part of a circle.
    let mut targets = Vec::new();
    for target in objects(schema).filter_map(reference) {
        if !targets.contains(&target) && targets.len() < 1000 {
            targets.push(target);
        }
    }
    targets
        .iter()
        .find(|target| leads_back(schema, target))
        .map(|target| (*target).to_owned())
}

fn leads_back(schema: &Value, target: &str) -> bool {
    let mut seen = vec![target];
    let mut next = 0;
    while let Some(at) = seen.get(next).copied() {
        next += 1;
        let Some(value) = at
            .strip_prefix('#')
            .and_then(|pointer| schema.pointer(pointer))
        else {
            continue;
        };
        for reached in same_value(value) {
            if reached == target {
                return true;
            }
            if !seen.contains(&reached) && seen.len() < 1000 {
                seen.push(reached);
            }
        }
    }
    false
}

/// Counts the schemas that references apply to the same value: 1 for a schema without references. Only for a schema
/// without a [`circle`].
pub(super) fn expansions(schema: &Value) -> u64 {
    expansions_of(schema, schema, &mut HashMap::new())
}

fn expansions_of<'a>(root: &'a Value, at: &'a Value, known: &mut HashMap<&'a str, u64>) -> u64 {
    let mut sum: u64 = 1;
    for target in same_value(at) {
        let count = match known.get(target) {
            Some(count) => *count,
            None => {
                // Preliminary count; a reference outside the schema keeps it.
                known.insert(target, 1);
                let value = target.strip_prefix('#').and_then(|path| root.pointer(path));
                let count = value.map_or(1, |value| expansions_of(root, value, known));
                known.insert(target, count);
                count
            }
        };
        sum = sum.saturating_add(count);
    }
    sum
}

/// Returns the references that a schema applies to its own value.
fn same_value(schema: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = vec![schema];
    while let Some(schema) = rest.pop() {
        found.extend(reference(schema));
        for list in ["allOf", "anyOf", "oneOf"] {
            rest.extend(
                schema
                    .get(list)
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten(),
            );
        }
        for one in ["not", "if", "then", "else"] {
            rest.extend(schema.get(one));
        }
        rest.extend(
            schema
                .get("dependentSchemas")
                .and_then(Value::as_object)
                .into_iter()
                .flat_map(|members| members.values()),
        );
    }
    found
}

/// Returns every object in a schema, itself included.
pub(super) fn objects(schema: &Value) -> impl Iterator<Item = &Value> {
    let mut rest = vec![schema];
    std::iter::from_fn(move || {
        while let Some(value) = rest.pop() {
            match value {
                Value::Object(members) => {
                    rest.extend(members.values());
                    return Some(value);
                }
                Value::Array(items) => rest.extend(items),
                _ => {}
            }
        }
        None
    })
}

fn reference(schema: &Value) -> Option<&str> {
    ["$ref", "$dynamicRef", "$recursiveRef"]
        .into_iter()
        .find_map(|name| schema.get(name)?.as_str())
}
