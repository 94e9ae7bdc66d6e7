import type { ReactNode } from "react";

import type { LogHeader } from "../ipc/bindings";
import { cx } from "../lib/cx";
import styles from "./HeaderTable.module.css";

export interface HeaderTableProps {
  /** Accessible name. */
  readonly label: string;
  readonly headers: readonly LogHeader[];
  readonly className?: string | undefined;
}

/** Table of HTTP headers as sent; renders nothing without headers. */
export function HeaderTable({ label, headers, className }: HeaderTableProps): ReactNode {
  if (headers.length === 0) return null;
  return (
    <table className={cx(styles.headers, className)}>
      <caption className="visuallyHidden">{label}</caption>
      <tbody>
        {headers.map((header, index) => (
          // Headers may repeat; their order is their identity.
          // oxlint-disable-next-line react/no-array-index-key
          <tr key={index}>
            <th scope="row">{header.name}</th>
            <td>{header.value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
