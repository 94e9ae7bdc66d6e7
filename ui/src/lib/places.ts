/** Positions in a list that the user reorders by dragging. */

/** Returns the list with the entry at `from` moved to `to`; the same list if that changes nothing. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const entry = list[from];
  if (entry === undefined || from === to || to < 0 || to >= list.length) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, entry);
}

/** Returns the gap at a height: 0 above the first row, the number of rows below the last one. */
export function gapAt(rows: readonly { readonly top: number; readonly height: number }[], y: number): number {
  const below = rows.findIndex(({ top, height }) => y < top + height / 2);
  return below < 0 ? rows.length : below;
}

/** Returns the new position of the row at `from` after it is dropped into a gap. */
export function placeOf(gap: number, from: number): number {
  return gap > from ? gap - 1 : gap;
}
