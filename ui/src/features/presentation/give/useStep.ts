import { useEffect, useEffectEvent, useRef, useState } from "react";

import { focusProblem } from "../../../components/form/problemFocus";
import { useProblems } from "../../../components/form/useProblems";
import { isDestructive, mayDestroy } from "../../../components/toolClaims";
import type { OperationNumber, OperationView, PresentationStep, SavedInput, ToolDetail } from "../../../ipc/bindings";
import { commitThen } from "../../../lib/focus";
import { createDocument, syntaxProblem, toText, type FormDocument, type Problem } from "../../../schema";
import { freshStep, offeredInputs, type GivenStep } from "../../../state/giving";
import {
  useActions,
  useAppState,
  useHandler,
  useOperation,
  useParts,
  useReadState,
  useToolDetail,
} from "../../../state/hooks";
import { linkOf, type Link } from "../../../state/stepLink";
import { useConnect } from "./useConnect";
import { faceOf, isConnectionLost, stepTitle, type Face } from "./giveWords";

const noInputs: readonly SavedInput[] = [];
/** Placeholder until the definition of the tool is known. */
const nothing = createDocument("{}");

/** Connection states that can recover without the user. */
const COMES_BACK: ReadonlySet<Link> = new Set<Link>(["lost", "failed", "off", "unwell", "connecting"]);

/** State and actions of the step on show. */
export interface StepNow {
  /** Id of the step. */
  readonly step: string;
  readonly title: string;
  /** The tool may delete or overwrite data: a run needs consent. */
  readonly destructive: boolean;
  readonly link: Link;
  readonly face: Face;
  readonly given: GivenStep;
  readonly operation: OperationView | undefined;
  readonly inputs: readonly SavedInput[];
  readonly problems: readonly Problem[];
  readonly idPrefix: string;
  /** Reason why the step cannot be run now; `null` if it can. Empty if the reason is shown elsewhere. */
  readonly why: string | null;
  /** The connection was lost during the run, and is not back yet. */
  readonly lost: boolean;
  /** Connects after a loss, then acts like `run`. */
  readonly connectAndRun: () => void;
  /** The last attempt to run the step was rejected. */
  readonly refused: boolean;
  /** Runs the step, or asks for consent first. */
  readonly run: (anyway?: boolean) => Promise<void>;
  /** Runs the step after consent. */
  readonly confirmed: () => Promise<void>;
  readonly take: (input: SavedInput) => void;
  readonly fill: (document: FormDocument) => void;
}

/** `last`: the step is the last one. */
export function useStep(step: PresentationStep, last: boolean): StepNow {
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
  const fresh = given.document === null;
  useEffect(() => {
    if (schema !== undefined) actions.give({ type: "define", step, schema, offered: inputs });
    // Offered inputs matter only at the beginning of a step, which may be started over.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [actions, id, schema, fresh]);

  const document = given.document ?? nothing;
  const { problems, check } = useProblems(server, target, document);
  const idPrefix = `step-${id}`.replace(/[^\w-]/g, "_");
  const missing = link === "ready" && detail.state === "failed";
  const ways = last ? "It was the last one." : "Go on with the next one.";
  const imported = useAppState(
    ({ live, view }) => live.presentations.find((one) => one.id === view.giving?.presentation)?.imported === true,
  );
  // The steps of somebody else may go to a server that the user has signed in to.
  const destructive = definition !== undefined && (imported ? mayDestroy : isDestructive)(definition.row);
  const why =
    link !== "ready"
      ? ""
      : missing
        ? `This step is no longer there. ${ways}`
        : given.document === null
          ? ""
          : (definition?.row.forbidden ?? null) !== null
            ? `This step must not be run. ${ways}`
            : syntaxProblem(document) === null
              ? null
              : "The saved input cannot be used. Choose another one.";
  const busy = useRef(false);
  // Run that was started and has had no event yet.
  const started = useRef<OperationNumber | null>(null);
  const readState = useReadState();
  const [refused, setRefused] = useState(false);
  // A second press while the values are looked at, or before the run is there, must not become a second run.
  const isBusy = (): boolean => {
    const { operations } = readState().live;
    if (started.current !== null && started.current in operations) started.current = null;
    const before = operations[given.run ?? -1];
    return busy.current || started.current !== null || (before !== undefined && before.state !== "finished");
  };
  const start = async (anyway: boolean): Promise<void> => {
    if (why !== null || isBusy()) return;
    busy.current = true;
    try {
      const [first] = anyway ? [] : await check();
      if (first) {
        commitThen(
          () => actions.give({ type: "change", step: id }),
          () => focusProblem(idPrefix, first),
        );
        return;
      }
      const run = await actions.run(server, target, toText(document));
      setRefused(run === undefined);
      if (run === undefined) return;
      started.current = run;
      actions.give({ type: "run", step: id, run });
    } finally {
      busy.current = false;
    }
  };
  const wantedAnyway = useRef(false);
  const run = async (anyway = false): Promise<void> => {
    if (!destructive) return start(anyway);
    if (why !== null || isBusy()) return;
    wantedAnyway.current = anyway;
    actions.give({ type: "open", what: "run" });
  };
  const confirmed = (): Promise<void> => {
    actions.give({ type: "open", what: null });
    return start(wantedAnyway.current);
  };
  const face = faceOf(operation, given.changing);
  const lost = face === "ended" && isConnectionLost(operation?.outcome) && COMES_BACK.has(link);
  const connect = useConnect(server, link);
  const [wantedAfter, setWantedAfter] = useState(false);
  const runNow = useEffectEvent(run);
  const canRun = why === null;
  useEffect(() => {
    if (!wantedAfter || !canRun) return;
    setWantedAfter(false);
    // Meanwhile other values may be wanted.
    if (face === "ended") void runNow();
  }, [wantedAfter, canRun, face]);
  const connectAndRun = (): void => {
    setWantedAfter(true);
    connect();
  };
  useHandler("run_tool", () => (lost ? link !== "connecting" && connectAndRun() : void run()));
  return {
    step: id,
    title: stepTitle(step, definition?.row.title),
    destructive,
    link,
    face,
    lost,
    connectAndRun,
    given,
    operation,
    inputs,
    problems,
    idPrefix,
    why,
    refused,
    run,
    confirmed,
    take: (input) => schema !== undefined && actions.takeInput(id, input, schema),
    fill: (next) => actions.give({ type: "fill", step: id, document: next }),
  };
}
