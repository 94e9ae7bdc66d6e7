// Generated from crates/ipc by `cargo xtask bindings`, without its comments. Do not edit.

export type ServerId = string;
export type OperationNumber = number;
export type DeletionNumber = number;

export const PROTOCOL_VERSIONS: Readonly<string[]> = ["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"];

export type AnswerInput = { "type": "accept", 
content: string, } | { "type": "decline" } | { "type": "cancel" } | { "type": "raw", 
result: string, } | { "type": "error", 
code: number, 
message: string, };

export type AnswerKind = "accept" | "decline" | "cancel" | "result" | "error";

export type AnsweredRequest = { 
request: number, 
method: string, 
message: string, 
answer: AnswerKind, 
rule: AnsweringRule | null, 
seq: number, };

export type AnsweringRule = { 
after_seconds: number, 
saved_answer: string | null, };

export type AppDomains = { 
connect: Array<string>, 
resource: Array<string>, 
frame: Array<string>, 
base_uri: Array<string>, };

export type AppEnd = "unresponsive" | "page_ended";

export type AppEntry = "sent" | "received" | "note";

export type AppReport = { 
version: string, 
system: string, 
data_folder: string, 
releases: string | null, 
keyring: string, 
log: Array<string>, 
crashes: Array<string>, };

export type ArgumentCheck = { 
problems: Array<ArgumentProblem>, 
unchecked: string | null, };

export type ArgumentProblem = { 
instancePath: string, 
schemaPath: string, 
keyword: string, 
message: string, 
missing: string | null, };

export type AskedPage = { 
url: string, 
message: string, 
required: boolean, 
completed: boolean, };

export type AuthConfig = { "type": "sign_in", 
options: SignInConfig, } | { "type": "token", 
token: SecretInput, } | { "type": "off" };

export type AuthExchange = { 
method: string, 
url: string, 
request_headers: Array<LogHeader>, 
request_body: string | null, 
status: number | null, 
response_headers: Array<LogHeader>, 
response_body: string | null, 
error: string | null, };

export type AuthProblem = { 
code: string, 
title: string, 
cause: string, 
advice: Array<string>, 
detail: string | null, 
spec: SpecLink | null, };

export type AuthState = "signed_out" | "discovering" | "prompt" | "confirmation" | "browser" | "exchanging" | "signed_in" | "refreshing" | "failed";

export type AuthStatus = { 
server: string, 
state: AuthState, 
grant: Grant | null, 
prompt: SignInPrompt | null, 
confirmation: IssuerConfirmation | null, 
problem: AuthProblem | null, 
waiting: number, 
steps: Array<AuthStep>, 
wrong_token: boolean, };

export type AuthStep = { 
step: number, 
at: number, 
millis: number | null, 
code: string, 
title: string, 
state: AuthStepState, 
sentence: string, 
has_exchange: boolean, 
spec: SpecLink | null, };

export type AuthStepState = "running" | "done" | "warning" | "failed";

export type Batch = { "type": "snapshot", 
number: number, 
events: Array<UiEvent>, } | { "type": "events", 
number: number, 
events: Array<UiEvent>, };

export type CatalogChange = "added" | "changed";

export type CatalogKind = "tools" | "resources" | "resource_templates" | "prompts" | "skills";

export type CatalogRow = { 
key: string, 
name: string, 
named: boolean, 
title: string | null, 
summary: string, 
change: CatalogChange | null, 
issues: number, 
forbidden: string | null, 
read_only: boolean | null, 
destructive: boolean | null, 
idempotent: boolean | null, 
open_world: boolean | null, 
resource: ResourceRow | null, };

export type CatalogView = { 
server: string, 
kind: CatalogKind, 
revision: number, 
reading: number | null, 
supported: boolean, 
count: number, 
first: string | null, 
diff: DiffView | null, 
findings: Array<FindingView>, 
finding_count: number, 
error: string | null, 
freshness: string | null, 
fresh_until: number | null, };

export type Certainty = "fact" | "heuristic";

export type CertificateFiles = { 
certificate: string, 
key: string, };

export type Check = { 
id: CheckId, 
name: string, 
group: string | null, 
request: string, 
tool: string | null, 
arguments: string | null, 
on: boolean, 
skip_reason: string | null, 
destructive: boolean, 
line: number, 
result: CheckResult | null, };

export type CheckCase = { 
label: string, 
state: CheckState, 
duration: number | null, };

export type CheckChoice = { "type": "all" } | { "type": "failed" } | { "type": "some", 
checks: Array<CheckId>, };

export type CheckComparison = { 
before: string, 
now: string, };

export type CheckDraft = { 
operation: number, 
name: string, 
outcome: CheckOutcome, 
no_findings: boolean, 
result: CheckedResult, 
can_contain: boolean, 
schema: boolean, 
has_schema: boolean, 
duration_factor: number | null, 
duration: number | null, 
file: string | null, };

export type CheckFailure = { 
line: number, 
message: string, 
differs: boolean, 
path: string | null, };

export type CheckId = { 
file: string, 
step: string, };

export type CheckOutcome = "done" | "tool_error" | "rpc_error";

export type CheckProblem = { 
line: number, 
column: number, 
message: string, };

export type CheckResult = { 
state: CheckState, 
failures: Array<CheckFailure>, 
reason: string | null, 
duration: number | null, 
at: number, 
server_name: string | null, 
version: string | null, 
revision: string | null, 
differs: boolean, 
baseline_missing: boolean, 
cases: Array<CheckCase>, };

export type CheckRun = { 
done: number, 
total: number, 
on: string | null, 
stopping: boolean, };

export type CheckState = "waiting" | "running" | "passed" | "skipped" | "incomplete" | "failed" | "broken";

export type CheckSuite = { 
file: string, 
name: string, 
server: string | null, 
describes_server: boolean, 
problems: Array<CheckProblem>, 
checks: Array<Check>, };

export type CheckTotals = { 
server_name: string | null, 
version: string | null, 
revision: string | null, 
at: number, 
passed: number, 
failed: number, 
off: number, 
skipped: number, 
other: number, };

export type CheckedResult = { "type": "not_checked" } | { "type": "same", 
ignore: Array<string>, } | { "type": "contains", 
text: string, };

export type Checks = { 
server: string, 
folder: string, 
own_folder: boolean, 
suites: Array<CheckSuite>, 
run: CheckRun | null, 
last: CheckTotals | null, 
before: CheckTotals | null, 
too_many: number, 
problem: string | null, };

export type Chosen = { 
index: number, 
name: string | null, };

export type ClientKind = "preregistered" | "metadata_document" | "registered";

export type CommandPreview = { 
fingerprint: string, 
program: string | null, 
argv: Array<string>, 
secret_arguments: Array<string>, 
env: Array<CommandVariable>, 
inherited: Array<string>, 
revealable: boolean, 
cwd: string, 
path: string, 
path_source: string, 
warnings: Array<string>, };

export type CommandVariable = { 
name: string, 
value: string | null, 
effect: string | null, };

export type Completion = { 
values: Array<string>, 
total: number | null, 
has_more: boolean, };

export type CompletionArgument = { 
name: string, 
value: string, };

export type CompletionReference = { "type": "prompt", 
name: string, } | { "type": "resource_template", 
uri: string, };

export type ConfigValue = { "kind": "plain", "value": string } | { "kind": "secret", "value": SecretInput };

export type ConnectStep = { 
name: string, 
state: StepState, 
millis: number | null, };

export type ConnectionView = { 
streams: Array<StreamStatus>, 
lines: Array<StreamLine>, 
lines_total: number, 
health: HealthProblem | null, 
stats: Array<MethodStats>, 
answer_delay_ms: number, 
roots: RootsAnswer | null, 
server: string, 
generation: number, 
transport: TransportKind | null, 
era: Era | null, 
revision: string | null, 
supported: Array<string>, 
session_fingerprint: string | null, 
http_version: string | null, 
detection: Array<Detection>, 
reopened: number, 
paused: boolean, 
warnings: Array<string>, 
declaration: Declaration, };

export type ContentBlock = { 
kind: ContentKind, 
mime_type: string | null, 
bytes: number, 
text: string | null, 
uri: string | null, 
title: string | null, 
details: ContentDetails | null, 
findings: Array<FindingView>, };

export type ContentDetails = { 
audience: Array<string>, 
priority: number | null, 
last_modified: string | null, 
size: number | null, 
icons: ShownIcons, 
meta: string | null, 
resource_meta: string | null, };

export type ContentKind = "text" | "image" | "audio" | "resource_link" | "embedded_text" | "embedded_blob" | "unknown";

export type Deadline = { 
idle_at: number, 
hard_at: number, };

export type Declaration = { 
preset: string, 
name: string | null, 
version: string | null, 
roots: RootsDeclaration | null, 
sampling: SamplingCapability | null, 
elicitation: ElicitationCapability | null, 
tasks: boolean, 
request_tasks: boolean, 
extensions: Array<ExtensionDeclaration>, };

export type DeclarationPreset = { 
id: string, 
name: string, 
declaration: Declaration, 
host: HostFacts | null, };

export type DeclarationPreview = { 
handshake: string | null, 
stateless: string | null, };

export type DefinitionChange = { 
subject: DefinitionSubject, 
digest: string, 
members: Array<MemberChange>, 
accepted: number, 
seen: number, };

export type DefinitionChanges = { 
count: number, 
changes: Array<DefinitionChange>, 
digest: string, };

export type DefinitionSubject = { "type": "instructions" } | { "type": "tool", 
key: string, };

export type DelaySource = "server" | "backoff" | "user";

export type Detection = { 
at: number, 
code: string, 
sentence: string, 
verdict: Era | null, 
seq: number | null, };

export type Diagnosis = { 
server: string, 
number: number, 
state: DiagnosisState, 
name: string, 
address: string, 
began: number, 
millis: number | null, 
steps: Array<DiagnosisStep>, };

export type DiagnosisState = "running" | "done" | "lost" | "cancelled" | "timed_out";

export type DiagnosisStep = { 
code: DiagnosisStepCode, 
title: string, 
outcome: StepOutcome, 
tried: string, 
found: string, 
millis: number | null, 
fix: Array<string>, 
detail: Array<string>, };

export type DiagnosisStepCode = "settings" | "command" | "process" | "dns" | "tcp" | "tls" | "http" | "authorization" | "stdout" | "handshake" | "lists" | "schemas" | "hosts" | "ping" | "shutdown";

export type DiffNames = { 
count: number, 
names: Array<string>, };

export type DiffView = { 
at: number, 
added: DiffNames, 
removed: DiffNames, 
changed: DiffNames, };

export type DocumentMode = "tree" | "pretty" | "raw" | "hex";

export type DocumentRow = { "type": "text", 
text: string, 
line: number | null, } | { "type": "node", 
node: number, 
parent: number | null, 
depth: number, 
key: string | null, 
index: number | null, 
kind: NodeKind, 
value: string, 
truncated: boolean, 
children: number, 
expanded: boolean, };

export type DocumentSource = { "type": "content", 
operation: number, 
index: number, } | { "type": "structured", 
operation: number, } | { "type": "answer", 
operation: number, } | { "type": "arguments", 
operation: number, } | { "type": "redacted_arguments", 
operation: number, } | { "type": "params", 
operation: number, } | { "type": "transcript", 
operation: number, } | { "type": "instructions", 
server: string, } | { "type": "capabilities", 
server: string, } | { "type": "server_meta", 
server: string, } | { "type": "definition", 
server: string, 
kind: CatalogKind, 
key: string, } | { "type": "log_data", 
server: string, 
seq: number, } | { "type": "log_entry", 
server: string, 
seq: number, };

export type DocumentView = { 
document: number, 
mode: DocumentMode, 
rows: number, 
bytes: number, 
nodes: number | null, 
not_json: string | null, 
first: Array<DocumentRow>, };

export type DpopMode = "automatic" | "always" | "never";

export type EarlierRun = { 
arguments_redacted: boolean, 
result_dropped: boolean, 
transcript: boolean, };

export type ElicitationCapability = { 
form: boolean, 
url: boolean, };

export type Era = "handshake" | "stateless";

export type ErrorCode = "not_found" | "invalid_input" | "command_not_confirmed" | "inputs_missing" | "not_connected" | "already_connected" | "arguments_not_json" | "no_completion" | "keyring_unavailable" | "storage" | "entry_dropped" | "internal";

export type Evidence = "source" | "documentation" | "issue" | "second_hand";

export type ExpandedTemplate = { 
uri: string | null, 
problem: string | null, };

export type ExportedPresentation = { 
path: string | null, 
notes: Array<string>, };

export type ExportedServer = { 
client: string, 
name: string, 
text: string | null, 
problem: string | null, 
notes: Array<string>, };

export type ExtensionDeclaration = { 
name: string, 
settings: string, };

export type Failure = { 
code: string, 
title: string, 
cause: string, 
advice: Array<string>, 
detail: string | null, 
stderr_tail: Array<string>, 
non_message_tail: Array<string>, };

export type Fault = { "type": "drop_listener" } | { "type": "drop_operation_stream", 
operation: number, } | { "type": "forget_session_id" } | { "type": "stale_session_id" } | { "type": "wrong_last_event_id" } | { "type": "raw_frame", 
text: string, } | { "type": "delay_answers", 
millis: number, } | { "type": "kill" } | { "type": "pause_reading", 
paused: boolean, };

export type FieldProblem = { 
field: ServerField, 
row: number | null, 
message: string, };

export type FindingView = { 
rule: string, 
group: RuleGroup, 
severity: Severity, 
certainty: Certainty, 
message: string, 
why: string, 
fix: string, 
revisions: string | null, 
location: string | null, 
spec: SpecLink | null, };

export type Grant = { 
token_fingerprint: string, 
refresh_fingerprint: string | null, 
kept: Kept, 
issuer: string, 
resource: string, 
client_id: string, 
client_kind: ClientKind, 
scopes: Array<string>, 
token_type: string, 
granted_at: number, 
expires_at: number | null, 
refreshed: number, 
revocable: boolean, };

export type GrantConfig = { "type": "browser" } | { "type": "client_secret" } | { "type": "private_key", 
key: SecretInput, 
algorithm: string | null, 
audience: string | null, } | { "type": "enterprise", 
idp_token_endpoint: string, 
idp_client_id: string, 
idp_client_secret: SecretInput | null, 
id_token: SecretInput, } | { "type": "workload", 
assertion: SecretInput, };

export type HealthCode = "stream_lost" | "stream_over" | "reopening" | "request_failed" | "unreachable" | "session_rejected" | "stdout_closed";

export type HealthLevel = "degraded" | "unhealthy";

export type HealthProblem = { 
level: HealthLevel, 
code: HealthCode, 
sentence: string, };

export type HistoryLimits = { 
runs: number, 
server_mib: number, 
total_mib: number, };

export type HostCell = { 
verdict: Verdict, 
reasons: Array<HostReason>, 
unknown: string | null, };

export type HostFacts = { 
oldest: string, 
newest: string, 
protocol: ProtocolMode, 
left_off: Array<string>, 
source: string, 
date: string, };

export type HostFilter = { 
hosts: Array<string>, 
problems: boolean, 
search: string, };

export type HostKind = "host" | "api" | "directory";

export type HostReason = { 
verdict: Verdict, 
what: string, 
then: string, 
when: string | null, 
fix: string, 
pointer: string | null, 
heuristic: boolean, 
source: HostSource, };

export type HostRow = { 
key: string, 
name: string, 
verdicts: Array<Verdict>, 
bytes: number, 
tokens: number, 
findings: number, };

export type HostSource = { 
name: string, 
url: string, 
date: string, 
evidence: Evidence, };

export type HostStatement = { 
text: string, 
source: HostSource, };

export type HostSummary = { 
revision: number, 
tools: number, 
totals: Array<HostTotals>, 
lists: Array<ListCost>, 
context: number, 
costliest: Array<ToolCost>, 
findings: Array<FindingView>, };

export type HostTotals = { 
host: string, 
reasons: Array<HostReason>, 
takes_all: string | null, 
refuses_all: boolean, works: number, degraded: number, may_fail: number, fails: number, not_known: number, };

export type HostView = { 
id: string, 
name: string, 
kind: HostKind, 
known: boolean, 
prefix: string | null, 
prefix_source: HostSource | null, 
results: Array<HostStatement>, 
offers: Array<HostStatement>, };

export type HttpKind = "automatic" | "streamable" | "sse";

export type IconPicture = { "type": "picture", 
uri: string, } | { "type": "refused", 
reason: string, };

export type ImportCandidate = { 
config: ServerConfig, 
remarks: Array<string>, 
duplicate_of: string | null, };

export type ImportPreview = { 
recognized: string, 
candidates: Array<ImportCandidate>, 
problems: Array<string>, 
presentation: PresentationPreview | null, 
masked: string | null, };

export type ImportedPresentation = { 
id: string, 
replaced: number | null, };

export type InKeyring = { "type": "keep" };

export type InputPreview = { 
name: string, 
values: Array<PreparedValue>, };

export type InstalledConfiguration = { 
client: string, 
path: string, 
fingerprint: string, 
preview: ImportPreview | null, 
problem: string | null, };

export type IpcError = { 
code: ErrorCode, 
message: string, 
detail?: string, };

export type IssueCase = { 
id: string, 
subject: IssueSubject, 
message: string, 
location: string | null, };

export type IssueCounts = { 
server: string, 
frames: number, 
tools: number, 
resources: number, 
prompts: number, 
skills: number, 
instructions: number, 
results: number, 
errors: number, 
infos: number, 
muted: number, 
muted_rules: Array<string>, };

export type IssueFilter = { 
text: string, 
severities: Array<Severity>, 
groups: Array<RuleGroup>, 
muted: boolean, };

export type IssueList = { 
rules: Array<IssueRule>, 
judged: Judged, 
all: number, };

export type IssueRule = { 
rule: string, 
group: RuleGroup, 
severity: Severity, 
certainty: Certainty, 
what: string, 
why: string, 
fix: string, 
revisions: string | null, 
spec: SpecLink | null, 
count: number, 
muted: string | null, 
cases: Array<IssueCase>, };

export type IssueSubject = { "type": "frame", 
seq: number, 
method: string | null, 
stored: boolean, } | { "type": "list", 
kind: CatalogKind, } | { "type": "item", 
kind: CatalogKind, 
key: string, } | { "type": "instructions" } | { "type": "run", 
operation: number, 
target: string | null, 
stored: boolean, };

export type IssuerConfirmation = { 
attempt: number, 
issuer: string, 
token_endpoint: string, 
credential: string, 
client_id: string, 
resource: string, 
scopes: Array<string>, 
warnings: Array<string>, 
expires_at: number, };

export type ItemExtras = { 
icons: ShownIcons, 
meta: string | null, };

export type Judged = { 
messages: number, 
results: number, 
lists: Array<JudgedList>, };

export type JudgedList = { 
kind: CatalogKind, 
items: number, };

export type Kept = "keyring" | "memory";

export type LastShown = { 
tab: string, 
tool: string | null, };

export type LedBy = { "type": "link", 
operation: number, 
index: number, } | { "type": "template", 
key: string, };

export type ListChangeClass = "breaking" | "additive" | "routing" | "cosmetic";

export type ListComparison = { 
left: string, 
right: string, 
changes: Array<ListedChange>, 
more: number, 
unread: Array<string>, };

export type ListCost = { 
kind: CatalogKind, 
items: number, 
bytes: number, 
tokens: number, };

export type ListMoment = "now" | "accepted";

export type ListSide = { 
server: string, 
revision: string | null, 
when: ListMoment, };

export type ListedChange = { 
list: CatalogKind, 
name: string, 
class: ListChangeClass, 
words: string, };

export type ListedTask = { 
id: string, 
status: TaskStatus, 
message: string | null, 
created_at: string | null, 
updated_at: string | null, 
ttl: number | null, };

export type LogCause = "lifecycle" | "list_changed" | "answer" | "deadline" | "probe" | "listen" | "resume" | "retry" | "task" | "resumed_task" | "completion" | "icon" | "fault";

export type LogDetail = { 
row: LogRow, 
findings: Array<FindingView>, 
summary: string | null, 
headers: Array<LogHeader>, 
dropped: number, 
redacted: boolean, 
curl: boolean, };

export type LogFilter = { 
text: string, 
kinds: Array<LogKind>, 
errors: boolean, 
methods: Array<string>, 
operation: number | null, 
out: boolean | null, 
findings_only: boolean, 
rule: string | null, 
either: boolean, 
least_level: number | null, 
logger: string | null, 
grouped: boolean, };

export type LogGroup = { 
entries: number, 
open: boolean, 
until: number, 
shown: number, 
http: string | null, 
status: number | null, };

export type LogHeader = { 
name: string, 
value: string, };

export type LogKind = "request" | "response" | "error" | "notification" | "batch" | "invalid" | "non_message" | "stderr" | "process" | "http" | "sse" | "note" | "rule" | "app";

export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

export type LogNoResponse = "exited" | "disconnected" | "cancelled" | "timed_out" | "lost" | "detection" | "sent_again";

export type LogRow = { 
seq: number, 
at: number, 
began: number, 
out: boolean, 
kind: LogKind, 
error: boolean, 
method: string | null, 
id: string | null, 
bytes: number, 
has_body: boolean, 
micros: number | null, 
partner: number | null, 
no_response: LogNoResponse | null, 
operation: number | null, 
ambiguous: boolean, 
cause: LogCause | null, 
preview: string, 
summary: string | null, 
level: number | null, 
logger: string | null, 
group: LogGroup | null, 
findings: number, 
severity: Severity | null, 
rule: string | null, };

export type LogViewState = { 
view: number, 
epoch: number, 
rows: number, 
gone: number, 
changes: number, 
changed_from: number, 
total: number, 
last: number, 
bytes: number, 
dropped: number, 
max_rows: number, 
max_bytes: number, 
max_bytes_of_all: number, 
searching: boolean, 
methods: Array<string>, 
levels: Array<number>, 
loggers: Array<string>, };

export type LoggedMessage = { 
seq: number, 
at: number, 
level: string, 
logger: string | null, 
text: string, 
ambiguous: boolean, };

export type LostCode = "connection_lost" | "app_closed" | "exchange_failed" | "no_response" | "http_status" | "too_large" | "session_expired" | "stream_lost" | "too_many_rounds" | "forbidden" | "not_sent";

export type MemberChange = { 
member: string, 
before: MemberText, 
after: MemberText, };

export type MemberText = { "type": "absent" } | { "type": "not_kept" } | { "type": "text", 
text: string, } | { "type": "json", 
text: string, };

export type MethodStats = { 
method: string, 
tool: string | null, 
count: number, 
failed: number, 
min_micros: number, 
median_micros: number, 
p95_micros: number, 
max_micros: number, };

export type NamedValue = { name: string, value: ConfigValue, };

export type NetworkConfig = { 
proxy: ProxyConfig, 
ca_file: string | null, 
client_certificate: CertificateFiles | null, 
accept_any_certificate: boolean, 
connect_seconds: number | null, 
idle_seconds: number | null, };

export type NodeKind = "object" | "array" | "string" | "number" | "boolean" | "null";

export type Notice = { 
id: number, 
level: NoticeLevel, 
server: string | null, 
code: string, 
title: string, 
detail: string | null, };

export type NoticeLevel = "info" | "warning" | "error";

export type OpenServerRequest = { 
request: number, 
server: string, 
operation: number | null, 
candidates: Array<number>, 
method: string, 
message: string, 
schema: string | null, 
schema_digest?: string, 
params: string, 
as_task: boolean, 
undeclared: boolean, 
findings: Array<FindingView>, 
rule: string | null, 
seq: number, };

export type OpenedApp = { 
app: string, 
url: string | null, 
index: number, 
refused: string | null, 
domains: AppDomains, 
policy: string, 
permissions: Array<string>, 
version: string, 
prefers_border: boolean | null, 
findings: Array<FindingView>, };

export type OperationInput = { 
method: string, 
target: string | null, 
arguments: string | null, 
params: string | null, 
force: boolean, 
task?: TaskParams, 
notification?: boolean, 
by_app?: boolean, 
led_by?: LedBy, };

export type OperationLabel = { 
name: string | null, 
note: string | null, 
pinned: boolean, };

export type OperationOutcome = { "type": "result", 
is_error: boolean, 
content: Array<ContentBlock>, 
structured: StructuredContent | null, 
prompt: PromptResult | null, 
meta: string | null, 
bytes: number, 
findings: Array<FindingView>, } | { "type": "protocol_error", 
code: number, 
message: string, 
data: string | null, 
meaning: string, } | { "type": "bad_shape", 
problem: string, } | { "type": "sent" } | { "type": "timed_out", 
hard: boolean, } | { "type": "cancelled" } | { "type": "stopped_waiting" } | { "type": "lost", 
reason: string, 
code: LostCode, };

export type OperationProgress = { 
count: number, 
rate: number | null, 
progress: number, 
total: number | null, 
message: string | null, };

export type OperationState = "queued" | "running" | "waiting" | "signing_in" | "input_required" | "cancelling" | "finished";

export type OperationView = { 
operation: number, 
server: string, 
generation: number, 
method: string, 
target: string | null, 
key: string | null, 
title: string | null, 
cut: boolean, 
arguments: string | null, 
params: string | null, 
notification: boolean, 
by_app: boolean, 
state: OperationState, 
started_at: number, 
micros: number | null, 
waited: number, 
rounds: number, 
token_waits: number, 
progress: OperationProgress | null, 
deadline: Deadline | null, 
messages: number, 
last_message: LoggedMessage | null, 
needs_handshake: string | null, 
task: TaskRun | null, 
resumable: boolean, 
outcome: OperationOutcome | null, 
issues: number, 
freshness: string | null, 
fresh_until: number | null, 
answered_after_cancel: boolean, 
late: number, 
message_issues: number, 
request_seq: number | null, 
response_seq: number | null, 
label: OperationLabel, 
answered: Array<AnsweredRequest>, 
pages: Array<AskedPage>, 
asked: number, 
app_ended: AppEnd | null, 
earlier: EarlierRun | null, };

export type PreparedValue = { 
name: string, 
text: string, };

export type Presentation = { 
id: string, 
title: string, 
imported: boolean, 
steps: Array<PresentationStep>, };

export type PresentationPreview = { 
title: string, 
steps: Array<StepPreview>, 
same_title: string | null, };

export type PresentationStep = { 
id: string, 
server: string, 
server_name: string, 
server_removed: boolean, 
method: string, 
target: string, 
title: string, 
inputs: Array<StepInput>, 
notes: string, };

export type ProgressRate = { 
from: number, 
to: number, 
rate: number | null, };

export type PromptArgument = { 
name: string, 
title: string | null, 
description: string | null, 
required: boolean, };

export type PromptDetail = { 
arguments: Array<PromptArgument>, 
row: CatalogRow, 
findings: Array<FindingView>, 
description: string | null, 
extras: ItemExtras, 
raw: string, };

export type PromptMessage = { 
role: string, 
blocks: number, 
findings: Array<FindingView>, };

export type PromptResult = { 
description: string | null, 
messages: Array<PromptMessage>, };

export type ProtocolMode = { "type": "automatic" } | { "type": "handshake" } | { "type": "stateless" } | { "type": "fixed", 
revision: string, };

export type ProxyConfig = { "type": "system" } | { "type": "direct" } | { "type": "at", 
url: string, 
user: string | null, 
password: SecretInput | null, };

export type ReportFormat = "markdown" | "html";

export type RequestRule = { 
action: RuleAction, 
delay_seconds: number, };

export type RequestRules = { 
form: RequestRule, 
page: RequestRule, 
sampling: RequestRule, 
roots: RootsRule, };

export type ResourceDetail = { 
uri: string, 
template: TemplateView | null, 
row: CatalogRow, 
findings: Array<FindingView>, 
description: string | null, 
extras: ItemExtras, 
raw: string, };

export type ResourceRow = { 
uri: string, 
mime_type: string | null, 
size: number | null, 
audience: Array<string>, 
priority: number | null, 
last_modified: string | null, };

export type ResourceSubscription = { 
uri: string, 
state: SubscriptionState, 
updates: number, 
updated_at: number | null, 
sub_resource: string | null, 
unread: boolean, };

export type ResourceSubscriptionsView = { 
server: string, 
supported: boolean, 
subscriptions: Array<ResourceSubscription>, };

export type RootFolder = { 
folder: string, 
name: string | null, };

export type RootsAnswer = { 
at: number, 
times: number, 
roots: Array<SentRoot>, 
count: number, 
refused: string | null, 
differs: boolean, };

export type RootsDeclaration = { 
list_changed: boolean, 
without_any: boolean, };

export type RootsRule = { 
refuse: boolean, 
delay_seconds: number, };

export type RoundTrip = { 
at: number, 
micros: number, 
failed: boolean, };

export type Rows<R> = { 
revision: number, 
total: number, 
rows: Array<R>, };

export type RuleAction = { "type": "ask" } | { "type": "decline" } | { "type": "cancel" } | { "type": "saved", 
input: string, };

export type RuleGroup = "spec" | "hosts" | "cost" | "clarity" | "trust" | "limits";

export type SamplingCapability = { 
context: boolean, 
tools: boolean, };

export type SavedInput = { 
id: string, 
server: string, 
method: string, 
target: string, 
name: string, 
arguments: string, 
private: boolean, 
schema_digest?: string, };

export type SavedInputs = { 
server: string, 
inputs: Array<SavedInput>, };

export type SearchHit = { 
row: number, 
total: number, 
ordinal: number, };

export type SecretInput = { "type": "keep" } | { "type": "set", 
value: string, };

export type SentRoot = { 
uri: string, 
name: string | null, };

export type ServerConfig = { 
name: string, 
transport: Transport, 
idle_seconds: number | null, 
hard_seconds: number | null, 
protocol: ProtocolMode, 
stream_attempts: number | null, 
roots: Array<RootFolder>, 
request_rules: RequestRules, 
declaration: Declaration, };

export type ServerField = "name" | "command" | "argument" | "variable_name" | "variable_value" | "cwd" | "url" | "header_name" | "header_value" | "token" | "client_id" | "client_secret" | "issuer" | "metadata_url" | "scopes" | "redirect_port" | "key" | "algorithm" | "idp_token_endpoint" | "idp_client_id" | "id_token" | "assertion" | "protocol_version" | "proxy_url" | "proxy_user" | "ca_file" | "certificate" | "certificate_key" | "connect_seconds" | "stream_idle_seconds" | "root_folder" | "root_name" | "request_rules" | "client_name" | "client_version" | "preset" | "extension_name" | "extension_settings" | "idle_seconds" | "hard_seconds" | "stream_attempts";

export type ServerGroupView = { 
servers: Array<string>, 
id: string, 
name: string, 
collapsed: boolean, };

export type ServerIdentity = { 
name: string | null, 
title: string | null, 
version: string | null, 
description: string | null, 
website_url: string | null, 
icons: ShownIcons, 
revision: string, 
offered: string, 
instructions: string | null, 
capabilities: string, 
meta: string | null, 
handshake_ms: number, };

export type ServerOrder = { 
order: Array<string>, 
groups: Array<ServerGroupView>, };

export type ServerProcess = { 
pid: number, 
program: string, 
argv: Array<string>, 
cwd: string, };

export type ServerView = { 
id: string, 
config: ServerConfig, 
address: string, 
confirmed: boolean, 
log_level: LogLevel | null, 
unsaved_secrets: Array<string>, 
missing_inputs: Array<string>, };

export type SessionPhase = "idle" | "connecting" | "ready" | "closing" | "failed";

export type SessionView = { 
server: string, 
generation: number, 
address: string, 
phase: SessionPhase, 
since: number, 
steps: Array<ConnectStep>, 
identity: ServerIdentity | null, 
completions: boolean, 
tool_tasks: boolean, 
process: ServerProcess | null, 
closed: TransportEnd | null, 
failure: Failure | null, 
ping_micros: number | null, 
stderr_lines: number, };

export type Settings = { 
theme: Theme, 
zoom: number, 
text_size: TextSize, 
presentation_zoom: number, 
selected_server: string | null, 
beside: string | null, 
server_filter: string, 
views: { [key in string]: LastShown }, 
pane_sizes: { [key in string]: number }, 
runs_below: boolean, 
history: HistoryLimits, };

export type Severity = "info" | "warning" | "error";

export type ShownIcon = { 
picture: string | null, 
src: string, 
mime_type: string | null, 
sizes: Array<string>, 
theme: string | null, };

export type ShownIcons = { 
first: Array<ShownIcon>, 
count: number, };

export type SignInConfig = { 
grant: GrantConfig, 
client_id: string | null, 
client_secret: SecretInput | null, 
issuer: string | null, 
metadata_url: string | null, 
scopes: string | null, 
redirect_port: number | null, 
without_pkce_promise: boolean, 
dpop: DpopMode, };

export type SignInPrompt = { 
attempt: number, 
reason: string, 
url: string, 
host: string, 
issuer: string, 
resource: string, 
client_id: string, 
client_kind: ClientKind, 
scopes: Array<string>, 
new_scopes: Array<string>, 
redirect_uri: string, 
listening: boolean, 
opened: boolean, 
expires_at: number, 
warnings: Array<string>, };

export type SkillDetail = { 
uri: string | null, 
fields: Array<SkillField>, 
more_fields: boolean, 
files: Array<SkillFileView> | null, 
file_count: number, 
row: CatalogRow, 
findings: Array<FindingView>, 
description: string | null, 
extras: ItemExtras, 
raw: string, };

export type SkillField = { 
name: string, 
value: string, };

export type SkillFileView = { 
uri: string | null, 
path: string, 
size: number | null, 
digest: string | null, };

export type SpecLink = { 
name: string, 
url: string, };

export type StepInput = { 
id: string, 
name: string, 
removed: boolean, };

export type StepOutcome = "waiting" | "running" | "pass" | "fail" | "not_evaluated";

export type StepPreview = { 
title: string, 
server: string, 
method: string, 
target: string, 
inputs: Array<InputPreview>, 
notes: string, };

export type StepState = "waiting" | "running" | "done" | "failed";

export type StoredKind = "token" | "client" | "setting";

export type StoredSecret = { 
id: string, 
kind: StoredKind, 
title: string, 
issuer: string | null, 
resource: string | null, 
client_id: string | null, 
servers: Array<string>, 
saved_at: number | null, 
kept: Kept, };

export type StoredSecrets = { 
place: string, 
usable: boolean, 
secrets: Array<StoredSecret>, };

export type StreamLine = { 
number: number, 
at: number, 
stream: number, 
code: string, 
sentence: string, 
seq: number | null, };

export type StreamPurpose = "listener" | "answer" | "subscription";

export type StreamState = "opening" | "open" | "waiting" | "resuming" | "not_offered" | "ended" | "given_up";

export type StreamStatus = { 
id: number, 
purpose: StreamPurpose, 
method: string | null, 
operation: number | null, 
state: StreamState, 
attempt: number, 
budget: number, 
next_at: number | null, 
delay_by: DelaySource | null, 
last_event_id: string | null, 
event_ids: number, 
lost: number, 
reason: string | null, };

export type StructuredContent = { 
bytes: number, 
json: string | null, 
problems: Array<ArgumentProblem>, 
unchecked: string | null, };

export type SubscriptionState = { "type": "pending" } | { "type": "active" } | { "type": "ending" } | { "type": "failed", "why": string };

export type TableText = "markdown" | "csv";

export type TaskChange = { 
at: number, 
status: TaskStatus, 
message: string | null, 
source: TaskSource, };

export type TaskList = { 
supported: boolean, 
loading: boolean, 
read_at: number | null, 
error: string | null, 
partial: string | null, 
unreadable: number, 
tasks: Array<ListedTask>, };

export type TaskListView = { 
server: string, 
list: TaskList, };

export type TaskParams = { 
ttl: number | null, };

export type TaskRun = { 
id: string, 
status: TaskStatus, 
message: string | null, 
created_at: string | null, 
since: number, 
ttl: number | null, 
poll_interval: number | null, 
step: TaskStep | null, 
told: number, 
cancel_failed: string | null, 
resumed: number, 
era?: Era, 
changes: Array<TaskChange>, };

export type TaskSource = "created" | "polled" | "notified" | "cancelled" | "result";

export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled" | "unknown";

export type TaskStep = { "type": "wait", 
at: number, } | { "type": "asking" } | { "type": "fetching_result" };

export type TaskSupport = "forbidden" | "optional" | "required";

export type TemplateInput = { 
name: string, 
value: TemplateValue, };

export type TemplateValue = { "type": "text", "value": string } | { "type": "list", "value": Array<string> } | { "type": "map", "value": Array<[string, string]> };

export type TemplateVariable = { 
name: string, 
explode: boolean, 
prefix: number | null, };

export type TemplateView = { 
variables: Array<TemplateVariable>, 
problem: string | null, };

export type TextSize = "small" | "medium" | "large";

export type Theme = "system" | "light" | "dark";

export type ToolApp = { 
resource_uri: string | null, 
for_model: boolean, 
for_app: boolean, };

export type ToolCost = { key: string, bytes: number, tokens: number, };

export type ToolDetail = { 
parameters: number, 
task_support: TaskSupport, 
app: ToolApp, 
input_schema: string | null, 
schema_error: string | null, 
row: CatalogRow, 
findings: Array<FindingView>, 
description: string | null, 
extras: ItemExtras, 
raw: string, };

export type Transport = { "type": "stdio", 
command: string, 
args: Array<string>, 
env: Array<NamedValue>, 
cwd: string | null, } | { "type": "http", 
url: string, 
headers: Array<NamedValue>, 
kind: HttpKind, 
network: NetworkConfig, 
auth: AuthConfig, } | { "type": "demo", 
http: boolean, };

export type TransportEnd = { 
exit_code: number | null, 
signal: string | null, 
stopped: boolean, 
terminated: boolean, 
at: number, };

export type TransportKind = "stdio" | "streamable_http" | "http_sse" | "web_socket";

export type UiEvent = { "type": "server", "data": ServerView } | { "type": "server_removed", "data": string } | { "type": "server_order", "data": ServerOrder } | { "type": "session", "data": SessionView } | { "type": "catalog", "data": CatalogView } | { "type": "issues", "data": IssueCounts } | { "type": "resource_subscriptions", "data": ResourceSubscriptionsView } | { "type": "task_list", "data": TaskListView } | { "type": "connection", "data": ConnectionView } | { "type": "auth", "data": AuthStatus } | { "type": "diagnosis", "data": Diagnosis } | { "type": "checks", "data": Checks } | { "type": "server_request", "data": OpenServerRequest } | { "type": "server_request_removed", "data": number } | { "type": "operation", "data": OperationView } | { "type": "operation_removed", "data": number } | { "type": "log", "data": LogViewState } | { "type": "notice", "data": Notice } | { "type": "notice_removed", "data": number } | { "type": "offer", "data": boolean } | { "type": "settings", "data": Settings } | { "type": "saved_inputs", "data": SavedInputs } | { "type": "presentations", "data": Array<Presentation> } | { "type": "closing" };

export type Verdict = "works" | "not_known" | "degraded" | "may_fail" | "fails";

export const SECRET_NAMES: Readonly<string[]> = ["token","secret","password","passwd","passphrase","apikey","accesskey","privatekey","credential","authorization","cookie","bearer","authkey","sessionkey","clientkey","_key"];

export const DECLARATION_PRESETS: Readonly<DeclarationPreset[]> = [{"id":"sonde","name":"Everything Sonde can","declaration":{"preset":"sonde","name":null,"version":null,"roots":{"list_changed":true,"without_any":false},"sampling":{"context":false,"tools":true},"elicitation":{"form":true,"url":true},"tasks":true,"request_tasks":true,"extensions":[]},"host":null},{"id":"nothing","name":"Nothing","declaration":{"preset":"nothing","name":null,"version":null,"roots":null,"sampling":null,"elicitation":null,"tasks":false,"request_tasks":false,"extensions":[]},"host":null},{"id":"agent_core","name":"AgentCore","declaration":{"preset":"agent_core","name":null,"version":null,"roots":null,"sampling":null,"elicitation":{"form":false,"url":false},"tasks":false,"request_tasks":false,"extensions":[]},"host":{"oldest":"2025-06-18","newest":"2025-06-18","protocol":{"type":"fixed","revision":"2025-06-18"},"left_off":["clientInfo (not known)","the modes of elicitation (not known)"],"source":"https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts","date":"2026-08-22"}},{"id":"chatgpt","name":"ChatGPT","declaration":{"preset":"chatgpt","name":null,"version":null,"roots":null,"sampling":null,"elicitation":null,"tasks":false,"request_tasks":false,"extensions":[]},"host":{"oldest":"2025-03-26","newest":"2026-07-28","protocol":{"type":"automatic"},"left_off":["clientInfo (not known)","the extension ui (its settings are not known)","the extension openai/visibility (its settings are not known)"],"source":"https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts","date":"2026-08-22"}},{"id":"claude","name":"Claude","declaration":{"preset":"claude","name":null,"version":null,"roots":null,"sampling":null,"elicitation":null,"tasks":false,"request_tasks":false,"extensions":[]},"host":{"oldest":"2025-03-26","newest":"2026-07-28","protocol":{"type":"automatic"},"left_off":["clientInfo (not known)","the extension ui (its settings are not known)"],"source":"https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts","date":"2026-08-22"}},{"id":"claude_code","name":"Claude Code","declaration":{"preset":"claude_code","name":null,"version":null,"roots":{"list_changed":false,"without_any":true},"sampling":null,"elicitation":{"form":false,"url":false},"tasks":false,"request_tasks":false,"extensions":[]},"host":{"oldest":"2025-03-26","newest":"2025-11-25","protocol":{"type":"handshake"},"left_off":["clientInfo (not known)","roots.listChanged (not known)","the modes of elicitation (not known)"],"source":"https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts","date":"2026-08-22"}},{"id":"cline","name":"Cline 4.0","declaration":{"preset":"cline","name":null,"version":null,"roots":null,"sampling":null,"elicitation":null,"tasks":false,"request_tasks":false,"extensions":[]},"host":{"oldest":"2025-11-25","newest":"2025-11-25","protocol":{"type":"handshake"},"left_off":["clientInfo (not known)"],"source":"https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts","date":"2026-08-22"}},{"id":"codex","name":"Codex","declaration":{"preset":"codex","name":null,"version":null,"roots":null,"sampling":null,"elicitation":{"form":true,"url":true},"tasks":false,"request_tasks":false,"extensions":[]},"host":{"oldest":"2025-03-26","newest":"2025-11-25","protocol":{"type":"handshake"},"left_off":["clientInfo (not known)"],"source":"https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts","date":"2026-08-22"}},{"id":"copilot_m365","name":"Copilot (M365)","declaration":{"preset":"copilot_m365","name":null,"version":null,"roots":null,"sampling":null,"elicitation":null,"tasks":false,"request_tasks":false,"extensions":[]},"host":{"oldest":"2025-11-25","newest":"2025-11-25","protocol":{"type":"handshake"},"left_off":["clientInfo (not known)","the extension ui (its settings are not known)"],"source":"https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts","date":"2026-08-22"}},{"id":"cursor","name":"Cursor","declaration":{"preset":"cursor","name":null,"version":null,"roots":{"list_changed":false,"without_any":true},"sampling":null,"elicitation":{"form":true,"url":false},"tasks":false,"request_tasks":false,"extensions":[]},"host":{"oldest":"2025-11-25","newest":"2025-11-25","protocol":{"type":"handshake"},"left_off":["clientInfo (not known)","roots.listChanged (not known)"],"source":"https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts","date":"2026-08-22"}},{"id":"goose","name":"Goose","declaration":{"preset":"goose","name":null,"version":null,"roots":{"list_changed":false,"without_any":true},"sampling":{"context":false,"tools":false},"elicitation":{"form":false,"url":false},"tasks":false,"request_tasks":false,"extensions":[]},"host":{"oldest":"2025-03-26","newest":"2025-03-26","protocol":{"type":"fixed","revision":"2025-03-26"},"left_off":["clientInfo (not known)","roots.listChanged (not known)","sampling.context and sampling.tools (not known)","the modes of elicitation (not known)"],"source":"https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts","date":"2026-08-22"}},{"id":"mistral","name":"Mistral","declaration":{"preset":"mistral","name":null,"version":null,"roots":null,"sampling":null,"elicitation":null,"tasks":false,"request_tasks":false,"extensions":[]},"host":{"oldest":"2025-11-25","newest":"2025-11-25","protocol":{"type":"handshake"},"left_off":["clientInfo (not known)","the extension ui (its settings are not known)"],"source":"https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts","date":"2026-08-22"}},{"id":"n8n","name":"n8n","declaration":{"preset":"n8n","name":null,"version":null,"roots":null,"sampling":null,"elicitation":null,"tasks":false,"request_tasks":false,"extensions":[]},"host":{"oldest":"2025-11-25","newest":"2025-11-25","protocol":{"type":"handshake"},"left_off":["clientInfo (not known)"],"source":"https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts","date":"2026-08-22"}},{"id":"notion","name":"Notion","declaration":{"preset":"notion","name":null,"version":null,"roots":null,"sampling":null,"elicitation":null,"tasks":false,"request_tasks":false,"extensions":[]},"host":{"oldest":"2025-11-25","newest":"2025-11-25","protocol":{"type":"handshake"},"left_off":["clientInfo (not known)"],"source":"https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts","date":"2026-08-22"}},{"id":"perplexity","name":"Perplexity","declaration":{"preset":"perplexity","name":null,"version":null,"roots":null,"sampling":null,"elicitation":null,"tasks":false,"request_tasks":false,"extensions":[]},"host":{"oldest":"2025-06-18","newest":"2025-06-18","protocol":{"type":"fixed","revision":"2025-06-18"},"left_off":["clientInfo (not known)"],"source":"https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts","date":"2026-08-22"}},{"id":"slack","name":"Slack","declaration":{"preset":"slack","name":null,"version":null,"roots":null,"sampling":null,"elicitation":null,"tasks":false,"request_tasks":false,"extensions":[]},"host":{"oldest":"2025-06-18","newest":"2025-06-18","protocol":{"type":"fixed","revision":"2025-06-18"},"left_off":["clientInfo (not known)","the extension ui (its settings are not known)"],"source":"https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts","date":"2026-08-22"}},{"id":"vs_code","name":"VS Code","declaration":{"preset":"vs_code","name":null,"version":null,"roots":{"list_changed":false,"without_any":true},"sampling":{"context":false,"tools":false},"elicitation":{"form":true,"url":true},"tasks":false,"request_tasks":false,"extensions":[]},"host":{"oldest":"2025-11-25","newest":"2025-11-25","protocol":{"type":"handshake"},"left_off":["clientInfo (not known)","roots.listChanged (not known)","sampling.context and sampling.tools (not known)","tasks (their parts are not known)"],"source":"https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts","date":"2026-08-22"}}];

export const plainNetwork: Readonly<NetworkConfig> = {"proxy":{"type":"system"},"ca_file":null,"client_certificate":null,"accept_any_certificate":false,"connect_seconds":null,"idle_seconds":null};

export const plainSignIn: Readonly<SignInConfig> = {"grant":{"type":"browser"},"client_id":null,"client_secret":null,"issuer":null,"metadata_url":null,"scopes":null,"redirect_port":null,"without_pkce_promise":false,"dpop":"automatic"};

export const plainRules: Readonly<RequestRules> = {"form":{"action":{"type":"ask"},"delay_seconds":0},"page":{"action":{"type":"ask"},"delay_seconds":0},"sampling":{"action":{"type":"ask"},"delay_seconds":0},"roots":{"refuse":false,"delay_seconds":0}};

export const plainDeclaration: Readonly<Declaration> = {"preset":"sonde","name":null,"version":null,"roots":{"list_changed":true,"without_any":false},"sampling":{"context":false,"tools":true},"elicitation":{"form":true,"url":true},"tasks":true,"request_tasks":true,"extensions":[]};

export interface Commands {
  check_server: { args: { server: string | null; draft: ServerConfig }; result: Array<FieldProblem> };
  add_server: { args: { draft: ServerConfig }; result: string };
  update_server: { args: { server: string; draft: ServerConfig }; result: number | null };
  export_server: { args: { server: string }; result: Array<ExportedServer> };
  duplicate_server: { args: { server: string }; result: string };
  move_server: { args: { server: string; group: string | null; index: number }; result: void };
  add_server_group: { args: { name: string; servers: Array<string> }; result: string };
  update_server_group: { args: { group: string; name: string | null; collapsed: boolean | null }; result: void };
  move_server_group: { args: { group: string; index: number }; result: void };
  remove_server_group: { args: { group: string }; result: number };
  preview_import: { args: { text: string }; result: ImportPreview };
  installed_configurations: { args: {  }; result: Array<InstalledConfiguration> };
  preview_command: { args: { server: string }; result: CommandPreview };
  import_servers: { args: { text: string; chosen: Array<Chosen> }; result: Array<string> };
  import_installed: { args: { path: string; fingerprint: string; chosen: Array<Chosen> }; result: Array<string> };
  import_presentation: { args: { text: string; chosen: Array<Chosen>; replace: string | null }; result: ImportedPresentation };
  demo_presentation: { args: {  }; result: string };
  take_offer: { args: {  }; result: string | null };
  preview_declaration: { args: { declaration: Declaration; roots: Array<RootFolder>; protocol: ProtocolMode }; result: DeclarationPreview };
  connect: { args: { server: string; confirm: string | null }; result: void };
  split_command: { args: { command: string }; result: Array<string> | null };
  reveal_variable: { args: { server: string; name: string }; result: string };
  restart: { args: { server: string }; result: void };
  set_log_level: { args: { server: string; level: LogLevel | null }; result: void };
  open_app: { args: { operation: number; reading: number }; result: OpenedApp };
  close_app: { args: { app: string }; result: void };
  record_app: { args: { app: string; entry: AppEntry; text: string }; result: void };
  open_sign_in: { args: { server: string; attempt: number }; result: void };
  sign_out: { args: { server: string }; result: void };
  stored_secrets: { args: {  }; result: StoredSecrets };
  delete_secret: { args: { id: string }; result: void };
  retry_keyring: { args: {  }; result: number };
  run_with_handshake: { args: { operation: number; keep: boolean }; result: void };
  load_history: { args: { server: string }; result: void };
  delete_operations: { args: { operations: Array<number> }; result: number | null };
  clear_log: { args: { server: string }; result: number | null };
  issues: { args: { server: string; filter: IssueFilter }; result: IssueList };
  issue_report: { args: { server: string; rule: string | null; case: string | null }; result: string };
  definition_changes: { args: { server: string }; result: DefinitionChanges };
  accept_definitions: { args: { server: string; which: DefinitionSubject | null; digest: string }; result: number };
  diagnose: { args: { server: string }; result: void };
  cancel_diagnosis: { args: { server: string }; result: void };
  diagnosis_report: { args: { server: string; format: ReportFormat }; result: string };
  open_checks: { args: { server: string }; result: void };
  choose_checks_folder: { args: { server: string }; result: boolean };
  use_own_checks_folder: { args: { server: string }; result: void };
  run_checks: { args: { server: string; choice: CheckChoice; destructive: boolean; on: string | null; revision: string | null }; result: void };
  stop_checks: { args: { server: string }; result: void };
  check_draft: { args: { operation: number }; result: CheckDraft };
  preview_check: { args: { draft: CheckDraft }; result: string };
  keep_check: { args: { draft: CheckDraft }; result: CheckId };
  add_input_to_checks: { args: { input: string }; result: CheckId };
  check_arguments: { args: { server: string; check: CheckId }; result: string };
  set_check_on: { args: { server: string; check: CheckId; on: boolean }; result: void };
  move_check: { args: { server: string; check: CheckId; index: number }; result: void };
  remove_check: { args: { server: string; check: CheckId }; result: number };
  check_comparison: { args: { server: string; check: CheckId }; result: CheckComparison };
  accept_check: { args: { server: string; check: CheckId }; result: number };
  ignore_in_check: { args: { server: string; check: CheckId; pointer: string }; result: number };
  checks_report: { args: { server: string }; result: string };
  present_suite: { args: { server: string; file: string }; result: ImportedPresentation };
  compare_lists: { args: { left: ListSide; right: ListSide }; result: ListComparison };
  mute_rule: { args: { server: string; rule: string; reason: string }; result: void };
  unmute_rule: { args: { server: string; rule: string }; result: void };
  undo_deletion: { args: { deletion: number }; result: void };
  forget_deletion: { args: { deletion: number }; result: void };
  load_draft: { args: { server: string; method: string; target: string }; result: string | null };
  save_draft: { args: { server: string; method: string; target: string; text: string | null; private: boolean }; result: void };
  save_input: { args: { input: SavedInput }; result: string };
  move_input: { args: { input: string; index: number }; result: void };
  delete_input: { args: { input: string }; result: number };
  save_presentation: { args: { presentation: Presentation }; result: string };
  delete_presentation: { args: { presentation: string }; result: number };
  update_settings: { args: { settings: Settings }; result: void };
  dismiss_notice: { args: { id: number }; result: void };
  set_full_screen: { args: { on: boolean | null }; result: boolean };
  open_external: { args: { url: string }; result: void };
  choose_folder: { args: {  }; result: string | null };
  choose_file: { args: {  }; result: string | null };
  sign_in: { args: { server: string }; result: void };
  disconnect: { args: { server: string }; result: void };
  refresh_catalog: { args: { server: string; kind: CatalogKind }; result: void };
  stop_catalog: { args: { server: string; kind: CatalogKind }; result: void };
  open_catalog: { args: { server: string; kind: CatalogKind }; result: void };
  fresh_reading: { args: { server: string; uri: string }; result: number | null };
  subscribe_resource: { args: { server: string; uri: string }; result: void };
  unsubscribe_resource: { args: { server: string; uri: string }; result: void };
  icon_picture: { args: { server: string; src: string; mimeType: string | null }; result: IconPicture };
  ping: { args: { server: string }; result: void };
  round_trips: { args: { server: string; method: string; tool: string | null }; result: Array<RoundTrip> };
  reconnect_stream: { args: { server: string; stream: number }; result: void };
  give_up_stream: { args: { server: string; stream: number }; result: void };
  reopen_session: { args: { server: string }; result: void };
  confirm_issuer: { args: { server: string; attempt: number }; result: void };
  paste_redirect: { args: { server: string; attempt: number; address: string }; result: void };
  register_again: { args: { server: string; attempt: number }; result: void };
  cancel_sign_in: { args: { server: string }; result: void };
  refresh_token: { args: { server: string }; result: void };
  expire_token: { args: { server: string }; result: void };
  send_wrong_token: { args: { server: string; wrong: boolean }; result: void };
  auth_exchange: { args: { server: string; step: number }; result: AuthExchange };
  validate_arguments: { args: { server: string; key: string; arguments: string }; result: ArgumentCheck };
  start_operation: { args: { server: string; operation: OperationInput }; result: number };
  complete: { args: { server: string; reference: CompletionReference; argument: CompletionArgument; resolved: Array<CompletionArgument> }; result: Completion | null };
  cancel_completion: { args: { server: string }; result: void };
  list_tasks: { args: { server: string }; result: void };
  search_operations: { args: { server: string; search: string }; result: Array<number> };
  stderr_lines: { args: { server: string; from: number; count: number }; result: Array<string> };
  inject_fault: { args: { server: string; fault: Fault }; result: void };
  progress_rates: { args: { operation: number }; result: Array<ProgressRate> };
  cancel_operation: { args: { operation: number }; result: void };
  ask_task: { args: { operation: number }; result: void };
  resume_task: { args: { operation: number }; result: void };
  stop_waiting: { args: { operation: number }; result: void };
  extend_operation: { args: { operation: number; seconds: number }; result: void };
  label_operation: { args: { operation: number; label: OperationLabel }; result: void };
  operation_messages: { args: { operation: number; from: number; count: number }; result: Array<LoggedMessage> };
  answer_server_request: { args: { request: number; answer: AnswerInput }; result: void };
  filter_log: { args: { view: number; filter: LogFilter }; result: LogViewState };
  open_log_group: { args: { view: number; seq: number; open: boolean }; result: LogViewState };
  log_rows: { args: { view: number; epoch: number; from: number; count: number }; result: Array<LogRow> };
  log_index: { args: { view: number; seq: number }; result: number | null };
  show_document: { args: { document: number; mode: DocumentMode; columns: number }; result: DocumentView };
  document_rows: { args: { document: number; from: number; count: number }; result: Array<DocumentRow> };
  toggle_node: { args: { document: number; node: number }; result: DocumentView };
  expand_document: { args: { document: number; expanded: boolean }; result: DocumentView };
  search_document: { args: { document: number; text: string; ordinal: number }; result: SearchHit | null };
  locate_value: { args: { document: number; pointer: string }; result: number | null };
  node_value: { args: { document: number; node: number }; result: string | null };
  node_path: { args: { document: number; node: number }; result: string | null };
  operation: { args: { operation: number }; result: OperationView };
  acknowledge: { args: { number: number }; result: void };
  ready_to_close: { args: {  }; result: void };
  keep_view: { args: { view: string }; result: void };
  kept_view: { args: {  }; result: string | null };
  remove_server: { args: { server: string }; result: number };
  save_export: { args: { server: string; client: string }; result: string | null };
  export_presentation: { args: { presentation: string }; result: ExportedPresentation };
  catalog_rows: { args: { server: string; kind: CatalogKind; revision: number; search: string; from: number; count: number }; result: Rows<CatalogRow> };
  catalog_index: { args: { server: string; kind: CatalogKind; search: string; key: string }; result: number | null };
  known_hosts: { args: {  }; result: Array<HostView> };
  host_summary: { args: { server: string }; result: HostSummary };
  host_rows: { args: { server: string; revision: number; filter: HostFilter; from: number; count: number }; result: Rows<HostRow> };
  host_cell: { args: { server: string; key: string; host: string }; result: HostCell };
  tool_lint: { args: { server: string; key: string }; result: Array<FindingView> };
  host_table: { args: { server: string; filter: HostFilter; format: TableText }; result: string };
  prompt_detail: { args: { server: string; key: string }; result: PromptDetail };
  skill_detail: { args: { server: string; key: string }; result: SkillDetail };
  tool_detail: { args: { server: string; key: string }; result: ToolDetail };
  resource_detail: { args: { server: string; kind: CatalogKind; key: string }; result: ResourceDetail };
  expand_template: { args: { template: string; values: Array<TemplateInput> }; result: ExpandedTemplate };
  open_log: { args: { server: string; filter: LogFilter }; result: LogViewState };
  close_log: { args: { view: number }; result: void };
  log_detail: { args: { server: string; seq: number }; result: LogDetail };
  log_curl: { args: { server: string; seq: number }; result: string };
  open_document: { args: { source: DocumentSource; mode: DocumentMode; columns: number }; result: DocumentView };
  close_document: { args: { document: number }; result: void };
  save_document: { args: { source: DocumentSource }; result: string | null };
  save_log: { args: { server: string }; result: string | null };
  save_diagnosis: { args: { server: string; format: ReportFormat }; result: string | null };
  save_diagnosis_log: { args: { server: string }; result: string | null };
  show_saved_file: { args: { path: string }; result: void };
  app_report: { args: {  }; result: AppReport };
}
