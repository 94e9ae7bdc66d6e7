import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";

import { Disclosure } from "../../components/Disclosure";
import { Marked } from "../../components/Marked";
import type { OperationNumber, ServerId, OperationView, AnsweredRequest, AskedPage } from "../../ipc/bindings";
import { hostOf, normalForm } from "../../lib/address";
import { count } from "../../lib/format";
import { useServerRequestsOf, useOperation } from "../../state/hooks";
import { useWholeOperation } from "../../state/queries";
import { ServerRequestCard } from "./ServerRequestCard";
import styles from "./serverRequests.module.css";
import { answeredWords } from "./serverRequestWords";

interface OperationServerRequestsProps {
  readonly server: ServerId;
  readonly operation: OperationNumber;
  /** Also shows the answered requests. */
  readonly answered: boolean;
}

/** Server requests during one operation, oldest first. */
export function OperationServerRequests({ server, operation, answered }: OperationServerRequestsProps): ReactNode {
  const serverRequests = useServerRequestsOf(server, operation);
  return (
    <>
      {serverRequests.length > 0 && (
        <div className={styles.ofOperation}>
          {serverRequests.map((request) => (
            <ServerRequestCard key={request} request={request} />
          ))}
        </div>
      )}
      {answered && <AnsweredRequests operation={operation} />}
    </>
  );
}

/** Server requests during a run, with their replies. */
function AnsweredRequests({ operation: number }: { readonly operation: OperationNumber }): ReactNode {
  const operation = useOperation(number);
  return operation === undefined || operation.asked === 0 ? null : <Answered operation={operation} />;
}

function Answered({ operation }: { readonly operation: OperationView }): ReactNode {
  const whole = useWholeOperation(operation).value;
  const pages = whole?.pages.filter((page) => !page.required) ?? [];
  const answered = whole?.answered ?? [];
  if (answered.length === 0) return null;
  return (
    <div className={styles.answered}>
      {pages.map((page, at) => (
        <Page key={at} page={page} />
      ))}
      <Disclosure summary={summaryOf(answered)}>
        <ul className="stack gap2">
          {answered.map((request) => (
            <Line key={request.request} request={request} />
          ))}
        </ul>
      </Disclosure>
    </div>
  );
}

function summaryOf(answered: readonly AnsweredRequest[]): string {
  const byRule = answered.filter(({ rule }) => rule !== null).length;
  const all = `${count(answered.length, "server request", "server requests")} answered`;
  if (byRule === 0) return all;
  return byRule === answered.length ? `${all} by rule` : `${all}, ${byRule} by rule`;
}

function Page({ page }: { readonly page: AskedPage }): ReactNode {
  const host = hostOf(normalForm(page.url));
  return (
    <p className="note shrink breakable">
      {page.completed && <CircleCheck size={13} aria-hidden className="marginRight4 lowered ok" />}
      <bdi>
        <Marked text={host} />
      </bdi>
      {page.completed ? ": the server says that you have finished there." : ": you agreed to open this page."}
    </p>
  );
}

function Line({ request }: { readonly request: AnsweredRequest }): ReactNode {
  return (
    <li className="breakable">
      <code>{request.method}</code> · {answeredWords(request)}
      <span className="note shrink breakable">
        {" "}
        <Marked text={request.message} />
      </span>
    </li>
  );
}
