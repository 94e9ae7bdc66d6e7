//! Secrets and inputs that are left out of an export, and the placeholders in their place.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::Writer;
use crate::servers::{
    clients::Client,
    config::{ConfigValue, NamedValue, Transport},
    import::secret_args,
    inputs_in,
    secret_names::{is_placeholder, looks_secret},
    secret_slots::{SecretInputs, arg_place, arg_secret, secrets_in},
    steering,
    url_secrets::{UrlSecret, in_text, in_url},
};

/// Returns the text before and after the name of a variable that a client replaces with its value (VS Code: with the
/// user's input); `None` if the client replaces nothing. `header` is set for the value of a header.
fn replaced(client: Client, header: bool) -> Option<(&'static str, &'static str)> {
    match client {
        // https://modelcontextprotocol.io/docs/develop/connect-local-servers names nothing.
        Client::ClaudeDesktop => None,
        // https://code.claude.com/docs/en/mcp: command, args, env, url, headers.
        Client::ClaudeCode => Some(("${", "}")),
        // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
        Client::VsCode => Some(("${input:", "}")),
        Client::Sonde => Some(("${secrets.", "}")),
        // https://cursor.com/docs/mcp: command, args, env, url, headers.
        Client::Cursor => Some(("${env:", "}")),
        // https://docs.windsurf.com/windsurf/cascade/mcp: command, args, env, serverUrl, url, headers.
        Client::Windsurf => Some(("${env:", "}")),
        // https://github.com/cline/cline/blob/main/src/utils/envExpansion.ts: every text.
        Client::Cline => Some(("${env:", "}")),
        // https://zed.dev/docs/ai/mcp names nothing.
        Client::Zed => None,
        // https://developers.openai.com/codex/mcp: nothing in texts; `env_vars`, `bearer_token_env_var` and
        // `env_http_headers` name variables.
        Client::Codex => None,
        // https://geminicli.com/docs/cli/configuration: every text, also without the braces.
        Client::GeminiCli => Some(("${", "}")),
        // https://github.com/aaif-goose/goose/pull/5439: headers, with what `env_keys` names.
        Client::Goose => header.then_some(("${", "}")),
        // https://opencode.ai/docs/config: every text.
        Client::OpenCode => Some(("{env:", "}")),
    }
}

impl Writer {
    /// Returns the placeholder of a value that is left out.
    pub(super) fn place(&mut self, name: &str, header: bool) -> String {
        let name = variable(name);
        let Some((before, behind)) = replaced(self.client, header) else {
            let place = format!("<{name}>");
            self.by_hand.insert(name);
            return place;
        };
        let place = format!("{before}{name}{behind}");
        self.asked.insert(name);
        place
    }

    /// Tells the user how to provide the values that are left out; `None` if there are none.
    pub(super) fn left_out(&self, client: &str) -> Option<String> {
        let list = |names: &BTreeSet<String>| {
            let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        };
        let mut note = "Secrets are not part of it.".to_owned();
        if !self.of_urls.is_empty() {
            note += &format!(" Left out of a URL: {}.", list(&self.of_urls));
        }
        if !self.by_hand.is_empty() {
            note += &format!(" Replace what stands for {}.", list(&self.by_hand));
        }
        if !self.asked.is_empty() {
            let names = list(&self.asked);
            note += &match self.client {
                Client::VsCode => format!(" VS Code asks for {names}."),
                Client::Sonde => format!(" Sonde asks for {names} where it is imported."),
                Client::Goose => {
                    format!(" Goose asks for {names}, or takes them from its environment.")
                }
                _ => format!(" {client} takes {names} from its environment."),
            };
        }
        (!self.by_hand.is_empty() || !self.asked.is_empty()).then_some(note)
    }

    /// Replaces placeholders of other clients or of Sonde with those of this client.
    pub(super) fn text(&mut self, text: &str, header: bool) -> String {
        self.filled(text, in_text(text), header)
    }

    /// Replaces placeholders and secrets in the URL of a server.
    pub(super) fn url(&mut self, url: &str) -> String {
        self.filled(url, in_url(url), false)
    }

    fn filled(&mut self, text: &str, left_out: Vec<UrlSecret>, header: bool) -> String {
        let mut written = text.to_owned();
        for UrlSecret { range, name } in left_out.into_iter().rev() {
            let place = self.place(&name, header);
            written.replace_range(range, &place);
            self.of_urls.insert(name);
        }
        for input in inputs_in(text) {
            let place = self.place(name_of(input), header);
            written = written.replace(input, &place);
        }
        for name in secrets_in(text) {
            let place = self.place(name, header);
            written = written.replace(&arg_place(name), &place);
        }
        written
    }

    pub(super) fn named(&mut self, values: &[NamedValue], header: bool) -> Map<String, Value> {
        let mut written = Map::new();
        for NamedValue { name, value } in values {
            let value = match value {
                ConfigValue::Plain(text) => self.text(text, header),
                ConfigValue::Secret(_) => self.place(name, header),
            };
            written.insert(name.clone(), value.into());
        }
        written
    }
}

/// Returns the transport with secrets in place of all values that an import would treat as secrets, even plain ones.
pub(super) fn set_apart(transport: &Transport) -> Transport {
    let mut transport = transport.clone();
    match &mut transport {
        Transport::Stdio {
            command, args, env, ..
        } => {
            let known = args.iter().flat_map(|arg| secrets_in(arg));
            let mut known: SecretInputs = known.map(|name| (arg_secret(name), None)).collect();
            secret_args::take(command, args, &mut known);
            hide(env, |name| steering::effect(name).is_none());
        }
        Transport::Http { headers, .. } => hide(headers, |_| true),
        Transport::Demo { .. } => {}
    }
    transport
}

fn hide(values: &mut [NamedValue], may_be: impl Fn(&str) -> bool) {
    for NamedValue { name, value } in values {
        if let ConfigValue::Plain(text) = value
            && may_be(name)
            && !is_placeholder(text)
            && looks_secret(name, text)
        {
            *value = ConfigValue::SECRET;
        }
    }
}

/// It is a secret, or nothing but the variable of its own name.
pub(super) fn is_left_out(one: &NamedValue) -> bool {
    match &one.value {
        ConfigValue::Secret(_) => true,
        ConfigValue::Plain(text) => ["input", "env"]
            .iter()
            .any(|kind| *text == format!("${{{kind}:{}}}", one.name)),
    }
}

/// The name in the placeholder of an input.
pub(super) fn name_of(input: &str) -> &str {
    let parts = input.trim_end_matches('}').split_once(':');
    parts.map_or("", |(_, name)| name)
}

/// A name as environment variables have them.
pub(super) fn variable(name: &str) -> String {
    let letter = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_uppercase()
        } else {
            '_'
        }
    };
    let name: String = name.chars().map(letter).collect();
    match name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() {
        true => format!("_{name}"),
        false => name,
    }
}
