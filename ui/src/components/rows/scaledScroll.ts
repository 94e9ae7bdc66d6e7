/**
 * Maps rows to a scroll range that the browser can lay out.
 *
 * Engines cap the height of an element (WebKit and Blink at about 33.5 million px, Gecko at about
 * 17.9 million), so a list of a million rows cannot always be as high as its rows. Up to
 * {@link MAX_HEIGHT} the mapping is one to one and scrolling is the browser's own. Above it the
 * scroll bar is a proportional handle on the "virtual" position, and wheel and keys move the
 * virtual position directly, so that every row can be reached and a wheel notch is still three rows.
 */

/** Limit of the layer's height, in px. */
export const MAX_HEIGHT = 10_000_000;

export interface ScrollScale {
  readonly rows: number;
  readonly rowHeight: number;
  /** Height of the visible part, in px. */
  readonly viewport: number;
  /** Height of all rows, in px. */
  readonly virtualHeight: number;
  /** Height of the element in the page, in px. */
  readonly physicalHeight: number;
  /** True if the two heights differ. */
  readonly scaled: boolean;
}

export function scrollScale(rows: number, rowHeight: number, viewport: number): ScrollScale {
  const virtualHeight = rows * rowHeight;
  const physicalHeight = Math.min(virtualHeight, MAX_HEIGHT);
  return { rows, rowHeight, viewport, virtualHeight, physicalHeight, scaled: virtualHeight > MAX_HEIGHT };
}

function maxVirtual(scale: ScrollScale): number {
  return Math.max(0, scale.virtualHeight - scale.viewport);
}

function maxPhysical(scale: ScrollScale): number {
  return Math.max(0, scale.physicalHeight - scale.viewport);
}

/** Limits a virtual position to the scrollable range. */
export function clampVirtual(scale: ScrollScale, top: number): number {
  return Math.min(Math.max(0, top), maxVirtual(scale));
}

/** Returns the virtual position for a position of the scroll bar. */
export function toVirtual(scale: ScrollScale, physicalTop: number): number {
  if (!scale.scaled) return clampVirtual(scale, physicalTop);
  const range = maxPhysical(scale);
  if (range === 0) return 0;
  return clampVirtual(scale, (physicalTop / range) * maxVirtual(scale));
}

/** Returns the scroll bar's position for a virtual position. */
export function toPhysical(scale: ScrollScale, virtualTop: number): number {
  const top = clampVirtual(scale, virtualTop);
  if (!scale.scaled) return top;
  const range = maxVirtual(scale);
  return range === 0 ? 0 : (top / range) * maxPhysical(scale);
}

export interface RowRange {
  /** First row to render. */
  readonly from: number;
  /** One past the last. */
  readonly to: number;
}

/** Returns the rows to render at a virtual position. `step` makes the range move in steps of several rows. */
export function visibleRange(scale: ScrollScale, virtualTop: number, overscan: number, step: number): RowRange {
  if (scale.rows === 0) return { from: 0, to: 0 };
  const top = clampVirtual(scale, virtualTop);
  const first = Math.floor(top / scale.rowHeight);
  const last = Math.ceil((top + scale.viewport) / scale.rowHeight);
  const from = Math.max(0, Math.floor((first - overscan) / step) * step);
  const to = Math.min(scale.rows, Math.ceil((last + overscan) / step) * step);
  return { from, to };
}

export type Align = "nearest" | "center" | "start" | "end";

/** Returns the virtual position that shows a row. */
export function positionFor(scale: ScrollScale, virtualTop: number, row: number, align: Align): number {
  const start = row * scale.rowHeight;
  const end = start + scale.rowHeight;
  switch (align) {
    case "start":
      return clampVirtual(scale, start);
    case "end":
      return clampVirtual(scale, end - scale.viewport);
    case "center":
      return clampVirtual(scale, start - (scale.viewport - scale.rowHeight) / 2);
    case "nearest":
      if (start < virtualTop) return clampVirtual(scale, start);
      if (end > virtualTop + scale.viewport) return clampVirtual(scale, end - scale.viewport);
      return clampVirtual(scale, virtualTop);
  }
}

/** Returns the distance of a wheel event in px. */
export function wheelPixels(deltaY: number, deltaMode: number, rowHeight: number, viewport: number): number {
  if (deltaMode === 1) return deltaY * rowHeight;
  if (deltaMode === 2) return deltaY * viewport;
  return deltaY;
}
