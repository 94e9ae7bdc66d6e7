import type { Backend } from "../ipc/backend";
import type { Positions, ScrollPositions } from "../lib/scrollPositions";
import { track } from "../lib/underWay";
import type { toText as textOf } from "../schema/document";
import type { Giving, GivenStep } from "./giving";
import type { Store } from "./store";
import { initialView, type Answer, type ViewState } from "./view";

/** Milliseconds during which changes are gathered. */
const GATHER_TIME = 200;

/** A reply as text: its document is rebuilt from the schema and this text. */
interface KeptAnswer extends Pick<Answer, "raw" | "sampling"> {
  readonly form: { readonly schema: string; readonly text: string } | null;
}

/** A presentation without filled-in values; it begins again with the saved inputs. */
interface KeptGiving extends Pick<Giving, "presentation" | "step" | "notes"> {
  readonly runs: Readonly<Record<string, GivenStep["run"]>>;
}

/** The stored part of the view: without the drafts, which the host has, and without short-lived state. */
interface KeptView extends Pick<
  ViewState,
  "server" | "serverFilter" | "beside" | "panel" | "commandQueue" | "perServer" | "serverForms" | "lastGiven"
> {
  readonly giving: KeptGiving | null;
  readonly left: Readonly<Record<string, KeptGiving>>;
  readonly answers: Readonly<Record<number, KeptAnswer>>;
  readonly scroll: Positions;
}

/** `toText` is needed only if there are answers. */
function keptPart(view: ViewState, scroll: Positions, toText: typeof textOf | null): KeptView {
  const { server, serverFilter, beside, panel, commandQueue, perServer, answers, serverForms, lastGiven } = view;
  const keptAnswer = ({ document, raw, sampling }: Answer): KeptAnswer => ({
    form: document && toText && { schema: document.source.text, text: toText(document) },
    raw,
    sampling,
  });
  const keptGiving = ({ presentation, step, notes, steps }: Giving): KeptGiving => ({
    presentation,
    step,
    notes,
    runs: mapped(steps, ({ run }) => run),
  });
  const giving = view.giving && keptGiving(view.giving);
  const left = mapped(view.left, keptGiving);
  return {
    server,
    serverFilter,
    beside,
    panel,
    commandQueue,
    perServer,
    giving,
    left,
    lastGiven,
    answers: mapped(answers, keptAnswer),
    serverForms,
    scroll,
  };
}

// Answers and presentations are rare at the start of the page, so their code is loaded only when needed.

async function restoredAnswers(answers: KeptView["answers"]): Promise<ViewState["answers"]> {
  if (isEmpty(answers)) return {};
  const { createDocument } = await import("../schema/document");
  return mapped(answers, ({ form, raw, sampling }) => ({
    document: form && createDocument(form.schema, form.text),
    raw,
    sampling,
  }));
}

async function restoredGiving(kept: Pick<KeptView, "giving" | "left">): Promise<Pick<ViewState, "giving" | "left">> {
  if (kept.giving === null && isEmpty(kept.left)) return { giving: null, left: {} };
  const { begin, freshStep } = await import("./giving");
  const again = ({ presentation, step, notes, runs }: KeptGiving): Giving => ({
    ...begin(presentation, step),
    notes,
    steps: mapped(runs, (run): GivenStep => ({ ...freshStep, run })),
  });
  return { giving: kept.giving && again(kept.giving), left: mapped(kept.left, again) };
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0;
}

function mapped<A, B>(all: Readonly<Record<string, A>>, change: (one: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(all).map(([key, one]) => [key, change(one)]));
}

/** Restores the view of the previous page, in the same run of the app. */
export async function restoreView(backend: Backend, store: Store, scroll: ScrollPositions): Promise<void> {
  const text = await backend.call("kept_view", {}).catch(() => null);
  if (text === null) return;
  const { scroll: positions, ...view } = JSON.parse(text) as KeptView;
  const [answers, giving] = await Promise.all([restoredAnswers(view.answers), restoredGiving(view)]);
  store.setState({ view: { ...initialView, ...view, answers, ...giving } });
  scroll.restore(positions);
}

/** Sends the view to the host whenever it has changed. */
export function keepView(backend: Backend, store: Store, scroll: ScrollPositions): void {
  let scheduled = false;
  let last = "";
  const keep = async (): Promise<void> => {
    const toText = isEmpty(store.getState().view.answers) ? null : (await import("../schema/document")).toText;
    const text = JSON.stringify(keptPart(store.getState().view, scroll.read(), toText));
    if (text === last) return;
    last = text;
    // If the view cannot be stored, a reloaded page begins with the initial view.
    await backend.call("keep_view", { view: text }).catch(() => undefined);
  };
  const changed = (): void => {
    if (scheduled) return;
    scheduled = true;
    setTimeout(() => {
      scheduled = false;
      void track(keep());
    }, GATHER_TIME);
  };
  store.subscribe((state, before) => {
    if (state.view !== before.view) changed();
  });
  scroll.subscribe(changed);
}
