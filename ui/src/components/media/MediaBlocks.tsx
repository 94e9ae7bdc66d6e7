import { useEffect, useState, type CSSProperties, type ReactNode } from "react";

import { Button } from "../Button";
import { toBackendError, type BackendError } from "../../ipc/backend";
import type { DocumentSource } from "../../ipc/bindings";
import { bytes as sizeText } from "../../lib/format";
import { useBackend } from "../../state/hooks";
import { SaveButton } from "./SaveButton";
import styles from "./media.module.css";

/** Where nobody programs: what has failed is not said in words of the window. */
const NOT_READ = "A part of the answer cannot be shown here.";
/** Larger images are shown on request. */
const LARGE = 16 * 1024 * 1024;

/** What it is to who does not see it: the result of a tool, a part of a prompt or what reading a resource gave. */
const RETURNED = "Returned by the server";

type Loaded = { readonly url: string } | { readonly error: BackendError } | null;

/** The data of a piece of content under an address of its own, for as long as it is shown. */
function useObjectUrl(source: DocumentSource, mime: string, wanted: boolean): Loaded {
  const backend = useBackend();
  const [loaded, setLoaded] = useState<Loaded>(null);
  const key = JSON.stringify(source);
  useEffect(() => {
    if (!wanted) return undefined;
    let url: string | null = null;
    let gone = false;
    backend.readBytes(JSON.parse(key) as DocumentSource).then(
      (data) => {
        if (gone) return;
        url = URL.createObjectURL(new Blob([data], { type: mime }));
        setLoaded({ url });
      },
      (thrown: unknown) => {
        if (!gone) setLoaded({ error: toBackendError(thrown) });
      },
    );
    return () => {
      gone = true;
      setLoaded(null);
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [backend, key, mime, wanted]);
  return loaded;
}

export interface MediaBlockProps {
  readonly source: DocumentSource;
  readonly mime: string;
  readonly bytes: number;
  /** Alone, without its size and without a way to save it. */
  readonly bare?: boolean;
}

/** An image in its natural size, or as wide as the pane. */
export function ImageBlock({ source, mime, bytes, bare = false }: MediaBlockProps): ReactNode {
  const [wanted, setWanted] = useState(bytes <= LARGE);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [broken, setBroken] = useState(false);
  const loaded = useObjectUrl(source, mime, wanted);
  return (
    <div className={bare ? styles.bare : styles.media}>
      {!wanted && (
        <p>
          A large image ({sizeText(bytes)}).{" "}
          <Button small onClick={() => setWanted(true)}>
            Show it
          </Button>
        </p>
      )}
      {loaded && "error" in loaded && <p className={styles.problem}>{bare ? NOT_READ : loaded.error.message}</p>}
      {broken && (
        <p className={styles.problem}>
          This image cannot be shown: the data is damaged or the format is not supported.
        </p>
      )}
      {loaded && "url" in loaded && !broken && (
        <img
          className={styles.image}
          style={{ "--natural": size?.width ?? 0 } as CSSProperties}
          src={loaded.url}
          alt={bare ? "The result" : RETURNED}
          onLoad={(event) =>
            setSize({ width: event.currentTarget.naturalWidth, height: event.currentTarget.naturalHeight })
          }
          onError={() => setBroken(true)}
        />
      )}
      {!bare && (
        <div className={styles.foot}>
          {size && size.width > 0 && (
            <span className="note">
              {size.width} × {size.height} px
            </span>
          )}
          <SaveButton source={source} />
        </div>
      )}
    </div>
  );
}

/** Sound, where the web view can play it. */
export function AudioBlock({ source, mime, bare = false }: Omit<MediaBlockProps, "bytes">): ReactNode {
  const [broken, setBroken] = useState(false);
  const playable = mime === "" || canPlay(mime);
  const loaded = useObjectUrl(source, mime, playable);
  return (
    <div className={bare ? styles.bare : styles.media}>
      {!playable && <p>This audio format is not supported here. Save it to play it in another app.</p>}
      {playable && broken && <p>This audio cannot be played here. Save it to play it in another app.</p>}
      {loaded && "error" in loaded && <p className={styles.problem}>{bare ? NOT_READ : loaded.error.message}</p>}
      {loaded && "url" in loaded && !broken && (
        <audio
          className={styles.audio}
          controls
          src={loaded.url}
          onError={() => setBroken(true)}
          aria-label={bare ? "The result" : RETURNED}
        >
          {/* There are no captions for what a server returns. */}
          <track kind="captions" />
        </audio>
      )}
      {(!bare || broken || !playable) && (
        <div className={styles.foot}>
          <SaveButton source={source} />
        </div>
      )}
    </div>
  );
}

/** A film, where the web view can play it. It is fetched when it is wanted. */
export function VideoBlock({ source, mime, bytes }: Omit<MediaBlockProps, "bare">): ReactNode {
  const [wanted, setWanted] = useState(false);
  const [broken, setBroken] = useState(false);
  const playable = canPlay(mime, "video");
  const loaded = useObjectUrl(source, mime, wanted && playable);
  return (
    <div className={styles.media}>
      {playable && !wanted && (
        <p>
          A video ({sizeText(bytes)}).{" "}
          <Button small onClick={() => setWanted(true)}>
            Show it
          </Button>
        </p>
      )}
      {(!playable || broken) && <p>This video cannot be played here. Save it to play it in another app.</p>}
      {loaded && "error" in loaded && <p className={styles.problem}>{loaded.error.message}</p>}
      {loaded && "url" in loaded && !broken && (
        <video className={styles.image} controls src={loaded.url} onError={() => setBroken(true)} aria-label={RETURNED}>
          {/* There are no captions for what a server returns. */}
          <track kind="captions" />
        </video>
      )}
      <div className={styles.foot}>
        <SaveButton source={source} />
      </div>
    </div>
  );
}

function canPlay(mime: string, element: "audio" | "video" = "audio"): boolean {
  return document.createElement(element).canPlayType(mime) !== "";
}
