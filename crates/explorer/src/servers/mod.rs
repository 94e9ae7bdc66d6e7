//! The server list: what is in it, how it is saved, checked, imported and shown.

mod entry;
mod list;
mod check;
mod secret_names;
pub(crate) mod secret_slots;
mod preview;
pub(crate) mod network;
mod import;
mod commands;

pub(crate) use self::{
    entry::{ServerEntry, address, fingerprint},
    list::{Loaded, ServerList, load},
    network::is_loopback,
    preview::{PathSource, working_folder},
    secret_slots::{env_secret, header_secret},
};
