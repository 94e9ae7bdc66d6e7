/**
 * Limit of the synchronous work on schemas. A few kilobytes of schema can describe more than a window can read in
 * minutes. Everything beyond the limit is shown as JSON, or counts as fitting.
 */

/** Limit of steps until the running code yields. A step is a look at one member, item or reference. */
export const MAX_WORK = 250_000;

/** Reason to show no form for schemas beyond the limit. */
export const TOO_COMPLEX = "The schema is too complex to show as a form here.";

let stepsDone = 0;

/** Counts `steps` of work. Returns false beyond the limit. */
export function work(steps: number): boolean {
  if (stepsDone === 0) queueMicrotask(() => (stepsDone = 0));
  stepsDone += Math.max(1, steps);
  return stepsDone <= MAX_WORK;
}

/** Returns the steps so far, including refused ones. */
export function workDone(): number {
  return stepsDone;
}
