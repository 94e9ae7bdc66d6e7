/**
 * How much may be read of schemas at once. A few kilobytes of schema can describe more than a window can read in
 * minutes. What goes beyond the limit is shown as JSON, or counts as fitting.
 */

/** Steps until the code that runs now has ended. A step is a look at one member, item or reference. */
export const MAX_WORK = 250_000;

/** Why there is no form where more is asked for. */
export const TOO_COMPLEX = "The schema is too complex to show as a form here.";

let done = 0;

/** Counts `steps` of work. Whether it may be done. */
export function work(steps: number): boolean {
  if (done === 0) queueMicrotask(() => (done = 0));
  done += Math.max(1, steps);
  return done <= MAX_WORK;
}

/** The steps so far, those included that were refused. */
export function workDone(): number {
  return done;
}
