import { Plug } from "lucide-react";
import { useState, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { Empty } from "../../components/Empty";
import { later } from "../../components/later";
import { Spinner } from "../../components/Spinner";
import type { ServerId } from "../../ipc/bindings";
import { useActions, useAppState, useCatalog, useServer, useSession } from "../../state/hooks";
import styles from "./ConnectionView.module.css";
import { FirstSteps } from "./FirstSteps";

export const Connecting = later(async () => (await import("./Connecting")).Connecting);
const FailureView = later(async () => (await import("./FailureView")).FailureView);

/**
 * True if a server has content besides its connection. Runs outlive their connection, so a history alone keeps the
 * panes in place too; runs of an earlier start do so only while there is no connection to report on.
 */
export function useHasContent(server: ServerId): boolean {
  return useAppState(({ live }) => {
    const runs = live.operationOrder[server] ?? [];
    const idle = (live.sessions[server]?.phase ?? "idle") === "idle";
    return (
      Object.values(live.catalogs[server] ?? {}).some(({ revision }) => revision > 0) ||
      runs.some((operation) => idle || live.operations[operation]?.earlier === null)
    );
  });
}

/** True if the progress of connecting replaces the tools. */
export function useStandsAlone(server: ServerId): boolean {
  const hasContent = useHasContent(server);
  return useSession(server)?.phase === "connecting" && !hasContent;
}

/**
 * Connection state of a server that is not ready. Without content from an earlier connection it fills the pane, with
 * `signIn` while a connection waits for it; otherwise it is one line above that content, so that nothing on screen
 * disappears.
 */
export function ConnectionView(props: { server: ServerId; signIn: ReactNode; children: ReactNode }) {
  const { server, signIn, children } = props;
  const view = useServer(server);
  const session = useSession(server);
  const hasContent = useHasContent(server);
  const hasTools = (useCatalog(server, "tools")?.revision ?? 0) > 0;
  const alone = useAppState((state) => state.live.order.length === 1);
  const { connect } = useActions();
  const [details, setDetails] = useState(false);
  if (!view) return null;
  const phase = session?.phase ?? "idle";
  const failure = session?.failure;

  if (phase === "ready") return children;

  if (!hasContent) {
    if (phase === "connecting") return <Connecting server={server} signIn={signIn} />;
    if (phase === "failed" && failure) return <FailureView server={server} failure={failure} />;
    if (phase === "closing") {
      return <Empty title="Disconnecting" waits="Closing the connection…" />;
    }
    return (
      <Empty
        title={view.config.transport.type === "demo" ? "Run your first tool in one minute" : "Not connected"}
        actions={
          <>
            <Button kind="primary" large icon={Plug} onClick={() => void connect(server)}>
              Connect
            </Button>
            {view.config.transport.type === "demo" && alone && <FirstSteps />}
          </>
        }
      >
        {view.config.transport.type === "demo"
          ? "The demo server is built in and needs no network: connect, choose a tool on the left, fill in its form and press Run."
          : "Connect to see what this server offers and to run its tools."}
      </Empty>
    );
  }

  return (
    <div className="fill">
      <div className={styles.banner} role="status" data-tone={phase === "failed" ? "bad" : "quiet"}>
        {phase === "failed" && (
          <>
            <p className="grow textSelectable">
              <strong>{failure?.title ?? "The connection failed."}</strong> {failure?.cause}
            </p>
            {/* The header has the buttons to leave this state. */}
            {failure && (
              <Button small aria-expanded={details} onClick={() => setDetails(!details)}>
                {details ? "Hide details" : "Show details"}
              </Button>
            )}
          </>
        )}
        {/* The header has the button. */}
        {phase === "idle" && (
          <p className="grow textSelectable">
            <strong>Not connected.</strong>{" "}
            {hasTools ? "These are the tools and runs of the last connection." : "These are earlier runs."}
          </p>
        )}
        {phase === "connecting" && (
          <Spinner
            label={`Connecting: ${session?.steps.find((step) => step.state === "running")?.name ?? "one moment"}…`}
          />
        )}
        {phase === "closing" && <Spinner label="Disconnecting…" />}
      </div>
      {details && phase === "failed" && failure ? (
        <div className="fit">
          <FailureView server={server} failure={failure} reconnect={false} />
        </div>
      ) : (
        <div className="fit">{children}</div>
      )}
    </div>
  );
}
