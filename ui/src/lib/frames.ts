import { noteBegun } from "./underWay";

/**
 * Draws or measures with the next frame; the function returned gives that up. Nothing that a key depends on, such as
 * the focus, may wait for it.
 */
export function onNextFrame(run: () => void): () => void {
  noteBegun();
  const frame = requestAnimationFrame(run);
  return () => cancelAnimationFrame(frame);
}
