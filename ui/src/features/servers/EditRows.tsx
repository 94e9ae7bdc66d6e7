import { Plus, X } from "lucide-react";
import { useRef, type ReactNode } from "react";

import { Button, IconButton } from "../../components/Button";
import { commitThen } from "../../lib/focus";

export interface EditRowsProps<T> {
  readonly entries: readonly T[];
  readonly onChange: (entries: T[]) => void;
  /** Initial content of an added row. */
  readonly blank: T;
  /** Noun for the label of the add button, such as `root`. */
  readonly what: string;
  /** Name of a row, for the label of its remove button. */
  readonly name: (entry: T, index: number) => string;
  /** Class that lays out the fields of a row. */
  readonly className: string | undefined;
  /** Renders the fields of a row; `set` changes its entry. */
  readonly children: (entry: T, index: number, set: (entry: T) => void) => ReactNode;
}

/**
 * Rows of fields that can be added and removed. An added row gets the focus, so that typing can continue; after the
 * removal of the last row, the new last one gets it.
 */
export function EditRows<T>(props: EditRowsProps<T>): ReactNode {
  const { entries, onChange, blank, what, name, className, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const lastRow = (): HTMLElement | undefined =>
    [...(list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])].at(-1);
  return (
    <div className="stack gap8" ref={list}>
      {entries.map((entry, index) => (
        // Keyed by position, as rows may be equal while they are typed.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={className} data-row>
          {children(entry, index, (next) => onChange(entries.with(index, next)))}
          <IconButton
            label={`Remove ${name(entry, index)}`}
            icon={X}
            small
            onClick={() =>
              commitThen(
                () => onChange(entries.toSpliced(index, 1)),
                // The buttons of other rows stay.
                () =>
                  index === entries.length - 1 &&
                  (lastRow()?.querySelector<HTMLElement>(":scope > button:last-child") ?? add.current)?.focus(),
              )
            }
          />
        </div>
      ))}
      <div>
        <Button
          ref={add}
          small
          icon={Plus}
          onClick={() =>
            commitThen(
              () => onChange([...entries, blank]),
              () => lastRow()?.querySelector("input")?.focus(),
            )
          }
        >
          Add {what}
        </Button>
      </div>
    </div>
  );
}
