import {
  ClipboardPaste,
  Globe,
  Keyboard,
  KeyRound,
  MessageCircleQuestionMark,
  Plus,
  Presentation,
  Settings,
  Terminal,
  TriangleAlert,
} from "lucide-react";
import { memo, useState, type KeyboardEvent } from "react";

import { IconButton } from "../../components/IconButton";
import { SearchField } from "../../components/SearchField";
import { CollapseButton } from "../../components/Split";
import { SessionState } from "../../components/SessionState";
import { SubjectMenuButton } from "../../components/SubjectMenuButton";
import { VisibleText } from "../../components/VisibleText";
import type { ServerId, TransportDraft } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { count, number } from "../../lib/format";
import {
  useActions,
  useAppState,
  useHealth,
  useIssues,
  useParts,
  useSelectedServer,
  useServer,
  useServerOrder,
  useSession,
} from "../../state/hooks";
import { waitingSignIn } from "../../state/signIn";
import { subjectMark } from "../../state/view";
import { isRemote } from "./serverDraft";
import styles from "./ServerList.module.css";

/** More servers than these get a filter. */
const FILTER_FROM = 8;

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
    const next = shown[shown.indexOf(at) + by];
    if (next === undefined) return;
    actions.selectServer(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-server="${CSS.escape(next)}"] [data-select]`)?.focus();
  };

  const [filter, setFilter] = useState("");
  const names = useParts((state) => order.map((server) => state.live.servers[server]?.config.name ?? ""));
  const wanted = filter.trim().toLowerCase();
  const shown = order.filter((_, index) => names[index]?.toLowerCase().includes(wanted));

  return (
    <div className="fill">
      <div className={styles.head}>
        <h2 className={styles.title}>Servers</h2>
        <IconButton label="Add a server" icon={Plus} small onClick={() => actions.openPanel({ type: "add_server" })} />
        <IconButton
          label="Import servers"
          icon={ClipboardPaste}
          small
          onClick={() => actions.openPanel({ type: "import", text: "" })}
        />
        <CollapseButton />
      </div>
      {(order.length > FILTER_FROM || wanted !== "") && (
        <div className={styles.filter}>
          <SearchField
            label="Filter servers"
            value={filter}
            hits={wanted === "" ? undefined : `${shown.length} of ${order.length}`}
            onChange={setFilter}
          />
        </div>
      )}
      <ul className={styles.list} data-scroll="Servers" onKeyDown={onKeyDown}>
        {shown.map((server) => (
          <ServerRow key={server} server={server} selected={server === selected} />
        ))}
      </ul>
      {shown.length === 0 && wanted !== "" && (
        <p className={styles.none}>No server’s name contains “{filter.trim()}”.</p>
      )}
      <p className="visuallyHidden" role="status">
        {open > 0 && `${count(open, "server request", "server requests")} waiting for a response`}
      </p>
      <p className="visuallyHidden" role="status">
        {signIns > 0 && `${count(signIns, "sign-in", "sign-ins")} waiting for you`}
      </p>
      <div className={styles.foot}>
        <IconButton
          label="Presentations"
          icon={Presentation}
          aria-pressed={panel?.type === "presentations" || panel?.type === "presentation"}
          onClick={() => actions.openPanel({ type: "presentations" })}
        />
        <IconButton
          label="Settings"
          icon={Settings}
          aria-pressed={panel?.type === "settings"}
          onClick={() => actions.openPanel({ type: "settings" })}
        />
        <IconButton label="Keyboard shortcuts" icon={Keyboard} onClick={() => actions.setOverlay("shortcuts")} />
      </div>
    </div>
  );
}

interface ServerRowProps {
  server: ServerId;
  selected: boolean;
}

const ServerRow = memo(function ServerRow({ server, selected }: ServerRowProps) {
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
    <li
      className={cx(styles.row, selected && styles.selected)}
      data-server={server}
      {...subjectMark({ type: "server", server })}
    >
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
          running > 0 && <span className={cx(styles.running, styles.word)}>{running} running</span>
        )}
        {issues > 0 && (
          <span className={styles.asks} title={count(issues, "issue", "issues")}>
            <TriangleAlert size={13} aria-hidden /> {number(issues)}
            <span className="visuallyHidden"> issues</span>
          </span>
        )}
        <TransportIcon transport={view.config.transport} />
      </button>
      <span className={styles.menu}>
        <SubjectMenuButton label={`Actions for ${name}`} subject={{ type: "server", server }} small />
      </span>
    </li>
  );
});

/** How a server is reached: as a process of this computer, or over the network. */
function TransportIcon({ transport }: { transport: TransportDraft }) {
  const remote = isRemote(transport);
  const Icon = remote ? Globe : Terminal;
  return <Icon size={13} role="img" aria-label={remote ? "remote" : "local"} className={styles.transport} />;
}

/** Up to two letters that stand for a name in the narrow sidebar. */
function initials(name: string): string {
  const words = name.split(/[\s_\-./]+/).filter((word) => word !== "");
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => [...word][0]) : [...(words[0] ?? "?")].slice(0, 2);
  return letters.join("").toUpperCase();
}
