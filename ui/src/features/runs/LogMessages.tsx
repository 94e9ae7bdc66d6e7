import { ChevronDown, ChevronRight, CircleQuestionMark } from "lucide-react";
import { useId, useState, type KeyboardEvent, type ReactNode } from "react";

import { CopyButton } from "../../components/CopyButton";
import { onListKey, rowOf } from "../../components/rows/rowInput";
import { usePagedRows } from "../../components/rows/usePagedRows";
import { useRowWindow } from "../../components/rows/useRowWindow";
import { VirtualRows } from "../../components/rows/VirtualRows";
import type { OperationView } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { clockTime, count } from "../../lib/format";
import { useBackend } from "../../state/hooks";
import styles from "./runs.module.css";

const ROW_HEIGHT = 22;
const MOST_HEIGHT = 176;

export interface LogMessagesProps {
  readonly operation: OperationView;
  /** Reserves the line even without a message. */
  readonly reserve?: boolean;
}

/** Log messages of the server for an operation: the newest line, and all of them on request. */
export function LogMessages({ operation, reserve = false }: LogMessagesProps): ReactNode {
  const [open, setOpen] = useState(false);
  const listId = useId();
  if (operation.messages === 0) {
    return reserve ? <div className={styles.messageLine} /> : null;
  }
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <div>
      <button
        type="button"
        className={cx(styles.messageLine, "hovers")}
        aria-expanded={open}
        aria-controls={open ? listId : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon size={13} aria-hidden className="rigid muted" />
        <span className="rigid muted">{count(operation.messages, "message", "messages")}</span>
        {operation.last_message && (
          <>
            <Level level={operation.last_message.level} />
            <span className={styles.message}>{operation.last_message.text}</span>
            {operation.last_message.ambiguous && (
              <span className={styles.ambiguous} data-tip={SHARED}>
                {SHARED}
              </span>
            )}
          </>
        )}
      </button>
      {open && <MessageList id={listId} operation={operation} />}
    </div>
  );
}

function MessageList({ id, operation: view }: { readonly id: string; readonly operation: OperationView }): ReactNode {
  const { operation, messages, last_message } = view;
  const backend = useBackend();
  const { row: rowAt, onRange } = usePagedRows(messages, (from, amount) =>
    backend.call("operation_messages", { operation, from, count: amount }),
  );
  const [following, setFollowing] = useState(true);
  const [chosen, setChosen] = useState<number | null>(null);
  const list = useRowWindow(messages, {
    rowHeight: ROW_HEIGHT,
    follow: following,
    onUserScroll: setFollowing,
    onRange,
  });

  const onKeyDown = (event: KeyboardEvent): void =>
    onListKey(event, {
      at: chosen ?? (event.key === "ArrowUp" ? messages : -1),
      rows: messages,
      fit: list.view.fit,
      onMove: (row) => {
        setFollowing(row === messages - 1);
        setChosen(row);
        list.window.scrollToRow(row);
      },
    });

  const message = chosen === null ? undefined : rowAt(chosen);
  return (
    <div id={id} className="box clipped">
      <VirtualRows
        list={list}
        style={{ height: Math.min(messages * list.rowHeight + 2, MOST_HEIGHT) }}
        role="group"
        aria-label={count(messages, "message from the server", "messages from the server")}
        onClick={(event) => {
          const index = rowOf(event);
          if (index !== null) setChosen(index);
        }}
        onKeyDown={onKeyDown}
        row={(index) => {
          const row = rowAt(index);
          return (
            <div
              data-row={index}
              className={cx(
                "row gap8 small unbroken strict rowHeight pad0x8 hovers",
                index === chosen && styles.chosen,
              )}
            >
              {row ? (
                <>
                  <span className={styles.messageTime}>{clockTime(row.at).slice(0, 8)}</span>
                  <Level level={row.level} />
                  <span className={styles.message}>{row.text}</span>
                  {row.ambiguous && (
                    <CircleQuestionMark size={12} role="img" aria-label={SHARED} className={styles.ambiguous} />
                  )}
                </>
              ) : (
                <span className={styles.faint}>…</span>
              )}
            </div>
          );
        }}
      />
      {message && (
        <div className={styles.messageWhole}>
          <pre>
            <span className={styles.faint}>{`${clockTime(message.at)} ${message.logger ?? ""}`.trim()} </span>
            {message.text}
          </pre>
          <CopyButton compact label="Copy message" text={message.text} />
        </div>
      )}
      {(message ?? last_message)?.ambiguous === true && (
        <p className="note lineAbove pad4x8">
          While several runs are in progress, the protocol does not say which of them a message belongs to. Each of them
          shows it.
        </p>
      )}
    </div>
  );
}

/** Note on a message that arrived while several runs were in progress. */
const SHARED = "this or another run";

const LOUD = new Set(["error", "critical", "alert", "emergency"]);

function Level({ level }: { readonly level: string }): ReactNode {
  return (
    <span className={cx(styles.level, LOUD.has(level) ? "bad" : level === "warning" ? "warn" : "muted")}>{level}</span>
  );
}
