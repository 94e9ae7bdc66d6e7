import { useState, type ReactNode } from "react";

import { Button } from "../../../components/Button";
import { Empty } from "../../../components/Empty";
import { VirtualList } from "../../../components/rows/VirtualList";
import { SearchField } from "../../../components/SearchField";
import type { OperationView } from "../../../ipc/bindings";
import { cx } from "../../../lib/cx";
import { clockTime, count, duration } from "../../../lib/format";
import { wordsOf } from "../../../lib/matching";
import { compactJson } from "../../../schema/print";
import { useActions, useAppState, useParts } from "../../../state/hooks";
import { isSameTool } from "../previousRun";
import { stateWord } from "../words";
import { runName, serverName } from "./runName";
import styles from "./compare.module.css";

/** The finished runs of all servers: those of the same tool first, the newest first. */
export function ChooseRun({ first }: { readonly first: OperationView }): ReactNode {
  const actions = useActions();
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState(0);
  const servers = useAppState((state) => state.live.servers);
  const finished = useParts((state) =>
    Object.values(state.live.operations)
      .filter((run) => run.operation !== first.operation && run.state === "finished")
      .sort((a, b) => Number(isSameTool(first, b)) - Number(isSameTool(first, a)) || b.operation - a.operation),
  );
  const words = wordsOf(search);
  const found = finished.filter((run) => {
    const text = `${runName(run)} ${run.arguments ?? ""} ${serverName(servers[run.server])}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const place = Math.min(chosen, found.length - 1);
  const compare = (index: number): void => {
    const run = found[index];
    if (run) actions.openPanel({ type: "compare", first: first.operation, second: run.operation });
  };
  if (finished.length === 0) {
    return <Empty title="No other run">There is no other finished run to compare with.</Empty>;
  }
  return (
    <>
      <p className={styles.lead}>
        {runName(first)}, {clockTime(first.started_at).slice(0, 8)}, with:
      </p>
      <div className={styles.search}>
        <SearchField
          label="Search runs"
          value={search}
          onChange={setSearch}
          hits={words.length === 0 ? undefined : count(found.length, "run", "runs")}
        />
      </div>
      <div className="fit">
        <VirtualList
          label="Runs to compare with"
          count={found.length}
          rowHeight={44}
          selected={place}
          onSelect={setChosen}
          onActivate={compare}
          render={(index) => {
            const run = found[index];
            return (
              run && <Candidate run={run} server={serverName(servers[run.server])} same={isSameTool(first, run)} />
            );
          }}
        />
      </div>
      <footer className={styles.footer}>
        <Button kind="primary" disabled={found.length === 0} onClick={() => compare(place)}>
          Compare
        </Button>
      </footer>
    </>
  );
}

function Candidate(props: { readonly run: OperationView; readonly server: string; readonly same: boolean }): ReactNode {
  const { run, server, same } = props;
  return (
    <div className={styles.candidate}>
      <span className={styles.candidateLine}>
        <span className={cx(styles.candidateName, same && styles.same)}>{runName(run)}</span>
        <span className="note">{server}</span>
        <span className={styles.push}>{clockTime(run.started_at).slice(0, 8)}</span>
      </span>
      <span className={styles.candidateLine}>
        <span className={styles.candidateArguments}>{compactJson((run.arguments ?? "{}").slice(0, 400))}</span>
        <span className={styles.push}>
          {stateWord(run)} · {duration(run.micros ?? 0)}
        </span>
      </span>
    </div>
  );
}
