import { Toast } from "@base-ui/react/toast";
import { beforeEach, expect, it, vi } from "vitest";

import { act, fireEvent, render, screen } from "../lib/render.test.helper";
import { createToasts, TOAST_TIME } from "../state/toasts";
import { ToastList } from "./ToastList";
import { freeBottom } from "./useFreePlace";

beforeEach(() => vi.useFakeTimers());
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
  // The action can still be undone.
  expect(over).not.toHaveBeenCalled();
  expect(toasts.undoLast()).toBe(true);
});

it("holds back while a presentation is given what was done before", async () => {
  const toasts = createToasts();
  const page = (giving: boolean) => (
    <Toast.Provider toastManager={toasts.manager} timeout={TOAST_TIME}>
      <ToastList giving={giving} />
    </Toast.Provider>
  );
  const { rerender } = render(page(false));
  act(() => void toasts.offerUndo("Server removed", { undo: () => undefined }));
  await pass(1000);
  rerender(page(true));
  act(() => void toasts.offerUndo("Filled in", { undo: () => undefined }));
  await pass(1000);
  expect(screen.queryByText("Server removed")).toBeNull();
  expect(screen.queryByText("Filled in")).not.toBeNull();
  rerender(page(false));
  await pass(0);
  expect(screen.queryByText("Server removed")).not.toBeNull();
});

it("lies as low as it can without covering what sends something", () => {
  const list = { left: 524, right: 884, top: 0, bottom: 50 };
  const at = (top: number, left = 600) => ({ left, right: left + 100, top, bottom: top + 30 });
  expect(freeBottom(list, [], 600)).toBe(64);
  // In the lowest row, beside the list.
  expect(freeBottom(list, [at(560), at(500, 100)], 600)).toBe(64);
  // The element is in the list's place, so the list moves above it, and above further elements.
  expect(freeBottom(list, [at(500)], 600)).toBe(108);
  expect(freeBottom(list, [at(440), at(500)], 600)).toBe(168);
  // There is room between both elements.
  expect(freeBottom(list, [at(380), at(500)], 600)).toBe(108);
  // There is no room at all.
  expect(freeBottom(list, [at(30), at(100), at(180), at(260), at(340), at(420), at(500)], 600)).toBe(64);
});

it("moves away from what sends something, also from what comes later", async () => {
  const box = (top: number, height: number) =>
    ({ left: 600, right: 700, top, bottom: top + height, width: 100, height }) as DOMRect;
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(function (this: HTMLElement) {
    return this.hasAttribute("data-uncovered") ? box(window.innerHeight - 120, 30) : box(0, 50);
  });
  const toasts = createToasts();
  const shown = (isAsked: boolean) => (
    <Toast.Provider toastManager={toasts.manager} timeout={TOAST_TIME}>
      {isAsked && <div data-uncovered>Send</div>}
      <ToastList />
    </Toast.Provider>
  );
  const { rerender } = render(shown(false));
  act(() => void toasts.offerUndo("Run deleted", { undo: () => undefined }));
  const list = screen.getByRole("region", { name: "Done just now" });
  expect(list.style.bottom).toBe("64px");
  rerender(shown(true));
  await pass(100);
  expect(list.style.bottom).toBe("128px");
});
