import { CircleAlert, CircleCheck, Play, TriangleAlert } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import { Spinner } from "../../../components/Spinner";
import type { Presentation } from "../../../ipc/bindings";
import { cx } from "../../../lib/cx";
import { count } from "../../../lib/format";
import { once } from "../../../lib/once";
import { visibleText } from "../../../lib/visible";
import { useActions, useAppState, useParts } from "../../../state/hooks";
import { presentationActions } from "../../../state/presentations";
import { linkOf, type Link } from "../../../state/stepLink";
import { checkWords, neededServers, stepsWords, type NeededServer } from "./check";
import styles from "./give.module.css";
import { linkWords } from "./linkWords";
import { focusNext } from "./next";
import { useConnect } from "./useConnect";

export interface CheckProps {
  readonly presentation: Presentation;
  /** The next step was seen or run before. */
  readonly begun: boolean;
  /** Returns the question for consent to start a program. */
  readonly confirm: (server: string) => ReactNode;
}

/**
 * Readiness page for the presenter, before the audience looks: connects and confirms the servers that are not ready.
 */
export function Check({ presentation, begun, confirm }: CheckProps): ReactNode {
  const actions = useActions();
  const presenting = actions.get(presentationActions);
  const { steps } = presentation;
  const servers = neededServers(steps);
  const links = useParts(({ live }) => servers.map((each) => linkOf(live, each)));
  const asked = servers[links.indexOf("confirm")]?.server;
  const waits = links.some((link) => link !== "ready" && link !== "connecting");
  const stage = useRef<HTMLElement>(null);

  const ids = servers.map(({ server }) => server).join("\n");
  useEffect(() => {
    for (const server of ids.split("\n")) void presenting.connectStep(server);
  }, [presenting, ids]);
  // The focused button disappears once its server is ready. Enter alone must not start a program.
  const state = links.join();
  useEffect(() => {
    const at = document.activeElement;
    if (at !== null && at !== document.body && at !== stage.current) return;
    focusNext(stage.current);
  }, [state]);

  return (
    <>
      <main ref={stage} className="fit scrolls noRing" tabIndex={0} data-focus="inset" data-presenter>
        <div className={cx(styles.column, styles.check)}>
          <div className={styles.checkHead}>
            <h1 className={styles.title}>
              {waits || links.includes("connecting") ? "Before you begin" : "Ready to begin"}
            </h1>
            <p className="note">
              {count(steps.length, "step", "steps")}, {count(servers.length, "server", "servers")}
            </p>
          </div>
          <ul className="stack gapS1 noBullets" aria-label="Servers">
            {servers.map((each, at) => (
              <Needed key={each.server} needed={each} link={links[at] ?? "gone"} />
            ))}
          </ul>
          {links.some((link) => !PASSING.has(link)) && (
            <p className="muted">You can begin all the same: a step that is not ready says so in its turn.</p>
          )}
        </div>
      </main>
      {asked !== undefined && (
        <div key={asked} className={styles.consent}>
          {confirm(asked)}
        </div>
      )}
      <footer className={styles.footer} data-uncovered>
        <div className={styles.main}>
          <Button
            kind={waits ? "plain" : "primary"}
            large
            icon={Play}
            data-next={asked === undefined ? "" : undefined}
            onClick={once(() => presenting.give({ type: "begin" }))}
          >
            {`${begun ? "Go on" : "Begin"}${waits ? " anyway" : ""}`}
          </Button>
        </div>
      </footer>
    </>
  );
}

/** States that need no action here except waiting, or answering the visible question. */
const PASSING: ReadonlySet<Link> = new Set<Link>(["ready", "connecting", "confirm"]);

/** One server: its state, the steps that need it, and the actions on it. */
function Needed({ needed, link }: { readonly needed: NeededServer; readonly link: Link }): ReactNode {
  const session = useAppState(({ live }) => live.sessions[needed.server]);
  const now = useAppState(({ live }) => live.servers[needed.server]?.config.name);
  const act = useConnect(needed.server, link);
  const name = now === undefined ? needed.name : visibleText(now);
  // The confirmation is shown below.
  const button = link === "ready" || link === "confirm" ? null : linkWords(link, name).button;
  const tone = { ready: styles.ok, failed: styles.failed, lost: styles.failed }[link as string] ?? styles.warned;
  return (
    <li className={cx(styles.neededServer, tone)}>
      {link === "connecting" ? (
        <Spinner />
      ) : link === "ready" ? (
        <CircleCheck aria-hidden />
      ) : link === "failed" || link === "lost" ? (
        <CircleAlert aria-hidden />
      ) : (
        <TriangleAlert aria-hidden />
      )}
      <div className={styles.neededWords}>
        <strong data-quoted>{name}</strong>
        {/* If the server was removed, the sentence already names the steps. */}
        {link !== "gone" && <span className="note">{stepsWords(needed.places)}</span>}
        <span role="status">{checkWords(link, { ...needed, name }, session)}</span>
      </div>
      {button !== null && (
        <Button large data-next onClick={once(act)}>
          {button}
        </Button>
      )}
    </li>
  );
}
