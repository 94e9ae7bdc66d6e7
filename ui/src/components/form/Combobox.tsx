import { ChevronDown } from "lucide-react";
import { useState, type KeyboardEvent } from "react";
import { cx } from "../../lib/cx";
import { wordsOf } from "../../lib/matching";
import inputs from "../Field.module.css";
import { Option, Overlay } from "./Overlay";
import styles from "./Field.module.css";

/** Limit of options shown at once, besides the selected one; typing narrows them. */
const MOST_SHOWN = 100;

interface ComboboxProps {
  readonly id: string;
  readonly labels: readonly string[];
  /** The first label stands for no value; a search leaves it out. */
  readonly hasUnset: boolean;
  /** Position of the selected label; -1 for none. */
  readonly selected: number;
  /** Text of the closed field. */
  readonly shown: string;
  readonly placeholder: string;
  readonly labelledBy: string;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
  readonly onPick: (index: number) => void;
}

/** A searchable menu for long lists. Its list opens over the form. */
export function Combobox(props: ComboboxProps) {
  const { id, labels, selected, shown, placeholder, onPick } = props;
  const [query, setQuery] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const open = query !== null;
  const searching = open && wordsOf(query).length > 0;
  const found = (open ? matches(labels, query) : []).filter((index) => index > 0 || !props.hasUnset || !searching);
  const visible = found.filter((index, row) => row < MOST_SHOWN || index === selected);

  const close = (): void => setQuery(null);
  const pick = (index: number | undefined): void => {
    if (index !== undefined) onPick(index);
    close();
  };
  const search = (text: string): void => {
    setQuery(text);
    setActive(wordsOf(text).length > 0 ? 0 : Math.min(selected, MOST_SHOWN));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (!open) search("");
      else setActive(Math.max(0, Math.min(visible.length - 1, active + (event.key === "ArrowDown" ? 1 : -1))));
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      pick(visible[active]);
    } else if (event.key === "Escape" && open) {
      event.stopPropagation();
      close();
    }
  };

  return (
    <div className={styles.combobox}>
      <input
        id={id}
        role="combobox"
        className={cx(inputs.input, styles.select, props.invalid && inputs.invalid)}
        value={query ?? shown}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        aria-expanded={open}
        aria-controls={open ? `${id}-list` : undefined}
        aria-autocomplete="list"
        aria-activedescendant={open && visible[active] !== undefined ? `${id}-option-${active}` : undefined}
        aria-labelledby={props.labelledBy}
        aria-describedby={props.describedBy}
        aria-invalid={props.invalid || undefined}
        onChange={(event) => search(event.target.value)}
        onFocus={(event) => event.target.select()}
        onClick={() => {
          if (!open) search("");
        }}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <ChevronDown size={14} aria-hidden className={styles.comboboxIcon} />
      {open && (
        <Overlay field={id}>
          <ul id={`${id}-list`} role="listbox" aria-labelledby={props.labelledBy} className={styles.options}>
            {visible.map((index, row) => (
              <Option
                key={index}
                id={`${id}-option-${row}`}
                selected={index === selected}
                active={row === active}
                onPick={() => pick(index)}
              >
                {labels[index]}
              </Option>
            ))}
            {visible.length === 0 && (
              <li role="option" aria-selected={false} aria-disabled className={styles.option}>
                Nothing matches “{query}”
              </li>
            )}
          </ul>
          {found.length > visible.length && (
            <p className={styles.overlayNote}>
              {visible.length} of {found.length} shown; type to find the others.
            </p>
          )}
        </Overlay>
      )}
    </div>
  );
}

/** Returns the positions of the labels that contain every word of the query. */
export function matches(labels: readonly string[], query: string): number[] {
  const words = wordsOf(query);
  return labels.flatMap((label, index) => {
    const text = label.toLowerCase();
    return words.every((word) => text.includes(word)) ? [index] : [];
  });
}
