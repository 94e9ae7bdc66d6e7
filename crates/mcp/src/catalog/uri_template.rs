//! URI templates (RFC 6570), by which a server names resources that it does not list one by one.

use std::{
    collections::HashMap,
    fmt::{self, Write as _},
};

use iri_string::{
    spec::UriSpec,
    template::{
        UriTemplateStr,
        simple_context::{SimpleContext, Value},
    },
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::limits::{EXPANDED_URI_BYTES, URI_TEMPLATE, URI_TEMPLATE_VARIABLES};

/// A valid URI template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UriTemplate {
    text: String,
    variables: Vec<TemplateVariable>,
}

/// A variable of a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TemplateVariable {
    /// Its name in the template.
    pub name: String,
    /// Takes a list or a map and expands each value by itself (`{name*}`).
    pub explode: bool,
    /// Limit of characters that are used (`{name:3}`); the smallest of all occurrences.
    pub prefix: Option<u16>,
}

/// Value of a template variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum TemplateValue {
    /// One value. An empty text is a value too, unlike a missing variable.
    Text(String),
    /// Several values.
    List(Vec<String>),
    /// Names with values.
    Map(Vec<(String, String)>),
}

impl UriTemplate {
    /// Reads a template.
    ///
    /// # Errors
    /// The problem, as a part of a sentence without its full stop.
    pub fn read(text: &str) -> Result<Self, String> {
        if text.len() > URI_TEMPLATE {
            return Err(format!("it has more than {URI_TEMPLATE} bytes"));
        }
        let template =
            UriTemplateStr::new(text).map_err(|error| without_head(&error.to_string()))?;
        let mut variables: Vec<TemplateVariable> = Vec::new();
        let specs = specs(text);
        for name in template.variables() {
            let name = name.as_str();
            if variables.iter().any(|known| known.name == name) {
                continue;
            }
            if variables.len() == URI_TEMPLATE_VARIABLES {
                return Err(format!(
                    "it has more than {URI_TEMPLATE_VARIABLES} variables"
                ));
            }
            let modifiers = specs.get(name).copied().unwrap_or_default();
            variables.push(TemplateVariable {
                name: name.to_owned(),
                explode: modifiers.explode,
                prefix: modifiers.prefix,
            });
        }
        Ok(Self {
            text: text.to_owned(),
            variables,
        })
    }

    /// Its variables, each once, in the order of the template.
    #[must_use]
    pub fn variables(&self) -> &[TemplateVariable] {
        &self.variables
    }

    /// Returns the URI with these values. A variable without a value is undefined (RFC 6570, 2.3).
    ///
    /// # Errors
    /// The reason, as a part of a sentence: a prefix was requested of a list or map, or the URI would be too long.
    pub fn expand(
        &self,
        values: impl IntoIterator<Item = (String, TemplateValue)>,
    ) -> Result<String, String> {
        let mut context = SimpleContext::new();
        for (name, value) in values {
            // Values for unknown variables are ignored.
            if self.variables.iter().all(|known| known.name != name) {
                continue;
            }
            context.insert(
                name,
                match value {
                    TemplateValue::Text(text) => Value::String(text),
                    TemplateValue::List(values) => Value::List(values),
                    TemplateValue::Map(entries) => Value::Assoc(entries),
                },
            );
        }
        let template = UriTemplateStr::new(&self.text);
        let expanded = template.and_then(|template| template.expand::<UriSpec, _>(&context));
        let expanded = expanded.map_err(|error| without_head(&error.to_string()))?;
        let mut uri = Bounded(String::new());
        write!(uri, "{expanded}")
            .map_err(|_| format!("the URI would have more than {EXPANDED_URI_BYTES} bytes"))?;
        Ok(uri.0)
    }
}

/// Text of at most [`EXPANDED_URI_BYTES`]: a template can repeat a typed value any number of times.
struct Bounded(String);

impl fmt::Write for Bounded {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        if self.0.len() + more.len() > EXPANDED_URI_BYTES {
            return Err(fmt::Error);
        }
        self.0.push_str(more);
        Ok(())
    }
}

/// Modifiers of a variable.
#[derive(Clone, Copy, Debug, Default)]
struct Modifiers {
    explode: bool,
    prefix: Option<u16>,
}

/// Returns the modifiers of all variables of a valid template (RFC 6570, 2.4).
fn specs(template: &str) -> HashMap<&str, Modifiers> {
    let mut all: HashMap<&str, Modifiers> = HashMap::new();
    let expressions = template.split('{').skip(1);
    for expression in expressions.filter_map(|rest| Some(rest.split_once('}')?.0)) {
        for spec in expression
            .trim_start_matches(['+', '#', '.', '/', ';', '?', '&'])
            .split(',')
        {
            let (name, prefix) = match spec.split_once(':') {
                Some((name, length)) => (name, length.parse().ok()),
                None => (spec, None),
            };
            let known = all.entry(name.trim_end_matches('*')).or_default();
            known.explode |= name.ends_with('*');
            known.prefix = known.prefix.into_iter().chain(prefix).min();
        }
    }
    all
}

/// Strips the parser's generic prefix from its error message.
fn without_head(said: &str) -> String {
    said.trim_start_matches("invalid URI template: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> TemplateValue {
        TemplateValue::Text(text.to_owned())
    }

    fn expanded(template: &str, values: &[(&str, TemplateValue)]) -> Result<String, String> {
        let values = values
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()));
        UriTemplate::read(template)?.expand(values)
    }

    #[test]
    fn variables_are_named_once_with_their_modifiers() {
        let template = UriTemplate::read("db://{name}/{+path:20}{?name,tags*,path:3}").unwrap();
        let variable = |name: &str, explode, prefix| TemplateVariable {
            name: name.to_owned(),
            explode,
            prefix,
        };
        assert_eq!(
            template.variables(),
            [
                variable("name", false, None),
                variable("path", false, Some(3)),
                variable("tags", true, None)
            ]
        );
        assert!(UriTemplate::read("x://y").unwrap().variables().is_empty());
    }

    /// Examples of RFC 6570, section 3.2, one of each kind of expression.
    #[test]
    fn values_are_put_into_every_kind_of_expression() {
        let list = || TemplateValue::List(vec!["red".into(), "green".into()]);
        let map = || {
            TemplateValue::Map(vec![
                ("semi".into(), ";".into()),
                ("dot".into(), ".".into()),
            ])
        };
        for (template, value, uri) in [
            ("O{x}", text("a b/c"), "Oa%20b%2Fc"),
            ("O{+x}", text("a b/c"), "Oa%20b/c"),
            ("O{#x:3}", text("value"), "O#val"),
            ("O{x}", text("\u{e4}"), "O%C3%A4"),
            ("O{x}", list(), "Ored,green"),
            ("O{/x*}", list(), "O/red/green"),
            ("O{?x*}", list(), "O?x=red&x=green"),
            ("O{?x*}", map(), "O?semi=%3B&dot=."),
            ("O{?x}", map(), "O?x=semi,%3B,dot,."),
            ("O{;x}", text(""), "O;x"),
            ("O{&x}", text(""), "O&x="),
            ("O{.x}", text("y"), "O.y"),
        ] {
            assert_eq!(
                expanded(template, &[("x", value)]).as_deref(),
                Ok(uri),
                "{template}"
            );
        }
        assert_eq!(expanded("O{?x,y}", &[("z", text("1"))]).as_deref(), Ok("O"));
    }

    #[test]
    fn what_is_no_template_is_told() {
        for (template, problem) in [
            ("x://{", "not closed"),
            ("x://{a b}", "invalid"),
            ("x://{=a}", "unsupported operator"),
            ("x://}", "invalid character"),
        ] {
            let said = UriTemplate::read(template).unwrap_err();
            assert!(said.contains(problem), "{template}: {said}");
        }
        let long = "a".repeat(URI_TEMPLATE + 1);
        assert!(UriTemplate::read(&long).unwrap_err().contains("more than"));
        let many: String = (0..=URI_TEMPLATE_VARIABLES)
            .map(|n| format!("{{v{n}}}"))
            .collect();
        assert!(UriTemplate::read(&many).unwrap_err().contains("variables"));
        let list = TemplateValue::List(vec!["a".to_owned()]);
        assert!(expanded("{x:3}", &[("x", list)]).is_err());
    }

    #[test]
    fn a_template_cannot_multiply_what_is_typed_without_end() {
        let template = UriTemplate::read(&"{v}".repeat(20_000)).unwrap();
        let with = |length: usize| {
            let value = TemplateValue::Text("x".repeat(length));
            template.expand([("v".to_owned(), value)])
        };
        assert_eq!(with(3).unwrap().len(), 60_000);
        let error = with(4_000).unwrap_err();
        assert!(error.contains("65536 bytes"), "{error}");
    }
}
