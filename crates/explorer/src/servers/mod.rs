//! The server list: what is in it, how it is saved, checked, imported and shown.

pub(crate) mod config;
mod entry;
mod list;
mod file;
mod check_sign_in;
mod check;
mod secret_names;
pub(crate) mod secret_slots;
mod preview;
pub(crate) mod network;
mod import;
mod commands;

pub(crate) use self::{
    config::{
        AuthConfig, ConfigValue, DpopMode, GrantConfig, HttpKind, NetworkConfig, ProtocolMode,
        ProxyConfig, ServerConfig, SignInConfig, Transport,
    },
    entry::{ServerEntry, address, fingerprint},
    file::{Loaded, load, to_bytes},
    list::ServerList,
    network::is_loopback,
    preview::{PathSource, working_folder},
    secret_slots::{env_secret, header_secret},
};
