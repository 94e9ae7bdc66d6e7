//! One server of the list.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use sonde_client::canonical::hex;
use sonde_mcp::LogLevel;

use super::{
    ConfigValue, ServerConfig, ServerId, Transport, groups::ServerGroupId, muted_rules::MutedRule,
    steering,
};
use crate::Error;

/// One server of the list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ServerEntry {
    /// Id of the server.
    pub id: ServerId,
    /// Transport and settings.
    #[serde(flatten)]
    pub config: ServerConfig,
    /// Group of the server.
    #[serde(default)]
    pub group: Option<ServerGroupId>,
    /// The least severe log messages that it is asked for; `None` leaves it to the server, and asks a
    /// stateless one for all.
    #[serde(default)]
    pub log_level: Option<LogLevel>,
    /// The rules whose findings neither count nor mark it, in the order in which they were muted.
    #[serde(default)]
    pub muted_rules: Vec<MutedRule>,
    /// Fingerprint of the command that the user has confirmed. It matches no command if a confirmed part has changed
    /// that the fingerprint does not cover.
    #[serde(default)]
    pub(crate) confirmed: Option<String>,
    /// Further fields of the configuration that it was imported from.
    #[serde(default)]
    pub(crate) other_fields: Option<OtherFields>,
}

/// Fields of a server in the configuration of another client for which Sonde has no setting. They hold no
/// secrets, and go back into an export for such a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OtherFields {
    /// Name of the list of servers in that configuration.
    pub(crate) container: String,
    /// At most 16 KiB as JSON.
    pub(crate) fields: Map<String, Value>,
}

impl ServerEntry {
    /// The ids of the rules that are muted.
    pub(crate) fn muted(&self) -> Vec<String> {
        self.muted_rules
            .iter()
            .map(|one| one.rule.clone())
            .collect()
    }

    /// Creates a server with a new id.
    #[must_use]
    pub fn new(config: ServerConfig) -> Self {
        Self {
            id: Self::new_id(),
            config,
            group: None,
            log_level: None,
            muted_rules: Vec::new(),
            confirmed: None,
            other_fields: None,
        }
    }

    pub(super) fn new_id() -> ServerId {
        uuid::Uuid::new_v4().to_string()
    }

    /// Requires another confirmation, but remembers that a command was confirmed.
    pub(crate) fn confirm_again(&mut self) {
        if let Some(confirmed) = &mut self.confirmed {
            confirmed.clear();
        }
    }

    /// True if the command may run: it needs no confirmation, or has it.
    pub fn is_confirmed(&self) -> bool {
        match fingerprint(&self.config.transport) {
            None => true,
            Some(fingerprint) => self.confirmed.as_deref() == Some(&fingerprint),
        }
    }

    /// Refuses a command that must not run yet.
    pub(crate) fn check_confirmed(&self) -> Result<(), Error> {
        match self.is_confirmed() {
            true => Ok(()),
            false => Err(Error::NotConfirmed { changed: false }),
        }
    }
}

/// Identifies exactly this command: program, arguments, environment and folder. Values of secrets are left out, since
/// the fingerprint is in a file. If a secret decides what runs, the fingerprint is of a separate kind, because that
/// value is shown for confirmation. `None` if no confirmation is needed.
pub(crate) fn fingerprint(transport: &Transport) -> Option<String> {
    let Transport::Stdio {
        command,
        args,
        env,
        cwd,
    } = transport
    else {
        return None;
    };
    let env: Vec<_> = env
        .iter()
        .map(|var| match &var.value {
            ConfigValue::Plain(value) => json!([var.name, value]),
            ConfigValue::Secret(_) if steering::effect(&var.name).is_some() => {
                json!([var.name, null])
            }
            ConfigValue::Secret(_) => json!([var.name]),
        })
        .collect();
    let text = json!([command, args, env, cwd]).to_string();
    Some(hex(&Sha256::digest(text.as_bytes())[..16]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::servers::NamedValue;

    fn stdio(args: &[&str]) -> Transport {
        Transport::Stdio {
            command: "npx".to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
            env: vec![NamedValue {
                name: "TOKEN".to_owned(),
                value: ConfigValue::SECRET,
            }],
            cwd: None,
        }
    }

    #[test]
    fn the_fingerprint_follows_every_part_of_the_command() {
        let base = fingerprint(&stdio(&["a b"])).unwrap();
        assert_ne!(base, fingerprint(&stdio(&["a", "b"])).unwrap());
        let Transport::Stdio {
            command,
            args,
            mut env,
            ..
        } = stdio(&["a b"])
        else {
            unreachable!()
        };
        let moved = Transport::Stdio {
            command: command.clone(),
            args: args.clone(),
            env: env.clone(),
            cwd: Some("/".to_owned()),
        };
        assert_ne!(base, fingerprint(&moved).unwrap());
        env[0].value = ConfigValue::Plain(String::new());
        let plain = Transport::Stdio {
            command,
            args,
            env,
            cwd: None,
        };
        assert_ne!(base, fingerprint(&plain).unwrap());
        assert_eq!(fingerprint(&Transport::Demo { http: true }), None);
    }
}
