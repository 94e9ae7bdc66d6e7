import { expect, it, vi } from "vitest";

import { BackendError } from "../../ipc/backend";
import { fireEvent, screen } from "../../lib/render.test.helper";
import { appOn, renderIn } from "../../state/started.test.helper";
import { PdfBlock } from "./PdfBlock";

it("says why a document could not be read, and does not call it damaged", async () => {
  // jsdom has no workers; this one is never used.
  vi.stubGlobal(
    "Worker",
    class extends EventTarget {
      terminate(): void {}
    },
  );
  const app = appOn("empty");
  const message = "The result of this run is no longer kept.";
  app.backend.readBytes = () => Promise.reject(new BackendError({ code: "not_found", message }));
  renderIn(app, <PdfBlock source={{ type: "answer", operation: 1 }} bytes={10} />);
  fireEvent.click(screen.getByRole("button", { name: "Show pages" }));
  expect(await screen.findByText(message)).toBeTruthy();
});

it("leaves the focus on the button that turns the page until the page is drawn", async () => {
  vi.stubGlobal(
    "Worker",
    // Opens every document, and draws no page.
    class extends EventTarget {
      onmessage: ((event: { data: unknown }) => void) | null = null;
      postMessage({ id, name }: { id: number; name: string }): void {
        if (name === "open") queueMicrotask(() => this.onmessage?.({ data: { id, value: { pages: 3, title: null } } }));
      }
      terminate(): void {}
    },
  );
  const app = appOn("empty");
  app.backend.readBytes = () => Promise.resolve(new ArrayBuffer(1));
  renderIn(app, <PdfBlock source={{ type: "answer", operation: 1 }} bytes={10} />);
  fireEvent.click(screen.getByRole("button", { name: "Show pages" }));
  const next = await screen.findByRole("button", { name: "Next page" });
  next.focus();
  fireEvent.click(next);
  expect(document.activeElement).toBe(next);
  expect(screen.getByRole("status").textContent).toBe("Page 1 of 3: drawing…");
});
