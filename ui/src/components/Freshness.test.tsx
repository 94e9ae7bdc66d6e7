import { beforeEach, expect, it, vi } from "vitest";

import { act, render, screen } from "../lib/render.test.helper";
import { Freshness } from "./Freshness";

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
const shown = (until: number | null) =>
  render(<Freshness says="For 1 minute." until={until} fresh=": kept." stale="No longer fresh." />);

it("says how long it is cached, and when that is over", () => {
  shown(1_060_000);
  expect(screen.getByText("Cached; expires in 1 minute: kept. For 1 minute.")).toBeTruthy();
  act(() => vi.advanceTimersByTime(59_000));
  expect(screen.getByText("Cached; expires in less than a minute: kept. For 1 minute.")).toBeTruthy();
  act(() => vi.advanceTimersByTime(1_000));
  expect(screen.getByText("No longer fresh. For 1 minute.")).toBeTruthy();
});

it("does nothing between two changes of its words", () => {
  shown(1_300_000);
  const wakes: number[] = [];
  while (vi.getTimerCount() > 0) {
    act(() => void vi.advanceTimersToNextTimer());
    wakes.push(Math.round((Date.now() - 1_000_000) / 1000));
  }
  expect(wakes).toEqual([30, 90, 150, 210, 240, 300]);
});

it("says no more than the server where that names no time", () => {
  shown(null);
  expect(screen.getByText("For 1 minute.")).toBeTruthy();
});
