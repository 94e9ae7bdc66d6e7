import { useEffect, useRef } from "react";
import { beforeEach, expect, it, vi } from "vitest";

import { act, render, screen } from "../../lib/render.test.helper";
import { ANCHOR, useScrollAnchor, type ScrollAnchor } from "./useScrollAnchor";

const HEIGHT = 100;
/** Height of the view, in px. */
const VISIBLE = 250;

let anchor: ScrollAnchor | null = null;
let awaited: HTMLElement | null = null;
const onAwaited = (part: HTMLElement | null): void => {
  awaited = part;
};
let resized: () => void = () => undefined;
/** Heights of cards that differ from `HEIGHT`. */
const heights = new Map<number, number>();

function List({ cards }: { readonly cards: readonly number[] }) {
  const view = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const handle = useScrollAnchor(view, list, onAwaited);
  useEffect(() => {
    anchor = handle.current;
  }, [handle]);
  return (
    <div ref={view} data-testid="view">
      <ol ref={list}>
        {cards.map((card) => (
          <li key={card} data-card={card} {...{ [ANCHOR]: "" }}>
            <button type="button">{`Cancel ${card}`}</button>
          </li>
        ))}
      </ol>
    </div>
  );
}

const view = () => screen.getByTestId("view");
const card = (number: number) => view().querySelector(`[data-card="${number}"]`) as HTMLElement;
const button = (number: number) => card(number).querySelector("button") as HTMLElement;
const top = (number: number) => card(number).getBoundingClientRect().top;
const cards = () => view().querySelectorAll<HTMLElement>("li");
const room = () => Number.parseFloat(view().style.paddingBottom || "0");
const list = () => view().querySelector("ol") as HTMLElement;
const above = () => Number.parseFloat(list().style.marginTop || "0");

const heightOf = (each: HTMLElement) => heights.get(Number(each.dataset.card)) ?? HEIGHT;
const sum = (of: readonly HTMLElement[]) => of.reduce((height, each) => height + heightOf(each), 0);

/** Fakes a layout: cards one below the other, in a scrolled view. */
beforeEach(() => {
  let scrolled = 0;
  heights.clear();
  const most = () => Math.max(0, above() + sum([...cards()]) + room() - VISIBLE);
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(callback: () => void) {
        resized = callback;
      }
      observe() {}
      disconnect() {}
    },
  );
  const rect = (y: number, height: number) => ({ top: y, bottom: y + height, height }) as DOMRect;
  vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockImplementation(function (this: HTMLElement) {
    const at = [...cards()].indexOf(this);
    const begin = above() - Math.min(scrolled, most());
    if (this.tagName === "OL") return rect(begin, sum([...cards()]));
    return at < 0 ? rect(0, VISIBLE) : rect(sum([...cards()].slice(0, at)) + begin, heightOf(this));
  });
  document.elementFromPoint = (_, y) =>
    [...cards()].find((each) => {
      const box = each.getBoundingClientRect();
      return y >= box.top && y < box.bottom;
    }) ?? null;
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(VISIBLE);
  vi.spyOn(HTMLElement.prototype, "scrollHeight", "get").mockImplementation(() => most() + VISIBLE);
  vi.spyOn(HTMLElement.prototype, "scrollTop", "get").mockImplementation(() => Math.min(scrolled, most()));
  vi.spyOn(HTMLElement.prototype, "scrollTop", "set").mockImplementation((wanted: number) => {
    scrolled = Math.max(0, Math.min(wanted, most()));
  });
});

function start(shown: readonly number[]) {
  const { rerender } = render(<List cards={shown} />);
  return (next: readonly number[], before: () => void = () => undefined): void => {
    rerender(<List cards={next} />);
    before();
    act(resized);
  };
}

/** Reports the card under the pointer, whether the pointer or the card has moved. */
const tell = (number: number, clientY: number) =>
  button(number).dispatchEvent(new MouseEvent("pointerover", { bubbles: true, clientY }));
const point = (number: number) => tell(number, top(number) + 1);
const leave = () => view().dispatchEvent(new Event("pointerleave"));

it("lets new things push the rest down at the very top", () => {
  const show = start([2, 1]);
  show([3, 2, 1]);
  expect([top(3), top(2)]).toEqual([0, 100]);
});

it("keeps what is under the pointer in its place, also where there is too little to scroll", () => {
  const show = start([1]);
  point(1);
  show([2, 1]);
  expect([top(1), top(2)]).toEqual([0, -100]);
  show([3, 2, 1]);
  expect([top(1), room()]).toEqual([0, 150]);
  leave();
  expect([top(3), room(), view().scrollTop]).toEqual([0, 0, 0]);
});

it("takes note that the pointer has left also where nobody tells, as when what was under it is gone", () => {
  const show = start([1]);
  point(1);
  show([2, 1]);
  expect(top(1)).toBe(0);
  document.body.dispatchEvent(new MouseEvent("pointerover", { bubbles: true }));
  expect([top(2), room()]).toEqual([0, 0]);
  show([3, 2, 1]);
  expect(top(3)).toBe(0);
});

it("keeps what has the focus in its place", async () => {
  const show = start([4, 3, 2, 1]);
  button(3).focus();
  show([5, 4, 3, 2, 1]);
  expect(top(3)).toBe(100);
  button(3).blur();
  await Promise.resolve();
  expect(view().scrollTop).toBe(0);
});

it("takes it for no scrolling of the user when what is moved gets the focus back", () => {
  const show = start([5, 4, 3, 2, 1]);
  point(4);
  button(5).focus({ preventScroll: true });
  anchor?.reveal(card(1));
  show([4, 3, 2, 1, 5], () => {
    button(5).blur();
    // Focusing scrolls to the element; the renderer then restores the scroll position.
    const { scrollTop } = view();
    view().scrollTop = 250;
    button(5).focus();
    view().scrollTop = scrollTop;
  });
  expect([top(4), awaited]).toEqual([100, card(1)]);
});

it("keeps what is under the pointer in its place when a run that is not held ends", () => {
  const show = start([5, 4, 3, 2, 1]);
  view().scrollTop = 100;
  view().dispatchEvent(new Event("scroll"));
  point(4);
  show([4, 3, 2, 1, 5], () => anchor?.revealHeld(card(5)));
  expect([top(4), above()]).toEqual([0, 0]);
});

it.each([false, true])("brings a new selection into view once the pointer has left, with the focus: %s", (focused) => {
  const show = start([4, 3, 2, 1]);
  point(4);
  show([5, 4, 3, 2, 1]);
  if (focused) button(5).focus({ preventScroll: true });
  anchor?.reveal(card(5));
  expect(top(4)).toBe(0);
  leave();
  expect(top(5)).toBeGreaterThanOrEqual(0);
});

it("brings a new selection into view at once for who acts in the list", () => {
  const show = start([4, 3, 2, 1]);
  view().scrollTop = 150;
  view().dispatchEvent(new Event("scroll"));
  point(3);
  button(3).dispatchEvent(new MouseEvent("pointerdown", { bubbles: true }));
  show([5, 4, 3, 2, 1]);
  // The button already has the focus, as the user pressed it.
  button(5).focus({ preventScroll: true });
  anchor?.reveal(card(5));
  expect(top(5)).toBe(0);
  // A key elsewhere does not release the part under the pointer.
  point(4);
  document.body.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true }));
  show([6, 5, 4, 3, 2, 1]);
  anchor?.reveal(card(6));
  expect([top(6), awaited]).toEqual([-100, card(6)]);
  leave();
  expect([top(6), awaited]).toEqual([0, null]);
});

it("holds what was asked for from another part while it grows, until the pointer moves", () => {
  const show = start([4, 3, 2, 1]);
  const y = top(3) + 1;
  tell(3, y);
  button(3).dispatchEvent(new MouseEvent("pointerdown", { bubbles: true, clientY: y }));
  show([5, 4, 3, 2, 1]);
  anchor?.reveal(card(5));
  expect(top(5)).toBe(0);
  // The result appears. A part that thereby moves under the pointer is not pointed at by the user.
  show([5, 4, 3, 2, 1], () => heights.set(5, 150));
  tell(4, y);
  show([5, 4, 3, 2, 1], () => heights.set(5, 200));
  expect(top(5)).toBe(0);
  tell(5, y + 20);
  show([6, 5, 4, 3, 2, 1]);
  expect(top(5)).toBe(0);
  show([6, 5, 4, 3, 2, 1], () => heights.set(6, 150));
  expect([top(5), top(6)]).toEqual([0, -150]);
});

it("brings what is held into view again when it ends, unless the user has scrolled or points at something", () => {
  const show = start([4, 3, 2, 1]);
  anchor?.reveal(card(4));
  show([3, 4, 2, 1]);
  anchor?.revealHeld(card(4));
  // The run in progress above it is also visible, as far as there is room.
  expect([top(3) > -HEIGHT / 2, top(4) + HEIGHT <= VISIBLE]).toEqual([true, true]);
  show([3, 2, 1, 4]);
  anchor?.revealHeld(card(4));
  expect(top(4)).toBeGreaterThanOrEqual(0);
  expect(top(4)).toBeLessThanOrEqual(VISIBLE - HEIGHT);
  // Nothing under the pointer moves.
  point(1);
  const at = top(1);
  show([3, 2, 1, 5, 6, 4]);
  anchor?.revealHeld(card(4));
  expect(top(1)).toBe(at);
  leave();
  view().scrollTop = 0;
  view().dispatchEvent(new Event("scroll"));
  anchor?.revealHeld(card(4));
  expect(view().scrollTop).toBe(0);
});

it("keeps as much in view as it can of what is above", () => {
  start([4, 3, 2, 1]);
  anchor?.reveal(card(3));
  expect([top(4) > -HEIGHT, top(3) > 0, top(3) + HEIGHT <= VISIBLE]).toEqual([true, true, true]);
});

it("keeps what is under the pointer in its place when something goes above it that cannot be scrolled", () => {
  const show = start([3, 2, 1]);
  point(2);
  show([2, 1]);
  expect([top(2), above()]).toEqual([100, 100]);
  show([4, 2, 1]);
  expect([top(2), above()]).toEqual([100, 0]);
  show([2, 1]);
  leave();
  expect([top(2), above()]).toEqual([0, 0]);
});

it("makes no room above for what is moved by a menu of it, however long that was open", () => {
  const show = start([3, 2, 1]);
  const menu = document.body.appendChild(document.createElement("div"));
  menu.setAttribute("role", "menu");
  const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
  point(2);
  button(2).dispatchEvent(new MouseEvent("pointerdown", { bubbles: true }));
  now.mockReturnValue(9_000);
  menu.dispatchEvent(new MouseEvent("pointerdown", { bubbles: true }));
  show([2, 3, 1]);
  expect([top(2), above()]).toEqual([0, 0]);
  menu.remove();
});

it("keeps what is under the pointer in its place when an event comes before the change is observed", () => {
  const show = start([4, 3, 2, 1]);
  point(3);
  show([5, 4, 3, 2, 1], () => tell(4, 101));
  expect(top(3)).toBe(100);
  // The same part is still held.
  show([6, 5, 4, 3, 2, 1], () => card(6).querySelector("button")?.focus({ preventScroll: true }));
  expect(top(3)).toBe(100);
  view().scrollTop += 20;
  show([7, 6, 5, 4, 3, 2, 1], () => view().dispatchEvent(new Event("scroll")));
  expect(top(3)).toBe(80);
  show([6, 5, 4, 3, 2, 1], () => view().dispatchEvent(new Event("scroll")));
  expect(top(3)).toBe(80);
});

it("keeps what is under the pointer in its place when there is less to scroll than was scrolled", () => {
  const show = start([4, 3, 2, 1]);
  view().scrollTop = 150;
  view().dispatchEvent(new Event("scroll"));
  point(3);
  show([4, 3], () => view().dispatchEvent(new Event("scroll")));
  expect(top(3)).toBe(-50);
});

const scrollTo = (place: number): void => {
  view().scrollTop = place;
  view().dispatchEvent(new Event("scroll"));
};

it("shows what becomes short from its beginning, where nothing of it would be left in view", () => {
  heights.set(2, 900);
  const show = start([2]);
  scrollTo(600);
  tell(2, 200);
  button(2).focus({ preventScroll: true });
  heights.set(2, 150);
  show([2]);
  expect([top(2), room()]).toEqual([0, 0]);
  // The pointer is no longer on the part, so a new one can come into view.
  show([3, 2]);
  anchor?.reveal(card(3));
  expect([top(3), awaited]).toEqual([0, null]);
});

it("does so also where a new one comes into view at once", () => {
  heights.set(2, 400);
  const show = start([2]);
  scrollTo(120);
  tell(2, 200);
  heights.delete(2);
  show([3, 2], () => anchor?.reveal(card(3)));
  expect([top(3), top(2), awaited]).toEqual([0, HEIGHT, null]);
});

it("leaves out of view what the user has scrolled there, also when it becomes short", () => {
  heights.set(3, 600);
  heights.set(2, 900);
  const show = start([3, 2]);
  button(3).focus({ preventScroll: true });
  scrollTo(700);
  heights.set(3, 100);
  show([3, 2]);
  expect(top(3)).toBe(-700);
});

it("keeps what becomes a little shorter in its place under the pointer", () => {
  heights.set(2, 900);
  const show = start([2, 1]);
  scrollTo(700);
  tell(2, 50);
  heights.set(2, 880);
  show([2, 1]);
  expect(top(2)).toBe(-700);
});
