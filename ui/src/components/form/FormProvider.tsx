import { useCallback, useLayoutEffect, useMemo, useRef, type ReactNode } from "react";

import { commitThen } from "../../lib/focus";
import type { FormDocument } from "../../schema/document";
import { FormContext, type FormContextValue } from "./context";
import { FieldBody } from "./FieldBody";
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
