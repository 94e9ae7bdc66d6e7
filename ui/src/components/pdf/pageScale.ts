/** Pixels of the longer side of a page as it is drawn. */
export const LONGEST_SIDE = 1600;
/** Pixels per point of a page that is not too large for that. */
const USUAL = 2;

/** How much larger a page is drawn than it says: whatever it says, few pixels come of it. */
export function pageScale(width: number, height: number): number {
  const longest = Math.max(width, height);
  return Number.isFinite(longest) && longest > 0 ? Math.min(USUAL, LONGEST_SIDE / longest) : USUAL;
}
