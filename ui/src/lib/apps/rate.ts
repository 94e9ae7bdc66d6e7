/** Counts messages, and what is in them, against limits for each second. */

/** The most messages of an app that are handled in a second. */
export const PER_SECOND = 100;
/** The most characters of them that are handled in a second. */
export const CHARACTERS_PER_SECOND = 2_000_000;
/** After how many dropped ones an app is ended. */
export const DROPPED = 5_000;

/** Whether a message is handled, is the first to be dropped in its second, or is dropped as others before. */
export type Rated = "handled" | "first_dropped" | "dropped";

export class Rate {
  private readonly now: () => number;
  private since = Number.NEGATIVE_INFINITY;
  private count = 0;
  private characters = 0;
  /** How many were above the limit. */
  dropped = 0;

  /** `now` is in milliseconds. */
  constructor(now: () => number) {
    this.now = now;
  }

  /** Counts one. */
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

  /** The same for the characters of a message that {@link take} has counted. */
  weigh(characters: number): Rated {
    const before = this.characters;
    this.characters += characters;
    if (this.characters <= CHARACTERS_PER_SECOND) return "handled";
    this.dropped += 1;
    return before <= CHARACTERS_PER_SECOND ? "first_dropped" : "dropped";
  }
}
