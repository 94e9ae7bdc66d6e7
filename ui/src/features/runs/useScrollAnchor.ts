import { useLayoutEffect, useRef, type RefObject } from "react";

/** Marks the parts that can be held in place. */
export const ANCHOR = "data-anchor";

export interface ScrollAnchor {
  /** Holds this part where it is now, until the user scrolls. */
  hold(part: HTMLElement): void;
  /**
   * Brings this part into view and holds it. Where the pointer is on another part and the user did something elsewhere, as
   * with a key in the form, it comes into view once the pointer has left.
   */
  reveal(part: HTMLElement): void;
  /** The same for a part that has changed, unless the user has scrolled since it is held, or points at something or is at work elsewhere in here. */
  revealHeld(part: HTMLElement): void;
  /** The same at once, as the user asks for it. */
  show(part: HTMLElement): void;
}

/** So much of a part comes into view at least, where there is room: its head, and what of its result is read first. In pixels. */
const LEAST_VISIBLE = 240;
/** What is left above a part that is as high as what is visible, in pixels: its neighbours can be told. */
const ABOVE = 76;

/**
 * Keeps what the user is looking at where it is while parts above it appear, grow or go.
 *
 * The part that is held is the one that the user asked for while the pointer stays where it is, else the one under it, else the one that was held explicitly, else the one with the focus, else
 * the first one that is visible. The last is not held at the very top: there new things may push the rest down, as the
 * user is looking at the newest.
 *
 * What becomes so short that hardly anything of it would be left in view is shown from its beginning.
 *
 * What is too short to be scrolled gets room below it meanwhile, and what cannot be scrolled up any further room above it. What was
 * scrolled from the very top is there again once the pointer or the focus has left.
 *
 * `onAwaited` is told which part comes into view later.
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

/** What a user does, be it here or elsewhere. */
const ACTS = ["pointerdown", "keydown"] as const;
/** What happens so soon after that is taken to be due to it, in milliseconds. */
const ACT_MS = 1000;
/** A pointer that is no further from where it was has not moved, in pixels: what is under it may have. */
const STILL = 3;

/** Holds one part of what is scrolled in its place. */
class Anchor implements ScrollAnchor {
  private readonly view: HTMLElement;
  private readonly inside: HTMLElement;
  private readonly onAwaited: (part: HTMLElement | null) => void;
  private readonly observer: ResizeObserver;
  /** The part under the pointer. */
  private pointed: HTMLElement | null = null;
  private explicit: HTMLElement | null = null;
  /** What the user asked for with the pointer on another part, where it still is. */
  private asked: HTMLElement | null = null;
  /** Where the pointer was last. */
  private pointer = { x: 0, y: 0 };
  /** What comes into view once the pointer has left. */
  private awaited: HTMLElement | null = null;
  /** When the user did something in here last, with nothing done elsewhere since. */
  private actedAt = Number.NEGATIVE_INFINITY;
  /** What has the focus in here. */
  private focusTarget: EventTarget | null = null;
  private closed = false;
  /** What is held, and where in what is scrolled it was. */
  private held: HTMLElement | null = null;
  private position = 0;
  /** How high it was then. */
  private height = 0;
  /** How far was scrolled then. */
  private scrolled = 0;
  /** How far was scrolled from the very top to hold something. */
  private lifted = 0;
  /** Room below, so that there is enough to scroll. */
  private room = 0;
  /** Room above, where something would have to be scrolled to before the beginning. */
  private above = 0;

  constructor(view: HTMLElement, inside: HTMLElement, onAwaited: (part: HTMLElement | null) => void) {
    this.view = view;
    this.inside = inside;
    this.onAwaited = onAwaited;
    // Runs after layout and before painting, so that a correction is never seen.
    this.observer = new ResizeObserver(() => {
      this.correct();
      this.remember();
    });
    this.observer.observe(inside);
    view.addEventListener("scroll", this.onScroll, { passive: true });
    // WebKit tells nobody that the pointer has left if what was under it is gone from the page.
    document.addEventListener("pointerover", this.onPointer, { passive: true });
    view.addEventListener("pointerleave", this.onLeave, { passive: true });
    inside.addEventListener("focusin", this.onFocus);
    inside.addEventListener("focusout", this.onBlur);
    for (const act of ACTS) document.addEventListener(act, this.onAct, { capture: true, passive: true });
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
    // What was under the pointer may just have become so short that the pointer is on it no more.
    this.correct();
    this.remember();
    const isElsewhere = this.isPointed() && this.pointed !== part;
    if (isElsewhere && !this.acts()) return this.await(part);
    // It may grow as it goes on, above what the pointer is on.
    if (isElsewhere) this.asked = part;
    this.show(part);
  }

  revealHeld(part: HTMLElement): void {
    this.correct();
    this.remember();
    const focused = this.focused();
    const isFree = part === this.asked || (!this.isPointed() && (focused === null || focused === part));
    if (this.explicit === part && isFree) {
      // It may stand below what still runs now.
      this.bring(part, LEAST_VISIBLE, true);
    }
  }

  show(part: HTMLElement): void {
    this.bring(part, part.getBoundingClientRect().height, false);
  }

  /**
   * Brings so much of a part into view, where there is room, with as much as can be of what is above it: that is what is
   * newer, or still runs. Where the part is in view already, that is done only if `anyway`.
   */
  private bring(part: HTMLElement, height: number, anyway: boolean): void {
    const { view } = this;
    this.correct();
    this.setAbove(0);
    const top = this.place(part);
    const room = view.clientHeight - Math.min(ABOVE, view.clientHeight / 4);
    const below = top + Math.min(Math.max(height, LEAST_VISIBLE), room) - view.clientHeight;
    if (anyway || top < 0 || below > 0) view.scrollTop = Math.max(0, view.scrollTop + below);
    // That was no user.
    this.scrolled = view.scrollTop;
    this.held = null;
    this.hold(part);
  }

  close(): void {
    this.closed = true;
    this.observer.disconnect();
    this.view.removeEventListener("scroll", this.onScroll);
    document.removeEventListener("pointerover", this.onPointer);
    this.view.removeEventListener("pointerleave", this.onLeave);
    this.inside.removeEventListener("focusin", this.onFocus);
    this.inside.removeEventListener("focusout", this.onBlur);
    for (const act of ACTS) document.removeEventListener(act, this.onAct, { capture: true });
  }

  /** What was done in a menu is done where it was opened. */
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
    // The parts may have moved and not the pointer. Then it is over what it was over, once they are back.
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

  // A part that is moved in the page loses the focus, and has it back together with the place that was scrolled to: no user
  // did that.
  private readonly onFocus = ({ target }: FocusEvent): void => {
    if (target === this.focusTarget) return;
    this.focusTarget = target;
    this.correct();
    this.remember();
  };

  private readonly onBlur = (event: FocusEvent): void => {
    if (this.partOf(event.relatedTarget) !== null) return;
    queueMicrotask(() => {
      if (this.closed || this.focused() !== null) return;
      this.focusTarget = null;
      this.correct();
      this.settle();
    });
  };

  /** When nothing has to stay in its place any more, the newest is at the top again. */
  private settle(): void {
    if (this.kept() === null && this.lifted > 0) {
      if (Math.abs(this.view.scrollTop - this.lifted) < 1) this.view.scrollTop = 0;
      this.lifted = 0;
    }
    if (!this.isPointed()) this.setAbove(0);
    this.remember();
  }

  /** Who acts in here expects something to move. */
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

  /** What stays in its place even at the very top. */
  private kept(): HTMLElement | null {
    const parts = [this.asked, this.pointed, this.explicit, this.focused()];
    return parts.find((part) => part?.isConnected === true) ?? null;
  }

  /** Takes note of what is held now. What has moved before has to be corrected first, or it would stay where it went. */
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

  /** Brings what is held back to its place if the parts have moved, and lets it move as far as the user has scrolled. */
  private correct(): void {
    const { view, held } = this;
    // What became shorter is scrolled less far, which no user did.
    const from = this.scrolled - this.end() >= 1 ? this.scrolled : view.scrollTop;
    if (Math.abs(from - this.scrolled) >= 1) {
      [this.explicit, this.asked] = [null, null];
      this.await(null);
    }
    if (held?.isConnected !== true || (held !== this.kept() && view.scrollTop <= 0)) return;
    const begin = this.place(held) + view.scrollTop;
    const inPlace = from + begin - this.position;
    const isLost = this.isLost(held, begin, inPlace);
    // Nothing of it is left in its place, neither for the eye nor for the pointer: its beginning is shown.
    const wanted = isLost ? begin : inPlace;
    if (isLost && held === this.pointed) this.pointed = null;
    if (Math.abs(wanted - view.scrollTop) < 1) return;
    if (Math.abs(from - this.lifted) < 1) this.lifted = Math.max(0, wanted);
    const isPointed = held === this.pointed;
    if (isPointed || isLost || held === this.focused()) this.setRoom(Math.max(this.room, this.roomFor(wanted)));
    view.scrollTop = wanted;
    // Before the beginning there is nothing to scroll to; and what is there for that goes before anything is scrolled.
    if (isPointed && wanted < 0 && !this.acts()) this.above = this.pad(this.above - wanted);
    else if (wanted > 0) this.setAbove(Math.max(0, this.above - wanted));
  }

  /**
   * Whether what is held has become so short that hardly anything of it would be left in view, as a form that was answered.
   * What the user has scrolled out of view before is not meant.
   */
  private isLost(held: HTMLElement, begin: number, scrollTop: number): boolean {
    const { height } = held.getBoundingClientRect();
    const gone = this.height - height;
    const left = begin + height - scrollTop;
    return scrollTop > begin && left + gone > 0 && left < Math.min(gone, LEAST_VISIBLE);
  }

  /** Changes the room above, with everything in its place as far as that can be. */
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

  /** How far can be scrolled. */
  private end(): number {
    return this.view.scrollHeight - this.view.clientHeight;
  }

  /** The room below without which it cannot be scrolled so far. */
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
