import { useEffect, useState } from "react";

import type { OperationNumber, ServerId } from "../../ipc/bindings";
import { wordsOf } from "../../lib/matching";
import { useAppState } from "../../state/hooks";
import { useFetched } from "../../state/queries";
import type { AppState } from "../../state/store";

/** Pause after the last keystroke before the search starts, in ms. */
const TYPING_MS = 180;

export interface RunSearch {
  /** Matching runs; `null` without a search. */
  readonly found: ReadonlySet<OperationNumber> | null;
  /** Words of the search that found them. */
  readonly words: readonly string[];
  /** The results belong to an earlier search, or are missing so far. */
  readonly searching: boolean;
}

/** Searches the runs of a server at the host, and repeats the search when a run ends or its label changes. */
export function useRunSearch(server: ServerId, order: readonly OperationNumber[], typed: string): RunSearch {
  const [search, setSearch] = useState("");
  const wanted = typed.trim();
  useEffect(() => {
    const timer = setTimeout(() => setSearch(wanted), wanted === "" ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const searched = useAppState((state) => (search === "" ? "" : searchedParts(state, order)));
  const fetched = useFetched(server, `${search}\n${searched}`, async (backend) =>
    search === "" ? null : { search, runs: new Set(await backend.call("search_operations", { server, search })) },
  );
  const value = wanted === "" ? null : (fetched.value ?? null);
  const words = wordsOf(value?.search ?? "");
  if (wanted === "") return { found: null, words, searching: false };
  return { found: value?.runs ?? null, words, searching: fetched.state === "loading" || value?.search !== wanted };
}

/** Key of the parts of the runs that can change the results. */
function searchedParts({ live }: AppState, order: readonly OperationNumber[]): string {
  return order
    .map((number) => {
      const run = live.operations[number];
      return run ? `${number} ${run.state} ${run.label.name ?? ""} ${run.label.note ?? ""}` : "";
    })
    .join("\n");
}
