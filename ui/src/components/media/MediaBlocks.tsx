import { useCallback, useEffect, useState, type ReactNode } from "react";

import { toBackendError, type BackendError } from "../../ipc/backend";
import type { DocumentSource } from "../../ipc/bindings";
import { bytes as sizeText } from "../../lib/format";
import { whileWanted } from "../../lib/whileWanted";
import { useBackend } from "../../state/hooks";
import { OnRequest, Picture } from "./Picture";
import { SaveButton } from "./SaveButton";
import styles from "./media.module.css";

/** Error text for views of people who do not program; it avoids the words of the window. */
const NOT_READ = "A part of the answer cannot be shown here.";
/** Larger images are shown on request. */
const LARGE = 16 * 1024 * 1024;

/** Accessible description of the media: from a tool's result, a prompt, or a resource that was read. */
const RETURNED = "Returned by the server";

type Loaded = { readonly data: Uint8Array<ArrayBuffer> } | { readonly error: BackendError } | null;

/** The data of a piece of content, once it is wanted. */
function useData(source: DocumentSource, wanted: boolean): Loaded {
  const backend = useBackend();
  const [loaded, setLoaded] = useState<Loaded>(null);
  const key = JSON.stringify(source);
  useEffect(() => {
    if (!wanted) return undefined;
    const giveUp = whileWanted(
      backend.readBytes(JSON.parse(key) as DocumentSource),
      (data) => setLoaded({ data: new Uint8Array(data) }),
      (thrown) => setLoaded({ error: toBackendError(thrown) }),
    );
    return () => {
      giveUp();
      setLoaded(null);
    };
  }, [backend, key, wanted]);
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
  const loaded = useData(source, wanted);
  return (
    <div className={bare ? styles.bare : "stack codeBox gapS2 padS2"}>
      {!wanted && <OnRequest what={`A large image (${sizeText(bytes)}).`} onWant={() => setWanted(true)} />}
      {loaded && "error" in loaded && <NotRead bare={bare} error={loaded.error} />}
      {loaded && "data" in loaded && (
        <Picture
          data={loaded.data}
          mime={mime}
          alt={bare ? "The result" : RETURNED}
          className={styles.image}
          bare={bare}
          onSize={setSize}
        />
      )}
      {!bare && (
        <div className="wrap gapS1xS2">
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

const WORDS = {
  audio: {
    what: "Sound",
    verb: "Play",
    unsupported: "This audio format is not supported here. Save it to play it in another app.",
    broken: "This audio cannot be played here. Save it to play it in another app.",
  },
  video: {
    what: "A video",
    verb: "Show",
    unsupported: "This video cannot be played here. Save it to play it in another app.",
    broken: "This video cannot be played here. Save it to play it in another app.",
  },
} as const;

interface RecordingProps extends MediaBlockProps {
  readonly kind: "audio" | "video";
}

/** Sound or a film, where the web view can play it. The web view gets it by a click: a decoder that reads foreign data is a risk. */
export function Recording({ kind, source, mime, bytes, bare = false }: RecordingProps): ReactNode {
  const [wanted, setWanted] = useState(false);
  const [broken, setBroken] = useState(false);
  const playable = (kind === "audio" && mime === "") || document.createElement(kind).canPlayType(mime) !== "";
  const loaded = useData(source, wanted && playable);
  const words = WORDS[kind];
  return (
    <div className={bare ? styles.bare : "stack codeBox gapS2 padS2"}>
      {playable && !wanted && (
        <OnRequest what={`${words.what} (${sizeText(bytes)}).`} verb={words.verb} onWant={() => setWanted(true)} />
      )}
      {(!playable || broken) && <p>{playable ? words.broken : words.unsupported}</p>}
      {loaded && "error" in loaded && <NotRead bare={bare} error={loaded.error} />}
      {loaded && "data" in loaded && !broken && (
        <Player
          kind={kind}
          data={loaded.data}
          mime={mime}
          label={bare ? "The result" : RETURNED}
          onError={() => setBroken(true)}
        />
      )}
      {(!bare || broken || !playable) && (
        <div className="wrap gapS1xS2">
          <SaveButton source={source} />
        </div>
      )}
    </div>
  );
}

interface PlayerProps {
  readonly kind: "audio" | "video";
  readonly data: Uint8Array<ArrayBuffer>;
  readonly mime: string;
  readonly label: string;
  readonly onError: () => void;
}

export function Player({ kind, data, mime, label, onError }: PlayerProps): ReactNode {
  const load = useCallback(
    (element: HTMLMediaElement | null) => {
      if (element === null) return undefined;
      const url = URL.createObjectURL(new Blob([data], { type: mime }));
      element.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [data, mime],
  );
  const Element = kind;
  return (
    <Element
      ref={load}
      className={kind === "audio" ? "wide" : styles.image}
      controls
      onError={onError}
      aria-label={label}
    >
      {/* There are no captions for what a server returns. */}
      <track kind="captions" />
    </Element>
  );
}

function NotRead({ bare, error }: { readonly bare: boolean; readonly error: BackendError }): ReactNode {
  return <p className="bad">{bare ? NOT_READ : error.message}</p>;
}
