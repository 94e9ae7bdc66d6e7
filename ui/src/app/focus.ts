import { useEffect, useRef } from "react";

import { FIELD, TABBABLE } from "../lib/focus";
import { listen } from "../lib/listen";
import { useActions, useAppState } from "../state/hooks";
import { focusNames } from "../state/view";

const CONTENT = focusNames.pane("content");
/** Selectors of the element to focus, best first: the selected element, then the one that the keys move in. */
const STARTS = [
  "[aria-current][data-select]",
  "[role=listbox][tabindex='0']",
  "[data-card-head][aria-expanded=true]",
  "[data-card-head]",
  "[role=grid][tabindex='0']",
  TABBABLE,
];
/**
 * In a view: what waits for the user, then what the keys move in. Nobody asked for a field, in which the
 * next key would be typed; and the buttons of a pane within the view are there before its list.
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
 * Takes the focus to the element that the state names, once it is there, and remembers where it was in
 * each pane. Where what had the focus goes with a view or a panel, it moves to what came in its place.
 */
export function useFocus(): void {
  const actions = useActions();
  const wanted = useAppState((state) => state.view.focus);
  const place = useAppState(({ view, live }) => {
    if (view.server === null) return view.panel?.type ?? null;
    const phase = live.sessions[view.server]?.phase ?? "idle";
    // What comes next is near.
    if (phase === "connecting" || phase === "closing") return undefined;
    return `${view.server} ${view.panel?.type} ${view.perServer[view.server]?.tab} ${phase}`;
  });
  const before = useRef(place);

  useEffect(() => {
    if (wanted === null) return undefined;
    return untilDone(() => {
      const element = find(wanted);
      // A pane that was collapsed is on show in a moment, and a view that is still empty fills.
      if (!element || !isShown(element) || (wanted === CONTENT && !startIn(element, wanted))) return false;
      // A view is entered at its beginning, a pane where the focus was.
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
    // At the start nothing is taken away from anybody.
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

/** Content that makes room for other content as soon as that is there. */
const HELD = "[data-held]";

/**
 * Does something now or as soon as the page has what it needs and shows what was asked for, unless the user points at something else
 * before. What it returns gives that up.
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

/** Moves the focus to the pane after (1) or before (-1) the one that has it. */
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

/** Returns true if an element comes after another one and not within it. The focus may be in no pane. */
function follows(element: Element, other: Element): boolean {
  const place = other.compareDocumentPosition(element);
  return (place & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && (place & Node.DOCUMENT_POSITION_CONTAINED_BY) === 0;
}

/**
 * Moves the focus to the search of its pane, or else of the view around it if that has only one list. Returns false
 * where there is no search.
 */
export function focusSearch(oneList: boolean): boolean {
  const here = document.activeElement;
  const pane = here instanceof HTMLElement ? paneOf(here) : null;
  // What stands around several panes has no search of its own.
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
  // The list of runs brings its parts into view itself: not while the pointer is on another one.
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
