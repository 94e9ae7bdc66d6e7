/** Counts messages against a limit for each second. */

/** The most messages of an app that are handled in a second. */
export const PER_SECOND = 100;
/** After how many dropped ones an app is ended. */
export const DROPPED = 5_000;

export class Rate {
  private readonly now: () => number;
  private since = Number.NEGATIVE_INFINITY;
  private count = 0;
  /** How many were above the limit. */
  dropped = 0;

  /** `now` is in milliseconds. */
  constructor(now: () => number) {
    this.now = now;
  }

  /** Counts one: whether it is handled, is the first to be dropped in its second, or is dropped as others before. */
  take(): "handled" | "first_dropped" | "dropped" {
    const now = this.now();
    if (now - this.since >= 1000) [this.since, this.count] = [now, 0];
    this.count += 1;
    if (this.count <= PER_SECOND) return "handled";
    this.dropped += 1;
    return this.count === PER_SECOND + 1 ? "first_dropped" : "dropped";
  }
}
