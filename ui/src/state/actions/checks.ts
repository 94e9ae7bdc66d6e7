import { BackendError } from "../../ipc/backend";
import type {
  Check,
  CheckChoice,
  CheckDraft,
  CheckId,
  CheckSuite,
  ListSide,
  OperationNumber,
  SavedInput,
  ServerId,
} from "../../ipc/bindings";
import { visibleText } from "../../lib/visible";
import { checksIn, isRunAgain, placeOfCheck } from "../checks";
import { checksSlice, withDraft } from "../slices/checks";
import { focusNames } from "../view";
import { whenListed } from "../whenFinished";
import type { Context } from "./context";

/** Another server or protocol version to run the checks on. */
export interface RunOn {
  readonly on?: ServerId;
  readonly revision?: string;
}

/** Actions on checks of servers: keeping runs as checks, running them, and editing their files. */
export function checkActions(context: Context) {
  const { backend, store, toasts, setView, setServerUi, slice, setSlice, getState } = context;
  const { inform, command, copy, offerUndo, asksFirst } = context;

  async function run(server: ServerId, choice: CheckChoice, { on, revision }: RunOn = {}): Promise<void> {
    const { destructive } = slice(server, checksSlice);
    const args = { server, choice, destructive, on: on ?? null, revision: revision ?? null };
    try {
      await backend.call("run_checks", args);
    } catch (thrown) {
      const asks = thrown instanceof BackendError && ["command_not_confirmed", "inputs_missing"].includes(thrown.code);
      if (!asks || !asksFirst(on ?? server)) inform(thrown, server);
    }
  }

  /** Shows the checks of a server, and selects one of them. */
  function show(server: ServerId, check: CheckId | null = null): void {
    setView({ server, panel: null });
    if (check !== null) {
      const selected = placeOfCheck(getState().live.checks[server], check);
      setSlice(server, checksSlice, { selected, search: "", failedOnly: false });
    }
    setServerUi(server, { tab: "checks", maximized: null });
  }

  function setDraft(server: ServerId, operation: OperationNumber, draft: CheckDraft | null): void {
    setSlice(server, checksSlice, withDraft(slice(server, checksSlice), operation, draft));
  }

  function sayKept(server: ServerId, check: CheckId): void {
    toasts.say("Kept as a check", { label: "Show", run: () => show(server, check) });
  }

  return {
    run,
    show,
    /** Shows the checks, and runs those that failed, or all if none has. */
    async runFailed(server: ServerId): Promise<void> {
      show(server);
      const again = checksIn(getState().live.checks[server]).some(isRunAgain);
      await run(server, { type: again ? "failed" : "all" });
    },
    async setOn(server: ServerId, check: CheckId, on: boolean): Promise<void> {
      await command("set_check_on", { server, check, on });
    },
    /** Moves a check up (-1) or down (1) in its file. */
    async move(server: ServerId, check: CheckId, by: -1 | 1): Promise<void> {
      const checks = getState().live.checks[server];
      const { index } = placeOfCheck(checks, check);
      const last = (checks?.suites.find(({ file }) => file === check.file)?.checks.length ?? 0) - 1;
      const to = index + by;
      if (index < 0 || to < 0 || to > last) return;
      await command("move_check", { server, check, index: to });
    },
    async remove(server: ServerId, check: Check): Promise<void> {
      const deletion = await command("remove_check", { server, check: check.id });
      offerUndo(`“${visibleText(check.name)}” removed`, deletion);
    },
    /** Makes the present result the baseline of a check. Returns true if that was stored. */
    async accept(server: ServerId, check: CheckId): Promise<boolean> {
      const replaced = await command("accept_check", { server, check });
      offerUndo("Accepted as the new baseline", replaced);
      return replaced !== undefined;
    },
    /** Leaves a path out of the comparisons of a check. Returns true if that was stored. */
    async ignore(server: ServerId, check: CheckId, pointer: string): Promise<boolean> {
      const ignored = await command("ignore_in_check", { server, check, pointer });
      offerUndo(`${visibleText(pointer)} is ignored`, ignored);
      return ignored !== undefined;
    },
    /** Makes a presentation of a file of checks. Returns its id, or nothing on failure. */
    async present(server: ServerId, { file, name }: CheckSuite): Promise<string | undefined> {
      const made = await command("present_suite", { server, file });
      offerUndo(`Presentation “${visibleText(name)}” replaced`, made?.replaced);
      // The event that lists it can arrive after the result.
      if (made) await whenListed(store, made.id);
      return made?.id;
    },
    copyReport(server: ServerId): void {
      void copy(backend.call("checks_report", { server }), "Checks copied as Markdown", server);
    },
    /** Opens the page that turns a run into a check, with the previous choices. */
    async openKeep(server: ServerId, operation: OperationNumber): Promise<void> {
      if (slice(server, checksSlice).drafts[operation] === undefined) {
        const draft = await command("check_draft", { operation });
        if (!draft) return;
        setDraft(server, operation, draft);
      }
      setView({ panel: { type: "keep_check", operation } });
    },
    /** Writes the check into its file. On failure the choices stay. */
    async keep(server: ServerId, draft: CheckDraft): Promise<boolean> {
      const kept = await command("keep_check", { draft }, server);
      if (kept === undefined) return false;
      setDraft(server, draft.operation, null);
      const { panel } = getState().view;
      if (panel?.type === "keep_check" && panel.operation === draft.operation)
        setView({ panel: null, focus: focusNames.run(draft.operation) });
      sayKept(server, kept);
      return true;
    },
    /** Adds a saved input to the checks of its server. */
    async keepInput({ id, server }: SavedInput): Promise<void> {
      const kept = await command("add_input_to_checks", { input: id }, server);
      if (kept !== undefined) sayKept(server, kept);
    },
    /** Opens the present result of a check beside its baseline. */
    compare(server: ServerId, check: CheckId): void {
      const place = placeOfCheck(getState().live.checks[server], check);
      setView({ server, panel: { type: "compare_check", server, check: place } });
    },
    /** Opens the comparison of a server's accepted lists with its present ones. */
    compareLists(server: ServerId): void {
      const side = (when: ListSide["when"]): ListSide => ({ server, revision: null, when });
      setView({ server, panel: { type: "compare_lists", left: side("accepted"), right: side("now") } });
    },
  };
}
