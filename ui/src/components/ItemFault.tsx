import type { ReactNode } from "react";

import type { Fetched } from "../state/queries";
import { Button } from "./Button";
import { Callout } from "./Callout";
import { Spinner } from "./Spinner";

export interface ItemFaultProps {
  /** Result of reading the item. */
  readonly detail: Fetched<unknown>;
  /** Word for an item of the list, for example "tool". */
  readonly one: string;
  /** Words after "Show the first", if they differ from the word for an item. */
  readonly first?: string;
  /** The typed input is kept; the message says so if the item is gone. */
  readonly keeps?: boolean;
  /** Shows the first item of the list. */
  readonly onFirst: () => void;
}

/** Placeholder for an item that cannot be read, or is not read yet. */
export function ItemFault({ detail, one, first = one, keeps = true, onFirst }: ItemFaultProps): ReactNode {
  if (detail.state === "failed") {
    const gone = detail.error.code === "not_found";
    return (
      <div className="pad12x16">
        <Callout
          level="error"
          role="alert"
          title={detail.error.message}
          actions={
            gone && (
              <Button small onClick={onFirst}>
                Show the first {first}
              </Button>
            )
          }
        >
          {gone && keeps && <p>Your input is kept and comes back with the {one}.</p>}
        </Callout>
      </div>
    );
  }
  if (detail.state !== "loading") return null;
  return (
    <div className="pad12x16">
      <Spinner label={`Loading ${one}…`} />
    </div>
  );
}
