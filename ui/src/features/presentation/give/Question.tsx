import { useEffect, useId, useRef, useState, type ReactNode } from "react";

import { Address } from "../../../components/Address";
import { Button } from "../../../components/Button";
import { focusProblem } from "../../../components/form/problemFocus";
import { PlainForm } from "../../../components/form/PlainForm";
import { Marked } from "../../../components/Marked";
import { PageWarnings } from "../../../components/PageAddress";
import type { AnswerInput, OpenServerRequest } from "../../../ipc/bindings";
import { commitThen } from "../../../lib/focus";
import { once } from "../../../lib/once";
import { hasModifier, isTyping } from "../../../lib/shortcuts";
import { syntaxProblem, toText, type FormDocument } from "../../../schema/document";
import { compactJson } from "../../../schema/print";
import { shallowProblems } from "../../../schema/shallow";
import { serverRequestActions } from "../../../state/actions/serverRequests";
import { addressOf } from "../../../state/answers";
import { useActions } from "../../../state/hooks";
import { useAnswering } from "../../../state/useAnswering";
import { AlsoSent } from "./AlsoSent";
import { endsForm } from "./endsForm";
import styles from "./give.module.css";
import { FIELD } from "./next";
import { useScale } from "./useScale";

/** A server request during a presentation, with the controls to answer it. */
export function Question({ request: number }: { readonly request: number }): ReactNode {
  const { request, answer, busy, send } = useAnswering(number);
  const title = useId();
  const section = useRef<HTMLElement>(null);
  const scale = useScale();
  const isThere = request !== undefined && answer !== undefined;
  // Focus the field, so that the answer can be typed at once, unless the user is typing elsewhere.
  useEffect(() => {
    if (!isThere || isTyping(document.activeElement)) return;
    const field = section.current?.querySelector<HTMLElement>(FIELD);
    field?.focus();
  }, [isThere]);
  // Keep the whole field visible, and the buttons if there is room; again after a change of the type size.
  useEffect(() => {
    const at = document.activeElement;
    if (!isThere || !at || !section.current?.contains(at)) return;
    section.current.querySelector("[data-buttons]")?.scrollIntoView({ block: "nearest" });
    (at.closest("[data-field]") ?? at).scrollIntoView({ block: "nearest" });
    at.scrollIntoView({ block: "nearest" });
    showBeginning(section.current, at);
  }, [isThere, scale]);
  if (!request || !answer) return null;
  return (
    <section ref={section} className={styles.question} aria-labelledby={title} data-question>
      <h2 id={title} className="visuallyHidden">
        A question
      </h2>
      {request.message !== "" && (
        <p className="strong breakable large" data-quoted>
          <Marked text={request.message} lines />
        </p>
      )}
      {answer.document ? (
        <Form request={request} document={answer.document} busy={busy} send={send} />
      ) : (
        <Other request={request} busy={busy} send={send} />
      )}
    </section>
  );
}

/** Scrolls to the beginning of the question if it fits together with the field. */
function showBeginning(question: HTMLElement, field: Element): void {
  const stage = question.closest("main");
  if (!stage) return;
  const view = stage.getBoundingClientRect();
  const above = view.top - question.getBoundingClientRect().top;
  const end = (field.closest("[data-field]") ?? field).getBoundingClientRect().bottom;
  if (above > 0 && end + above <= view.bottom) stage.scrollTop -= above;
}

interface AnswerProps {
  readonly request: OpenServerRequest;
  readonly busy: boolean;
  readonly send: (answer: AnswerInput) => Promise<boolean>;
}

function Form({ request, document, busy, send }: AnswerProps & { readonly document: FormDocument }): ReactNode {
  const actions = useActions().get(serverRequestActions);
  const [tried, setTried] = useState(false);
  const idPrefix = `question-${request.request}`;
  const problems = tried ? shallowProblems(document) : [];
  const answer = (): void => {
    const [first] = shallowProblems(document);
    commitThen(
      () => setTried(true),
      () => first && focusProblem(idPrefix, first),
    );
    if (!first && syntaxProblem(document) === null && !busy) {
      void send({ type: "accept", content: compactJson(toText(document)) });
    }
  };
  return (
    <div
      className={styles.answer}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.repeat || event.defaultPrevented) return;
        if (!hasModifier(event) && !endsForm(event)) return;
        event.preventDefault();
        answer();
      }}
    >
      <PlainForm
        label="Your answer"
        idPrefix={idPrefix}
        value={document}
        problems={problems}
        onChange={(next) => actions.changeAnswer(request.request, { document: next })}
      />
      <AlsoSent document={document} />
      <div className={styles.buttons} data-buttons>
        <Button kind="primary" large disabled={busy} onClick={once(answer)}>
          Answer
        </Button>
        <Button large disabled={busy} onClick={once(() => send({ type: "decline" }))}>
          No answer
        </Button>
      </div>
    </div>
  );
}

/** Requests without a form: a page to open, or a request that can be answered only outside the presentation. */
function Other({ request, busy, send }: AnswerProps): ReactNode {
  const actions = useActions();
  const address = addressOf(request);
  const declines = request.method === "elicitation/create";
  const refuse = (): void =>
    void send(declines ? { type: "decline" } : { type: "error", code: -1, message: "User rejected the request" });
  return (
    <div className={styles.answer}>
      {address === null ? (
        <p>This can be answered only outside the presentation.</p>
      ) : (
        <>
          <p>Please open this page. Come back here when you are done.</p>
          <p className="breakable" data-quoted>
            <Address address={address} written />
          </p>
          <PageWarnings address={address} plain />
        </>
      )}
      <div className={styles.buttons} data-buttons>
        {address !== null && (
          <>
            <Button kind="primary" large onClick={once(() => actions.askToOpen(address))}>
              Open…
            </Button>
            <Button
              large
              disabled={busy}
              onClick={once(() => send({ type: "raw", result: JSON.stringify({ action: "accept" }) }))}
            >
              I am done
            </Button>
          </>
        )}
        <Button large disabled={busy} onClick={once(refuse)}>
          No answer
        </Button>
      </div>
    </div>
  );
}
