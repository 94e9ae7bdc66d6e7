/** Share of the type's size down to which a table shrinks before it is scrolled. */
export const LEAST_SHARE = 0.75;
/** Rows that a table shrinks for. */
const USEFUL_ROWS = 6;

export interface Room {
  /** In px, without the vertical scroll bar. */
  readonly width: number;
  /** Height at most in px, of the head and the rows. */
  readonly height: number;
}

export interface Fitted {
  /** Of the type's size: 1 where everything fits. */
  readonly share: number;
  /** Of each column, in px. */
  readonly columns: readonly number[];
}

/**
 * Gives each column the width of its content, and what is left in equal parts. What does not fit, or leaves fewer than
 * a useful number of `rows`, gets smaller type, down to three quarters; what is wider still has to be scrolled.
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

/** Height of the head and of as many whole rows as there is room for, in px. */
export function wholeRows(rows: number, rowHeight: number, headHeight: number, height: number): number {
  const fit = Math.max(1, Math.floor((height - headHeight) / rowHeight));
  return headHeight + Math.min(rows, fit) * rowHeight;
}

/** The total that a server says beside the rows that it sent, in words; `null` where the member is none. */
export function totalWords(key: string, text: string, rows: number): string | null {
  if (!/^(total|count)([_-]?(count|rows|items|results))?$/i.test(key) || !/^\d+$/.test(text)) return null;
  return Number(text) > rows ? `${text}, ${rows} shown` : null;
}
