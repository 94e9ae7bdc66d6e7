import type { ReactNode } from "react";

import { optionLabel } from "../../../components/form/fieldWords";
import { inWords } from "../../../lib/inWords";
import { argumentsSchema, type FormDocument } from "../../../schema/document";
import { settled, type JsonNode } from "../../../schema/node";
import type { FieldPlan, Option } from "../../../schema/plan";
import { planField } from "../../../schema/planner";
import { sameValue } from "../../../schema/same";
import { sentUnshown, type SentValue } from "./sentValues";
import styles from "./give.module.css";
import { textOf } from "./result/Values";
import { SentList } from "./SentList";
import { withoutPasswords } from "./withoutPasswords";

/** Limit of characters shown initially. The rest is shown on request, since all of it would be sent again. */
const MOST_TEXT = 80;

/** Inputs of a run, in one line. */
export function FilledIn({ document }: { readonly document: FormDocument }): ReactNode {
  const values = filledIn(document);
  if (values.length === 0) return null;
  return <SentList values={values} most={MOST_TEXT} className={styles.filled} label="Filled in" />;
}

/** Filled-in values under the titles of their fields. Passwords are left out. */
function filledIn(document: FormDocument): readonly SentValue[] {
  const schema = argumentsSchema(document);
  const visible = withoutPasswords(document);
  if (document.problem || !schema.ok || visible?.kind !== "object") return sentUnshown(document);
  const plan = planField(document.source, schema.schema, document.root);
  const properties = new Map(plan.kind === "object" ? plan.properties.map((each) => [each.name, each.schema]) : []);
  return visible.members.map(({ id, key, value }) => {
    const field = properties.get(key);
    const of = field && planField(document.source, field, value);
    return { key: `${id}`, name: of?.title ?? inWords(key), text: chosenText(of, settled(value)) };
  });
}

/** Formats a value as the form shows it: a menu choice by its label. */
function chosenText(plan: FieldPlan | undefined, value: JsonNode): string {
  if (plan?.kind === "many" && value.kind === "array") {
    return value.items.map((each) => named(plan.options, settled(each.value))).join(", ");
  }
  return plan?.kind === "choice" ? named(plan.options, value) : textOf(value);
}

function named(options: readonly Option[], value: JsonNode): string {
  const option = options.find((each) => sameValue(each.value, value));
  return option ? optionLabel(option, true) : textOf(value);
}
