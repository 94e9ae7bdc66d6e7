import { hostOf, normalForm, splitHost } from "../lib/address";
import { cx } from "../lib/cx";
import { Marked, MarkedCode } from "./Marked";
import { HostNote } from "./VisibleText";
import styles from "./VisibleText.module.css";

/**
 * Shows an address in its normal form, which is the form that opens, with its host in bold and a note about its
 * non-ASCII letters. With `written`, also shows the original spelling if it differs.
 */
export function Address({ address, written = false }: { address: string; written?: boolean }) {
  const normal = normalForm(address);
  return (
    <>
      <HostMarked address={normal} />
      <HostNote host={hostOf(normal)} />
      {written && normal !== address && (
        <span className="note block marginTop4 textFont">
          Written as{" "}
          <MarkedCode className={cx("selectable monoFont asWritten monoSize", styles.ordered)} text={address} />
        </span>
      )}
    </>
  );
}

/** Shows an address as it is, with its host in bold. */
export function HostMarked({ address }: { address: string }) {
  const split = splitHost(address);
  return (
    <bdi className={cx("selectable monoFont asWritten monoSize", styles.ordered)}>
      {split ? (
        <>
          <Marked text={split.before} />
          <strong className="bold">
            <Marked text={split.host} />
          </strong>
          <Marked text={split.after} />
        </>
      ) : (
        <Marked text={address} />
      )}
    </bdi>
  );
}
