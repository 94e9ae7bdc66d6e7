import type { ProgressRate } from "../../ipc/bindings";
import { rate } from "../../lib/format";

/** Smallest and largest rate of a run, and the mean over time; in units per second. */
export interface RateFacts {
  readonly least: number;
  readonly mean: number;
  readonly most: number;
}

/** Summary of the rates; `null` if no rate is known. */
export function factsOf(rates: readonly ProgressRate[]): RateFacts | null {
  const known = rates.flatMap(({ from, to, rate }) => (rate === null ? [] : [{ rate, time: to - from }]));
  if (known.length === 0) return null;
  const time = known.reduce((sum, one) => sum + one.time, 0);
  return {
    least: Math.min(...known.map((one) => one.rate)),
    mean: known.reduce((sum, one) => sum + one.rate * (one.time / time), 0),
    most: Math.max(...known.map((one) => one.rate)),
  };
}

/** "min 1.0 / s · mean 2.5 / s · max 12.0 / s" */
export function factsText({ least, mean, most }: RateFacts): string {
  const perSecond = (value: number): string => `${value === 0 ? "0" : rate(value)} / s`;
  return `min ${perSecond(least)} · mean ${perSecond(mean)} · max ${perSecond(most)}`;
}

/** SVG path of the rates: a level per time span, and gaps where the progress decreased. */
export function levels(rates: readonly ProgressRate[], most: number, width: number, height: number): string {
  const end = rates.at(-1)?.to ?? 1;
  let joined = false;
  return rates
    .map(({ from, to, rate }) => {
      const before = joined;
      joined = rate !== null;
      if (rate === null) return "";
      const [x1, x2] = [(from / end) * width, (to / end) * width];
      const y = height - (most > 0 ? rate / most : 0) * height;
      return `${before ? "L" : "M"}${x1.toFixed(1)} ${y.toFixed(1)}H${x2.toFixed(1)}`;
    })
    .join("");
}
