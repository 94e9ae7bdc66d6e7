import type { OperationOutcome, OperationView } from "../bindings";

/** Size in characters of JSON above which a view is cut, as by the host. */
const VIEW = 4096;
const ARGUMENTS = 768;
const TEXT = 256;

/** Counts the violations of the specification and of the tool's output schema in a result. */
export function outcomeIssues(outcome: OperationOutcome | null): number {
  if (outcome?.type !== "result") return 0;
  const parts = [...outcome.content, ...(outcome.prompt?.messages ?? [])];
  const findings = [...outcome.findings, ...parts.flatMap((part) => part.findings)];
  const wrong = findings.filter((finding) => finding.severity !== "info");
  return wrong.length + (outcome.structured?.problems.length ?? 0);
}

/** Returns the view of an operation as an event carries it: a long one is cut. */
export function shortView(whole: OperationView): OperationView {
  if (JSON.stringify(whole).length <= VIEW) return whole;
  const { outcome, last_message, progress, label } = whole;
  return {
    ...whole,
    cut: true,
    answered: [],
    pages: [],
    task: whole.task && { ...whole.task, changes: [] },
    title: shortened(whole.title),
    arguments: shortened(whole.arguments, ARGUMENTS),
    params: shortened(whole.params, ARGUMENTS),
    progress: progress && { ...progress, message: shortened(progress.message) },
    last_message: last_message && { ...last_message, text: last_message.text.slice(0, TEXT) },
    label: { ...label, note: shortened(label.note) },
    outcome:
      outcome?.type === "result"
        ? { ...outcome, content: [], structured: null, prompt: null, meta: null, findings: [] }
        : outcome,
  };
}

function shortened(text: string | null, longest = TEXT): string | null {
  return text !== null && text.length > longest ? `${text.slice(0, longest)}…` : text;
}
