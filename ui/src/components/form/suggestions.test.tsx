import { useState } from "react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { BackendError } from "../../ipc/backend";
import { act, fill, fireEvent, render, screen } from "../../lib/render.test.helper";
import { createDocument, toText } from "../../schema/document";
import { ArgumentsForm } from "./ArgumentsForm";
import { SuggestionContext, type Suggestions, type SuggestionSource } from "./suggestions";
import { SUGGEST_DELAY } from "./useSuggestions";

const schema = JSON.stringify({
  type: "object",
  properties: {
    harbour: { type: "string" },
    berth: { type: "string" },
    size: { type: "number" },
    message: { type: "string" },
  },
});

function Form({ source }: { readonly source: SuggestionSource | null }) {
  const [document, setDocument] = useState(() => createDocument(schema));
  return (
    <SuggestionContext value={source}>
      <ArgumentsForm idPrefix="f" value={document} onChange={setDocument} />
      <output>{toText(document)}</output>
    </SuggestionContext>
  );
}

interface Asked {
  readonly name: string;
  readonly typed: string;
  readonly answer: (found: Suggestions | Error | null) => Promise<void>;
}

/** A server whose answers the test controls. */
function server() {
  const asked: Asked[] = [];
  const cancel = vi.fn();
  const source: SuggestionSource = {
    cancel,
    ask: (name, typed) =>
      new Promise((resolve, reject) => {
        const answer = (found: Suggestions | Error | null): Promise<void> =>
          act(async () => {
            if (found instanceof Error) reject(found);
            else resolve(found);
            await Promise.resolve();
          });
        asked.push({ name, typed, answer });
      }),
  };
  return { asked, cancel, source };
}

const found = (...values: string[]): Suggestions => ({ values, total: null, hasMore: false });
const options = () => screen.queryAllByRole("option").map(({ textContent }) => textContent);
const type = (element: HTMLElement, value: string) => fill(element, value);
const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const sent = () => JSON.parse(document.querySelector("output")?.textContent ?? "") as unknown;

beforeEach(() => void vi.useFakeTimers());
describe("suggestions for a text field", () => {
  it("are asked for once the typing pauses, and picked by keyboard", async () => {
    const { asked, source } = server();
    render(<Form source={source} />);
    const field = screen.getByRole("combobox", { name: /harbour/ });
    type(field, "b");
    type(field, "be");
    await wait(SUGGEST_DELAY - 1);
    expect(asked).toHaveLength(0);
    await wait(1);
    expect(asked).toMatchObject([{ name: "harbour", typed: "be" }]);
    await asked[0]?.answer(found("Bergen", "Berlin"));
    expect(options()).toEqual(["Bergen", "Berlin"]);
    fireEvent.keyDown(field, { key: "ArrowDown" });
    fireEvent.keyDown(field, { key: "ArrowDown" });
    expect(field.getAttribute("aria-activedescendant")).toBe(screen.getAllByRole("option")[1]?.id);
    fireEvent.keyDown(field, { key: "Enter" });
    expect(sent()).toEqual({ harbour: "Berlin" });
    expect(options()).toEqual([]);
  });

  it("of what was overtaken are cancelled and never shown", async () => {
    const { asked, cancel, source } = server();
    render(<Form source={source} />);
    const field = screen.getByRole("combobox", { name: /harbour/ });
    type(field, "b");
    await wait(SUGGEST_DELAY);
    type(field, "br");
    expect(cancel).toHaveBeenCalledTimes(1);
    await asked[0]?.answer(found("old"));
    expect(options()).toEqual([]);
    await wait(SUGGEST_DELAY);
    await asked[1]?.answer({ values: ["Brest"], total: 7, hasMore: true });
    expect(options()).toEqual(["Brest"]);
    expect(screen.getByText("1 of 7 suggestions; type to find the others")).toBeTruthy();
    fireEvent.focusOut(field);
    expect(options()).toEqual([]);
  });

  it("that fail are a note, and typing goes on", async () => {
    const { asked, source } = server();
    render(<Form source={source} />);
    const field = screen.getByRole("combobox", { name: /berth/ });
    fireEvent.keyDown(field, { key: "ArrowDown" });
    expect(asked).toMatchObject([{ name: "berth", typed: "" }]);
    await asked[0]?.answer(
      new BackendError({ code: "no_completion", message: "No suggestions: the server is asleep." }),
    );
    expect(screen.getByText(/the server is asleep/)).toBeTruthy();
    type(field, "x");
    expect(sent()).toEqual({ berth: "x" });
    fireEvent.keyDown(field, { key: "Escape" });
    expect(screen.queryByText(/the server is asleep/)).toBeNull();
  });

  it("stand over the form, and close with Esc", async () => {
    const { asked, source } = server();
    const { container } = render(<Form source={source} />);
    const field = screen.getByRole("combobox", { name: /harbour/ });
    fireEvent.keyDown(field, { key: "ArrowDown" });
    // Nothing appears below the field while the server is asked.
    expect(container.querySelector("p[role=status]")).toBeNull();
    await asked[0]?.answer(found("Bergen"));
    const list = screen.getByRole("listbox");
    expect([list.id, "true"]).toEqual([field.getAttribute("aria-controls"), field.getAttribute("aria-expanded")]);
    expect(list.parentElement?.style.top).not.toBe("");
    expect(container.contains(list)).toBe(true);
    fireEvent.keyDown(field, { key: "Escape" });
    expect([screen.queryByRole("listbox"), field.getAttribute("aria-expanded")]).toEqual([null, "false"]);
  });

  it("are there for a name that sounds long, but not without a source", () => {
    const { rerender } = render(<Form source={server().source} />);
    expect(screen.getByRole("combobox", { name: /message/ })).toBeTruthy();
    rerender(<Form source={null} />);
    expect(screen.queryByRole("combobox")).toBeNull();
    expect(screen.getByLabelText(/^message/).tagName).toBe("TEXTAREA");
  });
});
