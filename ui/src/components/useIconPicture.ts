import type { IconPicture, ServerId, ShownIcon } from "../ipc/bindings";
import { useIsReady } from "../state/hooks";
import { useFetched } from "../state/queries";
import { isCut } from "./viewer/ShowAll";

/** Display state of an icon: a `data:` URI, or the reason that there is none. Neither while the icon is fetched. */
export interface IconState {
  readonly picture: string | null;
  readonly reason: string | null;
}

const FETCHING: IconState = { picture: null, reason: null };

/** Returns the picture of an icon: embedded in it, or fetched by the backend. The page itself loads nothing. */
export function useIconPicture(server: ServerId, icon: ShownIcon | null): IconState {
  const src = icon !== null && isFetched(icon) ? icon.src : null;
  const mimeType = icon?.mime_type ?? null;
  // Icons that were not fetched without a connection are requested again with one.
  const ready = useIsReady(server);
  const fetched = useFetched(JSON.stringify([server, src, mimeType, ready]), "", async (backend) =>
    src === null ? null : stateOf(await backend.call("icon_picture", { server, src, mimeType })),
  );
  if (icon === null) return FETCHING;
  if (fetched.state === "failed") return { picture: null, reason: fetched.error.message };
  if (src !== null) return fetched.value ?? FETCHING;
  if (icon.picture !== null) return { picture: icon.picture, reason: null };
  return { picture: null, reason: isData(icon) ? null : "Not fetched: the URL is too long." };
}

function stateOf(result: IconPicture): IconState {
  return result.type === "picture" ? { picture: result.uri, reason: null } : { picture: null, reason: result.reason };
}

/** Returns true if the picture has to be fetched. A cut URL cannot be fetched. */
export function isFetched(icon: ShownIcon): boolean {
  return icon.picture === null && !isData(icon) && !isCut(icon.src);
}

export function isData({ src }: ShownIcon): boolean {
  return /^data:/i.test(src);
}
