import { useEffect } from "react";

import { stateWord } from "../components/SessionState";
import { presentationTitle } from "../state/typedPresentations";
import { visibleText } from "../lib/visible";
import { useAppState, useSelectedServer } from "../state/hooks";
import { healthOf } from "../state/live";

/** Shows the selected server and its state, or the running presentation, in the window's title. */
export function useTitle(): void {
  const server = useSelectedServer();
  const title = useAppState((state) => {
    const { giving } = state.view;
    const given = state.live.presentations.find(({ id }) => id === giving?.presentation);
    if (giving) return given ? `${presentationTitle(given.title)} - Sonde` : "Sonde";
    const view = server === null ? undefined : state.live.servers[server];
    return view
      ? `${visibleText(view.config.name)} (${stateWord(state.live.sessions[view.id], healthOf(state.live, view.id))}) - Sonde`
      : "Sonde";
  });
  useEffect(() => {
    document.title = title;
  }, [title]);
}
