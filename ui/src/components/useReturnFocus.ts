import { useEffect, useState } from "react";

import { useReadState } from "../state/hooks";

/**
 * Returns the focus to the element that had it before this component appeared, once the component is gone, unless
 * something else has taken or requested the focus.
 */
export function useReturnFocus(): void {
  const read = useReadState();
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const giveBack = (): void => {
        const isFree = document.activeElement === document.body && read().view.focus === null;
        if (isFree && before instanceof HTMLElement && before.isConnected) before.focus();
      };
      // The replacement's effects run first, so that it can take the focus.
      queueMicrotask(giveBack);
    },
    [read, before],
  );
}
