import type { CommandArgs, CommandName, CommandResult } from "../ipc/backend";
import type { DeletionNumber, Presentation, SavedInput } from "../ipc/bindings";
import { visibleText } from "../lib/visible";

interface Means {
  /** Runs a command; where it fails that becomes a notice, and the result is `undefined`. */
  readonly command: <K extends CommandName>(name: K, args: CommandArgs<K>) => Promise<CommandResult<K> | undefined>;
  readonly offerUndo: (title: string, deletion: DeletionNumber | null | undefined) => void;
}

/** What the user can do with saved inputs and presentations. */
export function presentationActions({ command, offerUndo }: Means) {
  return {
    /** Adds a saved input (one without an id), or replaces one. Answers its id, or nothing when it failed. */
    saveInput: (input: SavedInput): Promise<string | undefined> => command("save_input", { input }),
    /** Moves a saved input to a place among those of its target. */
    async moveInput(input: SavedInput, index: number): Promise<void> {
      await command("move_input", { input: input.id, index });
    },
    async deleteInput(input: SavedInput): Promise<void> {
      offerUndo(`Saved input “${visibleText(input.name)}” deleted`, await command("delete_input", { input: input.id }));
    },
    /** Adds a presentation (one without an id), or replaces it whole. Answers its id, or nothing when it failed. */
    savePresentation: (presentation: Presentation): Promise<string | undefined> =>
      command("save_presentation", { presentation }),
    async deletePresentation({ id, title }: Presentation): Promise<void> {
      const deletion = await command("delete_presentation", { presentation: id });
      offerUndo(`Presentation “${visibleText(title)}” deleted`, deletion);
    },
    /** Adds the presentation of a text with the chosen servers. Answers its id, or nothing when it failed. */
    importPresentation: (text: string, chosen: number[]): Promise<string | undefined> =>
      command("import_presentation", { text, chosen }),
  };
}
