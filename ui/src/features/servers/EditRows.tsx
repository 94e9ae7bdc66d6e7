import { Plus, X } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { IconButton } from "../../components/IconButton";
import styles from "./ServerForm.module.css";

export interface EditRowsProps<T> {
  readonly entries: readonly T[];
  readonly onChange: (entries: T[]) => void;
  /** What a row that is added begins with. */
  readonly blank: T;
  /** What is added: `root`. */
  readonly what: string;
  /** Names the row where it is removed. */
  readonly name: (entry: T, index: number) => string;
  /** How its fields stand beside each other. */
  readonly className: string | undefined;
  /** The fields of a row, which `set` changes. */
  readonly children: (entry: T, index: number, set: (entry: T) => void) => ReactNode;
}

/** Rows of fields that can be added and removed. What was added gets the focus, so that typing goes on. */
export function EditRows<T>(props: EditRowsProps<T>): ReactNode {
  const { entries, onChange, blank, what, name, className, children } = props;
  const list = useRef<HTMLDivElement>(null);
  const added = useRef(false);
  useEffect(() => {
    if (!added.current) return;
    added.current = false;
    const rows = list.current?.querySelectorAll<HTMLElement>("[data-row]");
    rows?.[rows.length - 1]?.querySelector("input")?.focus();
  }, [entries.length]);
  return (
    <div className={styles.rows} ref={list}>
      {entries.map((entry, index) => (
        // The place is the identity: rows may be equal while they are typed.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={className} data-row>
          {children(entry, index, (next) => onChange(entries.with(index, next)))}
          <IconButton
            label={`Remove ${name(entry, index)}`}
            icon={X}
            small
            onClick={() => onChange(entries.toSpliced(index, 1))}
          />
        </div>
      ))}
      <div>
        <Button
          small
          icon={Plus}
          onClick={() => {
            added.current = true;
            onChange([...entries, blank]);
          }}
        >
          Add {what}
        </Button>
      </div>
    </div>
  );
}
