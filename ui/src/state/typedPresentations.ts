import type { Presentation } from "../ipc/bindings";
import type { LiveState } from "./live";
import type { ViewState } from "./view";

/** Presentations as they were typed last, which may be newer than what the host told of them. */
type Known = { readonly live: LiveState; readonly view: Pick<ViewState, "presentations"> };

/** A presentation as it was typed last. */
export function presentationOf({ live, view }: Known, id: string): Presentation | undefined {
  return view.presentations[id] ?? live.presentations.find((one) => one.id === id);
}

/** All presentations as they were typed last, in order. Build no new ones of them in a selector. */
export function presentationsOf({ live, view }: Known): readonly Presentation[] {
  const known = live.presentations.map((one) => view.presentations[one.id] ?? one);
  const added = Object.values(view.presentations).filter((one) => !live.presentations.some(({ id }) => id === one.id));
  return [...known, ...added];
}

/** Returns the user's part of a presentation as text to compare, without the host's part. */
function written({ title, steps }: Presentation): string {
  return JSON.stringify([
    title,
    steps.map((step) => [
      step.server,
      step.method,
      step.target,
      step.title,
      step.inputs.map((input) => input.id),
      step.notes,
    ]),
  ]);
}

/** Keeps the edits that the host does not have yet; for the others the host's version is newer. */
export function unsavedOf(typed: ViewState["presentations"], live: LiveState): ViewState["presentations"] {
  const kept = Object.entries(typed).filter(([id, one]) => {
    const saved = live.presentations.find((other) => other.id === id);
    return !saved || written(saved) !== written(one);
  });
  return kept.length === Object.keys(typed).length ? typed : Object.fromEntries(kept);
}
