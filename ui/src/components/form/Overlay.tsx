import { useLayoutEffect, useRef, type ReactNode } from "react";

import { cx } from "../../lib/cx";
import { listen } from "../../lib/listen";
import styles from "./Field.module.css";

/** Distance from the field and from the edge of the pane, in pixels. */
const GAP = 2;
const LEAST_HEIGHT = 120;

/** Floats over the form below a field, or above it if there is more room. Nothing in the form moves. */
export function Overlay({ field, children }: { readonly field: string; readonly children: ReactNode }): ReactNode {
  const overlay = useRef<HTMLDivElement>(null);
  // Repeated with each rendering, as the content may have another height.
  useLayoutEffect(() => {
    const element = overlay.current;
    const input = document.getElementById(field);
    if (!element || !input) return undefined;
    const place = (): void => placeAt(element, input);
    place();
    return listen(window, { scroll: place, resize: place }, { capture: true, passive: true });
  });
  return (
    // Pressing the overlay must not take the focus from the field, which would close the overlay first.
    <div ref={overlay} className={styles.overlay} onMouseDown={(event) => event.preventDefault()}>
      {children}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly selected: boolean;
  /** The option is highlighted by the keyboard. */
  readonly active: boolean;
  readonly onPick: () => void;
  readonly children: ReactNode;
}

/** An option in a field's overlay. */
export function Option({ id, selected, active, onPick, children }: OptionProps): ReactNode {
  return (
    <li
      id={id}
      role="option"
      aria-selected={selected}
      className={cx(styles.option, active && "onSelected")}
      ref={active ? reveal : undefined}
      onClick={onPick}
    >
      {children}
    </li>
  );
}

function reveal(element: HTMLElement | null): void {
  element?.scrollIntoView?.({ block: "nearest" });
}

function placeAt(element: HTMLElement, input: HTMLElement): void {
  const at = input.getBoundingClientRect();
  const pane = element.closest("section, main, [role=dialog]")?.getBoundingClientRect();
  const top = Math.max(0, pane?.top ?? 0);
  const bottom = Math.min(window.innerHeight, pane?.bottom ?? window.innerHeight);
  const { style } = element;
  style.maxHeight = "";
  style.width = `${at.width}px`;
  style.left = style.top = "0px";
  // Origin of fixed positions: the window, or a container.
  const origin = element.getBoundingClientRect();
  const below = bottom - at.bottom - 2 * GAP;
  const above = at.top - top - 2 * GAP;
  const isBelow = below >= Math.min(origin.height, LEAST_HEIGHT) || below >= above;
  const height = Math.min(origin.height, Math.max(0, isBelow ? below : above));
  style.maxHeight = `${height}px`;
  style.left = `${at.left - origin.left}px`;
  style.top = `${(isBelow ? at.bottom + GAP : at.top - GAP - height) - origin.top}px`;
}
