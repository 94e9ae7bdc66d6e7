import type { ReactNode } from "react";

import type { OperationView } from "../../ipc/bindings";
import { timeLeft, useCoarseNow } from "../../lib/useNow";
import { useIsReady, useServerUi } from "../../state/hooks";

/** Whether Read has shown a run again in the place of asking the server, and for how long it still would, in ms. */
export function useFromCache({ operation, server, fresh_until: until }: OperationView): number {
  // What an earlier connection read is asked for anew.
  const ready = useIsReady(server);
  const marked = useServerUi(server, (ui) => ui.fromCache === operation);
  const shown = ready && marked && until !== null;
  const now = useCoarseNow(shown ? until : null);
  return shown ? Math.max(0, until - now) : 0;
}

/** The mark of a reading that came from the cache: `from cache, 4 minutes left`. */
export function FromCache({ operation }: { readonly operation: OperationView }): ReactNode {
  const left = useFromCache(operation);
  return left > 0 && <span data-from-cache>from cache, {timeLeft(left)} left · </span>;
}
