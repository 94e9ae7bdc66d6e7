import type { Slice } from "../../state/slices/slice";

interface ConsoleUi {
  readonly text: string;
  /** Names of the visible sources; empty shows all. */
  readonly sources: readonly string[];
  readonly least: number | null;
  readonly logger: string | null;
  readonly details: boolean;
  /** Number of lines on stderr at the last look, and the connection that they belong to. */
  readonly seen: { readonly generation: number; readonly lines: number } | null;
}

export const consoleSlice: Slice<ConsoleUi> = {
  name: "console",
  initial: { text: "", sources: [], least: null, logger: null, details: false, seen: null },
};
