import type { ReactNode } from "react";

import { Select } from "../../components/Field";
import type { RequestRule, RequestRules, RuleAction, SavedInput, ServerId } from "../../ipc/bindings";
import { visibleText } from "../../lib/visible";
import { useAppState } from "../../state/hooks";
import { NumberInput } from "./NumberInput";
import styles from "./ServerForm.module.css";

const none: readonly SavedInput[] = [];

/** Prefix of a saved answer's id in the value of an option. */
const SAVED = "saved:";

interface RequestRuleRowsProps {
  /** `null` for a new server, which has no saved answers yet. */
  readonly server: ServerId | null;
  readonly rules: RequestRules;
  readonly onChange: (rules: RequestRules) => void;
  readonly onBroken: (field: string, broken: boolean) => void;
}

/** Rules that answer requests of a server automatically, one per kind of request. */
export function RequestRuleRows({ server, rules, onChange, onBroken }: RequestRuleRowsProps): ReactNode {
  const saved = useAppState(({ live }) => live.savedInputs[server ?? ""] ?? none);
  return (
    <div className="stack gap8">
      {ROWS.map(({ kind, name, items, savedBy }) => (
        <Row
          key={kind}
          name={name}
          rule={rules[kind]}
          items={savedBy === null ? items : [...items, ...answers(rules[kind], savedBy, saved)]}
          onChange={(rule) => onChange({ ...rules, [kind]: rule })}
          onBroken={(broken) => onBroken(`rule-${kind}`, broken)}
        />
      ))}
      <Kind name="Roots">
        <Select
          label="Roots"
          value={rules.roots.refuse ? "refuse" : "answer"}
          items={[
            { value: "answer", label: "Answer with the roots" },
            { value: "refuse", label: "Refuse (error -32603)" },
          ]}
          onChange={(value) => onChange({ ...rules, roots: { ...rules.roots, refuse: value === "refuse" } })}
        />
        <Delay
          value={rules.roots.delay_seconds}
          onChange={(delay_seconds) => onChange({ ...rules, roots: { ...rules.roots, delay_seconds } })}
          onBroken={(broken) => onBroken("rule-roots", broken)}
        />
      </Kind>
    </div>
  );
}

interface Item {
  readonly value: string;
  readonly label: string;
}

const ask: Item = { value: "ask", label: "Ask me" };
const elicited: readonly Item[] = [ask, { value: "decline", label: "Decline" }, { value: "cancel", label: "Cancel" }];
const sampled: readonly Item[] = [ask, { value: "decline", label: "Decline (error -1)" }];

/** Kinds of requests; `savedBy` is the method whose saved answers a rule can use. */
const ROWS = [
  { kind: "form", name: "Forms (elicitation)", items: elicited, savedBy: "elicitation/create" },
  { kind: "page", name: "Pages to open (elicitation)", items: elicited, savedBy: null },
  { kind: "sampling", name: "Requests for a model (sampling)", items: sampled, savedBy: "sampling/createMessage" },
] as const;

/** Returns the saved answers that a rule can use, including its current answer even if that was removed. */
function answers({ action }: RequestRule, method: string, all: readonly SavedInput[]): readonly Item[] {
  const saved = all.filter((one) => one.method === method);
  const items = saved.map(({ id, name }) => ({ value: SAVED + id, label: `Answer with “${visibleText(name)}”` }));
  const gone = action.type === "saved" && !saved.some(({ id }) => id === action.input);
  return gone ? [...items, { value: SAVED + action.input, label: "Answer with a deleted saved answer" }] : items;
}

interface RowProps {
  readonly name: string;
  readonly rule: RequestRule;
  readonly items: readonly Item[];
  readonly onChange: (rule: RequestRule) => void;
  readonly onBroken: (broken: boolean) => void;
}

function Row({ name, rule, items, onChange, onBroken }: RowProps): ReactNode {
  const { action } = rule;
  return (
    <Kind name={name}>
      <Select
        label={name}
        value={action.type === "saved" ? SAVED + action.input : action.type}
        items={items}
        onChange={(value) => onChange({ ...rule, action: actionOf(value) })}
      />
      {action.type !== "ask" && (
        <Delay
          value={rule.delay_seconds}
          onChange={(delay_seconds) => onChange({ ...rule, delay_seconds })}
          onBroken={onBroken}
        />
      )}
    </Kind>
  );
}

function Kind({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div role="group" aria-label={name} className={styles.rule}>
      {children}
    </div>
  );
}

function actionOf(value: string): RuleAction {
  if (value.startsWith(SAVED)) return { type: "saved", input: value.slice(SAVED.length) };
  return value === "decline" || value === "cancel" ? { type: value } : { type: "ask" };
}

interface DelayProps {
  readonly value: number;
  readonly onChange: (seconds: number) => void;
  readonly onBroken: (broken: boolean) => void;
}

function Delay({ value, onChange, onBroken }: DelayProps): ReactNode {
  return (
    <NumberInput
      label="After (seconds)"
      hint={undefined}
      value={value === 0 ? null : value}
      least={0}
      most={600}
      onChange={(seconds) => onChange(seconds ?? 0)}
      onBroken={onBroken}
    />
  );
}
