import { configure, fireEvent, getQueriesForElement, type BoundFunctions, type queries } from "@testing-library/dom";
import { act as settle } from "preact/test-utils";
import { createElement, Fragment, type ComponentType, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";

export * from "@testing-library/dom";

/** Makes a change, renders what follows from it, and runs the effects. Returns what the change returns. */
export function act<T>(change: () => T): T {
  let result!: T;
  const settled = settle(() => {
    result = change();
    return result instanceof Promise ? result : undefined;
  });
  return result instanceof Promise ? (settled.then(() => result) as T) : result;
}

// Each event is followed by what it changes.
configure({ eventWrapper: act });

/** Types a value into a field, or chooses it in a menu. */
export function fill(field: Element, value: string): void {
  fireEvent[field instanceof HTMLSelectElement ? "change" : "input"](field, { target: { value } });
}

export interface RenderResult extends BoundFunctions<typeof queries> {
  readonly container: HTMLElement;
  readonly rerender: (part: ReactNode) => void;
  readonly unmount: () => void;
}

interface RenderOptions {
  readonly container?: HTMLElement;
  readonly wrapper?: ComponentType<{ readonly children: ReactNode }>;
}

const mounted = new Map<HTMLElement, Root>();

/** Renders a part of the window into the document. Queries of the result search all of it. */
export function render(part: ReactNode, options: RenderOptions = {}): RenderResult {
  const container = options.container ?? document.body.appendChild(document.createElement("div"));
  const root = mounted.get(container) ?? createRoot(container);
  mounted.set(container, root);
  const rerender = (next: ReactNode): void =>
    act(() => root.render(createElement(options.wrapper ?? Fragment, null, next)));
  rerender(part);
  return {
    ...getQueriesForElement(document.body),
    container,
    rerender,
    unmount: () => act(() => root.unmount()),
  };
}

/** Takes everything rendered out of the document. */
export function cleanup(): void {
  for (const [container, root] of mounted) {
    act(() => root.unmount());
    container.remove();
  }
  mounted.clear();
}
