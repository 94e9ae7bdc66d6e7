import { useState, useSyncExternalStore, type ComponentType, type ReactNode } from "react";

import { fontsThere } from "../lib/fonts";
import { track } from "../lib/underWay";

/** Code that is loaded when it is first needed. */
export interface Code {
  /** Loads the code ahead of time. */
  readonly fetch: () => Promise<void>;
  /** Loads the code, and calls back once it is loaded. */
  readonly subscribe: (changed: () => void) => () => void;
  /** True once the code is loaded, or loading has failed. */
  readonly isThere: () => boolean;
}

/** A component that renders nothing until its code is loaded. */
export type Later<P extends object> = ((props: P) => ReactNode) & Code;

/**
 * Makes a component of code that is loaded later. Avoids `Suspense`, which reveals loaded content up to 300 ms late.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): Later<P> {
  let outcome: { readonly Component: ComponentType<P> } | { readonly thrown: unknown } | null = null;
  let coming: Promise<void> | null = null;
  const begin = async (): Promise<void> => {
    try {
      // Waits for the fonts too, as its texts are measured.
      const [Component] = await Promise.all([load(), fontsThere()]);
      outcome = { Component };
    } catch (thrown) {
      outcome = { thrown };
    }
  };
  const fetch = (): Promise<void> => (coming ??= track(begin()));
  const subscribe = (changed: () => void): (() => void) => {
    if (outcome === null) void fetch().then(changed);
    return () => undefined;
  };
  function Part(props: P): ReactNode {
    const now = useSyncExternalStore(subscribe, () => outcome);
    if (now === null) return null;
    if ("thrown" in now) throw now.thrown;
    return <now.Component {...props} />;
  }
  return Object.assign(Part, { fetch, subscribe, isThere: () => outcome !== null });
}

/** Loads code, and returns true once it is loaded. */
export function useIsThere({ subscribe, isThere }: Pick<Code, "subscribe" | "isThere">): boolean {
  return useSyncExternalStore(subscribe, isThere, isThere);
}

/** Code that is part of the initial page. */
const HERE: Pick<Code, "subscribe" | "isThere"> = { subscribe: () => () => undefined, isThere: () => true };

/**
 * Returns the value once the code that shows it is loaded; until then the previous value, so that its content stays.
 * The first value is returned at once.
 */
export function useHeld<T>(value: T, code: Pick<Code, "subscribe" | "isThere"> = HERE): T {
  const [held, setHeld] = useState<T>(() => value);
  const there = useIsThere(code);
  if (there && held !== value) setHeld(() => value);
  return there ? value : held;
}
