import { MessageCircleQuestionMark } from "lucide-react";
import { useId, useRef } from "react";

import { Button } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Code } from "../../components/Code";
import { Disclosure } from "../../components/Disclosure";
import { FindingsCallout } from "../../components/Findings";
import { Marked } from "../../components/Marked";
import type { AnswerInput } from "../../ipc/bindings";
import { hasModifier } from "../../lib/shortcuts";
import { prettyJson } from "../../schema/print";
import { serverRequestActions } from "../../state/actions/serverRequests";
import { wireActions } from "../../state/actions/wire";
import { pageOf } from "../../state/answers";
import { useActions } from "../../state/hooks";
import { useAnswering } from "../../state/useAnswering";
import { onSendKey, FormAnswer, PageAnswer, RawAnswer } from "./answering";
import { SamplingAnswer } from "./SamplingAnswer";
import styles from "./serverRequests.module.css";
import { serverRequestTitle } from "./serverRequestWords";

/** A server request, with its form. Typed text stays as long as the request is open. */
export function ServerRequestCard({ request: number }: { request: number }) {
  const { request, answer, busy, send: sendOnce } = useAnswering(number);
  const actions = useActions();
  const id = useId();
  const section = useRef<HTMLDivElement>(null);
  if (!request || !answer) return null;
  const page = pageOf(request);
  const isShownOtherwise = answer.document !== null || page !== null || request.method === "sampling/createMessage";

  const send = async (given: AnswerInput, before?: () => Promise<boolean>): Promise<void> => {
    // The request may disappear before its answer is known to be accepted.
    const from = section.current;
    const head = from?.closest("[data-operation]")?.querySelector<HTMLElement>("[data-card-head]");
    if (await sendOnce(given, before)) leave(from, head);
  };

  return (
    // A group, not a landmark, as several with the same name can be open at once.
    <div
      ref={section}
      role="group"
      className={styles.request}
      aria-labelledby={id}
      data-server-request={number}
      onKeyDownCapture={(event) => {
        if (
          event.key.toLowerCase() !== "z" ||
          !hasModifier(event) ||
          !actions.get(serverRequestActions).undoAnswer(number)
        )
          return;
        // Otherwise the field would undo its own typing.
        event.preventDefault();
        event.stopPropagation();
      }}
      onKeyDown={(event) => {
        // Esc leaves a field here; it must not cancel the operation around it.
        if (event.key === "Escape") event.stopPropagation();
        onSendKey(event);
      }}
    >
      <div className="row gap8">
        <MessageCircleQuestionMark size={15} aria-hidden className={styles.icon} />
        <h3 id={id} className="heading">
          {serverRequestTitle(request)}
        </h3>
      </div>
      <p className="selectable scrolls asWritten maxHeight160" tabIndex={0}>
        <Marked text={request.message} lines />
      </p>
      {request.rule !== null && <p className="note shrink breakable">{request.rule}</p>}
      {request.as_task && (
        <p className="note shrink breakable">
          The server asked for this as a task: it does not wait for your response, but fetches it later.
        </p>
      )}
      {request.candidates.length > 0 && (
        <p className="note shrink breakable">
          Several runs were in progress, and the protocol does not say which of them this request belongs to. Each of
          them shows it.
        </p>
      )}
      {request.undeclared && (
        <Callout level="warning">
          The server must not send this request: Sonde did not declare the capability for it. You can respond anyway.
        </Callout>
      )}
      <FindingsCallout
        title="This request does not follow the specification."
        findings={request.findings}
        at={{ server: request.server, subject: `frame ${request.seq}` }}
      />
      {answer.document ? (
        <FormAnswer request={request} document={answer.document} busy={busy} send={send} />
      ) : page !== null ? (
        <PageAnswer request={request} address={page} busy={busy} send={send} />
      ) : request.method === "sampling/createMessage" ? (
        <SamplingAnswer request={request} answer={answer} busy={busy} send={send} />
      ) : (
        <RawAnswer request={request} raw={answer.raw} busy={busy} send={send} />
      )}
      <Disclosure summary="Raw request">
        <div className={styles.sent}>
          {isShownOtherwise && <Code label={`Parameters of ${request.method}`} text={prettyJson(request.params)} />}
          <Button small onClick={() => actions.get(wireActions).showLogEntry(request.server, request.seq)}>
            {request.method}: show log entry {request.seq}
          </Button>
        </div>
      </Disclosure>
    </div>
  );
}

/** Moves the focus from an answered server request to the header of its run, unless it has moved elsewhere. */
function leave(section: HTMLElement | null, head: HTMLElement | null | undefined): void {
  const at = document.activeElement;
  if (at === null || at === document.body || section?.contains(at) === true) head?.focus();
}
