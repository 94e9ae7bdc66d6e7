/**
 * Keyboard shortcuts as text: `Mod+Shift+S`, `Alt+1`, `F6`, `?`. `Mod` is the main modifier, `Plus` the plus key, `1…9`
 * any of these digits. The table of actions defines what they do.
 */

const isMac = typeof navigator !== "undefined" && /mac/i.test(navigator.platform);

/** The main modifier, as it is labelled on the keyboard. */
export const modifier = isMac ? "⌘" : "Ctrl";

type Key = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** Returns the keys as shown to the user: `Ctrl+K`. */
export function keysLabel(keys: string): string {
  return keys
    .replace("Mod", modifier)
    .replace("Minus", "−")
    .replace("Plus", "+")
    .replace("Escape", "Esc")
    .replace("1…9", "1 … 9")
    .replace(/Arrow(?=(Up|Down|Left|Right)$)/, "")
    .replace(/^Page(?=Up|Down)/, "Page ");
}

/** Returns true if an event matches these keys. */
export function matchesKeys(event: Key, keys: string): boolean {
  const parts = keys.split("+");
  const key = parts.pop() ?? "";
  const shift = parts.includes("Shift");
  return (
    (parts.includes("Mod") ? hasMod(event) : !event.ctrlKey && !event.metaKey) &&
    parts.includes("Alt") === event.altKey &&
    // Keyboards differ in the characters that need Shift.
    (isCharacter(key) || shift === event.shiftKey) &&
    isKey(event, key)
  );
}

/** Returns true for keys that a text field uses itself. */
export function writes(keys: string): boolean {
  return keys === "Mod+Z" || !/^(F\d|(Mod|Alt)\+)/.test(keys.replace("Shift+", ""));
}

function isKey({ key, code }: Key, wanted: string): boolean {
  if (wanted === "1…9") return /^[1-9]$/.test(key) || /^Digit[1-9]$/.test(code);
  // With a modifier, some keyboards produce another character on a digit's key.
  if (/^\d$/.test(wanted)) return key === wanted || code === `Digit${wanted}`;
  if (wanted === "Plus") return key === "+" || key === "=";
  if (wanted === "Minus") return key === "-" || key === "_";
  return key.toLowerCase() === wanted.toLowerCase();
}

function isCharacter(key: string): boolean {
  return key === "Plus" || key === "Minus" || (key.length === 1 && !/[a-z0-9]/i.test(key));
}

/** Returns the digit of a digit key. */
export function digitOf({ key, code }: Key): number {
  return Number(/^\d$/.test(key) ? key : code.slice(-1));
}

/** Returns true if the target takes typed text, so that a plain letter is not a shortcut. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches(
        "textarea, select, [role=textbox], [role=combobox], input:not([type=checkbox], [type=radio], [type=button])",
      ))
  );
}

/** Returns true if the focused element, which is not a text field, handles this key without a modifier itself. */
export function movesWithin(target: EventTarget | null, key: string): boolean {
  return /^(Arrow|Page|\p{L}$)/u.test(key) && target instanceof HTMLElement && target.matches("input, audio, video");
}

/** Returns true if the main modifier is pressed, and no other. */
export function hasModifier(event: Pick<KeyboardEvent, "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): boolean {
  return hasMod(event) && !event.altKey && !event.shiftKey;
}

function hasMod({ ctrlKey, metaKey }: Pick<KeyboardEvent, "ctrlKey" | "metaKey">): boolean {
  return isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
}
