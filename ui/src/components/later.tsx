import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from "react";

import { fontsThere } from "../lib/fonts";
import { track } from "../lib/underWay";

/** A component whose code is fetched when it is first needed. Until it is there, its place is empty. */
export interface Later<P extends object> {
  (props: P): ReactNode;
  /** Fetches the code ahead. */
  readonly fetch: () => Promise<unknown>;
  readonly isThere: () => boolean;
}

export function later<P extends object>(load: () => Promise<ComponentType<P>>): Later<P> {
  let ready: ComponentType<P> | null = null;
  let coming: Promise<ComponentType<P>> | null = null;
  const begin = async (): Promise<ComponentType<P>> => {
    try {
      // Their texts are measured.
      const [component] = await track(Promise.all([load(), fontsThere()]));
      return (ready = component);
    } catch (thrown) {
      coming = null;
      throw thrown;
    }
  };
  const fetch = (): Promise<ComponentType<P>> => (coming ??= begin());
  const Lazy = lazy(async () => ({ default: await fetch() }));
  function Part(props: P): ReactNode {
    const [Component] = useState<ComponentType<P>>(() => ready ?? Lazy);
    return (
      <Suspense fallback={null}>
        <Component {...props} />
      </Suspense>
    );
  }
  return Object.assign(Part, { fetch, isThere: () => ready !== null });
}

/**
 * Returns the value once the code that shows it is there; until then the value before, so that its content stays. The
 * first value is returned at once.
 */
export function useHeld<T>(value: T, part: Pick<Later<never>, "fetch" | "isThere"> | undefined): T {
  const [held, setHeld] = useState<T>(() => value);
  const isThere = part === undefined || part.isThere();
  if (isThere && held !== value) setHeld(() => value);
  useEffect(() => {
    if (isThere) return undefined;
    let isCurrent = true;
    const show = (): void => {
      if (isCurrent) setHeld(() => value);
    };
    // A failure is shown in place of the content.
    part.fetch().then(show, show);
    return () => {
      isCurrent = false;
    };
  }, [part, value, isThere]);
  return isThere ? value : held;
}
