import type { ReactNode } from "react";

import styles from "./picture.module.css";

/** Size of the canvas in its own units: it is stretched over the available width. */
export const PICTURE = { width: 320, height: 84 };

export interface PictureProps {
  readonly title: ReactNode;
  /** Text after the title. */
  readonly remark?: string;
  /** Description of the picture for assistive technology. */
  readonly says: string;
  /** Labels of both ends of the axis. */
  readonly from: string;
  readonly to: string;
  /** Margin of the canvas, for marks on its edges. */
  readonly margin?: number;
  /** Stretches the picture over the whole room, which distorts marks with a shape. */
  readonly stretched?: boolean;
  readonly children: ReactNode;
}

/** A small chart of measured values, with a title, an axis, and a description. */
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
