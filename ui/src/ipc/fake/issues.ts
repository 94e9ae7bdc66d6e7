import type {
  DefinitionChange,
  DefinitionSubject,
  FindingView,
  IssueCase,
  IssueCounts,
  IssueList,
  IssueRule,
  IssueSubject,
  JudgedList,
  OperationView,
} from "../bindings";
import { fail } from "./fail";
import { finding } from "./finding";
import type { Handlers } from "./handlers";
import * as resources from "./resources";
import { findingsOf } from "./toolFindings";
import type { FakeServer, World } from "./world";

interface Found {
  readonly subject: IssueSubject;
  readonly finding: FindingView;
}

const ORDER = { error: 0, warning: 1, info: 2 } as const;

/** Collects all findings about a server. */
function foundOf(world: World, server: FakeServer): readonly Found[] {
  const { id } = server.view;
  const frames = world.log.found(id).cases.map(({ seq, method, finding: one }) => ({
    subject: { type: "frame" as const, seq, method, stored: true },
    finding: one,
  }));
  const lists = [server.list, ...server.lists].flatMap((list) =>
    (list?.findings ?? []).map((one) => ({
      subject: { type: "list" as const, kind: list?.kind ?? "tools" },
      finding: one,
    })),
  );
  const tools = server.list === null ? [] : server.definitions;
  const items = tools.flatMap((tool) =>
    findingsOf(tool).map((one) => ({
      subject: { type: "item" as const, kind: "tools" as const, key: tool.name },
      finding: one,
    })),
  );
  const read = server.lists.filter(({ revision }) => revision > 0);
  const ofResources = read.flatMap(({ kind }) =>
    resources.isResourceKind(kind)
      ? resources.findingsOf(kind).map(({ key, finding: one }) => ({
          subject: { type: "item" as const, kind, key },
          finding: one,
        }))
      : [],
  );
  const changed = server.changedDefinitions.map((change) => ({
    subject: subjectOf(change),
    finding: changedFinding(change),
  }));
  return [...frames, ...lists, ...items, ...changed, ...ofResources, ...runsOf(world, server).flatMap(ofRun)];
}

function subjectOf({ subject }: DefinitionChange): IssueSubject {
  return subject.type === "instructions" ? subject : { type: "item", kind: "tools", key: subject.key };
}

/** Builds the finding about a definition that changed since it was accepted. */
export function changedFinding({ subject, members, accepted, seen }: DefinitionChange): FindingView {
  const date = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const rule = subject.type === "tool" ? "definition-changed" : "instructions-changed";
  const named = members.map(({ member }) => `\`${member}\``).join(", ");
  const message =
    subject.type === "tool"
      ? `The definition is not the one that was accepted on ${date(accepted)}: ${named} changed, first seen on ${date(seen)}.`
      : `The instructions of the server are not those that were accepted on ${date(accepted)}, first seen on ${date(seen)}.`;
  return {
    ...finding(rule, message),
    group: "trust",
    severity: "warning",
    why: "A server can change a tool after its user trusted it (a “rug pull”), and models follow the new definition.",
    fix: "Review what changed, and accept it if the server is meant to say this.",
    spec: null,
  };
}

function isSame(one: DefinitionSubject, other: DefinitionSubject): boolean {
  return one.type === other.type && (one.type !== "tool" || (other.type === "tool" && one.key === other.key));
}

function ofAll(changes: readonly DefinitionChange[]): string {
  return changes.map(({ digest }) => digest).join(" ");
}

function runsOf(world: World, server: FakeServer): readonly OperationView[] {
  const runs = [...world.operations.values()].map(({ view }) => view);
  return runs.filter((run) => run.server === server.view.id && run.earlier === null && run.outcome?.type === "result");
}

function ofRun({ outcome, operation, target }: OperationView): readonly Found[] {
  if (outcome?.type !== "result") return [];
  const parts = [...outcome.content, ...(outcome.prompt?.messages ?? [])];
  const problems = (outcome.structured?.problems ?? []).map(({ message, instancePath }) => ({
    ...finding(
      "nonconforming-structured-content",
      `\`structuredContent\` does not conform to the output schema: ${message.replace(/\.$/, "")}.`,
    ),
    location: `/structuredContent${instancePath}`,
  }));
  const all = [...outcome.findings, ...parts.flatMap((part) => part.findings), ...problems];
  return all.map((one) => ({ subject: { type: "run", operation, target, stored: true }, finding: one }));
}

export function issueCounts(world: World, server: FakeServer): IssueCounts {
  const counts: IssueCounts = {
    server: server.view.id,
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
    muted_rules: server.mutedRules.map(({ rule }) => rule),
  };
  for (const { subject, finding: one } of foundOf(world, server)) {
    if (server.mutedRules.some(({ rule }) => rule === one.rule)) counts.muted += 1;
    else if (one.severity === "info") counts.infos += 1;
    else {
      if (one.severity === "error") counts.errors += 1;
      if (subject.type === "frame") counts.frames += 1;
      else if (subject.type === "instructions") counts.instructions += 1;
      else if (subject.type === "run") counts.results += 1;
      else counts[subject.kind === "resource_templates" ? "resources" : subject.kind] += 1;
    }
  }
  return counts;
}

function issueList(world: World, server: FakeServer): IssueList {
  const rules = new Map<string, IssueRule>();
  for (const { subject, finding: one } of foundOf(world, server)) {
    const { rule, group, severity, certainty, message, why, fix, revisions, location, spec } = one;
    const known = rules.get(rule) ?? {
      rule,
      group,
      severity,
      certainty,
      what: message,
      why,
      fix,
      revisions,
      spec,
      count: 0,
      muted: server.mutedRules.find((each) => each.rule === rule)?.reason ?? null,
      cases: [],
    };
    known.count += 1;
    const next: IssueCase = { id: `${subject.type} ${known.count}`, subject, message, location };
    if (known.cases.length < 100) known.cases.push(next);
    rules.set(rule, known);
  }
  const lists = [server.list, ...server.lists].flatMap((list): JudgedList[] =>
    list !== null && list.revision > 0 ? [{ kind: list.kind, items: list.count }] : [],
  );
  const { messages } = world.log.found(server.view.id);
  const sorted = [...rules.values()].toSorted(
    (a, b) =>
      Number(a.muted !== null) - Number(b.muted !== null) ||
      ORDER[a.severity] - ORDER[b.severity] ||
      a.rule.localeCompare(b.rule),
  );
  return {
    rules: sorted,
    judged: { messages, results: runsOf(world, server).length, lists },
    all: sorted.length,
  };
}

/** Commands about issues. */
export function judging(world: World) {
  const mute = (id: string, rule: string, reason: string | null): void => {
    const server = world.server(id);
    const others = server.mutedRules.filter((one) => one.rule !== rule);
    server.mutedRules = reason === null ? others : [...others, { rule, reason }];
    world.tellIssues(server);
  };
  return {
    issues: ({ server, filter }) => {
      const list = issueList(world, world.server(server));
      const needle = filter.text.trim().toLowerCase();
      const rules = list.rules.filter(
        ({ rule, what, muted }) => (muted === null || filter.muted) && `${rule} ${what}`.toLowerCase().includes(needle),
      );
      return { ...list, rules };
    },
    issue_report: () => "## Error: `schema-not-object`\n",
    definition_changes: ({ server }) => {
      const { changedDefinitions: changes } = world.server(server);
      return { count: changes.length, changes: [...changes], digest: ofAll(changes) };
    },
    accept_definitions: ({ server: id, which, digest }) => {
      const server = world.server(id);
      const { changedDefinitions: changes } = server;
      const accepted = which === null ? changes : changes.filter(({ subject }) => isSame(subject, which));
      const shown = which === null ? ofAll(changes) : accepted[0]?.digest;
      if (shown !== digest) fail("invalid_input", "The definition has changed again since it was shown.");
      server.changedDefinitions = changes.filter((one) => !accepted.includes(one));
      world.tellIssues(server);
      return world.deleted(() => {
        server.changedDefinitions = changes;
        world.tellIssues(server);
      });
    },
    mute_rule: ({ server, rule, reason }) => mute(server, rule, reason),
    unmute_rule: ({ server, rule }) => mute(server, rule, null),
  } satisfies Partial<Handlers>;
}
