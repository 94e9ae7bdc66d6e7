import type { IssueCase, IssueRule } from "../../ipc/bindings";
import { subjectKey } from "../../state/issues";
import type { IssueChoice } from "../../state/view";

/** A row of the list: a rule, or a case of the one above it. */
export interface IssueRow {
  readonly rule: IssueRule;
  readonly case: IssueCase | null;
  /** Its cases are listed below it. */
  readonly open: boolean;
}

/** The rows of the list; `all`: every rule is open, as while something is searched for. */
export function issueRows(rules: readonly IssueRule[], open: readonly string[], all: boolean): readonly IssueRow[] {
  return rules.flatMap((rule) => {
    const isOpen = all || open.includes(rule.rule);
    const cases = isOpen ? rule.cases.map((one) => ({ rule, case: one, open: false })) : [];
    return [{ rule, case: null, open: isOpen && cases.length > 0 }, ...cases];
  });
}

/** The row that is selected; that of the rule where its case is not listed. -1: none. */
export function selectedRow(rows: readonly IssueRow[], issue: IssueChoice | null, subject: string | null): number {
  if (issue === null) return -1;
  const ofRule = (row: IssueRow): boolean => row.rule.rule === issue.rule;
  const at = rows.findIndex((row) => {
    if (!ofRule(row) || row.case === null) return false;
    return subject === null ? row.case.id === issue.case : subjectKey(row.case.subject) === subject;
  });
  return at >= 0 ? at : rows.findIndex(ofRule);
}

/** What a row stands for. */
export function choiceOf(row: IssueRow): IssueChoice {
  return { rule: row.rule.rule, case: row.case?.id ?? null };
}
