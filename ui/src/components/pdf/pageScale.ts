/** Limit of the longer side of a drawn page, in pixels. */
export const LONGEST_SIDE = 1600;
/** Pixels per point of a page within that limit. */
const USUAL_SCALE = 2;

/** Returns the scale of a drawn page. Pages of any claimed size stay within the pixel limit. */
export function pageScale(width: number, height: number): number {
  const longest = Math.max(width, height);
  return Number.isFinite(longest) && longest > 0 ? Math.min(USUAL_SCALE, LONGEST_SIDE / longest) : USUAL_SCALE;
}
