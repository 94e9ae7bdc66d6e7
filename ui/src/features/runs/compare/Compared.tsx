import { ArrowDown, ArrowUp } from "lucide-react";
import { useState, type ReactNode } from "react";

import { IconButton } from "../../../components/Button";
import { Callout } from "../../../components/Callout";
import { CopyButton } from "../../../components/CopyButton";
import { Empty } from "../../../components/Empty";
import { Marked } from "../../../components/Marked";
import { usePagedRows } from "../../../components/rows/usePagedRows";
import { VirtualList } from "../../../components/rows/VirtualList";
import { Segmented } from "../../../components/Segmented";
import { Spinner } from "../../../components/Spinner";
import { cx } from "../../../lib/cx";
import { count } from "../../../lib/format";
import type { WorkerCalls } from "../../../lib/workerCalls";
import type { LineRow } from "../../../schema/difference/lineDifference";
import { useAppState, useBackend, useHandler } from "../../../state/hooks";
import { ChangeList } from "./ChangeList";
import type { ComparisonHead } from "./comparison";
import type { CompareFunctions } from "./compareWorker";
import { runLabel } from "./runName";
import { RunFacts, type RunFactsProps } from "./RunFacts";
import { sidesOfRuns, useComparison, type ReadSides } from "./useComparison";
import styles from "./compare.module.css";

/** Facts of two finished runs, and the differences of their arguments and results. */
export function Compared({ left, right }: RunFactsProps): ReactNode {
  const backend = useBackend();
  const servers = useAppState((state) => state.live.servers);
  return (
    <>
      <RunFacts left={left} right={right} />
      <Differences
        read={sidesOfRuns(backend, left, right)}
        names={[runLabel(left, servers[left.server]), runLabel(right, servers[right.server])]}
      />
    </>
  );
}

interface DifferencesProps {
  readonly read: ReadSides;
  /** Names of both sides in a copied difference. */
  readonly names: readonly [string, string];
  /** Leaves a place of the result, a JSON Pointer, out of later comparisons; `null` while that is not possible. */
  readonly onIgnore?: ((pointer: string) => void) | null | undefined;
}

/** Differences of two results. Its key must identify the compared content. */
export function Differences({ read, names, onIgnore }: DifferencesProps): ReactNode {
  const comparing = useComparison(read);
  if (comparing.state === "working") {
    return (
      <div className={styles.fault}>
        <Spinner label="Comparing…" />
      </div>
    );
  }
  if (comparing.state === "failed") {
    return (
      <div className={styles.fault}>
        <Callout level="warning" title="The results could not be compared.">
          {comparing.reason}
        </Callout>
      </div>
    );
  }
  return <Found head={comparing.head} calls={comparing.calls} names={names} onIgnore={onIgnore} />;
}

interface FoundProps extends Pick<DifferencesProps, "names" | "onIgnore"> {
  readonly head: ComparisonHead;
  readonly calls: WorkerCalls<CompareFunctions>;
}

type Shape = "structure" | "lines";

function Found({ head, calls, names, onIgnore }: FoundProps): ReactNode {
  const [shape, setShape] = useState<Shape>("structure");
  // Differences are numbered separately in each view.
  const [current, setCurrent] = useState<Readonly<Record<Shape, number>>>({ structure: 0, lines: 0 });
  const at = current[shape];
  const total = shape === "structure" ? head.changes.rows : head.lines.places.length;
  const goTo = (difference: number): void => setCurrent({ ...current, [shape]: difference });
  const step = (by: 1 | -1): void => goTo(Math.min(Math.max(0, at + by), Math.max(0, total - 1)));
  useHandler("next_difference", () => step(1));
  useHandler("previous_difference", () => step(-1));
  const cut = shape === "structure" ? head.changes.cut : head.lines.cut;
  return (
    <>
      <div className={styles.tools}>
        <Segmented
          label="What is compared"
          value={shape}
          onChange={setShape}
          items={{ structure: "Structure", lines: "Text" }}
        />
        <span className={styles.summary} role="status">
          {shape === "structure" ? changeWords(head) : lineWords(head)}
        </span>
        <IconButton
          small
          label="Previous difference (Shift+F7)"
          icon={ArrowUp}
          disabled={at <= 0}
          onClick={() => step(-1)}
        />
        <IconButton
          small
          label="Next difference (F7)"
          icon={ArrowDown}
          disabled={at >= total - 1}
          onClick={() => step(1)}
        />
        <CopyButton compact label="Copy the difference" text={() => calls.call("text", [shape, names])} />
      </div>
      {cut && (
        <p className={styles.remark}>
          The runs are too different for the shortest comparison: it is correct, but longer than necessary.
        </p>
      )}
      {head.repeated && shape === "structure" && (
        <p className={styles.remark}>Both results repeat their structured content as text; it is compared once.</p>
      )}
      <div className="fit">
        {shape === "structure" ? (
          <ChangeList
            calls={calls}
            rows={head.changes.rows}
            results={head.results}
            selected={at}
            onSelect={goTo}
            onIgnore={onIgnore}
          />
        ) : (
          <LineList calls={calls} lines={head.lines} results={head.results} current={at} onCurrent={goTo} />
        )}
      </div>
    </>
  );
}

function changeWords({ changes: { rows, kinds } }: ComparisonHead): string {
  if (rows === 0) return "No differences";
  const words = (["changed", "added", "removed", "moved"] as const).filter((kind) => kinds[kind] > 0);
  return words.map((kind) => `${kinds[kind]} ${kind}`).join(", ");
}

function lineWords({ lines }: ComparisonHead): string {
  if (lines.places.length === 0) return "No differences";
  return `${count(lines.removed, "line", "lines")} removed, ${lines.added} added`;
}

interface LineListProps {
  readonly calls: WorkerCalls<CompareFunctions>;
  readonly lines: ComparisonHead["lines"];
  /** Both sides have a result. */
  readonly results: boolean;
  /** Index of the current difference. */
  readonly current: number;
  readonly onCurrent: (difference: number) => void;
}

/** Lines of both texts around their differences. */
function LineList({ calls, lines, results, current, onCurrent }: LineListProps): ReactNode {
  const { row, onRange } = usePagedRows<LineRow>(lines.rows, (from, rows) => calls.call("lines", [from, rows]));
  if (lines.rows === 0) {
    return (
      <Empty title="No differences">{results ? "The text of the results is the same." : "No result to compare."}</Empty>
    );
  }
  const place = lines.places[current] ?? 0;
  return (
    <VirtualList
      label="Lines"
      count={lines.rows}
      rowHeight={20}
      selected={place}
      onSelect={(index) => {
        const after = lines.places.findLastIndex((each) => each <= index);
        onCurrent(Math.max(0, after));
      }}
      onRange={onRange}
      scrollTo={{ index: place, token: place }}
      render={(index) => <Row row={row(index)} />}
    />
  );
}

const SIGNS = { same: " ", removed: "−", added: "+" } as const;
const SIGN_WORDS = { same: "", removed: "removed: ", added: "added: " } as const;

function Row({ row }: { readonly row: LineRow | undefined }): ReactNode {
  if (!row) return null;
  if (row.kind === "gap") return <div className={styles.gap}>{count(row.lines, "equal line", "equal lines")}</div>;
  return (
    <div className={cx(styles.line, row.kind !== "same" && styles[row.kind])}>
      <span className={styles.lineNumber}>{row.left}</span>
      <span className={styles.lineNumber}>{row.right}</span>
      <span aria-hidden>{SIGNS[row.kind]} </span>
      <span className="visuallyHidden">{SIGN_WORDS[row.kind]}</span>
      <span>
        <Marked text={row.text} lines />
      </span>
    </div>
  );
}
