import { Tooltip as Base } from "@base-ui/react/tooltip";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { Tooltip } from "./Tooltip";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
});

const label = () => screen.queryByText("Maximize run");
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

async function button() {
  render(
    <Base.Provider delay={600}>
      <Tooltip text="Maximize run">
        <button type="button">M</button>
      </Tooltip>
    </Base.Provider>,
  );
  await pass(0);
  return screen.getByRole("button");
}

async function focusAfter(key: string): Promise<void> {
  const one = await button();
  fireEvent.keyDown(document.body, { key });
  act(() => one.focus());
  await pass(0);
}

it("comes with the focus that a key has moved, and goes with the next key", async () => {
  await focusAfter("Tab");
  expect(label()).not.toBeNull();
  fireEvent.keyDown(screen.getByRole("button"), { key: "Enter" });
  await pass(1000);
  expect(label()).toBeNull();
});

it("does not come where the focus is back from what a key had opened", async () => {
  await focusAfter("Escape");
  expect(label()).toBeNull();
});

it("goes when something is pressed anywhere", async () => {
  await focusAfter("Tab");
  fireEvent.pointerDown(document.body);
  await pass(1000);
  expect(label()).toBeNull();
});
