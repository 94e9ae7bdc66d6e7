import { Waypoints } from "lucide-react";
import { useEffect, useId, type ReactNode } from "react";

import { addedMeta } from "./addedMeta";
import { Button } from "../Button";
import { Disclosure } from "../Disclosure";
import { JsonEditor } from "../form/JsonEditor";
import type { ServerId } from "../../ipc/bindings";
import { useActions, useAppState, useConnection } from "../../state/hooks";
import { textKey, type KeptText, keptTextActions } from "../../state/keptTexts";
import { checkMeta, withTraceparent } from "./meta";

/** The target whose runs get the `_meta`. */
interface RunMetaProps {
  readonly server: ServerId;
  readonly method: string;
  /** Key of the method's subject: of a tool, of a prompt or of a resource template, or the URI of a resource. */
  readonly target: string;
}

/** Returns the text typed as the `_meta` of a target's runs. */
export function useRunMeta({ server, method, target }: RunMetaProps): string {
  const actions = useActions();
  const which: KeptText = { type: "meta", method, target };
  useEffect(
    () => void actions.get(keptTextActions).openText(server, { type: "meta", method, target }),
    [actions, server, method, target],
  );
  return useAppState((state) => state.view.texts[textKey(server, which)]) ?? "";
}

/** Field for the `_meta` of a run; collapsed until something is typed there. */
export function RunMeta({ server, method, target }: RunMetaProps): ReactNode {
  const actions = useActions().get(keptTextActions);
  const id = useId();
  const text = useRunMeta({ server, method, target });
  const era = useConnection(server)?.era;
  const { problem, warnings } = checkMeta(text);
  const change = (next: string): void => actions.changeText(server, { type: "meta", method, target }, next);
  const traced = withTraceparent(text);
  return (
    <Disclosure
      summary={text.trim() === "" ? "Metadata (_meta)" : "Metadata (_meta): sent with each run from this form"}
    >
      <div className="stack gap8">
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
            <p key={warning} className="warn">
              {warning}
            </p>
          ))}
        </div>
        <div className="wrap gap8">
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
