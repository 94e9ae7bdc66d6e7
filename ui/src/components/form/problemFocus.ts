/** Moves the focus to fields, also from a problem. */
import { commitThen } from "../../lib/focus";
import { pointerTokens } from "../../schema/source";
import type { Problem } from "../../schema/problems";
import { FieldPath } from "./fieldpath";

/** Returns the place of a problem as a JSON pointer; for a missing member, the pointer to the member itself. */
export function placeOf(problem: Problem): string {
  return problem.missing === undefined ? problem.instancePath : `${problem.instancePath}/${problem.missing}`;
}

/** Returns a key of a problem, unique in its form. */
export function problemKey(problem: Problem): string {
  return `${placeOf(problem)} ${problem.keyword} ${problem.message}`;
}

const CONTROLS =
  ":is(input, textarea, select, button, [contenteditable=true]):not([tabindex='-1'], [type=hidden], :disabled)";

/** Moves the focus to the field of a problem, or as near as possible. Groups around the field are opened. */
export function focusProblem(idPrefix: string, problem: Problem): void {
  const form = document.getElementById(idPrefix);
  if (!form) return;
  const key = problemKey(problem);
  const shown = [...form.querySelectorAll<HTMLElement>("[data-problem]")].find((each) => each.dataset.problem === key);
  if (shown) {
    const field = shown.closest("[data-field]");
    const control = field?.querySelector<HTMLElement>(`:scope > [data-field-body] ${CONTROLS}`);
    return show(control ?? field?.querySelector<HTMLElement>(CONTROLS) ?? shown);
  }
  // The field is inside a closed group, or on a later page.
  const label = nearestLabel(idPrefix, problem);
  if (label?.getAttribute("aria-expanded") === "false") {
    commitThen(
      () => label.click(),
      () => label.getAttribute("aria-expanded") === "true" && focusProblem(idPrefix, problem),
    );
    return;
  }
  const near = label?.closest("[data-field]") ?? form;
  const control = label?.hasAttribute("aria-expanded") ? label : near.querySelector<HTMLElement>(CONTROLS);
  if (control) show(control);
}

/** Focuses the control of the first of these fields or buttons that exists; of a group its heading. */
export function focusField(ids: readonly string[]): void {
  for (const id of ids) {
    const field = document.getElementById(id) ?? document.getElementById(`${id}~label`);
    const inside = field?.querySelector<HTMLElement>(":checked") ?? field?.querySelector<HTMLElement>(CONTROLS);
    const control = field?.matches(CONTROLS) === true ? field : inside;
    if (control) return control.focus();
  }
}

function nearestLabel(idPrefix: string, problem: Problem): HTMLElement | null {
  let nearest: HTMLElement | null = null;
  let path = FieldPath.root(`${idPrefix}-field`);
  for (const step of pointerTokens(placeOf(problem))) {
    const byName = path.child(step);
    const found = document.getElementById(`${byName.id}~label`);
    path = found || !/^\d+$/.test(step) ? byName : path.child(Number(step));
    const label = found ?? document.getElementById(`${path.id}~label`);
    if (!label) break;
    nearest = label;
  }
  return nearest;
}

function show(element: HTMLElement): void {
  element.scrollIntoView({ block: "center" });
  element.focus({ preventScroll: true });
}
