import type { ReactNode } from "react";

import { Button } from "../../components/Button";
import { Code } from "../../components/Code";
import { JsonEditor } from "../../components/form/JsonEditor";
import { cx } from "../../lib/cx";
import { once } from "../../lib/once";
import { modifier } from "../../lib/shortcuts";
import { compactJson, prettyJson } from "../../schema";
import { useActions, useConnection } from "../../state/hooks";
import { Declining, type AnswerProps } from "./answering";
import styles from "./serverRequests.module.css";
import { jsonProblem } from "./serverRequestWords";

/** Any result as JSON, for requests without a form. */
export function RawAnswer({ request, raw, busy, send }: AnswerProps & { readonly raw: string }): ReactNode {
  const actions = useActions();
  const stateless = useConnection(request.server)?.era === "stateless";
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
        <Button
          small
          kind="primary"
          disabled={busy || problem !== null}
          data-send
          title={`${modifier}+Enter`}
          onClick={once(answer)}
        >
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
          onClick={once(() => send({ type: "error", code: -1, message: "User rejected the request" }))}
        >
          {stateless ? "Reject and cancel the run" : "Reject"}
        </Button>
        <span className="note shrink breakable" role="status">
          {problem ?? <kbd>{modifier}+Enter</kbd>}
        </span>
      </div>
    </div>
  );
}
