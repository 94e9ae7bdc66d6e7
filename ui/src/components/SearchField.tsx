import { Search, X } from "lucide-react";
import type { KeyboardEvent, Ref } from "react";

import styles from "./SearchField.module.css";
import { IconButton } from "./Button";

export interface SearchFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  /** Count of hits, for example "12 of 340"; announced to assistive technology. */
  hits?: string | undefined;
  /** The list that arrow keys move in, and the id of its active element. */
  combobox?: { readonly list: string; readonly active: string | undefined };
  inputRef?: Ref<HTMLInputElement>;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
}

export function SearchField(props: SearchFieldProps) {
  const { label, value, onChange, placeholder, hits, combobox, inputRef, onKeyDown } = props;
  return (
    <div className={styles.field}>
      <Search size={14} aria-hidden className="rigid muted" />
      <input
        ref={inputRef}
        className={styles.input}
        type="text"
        role={combobox ? "combobox" : "searchbox"}
        {...(combobox && {
          "aria-expanded": true,
          "aria-autocomplete": "list" as const,
          "aria-controls": combobox.list,
          "aria-activedescendant": combobox.active,
        })}
        aria-label={label}
        placeholder={placeholder ?? label}
        value={value}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && value !== "") {
            event.stopPropagation();
            onChange("");
          } else {
            onKeyDown?.(event);
          }
        }}
      />
      <span className={styles.hits} role="status">
        {hits}
      </span>
      {value !== "" && (
        <IconButton
          label="Clear"
          icon={X}
          small
          onClick={({ currentTarget }) => {
            // The button disappears with the text.
            currentTarget.parentElement?.querySelector("input")?.focus();
            onChange("");
          }}
        />
      )}
    </div>
  );
}
