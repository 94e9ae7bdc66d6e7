import { shallow } from "zustand/shallow";

import {
  clampVirtual,
  positionFor,
  scrollScale,
  toPhysical,
  toVirtual,
  visibleRange,
  wheelPixels,
  type Align,
  type ScrollScale,
} from "./scaledScroll";

/** Rows to render and their geometry. Immutable. */
export interface RowWindowSnapshot {
  /** First row to render. */
  readonly from: number;
  /** One past the last. */
  readonly to: number;
  /** Position of the first rendered row in the layer, in px. */
  readonly top: number;
  /** Height of the layer, in px. */
  readonly height: number;
  /** The last row is visible. */
  readonly atEnd: boolean;
  /** First row that is entirely visible. */
  readonly firstVisible: number;
  /** Number of rows that fit. */
  readonly fit: number;
  /**
   * At least the number of rows ever rendered at once: with `index % slots` as the key, a far jump reuses the existing
   * elements.
   */
  readonly slots: number;
}

/** Marks the element inside the scroller that is as high as all rows, up to the limit. */
const LAYER = "data-row-layer";

const EMPTY: RowWindowSnapshot = { from: 0, to: 0, top: 0, height: 0, atEnd: true, firstVisible: 0, fit: 0, slots: 1 };
const STEP = 8;

/**
 * Scroll state of one virtual list with rows of equal height.
 *
 * The class listens to the scroller itself and publishes only when other rows must be rendered: scrolling within the
 * rendered rows costs nothing.
 */
export class RowWindow {
  readonly #rowHeight: number;
  readonly #overscan: number;
  readonly #inset: number;
  readonly #listeners = new Set<() => void>();
  #element: HTMLElement | null = null;
  #scale: ScrollScale;
  #virtualTop = 0;
  #physicalTop = 0;
  #expected = -1;
  #snapshot: RowWindowSnapshot = EMPTY;
  #wheeling = false;
  readonly #userListeners = new Set<(atEnd: boolean) => void>();

  /** @param inset Height of the sticky header inside the scroller, which covers rows, in px. */
  constructor(rowHeight: number, overscan = 8, inset = 0) {
    this.#rowHeight = rowHeight;
    this.#inset = inset;
    this.#overscan = overscan;
    this.#scale = scrollScale(0, rowHeight, 0);
  }

  snapshot = (): RowWindowSnapshot => this.#snapshot;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Subscribes to scrolling by the user, without scrolling by `scrollTo` and similar calls. */
  subscribeUserScroll = (listener: (atEnd: boolean) => void): (() => void) => {
    this.#userListeners.add(listener);
    return () => this.#userListeners.delete(listener);
  };

  /** A ref callback for the scroller. */
  attach = (element: HTMLElement | null): (() => void) | undefined => {
    if (!element) return undefined;
    this.#element = element;
    const resized = new ResizeObserver(() => this.#measure());
    resized.observe(element);
    element.addEventListener("scroll", this.#scrolled, { passive: true });
    this.#rescale(this.#scale.rows, this.#visible(element));
    return () => {
      resized.disconnect();
      element.removeEventListener("scroll", this.#scrolled);
      element.removeEventListener("wheel", this.#wheeled);
      this.#wheeling = false;
      this.#element = null;
    };
  };

  setRows(rows: number): void {
    if (rows === this.#scale.rows) return;
    this.#rescale(rows, this.#scale.viewport);
  }

  get virtualTop(): number {
    return this.#virtualTop;
  }

  /** Scrolls to a position, in px from the first row. */
  scrollTo(virtualTop: number): void {
    const top = clampVirtual(this.#scale, virtualTop);
    this.#virtualTop = top;
    const element = this.#element;
    if (element) {
      element.scrollTop = toPhysical(this.#scale, top);
      this.#physicalTop = element.scrollTop;
      this.#expected = this.#physicalTop;
      if (!this.#scale.scaled) this.#virtualTop = clampVirtual(this.#scale, this.#physicalTop);
    }
    this.#publish();
  }

  scrollToRow(row: number, align: Align = "nearest"): void {
    const target = positionFor(this.#scale, this.#virtualTop, row, align);
    if (target !== this.#virtualTop) this.scrollTo(target);
  }

  scrollToEnd(): void {
    this.scrollTo(this.#scale.virtualHeight);
  }

  #rescale(rows: number, viewport: number): void {
    this.#scale = scrollScale(rows, this.#rowHeight, viewport);
    const element = this.#element;
    if (element) {
      // The browser only accepts positions within the layer, which is rendered again later.
      const layer = element.querySelector<HTMLElement>(`[${LAYER}]`);
      if (layer) layer.style.height = `${this.#scale.physicalHeight}px`;
      if (this.#scale.scaled !== this.#wheeling) {
        this.#wheeling = this.#scale.scaled;
        if (this.#wheeling) element.addEventListener("wheel", this.#wheeled, { passive: false });
        else element.removeEventListener("wheel", this.#wheeled);
      }
    }
    const clamped = clampVirtual(this.#scale, this.#virtualTop);
    if (this.#scale.scaled || clamped !== this.#virtualTop) this.scrollTo(clamped);
    else this.#publish();
  }

  #measure(): void {
    const viewport = this.#element ? this.#visible(this.#element) : 0;
    if (viewport !== this.#scale.viewport) this.#rescale(this.#scale.rows, viewport);
  }

  #visible(element: HTMLElement): number {
    return Math.max(0, element.clientHeight - this.#inset);
  }

  #scrolled = (): void => {
    const element = this.#element;
    if (!element) return;
    const physical = element.scrollTop;
    if (Math.abs(physical - this.#expected) < 1) {
      this.#expected = -1;
      return;
    }
    this.#expected = -1;
    if (physical === this.#physicalTop) return; // sideways
    this.#physicalTop = physical;
    this.#virtualTop = toVirtual(this.#scale, physical);
    this.#publish();
    this.#tellUser();
  };

  /** Handles the wheel, only while scaled: a notch must not jump by thousands of rows. */
  #wheeled = (event: WheelEvent): void => {
    if (event.ctrlKey || event.deltaY === 0) return;
    const distance = wheelPixels(event.deltaY, event.deltaMode, this.#rowHeight, this.#scale.viewport);
    const before = this.#virtualTop;
    const target = clampVirtual(this.#scale, before + distance);
    if (target === before) return; // let the page around scroll on
    event.preventDefault();
    this.scrollTo(target);
    this.#tellUser();
  };

  #tellUser(): void {
    for (const listener of this.#userListeners) listener(this.#snapshot.atEnd);
  }

  #publish(): void {
    const scale = this.#scale;
    const range = visibleRange(scale, this.#virtualTop, this.#overscan, STEP);
    const start = range.from * scale.rowHeight;
    const next: RowWindowSnapshot = {
      from: range.from,
      to: range.to,
      top: scale.scaled ? Math.round(this.#physicalTop + start - this.#virtualTop) : start,
      height: scale.physicalHeight,
      atEnd: this.#virtualTop + scale.viewport >= scale.virtualHeight - scale.rowHeight / 2,
      firstVisible: Math.min(Math.max(0, scale.rows - 1), Math.ceil(this.#virtualTop / scale.rowHeight)),
      fit: Math.max(1, Math.floor(scale.viewport / scale.rowHeight)),
      slots: Math.ceil(scale.viewport / scale.rowHeight) + 1 + 2 * (this.#overscan + STEP),
    };
    // Rendering does not depend on the exact position of the first row.
    const last = { ...this.#snapshot, firstVisible: next.firstVisible };
    if (shallow(last, next)) {
      this.#snapshot = last;
      return;
    }
    this.#snapshot = next;
    for (const listener of this.#listeners) listener();
  }
}
