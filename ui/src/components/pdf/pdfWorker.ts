/** Worker that reads and draws PDF documents, so that this can be terminated. */
// Imported first, before any code of the library runs.
import "./withoutNetwork";
// Older web views need the legacy build.
import * as core from "pdfjs-dist/legacy/build/pdf.worker.min.mjs";
import { getDocument, VerbosityLevel, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.min.mjs";

import { serveCalls } from "../../lib/workerCalls";
import { pageScale } from "./pageScale";

// The library would start its own worker, but uses this one if it exists.
Object.assign(globalThis, { pdfjsWorker: core });

/** Limit of the pixels of an image inside a document; larger ones are left out. */
const MOST_IMAGE_PIXELS = 16 * 1024 * 1024;

interface Pair {
  canvas: OffscreenCanvas | null;
  context: OffscreenCanvasRenderingContext2D | null;
}

/** Canvas factory that needs no DOM. */
class Canvases {
  create(width: number, height: number): Pair {
    const canvas = new OffscreenCanvas(width, height);
    return { canvas, context: canvas.getContext("2d") };
  }
  reset({ canvas }: Pair, width: number, height: number): void {
    if (canvas) Object.assign(canvas, { width, height });
  }
  getNoAlphaContext(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D | null {
    return canvas.getContext("2d", { alpha: false });
  }
  destroy(pair: Pair): void {
    this.reset(pair, 0, 0);
    pair.canvas = null;
    pair.context = null;
  }
}

/** Filter factory that filters nothing, as filters need a DOM. */
class Filters {
  readonly addFilter = none;
  readonly addHCMFilter = none;
  readonly addAlphaFilter = none;
  readonly addLuminosityFilter = none;
  readonly addHighlightHCMFilter = none;
  destroy(): void {
    // There is nothing to destroy.
  }
}

function none(): string {
  return "none";
}

let opened: PDFDocumentProxy | null = null;

const functions = {
  /** Opens a document. Returns its number of pages and its title. */
  async open(data: ArrayBuffer): Promise<{ readonly pages: number; readonly title: string | null }> {
    const options = {
      data: new Uint8Array(data),
      CanvasFactory: Canvases,
      FilterFactory: Filters,
      ownerDocument: { fonts: (self as unknown as { readonly fonts: unknown }).fonts, baseURI: self.location.href },
      // Nothing is fetched or compiled, and forms in the document are ignored.
      useWasm: false,
      useWorkerFetch: false,
      enableXfa: false,
      isImageDecoderSupported: false,
      maxImageSize: MOST_IMAGE_PIXELS,
      canvasMaxAreaInBytes: 4 * MOST_IMAGE_PIXELS,
      verbosity: VerbosityLevel.ERRORS,
    };
    opened = await getDocument(options as unknown as Parameters<typeof getDocument>[0]).promise;
    const { info } = await opened.getMetadata();
    const title = (info as { readonly Title?: unknown }).Title;
    return { pages: opened.numPages, title: typeof title === "string" && title !== "" ? title.slice(0, 200) : null };
  },
  /** Draws a page; the first one is 1. */
  async draw(number: number): Promise<ImageData> {
    if (opened === null) throw new Error("no document is open");
    const page = await opened.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: pageScale(width, height) });
    const canvas = new OffscreenCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
    const context = canvas.getContext("2d", { alpha: false });
    if (context === null) throw new Error("there is no canvas here");
    await page.render({
      canvas: canvas as unknown as HTMLCanvasElement,
      canvasContext: context as unknown as CanvasRenderingContext2D,
      viewport,
    }).promise;
    page.cleanup();
    return context.getImageData(0, 0, canvas.width, canvas.height);
  },
};

export type PdfFunctions = typeof functions;

serveCalls(functions);
