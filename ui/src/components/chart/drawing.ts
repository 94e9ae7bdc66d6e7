/** Tells the number of values apart: the picture is drawn anew for each, and in a flood for each hundredth. */
export function drawing(count: number): number {
  const step = 2 ** Math.max(0, Math.floor(Math.log2(count / 100)));
  return Math.floor(count / step);
}
