import styles from "./Spinner.module.css";

/** Spinner of a fixed 14 pixels, so that nothing moves when it appears or disappears. */
export function Spinner({ label }: { label?: string }) {
  return (
    <span className="inlineRow gap8" role={label === undefined ? undefined : "status"}>
      <span className={styles.spinner} aria-hidden />
      {label}
    </span>
  );
}
