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

/** How much of what a server sends does not follow the specification, muted rules aside. */
export function issuesOf(live: LiveState, server: ServerId): IssueCounts {
  return live.issues[server]?.counts ?? { ...NONE, server };
}

/** What the tab and the list of servers count. */
export const issueCount = (counts: IssueCounts): number => {
  const { frames, tools, resources, prompts, skills, instructions, results } = counts;
  return frames + tools + resources + prompts + skills + instructions + results;
};

/** What a mark of issues says: `8 issues in this connection, 3 of them errors`. */
export function issueWords(issues: number, errors: number, where = "in this connection"): string {
  const all = `${count(issues, "issue", "issues")} ${where}`;
  if (errors === 0) return all;
  if (errors < issues) return `${all}, ${number(errors)} of them errors`;
  return issues === 1 ? `${all}, an error` : `${all}, all of them errors`;
}

/** Names a subject, so that a case of it can be found. */
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

/** Whose issues some findings are among, and the key of what has them. */
export interface FoundAt {
  readonly server: ServerId;
  readonly subject: string;
}

/** Where what was found in a result is among the issues; those of an earlier start are not. */
export function foundInRun({ server, operation, earlier }: OperationView): FoundAt | undefined {
  return earlier === null ? { server, subject: `run ${operation}` } : undefined;
}
