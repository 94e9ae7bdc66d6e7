import { useEffect } from "react";

import type { ServerId } from "../ipc/bindings";
import { issueActions } from "./actions/issues";
import { useActions, useSliceValue } from "./hooks";
import { issuesSlice } from "./slices/issues";

/** Number of mounted components by the key of the subject that they show. */
const placesShown = new Map<string, number>();

/**
 * Returns the place of an issue in its subject, as a JSON Pointer, after the user followed the issue there. The place
 * is forgotten once no component shows the subject.
 */
export function useIssuePlace(server: ServerId, subject: string): string | null {
  const actions = useActions();
  useEffect(() => {
    const key = `${server} ${subject}`;
    placesShown.set(key, (placesShown.get(key) ?? 0) + 1);
    return () => {
      placesShown.set(key, (placesShown.get(key) ?? 0) - 1);
      // A component that is only replaced is mounted again by then.
      queueMicrotask(() => {
        if ((placesShown.get(key) ?? 0) > 0) return;
        placesShown.delete(key);
        actions.get(issueActions).leaveIssuePlace(server, subject);
      });
    };
  }, [actions, server, subject]);
  return useSliceValue(server, issuesSlice, ({ place }) => (place?.subject === subject ? place.pointer : null));
}
