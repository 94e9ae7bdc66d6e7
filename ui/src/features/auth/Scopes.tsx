import { useState } from "react";

import { Badge } from "../../components/Badge";
import { Button } from "../../components/Button";
import { VisibleText } from "../../components/VisibleText";
import { number } from "../../lib/format";

export interface ScopesProps {
  scopes: readonly string[];
  /** New scopes among them. */
  added?: readonly string[];
  /** Text for an empty list. */
  none: string;
}

/** Limit of scopes shown at first: a server may name thousands. */
const MANY_SCOPES = 60;

/** List of scopes; new ones are marked, and come first if not all are shown at once. */
export function Scopes({ scopes, added = [], none }: ScopesProps) {
  const [all, setAll] = useState(false);
  if (scopes.length === 0) return <>{none}</>;
  const isNew = new Set(added);
  const ordered =
    scopes.length <= MANY_SCOPES ? scopes : [...scopes].sort((a, b) => Number(isNew.has(b)) - Number(isNew.has(a)));
  const shown = all ? ordered : ordered.slice(0, MANY_SCOPES);
  return (
    <ul className="wraps gap4 noBullets flexed">
      {shown.map((scope) => (
        <li key={scope} className="inlineRow box gap4 shrink onSide pad0x8">
          <VisibleText code text={scope} />
          {isNew.has(scope) && <Badge tone="warn">new</Badge>}
        </li>
      ))}
      {shown.length < scopes.length && (
        <li>
          <Button small kind="quiet" onClick={() => setAll(true)}>
            Show {number(scopes.length - shown.length)} more
          </Button>
        </li>
      )}
    </ul>
  );
}
