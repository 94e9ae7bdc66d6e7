import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Freshness } from "./Freshness";

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => {
  vi.useRealTimers();
});

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
  const set = vi.spyOn(globalThis, "setTimeout");
  shown(1_300_000);
  const before = set.mock.calls.length;
  act(() => vi.advanceTimersByTime(29_000));
  expect(set.mock.calls.length - before).toBe(0);
  act(() => vi.advanceTimersByTime(4 * 60_000));
  expect(screen.getByText(/less than a minute/)).toBeTruthy();
  expect(set.mock.calls.length - before).toBe(5);
  act(() => vi.advanceTimersByTime(600_000));
  expect(vi.getTimerCount()).toBe(0);
});

it("says no more than the server where that names no time", () => {
  shown(null);
  expect(screen.getByText("For 1 minute.")).toBeTruthy();
});
