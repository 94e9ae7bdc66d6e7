import { useEffect, useRef, useState } from "react";

import { toBackendError } from "../../ipc/backend";
import { useSuggestionSource, type Suggestions } from "./suggestions";

/** Silence after the last keystroke before the server is asked, in milliseconds. */
export const SUGGEST_DELAY = 250;

export type SuggestionState =
  | { readonly state: "closed" }
  | { readonly state: "asking" }
  | { readonly state: "found"; readonly found: Suggestions }
  | { readonly state: "failed"; readonly message: string };

const closed: SuggestionState = { state: "closed" };

/**
 * The suggestions for one field, asked for a moment after the typing. What was asked before is
 * cancelled as soon as typing goes on; an answer that was overtaken is ignored.
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
    // What was found stays until there is something else: nothing jumps while one types.
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
    /** Something was typed. */
    typed: (text: string): void => {
      if (!source) return;
      stop();
      timer.current = setTimeout(() => void ask(text), SUGGEST_DELAY);
    },
    /** Asks at once, as a key demands. */
    now: (text: string): void => {
      // The new question takes the place of an open one by itself.
      clearTimeout(timer.current);
      void ask(text);
    },
    close: (): void => {
      stop();
      setShown(closed);
    },
  };
}
