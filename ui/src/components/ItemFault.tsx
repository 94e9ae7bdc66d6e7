import type { ReactNode } from "react";

import type { Fetched } from "../state/hooks";
import { Button } from "./Button";
import { Callout } from "./Callout";
import styles from "./ItemView.module.css";
import { Spinner } from "./Spinner";

export interface ItemFaultProps {
  /** What is read of the item. */
  readonly detail: Fetched<unknown>;
  /** What one of them is called, for example "tool". */
  readonly one: string;
  /** Shows the first one of the list. */
  readonly onFirst: () => void;
}

/** Why an item is not shown: it cannot be read, or not yet. */
export function ItemFault({ detail, one, onFirst }: ItemFaultProps): ReactNode {
  if (detail.state === "failed") {
    const gone = detail.error.code === "not_found";
    return (
      <div className={styles.fault}>
        <Callout
          level="error"
          role="alert"
          title={detail.error.message}
          actions={
            gone && (
              <Button small onClick={onFirst}>
                Show the first {one}
              </Button>
            )
          }
        >
          {gone && <p>Your input is kept and comes back with the {one}.</p>}
        </Callout>
      </div>
    );
  }
  if (detail.state !== "loading" || detail.value) return null;
  return (
    <div className={styles.fault}>
      <Spinner label={`Loading ${one}…`} />
    </div>
  );
}
