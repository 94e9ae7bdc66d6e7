import type { DefinitionSubject, IssueSubject, ServerId } from "../../ipc/bindings";
import { visibleText } from "../../lib/visible";
import { issuesOf, subjectKey } from "../issues";
import { issuesSlice, type IssueChoice, type IssueGrouping } from "../slices/issues";
import { itemsSlice, isResourceKind } from "../slices/items";
import { UNLIMITED, wireSlice } from "../slices/wire";
import { catalogActions } from "./catalogs";
import type { Context } from "./context";
import { operationActions } from "./operations";

/** Actions on issues: muting rules, and moving to and from an issue. */
export function issueActions(context: Context) {
  const { backend, getState, toasts, setView, setServerUi, slice, setSlice, command, succeeds, copy, offerUndo } =
    context;
  const { openItem } = context.get(catalogActions);
  const { showOperation } = context.get(operationActions);

  const mute = (server: ServerId, rule: string, reason: string): Promise<boolean> =>
    succeeds("mute_rule", { server, rule, reason });
  const unmute = (server: ServerId, rule: string): Promise<boolean> => succeeds("unmute_rule", { server, rule });

  /** Undo offers of muted rules, by server and rule. A newer change of the rule withdraws the offer. */
  const offered = new Map<string, () => void>();
  const offer = (server: ServerId, rule: string, title: string, undo: () => void): void => {
    const key = `${server} ${rule}`;
    offered.get(key)?.();
    offered.set(key, toasts.offerUndo(title, { undo }));
  };

  /** Keeps the typed reason for muting a rule; `null` forgets it. */
  const setMuteReason = (server: ServerId, rule: string, reason: string | null): void => {
    const { [rule]: _, ...others } = slice(server, issuesSlice).muteReasons;
    setSlice(server, issuesSlice, { muteReasons: reason === null ? others : { ...others, [rule]: reason } });
  };

  const show = (server: ServerId, subject: IssueSubject): void => {
    switch (subject.type) {
      case "frame":
        return setSlice(server, wireSlice, { target: subject.seq }, { tab: "wire", maximized: null });
      case "run":
        return showOperation(subject.operation);
      case "list": {
        const { kind } = subject;
        if (isResourceKind(kind)) setSlice(server, itemsSlice, { resourceKind: kind });
        return setServerUi(server, { tab: isResourceKind(kind) ? "resources" : kind, part: "list", maximized: null });
      }
      case "instructions":
        return setServerUi(server, { tab: "about", maximized: null });
      case "item":
        return openItem(server, subject.kind, subject.key);
      default:
        return subject satisfies never;
    }
  };

  return {
    /**
     * Shows the issues of a server, of one rule, or the issue of this rule that a subject has, at this location if it
     * has several.
     */
    showIssues(
      server: ServerId,
      rule: string | null = null,
      subject: string | null = null,
      location: string | null = null,
    ): void {
      setView({ server, panel: null });
      const { open, filter } = slice(server, issuesSlice);
      if (rule !== null) {
        // The list's filter may hide the issue, and so may a muted rule.
        const muted = filter.muted || issuesOf(getState().live, server).muted_rules.includes(rule);
        setSlice(server, issuesSlice, {
          selected: { rule, case: null, location },
          subject,
          grouping: "rule",
          filter: { ...issuesSlice.initial.filter, muted },
          open: open.includes(rule) ? open : [...open, rule],
        });
      }
      setServerUi(server, { tab: "issues", maximized: null });
    },
    selectIssue(server: ServerId, selected: IssueChoice | null): void {
      setSlice(server, issuesSlice, { selected, subject: null });
    },
    /** Groups the issues by rule or by item. A selected case stays selected within its new group. */
    groupIssues(server: ServerId, grouping: IssueGrouping): void {
      const { selected, subject } = slice(server, issuesSlice);
      setSlice(server, issuesSlice, { grouping, subject: selected === null ? null : subject });
    },
    /** Shows the cases of a rule or of a subject in the list, or hides them. */
    openIssue(server: ServerId, key: string, open: boolean): void {
      const others = slice(server, issuesSlice).open.filter((one) => one !== key);
      setSlice(server, issuesSlice, { open: open ? [...others, key] : others });
    },
    /** Shows the subject of an issue, and the place in it that a JSON Pointer leads to. */
    showIssueSubject(server: ServerId, subject: IssueSubject, location: string | null): void {
      setView({ server, panel: null });
      show(server, subject);
      const pointer = location?.startsWith("/") ? location : null;
      setSlice(server, issuesSlice, { place: pointer === null ? null : { subject: subjectKey(subject), pointer } });
    },
    /** Forgets the place of an issue once its subject is no longer shown. */
    leaveIssuePlace(server: ServerId, subject: string): void {
      if (slice(server, issuesSlice).place?.subject === subject) setSlice(server, issuesSlice, { place: null });
    },
    /** Shows the entries of the wire log that break a rule. */
    showFramesOfRule(server: ServerId, rule: string): void {
      setView({ server, panel: null });
      setSlice(server, wireSlice, { ...UNLIMITED, issuesOnly: true, rule }, { tab: "wire", maximized: null });
    },
    setMuteReason,
    /**
     * Mutes a rule for a server, and offers to undo that. `before` is its previous reason. Returns true if the rule was
     * muted; otherwise the typed reason stays.
     */
    async muteRule(server: ServerId, rule: string, reason: string, before: string | null): Promise<boolean> {
      if (!(await mute(server, rule, reason))) return false;
      setMuteReason(server, rule, null);
      const undo = (): void => void (before === null ? unmute(server, rule) : mute(server, rule, before));
      offer(server, rule, `${rule} is muted for this server`, undo);
      return true;
    },
    /** Unmutes a rule, and offers to undo that. */
    async unmuteRule(server: ServerId, rule: string, reason: string): Promise<void> {
      if (!(await unmute(server, rule))) return;
      offer(server, rule, `${rule} counts again`, () => void mute(server, rule, reason));
    },
    /**
     * Accepts a definition in its present form, or all changes (`null`), and offers to undo that. Returns true on
     * success.
     */
    async acceptDefinitions(server: ServerId, which: DefinitionSubject | null, digest: string): Promise<boolean> {
      const deletion = await command("accept_definitions", { server, which, digest });
      const what = which === null ? "Changes" : which.type === "tool" ? `“${visibleText(which.key)}”` : "Instructions";
      offerUndo(`${what} accepted`, deletion);
      return deletion !== undefined;
    },
    /** Copies issues of a server as Markdown: all, those of a rule, or one case of it. */
    copyIssues(server: ServerId, issue: IssueChoice | null): void {
      const report = backend.call("issue_report", { server, rule: issue?.rule ?? null, case: issue?.case ?? null });
      void copy(report, issue === null ? "Issues copied as Markdown" : "Issue copied as Markdown", server);
    },
  };
}
