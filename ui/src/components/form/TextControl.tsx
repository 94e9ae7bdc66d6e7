import { Eye, EyeOff, Rows3 } from "lucide-react";
import { useState, type ClipboardEvent } from "react";
import { removeField, setText } from "../../schema/actions";
import { settled, type JsonNode } from "../../schema/node";
import type { TextPlan } from "../../schema/plan";
import { cx } from "../../lib/cx";
import { commitThen } from "../../lib/focus";
import { useForm, type ControlProps } from "./context";
import { formatHelp, soundsLong } from "./formats";
import { absentWords } from "./fieldWords";
import { SmallButton } from "./Actions";
import { SuggestionList } from "./SuggestionList";
import { useSuggestionSource } from "./suggestions";
import { useCombobox } from "./useCombobox";
import inputs from "../Field.module.css";
import styles from "./Field.module.css";

const MOST_ROWS = 16;

export function TextControl({ plan, ...field }: ControlProps & { readonly plan: TextPlan }) {
  const { apply, plain: plainWords } = useForm();
  const { value, path, order, name, id } = field;
  const text = textOf(value);
  const help = formatHelp(plan.format);
  const [enlarged, setEnlarged] = useState<boolean | null>(null);
  const [revealed, setRevealed] = useState(false);
  const lastStep = path.steps.at(-1);
  const isMember = typeof lastStep === "string";
  const plain = help === undefined && !plan.secret;
  // Suggestions need a one-line input.
  const suggests = useSuggestionSource() !== null && isMember && path.steps.length === 1;
  // A one-line input would silently drop line breaks.
  const long = text.includes("\n") || (enlarged ?? (plain && (plan.multiline || (!suggests && soundsLong(name)))));
  // Users of plain forms mean no value by an empty text.
  const type = (typed: string) =>
    apply((doc) =>
      plainWords && typed === "" && isMember ? removeField(doc, path.steps) : setText(doc, path.steps, typed, order),
    );

  const box = useCombobox({
    name: isMember ? lastStep : name,
    id,
    text,
    onChange: type,
    enabled: suggests && plain && !long,
  });

  const shared = {
    id,
    value: text,
    placeholder: placeholder(field, plainWords, help?.example),
    spellCheck: false,
    autoComplete: "off",
    autoCapitalize: "off",
    "aria-labelledby": field.labelledBy,
    "aria-describedby": field.describedBy,
    "aria-invalid": field.invalid || undefined,
    "aria-required": field.required || undefined,
  } as const;

  /** Keeps line breaks that are pasted into a one-line input; a trailing one is dropped from a secret. */
  const paste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const lines = event.clipboardData.getData("text").replace(/\r\n?/g, "\n");
    const pasted = plan.secret ? lines.replace(/\n$/, "") : lines;
    if (!pasted.includes("\n")) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    const from = selectionStart ?? text.length;
    const next = text.slice(0, from) + pasted + text.slice(selectionEnd ?? from);
    commitThen(
      () => type(next),
      () => {
        const area = document.getElementById(id);
        if (!(area instanceof HTMLTextAreaElement)) return;
        area.focus();
        area.setSelectionRange(from + pasted.length, from + pasted.length);
      },
    );
  };

  const control = (
    <div className={styles.controlRow}>
      {long ? (
        <textarea
          {...shared}
          className={cx(
            inputs.input,
            styles.area,
            plan.secret && !revealed && text !== "" && inputs.masked,
            field.invalid && inputs.invalid,
          )}
          rows={Math.max(3, Math.min(MOST_ROWS, text.split("\n").length))}
          // Stays while it has the focus, also without its line breaks.
          onFocus={() => setEnlarged(true)}
          onBlur={plain ? undefined : () => setEnlarged(null)}
          onChange={(event) => type(event.target.value)}
        />
      ) : (
        <input
          {...shared}
          type={plan.secret && !revealed ? "password" : "text"}
          inputMode={help?.inputMode}
          className={cx(inputs.input, field.invalid && inputs.invalid)}
          onChange={(event) => box.typed(event.target.value)}
          onPaste={paste}
          {...box.input}
        />
      )}
      {help?.fill && (
        <SmallButton label={`${help.fill.label}: fill in ${name}`} onClick={() => help.fill && type(help.fill.make())}>
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
          data-tip={long ? "One line" : "Multiple lines"}
          onClick={() => setEnlarged(!long)}
        >
          <Rows3 size={14} aria-hidden />
        </button>
      )}
    </div>
  );
  if (box.list === null) return control;
  return (
    <>
      {control}
      <SuggestionList {...box.list} labelledBy={field.labelledBy} />
    </>
  );
}

function textOf(value: JsonNode | undefined): string {
  const node = value && settled(value);
  return node?.kind === "string" ? node.value : "";
}

/** Returns the placeholder of an empty input, as an absent value and an empty text look alike. */
export function placeholder(field: Pick<ControlProps, "value" | "required">, plain: boolean, example?: string): string {
  if (plain) return example === undefined ? "" : `For example ${example}`;
  if (field.value !== undefined) return "Empty string";
  const state = absentWords(field.required, false);
  return example === undefined ? state : `${state} · ${example}`;
}
