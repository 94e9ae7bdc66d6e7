/** Share of the text size down to which a table shrinks before it scrolls. */
export const LEAST_SHARE = 0.75;
/** Number of rows for which a table shrinks. */
const USEFUL_ROWS = 6;

export interface Room {
  /** Width in px, without the vertical scroll bar. */
  readonly width: number;
  /** Maximum height in px of the header and the rows. */
  readonly height: number;
}

export interface Fitted {
  /** Share of the text size: 1 if everything fits. */
  readonly share: number;
  /** Widths of the columns, in px. */
  readonly columns: readonly number[];
}

/**
 * Gives each column the width of its content, and distributes the rest equally. If that does not fit, or leaves fewer
 * than a useful number of `rows`, the text shrinks, down to three quarters; wider tables scroll.
 *
 * `widths` and `rowHeight` are those of the full size, in px.
 */
export function fitColumns(widths: readonly number[], rows: number, rowHeight: number, room: Room): Fitted {
  const total = widths.reduce((sum, width) => sum + width, 0);
  const wanted = (Math.min(rows, USEFUL_ROWS) + 1) * rowHeight;
  const fitting = Math.min(1, room.width / total, room.height / wanted);
  const share = Math.max(LEAST_SHARE, Math.floor(fitting * 100) / 100);
  const left = Math.max(0, room.width - total * share) / widths.length;
  return { share, columns: widths.map((width) => Math.floor((width * share + left) * 10) / 10) };
}

/** Returns the height of the header and of as many whole rows as fit, in px. */
export function wholeRows(rows: number, rowHeight: number, headHeight: number, height: number): number {
  const fit = Math.max(1, Math.floor((height - headHeight) / rowHeight));
  return headHeight + Math.min(rows, fit) * rowHeight;
}

/** Words the total that a server sends beside the rows; `null` if the member is not a total. */
export function totalWords(key: string, text: string, rows: number): string | null {
  if (!/^(total|count)([_-]?(count|rows|items|results))?$/i.test(key) || !/^\d+$/.test(text)) return null;
  return Number(text) > rows ? `${text}, ${rows} shown` : null;
}
