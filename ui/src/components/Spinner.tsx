import styles from "./Spinner.module.css";

/** Always 14 pixels, so that nothing moves when it comes and goes. */
export function Spinner({ label }: { label?: string }) {
  return (
    <span className="inlineRow gap8" role={label === undefined ? undefined : "status"}>
      <span className={styles.spinner} aria-hidden />
      {label}
    </span>
  );
}
