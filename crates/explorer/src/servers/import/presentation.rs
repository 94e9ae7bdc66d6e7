//! A suite as a presentation: all that another computer needs to give it. Steps in a row with one title, server and
//! target are one step of the presentation, which offers the arguments of each.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use serde::{Deserialize, Serialize, de::IgnoredAny};
use serde_json::{Value, json};
use ts_rs::TS;

use sonde_client::config::HttpKind;
use sonde_suite::{
    format::{ITEM_METHODS, ServerRef, Step, Suite, Verb},
    node::{Node, NodeValue},
    servers::{Server, protocol},
    variables::Variables,
};

use super::{Entry, Recognized, entry::each_text};
use crate::{
    limits::{
        NAME, NOTES, PRESENTATION_BYTES, SAVED_INPUT, SAVED_INPUT_BYTES, SAVED_INPUTS, STEP_INPUTS,
        STEPS, TARGET,
    },
    text::{cut, is_blank},
};

/// Beginning of the line that makes a text a suite.
const MARK: &str = "sonde:";
/// A presentation in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PresentationFile {
    pub(crate) title: String,
    /// Its servers by the names that the steps have for them.
    pub(crate) servers: Vec<(String, Server)>,
    pub(crate) steps: Vec<FileStep>,
    /// Number of steps of the suite that are not shown: skipped ones, and requests that use no item.
    pub(crate) left_out: usize,
}

/// A step in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(concrete(I = InputPreview), rename = "StepPreview")]
pub struct FileStep<I = FileInput> {
    /// Title that the audience reads.
    pub title: String,
    /// The name of its server in the text.
    pub server: String,
    /// The method, for example `tools/call`.
    pub method: String,
    /// Target of the call, by the server's name for it.
    pub target: String,
    /// The saved inputs that it offers.
    pub inputs: Vec<I>,
    /// The speaker's notes.
    pub notes: String,
}

/// A saved input in a text, before it is imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct InputPreview {
    /// Its name.
    pub name: String,
    /// Its values, whole and in order, also where a name comes twice.
    pub values: Vec<PreparedValue>,
}

/// One value of a saved input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PreparedValue {
    /// Name of the argument; empty if the arguments are not an object.
    pub name: String,
    /// A string as its text, anything else as it is written in JSON.
    pub text: String,
}

/// A saved input in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileInput {
    /// Its name.
    pub name: String,
    /// JSON text.
    pub arguments: String,
}

impl PresentationFile {
    /// Returns the steps of a suite that can be shown. `server` is the name of its server if it has none.
    pub(crate) fn of_suite(suite: &Suite, server: &str) -> Self {
        let server = suite.server_name().unwrap_or(server);
        let inline = match &suite.server {
            Some(ServerRef::Inline(node)) => Some((server, node)),
            _ => None,
        };
        let listed = suite.servers.iter().map(|(name, node)| (&**name, node));
        let servers = listed.chain(inline);
        let variables = file_variables(suite);
        let mut file = Self {
            title: suite.name.as_deref().unwrap_or_default().trim().to_owned(),
            servers: servers
                .map(|(name, node)| (name.to_owned(), Server::in_place(node)))
                .collect(),
            ..Self::default()
        };
        // Variables may make much of a little.
        let mut room = 2 * SAVED_INPUT_BYTES;
        for step in &suite.steps {
            match FileStep::of(step, server, &variables) {
                Some(shown) => {
                    let inputs = shown.inputs.iter();
                    let bytes: usize = inputs.map(|input| shown.input_bytes(input)).sum();
                    file.add(shown, step.stage_title.is_none() || step.notes.is_some());
                    // Inputs beyond the limit are reported as a problem.
                    room = room.saturating_sub(bytes);
                    if room == 0 {
                        break;
                    }
                }
                None => file.left_out += 1,
            }
        }
        file.with_titles()
    }

    /// Adds a step, or only its inputs if it equals the last step otherwise.
    fn add(&mut self, step: FileStep, is_new: bool) {
        let same = |last: &&mut FileStep| !is_new && last.place() == step.place();
        match self.steps.last_mut().filter(same) {
            Some(last) => last.inputs.extend(step.inputs),
            None => self.steps.push(step),
        }
    }

    /// Returns its servers as in a client's JSON.
    pub(super) fn entries(&self) -> impl Iterator<Item = Entry> {
        self.servers.iter().map(|(name, server)| Entry {
            protocol: protocol(server.client.revision.as_deref()),
            idle: server.client.timeout,
            ..Entry::new(name.clone(), client_json(server))
        })
    }

    /// One sentence about the steps of the suite that are not part of it.
    pub(super) fn left_out(&self) -> Option<String> {
        let count = match self.left_out {
            0 => return None,
            1 => "1 step of the suite is".to_owned(),
            count => format!("{count} steps of the suite are"),
        };
        Some(format!(
            "{count} not shown: only calls of tools, prompts and reads of resources are, unless they are switched off."
        ))
    }

    /// Adds default titles: the target for a step, and the first step's title for the presentation.
    fn with_titles(mut self) -> Self {
        for step in &mut self.steps {
            if is_blank(&step.title) {
                // Leaves room for the ellipsis.
                step.title = cut(&step.target, NAME - 1);
            }
        }
        if is_blank(&self.title)
            && let Some(first) = self.steps.first()
        {
            self.title.clone_from(&first.title);
        }
        self
    }

    /// Returns the first problem of the presentation, as one plain sentence.
    pub(crate) fn problem(&self) -> Option<String> {
        if is_blank(&self.title) {
            return Some("The presentation has no title.".to_owned());
        }
        if is_longer(&self.title, NAME) {
            return Some(format!(
                "The title of the presentation has more than {NAME} characters."
            ));
        }
        if self.steps.len() > STEPS {
            return Some(format!("The presentation has more than {STEPS} steps."));
        }
        if self.servers.len() > STEPS {
            return Some(format!("The presentation has more than {STEPS} servers."));
        }
        if let Some(name) = self
            .servers
            .iter()
            .map(|(name, _)| name)
            .find(|name| is_longer(name, NAME))
        {
            let name = cut(name, 40);
            return Some(format!(
                "The name of the server “{name}” has more than {NAME} characters."
            ));
        }
        if self.steps.is_empty() && self.left_out > 0 {
            return self.left_out();
        }
        let of_step = (1..).zip(&self.steps);
        let mut problems = of_step.filter_map(|(number, step)| step.problem(number));
        if let Some(problem) = problems.next() {
            return Some(problem);
        }
        let bytes = self.steps.iter().map(FileStep::bytes).sum::<usize>();
        if bytes > PRESENTATION_BYTES {
            let mib = PRESENTATION_BYTES / 1024 / 1024;
            return Some(format!(
                "The titles and notes of the presentation have more than {mib} MiB."
            ));
        }
        self.too_many_inputs()
    }

    /// Returns the problem of too many saved inputs for a server. Equal inputs of several steps count once.
    fn too_many_inputs(&self) -> Option<String> {
        let mut servers: HashMap<&str, (HashSet<_>, usize)> = HashMap::new();
        for step in &self.steps {
            let (seen, bytes) = servers.entry(&step.server).or_default();
            for input in &step.inputs {
                let of = (&step.method, &step.target);
                if seen.insert((of, input.name.trim(), &input.arguments)) {
                    *bytes += step.input_bytes(input);
                }
            }
            let name = cut(&step.server, 40);
            if seen.len() > SAVED_INPUTS {
                return Some(format!(
                    "The steps of the server “{name}” have more than {SAVED_INPUTS} saved inputs."
                ));
            }
            if *bytes > SAVED_INPUT_BYTES {
                let mib = SAVED_INPUT_BYTES / 1024 / 1024;
                return Some(format!(
                    "The saved inputs of the server “{name}” have more than {mib} MiB."
                ));
            }
        }
        None
    }
}

/// Returns the variables of a suite outside a run. An imported file must not read the environment of this computer.
pub(crate) fn file_variables(suite: &Suite) -> Variables {
    let mut variables = Variables::new(Arc::new(|_| None)).within(2 * SAVED_INPUT);
    let _ = variables.add_vars(&suite.vars);
    variables
}

fn is_longer(text: &str, characters: usize) -> bool {
    text.chars().count() > characters
}

impl FileStep {
    /// A step of a suite; `None` if there is nothing to show.
    fn of(step: &Step, server: &str, variables: &Variables) -> Option<Self> {
        let resolved = variables.step(step);
        let step = resolved.as_deref().unwrap_or(step);
        let (key, target) = match &step.verb {
            Verb::Call(target) => ("call", target),
            Verb::Get(target) => ("get", target),
            Verb::Read(target) => ("read", target),
            _ => return None,
        };
        let (method, _) = ITEM_METHODS.iter().find(|(_, verb)| *verb == key)?;
        let arguments = step.arguments.as_ref().map(|text| text.value.clone());
        let is_json = |text: &String| serde_json::from_str::<IgnoredAny>(text).is_ok();
        if step.skip.is_some() || arguments.as_ref().is_some_and(|text| !is_json(text)) {
            return None;
        }
        let name = step.title();
        let server = step.server.as_ref().map_or(server, |name| &name.value);
        let input = |arguments| FileInput {
            name: name.clone(),
            arguments,
        };
        Some(Self {
            // Values that are known in a run only are left to the speaker.
            inputs: arguments
                .filter(|_| resolved.is_ok())
                .map(input)
                .into_iter()
                .collect(),
            title: step
                .stage_title
                .clone()
                .unwrap_or(name.clone())
                .trim()
                .to_owned(),
            server: server.to_owned(),
            method: (*method).to_owned(),
            target: target.clone(),
            notes: step.notes.clone().unwrap_or_default(),
        })
    }

    /// Its title, and the item that it uses.
    fn place(&self) -> [&str; 4] {
        [&self.title, &self.server, &self.method, &self.target]
    }

    fn bytes(&self) -> usize {
        let texts = self.place().into_iter().chain([&*self.notes]);
        texts.map(str::len).sum()
    }

    fn input_bytes(&self, input: &FileInput) -> usize {
        let name = input.name.trim();
        self.method.len() + self.target.len() + name.len() + input.arguments.len()
    }

    fn problem(&self, number: usize) -> Option<String> {
        for (text, longest, what) in [
            (&self.server, NAME, "server of step {} has"),
            (&self.method, NAME, "method of step {} has"),
            (&self.target, TARGET, "target of step {} has"),
            (&self.title, NAME, "title of step {} has"),
            (&self.notes, NOTES, "notes of step {} have"),
        ] {
            if is_longer(text, longest) {
                let what = what.replace("{}", &number.to_string());
                return Some(format!("The {what} more than {longest} characters."));
            }
        }
        if self.inputs.len() > STEP_INPUTS {
            return Some(format!(
                "Step {number} has more than {STEP_INPUTS} saved inputs."
            ));
        }
        (1..).zip(&self.inputs).find_map(|(place, input)| {
            let place = format!("The saved input {place} of step {number}");
            let name = input.name.trim();
            if is_blank(name) {
                return Some(format!("{place} has no name."));
            }
            if is_longer(name, NAME) {
                return Some(format!(
                    "{place} has a name of more than {NAME} characters."
                ));
            }
            if self.input_bytes(input) > SAVED_INPUT {
                let kib = SAVED_INPUT / 1024;
                return Some(format!("{place} has more than {kib} KiB."));
            }
            None
        })
    }
}

/// Converts a server of a suite to a client's JSON.
fn client_json(server: &Server) -> Value {
    let named = |pairs: &[(String, String)]| pairs.iter().cloned().collect::<Value>();
    let mut written = json!({});
    if let Some(transport) = &server.demo {
        written["demo"] = transport.as_str().into();
    }
    if let Some(program) = &server.stdio {
        written["command"] = program.command.as_str().into();
        written["args"] = json!(program.args);
        written["env"] = named(&program.env);
        if let Some(cwd) = &program.cwd {
            written["cwd"] = cwd.as_str().into();
        }
    }
    if let Some(http) = &server.http {
        written["url"] = http.url.as_str().into();
        written["headers"] = named(&http.headers);
        match http.kind {
            HttpKind::Automatic => {}
            HttpKind::Sse => written["type"] = "sse".into(),
            HttpKind::Streamable => written["type"] = "streamable-http".into(),
        }
    }
    each_text(&mut written, &mut |text| *text = with_prompts(text));
    written
}

/// A text with the variables of suites as placeholders that are asked for.
fn with_prompts(text: &str) -> String {
    let asked = text
        .replace("${secrets.", "${input:")
        .replace("${env.", "${env:");
    asked.replace("$${", "${")
}

/// JSON is read up to 127 levels.
pub(super) fn is_too_deep(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("recursion limit exceeded")
}

/// Reads the presentation of a suite, with its servers; `None` for a text that is not a suite.
///
/// # Errors
/// One plain sentence for a suite that cannot be read or shown.
pub(super) fn read(text: &str) -> Option<Result<Recognized, String>> {
    let is_marked = text.lines().any(|line| line.starts_with(MARK));
    let may_be_json = || text.starts_with('{') && text.contains(MARK.trim_end_matches(':'));
    if !is_marked && !may_be_json() {
        return None;
    }
    let is_suite = match Node::read(text) {
        Ok(root) => matches!(root.get("sonde")?.value, NodeValue::Number(_)),
        Err(_) => is_marked,
    };
    is_suite.then(|| {
        let suite = Suite::read("presentation.sonde.yaml", text).map_err(|problems| {
            let first = problems.list.first();
            let place = first.map(|one| format!("line {}: {}", one.span.line, one.message));
            format!(
                "The presentation cannot be read: {}",
                place.unwrap_or_default()
            )
        })?;
        let file = PresentationFile::of_suite(&suite, "Server");
        if let Some(problem) = file.problem() {
            return Err(problem);
        }
        let mut found = Recognized::new("A presentation");
        file.entries().for_each(|entry| found.add(entry));
        found.problems.extend(file.left_out());
        found.presentation = Some(file);
        Ok(found)
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;
    use sonde_client::config::ProtocolMode;

    use super::*;

    fn parsed(text: &str) -> Result<PresentationFile, String> {
        let found = read(text).expect("a suite")?;
        Ok(found.presentation.expect("a presentation"))
    }

    /// A suite in JSON, which is YAML.
    fn suite(steps: Value) -> String {
        json!({"sonde": 1, "name": "x", "server": "s", "steps": steps}).to_string()
    }

    fn inputs(step: &FileStep) -> Vec<(&str, &str)> {
        let inputs = step.inputs.iter();
        inputs.map(|one| (&*one.name, &*one.arguments)).collect()
    }

    #[test]
    fn steps_of_one_title_and_target_are_shown_together() {
        let file = parsed(
            r#"sonde: 1
name: A tour
server: Shop
servers:
  Shop: { url: "https://a.example/mcp", headers: { X-Key: "${secrets.KEY}" }, kind: sse, revision: legacy, timeout: 90s }
  Files: { command: "npx -y 'a b'", env: { HOME: "${env.HOME}", "A": "$${B}" } }
secrets: [KEY]
vars: { n: 9007199254740993 }
steps:
  - { title: Buy, name: One, notes: First., call: buy, with: { n: "${vars.n}" } }
  - title: Buy
    name: Two
    call: buy
    with-json: '{"a": 1e400, "a": [null]}'
  - { title: Buy, notes: "", call: buy }
  - { title: Buy, server: Files, call: buy, with: {} }
  - { name: Orders, call: list, with: { id: "${order}", env: "${env.HOME}" } }
  - { name: Orders, call: list, with: { at: "$${x}" } }
  - { read: "a://b" }
  - { get: greet, with: { who: Ada } }
  - { ping: true }
  - { call: off, skip: true }
"#,
        )
        .unwrap();
        let steps: Vec<_> = file
            .steps
            .iter()
            .map(|step| (&*step.title, inputs(step)))
            .collect();
        assert_eq!(
            steps,
            [
                (
                    "Buy",
                    vec![
                        ("One", r#"{"n":9007199254740993}"#),
                        ("Two", r#"{"a": 1e400, "a": [null]}"#)
                    ]
                ),
                ("Buy", vec![]),
                ("Buy", vec![("call buy", "{}")]),
                ("Orders", vec![]),
                ("Orders", vec![("Orders", r#"{"at":"${x}"}"#)]),
                ("read a://b", vec![]),
                ("get greet", vec![("get greet", r#"{"who":"Ada"}"#)]),
            ]
        );
        assert_eq!(
            (&*file.steps[0].server, &*file.steps[2].server),
            ("Shop", "Files")
        );
        assert_eq!(
            (&*file.steps[0].notes, &*file.steps[5].method),
            ("First.", "resources/read")
        );
        assert!(
            file.left_out()
                .unwrap()
                .starts_with("2 steps of the suite are not shown")
        );
        let entries: Vec<_> = file.entries().collect();
        assert_eq!(
            entries[0].server,
            json!({"url": "https://a.example/mcp", "headers": {"X-Key": "${input:KEY}"}, "type": "sse"})
        );
        assert_eq!(entries[0].protocol, ProtocolMode::Handshake);
        assert_eq!(entries[0].idle, Some(Duration::from_secs(90)));
        assert_eq!(
            entries[1].server,
            json!({"command": "npx", "args": ["-y", "a b"], "env": {"HOME": "${env:HOME}", "A": "${B}"}})
        );
    }

    #[test]
    fn what_is_no_presentation_says_so() {
        for text in [
            r#"{"mcpServers": {"sonde": {"command": "x"}}}"#,
            "servers:\n  sonde:\n    command: x\n",
            "npx -y sonde: 1",
        ] {
            assert!(read(text).is_none(), "{text}");
        }
        let step = json!({"call": "t"});
        let with = |name: &str, value: Value| {
            let mut step = step.clone();
            step[name] = value;
            suite(json!([step]))
        };
        let long = "x".repeat(SAVED_INPUT);
        let input = |name: String, value: &Value| json!({"title": "t", "name": name, "call": "t", "with": value});
        let named = |title: String| json!({"sonde": 1, "name": title, "steps": []}).to_string();
        let many: Vec<_> = (0..=STEP_INPUTS)
            .map(|one| input(one.to_string(), &json!({})))
            .collect();
        let too_many = (0..11).flat_map(|step| {
            (0..STEP_INPUTS).map(move |one| json!({"title": step.to_string(), "name": format!("{step} {one}"), "call": "t", "with": {}}))
        });
        let too_large: Vec<_> = (0..22)
            .map(|step| json!({"call": format!("t{step}"), "with": {"a": "${vars.large}"}}))
            .collect();
        let vars = json!({"large": "x".repeat(200_000)});
        let too_large =
            json!({"sonde": 1, "name": "x", "server": "s", "vars": vars, "steps": too_large});
        for (text, words) in [
            (json!({"sonde": 2, "steps": []}).to_string(), "format 1, not 2"),
            (json!({"sonde": 1}).to_string(), "`steps` is missing"),
            ("sonde: 1\nsteps:\n  - cal: x".to_owned(), "line 3"),
            ("sonde: 1\nsteps: [".to_owned(), "line "),
            (named(" ".to_owned()), "no title"),
            (named("n".repeat(NAME + 1)), "256 characters"),
            (suite(vec![step.clone(); STEPS + 1].into()), "200 steps"),
            (with("title", long.clone().into()), "title of step 1"),
            (with("notes", long.clone().into()), "notes of step 1"),
            (with("server", long.clone().into()), "server of step 1"),
            (with("call", long.clone().into()), "target of step 1"),
            (suite(json!([{"ping": true}])), "1 step of the suite is not shown"),
            (
                json!({"sonde": 1, "name": "x", "servers": {"x".repeat(NAME + 1): {"url": "x"}}, "steps": []}).to_string(),
                "name of the server “xxx",
            ),
            (
                suite(json!([input("\u{200b}".to_owned(), &json!({}))])),
                "saved input 1 of step 1 has no name",
            ),
            (
                suite(json!([input("n".repeat(NAME + 1), &json!({}))])),
                "a name of more than 256",
            ),
            (suite(json!([input("n".to_owned(), &json!({"a": long}))])), "256 KiB"),
            (suite(many.into()), "50 saved inputs"),
            (suite(too_many.collect()), "“s” have more than 500"),
            (too_large.to_string(), "“s” have more than 4 MiB"),
        ] {
            let problem = parsed(&text).unwrap_err();
            assert!(problem.contains(words), "{words}: {problem}");
        }
    }

    #[test]
    fn what_has_no_title_is_called_as_what_it_runs() {
        let step = |title: &str| json!({"call": "list_ships", "title": title});
        let steps = json!([step(""), step(" \u{200b}"), step("Ships")]);
        let file = json!({"sonde": 1, "name": "\u{feff}", "steps": steps}).to_string();
        let file = parsed(&file).unwrap();
        let titles: Vec<_> = file.steps.iter().map(|one| one.title.as_str()).collect();
        assert_eq!(titles, ["list_ships", "list_ships", "Ships"]);
        assert_eq!(file.title, "list_ships");
    }
}
