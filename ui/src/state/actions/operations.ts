import type { LedBy, OperationInput, OperationLabel, OperationNumber, ServerId, TaskParams } from "../../ipc/bindings";
import { count } from "../../lib/format";
import { itemName } from "../../lib/itemName";
import { visibleText } from "../../lib/visible";
import { keptTextActions, textKey } from "../keptTexts";
import { isByHand, isReading, isReadOf, operationName, PROMPTS_GET, RESOURCES_READ } from "../operationName";
import { type RawRequest, requestText } from "../rawRequest";
import { besideRuns, runsSlice } from "../slices/runs";
import { focusNames, type FormTarget, formTargetOf, methodOf, type Tab } from "../view";
import { catalogActions } from "./catalogs";
import type { Context } from "./context";

/** Options of reading a resource. */
export interface ReadWith {
  /** Further members of `params`, as JSON text. */
  readonly params?: string | null | undefined;
  /** Link or template that led to the resource, if not the list. */
  readonly ledBy?: LedBy | undefined;
}

/** Builds the operation that reads a resource. */
export function readingOf(uri: string, { params = null, ledBy }: ReadWith = {}): OperationInput {
  const input = { method: RESOURCES_READ, target: uri, arguments: null, params, force: false };
  return ledBy === undefined ? input : { ...input, led_by: ledBy };
}

/** Actions on runs: starting, showing, naming and deleting them. */
export function operationActions(context: Context) {
  const { toasts, setView, serverUi, setServerUi, slice, setSlice, command, succeeds, offerUndo, getState } = context;
  const { selectListed, showUri } = context.get(catalogActions);
  const keptTexts = context.get(keptTextActions);

  /** Starts an operation and selects its run. The run of a presentation is listed only beside its own tool. */
  async function startOperation(server: ServerId, operation: OperationInput): Promise<OperationNumber | undefined> {
    const run = await command("start_operation", { server, operation });
    if (run === undefined) return undefined;
    if (getState().view.giving === null) bringIntoSight(server, run);
    else setSlice(server, runsSlice, { selected: run });
    return run;
  }

  function bringIntoSight(server: ServerId, run: OperationNumber): void {
    const ui = serverUi(server);
    const hidden = ui.maximized === "list" || ui.maximized === "form";
    const also = { run, beside: besideRuns(ui) };
    setSlice(server, runsSlice, { selected: run, also }, { part: "runs", maximized: hidden ? null : ui.maximized });
  }

  /** Reads a resource and selects the new run. */
  function readResource(server: ServerId, uri: string, how?: ReadWith): Promise<OperationNumber | undefined> {
    return startOperation(server, readingOf(uri, how));
  }

  /**
   * Reads a resource, unless the server allows the result of its newest run to be reused; that run is shown instead. A
   * read with params of its own is always sent.
   */
  async function readUnlessFresh(
    server: ServerId,
    uri: string,
    how: ReadWith = {},
  ): Promise<OperationNumber | undefined> {
    if ((how.params ?? null) !== null) return readResource(server, uri, how);
    const known = await command("fresh_reading", { server, uri });
    if (known === undefined) return undefined;
    if (known === null) return readResource(server, uri, how);
    bringIntoSight(server, known);
    setSlice(server, runsSlice, { fromCache: known });
    toasts.say("Shown from the cache, as the server allows. Nothing was sent.", {
      label: "Ask again",
      run: () => void readResource(server, uri, how),
    });
    return known;
  }

  /** Reads a resource without a click: the selected run stays selected. */
  async function rereadResource(server: ServerId, uri: string): Promise<void> {
    const { selected: before } = slice(server, runsSlice);
    const run = await command("start_operation", { server, operation: readingOf(uri) });
    const { selected: shown } = slice(server, runsSlice);
    const isShown = shown === null || isReadOf(getState().live.operations[shown], uri);
    if (run !== undefined && shown === before && isShown) setSlice(server, runsSlice, { selected: run });
  }

  /** Shows an operation among the runs, with the form of its subject beside it. */
  function showOperation(operation: OperationNumber): void {
    const { live } = getState();
    const view = live.operations[operation];
    if (!view) return;
    setView({ server: view.server, panel: null });
    const show = (tab: Tab): void => {
      const also = { run: operation, beside: besideRuns({ ...serverUi(view.server), tab }) };
      // A search could hide the run.
      const runs = { selected: operation, also, text: "" };
      setSlice(view.server, runsSlice, runs, { tab, part: "runs", maximized: null });
    };
    if (isByHand(view)) return show("request");
    if (isReading(view) && view.target !== null) {
      show("resources");
      // The target is only the beginning of a long URI.
      if (!view.target.endsWith("…")) void showUri(view.server, view.target);
      return;
    }
    show(view.method === PROMPTS_GET ? "prompts" : "tools");
    const target = formTargetOf(view);
    if (target !== null) void selectListed(view.server, target);
  }

  return {
    readResource,
    readUnlessFresh,
    rereadResource,
    /** Subscribes to a resource, or unsubscribes. */
    async setSubscribed(server: ServerId, uri: string, wanted: boolean): Promise<void> {
      await command(wanted ? "subscribe_resource" : "unsubscribe_resource", { server, uri });
    },
    showOperation,
    /**
     * Calls a tool or gets a prompt with exactly this text, and selects the new run. `force` also calls a tool that the
     * protocol forbids to call; `params` has further members of `params`; `task` runs the tool as a task.
     */
    run(
      server: ServerId,
      target: FormTarget,
      text: string | null,
      force = false,
      params: string | null = null,
      task: TaskParams | null = null,
    ): Promise<OperationNumber | undefined> {
      const operation = { ...methodOf(target), arguments: text, params, force };
      return startOperation(server, task === null ? operation : { ...operation, task });
    },
    /** Sends a request or a notification with exactly these params and selects the new run. */
    sendRequest(server: ServerId, request: Omit<OperationInput, "force">): Promise<OperationNumber | undefined> {
      return startOperation(server, { ...request, force: false });
    },
    /** Puts a request into the form for requests by hand, and shows it. */
    async editRequest(server: ServerId, request: RawRequest): Promise<void> {
      const which = { type: "request" } as const;
      await keptTexts.openText(server, which);
      const before = getState().view.texts[textKey(server, which)] ?? "";
      const text = requestText(request);
      keptTexts.changeText(server, which, text);
      if (before !== "" && before !== text) {
        toasts.offerUndo("Raw request replaced", { undo: () => keptTexts.changeText(server, which, before) });
      }
      setView({ server, panel: null });
      setServerUi(server, { tab: "request", maximized: null });
    },
    /** Reads a URI found in a result, and shows it among the resources. */
    async openUri(server: ServerId, uri: string, ledBy?: LedBy): Promise<void> {
      await showUri(server, uri);
      const operation = await readUnlessFresh(server, uri, { ledBy });
      if (operation !== undefined) setView({ focus: focusNames.run(operation) });
    },
    selectRun: (server: ServerId, selected: OperationNumber | null) => setSlice(server, runsSlice, { selected }),
    /** Shows the fields for the name and the note of a run; `null` closes them. */
    editLabel(server: ServerId, labelling: OperationNumber | null): void {
      if (labelling === null) setSlice(server, runsSlice, { labelling });
      else setSlice(server, runsSlice, { labelling, selected: labelling }, { part: "runs" });
    },
    /** Changes the name, the note or the pin of a run. Returns true on success. */
    async labelRun(operation: OperationNumber, change: Partial<OperationLabel>): Promise<boolean> {
      const shown = getState().live.operations[operation];
      if (!shown) return false;
      // A long note is cut in the window's view.
      const view = shown.cut ? await command("operation", { operation }, shown.server) : shown;
      if (!view) return false;
      const before = view.label;
      const put = (label: OperationLabel): Promise<boolean> =>
        succeeds("label_operation", { operation, label }, view.server);
      const label = { ...before, ...change };
      const done = await put(label);
      const replaces = (a: string | null, b: string | null): boolean => a !== null && a !== b;
      if (done && (replaces(before.name, label.name) || replaces(before.note, label.note))) {
        toasts.offerUndo("Name or note of the run replaced", { undo: () => void put(before) });
      }
      return done;
    },
    /** Deletes finished runs. */
    async deleteRuns(server: ServerId, operations: readonly OperationNumber[]): Promise<void> {
      const [first] = operations;
      const only = operations.length === 1 && first !== undefined ? getState().live.operations[first] : undefined;
      const deletion = await command("delete_operations", { operations: [...operations] }, server);
      const what = only
        ? only.label.name === null
          ? `Run of “${itemName({ title: only.title, name: operationName(only) })}”`
          : `Run “${visibleText(only.label.name)}”`
        : count(operations.length, "run", "runs");
      offerUndo(`${what} deleted`, deletion);
    },
  };
}
