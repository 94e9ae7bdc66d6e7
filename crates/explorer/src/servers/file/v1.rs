//! Version 1 of an entry of the file. Members that a later version of the app added are absent in older files; `null`
//! means absent.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sonde_auth::Secret;

use super::{
    declaration::Declaration, muted::Muted, v1_absent::or_default, v1_rules::Rules,
    v1_transport::Transport,
};
use crate::{
    files::same_variants,
    servers::{self, ServerEntry, config},
};

/// One server.
#[derive(Serialize, Deserialize)]
pub(super) struct Server {
    pub(super) id: String,
    name: String,
    transport: Transport,
    #[serde(default)]
    idle_seconds: Option<u32>,
    #[serde(default)]
    hard_seconds: Option<u32>,
    #[serde(default, deserialize_with = "or_default")]
    era: Protocol,
    #[serde(default)]
    stream_attempts: Option<u32>,
    /// Fingerprint of the command that the user has confirmed.
    #[serde(default)]
    confirmed: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    group: Option<String>,
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    roots: Vec<Root>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    log_level: Option<LogLevel>,
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "Rules::is_default"
    )]
    request_rules: Rules,
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "Declaration::is_default"
    )]
    declaration: Declaration,
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    muted_rules: Vec<Muted>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    other_fields: Option<OtherFields>,
}

/// A folder that a server may work in.
#[derive(Serialize, Deserialize)]
struct Root {
    folder: String,
    #[serde(default)]
    name: Option<String>,
}

/// A group of servers.
#[derive(Serialize, Deserialize)]
pub(super) struct Group {
    id: String,
    name: String,
    #[serde(default, deserialize_with = "or_default")]
    collapsed: bool,
}

impl From<Group> for servers::ServerGroup {
    fn from(group: Group) -> Self {
        let Group {
            id,
            name,
            collapsed,
        } = group;
        Self {
            id,
            name,
            collapsed,
        }
    }
}

impl From<&servers::ServerGroup> for Group {
    fn from(group: &servers::ServerGroup) -> Self {
        Self {
            id: group.id.clone(),
            name: group.name.clone(),
            collapsed: group.collapsed,
        }
    }
}

/// Fields that an import kept although Sonde has no setting for them.
#[derive(Serialize, Deserialize)]
struct OtherFields {
    container: String,
    fields: Map<String, Value>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Protocol {
    #[default]
    Automatic,
    Handshake,
    Stateless,
    Fixed {
        revision: String,
    },
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LogLevel {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
}

same_variants!(LogLevel, config::LogLevel: Debug, Info, Notice, Warning, Error, Critical, Alert, Emergency);

impl Server {
    /// Takes user name and password out of the proxy's address. Returns the password, and the address
    /// with it.
    pub(super) fn take_password(&mut self) -> Option<(Secret, Secret)> {
        self.transport.take_password()
    }

    /// Puts the address with the password back.
    pub(super) fn put_password_back(&mut self, written: &str) {
        self.transport.put_password_back(written);
    }
}

impl From<Server> for ServerEntry {
    fn from(server: Server) -> Self {
        Self {
            id: server.id,
            config: config::ServerConfig {
                name: server.name,
                transport: server.transport.into(),
                idle_seconds: server.idle_seconds,
                hard_seconds: server.hard_seconds,
                protocol: match server.era {
                    Protocol::Automatic => config::ProtocolMode::Automatic,
                    Protocol::Handshake => config::ProtocolMode::Handshake,
                    Protocol::Stateless => config::ProtocolMode::Stateless,
                    Protocol::Fixed { revision } => config::ProtocolMode::Fixed { revision },
                },
                stream_attempts: server.stream_attempts,
                roots: server
                    .roots
                    .into_iter()
                    .map(|Root { folder, name }| servers::RootFolder { folder, name })
                    .collect(),
                request_rules: server.request_rules.into(),
                declaration: server.declaration.into(),
            },
            group: server.group,
            log_level: server.log_level.map(Into::into),
            muted_rules: server.muted_rules.into_iter().map(Into::into).collect(),
            confirmed: server.confirmed,
            other_fields: server.other_fields.map(|other| servers::OtherFields {
                container: other.container,
                fields: other.fields,
            }),
        }
    }
}

impl From<&ServerEntry> for Server {
    fn from(entry: &ServerEntry) -> Self {
        let config = entry.config.clone();
        Self {
            id: entry.id.clone(),
            name: config.name,
            transport: config.transport.into(),
            idle_seconds: config.idle_seconds,
            hard_seconds: config.hard_seconds,
            era: match config.protocol {
                config::ProtocolMode::Automatic => Protocol::Automatic,
                config::ProtocolMode::Handshake => Protocol::Handshake,
                config::ProtocolMode::Stateless => Protocol::Stateless,
                config::ProtocolMode::Fixed { revision } => Protocol::Fixed { revision },
            },
            stream_attempts: config.stream_attempts,
            roots: config
                .roots
                .into_iter()
                .map(|servers::RootFolder { folder, name }| Root { folder, name })
                .collect(),
            request_rules: config.request_rules.into(),
            declaration: config.declaration.into(),
            confirmed: entry.confirmed.clone(),
            group: entry.group.clone(),
            log_level: entry.log_level.map(Into::into),
            muted_rules: entry.muted_rules.iter().cloned().map(Into::into).collect(),
            other_fields: entry.other_fields.clone().map(|other| OtherFields {
                container: other.container,
                fields: other.fields,
            }),
        }
    }
}
