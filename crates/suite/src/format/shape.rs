//! Shapes of values: one table serves the parser, its messages and the JSON Schema.

use crate::{
    node::{Entry, Node, NodeValue},
    problem::{Problem, unless},
};

/// Longest edit distance of a key that is suggested for an unknown one.
const NEAR: usize = 2;
/// The name of the mapping that states a condition.
const CONDITION: &str = "a condition";

/// Regular expression of [`Shape::Seconds`].
pub(crate) const SECONDS: &str = r"^0*[1-9][0-9]* ?(s|m|h)$";

/// Shape of a value.
pub(crate) enum Shape {
    /// Any value.
    Any,
    /// A text.
    Text,
    /// `true` or `false`.
    Flag,
    /// A whole number from 0.
    Count,
    /// A number.
    Number,
    /// This whole number.
    Exactly(u32),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A time such as `200ms`, `2s` or `1m`.
    Duration,
    /// A time of whole seconds, at least one.
    Seconds,
    /// A number, or a comparison such as `">= 3"` or `"1..3"`.
    Range,
    /// A comparison of times such as `"< 2s"` or `"1s..2s"`.
    DurationRange,
    /// A regular expression.
    Regex,
    /// A JSON Pointer, `*` for any key or index.
    Pointer,
    /// A list.
    List(&'static Shape),
    /// One value, or a list of them.
    OneOrMore(&'static Shape),
    /// A mapping with free keys.
    Map(&'static Shape),
    /// A mapping whose keys are JSON Pointers or JSONPaths.
    PathMap(&'static Shape),
    /// A mapping with known keys.
    Object(&'static Object),
    /// The first of these whose kind the value has.
    Either(&'static [Shape]),
}

/// A mapping with known keys.
pub(crate) struct Object {
    /// Its name with an article, for messages.
    pub(crate) name: &'static str,
    /// The keys, in the order in which they are written.
    pub(crate) keys: &'static [Key],
    /// Keys of which there is exactly one.
    pub(crate) one_of: &'static [&'static str],
    /// Without any key it would judge nothing.
    pub(crate) never_empty: bool,
}

/// A key of a mapping.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    /// Purpose of the key, one sentence; the schema shows it to editors.
    pub(crate) about: &'static str,
    pub(crate) required: bool,
}

/// Checks a value. If `open`, variables are not replaced yet, so texts with a variable pass.
///
/// # Errors
/// All faults.
pub(crate) fn check(node: &Node, shape: &Shape, open: bool) -> Result<(), Vec<Problem>> {
    let mut problems = Vec::new();
    check_value(node, shape, open, &mut problems);
    unless(problems, ())
}

fn check_value(node: &Node, shape: &Shape, open: bool, problems: &mut Vec<Problem>) {
    if open && takes_variable(shape) && node.text().is_some_and(has_variable) {
        return;
    }
    let mut refuse = |message: String| problems.push(Problem::new(node.span, message));
    match (shape, &node.value) {
        (Shape::Any, _) => {}
        (Shape::List(item), NodeValue::List { items, .. })
        | (Shape::OneOrMore(item), NodeValue::List { items, .. }) => {
            for node in items {
                check_value(node, item, open, problems);
            }
        }
        (Shape::OneOrMore(item), _) => check_value(node, item, open, problems),
        (Shape::Map(value), NodeValue::Map { entries, .. }) => {
            for entry in entries {
                check_value(&entry.value, value, open, problems);
            }
        }
        (Shape::PathMap(_), NodeValue::Map { entries, .. }) if entries.is_empty() => {
            refuse("A mapping without paths judges nothing.".to_owned());
        }
        (Shape::PathMap(value), NodeValue::Map { entries, .. }) => {
            for entry in entries {
                if let Err(why) = crate::path::Path::parse(&entry.key)
                    && !(open && has_variable(&entry.key))
                {
                    problems.push(Problem::new(entry.key_span, why));
                }
                check_value(&entry.value, value, open, problems);
            }
        }
        (Shape::Object(object), NodeValue::Map { .. }) if !node.is_literal => {
            check_object(node, object, open, problems);
        }
        // The value of a variable is compared, of whatever kind it is.
        (Shape::Either(shapes), _) if node.is_literal && shapes.iter().any(is_condition) => {}
        (Shape::Either(shapes), _) => match shapes.iter().find(|shape| fits_kind(node, shape)) {
            Some(shape) => check_value(node, shape, open, problems),
            None => refuse(mismatch(node, shape)),
        },
        (Shape::Word(words), NodeValue::Text(text)) if words.contains(&text.as_str()) => {}
        (Shape::Word(words), NodeValue::Text(text)) => {
            let near = suggestion(text, words.iter().copied());
            refuse(format!(
                "`{text}` is not known here{near} Write {}.",
                expected(shape)
            ));
        }
        _ if !fits_kind(node, shape) => refuse(mismatch(node, shape)),
        (Shape::Exactly(number), NodeValue::Number(digits)) if *digits == number.to_string() => {}
        (Shape::Exactly(number), NodeValue::Number(digits)) => {
            refuse(format!(
                "This version of Sonde reads format {number}, not {digits}."
            ));
        }
        (Shape::Count, NodeValue::Number(digits)) if digits.parse::<u32>().is_err() => {
            refuse(mismatch(node, shape));
        }
        (_, NodeValue::Text(text)) => {
            if let Err(why) = check_text(text, shape) {
                refuse(why);
            }
        }
        _ => {}
    }
}

fn is_condition(shape: &Shape) -> bool {
    matches!(shape, Shape::Object(object) if object.name == CONDITION)
}

/// True for shapes for which a step may have a text with a variable.
pub(crate) fn takes_variable(shape: &Shape) -> bool {
    match shape {
        Shape::Flag
        | Shape::Count
        | Shape::Number
        | Shape::Duration
        | Shape::Seconds
        | Shape::Range
        | Shape::DurationRange
        | Shape::Regex
        | Shape::Pointer => true,
        Shape::Map(value) | Shape::List(value) => matches!(value, Shape::Any),
        _ => false,
    }
}

/// True if the text has a variable to replace.
pub(crate) fn has_variable(text: &str) -> bool {
    text.replace("$${", "").contains("${")
}

fn check_text(text: &str, shape: &Shape) -> Result<(), String> {
    match shape {
        Shape::Duration => crate::scalars::duration(text).map(drop),
        Shape::Seconds => {
            crate::scalars::duration(text)?;
            let pattern = crate::predicate::Pattern::parse(SECONDS)?;
            match pattern.regex().is_match(text) {
                true => Ok(()),
                false => Err(format!("Expected {}, found `{text}`.", expected(shape))),
            }
        }
        Shape::Range => crate::scalars::Range::parse(text).map(drop),
        Shape::DurationRange => crate::scalars::Range::parse_duration(text).map(drop),
        Shape::Regex => crate::predicate::Pattern::parse(text).map(drop),
        Shape::Pointer => crate::path::PointerPattern::parse(text).map(drop),
        _ => Ok(()),
    }
}

fn check_object(node: &Node, object: &Object, open: bool, problems: &mut Vec<Problem>) {
    let Object {
        name,
        keys,
        one_of,
        never_empty,
    } = object;
    if *never_empty && node.entries().is_empty() {
        let message = "A mapping without keys judges nothing: leave it out. An empty value is written `equals: {}`.";
        problems.push(Problem::new(node.span, message));
    }
    for entry in node.entries() {
        if *never_empty && holds_always(entry) {
            let message = format!(
                "`{}` compares with nothing, and so holds whatever the server says.",
                entry.key
            );
            problems.push(Problem::new(entry.value.span, message));
        }
        match keys.iter().find(|key| key.name == entry.key) {
            Some(key) => check_value(&entry.value, &key.shape, open, problems),
            None => {
                let near = suggestion(&entry.key, keys.iter().map(|key| key.name));
                let known: Vec<_> = keys.iter().map(|key| key.name).collect();
                let message = format!(
                    "`{}` is not a key of {name}{near} Its keys are {}.",
                    entry.key,
                    known.join(", ")
                );
                problems.push(Problem::new(entry.key_span, message));
            }
        }
    }
    let mut place = node.span;
    place.end = place.start;
    for key in keys.iter().filter(|key| key.required) {
        if node.get(key.name).is_none() {
            let message = format!("`{}` is missing in {name}: {}", key.name, key.about);
            problems.push(Problem::new(place, message));
        }
    }
    let mut of = node.entries().iter();
    let chosen = of
        .by_ref()
        .find(|entry| one_of.contains(&entry.key.as_str()));
    let second = of.find(|entry| one_of.contains(&entry.key.as_str()));
    match (chosen, second) {
        (None, _) if !one_of.is_empty() => {
            let message = format!("{name} has one of {}; none is here.", one_of.join(", "));
            problems.push(Problem::new(place, capitalized(&message)));
        }
        (Some(first), Some(second)) => {
            let message = format!(
                "{name} has only one of {}: `{}` and `{}` exclude each other.",
                one_of.join(", "),
                first.key,
                second.key
            );
            problems.push(Problem::new(second.key_span, capitalized(&message)));
        }
        _ => {}
    }
}

/// True for a condition on parts that any text has.
fn holds_always(entry: &Entry) -> bool {
    const EMPTY_HOLDS: [&str; 7] = [
        "contains",
        "not-contains",
        "starts",
        "ends",
        "matches",
        "not-matches",
        "schema",
    ];
    let is_nothing = |node: &Node| match &node.value {
        NodeValue::Text(text) => text.is_empty(),
        NodeValue::Map { entries, .. } => entries.is_empty(),
        _ => false,
    };
    EMPTY_HOLDS.contains(&entry.key.as_str())
        && match &entry.value.value {
            NodeValue::List { items, .. } => items.is_empty() || items.iter().any(is_nothing),
            _ => is_nothing(&entry.value),
        }
}

/// True if the value is of the kind that the shape has.
fn fits_kind(node: &Node, shape: &Shape) -> bool {
    use NodeValue::{Bool, List, Map, Number, Text};
    match shape {
        Shape::Any => true,
        Shape::Text
        | Shape::Word(_)
        | Shape::Duration
        | Shape::Seconds
        | Shape::DurationRange
        | Shape::Regex
        | Shape::Pointer => matches!(node.value, Text(_)),
        Shape::Flag => matches!(node.value, Bool(_)),
        Shape::Count | Shape::Number | Shape::Exactly(_) => matches!(node.value, Number(_)),
        Shape::Range => matches!(node.value, Number(_) | Text(_)),
        Shape::List(_) => matches!(node.value, List { .. }),
        Shape::OneOrMore(item) => matches!(node.value, List { .. }) || fits_kind(node, item),
        Shape::Map(_) | Shape::PathMap(_) => matches!(node.value, Map { .. }),
        Shape::Object(_) => matches!(node.value, Map { .. }) && !node.is_literal,
        Shape::Either(shapes) => shapes.iter().any(|shape| fits_kind(node, shape)),
    }
}

fn mismatch(node: &Node, shape: &Shape) -> String {
    let found = match &node.value {
        NodeValue::Number(digits) => format!("the number {digits}"),
        NodeValue::Bool(flag) => flag.to_string(),
        _ => node.kind().to_owned(),
    };
    let quote = match (&node.value, shape) {
        (NodeValue::Number(_) | NodeValue::Bool(_), Shape::Text | Shape::Regex) => {
            " Quote it to make it a text."
        }
        _ => "",
    };
    format!("Expected {}, found {found}.{quote}", expected(shape))
}

/// Describes the expected value.
pub(crate) fn expected(shape: &Shape) -> String {
    match shape {
        Shape::Any => "a value".to_owned(),
        Shape::Text => "a text".to_owned(),
        Shape::Flag => "true or false".to_owned(),
        Shape::Count => "a whole number".to_owned(),
        Shape::Number => "a number".to_owned(),
        Shape::Exactly(number) => number.to_string(),
        Shape::Word(words) => format!("`{}`", words.join("`, `")),
        Shape::Duration => "a time such as 200ms, 2s or 1m".to_owned(),
        Shape::Seconds => "a time of whole seconds such as 2s or 1m".to_owned(),
        Shape::Range => "a number, \">= 3\" or \"1..3\"".to_owned(),
        Shape::DurationRange => "\"< 2s\" or \"1s..2s\"".to_owned(),
        Shape::Regex => "a regular expression".to_owned(),
        Shape::Pointer => "a JSON Pointer such as /a/0".to_owned(),
        Shape::List(item) => format!("a list with {}", expected(item)),
        Shape::OneOrMore(item) => format!("{} or a list", expected(item)),
        Shape::Map(_) => "a mapping".to_owned(),
        Shape::PathMap(_) => "a mapping from paths".to_owned(),
        Shape::Object(object) => {
            let keys: Vec<_> = object.keys.iter().map(|key| key.name).collect();
            format!("{} ({})", object.name, keys.join(", "))
        }
        Shape::Either(shapes) => {
            let words: Vec<_> = shapes.iter().map(expected).collect();
            words.join(" or ")
        }
    }
}

/// Returns the end of a sentence that suggests the nearest known word, if one is near.
pub(crate) fn suggestion<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> String {
    match nearest(word, known) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => ".".to_owned(),
    }
}

/// Returns the nearest known word, if one is near.
#[must_use]
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |known: &str| strsim::osa_distance(word, known);
    let near = known.min_by_key(|known| distance(known))?;
    (distance(near) < near.len().min(NEAR + 1)).then_some(near)
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
