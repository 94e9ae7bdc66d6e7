import type { Presentation, PresentationStep, StepInput } from "../../../ipc/bindings";
import { count } from "../../../lib/format";
import { visibleText } from "../../../lib/visible";
import { stepKind } from "../../../state/stepLink";

/** Problem that prevents a step from working, with advice. */
export interface StepProblem {
  readonly kind: "server_removed" | "target_gone";
  readonly title: string;
  readonly advice: string;
}

/** Word for the target of a step. */
export function targetWord({ method }: Pick<PresentationStep, "method">): "tool" | "prompt" | "resource" {
  return ({ tools: "tool", prompts: "prompt", resources: "resource" } as const)[stepKind(method)];
}

/** `listed`: the server lists the target of the step; `null` if that is not known. */
export function stepProblem(step: PresentationStep, listed: boolean | null): StepProblem | null {
  const server = visibleText(step.server_name);
  const word = targetWord(step);
  if (step.server_removed) {
    return {
      kind: "server_removed",
      title: `The server “${server}” is no longer in the list.`,
      advice: `Choose another server that has the same ${word}, or remove the step.`,
    };
  }
  if (listed === false) {
    return {
      kind: "target_gone",
      title: `“${server}” no longer lists the ${word} “${visibleText(step.target)}”.`,
      advice: `Remove the step, or add one with the ${word} that took its place.`,
    };
  }
  return null;
}

/** Reasons why a step needs attention, beside its name; empty if it needs none. */
export function problemWords({ inputs }: Pick<PresentationStep, "inputs">, problem: StepProblem | null): string {
  const removed = inputs.filter((input) => input.removed).map(({ name }) => `“${visibleText(name)}”`);
  const deleted = removed.length === 0 ? [] : [`Deleted: ${removed.join(", ")}.`];
  return [...(problem ? [problem.title] : []), ...deleted].join(" ");
}

/** Short text about the saved inputs of a step. */
export function inputWords(inputs: readonly StepInput[]): string {
  const there = inputs.filter((input) => !input.removed).length;
  return there === 0 ? "" : count(there, "saved input", "saved inputs");
}

/** Number of steps with a problem that is known without asking the servers. */
export function brokenSteps({ steps }: Presentation): number {
  return steps.filter((step) => step.server_removed || step.inputs.some((input) => input.removed)).length;
}

/** Summary of a presentation: its steps and its servers. */
export function summary({ steps }: Presentation): string {
  if (steps.length === 0) return "No steps yet";
  const servers = [...new Set(steps.map((step) => visibleText(step.server_name)))];
  const named = servers.length > 3 ? [...servers.slice(0, 2), `${servers.length - 2} more servers`] : servers;
  return `${count(steps.length, "step", "steps")} · ${named.join(", ")}`;
}
