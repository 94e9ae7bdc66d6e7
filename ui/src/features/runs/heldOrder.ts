import { createContext, useContext, useLayoutEffect } from "react";

/** Has the runs that are there keep their order, and answers what lets them go. */
export type HoldOrder = () => () => void;

export const HoldOrderContext = createContext<HoldOrder>(() => () => undefined);

/**
 * Has the runs keep their order while this is shown. A frame that is moved in the document loads its page again, so a run
 * with an app must not get another place as it ends, or as another is pinned.
 */
export function useHeldOrder(): void {
  const hold = useContext(HoldOrderContext);
  useLayoutEffect(() => hold(), [hold]);
}
