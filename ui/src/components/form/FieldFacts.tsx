import type { JsonNode } from "../../schema/node";
import type { FieldPlan } from "../../schema/plan";
import { printShort } from "../../schema/print";
import { sameValue } from "../../schema/same";
import { setValue } from "../../schema/actions";
import { SmallButton } from "./Actions";
import { useForm, type ControlProps } from "./context";
import { plainHints } from "./fieldWords";
import styles from "./Field.module.css";

interface FieldFactsProps extends Pick<ControlProps, "id" | "value" | "path" | "order" | "name"> {
  readonly plan: FieldPlan;
}

/** Limits in words, and the schema's default and examples. */
export function FieldFacts({ id, plan, value, path, order, name }: FieldFactsProps) {
  const { applyThenFocus, plain } = useForm();
  const hints = plain ? plainHints(plan.hints) : plan.hints;
  const examples = plain ? [] : plan.examples;
  const offered = plan.kind === "const" || plain ? undefined : plan.default;
  if (hints.length === 0 && offered === undefined && examples.length === 0) return null;
  const offer = (word: string, node: JsonNode, key: string) => {
    const text = printShort(node, 40);
    const taken = value !== undefined && sameValue(value, node);
    const isPossible = plan.kind !== "choice" || plan.options.some((option) => sameValue(option.value, node));
    return taken || !isPossible ? (
      <span key={key} className="shrink breakable">
        {word}: {text}
        {!isPossible && " (not among the choices)"}
      </span>
    ) : (
      <span key={key} className="shrink breakable">
        {word}: <code>{text}</code>{" "}
        <SmallButton
          label={`Use ${word} ${text} for ${name}`}
          onClick={() => applyThenFocus([path.id], (doc) => setValue(doc, path.steps, node, order))}
        >
          use
        </SmallButton>
      </span>
    );
  };
  return (
    <div id={id} className={styles.facts}>
      {hints.length > 0 && <span className="shrink breakable">{hints.join(", ")}</span>}
      {offered !== undefined && offer("default", offered, "default")}
      {examples.map((example, index) => offer("example", example, String(index)))}
    </div>
  );
}
