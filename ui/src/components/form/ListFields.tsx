import { Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { addItem, moveItem } from "../../schema/actions";
import { settled } from "../../schema/node";
import type { ListPlan } from "../../schema/plan";
import { FIELD, commitThen } from "../../lib/focus";
import { Button } from "../Button";
import { useForm, type ControlProps, type ItemPlace } from "./context";
import { problemsHere } from "../../schema/problems";
import { focusField } from "./problemFocus";
import { Problems } from "./Problems";
import styles from "./Field.module.css";

const PAGE = 50;

/** The items of a list or tuple, each a numbered field. */
export function ListFields({ plan, ...field }: ControlProps & { readonly plan: ListPlan }) {
  const { Field, apply, plain } = useForm();
  const { value, path, name, problems, level } = field;
  const [shown, setShown] = useState(PAGE);
  const moved = useRef<string | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const node = value && settled(value);

  // Moving a row moves its element, which removes the focus from its button.
  useEffect(() => {
    if (moved.current === null) return;
    const button = list.current?.querySelector<HTMLButtonElement>(
      `:scope > li > * > [role="toolbar"] > [data-mark="${moved.current}"]`,
    );
    // At the end of the list the button is disabled; focus its neighbour in the same row.
    (button?.disabled === true ? otherEnabled(button) : button)?.focus();
    moved.current = null;
  });

  if (node?.kind !== "array") return null;
  const { items } = node;
  const next = plan.prefix[items.length] ?? plan.rest;
  const move = (from: number, to: number, mark: string): void => {
    apply((doc) => moveItem(doc, path.steps, from, to));
    moved.current = mark;
  };
  return (
    <div className={styles.list}>
      <Problems problems={problemsHere(problems, value)} />
      {items.length > 0 && (
        <ol ref={list} className="stack gap8 noBullets">
          {items.slice(0, shown).map((item, index) => {
            const schema = plan.prefix[index] ?? plan.rest;
            const place: ItemPlace = { id: item.id, index, last: items.length - 1, move, adder: path.adder };
            return (
              <li key={item.id}>
                <Field
                  schema={schema ?? ANYTHING}
                  value={item.value}
                  path={path.child(index)}
                  name={`Item ${index + 1}`}
                  problems={problems?.inside.get(String(index))}
                  level={level + 1}
                  item={place}
                  extra={schema === null && !plain ? "The schema does not define this item." : undefined}
                />
              </li>
            );
          })}
        </ol>
      )}
      {items.length > shown && (
        <Button
          small
          onClick={() =>
            commitThen(
              () => setShown(shown + 4 * PAGE),
              () => focusField([path.child(shown).id]),
            )
          }
        >
          Show {Math.min(4 * PAGE, items.length - shown)} of {items.length - shown} more items
        </Button>
      )}
      <div className={styles.row}>
        <Button
          id={path.adder}
          small
          icon={Plus}
          aria-label={`Add item to ${name}`}
          onClick={() => {
            commitThen(
              () => {
                apply((doc) => addItem(doc, path.steps, items.length, next ?? ANYTHING));
                setShown(Math.max(shown, items.length + 1));
              },
              () => list.current?.querySelector<HTMLElement>(`:scope > li:last-child ${FIELD}`)?.focus(),
            );
          }}
        >
          {plain ? "Add" : "Add item"}
        </Button>
        {items.length === 0 && !plain && <span className="muted">Sent as an empty array</span>}
        {(next === null || (plan.maxItems !== undefined && items.length >= plan.maxItems)) && (
          <span className="muted">{plain ? "No more are allowed." : "The schema allows no more items."}</span>
        )}
      </div>
    </div>
  );
}

function otherEnabled(button: HTMLButtonElement): HTMLButtonElement | null {
  return button.parentElement?.querySelector<HTMLButtonElement>("[data-mark]:not(:disabled)") ?? null;
}

const ANYTHING = { kind: "boolean", value: true } as const;
