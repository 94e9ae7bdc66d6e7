//! Arguments of a call: `key=value` typed by the schema, `key:=json`, or JSON text as it is.

use std::io::Read as _;

use serde_json::{Value, value::RawValue};

use crate::exit::{Failed, Result};

/// References that are followed to find the type of a parameter.
const REFERENCES: usize = 8;

/// Arguments as JSON, in place of words.
#[derive(clap::Args, Debug)]
pub(crate) struct JsonArguments {
    /// Arguments as JSON, sent exactly as written; @FILE reads a file, - standard input
    #[arg(long, short = 'j', value_name = "JSON")]
    json_arguments: Option<String>,
}

impl JsonArguments {
    /// Reads them, unless the arguments are these words.
    pub(crate) fn read(&self, words: &[String]) -> Result<Option<String>> {
        match &self.json_arguments {
            Some(_) if !words.is_empty() => Err(Failed::usage(
                "Give the arguments either as name=value or with --json-arguments, not both.",
            )),
            Some(text) => json_option(text).map(Some),
            None => Ok(None),
        }
    }
}

/// Reads the text of `-j`: JSON, `@file`, or `-` for standard input. It is sent exactly as it is.
fn json_option(text: &str) -> Result<String> {
    let (source, read) = match text.strip_prefix('@') {
        Some(path) => {
            let read = std::fs::read_to_string(path);
            let read = read.map_err(|error| Failed::not_read(path, &error))?;
            (format!("The arguments in {path}"), read)
        }
        None if text == "-" => {
            let mut all = String::new();
            let read = std::io::stdin().read_to_string(&mut all);
            read.map_err(|error| Failed::not_read("Standard input", &error))?;
            ("The arguments".to_owned(), all)
        }
        None => ("The arguments".to_owned(), text.to_owned()),
    };
    let read = without_bom(&read);
    match serde_json::from_str::<&RawValue>(read) {
        Ok(_) => Ok(read.trim().to_owned()),
        Err(error) => Err(Failed::usage(format!(
            "{source} are not valid JSON: {error}."
        ))),
    }
}

/// A text without the byte order mark that PowerShell writes.
pub(crate) fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Builds the arguments from words, by the input schema of the tool.
pub(crate) fn from_words(words: &[String], schema: Option<&str>) -> Result<Option<String>> {
    if words.is_empty() {
        return Ok(None);
    }
    let schema: Value = schema
        .and_then(|schema| serde_json::from_str(schema).ok())
        .unwrap_or_default();
    let mut members: Vec<(&str, Vec<String>, bool)> = Vec::new();
    for word in words {
        let Some((name, value)) = word.split_once('=') else {
            return Err(Failed::usage(format!(
                "`{word}` is not an argument. Write it as name=value, or name:=json."
            )));
        };
        if matches!(name, "" | ":") {
            return Err(Failed::usage(format!(
                "`{word}` has no name. Write an argument as name=value, or name:=json."
            )));
        }
        if let Some(name) = name.strip_suffix(':') {
            serde_json::from_str::<&RawValue>(value).map_err(|error| {
                Failed::usage(format!("The value of `{name}` is not valid JSON: {error}."))
            })?;
            if members.iter().any(|one| one.0 == name) {
                return Err(twice(name));
            }
            members.push((name, vec![value.trim().to_owned()], false));
            continue;
        }
        let field = parameter(&schema, name);
        let of_items = field.is_some_and(|field| is_list(field, value));
        let of = match of_items {
            true => field.and_then(|field| field.get("items")),
            false => field,
        };
        let value = typed(name, value, of, &schema).map_err(|problem| {
            Failed::usage(problem).more([format!("To send it anyway, write {name}:=json.")])
        })?;
        match members.iter_mut().find(|one| one.0 == name) {
            Some((_, values, true)) if of_items => values.push(value),
            Some(_) => return Err(twice(name)),
            None => members.push((name, vec![value], of_items)),
        }
    }
    let members = members.iter().map(|(name, values, of_items)| {
        let name = Value::from(*name);
        match of_items {
            true => format!("{name}:[{}]", values.join(",")),
            false => format!("{name}:{}", values.concat()),
        }
    });
    Ok(Some(format!(
        "{{{}}}",
        members.collect::<Vec<_>>().join(",")
    )))
}

/// One sentence about the arguments that the schema of the tool does not know; `None` if it knows or permits all.
pub(crate) fn unknown(words: &[String], schema: Option<&str>) -> Option<String> {
    let schema: Value = serde_json::from_str(schema?).ok()?;
    let schema = resolved(&schema, &schema);
    let known = schema.get("properties")?.as_object()?;
    let open = [
        "additionalProperties",
        "patternProperties",
        "allOf",
        "anyOf",
        "oneOf",
    ];
    if open.iter().any(|key| schema.get(key).is_some()) {
        return None;
    }
    let names = words.iter().filter_map(|word| word.split_once('='));
    let names = names.map(|(name, _)| name.strip_suffix(':').unwrap_or(name));
    let unknown: Vec<_> = names
        .filter(|name| !known.contains_key(*name))
        .map(|name| format!("`{name}`"))
        .collect();
    let known: Vec<_> = known.keys().map(String::as_str).collect();
    (!unknown.is_empty()).then(|| {
        let known = match known.is_empty() {
            true => "no parameters".to_owned(),
            false => known.join(", "),
        };
        format!(
            "The tool has no parameter {}. It has: {known}.",
            unknown.join(", ")
        )
    })
}

fn twice(name: &str) -> Failed {
    Failed::usage(format!("The argument `{name}` is given twice."))
}

/// A word is an item of a list unless it is the whole list as JSON.
fn is_list(field: &Value, value: &str) -> bool {
    types(field).any(|one| one == "array") && !value.trim_start().starts_with('[')
}

fn parameter<'a>(schema: &'a Value, name: &str) -> Option<&'a Value> {
    resolved(schema, schema).get("properties")?.get(name)
}

/// The schema that a reference within the document leads to.
fn resolved<'a>(mut schema: &'a Value, document: &'a Value) -> &'a Value {
    for _ in 0..REFERENCES {
        let reference = schema.get("$ref").and_then(Value::as_str);
        let target = reference.and_then(|one| document.pointer(one.strip_prefix('#')?));
        match target {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

fn types(schema: &Value) -> impl Iterator<Item = &str> {
    let own = schema.get("type").into_iter();
    let own = own.flat_map(|own| match own {
        Value::Array(all) => all.as_slice(),
        one => std::slice::from_ref(one),
    });
    own.filter_map(Value::as_str)
}

/// Returns the JSON text of a value as it was typed, by its schema. Digits stay as they are.
pub(crate) fn typed(
    name: &str,
    value: &str,
    schema: Option<&Value>,
    document: &Value,
) -> std::result::Result<String, String> {
    let schema = schema.map(|schema| resolved(schema, document));
    let variants = schema.into_iter().flat_map(|schema| {
        let members = ["anyOf", "oneOf"].into_iter();
        let members = members
            .filter_map(|one| schema.get(one)?.as_array())
            .flatten();
        let members = members.map(|one| resolved(one, document));
        std::iter::once(schema).chain(members)
    });
    let wanted: Vec<&str> = variants.flat_map(types).collect();
    let text = || Value::from(value).to_string();
    let json = serde_json::from_str::<Value>(value).ok();
    let kind = json.as_ref().map(|json| match json {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    });
    if wanted.is_empty() {
        // Without a type, numbers are numbers and words are strings, unless the choices differ.
        let choices = schema.and_then(|schema| schema.get("enum")?.as_array());
        let is_choice = choices.is_some_and(|all| all.iter().any(|one| one == value));
        return Ok(match kind {
            Some(_) if !is_choice => value.trim().to_owned(),
            _ => text(),
        });
    }
    let fits =
        |kind: &str| wanted.contains(&kind) || (kind == "number" && wanted.contains(&"integer"));
    match kind {
        // Typed quotes belong to the text.
        Some(kind) if kind != "string" && fits(kind) => Ok(value.trim().to_owned()),
        _ if wanted.contains(&"string") => Ok(text()),
        _ => Err(format!(
            "`{value}` does not fit `{name}`, which is of the type {}.",
            wanted.join(" or ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMA: &str = r##"{
        "$defs": {"Size": {"type": "integer"}},
        "properties": {
            "message": {"type": "string"},
            "count": {"type": "integer"},
            "exact": {"type": "number"},
            "deep": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "sizes": {"type": "array", "items": {"$ref": "#/$defs/Size"}},
            "filter": {"type": "object"},
            "size": {"$ref": "#/$defs/Size"},
            "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "either": {"type": ["string", "number"]},
            "code": {"enum": ["1", "2"]},
            "any": {}
        }
    }"##;

    fn built(words: &[&str]) -> Result<String> {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        Ok(from_words(&words, Some(SCHEMA))?.unwrap_or_default())
    }

    #[test]
    fn values_are_typed_by_the_schema_with_their_digits() {
        for (words, expected) in [
            (&["message=5"][..], r#"{"message":"5"}"#),
            (&["message="], r#"{"message":""}"#),
            (&["message=a=b \"c\""], r#"{"message":"a=b \"c\""}"#),
            (
                &["count=9007199254740993", "exact=1.10"],
                r#"{"count":9007199254740993,"exact":1.10}"#,
            ),
            (&["deep=true"], r#"{"deep":true}"#),
            (&["tags=a", "tags=2"], r#"{"tags":["a","2"]}"#),
            (&[r#"tags=["a"]"#], r#"{"tags":["a"]}"#),
            (&["sizes=1", "sizes=2"], r#"{"sizes":[1,2]}"#),
            (&[r#"filter={"a":1e400}"#], r#"{"filter":{"a":1e400}}"#),
            (&["size=7", "maybe=null"], r#"{"size":7,"maybe":null}"#),
            (&["either=7"], r#"{"either":7}"#),
            (&["either=seven"], r#"{"either":"seven"}"#),
            (&["code=1"], r#"{"code":"1"}"#),
            (&["any=1", "other=x"], r#"{"any":1,"other":"x"}"#),
            (&["count:=\"x\""], r#"{"count":"x"}"#),
            (&["a\"b=1"], r#"{"a\"b":1}"#),
        ] {
            assert_eq!(built(words).unwrap(), expected);
        }
    }

    #[test]
    fn a_parameter_that_the_tool_does_not_have_is_named() {
        let of = |words: &[&str], schema: &str| {
            let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
            unknown(&words, Some(schema))
        };
        assert_eq!(of(&["count=1", "sizes:=[]"], SCHEMA), None);
        let said = of(&["cuont=1", "deep=true"], SCHEMA).unwrap();
        assert!(said.starts_with("The tool has no parameter `cuont`. It has: message, count"));
        let open = r#"{"properties":{"a":{}},"additionalProperties":true}"#;
        assert_eq!(of(&["b=1"], open), None);
    }

    #[test]
    fn words_that_do_not_fit_are_refused_by_name() {
        for (words, said) in [
            (&["count=many"][..], "`count`, which is of the type integer"),
            (&["deep=1"], "`deep`"),
            (&["message"], "name=value"),
            (&["count:=x"], "not valid JSON"),
            (&["=x"], "has no name"),
            (&["count=1", "count=2"], "twice"),
        ] {
            let failed = built(words).unwrap_err();
            assert!(failed.message.contains(said), "{failed}");
        }
        assert!(json_option("{\"a\": 1").is_err());
        assert_eq!(
            json_option("\u{feff} {\"a\": 1.0,\"a\":2} ").unwrap(),
            "{\"a\": 1.0,\"a\":2}"
        );
    }
}
