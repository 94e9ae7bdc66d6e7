import { Callout } from "../../components/Callout";
import { Code } from "../../components/Code";
import { Spinner } from "../../components/Spinner";
import type { AuthExchange, AuthStepView, LogHeader, ServerId } from "../../ipc/bindings";
import { prettyJson } from "../../schema";
import { useBackend, useFetched } from "../../state/hooks";
import styles from "./auth.module.css";
import { HostMarked } from "./Address";
import { statusWords } from "./words";

/** The request of a step and its answer, as they went over the wire, with fingerprints where secrets stood. */
export function Exchange({ server, step }: { server: ServerId; step: AuthStepView }) {
  const backend = useBackend();
  const fetched = useFetched(`${server}\n${step.step}`, step.state, () =>
    backend.call("auth_exchange", { server, step: step.step }),
  );
  if (fetched.value) return <Both exchange={fetched.value} step={step.step} />;
  if (fetched.state === "failed") {
    return (
      <Callout level="warning" title={fetched.error.message}>
        {fetched.error.detail}
      </Callout>
    );
  }
  return <Spinner label="Fetching the request…" />;
}

function Both({ exchange, step }: { exchange: AuthExchange; step: number }) {
  return (
    <div className={styles.exchange}>
      <h3 className={styles.exchangeTitle}>Request</h3>
      <p className={styles.requestLine}>
        {exchange.method} <HostMarked address={exchange.url} />
      </p>
      <Headers label={`Request headers of step ${step}`} headers={exchange.request_headers} />
      <Body label={`Request body of step ${step}`} text={exchange.request_body} />
      <h3 className={styles.exchangeTitle}>Answer{exchange.status !== null && `: ${statusWords(exchange.status)}`}</h3>
      {exchange.status === null && <p>{exchange.error ?? "No answer came."}</p>}
      {exchange.status !== null && exchange.error !== null && <p>{exchange.error}</p>}
      <Headers label={`Answer headers of step ${step}`} headers={exchange.response_headers} />
      <Body label={`Answer body of step ${step}`} text={exchange.response_body} />
    </div>
  );
}

function Headers({ label, headers }: { label: string; headers: readonly LogHeader[] }) {
  if (headers.length === 0) return null;
  return (
    <table className={styles.headers}>
      <caption className="visuallyHidden">{label}</caption>
      <tbody>
        {headers.map((header, index) => (
          // Headers may repeat; their order is their identity.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={index}>
            <th scope="row">{header.name}</th>
            <td>{header.value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Body({ label, text }: { label: string; text: string | null }) {
  if (text === null || text === "") return null;
  return <Code label={label} text={prettyJson(text)} />;
}
