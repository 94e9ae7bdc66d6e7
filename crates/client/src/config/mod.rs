//! Configuration of a server: its transport and settings, and the connect parameters derived from them.

pub mod secret_slots;
mod field_problem;
mod roots;
mod request_rules;
mod declaration;
mod server_config;
mod server_input;
mod inputs;
mod runner;
mod launch;
pub mod network;

pub use sonde_auth::{Dpop as DpopMode, SecretInput};
pub use sonde_mcp::{ElicitationCapability, LogLevel, SamplingCapability};

pub use self::{
    declaration::{Declaration, ExtensionDeclaration, NOTHING, RootsDeclaration, SONDE},
    field_problem::{FieldProblem, ServerField, trim},
    inputs::{inputs_in, missing_inputs},
    launch::{Launch, MissingSecret, launch, path_of, working_folder},
    network::is_loopback,
    request_rules::{RequestRule, RequestRules, RootsRule, RuleAction},
    roots::{NotARoot, RootFolder, declared_roots},
    runner::{Run, may_download, read as read_command, stem},
    secret_slots::{SecretInputs, arg_place, arg_secret, env_secret, header_secret, secrets_in},
    server_config::{
        AuthConfig, CertificateFiles, ConfigValue, GrantConfig, HttpKind, InKeyring, NamedValue,
        NetworkConfig, ProtocolMode, ProxyConfig, ServerConfig, SignInConfig, Transport, address,
    },
    server_input::{ServerInput, secret_names},
};

/// Names a server. Opaque; never reused.
pub type ServerId = String;
