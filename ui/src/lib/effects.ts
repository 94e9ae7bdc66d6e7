import { options } from "preact";

/**
 * Runs effects right after rendering instead of after the next frame: they move the focus, and the next key press may
 * come before that frame.
 */
export function runEffectsAtOnce(): void {
  options.requestAnimationFrame = queueMicrotask;
}
