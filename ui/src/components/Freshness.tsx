import type { ReactNode } from "react";

import { timeLeft, useCoarseNow } from "../lib/useNow";

export interface FreshnessProps {
  /** What the server says about keeping an answer, one sentence. */
  readonly says: string;
  /** Until when it lets the answer be kept, in milliseconds since the Unix epoch; `null` where it does not say. */
  readonly until: number | null;
  /** Words after "Cached; expires in 4 minutes", and the sentences once it has expired. */
  readonly fresh: string;
  readonly stale: string;
  readonly className?: string | undefined;
}

/** How long an answer may be kept, and for how long that still is. */
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
