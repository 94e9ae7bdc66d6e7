import { useEffect, useState } from "react";

import { onNextFrame } from "./frames";

/** Returns the previous value until a frame is painted, so that drawing the new one does not delay input. */
export function useLater<T>(value: T): T {
  const [shown, setShown] = useState(() => value);
  useEffect(() => {
    if (shown === value) return undefined;
    let cancel = onNextFrame(() => {
      cancel = onNextFrame(() => setShown(() => value));
    });
    return () => cancel();
  }, [shown, value]);
  return shown;
}
