import { useState, type ReactNode } from "react";

import { inWords } from "../../lib/inWords";
import { Segmented } from "../Segmented";
import { Bars } from "./Bars";
import styles from "./chart.module.css";
import { LineChart, nameOf, type Room } from "./LineChart";
import type { Series } from "./series";

export interface ChartProps {
  readonly series: Series;
  /** How much larger than usual the text is. */
  readonly scale: number;
  /** What the picture fills, in px. */
  readonly room: Room;
  /** Another choice, which stands in one row with what the chart shows. */
  readonly choice?: ReactNode;
}

/** A picture of a series: a line where its places have an order, else bars. One measured thing at a time. */
export function Chart({ series, scale, room, choice }: ChartProps): ReactNode {
  const [chosen, setChosen] = useState(0);
  const column = series.columns[chosen] ?? series.columns[0];
  if (!column) return null;
  const name = nameOf(column.name);
  const items = series.columns.map((each, at) => ({ value: String(at), label: nameOf(each.name) }));
  const title = series.of === null ? name : `${name} by ${inWords(series.of).toLowerCase()}`;
  return (
    <figure className={styles.chart} data-quoted>
      <div className={styles.head}>
        {choice}
        {items.length > 1 &&
          (fitsOneRow(items, room.width / scale) ? (
            <Segmented
              tall
              label="What the chart shows"
              value={String(chosen)}
              items={items}
              onChange={(at) => setChosen(Number(at))}
            />
          ) : (
            <select
              className={styles.choice}
              aria-label="What the chart shows"
              value={String(chosen)}
              onChange={(event) => setChosen(Number(event.target.value))}
            >
              {items.map((item) => (
                <option key={item.value} value={item.value}>
                  {item.label}
                </option>
              ))}
            </select>
          ))}
      </div>
      <figcaption className={styles.title}>{title === "" ? "Values" : title}</figcaption>
      {series.ordered ? (
        <LineChart series={series} column={column} scale={scale} room={room} />
      ) : (
        <Bars series={series} column={column} />
      )}
    </figure>
  );
}

/** Width of a letter and of what is around the words of a choice, in px where the text has its usual size. */
const LETTER = 8;
const AROUND = 24;
/** What another choice beside these takes. */
const OTHER = 160;

/** Whether the choices stand beside each other; where they do not, they are a menu. */
function fitsOneRow(items: readonly { readonly label: string }[], width: number): boolean {
  return items.reduce((sum, { label }) => sum + label.length * LETTER + AROUND, OTHER) <= width;
}
