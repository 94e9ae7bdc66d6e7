import { kindWords } from "../../components/kindWords";
import type { Certainty, IssueCounts, IssueRule, IssueSubject, Judged, RuleGroup, Severity } from "../../ipc/bindings";
import { count, number } from "../../lib/format";
import { visibleText } from "../../lib/visible";

/** Severities, worst first. */
export const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

export const CERTAINTY_WORDS: Record<Certainty, string> = {
  fact: "Fact: what was received shows it.",
  heuristic: "Heuristic: this is likely, but what was received does not prove it.",
};

export const GROUP_WORDS: Record<RuleGroup, string> = {
  spec: "Specification",
  hosts: "Hosts",
  cost: "Cost",
  clarity: "Clarity",
  trust: "Trust",
  limits: "Limits of Sonde",
};

/** Name of a subject, in short. */
export function subjectWords(subject: IssueSubject): string {
  switch (subject.type) {
    case "frame":
      return subject.method === null ? `Entry ${subject.seq}` : `Entry ${subject.seq} · ${subject.method}`;
    case "list":
      return `List of ${kindWords[subject.kind].many}`;
    case "item": {
      const { one } = kindWords[subject.kind];
      return `${one.charAt(0).toUpperCase()}${one.slice(1)} ${visibleText(subject.key)}`;
    }
    case "instructions":
      return "Instructions";
    case "run":
      return subject.target === null ? `Run ${subject.operation}` : `Run ${subject.operation} · ${subject.target}`;
    default:
      return subject satisfies never;
  }
}

/** Label of the button that leads to the subject. */
export function goWords(subject: IssueSubject): string {
  if (subject.type === "item") return `Go to ${kindWords[subject.kind].one}`;
  return `Go to ${subject.type === "frame" ? "entry" : subject.type}`;
}

/** Reason why the subject cannot be shown; `null` if it can. */
export function goneWords(subject: IssueSubject): string | null {
  if (subject.type === "frame" && !subject.stored) return "This entry is no longer in the wire log.";
  if (subject.type === "run" && !subject.stored) return "This run is no longer in the history.";
  return null;
}

/**
 * Names the problem: by the message of the cases if all have the same, otherwise by the rule's text without its
 * placeholders.
 */
export function ruleWords({ what, count: all, cases }: IssueRule): string {
  const said = cases[0]?.message;
  const same = said !== undefined && cases.length === all && cases.every(({ message }) => message === said);
  if (same) return said;
  // The first case fills the gap in a rule's text.
  if (said === undefined || !what.includes("…")) return what;
  return all === 1 ? said : `${said.replace(/\.$/, "")}; ${number(all - 1)} more`;
}

/** Words for the number of listed cases of a rule, and their total. */
export function listedWords(rule: IssueRule): string {
  return rule.cases.length < rule.count
    ? `${number(rule.cases.length)} of ${number(rule.count)} listed`
    : count(rule.count, "case", "cases");
}

/** Words for the numbers of messages, results and items checked so far. */
export function judgedWords({ messages, results, lists }: Judged): string {
  const items = Object.entries(kindWords).flatMap(([kind, { one, many }]) =>
    lists.filter((list) => list.kind === kind).map((list) => count(list.items, one, many)),
  );
  return [count(messages, "message", "messages"), ...items, count(results, "result", "results")].join(", ");
}

/** Words for the number of issues by severity. */
export function totalWords({ errors, infos, muted }: IssueCounts, issues: number): string {
  return [
    count(errors, "error", "errors"),
    count(issues - errors, "warning", "warnings"),
    ...(infos > 0 ? [`${number(infos)} for information`] : []),
    ...(muted > 0 ? [`${number(muted)} muted`] : []),
  ].join(" · ");
}
