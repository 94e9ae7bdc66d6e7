import type { RoundTrip } from "../../ipc/bindings";

/** Limit of bars in the distribution. */
const MOST_BARS = 24;

/** Number of round trips with durations in a range. */
export interface Bar {
  /** Ends of the range in microseconds; the last bar includes its end. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/**
 * Distribution of round trips by duration. Durations differ by powers of ten, so all bars cover the same ratio of
 * durations, about 1.125 or more.
 */
export function distribution(trips: readonly RoundTrip[]): Bar[] {
  const micros = trips.map((trip) => Math.max(1, trip.micros));
  if (micros.length === 0) return [];
  const [low, high] = [Math.min(...micros), Math.max(...micros)];
  const bars = Math.max(1, Math.min(MOST_BARS, Math.ceil(Math.log(high / low) / Math.log(1.125))));
  const step = Math.log(high / low) / bars || 1;
  const counts = Array.from({ length: bars }, () => 0);
  for (const each of micros) {
    const at = Math.min(bars - 1, Math.floor(Math.log(each / low) / step));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  const edge = (at: number): number => low * Math.exp(at * step);
  return counts.map((count, at) => ({ from: edge(at), to: at === bars - 1 ? high : edge(at + 1), count }));
}

/** A point in a unit square with its origin at the bottom left. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly failed: boolean;
}

/** Points of round trips: start time, and duration relative to the longest. */
export function course(trips: readonly RoundTrip[]): Place[] {
  const first = trips[0]?.at ?? 0;
  const all = (trips.at(-1)?.at ?? 0) - first;
  const most = Math.max(1, ...trips.map((trip) => trip.micros));
  return trips.map(({ at, micros, failed }, index) => ({
    // All at the same time: spread out in order.
    x: all > 0 ? (at - first) / all : trips.length > 1 ? index / (trips.length - 1) : 0.5,
    y: micros / most,
    failed,
  }));
}
