import { Plug, RotateCw, Square, TriangleAlert, Unplug, X } from "lucide-react";

import { Badge } from "../components/Badge";
import { Button } from "../components/Button";
import { IconButton } from "../components/IconButton";
import { Marked } from "../components/Marked";
import { Menu } from "../components/Menu";
import { SessionState } from "../components/SessionState";
import { SubjectMenuButton } from "../components/SubjectMenuButton";
import { VisibleText } from "../components/VisibleText";
import { AuthBadge } from "../features/auth/AuthBadge";
import { ConnectionBanner } from "../features/connection/ConnectionBanner";
import { useHasContent } from "../features/servers/ConnectionView";
import { isRemote } from "../features/servers/serverDraft";
import type { ServerId } from "../ipc/bindings";
import { count } from "../lib/format";
import { issueCount, type Issues } from "../state/issues";
import { useActions, useAppState, useHealth, useIssues, useServer, useSession } from "../state/hooks";
import { focusMark, focusNames } from "../state/view";
import styles from "./ServerHeader.module.css";

/** Where issues are shown, with words for it. */
const ISSUE_PLACES: readonly (readonly [where: keyof Issues, words: string])[] = [
  ["wire", "in the wire log of this connection"],
  ["tools", "in the list of tools"],
  ["resources", "in the lists of resources"],
  ["prompts", "in the list of prompts"],
  ["results", "in the results of this connection's runs"],
];

interface ServerHeaderProps {
  server: ServerId;
  /** What stands below says that the server is not connected, and has the button for it. */
  offered: boolean;
}

/** Name, live state and what can be done with the connection. */
export function ServerHeader({ server, offered }: ServerHeaderProps) {
  const view = useServer(server);
  const session = useSession(server);
  const health = useHealth(server);
  const actions = useActions();
  const hasContent = useHasContent(server);
  const isSide = useAppState((state) => state.view.beside !== null);
  if (!view) return null;
  const phase = session?.phase ?? "idle";

  return (
    <header className={styles.wrap} {...focusMark(focusNames.pane("header"))}>
      <div className={styles.header}>
        <div className={styles.names}>
          <h1 className={styles.name}>
            <VisibleText text={view.config.name} />
          </h1>
          <SessionState session={session} health={health} />
          <div className={styles.more}>
            <IssuesBadge server={server} />
            <AuthBadge server={server} />
            {phase === "ready" && session?.identity && (
              <Badge tip="The protocol version that Sonde and the server negotiated.">
                MCP {session.identity.revision}
              </Badge>
            )}
            <span className={styles.address} title={view.address}>
              <Marked text={view.address} />
            </span>
          </div>
        </div>
        <div className={styles.actions}>
          {phase === "idle" && !offered && (
            <Button icon={Plug} kind="primary" onClick={() => void actions.connect(server)}>
              Connect
            </Button>
          )}
          {phase === "failed" && (
            // A failure that takes the whole place has the button beside its reason.
            <Button
              icon={RotateCw}
              kind={hasContent ? "primary" : "quiet"}
              onClick={() => void actions.connect(server)}
            >
              Reconnect
            </Button>
          )}
          {(phase === "connecting" || phase === "closing") && (
            <Button
              icon={Square}
              disabled={phase === "closing"}
              onClick={() => void actions.command("disconnect", { server })}
            >
              Stop
            </Button>
          )}
          {phase === "ready" && (
            <>
              <Button
                icon={RotateCw}
                kind={health?.level === "unhealthy" ? "primary" : "quiet"}
                title={isRemote(view.config.transport) ? "Reconnect" : "Restart"}
                onClick={() => void actions.reconnect(server)}
              >
                <span className={styles.word}>{isRemote(view.config.transport) ? "Reconnect" : "Restart"}</span>
              </Button>
              <Button
                kind="quiet"
                icon={Unplug}
                title="Disconnect"
                onClick={() => void actions.command("disconnect", { server })}
              >
                <span className={styles.word}>Disconnect</span>
              </Button>
            </>
          )}
          {isSide && (
            <IconButton
              label={`Close ${view.config.name} at this side`}
              icon={X}
              onClick={() => actions.closeSide(server)}
            />
          )}
          <SubjectMenuButton label={`More actions for ${view.config.name}`} subject={{ type: "server", server }} />
        </div>
      </div>
      <ConnectionBanner server={server} />
    </header>
  );
}

/**
 * How much of what the server sends over this connection does not follow the specification; it leads to each place that shows
 * some. What came over an earlier one keeps its own marks.
 */
function IssuesBadge({ server }: { server: ServerId }) {
  const issues = useIssues(server);
  const actions = useActions();
  const places = ISSUE_PLACES.filter(([where]) => issues[where] > 0);
  const [only, more] = places;
  if (!only) return null;
  const words = count(issueCount(issues), "issue", "issues");
  if (!more) {
    return (
      <Badge
        tone="warn"
        icon={TriangleAlert}
        title={`Show what does not follow the specification ${only[1]}`}
        onPress={() => actions.showIssues(server, only[0])}
      >
        {words}
      </Badge>
    );
  }
  return (
    <Menu
      label={`${words} in this connection`}
      text={words}
      icon={TriangleAlert}
      small
      className={styles.issues}
      items={places.map(([where, place]) => ({
        label: `${count(issues[where], "issue", "issues")} ${place}`,
        onSelect: () => actions.showIssues(server, where),
      }))}
    />
  );
}
