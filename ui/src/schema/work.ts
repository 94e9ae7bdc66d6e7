/**
 * Limit of the work on schemas at once. A few kilobytes of schema can describe more than a window can read in
 * minutes. Everything beyond the limit is shown as JSON, or counts as fitting.
 */

/** Steps until the running code has ended. A step is a look at one member, item or reference. */
export const MAX_WORK = 250_000;

/** Reason to show no form for schemas beyond the limit. */
export const TOO_COMPLEX = "The schema is too complex to show as a form here.";

let done = 0;

/** Counts `steps` of work. Returns false beyond the limit. */
export function work(steps: number): boolean {
  if (done === 0) queueMicrotask(() => (done = 0));
  done += Math.max(1, steps);
  return done <= MAX_WORK;
}

/** The steps so far, those included that were refused. */
export function workDone(): number {
  return done;
}
