import { ArrowLeftRight, Pin } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import { Callout } from "../../../components/Callout";
import { Empty } from "../../../components/Empty";
import { MaximizeButton } from "../../../components/PaneButtons";
import { PanelFrame } from "../../../components/Panel";
import { VirtualList } from "../../../components/rows/VirtualList";
import { SearchField } from "../../../components/SearchField";
import type { OperationNumber, OperationView } from "../../../ipc/bindings";
import { cx } from "../../../lib/cx";
import { count } from "../../../lib/format";
import { wordsOf } from "../../../lib/matching";
import { useToday } from "../../../lib/useNow";
import { useActions, useAppState, useOperation, useParts } from "../../../state/hooks";
import { useFetched } from "../../../state/queries";
import { isSameTool } from "../previousRun";
import { givenLine, stateWord, tookText } from "../runWords";
import styles from "./compare.module.css";
import { Compared } from "./Compared";
import { inOrder, runName, serverName, startOf, toolOfNamed } from "./runName";

export interface ComparePanelProps {
  readonly first: OperationNumber;
  /** `null` while it is being chosen. */
  readonly second: OperationNumber | null;
  /** Also covers the list of servers. */
  readonly maximized: boolean;
  /** The previously compared run, to which Escape returns. */
  readonly before: OperationNumber | undefined;
}

/** Two runs of any servers side by side, and their differences. */
export function ComparePanel({ first, second, maximized, before }: ComparePanelProps): ReactNode {
  const actions = useActions();

  const one = useOperation(first);
  const other = useOperation(second);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented || second !== null || maximized) return;
    // In the focused search field, the window does not handle this key.
    event.preventDefault();
    if (before === undefined) actions.closePanel();
    else actions.openPanel({ type: "compare", first, second: before });
  };
  return (
    <PanelFrame
      title={second === null ? "Choose a run to compare with" : "Compare runs"}
      className={styles.panel}
      buttons={
        <>
          {second !== null && (
            <Button
              small
              kind="quiet"
              icon={ArrowLeftRight}
              onClick={() => actions.openPanel({ type: "compare", first: second, second: first, maximized })}
            >
              Swap
            </Button>
          )}
          <MaximizeButton
            label="comparison"
            maximized={maximized}
            onChange={(on) => actions.openPanel({ type: "compare", first, second, maximized: on })}
          />
        </>
      }
      shown={second}
      onKeyDown={onKeyDown}
    >
      {!one || (second !== null && !other) ? (
        <div className={styles.fault}>
          <Callout
            level="info"
            title="The run was deleted."
            actions={
              (one ?? other) && (
                <Button
                  small
                  onClick={() =>
                    actions.openPanel({
                      type: "compare",
                      first: one?.operation ?? other?.operation ?? first,
                      second: null,
                    })
                  }
                >
                  Choose another
                </Button>
              )
            }
          />
        </div>
      ) : other ? (
        <Compared key={`${first} ${second}`} left={one} right={other} />
      ) : (
        <ChooseRun key={first} first={one} />
      )}
    </PanelFrame>
  );
}

/**
 * Finished runs of all servers: runs of the same tool first, then newest first. Runs of servers that were not shown
 * since the start are loaded now.
 */
function ChooseRun({ first }: { readonly first: OperationView }): ReactNode {
  const actions = useActions();
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<OperationNumber | null>(null);
  const now = useToday();
  const servers = useAppState((state) => state.live.servers);
  const order = useAppState((state) => state.live.order);
  const history = useFetched("history", order.join("\n"), (backend) =>
    Promise.all(order.map((server) => backend.call("load_history", { server }))),
  );
  const finished = useParts((state) =>
    Object.values(state.live.operations)
      .filter((run) => run.operation !== first.operation && run.state === "finished")
      .sort((a, b) => Number(isSameTool(first, b)) - Number(isSameTool(first, a)) || b.operation - a.operation),
  );
  const words = wordsOf(search);
  const found = finished.filter((run) => {
    const named = `${runName(run)} ${toolOfNamed(run) ?? ""} ${serverName(servers[run.server])}`;
    const text = `${named} ${run.arguments ?? ""} ${givenLine(run)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const place = Math.max(
    0,
    found.findIndex((run) => run.operation === chosen),
  );
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const compare = (index: number): void => {
    const run = found[index];
    if (run) actions.openPanel(inOrder(first, run));
  };
  return (
    <>
      <p className={styles.lead}>
        {runName(first)}, {startOf(first, now)}, with:
      </p>
      <div className={styles.search}>
        <SearchField
          label="Search runs"
          value={search}
          inputRef={field}
          onChange={setSearch}
          onKeyDown={(event) => {
            const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
            if (by !== 0) setChosen(found[Math.max(0, Math.min(found.length - 1, place + by))]?.operation ?? null);
            else if (event.key === "Enter") compare(place);
            else return;
            event.preventDefault();
          }}
          hits={words.length === 0 ? undefined : count(found.length, "run", "runs")}
        />
      </div>
      {history.state === "failed" && (
        <div className={styles.fault}>
          <Callout level="warning" title="Not all earlier runs could be read.">
            {history.error.message}
          </Callout>
        </div>
      )}
      <div className="fit">
        {finished.length === 0 && history.state !== "loading" ? (
          <Empty title="No other run">There is no other finished run to compare with.</Empty>
        ) : (
          <VirtualList
            label="Runs to compare with"
            count={found.length}
            rowHeight={44}
            selected={place}
            scrollTo={{ index: place, token: chosen }}
            onSelect={(index) => setChosen(found[index]?.operation ?? null)}
            onActivate={compare}
            render={(index) => {
              const run = found[index];
              if (!run) return null;
              return (
                <Candidate
                  run={run}
                  server={serverName(servers[run.server])}
                  start={startOf(run, now)}
                  same={isSameTool(first, run)}
                />
              );
            }}
          />
        )}
      </div>
      <footer className="rigid lineAbove onSide pad12x20">
        <Button kind="primary" disabled={found.length === 0} onClick={() => compare(place)}>
          Compare
        </Button>
      </footer>
    </>
  );
}

interface CandidateProps {
  readonly run: OperationView;
  readonly server: string;
  readonly start: string;
  readonly same: boolean;
}

function Candidate({ run, server, start, same }: CandidateProps): ReactNode {
  const tool = toolOfNamed(run);
  return (
    <div className={styles.candidate}>
      <span className="row gapS2 unbroken">
        <span className={cx("ellipsis", same && "strong")}>{runName(run)}</span>
        {run.label.pinned && <Pin size={12} role="img" aria-label="Pinned" />}
        <span className="note">{tool === null ? server : `${tool} · ${server}`}</span>
        <span className={styles.push}>{start}</span>
      </span>
      <span className="row gapS2 unbroken">
        <span className={styles.candidateArguments}>{givenLine(run)}</span>
        <span className={styles.push}>
          {stateWord(run)} · {tookText(run)}
        </span>
      </span>
    </div>
  );
}
