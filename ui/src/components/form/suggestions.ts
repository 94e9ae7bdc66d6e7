import { createContext, useContext } from "react";

export interface Suggestions {
  /** Best first. */
  readonly values: readonly string[];
  /** Number of all values, if known. */
  readonly total: number | null;
  /** More values exist than are listed here. */
  readonly hasMore: boolean;
}

/** Source of suggestions for the text fields of a form. */
export interface SuggestionSource {
  /**
   * Requests values for a field from its text so far; `null` if a newer request replaced this one. Rejects with an
   * error whose message is a sentence.
   */
  readonly ask: (name: string, typed: string) => Promise<Suggestions | null>;
  /** Drops the pending request. */
  readonly cancel: () => void;
}

/** Source of suggestions of a form; `null` without suggestions. */
export const SuggestionContext = createContext<SuggestionSource | null>(null);

export function useSuggestionSource(): SuggestionSource | null {
  return useContext(SuggestionContext);
}
