import { useEffect } from "react";

import { Markdown } from "../components/markdown/Markdown";
import { Connecting } from "../features/servers/ConnectionView";
import { ItemTab } from "./TabPane";

/** Code that users of a server are likely to need next, in this order. */
const AHEAD = [Connecting.fetch, ItemTab.fetch, Markdown.fetch];

/** Resolves when the page is idle; in web views without idle callbacks, after a moment. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    (window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 500)))(() => resolve());
  });

/** Loads code ahead of time, one part at a time while the page is idle, once `isOn`. */
export function useAhead(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    void (async () => {
      for (const fetch of AHEAD) {
        await idle();
        await fetch();
      }
    })();
  }, [isOn]);
}
