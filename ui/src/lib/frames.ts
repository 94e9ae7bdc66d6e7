import { noteBegun } from "./underWay";

/**
 * Draws or measures in the next frame; the returned function cancels that. Nothing that a key press depends on, such as
 * the focus, may wait for a frame.
 */
export function onNextFrame(run: () => void): () => void {
  noteBegun();
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}
