import type { ReactNode } from "react";

import type { OperationView } from "../../ipc/bindings";
import { timeLeft, useCoarseNow } from "../../lib/useNow";
import { useIsReady, useSliceValue } from "../../state/hooks";
import { runsSlice } from "../../state/slices/runs";

/**
 * Remaining time in ms for which Read shows this run from the cache instead of asking the server; 0 if Read has not
 * done so.
 */
export function useFromCache({ operation, server, fresh_until: until }: OperationView): number {
  // Reads of an earlier connection are not reused.
  const ready = useIsReady(server);
  const marked = useSliceValue(server, runsSlice, (ui) => ui.fromCache === operation);
  const shown = ready && marked && until !== null;
  const now = useCoarseNow(shown ? until : null);
  return shown ? Math.max(0, until - now) : 0;
}

/** Mark of a read from the cache: `from cache, 4 minutes left`. */
export function FromCache({ operation }: { readonly operation: OperationView }): ReactNode {
  const left = useFromCache(operation);
  return left > 0 && <span data-from-cache>from cache, {timeLeft(left)} left · </span>;
}
