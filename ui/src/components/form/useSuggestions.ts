import { useEffect, useRef, useState } from "react";

import { toBackendError } from "../../ipc/backend";
import { useSuggestionSource, type Suggestions } from "./suggestions";

/** Milliseconds after the last keystroke before the server is asked. */
export const SUGGEST_DELAY = 250;

export type SuggestionState =
  | { readonly state: "closed" }
  | { readonly state: "asking" }
  | { readonly state: "found"; readonly found: Suggestions }
  | { readonly state: "failed"; readonly message: string };

const closed: SuggestionState = { state: "closed" };

/**
 * Suggestions for one field, requested a moment after typing. Further typing cancels the pending request; overtaken
 * answers are ignored.
 */
export function useSuggestions(name: string) {
  const source = useSuggestionSource();
  const [shown, setShown] = useState<SuggestionState>(closed);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const asked = useRef(0);
  const waits = useRef(false);

  const stop = (): void => {
    clearTimeout(timer.current);
    asked.current += 1;
    if (waits.current) source?.cancel();
    waits.current = false;
  };
  const ask = async (typed: string): Promise<void> => {
    if (!source) return;
    const mine = ++asked.current;
    waits.current = true;
    // Found suggestions stay until they are replaced, so that nothing jumps while typing.
    setShown((before) => (before.state === "found" ? before : { state: "asking" }));
    const answer = await source.ask(name, typed).then(
      (found): SuggestionState => (found === null ? closed : { state: "found", found }),
      (thrown: unknown): SuggestionState => ({ state: "failed", message: toBackendError(thrown).message }),
    );
    if (mine !== asked.current) return;
    waits.current = false;
    setShown(answer);
  };
  const latestStop = useRef(stop);
  useEffect(() => {
    latestStop.current = stop;
  });
  useEffect(() => () => latestStop.current(), []);

  return {
    /** The form has a source of suggestions. */
    offered: source !== null,
    shown,
    /** Handles typing. */
    typed: (text: string): void => {
      if (!source) return;
      stop();
      timer.current = setTimeout(() => void ask(text), SUGGEST_DELAY);
    },
    /** Asks at once, on a key press. */
    now: (text: string): void => {
      // The new request replaces a pending one by itself.
      clearTimeout(timer.current);
      void ask(text);
    },
    close: (): void => {
      stop();
      setShown(closed);
    },
  };
}
