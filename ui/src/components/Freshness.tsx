import type { ReactNode } from "react";

import { elapsed } from "../lib/format";
import { useNow } from "../lib/useNow";

export interface FreshnessProps {
  /** What the server says about keeping an answer, one sentence. */
  readonly says: string;
  /** Until when it lets the answer be kept, in milliseconds since the Unix epoch; `null` where it does not say. */
  readonly until: number | null;
  /** What follows from the answer being fresh, after "Fresh for 0:12"; and from its being so no longer. */
  readonly fresh: string;
  readonly stale: string;
  readonly className?: string | undefined;
}

/** How long an answer may be kept, and for how long that still is. */
export function Freshness({ says, until, fresh, stale, className }: FreshnessProps): ReactNode {
  const now = useNow(1000, until !== null);
  // A part of a second is one until it is over.
  const left = until === null ? null : Math.ceil((until - now) / 1000) * 1000;
  const text = left === null ? says : `${left > 0 ? `Fresh for ${elapsed(left)}${fresh}` : stale} ${says}`;
  return (
    <p className={className} data-tip={text}>
      {text}
    </p>
  );
}
