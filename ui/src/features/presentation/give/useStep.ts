import { useEffect, useEffectEvent, useRef, useState } from "react";

import { focusProblem } from "../../../components/form/problemFocus";
import { checkToolArguments, useChecked, type Check } from "../../../components/form/useProblems";
import { isDestructive, mayDestroy } from "../../../components/toolClaims";
import type { Backend } from "../../../ipc/backend";
import type {
  OperationNumber,
  OperationView,
  PresentationStep,
  PromptDetail,
  SavedInput,
  ToolDetail,
} from "../../../ipc/bindings";
import { commitThen } from "../../../lib/focus";
import { own } from "../../../lib/own";
import { createDocument, syntaxProblem, toText, type FormDocument } from "../../../schema/document";
import type { Problem } from "../../../schema/problems";
import { promptProblems, promptSchema } from "../../../schema/promptSchema";
import { operationActions } from "../../../state/actions/operations";
import { freshStep, offeredInputs, type GivenStep } from "../../../state/giving";
import {
  useActions,
  useAppState,
  useBackend,
  useCatalog,
  useHandler,
  useOpenCatalogs,
  useOperation,
  useParts,
  useReadState,
} from "../../../state/hooks";
import { PROMPTS_GET, RESOURCES_READ } from "../../../state/operationName";
import { presentationActions } from "../../../state/presentations";
import { useFetched } from "../../../state/queries";
import { linkOf, stepKind, type Link } from "../../../state/stepLink";
import { useConnect } from "./useConnect";
import { faceOf, isConnectionLost, stepTitle, type Face } from "./giveWords";

const noInputs: readonly SavedInput[] = [];
/** Placeholder until the definition of the tool or prompt is loaded. */
const nothing = createDocument("{}");

/** Lists that a step needs in addition to those that connecting reads. */
const LISTS = { [PROMPTS_GET]: ["prompts"] } as const;
const noLists = [] as const;

/** Definition of a tool or prompt; `null` for a resource. */
type Definition = ToolDetail | PromptDetail | null;

/** Reads the definition as the server lists it. A resource is read even if it is not listed. */
async function readDefinition(backend: Backend, { server, method, target }: PresentationStep): Promise<Definition> {
  const kind = stepKind(method);
  if (kind === "resources") return null;
  return backend.call(kind === "prompts" ? "prompt_detail" : "tool_detail", { server, key: target });
}

/** Schema of the values that the step sends. A resource takes none. */
function schemaOf(definition: Definition): string {
  if (definition === null) return "{}";
  return "arguments" in definition ? promptSchema(definition.arguments) : (definition.input_schema ?? "{}");
}

async function checkArguments(
  backend: Backend,
  { server, target }: PresentationStep,
  definition: Definition | undefined,
  text: string,
): Promise<Check<Problem>> {
  if (!definition) return { problems: [], unchecked: null };
  if (!("arguments" in definition)) return checkToolArguments(backend, server, target, text);
  return { problems: promptProblems(definition.arguments, text), unchecked: null };
}

/** Sends the request of a step with these arguments, given as JSON text. */
function runStep(
  { run, readResource }: Pick<ReturnType<typeof operationActions>, "run" | "readResource">,
  { server, method, target }: PresentationStep,
  text: string,
): Promise<OperationNumber | undefined> {
  if (method === RESOURCES_READ) return readResource(server, target);
  return run(server, method === PROMPTS_GET ? { method, key: target } : target, text);
}

/** Connection states that can recover without the user. */
const COMES_BACK: ReadonlySet<Link> = new Set<Link>(["lost", "failed", "off", "unwell", "connecting"]);

/** State and actions of the visible step. */
export interface StepNow {
  /** Id of the step. */
  readonly step: string;
  readonly title: string;
  /** The step may delete or overwrite data: a run needs consent. */
  readonly destructive: boolean;
  readonly link: Link;
  readonly face: Face;
  readonly given: GivenStep;
  readonly operation: OperationView | undefined;
  /** Saved inputs to choose from. */
  readonly inputs: readonly SavedInput[];
  readonly problems: readonly Problem[];
  readonly idPrefix: string;
  /** Reason why the step cannot be run now; `null` if it can. Empty if the reason is shown elsewhere. */
  readonly why: string | null;
  /** The connection was lost during the run, and is not restored yet. */
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
  const { connectStep, give, takeInput } = actions.get(presentationActions);
  const { id, server, method, target } = step;
  const backend = useBackend();
  const link = useAppState(({ live }) => linkOf(live, step));
  const given = useAppState(({ view }) => view.giving?.steps[id] ?? freshStep);
  const saved = useAppState(({ live }) => live.savedInputs[server] ?? noInputs);
  const inputs = useParts(() => offeredInputs(step, saved));
  const operation = useOperation(given.run);
  const catalog = useCatalog(server, stepKind(method));
  const detail = useFetched(`${server}\n${method}\n${target}`, `${catalog?.revision ?? 0}`, () =>
    readDefinition(backend, step),
  );
  const definition = detail.value;
  const schema = definition === undefined ? undefined : schemaOf(definition);

  // Opening a step connects its server.
  useEffect(() => void connectStep(server), [connectStep, server, id]);
  useOpenCatalogs(server, own(LISTS, method) ?? noLists);
  const fresh = given.document === null;
  useEffect(() => {
    if (schema !== undefined) give({ type: "define", step, schema, offered: inputs });
    // Offered inputs matter only at the beginning of a step, or after starting over.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [give, id, schema, fresh]);

  const document = given.document ?? nothing;
  const { problems, check } = useChecked(document, (typed) => checkArguments(backend, step, definition, toText(typed)));
  const idPrefix = `step-${id}`.replace(/[^\w-]/g, "_");
  const unread = catalog?.supported === true && catalog.revision === 0 && catalog.error === null;
  const missing = link === "ready" && detail.state === "failed" && !unread;
  const ways = last ? "It was the last one." : "Go on with the next one.";
  const imported = useAppState(
    ({ live, view }) => live.presentations.find((one) => one.id === view.giving?.presentation)?.imported === true,
  );
  // An imported step may use a server that the user has signed in to.
  const tool = definition && !("arguments" in definition) ? definition : null;
  const destructive = tool !== null && (imported ? mayDestroy : isDestructive)(tool.row);
  const why =
    link !== "ready"
      ? ""
      : missing
        ? `This step is no longer there. ${ways}`
        : given.document === null
          ? ""
          : (tool?.row.forbidden ?? null) !== null
            ? `This step must not be run. ${ways}`
            : syntaxProblem(document) === null
              ? null
              : "The saved input cannot be used. Choose another one.";
  const busy = useRef(false);
  // The started run, until its first event.
  const started = useRef<OperationNumber | null>(null);
  const readState = useReadState();
  const [refused, setRefused] = useState(false);
  // A second click before the run exists must not start a second run.
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
          () => give({ type: "change", step: id }),
          () => focusProblem(idPrefix, first),
        );
        return;
      }
      const run = await runStep(actions.get(operationActions), step, toText(document));
      setRefused(run === undefined);
      if (run === undefined) return;
      started.current = run;
      give({ type: "run", step: id, run });
    } finally {
      busy.current = false;
    }
  };
  const wantedAnyway = useRef(false);
  const run = async (anyway = false): Promise<void> => {
    if (!destructive) return start(anyway);
    if (why !== null || isBusy()) return;
    wantedAnyway.current = anyway;
    give({ type: "open", what: "run" });
  };
  const confirmed = (): Promise<void> => {
    give({ type: "open", what: null });
    return start(wantedAnyway.current);
  };
  const title = stepTitle(step, definition?.row.title);
  const face = faceOf(operation, given.changing);
  const lost = face === "ended" && isConnectionLost(operation?.outcome) && COMES_BACK.has(link);
  const connect = useConnect(server, link);
  const [wantedAfter, setWantedAfter] = useState(false);
  const runNow = useEffectEvent(run);
  const canRun = why === null;
  useEffect(() => {
    if (!wantedAfter || !canRun) return;
    setWantedAfter(false);
    // Other values may be wanted meanwhile.
    if (face === "ended") void runNow();
  }, [wantedAfter, canRun, face]);
  const connectAndRun = (): void => {
    setWantedAfter(true);
    connect();
  };
  useHandler("run_tool", () => (lost ? link !== "connecting" && connectAndRun() : void run()));
  return {
    step: id,
    title,
    destructive,
    link,
    face,
    lost,
    connectAndRun,
    given,
    operation,
    // A single input named like the step would repeat its title.
    inputs: inputs.length === 1 && inputs[0]?.name.trim() === title ? [] : inputs,
    problems,
    idPrefix,
    why,
    refused,
    run,
    confirmed,
    take: (input) => schema !== undefined && takeInput(id, input, schema),
    fill: (next) => give({ type: "fill", step: id, document: next }),
  };
}
