//! Interface between the explorer and its window, defined once: views of its state, the events that
//! carry them, the commands, and the TypeScript twin of it all in `ui/src/ipc/bindings.ts`
//! (`cargo xtask bindings`; a test fails when the two differ).
//!
//! [`Backend`] is what a window talks to. Secrets have no place in any of these types except where
//! the window hands one in ([`SecretInput::Set`]).

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
pub use catalog::{
    CatalogRow, CatalogView, DiffNames, DiffView, ListedItem, PromptDetail, ResourceRow, Rows,
    ToolDetail,
};
pub use commands::{AppReport, COMMANDS};
pub use connection::ConnectionView;
pub use error::{ErrorCode, IpcError};
pub use event::{Batch, ServerGroupView, ServerOrder, Snapshot, UiEvent};
pub use hosts::{
    HostCell, HostFilter, HostReason, HostRow, HostStatement, HostSummary, HostTotals, HostView,
    ListCost, TableText, ToolCost,
};
pub use item_extras::ItemExtras;
pub use operation::OperationView;
pub use presentation::{ExportedPresentation, SavedInputs};
pub use resource::{
    ExpandedTemplate, ResourceDetail, ResourceSubscriptionsView, TemplateInput, TemplateView,
};
pub use server::{ExportedServer, ServerView};
pub use session::SessionView;
pub use skill::{SkillDetail, SkillField, SkillFileView};
pub use sonde_explorer::{
    apps::{AppDomains, AppEntry, OpenedApp, UNRESPONSIVE},
    auth::{
        AuthExchange, AuthProblem, AuthState, AuthStatus, AuthStep, AuthStepState, ClientKind,
        Grant, IssuerConfirmation, Kept, SignInPrompt, StoredKind, StoredSecret, StoredSecrets,
    },
    baselines::{DefinitionChange, DefinitionChanges, DefinitionSubject, MemberChange, MemberText},
    catalogs::{CatalogChange, CatalogKind},
    checks::{
        Check, CheckCase, CheckChoice, CheckComparison, CheckFailure, CheckId, CheckOutcome,
        CheckProblem, CheckResult, CheckRun, CheckState, CheckSuite, CheckTotals, CheckedResult,
        Checks, ListChangeClass, ListComparison, ListMoment, ListSide, ListedChange, NewCheck,
    },
    completions::{Completion, CompletionArgument, CompletionReference},
    deletions::DeletionNumber,
    diagnosis::{
        Diagnosis, DiagnosisState, DiagnosisStep, DiagnosisStepCode, ReportFormat, StepOutcome,
    },
    icons::{IconPicture, ShownIcon, ShownIcons},
    issues::{
        IssueCase, IssueCounts, IssueFilter, IssueList, IssueRule, IssueSubject, Judged, JudgedList,
    },
    notices::{Notice, NoticeLevel},
    operations::{
        AnswerKind, AnsweredRequest, AnsweringRule, AppEnd, ArgumentCheck, AskedPage, ContentBlock,
        ContentDetails, ContentKind, Deadline, DocumentSource, EarlierRun, LedBy, LoggedMessage,
        LostCode, OperationInput, OperationLabel, OperationNumber, OperationOutcome,
        OperationProgress, OperationState, ProgressRate, PromptMessage, PromptResult,
        StructuredContent, TaskChange, TaskInput, TaskRun, TaskSource, TaskStatus, TaskStep,
    },
    presentations::{ImportedPresentation, Presentation, PresentationStep, StepInput},
    resource_subscriptions::{ResourceSubscription, SubscriptionState},
    saved_inputs::SavedInput,
    servers::{
        AuthConfig, CertificateFiles, Chosen, CommandPreview, CommandVariable, ConfigValue,
        Declaration, DeclarationPreset, DeclarationPreview, DpopMode, ElicitationDeclaration,
        ExtensionDeclaration, FieldProblem, FileStep, GrantConfig, HostFacts, HttpKind,
        ImportCandidate, ImportPreview, InputPreview, InstalledConfiguration, LogLevel, NamedValue,
        NetworkConfig, PreparedValue, PresentationPreview, ProtocolMode, ProxyConfig, RequestRule,
        RequestRules, RootFolder, RootsDeclaration, RootsRule, RuleAction, SamplingDeclaration,
        SecretInput, ServerConfig, ServerField, ServerGroup, ServerId, SignInConfig, Transport,
    },
    sessions::{
        AnswerInput, ConnectStep, Detection, Failure, HealthCode, HealthLevel, HealthProblem,
        MethodStats, OpenServerRequest, RootsAnswer, RoundTrip, SentRoot, ServerIdentity,
        ServerProcess, SessionPhase, StepState, StreamLine, StreamPurpose, StreamState,
        StreamStatus, TransportEnd, TransportKind,
    },
    settings::{HistoryLimits, LastShown, Settings, TextSize, Theme},
    task_list::{ListedTask, TaskList},
};
pub use sonde_findings::{Certainty, FindingView, RuleGroup, Severity, SpecLink};
pub use sonde_lint::{
    Verdict,
    hosts::{Evidence, HostKind, Source as HostSource},
};
pub use sonde_mcp::{
    DelaySource, Era, Fault, PromptArgument, TaskSupport, TemplateValue, TemplateVariable, ToolApp,
};
pub use sonde_record::{
    document::{DocumentMode, DocumentRow, DocumentView, NodeKind, SearchHit},
    log::{
        LogCause, LogDetail, LogFilter, LogGroup, LogHeader, LogKind, LogNoResponse, LogRow,
        LogViewState,
    },
};
pub use sonde_validation::ArgumentProblem;
pub use task_list::TaskListView;

/// A configuration as the form hands it in, with the secrets that were typed.
pub type ServerDraft = ServerConfig<SecretInput>;
/// The transport of a [`ServerDraft`].
pub type TransportDraft = Transport<SecretInput>;
