import { toBackendError } from "../../ipc/backend";
import type { ServerId } from "../../ipc/bindings";
import { own } from "../../lib/own";
import {
  createDocument,
  type FormDocument,
  isPristine,
  resetDocument,
  toText,
  withSchema,
} from "../../schema/document";
import { nodeIn } from "../../schema/parse";
import { hasPrivateFields } from "../../schema/privacy";
import { promptSchema } from "../../schema/promptSchema";
import { RESOURCES_READ } from "../operationName";
import { itemsSlice, SELECTED } from "../slices/items";
import { type Draft, draftKey, focusNames, type FormTarget, kindOf, methodOf } from "../view";
import type { Context } from "./context";

/** Limit of successive replacements of one draft that can be undone. */
const MOST_REPLACED = 10;

/** Actions on drafts from the forms of tools, prompts and templates. Drafts are kept until the host has them. */
export function draftActions(context: Context) {
  const { backend, toasts, setView, slice, setSlice, inform, command, getState, newSaver } = context;

  const saver = newSaver();

  function putDraft(key: string, draft: Draft): void {
    setView({ drafts: { ...getState().view.drafts, [key]: draft } });
  }

  /** Replaces the document in the form of a tool or prompt. The previous one can be restored. */
  function replaceDraft(server: ServerId, tool: FormTarget, next: Omit<Draft, "replaced">, title: string): void {
    const key = draftKey(server, tool);
    const before = getState().view.drafts[key];
    const loses = before && !isPristine(before.document) && toText(before.document) !== toText(next.document);
    const undo = (): void => {
      // Text typed since then is replaced in turn.
      if (before && !undoReplacement(server, tool, next.document)) replaceDraft(server, tool, before, "Form restored");
    };
    const closeToast = loses ? toasts.offerUndo(title, { undo }) : () => undefined;
    const replaced = before && { before: withLess(before, MOST_REPLACED - 1), by: next.document, closeToast };
    const draft = { ...next, replaced: replaced ?? null };
    putDraft(key, draft);
    persistDraft(server, tool, draft);
  }

  /** Replaces the document in the open form of a tool or prompt. `title` says what was lost. */
  function replaceDocument(server: ServerId, tool: FormTarget, document: FormDocument, title: string): void {
    const draft = getState().view.drafts[draftKey(server, tool)];
    if (draft) replaceDraft(server, tool, { ...draft, document }, title);
  }

  /** Restores the document that was replaced last, unless something was typed since. Returns true if it did. */
  function undoReplacement(server: ServerId, tool: FormTarget, by?: FormDocument): boolean {
    const key = draftKey(server, tool);
    const draft = getState().view.drafts[key];
    if (!draft?.replaced || draft.document !== draft.replaced.by) return false;
    if (by !== undefined && draft.document !== by) return false;
    const { before, closeToast } = draft.replaced;
    putDraft(key, before);
    persistDraft(server, tool, before);
    closeToast();
    return true;
  }

  /**
   * Ensures that a tool or prompt with a known definition has a draft: an open draft follows a changed schema, a stored
   * one is loaded, otherwise a new one begins.
   */
  async function openDraft(server: ServerId, tool: FormTarget, schemaText: string): Promise<void> {
    const key = draftKey(server, tool);
    const open = getState().view.drafts[key];
    const put = (document: FormDocument, input: Draft["input"]): void =>
      putDraft(key, { document, isPrivate: hasPrivateFields(schemaText), schemaText, input, replaced: null });
    if (open) {
      if (open.schemaText !== schemaText) put(withSchema(open.document, schemaText), open.input);
      return;
    }
    const kept = await backend.call("load_draft", { server, ...methodOf(tool) }).catch(() => null);
    // A draft that was typed or restored in the meantime takes precedence.
    if (getState().view.drafts[key]) return;
    put(createDocument(schemaText, kept ?? undefined), null);
  }

  function persistDraft(server: ServerId, tool: FormTarget, draft: Draft): void {
    // Serialized only when saved, as it can be long.
    saver.soon(draftKey(server, tool), () =>
      command("save_draft", { server, ...methodOf(tool), text: toText(draft.document), private: draft.isPrivate }),
    );
  }

  /** Loads the typed variables of a template, unless they are loaded. */
  async function openTemplate(server: ServerId, template: string): Promise<void> {
    if (own(slice(server, itemsSlice).templateValues, template)) return;
    const draft = { server, method: RESOURCES_READ, target: template };
    const kept = await backend.call("load_draft", draft).catch(() => null);
    const { templateValues } = slice(server, itemsSlice);
    // A value that was typed in the meantime takes precedence.
    if (kept === null || own(templateValues, template)) return;
    setSlice(server, itemsSlice, { templateValues: { ...templateValues, [template]: templateTexts(kept) } });
  }

  /** Returns the schema of the arguments of a tool or prompt; `null` if it is no longer in the list. */
  async function schemaOf(server: ServerId, target: FormTarget): Promise<string | null> {
    try {
      if (typeof target !== "string") {
        return promptSchema((await backend.call("prompt_detail", { server, key: target.key })).arguments);
      }
      return (await backend.call("tool_detail", { server, key: target })).input_schema ?? "{}";
    } catch (thrown) {
      if (toBackendError(thrown).code !== "not_found") inform(thrown, server);
      return null;
    }
  }

  return {
    putDraft,
    replaceDraft,
    openDraft,
    replaceDocument,
    undoReplacement,
    openTemplate,
    /** Empties a tool's form. */
    resetDraft(server: ServerId, tool: FormTarget): void {
      const draft = getState().view.drafts[draftKey(server, tool)];
      if (!draft) return;
      const document = resetDocument(draft.document);
      replaceDraft(server, tool, { ...draft, document, input: null }, "Form reset");
    },
    /** Keeps typed arguments, and sends them to the host a moment after the last change. */
    changeDraft(server: ServerId, tool: FormTarget, document: FormDocument): void {
      const key = draftKey(server, tool);
      const open = getState().view.drafts[key];
      if (!open) return;
      const draft = { ...open, document };
      putDraft(key, draft);
      persistDraft(server, tool, draft);
    },
    /**
     * Puts the arguments of an operation into the form of its tool or prompt, shows it on its tab, and moves the
     * focus to its first field. Returns false if the tool or prompt is no longer in the list.
     */
    async restoreArguments(server: ServerId, target: FormTarget, text: string): Promise<boolean> {
      const schemaText = await schemaOf(server, target);
      if (schemaText === null) return false;
      // A stored draft must not be replaced before it is loaded.
      await openDraft(server, target, schemaText);
      const isPrivate = hasPrivateFields(schemaText);
      const document = createDocument(schemaText, text);
      const draft = { document, isPrivate, schemaText, input: null };
      replaceDraft(server, target, draft, "Form replaced by the arguments of the run");
      setView({ server, panel: null, focus: focusNames.form(draftKey(server, target)) });
      const kind = kindOf(target);
      const selected = { [SELECTED[kind]]: methodOf(target).target };
      setSlice(server, itemsSlice, selected, { tab: kind, part: "form", maximized: null });
      return true;
    },
    /** Keeps the typed value of a template variable, and sends it to the host a moment after the last change. */
    setTemplateValue(server: ServerId, template: string, variable: string, text: string): void {
      const { templateValues } = slice(server, itemsSlice);
      const values = { ...own(templateValues, template), [variable]: text };
      setSlice(server, itemsSlice, { templateValues: { ...templateValues, [template]: values } });
      const draft = {
        server,
        method: RESOURCES_READ,
        target: template,
        text: JSON.stringify(values),
        private: false,
      };
      saver.soon(draftKey(server, `${RESOURCES_READ}\n${template}`), () => command("save_draft", draft));
    },
  };
}

/** Returns the values of a stored draft of a template; none if the draft has another form. */
function templateTexts(kept: string): Readonly<Record<string, string>> {
  const node = nodeIn(kept);
  if (node?.kind !== "object") return {};
  return Object.fromEntries(
    node.members.flatMap(({ key, value }) => (value.kind === "string" ? [[key, value.value]] : [])),
  );
}

/** Limits the replacements that a draft remembers. */
function withLess(draft: Draft, most: number): Draft {
  const { replaced } = draft;
  if (!replaced) return draft;
  return { ...draft, replaced: most > 0 ? { ...replaced, before: withLess(replaced.before, most - 1) } : null };
}
