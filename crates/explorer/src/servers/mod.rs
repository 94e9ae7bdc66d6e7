//! The server list: what is in it, how it is saved, checked, imported and shown.

pub mod secret_slots;
mod roots;
mod request_rules;
mod declaration;
mod config;
mod server_input;
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
mod inputs;
mod steering;
mod quote;
mod runner;
mod network_path;
mod launch;
mod preview;
mod split_command;
pub(crate) mod network;
mod clients;
mod import;
mod import_commands;
mod export;
mod commands;
mod group_commands;

pub(crate) use self::{
    clients::LONGEST,
    commands::{FormerConfiguration, UNSAVED},
    entry::{OtherFields, fingerprint},
    export::portable,
    file::{Loaded, load, to_bytes},
    group_commands::NO_GROUP,
    import::{
        has_secret,
        presentation::{FileInput, FileStep, PresentationFile},
    },
    launch::{Launch, MissingSecret, launch, working_folder},
    list::RemovedGroup,
    network::is_loopback,
    roots::told as told_roots,
    runner::may_download,
    url_secrets::in_text as url_secrets,
};
pub use sonde_auth::Dpop as DpopMode;
pub use sonde_mcp::LogLevel;

pub use self::{
    config::{
        AuthConfig, CertificateFiles, ConfigValue, GrantConfig, HttpKind, InKeyring, NamedValue,
        NetworkConfig, ProtocolMode, ProxyConfig, SecretInput, ServerConfig, SignInConfig,
        Transport,
    },
    declaration::{
        Declaration, ElicitationDeclaration, ExtensionDeclaration, RootsDeclaration,
        SamplingDeclaration,
    },
    declaration_presets::{DeclarationPreset, DeclarationPreview, HostFacts, declaration_presets},
    entry::{ServerEntry, address},
    export::Exported,
    groups::{ServerGroup, ServerGroupId},
    import_commands::{
        Chosen, ImportCandidate, ImportPreview, InputPreview, InstalledConfiguration,
        PreparedValue, PresentationPreview, StepPreview,
    },
    inputs::missing_inputs,
    list::ServerList,
    muted_rules::MutedRule,
    preview::{CommandPreview, CommandVariable},
    request_rules::{RequestRule, RequestRules, RootsRule, RuleAction},
    roots::RootFolder,
    secret_names::SECRET_NAMES,
    secret_slots::{SecretInputs, arg_secret, env_secret, header_secret, secrets_in},
    server_input::{ServerInput, secret_names},
};

/// Names a server entry. Opaque; never reused.
pub type ServerId = String;
