import { useState, useSyncExternalStore, type ComponentType, type ReactNode } from "react";

import { fontsThere } from "../lib/fonts";
import { track } from "../lib/underWay";

/** Code that is fetched when it is first needed. */
export interface Code {
  /** Fetches it ahead. */
  readonly fetch: () => Promise<void>;
  /** Fetches it, and calls back when it is there. */
  readonly subscribe: (changed: () => void) => () => void;
  /** True once it is there, or cannot be had. */
  readonly isThere: () => boolean;
}

/** A component whose place is empty until its code is there. */
export type Later<P extends object> = ((props: P) => ReactNode) & Code;

/** Makes a component of code that comes later. Without `Suspense`, which shows what has come up to 300 ms later. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): Later<P> {
  let outcome: { readonly Component: ComponentType<P> } | { readonly thrown: unknown } | null = null;
  let coming: Promise<void> | null = null;
  const begin = async (): Promise<void> => {
    try {
      // Its texts are measured.
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

/** Fetches code, and returns true once it is there. */
export function useIsThere({ subscribe, isThere }: Pick<Code, "subscribe" | "isThere">): boolean {
  return useSyncExternalStore(subscribe, isThere, isThere);
}

/** Code that the page starts with. */
const HERE: Pick<Code, "subscribe" | "isThere"> = { subscribe: () => () => undefined, isThere: () => true };

/**
 * Returns the value once the code that shows it is there; until then the value before, so that its content stays. The
 * first value is returned at once.
 */
export function useHeld<T>(value: T, code: Pick<Code, "subscribe" | "isThere"> = HERE): T {
  const [held, setHeld] = useState<T>(() => value);
  const there = useIsThere(code);
  if (there && held !== value) setHeld(() => value);
  return there ? value : held;
}
