import type { ReactNode } from "react";

import styles from "./picture.module.css";

/** Size of the canvas in its own units: it is stretched over the available width. */
export const PICTURE = { width: 320, height: 84 };

export interface PictureProps {
  readonly title: ReactNode;
  /** Stands behind the title. */
  readonly remark?: string;
  /** Description of the picture for assistive technology. */
  readonly says: string;
  /** The ends of the axis below. */
  readonly from: string;
  readonly to: string;
  /** Room around it, for marks that stand on its edges. */
  readonly margin?: number;
  /** Stretched over all the room, which marks with a shape would not stand. */
  readonly stretched?: boolean;
  readonly children: ReactNode;
}

/** A small picture of measured values, with a title, an axis, and words that say the same. */
export function Picture(props: PictureProps): ReactNode {
  const { title, remark, says, from, to, margin = 0, stretched = false, children } = props;
  const box = [-margin, -margin, PICTURE.width + 2 * margin, PICTURE.height + 2 * margin];
  return (
    <figure>
      <figcaption className="note">
        {title}
        {remark !== undefined && <span className="marginLeftS2">{remark}</span>}
      </figcaption>
      <svg
        viewBox={box.join(" ")}
        className={styles.picture}
        role="img"
        aria-label={says}
        {...(stretched && { preserveAspectRatio: "none" })}
      >
        {children}
      </svg>
      <div className="note digits spread flexed" aria-hidden="true">
        <span>{from}</span>
        <span>{to}</span>
      </div>
    </figure>
  );
}
