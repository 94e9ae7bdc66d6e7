/** Enabled fields; the first one takes the focus. */
export const FIELD = ":is(input, select, textarea):not(:disabled)";

/** The marked button: Enter presses it, and it has the focus unless the user types or a question is open. */
const NEXT = "[data-next]:not(:disabled)";

/** Finds the element to focus next: the field of a question, or the marked button of the step, or that of the bar. */
export function nextIn(presentation: ParentNode): HTMLElement | null {
  return (
    presentation.querySelector<HTMLElement>(`main [data-question] ${FIELD}`) ??
    presentation.querySelector<HTMLElement>(`main ${NEXT}`) ??
    presentation.querySelector<HTMLElement>(`footer ${NEXT}`)
  );
}

/** Focuses that element of the presentation around a stage, or else the stage itself. */
export function focusNext(stage: HTMLElement | null): void {
  const presentation = stage?.closest("[data-presentation]");
  const next = presentation ? nextIn(presentation) : null;
  if (next) next.focus();
  else stage?.focus({ preventScroll: true });
}
