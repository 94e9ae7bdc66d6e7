/** What is filled in first. */
export const FIELD = ":is(input, select, textarea):not(:disabled)";

/** What Enter does next has this on it, and the focus unless something is typed or asked. */
const NEXT = "[data-next]:not(:disabled)";

/** What comes next in a presentation: what is asked, else the marked button; one of the step before one of the bar. */
export function nextIn(presentation: ParentNode): HTMLElement | null {
  return (
    presentation.querySelector<HTMLElement>(`main [data-question] ${FIELD}`) ??
    presentation.querySelector<HTMLElement>(`main ${NEXT}`) ??
    presentation.querySelector<HTMLElement>(`footer ${NEXT}`)
  );
}
