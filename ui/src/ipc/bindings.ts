// Generated from crates/ipc by `cargo xtask bindings`. Do not edit.

export type ServerId = string;
export type OperationNumber = number;
export type DeletionNumber = number;

/**
 * The protocol versions that Sonde speaks, newest first.
 */
export const PROTOCOL_VERSIONS: readonly string[] = [
  "2026-07-28",
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05"
];

/**
 * The user's reply.
 */
export type AnswerInput = { "type": "accept", 
/**
 * The values.
 */
content: string, } | { "type": "decline" } | { "type": "cancel" } | { "type": "raw", 
/**
 * The result.
 */
result: string, } | { "type": "error", 
/**
 * JSON-RPC error code.
 */
code: number, 
/**
 * Message of the error.
 */
message: string, };

/**
 * Kinds of reply to a server request.
 */
export type AnswerKind = "accept" | "decline" | "cancel" | "result" | "error";

/**
 * A request of the server that was answered during an operation.
 */
export type AnsweredRequest = { 
/**
 * Number of the server request.
 */
request: number, 
/**
 * Its method, for example `elicitation/create`.
 */
method: string, 
/**
 * The server's message, or one plain sentence; one line.
 */
message: string, 
/**
 * Kind of the reply.
 */
answer: AnswerKind, 
/**
 * Rule that sent the reply; `None` if the user answered.
 */
rule: AnsweringRule | null, 
/**
 * Log entry that carried the reply.
 */
seq: number, };

/**
 * The rule by which a request was answered.
 */
export type AnsweringRule = { 
/**
 * Delay after the request came, in seconds.
 */
after_seconds: number, 
/**
 * Name of the saved answer that was sent, if any.
 */
saved_answer: string | null, };

/**
 * The valid origins that an app declares (`_meta.ui.csp`).
 */
export type AppDomains = { 
/**
 * `connectDomains`: origins that it sends requests to.
 */
connect: Array<string>, 
/**
 * `resourceDomains`: origins of its scripts, styles, pictures, fonts and sound.
 */
resource: Array<string>, 
/**
 * `frameDomains`: origins of its frames. Sonde allows no frames.
 */
frame: Array<string>, 
/**
 * `baseUriDomains`: bases of its relative addresses. Sonde allows no base.
 */
base_uri: Array<string>, };

/**
 * Reasons why the app of an operation is no longer shown although nobody closed it.
 */
export type AppEnd = "unresponsive" | "page_ended";

/**
 * Kinds of records about an app.
 */
export type AppEntry = "sent" | "received" | "note";

/**
 * Report of the app about itself, for a bug report. Holds no secrets.
 */
export type AppReport = { 
/**
 * The app's version.
 */
version: string, 
/**
 * Operating system and architecture.
 */
system: string, 
/**
 * Folder of the app's data.
 */
data_folder: string, 
/**
 * Address of newer versions, if the builder of the app set one.
 */
releases: string | null, 
/**
 * Description of the storage of secrets, one plain sentence.
 */
keyring: string, 
/**
 * The newest lines of the app's log, oldest first.
 */
log: Array<string>, 
/**
 * Reports of crashes of the app itself, newest first, as text.
 */
crashes: Array<string>, };

/**
 * Result of checking arguments against an input schema.
 */
export type ArgumentCheck = { 
/**
 * Violations of the schema, at most 100.
 */
problems: Array<ArgumentProblem>, 
/**
 * Reason why the check was not possible, as one plain sentence. Faults of the schema itself are reported with its
 * tool.
 */
unchecked: string | null, };

/**
 * A disagreement between a value and its schema.
 */
export type ArgumentProblem = { 
/**
 * JSON pointer to the value.
 */
instancePath: string, 
/**
 * JSON pointer to the rule.
 */
schemaPath: string, 
/**
 * The rule's keyword, for example `required`.
 */
keyword: string, 
/**
 * One plain sentence.
 */
message: string, 
/**
 * The missing member, for `required`.
 */
missing: string | null, };

/**
 * A page that the server wants the user to open for an operation (URL mode of elicitation).
 */
export type AskedPage = { 
/**
 * Its address, as the server wrote it; at most 8,192 characters.
 */
url: string, 
/**
 * Message of the server.
 */
message: string, 
/**
 * The operation failed because the page was not visited (error -32042). Otherwise the user accepted a request to
 * open it.
 */
required: boolean, 
/**
 * The server reports that the user has finished there.
 */
completed: boolean, };

/**
 * Ways to sign in to a server over HTTP.
 */
export type AuthConfig = { "type": "sign_in", 
/**
 * Everything that may be left empty.
 */
options: SignInConfig, } | { "type": "token", 
/**
 * The token, without `Bearer`.
 */
token: SecretInput, } | { "type": "off" };

/**
 * A request of a step and its answer, with fingerprints where secrets stood.
 */
export type AuthExchange = { 
/**
 * The verb.
 */
method: string, 
/**
 * The address; at most 8,192 characters of it.
 */
url: string, 
/**
 * Request headers in order: the first 100, at most 8,192 characters of each.
 */
request_headers: Array<LogHeader>, 
/**
 * Request body; at most 64 KiB.
 */
request_body: string | null, 
/**
 * HTTP status; `None` if no answer came.
 */
status: number | null, 
/**
 * Response headers in order: the first 100, at most 8,192 characters of each.
 */
response_headers: Array<LogHeader>, 
/**
 * Response body; at most 64 KiB.
 */
response_body: string | null, 
/**
 * Reason why no response came, one plain sentence.
 */
error: string | null, };

/**
 * Reason for a failed sign-in, or a fault of a sign-in that worked. Never holds a secret.
 */
export type AuthProblem = { 
/**
 * A stable name in snake_case, for example `issuer_mismatch`, `no_pkce`, `refused`,
 * `client_needed`, `cancelled`, `timed_out`.
 */
code: string, 
/**
 * The event, as one plain sentence.
 */
title: string, 
/**
 * The cause, as one plain sentence; empty when the title says it all.
 */
cause: string, 
/**
 * The next steps for the user, as plain sentences.
 */
advice: Array<string>, 
/**
 * Technical detail; may quote what a server wrote.
 */
detail: string | null, 
/**
 * The section of the specification that the problem is about.
 */
spec: SpecLink | null, };

/**
 * States of signing in to a server.
 */
export type AuthState = "signed_out" | "discovering" | "prompt" | "confirmation" | "browser" | "exchanging" | "signed_in" | "refreshing" | "failed";

/**
 * Signing in to one server, live.
 */
export type AuthStatus = { 
/**
 * The server.
 */
server: string, 
/**
 * State of the sign-in.
 */
state: AuthState, 
/**
 * The token, while there is one.
 */
grant: Grant | null, 
/**
 * The sign-in that waits for the user.
 */
prompt: SignInPrompt | null, 
/**
 * The confirmation that waits for the user.
 */
confirmation: IssuerConfirmation | null, 
/**
 * The last problem.
 */
problem: AuthProblem | null, 
/**
 * Requests that wait for a token.
 */
waiting: number, 
/**
 * The newest 100 steps, oldest first.
 */
steps: Array<AuthStep>, 
/**
 * The next request is sent with a wrong token, because the user wants it so.
 */
wrong_token: boolean, };

/**
 * One step of signing in or refreshing.
 */
export type AuthStep = { 
/**
 * Names it: counts from 1 within the server while the app runs.
 */
step: number, 
/**
 * Milliseconds since the Unix epoch.
 */
at: number, 
/**
 * Duration in milliseconds, once over.
 */
millis: number | null, 
/**
 * A stable name in snake_case: `refused`, `resource_metadata`, `server_metadata`, `client`,
 * `registration`, `authorization`, `callback`, `token`, `refresh`, `saved`, `revocation`, ….
 */
code: string, 
/**
 * A plain name.
 */
title: string, 
/**
 * State of the step.
 */
state: AuthStepState, 
/**
 * Outcome, one plain sentence.
 */
sentence: string, 
/**
 * A request was sent: `auth_exchange` returns it.
 */
has_exchange: boolean, 
/**
 * Section of the specification that asks for the step.
 */
spec: SpecLink | null, };

/**
 * States of a step.
 */
export type AuthStepState = "running" | "done" | "warning" | "failed";

/**
 * Messages on the window's channel.
 */
export type Batch = { "type": "snapshot", 
/**
 * Number of the batch; the next one is one higher.
 */
number: number, 
/**
 * The state of each thing.
 */
events: Array<UiEvent>, } | { "type": "events", 
/**
 * Number of the batch, one higher than the previous.
 */
number: number, 
/**
 * The changes.
 */
events: Array<UiEvent>, };

/**
 * Kinds of change of an item with the last re-read.
 */
export type CatalogChange = "added" | "changed";

/**
 * A kind of catalog.
 */
export type CatalogKind = "tools" | "resources" | "resource_templates" | "prompts" | "skills";

/**
 * An item as the list shows it. `tool_detail` has everything about a tool.
 */
export type CatalogRow = { 
/**
 * Key of the item within its list: the name of a tool or prompt, the URI of a resource, the template, or `name#2`
 * for the second one of the same key.
 */
key: string, 
/**
 * `name`, at most 1,000 characters.
 */
name: string, 
/**
 * There is a `name` that is a text, even an empty one.
 */
named: boolean, 
/**
 * Display name, if the server gave one; at most 1,000 characters.
 */
title: string | null, 
/**
 * First line of the description, at most 160 characters, Markdown marks removed.
 */
summary: string, 
/**
 * Change found by the last re-read.
 */
change: CatalogChange | null, 
/**
 * Number of the item's issues: findings above information, without muted rules.
 */
issues: number, 
/**
 * Reason why clients must not call the tool; the user may override it.
 */
forbidden: string | null, 
/**
 * `readOnlyHint` of a tool.
 */
read_only: boolean | null, 
/**
 * `destructiveHint` of a tool.
 */
destructive: boolean | null, 
/**
 * `idempotentHint` of a tool.
 */
idempotent: boolean | null, 
/**
 * `openWorldHint` of a tool.
 */
open_world: boolean | null, 
/**
 * Further columns of a resource or a resource template.
 */
resource: ResourceRow | null, };

/**
 * A catalog without its items, which are read by index with `catalog_rows`. Replaced whole.
 */
export type CatalogView = { 
/**
 * The server.
 */
server: string, 
/**
 * Kind of its items.
 */
kind: CatalogKind, 
/**
 * Number of readings, from 1; 0 before the first.
 */
revision: number, 
/**
 * Number of items read so far during a reading.
 */
reading: number | null, 
/**
 * The server declared this list.
 */
supported: boolean, 
/**
 * Number of items, which are kept after a disconnect.
 */
count: number, 
/**
 * Key of the first item.
 */
first: string | null, 
/**
 * Difference of the last re-read.
 */
diff: DiffView | null, 
/**
 * Findings about the list as a whole: the first 100.
 */
findings: Array<FindingView>, 
/**
 * Number of all findings.
 */
finding_count: number, 
/**
 * Reason why the last read failed or ended early, one plain sentence. Items read before
 * that are kept.
 */
error: string | null, 
/**
 * Caching of the list as the server allows it, one plain sentence.
 */
freshness: string | null, 
/**
 * Time until which the server allows caching the list, in milliseconds since the Unix epoch; `None` if it does not
 * say.
 */
fresh_until: number | null, };

/**
 * Certainty of a finding.
 */
export type Certainty = "fact" | "heuristic";

/**
 * PEM files of a certificate.
 */
export type CertificateFiles = { 
/**
 * The certificate, followed by the intermediate certificates.
 */
certificate: string, 
/**
 * The private key; may be the same file.
 */
key: string, };

/**
 * A step of a suite.
 */
export type Check = { 
/**
 * Names it.
 */
id: CheckId, 
/**
 * Its name, else the request in short.
 */
name: string, 
/**
 * Its group.
 */
group: string | null, 
/**
 * Short form of the request, for example `call add`.
 */
request: string, 
/**
 * The tool that it calls.
 */
tool: string | null, 
/**
 * The arguments as JSON text, at most 300 characters.
 */
arguments: string | null, 
/**
 * False if the step is left out.
 */
on: boolean, 
/**
 * Reason for skipping it, from the file.
 */
skip_reason: string | null, 
/**
 * It runs only in a run that includes destructive checks.
 */
destructive: boolean, 
/**
 * Its line in the file, from 1.
 */
line: number, 
/**
 * Its last result.
 */
result: CheckResult | null, };

/**
 * Result of a check in a case of its suite's matrix.
 */
export type CheckCase = { 
/**
 * Protocol version and transport, if the matrix has them.
 */
label: string, 
/**
 * The state of the check in this case.
 */
state: CheckState, 
/**
 * Duration of the request in microseconds.
 */
duration: number | null, };

/**
 * Checks to run.
 */
export type CheckChoice = { "type": "all" } | { "type": "failed" } | { "type": "some", 
/**
 * The checks.
 */
checks: Array<CheckId>, };

/**
 * A stored value and the current one, both as JSON text.
 */
export type CheckComparison = { 
/**
 * The stored value; empty where there is none.
 */
before: string, 
/**
 * The value of the last run.
 */
now: string, };

/**
 * A finished run as a check, before it is added.
 */
export type CheckDraft = { 
/**
 * The run.
 */
operation: number, 
/**
 * Name of the check.
 */
name: string, 
/**
 * The expected outcome.
 */
outcome: CheckOutcome, 
/**
 * No violation of the protocol is expected.
 */
no_findings: boolean, 
/**
 * Expectation about the result.
 */
result: CheckedResult, 
/**
 * The result has text that an expectation can be about.
 */
can_contain: boolean, 
/**
 * `structuredContent` has to meet the tool's output schema.
 */
schema: boolean, 
/**
 * The tool has an output schema.
 */
has_schema: boolean, 
/**
 * Limit of the duration, as a multiple of this run's duration.
 */
duration_factor: number | null, 
/**
 * Duration of the run in microseconds.
 */
duration: number | null, 
/**
 * The file; `None` means `checks.sonde.yaml`, which is made where there is none.
 */
file: string | null, };

/**
 * An expectation that did not hold.
 */
export type CheckFailure = { 
/**
 * Its line in the file.
 */
line: number, 
/**
 * The expectation and the value that was found.
 */
message: string, 
/**
 * A value differs from its stored one.
 */
differs: boolean, 
/**
 * JSON Pointer of that value, as `ignore_in_check` takes it.
 */
path: string | null, };

/**
 * Names a check by its file and its text.
 */
export type CheckId = { 
/**
 * Path of the file in the folder, with `/`.
 */
file: string, 
/**
 * Digest of the step without `skip`; the second of equal steps ends in `#2`.
 */
step: string, };

/**
 * Outcomes that a check expects.
 */
export type CheckOutcome = "done" | "tool_error" | "rpc_error";

/**
 * A fault of a file.
 */
export type CheckProblem = { 
/**
 * Line, from 1; 0 for the whole file.
 */
line: number, 
/**
 * Column in characters, from 1.
 */
column: number, 
/**
 * The fault and what is meant instead.
 */
message: string, };

/**
 * Result of a check.
 */
export type CheckResult = { 
/**
 * Its state.
 */
state: CheckState, 
/**
 * The expectations that did not hold, at most 50.
 */
failures: Array<CheckFailure>, 
/**
 * Reason of a state that is neither passed nor failed.
 */
reason: string | null, 
/**
 * Duration of the request in microseconds.
 */
duration: number | null, 
/**
 * Its end, in milliseconds since the Unix epoch.
 */
at: number, 
/**
 * Name of the server by its own account.
 */
server_name: string | null, 
/**
 * Version of the server by its own account.
 */
version: string | null, 
/**
 * Version of the protocol.
 */
revision: string | null, 
/**
 * A value differs from its stored one; the two can be compared, and the new one accepted.
 */
differs: boolean, 
/**
 * There is no stored value to compare with yet; the current value can be accepted.
 */
baseline_missing: boolean, 
/**
 * The cases of the suite's matrix in their order; none without a matrix.
 */
cases: Array<CheckCase>, };

/**
 * A run under way.
 */
export type CheckRun = { 
/**
 * Number of finished checks.
 */
done: number, 
/**
 * Number of all checks.
 */
total: number, 
/**
 * The server that replaces the suites' own.
 */
on: string | null, 
/**
 * The user has stopped it.
 */
stopping: boolean, };

/**
 * States of a check, ordered by the attention that they need.
 */
export type CheckState = "waiting" | "running" | "passed" | "skipped" | "incomplete" | "failed" | "broken";

/**
 * A file of checks.
 */
export type CheckSuite = { 
/**
 * Path in the folder, with `/`.
 */
file: string, 
/**
 * Its name, else the name of its file.
 */
name: string, 
/**
 * Name of the server that the suite names; `None` lets the list decide.
 */
server: string | null, 
/**
 * It describes a server in place of a name. The window runs such a suite only on a server of the list.
 */
describes_server: boolean, 
/**
 * Reasons why the file is not a suite; it then has no checks.
 */
problems: Array<CheckProblem>, 
/**
 * Its steps, in order.
 */
checks: Array<Check>, };

/**
 * Totals of a run.
 */
export type CheckTotals = { 
/**
 * Name of the server by its own account.
 */
server_name: string | null, 
/**
 * Version of the server by its own account.
 */
version: string | null, 
/**
 * Version of the protocol.
 */
revision: string | null, 
/**
 * End of the run, in milliseconds since the Unix epoch.
 */
at: number, 
/**
 * Checks that passed.
 */
passed: number, 
/**
 * Checks that failed, or were cut off by the end of the connection.
 */
failed: number, 
/**
 * Checks that their files leave out of every run.
 */
off: number, 
/**
 * Checks that only this run left out.
 */
skipped: number, 
/**
 * Checks that established nothing.
 */
other: number, };

/**
 * Expectations about a result.
 */
export type CheckedResult = { "type": "not_checked" } | { "type": "same", 
/**
 * JSON Pointers of values that may differ; `*` stands for any key or index.
 */
ignore: Array<string>, } | { "type": "contains", 
/**
 * The text.
 */
text: string, };

/**
 * The checks of a server: its folder of suites with the results of the last run.
 */
export type Checks = { 
/**
 * The server.
 */
server: string, 
/**
 * Path of the folder.
 */
folder: string, 
/**
 * The folder is the server's own, in the data folder.
 */
own_folder: boolean, 
/**
 * The suites, in the order of their names.
 */
suites: Array<CheckSuite>, 
/**
 * A run under way.
 */
run: CheckRun | null, 
/**
 * Totals of the last run.
 */
last: CheckTotals | null, 
/**
 * Totals of the last run on another version of the same server.
 */
before: CheckTotals | null, 
/**
 * Files and steps beyond the limits, which are left out.
 */
too_many: number, 
/**
 * Reason why the folder cannot be read, one sentence.
 */
problem: string | null, };

/**
 * A server of a text to add.
 */
export type Chosen = { 
/**
 * Its place among the candidates.
 */
index: number, 
/**
 * New name; `None` keeps the name in the text.
 */
name: string | null, };

/**
 * Kinds of clients, by the way in which the authorization server knows them.
 */
export type ClientKind = "preregistered" | "metadata_document" | "registered";

/**
 * The exact command of a server, to be shown whole before it runs for the first time.
 */
export type CommandPreview = { 
/**
 * Confirms exactly this command; handed back with `connect`.
 */
fingerprint: string, 
/**
 * The program file that will run; `None` if it was not found.
 */
program: string | null, 
/**
 * Program as configured, then the arguments: with their secrets until the first confirmation, then with the
 * placeholders of the secrets.
 */
argv: Array<string>, 
/**
 * Placeholders of secrets in the arguments (`${secret:NAME}`), each once. `reveal_variable` accepts them as names.
 */
secret_arguments: Array<string>, 
/**
 * Variables that are set in addition to the inherited ones.
 */
env: Array<CommandVariable>, 
/**
 * Names of the inherited variables except PATH, in order, without those that are set.
 */
inherited: Array<string>, 
/**
 * Its secrets can be asked for: no command of this server was ever confirmed.
 */
revealable: boolean, 
/**
 * Working directory.
 */
cwd: string, 
/**
 * The PATH it gets.
 */
path: string, 
/**
 * Source of that PATH, as a plain sentence.
 */
path_source: string, 
/**
 * Remarkable parts of the command (a shell, a download-and-run tool), as plain sentences.
 */
warnings: Array<string>, };

/**
 * A variable that a command gets.
 */
export type CommandVariable = { 
/**
 * Its name.
 */
name: string, 
/**
 * Value; `None` for a secret, unless the variable decides what runs.
 */
value: string | null, 
/**
 * Effect on what runs, as one plain sentence.
 */
effect: string | null, };

/**
 * Suggestions of a server.
 */
export type Completion = { 
/**
 * At most 100 values, best first, each of at most 4 KiB.
 */
values: Array<string>, 
/**
 * Number of values in all, if the server says so.
 */
total: number | null, 
/**
 * The server has more values than these.
 */
has_more: boolean, };

/**
 * An argument with its value.
 */
export type CompletionArgument = { 
/**
 * Its name, or the name of the template's variable.
 */
name: string, 
/**
 * Text typed so far.
 */
value: string, };

/**
 * Owner of an argument (server/utilities/completion, Reference Types).
 */
export type CompletionReference = { "type": "prompt", 
/**
 * Its name; from the window, its key in the list where it has one.
 */
name: string, } | { "type": "resource_template", 
/**
 * Its `uriTemplate`.
 */
uri: string, };

/**
 * Value of an environment variable or a header.
 */
export type ConfigValue = { "kind": "plain", "value": string } | { "kind": "secret", "value": SecretInput };

/**
 * One step of connecting as it is shown.
 */
export type ConnectStep = { 
/**
 * A plain name, for example "Start the process".
 */
name: string, 
/**
 * State of the step.
 */
state: StepState, 
/**
 * Duration in milliseconds, once done.
 */
millis: number | null, };

/**
 * The connection of one server as its panel shows it. Replaced whole.
 */
export type ConnectionView = { 
/**
 * Streams: the background stream first, then the newest; finished responses leave the list.
 */
streams: Array<StreamStatus>, 
/**
 * The newest 200 lines about the streams, oldest first.
 */
lines: Array<StreamLine>, 
/**
 * Number of lines so far.
 */
lines_total: number, 
/**
 * Problem of the open connection; `None` while it is healthy.
 */
health: HealthProblem | null, 
/**
 * Statistics by method, in order of first use.
 */
stats: Array<MethodStats>, 
/**
 * Delay of replies to the server, in milliseconds.
 */
answer_delay_ms: number, 
/**
 * Last reply to the server's request for the list of roots; `None` if it has not asked.
 */
roots: RootsAnswer | null, 
/**
 * The server connected to.
 */
server: string, 
/**
 * Number of this connect among the server's connects, from 1.
 */
generation: number, 
/**
 * Transport in use, or tried at present; `None` before the first attempt.
 */
transport: TransportKind | null, 
/**
 * Protocol spoken with the server: after a handshake, or stateless.
 */
era: Era | null, 
/**
 * The protocol version in use.
 */
revision: string | null, 
/**
 * Other protocol versions that the server says it supports.
 */
supported: Array<string>, 
/**
 * Mark that tells the session id from others.
 */
session_fingerprint: string | null, 
/**
 * HTTP version of the last response: `HTTP/1.1`, `HTTP/2.0`.
 */
http_version: string | null, 
/**
 * Steps that detected what the server speaks.
 */
detection: Array<Detection>, 
/**
 * Number of times the session was reopened.
 */
reopened: number, 
/**
 * The user has paused reading.
 */
paused: boolean, 
/**
 * Reminders of risky settings of this way to the server, for example that any certificate is accepted.
 */
warnings: Array<string>, 
/**
 * Client name, version and capabilities declared to the server, by the settings at connect.
 */
declaration: Declaration, };

/**
 * One content block of a result.
 */
export type ContentBlock = { 
/**
 * Kind of the content.
 */
kind: ContentKind, 
/**
 * MIME type as the server says.
 */
mime_type: string | null, 
/**
 * Size in bytes: of the text, or of the decoded data.
 */
bytes: number, 
/**
 * The whole text where it has at most 64 KiB; longer texts are read as a document.
 */
text: string | null, 
/**
 * The URI of a link or an embedded resource; at most 8,192 characters, `…` ends a cut one.
 */
uri: string | null, 
/**
 * Name, title and description of a link, joined for display.
 */
title: string | null, 
/**
 * Further statements of the server about the content, if there are any.
 */
details: ContentDetails | null, 
/**
 * Findings about this block.
 */
findings: Array<FindingView>, };

/**
 * Statements of a server about a piece of content, beside the content itself.
 */
export type ContentDetails = { 
/**
 * `annotations.audience`: the first ten, at most 256 characters of each.
 */
audience: Array<string>, 
/**
 * `annotations.priority`.
 */
priority: number | null, 
/**
 * `annotations.lastModified`, at most 256 characters of it.
 */
last_modified: string | null, 
/**
 * `size` of a link, in bytes.
 */
size: number | null, 
/**
 * `icons` of a link: the first four.
 */
icons: ShownIcons, 
/**
 * `_meta` as JSON text as received; at most 4 KiB, `…` ends a cut one.
 */
meta: string | null, 
/**
 * `_meta` of the embedded resource, in the same form.
 */
resource_meta: string | null, };

/**
 * Kinds of content.
 */
export type ContentKind = "text" | "image" | "audio" | "resource_link" | "embedded_text" | "embedded_blob" | "unknown";

/**
 * Times at which a running operation gives up, in milliseconds since the Unix epoch.
 */
export type Deadline = { 
/**
 * Time at which it ends without any progress.
 */
idle_at: number, 
/**
 * Time at which it ends in any case.
 */
hard_at: number, };

/**
 * Declaration to one server. Capabilities that are `None` are not declared.
 */
export type Declaration = { 
/**
 * The preset that filled it in, by its id; it may have been changed since.
 */
preset: string, 
/**
 * `clientInfo.name`; `None` means Sonde's.
 */
name: string | null, 
/**
 * `clientInfo.version`; `None` means Sonde's.
 */
version: string | null, 
/**
 * `roots`.
 */
roots: RootsDeclaration | null, 
/**
 * `sampling`.
 */
sampling: SamplingDeclaration | null, 
/**
 * `elicitation`. With neither mode, which means forms.
 */
elicitation: ElicitationDeclaration | null, 
/**
 * The extension `io.modelcontextprotocol/tasks` (2026-07-28).
 */
tasks: boolean, 
/**
 * Sampling and elicitation, where they are declared, may be asked for as tasks (`tasks`, 2025-11-25).
 */
request_tasks: boolean, 
/**
 * `extensions`.
 */
extensions: Array<ExtensionDeclaration>, };

/**
 * A declaration to begin with: Sonde's, an empty one, or a host's.
 */
export type DeclarationPreset = { 
/**
 * Names it in [`Declaration::preset`].
 */
id: string, 
/**
 * Its name.
 */
name: string, 
/**
 * Declaration that it fills in.
 */
declaration: Declaration, 
/**
 * Facts about the host, if the preset is a host's.
 */
host: HostFacts | null, };

/**
 * Declaration as a server receives it, as JSON text.
 */
export type DeclarationPreview = { 
/**
 * `params` of `initialize`, if a handshake may be sent.
 */
handshake: string | null, 
/**
 * Declaration in `_meta` of each request, if stateless requests may be sent.
 */
stateless: string | null, };

/**
 * A definition that is not as it was accepted.
 */
export type DefinitionChange = { 
/**
 * Subject of the definition.
 */
subject: DefinitionSubject, 
/**
 * Fingerprint of the present definition.
 */
digest: string, 
/**
 * Differences, member by member.
 */
members: Array<MemberChange>, 
/**
 * Time of acceptance, in milliseconds since the Unix epoch.
 */
accepted: number, 
/**
 * Time the present version was first seen, in milliseconds since the Unix epoch.
 */
seen: number, };

/**
 * The definitions of a server that differ from the accepted ones.
 */
export type DefinitionChanges = { 
/**
 * Number of changes.
 */
count: number, 
/**
 * The first 100.
 */
changes: Array<DefinitionChange>, 
/**
 * Fingerprint of all changed definitions together.
 */
digest: string, };

/**
 * Subjects of a definition.
 */
export type DefinitionSubject = { "type": "instructions" } | { "type": "tool", 
/**
 * Its key in the list.
 */
key: string, };

/**
 * Sources of the delay before the next attempt.
 */
export type DelaySource = "server" | "backoff" | "user";

/**
 * A step of detecting the protocol that a server speaks.
 */
export type Detection = { 
/**
 * Milliseconds since the Unix epoch.
 */
at: number, 
/**
 * A stable name in kebab-case, for example `discover-answered`.
 */
code: string, 
/**
 * One plain sentence.
 */
sentence: string, 
/**
 * Era that this step proves, if any.
 */
verdict: Era | null, 
/**
 * The log entry that carried it, where there is one.
 */
seq: number | null, };

/**
 * One diagnosis of a server.
 */
export type Diagnosis = { 
/**
 * The diagnosed server.
 */
server: string, 
/**
 * Counts the diagnoses of all servers since the start of the app, from 1.
 */
number: number, 
/**
 * State of the diagnosis.
 */
state: DiagnosisState, 
/**
 * Name of the server when the diagnosis began.
 */
name: string, 
/**
 * The command or URL of the server then, without secrets.
 */
address: string, 
/**
 * Time of its start, in milliseconds since the Unix epoch.
 */
began: number, 
/**
 * Duration in milliseconds, once it is over.
 */
millis: number | null, 
/**
 * The steps in order.
 */
steps: Array<DiagnosisStep>, };

/**
 * States of a diagnosis.
 */
export type DiagnosisState = "running" | "done" | "lost" | "cancelled" | "timed_out";

/**
 * One step of a diagnosis.
 */
export type DiagnosisStep = { 
/**
 * Code of the step.
 */
code: DiagnosisStepCode, 
/**
 * Its name.
 */
title: string, 
/**
 * Outcome so far.
 */
outcome: StepOutcome, 
/**
 * Action that was tried, one plain sentence; empty before.
 */
tried: string, 
/**
 * Result, plain sentences; empty before.
 */
found: string, 
/**
 * Duration in milliseconds, where it was measured.
 */
millis: number | null, 
/**
 * Advice, plain sentences.
 */
fix: Array<string>, 
/**
 * Further lines, at most 40.
 */
detail: Array<string>, };

/**
 * A step of reaching a server, in the order in which they are taken. A transport has some of them.
 */
export type DiagnosisStepCode = "settings" | "command" | "process" | "dns" | "tcp" | "tls" | "http" | "authorization" | "stdout" | "handshake" | "lists" | "schemas" | "hosts" | "ping" | "shutdown";

/**
 * Items with the same kind of change.
 */
export type DiffNames = { 
/**
 * Number of items.
 */
count: number, 
/**
 * The first 20 keys: names, or URIs for resources.
 */
names: Array<string>, };

/**
 * Changes of the last re-read.
 */
export type DiffView = { 
/**
 * Time of the re-read, in milliseconds since the Unix epoch.
 */
at: number, 
/**
 * New items.
 */
added: DiffNames, 
/**
 * Removed items.
 */
removed: DiffNames, 
/**
 * Items with another definition.
 */
changed: DiffNames, };

/**
 * Modes of showing a document.
 */
export type DocumentMode = "tree" | "pretty" | "raw" | "hex";

/**
 * One row of a document.
 */
export type DocumentRow = { "type": "text", 
/**
 * The text.
 */
text: string, 
/**
 * Line number from 1; `None` if the row continues the line above.
 */
line: number | null, } | { "type": "node", 
/**
 * Number of the node.
 */
node: number, 
/**
 * Row of the container that holds the node; `None` for the root.
 */
parent: number | null, 
/**
 * 0 for the root.
 */
depth: number, 
/**
 * Key of the node in an object, decoded.
 */
key: string | null, 
/**
 * Index of the node in an array.
 */
index: number | null, 
/**
 * Kind of the node.
 */
kind: NodeKind, 
/**
 * Scalars: as received, at most 400 characters (strings with quotes). Containers: empty.
 */
value: string, 
/**
 * The value is longer than shown.
 */
truncated: boolean, 
/**
 * Children of a container.
 */
children: number, 
/**
 * The children are shown as rows.
 */
expanded: boolean, };

/**
 * Sources of a document's bytes.
 */
export type DocumentSource = { "type": "content", 
/**
 * The operation.
 */
operation: number, 
/**
 * Index of the block.
 */
index: number, } | { "type": "structured", 
/**
 * The operation.
 */
operation: number, } | { "type": "answer", 
/**
 * The operation.
 */
operation: number, } | { "type": "arguments", 
/**
 * The operation.
 */
operation: number, } | { "type": "params", 
/**
 * The operation.
 */
operation: number, } | { "type": "transcript", 
/**
 * The operation.
 */
operation: number, } | { "type": "instructions", 
/**
 * The server.
 */
server: string, } | { "type": "capabilities", 
/**
 * The server.
 */
server: string, } | { "type": "server_meta", 
/**
 * The server.
 */
server: string, } | { "type": "definition", 
/**
 * Server of the catalog.
 */
server: string, 
/**
 * Kind of the catalog.
 */
kind: CatalogKind, 
/**
 * The item's key in the list.
 */
key: string, } | { "type": "log_data", 
/**
 * Server of the log.
 */
server: string, 
/**
 * Sequence number of the entry.
 */
seq: number, } | { "type": "log_entry", 
/**
 * Server of the log.
 */
server: string, 
/**
 * Sequence number of the entry.
 */
seq: number, };

/**
 * An open document. Rows have one fixed height and are fetched by index.
 */
export type DocumentView = { 
/**
 * Number of the document until it is closed.
 */
document: number, 
/**
 * Mode in use: `Tree` and `Pretty` fall back to `Raw` for text that is not JSON.
 */
mode: DocumentMode, 
/**
 * Number of rows at present.
 */
rows: number, 
/**
 * Size in bytes.
 */
bytes: number, 
/**
 * Number of JSON nodes, in tree mode.
 */
nodes: number | null, 
/**
 * Reason why the document is not shown as JSON, one plain sentence.
 */
not_json: string | null, 
/**
 * The first rows, at most 200, after all rows have changed.
 */
first: Array<DocumentRow>, };

/**
 * Policies for binding tokens to a key (RFC 9449).
 */
export type DpopMode = "automatic" | "always" | "never";

/**
 * Parts missing from an operation that was read from its file. Its wire log entries and its log messages are always
 * missing; their transcript may be there.
 */
export type EarlierRun = { 
/**
 * Secrets in its arguments were replaced before it was stored.
 */
arguments_redacted: boolean, 
/**
 * Its result, or error, was too large to be stored.
 */
result_dropped: boolean, 
/**
 * The transcript of its messages was stored.
 */
transcript: boolean, };

/**
 * The modes of `elicitation` (2025-11-25 on).
 */
export type ElicitationDeclaration = { 
/**
 * `form`.
 */
form: boolean, 
/**
 * `url`.
 */
url: boolean, };

/**
 * The two ways to speak.
 */
export type Era = "handshake" | "stateless";

/**
 * Error codes that the window branches on. Codes are stable; messages are for people.
 */
export type ErrorCode = "not_found" | "invalid_input" | "command_not_confirmed" | "inputs_missing" | "not_connected" | "already_connected" | "arguments_not_json" | "no_completion" | "keyring_unavailable" | "storage" | "entry_dropped" | "internal";

/**
 * Kinds of evidence for a statement about a host.
 */
export type Evidence = "source" | "documentation" | "issue" | "second_hand";

/**
 * A URI template with its values filled in.
 */
export type ExpandedTemplate = { 
/**
 * The URI; `None` if there is a problem.
 */
uri: string | null, 
/**
 * Reason why there is no URI, as a part of a sentence.
 */
problem: string | null, };

/**
 * A presentation that was saved as one file.
 */
export type ExportedPresentation = { 
/**
 * Path of the file; `None` if the user cancelled.
 */
path: string | null, 
/**
 * Parts that were left out, as plain sentences.
 */
notes: Array<string>, };

/**
 * A server in the configuration of a client.
 */
export type ExportedServer = { 
/**
 * Names the client, in snake_case.
 */
client: string, 
/**
 * The client's name.
 */
name: string, 
/**
 * Text for the client's file; `None` if the client cannot have this server.
 */
text: string | null, 
/**
 * Reason why the client cannot have this server, one plain sentence.
 */
problem: string | null, 
/**
 * Steps left to the user, and losses of the export, as plain sentences.
 */
notes: Array<string>, };

/**
 * An extension that is declared.
 */
export type ExtensionDeclaration = { 
/**
 * Its identifier.
 */
name: string, 
/**
 * Its settings, a JSON object as it was typed.
 */
settings: string, };

/**
 * Explanation of a connection's failure or end.
 */
export type Failure = { 
/**
 * A stable name in snake_case, for example `command_not_found`, `process_exited`,
 * `connection_refused`, `html_answer`.
 */
code: string, 
/**
 * The event, one plain sentence.
 */
title: string, 
/**
 * The cause, one plain sentence; empty when the title says it all.
 */
cause: string, 
/**
 * Next steps for the user, plain sentences.
 */
advice: Array<string>, 
/**
 * Technical detail: folders searched, first characters of an HTML page, error data.
 */
detail: string | null, 
/**
 * The last lines of the child's standard error, oldest first.
 */
stderr_tail: Array<string>, 
/**
 * Lines of its stdout that are not messages, oldest first.
 */
non_message_tail: Array<string>, };

/**
 * A fault. Each is marked in the log as caused by the user before it happens.
 */
export type Fault = { "type": "drop_listener" } | { "type": "drop_operation_stream", 
/**
 * The operation.
 */
operation: number, } | { "type": "forget_session_id" } | { "type": "stale_session_id" } | { "type": "wrong_last_event_id" } | { "type": "raw_frame", 
/**
 * The text.
 */
text: string, } | { "type": "delay_answers", 
/**
 * Milliseconds.
 */
millis: number, } | { "type": "kill" } | { "type": "pause_reading", 
/**
 * True to begin, false to end.
 */
paused: boolean, };

/**
 * A problem that keeps a configuration from being saved.
 */
export type FieldProblem = { 
/**
 * Field with the problem.
 */
field: ServerField, 
/**
 * Index of the row, for a field of a list.
 */
row: number | null, 
/**
 * One plain sentence with what to do.
 */
message: string, };

/**
 * A finding, ready for display. Built in one place, so that a rule reads the same everywhere.
 */
export type FindingView = { 
/**
 * The id of the rule, in kebab-case.
 */
rule: string, 
/**
 * Subject of the rule.
 */
group: RuleGroup, 
/**
 * Severity of breaking the rule.
 */
severity: Severity, 
/**
 * Certainty of the finding.
 */
certainty: Certainty, 
/**
 * The fault, in plain sentences.
 */
message: string, 
/**
 * The harm of the fault, in a plain sentence.
 */
why: string, 
/**
 * Advice for the author of the server, in a plain sentence.
 */
fix: string, 
/**
 * Protocol versions that the rule applies to; `None` for all.
 */
revisions: string | null, 
/**
 * The place, as the window shows it: a JSON Pointer or the name of a header.
 */
location: string | null, 
/**
 * Section of the specification that the rule follows.
 */
spec: SpecLink | null, };

/**
 * A token as far as it may be shown.
 */
export type Grant = { 
/**
 * Mark that tells this access token from others.
 */
token_fingerprint: string, 
/**
 * The mark of the refresh token, if there is one.
 */
refresh_fingerprint: string | null, 
/**
 * Place where the token is kept.
 */
kept: Kept, 
/**
 * Issuer of the token.
 */
issuer: string, 
/**
 * Resource that the token is for, as the server publishes it.
 */
resource: string, 
/**
 * Id of the client that holds the token.
 */
client_id: string, 
/**
 * Kind of that client.
 */
client_kind: ClientKind, 
/**
 * Scopes, as granted.
 */
scopes: Array<string>, 
/**
 * `Bearer` or `DPoP`.
 */
token_type: string, 
/**
 * Time of issue, in milliseconds since the Unix epoch.
 */
granted_at: number, 
/**
 * Time of expiry, in milliseconds since the Unix epoch; `None` if the server does not say.
 */
expires_at: number | null, 
/**
 * Number of refreshes since the sign-in.
 */
refreshed: number, 
/**
 * The authorization server offers to revoke the token.
 */
revocable: boolean, };

/**
 * Parties that sign in.
 */
export type GrantConfig = { "type": "browser" } | { "type": "client_secret" } | { "type": "private_key", 
/**
 * PEM, PKCS #8.
 */
key: SecretInput, 
/**
 * `ES256`, `ES384`, `RS256`, `PS256` or `EdDSA`; `None` means the usual one for the key.
 */
algorithm: string | null, 
/**
 * `aud` of the assertion; `None` means the issuer.
 */
audience: string | null, } | { "type": "enterprise", 
/**
 * The token endpoint of the identity provider.
 */
idp_token_endpoint: string, 
/**
 * The client that the identity provider knows.
 */
idp_client_id: string, 
/**
 * Secret of that client, if it has one.
 */
idp_client_secret: SecretInput | null, 
/**
 * The user's ID token.
 */
id_token: SecretInput, } | { "type": "workload", 
/**
 * The assertion, a JWT.
 */
assertion: SecretInput, };

/**
 * Problems of an open connection.
 */
export type HealthCode = "stream_lost" | "stream_over" | "reopening" | "request_failed" | "unreachable" | "session_rejected" | "stdout_closed";

/**
 * Severity of a problem.
 */
export type HealthLevel = "degraded" | "unhealthy";

/**
 * A problem of an open connection. A healthy one has none.
 */
export type HealthProblem = { 
/**
 * Severity of the problem.
 */
level: HealthLevel, 
/**
 * Kind of the problem.
 */
code: HealthCode, 
/**
 * One or two plain sentences.
 */
sentence: string, };

/**
 * Limits of runs stored in files, which survive a restart. A lower limit takes effect when the next run is stored.
 */
export type HistoryLimits = { 
/**
 * Runs of each server, at most [`RUNS`]; with 0, no more runs are stored. Pinned runs do not count.
 */
runs: number, 
/**
 * MiB of each server, within [`MIB`].
 */
server_mib: number, 
/**
 * MiB of all servers together, within [`MIB`].
 */
total_mib: number, };

/**
 * Verdict about a tool in a host.
 */
export type HostCell = { 
/**
 * The verdict in a word.
 */
verdict: Verdict, 
/**
 * Reasons for the verdict, the worst first.
 */
reasons: Array<HostReason>, 
/**
 * Unknown facts, or facts that could not be judged, in a sentence.
 */
unknown: string | null, };

/**
 * Known facts about a host that runs servers.
 */
export type HostFacts = { 
/**
 * The oldest protocol version that it offers.
 */
oldest: string, 
/**
 * The newest.
 */
newest: string, 
/**
 * The protocol mode that comes nearest to it.
 */
protocol: ProtocolMode, 
/**
 * Capabilities that the host declares, or may declare, and the preset leaves off, each with the reason.
 */
left_off: Array<string>, 
/**
 * Address of the source.
 */
source: string, 
/**
 * Date of the source, `YYYY-MM-DD`.
 */
date: string, };

/**
 * Filter of the rows.
 */
export type HostFilter = { 
/**
 * The ids of the hosts, in the order of the columns.
 */
hosts: Array<string>, 
/**
 * Only tools that have a problem in one of these hosts.
 */
problems: boolean, 
/**
 * Only tools whose name, title or description contains this.
 */
search: string, };

/**
 * Kinds of hosts.
 */
export type HostKind = "host" | "api" | "directory";

/**
 * Reason why a tool does not simply work in a host.
 */
export type HostReason = { 
/**
 * The consequence.
 */
verdict: Verdict, 
/**
 * The violation, in a sentence.
 */
what: string, 
/**
 * The host's reaction, in a sentence.
 */
then: string, 
/**
 * Condition of the reaction, in a sentence; `None` for always.
 */
when: string | null, 
/**
 * The remedy, in a sentence.
 */
fix: string, 
/**
 * Location in the definition: a JSON Pointer.
 */
pointer: string | null, 
/**
 * The reason may be wrong.
 */
heuristic: boolean, 
/**
 * Source of the fact.
 */
source: HostSource, };

/**
 * A tool with its verdicts in the requested hosts.
 */
export type HostRow = { 
/**
 * Key of the tool within its list.
 */
key: string, 
/**
 * `name`, at most 1,000 characters.
 */
name: string, 
/**
 * Verdicts by host, in the requested order.
 */
verdicts: Array<Verdict>, 
/**
 * The definition as received, in bytes.
 */
bytes: number, 
/**
 * Estimated tokens of the definition.
 */
tokens: number, 
/**
 * Number of findings about the tool other than those of the protocol, without hosts and muted rules.
 */
findings: number, };

/**
 * A source of facts.
 */
export type HostSource = { 
/**
 * Title of the source.
 */
name: string, 
/**
 * Address of the source.
 */
url: string, 
/**
 * Day or month of its statements: `YYYY-MM-DD` or `YYYY-MM`.
 */
date: string, 
/**
 * The kind of source.
 */
evidence: Evidence, };

/**
 * A sentence about a host.
 */
export type HostStatement = { 
/**
 * The sentence.
 */
text: string, 
/**
 * Source of the sentence.
 */
source: HostSource, };

/**
 * Summary of the hosts in which a server's tools work. Its rows are read by index with `host_rows`.
 */
export type HostSummary = { 
/**
 * Number of the reading of the list of tools; 0 if it was not read.
 */
revision: number, 
/**
 * Number of tools.
 */
tools: number, 
/**
 * Totals by host, in the order of `known_hosts`.
 */
totals: Array<HostTotals>, 
/**
 * Cost of each list that was read.
 */
lists: Array<ListCost>, 
/**
 * Tokens of the context to which shares refer.
 */
context: number, 
/**
 * The ten tools that cost most.
 */
costliest: Array<ToolCost>, 
/**
 * Findings about the list of tools as a whole, other than those of the protocol.
 */
findings: Array<FindingView>, };

/**
 * Numbers of tools of a server by their verdict in a host.
 */
export type HostTotals = { 
/**
 * The id of the host.
 */
host: string, 
/**
 * Rules of the host that the list as a whole breaks, the worst first.
 */
reasons: Array<HostReason>, 
/**
 * Name of a tool because of which the host refuses all tools.
 */
takes_all: string | null, works: number, degraded: number, may_fail: number, fails: number, not_known: number, };

/**
 * Knowledge about a host that runs servers, an API behind a host, or a directory.
 */
export type HostView = { 
/**
 * Stable id.
 */
id: string, 
/**
 * Name of the host.
 */
name: string, 
/**
 * Kind of the host.
 */
kind: HostKind, 
/**
 * The host's demands on tools are known.
 */
known: boolean, 
/**
 * Prefix that the host adds to the names of tools, as a pattern with `SERVER` in it.
 */
prefix: string | null, 
/**
 * Source of the prefix.
 */
prefix_source: HostSource | null, 
/**
 * Facts about the host's handling of results, which no definition shows: one sentence each.
 */
results: Array<HostStatement>, 
/**
 * Its offers to servers, one sentence each, with their sources.
 */
offers: Array<HostStatement>, };

/**
 * HTTP transports.
 */
export type HttpKind = "automatic" | "streamable" | "sse";

/**
 * Results of fetching an icon.
 */
export type IconPicture = { "type": "picture", 
/**
 * A `data:` URI with all of it.
 */
uri: string, } | { "type": "refused", 
/**
 * Reason, one sentence.
 */
reason: string, };

/**
 * One server found in a text.
 */
export type ImportCandidate = { 
/**
 * The configuration, without values that look like secrets. An unchanged import includes the secrets.
 */
config: ServerConfig, 
/**
 * Remarks, also on parts that were left out, as plain sentences.
 */
remarks: Array<string>, 
/**
 * A server with the same command or URL already exists.
 */
duplicate_of: string | null, };

/**
 * Preview of the servers in a text.
 */
export type ImportPreview = { 
/**
 * Kind of the text, in a few words.
 */
recognized: string, 
/**
 * The servers in it, in order.
 */
candidates: Array<ImportCandidate>, 
/**
 * Entries that could not be understood, as plain sentences with the entry's name.
 */
problems: Array<string>, 
/**
 * The presentation that the servers are for, where the text is one.
 */
presentation: PresentationPreview | null, 
/**
 * The text with its secrets masked; `None` if it contains none literally.
 */
masked: string | null, };

/**
 * A presentation that was added from a text.
 */
export type ImportedPresentation = { 
/**
 * Its id.
 */
id: string, 
/**
 * Number of the deletion of the presentation that it replaced.
 */
replaced: number | null, };

/**
 * Placeholder of a secret whose value is in the keyring.
 */
export type InKeyring = { "type": "keep" };

/**
 * A saved input in a text, before it is imported.
 */
export type InputPreview = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its values, whole and in order, also where a name comes twice.
 */
values: Array<PreparedValue>, };

/**
 * A configuration file of another client.
 */
export type InstalledConfiguration = { 
/**
 * The client's name.
 */
client: string, 
/**
 * Path of the file.
 */
path: string, 
/**
 * Names exactly this content, for [`Explorer::import_installed`].
 */
fingerprint: string, 
/**
 * Its content, if it could be read.
 */
preview: ImportPreview | null, 
/**
 * Reason why it could not be read, one plain sentence.
 */
problem: string | null, };

/**
 * Error of every command.
 */
export type IpcError = { 
/**
 * Code that the window branches on.
 */
code: ErrorCode, 
/**
 * One plain sentence with what to do.
 */
message: string, 
/**
 * The technical detail, shown on request.
 */
detail?: string, };

/**
 * One case of a broken rule.
 */
export type IssueCase = { 
/**
 * Id among the cases of its rule, as long as the case exists.
 */
id: string, 
/**
 * Subject of the case.
 */
subject: IssueSubject, 
/**
 * Description of the problem.
 */
message: string, 
/**
 * Location in the subject: a JSON Pointer or the name of a header.
 */
location: string | null, };

/**
 * Numbers of issues, by where they are shown. An issue is a finding above the level of information; findings of muted
 * rules count only in `muted`.
 */
export type IssueCounts = { 
/**
 * The server with the issues.
 */
server: string, 
/**
 * Rules that frames of the present or last connection break: a storm of messages is one issue.
 */
frames: number, 
/**
 * In the list of tools.
 */
tools: number, 
/**
 * In the lists of resources and of resource templates.
 */
resources: number, 
/**
 * In the list of prompts.
 */
prompts: number, 
/**
 * In the list of skills.
 */
skills: number, 
/**
 * In its instructions.
 */
instructions: number, 
/**
 * In results of that connection's runs.
 */
results: number, 
/**
 * Issues among these that break a MUST or the schema.
 */
errors: number, 
/**
 * Findings that are mere information.
 */
infos: number, 
/**
 * Findings of muted rules.
 */
muted: number, 
/**
 * Ids of the muted rules.
 */
muted_rules: Array<string>, };

/**
 * Filter of the listed issues. Empty lists mean "all".
 */
export type IssueFilter = { 
/**
 * Text to find in the rule or in the description of a case, ignoring case.
 */
text: string, 
/**
 * Only these severities.
 */
severities: Array<Severity>, 
/**
 * Only these groups of rules.
 */
groups: Array<RuleGroup>, 
/**
 * Includes muted rules.
 */
muted: boolean, };

/**
 * Issues of a server, worst first.
 */
export type IssueList = { 
/**
 * The rules.
 */
rules: Array<IssueRule>, 
/**
 * Extent of what was judged.
 */
judged: Judged, 
/**
 * Number of all rules that were found broken or are muted, regardless of the filter.
 */
all: number, };

/**
 * A rule and its cases.
 */
export type IssueRule = { 
/**
 * The id of the rule.
 */
rule: string, 
/**
 * Subject area of the rule.
 */
group: RuleGroup, 
/**
 * Severity of the rule.
 */
severity: Severity, 
/**
 * Certainty of the rule.
 */
certainty: Certainty, 
/**
 * Description of the problem, with an ellipsis for what differs from case to case.
 */
what: string, 
/**
 * Reason why it matters.
 */
why: string, 
/**
 * Fix for the server's author.
 */
fix: string, 
/**
 * The revisions that it applies to; none where it applies to all.
 */
revisions: string | null, 
/**
 * Section of the specification that contains the rule.
 */
spec: SpecLink | null, 
/**
 * Number of cases found; 0 for a muted rule without any.
 */
count: number, 
/**
 * The user's reason for muting it, if it is muted.
 */
muted: string | null, 
/**
 * The first cases that match the filter, at most 100.
 */
cases: Array<IssueCase>, };

/**
 * Subjects of an issue.
 */
export type IssueSubject = { "type": "frame", 
/**
 * Its place.
 */
seq: number, 
/**
 * Its method, where it has one.
 */
method: string | null, 
/**
 * It is still in the log.
 */
stored: boolean, } | { "type": "list", 
/**
 * Kind of the list.
 */
kind: CatalogKind, } | { "type": "item", 
/**
 * Kind of the list.
 */
kind: CatalogKind, 
/**
 * Its key there.
 */
key: string, } | { "type": "instructions" } | { "type": "run", 
/**
 * The run.
 */
operation: number, 
/**
 * Target of the run, or its method.
 */
target: string | null, 
/**
 * It is still in the history.
 */
stored: boolean, };

/**
 * Confirmation that the user must give before the entered credentials go to an authorization server that only the
 * server has named.
 */
export type IssuerConfirmation = { 
/**
 * Number of this sign-in, for the command about it.
 */
attempt: number, 
/**
 * Issuer of the token.
 */
issuer: string, 
/**
 * Address that would receive the token request.
 */
token_endpoint: string, 
/**
 * Credential that would be sent, in words: `the client secret`.
 */
credential: string, 
/**
 * Id of the client that would get the token; empty if it is not sent.
 */
client_id: string, 
/**
 * Resource that the token would be for.
 */
resource: string, 
/**
 * Requested scopes; empty if the server decides.
 */
scopes: Array<string>, 
/**
 * Remarkable points, plain sentences.
 */
warnings: Array<string>, 
/**
 * Deadline of the confirmation, in milliseconds since the Unix epoch.
 */
expires_at: number, };

/**
 * Members of a definition that items of every kind may have.
 */
export type ItemExtras = { 
/**
 * `icons`.
 */
icons: ShownIcons, 
/**
 * `_meta` as JSON text as received; at most 64 KiB, `…` ends a cut one.
 */
meta: string | null, };

/**
 * Extent of what was judged so far.
 */
export type Judged = { 
/**
 * Messages that were received over the present or last connection.
 */
messages: number, 
/**
 * Results of its runs.
 */
results: number, 
/**
 * Lists that were read.
 */
lists: Array<JudgedList>, };

/**
 * A list that was judged.
 */
export type JudgedList = { 
/**
 * Kind of the list.
 */
kind: CatalogKind, 
/**
 * Number of its items.
 */
items: number, };

/**
 * Places where a secret is kept.
 */
export type Kept = "keyring" | "memory";

/**
 * Last view of a server.
 */
export type LastShown = { 
/**
 * The view, by the name that the window has for it.
 */
tab: string, 
/**
 * The key of the selected tool.
 */
tool: string | null, };

/**
 * Links and templates that lead to a resource.
 */
export type LedBy = { "type": "link", 
/**
 * Operation whose result contains the link.
 */
operation: number, 
/**
 * Index of its content block.
 */
index: number, } | { "type": "template", 
/**
 * Its key there.
 */
key: string, };

/**
 * Classes of changes, by those whom they affect.
 */
export type ListChangeClass = "breaking" | "additive" | "routing" | "cosmetic";

/**
 * Changes between the lists of two sides.
 */
export type ListComparison = { 
/**
 * Label of the left side.
 */
left: string, 
/**
 * Label of the right side.
 */
right: string, 
/**
 * The first 1,000 changes.
 */
changes: Array<ListedChange>, 
/**
 * Further changes.
 */
more: number, 
/**
 * Reasons why lists were not compared, each one sentence.
 */
unread: Array<string>, };

/**
 * Cost of definitions for a model. Tokens are an estimate: one for four ASCII characters and one for each other
 * character.
 */
export type ListCost = { 
/**
 * Kind of its items.
 */
kind: CatalogKind, 
/**
 * Number of its items.
 */
items: number, 
/**
 * The definitions as received, in bytes.
 */
bytes: number, 
/**
 * Estimated tokens: of tools the name, the description and the input schema, of other items the whole definition.
 */
tokens: number, };

/**
 * Moments of a list.
 */
export type ListMoment = "now" | "accepted";

/**
 * One side of a comparison of lists.
 */
export type ListSide = { 
/**
 * The server.
 */
server: string, 
/**
 * Version of the protocol; `None` takes the lists of the open session.
 */
revision: string | null, 
/**
 * Version of the lists.
 */
when: ListMoment, };

/**
 * A change between two lists.
 */
export type ListedChange = { 
/**
 * The list.
 */
list: CatalogKind, 
/**
 * Name or URI of the item.
 */
name: string, 
/**
 * Its class.
 */
class: ListChangeClass, 
/**
 * One plain sentence.
 */
words: string, };

/**
 * A task of the list.
 */
export type ListedTask = { 
/**
 * `taskId`, at most 4 KiB.
 */
id: string, 
/**
 * Status of the task.
 */
status: TaskStatus, 
/**
 * `statusMessage`, at most 1,000 characters.
 */
message: string | null, 
/**
 * `createdAt` as received, at most 256 characters.
 */
created_at: string | null, 
/**
 * `lastUpdatedAt` as received, at most 256 characters.
 */
updated_at: string | null, 
/**
 * Lifetime after its creation, in milliseconds; `None` if the server gives none, or sets no limit.
 */
ttl: number | null, };

/**
 * Causes of the messages that Sonde sends.
 */
export type LogCause = "lifecycle" | "list_changed" | "answer" | "deadline" | "probe" | "listen" | "resume" | "retry" | "task" | "resumed_task" | "completion" | "icon" | "fault";

/**
 * Everything about one entry except its body, which is read as a document.
 */
export type LogDetail = { 
/**
 * Row of the entry.
 */
row: LogRow, 
/**
 * Findings of the entry.
 */
findings: Array<FindingView>, 
/**
 * First line of an HTTP head, or the command of a process.
 */
summary: string | null, 
/**
 * Headers of an HTTP head.
 */
headers: Array<LogHeader>, 
/**
 * Bytes of the frame that were not kept.
 */
dropped: number, 
/**
 * A value was replaced because it is a secret.
 */
redacted: boolean, 
/**
 * True if the entry can be copied as a curl command.
 */
curl: boolean, };

/**
 * Filter of a log view. Empty lists mean "all".
 */
export type LogFilter = { 
/**
 * Text to find in method, id, preview or body, ignoring case.
 */
text: string, 
/**
 * Only these kinds.
 */
kinds: Array<LogKind>, 
/**
 * Only failures and error responses; acts as one more kind beside `kinds`.
 */
errors: boolean, 
/**
 * Only these methods.
 */
methods: Array<string>, 
/**
 * Only entries of this operation.
 */
operation: number | null, 
/**
 * Only this direction: true for out.
 */
out: boolean | null, 
/**
 * Only entries with findings of rules that are not muted.
 */
findings_only: boolean, 
/**
 * Only entries with a finding of the rule with this id.
 */
rule: string | null, 
/**
 * Entries need to pass by kind or by method; without this by both.
 */
either: boolean, 
/**
 * Only log messages of at least this severity, from 0 (debug) to 7 (emergency).
 */
least_level: number | null, 
/**
 * Only log messages of this logger, as rows name it.
 */
logger: string | null, 
/**
 * Shows a row for each group of entries (see [`LogGroup`]), unless another filter is set.
 */
grouped: boolean, };

/**
 * Entries shown as one row: the HTTP frames of an exchange, or a repeated notification. An entry with findings always
 * has its own row.
 */
export type LogGroup = { 
/**
 * Number of entries in the group that are stored.
 */
entries: number, 
/**
 * Every entry has a row of its own.
 */
open: boolean, 
/**
 * Time of the last entry, in milliseconds since the Unix epoch.
 */
until: number, 
/**
 * The entry with the text of the row: for notifications the last one while they are one row.
 */
shown: number, 
/**
 * Verb and path of an exchange.
 */
http: string | null, 
/**
 * HTTP status of the exchange, once there is one.
 */
status: number | null, };

/**
 * One header, secrets replaced by a fingerprint.
 */
export type LogHeader = { 
/**
 * The name.
 */
name: string, 
/**
 * The value.
 */
value: string, };

/**
 * Kinds of log rows.
 */
export type LogKind = "request" | "response" | "error" | "notification" | "batch" | "invalid" | "non_message" | "stderr" | "process" | "http" | "sse" | "note" | "rule" | "app";

/**
 * The eight levels of RFC 5424, least severe first.
 */
export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/**
 * Reasons why a request has no response.
 */
export type LogNoResponse = "exited" | "disconnected" | "cancelled" | "timed_out" | "lost" | "detection";

/**
 * One row of the log, about 200 bytes.
 */
export type LogRow = { 
/**
 * Number of the entry in the log.
 */
seq: number, 
/**
 * Milliseconds since the Unix epoch, with fractions.
 */
at: number, 
/**
 * Start of the connection: the time of its first entry.
 */
began: number, 
/**
 * True from Sonde to the server, false from the server.
 */
out: boolean, 
/**
 * Kind of the row.
 */
kind: LogKind, 
/**
 * Something went wrong: an error, an invalid message, a failed process, a request without a response.
 */
error: boolean, 
/**
 * The method; for responses, of the request.
 */
method: string | null, 
/**
 * JSON-RPC id as JSON text.
 */
id: string | null, 
/**
 * Size in bytes.
 */
bytes: number, 
/**
 * It has a body, which is read as a document; the size of an HTTP head or a remark is not that of a body.
 */
has_body: boolean, 
/**
 * Microseconds from the request to its response, for both of them.
 */
micros: number | null, 
/**
 * The other entry of the pair: the response of a request, the request of a response.
 */
partner: number | null, 
/**
 * For requests: reason why there is no response. `None` while one is awaited.
 */
no_response: LogNoResponse | null, 
/**
 * The operation that the entry belongs to.
 */
operation: number | null, 
/**
 * A log message that came while several operations ran and could belong to any of them.
 */
ambiguous: boolean, 
/**
 * Reason why Sonde sent it, unless the user asked for it. `Probe` also marks messages received while Sonde
 * detected the server's protocol.
 */
cause: LogCause | null, 
/**
 * The first characters of the body, one line.
 */
preview: string, 
/**
 * Summary in one line, if it is known.
 */
summary: string | null, 
/**
 * For log messages: severity from 0 (debug) to 7 (emergency).
 */
level: number | null, 
/**
 * For log messages: the part of the server that wrote it.
 */
logger: string | null, 
/**
 * The entries that this row stands for, in a view that groups them.
 */
group: LogGroup | null, 
/**
 * Number of findings without those of muted rules.
 */
findings: number, 
/**
 * The severity of the worst finding.
 */
severity: Severity | null, 
/**
 * The rule of the worst finding, the first of several.
 */
rule: string | null, };

/**
 * The live state of an open log view. Replaced whole; rows are fetched by index.
 */
export type LogViewState = { 
/**
 * Number of the view.
 */
view: number, 
/**
 * Counts filter changes and drops: rows fetched under an older epoch are stale.
 */
epoch: number, 
/**
 * Number of rows that match.
 */
rows: number, 
/**
 * Rows that were dropped from the front since the filter was set.
 */
gone: number, 
/**
 * Number of states so far that changed rows reported before.
 */
changes: number, 
/**
 * The first row that changed since the previous state.
 */
changed_from: number, 
/**
 * Number of entries in the log.
 */
total: number, 
/**
 * Number of the newest entry ever recorded; 0 before the first.
 */
last: number, 
/**
 * Bytes in memory.
 */
bytes: number, 
/**
 * Entries dropped from the front to stay within the limits.
 */
dropped: number, 
/**
 * The limits, as entries and bytes.
 */
max_rows: number, 
/**
 * See `max_rows`.
 */
max_bytes: number, 
/**
 * The limit in bytes over the logs and open documents of all servers together.
 */
max_bytes_of_all: number, 
/**
 * A search of bodies is still running.
 */
searching: boolean, 
/**
 * All methods seen, for the filter.
 */
methods: Array<string>, 
/**
 * Numbers of log messages by level, from 0 (debug) to 7 (emergency), shown or not.
 */
levels: Array<number>, 
/**
 * The loggers of the log messages, for the filter; at most 200.
 */
loggers: Array<string>, };

/**
 * One log message of an operation.
 */
export type LoggedMessage = { 
/**
 * Log entry that carried it.
 */
seq: number, 
/**
 * Milliseconds since the Unix epoch.
 */
at: number, 
/**
 * One of the eight levels, or what the server wrote there.
 */
level: string, 
/**
 * Name of the logger inside the server, at most 200 characters.
 */
logger: string | null, 
/**
 * Text, or JSON text; at most 1,000 characters.
 */
text: string, 
/**
 * Several operations ran at once, and nothing says which of them it belongs to.
 */
ambiguous: boolean, };

/**
 * Reasons why an operation ended without a response.
 */
export type LostCode = "connection_lost" | "app_closed" | "exchange_failed" | "no_response" | "http_status" | "too_large" | "session_expired" | "stream_lost" | "too_many_rounds" | "forbidden" | "not_sent";

/**
 * A member of a definition that differs.
 */
export type MemberChange = { 
/**
 * Its name in the specification; `other members` for all members that are not compared separately.
 */
member: string, 
/**
 * The accepted text.
 */
before: MemberText, 
/**
 * The present text.
 */
after: MemberText, };

/**
 * Text of a definition's member.
 */
export type MemberText = { "type": "absent" } | { "type": "not_kept" } | { "type": "text", 
/**
 * The text.
 */
text: string, } | { "type": "json", 
/**
 * JSON text.
 */
text: string, };

/**
 * Round trips of one method, or of one tool.
 */
export type MethodStats = { 
/**
 * The method.
 */
method: string, 
/**
 * The tool, for a row about one.
 */
tool: string | null, 
/**
 * Answered requests.
 */
count: number, 
/**
 * Failed requests among them.
 */
failed: number, 
/**
 * Shortest, in microseconds.
 */
min_micros: number, 
/**
 * Median of the last 512, in microseconds.
 */
median_micros: number, 
/**
 * 95th percentile of the last 512, in microseconds.
 */
p95_micros: number, 
/**
 * Longest, in microseconds.
 */
max_micros: number, };

/**
 * An environment variable or a header.
 */
export type NamedValue = { name: string, value: ConfigValue, };

/**
 * Network settings of an address.
 */
export type NetworkConfig = { 
/**
 * The proxy.
 */
proxy: ProxyConfig, 
/**
 * A PEM file with certificate authorities that are trusted beside the system's.
 */
ca_file: string | null, 
/**
 * The certificate that this client shows.
 */
client_certificate: CertificateFiles | null, 
/**
 * Accepts any certificate of the server.
 */
accept_any_certificate: boolean, 
/**
 * Longest time for connecting, in seconds; `None` means 10.
 */
connect_seconds: number | null, 
/**
 * Longest silence of an open stream, in seconds; `None` means no limit.
 */
idle_seconds: number | null, };

/**
 * The kind of a JSON node.
 */
export type NodeKind = "object" | "array" | "string" | "number" | "boolean" | "null";

/**
 * Something the user should know that belongs to no single operation.
 */
export type Notice = { 
/**
 * Names it, for dismissing.
 */
id: number, 
/**
 * Importance.
 */
level: NoticeLevel, 
/**
 * The server it is about, if any.
 */
server: string | null, 
/**
 * A stable name in snake_case, for example `servers_file_damaged`.
 */
code: string, 
/**
 * One plain sentence.
 */
title: string, 
/**
 * More, on request.
 */
detail: string | null, };

/**
 * Levels of importance.
 */
export type NoticeLevel = "info" | "warning" | "error";

/**
 * An open request of a server: something that it asks of the user.
 */
export type OpenServerRequest = { 
/**
 * Names it over all servers.
 */
request: number, 
/**
 * The server that asks.
 */
server: string, 
/**
 * Operation during which it arrived.
 */
operation: number | null, 
/**
 * Operations that were running when it arrived, if it cannot be assigned to one of them.
 */
candidates: Array<number>, 
/**
 * The method, for example `elicitation/create`.
 */
method: string, 
/**
 * For an elicitation, the server's message; otherwise one plain sentence.
 */
message: string, 
/**
 * For a form: the schema of the answer as JSON text.
 */
schema: string | null, 
/**
 * Digest of that schema, whatever the order of its keys.
 */
schema_digest?: string, 
/**
 * `params` as JSON text as received, at most 256 KiB.
 */
params: string, 
/**
 * The server asked for it as a task, and asks for the answer later.
 */
as_task: boolean, 
/**
 * The server must not ask this, since the ability was not declared.
 */
undeclared: boolean, 
/**
 * Deviations from the specification.
 */
findings: Array<FindingView>, 
/**
 * Note on the request by the rule for its kind, as a sentence.
 */
rule: string | null, 
/**
 * The log entry that carried it.
 */
seq: number, };

/**
 * An app that was opened: its declarations, and the address of its page.
 */
export type OpenedApp = { 
/**
 * Id of the app.
 */
app: string, 
/**
 * Address that serves its page, once; `None` if it is not shown.
 */
url: string | null, 
/**
 * Index of its content in the result of the reading.
 */
index: number, 
/**
 * Reason why it is not shown, one plain sentence.
 */
refused: string | null, 
/**
 * The origins that it declares.
 */
domains: AppDomains, 
/**
 * The content security policy of its page.
 */
policy: string, 
/**
 * The permissions that it asks for, by the names of the specification. It gets none.
 */
permissions: Array<string>, 
/**
 * The version of Sonde, as reported to the app.
 */
version: string, 
/**
 * `prefersBorder`.
 */
prefers_border: boolean | null, 
/**
 * Findings about the app's resource.
 */
findings: Array<FindingView>, };

/**
 * An operation as the user starts it. JSON text is sent exactly as written.
 */
export type OperationInput = { 
/**
 * The method, for example `tools/call`.
 */
method: string, 
/**
 * Subject of the operation: the key of a tool in its catalog, the key or the name of a prompt, or the URI of a
 * resource.
 */
target: string | null, 
/**
 * `params.arguments` as JSON text; `None` leaves the member out.
 */
arguments: string | null, 
/**
 * Further members of `params`, or all of it, as the JSON text of an object.
 */
params: string | null, 
/**
 * Call a tool although its definition forbids that to clients.
 */
force: boolean, 
/**
 * Run it as a task, where the client decides that (2025-11-25). A tool that can be run in no other way is
 * one without this.
 */
task?: TaskInput, 
/**
 * Send it as a notification, which has no response.
 */
notification?: boolean, 
/**
 * An app of the server asks for it, with the user's consent.
 */
by_app?: boolean, 
/**
 * Link or template that led to the resource that it reads, in addition to its entry in the list.
 */
led_by?: LedBy, };

/**
 * Name, note and pin that the user gives an operation.
 */
export type OperationLabel = { 
/**
 * A name, at most 200 characters.
 */
name: string | null, 
/**
 * A note, at most 10,000 characters.
 */
note: string | null, 
/**
 * It stays on top, and is not dropped to make room.
 */
pinned: boolean, };

/**
 * Outcomes of an operation.
 */
export type OperationOutcome = { "type": "result", 
/**
 * The tool itself reports a failure.
 */
is_error: boolean, 
/**
 * Its content blocks.
 */
content: Array<ContentBlock>, 
/**
 * Its structured content.
 */
structured: StructuredContent | null, 
/**
 * The messages of a prompt, whose content is `content`.
 */
prompt: PromptResult | null, 
/**
 * `_meta` as JSON text as received; at most 64 KiB, `…` ends a cut one.
 */
meta: string | null, 
/**
 * Size of the result as JSON text in bytes.
 */
bytes: number, 
/**
 * Deviations from the shape that the specification defines.
 */
findings: Array<FindingView>, } | { "type": "protocol_error", 
/**
 * JSON-RPC error code.
 */
code: number, 
/**
 * The server's message.
 */
message: string, 
/**
 * `data` as JSON text, at most 64 KiB of it.
 */
data: string | null, 
/**
 * Meaning of the code, as one plain sentence.
 */
meaning: string, } | { "type": "bad_shape", 
/**
 * Fault of the response, as one plain sentence.
 */
problem: string, } | { "type": "sent" } | { "type": "timed_out", 
/**
 * True for the limit on the whole duration, false for the idle limit.
 */
hard: boolean, } | { "type": "cancelled" } | { "type": "stopped_waiting" } | { "type": "lost", 
/**
 * Reason, as one plain sentence.
 */
reason: string, 
/**
 * Reason as a code, for the window to branch on.
 */
code: LostCode, };

/**
 * The latest progress of an operation, with what the window needs to draw it.
 */
export type OperationProgress = { 
/**
 * Number of notifications so far.
 */
count: number, 
/**
 * Units per second over the last seconds; `None` until there are two values.
 */
rate: number | null, 
/**
 * Progress so far, in the server's own unit.
 */
progress: number, 
/**
 * The goal in the same unit, where known.
 */
total: number | null, 
/**
 * The server's message about the current work (2025-03-26 on).
 */
message: string | null, };

/**
 * States of an operation.
 */
export type OperationState = "queued" | "running" | "waiting" | "signing_in" | "input_required" | "cancelling" | "finished";

/**
 * One operation, live. Replaced whole.
 *
 * An event carries at most 14 KiB of JSON, more than half of which is a tool's key at its longest: the history of a
 * server, 500 runs, is 7 MiB at worst.
 */
export type OperationView = { 
/**
 * Number of the operation.
 */
operation: number, 
/**
 * The server.
 */
server: string, 
/**
 * The connect in which the operation ran (see `SessionView::generation`).
 */
generation: number, 
/**
 * The method, for example `tools/call`.
 */
method: string, 
/**
 * Target of the operation: a tool's or prompt's name, a resource's URI.
 */
target: string | null, 
/**
 * Key of the tool or prompt in its list at the start; `None` if it was not in the list, and for other methods.
 */
key: string | null, 
/**
 * Display name of the tool or prompt at the start, if the server gave one.
 */
title: string | null, 
/**
 * The view is cut: arguments and other texts are short, and of a result only its size and `isError` are left. The
 * command `operation` returns the whole view.
 */
cut: boolean, 
/**
 * Arguments as sent, as JSON text; at most 64 KiB here, complete as a document.
 */
arguments: string | null, 
/**
 * Further members of `params`, or all of it, as the user entered them; at most 64 KiB here.
 */
params: string | null, 
/**
 * The operation is a notification.
 */
notification: boolean, 
/**
 * An app of the server started the operation.
 */
by_app: boolean, 
/**
 * State of the operation.
 */
state: OperationState, 
/**
 * Time of the start, in milliseconds since the Unix epoch.
 */
started_at: number, 
/**
 * Duration in microseconds, once finished: from the record of the first request in the wire log to that of the
 * final response, or to the end without one.
 */
micros: number | null, 
/**
 * Part of the duration spent waiting for the user's replies to server requests, in microseconds.
 */
waited: number, 
/**
 * Number of times that the server asked for input within this operation.
 */
rounds: number, 
/**
 * Number of times that a request was refused for lack of a token and waited for a new one.
 */
token_waits: number, 
/**
 * Latest progress.
 */
progress: OperationProgress | null, 
/**
 * Time at which the operation gives up; set while it runs.
 */
deadline: Deadline | null, 
/**
 * Number of server log messages about this operation.
 */
messages: number, 
/**
 * The newest log message.
 */
last_message: LoggedMessage | null, 
/**
 * Set if the operation failed because the server needs a handshake for it and this connect is stateless: one plain
 * sentence. `run_with_handshake` runs it again.
 */
needs_handshake: string | null, 
/**
 * Task of the operation, if the server responded with one. A cut view has no status changes.
 */
task: TaskRun | null, 
/**
 * The operation ended with the connection, and its task may continue on the server: the next connection asks for
 * it.
 */
resumable: boolean, 
/**
 * Outcome of the operation.
 */
outcome: OperationOutcome | null, 
/**
 * Number of places in the result and the messages that break the specification or the tool's output schema.
 */
issues: number, 
/**
 * Caching of a read's result as the server allows it, one plain sentence.
 */
freshness: string | null, 
/**
 * Time until which the server allows caching the result, in milliseconds since the Unix epoch; `None` if it does
 * not say.
 */
fresh_until: number | null, 
/**
 * A response came although the user had cancelled.
 */
answered_after_cancel: boolean, 
/**
 * Number of messages that came after the end of the operation.
 */
late: number, 
/**
 * Number of messages that break rules, apart from findings in the result itself. Counted in `issues` too.
 */
message_issues: number, 
/**
 * Log entry of the request, once recorded.
 */
request_seq: number | null, 
/**
 * Log entry of the response.
 */
response_seq: number | null, 
/**
 * The user's name, note and pin.
 */
label: OperationLabel, 
/**
 * Server requests during the operation and their replies, the last 50. Left out of a cut view.
 */
answered: Array<AnsweredRequest>, 
/**
 * Pages that the server wanted to be opened during the operation, the last 50. Left out of a cut view.
 */
pages: Array<AskedPage>, 
/**
 * Number of changes of `answered` and `pages`.
 */
asked: number, 
/**
 * Reason why the app of the operation was closed, unless the user closed it.
 */
app_ended: AppEnd | null, 
/**
 * Set if the operation ran before this start of the app and was read from its file.
 */
earlier: EarlierRun | null, };

/**
 * One value of a saved input.
 */
export type PreparedValue = { 
/**
 * Name of the argument; empty if the arguments are not an object.
 */
name: string, 
/**
 * A string as its text, anything else as it is written in JSON.
 */
text: string, };

/**
 * Operations to show to an audience, in order.
 */
export type Presentation = { 
/**
 * Its id; empty for a new presentation.
 */
id: string, 
/**
 * Its title.
 */
title: string, 
/**
 * Imported from a file: its author may not be the user.
 */
imported: boolean, 
/**
 * In order.
 */
steps: Array<PresentationStep>, };

/**
 * A presentation in a text, before it is imported.
 */
export type PresentationPreview = { 
/**
 * Its title.
 */
title: string, 
/**
 * Its steps, in order.
 */
steps: Array<StepPreview>, 
/**
 * The presentation of the list that has the same title, which it can replace.
 */
same_title: string | null, };

/**
 * One operation that a presentation shows.
 */
export type PresentationStep = { 
/**
 * Its id; empty for a new step.
 */
id: string, 
/**
 * Server of the operation.
 */
server: string, 
/**
 * The server's name; if it was removed, the last known one.
 */
server_name: string, 
/**
 * The server is no longer in the list. Of no meaning when handed in.
 */
server_removed: boolean, 
/**
 * The method, for example `tools/call`.
 */
method: string, 
/**
 * The key of a tool, the name of a prompt, the URI of a resource.
 */
target: string, 
/**
 * Text for the audience.
 */
title: string, 
/**
 * The saved inputs to offer, in order.
 */
inputs: Array<StepInput>, 
/**
 * Text for the speaker only.
 */
notes: string, };

/**
 * The rate of progress between two moments. Times are microseconds since the first progress.
 */
export type ProgressRate = { 
/**
 * The beginning.
 */
from: number, 
/**
 * The end.
 */
to: number, 
/**
 * Units per second; `None` where the progress fell.
 */
rate: number | null, };

/**
 * An argument of a prompt. Its value is a text.
 */
export type PromptArgument = { 
/**
 * `name`. Empty when the server sent none.
 */
name: string, 
/**
 * Display name (2025-06-18 on).
 */
title: string | null, 
/**
 * Description, Markdown by convention.
 */
description: string | null, 
/**
 * The server requires the argument.
 */
required: boolean, };

/**
 * Everything about one prompt.
 */
export type PromptDetail = { 
/**
 * Arguments in the server's order; at most 1,000. Titles have at most 1,000 characters, descriptions 4,000.
 */
arguments: Array<PromptArgument>, 
/**
 * Row of the item in the list.
 */
row: CatalogRow, 
/**
 * Findings about the definition.
 */
findings: Array<FindingView>, 
/**
 * The description, Markdown by convention; at most 64 KiB.
 */
description: string | null, 
/**
 * `icons` and `_meta`.
 */
extras: ItemExtras, 
/**
 * The definition as JSON text as received; at most 1 MiB, `…` ends a cut one.
 */
raw: string, };

/**
 * One message of a prompt.
 */
export type PromptMessage = { 
/**
 * Speaker: `user`, `assistant`, or the server's own value. Empty if the server gave none.
 */
role: string, 
/**
 * Number of content blocks of this message. The result lists the blocks of all messages in order.
 */
blocks: number, 
/**
 * Findings about the message, except those about its content.
 */
findings: Array<FindingView>, };

/**
 * Result of getting a prompt.
 */
export type PromptResult = { 
/**
 * Purpose of the prompt, Markdown by convention; at most 64 KiB.
 */
description: string | null, 
/**
 * Its messages, in order.
 */
messages: Array<PromptMessage>, };

/**
 * Ways to find out the protocol of a server. In a configuration `R` is text, since a file may name a version that
 * Sonde does not know.
 */
export type ProtocolMode = { "type": "automatic" } | { "type": "handshake" } | { "type": "stateless" } | { "type": "fixed", 
/**
 * Its name.
 */
revision: string, };

/**
 * Choice of the proxy.
 */
export type ProxyConfig = { "type": "system" } | { "type": "direct" } | { "type": "at", 
/**
 * Address of the proxy. User name and password typed into it are moved to the fields below.
 */
url: string, 
/**
 * User name for the proxy.
 */
user: string | null, 
/**
 * The password of that user.
 */
password: SecretInput | null, };

/**
 * Formats of the page.
 */
export type ReportFormat = "markdown" | "html";

/**
 * Rule for one kind of request.
 */
export type RequestRule = { 
/**
 * Reply to send.
 */
action: RuleAction, 
/**
 * Delay of the reply after the request came, in seconds, at most 600. Unused if the user is asked.
 */
delay_seconds: number, };

/**
 * The rules of one server, for each kind of its requests.
 */
export type RequestRules = { 
/**
 * Elicitation in form mode.
 */
form: RequestRule, 
/**
 * Elicitation in URL mode. Opening a page takes the user: it is asked, declined or cancelled.
 */
page: RequestRule, 
/**
 * `sampling/createMessage`.
 */
sampling: RequestRule, 
/**
 * `roots/list`, which is answered with the list of roots by default.
 */
roots: RootsRule, };

/**
 * Everything about one resource or resource template.
 */
export type ResourceDetail = { 
/**
 * The URI or URI template, at most 64 KiB.
 */
uri: string, 
/**
 * Variables to fill in, for a resource template.
 */
template: TemplateView | null, 
/**
 * Row of the item in the list.
 */
row: CatalogRow, 
/**
 * Findings about the definition.
 */
findings: Array<FindingView>, 
/**
 * The description, Markdown by convention; at most 64 KiB.
 */
description: string | null, 
/**
 * `icons` and `_meta`.
 */
extras: ItemExtras, 
/**
 * The definition as JSON text as received; at most 1 MiB, `…` ends a cut one.
 */
raw: string, };

/**
 * Columns of a resource or a resource template in the list. All are claims of the server.
 */
export type ResourceRow = { 
/**
 * The URI or URI template, at most 1,000 characters.
 */
uri: string, 
/**
 * `mimeType`, at most 256 characters.
 */
mime_type: string | null, 
/**
 * `size` in bytes; `None` for a template.
 */
size: number | null, 
/**
 * `annotations.audience`: the first ten roles.
 */
audience: Array<string>, 
/**
 * `annotations.priority`.
 */
priority: number | null, 
/**
 * `annotations.lastModified` as received, at most 256 characters.
 */
last_modified: string | null, };

/**
 * A subscription to a resource.
 */
export type ResourceSubscription = { 
/**
 * The URI that was subscribed to.
 */
uri: string, 
/**
 * State of the subscription.
 */
state: SubscriptionState, 
/**
 * Number of updates that the server reported.
 */
updates: number, 
/**
 * Time of the last update, in milliseconds since the Unix epoch.
 */
updated_at: number | null, 
/**
 * The URI that the last update named, where it names a part of the resource.
 */
sub_resource: string | null, 
/**
 * Updated since the last read was sent.
 */
unread: boolean, };

/**
 * The subscriptions to resources of one server. Replaced whole.
 */
export type ResourceSubscriptionsView = { 
/**
 * The server.
 */
server: string, 
/**
 * The server accepts subscriptions.
 */
supported: boolean, 
/**
 * All subscriptions by URI; at most 1,000.
 */
subscriptions: Array<ResourceSubscription>, };

/**
 * A folder that a server may work in.
 */
export type RootFolder = { 
/**
 * A whole path of this computer or of another one, or a `file://` URI.
 */
folder: string, 
/**
 * Name for people.
 */
name: string | null, };

/**
 * The last reply to `roots/list` of one connection, as it is shown.
 */
export type RootsAnswer = { 
/**
 * Time of the reply, in milliseconds since the Unix epoch.
 */
at: number, 
/**
 * Number of replies the server got so far, this one included.
 */
times: number, 
/**
 * The first 100 roots that were sent.
 */
roots: Array<SentRoot>, 
/**
 * Number of roots that were sent.
 */
count: number, 
/**
 * Message of the error that was sent instead of a list.
 */
refused: string | null, 
/**
 * The folders in the settings differ from those that were sent.
 */
differs: boolean, };

/**
 * The parts of `roots`.
 */
export type RootsDeclaration = { 
/**
 * `listChanged`, which only a handshake has.
 */
list_changed: boolean, 
/**
 * The capability is declared although the server has no roots; then it gets an empty list.
 */
without_any: boolean, };

/**
 * Rule for `roots/list`.
 */
export type RootsRule = { 
/**
 * Replies with an error instead of the list.
 */
refuse: boolean, 
/**
 * Delay of the reply after the request came, in seconds, at most 600.
 */
delay_seconds: number, };

/**
 * One request that was answered, cancelled or lost.
 */
export type RoundTrip = { 
/**
 * Time of its end, in milliseconds since the Unix epoch.
 */
at: number, 
/**
 * Duration in microseconds.
 */
micros: number, 
/**
 * The answer was an error, or there was none.
 */
failed: boolean, };

/**
 * Rows of a list, fetched by index.
 */
export type Rows<R> = { 
/**
 * The current revision. A request for another one gets no rows.
 */
revision: number, 
/**
 * Number of items that match the search; 0 under another revision.
 */
total: number, 
/**
 * Rows from the requested index on; fewer than requested at the end.
 */
rows: Array<R>, };

/**
 * Replies that a rule can send.
 */
export type RuleAction = { "type": "ask" } | { "type": "decline" } | { "type": "cancel" } | { "type": "saved", 
/**
 * Its id.
 */
input: string, };

/**
 * Subject of a rule.
 */
export type RuleGroup = "spec" | "hosts" | "cost" | "clarity" | "trust" | "limits";

/**
 * The parts of `sampling` (2025-11-25 on).
 */
export type SamplingDeclaration = { 
/**
 * `context`.
 */
context: boolean, 
/**
 * `tools`.
 */
tools: boolean, };

/**
 * Arguments of an operation under a name, kept with their server.
 */
export type SavedInput = { 
/**
 * Its id; empty for a new one.
 */
id: string, 
/**
 * Server of the operation.
 */
server: string, 
/**
 * The method, for example `tools/call`.
 */
method: string, 
/**
 * The key of a tool, the name of a prompt, the URI of a resource.
 */
target: string, 
/**
 * Its name.
 */
name: string, 
/**
 * The arguments, as JSON text.
 */
arguments: string, 
/**
 * Kept in memory only and never exported, since it may contain a secret: set by the window for forms with private
 * fields, and by the backend for known secrets.
 */
private: boolean, 
/**
 * For an answer to a form: digest of the form's schema. A rule sends the answer only to that form.
 */
schema_digest?: string, };

/**
 * The saved inputs of one server.
 */
export type SavedInputs = { 
/**
 * The server.
 */
server: string, 
/**
 * Saved inputs in order; those of one target are in the order in which they are offered.
 */
inputs: Array<SavedInput>, };

/**
 * A place where a document contains the searched text.
 */
export type SearchHit = { 
/**
 * Row to scroll to (containers around the hit were expanded).
 */
row: number, 
/**
 * Number of all hits (at most 10,000 are counted).
 */
total: number, 
/**
 * Place of this hit, from 0.
 */
ordinal: number, };

/**
 * A secret as the window sends it. Values never return to the window.
 */
export type SecretInput = { "type": "keep" } | { "type": "set", 
/**
 * The secret.
 */
value: string, };

/**
 * A root that was sent.
 */
export type SentRoot = { 
/**
 * `uri`, at most 1,000 characters of it.
 */
uri: string, 
/**
 * `name`, at most 256 characters of it.
 */
name: string | null, };

/**
 * The configuration of one server.
 */
export type ServerConfig = { 
/**
 * Its name in the list. Need not be unique.
 */
name: string, 
/**
 * Transport to the server.
 */
transport: Transport, 
/**
 * Longest silence of an operation in seconds; `None` means 60.
 */
idle_seconds: number | null, 
/**
 * Longest duration of an operation in seconds; `None` means 1,800.
 */
hard_seconds: number | null, 
/**
 * Choice of the protocol.
 */
protocol: ProtocolMode, 
/**
 * Attempts in a row before a broken stream is given up; `None` means 5.
 */
stream_attempts: number | null, 
/**
 * Folders that the server may work in; without any, the capability is not declared.
 */
roots: Array<RootFolder>, 
/**
 * Rules for automatic replies to its requests.
 */
request_rules: RequestRules, 
/**
 * Identity and capabilities that Sonde declares to it.
 */
declaration: Declaration, };

/**
 * Fields of a server's form.
 */
export type ServerField = "name" | "command" | "argument" | "variable_name" | "variable_value" | "cwd" | "url" | "header_name" | "header_value" | "token" | "client_id" | "client_secret" | "issuer" | "metadata_url" | "scopes" | "redirect_port" | "key" | "algorithm" | "idp_token_endpoint" | "idp_client_id" | "id_token" | "assertion" | "protocol_version" | "proxy_url" | "proxy_user" | "ca_file" | "certificate" | "certificate_key" | "connect_seconds" | "stream_idle_seconds" | "root_folder" | "root_name" | "request_rules" | "client_name" | "client_version" | "preset" | "extension_name" | "extension_settings" | "idle_seconds" | "hard_seconds" | "stream_attempts";

/**
 * A group of the list with its servers.
 */
export type ServerGroupView = { 
/**
 * Servers of the group in order.
 */
servers: Array<string>, 
/**
 * Its id.
 */
id: string, 
/**
 * Its name in the list. Need not be unique.
 */
name: string, 
/**
 * The group's servers are hidden.
 */
collapsed: boolean, };

/**
 * Description that the server gives of itself.
 */
export type ServerIdentity = { 
/**
 * Programmatic name; `None` if the server gives none.
 */
name: string | null, 
/**
 * Display name.
 */
title: string | null, 
/**
 * Version text.
 */
version: string | null, 
/**
 * One sentence.
 */
description: string | null, 
/**
 * Home page.
 */
website_url: string | null, 
/**
 * Its icons.
 */
icons: ShownIcons, 
/**
 * The protocol revision in use.
 */
revision: string, 
/**
 * The revision that was offered first.
 */
offered: string, 
/**
 * The server's instructions for models; at most 64 KiB.
 */
instructions: string | null, 
/**
 * The capabilities object, as JSON text as received; at most 64 KiB, `…` ends a cut one.
 */
capabilities: string, 
/**
 * `_meta` of the result that all of this stood in, as JSON text as received; at most 64 KiB, `…` ends a cut one.
 */
meta: string | null, 
/**
 * Round trip of the handshake in milliseconds.
 */
handshake_ms: number, };

/**
 * Order and groups of the list of servers.
 */
export type ServerOrder = { 
/**
 * All servers: first those without a group, then those of each group.
 */
order: Array<string>, 
/**
 * The groups in order.
 */
groups: Array<ServerGroupView>, };

/**
 * The child process of a session.
 */
export type ServerProcess = { 
/**
 * Process id.
 */
pid: number, 
/**
 * The program file.
 */
program: string, 
/**
 * Program and arguments.
 */
argv: Array<string>, 
/**
 * Working directory.
 */
cwd: string, };

/**
 * A server in the list.
 */
export type ServerView = { 
/**
 * Id of the server.
 */
id: string, 
/**
 * Configuration without secrets.
 */
config: ServerConfig, 
/**
 * The command line or the URL.
 */
address: string, 
/**
 * The user has confirmed the current command (always true for HTTP and demo).
 */
confirmed: boolean, 
/**
 * Lowest severity of the requested log messages; `None` means the default.
 */
log_level: LogLevel | null, 
/**
 * Names of secrets (`env:NAME`, `header:NAME`, `auth:NAME`) that are only in memory, since the keyring did not
 * accept them.
 */
unsaved_secrets: Array<string>, 
/**
 * Inputs that the configuration, written for another client, needs before it can be connected, as it writes them:
 * `${input:NAME}`, `${env:NAME}`.
 */
missing_inputs: Array<string>, };

/**
 * Phases of the connection to a server.
 */
export type SessionPhase = "idle" | "connecting" | "ready" | "closing" | "failed";

/**
 * The live state of one server's connection. One per server, replaced whole.
 */
export type SessionView = { 
/**
 * The server.
 */
server: string, 
/**
 * Number of connects of this server, from 1; 0 before the first.
 */
generation: number, 
/**
 * Command or URL of the current or last connection; empty before the first.
 */
address: string, 
/**
 * Phase of the connection.
 */
phase: SessionPhase, 
/**
 * Time of the last phase change, in milliseconds since the Unix epoch.
 */
since: number, 
/**
 * The steps of connecting.
 */
steps: Array<ConnectStep>, 
/**
 * The server's description of itself; set once the connection is ready, and kept after its end.
 */
identity: ServerIdentity | null, 
/**
 * The server accepts requests for completion.
 */
completions: boolean, 
/**
 * The server can run tools as tasks on request (2025-11-25).
 */
tool_tasks: boolean, 
/**
 * The child process, while it runs.
 */
process: ServerProcess | null, 
/**
 * End of the last transport.
 */
closed: TransportEnd | null, 
/**
 * Reason of the failure.
 */
failure: Failure | null, 
/**
 * Last measured ping in microseconds.
 */
ping_micros: number | null, 
/**
 * Number of lines of standard error so far.
 */
stderr_lines: number, };

/**
 * Settings of the user for the whole app.
 */
export type Settings = { 
/**
 * Colours.
 */
theme: Theme, 
/**
 * Zoom of the window in percent, within [`ZOOM`].
 */
zoom: number, 
/**
 * Size of the text.
 */
text_size: TextSize, 
/**
 * Zoom of a presentation in percent, within [`ZOOM`], on top of the window's zoom.
 */
presentation_zoom: number, 
/**
 * The server that was selected last.
 */
selected_server: string | null, 
/**
 * The server that is shown beside the selected one.
 */
beside: string | null, 
/**
 * Text that the names of the listed servers have to contain.
 */
server_filter: string, 
/**
 * Last view of each server, by its id.
 */
views: { [key in string]: LastShown }, 
/**
 * Sizes of the window's panes by name, in each pane's unit; 0 means collapsed. A missing pane has its default
 * size.
 */
pane_sizes: { [key in string]: number }, 
/**
 * The runs are below the form, not beside it.
 */
runs_below: boolean, 
/**
 * Limits of the stored runs.
 */
history: HistoryLimits, };

/**
 * Severity of breaking a rule.
 */
export type Severity = "info" | "warning" | "error";

/**
 * One icon.
 */
export type ShownIcon = { 
/**
 * `src` whole, where it is a `data:` URI of a PNG, JPEG or WebP picture that is neither animated nor larger than
 * 1,024 × 1,024 pixels; of all icons together at most 64 KiB.
 */
picture: string | null, 
/**
 * Address of the picture, or a `data:` URI that contains it.
 */
src: string, 
/**
 * `mimeType`, at most 256 characters of it.
 */
mime_type: string | null, 
/**
 * `sizes`: `48x48`, `any`, or other words as received, at most 256 characters of each.
 */
sizes: Array<string>, 
/**
 * `theme`: the background that it is designed for, `light` or `dark`, or another word as received.
 */
theme: string | null, };

/**
 * The icons of a server or of an item of a list.
 */
export type ShownIcons = { 
/**
 * The first 20 that can be read.
 */
first: Array<ShownIcon>, 
/**
 * Number of all entries.
 */
count: number, };

/**
 * Options for signing in. Options that are `None` are discovered or chosen.
 */
export type SignInConfig = { 
/**
 * Party that signs in, and its credentials.
 */
grant: GrantConfig, 
/**
 * Id of a client that is already registered with the authorization server.
 */
client_id: string | null, 
/**
 * Secret of that client, if it has one.
 */
client_secret: SecretInput | null, 
/**
 * The only authorization server that may see that client; `None` means the one where the user first signs in or
 * that the user first confirms.
 */
issuer: string | null, 
/**
 * The https address of a client ID metadata document, used where the authorization server accepts one.
 */
metadata_url: string | null, 
/**
 * Scopes to request instead of those that the server names, separated by spaces.
 */
scopes: string | null, 
/**
 * The port of 127.0.0.1 to which the browser returns; `None` means a free one.
 */
redirect_port: number | null, 
/**
 * Sign in although the authorization server does not advertise PKCE with S256. Insecure.
 */
without_pkce_promise: boolean, 
/**
 * Bind tokens to a key of this computer (DPoP).
 */
dpop: DpopMode, };

/**
 * A sign-in for the user to review before the browser opens.
 */
export type SignInPrompt = { 
/**
 * Number of this sign-in, for commands about it.
 */
attempt: number, 
/**
 * Reason for the sign-in, one plain sentence.
 */
reason: string, 
/**
 * The whole address that the browser opens.
 */
url: string, 
/**
 * Host of that address.
 */
host: string, 
/**
 * Issuer of the token.
 */
issuer: string, 
/**
 * Resource that the token will be for.
 */
resource: string, 
/**
 * The client's id.
 */
client_id: string, 
/**
 * Kind of that client.
 */
client_kind: ClientKind, 
/**
 * Requested scopes; empty if the server decides.
 */
scopes: Array<string>, 
/**
 * Requested scopes that were not granted before; empty on the first sign-in.
 */
new_scopes: Array<string>, 
/**
 * Address to which the browser returns.
 */
redirect_uri: string, 
/**
 * Sonde listens at that address. If not, the user has to paste the address.
 */
listening: boolean, 
/**
 * The browser was opened.
 */
opened: boolean, 
/**
 * Deadline of the sign-in, in milliseconds since the Unix epoch.
 */
expires_at: number, 
/**
 * Remarkable points, plain sentences.
 */
warnings: Array<string>, };

/**
 * Everything about one skill.
 */
export type SkillDetail = { 
/**
 * The URI of its `SKILL.md`; `None` if there is none, or one above 4,000 bytes.
 */
uri: string | null, 
/**
 * Fields of its front matter except `name` and `description`, in the server's order; at most 100.
 */
fields: Array<SkillField>, 
/**
 * There are more fields.
 */
more_fields: boolean, 
/**
 * Files of the skill, at most 512; `None` if the server does not list them.
 */
files: Array<SkillFileView> | null, 
/**
 * Number of all files.
 */
file_count: number, 
/**
 * Row of the item in the list.
 */
row: CatalogRow, 
/**
 * Findings about the definition.
 */
findings: Array<FindingView>, 
/**
 * The description, Markdown by convention; at most 64 KiB.
 */
description: string | null, 
/**
 * `icons` and `_meta`.
 */
extras: ItemExtras, 
/**
 * The definition as JSON text as received; at most 1 MiB, `…` ends a cut one.
 */
raw: string, };

/**
 * A field of the front matter of a skill.
 */
export type SkillField = { 
/**
 * Name of the field, at most 256 characters.
 */
name: string, 
/**
 * A text unchanged, other values as JSON; at most 4,000 characters.
 */
value: string, };

/**
 * A file of a skill.
 */
export type SkillFileView = { 
/**
 * The URI for reading the file; `None` above 4,000 bytes.
 */
uri: string | null, 
/**
 * The URI as shown: relative to the directory of the skill if the file is below it; at most 256 characters.
 */
path: string, 
/**
 * Length in bytes according to the server.
 */
size: number | null, 
/**
 * Digest according to the server; at most 256 characters.
 */
digest: string | null, };

/**
 * A section of a specification.
 */
export type SpecLink = { 
/**
 * Name of the section.
 */
name: string, 
/**
 * Address of the section.
 */
url: string, };

/**
 * A saved input that a step offers.
 */
export type StepInput = { 
/**
 * Id of the saved input.
 */
id: string, 
/**
 * Its name; if it was removed, the last known one.
 */
name: string, 
/**
 * The saved input no longer exists. Ignored on input.
 */
removed: boolean, };

/**
 * Outcomes of a step.
 */
export type StepOutcome = "waiting" | "running" | "pass" | "fail" | "not_evaluated";

/**
 * A step in a file.
 */
export type StepPreview = { 
/**
 * Title that the audience reads.
 */
title: string, 
/**
 * The name of its server in the text.
 */
server: string, 
/**
 * The method, for example `tools/call`.
 */
method: string, 
/**
 * Target of the call, by the server's name for it.
 */
target: string, 
/**
 * The saved inputs that it offers.
 */
inputs: Array<InputPreview>, 
/**
 * The speaker's notes.
 */
notes: string, };

/**
 * States of a step of connecting.
 */
export type StepState = "waiting" | "running" | "done" | "failed";

/**
 * Kinds of stored secrets.
 */
export type StoredKind = "token" | "client" | "setting";

/**
 * A stored secret, in the keyring or in memory, without its value.
 */
export type StoredSecret = { 
/**
 * Names it, for deleting.
 */
id: string, 
/**
 * `token`, `client` or `setting`.
 */
kind: StoredKind, 
/**
 * Description, one plain line.
 */
title: string, 
/**
 * Issuer, for tokens and clients.
 */
issuer: string | null, 
/**
 * Resource, for tokens.
 */
resource: string | null, 
/**
 * The client's id, for tokens and clients.
 */
client_id: string | null, 
/**
 * Servers of the list that use it.
 */
servers: Array<string>, 
/**
 * Time of storing, in milliseconds since the Unix epoch, where known.
 */
saved_at: number | null, 
/**
 * Place where it is kept.
 */
kept: Kept, };

/**
 * The stored secrets and their place.
 */
export type StoredSecrets = { 
/**
 * Place where secrets are kept, one plain sentence.
 */
place: string, 
/**
 * True if the keyring works and has accepted everything. Otherwise, some secrets are in memory only.
 */
usable: boolean, 
/**
 * All stored secrets.
 */
secrets: Array<StoredSecret>, };

/**
 * One event of the streams.
 */
export type StreamLine = { 
/**
 * Counts from 1 within the connection.
 */
number: number, 
/**
 * Milliseconds since the Unix epoch.
 */
at: number, 
/**
 * Id of the stream.
 */
stream: number, 
/**
 * A stable name in snake_case: `opened`, `opening`, `event_id`, `retry_time`, `lost`, `waiting`,
 * `resuming`, `resumed`, `over`, `reopening`.
 */
code: string, 
/**
 * One plain sentence.
 */
sentence: string, 
/**
 * Log entry of the event.
 */
seq: number | null, };

/**
 * Purposes of a stream.
 */
export type StreamPurpose = "listener" | "answer" | "subscription";

/**
 * States of a stream.
 */
export type StreamState = "opening" | "open" | "waiting" | "resuming" | "not_offered" | "ended" | "given_up";

/**
 * One stream, live.
 */
export type StreamStatus = { 
/**
 * Names it within the connection.
 */
id: number, 
/**
 * Purpose of the stream.
 */
purpose: StreamPurpose, 
/**
 * The method whose answer it is.
 */
method: string | null, 
/**
 * The operation it belongs to.
 */
operation: number | null, 
/**
 * State of the stream.
 */
state: StreamState, 
/**
 * Number of the announced or running attempt.
 */
attempt: number, 
/**
 * Limit of attempts.
 */
budget: number, 
/**
 * Time of the next attempt, in milliseconds since the Unix epoch; while `Waiting`.
 */
next_at: number | null, 
/**
 * Source of the delay.
 */
delay_by: DelaySource | null, 
/**
 * The last event id, as received.
 */
last_event_id: string | null, 
/**
 * Event ids so far.
 */
event_ids: number, 
/**
 * Number of times it broke.
 */
lost: number, 
/**
 * Reason why it broke or ended, one plain sentence.
 */
reason: string | null, };

/**
 * `structuredContent` of a result.
 */
export type StructuredContent = { 
/**
 * Size as JSON text in bytes.
 */
bytes: number, 
/**
 * The whole JSON text where it has at most 256 KiB; longer ones are read as a document.
 */
json: string | null, 
/**
 * Violations of the output schema.
 */
problems: Array<ArgumentProblem>, 
/**
 * Reason why it could not be checked against the output schema, as one plain sentence.
 */
unchecked: string | null, };

/**
 * States of a subscription to a resource.
 */
export type SubscriptionState = { "type": "pending" } | { "type": "active" } | { "type": "ending" } | { "type": "failed", "why": string };

/**
 * Formats of a copied table.
 */
export type TableText = "markdown" | "csv";

/**
 * A change of the status or of its message.
 */
export type TaskChange = { 
/**
 * Time at which it became known, in milliseconds since the Unix epoch.
 */
at: number, 
/**
 * The status from then on.
 */
status: TaskStatus, 
/**
 * Its message, at most 1,000 characters.
 */
message: string | null, 
/**
 * Source of the change.
 */
source: TaskSource, };

/**
 * Options for running an operation as a task.
 */
export type TaskInput = { 
/**
 * Time for which the server shall keep the task, in milliseconds from its creation; `None` leaves it to the
 * server.
 */
ttl: number | null, };

/**
 * State of a server's task list.
 */
export type TaskList = { 
/**
 * The server declares that it lists its tasks.
 */
supported: boolean, 
/**
 * The list is being read.
 */
loading: boolean, 
/**
 * Time of reading, in milliseconds since the Unix epoch; `None` before the first reading of a connection.
 */
read_at: number | null, 
/**
 * Reason why the last reading failed: one plain sentence.
 */
error: string | null, 
/**
 * Reason why there may be more tasks: a phrase without its full stop.
 */
partial: string | null, 
/**
 * Number of unreadable entries.
 */
unreadable: number, 
/**
 * In the server's order, at most 1,000; together they have at most 512 KiB.
 */
tasks: Array<ListedTask>, };

/**
 * The tasks that one server lists. Replaced whole.
 */
export type TaskListView = { 
/**
 * The server.
 */
server: string, 
/**
 * The list.
 */
list: TaskList, };

/**
 * The task of an operation: its result comes later.
 */
export type TaskRun = { 
/**
 * `taskId`, at most 4 KiB.
 */
id: string, 
/**
 * Last known status.
 */
status: TaskStatus, 
/**
 * `statusMessage`, at most 1,000 characters.
 */
message: string | null, 
/**
 * `createdAt` as received, at most 256 characters.
 */
created_at: string | null, 
/**
 * Time at which it became known, in milliseconds since the Unix epoch.
 */
since: number, 
/**
 * Time for which the server keeps it after `since`, in milliseconds; `None` if the server gives none, or sets no
 * limit.
 */
ttl: number | null, 
/**
 * Pause that the server suggests between requests for the status, in milliseconds.
 */
poll_interval: number | null, 
/**
 * Current activity; `None` once its run is over.
 */
step: TaskStep | null, 
/**
 * Number of statuses that the server sent.
 */
told: number, 
/**
 * Reason why the server did not cancel it, as one plain sentence.
 */
cancel_failed: string | null, 
/**
 * Number of times that a later connection resumed it.
 */
resumed: number, 
/**
 * Way of the protocol in which it was created; `None` if its file does not contain it.
 */
era?: Era, 
/**
 * The changes of its status, the last 50, oldest first.
 */
changes: Array<TaskChange>, };

/**
 * Sources of a task's status.
 */
export type TaskSource = "created" | "polled" | "notified" | "cancelled" | "result";

/**
 * States of a task.
 */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled" | "unknown";

/**
 * Current activity of Sonde for a running task.
 */
export type TaskStep = { "type": "wait", 
/**
 * Milliseconds since the Unix epoch.
 */
at: number, } | { "type": "asking" } | { "type": "fetching_result" };

/**
 * Support of a tool for running as a task (2025-11-25).
 */
export type TaskSupport = "forbidden" | "optional" | "required";

/**
 * Input for a variable.
 */
export type TemplateInput = { 
/**
 * The variable.
 */
name: string, 
/**
 * Value of the variable.
 */
value: TemplateValue, };

/**
 * Value of a template variable.
 */
export type TemplateValue = { "type": "text", "value": string } | { "type": "list", "value": Array<string> } | { "type": "map", "value": Array<[string, string]> };

/**
 * A variable of a template.
 */
export type TemplateVariable = { 
/**
 * Its name in the template.
 */
name: string, 
/**
 * Takes a list or a map and expands each value by itself (`{name*}`).
 */
explode: boolean, 
/**
 * Limit of characters that are used (`{name:3}`); the smallest of all occurrences.
 */
prefix: number | null, };

/**
 * A URI template as a form.
 */
export type TemplateView = { 
/**
 * Variables in the order of the template.
 */
variables: Array<TemplateVariable>, 
/**
 * Reason why the text is not a URI template, as a part of a sentence; then there are no variables.
 */
problem: string | null, };

/**
 * Size of the text, apart from the zoom of the whole window.
 */
export type TextSize = "small" | "medium" | "large";

/**
 * Colours of the window.
 */
export type Theme = "system" | "light" | "dark";

/**
 * App metadata of a tool (extension `io.modelcontextprotocol/ui`).
 */
export type ToolApp = { 
/**
 * `resourceUri`, which begins with `ui://`; `None` for a tool without an app.
 */
resource_uri: string | null, 
/**
 * `visibility` has `model`; also true without `visibility`.
 */
for_model: boolean, 
/**
 * `visibility` has `app`: apps of the same server may call the tool; also true without `visibility`.
 */
for_app: boolean, };

/**
 * A tool and its cost.
 */
export type ToolCost = { key: string, bytes: number, tokens: number, };

/**
 * Everything about one tool.
 */
export type ToolDetail = { 
/**
 * Number of declared parameters.
 */
parameters: number, 
/**
 * Support for running it as a task (2025-11-25).
 */
task_support: TaskSupport, 
/**
 * Declarations of the tool about its app.
 */
app: ToolApp, 
/**
 * `inputSchema` as JSON text as received; `None` if missing or above 1 MiB.
 */
input_schema: string | null, 
/**
 * Reason why the schema cannot validate anything, one plain sentence.
 */
schema_error: string | null, 
/**
 * Row of the item in the list.
 */
row: CatalogRow, 
/**
 * Findings about the definition.
 */
findings: Array<FindingView>, 
/**
 * The description, Markdown by convention; at most 64 KiB.
 */
description: string | null, 
/**
 * `icons` and `_meta`.
 */
extras: ItemExtras, 
/**
 * The definition as JSON text as received; at most 1 MiB, `…` ends a cut one.
 */
raw: string, };

/**
 * Transports to a server.
 */
export type Transport = { "type": "stdio", 
/**
 * Program name or path.
 */
command: string, 
/**
 * Arguments, one by one; no shell is involved.
 */
args: Array<string>, 
/**
 * On top of the safe inherited environment.
 */
env: Array<NamedValue>, 
/**
 * Working directory; `None` means the user's home.
 */
cwd: string | null, } | { "type": "http", 
/**
 * The endpoint.
 */
url: string, 
/**
 * Extra headers.
 */
headers: Array<NamedValue>, 
/**
 * The HTTP transport; without effect on ws and wss.
 */
kind: HttpKind, 
/**
 * Network settings.
 */
network: NetworkConfig, 
/**
 * Way to sign in.
 */
auth: AuthConfig, } | { "type": "demo", 
/**
 * Over loopback HTTP instead of stdio.
 */
http: boolean, };

/**
 * End of a process or transport.
 */
export type TransportEnd = { 
/**
 * Exit code, if it returned one.
 */
exit_code: number | null, 
/**
 * Signal name, if one ended it, for example `SIGKILL`.
 */
signal: string | null, 
/**
 * Sonde stopped it.
 */
stopped: boolean, 
/**
 * The process did not exit when its standard input was closed: Sonde asked it to terminate, or killed it.
 */
terminated: boolean, 
/**
 * Milliseconds since the Unix epoch.
 */
at: number, };

/**
 * Transport that carries the messages.
 */
export type TransportKind = "stdio" | "streamable_http" | "http_sse" | "web_socket";

/**
 * A change. Each event replaces the whole state of one thing, so that many changes of the same thing within one batch
 * become one event and nothing is lost.
 */
export type UiEvent = { "type": "server", "data": ServerView } | { "type": "server_removed", "data": string } | { "type": "server_order", "data": ServerOrder } | { "type": "session", "data": SessionView } | { "type": "catalog", "data": CatalogView } | { "type": "issues", "data": IssueCounts } | { "type": "resource_subscriptions", "data": ResourceSubscriptionsView } | { "type": "task_list", "data": TaskListView } | { "type": "connection", "data": ConnectionView } | { "type": "auth", "data": AuthStatus } | { "type": "diagnosis", "data": Diagnosis } | { "type": "checks", "data": Checks } | { "type": "server_request", "data": OpenServerRequest } | { "type": "server_request_removed", "data": number } | { "type": "operation", "data": OperationView } | { "type": "operation_removed", "data": number } | { "type": "log", "data": LogViewState } | { "type": "notice", "data": Notice } | { "type": "notice_removed", "data": number } | { "type": "offer", "data": boolean } | { "type": "settings", "data": Settings } | { "type": "saved_inputs", "data": SavedInputs } | { "type": "presentations", "data": Array<Presentation> } | { "type": "closing" };

/**
 * Verdicts about a tool in a host, by ascending weight: the last of several applies.
 */
export type Verdict = "works" | "not_known" | "degraded" | "may_fail" | "fails";

/**
 * Parts of a name that mark its value as secret: its end where they begin with `_`, else anything of its letters and digits.
 */
export const SECRET_NAMES: readonly string[] = [
  "token",
  "secret",
  "password",
  "passwd",
  "passphrase",
  "apikey",
  "accesskey",
  "privatekey",
  "credential",
  "authorization",
  "cookie",
  "bearer",
  "authkey",
  "sessionkey",
  "clientkey",
  "_key"
];

/**
 * What can be declared to a server, to begin with; those that are no host first.
 */
export const DECLARATION_PRESETS: readonly DeclarationPreset[] = [
  {
    "id": "sonde",
    "name": "Everything Sonde can",
    "declaration": {
      "preset": "sonde",
      "name": null,
      "version": null,
      "roots": {
        "list_changed": true,
        "without_any": false
      },
      "sampling": {
        "context": false,
        "tools": true
      },
      "elicitation": {
        "form": true,
        "url": true
      },
      "tasks": true,
      "request_tasks": true,
      "extensions": []
    },
    "host": null
  },
  {
    "id": "nothing",
    "name": "Nothing",
    "declaration": {
      "preset": "nothing",
      "name": null,
      "version": null,
      "roots": null,
      "sampling": null,
      "elicitation": null,
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": null
  },
  {
    "id": "agent_core",
    "name": "AgentCore",
    "declaration": {
      "preset": "agent_core",
      "name": null,
      "version": null,
      "roots": null,
      "sampling": null,
      "elicitation": {
        "form": false,
        "url": false
      },
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": {
      "oldest": "2025-06-18",
      "newest": "2025-06-18",
      "protocol": {
        "type": "fixed",
        "revision": "2025-06-18"
      },
      "left_off": [
        "clientInfo (not known)",
        "the modes of elicitation (not known)"
      ],
      "source": "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
      "date": "2026-08-22"
    }
  },
  {
    "id": "chatgpt",
    "name": "ChatGPT",
    "declaration": {
      "preset": "chatgpt",
      "name": null,
      "version": null,
      "roots": null,
      "sampling": null,
      "elicitation": null,
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": {
      "oldest": "2025-03-26",
      "newest": "2026-07-28",
      "protocol": {
        "type": "automatic"
      },
      "left_off": [
        "clientInfo (not known)",
        "the extension ui (its settings are not known)",
        "the extension openai/visibility (its settings are not known)"
      ],
      "source": "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
      "date": "2026-08-22"
    }
  },
  {
    "id": "claude",
    "name": "Claude",
    "declaration": {
      "preset": "claude",
      "name": null,
      "version": null,
      "roots": null,
      "sampling": null,
      "elicitation": null,
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": {
      "oldest": "2025-03-26",
      "newest": "2026-07-28",
      "protocol": {
        "type": "automatic"
      },
      "left_off": [
        "clientInfo (not known)",
        "the extension ui (its settings are not known)"
      ],
      "source": "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
      "date": "2026-08-22"
    }
  },
  {
    "id": "claude_code",
    "name": "Claude Code",
    "declaration": {
      "preset": "claude_code",
      "name": null,
      "version": null,
      "roots": {
        "list_changed": false,
        "without_any": true
      },
      "sampling": null,
      "elicitation": {
        "form": false,
        "url": false
      },
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": {
      "oldest": "2025-03-26",
      "newest": "2025-11-25",
      "protocol": {
        "type": "handshake"
      },
      "left_off": [
        "clientInfo (not known)",
        "roots.listChanged (not known)",
        "the modes of elicitation (not known)"
      ],
      "source": "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
      "date": "2026-08-22"
    }
  },
  {
    "id": "cline",
    "name": "Cline 4.0",
    "declaration": {
      "preset": "cline",
      "name": null,
      "version": null,
      "roots": null,
      "sampling": null,
      "elicitation": null,
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": {
      "oldest": "2025-11-25",
      "newest": "2025-11-25",
      "protocol": {
        "type": "handshake"
      },
      "left_off": [
        "clientInfo (not known)"
      ],
      "source": "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
      "date": "2026-08-22"
    }
  },
  {
    "id": "codex",
    "name": "Codex",
    "declaration": {
      "preset": "codex",
      "name": null,
      "version": null,
      "roots": null,
      "sampling": null,
      "elicitation": {
        "form": true,
        "url": true
      },
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": {
      "oldest": "2025-03-26",
      "newest": "2025-11-25",
      "protocol": {
        "type": "handshake"
      },
      "left_off": [
        "clientInfo (not known)"
      ],
      "source": "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
      "date": "2026-08-22"
    }
  },
  {
    "id": "copilot_m365",
    "name": "Copilot (M365)",
    "declaration": {
      "preset": "copilot_m365",
      "name": null,
      "version": null,
      "roots": null,
      "sampling": null,
      "elicitation": null,
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": {
      "oldest": "2025-11-25",
      "newest": "2025-11-25",
      "protocol": {
        "type": "handshake"
      },
      "left_off": [
        "clientInfo (not known)",
        "the extension ui (its settings are not known)"
      ],
      "source": "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
      "date": "2026-08-22"
    }
  },
  {
    "id": "cursor",
    "name": "Cursor",
    "declaration": {
      "preset": "cursor",
      "name": null,
      "version": null,
      "roots": {
        "list_changed": false,
        "without_any": true
      },
      "sampling": null,
      "elicitation": {
        "form": true,
        "url": false
      },
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": {
      "oldest": "2025-11-25",
      "newest": "2025-11-25",
      "protocol": {
        "type": "handshake"
      },
      "left_off": [
        "clientInfo (not known)",
        "roots.listChanged (not known)"
      ],
      "source": "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
      "date": "2026-08-22"
    }
  },
  {
    "id": "goose",
    "name": "Goose",
    "declaration": {
      "preset": "goose",
      "name": null,
      "version": null,
      "roots": {
        "list_changed": false,
        "without_any": true
      },
      "sampling": {
        "context": false,
        "tools": false
      },
      "elicitation": {
        "form": false,
        "url": false
      },
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": {
      "oldest": "2025-03-26",
      "newest": "2025-03-26",
      "protocol": {
        "type": "fixed",
        "revision": "2025-03-26"
      },
      "left_off": [
        "clientInfo (not known)",
        "roots.listChanged (not known)",
        "sampling.context and sampling.tools (not known)",
        "the modes of elicitation (not known)"
      ],
      "source": "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
      "date": "2026-08-22"
    }
  },
  {
    "id": "mistral",
    "name": "Mistral",
    "declaration": {
      "preset": "mistral",
      "name": null,
      "version": null,
      "roots": null,
      "sampling": null,
      "elicitation": null,
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": {
      "oldest": "2025-11-25",
      "newest": "2025-11-25",
      "protocol": {
        "type": "handshake"
      },
      "left_off": [
        "clientInfo (not known)",
        "the extension ui (its settings are not known)"
      ],
      "source": "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
      "date": "2026-08-22"
    }
  },
  {
    "id": "n8n",
    "name": "n8n",
    "declaration": {
      "preset": "n8n",
      "name": null,
      "version": null,
      "roots": null,
      "sampling": null,
      "elicitation": null,
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": {
      "oldest": "2025-11-25",
      "newest": "2025-11-25",
      "protocol": {
        "type": "handshake"
      },
      "left_off": [
        "clientInfo (not known)"
      ],
      "source": "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
      "date": "2026-08-22"
    }
  },
  {
    "id": "notion",
    "name": "Notion",
    "declaration": {
      "preset": "notion",
      "name": null,
      "version": null,
      "roots": null,
      "sampling": null,
      "elicitation": null,
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": {
      "oldest": "2025-11-25",
      "newest": "2025-11-25",
      "protocol": {
        "type": "handshake"
      },
      "left_off": [
        "clientInfo (not known)"
      ],
      "source": "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
      "date": "2026-08-22"
    }
  },
  {
    "id": "perplexity",
    "name": "Perplexity",
    "declaration": {
      "preset": "perplexity",
      "name": null,
      "version": null,
      "roots": null,
      "sampling": null,
      "elicitation": null,
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": {
      "oldest": "2025-06-18",
      "newest": "2025-06-18",
      "protocol": {
        "type": "fixed",
        "revision": "2025-06-18"
      },
      "left_off": [
        "clientInfo (not known)"
      ],
      "source": "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
      "date": "2026-08-22"
    }
  },
  {
    "id": "slack",
    "name": "Slack",
    "declaration": {
      "preset": "slack",
      "name": null,
      "version": null,
      "roots": null,
      "sampling": null,
      "elicitation": null,
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": {
      "oldest": "2025-06-18",
      "newest": "2025-06-18",
      "protocol": {
        "type": "fixed",
        "revision": "2025-06-18"
      },
      "left_off": [
        "clientInfo (not known)",
        "the extension ui (its settings are not known)"
      ],
      "source": "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
      "date": "2026-08-22"
    }
  },
  {
    "id": "vs_code",
    "name": "VS Code",
    "declaration": {
      "preset": "vs_code",
      "name": null,
      "version": null,
      "roots": {
        "list_changed": false,
        "without_any": true
      },
      "sampling": {
        "context": false,
        "tools": false
      },
      "elicitation": {
        "form": true,
        "url": true
      },
      "tasks": false,
      "request_tasks": false,
      "extensions": []
    },
    "host": {
      "oldest": "2025-11-25",
      "newest": "2025-11-25",
      "protocol": {
        "type": "handshake"
      },
      "left_off": [
        "clientInfo (not known)",
        "roots.listChanged (not known)",
        "sampling.context and sampling.tools (not known)",
        "tasks (their parts are not known)"
      ],
      "source": "https://github.com/MCPJam/inspector/blob/main/sdk/src/host-compat/catalog.generated.ts",
      "date": "2026-08-22"
    }
  }
];

export interface Commands {
  /** Returns the problems that keep a configuration from being saved, for a new server (`None`) or one of */
  /** the list. */
  check_server: { args: { server: string | null; draft: ServerConfig }; result: Array<FieldProblem> };
  /** Adds a server at the end of the list. */
  add_server: { args: { draft: ServerConfig }; result: string };
  /** Replaces a server's configuration. A running session keeps the old one until it reconnects. `None` */
  /** if nothing changed. */
  update_server: { args: { server: string; draft: ServerConfig }; result: number | null };
  /** Returns a server in the configuration of every client, without secrets. */
  export_server: { args: { server: string }; result: Array<ExportedServer> };
  /** Copies a server, secrets included, after the original. */
  duplicate_server: { args: { server: string }; result: string };
  /** Moves a server to this place in a group, or among those without a group. */
  move_server: { args: { server: string; group: string | null; index: number }; result: void };
  /** Adds a group at the end of the list, with these servers. */
  add_server_group: { args: { name: string; servers: Array<string> }; result: string };
  /** Renames a group, and shows or hides its servers; `None` leaves either unchanged. */
  update_server_group: { args: { group: string; name: string | null; collapsed: boolean | null }; result: void };
  /** Moves a group with its servers to this place among the groups. */
  move_server_group: { args: { group: string; index: number }; result: void };
  /** Removes a group; its servers stay, without a group. */
  remove_server_group: { args: { group: string }; result: number };
  /** Reads a URL, a command line, a configuration of another client, or a presentation. Adds nothing. */
  preview_import: { args: { text: string }; result: ImportPreview };
  /** Reads the configuration files of other clients on this computer. Adds nothing. */
  installed_configurations: { args: {  }; result: Array<InstalledConfiguration> };
  /** Returns the exact command of a stdio server. */
  preview_command: { args: { server: string }; result: CommandPreview };
  /** Adds the chosen candidates of the same text. */
  import_servers: { args: { text: string; chosen: Array<Chosen> }; result: Array<string> };
  /** Adds the chosen candidates of another client's file, if its content still has this fingerprint. */
  import_installed: { args: { path: string; fingerprint: string; chosen: Array<Chosen> }; result: Array<string> };
  /** Adds the presentation of a text with the chosen candidates. For other candidates, uses servers that */
  /** are already in the list. Replaces the presentation `replace`. */
  import_presentation: { args: { text: string; chosen: Array<Chosen>; replace: string | null }; result: ImportedPresentation };
  /** Returns the presentation of the demo server as a text to import. */
  demo_presentation: { args: {  }; result: string };
  /** Returns the link or the text of the file with which the app was opened, once. */
  take_offer: { args: {  }; result: string | null };
  /** Previews the client's declaration to a server with these settings, for each possible protocol */
  /** version. */
  preview_declaration: { args: { declaration: Declaration; roots: Array<RootFolder>; protocol: ProtocolMode }; result: DeclarationPreview };
  /** Connects. `confirm` is the fingerprint of the command that the user saw and accepted. */
  connect: { args: { server: string; confirm: string | null }; result: void };
  /** Splits a command line that was entered as a command into words; `None` for a single word, and if */
  /** there is a program of exactly this name. */
  split_command: { args: { command: string }; result: Array<string> | null };
  /** Returns the secret value of a variable or an argument, before the command that uses it is confirmed */
  /** for the first time. */
  reveal_variable: { args: { server: string; name: string }; result: string };
  /** Disconnects if needed, then connects again. */
  restart: { args: { server: string }; result: void };
  /** Requests log messages of this level and above from a server, and remembers the level; `None` */
  /** restores the default. */
  set_log_level: { args: { server: string; level: LogLevel | null }; result: void };
  /** Opens the app of a run whose resource was read; its page can be loaded once. */
  open_app: { args: { operation: number; reading: number }; result: OpenedApp };
  /** Forgets an app that is no longer shown. */
  close_app: { args: { app: string }; result: void };
  /** Records a message between Sonde and an app. */
  record_app: { args: { app: string; entry: AppEntry; text: string }; result: void };
  /** Opens the address of a sign-in in the browser, after the user has seen all of it. */
  open_sign_in: { args: { server: string; attempt: number }; result: void };
  /** Deletes the token, and revokes it if the authorization server offers that. */
  sign_out: { args: { server: string }; result: void };
  /** Lists stored secrets and sign-ins, without the secrets themselves. */
  stored_secrets: { args: {  }; result: StoredSecrets };
  /** Deletes a stored secret or sign-in. */
  delete_secret: { args: { id: string }; result: void };
  /** Offers the secrets in memory to the keyring again. Returns the number of accepted ones. */
  retry_keyring: { args: {  }; result: number };
  /** Reconnects with a handshake, once or permanently, and runs an operation again. */
  run_with_handshake: { args: { operation: number; keep: boolean }; result: void };
  /** Reads a server's operations of earlier starts of the app, unless that was done. */
  load_history: { args: { server: string }; result: void };
  /** Deletes finished operations from the history; `None` if there were none. */
  delete_operations: { args: { operations: Array<number> }; result: number | null };
  /** Empties a server's log; `None` if it was empty. */
  clear_log: { args: { server: string }; result: number | null };
  /** Lists the issues of a server by rule: at most 100 cases of each and 1,000 in all. */
  issues: { args: { server: string; filter: IssueFilter }; result: IssueList };
  /** Formats the issues of a server, of one rule or one case, as Markdown for a bug report. */
  issue_report: { args: { server: string; rule: string | null; case: string | null }; result: string };
  /** Lists the definitions of a server that differ from their accepted form. */
  definition_changes: { args: { server: string }; result: DefinitionChanges };
  /** Accepts a definition of a server as it is now, or all changed ones; `digest` is that of the */
  /** definitions that the user saw. */
  accept_definitions: { args: { server: string; which: DefinitionSubject | null; digest: string }; result: number };
  /** Tries each step of reaching a server over a separate connection; the results arrive as events. */
  diagnose: { args: { server: string }; result: void };
  /** Ends the running diagnosis of a server. */
  cancel_diagnosis: { args: { server: string }; result: void };
  /** Formats the last diagnosis of a server as one page, without secrets. */
  diagnosis_report: { args: { server: string; format: ReportFormat }; result: string };
  /** Reads the suites of a server's folder, also if they were read before; they arrive as an event. */
  open_checks: { args: { server: string }; result: void };
  /** Asks the user for the folder of a server's suites; false when they cancelled. */
  choose_checks_folder: { args: { server: string }; result: boolean };
  /** Returns to the server's own folder of suites. Files in the other folder stay. */
  use_own_checks_folder: { args: { server: string }; result: void };
  /** Runs checks of a server over separate connections; returns when the run has begun. `on` and */
  /** `revision` replace the servers and the protocol version of the suites. */
  run_checks: { args: { server: string; choice: CheckChoice; destructive: boolean; on: string | null; revision: string | null }; result: void };
  /** Ends the run of a server's checks. */
  stop_checks: { args: { server: string }; result: void };
  /** Creates a check from a finished run, prefilled with expectations that the run met. */
  check_draft: { args: { operation: number }; result: CheckDraft };
  /** Previews the step of a check as it would be written. */
  preview_check: { args: { draft: CheckDraft }; result: string };
  /** Adds a check to a suite of the server's folder, with the result of its run as its baseline. */
  keep_check: { args: { draft: CheckDraft }; result: CheckId };
  /** Adds a saved input of a tool to the server's checks. */
  add_input_to_checks: { args: { input: string }; result: CheckId };
  /** Returns the whole arguments of a check as JSON text, to fill a form with. */
  check_arguments: { args: { server: string; check: CheckId }; result: string };
  /** Includes a check in runs, or excludes it. */
  set_check_on: { args: { server: string; check: CheckId; on: boolean }; result: void };
  /** Moves a check, with the comment above it, to this place among the steps of its file. */
  move_check: { args: { server: string; check: CheckId; index: number }; result: void };
  /** Removes a check from its file. Its stored value stays. */
  remove_check: { args: { server: string; check: CheckId }; result: number };
  /** Compares the value of the last run with the stored one. */
  check_comparison: { args: { server: string; check: CheckId }; result: CheckComparison };
  /** Stores the values of the last run as the ones to compare with. */
  accept_check: { args: { server: string; check: CheckId }; result: number };
  /** Leaves a value out of the comparisons of a check from now on. */
  ignore_in_check: { args: { server: string; check: CheckId; pointer: string }; result: number };
  /** Formats the last results of a server's checks as Markdown, without secrets. */
  checks_report: { args: { server: string }; result: string };
  /** Creates a presentation from a suite in the folder of a server's checks, replacing the one created */
  /** from it before. */
  present_suite: { args: { server: string; file: string }; result: ImportedPresentation };
  /** Compares the lists of two sides. */
  compare_lists: { args: { left: ListSide; right: ListSide }; result: ListComparison };
  /** Mutes a rule for this server, with a reason: its findings no longer count. */
  mute_rule: { args: { server: string; rule: string; reason: string }; result: void };
  /** Unmutes a rule: its findings count again. */
  unmute_rule: { args: { server: string; rule: string }; result: void };
  /** Restores a deletion completely, in its old place. */
  undo_deletion: { args: { deletion: number }; result: void };
  /** Ends the time to undo a deletion and frees its data. */
  forget_deletion: { args: { deletion: number }; result: void };
  /** Returns the unsent arguments typed for a target of a method (a tool, for example), as JSON text. */
  load_draft: { args: { server: string; method: string; target: string }; result: string | null };
  /** Stores the unsent arguments of a target of a method; `None` deletes them. `private` keeps them in */
  /** memory only. */
  save_draft: { args: { server: string; method: string; target: string; text: string | null; private: boolean }; result: void };
  /** Adds a saved input (if it has no `id`) after the others of its target, or replaces the name and the */
  /** arguments of one. Returns its id. */
  save_input: { args: { input: SavedInput }; result: string };
  /** Moves a saved input to this place among those of its target. */
  move_input: { args: { input: string; index: number }; result: void };
  /** Deletes a saved input. */
  delete_input: { args: { input: string }; result: number };
  /** Adds a presentation (if it has no `id`) at the end, or replaces it whole. Returns its id. */
  save_presentation: { args: { presentation: Presentation }; result: string };
  /** Deletes a presentation; its saved inputs stay. */
  delete_presentation: { args: { presentation: string }; result: number };
  /** Replaces the settings. */
  update_settings: { args: { settings: Settings }; result: void };
  /** Closes a notice. */
  dismiss_notice: { args: { id: number }; result: void };
  /** Turns full screen on or off; `None` toggles it. Returns the previous state. */
  set_full_screen: { args: { on: boolean | null }; result: boolean };
  /** Opens an http or https address in the browser, after the user has seen all of it. */
  open_external: { args: { url: string }; result: void };
  /** Asks the user for a folder; returns its path, or `None` if the user cancelled. */
  choose_folder: { args: {  }; result: string | null };
  /** Asks the user for an existing file; returns its path, or `None` if the user cancelled. */
  choose_file: { args: {  }; result: string | null };
  /** Starts a sign-in; restarts one that is running. */
  sign_in: { args: { server: string }; result: void };
  /** Disconnects in good order, or stops connecting. */
  disconnect: { args: { server: string }; result: void };
  /** Reads a catalog again. */
  refresh_catalog: { args: { server: string; kind: CatalogKind }; result: void };
  /** Stops the reading of a catalog. Items that were read stay. */
  stop_catalog: { args: { server: string; kind: CatalogKind }; result: void };
  /** Reads a catalog that the user opens, unless it was read since the session opened. */
  open_catalog: { args: { server: string; kind: CatalogKind }; result: void };
  /** Returns the newest reading of a resource that the server still allows caching, if there is one. */
  fresh_reading: { args: { server: string; uri: string }; result: number | null };
  /** Subscribes to a resource, in this session and later ones. */
  subscribe_resource: { args: { server: string; uri: string }; result: void };
  /** Ends the subscription to a resource. */
  unsubscribe_resource: { args: { server: string; uri: string }; result: void };
  /** Returns the picture of an icon at a URL, fetched once from the server's own origin. */
  icon_picture: { args: { server: string; src: string; mimeType: string | null }; result: IconPicture };
  /** Measures a round trip; the session's view has the result. */
  ping: { args: { server: string }; result: void };
  /** Returns the last 512 round trips of a method, or of one tool; oldest first. */
  round_trips: { args: { server: string; method: string; tool: string | null }; result: Array<RoundTrip> };
  /** Makes the announced attempt for a broken stream now. */
  reconnect_stream: { args: { server: string; stream: number }; result: void };
  /** Makes no more attempts for a broken stream. */
  give_up_stream: { args: { server: string; stream: number }; result: void };
  /** Reopens a session that the server has forgotten. Running operations are lost. */
  reopen_session: { args: { server: string }; result: void };
  /** Trusts the authorization server of a sign-in with the credentials in the settings. */
  confirm_issuer: { args: { server: string; attempt: number }; result: void };
  /** Continues a sign-in with the address to which the browser returned, if Sonde could not receive it. */
  paste_redirect: { args: { server: string; attempt: number; address: string }; result: void };
  /** Registers Sonde again and continues with a new address, because the page did not know the client. */
  register_again: { args: { server: string; attempt: number }; result: void };
  /** Cancels a sign-in. Requests that wait for it are rejected. */
  cancel_sign_in: { args: { server: string }; result: void };
  /** Gets a new token now. */
  refresh_token: { args: { server: string }; result: void };
  /** Treats the token as expired, so that the next request refreshes it first. */
  expire_token: { args: { server: string }; result: void };
  /** Sends the next request with a wrong token; false cancels that. */
  send_wrong_token: { args: { server: string; wrong: boolean }; result: void };
  /** Returns the request of a step and its response. */
  auth_exchange: { args: { server: string; step: number }; result: AuthExchange };
  /** Checks arguments against the input schema. */
  validate_arguments: { args: { server: string; key: string; arguments: string }; result: ArgumentCheck };
  /** Starts an operation; everything else about it arrives as events. */
  start_operation: { args: { server: string; operation: OperationInput }; result: number };
  /** Asks a server for values of an argument that is being typed; `None` if a newer request replaced this */
  /** one. */
  complete: { args: { server: string; reference: CompletionReference; argument: CompletionArgument; resolved: Array<CompletionArgument> }; result: Completion | null };
  /** Cancels the running completion. */
  cancel_completion: { args: { server: string }; result: void };
  /** Reads the list of a server's tasks; `TaskListView` has the result. */
  list_tasks: { args: { server: string }; result: void };
  /** Returns the operations of a server that match a search, newest first. */
  search_operations: { args: { server: string; search: string }; result: Array<number> };
  /** Returns lines of standard error, by index. */
  stderr_lines: { args: { server: string; from: number; count: number }; result: Array<string> };
  /** Disturbs the connection on purpose. */
  inject_fault: { args: { server: string; fault: Fault }; result: void };
  /** Returns progress rates of a run, oldest first; at most 120. Empty for a run of an earlier start. */
  progress_rates: { args: { operation: number }; result: Array<ProgressRate> };
  /** Asks the server to stop an operation. */
  cancel_operation: { args: { operation: number }; result: void };
  /** Requests the status of an operation's task now. */
  ask_task: { args: { operation: number }; result: void };
  /** Waits again for the task of a run that ended without a result. */
  resume_task: { args: { operation: number }; result: void };
  /** Ends the run without cancelling its task. */
  stop_waiting: { args: { operation: number }; result: void };
  /** Waits at least this much longer for an operation. */
  extend_operation: { args: { operation: number; seconds: number }; result: void };
  /** Replaces the name, the note and the pin of an operation. */
  label_operation: { args: { operation: number; label: OperationLabel }; result: void };
  /** Returns log messages of an operation, by index. */
  operation_messages: { args: { operation: number; from: number; count: number }; result: Array<LoggedMessage> };
  /** Answers a request of the server. */
  answer_server_request: { args: { request: number; answer: AnswerInput }; result: void };
  /** Returns the whole view of an operation. Events cut long ones. */
  operation: { args: { operation: number }; result: OperationView };
  /** Acknowledges all batches up to this number. */
  acknowledge: { args: { number: number }; result: void };
  /** Confirms, after the event `closing`, that the page has sent its unsaved text. */
  ready_to_close: { args: {  }; result: void };
  /** Stores the state of the page, in the page's own format, as long as the app runs. */
  keep_view: { args: { view: string }; result: void };
  /** Returns the stored state of the page, for a page that is loaded again. */
  kept_view: { args: {  }; result: string | null };
  /** Disconnects and removes a server, its operations, log and secrets. */
  remove_server: { args: { server: string }; result: number };
  /** Saves a client's text of `export_server` in a file that the user chooses; returns its path, or */
  /** `None` if the user cancelled. */
  save_export: { args: { server: string; client: string }; result: string | null };
  /** Saves a presentation with its saved inputs and servers, without secrets, in a file that the user */
  /** chooses. */
  export_presentation: { args: { presentation: string }; result: ExportedPresentation };
  /** Returns rows of a catalog that match a search, by index; none for another revision than the current */
  /** one. */
  catalog_rows: { args: { server: string; kind: CatalogKind; revision: number; search: string; from: number; count: number }; result: Rows<CatalogRow> };
  /** Returns the index of an item among those that match a search. */
  catalog_index: { args: { server: string; kind: CatalogKind; search: string; key: string }; result: number | null };
  /** Returns known hosts, first those whose demands on tools are known. */
  known_hosts: { args: {  }; result: Array<HostView> };
  /** Returns the summary of the hosts in which a server's tools work, and of the cost of its lists. */
  host_summary: { args: { server: string }; result: HostSummary };
  /** Returns rows of the tools of a server with their verdicts in hosts, by index; none for another */
  /** revision than the current one. */
  host_rows: { args: { server: string; revision: number; filter: HostFilter; from: number; count: number }; result: Rows<HostRow> };
  /** Returns the verdict about a tool in a host, with its reasons. */
  host_cell: { args: { server: string; key: string; host: string }; result: HostCell };
  /** Returns findings about a tool other than those of the protocol: hosts that refuse it, cost, clarity, */
  /** trust. */
  tool_lint: { args: { server: string; key: string }; result: Array<FindingView> };
  /** Returns the matching tools and their verdicts in hosts, as a table to paste elsewhere. */
  host_table: { args: { server: string; filter: HostFilter; format: TableText }; result: string };
  /** Returns everything about one prompt. */
  prompt_detail: { args: { server: string; key: string }; result: PromptDetail };
  /** Returns everything about one skill. */
  skill_detail: { args: { server: string; key: string }; result: SkillDetail };
  /** Returns everything about one tool. */
  tool_detail: { args: { server: string; key: string }; result: ToolDetail };
  /** Returns everything about one resource or resource template. */
  resource_detail: { args: { server: string; kind: CatalogKind; key: string }; result: ResourceDetail };
  /** Fills values into a resource template and returns the URI. */
  expand_template: { args: { template: string; values: Array<TemplateInput> }; result: ExpandedTemplate };
  /** Opens a view on a server's log; its state arrives as events. */
  open_log: { args: { server: string; filter: LogFilter }; result: LogViewState };
  /** Changes the filter of a view. */
  filter_log: { args: { view: number; filter: LogFilter }; result: LogViewState };
  /** Shows every entry of the group that an entry belongs to, or one row for them. */
  open_log_group: { args: { view: number; seq: number; open: boolean }; result: LogViewState };
  /** Returns rows of a view, by index. */
  log_rows: { args: { view: number; epoch: number; from: number; count: number }; result: Array<LogRow> };
  /** Returns the index of an entry in a view, or of the nearest one after it. */
  log_index: { args: { view: number; seq: number }; result: number | null };
  /** Closes a view. */
  close_log: { args: { view: number }; result: void };
  /** Returns everything about one entry except its body. */
  log_detail: { args: { server: string; seq: number }; result: LogDetail };
  /** Returns the HTTP request of an entry as a curl command, with placeholders for secrets. */
  log_curl: { args: { server: string; seq: number }; result: string };
  /** Opens a document. `columns` is the width of a row in characters. */
  open_document: { args: { source: DocumentSource; mode: DocumentMode; columns: number }; result: DocumentView };
  /** Changes the mode or the width of a document. */
  show_document: { args: { document: number; mode: DocumentMode; columns: number }; result: DocumentView };
  /** Returns rows of a document, by index. */
  document_rows: { args: { document: number; from: number; count: number }; result: Array<DocumentRow> };
  /** Opens or closes a node of the tree. */
  toggle_node: { args: { document: number; node: number }; result: DocumentView };
  /** Opens or closes all nodes of the tree. */
  expand_document: { args: { document: number; expanded: boolean }; result: DocumentView };
  /** Finds the n-th place that contains the text, ignoring case. */
  search_document: { args: { document: number; text: string; ordinal: number }; result: SearchHit | null };
  /** Opens the way to the value that a JSON Pointer leads to in the tree of a document, and returns its */
  /** row. */
  locate_value: { args: { document: number; pointer: string }; result: number | null };
  /** Returns the whole value of a node of the tree; `None` if it is too long to copy. */
  node_value: { args: { document: number; node: number }; result: string | null };
  /** Returns the path of a node of the tree as in code; `None` if it is too long to copy. */
  node_path: { args: { document: number; node: number }; result: string | null };
  /** Closes a document. */
  close_document: { args: { document: number }; result: void };
  /** Saves a document, or the decoded data of a content block, in a file that the user chooses; returns */
  /** its path, or `None` if the user cancelled. */
  save_document: { args: { source: DocumentSource }; result: string | null };
  /** Saves the wire log of a server in a file that the user chooses; returns its path, or `None` if the */
  /** user cancelled. */
  save_log: { args: { server: string }; result: string | null };
  /** Saves the last diagnosis of a server as one page, without secrets, in a file that the user chooses; */
  /** returns its path, or `None` if the user cancelled. */
  save_diagnosis: { args: { server: string; format: ReportFormat }; result: string | null };
  /** Saves the frames of the last diagnosis of a server in a file that the user chooses; returns its */
  /** path, or `None` if the user cancelled. */
  save_diagnosis_log: { args: { server: string }; result: string | null };
  /** Shows a saved file in the system's file manager. */
  show_saved_file: { args: { path: string }; result: void };
  /** Returns the app's report about itself, for a bug report. */
  app_report: { args: {  }; result: AppReport };
}
