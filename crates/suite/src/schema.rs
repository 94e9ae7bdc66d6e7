//! JSON Schemas of the formats, generated from the parser's tables.

use serde_json::{Map, Value, json};

use crate::format::{Object, SECONDS, SERVERS_SHAPE, SUITE_SHAPE, Shape, takes_variable};

/// Name of a text with a variable among the definitions.
const VARIABLE: &str = "variable";

/// JSON Schema of `*.sonde.yaml`.
#[must_use]
pub fn suite() -> Value {
    document(
        "https://sonde.dev/schema/suite-1.json",
        "Sonde suite",
        &SUITE_SHAPE,
    )
}

/// JSON Schema of `sonde.servers.yaml`.
#[must_use]
pub fn servers() -> Value {
    document(
        "https://sonde.dev/schema/servers-1.json",
        "Sonde servers",
        &SERVERS_SHAPE,
    )
}

fn document(id: &str, title: &str, root: &Shape) -> Value {
    let mut definitions = Map::new();
    definitions.insert(
        VARIABLE.to_owned(),
        json!({ "type": "string", "pattern": r"\$\{" }),
    );
    let root = schema(root, &mut definitions);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": id,
        "title": title,
        "$ref": root["$ref"],
        "$defs": definitions,
    })
}

fn schema(shape: &Shape, definitions: &mut Map<String, Value>) -> Value {
    let own = match shape {
        Shape::Any => json!(true),
        Shape::Text => json!({ "type": "string" }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Count => json!({ "type": "integer", "minimum": 0 }),
        Shape::Number => json!({ "type": "number" }),
        Shape::Exactly(number) => json!({ "const": number }),
        Shape::Word(words) => json!({ "enum": words }),
        Shape::Duration => json!({ "type": "string", "pattern": r"^[0-9.]+ ?(us|µs|ms|s|m|h)$" }),
        Shape::Seconds => json!({ "type": "string", "pattern": SECONDS }),
        Shape::Range => json!({
            "type": ["number", "string"],
            "pattern": r"^\s*((>=|<=|>|<)\s*-?[0-9][0-9.eE+-]*|-?[0-9][0-9eE+-]*(\.[0-9]+)?\s*(\.\.\s*-?[0-9][0-9.eE+-]*)?)\s*$",
        }),
        Shape::DurationRange => json!({
            "type": "string",
            "pattern": r"^((>=|<=|>|<)\s*[0-9.]+\s*(us|µs|ms|s|m|h)|[0-9.]+\s*(us|µs|ms|s|m|h)\s*\.\.\s*[0-9.]+\s*(us|µs|ms|s|m|h))\s*$",
        }),
        Shape::Regex => json!({ "type": "string", "format": "regex" }),
        Shape::Pointer => json!({ "type": "string", "pattern": "^/" }),
        Shape::List(item) => json!({ "type": "array", "items": schema(item, definitions) }),
        Shape::OneOrMore(item) => {
            let item = schema(item, definitions);
            json!({ "anyOf": [item, { "type": "array", "items": item }] })
        }
        Shape::Map(value) => {
            json!({ "type": "object", "additionalProperties": schema(value, definitions) })
        }
        Shape::PathMap(value) => json!({
            "type": "object",
            "minProperties": 1,
            "propertyNames": { "pattern": r"^($|/|\$)" },
            "additionalProperties": schema(value, definitions),
        }),
        Shape::Object(object) => return reference(object, definitions),
        Shape::Either(shapes) => {
            let others = shapes.iter().filter(|shape| !matches!(shape, Shape::Any));
            let others: Vec<_> = others.map(|shape| schema(shape, definitions)).collect();
            match shapes.iter().any(|shape| matches!(shape, Shape::Any)) {
                // A mapping must be the object; anything else may be any value.
                true => json!({ "if": { "type": "object" }, "then": { "anyOf": others } }),
                false => json!({ "anyOf": others }),
            }
        }
    };
    match takes_variable(shape) {
        true => json!({ "anyOf": [own, { "$ref": format!("#/$defs/{VARIABLE}") }] }),
        false => own,
    }
}

/// A reference to an object, which is defined at its first use.
fn reference(object: &Object, definitions: &mut Map<String, Value>) -> Value {
    let articles = ["a ", "an ", "the "].into_iter();
    let mut without = articles.filter_map(|article| object.name.strip_prefix(article));
    let name = without.next().unwrap_or(object.name).replace(' ', "-");
    if !definitions.contains_key(&name) {
        // Taken before its members, which may refer to it.
        definitions.insert(name.clone(), Value::Null);
        let mut properties = Map::new();
        for key in object.keys {
            let mut property = schema(&key.shape, definitions);
            if property == json!(true) {
                property = json!({});
            }
            property["description"] = json!(key.about);
            properties.insert(key.name.to_owned(), property);
        }
        let required = object.keys.iter().filter(|key| key.required);
        let required: Vec<_> = required.map(|key| key.name).collect();
        let mut definition = json!({
            "type": "object",
            "properties": properties,
            "additionalProperties": false,
        });
        if object.never_empty {
            definition["minProperties"] = json!(1);
        }
        if !required.is_empty() {
            definition["required"] = json!(required);
        }
        if !object.one_of.is_empty() {
            let one_of = object.one_of.iter().map(|key| json!({ "required": [key] }));
            definition["oneOf"] = one_of.collect();
        }
        definitions.insert(name.clone(), definition);
    }
    json!({ "$ref": format!("#/$defs/{name}") })
}
