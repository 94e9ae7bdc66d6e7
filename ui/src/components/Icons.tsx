import { ImageOff } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { ServerId, ShownIcon, ShownIcons } from "../ipc/bindings";
import { number } from "../lib/format";
import { CopyButton } from "./CopyButton";
import styles from "./Icons.module.css";
import { isData, useIconPicture } from "./useIconPicture";
import { VisibleText } from "./VisibleText";
import { isCut } from "./viewer/ShowAll";

/** Characters shown of a `data:` URI; the rest is the picture. */
const SHOWN_CHARACTERS = 60;

/** Lists the icons of a server or item, as pictures or, if that is not possible, in words. */
export function Icons({ server, icons }: { readonly server: ServerId; readonly icons: ShownIcons }): ReactNode {
  const { first, count } = icons;
  const refused = first.some((icon) => icon.picture === null && isData(icon));
  return (
    <div className="stack gap8">
      <ul className="stack gap8 noBullets" aria-label="Icons">
        {first.map((icon, place) => (
          // Keyed by position, as the same icon may be listed twice.
          // oxlint-disable-next-line react/no-array-index-key
          <Icon key={place} server={server} icon={icon} />
        ))}
      </ul>
      {refused && (
        <p className="note">
          Only PNG, JPEG and WebP images of at most 1024 × 1024 pixels are shown, without animation and up to 64 KiB in
          all.
        </p>
      )}
      {count > first.length && <p className="note">{number(count - first.length)} more are not shown.</p>}
    </div>
  );
}

function Icon({ server, icon }: { readonly server: ServerId; readonly icon: ShownIcon }): ReactNode {
  const { src, mime_type, sizes, theme } = icon;
  const { picture, reason } = useIconPicture(server, icon);
  const [broken, setBroken] = useState(false);
  const facts = [mime_type, sizes.join(", "), theme === null ? "" : `${theme} theme`].filter(Boolean).join(" · ");
  const text = isData(icon) && src.length > SHOWN_CHARACTERS ? `${src.slice(0, SHOWN_CHARACTERS)}…` : src;
  const whole = icon.picture ?? (isCut(src) ? null : src);
  return (
    <li className="row gap8 shrink">
      <span className={styles.box} data-theme-of-icon={theme}>
        {picture !== null && !broken ? (
          <img className={styles.picture} src={picture} alt="" onError={() => setBroken(true)} />
        ) : (
          <ImageOff size={16} aria-hidden />
        )}
      </span>
      <span className="stack shrink">
        <span className="inlineRow selectable gap2 shrink breakable">
          <VisibleText code oneLine text={text} />
          {whole !== null && <CopyButton compact label="Copy src" text={whole} />}
        </span>
        <span className="note">
          {broken ? "The image is damaged. " : ""}
          {facts === "" ? "No type, size or theme" : <VisibleText text={facts} />}
        </span>
        {reason !== null && (
          <span className="note">
            <VisibleText text={reason} />
          </span>
        )}
      </span>
    </li>
  );
}
