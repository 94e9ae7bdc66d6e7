import { useEffect, useLayoutEffect, useRef, useState } from "react";

import styles from "./Tooltip.module.css";
import { listen } from "../lib/listen";

/** Milliseconds that the pointer must rest before a tooltip appears. */
const TOOLTIP_DELAY = 600;
/** Distance of the tooltip from its element and from the edges of the window, in pixels. */
const GAP = 4;
const EDGE = 8;

/** Keys that only move the focus. Any other key has an effect, which a tooltip must not cover. */
const MOVES: ReadonlySet<string> = new Set([
  "Tab",
  "F6",
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "ArrowDown",
  "Home",
  "End",
]);

interface Tip {
  readonly of: Element;
  readonly text: string;
}

/**
 * The tooltip of the window. An element sets its text with `data-tip`; the accessible name must not depend on it. The
 * tooltip ignores the pointer, and any press, scroll or change of the element closes it.
 */
export function Tooltip() {
  const [tip, setTip] = useState<Tip | null>(null);
  const popup = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let pointed: Element | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** The last key pressed; `null` after a pointer press. */
    let lastKey: string | null = null;

    const close = (): void => {
      clearTimeout(timer);
      timer = undefined;
      setTip(null);
    };
    const showSoon = (of: Element): void => {
      timer = setTimeout(() => {
        timer = undefined;
        show(of);
      }, TOOLTIP_DELAY);
    };
    const show = (of: Element): void => {
      const text = textOf(of);
      if (text !== null && !isCoveredByMenu(of) && !isShown(of, text)) setTip({ of, text });
    };
    const point = (to: EventTarget | null, isPressed: boolean): void => {
      const of = to instanceof Element ? to.closest("[data-tip]") : null;
      if (of === pointed) return;
      pointed = of;
      close();
      if (of && !isPressed) showSoon(of);
    };
    const onOver = (event: PointerEvent): void => {
      if (event.pointerType !== "touch") point(event.target, event.buttons !== 0);
    };
    // Disabled buttons may not receive events themselves.
    const onOut = (event: PointerEvent): void => {
      if (event.pointerType !== "touch") point(event.relatedTarget, event.buttons !== 0);
    };
    const onKey = ({ key }: KeyboardEvent): void => {
      lastKey = key;
      close();
    };
    const onPress = (): void => {
      lastKey = null;
      close();
    };
    const onFocus = ({ target }: FocusEvent): void => {
      close();
      if (target instanceof Element && lastKey !== null && MOVES.has(lastKey) && takesFocusForItself(target))
        show(target);
    };
    // A scroll that moves an element under the pointer is reported after the pointer event.
    const onScroll = ({ target }: Event): void => {
      const isAwaited = timer !== undefined;
      if (pointed && !(target instanceof Node && target.contains(pointed))) return;
      close();
      if (pointed && isAwaited) showSoon(pointed);
    };
    const own = { pointerover: onOver, pointerout: onOut, pointerdown: onPress, keydown: onKey, focusin: onFocus };
    const closing = { wheel: close, dragstart: close, contextmenu: close, focusout: close };
    const options = { capture: true, passive: true };
    const ends = [
      listen(document, { ...own, ...closing, scroll: onScroll }, options),
      listen(window, { blur: close }, options),
    ];
    return () => {
      clearTimeout(timer);
      ends.forEach((end) => end());
    };
  }, []);

  useLayoutEffect(() => {
    if (!tip) return undefined;
    place(popup.current, tip.of.getBoundingClientRect());
    const observer = new MutationObserver(() => {
      if (!tip.of.isConnected || textOf(tip.of) !== tip.text || isCoveredByMenu(tip.of)) setTip(null);
    });
    observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-tip"] });
    return () => observer.disconnect();
  }, [tip]);

  return (
    tip && (
      <div ref={popup} role="tooltip" className={styles.popup}>
        {tip.text}
      </div>
    )
  );
}

function textOf(element: Element): string | null {
  const text = element.getAttribute("data-tip")?.trim() ?? "";
  return text === "" ? null : text;
}

/** True while an open menu covers the element. */
function isCoveredByMenu(element: Element): boolean {
  return [...document.querySelectorAll("[role=menu]")].some((menu) => !menu.contains(element));
}

/** True for rows of lists, which get the focus one after the other; a tooltip at each would cover the rows below. */
function takesFocusForItself(element: Element): boolean {
  return !element.matches("[role=row], [role=option], [role=gridcell], [role=tab], [data-select]");
}

/** True if the element shows the whole text itself. */
function isShown(element: Element, text: string): boolean {
  return plain(visibleTextOf(element)).includes(plain(text)) && !isCut(element);
}

function visibleTextOf(element: Element): string {
  if (!(element instanceof HTMLElement)) return "";
  // jsdom has no layout.
  const text = (element.innerText as string | undefined) ?? element.textContent;
  return [...element.querySelectorAll(".visuallyHidden")].reduce(
    (rest, { textContent }) => rest.replace(textContent, " "),
    text,
  );
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Returns true if a part of the element is cut off. */
function isCut(element: Element): boolean {
  return [element, ...element.querySelectorAll("*:not(.visuallyHidden)")].some(
    (part) =>
      (part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1) &&
      getComputedStyle(part).overflow !== "visible",
  );
}

/** Places the tooltip below the element, as its neighbours are beside it, or above it if there is no room. */
function place(popup: HTMLElement | null, of: DOMRect): void {
  if (!popup) return;
  const { width, height } = popup.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const isBelow = of.bottom + GAP + height + EDGE <= clientHeight || of.top < height + GAP + EDGE;
  const left = Math.min(of.left + (of.width - width) / 2, clientWidth - width - EDGE);
  popup.style.left = `${Math.max(EDGE, left)}px`;
  popup.style.top = `${isBelow ? of.bottom + GAP : of.top - GAP - height}px`;
}
