/**
 * Restores the focus of an element that a sorted list moved. Browsers without `moveBefore` remove and insert such an
 * element, which drops its focus without an event.
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
