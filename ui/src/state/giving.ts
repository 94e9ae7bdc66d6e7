import type { OperationNumber, Presentation, PresentationStep, SavedInput } from "../ipc/bindings";
import { createDocument, toText, withSchema, type FormDocument } from "../schema";

/**
 * Overlay on a presentation, one at a time: all steps to choose from, the list of keys, or a question before leaving
 * it (`leave`), clearing it (`over`), or running a step that changes or deletes something (`run`); or an empty screen
 * (`blank`).
 */
export type Opened = "steps" | "keys" | "leave" | "over" | "run" | "blank";

/** The presentation that is being given: where it stands, and what was filled in and run at its steps. */
export interface Giving {
  /** `null` while it is being chosen. */
  readonly presentation: string | null;
  /** Place of the step on show, from 0; the number of steps is the page behind the last one. */
  readonly step: number;
  readonly open: Opened | null;
  /** The page that says whether everything is ready is on show, in the place of the step. */
  readonly checking: boolean;
  /** The speaker's notes are on show. */
  readonly notes: boolean;
  /** Its background; `null` for that of the window. */
  readonly dark: boolean | null;
  /** By id of the step. */
  readonly steps: Readonly<Record<string, GivenStep>>;
}

/** State of one step. */
export interface GivenStep {
  /** Values of the form; `null` until the definition is known. */
  readonly document: FormDocument | null;
  /** The saved input that was taken last. */
  readonly input: string | null;
  /** The values or the input differ from those that the step begins with. */
  readonly touched: boolean;
  /** Last run of the step. */
  readonly run: OperationNumber | null;
  /** Shows the form in spite of a run, to change its values. */
  readonly changing: boolean;
}

export const freshStep: GivenStep = { document: null, input: null, touched: false, run: null, changing: false };

export type GivingEvent =
  | { readonly type: "choose"; readonly presentation: string }
  | { readonly type: "go"; readonly to: number }
  | { readonly type: "move"; readonly by: 1 | -1 }
  | { readonly type: "open"; readonly what: Opened | null }
  | { readonly type: "check" }
  /** Shows the step in the place of the check. */
  | { readonly type: "begin" }
  | { readonly type: "notes"; readonly shown: boolean }
  | { readonly type: "background"; readonly dark: boolean }
  /** Escape: closes what is open (not the notes), else leaves; where something was done, only after a question. */
  | { readonly type: "close" }
  /** From the first step on, with nothing filled in and nothing run. */
  | { readonly type: "over" }
  | {
      readonly type: "define";
      readonly step: PresentationStep;
      readonly schema: string;
      readonly offered: readonly SavedInput[];
    }
  | { readonly type: "take"; readonly step: string; readonly input: SavedInput; readonly schema: string }
  /** Puts back what a saved input took the place of. */
  | { readonly type: "restore"; readonly step: string; readonly before: GivenStep }
  | { readonly type: "fill"; readonly step: string; readonly document: FormDocument }
  | { readonly type: "run"; readonly step: string; readonly run: OperationNumber }
  | { readonly type: "change"; readonly step: string };

/** A presentation that begins; `null` to choose one first. */
export function begin(presentation: string | null, step = 0): Giving {
  return { presentation, step, open: null, checking: false, notes: false, dark: null, steps: {} };
}

/**
 * A presentation that goes on where it was left, or begins again where it had come to its end. The notes are for the
 * speaker, who asks for them anew. `count` is the number of its steps.
 */
export function goOn(left: Giving, count: number): Giving {
  if (count > 0 && left.step >= count) return { ...begin(left.presentation), dark: left.dark };
  return { ...left, open: null, checking: false, notes: false };
}

/** Returns the state after an event; `null` if it leaves the presentation. `count` is the number of its steps. */
export function give(giving: Giving, event: GivingEvent, count: number): Giving | null {
  const within = (place: number, most: number): number => Math.max(0, Math.min(most, place));
  const at = (id: string): GivenStep => giving.steps[id] ?? freshStep;
  const put = (id: string, change: Partial<GivenStep>): Giving => ({
    ...giving,
    steps: { ...giving.steps, [id]: { ...at(id), ...change } },
  });
  switch (event.type) {
    case "choose":
      return { ...begin(event.presentation), notes: giving.notes, dark: giving.dark };
    case "go":
      return { ...giving, step: within(event.to, count - 1), open: null, checking: false };
    case "check":
      return { ...giving, open: null, checking: true };
    case "begin":
      return { ...giving, open: null, checking: false };
    case "move":
      // A remote begins too; before the check there is nothing.
      if (giving.checking) return { ...giving, open: null, checking: event.by < 0 };
      // Where steps were removed meanwhile, it goes on from those that there are.
      return { ...giving, step: within(Math.min(giving.step, count) + event.by, count), open: null };
    case "open":
      return {
        ...giving,
        open: giving.presentation === null && event.what !== "keys" && event.what !== "blank" ? null : event.what,
      };
    case "notes":
      return { ...giving, notes: event.shown };
    case "background":
      return { ...giving, dark: event.dark };
    case "close":
      if (giving.open !== null) return { ...giving, open: null };
      return isTouched(giving) ? { ...giving, open: "leave" } : null;
    case "over":
      return { ...begin(giving.presentation), notes: giving.notes, dark: giving.dark };
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
        touched: true,
        changing: true,
      });
    case "restore": {
      const { document, input } = event.before;
      return put(event.step, { document, input, touched: true, changing: true });
    }
    case "fill": {
      const { document, input, touched } = at(event.step);
      // Another value is no longer the saved one.
      const same = document !== null && toText(document) === toText(event.document);
      return put(event.step, {
        document: event.document,
        input: same ? input : null,
        touched: touched || !same,
      });
    }
    case "run":
      return { ...put(event.step, { run: event.run, changing: false }), open: null };
    case "change":
      return put(event.step, { changing: true });
  }
}

/** Returns true if a saved input would replace typed values. */
export function losesTyped({ document, input, touched }: GivenStep, taken: SavedInput, schema: string): boolean {
  if (document === null || input !== null || !touched) return false;
  return toText(document) !== toText(createDocument(schema, taken.arguments));
}

/** Returns true if something was filled in or run, so that leaving needs a question. */
export function isTouched({ steps }: Giving): boolean {
  return Object.values(steps).some(({ touched, run }) => touched || run !== null);
}

/** There is something to start over from: another place, or something that was done. */
export function isBegun(giving: Giving): boolean {
  return giving.step > 0 || isTouched(giving);
}

/** The steps that there are, of the presentation that is being given. */
export function stepsOf(giving: Giving, presentations: readonly Presentation[]): readonly PresentationStep[] {
  return presentations.find(({ id }) => id === giving.presentation)?.steps ?? [];
}

/** The saved inputs that a step offers, in its order. */
export function offeredInputs(step: PresentationStep, saved: readonly SavedInput[]): readonly SavedInput[] {
  return step.inputs.flatMap(({ id }) => saved.find((one) => one.id === id) ?? []);
}
