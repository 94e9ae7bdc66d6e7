import { useState, type ComponentProps, type KeyboardEvent } from "react";

import type { SuggestionListProps } from "./SuggestionList";
import { useSuggestions } from "./useSuggestions";

interface ComboboxParts {
  /** Name of the field in the source of suggestions. */
  readonly name: string;
  /** Id of the input. */
  readonly id: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Handles a picked suggestion; by default the suggestion becomes the text. */
  readonly onPick?: (value: string) => void;
  /** The field can have suggestions. */
  readonly enabled: boolean;
}

interface Combobox {
  /** Additional props of the input. */
  readonly input: Pick<
    ComponentProps<"input">,
    "role" | "aria-autocomplete" | "aria-expanded" | "aria-controls" | "aria-activedescendant" | "onKeyDown" | "onBlur"
  >;
  /** Handles typing in the input. */
  readonly typed: (text: string) => void;
  /** Props of the list below the input; `null` without suggestions. */
  readonly list: Omit<SuggestionListProps, "labelledBy"> | null;
}

const NO_VALUES: readonly string[] = [];

/** Adds suggestions below a text input. Without a source it is a plain input. */
export function useCombobox({ name, id, text, onChange, onPick = onChange, enabled }: ComboboxParts): Combobox {
  const suggestions = useSuggestions(name);
  const [active, setActive] = useState(-1);
  const { shown } = suggestions;
  const values = shown.state === "found" ? shown.found.values : NO_VALUES;
  if (!enabled || !suggestions.offered) return { input: {}, typed: onChange, list: null };

  const pick = (value: string): void => {
    onPick(value);
    setActive(-1);
    suggestions.close();
  };
  /** Arrows move through the suggestions, Enter picks, Esc closes; Tab moves on as usual. */
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    const open = shown.state !== "closed";
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (values.length === 0) suggestions.now(text);
      else if (event.key === "ArrowDown") setActive(Math.min(values.length - 1, active + 1));
      else setActive(Math.max(-1, active - 1));
    } else if (event.key === "Enter" && open) {
      const value = values[active];
      if (value === undefined) return;
      event.preventDefault();
      pick(value);
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      event.stopPropagation();
      setActive(-1);
      suggestions.close();
    }
  };
  const listed = values.length > 0;
  return {
    input: {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": listed,
      "aria-controls": listed ? `${id}-list` : undefined,
      "aria-activedescendant": listed && active >= 0 ? `${id}-option-${active}` : undefined,
      onKeyDown,
      onBlur: () => {
        setActive(-1);
        suggestions.close();
      },
    },
    typed: (typed) => {
      onChange(typed);
      setActive(-1);
      suggestions.typed(typed);
    },
    list: shown.state === "closed" ? null : { id, shown, active, onPick: pick },
  };
}
