import * as icons from "lucide-react";
import { useId, useRef, useState } from "react";

import { HostMarked } from "../../components/Address";
import { ErrorCallout } from "../../components/Callout";
import { Code } from "../../components/Code";
import { CopyButton } from "../../components/CopyButton";
import { HeaderTable } from "../../components/HeaderTable";
import pane from "../../components/pane.module.css";
import { Sentence } from "../../components/Prose";
import { SpecButton } from "../../components/SpecButton";
import { Spinner } from "../../components/Spinner";
import type { AuthExchange, AuthStepState, AuthStep, AuthStatus, ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { clockTime, duration } from "../../lib/format";
import { scrollable } from "../../lib/scrollable";
import { prettyJson } from "../../schema/print";
import { useBackend, useServer } from "../../state/hooks";
import { useFetched } from "../../state/queries";
import styles from "./auth.module.css";
import { stepWords, traceText, statusWords } from "./authWords";
import { STEADY, useSteadyScroll } from "./useSteadyScroll";

const LOOKS: Readonly<Record<AuthStepState, readonly [icon: icons.LucideIcon, colour: string]>> = {
  running: [icons.LoaderCircle, "accent"],
  done: [icons.CircleCheck, "ok"],
  warning: [icons.TriangleAlert, "warn"],
  failed: [icons.CircleX, "bad"],
};

/** All steps of the sign-in, each with its request and response collapsed. */
export function Steps({ auth }: { auth: AuthStatus }) {
  const { server, steps } = auth;
  const name = useServer(server)?.config.name ?? "";
  const backend = useBackend();
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const scroller = useRef<HTMLDivElement>(null);
  useSteadyScroll(scroller, steps, !steps.some((step) => open.has(step.step)));

  const toggle = (step: number): void => {
    const next = new Set(open);
    if (!next.delete(step)) next.add(step);
    setOpen(next);
  };
  const trace = async (): Promise<string> => {
    const fetched = steps
      .filter((step) => step.has_exchange)
      .map(async ({ step }): Promise<readonly [number, AuthExchange | null]> => [
        step,
        await backend.call("auth_exchange", { server, step }).catch(() => null),
      ]);
    return traceText(name, steps, new Map(await Promise.all(fetched)));
  };

  return (
    <section className="fill" aria-label="Sign-in steps">
      <div className={pane.partHead}>
        <h2 className="heading stretch unbroken">Sign-in steps</h2>
        {steps.length > 0 && <CopyButton label="Copy trace" text={trace} />}
      </div>
      <div ref={scroller} className={cx("fit", styles.storyBody)} {...scrollable("Steps")}>
        {steps.length === 0 ? (
          <p className="pad8x12 muted">No steps yet.</p>
        ) : (
          <ol className="noBullets">
            {steps.map((step) => (
              <Step key={step.step} auth={auth} step={step} open={open.has(step.step)} onToggle={toggle} />
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

interface StepProps {
  auth: AuthStatus;
  step: AuthStep;
  open: boolean;
  onToggle: (step: number) => void;
}

function Step({ auth, step, open, onToggle }: StepProps) {
  const id = useId();
  const [Icon, colour] = LOOKS[step.state];
  const Chevron = open ? icons.ChevronDown : icons.ChevronRight;
  const head = (
    <>
      <Icon size={14} aria-hidden className={cx("rigid", styles.stepIcon, colour)} />
      <span className="grow medium breakable">
        {step.step}. {step.title}
      </span>
      <span className={cx("note rigid digits", colour)}>{stepWords[step.state]}</span>
    </>
  );
  return (
    <li className="lineBelow" {...{ [STEADY]: "" }}>
      {step.has_exchange ? (
        <button
          type="button"
          className={cx(styles.stepHead, "hovers")}
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          data-tip={open ? "Hide request and response" : "Show request and response"}
          data-focus="inset"
          onClick={() => onToggle(step.step)}
        >
          <Chevron size={14} aria-hidden className={styles.chevron} />
          {head}
        </button>
      ) : (
        <div className={styles.stepHead}>
          <span className={styles.chevron} aria-hidden />
          {head}
        </div>
      )}
      <div className={styles.stepBody}>
        {step.sentence !== "" && <Sentence className="selectable" text={step.sentence} />}
        <div className={styles.stepMeta}>
          <span className="note rigid digits">
            {clockTime(step.at).slice(0, 8)}
            {step.millis !== null && ` · ${duration(step.millis * 1000)}`}
          </span>
          {step.spec && <SpecButton spec={step.spec} />}
        </div>
        {open && (
          <div id={id}>
            <Exchange server={auth.server} step={step} />
          </div>
        )}
      </div>
    </li>
  );
}

/** Request and response of a step, as on the wire, with fingerprints in place of secrets. */
function Exchange({ server, step }: { server: ServerId; step: AuthStep }) {
  const fetched = useFetched(`${server}\n${step.step}`, step.state, (backend) =>
    backend.call("auth_exchange", { server, step: step.step }),
  );
  if (fetched.value) return <Both exchange={fetched.value} step={step.step} />;
  if (fetched.state === "failed") return <ErrorCallout error={fetched.error} level="warning" />;
  return <Spinner label="Loading the request…" />;
}

function Both({ exchange, step }: { exchange: AuthExchange; step: number }) {
  return (
    <div className={styles.exchange}>
      <h3 className="small strong">Request</h3>
      <p className="selectable monoFont monoSize">
        {exchange.method} <HostMarked address={exchange.url} />
      </p>
      <HeaderTable
        className={styles.headers}
        label={`Request headers of step ${step}`}
        headers={exchange.request_headers}
      />
      <Body label={`Request body of step ${step}`} text={exchange.request_body} />
      <h3 className="small strong">Response{exchange.status !== null && `: ${statusWords(exchange.status)}`}</h3>
      {exchange.status === null && <p>{exchange.error ?? "No response."}</p>}
      {exchange.status !== null && exchange.error !== null && <p>{exchange.error}</p>}
      <HeaderTable
        className={styles.headers}
        label={`Response headers of step ${step}`}
        headers={exchange.response_headers}
      />
      <Body label={`Response body of step ${step}`} text={exchange.response_body} />
    </div>
  );
}

function Body({ label, text }: { label: string; text: string | null }) {
  if (text === null || text === "") return null;
  return <Code label={label} text={prettyJson(text)} />;
}
