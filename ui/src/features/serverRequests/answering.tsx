import { ExternalLink } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";

import { Button } from "../../components/Button";
import { Code } from "../../components/Code";
import { ArgumentsForm } from "../../components/form/ArgumentsForm";
import { JsonEditor } from "../../components/form/JsonEditor";
import { ProblemBar } from "../../components/form/ProblemBar";
import { PageAddress } from "../../components/PageAddress";
import type { AnswerInput, OpenServerRequest } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { once } from "../../lib/once";
import { isWebAddress } from "../../lib/pages";
import { hasModifier, modifier } from "../../lib/shortcuts";
import { type FormDocument, syntaxProblem, toText } from "../../schema/document";
import { compactJson, prettyJson } from "../../schema/print";
import { shallowProblems } from "../../schema/shallow";
import { serverRequestActions } from "../../state/actions/serverRequests";
import { useConnection, useActions } from "../../state/hooks";
import { SavedAnswers } from "./SavedAnswers";
import styles from "./serverRequests.module.css";
import { jsonProblem } from "./serverRequestWords";

export interface AnswerProps {
  readonly request: OpenServerRequest;
  readonly busy: boolean;
  /** Sends an answer once. `before` runs first; nothing is sent if it fails. */
  readonly send: (answer: AnswerInput, before?: () => Promise<boolean>) => Promise<void>;
}

/** Buttons to decline or cancel, which only elicitation has. */
export function Declining({ busy, send }: Omit<AnswerProps, "request">): ReactNode {
  return (
    <>
      <Button
        small
        disabled={busy}
        title="Responds with the action “decline”"
        onClick={once(() => send({ type: "decline" }))}
      >
        Decline
      </Button>
      <Button
        small
        kind="quiet"
        disabled={busy}
        title="Responds with the action “cancel”"
        onClick={once(() => send({ type: "cancel" }))}
      >
        Cancel
      </Button>
    </>
  );
}

interface RejectingProps extends AnswerProps {
  /** Message of the error. */
  readonly message: string;
}

/** Rejects a request with an error. Stateless mode has no response for that. */
export function Rejecting({ request, busy, send, message }: RejectingProps): ReactNode {
  const stateless = useConnection(request.server)?.era === "stateless";
  return (
    <Button
      small
      disabled={busy}
      title={
        stateless
          ? "Stateless mode has no error response here: rejecting cancels the run"
          : "Responds with the error -1"
      }
      onClick={once(() => send({ type: "error", code: -1, message }))}
    >
      {stateless ? "Reject and cancel the run" : "Reject"}
    </Button>
  );
}

interface SendButtonProps {
  readonly disabled: boolean;
  readonly onSend: () => void;
  readonly children: string;
}

/** Button that sends the answer; {@link onSendKey} presses it too. */
export function SendButton({ disabled, onSend, children }: SendButtonProps): ReactNode {
  return (
    <Button small kind="primary" disabled={disabled} data-send title={`${modifier}+Enter`} onClick={once(onSend)}>
      {children}
    </Button>
  );
}

/** Problem of the answer, or the keys that send it. */
export function SendNote({ problem }: { readonly problem: string | null }): ReactNode {
  return (
    <span className="note shrink breakable" role="status">
      {problem ?? <kbd>{modifier}+Enter</kbd>}
    </span>
  );
}

/**
 * Presses the button that sends the answer (`data-send`) on Ctrl+Enter anywhere in a request, without running the tool
 * beside it.
 */
export function onSendKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "Enter" || !hasModifier(event)) return;
  event.preventDefault();
  if (!event.repeat) event.currentTarget.querySelector<HTMLElement>("[data-send]:enabled")?.click();
}

/** The form that a server asks for. */
export function FormAnswer({
  request,
  document,
  busy,
  send,
}: AnswerProps & { readonly document: FormDocument }): ReactNode {
  const actions = useActions();
  const [tried, setTried] = useState(false);
  // A request can be shown on several runs.
  const idPrefix = `request-${request.request}-${useId()}`;
  const syntax = syntaxProblem(document);
  const found = tried ? shallowProblems(document) : [];
  const accept = (anyway: boolean): void => {
    setTried(true);
    if (syntax !== null || busy || (!anyway && shallowProblems(document).length > 0)) return;
    void send({ type: "accept", content: compactJson(toText(document)) });
  };
  return (
    <div className="stack gap8 shrink">
      <ArgumentsForm
        label="Response"
        idPrefix={idPrefix}
        value={document}
        problems={found}
        onChange={(next, removed) =>
          actions.get(serverRequestActions).changeAnswer(request.request, { document: next }, removed)
        }
      />
      <SavedAnswers request={request} answer={{ document, raw: "{}", sampling: null }} />
      <div className={styles.footer}>
        <ProblemBar
          idPrefix={idPrefix}
          problems={found}
          of="the response"
          actions={
            <Button small disabled={busy || syntax !== null} onClick={once(() => accept(true))}>
              Send anyway
            </Button>
          }
        />
        <div className="wrap gap8" data-uncovered>
          <SendButton disabled={busy || syntax !== null} onSend={() => accept(false)}>
            Send
          </SendButton>
          <Declining busy={busy} send={send} />
          <span className="note shrink breakable">
            {syntax ? `Not valid JSON: line ${syntax.line}, column ${syntax.column}.` : <kbd>{modifier}+Enter</kbd>}
          </span>
        </div>
      </div>
    </div>
  );
}

/** A page that the server asks the user to open. Nothing is fetched from it before. */
export function PageAnswer({ address, busy, send }: AnswerProps & { readonly address: string }): ReactNode {
  const actions = useActions();
  const accept = (before?: () => Promise<boolean>): Promise<void> =>
    send({ type: "raw", result: '{"action":"accept"}' }, before);
  return (
    <div className="stack gap8 shrink">
      <PageAddress address={address} />
      <p className="note shrink breakable">
        The page opens in your browser. The server learns that you agreed to open it, not what you do there.
      </p>
      <div className="wrap gap8" data-uncovered>
        <Button
          small
          kind="primary"
          icon={ExternalLink}
          disabled={busy || !isWebAddress(address)}
          onClick={once(() => accept(() => actions.openPage(address)))}
        >
          Open in the browser
        </Button>
        <Declining busy={busy} send={send} />
        <Button
          small
          kind="quiet"
          disabled={busy}
          title="Responds with the action “accept”"
          onClick={once(() => accept())}
        >
          Accept without opening
        </Button>
      </div>
    </div>
  );
}

/** Any result as JSON, for requests without a form. */
export function RawAnswer({ request, raw, busy, send }: AnswerProps & { readonly raw: string }): ReactNode {
  const actions = useActions().get(serverRequestActions);

  const problem = jsonProblem(raw);
  const answer = (): void => {
    if (problem === null && !busy) void send({ type: "raw", result: compactJson(raw) });
  };
  return (
    <div className="stack gap8 shrink">
      <div className={styles.pair}>
        <div className={styles.params} tabIndex={0} role="group" aria-label="Request parameters">
          {request.params === "" ? (
            <p className="note shrink breakable">No parameters.</p>
          ) : (
            <Code label="Parameters" text={prettyJson(request.params)} />
          )}
        </div>
        <JsonEditor
          label="Result as JSON"
          value={raw}
          onChange={(text) => actions.changeAnswer(request.request, { raw: text })}
        />
      </div>
      <div className={cx(styles.footer, "wrap gap8")} data-uncovered>
        <SendButton disabled={busy || problem !== null} onSend={answer}>
          Send result
        </SendButton>
        {request.method === "elicitation/create" && <Declining busy={busy} send={send} />}
        <Rejecting request={request} busy={busy} send={send} message="User rejected the request" />
        <SendNote problem={problem} />
      </div>
    </div>
  );
}
