import type { ReactNode } from "react";

import { timeLeft, useCoarseNow } from "../lib/useNow";

export interface FreshnessProps {
  /** Cache statement of the server, one sentence. */
  readonly says: string;
  /** Expiry that the server allows, in milliseconds since the Unix epoch; `null` if the server gives none. */
  readonly until: number | null;
  /** Words after "Cached; expires in 4 minutes", and the sentences once it has expired. */
  readonly fresh: string;
  readonly stale: string;
  readonly className?: string | undefined;
}

/** Shows the time for which a result may be cached, and the time that remains. */
export function Freshness({ says, until, fresh, stale, className }: FreshnessProps): ReactNode {
  const now = useCoarseNow(until);
  const left = until === null ? null : until - now;
  const text = left === null ? says : `${left > 0 ? `Cached; expires in ${timeLeft(left)}${fresh}` : stale} ${says}`;
  return (
    <p className={className} data-tip={text}>
      {text}
    </p>
  );
}
