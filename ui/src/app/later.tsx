import { lazy, Suspense, useState, type ComponentType, type ReactNode } from "react";

import { track } from "../lib/underWay";

const ahead: (() => Promise<unknown>)[] = [];

/**
 * A component whose code comes later. Once it has come it is drawn at once, as any other; before, its place stays empty
 * for the moment that it takes. With `isAhead`, its code is fetched before it is needed.
 */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
  isAhead = true,
): (props: P) => ReactNode {
  let ready: ComponentType<P> | null = null;
  const fetched = async (): Promise<ComponentType<P>> => (ready = await track(load()));
  if (isAhead) ahead.push(fetched);
  const Lazy = lazy(async () => ({ default: await fetched() }));
  return function Part(props: P): ReactNode {
    const [Component] = useState<ComponentType<P>>(() => ready ?? Lazy);
    return (
      <Suspense fallback={null}>
        <Component {...props} />
      </Suspense>
    );
  };
}

/** Fetches the parts ahead, while nothing else happens. */
export function preloadParts(): void {
  // A part that fails here is fetched again, and the failure shown, when it is needed.
  for (const fetch of ahead) fetch().catch(() => undefined);
}
