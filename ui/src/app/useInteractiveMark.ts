import { useEffect } from "react";

import { onNextFrame } from "../lib/frames";

/** Marks the moment after the first snapshot was painted, for whoever measures the start. */
export function useInteractiveMark(ready: boolean): void {
  useEffect(() => {
    if (!ready) return undefined;
    return onNextFrame(() => setTimeout(() => performance.mark("interactive"), 0));
  }, [ready]);
}
