import { useEffect, useState } from "react";

import type { OperationNumber, ServerId } from "../../ipc/bindings";
import { wordsOf } from "../../lib/matching";
import { useAppState, useBackend, useFetched } from "../../state/hooks";
import type { AppState } from "../../state/store";

/** Silence after the last keystroke before it is searched for, in milliseconds. */
const TYPING_MS = 180;

export interface RunSearch {
  /** The runs that match; `null` where nothing is searched for. */
  readonly found: ReadonlySet<OperationNumber> | null;
  /** The words that were searched for to find them. */
  readonly words: readonly string[];
  /** What was found is that of an earlier search, or of none yet. */
  readonly searching: boolean;
}

/** What the host finds in the runs of a server, again whenever one of them ends or gets another name. */
export function useRunSearch(server: ServerId, order: readonly OperationNumber[], typed: string): RunSearch {
  const backend = useBackend();
  const [search, setSearch] = useState("");
  const wanted = typed.trim();
  useEffect(() => {
    const timer = setTimeout(() => setSearch(wanted), wanted === "" ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const searched = useAppState((state) => (search === "" ? "" : searchedParts(state, order)));
  const fetched = useFetched(server, `${search}\n${searched}`, async () =>
    search === "" ? null : { search, runs: new Set(await backend.call("search_operations", { server, search })) },
  );
  const value = wanted === "" ? null : (fetched.value ?? null);
  const words = wordsOf(value?.search ?? "");
  if (wanted === "") return { found: null, words, searching: false };
  return { found: value?.runs ?? null, words, searching: fetched.state === "loading" || value?.search !== wanted };
}

/** What of the runs can change what is found. */
function searchedParts({ live }: AppState, order: readonly OperationNumber[]): string {
  return order
    .map((number) => {
      const run = live.operations[number];
      return run ? `${number} ${run.state} ${run.label.name ?? ""} ${run.label.note ?? ""}` : "";
    })
    .join("\n");
}
