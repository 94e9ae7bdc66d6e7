import type { ServerId } from "../ipc/bindings";
import type { Context } from "./actions/context";

/**
 * Texts that are stored with the drafts: a request by hand, the `_meta` for the runs of a method's target, or the
 * task settings of a tool.
 */
export type KeptText =
  | { readonly type: "request" }
  | { readonly type: "meta"; readonly method: string; readonly target: string }
  | { readonly type: "task"; readonly tool: string };

/** Names a text in the view. Server ids hold no newline. */
export function textKey(server: ServerId, text: KeptText): string {
  const { method, target } = draftOf(text);
  return [server, method, target].join("\n");
}

/** Returns the method and target under which the host stores the text, as for the arguments of tools. */
function draftOf(text: KeptText): { readonly method: string; readonly target: string } {
  if (text.type === "request") return { method: "", target: "request by hand" };
  if (text.type === "meta") return { method: `${text.method} _meta`, target: text.target };
  return { method: "tools/call task", target: text.tool };
}

/** Actions on these texts. */
export function keptTextActions({ backend, store, setView, command, newSaver }: Context) {
  const saver = newSaver();
  /** Privacy of each text: if it must not be written to disk, and if it was sent to the host as private. */
  const privacy = new Map<string, { readonly isPrivate: boolean; readonly handed: boolean }>();

  function put(key: string, text: string): void {
    setView({ texts: { ...store.getState().view.texts, [key]: text } });
  }

  function privacyOf(key: string): { readonly isPrivate: boolean; readonly handed: boolean } {
    return privacy.get(key) ?? { isPrivate: false, handed: false };
  }

  function saveSoon(server: ServerId, which: KeptText): void {
    const key = textKey(server, which);
    saver.soon(key, () => {
      const { isPrivate } = privacyOf(key);
      privacy.set(key, { isPrivate, handed: isPrivate });
      const text = store.getState().view.texts[key] ?? "";
      return command("save_draft", {
        server,
        ...draftOf(which),
        text: text === "" ? null : text,
        private: isPrivate,
      });
    });
  }

  return {
    /** Loads the text typed before, unless it is loaded. */
    async openText(server: ServerId, which: KeptText): Promise<void> {
      const key = textKey(server, which);
      if (store.getState().view.texts[key] !== undefined) return;
      const kept = await backend.call("load_draft", { server, ...draftOf(which) }).catch(() => null);
      // A text that was typed in the meantime takes precedence.
      if (store.getState().view.texts[key] === undefined) put(key, kept ?? "");
    },
    /** Keeps the typed text, and sends it to the host a moment after the last change. */
    changeText(server: ServerId, which: KeptText, text: string): void {
      put(textKey(server, which), text);
      saveSoon(server, which);
    },
    /**
     * Sets whether a text must not be written to disk; while that is unknown (`null`), typed text is not saved at all.
     * A text that was saved with another setting is sent again.
     */
    keepTextPrivate(server: ServerId, which: KeptText, isPrivate: boolean | null): void {
      const key = textKey(server, which);
      const { handed } = privacyOf(key);
      privacy.set(key, { isPrivate: isPrivate ?? true, handed });
      if (isPrivate !== null && isPrivate !== handed) saveSoon(server, which);
    },
  };
}
