/** Places of a list that is put into another order by hand. */

/** The list with the entry at `from` moved to `to`; the same list where that changes nothing. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const entry = list[from];
  if (entry === undefined || from === to || to < 0 || to >= list.length) return list;
  return list.toSpliced(from, 1).toSpliced(to, 0, entry);
}

/** The gap that a height points at: 0 above the first row, as many as there are rows below the last. */
export function gapAt(rows: readonly { readonly top: number; readonly height: number }[], y: number): number {
  const below = rows.findIndex(({ top, height }) => y < top + height / 2);
  return below < 0 ? rows.length : below;
}

/** The place that the row at `from` gets where it is dropped into a gap. */
export function placeOf(gap: number, from: number): number {
  return gap > from ? gap - 1 : gap;
}
