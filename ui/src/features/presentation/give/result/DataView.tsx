import { useLayoutEffect, useMemo, useRef, useState, type CSSProperties, type ReactNode } from "react";

import { Chart, ChartChoice } from "../../../../components/chart/Chart";
import { nameOf } from "../../../../components/chart/LineChart";
import { seriesOf, type Series } from "../../../../components/chart/series";
import { type TableOrDocumentProps } from "../../../../components/content/TableOrDocument";
import { Segmented } from "../../../../components/Segmented";
import { ResultTable } from "../../../../components/table/ResultTable";
import { Sideways } from "../../../../components/table/Sideways";
import { useHiddenColumns } from "../../../../components/table/useHiddenColumns";
import { useTable } from "../../../../components/table/useTable";
import { inWords } from "../../../../lib/inWords";
import { scrollable } from "../../../../lib/scrollable";
import { nodeIn } from "../../../../schema/parse";
import { objectNode, type JsonNode } from "../../../../schema/node";
import { useLoading } from "../loading";
import { useRoom, useScale } from "../useScale";
import styles from "./result.module.css";
import { Values } from "./Values";

export type DataViewProps = Pick<TableOrDocumentProps, "source" | "text" | "bytes">;

/** Row height at the usual type size, in px. */
const ROW = 24;
/** Least row height, in px, so that a finger can hit its buttons. */
const LEAST_ROW = 36;

/** Shows ordered numbers as a chart, rows as a table, and other values with a label each. */
export function DataView({ source, text, bytes }: DataViewProps): ReactNode {
  const table = useTable(source, text, bytes);
  const scale = useScale();
  const room = useRoom();
  const node = useMemo(() => (text === null ? null : (nodeIn(text) ?? null)), [text]);
  const series = useMemo(() => node && seriesOf(node), [node]);
  const [shown, setShown] = useState(0);
  useLoading(table === "reading");
  const [chosen, setShape] = useState<"chart" | "table" | null>(null);
  if (table === "reading") return <p role="status">Reading…</p>;
  const charted = series?.ordered === true;
  const shape = chosen ?? (charted ? "chart" : "table");
  const rowHeight = Math.max(LEAST_ROW, Math.round(ROW * scale));
  return (
    <div className="stack gapS3 shrink">
      {charted && (
        <div className="row gapS2 shrink">
          <Segmented
            tall
            label="Show as"
            value={shape}
            onChange={setShape}
            items={{ chart: "Chart", table: "Table" }}
          />
          {shape === "chart" && (
            <ChartChoice series={series} shown={shown} onChange={setShown} width={room.width / scale} />
          )}
        </div>
      )}
      {charted && shape === "chart" ? (
        <>
          <Chart series={series} shown={shown} scale={scale} room={room} />
          <Beside series={series} />
        </>
      ) : table ? (
        <Fitted rowHeight={rowHeight}>
          {(height) => <ResultTable engine={table} rowHeight={rowHeight} height={height} plain />}
        </Fitted>
      ) : series ? (
        <Fitted rowHeight={rowHeight}>{() => <SeriesTable series={series} />}</Fitted>
      ) : node ? (
        <Quoted node={node} />
      ) : (
        <p>The answer is too long to be shown here. It is kept with the other runs.</p>
      )}
    </div>
  );
}

/** Minimum number of visible rows, regardless of the content above the table. */
const LEAST_ROWS = 6;
/** Largest share of the room for a table with much content above it. */
const MOST_SHARE = 0.66;

interface FittedProps {
  readonly rowHeight: number;
  /** Draws the table within a height in px. */
  readonly children: (height: number) => ReactNode;
}

/** A table limited to the room below the content above it, so that only the table has to be scrolled. */
function Fitted({ rowHeight, children }: FittedProps): ReactNode {
  const [height, setHeight] = useState(LEAST_ROWS * rowHeight);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const here = place.current;
    const stage = here?.closest("main");
    const column = stage?.firstElementChild;
    if (!here || !stage || !column) return undefined;
    const measure = (): void => {
      const scroller = here.querySelector("[role=table], [role=group]");
      // Not visible yet.
      if (!scroller || scroller.clientHeight === 0) return;
      const above = scroller.getBoundingClientRect().top - stage.getBoundingClientRect().top + stage.scrollTop;
      const below = here.getBoundingClientRect().bottom - scroller.getBoundingClientRect().bottom;
      const left = stage.clientHeight - above - below - parseFloat(getComputedStyle(column).paddingBottom);
      const least = Math.min(LEAST_ROWS * rowHeight, stage.clientHeight * MOST_SHARE);
      setHeight(Math.floor(Math.max(least, left)));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(stage);
    // The content above the table may grow.
    observer.observe(column);
    observer.observe(here);
    measure();
    return () => observer.disconnect();
  }, [rowHeight]);
  return (
    <div ref={place} className="stack gapS3 shrink" style={{ "--document-height": `${height}px` } as CSSProperties}>
      {children(height)}
    </div>
  );
}

function Quoted({ node }: { readonly node: JsonNode }): ReactNode {
  return (
    <div data-quoted>
      <Values node={node} />
    </div>
  );
}

/** Values beside the columns of a series, such as a unit. A table of rows shows them itself. */
function Beside({ series: { beside } }: { readonly series: Series }): ReactNode {
  if (beside.length === 0) return null;
  return <Quoted node={objectNode(beside.map(({ key, value }) => [key, value]))} />;
}

/** Table of a chart whose data are not rows. */
function SeriesTable({ series }: { readonly series: Series }): ReactNode {
  const scroller = useRef<HTMLDivElement>(null);
  const hidden = useHiddenColumns(scroller, `${series.columns.length + series.others.length}`);
  return (
    <>
      <Sideways scroller={scroller} hidden={hidden} />
      <div ref={scroller} className={styles.scroller} {...scrollable("Table")}>
        <table className={styles.table} data-quoted>
          <thead>
            <tr>
              <th scope="col">{series.of === null ? "No." : inWords(series.of)}</th>
              {series.columns.map(({ name }) => (
                <th key={name} scope="col" className={styles.number}>
                  {nameOf(name) === "" ? "Value" : nameOf(name)}
                </th>
              ))}
              {series.others.map(({ name }) => (
                <th key={name} scope="col">
                  {nameOf(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {series.labels.map((label, at) => (
              <tr key={`${at} ${label}`}>
                <th scope="row">{label}</th>
                {series.columns.map(({ name, texts }) => (
                  <td key={name} className={styles.number}>
                    {texts[at] || "–"}
                  </td>
                ))}
                {series.others.map(({ name, texts }) => (
                  <td key={name}>{texts[at] || "–"}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Beside series={series} />
    </>
  );
}
