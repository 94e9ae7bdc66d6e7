//! Problems of a configuration, each at a field of the form.

use serde::Serialize;
use ts_rs::TS;

/// Fields of a server's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum ServerField {
    Name,
    Command,
    Argument,
    VariableName,
    VariableValue,
    Cwd,
    Url,
    HeaderName,
    HeaderValue,
    Token,
    ClientId,
    ClientSecret,
    Issuer,
    MetadataUrl,
    Scopes,
    RedirectPort,
    Key,
    Algorithm,
    IdpTokenEndpoint,
    IdpClientId,
    IdToken,
    Assertion,
    ProtocolVersion,
    ProxyUrl,
    ProxyUser,
    CaFile,
    Certificate,
    CertificateKey,
    ConnectSeconds,
    StreamIdleSeconds,
    RootFolder,
    RootName,
    RequestRules,
    ClientName,
    ClientVersion,
    Preset,
    ExtensionName,
    ExtensionSettings,
    IdleSeconds,
    HardSeconds,
    StreamAttempts,
}

/// A problem that keeps a configuration from being saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct FieldProblem {
    /// Field with the problem.
    pub field: ServerField,
    /// Index of the row, for a field of a list.
    pub row: Option<usize>,
    /// One plain sentence with what to do.
    pub message: String,
}

impl ServerField {
    /// A problem of this field.
    pub fn problem(self, message: impl Into<String>) -> FieldProblem {
        FieldProblem {
            field: self,
            row: None,
            message: message.into(),
        }
    }

    /// A problem of this field in one row of its list.
    pub fn problem_in(self, row: usize, message: impl Into<String>) -> FieldProblem {
        FieldProblem {
            row: Some(row),
            ..self.problem(message)
        }
    }
}

/// Trims an optional text; an empty one becomes `None`.
pub fn trim(text: &mut Option<String>) {
    let trimmed = text.take().map(|typed| typed.trim().to_owned());
    *text = trimmed.filter(|typed| !typed.is_empty());
}
