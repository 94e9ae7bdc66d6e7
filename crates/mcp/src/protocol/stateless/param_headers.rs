//! Parameters that a tool wants repeated as HTTP headers: `x-mcp-header` (tools, `x-mcp-header`).

use std::collections::HashSet;

use serde_json::Value;
use serde_json::value::RawValue;
use sonde_wire::Header;

use super::headers::{encoded, header};
use crate::{
    limits::PARAM_HEADERS,
    members::{at, string},
    subschemas::{Step, visit},
};

const KEYWORD: &str = "x-mcp-header";

/// One parameter that is repeated as a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParamHeader {
    /// Name after `Mcp-Param-`.
    name: String,
    /// The property's place inside the arguments.
    path: Vec<String>,
}

impl ParamHeader {
    /// The name of the property.
    pub(crate) fn parameter(&self) -> Option<&str> {
        self.path.last().map(String::as_str)
    }
}

/// The parameters that an input schema wants repeated. An error says, in one plain sentence, why a
/// client must not offer the tool over HTTP.
pub(crate) fn param_headers(schema: &RawValue) -> Result<Vec<ParamHeader>, String> {
    let text = schema.get();
    // The keyword may be spelled with an escaped letter.
    if !text.contains(KEYWORD) && !text.contains("\\u") {
        return Ok(Vec::new());
    }
    let schema: Value = serde_json::from_str(text).map_err(|error| {
        format!("`{KEYWORD}` cannot be looked up: the input schema is not readable: {error}.")
    })?;
    let (mut found, mut result) = (ParamHeaders::default(), Ok(()));
    visit(&schema, &mut Vec::new(), &mut |path, schema| {
        if let Some(name) = schema.get(KEYWORD)
            && result.is_ok()
        {
            result = found.add(name, schema.get("type"), properties(path).as_deref());
        }
    });
    result?;
    found.all.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found.all)
}

/// The parameters found so far.
#[derive(Default)]
struct ParamHeaders {
    all: Vec<ParamHeader>,
    /// Their names in lower case.
    names: HashSet<String>,
}

impl ParamHeaders {
    fn add(
        &mut self,
        name: &Value,
        kind: Option<&Value>,
        path: Option<&[&str]>,
    ) -> Result<(), String> {
        let param_header = read(name, kind, path)?;
        if !self.names.insert(param_header.name.to_ascii_lowercase()) {
            return Err(format!(
                "two parameters map to the header `Mcp-Param-{}` (header names ignore case)",
                param_header.name
            ));
        }
        self.all.push(param_header);
        // Every call looks up each of them in its arguments.
        if self.all.len() > PARAM_HEADERS {
            return Err(format!(
                "more than {PARAM_HEADERS} parameters map to headers"
            ));
        }
        Ok(())
    }
}

/// Returns the names on a path; `None` if it leads through other keywords than `properties`.
fn properties<'a>(path: &[Step<'a>]) -> Option<Vec<&'a str>> {
    let names = path.chunks(2).map(|pair| match *pair {
        [Step::Name("properties"), Step::Name(name)] => Some(name),
        _ => None,
    });
    names.collect()
}

fn read(name: &Value, kind: Option<&Value>, path: Option<&[&str]>) -> Result<ParamHeader, String> {
    let Some(name) = name.as_str() else {
        return Err(format!("`{KEYWORD}` is not a string"));
    };
    if name.is_empty() {
        return Err(format!("`{KEYWORD}` is empty"));
    }
    // RFC 9110, 5.6.2.
    if let Some(odd) = name
        .chars()
        .find(|c| !(c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(*c)))
    {
        return Err(format!(
            "`{KEYWORD}` is {name:?}, and {odd:?} is not allowed in a header name"
        ));
    }
    let path = path.filter(|path| !path.is_empty()).ok_or_else(|| {
        format!("`{KEYWORD}` ({name}) is at a place not reachable through `properties` alone")
    })?;
    match kind.and_then(Value::as_str) {
        Some("string" | "integer" | "boolean") => {}
        _ => {
            return Err(format!(
                "the parameter `{}` with `{KEYWORD}` is not of type string, integer or boolean",
                path.join(".")
            ));
        }
    }
    Ok(ParamHeader {
        name: name.to_owned(),
        path: path.iter().map(|&name| name.to_owned()).collect(),
    })
}

/// Returns the headers for these arguments (JSON text). An absent argument, `null`, an object or an array
/// has none.
pub(crate) fn header_values(param_headers: &[ParamHeader], arguments: &str) -> Vec<Header> {
    param_headers
        .iter()
        .filter_map(|param_header| {
            let value = header_text(at(arguments, &param_header.path)?)?;
            Some(header(
                &format!("Mcp-Param-{}", param_header.name),
                &encoded(&value),
            ))
        })
        .collect()
}

/// Formats a value: strings unchanged, integers in decimal, booleans by name. Other numbers stay as written.
fn header_text(value: &RawValue) -> Option<String> {
    let text = value.get();
    match text.as_bytes().first()? {
        b'"' => string(value),
        b't' | b'f' => Some(text.to_owned()),
        b'-' | b'0'..=b'9' => Some(decimal(text)),
        _ => None,
    }
}

fn decimal(number: &str) -> String {
    if !number.contains(['.', 'e', 'E']) {
        return if number == "-0" { "0" } else { number }.to_owned();
    }
    match number.parse::<f64>() {
        // A double represents these integers exactly; beyond, it would invent digits.
        Ok(value) if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_991.0 => {
            format!("{}", value + 0.0)
        }
        _ => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(schema: &str) -> Result<Vec<ParamHeader>, String> {
        param_headers(&RawValue::from_string(schema.to_owned()).unwrap())
    }

    fn with(annotation: &str) -> Result<Vec<ParamHeader>, String> {
        of(&format!(
            r#"{{"type":"object","properties":{{"p":{{{annotation}}}}}}}"#
        ))
    }

    #[test]
    fn valid_annotations() {
        let schema = r#"{"type":"object","properties":{
            "region":{"type":"string","x-mcp-header":"Region"},
            "deep":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"n"}}},
            "x-mcp-header":{"type":"object"},
            "flag":{"type":"boolean","x-mcp-header":"Method","default":{"x-mcp-header":3}},
            "plain":{"type":"number"}}}"#;
        let found = of(schema).unwrap();
        let names: Vec<_> = found
            .iter()
            .map(|param_header| (param_header.path.join("/"), param_header.name.as_str()))
            .collect();
        assert_eq!(
            names,
            [
                ("deep/n".to_owned(), "n"),
                ("flag".to_owned(), "Method"),
                ("region".to_owned(), "Region")
            ]
        );
        assert_eq!(of(r#"{"type":"object"}"#), Ok(vec![]));
        assert!(
            with(r#""type":"string","x\u002dmcp-header":"Esc""#)
                .unwrap()
                .len()
                == 1
        );
    }

    #[test]
    fn each_rule_has_its_reason() {
        for (annotation, reason) in [
            (r#""type":"string","x-mcp-header":"""#, "is empty"),
            (r#""type":"string","x-mcp-header":7"#, "is not a string"),
            (r#""type":"string","x-mcp-header":"a b""#, "' '"),
            (r#""type":"string","x-mcp-header":" ""#, "' '"),
            (r#""type":"string","x-mcp-header":"a:b""#, "':'"),
            (r#""type":"string","x-mcp-header":"ü""#, "'ü'"),
            (r#""type":"string","x-mcp-header":"a\tb""#, "'\\t'"),
            (r#""type":"number","x-mcp-header":"A""#, "not of type"),
            (r#""type":"object","x-mcp-header":"A""#, "not of type"),
            (r#""type":"array","x-mcp-header":"A""#, "not of type"),
            (r#""type":"null","x-mcp-header":"A""#, "not of type"),
            (
                r#""type":["string","null"],"x-mcp-header":"A""#,
                "not of type",
            ),
            (r#""x-mcp-header":"A""#, "not of type"),
            (
                r#""type":"array","items":{"type":"string","x-mcp-header":"A"}"#,
                "not reachable",
            ),
            (
                r#""oneOf":[{"type":"string","x-mcp-header":"A"}]"#,
                "not reachable",
            ),
            (
                r#""type":"object","not":{"properties":{"q":{"type":"string","x-mcp-header":"A"}}}"#,
                "not reachable",
            ),
        ] {
            let found = with(annotation).unwrap_err();
            assert!(found.contains(reason), "{annotation}: {found}");
        }
        for schema in [
            r#"{"type":"object","x-mcp-header":"A"}"#,
            r#"{"$defs":{"properties":{"type":"string","x-mcp-header":"A"}}}"#,
            r#"{"if":{"properties":{"q":{"type":"string","x-mcp-header":"A"}}}}"#,
            r#"{"additionalProperties":{"type":"string","x-mcp-header":"A"}}"#,
        ] {
            assert!(
                of(schema).unwrap_err().contains("not reachable"),
                "{schema}"
            );
        }
        let twice = r#"{"properties":{"a":{"type":"string","x-mcp-header":"Reg"},"b":{"properties":{"c":{"type":"string","x-mcp-header":"reG"}}}}}"#;
        assert!(of(twice).unwrap_err().contains("two parameters"));
        let many = |count| {
            let one = |n| format!(r#""p{n}":{{"type":"string","x-mcp-header":"H{n}"}}"#);
            let all: Vec<String> = (0..count).map(one).collect();
            of(&format!(r#"{{"properties":{{{}}}}}"#, all.join(",")))
        };
        assert_eq!(many(PARAM_HEADERS).unwrap().len(), PARAM_HEADERS);
        assert_eq!(
            many(PARAM_HEADERS + 1).unwrap_err(),
            "more than 100 parameters map to headers"
        );
    }

    #[test]
    fn a_long_name_is_not_copied_for_each_schema_within_it() {
        let within: Vec<String> = (0..100_000).map(|n| format!(r#""a{n}":{{}}"#)).collect();
        let (name, within) = ("x".repeat(1_000_000), within.join(","));
        let text = format!(
            r#"{{"$comment":"{KEYWORD}","properties":{{"{name}":{{"properties":{{{within}}}}}}}}}"#
        );
        assert_eq!(of(&text), Ok(Vec::new()));
    }

    #[test]
    fn values_become_headers() {
        let param_headers: Vec<ParamHeader> = ["s", "i", "b", "deep/x", "absent", "null", "o"]
            .iter()
            .map(|path| ParamHeader {
                name: path.replace('/', "-"),
                path: path.split('/').map(str::to_owned).collect(),
            })
            .collect();
        let values = |arguments: &str| {
            header_values(&param_headers, arguments)
                .into_iter()
                .map(|header| format!("{}: {}", header.name, header.value))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            values(
                r#"{"s":"Hello, 世界","i":9007199254740993,"b":false,"deep":{"x":""},"null":null,"o":[1]}"#
            ),
            [
                "Mcp-Param-s: =?base64?SGVsbG8sIOS4lueVjA==?=",
                "Mcp-Param-i: 9007199254740993",
                "Mcp-Param-b: false",
                "Mcp-Param-deep-x: "
            ]
        );
        assert!(values("[1]").is_empty());
        for (number, text) in [
            ("42", "42"),
            ("42.0", "42"),
            ("-4.2e1", "-42"),
            ("-0", "0"),
            ("-0.0", "0"),
            ("1.5", "1.5"),
            ("1e400", "1e400"),
            ("9007199254740993.0", "9007199254740993.0"),
        ] {
            assert_eq!(decimal(number), text);
        }
    }
}
