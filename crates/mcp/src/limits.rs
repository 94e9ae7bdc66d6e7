//! Limits on what a session accepts from a server.
//!
//! One message is bounded by `sonde_wire::Limits`, findings by `sonde_findings::FINDINGS`, queues between
//! two tasks by `sonde_wire::queue`. These limits bound the sum of many messages, or of many parts of one.
//! A finding or an outcome reports each limit that is hit.

use std::time::Duration;

/// Pages after which a list is taken to be endless.
pub const LIST_PAGES: usize = 1_000;
/// Pages above which a finding says that the list is slow to read.
pub const LIST_PAGES_UNREMARKED: usize = 50;
/// Pages in a row without a new item after which a list is taken to be endless.
pub const LIST_PAGES_WITHOUT_NEWS: usize = 20;
/// Items of one list over all of its pages.
pub const LIST_ITEMS: usize = 50_000;
/// Bytes of the items and cursors of one list over all of its pages.
pub const LIST_BYTES: usize = 32 * 1024 * 1024;
/// Memory for the catalogs of all servers, in bytes. One server gets at most half of what the others leave.
/// A catalog that is read again takes its room twice meanwhile.
pub const CATALOG_BYTES: usize = 256 * 1024 * 1024;
/// Arguments of one prompt.
pub const PROMPT_ARGUMENTS: usize = 1_000;
/// Files of one skill that are parsed. Hosts must accept 512 (Skills, Limits).
pub const SKILL_FILES: usize = 4_096;
/// Bytes of one URI template that is read.
pub const URI_TEMPLATE: usize = 64 * 1024;
/// Bytes of the URI expanded from a template and typed values.
pub const EXPANDED_URI_BYTES: usize = 64 * 1024;
/// Variables of one URI template.
pub const URI_TEMPLATE_VARIABLES: usize = 100;
/// Values of one completion: "maximum 100 items per response" (completion, Completion Results).
pub const COMPLETION_VALUES: usize = 100;
/// Bytes of one completion value.
pub const COMPLETION_VALUE: usize = 4 * 1024;
/// Resources that a session is subscribed to.
pub const RESOURCE_SUBSCRIPTIONS: usize = 1_000;
/// Bytes of the URI of a subscription.
pub const SUBSCRIBED_URI: usize = 4_000;
/// Parameters of one tool that are repeated as HTTP headers.
pub const PARAM_HEADERS: usize = 100;
/// Messages of one batch.
pub const BATCH_MESSAGES: usize = 10_000;
/// Entries of one list of names that a server gives: protocol versions, roles.
pub const NAMES: usize = 100;
/// Characters of one such name.
pub const NAME: usize = 256;
/// Icons of a server or of an item of a list that are read.
pub const ICONS: usize = 20;
/// Requests of a server that are open at once, and entries of one `inputRequests`.
pub const SERVER_REQUESTS: usize = 64;
/// Messages of one `sampling/createMessage`, and content blocks of one message, that are checked.
pub const SAMPLING_MESSAGES: usize = 1_000;
/// Ids of URL elicitations that are remembered, to recognise their completion.
pub const ELICITATIONS: usize = 200;
/// Bytes of the id of a request of the server, which is repeated in the response.
pub const REQUEST_ID: usize = 4 * 1024;
/// Bytes of the id of a server-sent event, which is sent back as `Last-Event-ID`.
pub const EVENT_ID: usize = 4 * 1024;
/// Characters of the `message` of a progress notification. The wire log has all of it.
pub const PROGRESS_MESSAGE: usize = 4_000;
/// Bytes of the id of a task, which is sent with each request about it.
pub const TASK_ID: usize = 4 * 1024;
/// Characters of the `statusMessage` of a task. The wire log has all of it.
pub const TASK_MESSAGE: usize = 1_000;
/// Inputs that one task asks for in all.
pub const TASK_INPUTS: usize = 256;
/// Ended tasks that are remembered, to recognise late messages for them.
pub const ENDED_TASKS: usize = 256;
/// Requests of a server that are kept as tasks, answered or not (2025-11-25).
pub const REQUEST_TASKS: usize = 256;
/// Bytes of all answers that are kept with these tasks.
pub const REQUEST_TASKS_BYTES: usize = 16 * 1024 * 1024;
/// Tasks on one page of their list.
pub const REQUEST_TASKS_PAGE: usize = 50;
/// The shortest time for which such a task is kept, whatever the server wants; also after its answer.
pub const REQUEST_TASK_FLOOR: Duration = Duration::from_secs(5 * 60);
/// Longest lifetime of such a task.
pub const REQUEST_TASK_CAP: Duration = Duration::from_secs(24 * 3600);
/// Lifetime of such a task if the server asks for none.
pub const REQUEST_TASK_TTL: Duration = Duration::from_secs(3600);
/// The wait between two requests for its status that is suggested to the server.
pub const REQUEST_TASK_POLL: Duration = Duration::from_secs(1);
/// Tasks whose status a subscription asks for; all are polled.
pub const WATCHED_TASKS: usize = 100;
/// Tasks of a server's list. The others are left out.
pub const LISTED_TASKS: usize = 1_000;
/// Bytes of all tasks that are kept of a server's list, as the server wrote them.
pub const LISTED_TASKS_BYTES: usize = 512 * 1024;
/// Pages of a server's list of tasks.
pub const TASK_PAGES: usize = 50;
/// The shortest wait between two requests for the status of a task, whatever the server suggests.
pub const TASK_POLL_FLOOR: Duration = Duration::from_millis(500);
/// Longest interval between status requests for a task.
pub const TASK_POLL_CAP: Duration = Duration::from_secs(5 * 60);
/// Interval between status requests if the server suggests none.
pub const TASK_POLL: Duration = Duration::from_secs(2);
/// Requests in a row about a task that may fail before its run ends.
pub const TASK_FAILURES: u32 = 3;
