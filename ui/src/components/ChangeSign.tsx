import type { ReactNode } from "react";

import { cx } from "../lib/cx";
import type { ChangeKind } from "../schema/difference/changes";

/** Sign of each kind of change, in addition to its colour. */
const SIGNS = {
  added: ["+", "ok"],
  removed: ["−", "bad"],
  changed: ["≠", "warn"],
  moved: ["⇄", "warn"],
} as const;

/** Shows the kind of a change as a sign, and as a word for assistive technology. */
export function ChangeSign({ kind }: { readonly kind: ChangeKind }): ReactNode {
  const [sign, colour] = SIGNS[kind];
  return (
    <>
      <span className={cx("inlineBlock rigid width16 bold centeredText", colour)} aria-hidden>
        {sign}
      </span>
      <span className="visuallyHidden">{kind} </span>
    </>
  );
}
