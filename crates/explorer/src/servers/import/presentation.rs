//! A presentation as it stands in a file: all that another computer needs to give it.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::limits::{NAME, NOTES, SAVED_INPUT, STEP_INPUTS, STEPS};

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileStep {
    #[serde(default)]
    pub(crate) title: String,
    pub(crate) server: String,
    pub(crate) method: String,
    pub(crate) target: String,
    #[serde(default)]
    pub(crate) inputs: Vec<FileInput>,
    #[serde(default)]
    pub(crate) notes: String,
}

/// A saved input in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileInput {
    pub(crate) name: String,
    /// JSON text, so that it arrives as it was typed. Who writes a file by hand can have the value itself.
    #[serde(deserialize_with = "json_text")]
    pub(crate) arguments: String,
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

    /// What is wrong with it, one plain sentence.
    fn problem(&self) -> Option<String> {
        if self.title.trim().is_empty() {
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
        (1..)
            .zip(&self.steps)
            .find_map(|(number, step)| step.problem(number))
    }
}

impl FileStep {
    fn problem(&self, number: usize) -> Option<String> {
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
        self.inputs.iter().find_map(|input| {
            let place = format!("A saved input of step {number}");
            let name = input.name.trim();
            if name.is_empty() || name.chars().count() > NAME {
                return Some(format!("{place} has no name, or a name that is too long."));
            }
            let bytes = self.method.len() + self.target.len() + name.len() + input.arguments.len();
            if bytes > SAVED_INPUT {
                let kib = SAVED_INPUT / 1024;
                return Some(format!("{place} has more than {kib} KiB."));
            }
            let read = serde_json::from_str::<Value>(&input.arguments);
            read.is_err()
                .then(|| format!("{place} has arguments that are not valid JSON."))
        })
    }
}

/// The presentation of an object; `None` for one that is none.
///
/// # Errors
/// One plain sentence for one that cannot be read.
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
        .map_err(|error| format!("The presentation cannot be read: {error}."))?;
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
            (json!({"sonde_presentation": 1}), "missing field `title`"),
            (json!({"sonde_presentation": 1, "title": " "}), "no title"),
            (
                json!({"sonde_presentation": 1, "title": long}),
                "256 characters",
            ),
            (
                json!({"sonde_presentation": 1, "title": "x", "servers": []}),
                "invalid type",
            ),
            (steps(step.clone(), STEPS + 1), "200 steps"),
            (steps(json!({"server": "s"}), 1), "missing field `method`"),
            (with("title", long.clone().into()), "title of step 1"),
            (with("notes", long.clone().into()), "notes of step 1"),
            (with_input(json!({"name": "", "arguments": {}})), "no name"),
            (
                with_input(json!({"name": "n"})),
                "missing field `arguments`",
            ),
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
    }
}
