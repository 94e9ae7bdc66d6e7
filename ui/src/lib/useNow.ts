import { useEffect, useState } from "react";

/**
 * The current time in milliseconds since the Unix epoch, read again every `everyMs` while
 * `active`. For elapsed and remaining times only: what happened when is the host's to say.
 */
export function useNow(everyMs: number, active = true): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!active) return;
    const read = (): void => setNow(Date.now());
    read();
    const timer = setInterval(read, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, active]);
  return now;
}
