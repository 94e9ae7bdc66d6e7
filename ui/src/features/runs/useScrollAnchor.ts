import { useLayoutEffect, useRef, type RefObject } from "react";

/** Attribute of the parts that can be held in place. */
export const ANCHOR = "data-anchor";

export interface ScrollAnchor {
  /** Holds this part in place until the user scrolls. */
  hold(part: HTMLElement): void;
  /**
   * Brings this part into view and holds it. If the pointer is on another part, and the user acted elsewhere (such as
   * pressing a key in the form), the part comes into view once the pointer has left.
   */
  reveal(part: HTMLElement): void;
  /**
   * Brings a changed part into view again, unless the user has scrolled since it was held, points at another part, or
   * has the focus in one.
   */
  revealHeld(part: HTMLElement): void;
  /** Brings this part into view at once, on the user's request. */
  show(part: HTMLElement): void;
}

/** Least height of a part that comes into view, in px: its head, and the start of its result. */
const LEAST_VISIBLE = 240;
/** Room above a part that is as high as the view, in px, so that its neighbours can be seen. */
const ABOVE = 76;

/**
 * Keeps the part that the user looks at in place while parts above it appear, grow or disappear.
 *
 * The held part is the first of: the part that the user asked for, while the pointer stays where it is; the part under
 * the pointer; the part held explicitly; the part with the focus; the first visible part. The first visible part is not
 * held at the very top: new parts may push the rest down there, as the user is looking at the newest.
 *
 * A part that becomes so short that it would hardly stay visible is shown from its beginning.
 *
 * Content too short to be scrolled gets room below it meanwhile, and content that cannot be scrolled further up gets
 * room above it. A view scrolled away from the very top returns to it once the pointer or the focus has left.
 *
 * `onAwaited` receives the part that comes into view later.
 */
export function useScrollAnchor(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  onAwaited: (part: HTMLElement | null) => void = ignore,
): RefObject<ScrollAnchor | null> {
  const handle = useRef<ScrollAnchor | null>(null);

  useLayoutEffect(() => {
    const view = scroller.current;
    const inside = content.current;
    if (!view || !inside) return undefined;
    const anchor = new Anchor(view, inside, onAwaited);
    handle.current = anchor;
    return () => {
      anchor.close();
      handle.current = null;
    };
  }, [scroller, content, onAwaited]);

  return handle;
}

const ignore = (): void => undefined;

/** User events, inside the view or elsewhere. */
const ACTS = ["pointerdown", "keydown"] as const;
/** Time in ms after such an event during which a change counts as caused by it. */
const ACT_MS = 1000;
/** Distance in px up to which the pointer counts as unmoved; the part under it may have moved. */
const STILL = 3;

/** Holds one part of a scrolled view in its place. */
class Anchor implements ScrollAnchor {
  // Runs after layout and before painting, so that a correction is never visible.
  private readonly observer = new ResizeObserver(() => {
    this.correct();
    this.remember();
  });
  /** The part under the pointer. */
  private pointed: HTMLElement | null = null;
  private explicit: HTMLElement | null = null;
  /** Part that the user asked for while the pointer was on another part; kept while the pointer stays there. */
  private asked: HTMLElement | null = null;
  /** Last position of the pointer. */
  private pointer = { x: 0, y: 0 };
  /** Part that comes into view once the pointer has left. */
  private awaited: HTMLElement | null = null;
  /** Time of the user's last event inside the view; reset by an event elsewhere. */
  private actedAt = Number.NEGATIVE_INFINITY;
  /** Element inside the view with the focus. */
  private focusTarget: EventTarget | null = null;
  /** Removes the listeners when the anchor is closed. */
  private readonly listening = new AbortController();
  /** Held part, and its position in the scrolled content. */
  private held: HTMLElement | null = null;
  private position = 0;
  /** Height of the held part when it was last noted, in px. */
  private height = 0;
  /** Scroll position when the held part was last noted, in px. */
  private scrolled = 0;
  /** Scroll position reached from the very top to hold a part, in px; 0 if the view was not scrolled for it. */
  private lifted = 0;
  /** Room added below, so that there is enough to scroll, in px. */
  private room = 0;
  /** Room added above, for a held part that would need a scroll position before the beginning, in px. */
  private above = 0;

  constructor(
    private readonly view: HTMLElement,
    private readonly inside: HTMLElement,
    private readonly onAwaited: (part: HTMLElement | null) => void,
  ) {
    this.observer.observe(inside);
    const { signal } = this.listening;
    view.addEventListener("scroll", this.onScroll, { passive: true, signal });
    // WebKit sends no event when the element under the pointer is removed.
    document.addEventListener("pointerover", this.onPointer, { passive: true, signal });
    view.addEventListener("pointerleave", this.onLeave, { passive: true, signal });
    inside.addEventListener("focusin", this.onFocus, { signal });
    inside.addEventListener("focusout", this.onBlur, { signal });
    for (const act of ACTS) document.addEventListener(act, this.onAct, { capture: true, passive: true, signal });
    this.remember();
  }

  hold(part: HTMLElement): void {
    this.correct();
    this.explicit = part;
    if (part !== this.asked) this.asked = null;
    this.await(null);
    this.remember();
  }

  reveal(part: HTMLElement): void {
    // The part under the pointer may have become so short that the pointer is no longer on it.
    this.correct();
    this.remember();
    const isElsewhere = this.isPointed() && this.pointed !== part;
    if (isElsewhere && !this.acts()) return this.await(part);
    // The part may grow later, above the part under the pointer.
    if (isElsewhere) this.asked = part;
    this.show(part);
  }

  revealHeld(part: HTMLElement): void {
    this.correct();
    this.remember();
    const focused = this.focused();
    const isFree = part === this.asked || (!this.isPointed() && (focused === null || focused === part));
    if (this.explicit === part && isFree) {
      // The part may be placed below runs that are still in progress.
      this.bring(part, LEAST_VISIBLE, true);
    }
  }

  show(part: HTMLElement): void {
    this.bring(part, part.getBoundingClientRect().height, false);
  }

  /**
   * Brings this height of a part into view, if there is room, with as much as possible of the parts above it, which are
   * newer or still running. Does nothing for a visible part unless `anyway`.
   */
  private bring(part: HTMLElement, height: number, anyway: boolean): void {
    const { view } = this;
    this.correct();
    this.setAbove(0);
    const top = this.place(part);
    const room = view.clientHeight - Math.min(ABOVE, view.clientHeight / 4);
    const below = top + Math.min(Math.max(height, LEAST_VISIBLE), room) - view.clientHeight;
    if (anyway || top < 0 || below > 0) view.scrollTop = Math.max(0, view.scrollTop + below);
    // This scroll is not the user's.
    this.scrolled = view.scrollTop;
    this.held = null;
    this.hold(part);
  }

  close(): void {
    this.observer.disconnect();
    this.listening.abort();
  }

  /** Notes where the user acts. An action in a menu counts as one in the place where the menu was opened. */
  private readonly onAct = (event: Event): void => {
    const { target } = event;
    this.asked = null;
    if (event instanceof MouseEvent) this.pointer = { x: event.clientX, y: event.clientY };
    if (target instanceof Element && target.closest("[role=menu]")) {
      if (this.actedAt > Number.NEGATIVE_INFINITY) this.actedAt = performance.now();
      return;
    }
    const isHere = target instanceof Node && this.view.contains(target);
    this.actedAt = isHere ? performance.now() : Number.NEGATIVE_INFINITY;
  };

  private readonly onScroll = (): void => {
    this.correct();
    this.remember();
  };

  private readonly onPointer = (event: PointerEvent): void => {
    if (!(event.target instanceof Node && this.view.contains(event.target))) {
      if (this.pointed !== null || this.awaited !== null) this.onLeave();
      return;
    }
    const { clientX: x, clientY: y } = event;
    if (Math.abs(x - this.pointer.x) > STILL || Math.abs(y - this.pointer.y) > STILL) this.asked = null;
    this.pointer = { x, y };
    // The parts may have moved under a resting pointer. After the correction, the pointer is over the same part again.
    this.correct();
    this.pointed = this.partOf(document.elementFromPoint(x, y));
    this.remember();
  };

  private readonly onLeave = (): void => {
    this.correct();
    [this.pointed, this.asked] = [null, null];
    this.settle();
    if (this.awaited?.isConnected === true) this.reveal(this.awaited);
    else this.await(null);
  };

  // A part that is moved in the document loses the focus, and gets it back with its scroll position, without the user.
  private readonly onFocus = ({ target }: FocusEvent): void => {
    if (target === this.focusTarget) return;
    this.focusTarget = target;
    this.correct();
    this.remember();
  };

  private readonly onBlur = (event: FocusEvent): void => {
    if (this.partOf(event.relatedTarget) !== null) return;
    queueMicrotask(() => {
      if (this.listening.signal.aborted || this.focused() !== null) return;
      this.focusTarget = null;
      this.correct();
      this.settle();
    });
  };

  /** Scrolls back to the newest run once no part has to stay in place. */
  private settle(): void {
    if (this.kept() === null && this.lifted > 0) {
      if (Math.abs(this.view.scrollTop - this.lifted) < 1) this.view.scrollTop = 0;
      this.lifted = 0;
    }
    if (!this.isPointed()) this.setAbove(0);
    this.remember();
  }

  /** True if the user has just acted in the view, and so expects a change. */
  private acts(): boolean {
    return performance.now() - this.actedAt < ACT_MS;
  }

  private isPointed(): boolean {
    return this.pointed?.isConnected === true;
  }

  private await(part: HTMLElement | null): void {
    if (part === this.awaited) return;
    this.awaited = part;
    this.onAwaited(part);
  }

  private focused(): HTMLElement | null {
    return this.partOf(document.activeElement);
  }

  /** Part that stays in place even at the very top. */
  private kept(): HTMLElement | null {
    const parts = [this.asked, this.pointed, this.explicit, this.focused()];
    return parts.find((part) => part?.isConnected === true) ?? null;
  }

  /**
   * Notes the held part and its position. Call `correct` first, or a part that has moved would stay in its new place.
   */
  private remember(): void {
    const { view } = this;
    this.held = this.kept() ?? this.firstVisible();
    if (this.held) {
      this.position = this.place(this.held) + view.scrollTop;
      this.height = this.held.getBoundingClientRect().height;
    }
    this.scrolled = Math.max(0, Math.min(view.scrollTop, this.end()));
    if (this.room > 0) this.setRoom(Math.min(this.room, this.roomFor(view.scrollTop)));
  }

  /** Moves the held part back if the parts have moved, but follows the user's own scrolling. */
  private correct(): void {
    const { view, held } = this;
    // Shorter content limits the scroll position, without the user.
    const from = this.scrolled - this.end() >= 1 ? this.scrolled : view.scrollTop;
    if (Math.abs(from - this.scrolled) >= 1) {
      [this.explicit, this.asked] = [null, null];
      this.await(null);
    }
    if (held?.isConnected !== true || (held !== this.kept() && view.scrollTop <= 0)) return;
    const begin = this.place(held) + view.scrollTop;
    const inPlace = from + begin - this.position;
    const isLost = this.isLost(held, begin, inPlace);
    // No part of it stays visible in its place, so its beginning is shown.
    const wanted = isLost ? begin : inPlace;
    if (isLost && held === this.pointed) this.pointed = null;
    if (Math.abs(wanted - view.scrollTop) < 1) return;
    if (Math.abs(from - this.lifted) < 1) this.lifted = Math.max(0, wanted);
    const isPointed = held === this.pointed;
    if (isPointed || isLost || held === this.focused()) this.setRoom(Math.max(this.room, this.roomFor(wanted)));
    view.scrollTop = wanted;
    // The scroll position cannot be negative, so room is added above, before anything is scrolled.
    if (isPointed && wanted < 0 && !this.acts()) this.above = this.pad(this.above - wanted);
    else if (wanted > 0) this.setAbove(Math.max(0, this.above - wanted));
  }

  /**
   * True if the held part has become so short that it would hardly stay visible, such as an answered form. A part that
   * the user had scrolled out of view does not count.
   */
  private isLost(held: HTMLElement, begin: number, scrollTop: number): boolean {
    const { height } = held.getBoundingClientRect();
    const gone = this.height - height;
    const left = begin + height - scrollTop;
    return scrollTop > begin && left + gone > 0 && left < Math.min(gone, LEAST_VISIBLE);
  }

  /** Changes the room above, and keeps everything in place as far as possible. */
  private setAbove(room: number): void {
    if (room === this.above) return;
    const by = room - this.above;
    const { view } = this;
    const { scrollTop } = view;
    this.above = this.pad(room);
    view.scrollTop = Math.max(0, scrollTop + by);
    this.scrolled = view.scrollTop;
    this.position += by;
  }

  private pad(room: number): number {
    this.inside.style.marginTop = room === 0 ? "" : `${room}px`;
    return room;
  }

  /** Largest scroll position, in px. */
  private end(): number {
    return this.view.scrollHeight - this.view.clientHeight;
  }

  /** Room below that this scroll position needs, in px. */
  private roomFor(scrollTop: number): number {
    const { view } = this;
    if (scrollTop <= 0) return 0;
    const last = view.lastElementChild;
    const end = last ? last.getBoundingClientRect().bottom - view.getBoundingClientRect().top + view.scrollTop : 0;
    return Math.max(0, scrollTop + view.clientHeight - end);
  }

  private setRoom(room: number): void {
    if (room === this.room) return;
    this.room = room;
    this.view.style.paddingBottom = room === 0 ? "" : `${room}px`;
  }

  private place(part: HTMLElement): number {
    return part.getBoundingClientRect().top - this.view.getBoundingClientRect().top;
  }

  private partOf(target: EventTarget | null): HTMLElement | null {
    return target instanceof Element && this.inside.contains(target)
      ? target.closest<HTMLElement>(`[${ANCHOR}]`)
      : null;
  }

  private firstVisible(): HTMLElement | null {
    const top = this.view.getBoundingClientRect().top;
    for (const part of this.inside.querySelectorAll<HTMLElement>(`[${ANCHOR}]`)) {
      if (part.getBoundingClientRect().bottom > top + 4) return part;
    }
    return null;
  }
}
