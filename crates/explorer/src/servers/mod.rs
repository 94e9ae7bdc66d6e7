//! The server list: its entries, and how they are saved, checked, imported and exported.

mod declaration_presets;
mod muted_rules;
mod entry;
mod groups;
mod find;
mod list;
mod file;
mod check_sign_in;
mod check_state;
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
mod importing;
mod export;
mod editing;
mod ordering;

pub(crate) use self::{
    clients::LONGEST,
    editing::{FormerConfiguration, UNSAVED, preview_command},
    entry::{OtherFields, fingerprint},
    export::portable,
    file::{first_list, load, to_bytes},
    find::free_name,
    import::{
        has_secret,
        presentation::{PresentationFile, file_variables},
    },
    list::RemovedGroup,
    url_secrets::in_text as url_secrets,
};
use sonde_client::config;
pub use sonde_client::config::*;

pub use self::{
    declaration_presets::{DeclarationPreset, DeclarationPreview, HostFacts, declaration_presets},
    entry::ServerEntry,
    export::{ExportedServer, link_of},
    file::saved_list,
    find::places_of,
    groups::{ServerGroup, ServerGroupId},
    import::{
        ServerInText, ServersInText,
        presentation::{FileInput, FileStep, InputPreview, PreparedValue},
        servers_in,
    },
    importing::{
        Chosen, ImportCandidate, ImportPreview, InstalledConfiguration, PresentationPreview,
    },
    list::ServerList,
    muted_rules::MutedRule,
    preview::{CommandPreview, CommandVariable},
    secret_names::{SECRET_NAMES, looks_secret},
};
