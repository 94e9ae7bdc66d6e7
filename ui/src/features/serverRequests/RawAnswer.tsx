import type { ReactNode } from "react";

import { Code } from "../../components/Code";
import { JsonEditor } from "../../components/form/JsonEditor";
import { cx } from "../../lib/cx";
import { compactJson, prettyJson } from "../../schema";
import { useActions } from "../../state/hooks";
import { Declining, type AnswerProps, SendButton, Rejecting, SendNote } from "./answering";
import styles from "./serverRequests.module.css";
import { jsonProblem } from "./serverRequestWords";

/** Any result as JSON, for requests without a form. */
export function RawAnswer({ request, raw, busy, send }: AnswerProps & { readonly raw: string }): ReactNode {
  const actions = useActions();

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
