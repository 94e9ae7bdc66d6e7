//! Signing in to servers: what the window sees of it, and the commands about it. The work itself is
//! `sonde-auth`'s.

mod settings;

mod exchange;
mod server_auth;
mod view;

mod commands;
mod stored;

pub(crate) use self::{
    server_auth::ServerAuths,
    settings::{SettingsError, settings},
};
