/**
 * Returns a key that changes when the picture has to be redrawn: with each value, and in a flood with each hundredth.
 */
export function drawing(count: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(count / 100)));
  return Math.floor(count / step);
}
