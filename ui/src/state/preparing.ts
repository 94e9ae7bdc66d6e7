import type { Chosen, Presentation, PresentationStep, ServerId } from "../ipc/bindings";
import { moved } from "../lib/places";
import { visibleText } from "../lib/visible";
import type { Context } from "./actions/context";
import { pathNotes } from "./exportedPaths";
import type { LiveState } from "./live";
import { presentationActions } from "./presentations";
import { inputsOf } from "./savedInputs";
import { presentationOf, presentationsOf } from "./typedPresentations";

/** Limit of saved inputs that a new step offers, as the host has it. */
const MOST_OFFERED = 50;

/** Builds a step that shows a tool, with all its saved inputs. */
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
export function preparingActions({ getState, toasts, command, setView, newSaver, get }: Context) {
  const presentations = get(presentationActions);
  const saver = newSaver();

  function put(presentation: Presentation): void {
    setView({ presentations: { ...getState().view.presentations, [presentation.id]: presentation } });
  }

  function forget(id: string): void {
    const { [id]: _, ...others } = getState().view.presentations;
    saver.drop(id);
    setView({ presentations: others });
  }

  async function save(id: string): Promise<void> {
    const { view, live } = getState();
    const presentation = view.presentations[id];
    if (!presentation) return;
    // The stored title stays until there is another one.
    const stored = live.presentations.find((one) => one.id === id)?.title ?? "";
    const title = presentation.title.trim() === "" ? stored : presentation.title;
    if (title !== "") await command("save_presentation", { presentation: { ...presentation, title } });
  }

  /** Changes a presentation. Typed text is saved a moment after the last key, everything else at once. */
  function changePresentation(id: string, change: (now: Presentation) => Presentation, typed = false): void {
    const now = presentationOf(getState(), id);
    const next = now && change(now);
    if (!next || next === now) return;
    put(next);
    saver.soon(id, () => save(id));
    if (!typed) void saver.now(id);
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
    // The presentation may be opened before the host's event arrives.
    if (!presentationOf(getState(), id)) put({ ...presentation, id });
    return id;
  }

  function openPresentation(presentation: string): void {
    setView({ panel: { type: "presentation", presentation } });
  }

  /** Opens a presentation that was just added without a title. */
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
      // Undo restores the text that was typed last.
      await saver.now(id);
      const saved = getState().live.presentations.find((one) => one.id === id);
      if (!saved) return;
      await presentations.deletePresentation(saved);
      forget(id);
      if (panel?.type === "presentation" && panel.presentation === id) setView({ panel: { type: "presentations" } });
    },
    /**
     * Imports the presentation of a text with the chosen servers, replacing another presentation if given, and opens
     * it. A toast names it. Returns true on success.
     */
    async openImported(text: string, title: string, chosen: Chosen[], replace: string | null): Promise<boolean> {
      // Undo restores the text that was typed last.
      if (replace !== null) await saver.now(replace);
      const id = await presentations.importPresentation(text, chosen, replace);
      if (id === undefined) return false;
      // A replacement is reported with the offer to undo it.
      if (replace === null) toasts.say(`“${visibleText(title)}” was imported`);
      else forget(replace);
      openPresentation(id);
      return true;
    },
    /** Adds the demo server's presentation, and that server if it is not in the list, and opens it. */
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
    /**
     * Saves a presentation to a file that the user chooses, and reports its path. Returns what else the other computer
     * needs.
     */
    async exportPresentation(id: string): Promise<readonly string[]> {
      await saver.now(id);
      const exported = await command("export_presentation", { presentation: id });
      const path = exported?.path ?? null;
      // The user cancelled.
      if (!exported || path === null) return [];
      toasts.say(`Saved as ${path}`, {
        label: "Show in folder",
        run: () => void command("show_saved_file", { path }),
      });
      const { live } = getState();
      const presentation = live.presentations.find((one) => one.id === id);
      return [...exported.notes, ...(presentation ? pathNotes(presentation, live) : [])];
    },
    /** Starts a presentation with its latest edits from a step; without a step, resumes it where it was left. */
    async startPresentation(id: string, step?: number): Promise<void> {
      await saver.all();
      const { panel } = getState().view;
      // Users who return from the presentation do not want to type its title.
      if (panel?.type === "presentation" && panel.isNew === true) openPresentation(panel.presentation);
      presentations.givePresentation(id, step);
    },
    /**
     * Adds a step that shows a tool: to the only presentation, to a new one if there is none, or else to the one that
     * the user chooses next.
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
    /** Removes a step from a presentation. */
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
