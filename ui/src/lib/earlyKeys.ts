import { isTyping } from "./shortcuts";

/** Keys that are kept at most. */
const MOST = 8;

const kept: KeyboardEvent[] = [];

function keep(event: KeyboardEvent): void {
  const acts = event.ctrlKey || event.metaKey || event.altKey || /^F\d/.test(event.key);
  if (!acts || isTyping(event.target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!event.repeat && kept.length < MOST) kept.push(event);
}

/** Keeps keys of the whole window that are pressed before the code that acts on them is there. */
export function keepKeys(): void {
  window.addEventListener("keydown", keep, { capture: true });
}

/** Gives them to the code that acts on them, in their order; from now on no key is kept. */
export function releaseKeys(): void {
  window.removeEventListener("keydown", keep, { capture: true });
  for (const event of kept.splice(0)) {
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent(event.type, event));
  }
}
