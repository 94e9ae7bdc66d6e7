//! The server list: what is in it, how it is saved, checked, imported and shown.

mod declaration_presets;
mod muted_rules;
mod entry;
mod groups;
mod list;
mod file;
mod check_sign_in;
mod check;
mod secret_names;
mod url_secrets;
mod steering;
mod quote;
mod network_path;
mod preview;
mod split_command;
mod clients;
mod import;
mod import_commands;
mod export;
mod commands;
mod group_commands;

pub(crate) use self::{
    clients::LONGEST,
    commands::{FormerConfiguration, UNSAVED, preview_command},
    entry::{OtherFields, fingerprint},
    export::portable,
    file::{Loaded, load, to_bytes},
    group_commands::NO_GROUP,
    import::{
        has_secret,
        presentation::{FileInput, FileStep, PresentationFile},
    },
    list::RemovedGroup,
    url_secrets::in_text as url_secrets,
};
use sonde_client::config;
pub use sonde_client::config::*;

pub use self::{
    declaration_presets::{DeclarationPreset, DeclarationPreview, HostFacts, declaration_presets},
    entry::ServerEntry,
    export::Exported,
    groups::{ServerGroup, ServerGroupId},
    import_commands::{
        Chosen, ImportCandidate, ImportPreview, InputPreview, InstalledConfiguration,
        PreparedValue, PresentationPreview, StepPreview,
    },
    list::ServerList,
    muted_rules::MutedRule,
    preview::{CommandPreview, CommandVariable},
    secret_names::SECRET_NAMES,
};
