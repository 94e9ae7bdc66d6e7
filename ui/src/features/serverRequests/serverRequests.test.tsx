import { expect, it } from "vitest";

import type { CommandName } from "../../ipc/backend";
import type { OpenServerRequest } from "../../ipc/bindings";
import { fakeBackend } from "../../ipc/fake";
import { finding } from "../../ipc/fake/finding";
import { act, fill, fireEvent, render, screen, waitFor, within } from "../../lib/render.test.helper";
import { presentationActions } from "../../state/presentations";
import { readSampling } from "../../state/sampling";
import { openDetails, started, renderIn } from "../../state/started.test.helper";
import { answering } from "../../state/testing/openApp";
import { SamplingContent } from "./SamplingContent";
import { ServerRequestCard } from "./ServerRequestCard";

/** Renders the requests of a scenario in a run, stacked. The host confirms an answer only once `taken` resolves. */
async function shown(scenario: string, taken: Promise<void> = Promise.resolve()) {
  const fake = fakeBackend(scenario);
  const backend = answering(fake, {
    answer_server_request: async (args) => {
      await fake.call("answer_server_request", args);
      await taken;
    },
  });
  const opened = await started(backend);
  const open = () => Object.keys(opened.live().serverRequests).map(Number);
  renderIn(
    opened.app,
    <div data-operation={1}>
      <button type="button" data-card-head="">
        The run
      </button>
      {open().map((request) => (
        <ServerRequestCard key={request} request={request} />
      ))}
    </div>,
  );
  return { ...opened, open, calls: (name: CommandName) => opened.named(name).length };
}

const buttons = (): Promise<HTMLButtonElement[]> => screen.findAllByRole<HTMLButtonElement>("button");
const isAnswer = ({ textContent: name }: HTMLElement): boolean =>
  /^(Send|Decline|Cancel|Accept|Reject|Open)/.test(name ?? "");

it.each(["serverRequests", "visit", "sampling"])(
  "answers nothing by the second click of a double click: %s",
  async (of) => {
    const { open, calls } = await shown(of);
    const answers = (await buttons()).filter(isAnswer);
    expect(answers.length).toBeGreaterThan(2);
    const before = open();
    for (const answer of answers) await act(async () => void fireEvent.click(answer, { detail: 2 }));
    expect(calls("answer_server_request") + calls("open_external")).toBe(0);
    expect(open()).toEqual(before);
  },
);

it("opens a page once, though it is clicked again before it has opened", async () => {
  const { calls } = await shown("visit");
  const [open] = await screen.findAllByRole("button", { name: "Open in the browser" });
  if (!open) throw new Error("there is one");
  await act(async () => {
    fireEvent.click(open, { detail: 1 });
    fireEvent.click(open, { detail: 1 });
  });
  expect(calls("open_external")).toBe(1);
  await waitFor(() => expect(calls("answer_server_request")).toBe(1));
});

it("shows what a conversation holds digit for digit", async () => {
  const input = '{"big":12345678901234567890,"far":1e400,"exact":1.0}';
  const content = [
    { type: "tool_use", id: "a", name: "add", input: 0 },
    { type: "tool_result", toolUseId: "a", content: [], structuredContent: 0 },
    { type: "chart", points: 0 },
  ];
  const params = JSON.stringify({ messages: [{ role: "user", content }] });
  const asked = readSampling(params.replaceAll(/(?<="(input|structuredContent|points)":)0/g, input));
  render(asked?.messages[0]?.content.map((block, at) => <SamplingContent key={at} block={block} />));
  for (const label of ["Arguments", "Structured content", "Content of another type"]) {
    const { textContent: shownText } = screen.getByRole("region", { name: label });
    for (const digits of ["12345678901234567890", "1e400", "1.0"]) expect(shownText, label).toContain(digits);
  }
});

it("counts the parts of a sampling request beyond the limits, says why none is shown, and rejects it for its first error", async () => {
  const { app, named } = await shown("sampling");
  const change = (part: Partial<OpenServerRequest>): void =>
    act(() =>
      app.store.setState(({ live }) => {
        const changed = Object.entries(live.serverRequests).map(([number, one]) => [number, { ...one, ...part }]);
        return { live: { ...live, serverRequests: Object.fromEntries(changed) } };
      }),
    );
  const many = <T,>(length: number, one: T): T[] => Array.from({ length }, () => one);
  const text = { type: "text", text: "a" };
  const results = { type: "tool_result", toolUseId: "t", content: many(52, text) };
  const messages = [{ role: "user", content: [results, ...many(202, text)] }];
  await screen.findByRole("group", { name: "Conversation" });
  change({ params: JSON.stringify({ messages, tools: many(201, { name: "t" }) }) });
  openDetails("201 tools");
  for (const rest of ["2 more blocks", "3 more blocks", "1 more tool"])
    screen.getByText(`${rest}: see the raw request.`);
  change({ params: '{"messages":[' });
  screen.getByText(/^The request is too long or too deeply nested/);
  const error = finding("sampling-messages", "There are no messages.");
  change({ params: "", findings: [{ ...error, severity: "warning", message: "A warning." }, error] });
  screen.getByText(/^The request has no parameters/);
  fireEvent.click(screen.getByRole("button", { name: "Reject as invalid" }));
  const answer = { type: "error", code: -32602, message: error.message };
  expect(named("answer_server_request")).toEqual([expect.objectContaining({ answer })]);
});

it("brings a tool use back that was removed", async () => {
  const { app } = await shown("sampling");
  fireEvent.click(await screen.findByRole("button", { name: "Add tool use" }));
  fill(screen.getByRole("textbox", { name: "Id" }), "call-7");
  fireEvent.click(screen.getByRole("button", { name: "Remove tool use 1" }));
  expect(screen.queryByRole("textbox", { name: "Id" })).toBeNull();
  expect(app.toasts.undoable()[0]?.title).toBe("Tool use 1 removed");
  act(() => void app.toasts.undoLast());
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: "Id" }).value).toBe("call-7");
});

it("has each id once where two runs show the same request", async () => {
  const { app, live } = await started(fakeBackend("serverRequests"));
  const open = Object.keys(live().serverRequests).map(Number);
  const cards = (run: number) =>
    open.map((request) => <ServerRequestCard key={`${run} ${request}`} request={request} />);
  renderIn(app, [1, 2].map(cards));
  expect((await screen.findAllByRole("tab", { name: "Form" })).length).toBeGreaterThan(1);
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

it("names who says what of a conversation below the heading of the request", async () => {
  await shown("sampling");
  const conversation = await screen.findByRole("group", { name: "Conversation" });
  const roles = within(conversation).getAllByRole("heading", { level: 4 });
  expect(roles.map(({ textContent }) => textContent)).toEqual(["User", "Assistant", "User"]);
});

/** Presses Ctrl+Enter at the focus; returns true if the window would still handle it. */
const runsTheTool = (): boolean =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "Enter", ctrlKey: true });

it("stays in the answer after it was saved, where Ctrl+Enter sends it", async () => {
  const { open, calls } = await shown("sampling");
  fill(await screen.findByRole("textbox", { name: "Text" }), "Hello.");
  fireEvent.click(await screen.findByRole("button", { name: "Save this answer…" }));
  fill(screen.getByRole("textbox", { name: "Save this answer as" }), "Usual");
  fireEvent.submit(screen.getByRole("form", { name: "Save this answer" }));
  const saved = await screen.findByRole("button", { name: "Delete the saved answer “Usual”" });
  const opener = screen.getByRole("button", { name: "Save this answer…" });
  expect(document.activeElement).toBe(opener);
  act(() => saved.focus());
  fireEvent.click(saved);
  expect(document.activeElement).toBe(opener);
  expect(calls("answer_server_request")).toBe(0);
  expect(runsTheTool()).toBe(false);
  expect(calls("answer_server_request")).toBe(1);
  await waitFor(() => expect(open()).toEqual([]));
});

it("runs no tool by Ctrl+Enter anywhere in a request", async () => {
  const { calls } = await shown("visit");
  for (const { parentElement: card } of await screen.findAllByRole("button", { name: "Open in the browser" })) {
    for (const at of card?.closest("[data-server-request]")?.querySelectorAll<HTMLElement>("button, [tabindex]") ??
      []) {
      act(() => at.focus());
      expect(runsTheTool()).toBe(false);
    }
  }
  expect(calls("answer_server_request") + calls("open_external")).toBe(0);
});

it("brings back what a saved answer took the place of: by the toast, and by Ctrl+Z in a field", async () => {
  const { app, offers, live } = await shown("sampling");
  const text = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Text" });
  const [server = ""] = Object.values(live().serverRequests).map((one) => one.server);
  const saved = { id: "", server, method: "sampling/createMessage", target: "response", name: "Usual", private: false };
  const said = JSON.stringify({ role: "assistant", content: { type: "text", text: "Saved." }, model: "m" });
  await act(async () => void (await app.actions.get(presentationActions).saveInput({ ...saved, arguments: said })));
  const list = await screen.findByRole<HTMLSelectElement>("combobox", { name: "Saved answers" });
  const pick = (): void => fill(list, list.options[1]?.value ?? "");
  const shownText = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Text" });
  // No text was typed, so none is lost.
  pick();
  expect(shownText().value).toBe("Saved.");
  expect(offers).toEqual([]);
  fill(text, "Typed at length.");
  pick();
  expect(shownText().value).toBe("Saved.");
  expect(offers.map(({ title }) => title)).toEqual(["Answer replaced by “Usual”"]);
  act(() => offers[0]?.undo());
  expect(shownText().value).toBe("Typed at length.");
  pick();
  expect(fireEvent.keyDown(shownText(), { key: "z", ctrlKey: true })).toBe(false);
  expect(shownText().value).toBe("Typed at length.");
  // The field itself undoes text typed since.
  pick();
  fill(shownText(), "Later.");
  expect(fireEvent.keyDown(shownText(), { key: "z", ctrlKey: true })).toBe(true);
  expect(shownText().value).toBe("Later.");
});

it("has the focus on the run once a request is answered, also where the request is gone before its answer is known to be taken", async () => {
  let take: () => void = () => undefined;
  const taken = new Promise<void>((resolve) => {
    take = resolve;
  });
  const { open } = await shown("sampling", taken);
  const text = await screen.findByRole("textbox", { name: "Text" });
  fill(text, "Hello.");
  act(() => text.focus());
  runsTheTool();
  await waitFor(() => expect(open()).toEqual([]));
  await waitFor(() => expect(screen.queryByRole("textbox", { name: "Text" })).toBeNull());
  expect(document.activeElement).toBe(document.body);
  await act(async () => take());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "The run" })));
});
