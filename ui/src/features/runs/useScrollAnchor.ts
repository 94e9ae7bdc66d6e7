import { useLayoutEffect, useRef, type RefObject } from "react";

/** Marks the parts that can be held in place. */
export const ANCHOR = "data-anchor";

export interface ScrollAnchor {
  /** Holds this part where it is now, until the user scrolls. */
  hold(part: HTMLElement): void;
}

/**
 * Keeps what the user is reading where it is while parts above it appear, grow or go.
 *
 * The part that is held is the one that was held explicitly or else the first one that is visible.
 * At the very top nothing is held: there new things may push the rest down, as the user is looking
 * at the newest.
 */
export function useScrollAnchor(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): RefObject<ScrollAnchor | null> {
  const handle = useRef<ScrollAnchor | null>(null);

  useLayoutEffect(() => {
    const view = scroller.current;
    const inside = content.current;
    if (!view || !inside) return undefined;
    let held: HTMLElement | null = null;
    let explicit = false;
    let offset = 0;

    const remember = (): void => {
      if (!held?.isConnected || !explicit) held = firstVisible(view, inside);
      if (held) offset = place(view, held);
    };
    const restore = (): void => {
      if (held?.isConnected && (explicit || view.scrollTop > 0)) {
        const moved = place(view, held) - offset;
        if (Math.abs(moved) >= 1) view.scrollTop += moved;
      }
      remember();
    };
    const scrolled = (): void => {
      explicit = false;
      remember();
    };
    handle.current = {
      hold: (part) => {
        held = part;
        explicit = true;
        offset = place(view, part);
      },
    };
    // Runs after layout and before painting, so that a correction is never seen.
    const observer = new ResizeObserver(restore);
    observer.observe(inside);
    view.addEventListener("scroll", scrolled, { passive: true });
    remember();
    return () => {
      observer.disconnect();
      view.removeEventListener("scroll", scrolled);
      handle.current = null;
    };
  }, [scroller, content]);

  return handle;
}

function place(view: HTMLElement, part: HTMLElement): number {
  return part.getBoundingClientRect().top - view.getBoundingClientRect().top;
}

function firstVisible(view: HTMLElement, inside: HTMLElement): HTMLElement | null {
  const top = view.getBoundingClientRect().top;
  for (const part of inside.querySelectorAll<HTMLElement>(`[${ANCHOR}]`)) {
    if (part.getBoundingClientRect().bottom > top + 4) return part;
  }
  return null;
}
