import type { ReactNode } from "react";

import { inWords } from "../../lib/inWords";
import styles from "./chart.module.css";
import { DIGITS, digitsOf, range, type Series } from "./series";

/** Text height in px at the usual text size, and its largest share of the picture's height. */
const TEXT_HEIGHT = 12;
const MOST_TEXT = 1 / 14;
/** Margins for the numbers on the left, for the labels below, and on the other sides, in text heights. */
const LEFT_MARGIN = 4.5;
const BELOW = 3.5;
const ABOVE = 0.8;
const RIGHT = 1.2;
/** Number of points above which the line has no dots. */
const MOST_DOTS = 60;
const MOST_LABELS = 7;

/** Size of a picture, in px. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

export interface LineChartProps {
  readonly series: Series;
  readonly column: Series["columns"][number];
  /** Text size relative to the usual one. */
  readonly scale: number;
  /** Size of the picture, in px. */
  readonly room: Room;
}

/** A line over an ordered axis. The table beside it shows the same numbers. */
export function LineChart({ series, column, scale, room: { width, height } }: LineChartProps): ReactNode {
  const text = Math.min(TEXT_HEIGHT * scale, height * MOST_TEXT);
  const steps = range(column.values);
  const digits = digitsOf(steps);
  const [bottom = 0, top = 1] = [steps[0], steps.at(-1)];
  const [first = 0, last = 1] = [Math.min(...series.places), Math.max(...series.places)];
  const left = LEFT_MARGIN * text;
  const right = width - RIGHT * text;
  const floor = height - BELOW * text;
  const x = (place: number): number =>
    last > first ? left + ((place - first) / (last - first)) * (right - left) : (left + right) / 2;
  const y = (value: number): number => floor - ((value - bottom) / (top - bottom)) * (floor - ABOVE * text);
  const dots = column.values.flatMap((value, at) =>
    value === null ? [] : [{ at, x: x(series.places[at] ?? at), y: y(value) }],
  );
  const name = nameOf(column.name);
  return (
    <svg
      className="block wide autoHeight"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={described(series, column)}
      fontSize={text}
    >
      {steps.map((step) => (
        <g key={step}>
          <line className={styles.grid} x1={left} x2={right} y1={y(step)} y2={y(step)} />
          <text className={styles.text} x={left - text / 2} y={y(step)} textAnchor="end" dominantBaseline="central">
            {amount(step, digits)}
          </text>
        </g>
      ))}
      {labelled(series.labels.length, width / text).map((at) => (
        <text
          key={at}
          className={styles.text}
          x={x(series.places[at] ?? at)}
          y={floor + text * 1.4}
          textAnchor="middle"
        >
          {series.labels[at]}
        </text>
      ))}
      {series.of !== null && (
        <text className={styles.axis} x={(left + right) / 2} y={height - text / 2} textAnchor="middle">
          {inWords(series.of)}
        </text>
      )}
      <path className={styles.line} d={pathOf(column.values, (at) => x(series.places[at] ?? at), y)} />
      {dots.length <= MOST_DOTS &&
        dots.map((dot) => (
          <circle
            key={dot.at}
            className="fillAccent"
            cx={dot.x}
            cy={dot.y}
            r={5}
            data-tip={`${series.labels[dot.at] ?? ""}: ${column.texts[dot.at] ?? ""}${name === "" ? "" : ` (${name})`}`}
          />
        ))}
    </svg>
  );
}

/** Returns the path of a line, with gaps at missing values. */
function pathOf(values: readonly (number | null)[], x: (at: number) => number, y: (value: number) => number): string {
  return values
    .map((value, at) => {
      if (value === null) return "";
      return `${at > 0 && values[at - 1] !== null ? "L" : "M"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join("");
}

/** Returns the positions with a label, few enough that no labels touch. `width` is in text heights. */
function labelled(count: number, width: number): readonly number[] {
  const most = Math.max(2, Math.min(MOST_LABELS, Math.floor(width / 7.5)));
  const step = Math.max(1, Math.ceil((count - 1) / (most - 1)));
  return Array.from({ length: Math.ceil(count / step) }, (_, at) => at * step);
}

/** Describes the chart for assistive technology. */
function described(series: Series, { name, values }: Series["columns"][number]): string {
  const there = values.flatMap((value, at) => (value === null ? [] : [{ value, label: series.labels[at] ?? "" }]));
  const least = there.reduce((one, other) => (other.value < one.value ? other : one));
  const most = there.reduce((one, other) => (other.value > one.value ? other : one));
  const of = series.of === null ? "" : ` by ${inWords(series.of).toLowerCase()}`;
  const title = name === "" ? "Values" : inWords(name);
  return `${title}${of}: ${there.length} values, the lowest ${amount(least.value, DIGITS)} at ${least.label}, the highest ${amount(most.value, DIGITS)} at ${most.label}`;
}

/** Returns the name of a column in words; empty if it has none. */
export function nameOf(column: string): string {
  return column === "" ? "" : inWords(column);
}

/** Formats a number, rounded to this many significant digits. */
function amount(value: number, digits: number): string {
  return new Intl.NumberFormat(undefined, { maximumSignificantDigits: digits }).format(value);
}
