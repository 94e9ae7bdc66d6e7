import type { ReactNode } from "react";

import { Marked } from "../../../components/Marked";
import type { SentValue } from "./sentValues";
import { SentText } from "./SentText";

export interface SentListProps {
  readonly values: readonly SentValue[];
  /** Of a value so many characters are shown at once. */
  readonly most: number;
  readonly className: string | undefined;
  /** Accessible name of the list, if no heading names it. */
  readonly label?: string;
}

/** Names and values that are sent. */
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
