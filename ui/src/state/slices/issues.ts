import type { IssueFilter } from "../../ipc/bindings";
import type { Slice } from "./slice";

/** A rule, or one case of it, in the view of the issues. */
export interface IssueChoice {
  readonly rule: string;
  /** The id of the case; `null` for the rule itself. */
  readonly case: string | null;
  /** Location of the case, which tells it from others of the selected subject. */
  readonly location?: string | null;
}

/** A place in the subject of an issue. */
export interface IssuePlace {
  /** The key of the subject. */
  readonly subject: string;
  /** A JSON Pointer, from the root of it or from the result, params or error of a message. */
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
  /** The reasons that were typed for muting rules, by the rule, until these are muted. */
  readonly muteReasons: Readonly<Record<string, string>>;
  /** The rules and the subjects whose cases are listed, by their ids and keys. */
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
