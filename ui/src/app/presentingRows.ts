import * as icons from "lucide-react";
import { catalogActions } from "../state/actions/catalogs";
import { checkActions } from "../state/actions/checks";

import type { App } from "../state/app";
import { presentationOf } from "../state/typedPresentations";
import { PROMPTS_GET, RESOURCES_READ } from "../state/operationName";
import { preparingActions } from "../state/preparing";
import { presentationActions } from "../state/presentations";
import { inputById, inputsOf, savedInputActions } from "../state/savedInputs";
import type { AppState } from "../state/store";
import { handlerRow, hasBeside, moveRows, panelRow, removeRow, type Of, type Row, type TheWindow } from "./actionRow";

/** Window actions about saved inputs and presentations. */
export const presentingRows: readonly Row<TheWindow>[] = [
  handlerRow("choose_input", "Choose a saved input", icons.Bookmark, "Mod+B"),
  handlerRow("save_input", "Save these values as an input", icons.BookmarkPlus, "Mod+S"),
  handlerRow("update_input", "Update the saved input with these values", icons.RefreshCw),
  panelRow({ type: "presentations" }, "presentations", "Presentations", icons.Presentation),
  {
    id: "new_presentation",
    title: "New presentation",
    icon: icons.Plus,
    run: (_, { actions }) => void actions.get(preparingActions).newPresentation(),
  },
];

const placeOf = ({ input: id }: Of<"input">, { live }: AppState): readonly [place: number, count: number] => {
  const input = inputById(live, id);
  const all = input ? inputsOf(live, input.server, input.target) : [];
  return [all.findIndex((one) => one.id === id), all.length];
};

/** Actions on a saved input. */
export const inputRows: readonly (Row<Of<"input">> | "separator")[] = [
  {
    id: "fill_from_input",
    title: "Fill the form",
    icon: icons.TextCursorInput,
    run: ({ input }, { actions }) => void actions.get(savedInputActions).fillFrom(input),
  },
  {
    id: "keep_input",
    title: "Keep as a check",
    words: "file suite repository git share",
    icon: icons.FlaskConical,
    enabled: ({ input }, { live }) => inputById(live, input)?.private === false,
    run: ({ input: id }, { actions, store }) => {
      const input = inputById(store.getState().live, id);
      if (input) void actions.get(checkActions).keepInput(input);
    },
  },
  {
    id: "rename_input",
    title: "Rename",
    icon: icons.Pencil,
    run: ({ input }, { actions }) => actions.get(savedInputActions).editInputName(input),
  },
  "separator",
  ...moveRows<Of<"input">>(
    "input",
    (subject, state, by) => hasBeside(placeOf(subject, state), by),
    ({ input }, { actions }, by) => void actions.get(savedInputActions).shiftInput(input, by),
  ),
  "separator",
  removeRow("delete_input", "Delete", ({ input: id }, { actions, store }) => {
    const input = inputById(store.getState().live, id);
    if (input) void actions.get(presentationActions).deleteInput(input);
  }),
];

/** Actions on a presentation. */
export const presentationRows: readonly (Row<Of<"presentation">> | "separator")[] = [
  {
    id: "start_presentation",
    title: "Start",
    icon: icons.Play,
    enabled: ({ presentation }, state) => (presentationOf(state, presentation)?.steps.length ?? 0) > 0,
    run: ({ presentation }, { actions }) => void actions.get(preparingActions).startPresentation(presentation, 0),
  },
  {
    id: "edit_presentation",
    title: "Edit",
    icon: icons.Pencil,
    when: ({ presentation }, { view: { panel } }) =>
      panel?.type !== "presentation" || panel.presentation !== presentation,
    run: ({ presentation }, { actions }) => actions.get(preparingActions).openPresentation(presentation),
  },
  {
    id: "duplicate_presentation",
    title: "Duplicate",
    icon: icons.Copy,
    run: ({ presentation }, { actions }) => void actions.get(preparingActions).duplicatePresentation(presentation),
  },
  {
    id: "export_presentation",
    title: "Export to a file",
    icon: icons.FileDown,
    run: ({ presentation }, { actions }) => void actions.get(preparingActions).exportPresentation(presentation),
  },
  "separator",
  removeRow(
    "delete_presentation",
    "Delete",
    ({ presentation }, { actions }) => void actions.get(preparingActions).removePresentation(presentation),
  ),
];

const stepsOf = ({ presentation }: Of<"step">, state: AppState) => presentationOf(state, presentation)?.steps ?? [];

/** Opens the target of a step: the form of its tool or prompt, or its resource. */
function openTarget(subject: Of<"step">, { actions, store }: App): void {
  const step = stepsOf(subject, store.getState())[subject.place];
  if (!step) return;
  const { server, method, target } = step;
  if (method === RESOURCES_READ) void actions.get(catalogActions).openResource(server, target);
  else actions.get(catalogActions).openItem(server, method === PROMPTS_GET ? "prompts" : "tools", target);
}

/** Actions on a step of a presentation. */
export const stepRows: readonly (Row<Of<"step">> | "separator")[] = [
  {
    id: "start_step",
    title: "Start from this step",
    icon: icons.Play,
    run: ({ presentation, place }, { actions }) =>
      void actions.get(preparingActions).startPresentation(presentation, place),
  },
  {
    id: "open_step",
    title: (subject, state) => {
      const method = stepsOf(subject, state)[subject.place]?.method;
      if (method === RESOURCES_READ) return "Open its resource";
      return `Open the form of its ${method === PROMPTS_GET ? "prompt" : "tool"}`;
    },
    icon: icons.TextCursorInput,
    enabled: (subject, state) => stepsOf(subject, state)[subject.place]?.server_removed === false,
    run: openTarget,
  },
  "separator",
  ...moveRows<Of<"step">>(
    "step",
    (subject, state, by) => hasBeside([subject.place, stepsOf(subject, state).length], by),
    ({ presentation, place }, { actions }, by) =>
      actions.get(preparingActions).moveStep(presentation, place, place + by),
  ),
  "separator",
  removeRow("remove_step", "Remove", ({ presentation, place }, { actions }) =>
    actions.get(preparingActions).removeStep(presentation, place),
  ),
];
