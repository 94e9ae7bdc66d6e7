import { useEffect } from "react";

/** Marks the moment after the first snapshot was painted, for whoever measures the start. */
export function useInteractiveMark(ready: boolean): void {
  useEffect(() => {
    if (!ready) return;
    const frame = requestAnimationFrame(() => setTimeout(() => performance.mark("interactive"), 0));
    return () => cancelAnimationFrame(frame);
  }, [ready]);
}
