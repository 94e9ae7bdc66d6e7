import { useState, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import { Marked } from "../../../components/Marked";
import { number } from "../../../lib/format";
import type { SentValue } from "./sentValues";

export interface SentListProps {
  readonly values: readonly SentValue[];
  /** Limit of characters shown initially of a value. */
  readonly most: number;
  readonly className: string | undefined;
  /** Accessible name of the list, if no heading names it. */
  readonly label?: string;
}

/** Lists the names and values that are sent. */
export function SentList({ values, most, className, label }: SentListProps): ReactNode {
  return (
    <dl className={className} aria-label={label}>
      {values.map(({ key, name, text }) => (
        <div key={key}>
          <dt data-quoted>
            <Marked text={name} />
          </dt>
          <dd>
            <SentText text={text} most={most} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A text with its invisible characters marked; a longer one is cut, and shown in full on request. */
function SentText({ text, most }: { readonly text: string; readonly most: number }): ReactNode {
  const [all, setAll] = useState(false);
  if (text === "") return <span>Empty</span>;
  if (all || text.length <= most) {
    return (
      <bdi data-quoted>
        <Marked text={text} lines />
      </bdi>
    );
  }
  return (
    <>
      <bdi data-quoted>
        <Marked text={`${text.slice(0, most)}…`} lines />
      </bdi>{" "}
      <Button small onClick={() => setAll(true)}>
        Show all ({number(text.length)} characters)
      </Button>
    </>
  );
}
