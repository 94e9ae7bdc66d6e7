import { useCallback, useLayoutEffect, useMemo, useRef, type ReactNode } from "react";

import { commitThen } from "../../lib/focus";
import type { FormDocument } from "../../schema/document";
import { problemTree, type Problem } from "../../schema/problems";
import { FormContext, type ControlProps, type FormContextValue } from "./context";
import { FieldBody } from "./FieldBody";
import { FieldPath } from "./fieldpath";
import { FieldView } from "./FieldView";
import { focusField } from "./problemFocus";

export interface FormProviderProps {
  readonly document: FormDocument;
  /** `removed` names what a change other than typing discards, so that it can be undone. */
  readonly onChange: (next: FormDocument, removed?: string) => void;
  readonly plain?: boolean;
  readonly children: ReactNode;
}

/** Provides a document to the fields inside. */
export function FormProvider({ document, onChange, plain = false, children }: FormProviderProps): ReactNode {
  // Two edits can happen before the next rendering; the second has to see the first.
  const latest = useRef({ document, onChange });
  useLayoutEffect(() => {
    latest.current = { document, onChange };
  }, [document, onChange]);
  const apply = useCallback((change: (document: FormDocument) => FormDocument, removed?: string) => {
    const next = change(latest.current.document);
    if (next === latest.current.document) return;
    latest.current.document = next;
    latest.current.onChange(next, removed);
  }, []);
  const { source } = document;
  const form = useMemo<FormContextValue>(
    () => ({
      Field: FieldView,
      Body: FieldBody,
      source,
      plain,
      apply,
      applyThenFocus: (focus, ...change) =>
        commitThen(
          () => apply(...change),
          () => focusField(focus),
        ),
    }),
    [source, plain, apply],
  );
  return <FormContext value={form}>{children}</FormContext>;
}

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
