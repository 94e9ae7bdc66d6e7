import { Globe, KeyRound, LoaderCircle, MessageCircleQuestionMark, Terminal } from "lucide-react";
import { memo } from "react";

import { SessionState } from "../../components/SessionState";
import { SubjectMenuButton } from "../../components/SubjectMenuButton";
import { VisibleText } from "../../components/VisibleText";
import type { ServerId, Transport } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { number } from "../../lib/format";
import { useActions, useAppState, useHealth, useIssueCounts, useServer, useSession } from "../../state/hooks";
import { issueCount } from "../../state/issues";
import { waitingSignIn } from "../../state/signIn";
import { subjectMark } from "../../state/view";
import { IssueSign } from "./IssueSign";
import styles from "./ServerList.module.css";

interface ServerRowProps {
  server: ServerId;
  /** Initials that replace the name in the rail. */
  initials: string;
  /** Name of the group that contains the server. */
  group: string | null;
  selected: boolean;
  dragged: boolean;
}

/** A server in the list with its live state. */
export const ServerRow = memo(function ServerRow({ server, initials, group, selected, dragged }: ServerRowProps) {
  const view = useServer(server);
  const session = useSession(server);
  const health = useHealth(server);
  const counts = useIssueCounts(server);
  const issues = issueCount(counts);
  const running = useAppState((state) => state.live.running[server] ?? 0);
  const asks = useAppState((state) => state.live.serverRequestOrder[server]?.length ?? 0);
  const signsIn = useAppState((state) => waitingSignIn(state.live.auth[server]) !== null);
  const actions = useActions();
  if (!view) return null;
  const { name } = view.config;
  return (
    <li
      className={cx(
        styles.row,
        selected && styles.selected,
        group !== null && styles.grouped,
        dragged && styles.dragged,
      )}
      data-server={server}
      data-in={group ?? ""}
      {...subjectMark({ type: "server", server })}
    >
      <button
        type="button"
        className={styles.select}
        aria-current={selected || undefined}
        data-select
        data-focus="inset"
        data-tip={name}
        onClick={() => actions.selectServer(server)}
      >
        <span className={styles.initials} aria-hidden>
          {initials}
        </span>
        <span className={styles.name}>
          <VisibleText text={name} />
        </span>
        {/* Drawn first, read after the name. */}
        <span className={styles.state}>
          <SessionState session={session} health={health} iconOnly />
        </span>
        {signsIn ? (
          <span className={styles.asks}>
            <KeyRound size={13} aria-hidden /> <span className={styles.word}>sign-in</span>
          </span>
        ) : asks > 0 ? (
          <span className={styles.asks}>
            <MessageCircleQuestionMark size={13} aria-hidden />{" "}
            <span className={styles.word}>{asks === 1 ? "needs input" : `needs input (${asks})`}</span>
          </span>
        ) : (
          running > 0 && (
            <span className={styles.running} data-tip={`${number(running)} running`}>
              <LoaderCircle size={13} aria-hidden /> {number(running)} <span className={styles.word}>running</span>
            </span>
          )
        )}
        {issues > 0 && <IssueSign issues={issues} errors={counts.errors} />}
        <TransportIcon transport={view.config.transport} />
      </button>
      <span className={styles.menu}>
        <SubjectMenuButton label={`Actions for ${name}`} subject={{ type: "server", server }} small />
      </span>
    </li>
  );
});

/** Icon of a local process or a remote server. */
function TransportIcon({ transport }: { transport: Transport }) {
  const remote = transport.type === "http";
  const Icon = remote ? Globe : Terminal;
  return <Icon size={13} role="img" aria-label={remote ? "remote" : "local"} className={styles.transport} />;
}
