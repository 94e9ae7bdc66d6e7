import { useState, type ReactNode } from "react";

import type { BackendError } from "../../ipc/backend";
import type { DocumentSource } from "../../ipc/bindings";
import { bytes as sizeText } from "../../lib/format";
import { useFetched, type Fetched } from "../../state/queries";
import { OnRequest, Picture, useBlob } from "./Picture";
import { SaveButton } from "./SaveButton";
import styles from "./media.module.css";

/** Error text for people who do not program, without technical words. */
const NOT_READ = "A part of the answer cannot be shown here.";
/** Bytes above which an image is shown on request only. */
const LARGE_IMAGE = 16 * 1024 * 1024;

/** Accessible description of media from a tool's result, a prompt, or a resource. */
const DESCRIPTION = "Returned by the server";

/** Loads the data of a content block once `wanted` is true; `null` before. */
function useData(source: DocumentSource, wanted: boolean): Fetched<Uint8Array<ArrayBuffer> | null> {
  return useFetched(JSON.stringify(source), `${wanted}`, async (backend) =>
    wanted ? new Uint8Array(await backend.readBytes(source)) : null,
  );
}

export interface MediaBlockProps {
  readonly source: DocumentSource;
  readonly mime: string;
  readonly bytes: number;
  /** Without size and save button. */
  readonly bare?: boolean;
}

/** An image in its natural size, or as wide as the pane. */
export function ImageBlock({ source, mime, bytes, bare = false }: MediaBlockProps): ReactNode {
  const [wanted, setWanted] = useState(bytes <= LARGE_IMAGE);
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const loaded = useData(source, wanted);
  return (
    <div className={bare ? styles.bare : "stack codeBox gapS2 padS2"}>
      {!wanted && <OnRequest what={`A large image (${sizeText(bytes)}).`} onWant={() => setWanted(true)} />}
      {loaded.state === "failed" && <NotRead bare={bare} error={loaded.error} />}
      {loaded.value && (
        <Picture
          data={loaded.value}
          mime={mime}
          alt={bare ? "The result" : DESCRIPTION}
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

const KIND_WORDS = {
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

/**
 * Plays sound or video if the web view can. The web view gets the data only after a click, as decoding foreign data is
 * a risk.
 */
export function Recording({ kind, source, mime, bytes, bare = false }: RecordingProps): ReactNode {
  const [wanted, setWanted] = useState(false);
  const [broken, setBroken] = useState(false);
  const playable = (kind === "audio" && mime === "") || document.createElement(kind).canPlayType(mime) !== "";
  const loaded = useData(source, wanted && playable);
  const words = KIND_WORDS[kind];
  return (
    <div className={bare ? styles.bare : "stack codeBox gapS2 padS2"}>
      {playable && !wanted && (
        <OnRequest what={`${words.what} (${sizeText(bytes)}).`} verb={words.verb} onWant={() => setWanted(true)} />
      )}
      {(!playable || broken) && <p>{playable ? words.broken : words.unsupported}</p>}
      {loaded.state === "failed" && <NotRead bare={bare} error={loaded.error} />}
      {loaded.value && !broken && (
        <Player
          kind={kind}
          data={loaded.value}
          mime={mime}
          label={bare ? "The result" : DESCRIPTION}
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
  const load = useBlob(data, mime);
  const Element = kind;
  return (
    <Element
      ref={load}
      className={kind === "audio" ? "wide" : styles.image}
      controls
      onError={onError}
      aria-label={label}
    >
      {/* Media from a server have no captions. */}
      <track kind="captions" />
    </Element>
  );
}

function NotRead({ bare, error }: { readonly bare: boolean; readonly error: BackendError }): ReactNode {
  return <p className="bad">{bare ? NOT_READ : error.message}</p>;
}
