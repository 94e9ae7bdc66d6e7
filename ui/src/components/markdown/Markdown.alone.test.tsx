import { beforeEach, expect, it, vi } from "vitest";

import { act, fireEvent, render, screen } from "../../lib/render.test.helper";
import { Markdown } from "./Markdown";
import { MarkdownBody } from "./MarkdownBody";
import { TIME_LIMIT } from "./parser";

/** A worker that renders every text in bold, and never finishes texts that begin with "slow". */
class Bold {
  onmessage: ((event: { data: unknown }) => void) | null = null;

  constructor() {
    setTimeout(() => this.onmessage?.({ data: "ready" }));
  }

  postMessage(text: string): void {
    const data = { ok: true, nodes: [{ tag: "strong", attributes: {}, children: [text] }] };
    if (!text.startsWith("slow")) setTimeout(() => this.onmessage?.({ data }));
  }

  terminate(): void {
    this.onmessage = null;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("Worker", Bold);
});
const texts = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name} ${at}`);
const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));

it("draws more texts at once than are kept", async () => {
  const { container } = render(texts("text", 120).map((text) => <Markdown key={text} text={text} />));
  await act(() => vi.dynamicImportSettled());
  await pass(1_000);
  expect([...container.querySelectorAll("strong")].map((bold) => bold.textContent)).toEqual(texts("text", 120));
});

it("shows what slow texts held back as text, and draws it when asked", async () => {
  await act(async () => {
    render([...texts("slow", 20), "held back"].map((text) => <MarkdownBody key={text} text={text} />));
  });
  for (let at = 0; at < 5; at++) await pass(TIME_LIMIT);
  expect(screen.getByText("held back").tagName).toBe("DIV");
  const asks = screen.getAllByRole("button", { name: "Show as Markdown" });
  await act(async () => {
    fireEvent.click(asks.at(-1) as HTMLElement);
  });
  await pass(1_000);
  expect(screen.getByText("held back").tagName).toBe("STRONG");
});
