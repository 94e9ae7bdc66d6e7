import { useEffect, useRef } from "react";

import { FIELD, TABBABLE } from "../lib/focus";
import { listen } from "../lib/listen";
import { useActions, useAppState } from "../state/hooks";
import { focusNames } from "../state/view";

const CONTENT = focusNames.pane("content");
/** Selectors of the element to focus, best first: the selected element, or else the one that arrow keys move. */
const STARTS = [
  "[aria-current][data-select]",
  "[role=listbox][tabindex='0']",
  "[data-card-head][aria-expanded=true]",
  "[data-card-head]",
  "[role=grid][tabindex='0']",
  TABBABLE,
];
/**
 * Selectors within a view: an element that waits for the user, or else one that arrow keys move. Not a field, in which
 * the next key would be typed; and not a button, as a pane's buttons appear before its list.
 */
const CONTENT_STARTS = [
  "[data-open-sign-in]",
  "[role=listbox][tabindex='0']",
  "[role=grid][tabindex='0']",
  ":is(button:not(:disabled), summary, [tabindex='0']):not([tabindex='-1'], [role=separator], [data-focus-name^='pane '] [data-focus-name^='pane '] *)",
];
const FORM_STARTS = [`[data-form] ${FIELD}`, "[data-run]:not(:disabled)", TABBABLE];

/** Last focused element of each pane. */
const last = new WeakMap<HTMLElement, HTMLElement>();

/**
 * Moves the focus to the element that the state names, once it is rendered, and remembers the focused element of each
 * pane. If the focused element disappears with a view or a panel, the focus moves to its replacement.
 */
export function useFocus(): void {
  const actions = useActions();
  const wanted = useAppState((state) => state.view.focus);
  const place = useAppState(({ view, live }) => {
    if (view.server === null) return view.panel?.type ?? null;
    const phase = live.sessions[view.server]?.phase ?? "idle";
    // The next content appears soon.
    if (phase === "connecting" || phase === "closing") return undefined;
    return `${view.server} ${view.panel?.type} ${view.perServer[view.server]?.tab} ${phase}`;
  });
  const before = useRef(place);

  useEffect(() => {
    if (wanted === null) return undefined;
    return untilDone(() => {
      const element = find(wanted);
      // A collapsed pane appears in a moment, and an empty view gets its content.
      if (!element || !isShown(element) || (wanted === CONTENT && !startIn(element, wanted))) return false;
      // A view gets the focus at its beginning, a pane at its previous element.
      focusIn(element, wanted, wanted !== CONTENT);
      actions.focus(null);
      return true;
    });
  }, [actions, wanted]);

  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return;
      const pane = paneOf(target);
      if (pane) last.set(pane, target);
    };
    return listen(document, { focusin: onFocus });
  }, []);

  useEffect(() => {
    if (place === undefined || place === before.current) return undefined;
    // At the start the focus is not taken from anything.
    const isFirst = before.current === null;
    before.current = place;
    if (isFirst) return undefined;
    return untilDone(() => {
      if (document.activeElement !== document.body) return true;
      const content = find(CONTENT);
      const target = content && startIn(content, CONTENT);
      target?.focus();
      return target !== undefined && target !== null;
    });
  }, [place]);
}

/** Content that is replaced as soon as its successor is loaded. */
const HELD = "[data-held]";

/**
 * Runs `act` now or once the page has rendered the requested element, unless the user clicks elsewhere before. The
 * returned function cancels that.
 */
function untilDone(act: () => boolean): (() => void) | undefined {
  const done = (): boolean => document.querySelector(HELD) === null && act();
  if (done()) return undefined;
  const observer = new MutationObserver(() => done() && giveUp());
  const giveUp = (): void => {
    observer.disconnect();
    stop();
  };
  const stop = listen(document, { pointerdown: giveUp });
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-focus-name", "class"] });
  return giveUp;
}

/** Moves the focus to the next (1) or previous (-1) pane. */
export function movePane(by: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>("[data-focus-name^='pane ']")].filter(
    (pane) => !pane.querySelector("[data-focus-name^='pane ']") && isShown(pane),
  );
  const here = document.activeElement;
  const next =
    here === null || here === document.body
      ? panes.at(by > 0 ? 0 : -1)
      : by > 0
        ? (panes.find((pane) => follows(pane, here)) ?? panes[0])
        : (panes.findLast((pane) => follows(here, pane)) ?? panes.at(-1));
  if (next) focusIn(next, next.dataset["focusName"] ?? "");
}

/** Returns true if an element comes after another one and is not inside it. The focus may be in no pane. */
function follows(element: Element, other: Element): boolean {
  const place = other.compareDocumentPosition(element);
  return (place & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && (place & Node.DOCUMENT_POSITION_CONTAINED_BY) === 0;
}

/**
 * Moves the focus to the search of its pane, or else of the surrounding view if that has only one list. Returns false
 * without a search.
 */
export function focusSearch(oneList: boolean): boolean {
  const here = document.activeElement;
  const pane = here instanceof HTMLElement ? paneOf(here) : null;
  // An element around several panes has no search of its own.
  const own = pane?.querySelector("[data-focus-name^='pane ']") ? null : pane;
  const around = [own, oneList ? find(CONTENT) : null];
  const field = around
    .flatMap((element) => [...(element?.querySelectorAll<HTMLInputElement>("input[role=searchbox]") ?? [])])
    .find(isShown);
  field?.focus();
  field?.select();
  return field !== undefined;
}

function paneOf(element: HTMLElement): HTMLElement | null {
  return element.closest<HTMLElement>("[data-focus-name^='pane ']");
}

/** Finds an element by its focus name; of two servers side by side, in the selected one. */
function find(name: string): HTMLElement | null {
  const mark = `[data-focus-name="${CSS.escape(name)}"]`;
  return (
    document.querySelector<HTMLElement>(`[data-side="selected"] ${mark}`) ?? document.querySelector<HTMLElement>(mark)
  );
}

function focusIn(element: HTMLElement, name: string, again = true): void {
  const target = startIn(element, name, again);
  if (target === undefined) element.tabIndex = -1;
  // The list of runs scrolls its parts into view itself, unless the pointer is on another part.
  (target ?? element).focus({ preventScroll: name.startsWith("run ") });
  if (target instanceof HTMLInputElement && name === focusNames.search) target.select();
}

/** Finds the element to focus within `element`; with `again`, the one that had the focus there last. */
function startIn(element: HTMLElement, name: string, again = true): HTMLElement | undefined {
  const before = again ? last.get(element) : undefined;
  if (before?.isConnected && isShown(before)) return before;
  return startsOf(name)
    .flatMap((start) => [...(element.matches(start) ? [element] : []), ...element.querySelectorAll<HTMLElement>(start)])
    .find(isShown);
}

function startsOf(name: string): readonly string[] {
  if (name === CONTENT) return CONTENT_STARTS;
  return name.startsWith("form ") || name === focusNames.pane("form") ? FORM_STARTS : STARTS;
}

function isShown(element: HTMLElement): boolean {
  return element.getClientRects().length > 0 && getComputedStyle(element).visibility !== "hidden";
}
