/**
 * Gives the focus back to an element that loses it because it is moved in the document, as when a list is sorted anew. A
 * browser without `moveBefore` takes such an element out and puts it in again, which ends the focus without an event.
 */
export function keepFocusOfMoved(page: Document): void {
  if ("moveBefore" in Element.prototype) return;
  let focused: HTMLElement | null = null;
  page.addEventListener("focusin", ({ target }) => (focused = target instanceof HTMLElement ? target : null));
  page.addEventListener("focusout", () => (focused = null));
  const observer = new MutationObserver((records) => {
    if (focused === null || page.activeElement !== page.body) return;
    if (!focused.isConnected) return void (focused = null);
    const isTaken = records.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(focused)));
    if (isTaken) focused.focus({ preventScroll: true });
  });
  observer.observe(page, { childList: true, subtree: true });
}
