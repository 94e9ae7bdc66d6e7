import { useLayoutEffect, type RefObject } from "react";

import { onNextFrame } from "../lib/frames";
import { listen } from "../lib/listen";

/** Elements that are never covered: the button that runs, and the buttons that answer a server request. */
const UNCOVERED = "[data-run], [data-uncovered]";
/** Least distance from the lower edge, in pixels. */
const LOWEST = 64;
/** Distance kept from an uncovered element, in pixels. */
const GAP = 8;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Returns the smallest distance from the lower edge of the window, in pixels, at which the list covers none of the
 * elements. Without such a place, the list stays at its lowest.
 */
export function freeBottom(list: Box, uncovered: readonly Box[], windowHeight: number): number {
  const height = list.bottom - list.top;
  const beside = uncovered.filter((box) => box.right > list.left && box.left < list.right);
  let end = windowHeight - LOWEST;
  for (const box of beside.toSorted((a, b) => b.top - a.top)) {
    if (box.top < end + GAP && box.bottom > end - height - GAP) end = box.top - GAP;
  }
  return end < height ? LOWEST : windowHeight - end;
}

/**
 * Keeps a list that floats over the window in a place where it covers no sending button, including buttons that appear
 * later.
 */
export function useFreePlace(list: RefObject<HTMLElement | null>, shown: number): void {
  useLayoutEffect(() => {
    if (shown === 0) return undefined;
    let giveUp = (): void => undefined;
    const place = (): void => {
      const { current } = list;
      if (!current) return;
      const boxes = [...document.querySelectorAll(UNCOVERED)].map((each) => each.getBoundingClientRect());
      const visible = boxes.filter(({ width, height }) => width > 0 && height > 0);
      const bottom = freeBottom(current.getBoundingClientRect(), visible, window.innerHeight);
      current.style.setProperty("bottom", `${bottom}px`);
    };
    const later = (): void => {
      giveUp();
      giveUp = onNextFrame(place);
    };
    place();
    const observer = new MutationObserver(later);
    observer.observe(document.body, { childList: true, subtree: true });
    const end = listen(window, { scroll: later, resize: later }, { capture: true, passive: true });
    return () => {
      giveUp();
      observer.disconnect();
      end();
    };
  }, [list, shown]);
}
