import { ChevronDown, ChevronRight } from "lucide-react";
import { useEffect, useId, useRef, useState, useSyncExternalStore, type ReactNode } from "react";

import { CopyButton } from "../../components/CopyButton";
import { RowPages, rowAt } from "../../components/viewer/rowPages";
import { useRowWindow } from "../../components/viewer/useRowWindow";
import type { CallMessage, CallNumber, CallView } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { clockTime, count } from "../../lib/format";
import { useBackend } from "../../state/hooks";
import styles from "./runs.module.css";

const ROW_HEIGHT = 22;
const MOST_HEIGHT = 176;

export interface CallMessagesProps {
  readonly call: CallView;
  /** Keep the line's place even while there is no message. */
  readonly reserve?: boolean;
}

/** What the server logged for a call: the newest line, all of them on request. */
export function CallMessages({ call, reserve = false }: CallMessagesProps): ReactNode {
  const [open, setOpen] = useState(false);
  const listId = useId();
  if (call.messages === 0) {
    return reserve ? <div className={cx(styles.messageLine, styles.faint)}>No messages from the server yet</div> : null;
  }
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <div>
      <button
        type="button"
        className={styles.messageLine}
        aria-expanded={open}
        aria-controls={open ? listId : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon size={13} aria-hidden className={styles.chevron} />
        <span className={styles.messageCount}>{count(call.messages, "message", "messages")}</span>
        {call.last_message && (
          <>
            <Level level={call.last_message.level} />
            <span className={styles.message}>{call.last_message.text}</span>
          </>
        )}
      </button>
      {open && <MessageList id={listId} call={call.call} messages={call.messages} />}
    </div>
  );
}

function MessageList({
  id,
  call,
  messages,
}: {
  readonly id: string;
  readonly call: CallNumber;
  readonly messages: number;
}): ReactNode {
  const backend = useBackend();
  const [pages] = useState(
    () =>
      new RowPages<CallMessage>({
        fetch: (from, amount) => backend.call("call_messages", { call, from, count: amount }),
      }),
  );
  const rows = useSyncExternalStore(pages.subscribe, pages.snapshot);
  const { window, view } = useRowWindow(messages, ROW_HEIGHT, 8);
  const [chosen, setChosen] = useState<number | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const following = useRef(true);

  useEffect(() => (scroller.current ? window.attach(scroller.current) : undefined), [window]);
  useEffect(
    () =>
      window.subscribeUserScroll((atEnd) => {
        following.current = atEnd;
      }),
    [window],
  );
  useEffect(() => {
    pages.resize(messages);
    if (following.current) window.scrollToEnd();
  }, [pages, window, messages]);
  useEffect(() => pages.show(view.from, view.to), [pages, view.from, view.to]);

  const message = chosen === null ? undefined : rowAt(rows, chosen);
  return (
    <div id={id} className={styles.messages}>
      <div
        ref={scroller}
        className={styles.messageScroller}
        style={{ height: Math.min(messages * ROW_HEIGHT + 2, MOST_HEIGHT) }}
        tabIndex={0}
        data-focus="inset"
        role="group"
        aria-label={count(messages, "message of the server", "messages of the server")}
        onClick={(event) => {
          const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-row]") : null;
          if (row) setChosen(Number(row.dataset.row));
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          const next = Math.min(messages - 1, Math.max(0, (chosen ?? (step > 0 ? -1 : messages)) + step));
          following.current = next === messages - 1;
          setChosen(next);
          window.scrollToRow(next);
        }}
      >
        <div className={styles.messageLayer} data-row-layer="" style={{ height: view.height }}>
          <div className={styles.messageRows} style={{ transform: `translateY(${view.top}px)` }}>
            {Array.from({ length: Math.max(0, Math.min(view.to, messages) - view.from) }, (_, i) => {
              const index = view.from + i;
              const row = rowAt(rows, index);
              return (
                <div key={index} data-row={index} className={cx(styles.messageRow, index === chosen && styles.chosen)}>
                  {row ? (
                    <>
                      <span className={styles.messageTime}>{clockTime(row.at)}</span>
                      <Level level={row.level} />
                      {row.logger !== null && <span className={styles.logger}>{row.logger}</span>}
                      <span className={styles.message}>{row.text}</span>
                    </>
                  ) : (
                    <span className={styles.faint}>…</span>
                  )}
                </div>
              );
            })}
          </div>
        </div>
      </div>
      {message && (
        <div className={styles.messageWhole}>
          <pre>{message.text}</pre>
          <CopyButton compact label="Copy message" text={message.text} />
        </div>
      )}
    </div>
  );
}

const LOUD = new Set(["error", "critical", "alert", "emergency"]);

function Level({ level }: { readonly level: string }): ReactNode {
  return (
    <span className={cx(styles.level, LOUD.has(level) && styles.bad, level === "warning" && styles.warn)}>{level}</span>
  );
}
