//! URI templates (RFC 6570), by which a server names resources that it does not list one by one.

use std::collections::HashMap;

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

/// A part of a template. Many times larger than its text, so it is not kept.
enum Part {
    Literal(String),
    Expression(&'static Operator, Vec<TemplateVariable>),
}

/// One line of the table in RFC 6570, appendix A.
struct Operator {
    /// Before the first value.
    first: &'static str,
    /// Between values.
    separator: &'static str,
    /// Follows the name of an empty value; `None` where values have no names.
    empty: Option<&'static str>,
    /// Reserved characters stay as they are.
    keeps_reserved: bool,
}

impl Operator {
    const fn new(
        first: &'static str,
        separator: &'static str,
        empty: Option<&'static str>,
        keeps_reserved: bool,
    ) -> Self {
        Self {
            first,
            separator,
            empty,
            keeps_reserved,
        }
    }

    /// Returns the operator of an expression, and the rest of it.
    fn read(expression: &str) -> Result<(&'static Self, &str), String> {
        let operator = match expression.bytes().next() {
            Some(b'+') => const { &Self::new("", ",", None, true) },
            Some(b'#') => const { &Self::new("#", ",", None, true) },
            Some(b'.') => const { &Self::new(".", ".", None, false) },
            Some(b'/') => const { &Self::new("/", "/", None, false) },
            Some(b';') => const { &Self::new(";", ";", Some(""), false) },
            Some(b'?') => const { &Self::new("?", "&", Some("="), false) },
            Some(b'&') => const { &Self::new("&", "&", Some("="), false) },
            Some(reserved @ (b'=' | b',' | b'!' | b'@' | b'|')) => {
                return Err(format!("unsupported operator `{}`", char::from(reserved)));
            }
            _ => return Ok((const { &Self::new("", ",", None, false) }, expression)),
        };
        Ok((operator, &expression[1..]))
    }
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
        let variables = unique_variables(&parts(text)?)?;
        let text = text.to_owned();
        Ok(Self { text, variables })
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
        // Values for unknown variables are ignored.
        let values: HashMap<_, _> = values.into_iter().collect();
        let mut uri = String::new();
        for part in parts(&self.text)? {
            match part {
                Part::Literal(text) => uri.push_str(&text),
                Part::Expression(operator, variables) => {
                    let mut before = operator.first;
                    for variable in &variables {
                        let Some(value) = values.get(&variable.name).filter(|one| one.is_defined())
                        else {
                            continue;
                        };
                        uri.push_str(before);
                        before = operator.separator;
                        operator.expand(variable, value, &mut uri)?;
                        // A template can repeat a typed value any number of times.
                        if uri.len() > EXPANDED_URI_BYTES {
                            break;
                        }
                    }
                }
            }
            if uri.len() > EXPANDED_URI_BYTES {
                return Err(format!(
                    "the URI would have more than {EXPANDED_URI_BYTES} bytes"
                ));
            }
        }
        Ok(uri)
    }
}

impl TemplateVariable {
    /// Reads a variable of an expression with its modifier (RFC 6570, 2.3 and 2.4).
    fn read(spec: &str) -> Result<Self, String> {
        let (name, prefix) = match spec.split_once(':') {
            Some((name, length)) => {
                let is_length = (1..=4).contains(&length.len())
                    && length.bytes().all(|digit| digit.is_ascii_digit())
                    && !length.starts_with('0');
                let length = length.parse().ok().filter(|_| is_length);
                let length = length.ok_or("invalid length of a prefix: it is 1 to 9999")?;
                (name, Some(length))
            }
            None => (spec, None),
        };
        let exploded = name.strip_suffix('*').filter(|_| prefix.is_none());
        let (name, explode) = exploded.map_or((name, false), |name| (name, true));
        let is_char = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut parts = name.split('.');
        let is_name = parts.all(|part| {
            !part.is_empty()
                && part.chars().all(|c| is_char(c) || c == '%')
                && part
                    .match_indices('%')
                    .all(|(at, _)| is_triplet(&part[at..]))
        });
        if !is_name {
            return Err("invalid name of a variable".to_owned());
        }
        Ok(Self {
            name: name.to_owned(),
            explode,
            prefix,
        })
    }
}

impl TemplateValue {
    /// Lists and maps without members are undefined (RFC 6570, 2.3).
    fn is_defined(&self) -> bool {
        match self {
            Self::Text(_) => true,
            Self::List(values) => !values.is_empty(),
            Self::Map(entries) => !entries.is_empty(),
        }
    }
}

impl Operator {
    /// Adds a value (RFC 6570, 3.2.1).
    fn expand(
        &self,
        variable: &TemplateVariable,
        value: &TemplateValue,
        uri: &mut String,
    ) -> Result<(), String> {
        if variable.prefix.is_some() && !matches!(value, TemplateValue::Text(_)) {
            return Err("a prefix applies to one value, not to a list or a map".to_owned());
        }
        let named = |name: &str, is_empty: bool, uri: &mut String| {
            if let Some(empty) = self.empty {
                uri.push_str(name);
                uri.push_str(if is_empty { empty } else { "=" });
            }
        };
        let explode = variable.explode;
        let separator = if explode { self.separator } else { "," };
        let separate = |place: usize, uri: &mut String| {
            if place > 0 {
                uri.push_str(separator);
            }
            // The caller refuses more.
            uri.len() <= EXPANDED_URI_BYTES
        };
        match value {
            TemplateValue::Text(text) => named(&variable.name, text.is_empty(), uri),
            _ if explode => {}
            _ => named(&variable.name, false, uri),
        }
        match value {
            TemplateValue::Text(text) => self.encode(text, variable.prefix, uri),
            TemplateValue::List(values) => {
                for (place, value) in values.iter().enumerate() {
                    if !separate(place, uri) {
                        break;
                    }
                    if explode {
                        named(&variable.name, value.is_empty(), uri);
                    }
                    self.encode(value, None, uri);
                }
            }
            TemplateValue::Map(entries) => {
                for (place, (name, value)) in entries.iter().enumerate() {
                    if !separate(place, uri) {
                        break;
                    }
                    self.encode(name, None, uri);
                    uri.push_str(match (explode, self.empty) {
                        (false, _) => ",",
                        (true, Some(empty)) if value.is_empty() => empty,
                        (true, _) => "=",
                    });
                    self.encode(value, None, uri);
                }
            }
        }
        Ok(())
    }

    /// Adds at most `most` characters of a value, percent-encoded where they must be.
    fn encode(&self, value: &str, most: Option<u16>, uri: &mut String) {
        let mut left = most.unwrap_or(u16::MAX);
        let mut rest = value;
        while let Some(letter) = rest.chars().next() {
            let triplet = self.keeps_reserved && is_triplet(rest);
            // The later bytes of a character that is written in several triplets do not count.
            let goes_on =
                triplet && matches!(rest.as_bytes()[1], b'8'..=b'9' | b'A'..=b'B' | b'a'..=b'b');
            if most.is_some() && !goes_on {
                match left {
                    0 => return,
                    _ => left -= 1,
                }
            }
            let length = if triplet { 3 } else { letter.len_utf8() };
            let (text, after) = rest.split_at(length);
            rest = after;
            match triplet || is_kept(letter, self.keeps_reserved) {
                true => uri.push_str(text),
                false => push_encoded(text, uri),
            }
            // The caller refuses it.
            if uri.len() > EXPANDED_URI_BYTES {
                return;
            }
        }
    }
}

/// Reads the parts of a template.
fn parts(text: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (literal, expression) = rest.split_once('{').unwrap_or((rest, ""));
        if !literal.is_empty() {
            parts.push(Part::Literal(encoded_literal(literal)?));
        }
        if literal.len() == rest.len() {
            break;
        }
        let closed = expression.split_once('}');
        let (expression, after) = closed.ok_or("an expression is not closed")?;
        let (operator, specs) = Operator::read(expression)?;
        let specs = specs.split(',').map(TemplateVariable::read);
        parts.push(Part::Expression(operator, specs.collect::<Result<_, _>>()?));
        rest = after;
    }
    Ok(parts)
}

/// Checks the text between expressions, and encodes what no URI has (RFC 6570, 2.1 and 3.1).
fn encoded_literal(text: &str) -> Result<String, String> {
    let mut literal = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        match letter {
            '%' if is_triplet(&text[at..]) => literal.push(letter),
            ' ' | '"' | '%' | '<' | '>' | '\\' | '^' | '`' | '|' | '}' => {
                return Err(format!("invalid character `{letter}`"));
            }
            letter if letter.is_control() => return Err("invalid control character".to_owned()),
            letter if letter.is_ascii() => literal.push(letter),
            letter => push_encoded(letter.encode_utf8(&mut [0; 4]), &mut literal),
        }
    }
    Ok(literal)
}

/// Returns the variables of all expressions, each once.
fn unique_variables(parts: &[Part]) -> Result<Vec<TemplateVariable>, String> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut variables: Vec<TemplateVariable> = Vec::new();
    let used = parts.iter().filter_map(|part| match part {
        Part::Literal(_) => None,
        Part::Expression(_, variables) => Some(variables),
    });
    for variable in used.flatten() {
        match places.get(variable.name.as_str()) {
            Some(place) => {
                let known = &mut variables[*place];
                known.explode |= variable.explode;
                known.prefix = known.prefix.into_iter().chain(variable.prefix).min();
            }
            None if variables.len() == URI_TEMPLATE_VARIABLES => {
                return Err(format!(
                    "it has more than {URI_TEMPLATE_VARIABLES} variables"
                ));
            }
            None => {
                places.insert(&variable.name, variables.len());
                variables.push(variable.clone());
            }
        }
    }
    Ok(variables)
}

/// True if the text begins with a percent-encoded byte.
fn is_triplet(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first() == Some(&b'%') && bytes.len() > 2 && bytes[1..3].iter().all(u8::is_ascii_hexdigit)
}

fn is_kept(letter: char, keeps_reserved: bool) -> bool {
    letter.is_ascii_alphanumeric()
        || "-._~".contains(letter)
        || (keeps_reserved && ":/?#[]@!$&'()*+,;=".contains(letter))
}

fn push_encoded(text: &str, uri: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for byte in text.bytes() {
        uri.push('%');
        for digit in [byte >> 4, byte & 15] {
            uri.push(char::from(DIGITS[usize::from(digit)]));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

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
            ("O{+x}", text("\u{dc}ber/%20 %"), "O%C3%9Cber/%20%20%25"),
            ("O{#x}", text("\u{65e5}"), "O#%E6%97%A5"),
            ("O{x:3}", text("\u{d6}st."), "O%C3%96st"),
            ("O{+x:3}", text("val%20"), "Oval"),
            ("O{+x:2}", text("%C3%84%20a"), "O%C3%84%20"),
            ("O{x*}", map(), "Osemi=%3B,dot=."),
            ("O{+x}", map(), "Osemi,;,dot,."),
            ("O{/x*}", map(), "O/semi=%3B/dot=."),
            ("O{;x*}", list(), "O;x=red;x=green"),
            ("O{x}", TemplateValue::List(Vec::new()), "O"),
            ("b\u{fc}ro/{x}", text("1"), "b%C3%BCro/1"),
            ("a%20b'{x.y_1,x}", text("1"), "a%20b'1"),
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
            ("x://a b", "invalid character"),
            ("x://%zz", "invalid character"),
            ("x://{}", "invalid name"),
            ("x://{a..b}", "invalid name"),
            ("x://{%4}", "invalid name"),
            ("x://{a:3*}", "invalid length"),
            ("x://{a:0}", "invalid length"),
            ("x://{a:65536}", "invalid length"),
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

    proptest! {
        #[test]
        fn no_template_and_no_value_does_harm(
            template in r"([aé/]|%|\{[+#./;?&]?(a|b_1|a\.b|%41|é|)(:[0-9]{1,5}|\*)?(,c(:2)?)?\}){0,4}",
            value in "[aB\u{fc}\u{65e5}😀%4/ &]{0,8}",
        ) {
            if let Ok(template) = UriTemplate::read(&template) {
                let list = TemplateValue::List(vec![value.clone(), String::new()]);
                for value in [TemplateValue::Text(value), list] {
                    let values = template.variables().iter().map(|one| (one.name.clone(), value.clone()));
                    if let Ok(uri) = template.expand(values) {
                        prop_assert!(uri.is_ascii() && !uri.contains([' ', '{', '}']), "{uri}");
                    }
                }
            }
        }
    }
}
