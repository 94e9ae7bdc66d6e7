/** Zoom steps of browsers, in percent. */
export const ZOOM_STEPS: readonly number[] = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300];

/** Returns the next zoom step up (1) or down (-1); the same one at the end. */
export function nextZoom(percent: number, by: 1 | -1): number {
  const next = by > 0 ? ZOOM_STEPS.find((step) => step > percent) : ZOOM_STEPS.findLast((step) => step < percent);
  return next ?? percent;
}
