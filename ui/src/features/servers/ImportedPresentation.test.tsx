import { expect, it, vi } from "vitest";

import type { PresentationPreview } from "../../ipc/bindings";
import { fireEvent, render, screen } from "../../lib/render.test.helper";
import { ImportedPresentation } from "./ImportedPresentation";

const long = "x".repeat(5_000);
const step = { title: "Ships", server: "Harbour", method: "tools/call", target: "list_ships" };
const presentation = (same_title: string | null): PresentationPreview => ({
  title: "A tour",
  same_title,
  steps: [
    {
      ...step,
      notes: "Wait for the laugh.\u202E",
      inputs: [
        {
          name: "All",
          values: [
            { name: "kind", text: "a\u202Eb" },
            { name: "kind", text: long },
          ],
        },
      ],
    },
    { ...step, title: "Elsewhere", server: "nowhere", inputs: [], notes: "" },
  ],
});

it("shows every value whole, with marks for what cannot be seen, and the servers that are missing", () => {
  const servers = ["Harbour"];
  render(
    <ImportedPresentation
      presentation={presentation(null)}
      servers={servers}
      replacing={false}
      onReplace={() => undefined}
    />,
  );
  const values = screen.getByRole("group", { name: "Values of All" });
  expect(values.textContent).toBe(`kinda⟨U+202E⟩bkind${long}`);
  expect(screen.getAllByRole("group", { name: /^Speaker's notes/ }).map((each) => each.textContent)).toEqual([
    "Wait for the laugh.⟨U+202E⟩",
  ]);
  expect(screen.getAllByText(/is not in the file/)).toHaveLength(1);
  expect(screen.queryByRole("radio")).toBeNull();
});

it("keeps both of the same title until the other is chosen", () => {
  const onReplace = vi.fn();
  const servers = ["Harbour", "nowhere"];
  render(
    <ImportedPresentation
      presentation={presentation("one")}
      servers={servers}
      replacing={false}
      onReplace={onReplace}
    />,
  );
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Keep both" }).checked).toBe(true);
  fireEvent.click(screen.getByRole("radio", { name: "Replace it" }));
  expect(onReplace).toHaveBeenCalledWith(true);
});
