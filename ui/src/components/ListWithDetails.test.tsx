import { useState } from "react";
import { beforeEach, describe, expect, it } from "vitest";

import { cleanup, fill, fireEvent, screen, within } from "../lib/render.test.helper";
import { appOn, renderIn } from "../state/started.test.helper";
import { DetailPane, FilterBar, ListWithDetails } from "./ListWithDetails";

function Pane() {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  return (
    <ListWithDetails
      label="Berths"
      name="berths"
      detail="berth"
      below={{ standard: 50, least: 100, leastRest: 100 }}
      isOpen={open}
      head={
        <FilterBar of="berths" value={text} onChange={setText} hits={undefined}>
          <button>Other</button>
        </FilterBar>
      }
      list={
        <div role="listbox" tabIndex={0} onClick={() => setOpen(true)}>
          Rows
        </div>
      }
      details={
        open && (
          <DetailPane label="Berth 1" title="Berth 1" onClose={() => setOpen(false)}>
            <button>Inside</button>
          </DetailPane>
        )
      }
    />
  );
}

const list = () => screen.getByRole("listbox");
const search = () => screen.getByRole("searchbox", { name: "Search the berths (Ctrl+F)" });
const details = () => screen.queryByRole("complementary", { name: "Berth 1" });

beforeEach(() => void renderIn(appOn("connected"), <Pane />));

describe("a list with details", () => {
  it.each([
    ["Esc", () => fireEvent.keyDown(screen.getByRole("button", { name: "Inside" }), { key: "Escape" })],
    ["the button", () => fireEvent.click(screen.getByRole("button", { name: "Close" }))],
  ])("closes the details by %s and gives the focus to the list", (_, close) => {
    fireEvent.click(list());
    screen.getByRole("button", { name: "Inside" }).focus();
    close();
    expect(details()).toBeNull();
    expect(document.activeElement).toBe(list());
  });

  it("is searched from anywhere in the window", () => {
    fireEvent.keyDown(document.body, { key: "f", ctrlKey: true });
    expect(document.activeElement).toBe(search());
    fill(search(), "north");
    expect(search()).toHaveProperty("value", "north");
  });

  it("has the focus in its search after the text is cleared", () => {
    fill(search(), "north");
    const clear = screen.getByRole("button", { name: "Clear" });
    clear.focus();
    fireEvent.click(clear);
    expect(search()).toHaveProperty("value", "");
    expect(document.activeElement).toBe(search());
  });

  it.each(["ArrowDown", "Enter"])("is entered from its search by %s", (key) => {
    search().focus();
    fireEvent.keyDown(search(), { key });
    expect(document.activeElement).toBe(list());
  });

  it("is searched on the selected one of two sides", () => {
    cleanup();
    const side = (name: string) => (
      <section key={name} data-side={name} aria-label={name}>
        <Pane />
      </section>
    );
    renderIn(appOn("connected"), [side("other"), side("selected")]);
    fireEvent.keyDown(document.body, { key: "f", ctrlKey: true });
    const selected = screen.getByRole("region", { name: "selected" });
    expect(document.activeElement).toBe(within(selected).getByRole("searchbox"));
  });
});
