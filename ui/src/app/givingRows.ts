import { Presentation } from "lucide-react";

import type { App } from "../state/app";
import type { GivingEvent, Opened } from "../state/giving";
import { preparingActions } from "../state/preparing";
import { presentationActions } from "../state/presentations";
import type { Row, TheGiving, TheWindow } from "./actionRow";

/** Starts the open presentation, or the only one; otherwise offers the choice. */
export const giveRow: Row<TheWindow> = {
  id: "give_presentation",
  title: "Give a presentation",
  words: "present full screen projector audience",
  icon: Presentation,
  keys: ["F5"],
  run: (_, { actions, store }) => {
    const { live, view } = store.getState();
    if (view.panel?.type === "presentation")
      void actions.get(preparingActions).startPresentation(view.panel.presentation);
    else if (live.presentations.length > 0) actions.get(presentationActions).givePresentation();
    else actions.openPanel({ type: "presentations" });
  },
};

/** Prefix of the titles among the actions of the window. */
const PLACE = "In a presentation: ";

type More = Pick<Row<TheGiving>, "everywhere" | "when" | "always">;

function row(
  id: string,
  title: string,
  keys: readonly string[],
  run: (app: App) => unknown,
  more: More = {},
): Row<TheGiving> {
  return { id, title: `${PLACE}${title}`, keys, ...more, run: (_, app) => void run(app) };
}

function eventRow(
  id: string,
  title: string,
  keys: readonly string[],
  event: (app: App) => GivingEvent,
  more: More = {},
): Row<TheGiving> {
  return row(id, title, keys, (app) => app.actions.get(presentationActions).give(event(app)), more);
}

const giving = ({ store }: App) => store.getState().view.giving;

function isDark({ store }: App): boolean {
  const { live, view } = store.getState();
  const { theme } = live.settings;
  const systemIsDark = (): boolean => matchMedia("(prefers-color-scheme: dark)").matches;
  return view.giving?.dark ?? (theme === "dark" || (theme === "system" && systemIsDark()));
}

/** Opens an overlay, or closes it if it is open. */
const toggled = (app: App, what: Opened): GivingEvent => ({
  type: "open",
  what: giving(app)?.open === what ? null : what,
});

const fullScreen = ({ actions }: App) => actions.get(presentationActions).toggleFullScreen();

const zoomBy =
  (by: -1 | 0 | 1) =>
  ({ actions }: App) =>
    actions.get(presentationActions).zoomPresentation(by);

/** Actions during a presentation. Presenters' remote controls press the page keys, and F5. */
export const givingRows: readonly Row<TheGiving>[] = [
  eventRow("next_step", "next step", ["ArrowRight", "PageDown"], () => ({ type: "move", by: 1 }), {
    everywhere: ["PageDown"],
  }),
  eventRow("previous_step", "previous step", ["ArrowLeft", "PageUp"], () => ({ type: "move", by: -1 }), {
    everywhere: ["PageUp"],
  }),
  row("run_step", "run the step, send an answer", ["Mod+Enter"], ({ handlers }) => handlers.get("run_tool")?.(), {
    when: (_, __, { handlers }) => handlers.has("run_tool"),
  }),
  row("undo_step", "bring back what was filled in", ["Mod+Z"], ({ toasts }) => toasts.undoLast({ presented: true })),
  eventRow("all_steps", "all steps", ["O"], (app) => toggled(app, "steps")),
  eventRow("notes", "show or hide the notes", ["N"], (app) => ({
    type: "notes",
    shown: !(giving(app)?.notes ?? false),
  })),
  row("full_screen_giving", "full screen on or off", ["F11"], fullScreen, { always: true }),
  eventRow("first_step", "first step", ["F5", "Home"], () => ({ type: "go", to: 0 })),
  eventRow("last_step", "last step", ["End"], () => ({ type: "go", to: Infinity })),
  eventRow("background", "dark or light background", ["D"], (app) => ({ type: "background", dark: !isDark(app) })),
  eventRow("blank", "black screen on or off", ["B", "."], (app) => toggled(app, "blank")),
  row("larger_type", "larger type", ["Mod+Plus"], zoomBy(1), { always: true }),
  row("smaller_type", "smaller type", ["Mod+Minus"], zoomBy(-1), { always: true }),
  row("usual_type", "type of the usual size", ["Mod+0"], zoomBy(0), { always: true }),
  eventRow("giving_keys", "show or hide these keys", ["F1", "?"], (app) => toggled(app, "keys")),
  row(
    "close_presentation",
    "close what is open; otherwise stop what is running; otherwise leave",
    ["Escape"],
    ({ actions }) => actions.get(presentationActions).closePresentation(),
  ),
];

/** The key that presses the focused element. */
const MARKED = { title: "press the highlighted button: run, stop, try again or next", keys: ["Enter"] } as const;
export const markedKey = { ...MARKED, title: `${PLACE}${MARKED.title}` };

/** The same keys as listed in the presentation itself, with the key for the focused element. */
export const givingKeys: readonly { readonly title: string; readonly keys: readonly string[] }[] = [
  MARKED,
  ...givingRows.map(({ title, keys = [] }) => ({ title: String(title).replace(PLACE, ""), keys })),
];
