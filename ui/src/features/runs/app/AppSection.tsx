import { AppWindow, Code, RotateCw, X } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import { Callout } from "../../../components/Callout";
import { FindingsCallout } from "../../../components/Findings";
import { Checkbox } from "../../../components/Field";
import { Marked, MarkedCode } from "../../../components/Marked";
import { Spinner } from "../../../components/Spinner";
import { DocumentViewer } from "../../../components/viewer/DocumentViewer";
import { toBackendError } from "../../../ipc/backend";
import type { AppEnd, OpenedApp, OperationNumber, OperationView, ToolDetail } from "../../../ipc/bindings";
import { isUnprotected, placeOf, type Place } from "../../../lib/apps/place";
import { commitThen } from "../../../lib/focus";
import { operationActions, readingOf } from "../../../state/actions/operations";
import { useActions, useApp, useIsReady } from "../../../state/hooks";
import { whenFinished } from "../../../state/whenFinished";
import styles from "./app.module.css";
import { AppFrame } from "./AppFrame";

export interface AppSectionProps {
  readonly operation: OperationView;
  readonly tool: ToolDetail;
  /** The URI of the app's resource. */
  readonly uri: string;
}

/** States of an app. No part of it is read or run without the user's consent. */
type Stand =
  | { readonly type: "closed" }
  | { readonly type: "reading" }
  | { readonly type: "failed"; readonly why: string }
  | {
      readonly type: "read";
      readonly reading: OperationNumber;
      readonly app: OpenedApp;
      /** Sites that the user allowed the app to access. */
      readonly agreed: readonly string[];
      /** The page came from an earlier read that is still fresh. */
      readonly fromCache: boolean;
      readonly inPieces: boolean;
    };

const ENDED: Record<AppEnd, string> = {
  unresponsive:
    "The window stopped responding while the app was shown, for 10 seconds or repeatedly for 5. Sonde closed the app and reloaded the window.",
  page_ended: "The window’s process ended while the app was shown.",
};

/** The app of a run, shown on request, with its source beside it. */
export function AppSection({ operation, tool, uri }: AppSectionProps): ReactNode {
  const { server, operation: number } = operation;
  const { backend, store } = useApp();
  const actions = useActions();
  const ready = useIsReady(server);
  const [stand, setStand] = useState<Stand>({ type: "closed" });
  const section = useRef<HTMLElement>(null);
  const [source, setSource] = useState(false);
  const [inPieces, setInPieces] = useState(false);
  /** Asks the shown app to shut down. */
  const leave = useRef<(() => Promise<void>) | null>(null);
  /** Id of the app that was opened last, to be closed at the host. */
  const opened = useRef<string | null>(null);
  /** Counter of the attempts to open or close an app: older attempts are given up. */
  const turn = useRef(0);

  /** Shows a state. If that removes the focused element, the section takes the focus. */
  const show = (next: Stand): void => {
    const hadFocus = section.current?.contains(document.activeElement) === true;
    commitThen(
      () => setStand(next),
      () => {
        if (hadFocus && document.activeElement === document.body) section.current?.focus({ preventScroll: true });
      },
    );
  };

  /** Begins an attempt, and returns a function that is true once a newer one has begun. */
  const begin = (): (() => boolean) => {
    const mine = ++turn.current;
    return () => turn.current !== mine;
  };
  const forget = (): void => {
    const app = opened.current;
    opened.current = null;
    if (app !== null) backend.call("close_app", { app }).catch(() => undefined);
  };
  useEffect(() => {
    return () => {
      begin();
      forget();
    };
    // Once, when the run is hidden.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  /** `again`: request the page from the server even if a fresh read is known. */
  const open = async (agreed: readonly string[], again: boolean): Promise<void> => {
    const isOver = begin();
    await leave.current?.();
    if (isOver()) return;
    forget();
    show({ type: "reading" });
    // A run that the app starts must not replace this one.
    actions.get(operationActions).selectRun(server, number);
    try {
      const known = again ? null : await backend.call("fresh_reading", { server, uri });
      const reading = known ?? (await backend.call("start_operation", { server, operation: readingOf(uri) }));
      const read = await whenFinished(store, reading);
      if (isOver()) return;
      if (read?.outcome?.type !== "result") {
        show({ type: "failed", why: notRead(read) });
        return;
      }
      const app = await backend.call("open_app", { operation: number, reading });
      if (isOver()) {
        backend.call("close_app", { app: app.app }).catch(() => undefined);
        return;
      }
      opened.current = app.app;
      show({ type: "read", reading, app, agreed, fromCache: known !== null, inPieces });
    } catch (thrown) {
      if (!isOver()) show({ type: "failed", why: toBackendError(thrown).message });
    }
  };
  const close = async (): Promise<void> => {
    const isOver = begin();
    await leave.current?.();
    if (isOver()) return;
    forget();
    setSource(false);
    show({ type: "closed" });
  };

  const isOpen = stand.type === "read";
  // The page can declare other sites when it is read again.
  const asks = isOpen && stand.app.url !== null && reaches(stand.app).some((site) => !stand.agreed.includes(site));
  return (
    <section ref={section} className="stack gapS2 shrink" aria-label="App" tabIndex={-1}>
      <div className="wrap gapS1xS2">
        <AppWindow size={14} aria-hidden className="rigid muted" />
        <h3 className="normal">App</h3>
        {stand.type === "closed" || stand.type === "failed" ? (
          <Button
            small
            icon={AppWindow}
            disabled={!ready}
            title={ready ? "Read the app from the server and show it here" : "Connect first"}
            onClick={() => void open([], false)}
          >
            Show app
          </Button>
        ) : (
          <>
            {/* Takes the place of “Show app”, where a second click does no harm. */}
            <Button small icon={Code} aria-pressed={source} aria-disabled={!isOpen} onClick={() => setSource(!source)}>
              Source
            </Button>
            <Button
              small
              icon={RotateCw}
              disabled={!ready}
              aria-disabled={!isOpen}
              title={ready ? "Read the app again and restart it" : "Connect first"}
              onClick={() => void open(isOpen ? stand.agreed : [], true)}
            >
              Reload
            </Button>
            <Button small kind="quiet" icon={X} onClick={() => void close()}>
              Close app
            </Button>
          </>
        )}
      </div>
      <MarkedCode className="shrink breakable muted" text={uri} />
      {stand.type === "closed" && operation.app_ended !== null && (
        <Callout level="warning" title="The app was closed.">
          {ENDED[operation.app_ended]}
        </Callout>
      )}
      {stand.type === "reading" && <Spinner label="Reading the app…" />}
      {stand.type === "failed" && (
        <Callout level="error" role="alert" title="The app could not be opened.">
          <Marked text={stand.why} />
        </Callout>
      )}
      {isOpen && (
        <>
          {stand.fromCache && (
            <p className="note">This page was read before and is still fresh. Reload reads it again.</p>
          )}
          <FindingsCallout
            title="The app does not follow the specification"
            findings={stand.app.findings}
            at={{ server, subject: `run ${stand.reading}` }}
          />
          {stand.app.refused !== null && (
            <Callout level="warning" title="This app is not shown, only its source.">
              {stand.app.refused}
            </Callout>
          )}
          {asks && (
            <Callout
              level="warning"
              title="This app exchanges data with other sites"
              actions={
                <>
                  <Button small onClick={() => show({ ...stand, agreed: reaches(stand.app) })}>
                    Show app
                  </Button>
                  <Button small kind="quiet" onClick={() => void close()}>
                    Refuse
                  </Button>
                </>
              }
            >
              <p>The input and the result of this run can be sent to:</p>
              <ul className={styles.sites}>
                {reaches(stand.app).map((site) => (
                  <li key={site}>
                    <MarkedCode text={site} />
                    {INSIDE[placeOf(site)]}
                    {isUnprotected(site) &&
                      " Not encrypted: others on the network can read the data and change the app."}
                  </li>
                ))}
              </ul>
            </Callout>
          )}
          {stand.app.url !== null && !asks && (
            <AppFrame
              // Each opening gets its own frame.
              key={stand.app.app}
              operation={operation}
              tool={tool}
              app={stand.app}
              url={stand.app.url}
              inPieces={stand.inPieces}
              onClose={() => void close()}
              onLeave={(by) => void (leave.current = by)}
            />
          )}
          {(source || stand.app.refused !== null) && (
            <Source app={stand.app} reading={stand.reading}>
              {stand.app.url !== null && (
                <Checkbox
                  label="Partial input: when reloaded, send the arguments in pieces first"
                  checked={inPieces}
                  onChange={setInPieces}
                />
              )}
            </Source>
          )}
        </>
      )}
    </section>
  );
}

/** Warnings about sites that are not on the internet. */
const INSIDE: Readonly<Record<Place, string>> = {
  computer: " On this computer: the app can read from and act on programs that run here.",
  network: " In your network: the app can read from and act on devices there.",
  internet: "",
};

interface SourceProps {
  readonly app: OpenedApp;
  readonly reading: OperationNumber;
  readonly children: ReactNode;
}

/** Source that the server sent for the app, and the rights of its page. */
function Source({ app, reading, children }: SourceProps): ReactNode {
  return (
    <div className="stack gapS1">
      {children}
      {app.permissions.length > 0 && (
        <p className="note">It asks for {app.permissions.join(", ")}, which Sonde does not grant.</p>
      )}
      {app.domains.frame.length + app.domains.base_uri.length > 0 && (
        <p className="note">It declares frame or base URI domains, which Sonde does not allow.</p>
      )}
      <p className="note">Content security policy of its page:</p>
      <code className="breakable">{app.policy}</code>
      <DocumentViewer
        label="Source of the app"
        source={{ type: "content", operation: reading, index: app.index }}
        modes={["raw"]}
        height={300}
      />
    </div>
  );
}

/** Explains a missing app in one or two plain sentences. */
function notRead(read: OperationView | null): string {
  const { outcome } = read ?? {};
  if (outcome?.type !== "protocol_error") {
    return "The server did not return the app’s resource; its run says why. The tool’s result is below.";
  }
  return `The server answered with the error “${outcome.message}” (${outcome.code}). The tool’s result is below.`;
}

/** Sites that an app may load from or send to. */
function reaches({ domains }: OpenedApp): readonly string[] {
  return [...new Set([...domains.connect, ...domains.resource])];
}
