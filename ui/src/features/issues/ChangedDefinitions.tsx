import { Check } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { ErrorCallout } from "../../components/Callout";
import { Prose } from "../../components/Prose";
import { VisibleText } from "../../components/VisibleText";
import type { DefinitionChange, DefinitionSubject, IssueSubject, ServerId } from "../../ipc/bindings";
import { clockTime, count, day, number } from "../../lib/format";
import { issueActions } from "../../state/actions/issues";
import { useActions, useAppState } from "../../state/hooks";
import { useFetched } from "../../state/queries";
import { focusNames } from "../../state/view";
import { MemberDifference } from "./MemberDifference";

/** Rules about definitions that differ from the accepted ones. */
export const CHANGED_RULES: readonly string[] = ["definition-changed", "instructions-changed"];

interface ChangedDefinitionsProps {
  readonly server: ServerId;
  readonly rule: string;
  /** Selected case; `null` for all cases of the rule. */
  readonly of: IssueSubject | null;
}

/** Changes of definitions, with buttons to accept them. */
export function ChangedDefinitions({ server, rule, of }: ChangedDefinitionsProps): ReactNode {
  const actions = useActions();
  const version = useAppState(({ live }) => live.issues[server]?.version ?? 0);
  const fetched = useFetched(server, `${version}`, (backend) => backend.call("definition_changes", { server }));
  if (fetched.state === "loading") return null;
  if (fetched.state === "failed") return <ErrorCallout error={fetched.error} />;
  const all = fetched.value;
  const ofRule = all.changes.filter(({ subject }) => (subject.type === "tool") === (rule === "definition-changed"));
  const shown = of === null ? ofRule : ofRule.filter(({ subject }) => isSame(subject, of));
  const accept = async (which: DefinitionSubject | null, digest: string): Promise<void> => {
    // The focused button disappears with the change.
    if (await actions.get(issueActions).acceptDefinitions(server, which, digest))
      actions.focus(focusNames.pane("entries"));
  };
  return (
    <section aria-label="Changes" className="stack gapS2">
      {shown.map((change) => (
        <Change
          key={subjectName(change.subject)}
          change={change}
          onAccept={() => void accept(change.subject, change.digest)}
        />
      ))}
      {of === null && all.count > 1 && (
        <div className="wrap gapS2">
          <Button small icon={Check} onClick={() => void accept(null, all.digest)}>
            Accept all {number(all.count)} changes
            {ofRule.length < all.changes.length && " of tools and instructions"}
          </Button>
          {all.count > all.changes.length && (
            <span className="note">{count(all.changes.length, "change is", "changes are")} listed.</span>
          )}
        </div>
      )}
    </section>
  );
}

function Change({ change, onAccept }: { readonly change: DefinitionChange; readonly onAccept: () => void }): ReactNode {
  const { subject, members, accepted, seen } = change;
  const named = members.map(({ member }) => (member.includes(" ") ? member : `\`${member}\``)).join(", ");
  return (
    <div className="stack gapS2">
      <h3 className="inheritSize">
        {subject.type === "tool" ? (
          <>
            Tool <VisibleText text={subject.key} code oneLine />
          </>
        ) : (
          "Instructions"
        )}
      </h3>
      <p>
        {subject.type === "tool" && (
          <>
            Changed: <Prose text={named} />.{" "}
          </>
        )}
        Accepted: {moment(accepted)}. First seen like this: {moment(seen)}.
      </p>
      {members.map((one) => (
        <MemberDifference key={one.member} change={one} />
      ))}
      <div className="wrap gapS2">
        <Button small kind="primary" icon={Check} onClick={onAccept}>
          Accept
        </Button>
      </div>
    </div>
  );
}

function moment(at: number): string {
  return `${day(at, Date.now())} ${clockTime(at).slice(0, 8)}`;
}

function isSame(subject: DefinitionSubject, of: IssueSubject): boolean {
  if (subject.type === "instructions") return of.type === "instructions";
  return of.type === "item" && of.kind === "tools" && of.key === subject.key;
}

function subjectName(subject: DefinitionSubject): string {
  return subject.type === "instructions" ? "instructions" : `tool ${subject.key}`;
}
