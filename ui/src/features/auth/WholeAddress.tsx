import { CopyButton } from "../../components/CopyButton";
import { Address } from "../../components/Address";
import { cx } from "../../lib/cx";
import styles from "./auth.module.css";

/** Length from which an address gets a scrolling box, so that it does not bury the content around it, in characters. */
const ENDLESS = 8_000;

/** A whole address, never cut: it wraps, can be selected and copied. */
export function WholeAddress({ label, address }: { label: string; address: string }) {
  const endless = address.length > ENDLESS;
  return (
    <div className="stack gap2" role="group" aria-label={label}>
      <div className="row gap8">
        <span className="medium">{label}</span>
        <CopyButton compact text={address} label="Copy URL" />
      </div>
      {/* A scroller must be reachable by keyboard. */}
      <p
        className={cx("codeBox selectable pad8", endless && styles.addressEndless)}
        dir="ltr"
        tabIndex={endless ? 0 : undefined}
        data-focus="inset"
      >
        <Address address={address} written />
      </p>
    </div>
  );
}
