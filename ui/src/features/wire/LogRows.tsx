import { ArrowDown } from "lucide-react";
import type { ReactNode } from "react";

import { Checkbox } from "../../components/Field";
import { VirtualRows, type VirtualRowsProps } from "../../components/rows/VirtualRows";
import { number } from "../../lib/format";
import type { LogList } from "./useLogList";
import styles from "./wire.module.css";

export interface LogRowsProps extends Omit<VirtualRowsProps, "list" | "className"> {
  readonly log: LogList;
  /** Shown in place of an empty list. */
  readonly empty: ReactNode;
}

/** Rows of a log, and the number of new rows below the visible ones. */
export function LogRows({ log, empty, ...rows }: LogRowsProps): ReactNode {
  const { list, fresh } = log;
  return (
    <>
      <VirtualRows {...rows} list={list} className="tall" />
      {log.log && list.rows === 0 && <div className={styles.emptyOver}>{empty}</div>}
      {fresh > 0 && !list.view.atEnd && (
        <button type="button" className={styles.pill} onClick={() => log.setFollows(true)}>
          <ArrowDown size={12} aria-hidden /> {number(fresh)} new
        </button>
      )}
    </>
  );
}

/** Switches following the end of a log on or off. */
export function AutoScroll({ log }: { readonly log: LogList }): ReactNode {
  return <Checkbox label="Auto-scroll" checked={log.follows} onChange={log.setFollows} />;
}
