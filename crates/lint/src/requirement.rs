//! Check of a tool against the requirements of a host.

use sonde_findings::{Rule, rules};

use crate::{
    hosts::Requirement,
    shape::{Places, RootType, Shape},
    tool::Tool,
};

/// Keywords that do not affect a model. A host that drops one of them causes no finding.
const WITHOUT_EFFECT: [&str; 5] = ["$schema", "$id", "$comment", "$anchor", "title"];

/// A tool as a host sees it.
pub(crate) struct Facts<'a> {
    pub(crate) tool: &'a Tool<'a>,
    /// The input schema; `None` if it cannot be judged.
    pub(crate) shape: Option<&'a Shape>,
    /// The name of the server in the user's list.
    pub(crate) server: &'a str,
    /// The name with the prefix of the host.
    pub(crate) full_name: &'a str,
}

/// A requirement that a tool violates.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The violation, in a sentence.
    pub(crate) what: String,
    /// The violation in a few words, for the text of a rule.
    pub(crate) found: String,
    /// Its place: a JSON Pointer from the definition of the tool.
    pub(crate) pointer: Option<String>,
}

impl Hit {
    fn new(what: String, found: impl ToString, pointer: Option<&str>) -> Option<Self> {
        Some(Self {
            what,
            found: found.to_string(),
            pointer: pointer.map(str::to_owned),
        })
    }

    fn at(places: &Places, one: &str, many: &str) -> Option<Self> {
        let first = places.first.as_deref()?;
        let what = match places.count {
            1 => format!("{one}."),
            count => format!("{many}: {count} of them."),
        };
        Self::new(what, one, Some(first))
    }
}

/// Returns the violation of a requirement; `None` if the tool meets it, or if a definition does not show violations.
#[expect(clippy::too_many_lines, reason = "one arm for each requirement")]
pub(crate) fn hit(requirement: &Requirement, facts: &Facts<'_>) -> Option<Hit> {
    let Facts {
        tool,
        shape,
        server,
        full_name,
    } = facts;
    let in_name = Some("/name");
    let description = tool.description.map(str::trim);
    match requirement {
        Requirement::NameCharacters { first, of } => {
            if let Some(odd) = tool.name.chars().find(|one| !of.contain(*one)) {
                let what = format!("The name contains {odd:?}; accepted are {}.", of.written());
                return Hit::new(what, format!("{odd:?}"), in_name);
            }
            let begin = full_name.chars().next()?;
            let first = first.filter(|first| !first.contain(begin))?;
            let what = format!(
                "The name begins with {begin:?}; it has to begin with one of {}.",
                first.written()
            );
            Hit::new(what, format!("{begin:?} at its beginning"), in_name)
        }
        Requirement::NameLength { most } => {
            let length = full_name.chars().count();
            let own = tool.name.chars().count();
            let with = if length > own {
                " with the prefix of the host"
            } else {
                ""
            };
            let what = format!("The name has {length} characters{with}, {most} are accepted.");
            (length > *most)
                .then(|| Hit::new(what, format!("{length} of {most}"), in_name))
                .flatten()
        }
        Requirement::ServerAndToolName { most } => {
            let length = server.chars().count() + tool.name.chars().count();
            let what = format!(
                "The names of server and tool have {length} characters together, {most} are accepted."
            );
            (length > *most)
                .then(|| Hit::new(what, format!("{length} of {most}"), in_name))
                .flatten()
        }
        Requirement::ServerNameCharacters { without } => {
            let odd = server.chars().find(|one| without.contain(*one))?;
            let what = format!("The name of the server contains {odd:?}.");
            Hit::new(what, format!("{odd:?}"), None)
        }
        Requirement::RootKeywords { keywords } => {
            let root = &shape.as_ref()?.root_keywords;
            let there: Vec<&String> = keywords.iter().filter(|one| root.contains(one)).collect();
            let first = there.first()?;
            let list = list_names(&there);
            let pointer = format!("/inputSchema/{first}");
            let what = format!("The input schema has {list} at its root.");
            Hit::new(what, list, Some(&pointer))
        }
        Requirement::RootNotObject => {
            let what = "The root of the input schema does not say that it is an object.";
            (shape.as_ref()?.root_type != RootType::Object)
                .then(|| Hit::new(what.to_owned(), "no object", Some("/inputSchema")))
                .flatten()
        }
        Requirement::RootNull => {
            let what = "The `type` of the root of the input schema is `null`.";
            (shape.as_ref()?.root_type == RootType::Null)
                .then(|| Hit::new(what.to_owned(), "`null`", Some("/inputSchema/type")))
                .flatten()
        }
        Requirement::ArrayWithoutItems => Hit::at(
            &shape.as_ref()?.array_without_items,
            "An array has no `items`",
            "Arrays have no `items`",
        ),
        Requirement::UndefinedRequired => Hit::at(
            &shape.as_ref()?.undefined_required,
            "`required` names a property that is not defined",
            "`required` names properties that are not defined",
        ),
        Requirement::BooleanSchema => Hit::at(
            &shape.as_ref()?.boolean_schema,
            "The schema of a parameter is only `true` or `false`",
            "The schemas of parameters are only `true` or `false`",
        ),
        Requirement::TypeArray => Hit::at(
            &shape.as_ref()?.type_array,
            "A `type` is a list",
            "The `type` is a list",
        ),
        Requirement::TupleItems => Hit::at(
            &shape.as_ref()?.tuple_items,
            "The `items` of an array are a list of schemas",
            "The `items` of arrays are lists of schemas",
        ),
        Requirement::DefaultBesideAnyOf => Hit::at(
            &shape.as_ref()?.default_beside_any_of,
            "A `default` stands beside `anyOf`",
            "A `default` stands beside `anyOf`",
        ),
        Requirement::Draft07 => {
            let (pointer, problem) = shape.as_ref()?.not_draft_07.as_ref()?;
            let what = format!("The input schema is not valid in draft-07: {problem}.");
            Hit::new(what, problem, Some(pointer))
        }
        Requirement::Keywords { keywords } => {
            let there = keywords_in(shape.as_ref()?, |one| keywords.iter().any(|it| it == one));
            keyword_hit(&there)
        }
        Requirement::OtherKeywords { than } => {
            let there = keywords_in(shape.as_ref()?, |one| {
                !than.iter().any(|it| it == one) && !WITHOUT_EFFECT.contains(&one)
            });
            keyword_hit(&there)
        }
        Requirement::ParameterNames { first, of, most } => {
            let is_right = |name: &str| {
                name.chars().count() <= *most
                    && name.chars().all(|one| of.contain(one))
                    && name.chars().next().is_some_and(|one| first.contain(one))
            };
            let parameters = &shape.as_ref()?.parameters;
            let (name, pointer) = parameters.iter().find(|(name, _)| !is_right(name))?;
            let what = format!("The parameter {name:?} has a name that is not accepted.");
            Hit::new(what, format!("{name:?}"), Some(pointer))
        }
        Requirement::NoDescription => description
            .is_none_or(str::is_empty)
            .then(|| {
                let what = "The tool has no description.".to_owned();
                Hit::new(what, "no description", Some("/description"))
            })
            .flatten(),
        Requirement::EmptyDescription => description
            .is_some_and(str::is_empty)
            .then(|| {
                let what = "The description is empty.".to_owned();
                Hit::new(what, "an empty description", Some("/description"))
            })
            .flatten(),
        Requirement::DescriptionCharacters { most } => {
            let length = tool.description.map_or(0, |text| text.chars().count());
            let what = format!("The description has {length} characters, {most} are read.");
            (length > *most)
                .then(|| Hit::new(what, format!("{length} of {most}"), Some("/description")))
                .flatten()
        }
        Requirement::AnyDescriptionCharacters { most } => {
            let own = tool.description.map_or(0, |text| text.chars().count());
            let (length, pointer) = match shape.and_then(|one| one.longest_description.as_ref()) {
                Some((length, pointer)) if *length > own => (*length, pointer.as_str()),
                _ => (own, "/description"),
            };
            let what = format!("A description has {length} characters, {most} are accepted.");
            (length > *most)
                .then(|| Hit::new(what, format!("{length} of {most}"), Some(pointer)))
                .flatten()
        }
        Requirement::NoTitle => tool
            .title
            .is_none()
            .then(|| {
                Hit::new(
                    "The tool has no title.".to_owned(),
                    "no title",
                    Some("/title"),
                )
            })
            .flatten(),
        Requirement::MissingHints => {
            let all = [
                ("readOnlyHint", tool.read_only),
                ("destructiveHint", tool.destructive),
                ("openWorldHint", tool.open_world),
            ];
            let missing: Vec<_> = all.iter().filter(|one| one.1.is_none()).collect();
            let names: Vec<String> = missing.iter().map(|one| one.0.to_owned()).collect();
            if names.is_empty() {
                return None;
            }
            let list = list_names(&names.iter().collect::<Vec<_>>());
            let what = format!("The annotations have no {list}.");
            Hit::new(what, list, Some("/annotations"))
        }
        Requirement::NoReadOrWriteHint => {
            let what = "The annotations have neither `readOnlyHint` nor `destructiveHint`.";
            (tool.read_only.is_none() && tool.destructive.is_none())
                .then(|| Hit::new(what.to_owned(), "no hint", Some("/annotations")))
                .flatten()
        }
        Requirement::ReadOnlyAndDestructive => {
            let what = "The annotations say that the tool is both read-only and destructive.";
            (tool.read_only == Some(true) && tool.destructive == Some(true))
                .then(|| Hit::new(what.to_owned(), "both hints", Some("/annotations")))
                .flatten()
        }
        Requirement::CatchAll => {
            let (name, pointer) = shape.as_ref()?.catch_all.as_ref()?;
            let what = format!("The values of `{name}` both read and change something.");
            Hit::new(what, format!("`{name}`"), Some(pointer))
        }
        Requirement::Tools { .. }
        | Requirement::InstructionsCharacters { .. }
        | Requirement::ResultTokens { .. }
        | Requirement::ResultCharacters { .. } => None,
    }
}

fn keywords_in(shape: &Shape, is_one: impl Fn(&str) -> bool) -> Vec<&(String, String)> {
    let all = shape.keywords.iter();
    all.filter(|(keyword, _)| is_one(keyword)).collect()
}

fn keyword_hit(there: &[&(String, String)]) -> Option<Hit> {
    let (_, pointer) = there.first()?;
    let list = list_names(&there.iter().map(|one| &one.0).collect::<Vec<_>>());
    let what = format!("The input schema uses {list}.");
    Hit::new(what, list, Some(pointer))
}

/// Lists the first few names, as code.
fn list_names(names: &[&String]) -> String {
    const SHOWN: usize = 8;
    let quoted: Vec<_> = names
        .iter()
        .take(SHOWN)
        .map(|name| format!("`{}`", name.chars().take(64).collect::<String>()))
        .collect();
    let more = names.len().saturating_sub(SHOWN);
    match more {
        0 => quoted.join(", "),
        more => format!("{} and {more} more", quoted.join(", ")),
    }
}

/// Returns the advice for a requirement, in a sentence.
pub(crate) fn fix(requirement: &Requirement) -> &'static str {
    match requirement {
        Requirement::NameCharacters { .. } => rules::HOST_NAME_CHARACTERS.fix,
        Requirement::ServerNameCharacters { .. } => {
            "Use `-` in place of `_` in the name of the server."
        }
        Requirement::NameLength { .. } | Requirement::ServerAndToolName { .. } => {
            rules::HOST_NAME_LENGTH.fix
        }
        Requirement::RootKeywords { .. } => rules::HOST_ROOT_KEYWORD.fix,
        Requirement::RootNotObject | Requirement::RootNull => rules::HOST_ROOT_TYPE.fix,
        Requirement::ArrayWithoutItems => rules::HOST_ARRAY_WITHOUT_ITEMS.fix,
        Requirement::UndefinedRequired => "Define each property that `required` names.",
        Requirement::BooleanSchema => rules::HOST_BOOLEAN_SCHEMA.fix,
        Requirement::TypeArray => "Give each parameter one type.",
        Requirement::TupleItems => "Write one schema as `items`.",
        Requirement::DefaultBesideAnyOf => "Say in the description what the default is.",
        Requirement::Draft07 => rules::HOST_NOT_DRAFT_07.fix,
        Requirement::Keywords { .. } | Requirement::OtherKeywords { .. } => {
            "Say the same in the description of the parameter, and check it in the server."
        }
        Requirement::ParameterNames { .. } => rules::HOST_PARAMETER_NAME.fix,
        Requirement::NoDescription => "Describe in one or two sentences what the tool does.",
        Requirement::EmptyDescription => rules::HOST_EMPTY_DESCRIPTION.fix,
        Requirement::DescriptionCharacters { .. }
        | Requirement::AnyDescriptionCharacters { .. } => {
            "Keep each description below 1,024 characters."
        }
        Requirement::NoTitle => "Give the tool a `title`.",
        Requirement::MissingHints | Requirement::NoReadOrWriteHint => {
            "Say in `annotations` whether the tool only reads and whether it destroys."
        }
        Requirement::ReadOnlyAndDestructive => "Leave out the hint that is not true.",
        Requirement::CatchAll => {
            "Offer one tool that reads and another one that changes something."
        }
        Requirement::InstructionsCharacters { .. } => {
            "Keep the instructions short, and say first what matters most."
        }
        Requirement::Tools { .. } => rules::HOST_TOO_MANY_TOOLS.fix,
        Requirement::ResultTokens { .. } | Requirement::ResultCharacters { .. } => {
            rules::HOST_RESULT_SIZE.fix
        }
    }
}

/// Returns the rule that a tool breaks by violating the requirement; `None` if no rule covers it.
pub(crate) fn rule(requirement: &Requirement) -> Option<&'static Rule> {
    Some(match requirement {
        Requirement::NameCharacters { .. } => &rules::HOST_NAME_CHARACTERS,
        Requirement::NameLength { .. } => &rules::HOST_NAME_LENGTH,
        Requirement::RootKeywords { .. } => &rules::HOST_ROOT_KEYWORD,
        Requirement::RootNotObject | Requirement::RootNull => &rules::HOST_ROOT_TYPE,
        Requirement::ArrayWithoutItems => &rules::HOST_ARRAY_WITHOUT_ITEMS,
        Requirement::BooleanSchema => &rules::HOST_BOOLEAN_SCHEMA,
        Requirement::Draft07 => &rules::HOST_NOT_DRAFT_07,
        Requirement::ParameterNames { .. } => &rules::HOST_PARAMETER_NAME,
        Requirement::EmptyDescription => &rules::HOST_EMPTY_DESCRIPTION,
        Requirement::Tools { .. } => &rules::HOST_TOO_MANY_TOOLS,
        _ => return None,
    })
}
