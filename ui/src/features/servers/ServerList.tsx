import {
  ClipboardPaste,
  Keyboard,
  KeyRound,
  MessageCircleQuestionMark,
  Plus,
  Settings,
  TriangleAlert,
} from "lucide-react";
import { memo, type KeyboardEvent } from "react";

import { IconButton } from "../../components/IconButton";
import { Menu } from "../../components/Menu";
import { CollapseButton } from "../../components/Split";
import { SessionState } from "../../components/SessionState";
import { VisibleText } from "../../components/VisibleText";
import type { ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { count, number } from "../../lib/format";
import {
  useActions,
  useAppState,
  useHealth,
  useIssues,
  useSelectedServer,
  useServer,
  useServerOrder,
  useSession,
} from "../../state/hooks";
import { waitingSignIn } from "../../state/signIn";
import styles from "./ServerList.module.css";

/** All servers with their live states. */
export function ServerList() {
  const order = useServerOrder();
  const selected = useSelectedServer();
  const panel = useAppState((state) => state.view.panel);
  const actions = useActions();
  const signIns = useAppState(
    (state) => Object.values(state.live.auth).filter((auth) => waitingSignIn(auth) !== null).length,
  );
  const open = useAppState((state) => Object.keys(state.live.serverRequests).length);

  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>): void => {
    const at = (event.target as HTMLElement).closest<HTMLElement>("[data-server]")?.dataset["server"];
    if (at === undefined || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    const by = event.key === "ArrowUp" ? -1 : 1;
    event.preventDefault();
    if (event.altKey) {
      void actions.moveServer(at, by);
      return;
    }
    const next = order[order.indexOf(at) + by];
    if (next === undefined) return;
    actions.selectServer(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-server="${CSS.escape(next)}"] [data-select]`)?.focus();
  };

  return (
    <div className="fill">
      <div className={styles.head}>
        <h2 className={styles.title}>Servers</h2>
        <IconButton label="Add a server" icon={Plus} small onClick={() => actions.openPanel({ type: "add_server" })} />
        <IconButton
          label="Import servers from JSON"
          icon={ClipboardPaste}
          small
          onClick={() => actions.openPanel({ type: "import", text: "" })}
        />
        <CollapseButton />
      </div>
      <ul className={styles.list} data-scroll="Servers" onKeyDown={onKeyDown}>
        {order.map((server, index) => (
          <ServerRow
            key={server}
            server={server}
            selected={server === selected}
            first={index === 0}
            last={index === order.length - 1}
          />
        ))}
      </ul>
      <p className="visuallyHidden" role="status">
        {open > 0 && `${count(open, "server request", "server requests")} waiting for a response`}
      </p>
      <p className="visuallyHidden" role="status">
        {signIns > 0 && `${count(signIns, "sign-in", "sign-ins")} waiting for you`}
      </p>
      <div className={styles.foot}>
        <IconButton
          label="Settings"
          icon={Settings}
          aria-pressed={panel?.type === "settings"}
          onClick={() => actions.openPanel({ type: "settings" })}
        />
        <IconButton label="Keyboard shortcuts" icon={Keyboard} onClick={() => actions.setShortcutsOpen(true)} />
      </div>
    </div>
  );
}

interface ServerRowProps {
  server: ServerId;
  selected: boolean;
  first: boolean;
  last: boolean;
}

const ServerRow = memo(function ServerRow({ server, selected, first, last }: ServerRowProps) {
  const view = useServer(server);
  const session = useSession(server);
  const health = useHealth(server);
  const issues = useIssues(server);
  const running = useAppState((state) => state.live.running[server] ?? 0);
  const asks = useAppState((state) => state.live.serverRequestOrder[server]?.length ?? 0);
  const signsIn = useAppState((state) => waitingSignIn(state.live.auth[server]) !== null);
  const actions = useActions();
  if (!view) return null;
  const { name } = view.config;
  return (
    <li className={cx(styles.row, selected && styles.selected)} data-server={server}>
      <button
        type="button"
        className={styles.select}
        aria-current={selected || undefined}
        data-select
        data-focus="inset"
        title={`${name}\n${view.address}`}
        onClick={() => actions.selectServer(server)}
      >
        <span className={styles.initials} aria-hidden>
          {initials(name)}
        </span>
        <span className={styles.name}>
          <VisibleText text={name} />
        </span>
        <span className={styles.stateWide}>
          <SessionState session={session} health={health} />
          {signsIn ? (
            <span className={styles.asks}>
              <KeyRound size={13} aria-hidden /> sign-in
            </span>
          ) : asks > 0 ? (
            <span className={styles.asks}>
              <MessageCircleQuestionMark size={13} aria-hidden /> {asks === 1 ? "needs input" : `needs input (${asks})`}
            </span>
          ) : (
            running > 0 && <span className={styles.running}>· {running} running</span>
          )}
          {issues > 0 && (
            <span className={styles.asks} title={count(issues, "issue", "issues")}>
              <TriangleAlert size={13} aria-hidden /> {number(issues)}
              <span className="visuallyHidden"> issues</span>
            </span>
          )}
        </span>
        <span className={styles.stateRail}>
          <SessionState session={session} health={health} iconOnly />
          {signsIn && <KeyRound size={14} role="img" aria-label="requires sign-in" className={styles.asks} />}
          {asks > 0 && (
            <MessageCircleQuestionMark size={14} role="img" aria-label="needs input" className={styles.asks} />
          )}
          {issues > 0 && (
            <TriangleAlert size={14} role="img" aria-label={count(issues, "issue", "issues")} className={styles.asks} />
          )}
        </span>
      </button>
      <span className={styles.menu}>
        <Menu
          label={`Actions for ${name}`}
          small
          items={[
            session?.phase === "ready" || session?.phase === "connecting"
              ? { label: "Disconnect", onSelect: () => void actions.command("disconnect", { server }) }
              : { label: "Connect", onSelect: () => void actions.connect(server) },
            { label: "Edit", onSelect: () => actions.openPanel({ type: "edit_server", server }) },
            { label: "Duplicate", onSelect: () => void actions.duplicateServer(server) },
            "separator",
            {
              label: "Move up",
              disabled: first,
              shortcut: "Alt+Up",
              onSelect: () => void actions.moveServer(server, -1),
            },
            {
              label: "Move down",
              disabled: last,
              shortcut: "Alt+Down",
              onSelect: () => void actions.moveServer(server, 1),
            },
            "separator",
            { label: "Remove", danger: true, onSelect: () => void actions.removeServer(server) },
          ]}
        />
      </span>
    </li>
  );
});

/** Up to two letters that stand for a name in the narrow sidebar. */
function initials(name: string): string {
  const words = name.split(/[\s_\-./]+/).filter((word) => word !== "");
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? "?")].slice(0, 2);
  return letters.join("").toUpperCase();
}
