import { useEffect, useState } from "react";

import { useReadState } from "../state/hooks";

/**
 * Gives the focus back to what had it before this component appeared, once it is gone, unless something
 * else has taken the focus by then or is to take it.
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
      // What comes in its place has its own chance first: its effects run before this.
      queueMicrotask(giveBack);
    },
    [read, before],
  );
}
