import { MessageCircleQuestionMark } from "lucide-react";
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";

import { Address } from "../../components/Address";
import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Code } from "../../components/Code";
import { Disclosure } from "../../components/Disclosure";
import { ArgumentsForm } from "../../components/form/ArgumentsForm";
import { ProblemBar } from "../../components/form/ProblemBar";
import { JsonEditor } from "../../components/form/JsonEditor";
import { Marked } from "../../components/Marked";
import type { AnswerInput, ServerRequestView } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { hasModifier, modifier } from "../../lib/shortcuts";
import { compactJson, prettyJson, syntaxProblem, toText, type FormDocument } from "../../schema";
import { shallowProblems } from "../../schema/shallow";
import { useActions, useAnswer, useConnection, useServerRequest } from "../../state/hooks";
import { addressOf } from "../../state/answers";
import styles from "./serverRequests.module.css";
import { jsonProblem, serverRequestTitle } from "./words";

/** Something the server asks, with what answers it. What is typed stays as long as the server request does. */
export function ServerRequestCard({ request: number }: { request: number }) {
  const request = useServerRequest(number);
  const answer = useAnswer(number);
  const actions = useActions();
  const id = useId();
  const [busy, setBusy] = useState(false);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (request) actions.openAnswer(request);
  }, [actions, request]);
  if (!request || !answer) return null;

  const send = async (given: AnswerInput): Promise<void> => {
    if (busy) return;
    setBusy(true);
    const taken = await actions.answerServerRequest(request, given);
    // Once taken, the server request goes away; until then nothing is sent twice.
    if (!taken) setBusy(false);
    else leave(section.current);
  };

  return (
    <section
      ref={section}
      className={styles.request}
      aria-labelledby={id}
      data-server-request={number}
      onKeyDown={(event) => {
        // Esc here leaves a field; it must not cancel the operation around it.
        if (event.key === "Escape") event.stopPropagation();
      }}
    >
      <div className={styles.head}>
        <MessageCircleQuestionMark size={15} aria-hidden className={styles.icon} />
        <h3 id={id} className="heading">
          {serverRequestTitle(request)}
        </h3>
      </div>
      <p className={styles.message} tabIndex={0}>
        <Marked text={request.message} lines />
      </p>
      {request.undeclared && (
        <Callout level="warning">
          <p>
            The server must not send this request: Sonde did not declare the capability for it. You can respond anyway.
          </p>
        </Callout>
      )}
      {answer.document ? (
        <FormAnswer request={request} document={answer.document} busy={busy} send={send} />
      ) : (
        <RawAnswer request={request} raw={answer.raw} busy={busy} send={send} />
      )}
      <Disclosure summary="Raw request">
        <div className={styles.sent}>
          {answer.document && <Code label={`Parameters of ${request.method}`} text={prettyJson(request.params)} />}
          <Button small onClick={() => actions.showLogEntry(request.server, request.seq)}>
            {request.method}: show log entry {request.seq}
          </Button>
        </div>
      </Disclosure>
    </section>
  );
}

/** Moves the focus from an answered server request to what it belonged to, unless it has gone elsewhere. */
function leave(section: HTMLElement | null): void {
  const at = document.activeElement;
  if (!section || (at !== null && at !== document.body && !section.contains(at))) return;
  section.closest("[data-operation]")?.querySelector<HTMLElement>("[data-card-head]")?.focus();
}

interface AnswerProps {
  request: ServerRequestView;
  busy: boolean;
  send: (answer: AnswerInput) => Promise<void>;
}

function FormAnswer({ request, document, busy, send }: AnswerProps & { document: FormDocument }) {
  const actions = useActions();
  const [tried, setTried] = useState(false);
  const idPrefix = `request-${request.request}`;
  const syntax = syntaxProblem(document);
  const found = tried ? shallowProblems(document) : [];
  const accept = (anyway: boolean): void => {
    setTried(true);
    if (syntax !== null || busy || (!anyway && shallowProblems(document).length > 0)) return;
    void send({ type: "accept", content: compactJson(toText(document)) });
  };
  return (
    <div className={styles.answer} onKeyDown={onSendKey(() => accept(false))}>
      <ArgumentsForm
        label="Response"
        idPrefix={idPrefix}
        value={document}
        problems={found}
        onChange={(next) => actions.changeAnswer(request.request, { document: next })}
      />
      <div className={styles.footer}>
        <ProblemBar
          idPrefix={idPrefix}
          problems={found}
          of="the response"
          actions={
            <Button small disabled={busy || syntax !== null} onClick={() => accept(true)}>
              Send anyway
            </Button>
          }
        />
        <div className={styles.buttons}>
          <Button
            small
            kind="primary"
            disabled={busy || syntax !== null}
            title={`${modifier}+Enter`}
            onClick={() => accept(false)}
          >
            Send
          </Button>
          <Declining busy={busy} send={send} />
          <span className={styles.hint}>
            {syntax ? `Not valid JSON: line ${syntax.line}, column ${syntax.column}.` : <kbd>{modifier}+Enter</kbd>}
          </span>
        </div>
      </div>
    </div>
  );
}

/** The two ways of not answering that only an elicitation has. */
function Declining({ busy, send }: Omit<AnswerProps, "request">) {
  return (
    <>
      <Button
        small
        disabled={busy}
        title="Responds with the action “decline”"
        onClick={() => void send({ type: "decline" })}
      >
        Decline
      </Button>
      <Button
        small
        kind="quiet"
        disabled={busy}
        title="Responds with the action “cancel”"
        onClick={() => void send({ type: "cancel" })}
      >
        Cancel
      </Button>
    </>
  );
}

function RawAnswer({ request, raw, busy, send }: AnswerProps & { raw: string }) {
  const actions = useActions();
  const stateless = useConnection(request.server)?.era === "stateless";
  const problem = jsonProblem(raw);
  const address = addressOf(request);
  const answer = (): void => {
    if (problem === null && !busy) void send({ type: "raw", result: compactJson(raw) });
  };
  return (
    <div className={styles.answer} onKeyDown={onSendKey(answer)}>
      {address !== null && (
        <p className={styles.address}>
          <Address address={address} written />
          <Button small onClick={() => actions.askToOpen(address)}>
            Open…
          </Button>
        </p>
      )}
      <div className={styles.pair}>
        <div className={styles.params} tabIndex={0} role="group" aria-label="Request parameters">
          {request.params === "" ? (
            <p className={styles.hint}>No parameters.</p>
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
      <div className={cx(styles.footer, styles.buttons)}>
        <Button small kind="primary" disabled={busy || problem !== null} title={`${modifier}+Enter`} onClick={answer}>
          Send result
        </Button>
        {request.method === "elicitation/create" && <Declining busy={busy} send={send} />}
        <Button
          small
          disabled={busy}
          title={
            stateless
              ? "Stateless mode has no error response here: rejecting cancels the run"
              : "Responds with the error -1"
          }
          onClick={() => void send({ type: "error", code: -1, message: "User rejected the request" })}
        >
          {stateless ? "Reject and cancel the run" : "Reject"}
        </Button>
        <span className={styles.hint} role="status">
          {problem ?? <kbd>{modifier}+Enter</kbd>}
        </span>
      </div>
    </div>
  );
}

/** Ctrl+Enter sends the answer, and does not run the tool beside it. */
function onSendKey(send: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "Enter" || event.repeat || !hasModifier(event)) return;
    event.preventDefault();
    send();
  };
}
