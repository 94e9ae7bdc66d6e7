import { usePagedRows } from "../../components/rows/usePagedRows";
import { VirtualList } from "../../components/rows/VirtualList";
import type { ServerId } from "../../ipc/bindings";
import { clockTime } from "../../lib/format";
import { useBackend } from "../../state/hooks";
import styles from "./Lines.module.css";

const ROW = 20;

/** All lines of standard error, fetched as they come into view. */
export function StderrLines({ server, lines }: { server: ServerId; lines: number }) {
  const backend = useBackend();
  const { row, onRange } = usePagedRows(lines, (from, count) => backend.call("stderr_lines", { server, from, count }));
  return (
    <VirtualList
      label="stderr"
      count={lines}
      rowHeight={ROW}
      followEnd
      onRange={onRange}
      render={(index) => <div className={styles.line}>{row(index) ?? "…"}</div>}
    />
  );
}

/** Log messages that belong to no operation, fetched as they come into view. */
export function ServerMessages({ server, messages }: { server: ServerId; messages: number }) {
  const backend = useBackend();
  const { row, onRange } = usePagedRows(messages, (from, count) =>
    backend.call("server_messages", { server, from, count }),
  );
  return (
    <VirtualList
      label="Server log messages"
      count={messages}
      rowHeight={ROW}
      followEnd
      onRange={onRange}
      render={(index) => {
        const message = row(index);
        if (!message) return <div className={styles.line}>…</div>;
        return (
          <div className={styles.line} title={message.text}>
            <span className={styles.time}>{clockTime(message.at)}</span>{" "}
            <span className={styles.level} data-level={message.level}>
              {message.level}
            </span>{" "}
            {message.logger !== null && <span className={styles.time}>{message.logger} </span>}
            {message.text}
          </div>
        );
      }}
    />
  );
}
