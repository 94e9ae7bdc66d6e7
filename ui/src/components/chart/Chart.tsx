import { useState, type ReactNode } from "react";

import { inWords } from "../../lib/inWords";
import { Segmented } from "../Segmented";
import { Bars } from "./Bars";
import styles from "./chart.module.css";
import { LineChart, nameOf } from "./LineChart";
import type { Series } from "./series";

/** More measured things than this are chosen from a menu. */
const MOST_BUTTONS = 5;

/** A picture of a series: a line where its places have an order, else bars. One measured thing at a time. */
export function Chart({ series, scale }: { readonly series: Series; readonly scale: number }): ReactNode {
  const [chosen, setChosen] = useState(0);
  const column = series.columns[chosen] ?? series.columns[0];
  if (!column) return null;
  const name = nameOf(column.name);
  const items = series.columns.map((each, at) => ({ value: String(at), label: nameOf(each.name) }));
  const title = series.of === null ? name : `${name} by ${inWords(series.of).toLowerCase()}`;
  return (
    <figure className={styles.chart} data-quoted>
      <div className={styles.head}>
        <figcaption className={styles.title}>{title === "" ? "Values" : title}</figcaption>
        {items.length > 1 &&
          (items.length <= MOST_BUTTONS ? (
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
      {series.ordered ? (
        <LineChart series={series} column={column} scale={scale} />
      ) : (
        <Bars series={series} column={column} />
      )}
    </figure>
  );
}
