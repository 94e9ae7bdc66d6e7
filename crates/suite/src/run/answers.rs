//! Scripted replies to requests of the server.

use serde_json::Value;
use sonde_client::sessions::{AnswerInput, OpenServerRequest};

use crate::{
    format::{Answer, AnswerTo, Reply},
    predicate::Predicate,
};

/// The method of elicitations.
const ELICIT: &str = "elicitation/create";
/// The method of requests for a language model.
const SAMPLING: &str = "sampling/createMessage";

/// Scripted replies of a step, with a mark for each used one.
pub(super) struct Answers<'a> {
    answers: &'a [Answer],
    used: Vec<bool>,
    /// Requests that no answer was for.
    pub(super) unanswered: Vec<String>,
}

impl<'a> Answers<'a> {
    pub(super) fn new(answers: &'a [Answer]) -> Self {
        Self {
            answers,
            used: vec![false; answers.len()],
            unanswered: Vec::new(),
        }
    }

    /// Indexes of the answers that were not used.
    pub(super) fn unused(&self) -> Vec<usize> {
        let used = self.used.iter().enumerate();
        used.filter(|(_, used)| !**used)
            .map(|(index, _)| index)
            .collect()
    }

    /// The reply to a request: the first unused answer that is for it, else a used one, else a refusal.
    pub(super) fn reply(&mut self, request: &OpenServerRequest) -> AnswerInput {
        let params = serde_json::from_str(&request.params).unwrap_or(Value::Null);
        let fitting = |index: &usize| fits(&self.answers[*index].to, &request.method, &params);
        let fitting: Vec<usize> = (0..self.answers.len()).filter(fitting).collect();
        let unused = fitting.iter().find(|index| !self.used[**index]);
        let Some(index) = unused.or(fitting.last()).copied() else {
            self.unanswered
                .push(format!("{} ({})", request.method, request.message));
            return refusal(&request.method);
        };
        self.used[index] = true;
        match self.answers[index].reply.clone() {
            Reply::Accept(content) if is_page(&params) => {
                // A page has no form to fill in.
                let result = match content.as_str() {
                    "{}" => r#"{"action":"accept"}"#.to_owned(),
                    content => format!(r#"{{"action":"accept","content":{content}}}"#),
                };
                AnswerInput::Raw { result }
            }
            Reply::Accept(content) => AnswerInput::Accept { content },
            Reply::Decline => AnswerInput::Decline,
            Reply::Cancel => AnswerInput::Cancel,
            Reply::Result(result) => AnswerInput::Raw { result },
            Reply::Error { code, message } => AnswerInput::Error { code, message },
        }
    }
}

fn refusal(method: &str) -> AnswerInput {
    match method {
        ELICIT => AnswerInput::Decline,
        _ => AnswerInput::Error {
            code: -1,
            message: "The suite has no answer to this request.".to_owned(),
        },
    }
}

fn is_page(params: &Value) -> bool {
    params["mode"] == "url"
}

fn fits(to: &AnswerTo, method: &str, params: &Value) -> bool {
    match to {
        AnswerTo::Elicitation { mode, message, url } => {
            // A missing mode means a form.
            let actual = params["mode"].as_str().unwrap_or("form");
            method == ELICIT
                && mode.as_deref().is_none_or(|mode| mode == actual)
                && Predicate::holds(message, params.get("message"))
                && Predicate::holds(url, params.get("url"))
        }
        AnswerTo::Sampling { prompt, system } => {
            let messages = params["messages"].as_array().into_iter().flatten();
            let texts = messages.flat_map(|message| match &message["content"] {
                Value::Array(blocks) => blocks.iter().collect(),
                content => vec![content],
            });
            let texts: Vec<_> = texts.filter_map(|block| block["text"].as_str()).collect();
            let text = Value::String(texts.join("\n"));
            method == SAMPLING
                && Predicate::holds(prompt, Some(&text))
                && Predicate::holds(system, params.get("systemPrompt"))
        }
    }
}
