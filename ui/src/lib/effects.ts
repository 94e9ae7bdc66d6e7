import { options } from "preact";

/**
 * Lets effects run as soon as everything is rendered, and not only after the next frame: they move the focus, and the next key
 * press may come before that frame.
 */
export function runEffectsAtOnce(): void {
  options.requestAnimationFrame = queueMicrotask;
}
