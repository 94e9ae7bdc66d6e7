import { Download, Trash2 } from "lucide-react";
import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from "react";

import { Button } from "../../components/Button";
import { ErrorCallout } from "../../components/Callout";
import { Empty } from "../../components/Empty";
import { Checkbox } from "../../components/Field";
import { ListWithDetails } from "../../components/ListWithDetails";
import { Menu } from "../../components/Menu";
import { onListKey, rowOf } from "../../components/rows/rowInput";
import { rowAt, type PageSnapshot } from "../../components/rows/rowPages";
import { isDrawn } from "../../components/rows/useRowWindow";
import type { LogFilter, LogRow, ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { commitThen } from "../../lib/focus";
import { bytes, count, number } from "../../lib/format";
import { whileWanted } from "../../lib/whileWanted";
import { wireActions } from "../../state/actions/wire";
import { useActions, useIsReady, useReadState, useServerUi, useSlice } from "../../state/hooks";
import { sliceOf } from "../../state/slices/slice";
import { UNLIMITED, wireSlice, type WireUi } from "../../state/slices/wire";
import { FOLLOWING } from "./follow";
import { AutoScroll, LogRows } from "./LogRows";
import { useLogList } from "./useLogList";
import styles from "./wire.module.css";
import { WireDetail } from "./WireDetail";
import { WireFilterBar } from "./WireFilterBar";
import { WireRow } from "./WireRow";
import { NO_FILTER, PARTNER_KEY, shownBy, spanOf } from "./wireWords";

const ROW_HEIGHT = 24;
/** Height of the column titles in px, as in the style sheet. */
const HEAD_HEIGHT = 26;

type Selection = WireUi["selection"];

/** Log of everything sent between Sonde and a server. */
export function WirePane({ server }: { readonly server: ServerId }): ReactNode {
  const actions = useActions();
  const wireLog = actions.get(wireActions);
  const ready = useIsReady(server);
  const maximized = useServerUi(server, (ui) => ui.maximized === "wire_entry");
  const id = useId();
  const [ui, set] = useSlice(server, wireSlice);
  const { filter: kept, text, selection, relative, target, operation, issuesOnly, rule } = ui;
  const own = kept ?? NO_FILTER;
  /** Counts selections, so that the late response of an earlier one changes nothing. */
  const selections = useRef(0);
  const setSelection = (next: Selection): void => {
    selections.current += 1;
    set({ selection: next });
  };
  const readState = useReadState();
  const lastSelection = (): Selection => sliceOf(readState().view.perServer[server], wireSlice).selection;
  const shown: LogFilter = { ...own, findings_only: issuesOnly, rule };
  const filter: LogFilter = { ...shown, text, operation };
  // A row selected before the view was left is being read.
  const [following] = useState(selection === null ? FOLLOWING : { on: false, mark: selection.seen });
  const logList = useLogList(server, filter, { rowHeight: ROW_HEIGHT, inset: HEAD_HEIGHT, following });
  const { session, wire, log, pages, list, seen, filterNow } = logList;
  const { rows } = list;

  const { window, view } = list;

  // ---- selection --------------------------------------------------------------------------------
  const epoch = log?.epoch ?? 0;
  const selectedSeq = selection?.seq ?? null;
  const placed = useRef(epoch);
  const place = useEffectEvent((seq: number, index: number) => {
    const last = lastSelection();
    if (last?.seq !== seq) return;
    // After a change of the filter, the selected row is elsewhere, and stays visible.
    const isRefiltered = placed.current !== epoch && !logList.follows;
    placed.current = epoch;
    commitThen(
      () => last.index !== index && set({ selection: { ...last, index } }),
      () => isRefiltered && window.scrollToRow(index, "center"),
    );
  });
  useEffect(() => {
    if (selectedSeq === null) return undefined;
    return whileWanted(session.indexOf(selectedSeq), (index) => index !== null && place(selectedSeq, index));
  }, [session, epoch, selectedSeq]);

  // The details take room; the selected row stays visible.
  const selectedIndex = selection?.index ?? null;
  const keepInSight = useEffectEvent(() => {
    if (selectedIndex !== null && selectedIndex >= 0) window.scrollToRow(selectedIndex);
  });
  useEffect(() => keepInSight(), [window, view.fit]);

  const select = (row: LogRow, index: number): void => {
    setSelection({ seq: row.seq, index, shown: shownBy(row), seen });
    logList.setFollows(false);
    window.scrollToRow(index, "nearest");
  };

  const show = async (seq: number): Promise<void> => {
    const isSearching = (): boolean => wire.view !== null && readState().live.logs[wire.view]?.searching === true;
    let place = await session.locate(seq);
    // The filter may hide the entry. The limit to one run is lifted last.
    for (const run of new Set([operation, null])) {
      if (place || isSearching()) break;
      const open = { ...NO_FILTER, grouped: own.grouped };
      set({ filter: open, text: "", ...UNLIMITED, operation: run });
      filterNow({ ...open, operation: run });
      place = await session.locate(seq);
    }
    // Shown once the search has ended.
    if (!place && isSearching()) return set({ target: seq });
    if (!place) {
      // Another entry stands for it.
      await session.openGroup(seq, true);
      place = await session.locate(seq);
    }
    const at = place?.index ?? -1;
    // The list gets its new number of rows only when they are rendered.
    commitThen(
      () => {
        setSelection({ seq: place?.row.seq ?? seq, index: at, shown: seq, seen });
        if (place) logList.setFollows(false);
      },
      () => place && window.scrollToRow(at, "center"),
    );
  };

  const isSearched = wire.view !== null && log?.searching === false;
  useEffect(() => {
    if (target === null || !isSearched) return;
    set({ target: null });
    void actions.attempt(show(target), server);
    // `show` is new with every rendering; a target is handled once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [target, isSearched]);

  const moveTo = async (index: number, key: string): Promise<void> => {
    const before = ++selections.current;
    const row = rowAt(pages, index) ?? (await session.rowAt(index));
    if (!row || selections.current !== before) return;
    select(row, index);
    if (key === "End") logList.setFollows(true);
  };

  const selected = selectedIndex === null ? undefined : rowAt(pages, selectedIndex);
  const onKeyDown = (event: KeyboardEvent): void =>
    onListKey(event, {
      at: selection?.index ?? view.firstVisible - 1,
      rows,
      fit: view.fit,
      onMove: (index, key) => void actions.attempt(moveTo(index, key), server),
      onKey: (key) => {
        if (key !== "Escape" || !selection) return selected !== undefined && act(key, selected);
        setSelection(null);
        return true;
      },
    });

  /** Handles keys and clicks on parts of a row that do more than move the selection; returns true if handled. */
  const act = (how: string, row: LogRow): boolean => {
    if ((how === PARTNER_KEY || how === "partner") && row.partner !== null) {
      void actions.attempt(show(row.partner), server);
      return true;
    }
    const { group } = row;
    const open = how === "ArrowRight" || (how === "group" && group?.open === false);
    if (!group || (!open && how !== "ArrowLeft" && how !== "group") || group.open === open) return false;
    logList.setFollows(false);
    void actions.attempt(openGroup(row.seq, open), server);
    return true;
  };

  const openGroup = async (seq: number, open: boolean): Promise<void> => {
    await session.openGroup(seq, open);
    const place = await session.locate(seq);
    const last = lastSelection();
    if (place && last?.seq === seq) setSelection({ ...last, shown: shownBy(place.row) });
  };

  const onClick = (event: MouseEvent<HTMLDivElement>): void => {
    const index = rowOf(event);
    const row = index === null ? undefined : rowAt(pages, index);
    if (!row || index === null) return;
    const part = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-act]") : null;
    if (part?.dataset.act !== undefined && act(part.dataset.act, row)) {
      // Keys work in the list, as the row may be replaced.
      list.scroller.current?.focus();
      return;
    }
    select(row, index);
  };

  const close = (): void => {
    if (maximized) actions.maximize(server, null);
    setSelection(null);
  };

  const changeFilter = (next: LogFilter): void => {
    set({ filter: next, issuesOnly: next.findings_only, rule: next.findings_only ? next.rule : null });
  };

  const span = spanOfRows(pages, view.from, Math.min(view.to, rows));

  const empty =
    log?.total === 0 ? (
      <Empty title="The wire log is empty">
        {ready
          ? "Messages appear here as they are sent and received."
          : "Connect to see messages as they are sent and received."}
      </Empty>
    ) : (
      <Empty
        title={log?.searching === true ? "Searching…" : "No matching entries"}
        actions={
          <Button
            small
            onClick={() => {
              set({ filter: { ...NO_FILTER, grouped: own.grouped }, text: "", ...UNLIMITED });
            }}
          >
            Show all entries
          </Button>
        }
      >
        {count(log?.total ?? 0, "entry is", "entries are")} in the wire log.
      </Empty>
    );

  return (
    <ListWithDetails
      label="Wire log"
      className="sized"
      name="wire_entry"
      detail="log entry"
      beside={{ from: 1240, standard: 46, least: 340, leastRest: 320 }}
      below={{ standard: 58, least: 160, leastRest: 100 }}
      isOpen={selection !== null}
      maximized={maximized}
      head={
        <>
          <WireFilterBar server={server} log={log} filter={shown} onFilter={changeFilter} />
          {wire.error && <ErrorCallout error={wire.error} role="status" />}
        </>
      }
      listClass={cx(styles.table, relative && styles.sinceStart)}
      list={
        <LogRows
          log={logList}
          empty={empty}
          role="grid"
          aria-label="Wire log entries, oldest first"
          aria-rowcount={rows + 1}
          aria-activedescendant={isDrawn(list, selectedIndex) ? `${id}-${selectedIndex}` : undefined}
          onKeyDown={onKeyDown}
          onClick={onClick}
          rowsRole="rowgroup"
          head={
            <div className={styles.head} role="row" aria-rowindex={1}>
              {HEADS.map((head) => (
                <span key={head.name} role="columnheader" className={styles[head.style]}>
                  {head.visible ? head.name : <span className="visuallyHidden">{head.name}</span>}
                </span>
              ))}
            </div>
          }
          row={(index) => {
            const row = rowAt(pages, index);
            const before = index > 0 ? rowAt(pages, index - 1) : undefined;
            return (
              <WireRow
                server={server}
                index={index}
                id={`${id}-${index}`}
                row={row}
                selected={row !== undefined && row.seq === selectedSeq}
                begins={row !== undefined && before !== undefined && before.began !== row.began}
                relative={relative}
                named={issuesOnly}
                from={span.from}
                to={span.to}
              />
            );
          }}
        />
      }
      details={
        selection && (
          <WireDetail
            key={selection.shown}
            server={server}
            seq={selection.shown}
            row={selected}
            onClose={close}
            onShow={(seq) => void actions.attempt(show(seq), server)}
          />
        )
      }
      footClass={styles.foot}
      foot={
        <>
          <AutoScroll log={logList} />
          <Checkbox label="Time since start" checked={relative} onChange={(on) => set({ relative: on })} />
          <span data-tip="HTTP exchanges and repeated notifications as one row each. A filter always shows every entry.">
            <Checkbox label="Group" checked={own.grouped} onChange={(grouped) => changeFilter({ ...shown, grouped })} />
          </span>
          {log && (
            <span className="ellipsis unbroken muted">
              {count(log.total, "entry", "entries")} · {bytes(log.bytes)} in memory
              {log.dropped > 0 && (
                <strong className="warn"> · {count(log.dropped, "oldest entry", "oldest entries")} dropped</strong>
              )}
              <span className={styles.limitText}>
                {" "}
                · limit {number(log.max_rows)} entries or {bytes(log.max_bytes)}, {bytes(log.max_bytes_of_all)} for all
                servers
              </span>
            </span>
          )}
          <span className="pushRight">
            <Menu
              small
              label="More actions for the wire log"
              items={[
                {
                  label: "Save to a file",
                  icon: Download,
                  disabled: !log || log.total === 0,
                  onSelect: () => void wireLog.saveLog(server),
                },
                {
                  label: "Clear the wire log",
                  icon: Trash2,
                  danger: true,
                  disabled: !log || log.total === 0,
                  onSelect: () => {
                    setSelection(null);
                    logList.setFollows(true);
                    void wireLog.clearLog(server);
                  },
                },
              ]}
            />
          </span>
        </>
      }
    />
  );
}

/** Returns the time range of these rows. */
function spanOfRows(pages: PageSnapshot<LogRow>, first: number, end: number): { from: number; to: number } {
  let [from, to] = [Infinity, -Infinity];
  for (let index = first; index < end; index++) {
    const row = rowAt(pages, index);
    // An entry that is no longer stored has no time.
    if (!row || row.at === 0) continue;
    const span = spanOf(row);
    from = Math.min(from, span.from);
    to = Math.max(to, span.to);
  }
  return from > to ? { from: 0, to: 0 } : { from, to };
}

const HEADS = [
  { name: "Direction", style: "arrow", visible: false },
  { name: "Time", style: "time", visible: true },
  { name: "Kind", style: "kind", visible: true },
  { name: "Method", style: "method", visible: true },
  { name: "ID", style: "rpcId", visible: true },
  { name: "Size", style: "size", visible: true },
  { name: "Duration", style: "latency", visible: true },
  { name: "Summary", style: "preview", visible: true },
  { name: "Timeline", style: "timeline", visible: true },
  { name: "Issues", style: "findings", visible: false },
] as const;
