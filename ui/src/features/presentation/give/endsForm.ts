import type { KeyboardEvent } from "react";

import { isTyping } from "../../../lib/shortcuts";

/** Enter in the last field to type in, where that has one line, as on a page of the web. */
export function endsForm(event: KeyboardEvent<HTMLElement>): boolean {
  const { target, currentTarget, nativeEvent } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || nativeEvent.isComposing) return false;
  return (
    target instanceof HTMLInputElement &&
    isTyping(target) &&
    [...currentTarget.querySelectorAll(":is(input, textarea):not(:disabled)")].filter(isTyping).at(-1) === target
  );
}
