import { Plus, X } from "lucide-react";
import { useState } from "react";
import { addMember, removeField, renameMember } from "../../schema/actions";
import { memberIndex, settled, type ObjectNode } from "../../schema/node";
import type { ObjectPlan, Property } from "../../schema/plan";
import { problemsHere } from "../../schema/problems";
import { commitThen } from "../../lib/focus";
import { Button } from "../Button";
import { Actions } from "./Actions";
import { useForm, type ControlProps } from "./context";
import type { FieldPath } from "./fieldpath";
import { focusField } from "./problemFocus";
import { Problems } from "./Problems";
import inputs from "../Field.module.css";
import styles from "./Field.module.css";

/** Number of properties above which an object can be searched, and shows its empty fields page by page. */
const SEARCHED_FROM = 30;
const PAGE = 40;

/** Fields of an object: its properties, then the members without a property. */
export function ObjectFields({ plan, ...field }: ControlProps & { readonly plan: ObjectPlan }) {
  const { Field, plain } = useForm();
  const { value, path, problems, level } = field;
  const [pages, setPages] = useState(1);
  const [query, setQuery] = useState("");
  const node = value && settled(value);
  if (node?.kind !== "object") return null;

  const large = plan.properties.length > SEARCHED_FROM;
  const { visible, hidden } = large
    ? selection(plan, node, query, pages * PAGE, (name) => problems?.inside.has(name) ?? false)
    : { visible: plan.properties, hidden: [] };
  return (
    <div className={styles.object}>
      <Problems problems={problemsHere(problems, value, plan.order)} withPlace={level === 0 && !plain} />
      {large && (
        <input
          type="text"
          className={inputs.input}
          value={query}
          placeholder={`Find one of ${plan.properties.length} fields`}
          aria-label={`Find a field of ${field.name}`}
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      {visible.map((property) => (
        <Field
          key={property.name}
          schema={property.schema}
          value={node.members[memberIndex(node, property.name)]?.value}
          path={path.child(property.name)}
          name={property.name}
          required={property.required}
          order={plan.order}
          problems={problems?.inside.get(property.name)}
          level={level + 1}
        />
      ))}
      {hidden.length > 0 && (
        <Button
          small
          onClick={() =>
            commitThen(
              () => setPages(pages + 2),
              () => focusField(hidden.map(({ name }) => path.child(name).id)),
            )
          }
        >
          {plain ? `Show more of ${hidden.length} fields` : `Show more of ${hidden.length} fields that are left out`}
        </Button>
      )}
      <OtherMembers plan={plan} node={node} field={field} />
    </div>
  );
}

/** Selects required fields, fields with a value or a problem, and as many others as fit. */
function selection(
  plan: ObjectPlan,
  node: ObjectNode,
  query: string,
  room: number,
  hasProblem: (name: string) => boolean,
): { visible: Property[]; hidden: Property[] } {
  const words = query.toLowerCase();
  const found =
    words === "" ? plan.properties : plan.properties.filter(({ name }) => name.toLowerCase().includes(words));
  let left = room;
  const visible = new Set(
    found.filter(
      (property) =>
        left-- > 0 ||
        (words === "" && (property.required || memberIndex(node, property.name) >= 0 || hasProblem(property.name))),
    ),
  );
  return { visible: [...visible], hidden: found.filter((property) => !visible.has(property)) };
}

interface OtherMembersProps {
  readonly plan: ObjectPlan;
  readonly node: ObjectNode;
  readonly field: Omit<ControlProps, "plan">;
}

/** Members with free names: those of a map, unknown ones, and earlier ones of a repeated name. */
function OtherMembers({ plan, node, field }: OtherMembersProps) {
  const { Field, apply, plain } = useForm();
  const { path, problems, level, name } = field;
  const [shown, setShown] = useState(PAGE);
  const named = new Set(plan.order);
  const others = node.members
    .map((member, index) => ({ member, index }))
    .filter(({ member, index }) => !named.has(member.key) || memberIndex(node, member.key) !== index);
  const addable = plan.isMap || level === 0;
  // A plain form keeps prefilled members without a field, but hides them.
  if ((others.length === 0 && !addable) || (plain && level === 0)) return null;
  return (
    <div className="stack gapS1 shrink">
      {others.length > 0 && !plan.isMap && <p className="note strong">Other fields</p>}
      {others.slice(0, shown).map(({ member, index }) => {
        const repeated = memberIndex(node, member.key) !== index;
        return (
          <div key={member.id} className={styles.other}>
            <MemberName path={path} index={index} name={member.key} owner={name} />
            <Field
              schema={plan.other}
              value={member.value}
              path={path.child(index)}
              name={member.key}
              hideName
              problems={repeated ? undefined : problems?.inside.get(member.key)}
              level={level + 1}
              extra={
                plain
                  ? undefined
                  : repeated
                    ? "Duplicate name: most servers only read the last one."
                    : !plan.closed
                      ? undefined
                      : "The schema does not define this field."
              }
            />
          </div>
        );
      })}
      {others.length > shown && (
        <Button
          small
          onClick={() =>
            commitThen(
              () => setShown(shown + 4 * PAGE),
              () => focusField(others.slice(shown).map(({ index }) => path.child(index).id)),
            )
          }
        >
          Show more of {others.length - shown} fields
        </Button>
      )}
      {addable && (
        <div className={styles.row}>
          <Button
            id={path.adder}
            small
            kind={plan.isMap ? "plain" : "quiet"}
            icon={Plus}
            aria-label={level === 0 ? undefined : `Add entry to ${name}`}
            onClick={() => {
              apply((doc) => addMember(doc, path.steps, "name", plan.other, plan.order));
              setShown(Math.max(shown, others.length + 1));
            }}
          >
            {plain ? "Add" : plan.isMap && level > 0 ? "Add entry" : "Add another field"}
          </Button>
          {plan.isMap && level > 0 && !plain && node.members.length === 0 && (
            <span className="muted">Sent as an empty object</span>
          )}
          {plan.closed && !plain && <span className="muted">The schema defines no other fields.</span>}
        </div>
      )}
    </div>
  );
}

interface MemberNameProps {
  /** The object with the member. */
  readonly path: FieldPath;
  readonly index: number;
  readonly name: string;
  readonly owner: string;
}

/** Editable name of a member. It is applied when the input loses the focus, so that no half-typed name collides. */
function MemberName({ path, index, name, owner }: MemberNameProps) {
  const { apply, applyThenFocus } = useForm();
  const [typed, setTyped] = useState<string | null>(null);
  const commit = (): void => {
    if (typed !== null) apply((doc) => renameMember(doc, path.steps, index, typed));
    setTyped(null);
  };
  return (
    <div className={styles.memberName}>
      <input
        type="text"
        className={inputs.input}
        value={typed ?? name}
        spellCheck={false}
        autoComplete="off"
        aria-label={`Name of the field ${name}${owner === "" ? "" : ` of ${owner}`}`}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            const input = event.currentTarget;
            // A name of the schema gives its own field to the member.
            commitThen(commit, () => input.isConnected || focusField([path.child(typed ?? name).id]));
          }
          if (event.key === "Escape" && typed !== null) {
            event.stopPropagation();
            setTyped(null);
          }
        }}
      />
      <Actions
        label={`Actions for ${name}`}
        actions={[
          {
            label: `Remove ${name}`,
            icon: X,
            run: () =>
              applyThenFocus(
                [path.child(index).id, path.adder, path.id],
                (doc) => removeField(doc, [...path.steps, index]),
                `${name} removed`,
              ),
          },
        ]}
      />
    </div>
  );
}
