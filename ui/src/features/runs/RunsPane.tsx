import { Columns2, ListX, Rows2 } from "lucide-react";
import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";

import { Button, IconButton } from "../../components/Button";
import { Callout } from "../../components/Callout";
import { Empty } from "../../components/Empty";
import { PaneButtons } from "../../components/PaneButtons";
import { SearchField } from "../../components/SearchField";
import { Segmented } from "../../components/Segmented";
import type { OperationNumber, OperationView, ServerId } from "../../ipc/bindings";
import { cx } from "../../lib/cx";
import { count, day, number } from "../../lib/format";
import { useToday } from "../../lib/useNow";
import { operationActions } from "../../state/actions/operations";
import {
  useActions,
  useAppState,
  useOperationOrder,
  useParts,
  useReadState,
  useServerUi,
  useSlice,
} from "../../state/hooks";
import { isAbout, type OperationSubject } from "../../state/operationName";
import type { Fetched } from "../../state/queries";
import { runsOf } from "../../state/serverRequests";
import { besideRuns, runsSlice } from "../../state/slices/runs";
import type { AppState } from "../../state/store";
import { focusNames } from "../../state/view";
import { HoldOrderContext } from "./heldOrder";
import { OutOfSight } from "./OutOfSight";
import { RunCard } from "./RunCard";
import styles from "./runs.module.css";
import { isStoppable } from "./runWords";
import { useRunSearch } from "./useRunSearch";
import { ANCHOR, useScrollAnchor } from "./useScrollAnchor";

/** Number of cards on the page at first; older ones are added on request. */
const MORE_CARDS = 60;

export interface RunsPaneProps {
  readonly server: ServerId;
  /** Item shown beside the runs; the list can be limited to its runs. */
  readonly about: (OperationSubject & { readonly type: "tool" | "resource" | "prompt" }) | null;
  /** State of reading the runs of earlier starts. */
  readonly history: Fetched<void>;
  /** Renders the server requests of an operation on its card. */
  readonly serverRequests: (operation: OperationNumber, selected: boolean) => ReactNode;
}

/**
 * Operations of a server: first those in progress, then the pinned ones, then all others; each group with the newest
 * first. The selected one shows its result. Filter and scroll position belong to one server: give it a key.
 */
export function RunsPane({ server, about, history, serverRequests }: RunsPaneProps): ReactNode {
  const actions = useActions();
  const read = useReadState();
  const order = useOperationOrder(server);
  const [{ selected, text, only: isNarrowed, also: listed }, set] = useSlice(server, runsSlice);
  const beside = useServerUi(server, besideRuns);
  const also = listed?.beside === beside ? listed.run : null;
  const wanted = isNarrowed ? "this" : "all";
  const [limit, setLimit] = useState(MORE_CARDS);
  const { found, words, searching } = useRunSearch(server, order, text);
  const now = useToday();
  const below = useAppState((state) => state.live.settings.runs_below);
  const maximized = useServerUi(server, (ui) => ui.maximized);
  // A maximized run is shown alone.
  const alone = maximized === "run" && selected !== null && order.includes(selected) ? selected : null;
  const only = wanted === "this" && alone === null ? about : null;
  const isOther = (view: OperationView | undefined): boolean =>
    view !== undefined && only !== null && view.operation !== also && !isAbout(view, only);
  // Ranks at the time when the order was frozen.
  const [held, setHeld] = useState<ReadonlyMap<OperationNumber, number> | null>(null);
  const holdOrder = useCallback(() => {
    const runs = Object.values(read().live.operations).filter((run) => run.server === server);
    setHeld(new Map(runs.map((run) => [run.operation, rankOf(run)])));
    return () => setHeld(null);
  }, [read, server]);
  const shown = useParts((state) => {
    if (alone !== null) return [alone];
    const matching = order.filter(
      (operation) =>
        (only === null || (operation in state.live.operations && !isOther(state.live.operations[operation]))) &&
        (found === null || found.has(operation)),
    );
    const rank = (operation: OperationNumber): number =>
      held?.get(operation) ?? rankOf(state.live.operations[operation]);
    return matching.toSorted((a, b) => rank(a) - rank(b));
  });
  const inProgress = useParts((state) => shown.filter((operation) => isInProgress(state.live.operations[operation])));
  const headings = useParts((state) => headingsOf(shown, state, now));
  const finished = useParts((state) =>
    shown.filter((operation) => {
      const run = state.live.operations[operation];
      return run?.state === "finished" && !run.label.pinned;
    }),
  );
  const hasPinned = useAppState((state) => shown.some((one) => state.live.operations[one]?.label.pinned === true));
  const hiddenRunning = useAppState((state) =>
    only === null
      ? 0
      : order.filter((operation) => {
          const view = state.live.operations[operation];
          return isOther(view) && view?.state !== "finished";
        }).length,
  );
  const hiddenAsked = useAppState(
    (state) =>
      only !== null &&
      (state.live.serverRequestOrder[server] ?? []).some((request) => {
        const runs = runsOf(state.live.serverRequests[request], state.live.operations);
        return runs.length > 0 && runs.every((run) => isOther(state.live.operations[run]));
      }),
  );
  const titleId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const [awaited, setAwaited] = useState<HTMLElement | null>(null);
  const anchor = useScrollAnchor(scroller, list, setAwaited);
  const noteFocus = useFocusOfDeleted(list, shown);
  const heading = useRef<HTMLHeadingElement>(null);
  const clearing = useRef(false);
  // The button is disabled then, and would lose the focus.
  useLayoutEffect(() => {
    if (!clearing.current || finished.length > 0) return;
    clearing.current = false;
    (list.current?.querySelector<HTMLElement>("[data-card-head]") ?? heading.current)?.focus();
  }, [finished]);

  // A newly selected run is scrolled into view once its card exists: a started operation is selected before its first
  // event. A clicked card is visible already.
  const place = selected === null ? -1 : shown.indexOf(selected);
  const isShown = place >= 0;
  const cards = Math.max(limit, place + 1);
  // Focusing the card does not scroll by itself.
  const isFocusWanted = useAppState(({ view }) => selected !== null && view.focus === focusNames.run(selected));
  useEffect(() => {
    if (selected === null || !isShown) return;
    const card = cardOf(list.current, selected);
    if (card) anchor.current?.reveal(card);
  }, [selected, isShown, alone, isFocusWanted, anchor]);

  // The beginning of its result becomes visible as well.
  const isOver = useAppState(({ live }) => selected !== null && live.operations[selected]?.state === "finished");
  useEffect(() => {
    if (selected === null || !isOver) return;
    const card = cardOf(list.current, selected);
    if (card) anchor.current?.revealHeld(card);
  }, [selected, isOver, anchor]);

  const dayOfPinned = (operation: OperationNumber): string | null => {
    const run = read().live.operations[operation];
    const own = run?.label.pinned === true ? day(run.started_at, now) : "Today";
    return own === "Today" ? null : own;
  };

  const select = (operation: OperationNumber): void => {
    const card = cardOf(list.current, operation);
    if (card) anchor.current?.hold(card);
    actions.get(operationActions).selectRun(server, selected === operation ? null : operation);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLElement)) return;
    const card = event.target.closest<HTMLElement>("[data-operation]");
    if (!card) return;
    if (event.key === "Escape") {
      const operation = Number(card.dataset.operation);
      if (!isStoppable(read().live.operations[operation]?.state)) return;
      event.preventDefault();
      event.stopPropagation();
      void actions.command("cancel_operation", { operation });
      return;
    }
    if (!event.target.hasAttribute("data-card-head")) return;
    const heads = [...(list.current?.querySelectorAll<HTMLElement>("[data-card-head]") ?? [])];
    const at = heads.indexOf(event.target);
    const next = { ArrowDown: heads[at + 1], ArrowUp: heads[at - 1], Home: heads[0], End: heads.at(-1) }[event.key];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  return (
    <section
      className={cx("fill shrink onPage sized", maximized !== null && styles.maximized)}
      aria-labelledby={titleId}
    >
      <header className={styles.header}>
        <h2 id={titleId} ref={heading} className="heading" tabIndex={-1}>
          Runs
        </h2>
        {about !== null && (
          <Segmented
            label="Runs shown"
            value={wanted}
            onChange={(value) => {
              set({ only: value === "this" });
              setLimit(MORE_CARDS);
            }}
            items={{ this: `This ${about.type}`, all: "All" }}
          />
        )}
        <span className="inlineRow pushRight">
          <IconButton
            small
            label={
              (found !== null
                ? "Clear finished runs that match"
                : only === null
                  ? "Clear all finished runs"
                  : `Clear finished runs of this ${only.type}`) + (hasPinned ? " (pinned ones stay)" : "")
            }
            icon={ListX}
            disabled={finished.length === 0}
            onClick={() => {
              clearing.current = true;
              void actions.get(operationActions).deleteRuns(server, finished);
            }}
          />
          {maximized === null && (
            <IconButton
              small
              label={below ? "Show runs beside the form" : "Show runs below the form"}
              icon={below ? Columns2 : Rows2}
              onClick={() => void actions.updateSettings({ runs_below: !below })}
            />
          )}
          {alone === null && <PaneButtons server={server} pane="runs" label="runs" />}
        </span>
      </header>
      {hiddenRunning > 0 && (
        <div className={styles.elsewhere}>
          {count(hiddenRunning, "other run", "other runs")} in progress
          {hiddenAsked ? ", and the server needs input." : "."}{" "}
          <Button small kind="quiet" onClick={() => set({ only: false })}>
            Show
          </Button>
        </div>
      )}
      {alone === null && (order.length > 0 || text !== "") && (
        <div className={styles.search} role="search" aria-label="Search the runs">
          <SearchField
            label="Search the runs"
            placeholder="Search names, arguments and results"
            value={text}
            onChange={(typed) => {
              set({ text: typed });
              setLimit(MORE_CARDS);
            }}
            hits={
              searching
                ? "Searching…"
                : found === null
                  ? undefined
                  : `${number(shown.length)} of ${number(order.length)}`
            }
            onKeyDown={(event) => {
              if (event.key !== "ArrowDown" && event.key !== "Enter") return;
              event.preventDefault();
              list.current?.querySelector<HTMLElement>("[data-card-head]")?.focus();
            }}
          />
        </div>
      )}
      <OutOfSight
        server={server}
        list={list}
        runs={inProgress}
        awaited={awaited === null ? null : Number(awaited.dataset.operation)}
        onShow={(operation) => {
          const card = cardOf(list.current, operation);
          if (card) anchor.current?.show(card);
        }}
      />
      <div ref={scroller} className={styles.scroller} data-scroll="Runs">
        <ol ref={list} className="noBullets" aria-label="Runs, newest first" onKeyDown={onKeyDown} onFocus={noteFocus}>
          <HoldOrderContext value={holdOrder}>
            {shown.slice(0, cards).map((operation, index) => (
              <li key={operation} data-operation={operation} className="lineBelow" {...{ [ANCHOR]: "" }}>
                {headings[index] !== "" && alone === null && <h3 className={styles.day}>{headings[index]}</h3>}
                <RunCard
                  operation={operation}
                  server={server}
                  selected={operation === selected}
                  words={words}
                  day={dayOfPinned(operation)}
                  onSelect={select}
                  serverRequests={serverRequests}
                />
              </li>
            ))}
          </HoldOrderContext>
        </ol>
        {shown.length > cards && (
          <div className="padS2 centeredText">
            <Button small kind="quiet" onClick={() => setLimit(cards + MORE_CARDS)}>
              Show {count(Math.min(MORE_CARDS, shown.length - cards), "older run", "older runs")}
            </Button>
          </div>
        )}
        {history.state === "loading" && (
          <p className="padS2xS3 muted" role="status">
            Reading earlier runs…
          </p>
        )}
        {history.state === "failed" && (
          <Callout level="error" title="Earlier runs could not be read.">
            {history.error.message}
          </Callout>
        )}
        {shown.length === 0 && found !== null && !searching && (
          <Empty
            title={only === null ? "No matching runs" : `No matching runs of this ${only.type}`}
            actions={
              found.size > 0 ? (
                <Button small onClick={() => set({ only: false })}>
                  Show {count(found.size, "run of another item", "runs of other items")}
                </Button>
              ) : (
                <Button small onClick={() => set({ text: "", only: false })}>
                  Show all runs
                </Button>
              )
            }
          >
            {count(order.length, "run is", "runs are")} in the history.
          </Empty>
        )}
        {shown.length === 0 && found === null && history.state !== "loading" && (
          <Empty title={only === null ? "No runs yet" : `No runs of this ${only.type} yet`}>
            {about?.type === "resource"
              ? "Press Read. Each reading stays here with its result."
              : about === null
                ? "Each run stays here with its result."
                : `Fill in the form and press ${about.type === "prompt" ? "Get prompt" : "Run"}. Each run stays here with its result.`}
          </Empty>
        )}
      </div>
    </section>
  );
}

function cardOf(list: HTMLElement | null, operation: OperationNumber): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-operation="${operation}"]`) ?? null;
}

/** Group of a run in the list: in progress, pinned, or other. */
function rankOf(run: OperationView | undefined): number {
  return isInProgress(run) ? 0 : run?.label.pinned === true ? 1 : 2;
}

function isInProgress(run: OperationView | undefined): boolean {
  return run !== undefined && run.state !== "finished";
}

/**
 * Heading above each run: `Pinned` or a day. No heading is above a run in progress, above today's runs if they come
 * first, or above a run below another one of its day.
 */
function headingsOf(shown: readonly OperationNumber[], { live }: AppState, now: number): readonly string[] {
  let above = "Today";
  return shown.map((operation) => {
    const run = live.operations[operation];
    if (!run || isInProgress(run)) return "";
    const own = run.label.pinned ? "Pinned" : day(run.started_at, now);
    if (own === above) return "";
    above = own;
    return own;
  });
}

/** Moves the focus from a deleted run to the run that takes its place. Returns the focus handler that tracks it. */
function useFocusOfDeleted(
  list: RefObject<HTMLOListElement | null>,
  shown: readonly OperationNumber[],
): (event: FocusEvent<HTMLElement>) => void {
  const focused = useRef<OperationNumber | null>(null);
  const before = useRef(shown);
  useLayoutEffect(() => {
    const place = focused.current === null ? -1 : before.current.indexOf(focused.current);
    before.current = shown;
    if (place < 0 || shown.includes(focused.current ?? -1)) return;
    focused.current = null;
    if (document.activeElement !== document.body) return;
    const heads = [...(list.current?.querySelectorAll<HTMLElement>("[data-card-head]") ?? [])];
    (heads[place] ?? heads.at(-1))?.focus();
  }, [list, shown]);
  return (event) => {
    // A menu of a card is elsewhere in the document.
    if (!list.current?.contains(event.target)) return;
    const card = event.target.closest<HTMLElement>("[data-operation]");
    focused.current = card ? Number(card.dataset.operation) : null;
  };
}
