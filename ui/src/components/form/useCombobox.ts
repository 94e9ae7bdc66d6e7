import { useState, type ComponentProps, type KeyboardEvent } from "react";

import type { SuggestionListProps } from "./SuggestionList";
import { useSuggestions } from "./useSuggestions";

interface ComboboxParts {
  /** What the source of suggestions calls the field. */
  readonly name: string;
  /** The id of its input. */
  readonly id: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** A suggestion was picked; without it the value becomes the text. */
  readonly onPick?: (value: string) => void;
  /** It is a field that values can be suggested for. */
  readonly enabled: boolean;
}

interface Combobox {
  /** What the input has beside its own. */
  readonly input: Pick<
    ComponentProps<"input">,
    "role" | "aria-autocomplete" | "aria-expanded" | "aria-controls" | "aria-activedescendant" | "onKeyDown" | "onBlur"
  >;
  /** Something was typed into the input. */
  readonly typed: (text: string) => void;
  /** What stands below it; `null` where nothing is suggested. */
  readonly list: Omit<SuggestionListProps, "labelledBy"> | null;
}

const NO_VALUES: readonly string[] = [];

/** A text input with suggestions below it. Where there is no source of suggestions it is an input as any other. */
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
  /** Arrows go through what is suggested, Enter picks, Esc closes; Tab goes on, as ever. */
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
