import { Eye, EyeOff, Rows3 } from "lucide-react";
import { useState, type ClipboardEvent, type KeyboardEvent } from "react";
import { removeField, setText } from "../../schema/actions";
import { settled, type JsonNode } from "../../schema/node";
import type { TextPlan } from "../../schema/plan";
import { cx } from "../../lib/cx";
import { useForm, type ControlProps } from "./context";
import { formatHelp, soundsLong } from "./formats";
import { absentWords } from "./words";
import { SmallButton } from "./Actions";
import { SuggestionList } from "./SuggestionList";
import { useSuggestions } from "./useSuggestions";
import inputs from "../Field.module.css";
import styles from "./Field.module.css";

const MOST_ROWS = 16;

export function TextControl({ plan, ...field }: ControlProps & { readonly plan: TextPlan }) {
  const { apply, disabled, plain: plainWords } = useForm();
  const { value, path, order, name, id } = field;
  const text = textOf(value);
  const help = formatHelp(plan.format);
  const [enlarged, setEnlarged] = useState<boolean | null>(null);
  const [revealed, setRevealed] = useState(false);
  const lastStep = path.steps.at(-1);
  const suggestions = useSuggestions(typeof lastStep === "string" ? lastStep : name);
  const [active, setActive] = useState(-1);
  const values = suggestions.shown.state === "found" ? suggestions.shown.found.values : NO_VALUES;
  const plain = help === undefined && !plan.secret;
  // A line break cannot be shown by a one-line input: it would drop it without a word.
  const long = text.includes("\n") || (plain && (enlarged ?? (plan.multiline || soundsLong(name))));
  const isMember = typeof lastStep === "string";
  // Who does not know the difference between no text and an empty one means the first.
  const type = (typed: string) =>
    apply((doc) =>
      plainWords && typed === "" && isMember ? removeField(doc, path.steps) : setText(doc, path.steps, typed, order),
    );

  const suggests = suggestions.offered && isMember && path.steps.length === 1 && plain && !long;
  const typed = (words: string): void => {
    type(words);
    setActive(-1);
    if (suggests) suggestions.typed(words);
  };
  const pick = (value: string): void => {
    type(value);
    setActive(-1);
    suggestions.close();
  };
  /** Arrows go through what is suggested, Enter picks, Esc closes; Tab goes on, as ever. */
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return;
    const open = suggestions.shown.state !== "closed";
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
  const listed = suggests && values.length > 0;
  const combobox = suggests
    ? ({
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
      } as const)
    : {};

  const shared = {
    id,
    value: text,
    disabled,
    placeholder: placeholder(field, plainWords, help?.example),
    spellCheck: false,
    autoComplete: "off",
    autoCapitalize: "off",
    "aria-labelledby": field.labelledBy,
    "aria-describedby": field.describedBy,
    "aria-invalid": field.invalid || undefined,
    "aria-required": field.required || undefined,
  } as const;

  /** Pasting several lines into one line keeps them. */
  const paste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const pasted = event.clipboardData.getData("text");
    if (!pasted.includes("\n")) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    const from = selectionStart ?? text.length;
    type(text.slice(0, from) + pasted.replace(/\r\n?/g, "\n") + text.slice(selectionEnd ?? from));
  };

  const control = (
    <div className={styles.controlRow}>
      {long ? (
        <textarea
          {...shared}
          className={cx(inputs.input, styles.area, field.invalid && inputs.invalid)}
          rows={Math.max(3, Math.min(MOST_ROWS, text.split("\n").length))}
          onChange={(event) => type(event.target.value)}
        />
      ) : (
        <input
          {...shared}
          type={plan.secret && !revealed ? "password" : "text"}
          inputMode={help?.inputMode}
          className={cx(inputs.input, field.invalid && inputs.invalid)}
          onChange={(event) => typed(event.target.value)}
          onPaste={paste}
          {...combobox}
        />
      )}
      {help?.fill && (
        <SmallButton
          label={`${help.fill.label}: fill in ${name}`}
          disabled={disabled}
          onClick={() => help.fill && type(help.fill.make())}
        >
          {help.fill.label}
        </SmallButton>
      )}
      {plan.secret && (
        <button
          type="button"
          className={cx(styles.action, styles.iconOnly)}
          aria-label={revealed ? `Hide ${name}` : `Show ${name}`}
          onClick={() => setRevealed(!revealed)}
        >
          {revealed ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
        </button>
      )}
      {plain && !plainWords && !text.includes("\n") && (
        <button
          type="button"
          className={cx(styles.action, styles.iconOnly)}
          aria-label={`Multiple lines for ${name}`}
          aria-pressed={long}
          title={long ? "One line" : "Multiple lines"}
          onClick={() => setEnlarged(!long)}
        >
          <Rows3 size={14} aria-hidden />
        </button>
      )}
    </div>
  );
  if (!suggests) return control;
  return (
    <>
      {control}
      {suggestions.shown.state !== "closed" && (
        <SuggestionList id={id} labelledBy={field.labelledBy} shown={suggestions.shown} active={active} onPick={pick} />
      )}
    </>
  );
}

const NO_VALUES: readonly string[] = [];

function textOf(value: JsonNode | undefined): string {
  const node = value && settled(value);
  return node?.kind === "string" ? node.value : "";
}

/** Says what an empty input stands for, since left out and empty text look alike. */
export function placeholder(field: Pick<ControlProps, "value" | "required">, plain: boolean, example?: string): string {
  if (plain) return example === undefined ? "" : `For example ${example}`;
  if (field.value !== undefined) return "Empty string";
  const state = absentWords(field.required, false);
  return example === undefined ? state : `${state} · ${example}`;
}
