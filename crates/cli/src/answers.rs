//! Answers to requests of a server: asked for on a terminal, declined elsewhere.

use std::io::{self, BufRead as _, IsTerminal as _};

use serde_json::{Map, Value};
use sonde_client::sessions::{AnswerInput, OpenServerRequest};

use crate::{
    arguments::typed,
    console::{BOLD, Console, styled, visible},
};

/// The method of requests that ask the user.
const ELICIT: &str = "elicitation/create";

/// True if the program runs on a terminal, outside of continuous integration.
pub(crate) fn is_interactive() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal() && !in_ci()
}

/// True in continuous integration.
pub(crate) fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}

/// Answers the requests of one server.
#[derive(Clone)]
pub(crate) struct Answers {
    console: Console,
    /// A user can type answers.
    asks: bool,
}

impl Answers {
    pub(crate) fn new(console: Console) -> Self {
        let asks = is_interactive();
        Self { console, asks }
    }

    /// True if a user can type answers and open a browser.
    pub(crate) fn can_ask(&self) -> bool {
        self.asks
    }

    /// Asks if the stored credentials may go to this authorization server.
    pub(crate) async fn agrees_to_issuer(&self, issuer: &str) -> bool {
        if !self.asks {
            return false;
        }
        let words = format!(
            "Send the client's credentials to the authorization server {}? [y/N]",
            visible(issuer)
        );
        let asking = self.clone();
        let asked = tokio::task::spawn_blocking(move || asking.question(&words));
        matches!(asked.await, Ok(Some(answer)) if answer.eq_ignore_ascii_case("y"))
    }

    /// Answers one request.
    pub(crate) async fn answer(&self, request: OpenServerRequest) -> AnswerInput {
        let words = visible(&request.message);
        if request.method != ELICIT {
            self.console.say(&format!(
                "The server sent {}; it was refused, as nobody here can answer it.",
                visible(&request.method)
            ));
            return match request.method.as_str() {
                // Sampling, Error Handling.
                "sampling/createMessage" => {
                    AnswerInput::error(-1, "User rejected sampling request")
                }
                _ => AnswerInput::error(-32_601, "Method not found"),
            };
        }
        if !self.asks {
            self.console.say(&format!(
                "The server asked: “{words}” The request was declined, as there is no terminal to answer in."
            ));
            return AnswerInput::Decline;
        }
        let asking = self.clone();
        // A read of the terminal cannot be ended; the program may end meanwhile.
        let asked = tokio::task::spawn_blocking(move || match &request.schema {
            Some(schema) => asking.form(&words, schema),
            None => asking.page(&words, &request.params),
        });
        asked.await.unwrap_or(AnswerInput::Cancel)
    }

    fn form(&self, words: &str, schema: &str) -> AnswerInput {
        self.console
            .say(&styled(BOLD, format_args!("The server asks: {words}")));
        let schema: Value = serde_json::from_str(schema).unwrap_or_default();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        loop {
            match self.question("Answer? [Y/n]").as_deref() {
                Some("" | "y" | "Y" | "yes") => break,
                Some("n" | "N" | "no") => return AnswerInput::Decline,
                Some(_) => {}
                None => return AnswerInput::Cancel,
            }
        }
        let mut content = Vec::new();
        let empty = Map::new();
        for (name, field) in schema["properties"].as_object().unwrap_or(&empty) {
            let needed = required.iter().any(|one| one == name);
            loop {
                let Some(line) = self.question(&prompt(name, field, needed)) else {
                    return AnswerInput::Cancel;
                };
                let value = match (line.is_empty(), field.get("default")) {
                    (true, Some(default)) => Ok(default.to_string()),
                    (true, None) if !needed => break,
                    (true, None) => Err("A value is needed.".to_owned()),
                    (false, _) => chosen(name, &line, field, &schema),
                };
                match value {
                    Ok(value) => {
                        content.push(format!("{}:{value}", Value::from(name.as_str())));
                        break;
                    }
                    Err(problem) => self.console.say(&problem),
                }
            }
        }
        AnswerInput::Accept {
            content: format!("{{{}}}", content.join(",")),
        }
    }

    fn page(&self, words: &str, params: &str) -> AnswerInput {
        let params: Value = serde_json::from_str(params).unwrap_or_default();
        let url = visible(params["url"].as_str().unwrap_or_default());
        self.console
            .say(&styled(BOLD, format_args!("The server asks: {words}")));
        self.console.say(&format!("Open this page: {url}"));
        match self
            .question("Press Enter to agree, or type n to decline:")
            .as_deref()
        {
            Some("") => AnswerInput::Raw {
                result: r#"{"action":"accept"}"#.to_owned(),
            },
            Some(_) => AnswerInput::Decline,
            None => AnswerInput::Cancel,
        }
    }

    /// A line that the user types; `None` at the end of the input.
    fn question(&self, words: &str) -> Option<String> {
        self.console.clear();
        self.console.say(words);
        let mut line = String::new();
        match io::stdin().lock().read_line(&mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(line.trim().to_owned()),
        }
    }
}

/// Converts an answer to a field to JSON text; if the field has choices, to one of them.
fn chosen(name: &str, line: &str, field: &Value, schema: &Value) -> Result<String, String> {
    match choices(field) {
        Some(choices) if !choices.iter().any(|one| one == line) => {
            Err(format!("Choose one of: {}.", visible(&choices.join(", "))))
        }
        _ => typed(name, line, Some(field), schema),
    }
}

/// The values that a field allows, as they are typed.
fn choices(field: &Value) -> Option<Vec<String>> {
    let all = field["enum"].as_array().cloned().or_else(|| {
        let choices = field["oneOf"].as_array()?;
        Some(choices.iter().map(|one| one["const"].clone()).collect())
    })?;
    Some(all.iter().map(plain).collect())
}

/// The question for a field of a form.
fn prompt(name: &str, field: &Value, needed: bool) -> String {
    let title = field["title"].as_str().unwrap_or(name);
    let mut words = vec![title.to_owned()];
    if let Some(description) = field["description"].as_str() {
        words.push(format!("– {description}"));
    }
    if let Some(choices) = choices(field) {
        words.push(format!("({})", choices.join(", ")));
    } else if let Some(kind) = field["type"].as_str() {
        words.push(format!("({kind})"));
    }
    match field.get("default") {
        Some(default) => words.push(format!("[{}]", plain(default))),
        None if !needed => words.push("[leave out]".to_owned()),
        None => {}
    }
    visible(&format!("{}:", words.join(" ")))
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
