import { Plus } from "lucide-react";

import { cx } from "../../lib/cx";
import { plainMarkdown } from "../../lib/plainMarkdown";
import { addField, chooseBranch, removeField, unsetNull } from "../../schema/actions";
import { suits } from "../../schema/check";
import { kindInWords, settled, type JsonNode } from "../../schema/node";
import type { FieldPlan, UnionPlan } from "../../schema/plan";
import { planField } from "../../schema/planner";
import { chosenBranch, innerUnion } from "../../schema/planunion";
import { sameValue } from "../../schema/same";
import type { SchemaSource } from "../../schema/source";
import { Button } from "../Button";
import inputs from "../Field.module.css";
import { SmallButton } from "./Actions";
import { BooleanControl, ChoiceControl, ConstControl } from "./ChoiceControl";
import { useForm, type ControlProps } from "./context";
import styles from "./Field.module.css";
import { absentWords } from "./fieldWords";
import { JsonControl } from "./JsonControl";
import { ListFields } from "./ListFields";
import { isTickable, ManyControl } from "./ManyControl";
import { ObjectFields } from "./ObjectFields";
import { NumberControl } from "./NumberControl";
import { TextControl } from "./TextControl";

/** Limit of unions nested over one value, as a schema can be among its own alternatives. */
export const MAX_UNIONS = 8;

/** The control for a schema node and its present value. */
export function FieldBody(field: ControlProps) {
  const { source, plain } = useForm();
  const { schema, value } = field;
  const plan = planField(source, schema, value);
  if (plan.kind === "union" && field.union.split("/").length > MAX_UNIONS) {
    return <JsonControl {...field} reason="The schema’s alternatives refer to themselves here." />;
  }
  const shape = shapeOf(plan, value);
  if (plain && (shape === "json" || shape === "unsuited")) return <PreparedBody {...field} />;
  switch (shape) {
    case "json":
      return <JsonControl {...field} reason={plan.kind === "json" ? plan.reason : null} />;
    case "unsuited":
      return <JsonControl {...field} reason={unsuited(plan, value)} restart />;
    case "null":
      return <NullBody {...field} />;
    case "absent":
      return <AbsentBody {...field} />;
  }
  switch (plan.kind) {
    case "text":
      return <TextControl {...field} plan={plan} />;
    case "number":
      return <NumberControl {...field} plan={plan} />;
    case "boolean":
      return <BooleanControl {...field} />;
    case "choice":
      return <ChoiceControl {...field} plan={plan} />;
    case "const":
      return <ConstControl {...field} plan={plan} />;
    case "object":
      return <ObjectFields {...field} plan={plan} />;
    case "list":
      return <ListFields {...field} plan={plan} />;
    case "many":
      return isTickable(plan, value) ? (
        <ManyControl {...field} plan={plan} />
      ) : (
        <ListFields
          {...field}
          plan={{ ...plan, kind: "list", prefix: [], rest: plan.items, minItems: 0, maxItems: undefined }}
        />
      );
    case "union":
      return <UnionFields {...field} plan={plan} />;
    case "json":
      return <JsonControl {...field} reason={plan.reason} />;
  }
}

type Shape = "json" | "unsuited" | "null" | "absent" | "control";

/** Returns the control for a value under a plan, or a stand-in. */
export function shapeOf(plan: FieldPlan, value: JsonNode | undefined): Shape {
  if (plan.kind === "json" || value?.kind === "raw") return "json";
  if (value === undefined) return plan.kind === "object" || plan.kind === "list" ? "absent" : "control";
  if (value.kind === "null" && plan.nullable && !isOption(plan, value)) return "null";
  return suits(plan.kind, value) ? "control" : "unsuited";
}

function isOption(plan: FieldPlan, value: JsonNode): boolean {
  return plan.kind === "choice" && plan.options.some((option) => sameValue(option.value, value));
}

/** Returns true if the control shows problems at its own entries. */
export function showsProblems(source: SchemaSource, given: FieldPlan, value: JsonNode | undefined): boolean {
  let plan = given;
  let name = "";
  while (plan.kind === "union" && value !== undefined && name.split("/").length <= MAX_UNIONS) {
    const branch = plan.branches[chosenBranch(source, plan, value, name)];
    if (!branch || shapeOf(plan, value) !== "control") return false;
    plan = planField(source, branch.schema, value);
    name = innerUnion(name, branch);
  }
  if (value === undefined || shapeOf(plan, value) !== "control") return false;
  return plan.kind === "object" || plan.kind === "list" || (plan.kind === "many" && !isTickable(plan, value));
}

const TAKES: Record<FieldPlan["kind"], string> = {
  text: "a string",
  number: "a number",
  boolean: "a boolean",
  choice: "one of the listed values",
  const: "a fixed value",
  object: "an object",
  list: "an array",
  many: "an array",
  union: "one of several alternatives",
  json: "JSON",
};

function unsuited(plan: FieldPlan, value: JsonNode | undefined): string {
  if (plan.kind === "text" && value && settled(value).kind === "string") {
    return "This string contains control characters that a text box would change.";
  }
  return `This is ${value ? kindInWords(value) : "nothing"}, but the field takes ${TAKES[plan.kind]}.`;
}

/** A value that only JSON can hold. It is shown unchanged. */
function PreparedBody({ id }: ControlProps) {
  return (
    <p id={id} className={styles.note}>
      Filled in beforehand.
    </p>
  );
}

function NullBody(field: ControlProps) {
  const { applyThenFocus, plain } = useForm();
  return (
    <div className={styles.row}>
      {plain ? (
        <span className="muted">None</span>
      ) : (
        <span>
          Sent as <code>null</code>
        </span>
      )}
      <SmallButton
        id={field.id}
        label={plain ? `Fill in ${field.name}` : `Send a value for ${field.name} instead of null`}
        onClick={() => applyThenFocus([field.path.id], (doc) => unsetNull(doc, field.path.steps, field.schema))}
      >
        {plain ? "Fill in" : "send a value"}
      </SmallButton>
    </div>
  );
}

function AbsentBody(field: ControlProps) {
  const { applyThenFocus, plain } = useForm();
  return (
    <div className={styles.row}>
      {!plain && <span className="muted">{absentWords(field.required, false)}</span>}
      <Button
        id={field.id}
        small
        icon={Plus}
        aria-label={`Add ${field.name}`}
        aria-describedby={field.describedBy}
        onClick={() =>
          applyThenFocus([field.path.id], (doc) => addField(doc, field.path.steps, field.schema, field.order))
        }
      >
        Add
      </Button>
    </div>
  );
}

const NOT_SENT = "none";

/** A choice of branches, and the fields of the chosen branch. */
function UnionFields({ plan, ...field }: ControlProps & { readonly plan: UnionPlan }) {
  const { Body, source, apply, plain } = useForm();
  const { value, path, order, id, union } = field;
  const at = value === undefined ? -1 : chosenBranch(source, plan, value, union);
  const branch = plan.branches[at];
  const inner = branch && innerUnion(union, branch);
  const optional = typeof path.steps.at(-1) === "string" && union === "";
  return (
    <div className={styles.union}>
      <select
        id={id}
        className={cx(inputs.input, styles.select, value === undefined && "muted")}
        value={at < 0 ? NOT_SENT : String(at)}
        aria-labelledby={field.labelledBy}
        aria-describedby={field.describedBy}
        aria-required={field.required || undefined}
        onChange={(event) => {
          const to = event.target.value;
          apply((doc) =>
            to === NOT_SENT
              ? removeField(doc, path.steps)
              : chooseBranch(doc, path.steps, union, plan, Number(to), order),
          );
        }}
      >
        {(optional || at < 0) && (
          <option value={NOT_SENT}>
            {field.required && !plain ? "Required, choose what to send" : absentWords(field.required, plain)}
          </option>
        )}
        {plan.branches.map((option, index) => (
          <option key={index} value={String(index)} data-quoted>
            {option.label}
          </option>
        ))}
      </select>
      {branch?.description !== undefined && (
        <p className={styles.description} data-quoted>
          {plainMarkdown(branch.description)}
        </p>
      )}
      {branch && inner !== undefined && (
        <Body {...field} key={inner} schema={branch.schema} union={inner} id={`${id}~${at}`} level={field.level} />
      )}
    </div>
  );
}
