/** Scroll positions of the page, restored when it is loaded again. */

import { onNextFrame } from "./frames";

/** Pixels from the top, by the name in the scroller's `data-scroll`. */
export type Positions = Readonly<Record<string, number>>;

export interface ScrollPositions {
  read(): Positions;
  /** Moves every scroller to its place as soon as its content is there, until the user does something. */
  restore(positions: Positions): void;
  /** Tells when the user or the page has scrolled. */
  subscribe(listener: () => void): void;
}

/** For a page without a document. */
export const noScrollers: ScrollPositions = { read: () => ({}), restore: () => undefined, subscribe: () => undefined };

const MARK = "data-scroll";
/** Events of a user who turns to something else. */
const USER = ["wheel", "pointerdown", "keydown", "touchstart"] as const;

export function scrollPositions(page: Document): ScrollPositions {
  /** Positions to restore once their content is there. */
  let waiting = new Map<string, number>();

  const place = (): void => {
    for (const [name, top] of waiting) {
      const scroller = page.querySelector(`[${MARK}="${CSS.escape(name)}"]`);
      if (!scroller || scroller.scrollHeight - scroller.clientHeight < top) continue;
      scroller.scrollTop = top;
      waiting.delete(name);
    }
    if (waiting.size === 0) stop();
  };
  // Content arrives as elements, and in long lists as the height of the one that stands for all rows. What the content
  // does to its scroller by itself comes first.
  let giveUp = (): void => undefined;
  const observer = new MutationObserver(() => {
    giveUp();
    giveUp = onNextFrame(() => (giveUp = onNextFrame(place)));
  });
  const stop = (): void => {
    waiting = new Map();
    observer.disconnect();
    giveUp();
    for (const event of USER) page.removeEventListener(event, stop, true);
  };

  return {
    read: () => {
      const positions: Record<string, number> = Object.fromEntries(waiting);
      for (const scroller of page.querySelectorAll(`[${MARK}]`)) {
        const name = scroller.getAttribute(MARK);
        if (name !== null && scroller.scrollTop > 0) positions[name] = scroller.scrollTop;
      }
      return positions;
    },
    restore: (positions) => {
      waiting = new Map(Object.entries(positions));
      observer.observe(page, { subtree: true, childList: true, attributes: true, attributeFilter: ["style"] });
      for (const event of USER) page.addEventListener(event, stop, { capture: true, passive: true });
      place();
    },
    // Scrolling does not bubble.
    subscribe: (listener) => page.addEventListener("scroll", listener, { capture: true, passive: true }),
  };
}
