import { useEffect, useId, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { ErrorCallout } from "../../components/Callout";
import { Empty } from "../../components/Empty";
import { FilterChips } from "../../components/FilterChips";
import { FilterSelect } from "../../components/FilterSelect";
import { Checkbox } from "../../components/Field";
import { FilterBar, ListWithDetails } from "../../components/ListWithDetails";
import { PaneButtons } from "../../components/PaneButtons";
import { onListKey, rowOf } from "../../components/rows/rowInput";
import { rowAt } from "../../components/rows/rowPages";
import { isDrawn } from "../../components/rows/useRowWindow";
import type { LogFilter, LogRow, ServerId, LogLevel } from "../../ipc/bindings";
import { declares } from "../../lib/capabilities";
import { cx } from "../../lib/cx";
import { clockTime, count } from "../../lib/format";
import { escapesOf } from "../../lib/visible";
import { whileWanted } from "../../lib/whileWanted";
import { operationActions } from "../../state/actions/operations";
import { wireActions } from "../../state/actions/wire";
import { useActions, useOperation, useSlice, useServer, useSession, useConnection } from "../../state/hooks";
import { LEVELS, subjectMark } from "../../state/view";
import styles from "./console.module.css";
import { ConsoleDetail } from "./ConsoleDetail";
import { consoleSlice } from "./consoleUi";
import { AutoScroll, LogRows } from "./LogRows";
import { useLogList } from "./useLogList";
import wire from "./wire.module.css";
import { type WireRowProps } from "./WireRow";
import { atLeast, NO_FILTER, producedBy } from "./wireWords";

const ROW_HEIGHT = 22;

/** Sources of console lines. */
const SOURCES = [
  { name: "stderr", kinds: ["stderr", "process"], methods: [] },
  { name: "Non-JSON output", kinds: ["non_message"], methods: [] },
  { name: "Log messages", kinds: [], methods: ["notifications/message"] },
  { name: "Answered by rule", kinds: ["rule"], methods: [] },
] as const;
type Source = (typeof SOURCES)[number];

interface Selection {
  /** Log entry of the selected line; `null` until it is read. */
  readonly entry: number | null;
  /** Index of the line; `null` if the filter hides it. */
  readonly index: number | null;
}

/**
 * Output of a server outside of the protocol, over all its connections: stderr, non-JSON output and log messages; and
 * its requests that a rule answered without showing them.
 */
export function ConsolePane({ server }: { readonly server: ServerId }): ReactNode {
  const actions = useActions();
  const id = useId();
  const [{ text, sources: chosen, least, logger, details }, set] = useSlice(server, consoleSlice);
  const [selection, setSelection] = useState<Selection | null>(null);
  const { entry = null, index: selected = null } = selection ?? {};
  const sources = SOURCES.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
  const filter: LogFilter = {
    ...NO_FILTER,
    text,
    kinds: sources.flatMap(({ kinds }) => [...kinds]),
    methods: sources.flatMap(({ methods }) => [...methods]),
    either: true,
    least_level: least,
    logger,
  };
  const logList = useLogList(server, filter, { rowHeight: ROW_HEIGHT });
  const { session, wire: state, log, pages, list } = logList;
  const { rows } = list;
  const narrowed = text !== "" || chosen.length > 0 || least !== null || logger !== null;

  const { epoch, searching } = log ?? {};
  // Another epoch has other indexes, and a search finds the entry only later.
  useEffect(() => {
    if (entry === null) return undefined;
    return whileWanted(session.locate(entry), (place) =>
      setSelection((now) => (now?.entry === entry ? { entry, index: place?.index ?? null } : now)),
    );
  }, [session, entry, epoch, searching]);

  // A newer selection, or another epoch, drops the pending response.
  useEffect(() => {
    if (selection === null || selection.entry !== null || selection.index === null) return undefined;
    const { index } = selection;
    return whileWanted(
      actions.attempt(session.rowAt(index), server),
      (row) => row && setSelection({ entry: row.seq, index }),
    );
  }, [actions, session, server, selection, epoch]);

  const select = (index: number): void => {
    setSelection({ entry: rowAt(pages, index)?.seq ?? null, index });
    logList.setFollows(false);
    list.window.scrollToRow(index);
  };
  const isSelected = (index: number): boolean => {
    const row = rowAt(pages, index);
    return entry === null || !row ? index === selected : row.seq === entry;
  };
  const open = (seq: number | null): void => {
    if (seq !== null) actions.get(wireActions).showLogEntry(server, seq);
  };
  const onKeyDown = (event: KeyboardEvent): void =>
    onListKey(event, {
      at: selected ?? (event.key === "ArrowUp" ? rows : -1),
      rows,
      fit: list.view.fit,
      onMove: (index) => {
        select(index);
        if (index === rows - 1) logList.setFollows(true);
      },
      onKey: (key) => {
        if (key === "Enter") open(selected === null ? null : entry);
        else if (key === "ArrowRight" || key === "ArrowLeft") set({ details: key === "ArrowRight" });
        else return false;
        return true;
      },
    });
  const onClick = (event: MouseEvent<HTMLDivElement>): void => {
    const index = rowOf(event);
    if (index === null) return;
    select(index);
    // With the keyboard, the run is reached through the details or the line's menu.
    const run = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-run-of]") : null;
    if (run) actions.get(operationActions).showOperation(Number(run.dataset["runOf"]));
  };
  const toggle = (name: Source["name"]): void => {
    const now = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name];
    set({ sources: now.length === SOURCES.length ? [] : now });
  };

  return (
    <ListWithDetails
      label="Console"
      className="sized"
      name="console"
      detail="console line"
      below={{ standard: 45, least: 140, leastRest: 100 }}
      isOpen={details}
      inTurns={false}
      head={
        <>
          <FilterBar
            of="console"
            className={wire.bar}
            value={text}
            onChange={(typed) => set({ text: typed })}
            hits={log?.searching ? "Searching…" : narrowed ? count(rows, "line", "lines") : undefined}
          >
            <FilterSelect
              className={wire.methods}
              label="Level"
              tip="Only log messages have a level"
              value={String(least ?? "")}
              none="All levels"
              items={LEVELS.map((_, at) => [String(at), atLeast(at, log?.levels ?? [])])}
              onChange={(level) => set({ least: level === "" ? null : Number(level) })}
            />
            <FilterSelect
              className={wire.methods}
              label="Logger"
              tip="Loggers of the stored log messages, up to 200"
              value={logger ?? ""}
              none="All loggers"
              items={[...new Set([...(log?.loggers ?? []), ...(logger === null ? [] : [logger])])].map((name) => [
                name,
                escapesOf(name),
              ])}
              onChange={(name) => set({ logger: name || null })}
            />
            <FilterChips
              label="Sources"
              chips={SOURCES.map(({ name }) => ({ name, on: chosen.includes(name), onToggle: () => toggle(name) }))}
            />
            <PaneButtons server={server} pane="console" label="console" />
          </FilterBar>
          {state.error && <ErrorCallout error={state.error} role="status" />}
        </>
      }
      listClass={wire.table}
      list={
        <LogRows
          log={logList}
          role="listbox"
          aria-label="Console lines, oldest first"
          aria-activedescendant={isDrawn(list, selected) ? `${id}-${selected}` : undefined}
          onKeyDown={onKeyDown}
          onClick={onClick}
          onDoubleClick={(event) => open(rowAt(pages, rowOf(event) ?? -1)?.seq ?? null)}
          row={(index) => (
            <Line
              server={server}
              index={index}
              id={`${id}-${index}`}
              count={rows}
              row={rowAt(pages, index)}
              selected={isSelected(index)}
            />
          )}
          empty={
            <Empty
              title={log?.searching === true ? "Searching…" : narrowed ? "No matching lines" : "Nothing was written"}
              actions={
                narrowed && (
                  <Button small onClick={() => set({ text: "", sources: [], least: null, logger: null })}>
                    Show all lines
                  </Button>
                )
              }
            >
              {narrowed
                ? "The filter hides other lines."
                : "The server’s stderr, non-JSON output, log messages and requests answered by rule appear here, across all connections."}
            </Empty>
          }
        />
      }
      details={
        details &&
        (entry === null ? (
          selected === null && <Empty title="No line selected">Select a line to see its details.</Empty>
        ) : (
          <ConsoleDetail key={entry} server={server} seq={entry} onClose={() => set({ details: false })} />
        ))
      }
      footClass={wire.foot}
      foot={
        <>
          <AutoScroll log={logList} />
          <Checkbox label="Details" checked={details} onChange={(on) => set({ details: on })} />
          <ServerLogLevel server={server} />
          <span className="ellipsis unbroken muted">Enter or a double-click shows a line in the wire log.</span>
        </>
      }
    />
  );
}

interface LineProps extends Pick<WireRowProps, "server" | "index" | "id" | "row" | "selected"> {
  readonly count: number;
}

function Line({ server, index, id, count: lines, row, selected }: LineProps): ReactNode {
  const place = { id, "data-row": index, role: "option", "aria-setsize": lines, "aria-posinset": index + 1 };
  if (!row) {
    return (
      <div {...place} aria-selected={selected} className={styles.line}>
        …
      </div>
    );
  }
  const { seq, kind, out, bytes, has_body, operation, partner, method, logger } = row;
  const severity = severityOf(row);
  return (
    <div
      {...place}
      aria-selected={selected}
      className={cx(styles.line, selected && styles.selected)}
      data-severity={severity}
      {...subjectMark({ type: "entry", server, seq, kind, out, bytes, has_body, operation, partner, method })}
    >
      <span className="rigid muted">{clockTime(row.at)}</span>
      <span className={styles.level}>{levelOf(row)}</span>
      {logger !== null && <span className={styles.logger}>{escapesOf(logger)}</span>}
      <span className="ellipsis grow">{escapesOf(row.summary ?? row.preview)}</span>
      <ProducedBy row={row} />
    </div>
  );
}

/** Run of a line, with a link while the run is kept. */
function ProducedBy({ row }: { readonly row: LogRow }): ReactNode {
  const run = useOperation(row.operation);
  const text = producedBy(row);
  if (!run) return <span className="rigid muted">{text}</span>;
  return (
    <span
      className={cx("rigid muted", styles.runLink)}
      data-run-of={run.operation}
      data-tip={`Go to run ${run.operation}`}
    >
      {text}
    </span>
  );
}

function levelOf({ kind, level }: LogRow): string {
  if (level !== null) return LEVELS[level] ?? "log";
  if (kind === "notification") return "log";
  return kind === "non_message" ? "non-JSON" : kind;
}

function severityOf({ kind, level, error }: LogRow): "error" | "warning" | undefined {
  if ((level !== null && level >= LEVELS.indexOf("error")) || (kind === "process" && error)) return "error";
  return kind === "non_message" || level === LEVELS.indexOf("warning") ? "warning" : undefined;
}

/** Choice of the log level requested from the server; shown only if it declares `logging`. */
function ServerLogLevel({ server }: { readonly server: ServerId }): ReactNode {
  const actions = useActions();
  const level = useServer(server)?.log_level ?? null;
  const capabilities = useSession(server)?.identity?.capabilities;
  const stateless = useConnection(server)?.era === "stateless";
  if (capabilities === undefined || declares(capabilities, "logging") === false) return null;
  const choose = (value: string): void => {
    const chosen = LEVELS.find((each) => each === value) ?? null;
    void actions.command("set_log_level", { server, level: chosen satisfies LogLevel | null });
  };
  return (
    <label
      className={wire.serverLevel}
      data-tip={
        stateless
          ? "Sent in _meta with every request from now on"
          : "Sent with logging/setLevel, now and after each connect. Default takes effect with the next connect."
      }
    >
      Server log level
      <FilterSelect
        label="Server log level"
        value={level ?? ""}
        none={stateless ? "Default (debug)" : "Default (server decides)"}
        items={LEVELS.map((name) => [name, name])}
        onChange={choose}
      />
    </label>
  );
}
