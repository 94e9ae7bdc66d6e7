//! Servers over Streamable HTTP, defined by their responses.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use sonde_client::{config::ProtocolMode, operations::OperationInput};
use sonde_findings::rules;
use sonde_tests::{
    client::http,
    http_peer::{HttpPeer, Reply, Request},
};

use crate::play::{Act, Case, Play, Playing, play};

/// A request as a server sees it.
pub(crate) struct Asked<'a> {
    pub(crate) request: &'a Request,
    id: String,
    token: String,
    stateless: bool,
    is_cacheable: bool,
}

impl Asked<'_> {
    /// Replaces `{id}` and `{token}` in a text by the request's id and progress token.
    pub(crate) fn fill(&self, text: &str) -> String {
        text.replace("{id}", &self.id)
            .replace("{token}", &self.token)
    }

    /// Returns the response with this result, to which a stateless server adds the required members.
    pub(crate) fn result(&self, result: &Value) -> String {
        let mut result = result.clone();
        if let Some(result) = result.as_object_mut().filter(|_| self.stateless) {
            let mut add = |name: &str, value: Value| {
                result.entry(name).or_insert(value);
            };
            add("resultType", json!("complete"));
            if self.is_cacheable {
                add("ttlMs", json!(0));
                add("cacheScope", json!("private"));
            }
        }
        format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, self.id)
    }
}

/// Response of a server to a request.
pub(crate) type Answer = Arc<dyn Fn(&Asked<'_>) -> Reply + Send + Sync>;

/// Responds with a result.
pub(crate) fn result(result: Value) -> Answer {
    Arc::new(move |asked| Reply::json(asked.result(&result)))
}

/// Responds with an error.
pub(crate) fn refusal(code: i64, message: &str) -> Answer {
    let error = json!({ "code": code, "message": message });
    Arc::new(move |asked| {
        let status = match code {
            -32_601 if asked.stateless => 404,
            -32_022..=-32_020 => 400,
            _ => 200,
        };
        let text = format!(r#"{{"jsonrpc":"2.0","id":{{id}},"error":{error}}}"#);
        Reply::status(status)
            .header("content-type", "application/json")
            .body(asked.fill(&text))
    })
}

/// Responds with this text, filled in.
pub(crate) fn body(text: impl Into<String>) -> Answer {
    let text = text.into();
    Arc::new(move |asked| Reply::json(asked.fill(&text)))
}

/// Returns the head of an event stream.
pub(crate) fn stream() -> Reply {
    Reply::event_stream().header("x-accel-buffering", "no")
}

/// Sends these messages on the stream of the request, the response among them, filled in.
pub(crate) fn events<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Answer {
    let texts: Vec<String> = texts.into_iter().map(Into::into).collect();
    Arc::new(move |asked| {
        let said = texts.iter().map(|text| asked.fill(text));
        said.fold(stream(), |reply, text| reply.event(&text)).end()
    })
}

/// Responds with any reply.
pub(crate) fn replies(reply: impl Fn(&Asked<'_>) -> Reply + Send + Sync + 'static) -> Answer {
    Arc::new(reply)
}

/// Default response to a tool call.
pub(crate) const DONE: &str = r#"{"jsonrpc":"2.0","id":{id},"result":{"resultType":"complete","content":[{"type":"text","text":"done"}]}}"#;

/// A scripted server, and what its user does.
#[derive(Clone)]
pub(crate) struct Server {
    version: &'static str,
    capabilities: Value,
    answers: HashMap<String, Vec<Answer>>,
    acts: Vec<Act>,
    in_app: bool,
}

impl Server {
    /// Creates a server of the newest version with a handshake. It has the tool `t`.
    pub(crate) fn new() -> Self {
        Self::of("2025-11-25")
    }

    /// Creates a stateless server.
    pub(crate) fn stateless() -> Self {
        Self::of("2026-07-28")
    }

    /// Creates a server of this version.
    pub(crate) fn of(version: &'static str) -> Self {
        let tool = json!({
            "name": "t",
            "description": "Does what nobody else here does.",
            "inputSchema": { "type": "object" },
        });
        Self {
            version,
            capabilities: json!({ "tools": {} }),
            answers: HashMap::new(),
            acts: Vec::new(),
            in_app: false,
        }
        .on("tools/list", result(json!({ "tools": [tool] })))
        .on("tools/call", events([DONE]))
        .declares(json!({ "tools": {} }))
    }

    /// Declares these capabilities and no others.
    pub(crate) fn declares(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Sets the response to a method: an HTTP method, a notification or a request.
    pub(crate) fn on(mut self, method: &str, answer: Answer) -> Self {
        self.answers.insert(method.to_owned(), vec![answer]);
        self
    }

    /// Sets the responses to successive requests of a method; the last one is repeated.
    pub(crate) fn on_each(mut self, method: &str, answers: Vec<Answer>) -> Self {
        self.answers.insert(method.to_owned(), answers);
        self
    }

    /// Adds an action of the user.
    pub(crate) fn then(mut self, act: Act) -> Self {
        self.acts.push(act);
        self
    }

    /// Adds a call of the tool `t`.
    pub(crate) fn called(self) -> Self {
        self.then(Act::Run(OperationInput::tool("t", None)))
    }

    /// Puts the server into the list of the app.
    pub(crate) fn in_app(mut self) -> Self {
        self.in_app = true;
        self
    }

    fn reply(&self, seen: &Mutex<HashMap<String, usize>>, request: &Request) -> Reply {
        let message: Value = serde_json::from_str(&request.body).unwrap_or_default();
        let is_response = request.method == "POST" && message["method"].is_null();
        let method = match message["method"].as_str() {
            Some(method) => method,
            None if is_response => "a response",
            None => request.method.as_str(),
        };
        let stateless = request.header("Mcp-Method").is_some();
        let asked = Asked {
            request,
            id: request.id().unwrap_or_else(|| "null".to_owned()),
            token: message["params"]["_meta"]["progressToken"].to_string(),
            stateless,
            is_cacheable: method.ends_with("/list")
                || matches!(method, "resources/read" | "server/discover"),
        };
        if let Some(answers) = self.answers.get(method) {
            let mut seen = seen.lock().unwrap();
            let count = seen.entry(method.to_owned()).or_default();
            let answer = answers[(*count).min(answers.len() - 1)].clone();
            *count += 1;
            drop(seen);
            return answer(&asked);
        }
        let info = json!({ "name": "played", "version": "1.2.3" });
        match method {
            "GET" => Reply::status(405).body(""),
            "DELETE" => Reply::status(200).body(""),
            "initialize" => Reply::json(asked.result(&json!({
                "protocolVersion": self.version,
                "capabilities": self.capabilities,
                "serverInfo": info,
            }))),
            "server/discover" => Reply::json(asked.result(&json!({
                "supportedVersions": [self.version],
                "capabilities": self.capabilities,
                "_meta": { "io.modelcontextprotocol/serverInfo": info },
            }))),
            "ping" => Reply::json(asked.result(&json!({}))),
            _ if is_response || message["id"].is_null() => Reply::accepted(),
            _ => refusal(-32_601, "Method not found")(&asked),
        }
    }

    /// Plays the server. `broken` is the rule that it breaks.
    pub(crate) fn play(self, broken: Option<&'static str>) -> Play {
        Box::pin(async move {
            let protocol = match self.version {
                "2026-07-28" => ProtocolMode::Stateless,
                _ => ProtocolMode::Handshake,
            };
            let (acts, in_app) = (self.acts.clone(), self.in_app);
            let seen = Mutex::default();
            let peer = HttpPeer::start(move |request| self.reply(&seen, request)).await;
            play(Playing {
                transport: http(peer.url()),
                protocol,
                acts,
                in_app,
                broken,
            })
            .await
        })
    }
}

/// Returns the definition of a tool without faults.
pub(crate) fn plain() -> Value {
    json!({
        "name": "harbour",
        "description": "Says which ships are in.",
        "inputSchema": { "type": "object", "properties": {} },
    })
}

/// Creates a server with this list of tools.
pub(crate) fn listing(tools: Vec<Value>) -> Server {
    Server::new().on("tools/list", result(json!({ "tools": tools })))
}

/// Creates a server with a tool that has these members; `null` removes one.
pub(crate) fn tool(members: Value) -> Server {
    listing(vec![with(&plain(), members)])
}

/// Creates a case of two servers.
pub(crate) fn case(rule: &'static str, broken: Server, sound: Server) -> Case {
    Case::new(rule, Server::play, broken, sound)
}

/// Creates a case of two values for the same kind of server.
pub(crate) fn of<T>(rule: &'static str, server: impl Fn(T) -> Server, broken: T, sound: T) -> Case {
    case(rule, server(broken), server(sound))
}

/// Rules that depend on what is put into a server: rows of a rule, what breaks it, and what does not.
pub(crate) fn each<T: DeserializeOwned>(server: impl Fn(T) -> Server, rows: Value) -> Vec<Case> {
    let rows: Vec<(String, T, T)> = serde_json::from_value(rows).unwrap();
    let case = |(name, broken, sound): (String, T, T)| of(rule(&name), &server, broken, sound);
    rows.into_iter().map(case).collect()
}

/// The id of a rule.
pub(crate) fn rule(name: &str) -> &'static str {
    let rule = rules::all().find(|rule| rule.id == name);
    rule.unwrap_or_else(|| panic!("there is no {name}")).id
}

/// Returns the object with these members added.
pub(crate) fn with(object: &Value, members: Value) -> Value {
    let mut all: Map<String, Value> = object.as_object().cloned().unwrap_or_default();
    if let Value::Object(members) = members {
        for (name, value) in members {
            match value {
                Value::Null => all.remove(&name),
                value => all.insert(name, value),
            };
        }
    }
    Value::Object(all)
}
