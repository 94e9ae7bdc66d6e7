import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";

import type { DocumentSource } from "../../ipc/bindings";
import { BackendError } from "../../ipc/backend";
import { bytes as sizeText, number } from "../../lib/format";
import { TooSlow, WorkerCalls } from "../../lib/workerCalls";
import { whileWanted } from "../../lib/whileWanted";
import { useBackend } from "../../state/hooks";
import { Button, IconButton } from "../Button";
import { SaveButton } from "../media/SaveButton";
import { VisibleText } from "../VisibleText";
import type { PdfFunctions } from "./pdfWorker";
import styles from "./pdf.module.css";

/** Bytes above which a document can only be saved. */
const LARGE_DOCUMENT = 32 * 1024 * 1024;
/** Milliseconds for opening a document, and for each page. A server can send one that takes forever. */
const TIME_LIMIT = 15_000;
const NOT_SHOWN =
  "This document cannot be shown here: it is damaged, has a password or takes too long. Save it to open it in a PDF viewer.";

/**
 * Shows a PDF document: its pages are drawn on request, one at a time, in a worker that is terminated when it takes too
 * long.
 */
export function PdfBlock({ source, bytes }: { readonly source: DocumentSource; readonly bytes: number }): ReactNode {
  const [wanted, setWanted] = useState(false);
  return (
    <div className="stack codeBox gapS2 padS2">
      <div className="wrap gapS1xS2">
        <span>
          A PDF document ({sizeText(bytes)}).
          {bytes > LARGE_DOCUMENT && " It is too large to be shown here. Save it to open it in a PDF viewer."}
        </span>
        {bytes <= LARGE_DOCUMENT && !wanted && (
          <Button small onClick={() => setWanted(true)}>
            Show pages
          </Button>
        )}
        <SaveButton source={source} />
      </div>
      {wanted && <Pages source={source} />}
    </div>
  );
}

interface Opened {
  readonly calls: WorkerCalls<PdfFunctions>;
  readonly pages: number;
  readonly title: string | null;
}

function Pages({ source }: { readonly source: DocumentSource }): ReactNode {
  const backend = useBackend();
  const key = JSON.stringify(source);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [page, setPage] = useState(1);
  // The page on the canvas, or the one that failed; the next page is requested only after it.
  const [settled, setSettled] = useState({ page: 0, drawn: true });
  const canvas = useRef<HTMLCanvasElement>(null);

  useEffect(() => {
    const calls = new WorkerCalls<PdfFunctions>(
      new Worker(new URL("./pdfWorker.ts", import.meta.url), { type: "module" }),
      TIME_LIMIT,
    );
    const giveUp = whileWanted(
      backend.readBytes(JSON.parse(key) as DocumentSource).then((data) => calls.call("open", [data], [data])),
      (found) => setOpened({ calls, ...found }),
      (thrown) => setFailed(thrown instanceof BackendError ? thrown.message : NOT_SHOWN),
    );
    return () => {
      giveUp();
      calls.close();
    };
  }, [backend, key]);

  useEffect(() => {
    if (opened === null) return undefined;
    return whileWanted(
      opened.calls.call("draw", [page]),
      (drawn) => {
        const shown = canvas.current;
        if (shown === null) return;
        shown.width = drawn.width;
        shown.height = drawn.height;
        shown.getContext("2d")?.putImageData(drawn, 0, 0);
        shown.dataset["page"] = String(page);
        setSettled({ page, drawn: true });
      },
      (error) => {
        // Other pages may work, unless the worker was terminated.
        if (error instanceof TooSlow) setFailed(NOT_SHOWN);
        else setSettled({ page, drawn: false });
      },
    );
  }, [opened, page]);

  if (failed !== null) return <p className="note">{failed}</p>;
  if (opened === null) return <p className="note">Reading…</p>;
  const busy = settled.page !== page;
  const words = `Page ${number(page)} of ${number(opened.pages)}`;
  return (
    <>
      <div className="wrap gapS1xS2">
        <IconButton
          small
          label="Previous page"
          icon={ChevronLeft}
          aria-disabled={page === 1 || busy}
          onClick={() => setPage(page - 1)}
        />
        <span role="status">
          {words}
          {busy ? ": drawing…" : !settled.drawn && ": cannot be drawn"}
        </span>
        <IconButton
          small
          label="Next page"
          icon={ChevronRight}
          aria-disabled={page === opened.pages || busy}
          onClick={() => setPage(page + 1)}
        />
        {opened.title !== null && (
          <span className="note">
            <VisibleText text={opened.title} />
          </span>
        )}
      </div>
      <canvas ref={canvas} className={styles.page} role="img" aria-label={words} hidden={busy || !settled.drawn} />
    </>
  );
}
