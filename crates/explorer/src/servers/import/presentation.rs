//! A presentation as it stands in a file: all that another computer needs to give it.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

use sonde_client::json_error_words;

use crate::{
    limits::{
        NAME, NOTES, PRESENTATION_BYTES, SAVED_INPUT, SAVED_INPUT_BYTES, SAVED_INPUTS, STEP_INPUTS,
        STEPS, TARGET,
    },
    text::{cut, is_blank},
};

/// The member that makes a JSON object a presentation. Its value is the version.
const MARK: &str = "sonde_presentation";
/// The version that is written.
const VERSION: u64 = 1;

/// A presentation in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PresentationFile {
    sonde_presentation: u64,
    pub(crate) title: String,
    /// Its servers as a client's JSON would have them, by the names that the steps have for them.
    #[serde(default)]
    pub(crate) servers: Map<String, Value>,
    #[serde(default)]
    pub(crate) steps: Vec<FileStep>,
}

/// A step in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(concrete(I = InputPreview), rename = "StepPreview")]
pub struct FileStep<I = FileInput> {
    /// Title that the audience reads.
    #[serde(default)]
    pub title: String,
    /// The name of its server in the text.
    pub server: String,
    /// The method, for example `tools/call`.
    pub method: String,
    /// Target of the call, by the server's name for it.
    pub target: String,
    /// The saved inputs that it offers.
    #[serde(default = "Vec::new")]
    pub inputs: Vec<I>,
    /// The speaker's notes.
    #[serde(default)]
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
    /// Name of the argument; empty if the arguments are no object.
    pub name: String,
    /// A string as its text, anything else as it is written in JSON.
    pub text: String,
}

/// A saved input in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileInput {
    /// Its name.
    pub name: String,
    /// JSON text, so that it arrives as it was typed. Who writes a file by hand can have the value itself.
    #[serde(deserialize_with = "json_text")]
    pub arguments: String,
}

fn json_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => text,
        value => value.to_string(),
    })
}

impl PresentationFile {
    /// One without steps and servers.
    pub(crate) fn new(title: String) -> Self {
        Self {
            sonde_presentation: VERSION,
            title,
            servers: Map::new(),
            steps: Vec::new(),
        }
    }

    /// The texts that it has to have where they are missing: a step is called as what it runs, and the presentation
    /// as its first step.
    fn with_titles(mut self) -> Self {
        for step in &mut self.steps {
            if is_blank(&step.title) {
                // With its ellipsis.
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
    fn problem(&self) -> Option<String> {
        if is_blank(&self.title) {
            return Some("The presentation has no title.".to_owned());
        }
        if self.title.chars().count() > NAME {
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
        if let Some(name) = self.servers.keys().find(|name| is_longer(name, NAME)) {
            let name = cut(name, 40);
            return Some(format!(
                "The name of the server “{name}” has more than {NAME} characters."
            ));
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

fn is_longer(text: &str, characters: usize) -> bool {
    text.chars().count() > characters
}

impl FileStep {
    fn bytes(&self) -> usize {
        let Self {
            title,
            server,
            method,
            target,
            notes,
            ..
        } = self;
        [title, server, method, target, notes]
            .iter()
            .map(|text| text.len())
            .sum()
    }

    fn input_bytes(&self, input: &FileInput) -> usize {
        let name = input.name.trim();
        self.method.len() + self.target.len() + name.len() + input.arguments.len()
    }

    fn problem(&self, number: usize) -> Option<String> {
        for (text, longest, what) in [
            (&self.server, NAME, "server"),
            (&self.method, NAME, "method"),
            (&self.target, TARGET, "target"),
        ] {
            if is_longer(text, longest) {
                return Some(format!(
                    "The {what} of step {number} has more than {longest} characters."
                ));
            }
        }
        if self.title.chars().count() > NAME {
            return Some(format!(
                "The title of step {number} has more than {NAME} characters."
            ));
        }
        if self.notes.chars().count() > NOTES {
            return Some(format!(
                "The notes of step {number} have more than {NOTES} characters."
            ));
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
            let error = serde_json::from_str::<Value>(&input.arguments).err()?;
            Some(match is_too_deep(&error) {
                true => format!("{place} has values that are nested too deeply."),
                false => format!("{place} has values that are not valid JSON."),
            })
        })
    }
}

/// JSON is read up to 127 levels.
pub(super) fn is_too_deep(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("recursion limit exceeded")
}

/// Reads the presentation of an object; `None` if the object is no presentation.
///
/// # Errors
/// One plain sentence for a presentation that cannot be read.
pub(super) fn read(object: &Map<String, Value>) -> Result<Option<PresentationFile>, String> {
    match object.get(MARK).map(Value::as_u64) {
        None => return Ok(None),
        Some(Some(1..=VERSION)) => {}
        Some(Some(newer)) if newer > VERSION => {
            return Err(format!(
                "This presentation was exported by a newer version of Sonde (format {newer}, known is \
                 {VERSION}). Update Sonde to import it."
            ));
        }
        Some(_) => return Err(format!("The presentation's `{MARK}` is not a version.")),
    }
    let file: PresentationFile = serde_json::from_value(Value::Object(object.clone()))
        .map(PresentationFile::with_titles)
        .map_err(|error| {
            format!(
                "The presentation cannot be read: {}.",
                json_error_words(&error)
            )
        })?;
    match file.problem() {
        Some(problem) => Err(problem),
        None => Ok(Some(file)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(value: Value) -> Result<Option<PresentationFile>, String> {
        let Value::Object(object) = value else {
            panic!("{value}")
        };
        read(&object)
    }

    fn with_input(input: Value) -> Value {
        let step = json!({"server": "s", "method": "tools/call", "target": "t", "inputs": [input]});
        json!({"sonde_presentation": 1, "title": "x", "steps": [step]})
    }

    #[test]
    fn arguments_arrive_as_they_were_written() {
        for (written, arguments) in [
            (json!("{ \"a\": 1e400 }"), "{ \"a\": 1e400 }"),
            (json!({"b": 1, "a": [null]}), r#"{"b":1,"a":[null]}"#),
            (
                serde_json::from_str("{\"a\": 9007199254740993.0}").unwrap(),
                r#"{"a":9007199254740993.0}"#,
            ),
        ] {
            let input = json!({"name": "n", "arguments": written});
            let file = parsed(with_input(input)).unwrap().unwrap();
            assert_eq!(file.steps[0].inputs[0].arguments, arguments);
            let again = serde_json::to_value(&file).unwrap();
            assert_eq!(parsed(again).unwrap(), Some(file));
        }
    }

    #[test]
    fn what_is_no_presentation_says_so() {
        assert_eq!(parsed(json!({"title": "x", "steps": []})), Ok(None));
        let steps = |step: Value, count: usize| json!({"sonde_presentation": 1, "title": "x", "steps": vec![step; count]});
        let step = json!({"server": "s", "method": "m", "target": "t"});
        let with = |name: &str, value: Value| {
            let mut step = step.clone();
            step[name] = value;
            steps(step, 1)
        };
        let long = "x".repeat(SAVED_INPUT);
        for (text, words) in [
            (json!({"sonde_presentation": 2}), "newer version"),
            (json!({"sonde_presentation": 0}), "not a version"),
            (json!({"sonde_presentation": "1"}), "not a version"),
            (json!({"sonde_presentation": 1}), "`title` is missing"),
            (json!({"sonde_presentation": 1, "title": " "}), "no title"),
            (
                json!({"sonde_presentation": 1, "title": long}),
                "256 characters",
            ),
            (
                json!({"sonde_presentation": 1, "title": "x", "servers": []}),
                "it is an array, not an object",
            ),
            (steps(step.clone(), STEPS + 1), "200 steps"),
            (steps(json!({"server": "s"}), 1), "`method` is missing"),
            (with("title", long.clone().into()), "title of step 1"),
            (with("notes", long.clone().into()), "notes of step 1"),
            (with("server", long.clone().into()), "server of step 1"),
            (with("method", long.clone().into()), "method of step 1"),
            (with("target", long.clone().into()), "target of step 1"),
            (
                json!({"sonde_presentation": 1, "title": "x", "servers": {long.clone(): {}}}),
                "name of the server “xxx",
            ),
            (
                with_input(json!({"name": "\u{200b}", "arguments": {}})),
                "saved input 1 of step 1 has no name",
            ),
            (
                with_input(json!({"name": "n".repeat(300), "arguments": {}})),
                "a name of more than 256",
            ),
            (
                with_input(json!({"name": "n", "arguments": "[".repeat(1000)})),
                "nested too deeply",
            ),
            (with_input(json!({"name": "n"})), "`arguments` is missing"),
            (
                with_input(json!({"name": "n", "arguments": "{"})),
                "not valid JSON",
            ),
            (
                with_input(json!({"name": "n", "arguments": [long]})),
                "256 KiB",
            ),
        ] {
            let problem = parsed(text).unwrap_err();
            assert!(problem.contains(words), "{words}: {problem}");
        }
        let input = json!({"name": "n", "arguments": {}});
        let inputs = with("inputs", vec![input; STEP_INPUTS + 1].into());
        assert!(parsed(inputs).unwrap_err().contains("50 saved inputs"));
        let many = (0..11).map(|step| {
            let inputs = (0..50).map(|one| json!({"name": format!("{step} {one}"), "arguments": {}}));
            json!({"server": "s", "method": "m", "target": "t", "inputs": inputs.collect::<Vec<_>>()})
        });
        let steps =
            json!({"sonde_presentation": 1, "title": "x", "steps": many.collect::<Vec<_>>()});
        let problem = parsed(steps).unwrap_err();
        assert!(problem.contains("“s” have more than 500"), "{problem}");
        let large = json!({"name": "n", "arguments": {"a": "x".repeat(200_000)}});
        let many = (0..22).map(|step| {
            json!({"server": "s", "method": "m", "target": format!("t{step}"), "inputs": [large]})
        });
        let steps =
            json!({"sonde_presentation": 1, "title": "x", "steps": many.collect::<Vec<_>>()});
        let problem = parsed(steps).unwrap_err();
        assert!(problem.contains("“s” have more than 4 MiB"), "{problem}");
    }

    #[test]
    fn what_has_no_title_is_called_as_what_it_runs() {
        let step = |title: &str| json!({"server": "s", "method": "m", "target": "list_ships", "title": title});
        let steps = [step(""), step(" \u{200b}"), step("Ships")];
        let file = json!({"sonde_presentation": 1, "title": "\u{feff}", "steps": steps});
        let file = parsed(file).unwrap().unwrap();
        let titles: Vec<_> = file.steps.iter().map(|one| one.title.as_str()).collect();
        assert_eq!(titles, ["list_ships", "list_ships", "Ships"]);
        assert_eq!(file.title, "list_ships");
    }
}
