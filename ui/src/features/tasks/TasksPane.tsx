import { Ban, CircleCheck, CircleDashed, CircleX, ListTodo, MessageCircleQuestionMark, RefreshCw } from "lucide-react";
import { useEffect, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Empty } from "../../components/Empty";
import { VirtualList } from "../../components/rows/VirtualList";
import { expiryWords, STATUS_WORDS, stepText } from "../../components/taskWords";
import type { ServerId, TaskStatus } from "../../ipc/bindings";
import { clockTime, count, day } from "../../lib/format";
import { useCoarseNow, useNow } from "../../lib/useNow";
import { visibleText } from "../../lib/visible";
import { operationActions } from "../../state/actions/operations";
import { useActions, useIsReady, useAppState, useParts } from "../../state/hooks";
import { operationName } from "../../state/operationName";
import { taskRunsOf } from "../../state/tasks";
import { taskRows, type TaskRow, type TaskAction } from "./rows";
import styles from "./tasks.module.css";

/** Row height in px: two lines, their buttons and a margin. */
const ROW = 52;

const ICONS: Readonly<Record<TaskStatus, typeof Ban>> = {
  working: CircleDashed,
  input_required: MessageCircleQuestionMark,
  completed: CircleCheck,
  failed: CircleX,
  cancelled: Ban,
  unknown: CircleDashed,
};

/**
 * All tasks of a server: tasks of runs, and tasks in the server's list. The list is read when the pane is first opened.
 */
export function TasksPane({ server }: { readonly server: ServerId }): ReactNode {
  const actions = useActions();
  const ready = useIsReady(server);
  const list = useAppState(({ live }) => live.taskLists[server]);
  const runs = useParts(({ live }) => taskRunsOf(live, server));
  const rows = taskRows(list, runs);
  const ticking = useNow(
    500,
    rows.some(({ step }) => step?.type === "wait"),
  );
  const error = list?.error ?? null;
  const partial = list?.partial ?? null;
  const supported = list?.supported === true;
  const unread = ready && supported && list.read_at === null && !list.loading && list.error === null;
  useEffect(() => {
    if (unread) void actions.command("list_tasks", { server });
  }, [actions, server, unread]);
  return (
    <div className={styles.pane}>
      <header className="wrap gapS2 spread minHeight28">
        <p className="note">
          {error !== null && rows.length === 0 ? "Number of tasks unknown" : count(rows.length, "task", "tasks")}
          {supported
            ? list.read_at === null
              ? list.loading && " · reading the list of the server"
              : ` · list of the server read at ${clockTime(list.read_at).slice(0, 8)}`
            : ` · from your runs: ${ready ? "this server does not list its tasks" : "connect to see whether the server lists its tasks"}`}
        </p>
        {supported && (
          <Button
            small
            kind="quiet"
            icon={RefreshCw}
            disabled={!ready}
            aria-disabled={list.loading}
            onClick={() => void actions.command("list_tasks", { server })}
          >
            Refresh
          </Button>
        )}
      </header>
      {error !== null && (
        <Callout level="warning" title={visibleText(error)}>
          The tasks of your runs are still shown.
        </Callout>
      )}
      {partial !== null && <p className="note">There may be more: {visibleText(partial)}.</p>}
      {list !== undefined && list.unreadable > 0 && (
        <p className="note">
          {count(list.unreadable, "entry", "entries")} of the list could not be read. The wire log says why.
        </p>
      )}
      {rows.length === 0 ? (
        <Empty title={error === null ? "No tasks" : "No tasks of your runs"}>
          Run a tool as a task. It stays here until its run is deleted.
        </Empty>
      ) : (
        <div className="equal flat">
          <VirtualList
            label="Tasks"
            count={rows.length}
            rowHeight={ROW}
            render={(index) => <Row server={server} ready={ready} row={rows[index]} ticking={ticking} />}
          />
        </div>
      )}
    </div>
  );
}

interface RowProps {
  readonly server: ServerId;
  readonly ready: boolean;
  readonly row: TaskRow | undefined;
  /** Current time, updated while a next status is expected. */
  readonly ticking: number;
}

function Row({ server, ready, row, ticking }: RowProps): ReactNode {
  const now = Math.max(ticking, useCoarseNow(row?.expires ?? null));
  const actions = useActions();
  const { sendRequest, showOperation } = actions.get(operationActions);
  if (!row) return null;
  const { run, status, action, id } = row;
  const Icon = run === null && status === "unknown" ? ListTodo : ICONS[status];
  const name = run === null ? visibleText(row.message ?? id) : visibleText(run.title ?? operationName(run));
  const facts = [
    STATUS_WORDS[status],
    run === null || row.message === null ? "" : visibleText(row.message),
    createdText(row, now),
    stepText(row.step, now),
    expiryWords(row.expires, now),
  ].filter((text) => text !== "");
  /** Sends a request about a task without a waiting run, as a raw request with its own run. */
  async function ask(method: "tasks/cancel" | "tasks/result"): Promise<void> {
    const params = JSON.stringify({ taskId: id });
    const request = { method, target: null, arguments: null, params };
    const operation = await sendRequest(server, request);
    if (operation === undefined) return;
    if (method === "tasks/result") showOperation(operation);
    else await actions.command("list_tasks", { server });
  }
  async function act(how: TaskAction): Promise<void> {
    if (run === null) return ask(how === "cancel" ? "tasks/cancel" : "tasks/result");
    const { operation } = run;
    await actions.command(how === "cancel" ? "cancel_operation" : "resume_task", { operation });
    if (how === "get_result") showOperation(operation);
  }
  return (
    <div className="row gapS2 tall lineBelow">
      <Icon size={16} className="rigid muted" aria-hidden />
      <span className="stack shrink equal">
        <span className="ellipsis unbroken" data-tip={`Task id: ${visibleText(id)}`}>
          {name}
          {run === null && <span className="note"> · no run</span>}
        </span>
        <span className="note ellipsis unbroken digits" data-tip={facts.join(" · ")}>
          {facts.join(" · ")}
        </span>
      </span>
      {action !== null && (
        <Button
          small
          kind="quiet"
          disabled={!ready}
          aria-label={action === "cancel" ? `Cancel the task ${name}` : `Get result of the task ${name}`}
          onClick={() => void act(action)}
        >
          {action === "cancel" ? "Cancel" : "Get result"}
        </Button>
      )}
      {run !== null && (
        <Button
          small
          kind="quiet"
          aria-label={`Show run of the task ${name}`}
          onClick={() => showOperation(run.operation)}
        >
          Show run
        </Button>
      )}
    </div>
  );
}

/** Creation time of a task; empty if the server sends none that can be parsed. */
function createdText({ createdAt }: TaskRow, now: number): string {
  const at = Date.parse(createdAt ?? "");
  if (Number.isNaN(at)) return "";
  const time = clockTime(at).slice(0, 8);
  return `created ${now - at < 86_400_000 ? time : `${day(at, now)} ${time}`}`;
}
