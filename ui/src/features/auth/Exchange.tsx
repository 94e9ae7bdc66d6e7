import { HostMarked } from "../../components/Address";
import { ErrorCallout } from "../../components/Callout";
import { Code } from "../../components/Code";
import { HeaderTable } from "../../components/HeaderTable";
import { Spinner } from "../../components/Spinner";
import type { AuthExchange, AuthStep, ServerId } from "../../ipc/bindings";
import { prettyJson } from "../../schema";
import { useBackend, useFetched } from "../../state/hooks";
import styles from "./auth.module.css";
import { statusWords } from "./authWords";

/** Request and response of a step, as on the wire, with fingerprints in place of secrets. */
export function Exchange({ server, step }: { server: ServerId; step: AuthStep }) {
  const backend = useBackend();
  const fetched = useFetched(`${server}\n${step.step}`, step.state, () =>
    backend.call("auth_exchange", { server, step: step.step }),
  );
  if (fetched.value) return <Both exchange={fetched.value} step={step.step} />;
  if (fetched.state === "failed") {
    return <ErrorCallout error={fetched.error} level="warning" />;
  }
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
