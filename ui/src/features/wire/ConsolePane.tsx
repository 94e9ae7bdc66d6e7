import { ArrowDown } from "lucide-react";
import { useId, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Checkbox } from "../../components/Checkbox";
import { Empty } from "../../components/Empty";
import { rowByKey, rowOf } from "../../components/rows/rowInput";
import { rowAt } from "../../components/rows/rowPages";
import { isDrawn, useRowWindow } from "../../components/rows/useRowWindow";
import { VirtualRows } from "../../components/rows/VirtualRows";
import { FilterChips } from "../../components/FilterChips";
import { PaneButtons } from "../../components/PaneButtons";
import { SearchField } from "../../components/SearchField";
import { Split } from "../../components/Split";
import type { LogFilter, LogRow, ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { clockTime, count, number } from "../../lib/format";
import { escapesOf } from "../../lib/visible";
import { useActions, useOperation, useServerUi } from "../../state/hooks";
import { focusMark, focusNames, LEVELS, subjectMark, type ConsoleUi } from "../../state/view";
import { follow, FOLLOWING, type FollowEvent } from "./follow";
import { ConsoleDetail } from "./ConsoleDetail";
import { ServerLogLevel } from "./ServerLogLevel";
import { useFindKey } from "./useFindKey";
import { seenBy, useLogSession, useNewRows } from "./useLogSession";
import { atLeast, NO_FILTER, producedBy } from "./words";
import styles from "./console.module.css";
import wire from "./wire.module.css";

const ROW_HEIGHT = 22;

/** Sources of console lines. */
const SOURCES = [
  { name: "stderr", kinds: ["stderr", "process"], methods: [] },
  { name: "Non-JSON output", kinds: ["non_message"], methods: [] },
  { name: "Log messages", kinds: [], methods: ["notifications/message"] },
  { name: "Answered by rule", kinds: ["rule"], methods: [] },
] as const;
type Source = (typeof SOURCES)[number];

/**
 * Output of a server besides the protocol, over all its connections: stderr, non-JSON output and log messages; and its
 * requests that a rule answered without the user seeing them.
 */
export function ConsolePane({ server }: { readonly server: ServerId }): ReactNode {
  return <ServerConsole key={server} server={server} />;
}

function ServerConsole({ server }: { readonly server: ServerId }): ReactNode {
  const actions = useActions();
  const id = useId();
  const search = useRef<HTMLInputElement>(null);
  const { text, sources: chosen, least, logger, details } = useServerUi(server, (ui) => ui.console);
  const set = (change: Partial<ConsoleUi>): void => actions.setPaneState(server, "console", change);
  const [following, setFollowing] = useState(FOLLOWING);
  const [selected, setSelected] = useState<number | null>(null);
  /** Log entry of the selected line. */
  const [entry, setEntry] = useState<number | null>(null);
  useFindKey(search);
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
  const { session, wire: state, log, pages } = useLogSession(server, filter);
  const rows = log?.rows ?? 0;
  const seen = seenBy(log);
  const tell = (event: FollowEvent): void => setFollowing((now) => follow(now, event));
  const list = useRowWindow(rows, {
    rowHeight: ROW_HEIGHT,
    overscan: 8,
    follow: following.on,
    dropped: log?.gone ?? 0,
    onUserScroll: (atEnd) => tell({ type: "scrolled", atEnd, seen }),
    onRange: session.pages.show,
  });
  const fresh = useNewRows(session, log, following);
  const narrowed = text !== "" || chosen.length > 0 || least !== null || logger !== null;

  const select = (index: number): void => {
    setSelected(index);
    const row = rowAt(pages, index);
    if (row) setEntry(row.seq);
    else void actions.attempt(session.rowAt(index), server).then((read) => setEntry(read?.seq ?? null));
    tell({ type: "selected", seen });
    list.window.scrollToRow(index);
  };
  const close = (): void => {
    set({ details: false });
    list.scroller.current?.focus();
  };
  const open = (index: number | null): void => {
    const row = index === null ? undefined : rowAt(pages, index);
    if (row) actions.showLogEntry(server, row.seq);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = rowByKey(event.key, selected ?? (event.key === "ArrowUp" ? rows : -1), rows, list.view.fit);
    if (next !== null) {
      event.preventDefault();
      select(next);
      if (next === rows - 1) tell({ type: "switched", on: true, seen });
    } else if (event.key === "Enter") {
      event.preventDefault();
      open(selected);
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      set({ details: event.key === "ArrowRight" });
    }
  };
  const onClick = (event: MouseEvent<HTMLDivElement>): void => {
    const index = rowOf(event);
    if (index === null) return;
    select(index);
    // By keyboard it is in the details, and in the menu of the line.
    const run = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-run-of]") : null;
    if (run) actions.showOperation(Number(run.dataset["runOf"]));
  };
  const toggle = (name: Source["name"]): void => {
    const now = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name];
    set({ sources: now.length === SOURCES.length ? [] : now });
  };

  return (
    <section className={wire.pane} aria-label="Console">
      <div
        className={wire.bar}
        role="search"
        aria-label="Filter the console"
        {...focusMark(focusNames.pane("filters"))}
      >
        <div className={wire.searchCell}>
          <SearchField
            label="Search the console (Ctrl+F)"
            placeholder="Search the console"
            value={text}
            onChange={(typed) => set({ text: typed })}
            hits={log?.searching ? "Searching…" : narrowed ? count(rows, "line", "lines") : undefined}
            inputRef={search}
            onKeyDown={(event) => {
              if (event.key !== "ArrowDown" && event.key !== "Enter") return;
              event.preventDefault();
              list.scroller.current?.focus();
            }}
          />
        </div>
        <select
          className={wire.methods}
          aria-label="Level"
          data-tip="Only log messages have a level"
          value={least ?? ""}
          onChange={(event) => set({ least: event.target.value === "" ? null : Number(event.target.value) })}
        >
          <option value="">All levels</option>
          {LEVELS.map((level, at) => (
            <option key={level} value={at}>
              {atLeast(at, log?.levels ?? [])}
            </option>
          ))}
        </select>
        <select
          className={wire.methods}
          aria-label="Logger"
          data-tip="The loggers of the log messages that are kept; at most 200 are listed"
          value={logger ?? ""}
          onChange={(event) => set({ logger: event.target.value === "" ? null : event.target.value })}
        >
          <option value="">All loggers</option>
          {[...new Set(logger === null ? log?.loggers : [...(log?.loggers ?? []), logger])].map((name) => (
            <option key={name} value={name}>
              {escapesOf(name)}
            </option>
          ))}
        </select>
        <FilterChips
          label="Sources"
          chips={SOURCES.map(({ name }) => ({ name, on: chosen.includes(name), onToggle: () => toggle(name) }))}
        />
        <PaneButtons server={server} pane="console" label="console" />
      </div>
      {state.error && (
        <Callout level="error" role="status" title={state.error.message}>
          {state.error.detail}
        </Callout>
      )}
      <div className={wire.split}>
        <Split
          name="console_line"
          label="console line"
          sized="second"
          orientation="vertical"
          unit="%"
          standard={45}
          least={140}
          leastRest={100}
          collapsible={false}
          only={details ? null : "first"}
          first={
            <div className={wire.table} {...focusMark(focusNames.pane("entries"))}>
              <VirtualRows
                list={list}
                className={wire.scroller}
                role="listbox"
                aria-label="Console lines, oldest first"
                aria-activedescendant={isDrawn(list, selected) ? `${id}-${selected}` : undefined}
                onKeyDown={onKeyDown}
                onClick={onClick}
                onDoubleClick={(event) => open(rowOf(event))}
                row={(index) => (
                  <Line
                    server={server}
                    index={index}
                    id={`${id}-${index}`}
                    count={rows}
                    row={rowAt(pages, index)}
                    selected={index === selected}
                  />
                )}
              />
              {log && rows === 0 && (
                <div className={wire.emptyOver}>
                  <Empty
                    title={log.searching ? "Searching…" : narrowed ? "No matching lines" : "Nothing was written"}
                    actions={
                      narrowed && (
                        <Button small onClick={() => set({ text: "", sources: [], least: null, logger: null })}>
                          Show all lines
                        </Button>
                      )
                    }
                  >
                    {narrowed
                      ? "Other lines are there."
                      : "stderr, non-JSON output and log messages of the server appear here, and its requests that were answered by rule, over all its connections."}
                  </Empty>
                </div>
              )}
              {fresh > 0 && !list.view.atEnd && (
                <button type="button" className={wire.pill} onClick={() => tell({ type: "switched", on: true, seen })}>
                  <ArrowDown size={12} aria-hidden /> {number(fresh)} new
                </button>
              )}
            </div>
          }
          second={
            details &&
            (entry === null ? (
              <Empty title="No line selected">Select a line to see its details.</Empty>
            ) : (
              <ConsoleDetail key={entry} server={server} seq={entry} onClose={close} />
            ))
          }
        />
      </div>
      <footer className={wire.foot}>
        <Checkbox label="Auto-scroll" checked={following.on} onChange={(on) => tell({ type: "switched", on, seen })} />
        <Checkbox label="Details" checked={details} onChange={(on) => set({ details: on })} />
        <ServerLogLevel server={server} />
        <span className={wire.limits}>Enter or a double-click shows a line in the wire log.</span>
      </footer>
    </section>
  );
}

interface LineProps {
  readonly server: ServerId;
  readonly index: number;
  readonly id: string;
  readonly count: number;
  readonly row: LogRow | undefined;
  readonly selected: boolean;
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
  const { seq, kind, out, bytes, operation, partner, method, logger } = row;
  const severity = severityOf(row);
  return (
    <div
      {...place}
      aria-selected={selected}
      className={cx(styles.line, selected && styles.selected)}
      data-severity={severity}
      {...subjectMark({ type: "entry", server, seq, kind, out, bytes, operation, partner, method })}
    >
      <span className={styles.time}>{clockTime(row.at)}</span>
      <span className={styles.level}>{levelOf(row)}</span>
      {logger !== null && <span className={styles.logger}>{escapesOf(logger)}</span>}
      <span className="ellipsis grow">{escapesOf(row.summary ?? row.preview)}</span>
      <ProducedBy row={row} />
    </div>
  );
}

/** Run that a line came from, with a link while the run is kept. */
function ProducedBy({ row }: { readonly row: LogRow }): ReactNode {
  const run = useOperation(row.operation);
  const text = producedBy(row);
  if (!run) return <span className={styles.run}>{text}</span>;
  return (
    <span
      className={cx(styles.run, styles.runLink)}
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
