import type { KeyboardEvent } from "react";

import { isTyping } from "../../../lib/shortcuts";

/** Moves the focus from a one-line field to the next one on Enter. Returns true for the last one, as in a web form. */
export function endsForm(event: KeyboardEvent<HTMLElement>): boolean {
  const { target, currentTarget, nativeEvent } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || nativeEvent.isComposing) return false;
  if (!(target instanceof HTMLInputElement) || !isTyping(target)) return false;
  const fields = [...currentTarget.querySelectorAll<HTMLElement>(":is(input, textarea):not(:disabled)")].filter(
    isTyping,
  );
  const next = fields[fields.indexOf(target) + 1];
  if (!next) return true;
  event.preventDefault();
  next.focus();
  return false;
}
