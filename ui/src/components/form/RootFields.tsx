import { useMemo, type ReactNode } from "react";

import type { FormDocument } from "../../schema/document";
import { problemTree, type Problem } from "../../schema/problems";
import type { ControlProps } from "./context";
import { FieldBody } from "./FieldBody";
import { FieldPath } from "./fieldpath";

export interface RootFieldsProps {
  readonly document: FormDocument;
  /** The schema of the whole document. */
  readonly schema: ControlProps["schema"];
  /** Name of the whole document in the fields. */
  readonly name: string;
  /** Name of the values for a screen reader. */
  readonly label: string;
  /** Unique on the page. */
  readonly idPrefix: string;
  readonly problems: readonly Problem[];
}

/** All fields of a document. */
export function RootFields({ document, schema, name, label, idPrefix, problems }: RootFieldsProps): ReactNode {
  const path = useMemo(() => FieldPath.root(`${idPrefix}-field`), [idPrefix]);
  const tree = useMemo(() => problemTree(problems), [problems]);
  const labelId = `${path.id}~label`;
  return (
    <>
      <span id={labelId} className="visuallyHidden">
        {label}
      </span>
      <FieldBody
        schema={schema}
        value={document.root}
        path={path}
        name={name}
        required={false}
        order={undefined}
        id={path.id}
        labelledBy={labelId}
        describedBy={undefined}
        invalid={false}
        level={0}
        union=""
        problems={tree}
      />
    </>
  );
}
