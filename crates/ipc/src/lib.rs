//! Interface between the explorer and its window, defined once: views of the state, the events that carry them, the
//! commands, and their TypeScript types in `ui/src/ipc/bindings.ts` (`cargo xtask bindings`; a test fails when they
//! differ).
//!
//! A window talks to [`Backend`]. None of these types holds secrets, except input of the window ([`SecretInput::Set`]).

mod server;
mod session;
mod task_list;
mod connection;
mod freshness;
mod item_extras;
mod catalog;
mod resource;
mod skill;
mod hosts;
mod operation;
mod presentation;
mod event;
mod error;
mod bus;
mod source;
mod backend;
mod commands;
mod bindings;

pub use backend::Backend;
pub use bindings::bindings;
pub use catalog::{CatalogRow, CatalogView, PromptDetail, Rows, ToolDetail};
pub use commands::{AppReport, COMMANDS};
pub use connection::ConnectionView;
pub use error::{ErrorCode, IpcError};
pub use event::{Batch, ServerGroupView, ServerOrder, UiEvent};
pub use hosts::{HostFilter, HostRow, HostSummary, HostView, TableText};
pub use operation::OperationView;
pub use presentation::{ExportedPresentation, SavedInputs};
pub use resource::{ExpandedTemplate, ResourceDetail, ResourceSubscriptionsView, TemplateInput};
pub use server::ServerView;
pub use session::SessionView;
pub use skill::SkillDetail;
pub use sonde_explorer::{
    apps::{AppDomains, AppEntry, OpenedApp, UNRESPONSIVE},
    auth::{
        AuthExchange, AuthState, AuthStatus, AuthStepState, Kept, StoredKind, StoredSecret,
        StoredSecrets,
    },
    baselines::{DefinitionChanges, DefinitionSubject, MemberText},
    catalogs::{CatalogChange, CatalogKind},
    checks::{
        Check, CheckChoice, CheckComparison, CheckId, CheckOutcome, CheckResult, CheckState,
        Checks, ListComparison, ListMoment, ListSide, NewCheck,
    },
    completions::{Completion, CompletionArgument, CompletionReference},
    deletions::DeletionNumber,
    diagnosis::{
        Diagnosis, DiagnosisState, DiagnosisStep, DiagnosisStepCode, ReportFormat, StepOutcome,
    },
    icons::IconPicture,
    issues::{IssueCounts, IssueFilter, IssueList, IssueSubject},
    notices::{Notice, NoticeLevel},
    operations::{
        AnswerKind, AnsweredRequest, AnsweringRule, AppEnd, ArgumentCheck, ContentBlock,
        ContentKind, DocumentSource, LoggedMessage, LostCode, OperationInput, OperationLabel,
        OperationNumber, OperationOutcome, OperationState, ProgressRate, TaskRun, TaskSource,
        TaskStatus,
    },
    presentations::{ImportedPresentation, Presentation, PresentationStep, StepInput},
    resource_subscriptions::{ResourceSubscription, SubscriptionState},
    saved_inputs::SavedInput,
    servers::{
        AuthConfig, Chosen, CommandPreview, CommandVariable, ConfigValue, Declaration,
        DeclarationPreview, ElicitationCapability, ExportedServer, ExtensionDeclaration,
        FieldProblem, HttpKind, ImportPreview, InstalledConfiguration, LogLevel, NamedValue,
        NetworkConfig, ProtocolMode, ProxyConfig, RequestRule, RequestRules, RootFolder, RootsRule,
        RuleAction, SecretInput, ServerConfig, ServerGroup, ServerId, SignInConfig, Transport,
    },
    sessions::{
        AnswerInput, Failure, HealthCode, HealthLevel, OpenServerRequest, RoundTrip, SessionPhase,
        StepState, TransportKind,
    },
    settings::{Settings, Theme},
    task_list::TaskList,
};
pub use sonde_findings::{FindingView, RuleGroup, Severity};
pub use sonde_lint::{Judgement, Verdict};
pub use sonde_mcp::{Era, Fault, TemplateValue};
pub use sonde_record::{
    document::{DocumentMode, DocumentRow, DocumentView, SearchHit},
    log::{LogCause, LogDetail, LogFilter, LogKind, LogNoResponse, LogRow, LogViewState},
};
pub use task_list::TaskListView;

/// A configuration as the form sends it, with the secrets that were typed.
pub type ServerDraft = ServerConfig<SecretInput>;
/// The transport of a [`ServerDraft`].
pub type TransportDraft = Transport<SecretInput>;
