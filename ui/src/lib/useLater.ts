import { useEffect, useState } from "react";

/** Returns a value as it was, until a frame is painted: what is drawn from it does not delay what the user does. */
export function useLater<T>(value: T): T {
  const [shown, setShown] = useState(() => value);
  // oxlint-disable-next-line react/set-state-in-effect
  useEffect(() => setShown(() => value), [value]);
  return shown;
}
