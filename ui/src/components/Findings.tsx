import { ListTree } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import type { FindingView } from "../ipc/bindings";
import { number } from "../lib/format";
import { issueActions } from "../state/actions/issues";
import { useActions, useMutedRules } from "../state/hooks";
import type { FoundAt } from "../state/issues";
import { Badge } from "./Badge";
import { Button } from "./Button";
import { Callout } from "./Callout";
import { Disclosure } from "./Disclosure";
import styles from "./Findings.module.css";
import { Prose, Sentence } from "./Prose";
import { SEVERITY_WORDS } from "./severities";
import { SpecButton } from "./SpecButton";

interface FindingListProps {
  readonly findings: readonly FindingView[];
  /** Missing for findings that are not among the issues of a server. */
  readonly at?: FoundAt | undefined;
}

/**
 * Lists findings, each with its rule and the section of the specification. Findings of muted rules are one click
 * away.
 */
export function FindingList({ findings, at }: FindingListProps): ReactNode {
  const [heard, muted] = useHeard(findings, at);
  return (
    <>
      {heard.length > 0 && <Items findings={heard} at={at} />}
      {muted.length > 0 && <Muted findings={muted} at={at} />}
    </>
  );
}

/** Splits findings into those of rules that are not muted for the server, and the others. */
export function useHeard(
  findings: readonly FindingView[],
  at: FoundAt | undefined,
): [heard: readonly FindingView[], muted: readonly FindingView[]] {
  const rules = useMutedRules(at?.server ?? "");
  if (rules.length === 0) return [findings, []];
  const isMuted = ({ rule }: FindingView): boolean => rules.includes(rule);
  return [findings.filter((finding) => !isMuted(finding)), findings.filter(isMuted)];
}

function Items({ findings, at }: FindingListProps): ReactNode {
  return (
    <ul className="noBullets">
      {findings.map((finding, index) => (
        <FindingItem key={index} finding={finding} at={at} />
      ))}
    </ul>
  );
}

function Muted({ findings, at }: FindingListProps): ReactNode {
  return (
    <Disclosure summary={`Muted (${number(findings.length)})`}>
      <Items findings={findings} at={at} />
    </Disclosure>
  );
}

/** Shows a finding. Its reason and fix are collapsed, as a list has up to a hundred findings. */
function FindingItem({ finding, at }: { readonly finding: FindingView; readonly at: FoundAt | undefined }): ReactNode {
  const { showIssues } = useActions().get(issueActions);
  const [open, setOpen] = useState(false);
  const details = useId();
  const { icon: Icon, word } = SEVERITY_WORDS[finding.severity];
  return (
    <li className={styles.finding} data-severity={finding.severity}>
      <Icon size={14} role="img" aria-label={word} className={styles.icon} />
      <div className={styles.text}>
        <Prose text={finding.message} />{" "}
        <code className="unbroken">
          {finding.rule}
          {finding.location !== null && ` ${finding.location}`}
        </code>{" "}
        {finding.certainty === "heuristic" && (
          <Badge tip="This is likely, but what was received does not prove it.">Heuristic</Badge>
        )}
        <Button small kind="quiet" aria-expanded={open} aria-controls={details} onClick={() => setOpen(!open)}>
          What to do
        </Button>
        {finding.spec && <SpecButton spec={finding.spec} />}
        {at && (
          <Button
            small
            kind="quiet"
            icon={ListTree}
            onClick={() => showIssues(at.server, finding.rule, at.subject, finding.location)}
          >
            Show in Issues
          </Button>
        )}
        <div id={details} hidden={!open} className={styles.details}>
          <Sentence text={finding.why} />
          <Sentence text={finding.fix} />
          {finding.revisions !== null && (
            <p>
              Applies to protocol versions: <Prose text={finding.revisions} />
            </p>
          )}
        </div>
      </div>
    </li>
  );
}

/** Lists findings of broken rules under a title; renders nothing without findings. */
export function FindingsCallout({
  title,
  findings,
  at,
}: FindingListProps & {
  /** Title, or a function of the number of findings that are not muted. */
  readonly title: string | ((heard: number) => string);
}): ReactNode {
  const [heard, muted] = useHeard(findings, at);
  if (heard.length === 0) return muted.length > 0 ? <Muted findings={muted} at={at} /> : null;
  const worst = heard.some((finding) => finding.severity !== "info") ? "warning" : "info";
  const words = typeof title === "string" ? title : title(heard.length);
  return (
    <Callout level={worst} title={worst === "info" ? "Worth knowing" : words}>
      <FindingList findings={findings} at={at} />
    </Callout>
  );
}
