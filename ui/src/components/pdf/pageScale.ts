/** Pixels of the longer side of a page as it is drawn. */
export const LONGEST_SIDE = 1600;
/** Pixels per point of a page that is not too large for that. */
const USUAL = 2;

/** Returns the factor that a page is drawn at. Whatever size a page claims, the result stays small in pixels. */
export function pageScale(width: number, height: number): number {
  const longest = Math.max(width, height);
  return Number.isFinite(longest) && longest > 0 ? Math.min(USUAL, LONGEST_SIDE / longest) : USUAL;
}
