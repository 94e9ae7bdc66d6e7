import type { OperationNumber, Presentation, PresentationStep, SavedInput } from "../ipc/bindings";
import { createDocument, toText, withSchema, type FormDocument } from "../schema/document";

/**
 * Overlay on a presentation, one at a time: the list of steps, the list of keys, or a question before leaving it
 * (`leave`), starting over (`over`), or running a step that changes or deletes something (`run`); or an empty screen
 * (`blank`).
 */
export type Opened = "steps" | "keys" | "leave" | "over" | "run" | "blank";

/** The running presentation: its position, and the values and runs of its steps. */
export interface Giving {
  /** `null` while the user chooses a presentation. */
  readonly presentation: string | null;
  /** Position of the current step, from 0; the number of steps stands for the end page. */
  readonly step: number;
  readonly open: Opened | null;
  /** The readiness page is shown in place of the step. */
  readonly checking: boolean;
  /** The speaker's notes are shown. */
  readonly notes: boolean;
  /** The background is dark; `null` follows the window. */
  readonly dark: boolean | null;
  /** Steps by id. */
  readonly steps: Readonly<Record<string, GivenStep>>;
}

/** State of one step. */
export interface GivenStep {
  /** Values of the form; `null` until the definition is known. */
  readonly document: FormDocument | null;
  /** The saved input that was used last. */
  readonly input: string | null;
  /** The values or the input differ from the initial ones of the step. */
  readonly touched: boolean;
  /** Last run of the step. */
  readonly run: OperationNumber | null;
  /** Shows the form to change its values, although there is a run. */
  readonly changing: boolean;
}

export const freshStep: GivenStep = { document: null, input: null, touched: false, run: null, changing: false };

export type GivingEvent =
  | { readonly type: "choose"; readonly presentation: string }
  | { readonly type: "go"; readonly to: number }
  | { readonly type: "move"; readonly by: 1 | -1 }
  | { readonly type: "open"; readonly what: Opened | null }
  | { readonly type: "check" }
  /** Shows the step in place of the readiness page. */
  | { readonly type: "begin" }
  | { readonly type: "notes"; readonly shown: boolean }
  | { readonly type: "background"; readonly dark: boolean }
  /** Escape: closes the overlay (not the notes), or else leaves; asks first if something was done. */
  | { readonly type: "close" }
  /** Starts over at the first step, with nothing filled in and nothing run. */
  | { readonly type: "over" }
  | {
      readonly type: "define";
      readonly step: PresentationStep;
      readonly schema: string;
      readonly offered: readonly SavedInput[];
    }
  | { readonly type: "take"; readonly step: string; readonly input: SavedInput; readonly schema: string }
  /** Restores the values that a saved input replaced. */
  | { readonly type: "restore"; readonly step: string; readonly before: GivenStep }
  | { readonly type: "fill"; readonly step: string; readonly document: FormDocument }
  | { readonly type: "run"; readonly step: string; readonly run: OperationNumber }
  | { readonly type: "change"; readonly step: string };

/** Begins a presentation; `null` lets the user choose one first. */
export function begin(presentation: string | null, step = 0): Giving {
  return { presentation, step, open: null, checking: false, notes: false, dark: null, steps: {} };
}

/**
 * Resumes a presentation where it was left, or begins again if it had ended. The notes are closed, as only the speaker
 * should see them. `count` is the number of its steps.
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
      // A remote control also starts the presentation; nothing comes before the readiness page.
      if (giving.checking) return { ...giving, open: null, checking: event.by < 0 };
      // If steps were removed meanwhile, the position is limited to the existing ones.
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
      // A changed value is no longer that of the saved input.
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

/** Returns true if starting over would change something: the position, or what was done. */
export function isBegun(giving: Giving): boolean {
  return giving.step > 0 || isTouched(giving);
}

/** Returns the existing steps of the running presentation. */
export function stepsOf(giving: Giving, presentations: readonly Presentation[]): readonly PresentationStep[] {
  return presentations.find(({ id }) => id === giving.presentation)?.steps ?? [];
}

/** Returns the saved inputs that a step offers, in its order. */
export function offeredInputs(step: PresentationStep, saved: readonly SavedInput[]): readonly SavedInput[] {
  return step.inputs.flatMap(({ id }) => saved.find((one) => one.id === id) ?? []);
}
