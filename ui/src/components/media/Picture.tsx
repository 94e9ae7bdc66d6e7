import { useCallback, useMemo, useState, type CSSProperties, type ReactNode, type RefCallback } from "react";

import { bytes as sizeText } from "../../lib/format";
import { PixelBudget, readPicture, type Picture as PictureHead } from "../../lib/pictures";
import { Button } from "../Button";
import { Code } from "../Code";
import styles from "./media.module.css";

/** Budget shared by the whole page. */
const budget = new PixelBudget();

/** Limit of a shown SVG source, in characters. */
const LONGEST_SOURCE = 20_000;

export interface PictureProps {
  readonly data: Uint8Array<ArrayBuffer>;
  /** Type sent by the server; used if the bytes do not tell. */
  readonly mime: string;
  readonly alt: string;
  readonly className: string | undefined;
  /** Without the source, for an audience. */
  readonly bare?: boolean;
  /** Called with the size once it is drawn. */
  readonly onSize?: (size: { readonly width: number; readonly height: number }) => void;
}

/**
 * Shows a picture from a server. It is drawn without a click if its pixels are known and few; everything else, SVG
 * included, could take all memory or time of the page and waits for a click.
 */
export function Picture({ data, mime, alt, className, bare = false, onSize }: PictureProps): ReactNode {
  const picture = useMemo(() => readPicture(data), [data]);
  const [pressed, setPressed] = useState(false);
  const [fits, setFits] = useState(false);
  const [width, setWidth] = useState(0);
  const [broken, setBroken] = useState(false);
  const share = useCallback(() => {
    const giveBack = picture && budget.take(picture);
    setFits(giveBack !== null);
    return () => giveBack?.();
  }, [picture]);
  const load = useBlob(data, picture?.type ?? mime);
  const isSvg = picture === null && /svg/i.test(mime);
  return (
    <div ref={share} className={styles.picture}>
      {broken ? (
        <p className="bad">This image cannot be shown: the data is damaged or the format is not supported.</p>
      ) : fits || pressed ? (
        <img
          ref={load}
          className={className}
          style={{ "--natural": width } as CSSProperties}
          alt={alt}
          onLoad={({ currentTarget }) => {
            setWidth(currentTarget.naturalWidth);
            onSize?.({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight });
          }}
          onError={() => setBroken(true)}
        />
      ) : (
        <>
          <OnRequest what={words(picture, isSvg, data.length)} onWant={() => setPressed(true)} />
          {isSvg && !bare && <Code label="Source" text={new TextDecoder().decode(data).slice(0, LONGEST_SOURCE)} />}
        </>
      )}
    </div>
  );
}

function words(picture: PictureHead | null, isSvg: boolean, bytes: number): string {
  if (picture !== null) return `A large image (${picture.width} × ${picture.height} px, ${sizeText(bytes)}).`;
  return isSvg ? "An SVG image. Drawing it can take long." : `An image of unknown size (${sizeText(bytes)}).`;
}

/** Returns a ref for an element that shows data. */
export function useBlob(data: Uint8Array<ArrayBuffer>, type: string): RefCallback<HTMLImageElement | HTMLMediaElement> {
  return useCallback(
    (element: HTMLImageElement | HTMLMediaElement) => {
      const url = URL.createObjectURL(new Blob([data], { type }));
      element.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [data, type],
  );
}

interface OnRequestProps {
  readonly what: string;
  readonly verb?: "Show" | "Play";
  readonly onWant: () => void;
}

/** Placeholder of content that waits for a click. */
export function OnRequest({ what, verb = "Show", onWant }: OnRequestProps): ReactNode {
  return (
    <p>
      {what}{" "}
      <Button small onClick={onWant}>
        {verb} it
      </Button>
    </p>
  );
}
