import type { Presentation } from "../ipc/bindings";
import { visibleText } from "../lib/visible";
import type { LiveState } from "./live";
import type { ViewState } from "./view";

/** Sources of presentations: the host's version, and newer edits. */
type PresentationState = { readonly live: LiveState; readonly view: Pick<ViewState, "presentations"> };

/** Name of a presentation, never empty. */
export function presentationTitle(title: string): string {
  return title.trim() === "" ? "Presentation" : visibleText(title);
}

/** Returns a presentation with its latest edits. */
export function presentationOf({ live, view }: PresentationState, id: string): Presentation | undefined {
  return view.presentations[id] ?? live.presentations.find((one) => one.id === id);
}

/** Returns all presentations with their latest edits, in order. Do not build new objects from them in a selector. */
export function presentationsOf({ live, view }: PresentationState): readonly Presentation[] {
  const known = live.presentations.map((one) => view.presentations[one.id] ?? one);
  const added = Object.values(view.presentations).filter((one) => !live.presentations.some(({ id }) => id === one.id));
  return [...known, ...added];
}

/** Returns the user's part of the steps as text to compare, without their titles and the host's part. */
function stepsText({ steps }: Presentation): string {
  return JSON.stringify(
    steps.map((step) => [step.server, step.method, step.target, step.inputs.map((input) => input.id), step.notes]),
  );
}

function titlesText({ title, steps }: Presentation): string {
  return JSON.stringify([title, ...steps.map((step) => step.title)]);
}

/**
 * Returns the edits that the host does not have yet; of all others the host's version is newer. If only titles differ,
 * as the host stores no blank ones, the edits take over the host's step ids.
 */
export function unsavedOf(typed: ViewState["presentations"], live: LiveState): ViewState["presentations"] {
  const kept = Object.entries(typed).flatMap(([id, one]): [string, Presentation][] => {
    const saved = live.presentations.find((other) => other.id === id);
    if (!saved || stepsText(saved) !== stepsText(one)) return [[id, one]];
    if (titlesText(saved) === titlesText(one)) return [];
    const steps = saved.steps.map((step, place) => ({ ...step, title: one.steps[place]?.title ?? step.title }));
    return [[id, { ...saved, title: one.title, steps }]];
  });
  return Object.fromEntries(kept);
}
