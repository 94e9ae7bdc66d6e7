// @vitest-environment jsdom
import { Toast } from "@base-ui/react/toast";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { createToasts, TOAST_TIME } from "../state/toasts";
import { ToastList } from "./ToastList";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pass = (millis: number): Promise<void> => act(async () => void (await vi.advanceTimersByTimeAsync(millis)));

it("stays for twenty seconds, and for as long as the pointer is on it", async () => {
  const toasts = createToasts();
  const over = vi.fn();
  render(
    <Toast.Provider toastManager={toasts.manager} timeout={TOAST_TIME}>
      <ToastList />
    </Toast.Provider>,
  );
  act(() => void toasts.offerUndo("Run deleted", { undo: () => undefined, over }));
  await pass(19_000);
  const list = screen.getByRole("region", { name: "Done just now" });
  fireEvent.mouseEnter(list);
  await pass(120_000);
  expect(screen.getByText("Run deleted")).toBeDefined();
  expect(over).not.toHaveBeenCalled();
  fireEvent.mouseLeave(list);
  await pass(TOAST_TIME);
  expect(screen.queryByText("Run deleted")).toBeNull();
  // It can be undone all the same.
  expect(over).not.toHaveBeenCalled();
  expect(toasts.undoLast()).toBe(true);
});
