/**
 * Returns a key that changes when the chart has to be redrawn: with each value, and for many values only with each
 * hundredth of them.
 */
export function drawing(count: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(count / 100)));
  return Math.floor(count / step);
}
