import type { ReactNode } from "react";

import { inWords } from "../../lib/inWords";
import { Segmented } from "../Segmented";
import { LineChart, nameOf, type LineChartProps } from "./LineChart";

export interface ChartProps extends Pick<LineChartProps, "series" | "scale" | "room"> {
  /** Index of the charted column. */
  readonly shown: number;
}

/** Chart of a series: a line for ordered positions. One column at a time. */
export function Chart({ series, shown, scale, room }: ChartProps): ReactNode {
  const column = series.columns[shown] ?? series.columns[0];
  if (!column) return null;
  const name = nameOf(column.name);
  const title = series.of === null ? name : `${name} by ${inWords(series.of).toLowerCase()}`;
  return (
    <figure className="stack gapS2 shrink" data-quoted>
      <figcaption className="strong">{title === "" ? "Values" : title}</figcaption>
      <LineChart series={series} column={column} scale={scale} room={room} />
    </figure>
  );
}

/** Width of a letter, and of the padding of a choice, in px at the usual text size. */
const LETTER_WIDTH = 8;
const CHOICE_PADDING = 24;
/** Width of another control in the same row, in px. */
const OTHER_WIDTH = 160;

export interface ChartChoiceProps extends Pick<ChartProps, "series" | "shown"> {
  readonly onChange: (shown: number) => void;
  /** Width of the row, in px at the usual text size. */
  readonly width: number;
}

/** Choice of the charted column, in one row; a menu where the columns do not fit. */
export function ChartChoice({ series, shown, onChange, width }: ChartChoiceProps): ReactNode {
  if (series.columns.length < 2) return null;
  const items = Object.fromEntries(series.columns.map(({ name }, at) => [at, nameOf(name)]));
  const needed = Object.values(items).reduce(
    (sum, name) => sum + name.length * LETTER_WIDTH + CHOICE_PADDING,
    OTHER_WIDTH,
  );
  return needed <= width ? (
    <div data-quoted>
      <Segmented
        tall
        label="What the chart shows"
        value={String(shown)}
        items={items}
        onChange={(at) => onChange(Number(at))}
      />
    </div>
  ) : (
    <select
      className="shrink onPage controlHeight pad0x8 strongBox rounded"
      aria-label="What the chart shows"
      value={String(shown)}
      onChange={(event) => onChange(Number(event.target.value))}
      data-quoted
    >
      {Object.entries(items).map(([at, name]) => (
        <option key={at} value={at}>
          {name}
        </option>
      ))}
    </select>
  );
}
