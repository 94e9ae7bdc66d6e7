import { cx } from "../lib/cx";
import styles from "./Progress.module.css";

export interface ProgressProps {
  /** Accessible name. */
  label: string;
  /** Progress so far, in the unit of `max`; left out while unknown. */
  value?: number | undefined;
  max?: number | undefined;
  /** Paused: indeterminate progress is not animated. */
  still?: boolean;
}

export function Progress({ label, value, max, still = false }: ProgressProps) {
  const known = value !== undefined && max !== undefined && max > 0;
  const share = known ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={label}
      {...(known ? { "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.round(share * 100) } : {})}
    >
      {known ? (
        <div className={styles.bar} style={{ transform: `scaleX(${share})` }} />
      ) : (
        <div className={cx(styles.unknown, still && styles.still)} />
      )}
    </div>
  );
}
