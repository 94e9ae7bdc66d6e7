import type { IssueCounts, IssueSubject, OperationView, ServerId } from "../ipc/bindings";
import { count, number } from "../lib/format";
import type { LiveState } from "./live";

const NONE: Omit<IssueCounts, "server"> = {
  frames: 0,
  tools: 0,
  resources: 0,
  prompts: 0,
  skills: 0,
  instructions: 0,
  results: 0,
  errors: 0,
  infos: 0,
  muted: 0,
  muted_rules: [],
};

/** Returns the issue counts of a server, without muted rules. */
export function issuesOf(live: LiveState, server: ServerId): IssueCounts {
  return live.issues[server]?.counts ?? { ...NONE, server };
}

/** Returns the total of the counts, as the tab and the list of servers show it. */
export const issueCount = (counts: IssueCounts): number => {
  const { frames, tools, resources, prompts, skills, instructions, results } = counts;
  return frames + tools + resources + prompts + skills + instructions + results;
};

/** Describes a count of issues: `8 issues in this connection, 3 of them errors`. */
export function issueWords(issues: number, errors: number, where = "in this connection"): string {
  const all = `${count(issues, "issue", "issues")} ${where}`;
  if (errors === 0) return all;
  if (errors < issues) return `${all}, ${number(errors)} of them errors`;
  return issues === 1 ? `${all}, an error` : `${all}, all of them errors`;
}

/** Returns the key of a subject, by which its issues are found. */
export function subjectKey(subject: IssueSubject): string {
  switch (subject.type) {
    case "frame":
      return `frame ${subject.seq}`;
    case "list":
      return `list ${subject.kind}`;
    case "item":
      return `item ${subject.kind} ${subject.key}`;
    case "instructions":
      return "instructions";
    case "run":
      return `run ${subject.operation}`;
    default:
      return subject satisfies never;
  }
}

/** Location of findings among the issues: the server, and the key of the subject. */
export interface FoundAt {
  readonly server: ServerId;
  readonly subject: string;
}

/** Locates the findings of a result among the issues; those of an earlier start are not listed there. */
export function foundInRun({ server, operation, earlier }: OperationView): FoundAt | undefined {
  return earlier === null ? { server, subject: `run ${operation}` } : undefined;
}
