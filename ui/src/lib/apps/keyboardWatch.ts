/** Milliseconds after a key press in Sonde during which an app under a resting pointer cannot get the focus. */
const AFTER_KEY = 2_000;
/** Milliseconds after the Tab key during which the focus may move into the app. */
const AFTER_TAB = 500;

/**
 * Distinguishes an app that takes the keyboard by itself from an app that the user clicked or reached by Tab. A press
 * in a frame of another origin is invisible outside of it, so the pointer and the last key have to tell.
 */
export class KeyboardWatch {
  private keyAt = -Infinity;
  private tabAt = -Infinity;
  private enteredAt = -Infinity;

  /** Handles a key press in Sonde. */
  onKey(key: string, now: number): void {
    if (key === "Tab") this.tabAt = now;
    else this.keyAt = now;
  }

  /** Handles the pointer moving onto the app. */
  onEnter(now: number): void {
    this.enteredAt = now;
  }

  /** True if the app got the focus without the user. */
  isTheft(pointerIsOver: boolean, now: number): boolean {
    if (now - this.tabAt < AFTER_TAB && this.tabAt > this.keyAt) return false;
    if (!pointerIsOver) return true;
    return this.keyAt > this.enteredAt && now - this.keyAt < AFTER_KEY;
  }
}
