//! Tasks: results that come later.

rules! {
    BAD_TASK_STATUS = "bad-task-status", Error, "The task has the status {status}, which is none of the five.",
        "Tasks: task status lifecycle" => "2025-11-25/basic/utilities/tasks#task-status-lifecycle";
    TASK_NOT_WORKING_FIRST = "task-not-working-first", Error,
        "The task begins with the status `{status}`; it must begin with `working`.",
        "Tasks: task status lifecycle" => "2025-11-25/basic/utilities/tasks#task-status-lifecycle";
    TASK_CHANGED_AFTER_END = "task-changed-after-end", Error,
        "The task was `{before}`, which is final, and is now `{status}`.",
        "Tasks: task status lifecycle" => "2025-11-25/basic/utilities/tasks#task-status-lifecycle";
    MISSING_TASK_MEMBER = "missing-task-member", Error, "The task has no `{member}`.",
        "Schema reference: Task" => "2025-11-25/schema#task";
    BAD_TASK_MEMBER = "bad-task-member", Error, "`{member}` of the task is {value}; it must be {expected}.",
        "Schema reference: Task" => "2025-11-25/schema#task";
    POLL_INTERVAL_BOUNDED = "poll-interval-bounded", Info,
        "The server suggests to ask every {suggested} ms; Sonde asks every {used} ms.";
    WRONG_TASK_ID = "wrong-task-id", Error,
        "The response is about the task {found}; task {asked} was asked for.",
        "Tasks: getting tasks" => "2025-11-25/basic/utilities/tasks#getting-tasks";
    REUSED_TASK_ID = "reused-task-id", Error, "Another task of this connection has the id {id}.",
        "Tasks: task ID requirements" => "2025-11-25/basic/utilities/tasks#task-id-requirements";
    UNKNOWN_TASK = "unknown-task", Warning, "No run of this connection has the task {id}; the notification is ignored.",
        "Tasks: task status notification" => "2025-11-25/basic/utilities/tasks#task-status-notification";
    TASK_NOT_FOUND = "task-not-found", Error,
        "The server does not know the task that it has just created.",
        "Tasks extension: task creation" => "https://modelcontextprotocol.io/seps/2663-tasks-extension";
    MISSING_RELATED_TASK = "missing-related-task", Error,
        "`_meta` does not name the task ({key}).",
        "Tasks: associating task-related messages" => "2025-11-25/basic/utilities/tasks#associating-task-related-messages";
    TASK_NOT_CREATED = "task-not-created", Warning,
        "The request asked for a task, and the server answered without one.",
        "Tasks: creating tasks" => "2025-11-25/basic/utilities/tasks#creating-tasks";
    UNASKED_TASK = "unasked-task", Error,
        "The server answered with a task that it was not asked for.",
        "Tasks: creating tasks" => "2025-11-25/basic/utilities/tasks#creating-tasks";
    MISPLACED_TASK = "misplaced-task", Error,
        "The server answered {method} with a task: {problem}.",
        "Tasks extension: capability negotiation" => "https://modelcontextprotocol.io/seps/2663-tasks-extension";
    TASK_RESULT_TYPE = "task-result-type", Warning,
        "`resultType` is `task`; the response to `tasks/get` is `complete`.",
        "Tasks extension: task polling" => "https://modelcontextprotocol.io/seps/2663-tasks-extension";
    MISSING_TASK_PAYLOAD = "missing-task-payload", Error,
        "The task is `{status}` and has no `{member}`.",
        "Tasks extension: task polling" => "https://modelcontextprotocol.io/seps/2663-tasks-extension";
    FAILED_TASK_WITH_RESULT = "failed-task-with-result", Error,
        "The task is `failed` and has a result. A tool that reports an error is `completed`; `failed` is for JSON-RPC errors.",
        "Tasks extension: task execution errors" => "https://modelcontextprotocol.io/seps/2663-tasks-extension";
    REUSED_INPUT_KEY = "reused-input-key", Error,
        "`inputRequests` uses the key {key} for a second request. Each key is used once in a task.",
        "Tasks extension: task update requests" => "https://modelcontextprotocol.io/seps/2663-tasks-extension";
    TOO_MANY_INPUTS = "too-many-inputs", Info,
        "The task has asked for more than {limit} inputs; no more are shown.";
    BAD_TASK_SUPPORT = "bad-task-support", Error,
        "`execution.taskSupport` must be `forbidden`, `optional` or `required`; it is read as `forbidden`.",
        "Tasks: tool-level negotiation" => "2025-11-25/basic/utilities/tasks#tool-level-negotiation";
}
