use serde::{Deserialize, Serialize};
use sonde_explorer::servers::{
    self, LogLevel, PresentationPreview, ServerConfig, ServerEntry, ServerId,
};
use ts_rs::TS;

/// A server in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ServerView {
    /// Names it.
    pub id: ServerId,
    /// Its configuration, secrets left out.
    pub config: ServerConfig,
    /// One line that says how it is reached: the command line or the URL.
    pub address: String,
    /// The user has confirmed the command in its present form (always true for HTTP and demo).
    pub confirmed: bool,
    /// The least severe log messages that it is asked for; `None` means the default.
    pub log_level: Option<LogLevel>,
    /// Names of secrets (`env:NAME`, `header:NAME`, `auth:NAME`) that are in memory only, since the keyring
    /// could not take them.
    pub unsaved_secrets: Vec<String>,
    /// Inputs that its configuration, written for another client, needs before it can be connected, as written
    /// there: `${input:NAME}`, `${env:NAME}`.
    pub missing_inputs: Vec<String>,
}

/// The exact command, to be shown whole before it runs for the first time.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct CommandPreview {
    /// Confirms exactly this command; handed back with `connect`.
    pub fingerprint: String,
    /// The program file that will run; `None` when it was not found.
    pub program: Option<String>,
    /// Program as configured, then the arguments.
    pub argv: Vec<String>,
    /// Placeholders of secrets in the arguments (`${secret:NAME}`), each once. `reveal_variable` accepts them
    /// as names.
    pub secret_arguments: Vec<String>,
    /// The variables that are set beside the inherited ones.
    pub env: Vec<CommandVariable>,
    /// The names of the variables that it inherits beside PATH, in order, but those that are set.
    pub inherited: Vec<String>,
    /// Secrets among them can be asked for with `reveal_variable`: no command of this server was
    /// ever confirmed.
    pub revealable: bool,
    /// Its working directory.
    pub cwd: String,
    /// The PATH it gets.
    pub path: String,
    /// Origin of that PATH, as a plain sentence.
    pub path_source: String,
    /// Remarkable parts of the command (a shell, a download-and-run tool), as plain sentences.
    pub warnings: Vec<String>,
}

/// A variable that a command gets.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct CommandVariable {
    /// Its name.
    pub name: String,
    /// Its value; `None` for a secret, except for a variable that decides what runs.
    pub value: Option<String>,
    /// Its influence on the program that runs, one plain sentence.
    pub effect: Option<String>,
}

/// One server found in a text.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ImportCandidate {
    /// The configuration; values that look like secrets are marked as such. When it is imported
    /// unchanged, the secrets come with it.
    pub draft: ServerConfig,
    /// Remarks and omissions, as plain sentences.
    pub remarks: Vec<String>,
    /// A server with the same command or URL already exists.
    pub duplicate_of: Option<ServerId>,
}

/// A configuration file of another client.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct InstalledConfiguration {
    /// The client's name.
    pub client: String,
    /// Path of the file.
    pub path: String,
    /// Names exactly this content; handed back with `import_installed`.
    pub fingerprint: String,
    /// Its content, if it could be read.
    pub preview: Option<ImportPreview>,
    /// Reason why it could not be read, one plain sentence.
    pub problem: Option<String>,
}

/// A server in the configuration of another client.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ExportedServer {
    /// Names the client; handed back with `save_export`.
    pub client: String,
    /// The client's name.
    pub name: String,
    /// Text for the client's file; `None` if the client cannot have this server.
    pub text: Option<String>,
    /// Reason why it cannot, one plain sentence.
    pub problem: Option<String>,
    /// Remaining steps and omissions, as plain sentences.
    pub notes: Vec<String>,
}

/// Content of a text to import.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
pub struct ImportPreview {
    /// Kind of the text, in a few words.
    pub recognized: String,
    /// The servers in it, in order.
    pub candidates: Vec<ImportCandidate>,
    /// Entries that could not be understood, as plain sentences with the entry's name.
    pub problems: Vec<String>,
    /// The presentation that the servers are for, where the text is one; `import_presentation` adds it.
    pub presentation: Option<PresentationPreview>,
    /// The text with dots in the place of its secrets; `None` where it has none that stand in it as they are.
    pub masked: Option<String>,
}

impl ServerView {
    /// `unsaved_secrets` are names of secrets that are in memory only.
    pub(crate) fn new(entry: &ServerEntry, unsaved_secrets: Vec<String>) -> Self {
        Self {
            id: entry.id.clone(),
            config: entry.config.clone(),
            address: servers::address(&entry.config.transport),
            confirmed: entry.is_confirmed(),
            log_level: entry.log_level,
            unsaved_secrets,
            missing_inputs: servers::missing_inputs(&entry.config.transport),
        }
    }
}

impl From<servers::CommandPreview> for CommandPreview {
    fn from(preview: servers::CommandPreview) -> Self {
        Self {
            fingerprint: preview.fingerprint,
            program: preview.program,
            argv: preview.argv,
            secret_arguments: preview.secret_arguments,
            env: preview
                .env
                .into_iter()
                .map(|variable| CommandVariable {
                    name: variable.name,
                    value: variable.value,
                    effect: variable.effect.map(str::to_owned),
                })
                .collect(),
            inherited: preview.inherited,
            revealable: preview.revealable,
            cwd: preview.cwd,
            path: preview.path,
            path_source: preview.path_source,
            warnings: preview.warnings,
        }
    }
}

impl From<servers::ImportPreview> for ImportPreview {
    fn from(preview: servers::ImportPreview) -> Self {
        let candidates = preview.candidates.into_iter();
        Self {
            candidates: candidates
                .map(|candidate| ImportCandidate {
                    draft: candidate.config,
                    remarks: candidate.remarks,
                    duplicate_of: candidate.duplicate_of,
                })
                .collect(),
            recognized: preview.recognized.to_owned(),
            problems: preview.problems,
            presentation: preview.presentation,
            masked: preview.masked,
        }
    }
}

impl From<servers::InstalledConfiguration> for InstalledConfiguration {
    fn from(found: servers::InstalledConfiguration) -> Self {
        let (preview, problem) = match found.preview {
            Ok(preview) => (Some(preview.into()), None),
            Err(problem) => (None, Some(problem)),
        };
        Self {
            client: found.client.to_owned(),
            path: found.path,
            fingerprint: found.fingerprint,
            preview,
            problem,
        }
    }
}

impl From<servers::Exported> for ExportedServer {
    fn from(exported: servers::Exported) -> Self {
        let (text, problem) = match exported.text {
            Ok(text) => (Some(text), None),
            Err(problem) => (None, Some(problem.to_owned())),
        };
        Self {
            client: exported.client.to_owned(),
            name: exported.name.to_owned(),
            text,
            problem,
            notes: exported.notes,
        }
    }
}
