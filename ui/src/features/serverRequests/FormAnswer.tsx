import { useState, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { ArgumentsForm } from "../../components/form/ArgumentsForm";
import { ProblemBar } from "../../components/form/ProblemBar";
import { once } from "../../lib/once";
import { modifier } from "../../lib/shortcuts";
import { compactJson, syntaxProblem, toText, type FormDocument } from "../../schema";
import { shallowProblems } from "../../schema/shallow";
import { useActions } from "../../state/hooks";
import { Declining, type AnswerProps, SendButton } from "./answering";
import { SavedAnswers } from "./SavedAnswers";
import styles from "./serverRequests.module.css";

/** The form that a server asks for. */
export function FormAnswer({
  request,
  document,
  busy,
  send,
}: AnswerProps & { readonly document: FormDocument }): ReactNode {
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
    <div className="stack gap8 shrink">
      <ArgumentsForm
        label="Response"
        idPrefix={idPrefix}
        value={document}
        problems={found}
        onChange={(next, removed) => actions.changeAnswer(request.request, { document: next }, removed)}
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
