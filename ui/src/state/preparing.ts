import type { Backend, CommandArgs, CommandName, CommandResult } from "../ipc/backend";
import type { Chosen, Presentation, PresentationStep, ServerId } from "../ipc/bindings";
import { moved } from "../lib/places";
import { visibleText } from "../lib/visible";
import { pathNotes } from "./exportedPaths";
import type { LiveState } from "./live";
import type { PresentationActions } from "./presentations";
import { inputsOf } from "./savedInputs";
import type { Store } from "./store";
import type { Toasts } from "./toasts";
import { presentationOf, presentationsOf } from "./typedPresentations";
import type { ViewState } from "./view";

/** Saved inputs that a new step offers; the host takes no more. */
const MOST_OFFERED = 50;
/** Silence after the last keystroke before a presentation is handed to the host, in milliseconds. */
const SAVE_DELAY = 600;

interface Parts {
  readonly backend: Backend;
  readonly store: Store;
  readonly toasts: Pick<Toasts, "offerUndo" | "say">;
  readonly command: <K extends CommandName>(name: K, args: CommandArgs<K>) => Promise<CommandResult<K> | undefined>;
  readonly presentations: PresentationActions;
  readonly inform: (thrown: unknown, server: ServerId | null) => void;
  readonly setView: (change: Partial<ViewState>) => void;
}

/** A step that shows a tool, with all that is saved for it. */
export function stepFor(live: LiveState, server: ServerId, tool: string, title: string): PresentationStep {
  return {
    id: "",
    server,
    server_name: live.servers[server]?.config.name ?? "",
    server_removed: false,
    method: "tools/call",
    target: tool,
    title,
    inputs: inputsOf(live, server, tool)
      .slice(0, MOST_OFFERED)
      .map(({ id, name }) => ({ id, name, removed: false })),
    notes: "",
  };
}

/** Actions to prepare presentations. */
export function preparingActions({ backend, store, toasts, command, presentations, inform, setView }: Parts) {
  const { getState } = store;
  /** Timers of changed presentations that were not sent to the host yet. */
  const unsaved = new Map<string, ReturnType<typeof setTimeout>>();

  function put(presentation: Presentation): void {
    setView({ presentations: { ...getState().view.presentations, [presentation.id]: presentation } });
  }

  function forget(id: string): void {
    const { [id]: _, ...others } = getState().view.presentations;
    clearTimeout(unsaved.get(id));
    unsaved.delete(id);
    setView({ presentations: others });
  }

  function save(id: string): Promise<unknown> {
    clearTimeout(unsaved.get(id));
    unsaved.delete(id);
    const presentation = getState().view.presentations[id];
    // Without a title it is not finished; the one before stays.
    if (!presentation || presentation.title.trim() === "") return Promise.resolve();
    return backend.call("save_presentation", { presentation }).catch((thrown: unknown) => inform(thrown, null));
  }

  /** Hands over at once what was typed, as before the window goes. */
  async function savePresentations(): Promise<void> {
    await Promise.all([...unsaved.keys()].map(save));
  }

  /** Changes a presentation. What was typed is handed over a moment after the last key, all else at once. */
  function changePresentation(id: string, change: (now: Presentation) => Presentation, typed = false): void {
    const now = presentationOf(getState(), id);
    const next = now && change(now);
    if (!next || next === now) return;
    put(next);
    clearTimeout(unsaved.get(id));
    if (typed)
      unsaved.set(
        id,
        setTimeout(() => void save(id), SAVE_DELAY),
      );
    else void save(id);
  }

  async function addPresentation(title: string, steps: readonly PresentationStep[]): Promise<string | undefined> {
    const presentation: Presentation = {
      id: "",
      title,
      imported: false,
      steps: steps.map((step) => ({ ...step, id: "" })),
    };
    const id = await presentations.savePresentation(presentation);
    if (id === undefined) return undefined;
    // It may be opened before the host has told of it.
    if (!presentationOf(getState(), id)) put({ ...presentation, id });
    return id;
  }

  function openPresentation(presentation: string): void {
    setView({ panel: { type: "presentation", presentation } });
  }

  /** Opens one that has just been added without a title of its own. */
  function openNew(presentation: string): void {
    setView({ panel: { type: "presentation", presentation, isNew: true } });
  }

  function addStep(id: string, step: PresentationStep): void {
    changePresentation(id, (now) => ({ ...now, steps: [...now.steps, step] }));
  }

  return {
    changePresentation,
    openPresentation,
    addStep,
    savePresentations,
    /** Adds a presentation with these steps, and opens it. */
    async newPresentation(steps: readonly PresentationStep[] = []): Promise<void> {
      const id = await addPresentation("New presentation", steps);
      if (id !== undefined) openNew(id);
    },
    async duplicatePresentation(id: string): Promise<void> {
      const now = presentationOf(getState(), id);
      if (!now) return;
      const copy = await addPresentation(`${now.title} (copy)`, now.steps);
      if (copy !== undefined) openPresentation(copy);
    },
    async removePresentation(id: string): Promise<void> {
      const { panel } = getState().view;
      // What comes back is what was typed last.
      if (unsaved.has(id)) await save(id);
      const saved = getState().live.presentations.find((one) => one.id === id);
      if (!saved) return;
      await presentations.deletePresentation(saved);
      forget(id);
      if (panel?.type === "presentation" && panel.presentation === id) setView({ panel: { type: "presentations" } });
    },
    /**
     * Adds the presentation of a text with the servers chosen of it, also in the place of another one, opens it
     * and says so by its title.
     */
    async openImported(text: string, title: string, chosen: Chosen[], replace: string | null): Promise<void> {
      // What comes back is what was typed last.
      if (replace !== null && unsaved.has(replace)) await save(replace);
      const id = await presentations.importPresentation(text, chosen, replace);
      if (id === undefined) return;
      // That one was replaced is said with the way back.
      if (replace === null) toasts.say(`“${visibleText(title)}” was imported`);
      else forget(replace);
      openPresentation(id);
    },
    /** Adds the presentation of the demo server, and that server where it is not in the list, and opens it. */
    async addDemoPresentation(): Promise<void> {
      const text = await command("demo_presentation", {});
      const preview = text === undefined ? undefined : await command("preview_import", { text });
      if (text === undefined || !preview) return;
      const missing = preview.candidates.flatMap(({ duplicate_of }, index) =>
        duplicate_of === null ? [{ index, name: null }] : [],
      );
      const id = await presentations.importPresentation(text, missing);
      if (id !== undefined) openPresentation(id);
    },
    /** Saves a presentation as a file where the user says, and says where it is. Answers what else the other computer needs. */
    async exportPresentation(id: string): Promise<readonly string[]> {
      if (unsaved.has(id)) await save(id);
      const exported = await command("export_presentation", { presentation: id });
      const path = exported?.path ?? null;
      // The user thought better of it.
      if (!exported || path === null) return [];
      toasts.say(`Saved as ${path}`, {
        label: "Show in folder",
        run: () => void command("show_saved_file", { path }),
      });
      const { live } = getState();
      const presentation = live.presentations.find((one) => one.id === id);
      return [...exported.notes, ...(presentation ? pathNotes(presentation, live) : [])];
    },
    /** Gives a presentation as it was typed last, from a step on; without one, it goes on where it was left. */
    async startPresentation(id: string, step?: number): Promise<void> {
      await savePresentations();
      const { panel } = getState().view;
      // Who comes back from it is not about to type its title.
      if (panel?.type === "presentation" && panel.isNew === true) openPresentation(panel.presentation);
      presentations.givePresentation(id, step);
    },
    /**
     * Adds a step that shows a tool: to the only presentation there is, to a new one where there is none, else
     * to the one that the user chooses then.
     */
    async addToPresentation(server: ServerId, tool: string, title: string): Promise<void> {
      const step = stepFor(getState().live, server, tool, title);
      const [first, second] = presentationsOf(getState());
      if (second) setView({ panel: { type: "presentations", adding: step } });
      else if (!first) {
        const id = await addPresentation("New presentation", [step]);
        if (id !== undefined) openNew(id);
      } else {
        addStep(first.id, step);
        toasts.say(`Added to “${visibleText(first.title)}”`, { label: "Open", run: () => openPresentation(first.id) });
      }
    },
    /** Takes a step out of a presentation. */
    removeStep(id: string, place: number): void {
      const step = presentationOf(getState(), id)?.steps[place];
      if (!step) return;
      changePresentation(id, (now) => ({ ...now, steps: now.steps.toSpliced(place, 1) }));
      const undo = (): void =>
        changePresentation(id, (now) => ({ ...now, steps: now.steps.toSpliced(place, 0, step) }));
      toasts.offerUndo(`Step “${visibleText(step.title)}” removed`, { undo });
    },
    /** Moves a step to another place. */
    moveStep(id: string, from: number, to: number): void {
      changePresentation(id, (now) => {
        const steps = moved(now.steps, from, to);
        return steps === now.steps ? now : { ...now, steps: [...steps] };
      });
    },
  };
}
