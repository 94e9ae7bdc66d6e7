import { createContext, useContext } from "react";

/** What is suggested for a field. */
export interface Suggestions {
  /** Best first. */
  readonly values: readonly string[];
  /** How many there are in all, where that is known. */
  readonly total: number | null;
  /** There are more than are here. */
  readonly hasMore: boolean;
}

/** Where the text fields of a form get suggestions from. */
export interface SuggestionSource {
  /**
   * Asks for values of a field with what was typed; `null` where another question took its place. Fails with
   * an error whose message is a sentence.
   */
  readonly ask: (name: string, typed: string) => Promise<Suggestions | null>;
  /** Nobody waits for the answer any more. */
  readonly cancel: () => void;
}

/** The source of a form; `null` where there are no suggestions. */
export const SuggestionContext = createContext<SuggestionSource | null>(null);

export function useSuggestionSource(): SuggestionSource | null {
  return useContext(SuggestionContext);
}
