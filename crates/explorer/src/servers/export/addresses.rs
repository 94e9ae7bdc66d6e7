//! Command or URL of a server, with its variables or headers, as each client writes it.

use serde_json::{Value, json};

use super::{
    Writer,
    secrets::{is_left_out, name_of, variable},
};
use crate::servers::{
    clients::Client,
    config::{ConfigValue, NamedValue},
    inputs_in,
};

impl Writer {
    pub(super) fn command(
        &mut self,
        command: &str,
        args: &[String],
        env: &[NamedValue],
        cwd: Option<&str>,
    ) -> Value {
        let command = self.text(command, false);
        let args: Vec<_> = args.iter().map(|arg| self.text(arg, false)).collect();
        let mut server = match self.client {
            Client::OpenCode => {
                let words: Vec<_> = std::iter::once(command).chain(args).collect();
                json!({ "type": "local", "command": words })
            }
            Client::Goose => json!({ "type": "stdio", "cmd": command, "args": args }),
            Client::ClaudeCode | Client::VsCode | Client::Cline => {
                json!({ "type": "stdio", "command": command, "args": args })
            }
            _ => json!({ "command": command, "args": args }),
        };
        let (own, passed): (Vec<_>, Vec<_>) = match self.client {
            Client::Codex | Client::Goose => env.iter().cloned().partition(|one| !is_left_out(one)),
            _ => (env.to_vec(), Vec::new()),
        };
        let own = self.named(&own, false);
        let passed: Vec<_> = passed.into_iter().map(|one| one.name).collect();
        self.asked.extend(passed.iter().cloned());
        let (values, names) = match self.client {
            Client::OpenCode => ("environment", ""),
            Client::Goose => ("envs", "env_keys"),
            _ => ("env", "env_vars"),
        };
        if !own.is_empty() {
            server[values] = own.into();
        }
        if !passed.is_empty() {
            server[names] = passed.into();
        }
        match (self.client, cwd) {
            (_, None) => {}
            (
                Client::VsCode
                | Client::GeminiCli
                | Client::Codex
                | Client::OpenCode
                | Client::Sonde,
                Some(cwd),
            ) => {
                server["cwd"] = self.text(cwd, false).into();
            }
            (_, Some(_)) => self
                .notes
                .push("The working directory is not part of it.".to_owned()),
        }
        server
    }

    pub(super) fn remote(&mut self, url: &str, headers: &[NamedValue], sse: bool) -> Value {
        let url = self.url(url);
        let mut server = match self.client {
            Client::ClaudeCode | Client::VsCode => {
                json!({ "type": if sse { "sse" } else { "http" }, "url": url })
            }
            Client::Sonde if sse => json!({ "url": url, "kind": "sse" }),
            Client::Cline => {
                json!({ "type": if sse { "sse" } else { "streamableHttp" }, "url": url })
            }
            Client::Windsurf => json!({ "serverUrl": url }),
            Client::GeminiCli if !sse => json!({ "httpUrl": url }),
            Client::Goose => {
                json!({ "type": if sse { "sse" } else { "streamable_http" }, "uri": url })
            }
            Client::OpenCode => json!({ "type": "remote", "url": url }),
            _ => json!({ "url": url }),
        };
        if self.client == Client::Codex {
            if sse {
                self.notes
                    .push("Codex does not connect over HTTP+SSE.".to_owned());
            }
            self.codex_headers(headers, &mut server);
        } else if !headers.is_empty() {
            server["headers"] = self.named(headers, true).into();
            if self.client == Client::Goose && !self.asked.is_empty() {
                server["env_keys"] = self.asked.iter().cloned().collect();
            }
        }
        server
    }

    /// Codex names the variables of headers apart from the headers that have their values there.
    fn codex_headers(&mut self, headers: &[NamedValue], server: &mut Value) {
        for NamedValue { name, value } in headers {
            let bearer = match value {
                ConfigValue::Plain(text) => text
                    .strip_prefix("Bearer ")
                    .filter(|rest| inputs_in(rest) == [*rest]),
                ConfigValue::Secret(_) => None,
            };
            match (value, bearer) {
                (_, Some(input)) if name.eq_ignore_ascii_case("authorization") => {
                    let name = variable(name_of(input));
                    server["bearer_token_env_var"] = name.as_str().into();
                    self.asked.insert(name);
                }
                (ConfigValue::Secret(_), _) => {
                    let variable = variable(name);
                    server["env_http_headers"][name] = variable.as_str().into();
                    self.asked.insert(variable);
                }
                (ConfigValue::Plain(text), _) => {
                    server["http_headers"][name] = self.text(text, true).into();
                }
            }
        }
    }
}
