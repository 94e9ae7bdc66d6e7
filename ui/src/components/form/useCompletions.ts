import { useMemo } from "react";

import type { CompletionArgument, CompletionReference, ServerId } from "../../ipc/bindings";
import { useBackend, useSession } from "../../state/hooks";
import type { SuggestionSource } from "./suggestions";

/**
 * Returns the source of suggestions by a server for the arguments of a prompt or the variables of a template; `null` if
 * the server offers none. `others` returns the other arguments that have a value; it and `reference` must not change
 * between renderings.
 */
export function useCompletions(
  server: ServerId,
  reference: CompletionReference,
  others: (name: string) => CompletionArgument[],
): SuggestionSource | null {
  const backend = useBackend();
  const session = useSession(server);
  const offered = session?.phase === "ready" && session.completions;
  return useMemo(() => {
    if (!offered) return null;
    return {
      ask: async (name, value) => {
        const argument = { name, value };
        const found = await backend.call("complete", { server, reference, argument, resolved: others(name) });
        return found && { values: found.values, total: found.total, hasMore: found.has_more };
      },
      cancel: () => void backend.call("cancel_completion", { server }).catch(() => undefined),
    };
  }, [offered, backend, server, reference, others]);
}
