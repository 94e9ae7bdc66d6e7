/** Scroll positions of the page, restored when it is loaded again. */

import { onNextFrame } from "./frames";
import { listen } from "./listen";

/** Pixels from the top, by the name in the scroller's `data-scroll`. */
export type Positions = Readonly<Record<string, number>>;

export interface ScrollPositions {
  read(): Positions;
  /** Scrolls each scroller to its position once its content is loaded, until the user does something. */
  restore(positions: Positions): void;
  /** Reports scrolling by the user or the page. */
  subscribe(listener: () => void): void;
}

/** Does nothing, for a page without a document. */
export const noScrollers: ScrollPositions = { read: () => ({}), restore: () => undefined, subscribe: () => undefined };

const MARK = "data-scroll";

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
  // Content arrives as new elements, or in long lists as the height of the element that stands for all rows. Scrolling
  // that the content does by itself comes first.
  let giveUp = (): void => undefined;
  let unlisten = (): void => undefined;
  const observer = new MutationObserver(() => {
    giveUp();
    giveUp = onNextFrame(() => (giveUp = onNextFrame(place)));
  });
  const stop = (): void => {
    waiting = new Map();
    observer.disconnect();
    giveUp();
    unlisten();
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
      // The user turns to something else.
      const turns = { wheel: stop, pointerdown: stop, keydown: stop, touchstart: stop };
      unlisten = listen(page, turns, { capture: true, passive: true });
      place();
    },
    // Scrolling does not bubble.
    subscribe: (listener) => page.addEventListener("scroll", listener, { capture: true, passive: true }),
  };
}
