/** A picture that a web view can draw, read from its bytes; the media type that the server sent is ignored. */
export interface Picture {
  readonly type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/bmp";
  readonly width: number;
  readonly height: number;
}

/** Limit of the pixels of all pictures drawn without a click. One pixel takes 4 bytes. */
const SHARED_PIXELS = 20_000_000;

/** Reads format and size of a picture. `null` for every other format, SVG included: its cost is unknown. */
export function readPicture(bytes: Uint8Array): Picture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    for (const [type, read] of FORMATS) {
      const size = read(view);
      if (size === null) continue;
      const [width, height] = size;
      return width > 0 && height > 0 ? { type, width, height } : null;
    }
  } catch (error) {
    // The data ends within the header.
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

type Size = readonly [width: number, height: number];
type Reader = (view: DataView) => Size | null;

const FORMATS: readonly (readonly [Picture["type"], Reader])[] = [
  ["image/png", png],
  ["image/jpeg", jpeg],
  ["image/gif", gif],
  ["image/webp", webp],
  ["image/bmp", bmp],
];

function begins(view: DataView, at: number, letters: string): boolean {
  return (
    view.byteLength >= at + letters.length &&
    [...letters].every((letter, index) => view.getUint8(at + index) === letter.charCodeAt(0))
  );
}

function png(view: DataView): Size | null {
  if (!begins(view, 0, "\x89PNG\r\n\x1a\n") || !begins(view, 12, "IHDR")) return null;
  return [view.getUint32(16), view.getUint32(20)];
}

/** Reads the size from the first frame header (ITU T.81, B.2.2). */
function jpeg(view: DataView): Size | null {
  if (!begins(view, 0, "\xff\xd8")) return null;
  for (let at = 2; view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    // Markers without a length: decoders search for the next marker, which may be another frame header.
    if (marker < 0xc0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xda)) return null;
  }
  return null;
}

/** Reads the size of the canvas, or of the first frame if that is larger. */
function gif(view: DataView): Size | null {
  if (!begins(view, 0, "GIF8")) return null;
  const flags = view.getUint8(10);
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  while (view.getUint8(at) === 0x21) {
    at += 2;
    while (view.getUint8(at) > 0) at += 1 + view.getUint8(at);
    at += 1;
  }
  if (view.getUint8(at) !== 0x2c) return null;
  const side = (canvas: number, offset: number, length: number): number =>
    Math.max(view.getUint16(canvas, true), view.getUint16(offset, true) + view.getUint16(length, true));
  return [side(6, at + 1, at + 5), side(8, at + 3, at + 7)];
}

/** Reads the size of a WebP of any kind (RFC 9649, 2.5 to 2.7). */
function webp(view: DataView): Size | null {
  if (!begins(view, 0, "RIFF") || !begins(view, 8, "WEBP")) return null;
  if (begins(view, 12, "VP8 ")) return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
  if (begins(view, 12, "VP8L")) {
    const bits = view.getUint32(21, true);
    return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
  }
  if (!begins(view, 12, "VP8X")) return null;
  const side = (at: number): number => (view.getUint16(at, true) | (view.getUint8(at + 2) << 16)) + 1;
  return [side(24), side(27)];
}

function bmp(view: DataView): Size | null {
  // Shorter headers are of OS/2 bitmaps.
  if (!begins(view, 0, "BM") || view.getUint32(14, true) < 40) return null;
  return [Math.abs(view.getInt32(18, true)), Math.abs(view.getInt32(22, true))];
}

/** Counts the pixels of all pictures that are drawn without a click. */
export class PixelBudget {
  private used = 0;

  constructor(private readonly limit = SHARED_PIXELS) {}

  /** Reserves the pixels of a picture. Returns the function that releases them, or `null` if too few are left. */
  take({ width, height }: Picture): (() => void) | null {
    const pixels = width * height;
    if (this.used + pixels > this.limit) return null;
    this.used += pixels;
    let taken = true;
    return () => {
      if (taken) this.used -= pixels;
      taken = false;
    };
  }
}
