import { useLayoutEffect, useState, type RefObject } from "react";

import { inWords } from "../../lib/inWords";
import { fitColumns, type Fitted } from "./plainColumns";
import type { TableHead } from "./tableView";

/** Width of the sort arrow beside a title, in px. */
const ARROW = 15;
/** Factor for rounding, and for kerning that differs when rendered. */
const SLACK = 1.03;

export interface PlainColumnsOptions {
  /** Element around the scroller. */
  readonly frame: RefObject<HTMLElement | null>;
  readonly head: TableHead;
  readonly rowHeight: number;
  /** Maximum height in px; without one nothing is fitted. */
  readonly height: number | undefined;
}

/** Returns the columns of a table that is read from a distance; `null` until they are measured. */
export function usePlainColumns({ frame, head, rowHeight, height }: PlainColumnsOptions): Fitted | null {
  const [fitted, setFitted] = useState<Fitted | null>(null);
  useLayoutEffect(() => {
    const { current } = frame;
    if (!current || height === undefined) return undefined;
    const measure = (): void => {
      if (current.clientWidth === 0) return;
      const room = { width: current.clientWidth - Math.max(scrollBar(), ARROW), height };
      const next = fitColumns(widthsOf(current, head), head.rows, rowHeight, room);
      setFitted((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, [frame, head, rowHeight, height]);
  return fitted;
}

/** Returns the width of each column in px, with its padding, at the surrounding text size. */
function widthsOf(frame: HTMLElement, { columns, longest }: TableHead): readonly number[] {
  const { fontSize, fontFamily } = getComputedStyle(frame);
  const padding = 2 * parseFloat(getComputedStyle(frame).getPropertyValue("--s3"));
  const context = document.createElement("canvas").getContext("2d");
  const width = (text: string, weight: number): number => {
    if (!context) return text.length * parseFloat(fontSize) * 0.6;
    context.font = `${weight} ${fontSize} ${fontFamily}`;
    // All digits are rendered with the same width.
    return context.measureText(text.replace(/\d/g, "0")).width * SLACK;
  };
  return columns.map((column, index) => {
    const cells = (longest[index] ?? []).map((text) => width(text, 400));
    return Math.ceil(Math.max(width(inWords(column), 600) + ARROW, ...cells) + padding + 2);
  });
}

let knownBar: number | null = null;

/** Returns the width of a scroll bar in px; 0 if it overlays the content. */
export function scrollBar(): number {
  if (knownBar !== null) return knownBar;
  const probe = document.createElement("div");
  probe.style.cssText = "position: absolute; visibility: hidden; width: 100px; height: 100px; overflow: scroll";
  document.body.append(probe);
  knownBar = probe.offsetWidth - probe.clientWidth;
  probe.remove();
  return knownBar;
}
