import * as icons from "lucide-react";

import type { Check } from "../ipc/bindings";
import { checkActions } from "../state/actions/checks";
import { areRunning, checkById, checksIn, placeOfCheck } from "../state/checks";
import { savedInputActions } from "../state/savedInputs";
import type { AppState } from "../state/store";
import { hasBeside, moveRows, onServer, removeRow, type Of, type Row, type TheWindow } from "./actionRow";

const shown = ({ live, view }: AppState) => live.checks[view.server ?? ""];
const isRunning = (state: AppState): boolean => areRunning(shown(state));
const canRun = (state: AppState): boolean => checksIn(shown(state)).length > 0 && !isRunning(state);

/** Window actions about the checks of the selected server. */
export const checkingRows: readonly Row<TheWindow>[] = [
  {
    id: "run_failed_checks",
    title: "Run the failed checks, or all where none failed",
    words: "test suite again",
    icon: icons.RotateCw,
    keys: ["Mod+Shift+Enter"],
    when: (_, state) => state.view.server !== null && !isRunning(state),
    run: onServer(({ actions }, server) => void actions.get(checkActions).runFailed(server)),
  },
  {
    id: "run_all_checks",
    title: "Run all checks",
    words: "test suite",
    icon: icons.Play,
    when: (_, state) => canRun(state),
    run: onServer(({ actions }, server) => {
      actions.get(checkActions).show(server);
      void actions.get(checkActions).run(server, { type: "all" });
    }),
  },
  {
    id: "stop_checks",
    title: "Stop the checks",
    icon: icons.SquareStop,
    when: (_, state) => isRunning(state),
    run: onServer(({ actions }, server) => void actions.command("stop_checks", { server })),
  },
  {
    id: "copy_checks",
    title: "Copy the checks as Markdown",
    words: "report",
    icon: icons.Copy,
    when: (_, state) => (shown(state)?.last ?? null) !== null,
    run: onServer(({ actions }, server) => actions.get(checkActions).copyReport(server)),
  },
  {
    id: "choose_checks_folder",
    title: "Choose the folder of the checks…",
    words: "suite repository",
    when: (_, { view }) => view.server !== null,
    run: onServer(({ actions }, server) => {
      actions.get(checkActions).show(server);
      void actions.command("choose_checks_folder", { server });
    }),
  },
  {
    id: "compare_lists",
    title: "Compare lists…",
    words: "tools resources prompts versions servers diff changed gone new",
    icon: icons.GitCompare,
    when: (_, { view }) => view.server !== null,
    run: onServer(({ actions }, server) => actions.get(checkActions).compareLists(server)),
  },
];

/** Action that keeps a run as a check of its server. */
export const keepCheckRow: Row<Of<"run">> = {
  id: "keep_check",
  title: "Keep as a check…",
  words: "test suite expect regression",
  icon: icons.FlaskConical,
  enabled: ({ operation }, { live }) =>
    ["result", "protocol_error"].includes(live.operations[operation]?.outcome?.type ?? ""),
  run: ({ operation }, { actions, store }) => {
    const run = store.getState().live.operations[operation];
    if (run) void actions.get(checkActions).openKeep(run.server, operation);
  },
};

type OfCheck = Of<"check">;

const checkOf = ({ server, check }: OfCheck, { live }: AppState): Check | undefined =>
  checkById(live.checks[server], check);

const isIdle = ({ server }: OfCheck, { live }: AppState): boolean => !areRunning(live.checks[server]);

/** Returns the index of the check in its file, and the number of checks there. */
function placeIn({ server, check }: OfCheck, { live }: AppState): readonly [place: number, all: number] {
  const checks = live.checks[server];
  const suite = checks?.suites.find(({ file }) => file === check.file);
  return [placeOfCheck(checks, check).index, suite?.checks.length ?? 0];
}

/** Actions on a check. */
export const checkRows: readonly (Row<OfCheck> | "separator")[] = [
  {
    id: "run_check",
    title: "Run this check",
    icon: icons.Play,
    enabled: isIdle,
    run: ({ server, check }, { actions }) =>
      void actions.get(checkActions).run(server, { type: "some", checks: [check] }),
  },
  {
    id: "fill_from_check",
    title: "Fill the form",
    words: "arguments open in tool",
    icon: icons.TextCursorInput,
    enabled: (subject, state) => (checkOf(subject, state)?.tool ?? null) !== null,
    run: (subject, { actions, store }) => {
      const check = checkOf(subject, store.getState());
      if (check) void actions.get(savedInputActions).fillFromCheck(subject.server, check);
    },
  },
  {
    id: "compare_check",
    title: "Compare with the baseline",
    icon: icons.GitCompare,
    enabled: (subject, state) => checkOf(subject, state)?.result?.differs === true,
    run: ({ server, check }, { actions }) => actions.get(checkActions).compare(server, check),
  },
  {
    id: "accept_check",
    title: "Accept as the new baseline",
    icon: icons.Check,
    enabled: (subject, state) => {
      const result = checkOf(subject, state)?.result;
      return isIdle(subject, state) && (result?.differs === true || result?.baseline_missing === true);
    },
    run: ({ server, check }, { actions }) => void actions.get(checkActions).accept(server, check),
  },
  "separator",
  {
    id: "check_on",
    title: (subject, state) => (checkOf(subject, state)?.on === false ? "Turn on" : "Turn off"),
    icon: icons.Power,
    keysThere: "Space",
    run: (subject, { actions, store }) => {
      const check = checkOf(subject, store.getState());
      if (check) void actions.get(checkActions).setOn(subject.server, check.id, !check.on);
    },
  },
  ...moveRows<OfCheck>(
    "check",
    (subject, state, by) => hasBeside(placeIn(subject, state), by),
    ({ server, check }, { actions }, by) => void actions.get(checkActions).move(server, check, by),
  ),
  "separator",
  removeRow("remove_check", "Remove", (subject, { actions, store }) => {
    const check = checkOf(subject, store.getState());
    if (check) void actions.get(checkActions).remove(subject.server, check);
  }),
];
