import type { IssueCase, IssueRule, IssueSubject } from "../../ipc/bindings";
import { subjectKey } from "../../state/issues";
import type { IssueChoice, IssueGrouping } from "../../state/slices/issues";

/** A case with the rule that it breaks. */
export interface CaseOfRule {
  readonly rule: IssueRule;
  readonly case: IssueCase;
}

/** A subject with issues, and its listed cases. */
export interface SubjectCases {
  readonly subject: IssueSubject;
  readonly cases: readonly CaseOfRule[];
}

/** A row of the list: a rule or a subject (`open` if its cases are listed below it), or one of these cases. */
export type IssueRow =
  | { readonly type: "rule"; readonly key: string; readonly rule: IssueRule; readonly open: boolean }
  | { readonly type: "subject"; readonly key: string; readonly of: SubjectCases; readonly open: boolean }
  | ({
      readonly type: "case";
      /** Key of the row above that contains the case. */
      readonly below: string;
    } & CaseOfRule);

/** Returns the rows of the list; `all`: every row is open, as during a search. */
export function issueRows(
  rules: readonly IssueRule[],
  grouping: IssueGrouping,
  open: readonly string[],
  all: boolean,
): readonly IssueRow[] {
  const heads: readonly (readonly [IssueRow & { readonly key: string }, readonly CaseOfRule[]])[] =
    grouping === "rule"
      ? rules.map((rule) => [
          { type: "rule", key: rule.rule, rule, open: false },
          rule.cases.map((one) => ({ rule, case: one })),
        ])
      : [...bySubject(rules)].map(([key, of]) => [{ type: "subject", key, of, open: false }, of.cases]);
  return heads.flatMap(([head, cases]) => {
    const isOpen = cases.length > 0 && (all || open.includes(head.key));
    const below = isOpen ? cases.map((one): IssueRow => ({ type: "case", below: head.key, ...one })) : [];
    return [{ ...head, open: isOpen }, ...below];
  });
}

/** Cases of each subject, by its key, in the order of the rules: the worst is first. */
function bySubject(rules: readonly IssueRule[]): ReadonlyMap<string, SubjectCases> {
  const found = new Map<string, { subject: IssueSubject; cases: CaseOfRule[] }>();
  for (const rule of rules) {
    for (const one of rule.cases) {
      const key = subjectKey(one.subject);
      const known = found.get(key) ?? { subject: one.subject, cases: [] };
      known.cases.push({ rule, case: one });
      found.set(key, known);
    }
  }
  return found;
}

const holds = ({ cases }: SubjectCases, issue: IssueChoice): boolean =>
  cases.some((one) => one.rule.rule === issue.rule && one.case.id === issue.case);

/** Index of the selected row, or of the closed row that contains it; -1 without a selection. */
export function selectedRow(rows: readonly IssueRow[], issue: IssueChoice | null, subject: string | null): number {
  if (issue === null) return rows.findIndex((row) => row.type === "subject" && row.key === subject);
  const meant = rows.flatMap((row, index) => {
    if (row.type !== "case" || row.rule.rule !== issue.rule) return [];
    const { id, subject: of, location } = row.case;
    return (subject === null ? id === issue.case : subjectKey(of) === subject) ? [{ index, location }] : [];
  });
  const one = meant.find(({ location }) => location === issue.location) ?? meant[0];
  if (one) return one.index;
  return rows.findIndex((row) => {
    if (row.type === "case") return false;
    return row.type === "subject" ? row.key === subject || holds(row.of, issue) : row.key === issue.rule;
  });
}
