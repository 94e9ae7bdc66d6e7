/** Assigns the validator's findings to fields. */
import { settled, type JsonNode } from "./node";
import { pointerTokens } from "./source";

/** One finding of the validator. */
export interface Problem {
  /** JSON pointer (RFC 6901) to the value. */
  readonly instancePath: string;
  readonly message: string;
  /** The violated keyword. */
  readonly keyword: string;
  /** The missing name, if the keyword is `required`. */
  readonly missing?: string | undefined;
}

/** Findings of a value and of its content. */
export interface ProblemTree {
  readonly own: readonly Problem[];
  readonly inside: ReadonlyMap<string, ProblemTree>;
  /** Number of findings of the value and of its content. */
  readonly count: number;
}

interface Growing extends ProblemTree {
  readonly own: Problem[];
  readonly inside: Map<string, Growing>;
  count: number;
}

const NO_PROBLEMS: ProblemTree = { own: [], inside: new Map(), count: 0 };

/** Sorts findings by place; the finding about a missing member is assigned to the member. */
export function problemTree(problems: readonly Problem[]): ProblemTree {
  if (problems.length === 0) return NO_PROBLEMS;
  const root = growing();
  for (const problem of problems) {
    const steps = pointerTokens(problem.instancePath);
    if (problem.missing !== undefined) steps.push(problem.missing);
    let at = root;
    at.count++;
    for (const step of steps) {
      let next = at.inside.get(step);
      if (!next) at.inside.set(step, (next = growing()));
      next.count++;
      at = next;
    }
    at.own.push(problem);
  }
  return root;
}

function growing(): Growing {
  return { own: [], inside: new Map(), count: 0 };
}

/** Lists all findings of a tree, outermost first. */
export function allProblems(tree: ProblemTree | undefined): Problem[] {
  if (!tree) return [];
  return [...tree.own, ...[...tree.inside.values()].flatMap(allProblems)];
}

/**
 * Returns findings of an object or list that no entry shows: its own, and those about names that are neither in the
 * value nor in `shown`.
 */
export function problemsHere(
  tree: ProblemTree | undefined,
  value: JsonNode | undefined,
  shown: readonly string[] = [],
): Problem[] {
  if (!tree) return [];
  const node = value && settled(value);
  const keys = new Set(shown);
  if (node?.kind === "object") node.members.forEach((member) => keys.add(member.key));
  if (node?.kind === "array") node.items.forEach((_, index) => keys.add(String(index)));
  const strays = [...tree.inside].filter(([key]) => !keys.has(key)).flatMap(([, inner]) => allProblems(inner));
  return [...tree.own, ...strays];
}
