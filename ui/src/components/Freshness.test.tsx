import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Freshness } from "./Freshness";

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => {
  vi.useRealTimers();
});

const shown = (until: number | null) =>
  render(<Freshness says="For 1 minute." until={until} fresh=": kept." stale="No longer fresh." />);

it("counts down and says when the answer is stale", () => {
  shown(1_060_000);
  expect(screen.getByText("Fresh for 1:00: kept. For 1 minute.")).toBeTruthy();
  act(() => vi.advanceTimersByTime(59_000));
  expect(screen.getByText("Fresh for 0:01: kept. For 1 minute.")).toBeTruthy();
  act(() => vi.advanceTimersByTime(1_000));
  expect(screen.getByText("No longer fresh. For 1 minute.")).toBeTruthy();
});

it("says no more than the server where that names no time", () => {
  shown(null);
  expect(screen.getByText("For 1 minute.")).toBeTruthy();
});
