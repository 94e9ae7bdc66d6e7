import {
  CircleQuestionMark,
  ClipboardPaste,
  Globe,
  Keyboard,
  KeyRound,
  ListFilter,
  LoaderCircle,
  MessageCircleQuestionMark,
  Plus,
  Presentation,
  Settings,
  Terminal,
} from "lucide-react";
import { memo, useLayoutEffect, useRef, type KeyboardEvent } from "react";

import { IconButton } from "../../components/Button";
import { SearchField } from "../../components/SearchField";
import { SessionState } from "../../components/SessionState";
import { CollapseButton } from "../../components/Split";
import { SubjectMenuButton } from "../../components/SubjectMenuButton";
import { VisibleText } from "../../components/VisibleText";
import type { ServerId, Transport } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { count, number } from "../../lib/format";
import { initialsOf } from "../../lib/initials";
import {
  useActions,
  useAppState,
  useHealth,
  useIssueCounts,
  useParts,
  useSelectedServer,
  useServer,
  useSession,
} from "../../state/hooks";
import { issueCount } from "../../state/issues";
import { sectionsOf } from "../../state/serverGroups";
import { waitingSignIn } from "../../state/signIn";
import { subjectMark } from "../../state/view";
import { IssueSign } from "./IssueSign";
import { ServerGroupHead } from "./ServerGroupHead";
import styles from "./ServerList.module.css";
import { useServerDrag } from "./useServerDrag";

/** Number of servers above which the list has a filter. */
const FILTER_FROM = 8;

/** List of all servers with their live states. */
export function ServerList() {
  const order = useAppState((state) => state.live.order);
  const selected = useSelectedServer();
  const panel = useAppState((state) => state.view.panel);
  const actions = useActions();
  const signIns = useAppState(
    (state) => Object.values(state.live.auth).filter((auth) => waitingSignIn(auth) !== null).length,
  );
  const open = useAppState((state) => Object.keys(state.live.serverRequests).length);

  const groups = useAppState((state) => state.live.groups);
  const list = useRef<HTMLUListElement>(null);
  const moved = useRef<string | null>(null);
  // A moved row is a new element, and the old one had the focus.
  useLayoutEffect(() => {
    if (moved.current === null) return;
    if (document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>(`${moved.current} :is([data-select], [data-group-toggle])`)?.focus();
    moved.current = null;
  }, [order, groups]);

  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>): void => {
    const row = (event.target as HTMLElement).closest<HTMLElement>("[data-server], [data-group]");
    const { server, group } = row?.dataset ?? {};
    if (group !== undefined && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      event.preventDefault();
      void actions.collapseServerGroup(group, event.key === "ArrowLeft");
      return;
    }
    if (!row || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    const by = event.key === "ArrowUp" ? -1 : 1;
    event.preventDefault();
    if (event.altKey) {
      moved.current = server === undefined ? `[data-group="${group}"]` : `[data-server="${CSS.escape(server)}"]`;
      if (server !== undefined) void actions.moveServer(server, by);
      else if (group !== undefined) void actions.moveServerGroup(group, by);
      return;
    }
    const places = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-select], [data-group-toggle]")];
    const next = places[places.findIndex((place) => row.contains(place)) + by];
    const other = next?.closest<HTMLElement>("[data-server]")?.dataset["server"];
    if (other !== undefined) actions.selectServer(other);
    next?.focus();
  };

  const filter = useAppState((state) => state.view.serverFilter);
  const names = useParts((state) => order.map((server) => state.live.servers[server]?.config.name ?? ""));
  const initials = initialsOf(names);
  const wanted = filter.trim().toLowerCase();
  const shown = new Set(order.filter((_, index) => names[index]?.toLowerCase().includes(wanted)));
  const sections = sectionsOf({ order, groups })
    .map(({ group, servers }) => ({ group, servers: servers.filter((server) => shown.has(server)) }))
    // All groups, but during a search not the empty ones.
    .filter(({ group, servers }) => group === null || wanted === "" || servers.length > 0);
  const { drag, onPointerDown, onClickCapture } = useServerDrag(list, (server, place) => {
    void actions.placeServer(server, place);
  });

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
            hits={wanted === "" ? undefined : `${shown.size} of ${order.length}`}
            onChange={actions.filterServers}
          />
        </div>
      )}
      {wanted !== "" && (
        // In the rail, which has no room for the filter field, so that hidden servers are not missed without a sign.
        <div className={styles.filtered}>
          <IconButton
            label={`Clear the filter: ${shown.size} of ${count(order.length, "server", "servers")} shown`}
            icon={ListFilter}
            small
            aria-pressed
            onClick={() => actions.filterServers("")}
          />
        </div>
      )}
      <ul
        ref={list}
        className={cx(styles.list, drag !== null && styles.dragging)}
        data-scroll="Servers"
        onKeyDown={onKeyDown}
        onPointerDown={wanted === "" ? onPointerDown : undefined}
        onClickCapture={onClickCapture}
      >
        {sections.flatMap(({ group, servers }) => {
          const open = group === null || !group.collapsed || wanted !== "";
          const rows = servers.map((server) => (
            <ServerRow
              key={server}
              server={server}
              initials={initials[order.indexOf(server)] ?? ""}
              group={group?.id ?? null}
              selected={server === selected}
              dragged={server === drag?.server}
            />
          ));
          if (group === null) return rows;
          const isIn = selected !== null && group.servers.includes(selected);
          const head = <ServerGroupHead key={`group ${group.id}`} group={group} open={open} selected={isIn} />;
          return open ? [head, ...rows] : [head];
        })}
        {drag && <li aria-hidden className={styles.line} style={{ top: drag.line }} />}
      </ul>
      {shown.size === 0 && wanted !== "" && <p className={styles.none}>No server’s name contains “{filter.trim()}”.</p>}
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
        <IconButton
          label="Help"
          icon={CircleQuestionMark}
          aria-pressed={panel?.type === "help"}
          onClick={() => actions.openHelp()}
        />
      </div>
    </div>
  );
}

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
const ServerRow = memo(function ServerRow({ server, initials, group, selected, dragged }: ServerRowProps) {
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
