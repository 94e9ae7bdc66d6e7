import type { IssueFilter } from "../../ipc/bindings";
import type { Slice } from "./slice";

/** A selected rule, or one case of it. */
export interface IssueChoice {
  readonly rule: string;
  /** Id of the case; `null` for the rule itself. */
  readonly case: string | null;
  /** Location of the case, if the selected subject has several cases. */
  readonly location?: string | null;
}

/** A place in the subject of an issue. */
export interface IssuePlace {
  /** Key of the subject. */
  readonly subject: string;
  /** JSON Pointer from the root of the subject, or from the result, params or error of a message. */
  readonly pointer: string;
}

/** Grouping of issues: by rule, or by the item that breaks it. */
export type IssueGrouping = "rule" | "item";

/** State of the issues. */
export interface IssuesUi {
  readonly filter: IssueFilter;
  readonly selected: IssueChoice | null;
  /** Key of a subject whose case of the selected rule is to be selected; without a rule, the subject itself. */
  readonly subject: string | null;
  /** Place of the followed issue in its subject, while the subject is shown. */
  readonly place: IssuePlace | null;
  readonly grouping: IssueGrouping;
  /** Typed reasons for muting rules, by rule, until the rules are muted. */
  readonly muteReasons: Readonly<Record<string, string>>;
  /** Ids and keys of the rules and subjects whose cases are listed. */
  readonly open: readonly string[];
}

export const issuesSlice: Slice<IssuesUi> = {
  name: "issues",
  initial: {
    filter: { text: "", severities: [], groups: [], muted: false },
    selected: null,
    subject: null,
    place: null,
    grouping: "rule",
    muteReasons: {},
    open: [],
  },
};
