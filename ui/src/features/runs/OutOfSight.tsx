import { useEffect, useState, type ReactNode, type RefObject } from "react";

import { Button } from "../../components/Button";
import type { OperationNumber, ServerId } from "../../ipc/bindings";
import { itemName } from "../../lib/itemName";
import { listen } from "../../lib/listen";
import { useOperation, useServerRequestsOf } from "../../state/hooks";
import { operationName } from "../../state/operationName";
import { CancelRun } from "./CancelRun";
import { RunningClock } from "./RunningBody";
import styles from "./runs.module.css";
import { isStoppable, stateWord } from "./runWords";

/** Limit of rows; the user can scroll to the other runs. */
const MOST_ROWS = 3;
/** Row height, in px. */
const ROW = 33;
/** Part of a head that must be above the lower edge to be in view, in px. */
const HEAD = 46;

export interface OutOfSightProps {
  readonly server: ServerId;
  /** List of the run cards. */
  readonly list: RefObject<HTMLElement | null>;
  /** Runs in progress. */
  readonly runs: readonly OperationNumber[];
  /** Run that the user started while the pointer was on another part of the list. */
  readonly awaited: OperationNumber | null;
  readonly onShow: (operation: OperationNumber) => void;
}

/**
 * Runs in progress whose heads are scrolled out of sight, above the list: each can be stopped and shown from anywhere.
 * Rows never appear, move or slide under the pointer.
 */
export function OutOfSight({ server, list, runs, awaited, onShow }: OutOfSightProps): ReactNode {
  const hidden = useHidden(list, runs);
  const wanted = [...runs.filter((run) => hidden.has(run)), ...(awaited === null ? [] : [awaited])];
  const rows = [...new Set(wanted.toReversed())].slice(0, MOST_ROWS);
  /** Rows at the moment when the pointer entered. */
  const [pointed, setPointed] = useState<readonly OperationNumber[] | null>(null);
  const free = useFreeRows(list);
  const shown = pointed ?? rows.slice(0, free);
  if (shown.length === 0) return null;
  return (
    <div className={styles.outOfSight}>
      <div
        className="sized onInfo raised"
        role="group"
        aria-label="Runs out of sight"
        onPointerEnter={() => setPointed(shown)}
        onPointerLeave={() => setPointed(null)}
      >
        {shown.map((operation) => (
          <Row
            key={operation}
            server={server}
            operation={operation}
            onShow={() => {
              setPointed(null);
              onShow(operation);
            }}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  readonly server: ServerId;
  readonly operation: OperationNumber;
  readonly onShow: () => void;
}

function Row({ server, operation: number, onShow }: RowProps): ReactNode {
  const operation = useOperation(number);
  const asked = useServerRequestsOf(server, number).length > 0;
  if (!operation) return null;
  const title = itemName({ title: operation.title, name: operationName(operation) });
  return (
    <div className={styles.outOfSightRow}>
      <span className={styles.tool} data-tip={operation.label.name ?? title}>
        {operation.label.name ?? title}
      </span>
      <span className={styles.faint}>{stateWord(operation, asked)}</span>
      {operation.state !== "finished" && (
        <span className={styles.when}>
          <RunningClock since={operation.started_at} />
        </span>
      )}
      {isStoppable(operation.state) && <CancelRun operation={number} title={title} />}
      <Button small aria-label={`Show run ${title}`} onClick={onShow}>
        Show
      </Button>
    </div>
  );
}

/**
 * Returns the runs whose headers are not visible. At the upper edge a header counts as visible unless the rows, with
 * its own, would cover all of it: a run is never shown twice, one over the other.
 */
function useHidden(
  list: RefObject<HTMLElement | null>,
  runs: readonly OperationNumber[],
): ReadonlySet<OperationNumber> {
  const [hidden, setHidden] = useState<ReadonlySet<OperationNumber>>(new Set());
  useEffect(() => {
    const scroller = list.current?.parentElement;
    if (!scroller || runs.length === 0) return undefined;
    const observers = runs.flatMap((run) => {
      const head = scroller.querySelector(`[data-operation="${run}"] [data-card-head]`);
      if (!head) return [];
      const others = runs.filter((other) => other !== run && hidden.has(other)).length;
      const covered = ROW * Math.min(MOST_ROWS, others + 1);
      const observer = new IntersectionObserver(
        (entries) => {
          const isHidden = entries.at(-1)?.isIntersecting === false;
          setHidden((before) => {
            if (before.has(run) === isHidden) return before;
            const now = new Set(before);
            if (isHidden) now.add(run);
            else now.delete(run);
            return now;
          });
        },
        { root: scroller, rootMargin: `-${covered}px 0px -${HEAD}px 0px` },
      );
      observer.observe(head);
      return [observer];
    });
    return () => {
      for (const observer of observers) observer.disconnect();
    };
  }, [list, runs, hidden]);
  return hidden;
}

/** Returns the number of rows with room above the pointer. */
function useFreeRows(list: RefObject<HTMLElement | null>): number {
  const [free, setFree] = useState(MOST_ROWS);
  useEffect(() => {
    const scroller = list.current?.parentElement;
    if (!scroller) return undefined;
    const onMove = ({ clientY }: PointerEvent): void =>
      setFree(Math.min(MOST_ROWS, Math.floor((clientY - scroller.getBoundingClientRect().top) / ROW)));
    return listen(scroller, { pointermove: onMove, pointerleave: () => setFree(MOST_ROWS) }, { passive: true });
  }, [list]);
  return free;
}
