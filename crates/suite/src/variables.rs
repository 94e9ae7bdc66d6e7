//! Variables: `${vars.x}`, `${env.X}`, `${secrets.X}`, `${x}` (captured, or of the step), `${workdir}`, `${uuid}`, `${now}`.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::Value;
use sonde_client::clock;

use crate::{
    format::Step,
    node::{Entry, Node, NodeValue, quoted},
    problem::{Problem, Spanned, unless},
    value::CUT,
};

/// Shorter secrets are not searched for in texts: they would be found everywhere.
const SHORTEST_SECRET: usize = 4;

/// Shorter values of the environment are not masked, since nobody declared them to be secrets.
const SHORTEST_MASKED_ENV: usize = 8;

/// Most bytes of a tree where its user sets no other limit.
const BYTES: usize = 16 * 1024 * 1024;

/// Looks a name up in the environment or among stored secrets.
pub type Lookup = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Values of variables.
#[derive(Clone)]
pub struct Variables {
    env: Lookup,
    /// Values that were taken from the environment.
    used_env: Arc<Mutex<BTreeMap<String, String>>>,
    vars: HashMap<String, Value>,
    /// Captured by earlier steps, or of the step.
    names: HashMap<String, Value>,
    secrets: Vec<(String, String)>,
    /// Values of the environment to mask, by their names.
    masked_env: Vec<(String, String)>,
    /// Limit of a tree after replacement, in bytes: a variable may use others, which may use others again.
    room: usize,
}

impl fmt::Debug for Variables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names.keys()).finish()
    }
}

impl Variables {
    /// Creates the variables, with only the environment.
    #[must_use]
    pub fn new(env: Lookup) -> Self {
        Self {
            env,
            used_env: Arc::default(),
            vars: HashMap::new(),
            names: HashMap::new(),
            secrets: Vec::new(),
            masked_env: Vec::new(),
            room: BYTES,
        }
    }

    /// Sets the limit of a tree after replacement, in bytes.
    #[must_use]
    pub fn within(self, bytes: usize) -> Self {
        Self {
            room: bytes,
            ..self
        }
    }

    /// Takes an environment variable that is not set for an empty text, as a shell does.
    pub(crate) fn allowing_unset_env(self) -> Self {
        let env = Arc::clone(&self.env);
        Self {
            env: Arc::new(move |name| Some(env(name).unwrap_or_default())),
            ..self
        }
    }

    /// Replaces values that differ by case (port, workdir, uuid, now) by their names.
    pub(crate) fn with_equal_case_values(mut self) -> Self {
        for name in ["port", "workdir", "uuid", "now"] {
            self.set(name, name.into());
        }
        self
    }

    /// Looks the secrets of a suite up.
    ///
    /// # Errors
    /// Secrets that were not found.
    pub fn add_secrets(
        &mut self,
        names: &[Spanned<String>],
        lookup: &Lookup,
    ) -> Result<(), Vec<Problem>> {
        let mut missing = Vec::new();
        for Spanned { value: name, span } in names {
            // GitHub and GitLab set the variable of a secret that does not exist to an empty text.
            let value = (self.env)(name).filter(|value| !value.is_empty());
            match value.or_else(|| lookup(name)) {
                Some(value) if value.len() < SHORTEST_SECRET => {
                    let message = format!(
                        "The secret `{name}` is shorter than {SHORTEST_SECRET} characters, too short to be masked."
                    );
                    missing.push(Problem::new(*span, message));
                }
                Some(value) => self.secrets.push((name.clone(), value)),
                None => {
                    let message = format!(
                        "The secret `{name}` is neither in the environment nor in the keyring. Store it with `sonde \
                         secret set {name}`."
                    );
                    missing.push(Problem::new(*span, message));
                }
            }
        }
        unless(missing, ())
    }

    /// Masks values that were taken from the environment and for which, with their names, `is_secret` is true.
    pub(crate) fn mask_env(&mut self, is_secret: impl Fn(&str, &str) -> bool) {
        let used = self.used_env.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, value) in used.iter() {
            if value.len() >= SHORTEST_MASKED_ENV
                && is_secret(name, value)
                && self.secrets().all(|secret| secret != value)
            {
                self.masked_env.push((name.clone(), value.clone()));
            }
        }
    }

    /// Adds values of `vars`, which may use earlier ones.
    ///
    /// # Errors
    /// Variables that are not set.
    pub fn add_vars(&mut self, vars: &[(String, Node)]) -> Result<(), Vec<Problem>> {
        for (name, node) in vars {
            let value = self.resolve(node)?.json();
            self.vars.insert(name.clone(), value);
        }
        Ok(())
    }

    /// Sets a value that is used by its bare name.
    pub fn set(&mut self, name: &str, value: Value) {
        self.names.insert(name.to_owned(), value);
    }

    /// Replaces the variables of a step, including its own `vars`. The steps that verify it are left out, since they may
    /// use its captures, and so is `skip`, which is decided before.
    ///
    /// # Errors
    /// Variables that are not set, and values that do not fit their place.
    pub fn step<'a>(&self, step: &'a Step) -> Result<Cow<'a, Step>, Vec<Problem>> {
        if !step.node.contains("${") {
            return Ok(Cow::Borrowed(step));
        }
        let mut variables = self.clone();
        for (name, node) in &step.vars {
            let value = variables.resolve(node)?.json();
            variables.vars.insert(name.clone(), value.clone());
            variables.set(name, value);
        }
        let mut node = step.node.clone();
        if let NodeValue::Map { entries, .. } = &mut node.value {
            entries.retain(|entry| !["verify", "vars", "skip"].contains(&entry.key.as_str()));
        }
        Step::read(&variables.resolve(&node)?, false).map(Cow::Owned)
    }

    /// Replaces the variables of a tree. A text that is exactly one variable becomes its value, of whatever type.
    ///
    /// # Errors
    /// Variables that are not set, each with its place.
    pub fn resolve(&self, node: &Node) -> Result<Node, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut room = self.room;
        let resolved = self.resolved(node, &mut room, &mut problems);
        unless(problems, resolved)
    }

    /// `room` has the bytes that are left.
    fn resolved(&self, node: &Node, room: &mut usize, problems: &mut Vec<Problem>) -> Node {
        let span = node.span;
        let value = match &node.value {
            NodeValue::Text(text) => match self.value_of(text, room) {
                Ok(value) => {
                    return Node {
                        is_literal: variable(text).is_some(),
                        ..Node::of_json(&value, span)
                    };
                }
                Err(why) => {
                    problems.push(Problem::new(span, why));
                    NodeValue::Null
                }
            },
            NodeValue::List { flow, items } => NodeValue::List {
                flow: *flow,
                items: items
                    .iter()
                    .map(|item| self.resolved(item, room, problems))
                    .collect(),
            },
            NodeValue::Map { flow, entries } => {
                let resolve = |entry: &Entry| {
                    let key = self.text_within(&entry.key, room).unwrap_or_else(|why| {
                        problems.push(Problem::new(entry.key_span, why));
                        String::new()
                    });
                    Entry {
                        key,
                        key_span: entry.key_span,
                        value: self.resolved(&entry.value, room, problems),
                    }
                };
                NodeValue::Map {
                    flow: *flow,
                    entries: entries.iter().map(resolve).collect(),
                }
            }
            other => other.clone(),
        };
        Node::new(span, value)
    }

    /// Replaces the variables of a text that becomes a value.
    fn value_of(&self, text: &str, room: &mut usize) -> Result<Value, String> {
        match variable(text) {
            Some(name) => {
                let value = self.lookup(name)?;
                let bytes = match &value {
                    Value::String(text) => text.len(),
                    value => value.to_string().len(),
                };
                take(room, bytes)?;
                Ok(value)
            }
            None => self.text_within(text, room).map(Value::String),
        }
    }

    /// Replaces the variables of a text. `$${` is an escaped `${`.
    ///
    /// # Errors
    /// The first variable that is not set, one sentence.
    pub fn text(&self, text: &str) -> Result<String, String> {
        let mut room = self.room;
        self.text_within(text, &mut room)
    }

    fn text_within(&self, text: &str, room: &mut usize) -> Result<String, String> {
        take(room, text.len())?;
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            if rest[..at].ends_with('$') {
                out.push_str(&rest[..at - 1]);
                out.push_str("${");
                rest = &rest[at + 2..];
                continue;
            }
            out.push_str(&rest[..at]);
            let (name, behind) = rest[at + 2..].split_once('}').ok_or(
                "`${` begins a variable, and its `}` is missing. Write `$${` for the characters themselves.",
            )?;
            let value = match self.lookup(name)? {
                Value::String(text) => text,
                value => value.to_string(),
            };
            take(room, value.len())?;
            out.push_str(&value);
            rest = behind;
        }
        out.push_str(rest);
        Ok(out)
    }

    fn lookup(&self, name: &str) -> Result<Value, String> {
        let secret = |name: &str| {
            let found = self.secrets.iter().find(|(known, _)| known == name);
            found.map(|(_, value)| value.clone())
        };
        let (found, hint) = match name.split_once('.') {
            Some(("vars", name)) => (
                self.vars.get(name).cloned(),
                "Add it to `vars`, above what uses it.",
            ),
            Some(("env", name)) => (
                secret(name).or_else(|| self.env(name)).map(Value::String),
                "Set it in the environment.",
            ),
            Some(("secrets", name)) => (secret(name).map(Value::String), "Add it to `secrets`."),
            _ => (
                match (self.names.get(name), name) {
                    (Some(value), _) => Some(value.clone()),
                    (None, "uuid") => Some(uuid::Uuid::new_v4().to_string().into()),
                    (None, "now") => Some(clock::time_of_day().into()),
                    (None, _) => None,
                },
                "Capture it in an earlier step; values of `vars` are written ${vars.NAME}.",
            ),
        };
        found.ok_or_else(|| format!("The variable `{name}` is not set. {hint}"))
    }

    fn env(&self, name: &str) -> Option<String> {
        let value = (self.env)(name)?;
        let mut used = self.used_env.lock().unwrap_or_else(PoisonError::into_inner);
        used.insert(name.to_owned(), value.clone());
        Some(value)
    }

    /// Replaces the values of secrets by their names.
    #[must_use]
    pub fn mask(&self, text: &str) -> String {
        let mut masked = text.to_owned();
        let long = |one: &&(String, String)| one.1.len() >= SHORTEST_SECRET;
        let secrets = self.secrets.iter().chain(&self.masked_env);
        let mut secrets: Vec<_> = secrets.filter(long).collect();
        // Longer secrets first: one may be the beginning of another.
        secrets.sort_by_key(|(_, secret)| std::cmp::Reverse(secret.len()));
        for (name, secret) in secrets {
            let escaped = quoted(secret);
            let mark = format!("‹secret {name}›");
            for value in [secret.as_str(), &escaped[1..escaped.len() - 1]] {
                if masked.contains(value) {
                    masked = masked.replace(value, &mark);
                }
                // A value that is cut for a message may end within the secret.
                if masked.contains(CUT) {
                    let ends = value.char_indices().rev().map(|(end, _)| end);
                    for end in ends.take_while(|end| *end >= SHORTEST_SECRET) {
                        let begun = format!("{}{CUT}", &value[..end]);
                        masked = masked.replace(&begun, &format!("{mark}{CUT}"));
                    }
                }
            }
        }
        masked
    }

    /// The values that are masked, to be hidden elsewhere.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        let secrets = self.secrets.iter().chain(&self.masked_env);
        secrets.map(|(_, value)| value.as_str())
    }
}

/// The name of the variable that is the whole text.
fn variable(text: &str) -> Option<&str> {
    let name = text.strip_prefix("${")?.strip_suffix('}')?;
    Some(name).filter(|name| !name.contains(['}', '$']))
}

/// Takes bytes of the room that is left.
fn take(room: &mut usize, bytes: usize) -> Result<(), String> {
    let left = room.checked_sub(bytes);
    *room = left.ok_or("With its variables replaced, it would be too large.")?;
    Ok(())
}
