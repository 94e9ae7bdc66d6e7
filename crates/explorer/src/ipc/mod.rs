//! What crosses to the window, defined once.
//!
//! Every type here has a TypeScript twin generated into `ui/src/ipc/bindings.ts`
//! (`cargo xtask bindings`; a test fails when the two differ). Secrets have no place in any of
//! these types except where the window hands one in ([`SecretInput::Set`]).

mod auth;
mod bindings;
mod operation;
mod catalog;
#[macro_use]
mod command_table;
mod commands;
mod configuration;
mod connection;
mod document;
mod error;
mod event;
mod secret;
mod server;
mod session;
mod settings;

pub use auth::{
    AuthDraft, AuthExchange, AuthProblem, AuthState, AuthStepState, AuthStepView, AuthView,
    ClientKind, DpopDraft, GrantDraft, GrantView, Kept, SignInDraft, SignInPrompt, StoredKind,
    StoredSecret, StoredSecrets,
};
pub use bindings::bindings;
pub use catalog::{
    CatalogChange, CatalogKind, CatalogRow, CatalogRows, CatalogView, DiffNames, DiffView,
    ToolDetail,
};
pub use commands::COMMANDS;
pub use connection::{
    AnswerInput, ConnectionView, DelayBy, DetectionView, EraView, FaultInput, MethodStats,
    ServerRequestView, StreamLine, StreamPurpose, StreamState, StreamView, TransportKind,
};
pub use document::DocumentSource;
pub use error::{ErrorCode, IpcError};
pub use event::{Batch, Notice, NoticeLevel, Snapshot, UiEvent};
pub use operation::{
    ContentKind, ContentView, Deadline, LogMessageView, LostCode, OperationInput, OperationState,
    OperationView, OutcomeView, ProgressView, StructuredView,
};
pub use secret::{SecretInput, ValueView};
pub use server::{
    CertificateFiles, CommandPreview, EnvVar, EraDraft, HeaderEntry, HttpKind, ImportCandidate,
    ImportPreview, NetworkDraft, ProxyDraft, ServerDraft, ServerView, TransportDraft,
};
pub use session::{
    CloseView, ConnectStep, Failure, ProcessView, ServerIdentity, SessionPhase, SessionView,
    StepState,
};
pub use settings::{AppReport, Settings, Theme};
pub use sonde_findings::{FindingView, Severity, SpecLink};
pub use sonde_record::document::{DocumentMode, DocumentRow, DocumentView, NodeKind, SearchHit};
pub use sonde_record::log::{
    LogCause, LogDetail, LogFilter, LogHeader, LogKind, LogRow, LogViewState,
};
pub use sonde_validation::ArgumentProblem;

/// Names a server entry. Opaque; never reused.
pub type ServerId = String;
/// Names an operation. Counts up over all servers while the app runs.
pub type OperationNumber = u64;
