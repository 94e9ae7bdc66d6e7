import { chooseBranch, removeField } from "../../schema/actions";
import type { UnionPlan } from "../../schema/plan";
import { chosenBranch, innerUnion } from "../../schema/planunion";
import { plainMarkdown } from "../../lib/plainMarkdown";
import { cx } from "../../lib/cx";
import { useForm, type ControlProps } from "./context";
import { absentWords } from "./fieldWords";
import inputs from "../Field.module.css";
import styles from "./Field.module.css";

const NOT_SENT = "none";

/** A choice of branches, and the fields of the chosen branch. */
export function UnionFields({ plan, ...field }: ControlProps & { readonly plan: UnionPlan }) {
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
