//! Facts about an input schema that matter to hosts, found in one walk.

mod draft_07;

use serde_json::{Map, Value};

use crate::words::words;

/// Limit of a judged schema, in bytes.
const LARGEST: usize = 256 * 1024;
/// Limit of the names of parameters and of keywords that are checked.
const NAMES: usize = 1_000;

/// The keywords whose value is a map of schemas.
const MAPS: [&str; 5] = [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
];
/// The keywords whose value is a schema.
const SINGLE: [&str; 12] = [
    "items",
    "additionalItems",
    "additionalProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
];
/// The keywords whose value is a list of schemas.
const LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/// First words of values that read, and of values that change something. They come from the check behind the
/// directory's limit, and are few so that none is wrong.
const READS: [&str; 7] = ["get", "list", "read", "search", "query", "fetch", "find"];
const WRITES: [&str; 13] = [
    "create", "update", "delete", "write", "remove", "insert", "upsert", "send", "post", "put",
    "patch", "execute", "drop",
];

/// Places of a fact in the schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Places {
    /// The first place, a JSON Pointer from the definition of the tool.
    pub(crate) first: Option<String>,
    /// Number of places.
    pub(crate) count: usize,
}

/// Facts about the input schema of a tool.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    /// The `type` of the root.
    pub(crate) root_type: RootType,
    /// The keywords of the root.
    pub(crate) root_keywords: Vec<String>,
    /// Every keyword with its first place.
    pub(crate) keywords: Vec<(String, String)>,
    /// Names of parameters, each with its place. Names within a parameter do not count.
    pub(crate) parameters: Vec<(String, String)>,
    pub(crate) array_without_items: Places,
    pub(crate) undefined_required: Places,
    pub(crate) boolean_schema: Places,
    pub(crate) type_array: Places,
    pub(crate) tuple_items: Places,
    pub(crate) default_beside_any_of: Places,
    /// The longest description in it, in characters, and its place.
    pub(crate) longest_description: Option<(usize, String)>,
    /// The violation of draft-07, and its place.
    pub(crate) not_draft_07: Option<(String, String)>,
    /// Required parameters without a description or title, by name.
    pub(crate) undescribed: Vec<String>,
    /// A parameter with values that read and values that change something, and its place.
    pub(crate) catch_all: Option<(String, String)>,
    /// A parameter that may be any string and, by its name, selects the action of the tool.
    pub(crate) dispatcher: Option<String>,
}

/// The `type` of the root of a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RootType {
    Object,
    Null,
    #[default]
    Other,
}

impl Shape {
    /// Reads a schema; `None` if it is too large or too deep.
    pub(crate) fn read(schema: &str) -> Option<Self> {
        if schema.len() > LARGEST {
            return None;
        }
        let schema: Value = serde_json::from_str(schema).ok()?;
        let mut shape = Self::default();
        if let Some(root) = schema.as_object() {
            shape.root(root);
        }
        let mut path = vec![Step::Name("inputSchema")];
        shape.visit(&schema, &mut path);
        Some(shape)
    }

    fn root(&mut self, root: &Map<String, Value>) {
        self.root_type = match root.get("type").and_then(Value::as_str) {
            Some("object") => RootType::Object,
            Some("null") => RootType::Null,
            _ => RootType::Other,
        };
        self.root_keywords = root.keys().take(NAMES).cloned().collect();
        let Some(properties) = root.get("properties").and_then(Value::as_object) else {
            return;
        };
        for name in required(root).take(NAMES) {
            if let Some(parameter) = properties.get(name)
                && !is_described(parameter)
            {
                self.undescribed.push(name.to_owned());
            }
        }
        let dispatches = |(name, schema): (&String, &Value)| {
            let is_name = ["action", "op", "operation", "method"].contains(&name.as_str());
            (is_name && is_any_string(schema)).then(|| name.clone())
        };
        self.catch_all = properties.iter().find_map(|(name, schema)| {
            let values = schema.get("enum").and_then(Value::as_array)?;
            let any = |verbs: &[&str]| {
                let mut texts = values.iter().take(NAMES).filter_map(Value::as_str);
                texts.any(|text| {
                    words(text)
                        .first()
                        .is_some_and(|one| verbs.contains(&one.as_str()))
                })
            };
            let path = [
                Step::Name("inputSchema"),
                Step::Name("properties"),
                Step::Name(name),
            ];
            (any(&READS) && any(&WRITES)).then(|| (name.clone(), pointer(&path)))
        });
        self.dispatcher = properties.iter().find_map(dispatches);
    }

    fn visit<'a>(&mut self, schema: &'a Value, path: &mut Vec<Step<'a>>) {
        let Some(object) = schema.as_object() else {
            if self.not_draft_07.is_none() && !schema.is_boolean() {
                self.not_draft_07 = Some((pointer(path), "it is no schema".to_owned()));
            }
            return;
        };
        let types = object.get("type");
        let is_array = match types {
            Some(Value::String(one)) => one == "array",
            Some(Value::Array(all)) => all.iter().any(|one| one == "array"),
            _ => false,
        };
        if types.is_some_and(Value::is_array) {
            self.type_array.add(path, Some("type"));
        }
        if is_array && !object.contains_key("items") {
            self.array_without_items.add(path, None);
        }
        if object.contains_key("default") && object.contains_key("anyOf") {
            self.default_beside_any_of.add(path, Some("default"));
        }
        let properties = object.get("properties").and_then(Value::as_object);
        // A branch of a combination may require names that are defined beside the combination.
        let known = |name: &str| properties.is_some_and(|all| all.contains_key(name));
        if (properties.is_some() || path.len() == 1) && required(object).any(|name| !known(name)) {
            self.undefined_required.add(path, Some("required"));
        }
        if let Some(text) = object.get("description").and_then(Value::as_str) {
            let length = text.chars().count();
            if self
                .longest_description
                .as_ref()
                .is_none_or(|one| one.0 < length)
            {
                self.longest_description = Some((length, pointer_to(path, Some("description"))));
            }
        }
        for (keyword, value) in object {
            if self.keywords.len() < NAMES && !self.keywords.iter().any(|one| one.0 == *keyword) {
                self.keywords
                    .push((keyword.clone(), pointer_to(path, Some(keyword))));
            }
            if self.not_draft_07.is_none()
                && let Some(problem) = draft_07::problem(keyword, value)
            {
                self.not_draft_07 = Some((pointer_to(path, Some(keyword)), problem));
            }
            self.visit_keyword(keyword, value, path);
        }
    }

    fn visit_keyword<'a>(&mut self, keyword: &'a str, value: &'a Value, path: &mut Vec<Step<'a>>) {
        path.push(Step::Name(keyword));
        match value {
            Value::Object(map) if MAPS.contains(&keyword) => {
                for (name, schema) in map {
                    path.push(Step::Name(name));
                    if keyword == "properties" {
                        // Path of a parameter: the schema, `properties` and the name.
                        if path.len() == 3 {
                            self.parameter(name, path);
                        }
                        self.boolean(schema, path);
                    }
                    self.visit(schema, path);
                    path.pop();
                }
            }
            Value::Array(list) if LISTS.contains(&keyword) || keyword == "items" => {
                if keyword == "items" {
                    self.tuple_items.add(path, None);
                }
                for (place, schema) in list.iter().enumerate() {
                    path.push(Step::Place(place));
                    self.visit(schema, path);
                    path.pop();
                }
            }
            _ if SINGLE.contains(&keyword) => self.visit(value, path),
            _ => {}
        }
        path.pop();
    }

    /// Counts boolean schemas of parameters. Elsewhere, as in `"items": false` or in a condition, they are usual, and
    /// no known host refuses them.
    fn boolean(&mut self, schema: &Value, path: &[Step<'_>]) {
        if schema.is_boolean() && describes_parameter(path) {
            self.boolean_schema.add(path, None);
        }
    }

    fn parameter(&mut self, name: &str, path: &[Step<'_>]) {
        if self.parameters.len() < NAMES && !self.parameters.iter().any(|one| one.0 == name) {
            self.parameters.push((name.to_owned(), pointer(path)));
        }
    }
}

/// True if the path leads only through properties and items, not into a condition or an alternative.
fn describes_parameter(path: &[Step<'_>]) -> bool {
    // The first step is the schema itself.
    let mut path = path.get(1..).unwrap_or_default();
    loop {
        path = match path {
            [] => return true,
            [Step::Name("properties"), Step::Name(_), rest @ ..] => rest,
            [Step::Name("items"), rest @ ..] => rest,
            _ => return false,
        };
    }
}

impl Places {
    fn add(&mut self, path: &[Step<'_>], last: Option<&str>) {
        self.count += 1;
        if self.first.is_none() {
            self.first = Some(pointer_to(path, last));
        }
    }
}

fn required(object: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let all = object.get("required").and_then(Value::as_array);
    all.into_iter().flatten().filter_map(Value::as_str)
}

/// Returns true if a model learns the meaning of a parameter: in words, or by its possible values.
fn is_described(schema: &Value) -> bool {
    [
        "description",
        "title",
        "enum",
        "const",
        "$ref",
        "anyOf",
        "oneOf",
        "allOf",
    ]
    .iter()
    .any(|member| schema.get(member).is_some())
}

fn is_any_string(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("string")
        && ["enum", "const", "pattern", "anyOf", "oneOf"]
            .iter()
            .all(|member| schema.get(member).is_none())
}

/// One step of a path.
#[derive(Clone, Copy)]
enum Step<'a> {
    Name(&'a str),
    Place(usize),
}

fn pointer(path: &[Step<'_>]) -> String {
    pointer_to(path, None)
}

/// Formats a JSON Pointer (RFC 6901).
fn pointer_to(path: &[Step<'_>], last: Option<&str>) -> String {
    let mut text = String::new();
    for step in path.iter().copied().chain(last.map(Step::Name)) {
        text.push('/');
        match step {
            Step::Name(name) if name.contains(['~', '/']) => {
                text.push_str(&name.replace('~', "~0").replace('/', "~1"));
            }
            Step::Name(name) => text.push_str(name),
            Step::Place(place) => text.push_str(&place.to_string()),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(schema: &str) -> Shape {
        Shape::read(schema).unwrap()
    }

    #[test]
    fn what_hosts_care_about_is_found_where_it_stands() {
        let shape = of(r#"{"type":"object","required":["a","gone"],"properties":{
            "a":true,"b/c":{"type":["array","null"]},
            "d":{"type":"array","items":[{"type":"string"}]},
            "e":{"anyOf":[{"type":"array"}],"default":1,"description":"four"}}}"#);
        let first = |places: &Places| places.first.clone().unwrap_or_default();
        assert_eq!(first(&shape.boolean_schema), "/inputSchema/properties/a");
        assert_eq!(
            first(&shape.type_array),
            "/inputSchema/properties/b~1c/type"
        );
        assert_eq!(
            first(&shape.array_without_items),
            "/inputSchema/properties/b~1c"
        );
        assert_eq!(shape.array_without_items.count, 2);
        assert_eq!(first(&shape.tuple_items), "/inputSchema/properties/d/items");
        assert_eq!(first(&shape.undefined_required), "/inputSchema/required");
        assert_eq!(
            first(&shape.default_beside_any_of),
            "/inputSchema/properties/e/default"
        );
        assert_eq!(
            shape.longest_description,
            Some((4, "/inputSchema/properties/e/description".to_owned()))
        );
        assert_eq!(shape.root_type, RootType::Object);
    }

    #[test]
    fn data_and_usual_booleans_are_no_schemas() {
        let shape = of(r#"{"type":"object","additionalProperties":false,
            "if":{"required":["a"]},"else":{"properties":{"b":false}},"properties":{
            "a":{"enum":[{"type":"array"}],"default":{"type":["x"]},"examples":[true]},
            "type":{"type":"string"},"items":{"type":"array","items":{}}}}"#);
        assert_eq!(shape.boolean_schema, Places::default());
        assert_eq!(shape.type_array, Places::default());
        assert_eq!(shape.array_without_items, Places::default());
        assert_eq!(shape.not_draft_07, None);
        assert!(!shape.keywords.iter().any(|one| one.0 == "a"));
        let names: Vec<_> = shape.parameters.iter().map(|one| one.0.as_str()).collect();
        assert_eq!(names, ["a", "type", "items"]);
    }

    #[test]
    fn a_parameter_that_reads_or_changes_by_its_value_is_a_catch_all() {
        let with = |values: &str| {
            let text = format!(r#"{{"properties":{{"do":{{"enum":[{values}]}}}}}}"#);
            of(&text).catch_all.map(|one| one.1)
        };
        let found = Some("/inputSchema/properties/do".to_owned());
        assert_eq!(with(r#""list","delete""#), found);
        assert_eq!(with(r#""getUser","create_user""#), found);
        assert_eq!(with(r#""get","list""#), None);
        assert_eq!(with(r#""budget","deleted_at""#), None);
        assert_eq!(with("1,null"), None);
    }

    #[test]
    fn what_is_too_large_or_too_deep_is_not_judged() {
        let deep = format!("{}true{}", r#"{"not":"#.repeat(200), "}".repeat(200));
        assert!(Shape::read(&deep).is_none());
        assert!(Shape::read(&format!("\"{}\"", "x".repeat(LARGEST))).is_none());
    }

    #[test]
    fn parameters_that_nothing_says_anything_about_are_found() {
        let shape = of(r#"{"type":"object","required":["a","b","c"],"properties":{
            "a":{"type":"string"},"b":{"type":"string","description":"B."},"c":{"enum":["x"]},
            "d":{"type":"string"},"action":{"type":"string","description":"What to do"}}}"#);
        assert_eq!(shape.undescribed, ["a"]);
        assert_eq!(shape.dispatcher.as_deref(), Some("action"));
        let shape = of(r#"{"properties":{"action":{"type":"string","enum":["x","y"]}}}"#);
        assert_eq!(shape.dispatcher, None);
    }
}
