/** Counts messages and their characters against limits per second. */

/** Limit of messages handled per second and app. */
export const PER_SECOND = 100;
/** Limit of their characters per second. */
export const CHARACTERS_PER_SECOND = 2_000_000;
/** Number of dropped messages at which an app is ended. */
export const MAX_DROPPED = 5_000;

/** Verdict on a message: handled, the first one dropped in its second, or a further dropped one. */
export type Rated = "handled" | "first_dropped" | "dropped";

export class Rate {
  private readonly now: () => number;
  private since = Number.NEGATIVE_INFINITY;
  private count = 0;
  private characters = 0;
  /** Number of messages above the limits. */
  dropped = 0;

  /** `now` returns the time in milliseconds. */
  constructor(now: () => number) {
    this.now = now;
  }

  /** Counts a message. */
  take(): Rated {
    const now = this.now();
    if (now - this.since >= 1000) [this.since, this.count, this.characters] = [now, 0, 0];
    this.count += 1;
    if (this.characters > CHARACTERS_PER_SECOND) {
      this.dropped += 1;
      return "dropped";
    }
    if (this.count <= PER_SECOND) return "handled";
    this.dropped += 1;
    return this.count === PER_SECOND + 1 ? "first_dropped" : "dropped";
  }

  /** Counts the characters of a message that {@link take} has counted. */
  weigh(characters: number): Rated {
    const before = this.characters;
    this.characters += characters;
    if (this.characters <= CHARACTERS_PER_SECOND) return "handled";
    this.dropped += 1;
    return before <= CHARACTERS_PER_SECOND ? "first_dropped" : "dropped";
  }
}
