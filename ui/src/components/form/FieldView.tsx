import { ArrowDown, ArrowUp, Braces, ChevronDown, ChevronRight, FormInput, X } from "lucide-react";
import { memo, useState } from "react";
import { shallow } from "zustand/shallow";
import { closeJson, openAsJson, removeField, setNull, setText } from "../../schema/actions";
import { isBlank, settled, type JsonNode } from "../../schema/node";
import type { FieldPlan } from "../../schema/plan";
import { planField } from "../../schema/planner";
import { allProblems } from "../../schema/problems";
import { cx } from "../../lib/cx";
import { inWords } from "../../lib/inWords";
import { plainMarkdown } from "../../lib/plainMarkdown";
import { Actions, type Action } from "./Actions";
import { useForm, type FieldViewProps, type FormContextValue } from "./context";
import { FieldBody, shapeOf, showsProblems } from "./FieldBody";
import { FieldFacts } from "./FieldFacts";
import { Problems } from "./Problems";
import { plainHints, plainProblem } from "./fieldWords";
import styles from "./Field.module.css";

/** Nesting depth beyond which groups are initially closed if they are long or not the first item. */
export const OPEN_LEVELS = 2;
const CLOSED_LEVELS = 8;
const SHORT_GROUP = 8;

/** A field: its name and marks, its small buttons, its control, and its problems. */
export const FieldView = memo(
  function FieldView(props: FieldViewProps) {
    const form = useForm();
    const { plain } = form;
    const { schema, value, path, required = false, order, problems, level, item } = props;
    const [override, setOverride] = useState<boolean | null>(null);
    const plan = planField(form.source, schema, value);
    const title = plan.title !== undefined && !sameWords(plan.title, props.name) ? plan.title : undefined;
    const name = plain && !item ? (plan.title ?? inWords(props.name)) : props.name;
    const inside = showsProblems(form.source, plan, value);
    const group = isGroup(plan, value);
    const layout = group
      ? styles.group
      : item
        ? styles.inline
        : props.hideName === true
          ? styles.bare
          : shapeOf(plan, value) === "absent"
            ? styles.single
            : undefined;
    const count = problems?.count ?? 0;
    const open =
      !group ||
      (override ?? (level <= OPEN_LEVELS || count > 0 || (level < CLOSED_LEVELS && sizeOf(value) <= SHORT_GROUP)));
    const found = inside ? [] : allProblems(problems);
    const own = plain ? found.map((each) => ({ ...each, message: plainProblem(each, plan) })) : found;
    if (plain && isLeftOut(plan, value, required)) return null;

    const tools = <Actions label={`Actions for ${name}`} actions={actionsOf(form, { ...props, name }, plan)} />;

    const { id } = path;
    const label = `${id}~label`;
    const described = [
      plan.description === undefined ? undefined : `${id}~description`,
      (
        plain
          ? plainHints(plan.hints).length > 0
          : plan.hints.length + plan.examples.length > 0 || plan.default !== undefined
      )
        ? `${id}~facts`
        : undefined,
      own.length > 0 ? `${id}~problems` : undefined,
    ].filter((part) => part !== undefined);
    // People read the title; the key that is sent is shown beside it. Items are numbered.
    const named = title !== undefined && !item && !plain;
    const heading = (
      <>
        <span data-quoted>{named ? title : name}</span>
        {required && (
          <span className={styles.star} data-tip="Required">
            <span aria-hidden>*</span>
            <span className="visuallyHidden"> required</span>
          </span>
        )}
      </>
    );

    return (
      <div className={cx(styles.field, layout)} data-field>
        <div className={cx(styles.head, props.hideName === true && !group && "visuallyHidden")}>
          {group ? (
            <button
              type="button"
              id={label}
              className={styles.toggle}
              aria-expanded={open}
              onClick={() => setOverride(!open)}
            >
              {open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
              {heading}
            </button>
          ) : (
            <label id={label} htmlFor={isLabelable(plan, value) ? id : undefined} className={styles.label}>
              {heading}
            </label>
          )}
          {title !== undefined &&
            !(plain && !item) &&
            (named ? (
              <code className="shrink breakable muted monoSize">{name}</code>
            ) : (
              <span className="shrink breakable">{title}</span>
            ))}
          {!plain && <span className={styles.type}>{typeOf(plan)}</span>}
          {plan.deprecated && !plain && <span className={styles.mark}>deprecated</span>}
          {plan.readOnly && !plain && <span className={styles.mark}>set by the server</span>}
          {group && !open && !plain && <span className={styles.type}>{summary(value)}</span>}
          {group && !open && count > 0 && (
            <span className="bad small">
              {count} {count === 1 ? "problem" : "problems"}
            </span>
          )}
        </div>
        {group && tools}
        {open && plan.description !== undefined && (
          <Description id={`${id}~description`} text={plainMarkdown(plan.description)} />
        )}
        {props.extra !== undefined && <p className={styles.note}>{props.extra}</p>}
        {open && (
          <div
            className={styles.body}
            data-field-body
            role={group ? "group" : undefined}
            aria-labelledby={group ? label : undefined}
          >
            <FieldBody
              schema={schema}
              value={value}
              path={path}
              name={name}
              required={required}
              order={order}
              id={id}
              labelledBy={label}
              describedBy={described.length === 0 ? undefined : described.join(" ")}
              invalid={own.length > 0}
              level={level}
              union=""
              problems={problems}
            />
          </div>
        )}
        {/* After the control, so that Tab moves from control to control first. */}
        {!group && tools}
        <div className={styles.below}>
          {open && <FieldFacts id={`${id}~facts`} plan={plan} value={value} path={path} order={order} name={name} />}
          <Problems id={`${id}~problems`} problems={own} />
        </div>
      </div>
    );
  },
  ({ item: before, ...one }, { item: after, ...other }) =>
    shallow(one, other) && before?.index === after?.index && before?.last === after?.last,
);

function isGroup(plan: FieldPlan, value: JsonNode | undefined): boolean {
  return (plan.kind === "object" || plan.kind === "list") && shapeOf(plan, value) === "control";
}

function isLabelable(plan: FieldPlan, value: JsonNode | undefined): boolean {
  const shape = shapeOf(plan, value);
  if (shape === "json" || shape === "unsuited") return true;
  return shape === "control" && plan.kind !== "boolean" && plan.kind !== "many" && plan.kind !== "const";
}

function sizeOf(value: JsonNode | undefined): number {
  const node = value && settled(value);
  if (node?.kind === "object") return node.members.length;
  return node?.kind === "array" ? node.items.length : 0;
}

function summary(value: JsonNode | undefined): string {
  const size = sizeOf(value);
  const word = value && settled(value).kind === "array" ? "item" : "field";
  return size === 0 ? `no ${word}s` : `${size} ${word}${size === 1 ? "" : "s"}`;
}

const TYPES: Partial<Record<FieldPlan["kind"], string>> = {
  boolean: "boolean",
  list: "array",
  many: "array",
  json: "JSON",
};

function typeOf(plan: FieldPlan): string {
  if (plan.kind === "number") return plan.integer ? "integer" : "number";
  if (plan.kind === "text") return plan.format ?? "string";
  if (plan.kind === "object") return plan.properties.length === 0 && plan.isMap ? "map" : "object";
  return TYPES[plan.kind] ?? "";
}

/** Returns true for fields that plain forms leave out: fixed values, and values that only JSON can hold. */
function isLeftOut(plan: FieldPlan, value: JsonNode | undefined, required: boolean): boolean {
  if (plan.kind === "const") return required || value === undefined;
  if (value !== undefined) return false;
  return plan.readOnly || plan.deprecated || (plan.kind === "json" && !required);
}

/** Compares names as words: "maxResults", "max_results" and "Max Results" are equal. */
function sameWords(a: string, b: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, "");
  return plain(a) === plain(b);
}

function actionsOf(form: FormContextValue, props: FieldViewProps, plan: FieldPlan): Action[] {
  const { value, path, name, item } = props;
  const { steps } = path;
  const member = typeof steps.at(-1) === "string";
  const actions: Action[] = [];
  if (!form.plain) actions.push(...schemaActions(form, props, plan));
  if (item) {
    const { index, last, id, move } = item;
    for (const [way, icon, to] of [["up", ArrowUp, index - 1] as const, ["down", ArrowDown, index + 1] as const]) {
      const mark = `${way}-${id}`;
      const run = (): void => move(index, to, mark);
      actions.push({ label: `Move ${name} ${way}`, icon, disabled: to < 0 || to > last, mark, run });
    }
  }
  // A plain form offers removal only for added entries.
  const removable = form.plain
    ? item !== undefined || (isGroup(plan, value) && member && props.required !== true)
    : member || item;
  // Without a value, the button keeps its place among other buttons, which must not move.
  if (removable && (value !== undefined || actions.length > 0)) {
    actions.push({
      absent: value === undefined,
      label: item ? `Remove ${name}` : `Leave out ${name}`,
      icon: X,
      // A removed object or list is remembered by its parent, and comes back when it is added again.
      run: () =>
        form.applyThenFocus(
          item ? [path.id, item.adder] : [path.id],
          (doc) => removeField(doc, steps),
          member && shapeOf(plan, undefined) === "absent" ? undefined : `${name} removed`,
        ),
    });
  }
  return actions;
}

/** Returns the actions for users who know the schema. */
function schemaActions(form: FormContextValue, props: FieldViewProps, plan: FieldPlan): Action[] {
  const { value, path, name, order } = props;
  const { steps } = path;
  const actions: Action[] = [];
  // The next key press should reach the field that the button has changed.
  const change = (to: Parameters<typeof form.apply>[0]): void => form.applyThenFocus([path.id], to);
  if (plan.kind === "text") {
    actions.push({
      label: `Send ${name} as empty string`,
      text: "“”",
      absent: value !== undefined,
      run: () => change((doc) => setText(doc, steps, "", order)),
    });
  }
  if (plan.nullable) {
    actions.push({
      label: `Send null for ${name}`,
      text: "null",
      absent: value !== undefined && settled(value).kind === "null",
      run: () => change((doc) => setNull(doc, steps, order)),
    });
  }
  if (plan.kind !== "json") {
    if (value?.kind === "raw") {
      const unfinished = value.parsed === undefined && !(isBlank(value) && typeof steps.at(-1) === "string");
      actions.push({
        label: `Back to the field for ${name}`,
        icon: FormInput,
        disabled: unfinished,
        run: () => change((doc) => closeJson(doc, steps)),
      });
    } else {
      actions.push({
        label: `Edit ${name} as JSON`,
        icon: Braces,
        run: () => change((doc) => openAsJson(doc, steps, order)),
      });
    }
  }
  return actions;
}

const LONG_DESCRIPTION = 240;

function Description({ id, text }: { readonly id: string; readonly text: string }) {
  const [whole, setWhole] = useState(false);
  const long = text.length > LONG_DESCRIPTION;
  return (
    <p id={id} className={styles.description} data-quoted>
      {long && !whole ? `${text.slice(0, LONG_DESCRIPTION - 40).trimEnd()}…` : text}{" "}
      {long && (
        <button type="button" className={styles.smallButton} onClick={() => setWhole(!whole)}>
          {whole ? "less" : "more"}
        </button>
      )}
    </p>
  );
}
