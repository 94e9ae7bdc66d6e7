import { useState, type ReactNode } from "react";

import type { ServerId, ShownIcon, ShownIcons } from "../ipc/bindings";
import styles from "./Icons.module.css";
import { isFetched, useIconPicture } from "./useIconPicture";

/** Limit of icons tried for a head. */
const MOST_TRIED = 3;

/** Shows the first icon of a server or item that is a picture, beside its title; nothing if there is none. */
export function HeadIcon({ server, icons }: { readonly server: ServerId; readonly icons: ShownIcons }): ReactNode {
  const candidates = icons.first.filter((icon) => icon.picture !== null || isFetched(icon)).slice(0, MOST_TRIED);
  return <Candidate key={JSON.stringify(candidates)} server={server} candidates={candidates} />;
}

function Candidate({ server, candidates }: { readonly server: ServerId; readonly candidates: readonly ShownIcon[] }) {
  const [broken, setBroken] = useState(false);
  const [icon = null, ...others] = candidates;
  const { picture, reason } = useIconPicture(server, icon);
  if (icon === null) return null;
  if (broken || reason !== null) return <Candidate server={server} candidates={others} />;
  if (picture === null) return null;
  return (
    <span className={styles.head} data-theme-of-icon={icon.theme}>
      <img className={styles.headPicture} src={picture} alt="" onError={() => setBroken(true)} />
    </span>
  );
}
