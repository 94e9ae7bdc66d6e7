import { isTyping } from "./shortcuts";

/** Limit of keys that are kept. */
const MOST_KEYS = 8;

const keptKeys: KeyboardEvent[] = [];

function keep(event: KeyboardEvent): void {
  const acts = event.ctrlKey || event.metaKey || event.altKey || /^F\d/.test(event.key);
  if (!acts || isTyping(event.target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!event.repeat && keptKeys.length < MOST_KEYS) keptKeys.push(event);
}

/** Keeps the keys that are pressed before their handler is loaded. */
export function keepKeys(): void {
  window.addEventListener("keydown", keep, { capture: true });
}

/** Passes the kept keys to their handler in order, and keeps no further ones. */
export function releaseKeys(): void {
  window.removeEventListener("keydown", keep, { capture: true });
  for (const event of keptKeys.splice(0)) {
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent(event.type, event));
  }
}
