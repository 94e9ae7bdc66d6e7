import { Waypoints } from "lucide-react";
import { useEffect, useId, type ReactNode } from "react";

import { addedMeta } from "../../components/addedMeta";
import { Button } from "../../components/Button";
import { Disclosure } from "../../components/Disclosure";
import { JsonEditor } from "../../components/form/JsonEditor";
import type { ServerId } from "../../ipc/bindings";
import { useActions, useAppState, useConnection } from "../../state/hooks";
import { textKey, type KeptText } from "../../state/keptTexts";
import { checkMeta, withTraceparent } from "./meta";
import styles from "./RunMeta.module.css";

interface RunMetaProps {
  readonly server: ServerId;
  readonly tool: string;
}

/** What was typed as the `_meta` of the runs of a tool. */
export function useRunMeta(server: ServerId, tool: string): string {
  const actions = useActions();
  const which: KeptText = { type: "meta", tool };
  useEffect(() => void actions.openText(server, { type: "meta", tool }), [actions, server, tool]);
  return useAppState((state) => state.view.texts[textKey(server, which)]) ?? "";
}

/** The `_meta` that a run of a tool is sent with; collapsed until something is typed there. */
export function RunMeta({ server, tool }: RunMetaProps): ReactNode {
  const actions = useActions();
  const id = useId();
  const text = useRunMeta(server, tool);
  const era = useConnection(server)?.era;
  const { problem, warnings } = checkMeta(text);
  const change = (next: string): void => actions.changeText(server, { type: "meta", tool }, next);
  const traced = withTraceparent(text);
  return (
    <Disclosure summary={text.trim() === "" ? "Metadata (_meta)" : "Metadata (_meta): sent with each run"}>
      <div className={styles.meta}>
        <JsonEditor
          label="Metadata (_meta)"
          value={text}
          onChange={change}
          problem={problem}
          describedBy={`${id}-note`}
        />
        <div id={`${id}-note`} role="status">
          {problem ? (
            <p className="note">{`Line ${problem.line}, column ${problem.column}: ${problem.message}`}</p>
          ) : (
            <p className="note">{`What you type is not changed. Sonde adds, unless it is there: ${addedMeta(era)}.`}</p>
          )}
          {warnings.map((warning) => (
            <p key={warning} className={styles.metaWarning}>
              {warning}
            </p>
          ))}
        </div>
        <div className={styles.buttons}>
          <Button small icon={Waypoints} disabled={traced === null} onClick={() => traced !== null && change(traced)}>
            New traceparent
          </Button>
          <Button small kind="quiet" disabled={text === ""} onClick={() => change("")}>
            Clear
          </Button>
        </div>
      </div>
    </Disclosure>
  );
}
