import { useState } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { SuggestionContext, type SuggestionSource } from "../../components/form/suggestions";
import { SUGGEST_DELAY } from "../../components/form/useSuggestions";
import { act, fill, fireEvent, render, screen } from "../../lib/render.test.helper";
import { ListInput } from "./VariableInput";

const source: SuggestionSource = {
  ask: (name, typed) => Promise.resolve({ values: [`${name} of ${typed}`], total: null, hasMore: false }),
  cancel: () => undefined,
};

function Field({ from, first = "" }: { readonly from: SuggestionSource | null; readonly first?: string }) {
  const [value, setValue] = useState(first);
  return (
    <SuggestionContext value={from}>
      <ListInput label="kinds" value={value} onChange={setValue} hint={undefined} />
    </SuggestionContext>
  );
}

const lines = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "kinds" }).value;
const adding = () => screen.getByRole<HTMLInputElement>("combobox", { name: "Add a value to kinds" });
const type = (text: string) => fill(adding(), text);

beforeEach(() => void vi.useFakeTimers());
describe("a variable that takes several values", () => {
  it("gets what is picked from the suggestions as a line of its own", async () => {
    render(<Field from={source} first="first" />);
    type("h");
    await act(() => vi.advanceTimersByTimeAsync(SUGGEST_DELAY));
    fireEvent.click(screen.getByRole("option", { name: "kinds of h" }));
    expect(lines()).toBe("first\nkinds of h");
    expect(adding().value).toBe("");
    type("m");
    await act(() => vi.advanceTimersByTimeAsync(SUGGEST_DELAY));
    fireEvent.keyDown(adding(), { key: "ArrowDown" });
    fireEvent.keyDown(adding(), { key: "Enter" });
    expect(lines()).toBe("first\nkinds of h\nkinds of m");
  });

  it("loses nothing of what was typed and not picked", () => {
    render(<Field from={source} />);
    type("typed");
    fireEvent.keyDown(adding(), { key: "Enter" });
    expect(lines()).toBe("typed");
    type("left");
    fireEvent.focusOut(adding());
    expect(lines()).toBe("typed\nleft");
    fireEvent.focusOut(adding());
    expect(lines()).toBe("typed\nleft");
  });

  it("is a plain field where the server suggests nothing", () => {
    render(<Field from={null} />);
    expect(screen.queryByRole("combobox")).toBeNull();
  });
});
