//! Check of a tool against the requirements of a host.

use sonde_findings::{Rule, rules};

use crate::{
    hosts::{Part, Requirement},
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

    fn when(is_hit: bool, what: &str, found: &str, pointer: &str) -> Option<Self> {
        let hit = is_hit.then(|| Self::new(what.to_owned(), found, Some(pointer)));
        hit.flatten()
    }

    fn over(length: usize, most: usize, what: String, pointer: &str) -> Option<Self> {
        let hit =
            (length > most).then(|| Self::new(what, format!("{length} of {most}"), Some(pointer)));
        hit.flatten()
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
            let Some(begin) = full_name.chars().next() else {
                return Hit::new("The name is empty.".to_owned(), "no character", in_name);
            };
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
            Hit::over(length, *most, what, "/name")
        }
        Requirement::ServerAndToolName { most } => {
            let length = server.chars().count() + tool.name.chars().count();
            let what = format!(
                "The names of server and tool have {length} characters together, {most} are accepted."
            );
            Hit::over(length, *most, what, "/name")
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
        Requirement::RootNotObject => Hit::when(
            shape.as_ref()?.root_type != RootType::Object,
            "The root of the input schema does not say that it is an object.",
            "no object",
            "/inputSchema",
        ),
        Requirement::RootNull => Hit::when(
            shape.as_ref()?.root_type == RootType::Null,
            "The `type` of the root of the input schema is `null`.",
            "`null`",
            "/inputSchema/type",
        ),
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
        Requirement::NoDescription => Hit::when(
            description.is_none_or(str::is_empty),
            "The tool has no description.",
            "no description",
            "/description",
        ),
        Requirement::EmptyDescription => Hit::when(
            description.is_some_and(str::is_empty),
            "The description is empty.",
            "an empty description",
            "/description",
        ),
        Requirement::DescriptionCharacters { most } => {
            let length = tool.description.map_or(0, |text| text.chars().count());
            let what = format!("The description has {length} characters, {most} are read.");
            Hit::over(length, *most, what, "/description")
        }
        Requirement::AnyDescriptionCharacters { most } => {
            let own = tool.description.map_or(0, |text| text.chars().count());
            let (length, pointer) = match shape.and_then(|one| one.longest_description.as_ref()) {
                Some((length, pointer)) if *length > own => (*length, pointer.as_str()),
                _ => (own, "/description"),
            };
            let what = format!("A description has {length} characters, {most} are accepted.");
            Hit::over(length, *most, what, pointer)
        }
        Requirement::NoTitle => Hit::when(
            tool.title.is_none(),
            "The tool has no title.",
            "no title",
            "/title",
        ),
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
        Requirement::NoReadOrWriteHint => Hit::when(
            tool.read_only.is_none() && tool.destructive.is_none(),
            "The annotations have neither `readOnlyHint` nor `destructiveHint`.",
            "no hint",
            "/annotations",
        ),
        Requirement::ReadOnlyAndDestructive => Hit::when(
            tool.read_only == Some(true) && tool.destructive == Some(true),
            "The annotations say that the tool is both read-only and destructive.",
            "both hints",
            "/annotations",
        ),
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

/// Facts about a requirement.
pub(crate) struct About {
    pub(crate) part: Part,
    /// The rule that a tool breaks by violating the requirement; `None` if no rule covers it.
    pub(crate) rule: Option<&'static Rule>,
    /// The advice, in a sentence.
    pub(crate) fix: &'static str,
}

impl Requirement {
    pub(crate) fn about(&self) -> About {
        use Part::{Name, Other, Schema};
        let with = |part, rule: &'static Rule| (part, Some(rule), rule.fix);
        let (part, rule, fix) = match self {
            Self::NameCharacters { .. } => with(Name, &rules::HOST_NAME_CHARACTERS),
            Self::NameLength { .. } => with(Name, &rules::HOST_NAME_LENGTH),
            Self::ServerAndToolName { .. } => (Name, None, rules::HOST_NAME_LENGTH.fix),
            Self::ServerNameCharacters { .. } => (
                Other,
                None,
                "Use `-` in place of `_` in the name of the server.",
            ),
            Self::Tools { .. } => with(Other, &rules::HOST_TOO_MANY_TOOLS),
            Self::RootKeywords { .. } => with(Schema, &rules::HOST_ROOT_KEYWORD),
            Self::RootNotObject | Self::RootNull => with(Schema, &rules::HOST_ROOT_TYPE),
            Self::ArrayWithoutItems => with(Schema, &rules::HOST_ARRAY_WITHOUT_ITEMS),
            Self::UndefinedRequired => {
                (Schema, None, "Define each property that `required` names.")
            }
            Self::BooleanSchema => with(Schema, &rules::HOST_BOOLEAN_SCHEMA),
            Self::TypeArray => (Schema, None, "Give each parameter one type."),
            Self::TupleItems => (Schema, None, "Write one schema as `items`."),
            Self::DefaultBesideAnyOf => {
                (Schema, None, "Say in the description what the default is.")
            }
            Self::Draft07 => with(Schema, &rules::HOST_NOT_DRAFT_07),
            Self::Keywords { .. } | Self::OtherKeywords { .. } => (
                Schema,
                None,
                "Say the same in the description of the parameter, and check it in the server.",
            ),
            Self::ParameterNames { .. } => with(Other, &rules::HOST_PARAMETER_NAME),
            Self::NoDescription => (
                Other,
                None,
                "Describe in one or two sentences what the tool does.",
            ),
            Self::EmptyDescription => with(Other, &rules::HOST_EMPTY_DESCRIPTION),
            Self::DescriptionCharacters { .. } | Self::AnyDescriptionCharacters { .. } => {
                (Other, None, "Keep each description below 1,024 characters.")
            }
            Self::NoTitle => (Other, None, "Give the tool a `title`."),
            Self::MissingHints | Self::NoReadOrWriteHint => (
                Other,
                None,
                "Say in `annotations` whether the tool only reads and whether it destroys.",
            ),
            Self::ReadOnlyAndDestructive => (Other, None, "Leave out the hint that is not true."),
            Self::CatchAll => (
                Other,
                None,
                "Offer one tool that reads and another one that changes something.",
            ),
            Self::InstructionsCharacters { .. } => (
                Other,
                None,
                "Keep the instructions short, and say first what matters most.",
            ),
            Self::ResultTokens { .. } | Self::ResultCharacters { .. } => {
                (Other, None, rules::HOST_RESULT_SIZE.fix)
            }
        };
        About { part, rule, fix }
    }
}
