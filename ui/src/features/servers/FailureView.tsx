import { Activity, CircleAlert, KeyRound, ListChecks, Pencil, RotateCw, SquareTerminal } from "lucide-react";

import { Button } from "../../components/Button";
import { CopyButton } from "../../components/CopyButton";
import { Disclosure } from "../../components/Disclosure";
import { HelpButton } from "../../components/HelpButton";
import { Prose, Sentence } from "../../components/Prose";
import { Sentences } from "../../components/Sentences";
import type { Failure, ServerId, ServerView } from "../../ipc/bindings";
import { scrollable } from "../../lib/scrollable";
import { endWords } from "../../lib/transportEnd";
import { useActions, useAuth, useServer, useSession } from "../../state/hooks";
import { Steps } from "./Connecting";
import styles from "./FailureView.module.css";
import { Lines } from "./StderrTail";

/** Failures whose text already says how the process ended. */
const SAYS_HOW_IT_ENDED = ["process_exited", "no_mcp_output", "json_over_lines"];

export interface FailureViewProps {
  readonly server: ServerId;
  readonly failure: Failure;
  /** Offers a button to reconnect. Off if another button already stands out. */
  readonly reconnect?: boolean;
}

/** Failure of a connection in plain words: the problem, its cause, advice, and all details below. */
export function FailureView({ server, failure, reconnect = true }: FailureViewProps) {
  const view = useServer(server);
  const session = useSession(server);
  const actions = useActions();
  const signInFailed = useAuth(server)?.state === "failed";
  if (!view) return null;
  const words = session?.closed ? endWords(session.closed) : null;
  const ended = words === null ? null : `${words}.`;
  return (
    <div className="tall scrolls" {...scrollable("Failure report", "region")}>
      <div className={styles.page}>
        <div className="flexed gap12">
          <CircleAlert size={22} aria-hidden className={styles.icon} />
          <div>
            <h2 className={styles.title}>
              <Prose text={failure.title} />
            </h2>
            {failure.cause !== "" && <Sentence text={failure.cause} />}
            {ended !== null && !SAYS_HOW_IT_ENDED.includes(failure.code) && <p className="muted breakable">{ended}</p>}
          </div>
        </div>
        {failure.advice.length > 0 && (
          <section aria-label="What to do">
            <h3 className={styles.heading}>What to do</h3>
            <Sentences of={failure.advice} />
          </section>
        )}
        <div className="wrap gap8">
          {reconnect && (
            <Button kind="primary" icon={RotateCw} onClick={() => void actions.connect(server)}>
              {failure.code === "sign_in_cancelled" ? "Sign in" : "Reconnect"}
            </Button>
          )}
          <Button icon={Pencil} onClick={() => actions.openPanel({ type: "edit_server", server })}>
            Edit
          </Button>
          <Button icon={ListChecks} onClick={() => void actions.diagnose(server)}>
            Diagnose
          </Button>
          {signInFailed && (
            <Button icon={KeyRound} onClick={() => actions.selectTab(server, "sign_in")}>
              Show sign-in steps
            </Button>
          )}
          <Button icon={Activity} onClick={() => actions.selectTab(server, "wire")}>
            Show wire log
          </Button>
          <HelpButton {...helpTopic(failure.code)} sentence={failure.title} />
          <CopyButton label="Copy report" text={() => report(view, failure, ended)} />
        </div>
        {failure.stderr_tail.length > 0 && (
          <section>
            <h3 className={styles.heading}>Last lines of stderr</h3>
            <Lines label="Last lines of stderr" lines={failure.stderr_tail} />
            <Button small kind="quiet" icon={SquareTerminal} onClick={() => actions.selectTab(server, "console")}>
              Show all lines
            </Button>
          </section>
        )}
        {failure.non_message_tail.length > 0 && (
          <section>
            <h3 className={styles.heading}>Non-JSON output</h3>
            <Lines label="Last lines of non-JSON output" lines={failure.non_message_tail} />
          </section>
        )}
        {failure.detail !== null && (
          <Disclosure summary="Technical details" open>
            <Lines label="Technical details" lines={failure.detail.split("\n")} />
          </Disclosure>
        )}
        {session && session.steps.length > 0 && (
          <Disclosure summary="Connection steps">
            <Steps steps={session.steps} />
          </Disclosure>
        )}
        <p className="muted breakable">
          <code>{view.address}</code>
        </p>
      </div>
    </div>
  );
}

/** Help topic of a failure. The code of a failed sign-in follows its prefix. */
function helpTopic(code: string): { readonly about: "connecting" | "authentication"; readonly code: string } {
  const problem = /^sign_in_(\w+)$/.exec(code)?.[1];
  return problem === undefined ? { about: "connecting", code } : { about: "authentication", code: problem };
}

function report(view: ServerView, failure: Failure, ended: string | null): string {
  const parts = [
    `Server: ${view.config.name}`,
    `Command or URL: ${view.address}`,
    `Failure: ${failure.title} (${failure.code})`,
    failure.cause,
    ended ?? "",
    failure.detail ?? "",
    failure.stderr_tail.length > 0 ? `stderr:\n${failure.stderr_tail.join("\n")}` : "",
    failure.non_message_tail.length > 0 ? `Non-JSON output:\n${failure.non_message_tail.join("\n")}` : "",
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}
