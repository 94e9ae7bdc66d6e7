import { restartField, setRaw } from "../../schema/actions";
import { isBlank } from "../../schema/node";
import { parseJson } from "../../schema/parse";
import { printNode } from "../../schema/print";
import { cx } from "../../lib/cx";
import { SmallButton } from "./Actions";
import { useForm, type ControlProps } from "./context";
import inputs from "../Field.module.css";
import styles from "./Field.module.css";

const MOST_ROWS = 20;
/** Length above which text is edited in the JSON view, which has virtual lines. */
const LONGEST_TEXT = 200_000;

interface JsonControlProps extends ControlProps {
  readonly reason: string | null;
  /** Offers to replace the value by one that its field can show. */
  readonly restart?: boolean;
}

/** Edits a node as JSON text, with the reason why it has no field. */
export function JsonControl({ reason, restart = false, ...field }: JsonControlProps) {
  const { apply, applyThenFocus } = useForm();
  const { value, path, order, id } = field;
  const text = value === undefined ? "" : printNode(value);
  // An empty member is left out until something is typed.
  const absent = value === undefined || (isBlank(value) && typeof path.steps.at(-1) === "string");
  const parsed = value?.kind === "raw" && !value.parsed && !absent ? parseJson(value.text) : null;
  const wrong = parsed && !parsed.ok ? parsed.problem : null;
  const described = [reason === null ? undefined : `${id}-why`, field.describedBy, wrong ? `${id}-syntax` : undefined]
    .filter(Boolean)
    .join(" ");
  return (
    <>
      {reason !== null && (
        <p id={`${id}-why`} className={styles.note}>
          {reason}{" "}
          {restart && (
            <SmallButton
              label={`Reset ${field.name}`}
              onClick={() =>
                applyThenFocus(
                  [path.id],
                  (doc) => restartField(doc, path.steps, field.schema),
                  `${field.name} replaced`,
                )
              }
            >
              start over
            </SmallButton>
          )}
        </p>
      )}
      {text.length > LONGEST_TEXT ? (
        <p className={styles.note}>This value is too large to edit here; the JSON view shows all of it.</p>
      ) : (
        <textarea
          id={id}
          className={cx(
            inputs.input,
            styles.area,
            "monoFont monoSize",
            (field.invalid || wrong !== null) && inputs.invalid,
          )}
          rows={Math.max(1, Math.min(MOST_ROWS, text.split("\n").length))}
          value={text}
          placeholder={absent ? "Left out · any JSON" : 'JSON, for example "text", 12 or {"a": 1}'}
          spellCheck={false}
          autoComplete="off"
          aria-labelledby={field.labelledBy}
          aria-describedby={described === "" ? undefined : described}
          aria-invalid={field.invalid || wrong !== null || undefined}
          onChange={(event) => {
            const typed = event.target.value;
            apply((doc) => setRaw(doc, path.steps, typed, order));
          }}
        />
      )}
      {wrong && (
        <p id={`${id}-syntax`} className="bad small">
          Not JSON yet (line {wrong.line}, column {wrong.column}): {wrong.message}.
        </p>
      )}
    </>
  );
}
