//! Schemas that are made to use up memory or time.

use serde_json::{Map, Value, json};

/// A schema and a value. Levels of which each has twice the alternatives of the next: with one value a
/// step further in at each, so that no reference leads to the same value twice.
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

/// So many patterns, each of which is harmless alone. No text matches two of them.
#[must_use]
pub fn patterns(count: usize, length: usize) -> Value {
    (0..count)
        .map(|n| json!({"pattern": format!("x{n}\\p{{L}}{{{length}}}")}))
        .collect()
}
