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
