import { Check, Circle, X } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { Disclosure } from "../../components/Disclosure";
import { Spinner } from "../../components/Spinner";
import { VisibleText } from "../../components/VisibleText";
import type { ConnectStep, ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { duration, elapsed } from "../../lib/format";
import { useNow } from "../../lib/useNow";
import { useActions, useServer, useSession } from "../../state/hooks";
import styles from "./Connecting.module.css";
import { StderrTail } from "./StderrTail";

/**
 * Progress of connecting, step by step, with the program's output. `signIn` shows the sign-in that a connection may
 * wait for.
 */
export function Connecting({ server, signIn }: { server: ServerId; signIn: ReactNode }) {
  const view = useServer(server);
  const session = useSession(server);
  const { command } = useActions();
  const now = useNow(1000);
  if (!view || !session) return null;
  return (
    <div className="tall scrolls">
      <div className={styles.page}>
        <h2 className="titleSize strong">
          Connecting to <VisibleText text={view.config.name} />
        </h2>
        {signIn}
        <Steps steps={session.steps} />
        <p className="note digits">Elapsed: {elapsed(now - session.since)}</p>
        {session.stderr_lines > 0 && (
          <Disclosure summary="stderr" open>
            <StderrTail server={server} lines={session.stderr_lines} />
          </Disclosure>
        )}
        <div>
          <Button onClick={() => void command("disconnect", { server })}>Stop</Button>
        </div>
      </div>
    </div>
  );
}

const words = { waiting: "pending", running: "running", done: "done", failed: "failed" };

const COLOURS = { waiting: "muted", running: "", done: "", failed: "bad" };

/** Steps of connecting with their outcomes. */
export function Steps({ steps }: { steps: readonly ConnectStep[] }) {
  return (
    <ol className="noBullets">
      {steps.map((step) => (
        <li key={step.name} className={cx("row gap8 height28", COLOURS[step.state])}>
          <span className={cx(styles.icon, step.state === "done" && "ok")}>
            {step.state === "done" && <Check size={15} aria-hidden />}
            {step.state === "failed" && <X size={15} aria-hidden />}
            {step.state === "waiting" && <Circle size={15} aria-hidden />}
            {step.state === "running" && <Spinner />}
          </span>
          <span>
            {step.name}
            <span className="visuallyHidden">: {words[step.state]}</span>
          </span>
          {step.millis !== null && <span className="note digits">{duration(step.millis * 1000)}</span>}
        </li>
      ))}
    </ol>
  );
}
