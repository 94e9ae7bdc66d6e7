import type { ReactNode } from "react";

import { argumentsSchema, type FormDocument } from "../../schema/document";
import { planField } from "../../schema/planner";
import { showsProblems } from "./FieldBody";
import { Problems } from "./Problems";
import styles from "./PlainForm.module.css";
import { plainProblem } from "./fieldWords";
import { FormProvider, RootFields, type RootFieldsProps } from "./FormProvider";

export interface PlainFormProps extends Pick<RootFieldsProps, "problems" | "label" | "idPrefix"> {
  readonly value: FormDocument;
  readonly onChange: (next: FormDocument) => void;
}

/** Form for people who do not program: labels and descriptions, but no types, JSON or schema words. */
export function PlainForm({ value, onChange, problems, label, idPrefix }: PlainFormProps): ReactNode {
  const schema = argumentsSchema(value);
  if (!hasFields(value) || !schema.ok) return null;
  const plan = planField(value.source, schema.schema, value.root);
  const inside = showsProblems(value.source, plan, value.root);
  return (
    <FormProvider document={value} onChange={onChange} plain>
      <div className={styles.form} id={idPrefix} data-plain>
        {!inside && <Problems problems={problems.map((each) => ({ ...each, message: plainProblem(each) }))} />}
        <RootFields
          document={value}
          schema={schema.schema}
          name={label}
          label={label}
          idPrefix={idPrefix}
          problems={problems}
        />
      </div>
    </FormProvider>
  );
}

/** Returns true if a form can show at least one field to fill in. */
export function hasFields(document: FormDocument): boolean {
  const schema = argumentsSchema(document);
  if (!schema.ok || document.problem) return false;
  const plan = planField(document.source, schema.schema, document.root);
  return plan.kind !== "json" && !(plan.kind === "object" && plan.properties.length === 0);
}
