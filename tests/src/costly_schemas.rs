//! Schemas that are made to use up memory or time.

use serde_json::{Map, Value, json};

/// Creates a schema and a value. Each level has twice the alternatives of the next: one applies to the same value and
/// one a step further in, so that no reference leads to the same value twice.
#[must_use]
pub fn doubling(levels: usize) -> (Value, Value) {
    let definitions: Map<String, Value> = (0..levels)
        .map(|n| {
            let next = json!({"properties": {"a": {"$ref": format!("#/$defs/a{}", n + 1)}}});
            (format!("a{n}"), json!({"anyOf": [next, next]}))
        })
        .chain([(format!("a{levels}"), json!({"type": "string"}))])
        .collect();
    let value = (0..levels).fold(json!(1), |inner, _| json!({"a": inner}));
    (json!({"$defs": definitions, "$ref": "#/$defs/a0"}), value)
}

/// Creates this many patterns, each of them harmless alone. No text matches two of them.
#[must_use]
pub fn patterns(count: usize, length: usize) -> Value {
    (0..count)
        .map(|n| json!({"pattern": format!("x{n}\\p{{L}}{{{length}}}")}))
        .collect()
}
