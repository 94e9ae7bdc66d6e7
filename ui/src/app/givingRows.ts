import type { App } from "../state/app";
import type { GivingEvent } from "../state/giving";
import type { Row, TheGiving, TheWindow } from "./actionRow";
import { Presentation } from "lucide-react";

/** Starts the presentation that is on show, else the only one; where several could be meant, they are offered. */
export const giveRow: Row<TheWindow> = {
  id: "give_presentation",
  title: "Give a presentation",
  words: "present full screen",
  icon: Presentation,
  keys: ["F5"],
  run: (_, { actions, store }) => {
    const { live, view } = store.getState();
    if (view.panel?.type === "presentation") void actions.startPresentation(view.panel.presentation);
    else if (live.presentations.length > 0) actions.givePresentation();
    else actions.openPanel({ type: "presentations" });
  },
};

function eventRow(
  id: string,
  title: string,
  keys: readonly string[],
  event: (app: App) => GivingEvent,
): Row<TheGiving> {
  return { id, title, keys, run: (_, app) => app.actions.give(event(app)) };
}

const giving = ({ store }: App) => store.getState().view.giving;

/** What can be done while a presentation is given. Presenters' remotes press the page keys, and F5. */
export const givingRows: readonly Row<TheGiving>[] = [
  eventRow("next_step", "In a presentation: next step", ["ArrowRight", "PageDown"], () => ({ type: "move", by: 1 })),
  eventRow("previous_step", "In a presentation: previous step", ["ArrowLeft", "PageUp"], () => ({
    type: "move",
    by: -1,
  })),
  {
    id: "run_step",
    title: "In a presentation: run the step",
    keys: ["Mod+Enter"],
    when: (_, __, { handlers }) => handlers.has("run_tool"),
    run: (_, { handlers }) => handlers.get("run_tool")?.(),
  },
  eventRow("all_steps", "In a presentation: all steps", ["O"], (app) => ({
    type: "overview",
    open: !(giving(app)?.overview ?? false),
  })),
  eventRow("notes", "In a presentation: notes", ["N"], (app) => ({
    type: "notes",
    shown: !(giving(app)?.notes ?? false),
  })),
  eventRow("first_step", "In a presentation: first step", ["F5"], () => ({ type: "go", to: 0 })),
  ...(
    [
      ["larger_type", "larger type", "Mod+Plus", 1],
      ["smaller_type", "smaller type", "Mod+Minus", -1],
      ["usual_type", "type of the usual size", "Mod+0", 0],
    ] as const
  ).map(([id, title, keys, by]): Row<TheGiving> => ({
    id,
    title: `In a presentation: ${title}`,
    keys: [keys],
    always: true,
    run: (_, { actions }) => void actions.zoomPresentation(by),
  })),
  eventRow("close_presentation", "In a presentation: close what is open, then leave", ["Escape"], () => ({
    type: "close",
  })),
];
