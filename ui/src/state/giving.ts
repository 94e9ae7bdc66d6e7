import type { OperationNumber, Presentation, PresentationStep, SavedInput } from "../ipc/bindings";
import { createDocument, toText, withSchema, type FormDocument } from "../schema";

/** The presentation that is being given: where it stands, and what was filled in and run at its steps. */
export interface Giving {
  /** `null` while it is being chosen. */
  readonly presentation: string | null;
  /** Place of the step on show, from 0. */
  readonly step: number;
  /** All steps are on show, to choose one. */
  readonly overview: boolean;
  /** The speaker's notes are on show. */
  readonly notes: boolean;
  /** By id of the step. */
  readonly steps: Readonly<Record<string, GivenStep>>;
}

/** What was done at a step. */
export interface GivenStep {
  /** What is filled in; `null` until the definition is known. */
  readonly document: FormDocument | null;
  /** The saved input that was taken last. */
  readonly input: string | null;
  /** What was run last. */
  readonly run: OperationNumber | null;
  /** The form is on show though there is a run, to change what is filled in. */
  readonly changing: boolean;
}

export const freshStep: GivenStep = { document: null, input: null, run: null, changing: false };

export type GivingEvent =
  | { readonly type: "choose"; readonly presentation: string }
  | { readonly type: "go"; readonly to: number }
  | { readonly type: "move"; readonly by: 1 | -1 }
  | { readonly type: "overview"; readonly open: boolean }
  | { readonly type: "notes"; readonly shown: boolean }
  /** Escape: closes what is open, else the presentation. */
  | { readonly type: "close" }
  | {
      readonly type: "define";
      readonly step: PresentationStep;
      readonly schema: string;
      readonly offered: readonly SavedInput[];
    }
  | { readonly type: "take"; readonly step: string; readonly input: SavedInput; readonly schema: string }
  | { readonly type: "fill"; readonly step: string; readonly document: FormDocument }
  | { readonly type: "run"; readonly step: string; readonly run: OperationNumber }
  | { readonly type: "change"; readonly step: string };

/** A presentation that begins; `null` to choose one first. */
export function begin(presentation: string | null, step = 0): Giving {
  return { presentation, step, overview: false, notes: false, steps: {} };
}

/** What follows from an event; `null`: the presentation is left. `count` is the number of its steps. */
export function give(giving: Giving, event: GivingEvent, count: number): Giving | null {
  const within = (place: number): number => Math.max(0, Math.min(count - 1, place));
  const at = (id: string): GivenStep => giving.steps[id] ?? freshStep;
  const put = (id: string, change: Partial<GivenStep>): Giving => ({
    ...giving,
    steps: { ...giving.steps, [id]: { ...at(id), ...change } },
  });
  switch (event.type) {
    case "choose":
      return { ...begin(event.presentation), notes: giving.notes };
    case "go":
      return { ...giving, step: within(event.to), overview: false };
    case "move":
      return { ...giving, step: within(giving.step + event.by) };
    case "overview":
      return { ...giving, overview: event.open && giving.presentation !== null };
    case "notes":
      return { ...giving, notes: event.shown };
    case "close":
      return giving.overview ? { ...giving, overview: false } : null;
    case "define": {
      const { document } = at(event.step.id);
      if (document) return put(event.step.id, { document: withSchema(document, event.schema) });
      const [first] = event.offered;
      return put(event.step.id, {
        document: createDocument(event.schema, first?.arguments),
        input: first?.id ?? null,
      });
    }
    case "take":
      return put(event.step, {
        document: createDocument(event.schema, event.input.arguments),
        input: event.input.id,
        changing: true,
      });
    case "fill": {
      const { document, input } = at(event.step);
      // Another value is no longer the saved one.
      const same = document !== null && toText(document) === toText(event.document);
      return put(event.step, { document: event.document, input: same ? input : null });
    }
    case "run":
      return put(event.step, { run: event.run, changing: false });
    case "change":
      return put(event.step, { changing: true });
  }
}

/** The steps that there are, of the presentation that is being given. */
export function stepsOf(giving: Giving, presentations: readonly Presentation[]): readonly PresentationStep[] {
  return presentations.find(({ id }) => id === giving.presentation)?.steps ?? [];
}

/** The saved inputs that a step offers, in its order. */
export function offeredInputs(step: PresentationStep, saved: readonly SavedInput[]): readonly SavedInput[] {
  return step.inputs.flatMap(({ id }) => saved.find((one) => one.id === id) ?? []);
}
