import { EyeOff } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../../components/Button";
import { ChangeSign } from "../../../components/ChangeSign";
import { Empty } from "../../../components/Empty";
import { Marked } from "../../../components/Marked";
import { usePagedRows } from "../../../components/rows/usePagedRows";
import { VirtualList } from "../../../components/rows/VirtualList";
import { Split } from "../../../components/Split";
import { scrollable } from "../../../lib/scrollable";
import type { WorkerCalls } from "../../../lib/workerCalls";
import type { ChangeRow } from "../../../schema/difference/changes";
import { useFetched } from "../../../state/queries";
import styles from "./compare.module.css";
import type { CompareFunctions } from "./compareWorker";
import { ignorable, ofEveryItem } from "./ignorable";

export interface ChangeListProps {
  readonly calls: WorkerCalls<CompareFunctions>;
  readonly rows: number;
  /** Both sides have a result. */
  readonly results: boolean;
  readonly selected: number;
  readonly onSelect: (index: number) => void;
  /** Leaves a place of the result, a JSON Pointer, out of later comparisons. */
  readonly onIgnore: ((pointer: string) => void) | null | undefined;
}

/** Paths at which the runs differ, and both values of the selected one. */
export function ChangeList({ calls, rows, results, selected, onSelect, onIgnore }: ChangeListProps): ReactNode {
  const { row, onRange } = usePagedRows<ChangeRow>(rows, (from, count) => calls.call("changes", [from, count]));
  if (rows === 0) {
    return (
      <Empty title="No differences">
        {results ? "The arguments and the results are the same." : "The arguments are the same. No result to compare."}
      </Empty>
    );
  }
  return (
    <Split
      name="compare"
      label="values"
      sized="second"
      orientation="vertical"
      unit="%"
      standard={40}
      least={100}
      leastRest={100}
      first={
        <VirtualList
          label="Differences"
          count={rows}
          rowHeight={26}
          selected={selected}
          onSelect={onSelect}
          onRange={onRange}
          scrollTo={{ index: selected, token: selected }}
          render={(index) => <Change change={row(index)} />}
        />
      }
      second={<Values calls={calls} index={selected} change={row(selected)} onIgnore={onIgnore} />}
    />
  );
}

function Change({ change }: { readonly change: ChangeRow | undefined }): ReactNode {
  if (!change) return null;
  const { kind, path, from, left, right } = change;
  const [begin, end] = cutInTwo(path);
  return (
    <div className={styles.change}>
      <span className="row gapS2 padLeft20">
        <ChangeSign kind={kind} />
        <span className={styles.path} data-tip={path}>
          <span className="ellipsis shrinks">
            <Marked text={begin} />
          </span>
          <span className={styles.end}>
            <Marked text={end} />
            {from !== null && (
              <span className="note">
                {" "}
                was <Marked text={ownPart(from, path)} />
              </span>
            )}
          </span>
        </span>
      </span>
      {[left, kind === "moved" ? "" : right].map((value, side) => (
        <span key={side} className={styles.value}>
          <Marked text={value ?? ""} />
        </span>
      ))}
    </div>
  );
}

/** Characters at the end of a path that are always shown, as paths differ most there. */
const PATH_END = 28;

/** Splits a path into its start, which may be cut, and its end, at the start of a step. */
function cutInTwo(path: string): readonly [string, string] {
  const from = Math.max(0, path.length - PATH_END);
  const step = path.slice(from).search(/[.[]/);
  const at = from === 0 ? 0 : step < 0 ? from : from + step;
  return [path.slice(0, at), path.slice(at)];
}

/** Old path of a moved value, without the steps that both paths share. */
function ownPart(from: string, path: string): string {
  let same = 0;
  for (let at = 0; at < from.length && from[at] === path[at]; at++)
    if (from[at + 1] === "[" || from[at + 1] === ".") same = at + 1;
  return from.slice(same);
}

interface ValuesProps {
  readonly calls: ChangeListProps["calls"];
  readonly index: number;
  readonly change: ChangeRow | undefined;
  readonly onIgnore: ChangeListProps["onIgnore"];
}

/** Both values of a difference, each below the facts of its run. */
function Values({ calls, index, change, onIgnore }: ValuesProps): ReactNode {
  const { value } = useFetched("values", `${index}`, () => calls.call("values", [index]));
  return (
    <div className={styles.values}>
      <div className={styles.wholePath}>
        {change && <Marked text={change.path} />}
        {change && onIgnore !== undefined && <Ignore path={change.path} onIgnore={onIgnore} />}
      </div>
      {(["left", "right"] as const).map((side) => {
        const text = value?.[side];
        return (
          <pre key={side} className={styles.whole} {...scrollable(`Value ${side}`)}>
            {text === null ? <span className="note">Not there</span> : <Marked text={text ?? ""} lines />}
          </pre>
        );
      })}
    </div>
  );
}

interface IgnoreProps {
  readonly path: string;
  readonly onIgnore: ((pointer: string) => void) | null;
}

/** Buttons that ignore the place of a difference in later comparisons: this place, or the same place in each item. */
function Ignore({ path, onIgnore }: IgnoreProps): ReactNode {
  const pointer = ignorable(path);
  if (pointer === null) return null;
  const every = ofEveryItem(pointer);
  return (
    <div className="wrap textFont gapS2 padTopS2">
      <Button small icon={EyeOff} title={pointer} disabled={onIgnore === null} onClick={() => onIgnore?.(pointer)}>
        Ignore this path
      </Button>
      {every !== null && (
        <Button small kind="quiet" title={every} disabled={onIgnore === null} onClick={() => onIgnore?.(every)}>
          Ignore in every item
        </Button>
      )}
    </div>
  );
}
