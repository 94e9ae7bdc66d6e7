/** The steps of the zoom, in percent, as browsers have them. */
export const ZOOM_STEPS: readonly number[] = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300];

/** The next step up (1) or down (-1); at the end it stays. */
export function nextZoom(percent: number, by: 1 | -1): number {
  const next = by > 0 ? ZOOM_STEPS.find((step) => step > percent) : ZOOM_STEPS.findLast((step) => step < percent);
  return next ?? percent;
}
