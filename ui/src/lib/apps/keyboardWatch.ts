/** Milliseconds after a key in Sonde in which an app under a resting pointer cannot get the focus. */
const TYPING = 2_000;
/** Milliseconds after the Tab key in which the focus may move into the app. */
const TABBING = 500;

/**
 * Tells an app that takes the keyboard from one that the user pressed in or reached by Tab. Nothing outside of a frame of
 * another origin sees a press in it, so the pointer and the last key have to tell.
 */
export class KeyboardWatch {
  private keyAt = -Infinity;
  private tabAt = -Infinity;
  private enteredAt = -Infinity;

  /** A key was pressed in Sonde. */
  onKey(key: string, now: number): void {
    if (key === "Tab") this.tabAt = now;
    else this.keyAt = now;
  }

  /** The pointer came over the app. */
  onEnter(now: number): void {
    this.enteredAt = now;
  }

  /** True if the app got the focus without the user. */
  isTheft(pointerIsOver: boolean, now: number): boolean {
    if (now - this.tabAt < TABBING && this.tabAt > this.keyAt) return false;
    if (!pointerIsOver) return true;
    return this.keyAt > this.enteredAt && now - this.keyAt < TYPING;
  }
}
