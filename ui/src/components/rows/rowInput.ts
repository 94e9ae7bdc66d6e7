/** The row that an event came from, by its `data-row`. */
export function rowOf(event: { readonly target: EventTarget }): number | null {
  const element = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-row]") : null;
  return element ? Number(element.dataset.row) : null;
}

/**
 * The row that a key moves to from row `at` (-1: before the first) of `rows`, where `fit` of them are
 * visible at once; `null` for a key that does not move.
 */
export function rowByKey(key: string, at: number, rows: number, fit: number): number | null {
  const page = Math.max(1, fit - 1);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: rows - 1,
  };
  const to = moves[key];
  return to === undefined || rows === 0 ? null : Math.min(rows - 1, Math.max(0, to));
}
