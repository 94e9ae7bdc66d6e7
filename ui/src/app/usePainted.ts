import { useLayoutEffect, useState } from "react";

import { track } from "../lib/underWay";
import { nextFrame } from "../state/subscription";

/** Returns true once the first snapshot was painted, and marks that moment for measurements of the start. */
export function usePainted(ready: boolean): boolean {
  const [isPainted, setPainted] = useState(false);
  useLayoutEffect(() => {
    if (!ready) return;
    performance.mark("rendered");
    const painted = new Promise<void>((resolve) => nextFrame(() => setTimeout(resolve, 0)));
    void track(
      painted.then(() => {
        performance.mark("interactive");
        setPainted(true);
      }),
    );
  }, [ready]);
  return isPainted;
}
