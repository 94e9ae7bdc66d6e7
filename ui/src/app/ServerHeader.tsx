import { CircleAlert, Plug, RotateCw, Square, TriangleAlert, Unplug, X } from "lucide-react";

import { Badge } from "../components/Badge";
import { Button, IconButton } from "../components/Button";
import { Marked } from "../components/Marked";
import { SessionState } from "../components/SessionState";
import { SubjectMenuButton } from "../components/SubjectMenuButton";
import { VisibleText } from "../components/VisibleText";
import { AuthBadge } from "../features/auth/AuthBadge";
import { useBannerCount } from "../features/connection/useBannerCount";
import { useHasContent } from "../features/servers/ConnectionView";
import type { ServerId } from "../ipc/bindings";
import { cx } from "../lib/cx";
import { number } from "../lib/format";
import { useActions, useAppState, useHealth, useIssueCounts, useServer, useSession } from "../state/hooks";
import { issueCount, issueWords } from "../state/issues";
import { focusMark, focusNames } from "../state/view";
import { ConnectionBanner } from "./parts";
import styles from "./ServerHeader.module.css";

interface ServerHeaderProps {
  server: ServerId;
  /** The page below already offers to connect. */
  offered: boolean;
}

/** Name and live state of a server, with the actions on its connection. */
export function ServerHeader({ server, offered }: ServerHeaderProps) {
  const view = useServer(server);
  const session = useSession(server);
  const health = useHealth(server);
  const counts = useIssueCounts(server);
  const issues = issueCount(counts);
  const actions = useActions();
  const hasContent = useHasContent(server);
  const warned = useBannerCount(server) > 0;
  const isSide = useAppState((state) => state.view.beside !== null);
  if (!view) return null;
  const phase = session?.phase ?? "idle";
  const address = phase !== "idle" && phase !== "failed" && session ? session.address : view.address;

  return (
    <header className={cx("rigid onSide sized", warned && styles.warned)} {...focusMark(focusNames.pane("header"))}>
      <div className={styles.header}>
        <div className={styles.names}>
          <h1 className={styles.name}>
            <VisibleText text={view.config.name} />
          </h1>
          <SessionState session={session} health={health} />
          {issues > 0 && (
            // A server with issues is never plain green.
            <IconButton
              small
              className={counts.errors > 0 ? "bad" : "warn"}
              icon={counts.errors > 0 ? CircleAlert : TriangleAlert}
              text={number(issues)}
              label={issueWords(issues, counts.errors)}
              onClick={() => {
                actions.selectTab(server, "issues");
                actions.focus(focusNames.pane("content"));
              }}
            />
          )}
          {warned ? (
            <ConnectionBanner server={server} />
          ) : (
            <div className={styles.more}>
              <AuthBadge server={server} />
              {phase === "ready" && session?.identity && (
                <Badge tip="The protocol version that Sonde and the server negotiated.">
                  MCP {session.identity.revision}
                </Badge>
              )}
              <span className={styles.address} data-tip={address}>
                <Marked text={address} />
              </span>
              {address !== view.address && (
                <Badge tip={`Since this connection was opened, the server was changed to: ${view.address}`}>
                  Old settings
                </Badge>
              )}
            </div>
          )}
        </div>
        <div className="row rigid gap8">
          {phase === "idle" && !offered && (
            <Button icon={Plug} kind="primary" onClick={() => void actions.connect(server)}>
              Connect
            </Button>
          )}
          {phase === "failed" && (
            // A failure that fills the page has the button beside its reason.
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
                title={view.config.transport.type === "http" ? "Reconnect" : "Restart"}
                onClick={() => void actions.reconnect(server)}
              >
                <span className={styles.word}>{view.config.transport.type === "http" ? "Reconnect" : "Restart"}</span>
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
    </header>
  );
}
