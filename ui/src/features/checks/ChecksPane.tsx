import { Copy, FolderOpen, GitCompare, Play, RotateCw, SquareStop } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from "react";

import { Button } from "../../components/Button";
import { Callout, ErrorCallout } from "../../components/Callout";
import { Empty } from "../../components/Empty";
import { Checkbox } from "../../components/Field";
import { FilterBar, ListWithDetails } from "../../components/ListWithDetails";
import { Menu } from "../../components/Menu";
import { PaneButtons } from "../../components/PaneButtons";
import { Progress } from "../../components/Progress";
import { VirtualList } from "../../components/rows/VirtualList";
import { VisibleText } from "../../components/VisibleText";
import { PROTOCOL_VERSIONS, type Checks, type CheckRun, type ServerId } from "../../ipc/bindings";
import { count, number } from "../../lib/format";
import { listen } from "../../lib/listen";
import { isTyping, matchesKeys } from "../../lib/shortcuts";
import { useIsSmall } from "../../lib/useMedia";
import { visibleText } from "../../lib/visible";
import { checkActions } from "../../state/actions/checks";
import { checksIn, isRunAgain } from "../../state/checks";
import { useActions, useAppState, useChecks, useServer, useServerUi, useSlice } from "../../state/hooks";
import { useFetched } from "../../state/queries";
import { checksSlice } from "../../state/slices/checks";
import { focusNames } from "../../state/view";
import { CheckDetail } from "./CheckDetail";
import { CheckLine } from "./CheckLine";
import { checkRows, isNarrowed, placeOfRow, rowOfPlace, type CheckRow } from "./checkRows";
import styles from "./checks.module.css";
import { headWords } from "./checkWords";
import { SetDetail } from "./SetDetail";

const ROW_HEIGHT = 28;

export interface ChecksPaneProps {
  readonly server: ServerId;
}

/** Checks of a server, with their last results, and buttons to run them. */
export function ChecksPane({ server }: ChecksPaneProps): ReactNode {
  const checks = useChecks(server);
  const looks = useLooks();
  const read = useFetched(server, `${looks}`, (backend) => backend.call("open_checks", { server }));
  const isMaximized = useServerUi(server, (ui) => ui.maximized === "checks");
  const restore = isMaximized && <PaneButtons server={server} pane="checks" label="checks" />;
  if (read.state === "failed" && checks === undefined) {
    return (
      <div className="padS2">
        <ErrorCallout error={read.error} />
        {restore}
      </div>
    );
  }
  if (checks === undefined) {
    return <Empty title="Checks" waits="Reading the checks…" actions={restore} />;
  }
  return <Listed server={server} checks={checks} />;
}

/** Counts how often the window got the focus, as files may have been changed meanwhile. */
function useLooks(): number {
  const [looks, setLooks] = useState(0);
  useEffect(() => listen(window, { focus: () => setLooks((before) => before + 1) }), []);
  return looks;
}

function isSpace({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key === " " && !ctrlKey && !metaKey && !altKey;
}

interface ListedProps extends ChecksPaneProps {
  readonly checks: Checks;
}

function Listed({ server, checks }: ListedProps): ReactNode {
  const actions = useActions();
  const { compare, copyReport, move, setOn } = actions.get(checkActions);
  const [{ selected: place, search, failedOnly }, setUi] = useSlice(server, checksSlice);
  const small = useIsSmall();
  /** Row reached by keys: on a small window its details are shown only on request. */
  const [walkedTo, setWalkedTo] = useState<number | null>(null);
  const filter = { search, failedOnly };
  const rows = checkRows(checks, filter);
  const at = rowOfPlace(rows, checks, place);
  const selected = rows[at];
  const onList = selected === undefined || (small && walkedTo === at);
  const listed = rows.filter(({ type }) => type === "check").length;

  const select = (index: number): void => {
    const row = rows[index];
    setWalkedTo(index);
    setUi({ selected: row ? placeOfRow(row) : null });
  };
  const close = (): void => setUi({ selected: null });
  const activate = (row: CheckRow | undefined): void => {
    if (small && onList) {
      setWalkedTo(null);
      actions.focus(focusNames.pane("details"));
    } else if (row?.type === "check" && row.check.result?.differs === true) {
      compare(server, row.check.id);
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const check = selected?.type === "check" ? selected.check : null;
    if (matchesKeys(event, "Escape") && selected) close();
    else if (check && isSpace(event)) void setOn(server, check.id, !check.on);
    else if (check && matchesKeys(event, "Alt+ArrowUp")) void move(server, check.id, -1);
    else if (check && matchesKeys(event, "Alt+ArrowDown")) void move(server, check.id, 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <ListWithDetails
      label="Checks"
      name="check"
      detail="check"
      beside={{ from: 1240, standard: 44, least: 320, leastRest: 300 }}
      below={{ standard: 50, least: 150, leastRest: 90 }}
      isOpen={!onList}
      head={
        <>
          <Head server={server} checks={checks} />
          {checks.suites.length > 0 && (
            <FilterBar
              of="checks"
              value={search}
              onChange={(text) => setUi({ search: text })}
              hits={isNarrowed(filter) ? count(listed, "check", "checks") : undefined}
            >
              <Checkbox label="Only failed" checked={failedOnly} onChange={(on) => setUi({ failedOnly: on })} />
              <Button
                small
                icon={Copy}
                disabled={checks.last === null}
                className="pushRight"
                onClick={() => copyReport(server)}
              >
                Copy as Markdown
              </Button>
              <PaneButtons server={server} pane="checks" label="checks" />
            </FilterBar>
          )}
        </>
      }
      list={
        <div
          role="presentation"
          className="sized tall flat scrolls"
          onKeyDown={onKeyDown}
          onClick={() => setWalkedTo(null)}
        >
          {rows.length === 0 ? (
            <NoChecks server={server} checks={checks} onAll={() => setUi({ search: "", failedOnly: false })} />
          ) : (
            <VirtualList
              count={rows.length}
              rowHeight={ROW_HEIGHT}
              label="Checks by file"
              selected={at < 0 ? null : at}
              onSelect={select}
              onActivate={(index) => activate(rows[index])}
              scrollTo={at < 0 ? undefined : { index: at, token: `${place?.file} ${place?.step}` }}
              render={(index) => <CheckLine server={server} row={rows[index]} />}
            />
          )}
        </div>
      }
      details={
        selected?.type === "check" ? (
          <CheckDetail key={`${selected.suite.file} ${selected.index}`} server={server} {...selected} onClose={close} />
        ) : (
          selected && (
            <SetDetail key={at} server={server} row={selected} running={checks.run !== null} onClose={close} />
          )
        )
      }
      foot={<Folder server={server} checks={checks} />}
    />
  );
}

/**
 * Stops the run on Esc, with the focus anywhere in the pane or nowhere. The pressed button disappears when a run begins
 * or ends; the focus then moves to the list.
 */
function useRunKeys(server: ServerId, running: boolean): RefObject<HTMLDivElement | null> {
  const actions = useActions();
  const head = useRef<HTMLDivElement>(null);
  const before = useRef(running);
  useEffect(() => {
    const pane = head.current?.closest("section");
    if (before.current !== running && isFree(document.activeElement)) {
      pane?.querySelector<HTMLElement>("[role=listbox]")?.focus();
    }
    before.current = running;
    if (!running) return undefined;
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      const { target } = event;
      const isHere = target === document.body || (target instanceof Node && pane?.contains(target) === true);
      if (!isHere || !matchesKeys(event, "Escape") || isTyping(target)) return;
      event.preventDefault();
      event.stopPropagation();
      void actions.command("stop_checks", { server });
    };
    return listen(document, { keydown: onKeyDown }, { capture: true });
  }, [actions, server, running]);
  return head;
}

/** True if the focused element takes no keys. */
function isFree(focused: Element | null): boolean {
  return focused === null || focused === document.body || focused.matches(":disabled");
}

function Head({ server, checks }: ListedProps): ReactNode {
  const actions = useActions();
  const checking = actions.get(checkActions);
  const view = useServer(server);
  const [{ destructive }, setUi] = useSlice(server, checksSlice);
  const servers = useAppState((state) => state.live.servers);
  const order = useAppState((state) => state.live.order);
  const again = checksIn(checks).filter(isRunAgain).length;
  const { run, suites } = checks;
  const head = useRunKeys(server, run !== null);
  const has = suites.some((suite) => suite.checks.length > 0);
  const name = view?.config.name ?? "the server";
  // Includes the server itself, for files that name or describe another one.
  const targets = order.map((id) => ({
    label: visibleText(servers[id]?.config.name ?? id),
    onSelect: () => void checking.run(server, { type: "all" }, { on: id }),
  }));
  const versions = PROTOCOL_VERSIONS.map((revision) => ({
    label: `Protocol version ${revision}`,
    onSelect: () => void checking.run(server, { type: "all" }, { revision }),
  }));
  return (
    <div ref={head} className={styles.head}>
      {run ? (
        <Running run={run} name={servers[run.on ?? server]?.config.name ?? name} />
      ) : (
        <p className={styles.headline} role="status">
          {has ? headWords(checks, name) : "Checks"}
        </p>
      )}
      {run ? (
        <Button
          small
          icon={SquareStop}
          title="Stop (Esc)"
          disabled={run.stopping}
          onClick={() => void actions.command("stop_checks", { server })}
        >
          Stop
        </Button>
      ) : (
        has && (
          <>
            <Button small kind="primary" icon={Play} onClick={() => void checking.run(server, { type: "all" })}>
              Run all
            </Button>
            <Button
              small
              icon={RotateCw}
              disabled={again === 0}
              onClick={() => void checking.run(server, { type: "failed" })}
            >
              {again === 0 ? "Run failed" : `Run failed (${number(again)})`}
            </Button>
            <Checkbox label="Include destructive" checked={destructive} onChange={(on) => setUi({ destructive: on })} />
            <Menu small icon={Play} label="Run on" text="Run on" items={[...targets, "separator", ...versions]} />
          </>
        )
      )}
      <Menu
        small
        label="More actions for the checks"
        items={[
          {
            label: "Compare lists…",
            icon: GitCompare,
            onSelect: () => checking.compareLists(server),
          },
          {
            label: "Choose folder…",
            icon: FolderOpen,
            onSelect: () => void actions.command("choose_checks_folder", { server }),
          },
        ]}
      />
      {view?.confirmed === false && (
        <div className="wide">
          <Callout
            level="info"
            title="The command of this server was not confirmed yet, so its checks cannot run."
            actions={
              <Button small onClick={() => actions.openPanel({ type: "confirm_command", server, how: "connect" })}>
                Review the command…
              </Button>
            }
          />
        </div>
      )}
    </div>
  );
}

function Running({ run, name }: { readonly run: CheckRun; readonly name: string }): ReactNode {
  const words = run.stopping
    ? "Stopping…"
    : `Running ${number(Math.min(run.done + 1, run.total))} of ${number(run.total)} on ${visibleText(name)}`;
  return (
    <div className={styles.headline}>
      <p role="status">{words}</p>
      <Progress label="Progress of the checks" value={run.done} max={run.total} />
    </div>
  );
}

interface NoChecksProps extends ListedProps {
  readonly onAll: () => void;
}

function NoChecks({ server, checks, onAll }: NoChecksProps): ReactNode {
  const actions = useActions();
  const choose = (
    <Button small icon={FolderOpen} onClick={() => void actions.command("choose_checks_folder", { server })}>
      Choose folder…
    </Button>
  );
  if (checks.problem !== null) {
    return (
      <div className="padS3">
        <Callout
          level="error"
          title={checks.problem}
          actions={
            <div className="wrap gapS2">
              {choose}
              <Button small icon={RotateCw} onClick={() => void actions.command("open_checks", { server })}>
                Read again
              </Button>
            </div>
          }
        >
          The checks of this server are read from this folder, and from nowhere else.
        </Callout>
      </div>
    );
  }
  if (checks.suites.length > 0) {
    return (
      <Empty
        title="No matching checks"
        actions={
          <Button small onClick={onAll}>
            Show all checks
          </Button>
        }
      />
    );
  }
  return (
    <Empty
      title="No checks yet"
      actions={
        <>
          <Button small onClick={() => actions.selectTab(server, "tools")}>
            Go to the tools
          </Button>
          {choose}
        </>
      }
    >
      <p>
        Run a tool, then choose <b>Keep as a check…</b> in the menu of the run. The check is run again whenever you
        want, against any version of the server.
      </p>
      <p>
        Or choose a folder that has files of checks (<code>*.sonde.yaml</code>), such as the server’s repository.
      </p>
    </Empty>
  );
}

function Folder({ server, checks }: ListedProps): ReactNode {
  const actions = useActions();
  const { folder, own_folder: own, too_many: more } = checks;
  return (
    <>
      <span className="muted shrink breakable">
        {own ? "Sonde’s own folder: " : "Folder: "}
        <VisibleText code oneLine text={folder} />
      </span>
      {more > 0 && <span className="warn">{number(more)} more not read: too many for one folder</span>}
      {!own && (
        <Button small kind="quiet" onClick={() => void actions.command("use_own_checks_folder", { server })}>
          Use Sonde’s own folder
        </Button>
      )}
    </>
  );
}
