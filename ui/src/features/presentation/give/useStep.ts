import { useEffect, useRef, useState } from "react";

import { focusProblem } from "../../../components/form/problemFocus";
import { useProblems } from "../../../components/form/useProblems";
import type { OperationView, PresentationStep, SavedInput, ToolDetail } from "../../../ipc/bindings";
import { createDocument, syntaxProblem, toText, type FormDocument, type Problem } from "../../../schema";
import { freshStep, offeredInputs, type GivenStep } from "../../../state/giving";
import { useActions, useAppState, useHandler, useOperation, useParts, useToolDetail } from "../../../state/hooks";
import { linkOf, type Link } from "./link";
import { faceOf, type Face } from "./words";

const noInputs: readonly SavedInput[] = [];
/** For the moment in which nothing is known yet. */
const nothing = createDocument("{}");

/** Everything about the step on show. */
export interface StepNow {
  /** Its id. */
  readonly step: string;
  readonly link: Link;
  readonly face: Face;
  readonly given: GivenStep;
  readonly operation: OperationView | undefined;
  readonly inputs: readonly SavedInput[];
  readonly problems: readonly Problem[];
  readonly idPrefix: string;
  /** Why it cannot be run now; `null` where it can. Where it is empty, another place says why. */
  readonly why: string | null;
  /** The last try to run it was refused. */
  readonly refused: boolean;
  readonly run: (anyway?: boolean) => Promise<void>;
  readonly take: (input: SavedInput) => void;
  readonly fill: (document: FormDocument) => void;
}

export function useStep(step: PresentationStep): StepNow {
  const actions = useActions();
  const { id, server, target } = step;
  const link = useAppState(({ live }) => linkOf(live, step));
  const given = useAppState(({ view }) => view.giving?.steps[id] ?? freshStep);
  const saved = useAppState(({ live }) => live.savedInputs[server] ?? noInputs);
  const inputs = useParts(() => offeredInputs(step, saved));
  const operation = useOperation(given.run);
  const detail = useToolDetail(server, target);
  const definition: ToolDetail | undefined = detail.value;
  const schema = definition && (definition.input_schema ?? "{}");

  // Opening a step connects what it needs.
  useEffect(() => void actions.connectStep(server), [actions, server, id]);
  useEffect(() => {
    if (schema !== undefined) actions.give({ type: "define", step, schema, offered: inputs });
    // What is offered matters only for the beginning of a step.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [actions, id, schema]);

  const document = given.document ?? nothing;
  const { problems, check } = useProblems(server, target, document);
  const idPrefix = `step-${id}`.replace(/[^\w-]/g, "_");
  const missing = link === "ready" && detail.state === "failed";
  const why =
    link !== "ready"
      ? ""
      : missing
        ? "This step is no longer there. Go on with the next one."
        : given.document === null
          ? ""
          : (definition?.row.forbidden ?? null) !== null
            ? "This step must not be run. Go on with the next one."
            : syntaxProblem(document) === null
              ? null
              : "The saved input cannot be used. Choose another one.";
  const busy = useRef(false);
  const [refused, setRefused] = useState(false);
  const run = async (anyway = false): Promise<void> => {
    // A second press while the values are looked at must not become a second run.
    if (why !== null || busy.current || (operation && operation.state !== "finished")) return;
    busy.current = true;
    try {
      const [first] = anyway ? [] : await check();
      if (first) {
        actions.give({ type: "change", step: id });
        requestAnimationFrame(() => focusProblem(idPrefix, first));
        return;
      }
      const started = await actions.run(server, target, toText(document));
      setRefused(started === undefined);
      if (started !== undefined) actions.give({ type: "run", step: id, run: started });
    } finally {
      busy.current = false;
    }
  };
  useHandler("run_tool", () => void run());
  return {
    step: id,
    link,
    face: faceOf(operation, given.changing),
    given,
    operation,
    inputs,
    problems,
    idPrefix,
    why,
    refused,
    run,
    take: (input) => schema !== undefined && actions.give({ type: "take", step: id, input, schema }),
    fill: (next) => actions.give({ type: "fill", step: id, document: next }),
  };
}
