//! The TypeScript twin of this module.

use sonde_explorer::servers;
use sonde_mcp::Revision;
use ts_rs::{Config, TS};

use super::*;

/// The text of `ui/src/ipc/bindings.ts`.
#[must_use]
pub fn bindings() -> String {
    // Counters, times and sizes stay far below 2^53; JSON numbers of servers never travel as
    // TypeScript numbers but as text.
    let cfg = Config::new().with_large_int("number");
    let mut text =
        String::from("// Generated from crates/ipc by `cargo xtask bindings`. Do not edit.\n\n");
    macro_rules! export {
        ($($ty:ty),* $(,)?) => {
            $(
                if let Some(docs) = <$ty as TS>::docs() {
                    text.push_str(&docs);
                }
                text.push_str("export ");
                text.push_str(&<$ty as TS>::decl(&cfg));
                text.push_str("\n\n");
            )*
        };
    }
    text.push_str("export type ServerId = string;\nexport type OperationNumber = number;\n");
    text.push_str("export type DeletionNumber = number;\n\n");
    text.push_str(&protocol_versions());
    export!(
        ErrorCode,
        IpcError,
        SecretInput,
        ConfigValue,
        NamedValue,
        HttpKind,
        LogLevel,
        RootFolder,
        RuleAction,
        RequestRule,
        RootsRule,
        RequestRules,
        ProxyConfig,
        CertificateFiles,
        NetworkConfig,
        DpopMode,
        GrantConfig,
        SignInConfig,
        AuthConfig,
        Transport,
        ProtocolMode,
        RootsDeclaration,
        SamplingDeclaration,
        ElicitationDeclaration,
        ExtensionDeclaration,
        Declaration,
        HostFacts,
        DeclarationPreset,
        DeclarationPreview,
        ServerConfig,
        ServerField,
        FieldProblem,
        ServerView,
        CommandPreview,
        CommandVariable,
        ImportCandidate,
        Chosen,
        PreparedValue,
        InputPreview,
        FileStep<InputPreview>,
        PresentationPreview,
        ImportedPresentation,
        ImportPreview,
        InstalledConfiguration,
        ExportedServer,
        SessionPhase,
        StepState,
        ConnectStep,
        Failure,
        ServerProcess,
        TransportEnd,
        IconPicture,
        ShownIcon,
        ShownIcons,
        ServerIdentity,
        SessionView,
        Era,
        SentRoot,
        RootsAnswer,
        TransportKind,
        Detection,
        StreamPurpose,
        StreamState,
        DelaySource,
        StreamStatus,
        StreamLine,
        HealthLevel,
        HealthCode,
        HealthProblem,
        MethodStats,
        RoundTrip,
        ConnectionView,
        Fault,
        AuthState,
        ClientKind,
        Kept,
        Grant,
        SignInPrompt,
        IssuerConfirmation,
        SpecLink,
        AuthProblem,
        AuthStepState,
        AuthStep,
        AuthExchange,
        AuthStatus,
        DiagnosisStepCode,
        StepOutcome,
        DiagnosisStep,
        DiagnosisState,
        Diagnosis,
        ReportFormat,
        CheckId,
        CheckProblem,
        CheckFailure,
        CheckState,
        CheckCase,
        CheckResult,
        Check,
        CheckSuite,
        CheckRun,
        CheckTotals,
        Checks,
        CheckChoice,
        CheckOutcome,
        CheckedResult,
        NewCheck,
        CheckComparison,
        ListMoment,
        ListSide,
        ListChangeClass,
        ListedChange,
        ListComparison,
        StoredKind,
        StoredSecret,
        StoredSecrets,
        AnswerKind,
        AnsweringRule,
        AnsweredRequest,
        AppEnd,
        AskedPage,
        OpenServerRequest,
        AnswerInput,
        CatalogKind,
        DiffNames,
        DiffView,
        CatalogView,
        CatalogChange,
        ResourceRow,
        CatalogRow,
        Rows<CatalogRow>,
        ItemExtras,
        TaskSupport,
        ToolApp,
        ToolDetail,
        TemplateVariable,
        TemplateView,
        ResourceDetail,
        SubscriptionState,
        ResourceSubscription,
        ResourceSubscriptionsView,
        ListedTask,
        TaskList,
        TaskListView,
        TemplateValue,
        TemplateInput,
        ExpandedTemplate,
        PromptArgument,
        PromptDetail,
        SkillField,
        SkillFileView,
        SkillDetail,
        Verdict,
        HostKind,
        Evidence,
        HostSource,
        HostStatement,
        HostView,
        HostReason,
        HostCell,
        HostTotals,
        ListCost,
        ToolCost,
        HostSummary,
        HostRow,
        HostFilter,
        TableText,
        CompletionReference,
        CompletionArgument,
        Completion,
        OperationState,
        OperationProgress,
        ProgressRate,
        Deadline,
        ContentKind,
        ContentDetails,
        ContentBlock,
        StructuredContent,
        PromptMessage,
        PromptResult,
        LostCode,
        OperationOutcome,
        LoggedMessage,
        ArgumentCheck,
        TaskInput,
        LedBy,
        OperationInput,
        OperationLabel,
        EarlierRun,
        TaskStatus,
        TaskSource,
        TaskStep,
        TaskChange,
        TaskRun,
        OperationView,
        AppDomains,
        OpenedApp,
        AppEntry,
        ArgumentProblem,
        LogKind,
        LogCause,
        LogNoResponse,
        LogGroup,
        LogRow,
        Severity,
        Certainty,
        RuleGroup,
        FindingView,
        IssueCounts,
        IssueFilter,
        IssueSubject,
        IssueCase,
        IssueRule,
        JudgedList,
        Judged,
        IssueList,
        DefinitionSubject,
        DefinitionChange,
        DefinitionChanges,
        MemberChange,
        MemberText,
        LogHeader,
        LogDetail,
        LogFilter,
        LogViewState,
        DocumentSource,
        DocumentMode,
        DocumentView,
        NodeKind,
        DocumentRow,
        SearchHit,
        SavedInput,
        SavedInputs,
        StepInput,
        PresentationStep,
        Presentation,
        ExportedPresentation,
        Theme,
        TextSize,
        LastShown,
        HistoryLimits,
        Settings,
        AppReport,
        NoticeLevel,
        Notice,
        ServerGroupView,
        ServerOrder,
        UiEvent,
        Snapshot,
        Batch,
    );
    text.push_str(&secret_names());
    text.push_str(&declaration_presets());
    text.push_str(&commands::declaration(&cfg));
    text
}

/// A value among the types: the window offers these versions and knows of no other table.
fn protocol_versions() -> String {
    let names: Vec<String> = Revision::ALL
        .iter()
        .rev()
        .map(|revision| format!("{:?}", revision.as_str()))
        .collect();
    format!(
        "/**\n * The protocol versions that Sonde speaks, newest first.\n */\n\
         export const PROTOCOL_VERSIONS: readonly string[] = [{}];\n\n",
        names.join(", ")
    )
}

/// A value among the types, for the same reason.
fn declaration_presets() -> String {
    // A list of structs of strings always serialises; were it not so, the text would not compile.
    let presets = serde_json::to_string_pretty(servers::declaration_presets()).unwrap_or_default();
    format!(
        "/**\n * What can be declared to a server, to begin with; those that are no host first.\n */\n\
         export const DECLARATION_PRESETS: readonly DeclarationPreset[] = {presets};\n\n"
    )
}

/// A value among the types: what is typed under such a name is hidden as it is where it was imported.
fn secret_names() -> String {
    let names: Vec<String> = servers::SECRET_NAMES
        .iter()
        .map(|name| format!("{name:?}"))
        .collect();
    format!(
        "/**\n * Parts of a name that mark its value as secret: its end where they begin with `_`, else anything of its letters and digits.\n */\n\
         export const SECRET_NAMES: readonly string[] = [{}];\n\n",
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    /// `cargo xtask bindings` sets `SONDE_WRITE_BINDINGS`; everywhere else this compares.
    #[test]
    fn typescript_matches_rust() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/src/ipc/bindings.ts");
        let expected = super::bindings();
        if std::env::var_os("SONDE_WRITE_BINDINGS").is_some() {
            std::fs::create_dir_all(std::path::Path::new(path).parent().unwrap()).unwrap();
            std::fs::write(path, &expected).unwrap();
        }
        let found = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            found == expected,
            "ui/src/ipc/bindings.ts is out of date: run `cargo xtask bindings`"
        );
    }
}
