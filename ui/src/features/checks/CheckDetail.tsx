import { Check as Accept, EyeOff, GitCompare, Play } from "lucide-react";
import type { ReactNode } from "react";

import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { Code } from "../../components/Code";
import { Facts } from "../../components/Facts";
import { Checkbox } from "../../components/Field";
import { DetailPane } from "../../components/ListWithDetails";
import { Prose, Sentence } from "../../components/Prose";
import { SubjectMenuButton } from "../../components/SubjectMenuButton";
import type { Check, CheckFailure, CheckSuite, ServerId } from "../../ipc/bindings";
import { clockTime, day, duration } from "../../lib/format";
import { useToday } from "../../lib/useNow";
import { visibleText } from "../../lib/visible";
import { prettyJson } from "../../schema/print";
import { checkActions } from "../../state/actions/checks";
import { areRunning } from "../../state/checks";
import { useActions, useChecks } from "../../state/hooks";
import { CaseTable } from "./CaseTable";
import { StateMark } from "./CheckLine";
import styles from "./checks.module.css";
import { lineWords, serverWords, shownState } from "./checkWords";

interface CheckDetailProps {
  readonly server: ServerId;
  readonly suite: CheckSuite;
  readonly check: Check;
  readonly onClose: () => void;
}

/** Details of a check: the reason of its failure, its baseline, and its request. */
export function CheckDetail({ server, suite, check, onClose }: CheckDetailProps): ReactNode {
  const actions = useActions().get(checkActions);
  const running = areRunning(useChecks(server));
  const { id, result } = check;
  const name = visibleText(check.name);
  return (
    <DetailPane
      label={`Check ${name}`}
      title={
        <h2 className="wrap shrink breakable gapS1xS2 inheritSize grow">
          <StateMark state={shownState(check)} />
          <span>{name}</span>
          {check.destructive && (
            <Badge tone="warn" tip="The tool may destroy something. It runs only with Include destructive.">
              Destructive
            </Badge>
          )}
        </h2>
      }
      buttons={<SubjectMenuButton small label={`Actions for ${name}`} subject={{ type: "check", server, check: id }} />}
      onClose={onClose}
    >
      <Outcome server={server} suite={suite} check={check} />
      <CaseTable checks={[check]} />
      <div className="wrap gapS2">
        {result?.differs === true && (
          <>
            <Button small kind="primary" icon={GitCompare} onClick={() => actions.compare(server, id)}>
              Compare
            </Button>
            <Button small icon={Accept} disabled={running} onClick={() => void actions.accept(server, id)}>
              Accept as the new baseline
            </Button>
          </>
        )}
        {result?.baseline_missing === true && (
          <Button small icon={Accept} disabled={running} onClick={() => void actions.accept(server, id)}>
            Keep this result as the baseline
          </Button>
        )}
        <Button
          small
          icon={Play}
          disabled={running}
          onClick={() => void actions.run(server, { type: "some", checks: [id] })}
        >
          Run this check
        </Button>
        <Checkbox label="On" checked={check.on} onChange={(on) => void actions.setOn(server, id, on)} />
      </div>
      <What suite={suite} check={check} />
    </DetailPane>
  );
}

function Outcome({ server, suite, check }: Omit<CheckDetailProps, "onClose">): ReactNode {
  const { on, skip_reason: skipped, result } = check;
  if (!on) {
    return (
      <p className="muted">
        Off: no run includes it.{skipped !== null && " "}
        {skipped !== null && <Prose text={skipped} />}
      </p>
    );
  }
  if (result === null) return <p className="muted">Not run yet.</p>;
  return (
    <section aria-label="Outcome" className="stack gapS2">
      {result.reason !== null && <Sentence text={result.reason} />}
      {result.failures.length > 0 && (
        <ul className="noBullets stack gapS2" aria-label="Failures">
          {result.failures.map((failure, index) => (
            <Failure key={index} server={server} suite={suite} check={check} failure={failure} />
          ))}
        </ul>
      )}
      {result.state === "passed" && result.failures.length === 0 && <p>Everything that it expects held.</p>}
    </section>
  );
}

interface FailureProps extends Omit<CheckDetailProps, "onClose"> {
  readonly failure: CheckFailure;
}

function Failure({ server, suite, check, failure }: FailureProps): ReactNode {
  const actions = useActions().get(checkActions);
  const running = areRunning(useChecks(server));
  const { path, differs } = failure;
  return (
    <li className={styles.failure}>
      <Sentence text={failure.message} />
      <p className="wrap gapS2 note">
        <span>{lineWords(suite.file, failure.line)}</span>
        {differs && path !== null && (
          <Button
            small
            kind="quiet"
            icon={EyeOff}
            disabled={running}
            onClick={() => void actions.ignore(server, check.id, path)}
          >
            Ignore this path
          </Button>
        )}
      </p>
    </li>
  );
}

function What({ suite, check }: Pick<CheckDetailProps, "suite" | "check">): ReactNode {
  const today = useToday();
  const { result } = check;
  const facts: (readonly [string, ReactNode])[] = [
    ["Request", <code key="request">{visibleText(check.request)}</code>],
    ["File", lineWords(suite.file, check.line)],
  ];
  if (result !== null && result.at > 0) {
    facts.push(["Last run", `${day(result.at, today)}, ${clockTime(result.at).slice(0, 8)}`]);
    if (result.duration !== null) facts.push(["Duration", duration(result.duration)]);
    if (result.server_name !== null || result.version !== null) facts.push(["Server", serverWords(result, "unknown")]);
    if (result.revision !== null) facts.push(["Protocol version", result.revision]);
  }
  return (
    <section aria-label="Request" className="stack gapS2">
      <Facts items={facts} />
      {check.arguments !== null && (
        <Code label={`Arguments of ${visibleText(check.name)}`} text={pretty(check.arguments)} />
      )}
    </section>
  );
}

/** Indents arguments over several lines; cut ones stay as they are. */
function pretty(text: string): string {
  return text.endsWith("…") ? visibleText(text) : prettyJson(text);
}
