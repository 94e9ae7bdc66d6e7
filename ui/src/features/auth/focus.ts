import { isTyping } from "../../lib/shortcuts";

/** True if the user is in the middle of something that must keep the focus. */
export function isOccupied(element: Element | null): boolean {
  return isTyping(element) || (element?.closest("[role=dialog], [role=alertdialog], [role=menu]") ?? null) !== null;
}
