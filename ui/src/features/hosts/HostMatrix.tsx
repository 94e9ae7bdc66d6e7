import { Info } from "lucide-react";
import {
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from "react";

import { Marked } from "../../components/Marked";
import { onListKey } from "../../components/rows/rowInput";
import { rowAt } from "../../components/rows/rowPages";
import { isDrawn, useRowWindow } from "../../components/rows/useRowWindow";
import { VirtualRows } from "../../components/rows/VirtualRows";
import type { HostRow, HostSummary, HostTotals, HostView, ServerId, Verdict } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { count, number } from "../../lib/format";
import { useActions, useSlice } from "../../state/hooks";
import styles from "./hosts.module.css";
import type { HostSession, HostsState } from "./hostSession";
import { hostsSlice } from "./hostsUi";
import { ORDER, VERDICTS } from "./hostWords";

const ROW = 28;
/** Height of the header row in px, with the names of the hosts and their totals. */
const HEAD = 64;

export interface HostMatrixProps {
  readonly server: ServerId;
  readonly session: HostSession;
  readonly table: HostsState;
  readonly hosts: readonly HostView[];
  readonly summary: HostSummary;
}

/**
 * Table of tools by hosts. The first column is the tool, the second its cost, then one per host. One cell is current,
 * by pointer and by arrow keys; the heads are above the first row.
 */
export function HostMatrix({ server, session, table, hosts, summary }: HostMatrixProps): ReactNode {
  const id = useId();
  const actions = useActions();
  const [{ shown }, setUi] = useSlice(server, hostsSlice);
  const pages = useSyncExternalStore(session.pages.subscribe, session.pages.snapshot);
  const list = useRowWindow(table.total, { rowHeight: ROW, inset: HEAD, onRange: session.pages.show });
  const columns = table.filter.hosts.flatMap((host) => hosts.filter((one) => one.id === host));
  // Position of the current cell: row -1 is the header, column 0 the tool, 1 the cost.
  const [at, setAt] = useState<{ readonly row: number; readonly column: number }>({ row: -1, column: 0 });
  /** Counter of moves: a row that loads late is ignored if the user has moved on. */
  const moves = useRef(0);
  const row = Math.min(at.row, table.total - 1);
  const column = Math.min(at.column, columns.length + 1);

  const { window, view, scroller } = list;
  useEffect(() => {
    const cell = document.getElementById(`${id}-${row}-${column}`);
    const box = scroller.current;
    if (!cell || !box || column === 0) return;
    // The first column covers columns scrolled behind it.
    const first = box.querySelector<HTMLElement>("[role=columnheader]")?.offsetWidth ?? 0;
    const from = cell.offsetLeft - first;
    const to = cell.offsetLeft + cell.offsetWidth - box.clientWidth;
    if (from < box.scrollLeft) box.scrollTo({ left: from });
    else if (to > box.scrollLeft) box.scrollTo({ left: to });
  }, [id, row, column, scroller]);

  const show = (next: { readonly row: number; readonly column: number }): void => {
    setAt(next);
    if (next.row >= 0) window.scrollToRow(next.row);
    const host = columns[next.column - 2]?.id ?? null;
    const tell = (tool: string | null): void => setUi({ shown: { host, tool } });
    const move = ++moves.current;
    const tool = next.row < 0 ? null : rowAt(session.pages.snapshot(), next.row)?.key;
    if (tool !== undefined) return tell(tool);
    void actions.attempt(session.rowAt(next.row), server).then((found) => {
      if (move === moves.current) tell(found?.key ?? null);
    });
  };
  const onKeyDown = (event: KeyboardEvent): void =>
    onListKey(event, {
      at: row,
      rows: table.total,
      fit: view.fit,
      // The header is above the first row.
      onMove: (to, key) => show({ row: key === "ArrowUp" && row <= 0 ? -1 : to, column }),
      onKey: (key) => {
        const step = { ArrowLeft: -1, ArrowRight: 1, Enter: 0, " ": 0, ArrowUp: 0 }[key];
        if (step === undefined) return false;
        show({ row, column: Math.max(0, Math.min(columns.length + 1, column + step)) });
        return true;
      },
    });
  const onClick = (event: MouseEvent): void => {
    const cell = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-cell]") : null;
    const place = cell?.dataset["cell"]?.split(" ").map(Number);
    if (place?.length === 2) show({ row: place[0] ?? 0, column: place[1] ?? 0 });
  };
  const cell = (cellRow: number, cellColumn: number, selected: boolean) => ({
    id: `${id}-${cellRow}-${cellColumn}`,
    "data-cell": `${cellRow} ${cellColumn}`,
    "aria-colindex": cellColumn + 1,
    "aria-selected": selected,
    "data-current": cellRow === row && cellColumn === column ? "" : undefined,
  });
  const total = summary.lists.find((one) => one.kind === "tools");
  const failing = useMemo(
    () => new Set(summary.totals.filter((one) => one.refuses_all).map((one) => one.host)),
    [summary.totals],
  );

  return (
    <VirtualRows
      list={list}
      wide
      className={styles.scroller}
      style={
        {
          "--columns": `minmax(190px, 1fr) 92px repeat(${columns.length}, 102px)`,
          "--head-height": `${HEAD}px`,
        } as CSSProperties
      }
      role="grid"
      aria-label="Tools by hosts"
      aria-rowcount={table.total + 1}
      aria-colcount={columns.length + 2}
      aria-activedescendant={row < 0 || isDrawn(list, row) ? `${id}-${row}-${column}` : undefined}
      onKeyDown={onKeyDown}
      onClick={onClick}
      rowsRole="rowgroup"
      head={
        <div className={styles.head} role="row" aria-rowindex={1}>
          <span role="columnheader" className={cx(styles.headCell, styles.first)} {...cell(-1, 0, false)}>
            Tool
          </span>
          <span role="columnheader" className={cx(styles.headCell, "rightText digits")} {...cell(-1, 1, false)}>
            <span>Tokens, est.</span>
            {total && <span className="muted regular">{number(total.tokens)}</span>}
          </span>
          {columns.map((host, index) => (
            <span
              key={host.id}
              role="columnheader"
              className={styles.headCell}
              {...cell(-1, index + 2, shown?.tool === null && shown.host === host.id)}
            >
              <span className="ellipsis" data-tip={host.name}>
                {host.name}
              </span>
              <Sums totals={summary.totals.find((one) => one.host === host.id)} />
            </span>
          ))}
        </div>
      }
      row={(index) => {
        const item = rowAt(pages, index);
        return (
          <Row
            item={item}
            index={index}
            hosts={columns}
            failing={failing}
            cell={(place) =>
              cell(
                index,
                place,
                item !== undefined && shown?.tool === item.key && (columns[place - 2]?.id ?? null) === shown.host,
              )
            }
          />
        );
      }}
    >
      {table.shown > 0 && table.total === 0 && (
        <p className="padS3 muted">
          {table.filter.problems ? "No known problems in the selected hosts." : "No tool matches."}
        </p>
      )}
    </VirtualRows>
  );
}

/** Number of tools by verdict; `All fail` if the host refuses all. */
function Sums({ totals }: { readonly totals: HostTotals | undefined }): ReactNode {
  if (!totals) return null;
  const all = totals.refuses_all;
  return (
    <span className={styles.sums}>
      {all && (
        <span className="inlineRow gapS1 unbroken" data-verdict="fails">
          All fail
        </span>
      )}
      {/* Most tools may work by themselves, but the host accepts none. */}
      {ORDER.filter((verdict) => totals[verdict] > 0 && !all).map((verdict) => {
        const { word, icon: Icon } = VERDICTS[verdict];
        return (
          <span key={verdict} className="inlineRow gapS1 unbroken" data-verdict={verdict} data-tip={word}>
            <Icon size={12} role="img" aria-label={word} />
            {number(totals[verdict])}
          </span>
        );
      })}
    </span>
  );
}

interface RowProps {
  readonly item: HostRow | undefined;
  readonly index: number;
  readonly hosts: readonly HostView[];
  /** Ids of the hosts that accept none of the tools. */
  readonly failing: ReadonlySet<string>;
  readonly cell: (column: number) => Record<string, unknown>;
}

function Row({ item, index, hosts, failing, cell }: RowProps): ReactNode {
  return (
    <div className={styles.row} role="row" aria-rowindex={index + 2} style={{ height: "var(--row-height)" }}>
      <span role="rowheader" className={cx(styles.cell, styles.first)} data-tip={item?.name} {...cell(0)} data-quoted>
        {item && (item.name === "" ? <span className="note">(no name)</span> : <Marked text={item.name} />)}
        {item && item.findings > 0 && (
          <span className={styles.found} data-tip={count(item.findings, "finding", "findings")}>
            <Info size={12} role="img" aria-label="Findings:" />
            {number(item.findings)}
          </span>
        )}
      </span>
      <span role="gridcell" className={cx(styles.cell, "rightText digits")} {...cell(1)}>
        {item && number(item.tokens)}
      </span>
      {hosts.map((host, place) => (
        <span key={host.id} role="gridcell" className={styles.cell} {...cell(place + 2)}>
          {item && <Cell verdict={item.verdicts[place] ?? "not_known"} withAll={failing.has(host.id)} />}
        </span>
      ))}
    </div>
  );
}

/** Verdict on a tool in a host. In a host that accepts none of the tools, a valid tool fails with the others. */
function Cell({ verdict, withAll }: { readonly verdict: Verdict; readonly withAll: boolean }): ReactNode {
  if (!withAll || verdict === "fails") return <VerdictWord verdict={verdict} />;
  const { icon: Icon } = VERDICTS.fails;
  return (
    <span
      className="inlineRow gapS1 unbroken"
      data-verdict="fails"
      data-tip={`The host refuses the whole list. This tool alone: ${VERDICTS[verdict].word}`}
    >
      <Icon size={13} aria-hidden />
      Fails too
    </span>
  );
}

/** Shows a verdict as an icon and a word. */
export function VerdictWord({ verdict }: { readonly verdict: Verdict }): ReactNode {
  const { word, icon: Icon } = VERDICTS[verdict];
  return (
    <span className="inlineRow gapS1 unbroken" data-verdict={verdict}>
      <Icon size={13} aria-hidden />
      {word}
    </span>
  );
}
