import { lazy, Suspense, useState, type ComponentType, type ReactNode } from "react";

import { track } from "../lib/underWay";

/** A part of the window that is not needed to show the first server. */
export interface Later<P extends object> {
  (props: P): ReactNode;
  /** Fetches its code, so that it is there when it is asked for. */
  preload(): void;
}

/**
 * A component whose code comes later. Once it has come it is drawn at once, as any other; before,
 * its place stays empty for the moment that it takes.
 */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): Later<P> {
  let ready: ComponentType<P> | null = null;
  const fetched = async (): Promise<ComponentType<P>> => (ready = await track(load()));
  const Lazy = lazy(async () => ({ default: await fetched() }));
  function Part(props: P): ReactNode {
    const [Component] = useState<ComponentType<P>>(() => ready ?? Lazy);
    return (
      <Suspense fallback={null}>
        <Component {...props} />
      </Suspense>
    );
  }
  return Object.assign(Part, {
    preload(): void {
      // What fails here is fetched again, and then said, when it is needed.
      fetched().catch(() => undefined);
    },
  });
}
