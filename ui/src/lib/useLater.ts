import { useEffect, useState } from "react";

import { onNextFrame } from "./frames";

/** Returns a value as it was, until a frame is painted: what is drawn from it does not delay what the user does. */
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
