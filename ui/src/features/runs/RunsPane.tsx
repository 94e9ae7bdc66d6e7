import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { Button } from "../../components/Button";
import { Empty } from "../../components/Empty";
import { Segmented } from "../../components/Segmented";
import type { CallNumber, ServerId } from "../../ipc/bindings";
import { count } from "../../lib/format";
import {
  useActions,
  useAppState,
  useCallOrder,
  useParts,
  useReadState,
  useServerUi,
  useShownTool,
} from "../../state/hooks";
import { RunCard } from "./RunCard";
import { isStoppable } from "./words";
import { ANCHOR, useScrollAnchor } from "./useScrollAnchor";
import styles from "./runs.module.css";

/** Cards in the page at a time; older ones on request. */
const STEP = 60;

export interface RunsPaneProps {
  readonly server: ServerId;
  /** What the server asks during a call, shown on its card. */
  readonly questions?: (call: CallNumber) => ReactNode;
}

/** The running and finished calls of a server, newest first; the selected one shows its result. */
export function RunsPane({ server, questions }: RunsPaneProps): ReactNode {
  // Filter and scroll position belong to one server.
  return <ServerRuns key={server} server={server} questions={questions ?? noQuestions} />;
}

const noQuestions = (): ReactNode => null;

function ServerRuns({ server, questions }: Required<RunsPaneProps>): ReactNode {
  const actions = useActions();
  const read = useReadState();
  const order = useCallOrder(server);
  const selected = useServerUi(server, (ui) => ui.run);
  const tool = useShownTool(server);
  const [wanted, setWanted] = useState<"all" | "tool">("all");
  const [limit, setLimit] = useState(STEP);
  const only = wanted === "tool" ? tool : null;
  const shown = useParts((state) =>
    only === null ? order : order.filter((call) => state.live.calls[call]?.key === only),
  );
  const finished = useAppState((state) => order.some((call) => state.live.calls[call]?.state === "finished"));
  const hiddenRunning = useAppState((state) =>
    only === null
      ? 0
      : order.filter((call) => {
          const view = state.live.calls[call];
          return view !== undefined && view.key !== only && view.state !== "finished";
        }).length,
  );
  const hiddenAsked = useAppState(
    (state) =>
      only !== null &&
      (state.live.questionOrder[server] ?? []).some((question) => {
        const call = state.live.questions[question]?.call ?? null;
        const view = call === null ? undefined : state.live.calls[call];
        return view !== undefined && view.key !== only;
      }),
  );
  const titleId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const anchor = useScrollAnchor(scroller, list);

  // Another selection, by whatever way, comes into view once its card is there: a call that was
  // just started is selected before its first event. What was clicked is in view already.
  const place = selected === null ? -1 : shown.indexOf(selected);
  const isShown = place >= 0;
  const cards = Math.max(limit, place + 1);
  useEffect(() => {
    if (selected === null || !isShown) return;
    const card = list.current?.querySelector<HTMLElement>(`[data-call="${selected}"]`);
    const view = scroller.current;
    if (!card || !view) return;
    const top = card.getBoundingClientRect().top - view.getBoundingClientRect().top;
    if (top < 0 || top > view.clientHeight - 60) view.scrollTop += top - 4;
    anchor.current?.hold(card);
  }, [selected, isShown, anchor]);

  const select = (call: CallNumber): void => {
    const card = list.current?.querySelector<HTMLElement>(`[data-call="${call}"]`);
    if (card) anchor.current?.hold(card);
    actions.selectRun(server, selected === call ? null : call);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLElement)) return;
    const card = event.target.closest<HTMLElement>("[data-call]");
    if (!card) return;
    if (event.key === "Escape") {
      const call = Number(card.dataset.call);
      if (!isStoppable(read().live.calls[call]?.state)) return;
      event.preventDefault();
      event.stopPropagation();
      void actions.cancel(call);
      return;
    }
    if (!event.target.hasAttribute("data-card-head")) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const heads = [...(list.current?.querySelectorAll<HTMLElement>("[data-card-head]") ?? [])];
    const at = heads.indexOf(event.target);
    const next =
      step !== undefined
        ? heads[at + step]
        : event.key === "Home"
          ? heads[0]
          : event.key === "End"
            ? heads.at(-1)
            : undefined;
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  return (
    <section className={styles.pane} aria-labelledby={titleId}>
      <header className={styles.header}>
        <h2 id={titleId} className={styles.title}>
          Runs
        </h2>
        {tool !== null && (
          <Segmented
            label="Runs shown"
            value={wanted}
            onChange={(value) => {
              setWanted(value);
              setLimit(STEP);
            }}
            items={[
              { value: "tool", label: "This tool" },
              { value: "all", label: "All" },
            ]}
          />
        )}
        <span className={styles.push}>
          <Button small kind="quiet" disabled={!finished} onClick={() => void actions.clearCalls(server)}>
            Clear finished
          </Button>
        </span>
      </header>
      {hiddenRunning > 0 && (
        <div className={styles.elsewhere}>
          {count(hiddenRunning, "run of another tool", "runs of other tools")} in progress
          {hiddenAsked ? ", and the server needs input." : "."}{" "}
          <Button small kind="quiet" onClick={() => setWanted("all")}>
            Show
          </Button>
        </div>
      )}
      <div ref={scroller} className={styles.scroller}>
        <ol ref={list} className={styles.list} aria-label="Runs, newest first" onKeyDown={onKeyDown}>
          {shown.slice(0, cards).map((call) => (
            <li key={call} data-call={call} className={styles.item} {...{ [ANCHOR]: "" }}>
              <RunCard
                call={call}
                server={server}
                selected={call === selected}
                onSelect={select}
                questions={questions}
              />
            </li>
          ))}
        </ol>
        {shown.length > cards && (
          <div className={styles.older}>
            <Button small kind="quiet" onClick={() => setLimit(cards + STEP)}>
              Show {count(Math.min(STEP, shown.length - cards), "older run", "older runs")}
            </Button>
          </div>
        )}
        {shown.length === 0 && (
          <Empty title={only === null ? "No runs yet" : "No runs of this tool yet"}>
            Fill in the form and press Run. Each run stays here with its result.
          </Empty>
        )}
      </div>
    </section>
  );
}
