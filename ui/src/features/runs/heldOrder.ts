import { createContext, useContext, useLayoutEffect } from "react";

/** Freezes the order of the current runs; returns a function that releases it. */
export type HoldOrder = () => () => void;

export const HoldOrderContext = createContext<HoldOrder>(() => () => undefined);

/**
 * Freezes the order of the runs while the component is mounted. A frame that is moved in the document loads its page
 * again, so a run with an app must not move when it ends or another run is pinned.
 */
export function useHeldOrder(): void {
  const hold = useContext(HoldOrderContext);
  useLayoutEffect(() => hold(), [hold]);
}
