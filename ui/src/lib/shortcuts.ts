/** The keys of the window, in one table that the overlay and the settings show. */

const isMac = typeof navigator !== "undefined" && /mac/i.test(navigator.platform);

/** The main modifier as its keyboard names it. */
export const modifier = isMac ? "⌘" : "Ctrl";

export interface Shortcut {
  readonly keys: string;
  readonly does: string;
}

export const shortcuts: readonly Shortcut[] = [
  { keys: `${modifier}+K or /`, does: "Search tools" },
  { keys: `${modifier}+Enter`, does: "Run the tool; in a server request, send the response" },
  { keys: `${modifier}+Z`, does: "Undo what was deleted or replaced last; in a form, a reset or a replacement" },
  { keys: "F6", does: "Go to what was done just now and can be undone" },
  { keys: "Esc", does: "Cancel the focused run, close a menu or panel" },
  { keys: `${modifier}+1 … 9`, does: "Switch to server 1 … 9" },
  { keys: "Alt+1, 2, 3, 4, 5", does: "Switch to Tools, Wire log, Connection, About, Authentication" },
  { keys: "Alt+Up, Alt+Down", does: "Move the focused server up or down" },
  { keys: "Arrows, Home, End, Page Up, Page Down", does: "Move within a list" },
  { keys: `${modifier}+,`, does: "Settings" },
  { keys: "?", does: "Show keyboard shortcuts" },
];

/** Whether a key goes into a text, so that a plain letter is no shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])"))
  );
}

/** The main modifier, and no other. */
export function hasModifier(event: Pick<KeyboardEvent, "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): boolean {
  return (
    (isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) && !event.altKey && !event.shiftKey
  );
}
