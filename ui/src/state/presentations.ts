import type { Chosen, Presentation, SavedInput, ServerId } from "../ipc/bindings";
import { DEFAULT_SETTINGS } from "../ipc/settings";
import { visibleText } from "../lib/visible";
import { nextZoom } from "../lib/zoom";
import type { Context } from "./actions/context";
import { fullScreenActions } from "./fullScreen";
import { begin, freshStep, give, goOn, losesTyped, stepsOf, type Giving, type GivingEvent } from "./giving";
import { linkOf } from "./stepLink";

/** Initial size of a presentation, in percent. */
const PRESENTATION_ZOOM = DEFAULT_SETTINGS.presentation_zoom;

/** Actions on saved inputs and presentations. */
export function presentationActions(context: Context) {
  const { store, toasts, setView, attempt, command, settingsNow, changeSettings, offerUndo } = context;
  const fullScreen = fullScreenActions(context);

  function setGiving(giving: Giving | null): void {
    const { giving: before, left } = store.getState().view;
    const id = before?.presentation ?? null;
    const kept =
      before !== null && id !== null && giving === null ? { left: { ...left, [id]: before }, lastGiven: id } : {};
    setView({ giving, ...kept, overlay: null, menu: null });
    if (before === null && giving !== null) fullScreen.enter();
    if (before !== null && giving === null) fullScreen.leave();
  }

  /** Starts or resumes a presentation: with the readiness page, unless everything that its steps need is connected. */
  function start(giving: Giving): void {
    const { live } = store.getState();
    const steps = stepsOf(giving, live.presentations);
    setGiving({ ...giving, checking: steps.some((step) => linkOf(live, step) !== "ready") });
  }

  /** Applies an event to the running presentation. */
  function giveNow(event: GivingEvent): void {
    const { live, view } = store.getState();
    if (!view.giving) return;
    const left = event.type === "choose" ? view.left[event.presentation] : undefined;
    const next = left
      ? goOn(left, stepsOf(left, live.presentations).length)
      : give(view.giving, event, stepsOf(view.giving, live.presentations).length);
    if (next && event.type === "choose") start(next);
    else setGiving(next);
  }

  return {
    /**
     * Starts a presentation; without an id, the only one, or lets the user choose. With a step, counted from 0, it
     * begins there with nothing filled in; without a step it resumes where it was left.
     */
    givePresentation(id: string | null = null, step?: number): void {
      const { live, view } = store.getState();
      const [only, ...others] = live.presentations;
      const chosen = id ?? (others.length === 0 ? (only?.id ?? null) : null);
      const left = chosen === null || step !== undefined ? undefined : view.left[chosen];
      start(left ? goOn(left, stepsOf(left, live.presentations).length) : begin(chosen, step));
    },
    give: giveNow,
    /** Fills in a step with a saved input. Typed values can be restored. */
    takeInput(step: string, input: SavedInput, schema: string): void {
      const given = store.getState().view.giving;
      const before = given?.steps[step] ?? freshStep;
      giveNow({ type: "take", step, input, schema });
      if (!losesTyped(before, input, schema)) return;
      const undo = (): void => {
        // Another presentation may be running by then.
        if (store.getState().view.giving?.presentation === given?.presentation)
          giveNow({ type: "restore", step, before });
      };
      toasts.offerUndo(`Filled in with “${visibleText(input.name)}”`, { undo, presented: true });
    },
    /** Escape: closes the overlay, or stops the run of the current step, or leaves (after a question if needed). */
    closePresentation(): void {
      const { live, view } = store.getState();
      const { giving } = view;
      if (!giving) return;
      const step = stepsOf(giving, live.presentations)[giving.step];
      const run = live.operations[(step && giving.steps[step.id]?.run) ?? -1];
      // A run that is already being stopped may take its time; leaving does not wait for it.
      const stoppable = run !== undefined && run.state !== "finished" && run.state !== "cancelling";
      if (giving.open === null && !giving.checking && stoppable)
        void command("cancel_operation", { operation: run.operation });
      else giveNow({ type: "close" });
    },
    leavePresentation: (): void => setGiving(null),
    /** Connects the server that a step needs, unless the connection waits for the user or is being made. */
    async connectStep(server: ServerId): Promise<void> {
      const { servers, sessions } = store.getState().live;
      const view = servers[server];
      if (!view?.confirmed || view.missing_inputs.length > 0) return;
      if (["idle", "failed"].includes(sessions[server]?.phase ?? "idle")) {
        await command("connect", { server, confirm: null });
      }
    },
    /** Zooms presentations in (1) or out (-1) by a step, or resets their zoom (0). */
    async zoomPresentation(by: -1 | 0 | 1): Promise<void> {
      const { presentation_zoom: now } = settingsNow();
      await attempt(changeSettings({ presentation_zoom: by === 0 ? PRESENTATION_ZOOM : nextZoom(now, by) }));
    },
    /** Switches full screen on or off. */
    toggleFullScreen: (): void => fullScreen.toggle(),
    /** Adds a saved input (one without an id) or replaces one. Returns its id, or nothing on failure. */
    saveInput: (input: SavedInput): Promise<string | undefined> => command("save_input", { input }),
    /** Moves a saved input to a place among those of its target. */
    async moveInput(input: SavedInput, index: number): Promise<void> {
      await command("move_input", { input: input.id, index });
    },
    async deleteInput(input: SavedInput): Promise<void> {
      offerUndo(`Saved input “${visibleText(input.name)}” deleted`, await command("delete_input", { input: input.id }));
    },
    /** Adds a presentation (one without an id) or replaces it as a whole. Returns its id, or nothing on failure. */
    savePresentation: (presentation: Presentation): Promise<string | undefined> =>
      command("save_presentation", { presentation }),
    async deletePresentation({ id, title }: Presentation): Promise<void> {
      const deletion = await command("delete_presentation", { presentation: id });
      offerUndo(`Presentation “${visibleText(title)}” deleted`, deletion);
    },
    /**
     * Imports the presentation of a text with the chosen servers, replacing another presentation if given. Returns its
     * id, or nothing on failure.
     */
    async importPresentation(
      text: string,
      chosen: Chosen[],
      replace: string | null = null,
    ): Promise<string | undefined> {
      const title = store.getState().live.presentations.find(({ id }) => id === replace)?.title ?? "";
      const imported = await command("import_presentation", { text, chosen, replace });
      offerUndo(`Presentation “${visibleText(title)}” replaced`, imported?.replaced);
      return imported?.id;
    },
  };
}
