import { beforeEach, expect, it, vi } from "vitest";

import { act, fireEvent, render, screen } from "../lib/render.test.helper";
import { Tooltip } from "./Tooltip";

beforeEach(() => void vi.useFakeTimers());
const tip = () => screen.queryByRole("tooltip")?.textContent ?? null;
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const button = () => screen.getByRole("button");

function page({ text = "Maximize run", label = "M", menu = false, disabled = false } = {}) {
  return (
    <>
      <button type="button" data-tip={text} disabled={disabled}>
        {label}
      </button>
      {menu && <div role="menu">Menu</div>}
      <Tooltip />
    </>
  );
}

/** Creates a pointer event, as events of jsdom have no pointer. */
const pointer = (type: string, at: Element, more: MouseEventInit = {}) =>
  fireEvent(at, new MouseEvent(type, { bubbles: true, ...more }));

async function point(at: Element, more: MouseEventInit = {}): Promise<void> {
  pointer("pointerover", at, more);
  await pass(1000);
}

async function focusAfter(key: string): Promise<void> {
  render(page());
  fireEvent.keyDown(document.body, { key });
  act(() => button().focus());
  await pass(0);
}

it("comes where the pointer rests, and goes with it", async () => {
  render(page());
  pointer("pointerover", button());
  await pass(500);
  expect(tip()).toBeNull();
  await pass(200);
  expect(tip()).toBe("Maximize run");
  pointer("pointerout", button(), { relatedTarget: document.body });
  await pass(0);
  expect(tip()).toBeNull();
});

it("comes at a disabled button, which may hear nothing of the pointer", async () => {
  render(page({ disabled: true }));
  pointer("pointerout", document.body, { relatedTarget: button() });
  await pass(1000);
  expect(tip()).toBe("Maximize run");
});

it("comes with the focus that a key has moved, and goes with the next key, which it does not use up", async () => {
  await focusAfter("Tab");
  expect(tip()).toBe("Maximize run");
  expect(fireEvent.keyDown(button(), { key: "Escape" })).toBe(true);
  await pass(1000);
  expect(tip()).toBeNull();
});

it("does not come where the focus is back from what a key had opened", async () => {
  await focusAfter("Escape");
  expect(tip()).toBeNull();
});

it("goes when something is pressed anywhere, and comes back only after the pointer was elsewhere", async () => {
  render(page());
  await point(button());
  fireEvent.pointerDown(document.body);
  await pass(1000);
  expect(tip()).toBeNull();
  await point(button());
  expect(tip()).toBeNull();
  await point(document.body);
  await point(button());
  expect(tip()).toBe("Maximize run");
});

it.each(["scroll", "wheel", "dragstart", "contextmenu"])("goes with a %s", async (type) => {
  render(page());
  await point(button());
  fireEvent(document.body, new Event(type, { bubbles: true }));
  await pass(0);
  expect(tip()).toBeNull();
});

it("goes with its element", async () => {
  const { rerender } = render(page());
  await point(button());
  rerender(page({ text: "Restore run" }));
  await pass(0);
  expect(tip()).toBeNull();
  await point(document.body);
  await point(button());
  expect(tip()).toBe("Restore run");
  rerender(<Tooltip />);
  await pass(0);
  expect(tip()).toBeNull();
});

it("does not come during a drag, nor beside an open menu", async () => {
  const { rerender } = render(page());
  await point(button(), { buttons: 1 });
  expect(tip()).toBeNull();
  await point(document.body);
  await point(button());
  expect(tip()).not.toBeNull();
  rerender(page({ menu: true }));
  await pass(0);
  expect(tip()).toBeNull();
  await point(document.body);
  await point(button());
  expect(tip()).toBeNull();
});

it("does not repeat what its element shows", async () => {
  render(page({ label: "Maximize  run" }));
  await point(button());
  expect(tip()).toBeNull();
});
