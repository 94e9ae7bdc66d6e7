import { useLayoutEffect, useRef, type ReactNode } from "react";

import { cx } from "../../lib/cx";
import { listen } from "../../lib/listen";
import styles from "./Field.module.css";

/** Between the field and what is over the form, and to the edge of the pane, in pixels. */
const GAP = 2;
const LEAST_HEIGHT = 120;

/**
 * Floats over the form at the lower edge of a field, or at its upper edge where there is more room. Nothing in the
 * form moves for it.
 */
export function Overlay({ field, children }: { readonly field: string; readonly children: ReactNode }): ReactNode {
  const overlay = useRef<HTMLDivElement>(null);
  // Again with each rendering, as there may be more or less in it.
  useLayoutEffect(() => {
    const element = overlay.current;
    const input = document.getElementById(field);
    if (!element || !input) return undefined;
    const place = (): void => placeAt(element, input);
    place();
    return listen(window, { scroll: place, resize: place }, { capture: true, passive: true });
  });
  return (
    // It must not take the focus from the field, or leaving that would close it first.
    <div ref={overlay} className={styles.overlay} onMouseDown={(event) => event.preventDefault()}>
      {children}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly selected: boolean;
  /** The keys are at it. */
  readonly active: boolean;
  readonly onPick: () => void;
  readonly children: ReactNode;
}

/** One of the values that a field offers in an overlay. */
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
  // Where it is fixed to: the window, or a container around it.
  const origin = element.getBoundingClientRect();
  const below = bottom - at.bottom - 2 * GAP;
  const above = at.top - top - 2 * GAP;
  const isBelow = below >= Math.min(origin.height, LEAST_HEIGHT) || below >= above;
  const height = Math.min(origin.height, Math.max(0, isBelow ? below : above));
  style.maxHeight = `${height}px`;
  style.left = `${at.left - origin.left}px`;
  style.top = `${(isBelow ? at.bottom + GAP : at.top - GAP - height) - origin.top}px`;
}
