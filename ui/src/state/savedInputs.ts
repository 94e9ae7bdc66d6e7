import type { Check, OperationNumber, SavedInput, ServerId, ToolDetail } from "../ipc/bindings";
import { createDocument, toText } from "../schema/document";
import { visibleText } from "../lib/visible";
import { hasPrivateFields } from "../schema/privacy";
import type { Context } from "./actions/context";
import { draftActions } from "./actions/drafts";
import { navigationActions } from "./actions/navigation";
import { useParts } from "./hooks";
import type { LiveState } from "./live";
import { presentationActions } from "./presentations";
import { inputsSlice, type InputsUi } from "./slices/inputs";
import { itemsSlice } from "./slices/items";
import { draftKey, focusNames, type Draft, type ServerUi } from "./view";

/** Method of saved inputs by default. */
const METHOD = "tools/call";

/** Returns the saved inputs of a target, which is a tool by default, in order. */
export function inputsOf(
  live: LiveState,
  server: ServerId,
  target: string,
  method: string = METHOD,
): readonly SavedInput[] {
  return (live.savedInputs[server] ?? []).filter((input) => input.method === method && input.target === target);
}

/** Returns the saved inputs of a target, which is a tool by default, in order. */
export function useSavedInputs(server: ServerId, target: string, method?: string): readonly SavedInput[] {
  return useParts((state) => inputsOf(state.live, server, target, method));
}

/** Finds a saved input of any server by its id. */
export function inputById(live: LiveState, id: string): SavedInput | undefined {
  for (const inputs of Object.values(live.savedInputs)) {
    const found = inputs.find((input) => input.id === id);
    if (found) return found;
  }
  return undefined;
}

/** Actions on saved inputs. */
export function savedInputActions({ backend, getState, toasts, setView, serverUi, setSlice, command, get }: Context) {
  const presentations = get(presentationActions);
  const { focusForm } = get(navigationActions);
  const { putDraft, replaceDraft, openDraft } = get(draftActions);

  function draftOf(server: ServerId, tool: string): Draft | undefined {
    return getState().view.drafts[draftKey(server, tool)];
  }

  /** Returns the schema of a tool; nothing, with a notice, if the tool is no longer listed or the list is unknown. */
  async function schemaOf(server: ServerId, tool: string): Promise<string | null> {
    const detail: ToolDetail | null = await backend.call("tool_detail", { server, key: tool }).catch(() => null);
    if (!detail) toasts.say("The server does not list this tool now");
    return detail && (detail.input_schema ?? "{}");
  }

  /** Opens the part of a tool's form for saved inputs; `null` closes it. */
  function openInputs(server: ServerId, open: InputsUi["open"], more: Partial<ServerUi> = {}): void {
    setSlice(server, inputsSlice, { open }, more);
  }

  /** Fills in the form of a tool, and shows it with the focus in its first field. `id` is that of a saved input. */
  async function fillForm(
    server: ServerId,
    tool: string,
    name: string,
    values: string,
    id: string | null,
  ): Promise<void> {
    const schemaText = draftOf(server, tool)?.schemaText ?? (await schemaOf(server, tool));
    if (schemaText === null) return;
    // A stored draft must not be replaced before it is loaded.
    await openDraft(server, tool, schemaText);
    const document = createDocument(schemaText, values);
    const isPrivate = hasPrivateFields(schemaText);
    const title = `Form filled with “${visibleText(name)}”`;
    replaceDraft(server, tool, { document, isPrivate, schemaText, input: id }, title);
    setView({ server, panel: null });
    setSlice(server, itemsSlice, { tool });
    openInputs(server, null, { tab: "tools" });
    focusForm(server, tool);
  }

  return {
    openInputs,
    /** Fills in the form of its tool with a saved input. */
    async fillFrom(id: string): Promise<void> {
      const input = inputById(getState().live, id);
      if (input) await fillForm(input.server, input.target, input.name, input.arguments, id);
    },
    /** Fills in the form of its tool with the arguments of a check, which stays unchanged. */
    async fillFromCheck(server: ServerId, { id, name, tool }: Check): Promise<void> {
      if (tool === null) return;
      const values = await command("check_arguments", { server, check: id });
      if (values !== undefined) await fillForm(server, tool, name, values, null);
    },
    /**
     * Saves values of a tool under a name: those of its form, or `text`. Returns true on success. Values that the
     * schema marks as private are kept in memory only.
     */
    async saveFormAs(server: ServerId, tool: string, name: string, text: string | null): Promise<boolean> {
      const draft = draftOf(server, tool);
      if (!draft) return false;
      const input: SavedInput = {
        id: "",
        server,
        method: METHOD,
        target: tool,
        name,
        arguments: text ?? toText(draft.document),
        private: draft.isPrivate,
      };
      const id = await presentations.saveInput(input);
      if (id === undefined) return false;
      const now = draftOf(server, tool);
      if (now && text === null) putDraft(draftKey(server, tool), { ...now, input: id });
      openInputs(server, null);
      return true;
    },
    /** Saves the values of the form to the saved input that it was filled in with. */
    async updateInput(id: string): Promise<void> {
      const input = inputById(getState().live, id);
      const draft = input && draftOf(input.server, input.target);
      if (!draft) return;
      const changed = { ...input, arguments: toText(draft.document), private: draft.isPrivate };
      if ((await presentations.saveInput(changed)) === undefined) return;
      const now = draftOf(input.server, input.target);
      if (now) putDraft(draftKey(input.server, input.target), { ...now, input: id });
      toasts.offerUndo(`“${visibleText(input.name)}” updated`, { undo: () => void presentations.saveInput(input) });
    },
    /** Renames a saved input. */
    async renameInput(id: string, name: string): Promise<void> {
      const input = inputById(getState().live, id);
      if (!input || name === "" || name === input.name) return;
      if ((await presentations.saveInput({ ...input, name })) === undefined) return;
      const undo = (): void => {
        const now = inputById(getState().live, id);
        if (now) void presentations.saveInput({ ...now, name: input.name });
      };
      toasts.offerUndo(`“${visibleText(input.name)}” is now called “${visibleText(name)}”`, { undo });
    },
    /** Moves a saved input up (-1) or down (1) among those of its tool. */
    async shiftInput(id: string, by: -1 | 1): Promise<void> {
      const { live } = getState();
      const input = inputById(live, id);
      const all = input ? inputsOf(live, input.server, input.target) : [];
      const index = all.findIndex((one) => one.id === id) + by;
      if (input && index >= 0 && index < all.length) await presentations.moveInput(input, index);
    },
    /** Shows the list of a tool's saved inputs, with the focus in the name of one input. */
    editInputName(id: string): void {
      const input = inputById(getState().live, id);
      if (!input) return;
      const { server, target: tool } = input;
      setView({ server, panel: null, focus: focusNames.input(id) });
      const hidden = serverUi(server).maximized;
      setSlice(server, itemsSlice, { tool });
      const maximized = hidden === "form" ? hidden : null;
      openInputs(server, { type: "list", tool }, { tab: "tools", part: "form", maximized });
    },
    /** Asks, beside the form of its tool, for the name under which to save the values of a run. */
    async nameValuesOf(operation: OperationNumber, text: string): Promise<void> {
      const run = getState().live.operations[operation];
      if (!run || run.key === null) return;
      const { server, key: tool } = run;
      const schemaText = await schemaOf(server, tool);
      if (schemaText === null) return;
      await openDraft(server, tool, schemaText);
      setView({ server, panel: null });
      setSlice(server, itemsSlice, { tool });
      openInputs(server, { type: "save", tool, text }, { tab: "tools", part: "form", maximized: null });
    },
  };
}
