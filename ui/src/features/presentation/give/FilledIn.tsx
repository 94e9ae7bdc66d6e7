import type { ReactNode } from "react";

import { inWords } from "../../../lib/inWords";
import { argumentsSchema, type FormDocument } from "../../../schema/document";
import { settled } from "../../../schema/node";
import { planField } from "../../../schema/planner";
import styles from "./give.module.css";
import { textOf } from "./result/Values";

/** More of it is not read in passing. */
const MOST_TEXT = 80;

/** What a run was made with, in one line. */
export function FilledIn({ document }: { readonly document: FormDocument }): ReactNode {
  const values = filledIn(document);
  if (values.length === 0) return null;
  return (
    <dl className={styles.filled} aria-label="Filled in" data-quoted>
      {values.map(({ name, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What is filled in by the titles of the fields. Passwords are for nobody to read. */
function filledIn(document: FormDocument): readonly { readonly name: string; readonly text: string }[] {
  const schema = argumentsSchema(document);
  const root = settled(document.root);
  if (!schema.ok || root.kind !== "object") return [];
  const plan = planField(document.source, schema.schema, document.root);
  const properties = new Map(plan.kind === "object" ? plan.properties.map((each) => [each.name, each.schema]) : []);
  return root.members.flatMap(({ key, value }) => {
    const field = properties.get(key);
    const of = field && planField(document.source, field, value);
    if (of?.kind === "text" && of.secret) return [];
    return [{ name: of?.title ?? inWords(key), text: textOf(settled(value)) }];
  });
}
