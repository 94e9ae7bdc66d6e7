import { describe, expect, it } from "vitest";

import { GivePresentation } from "../features/presentation/give/GivePresentation";
import { ConfirmProgram } from "../features/servers/ConfirmCommand";
import type { CommandArgs } from "../ipc/backend";
import { fakeBackend } from "../ipc/fake";
import { act, cleanup, fill, fireEvent, screen, waitFor } from "../lib/render.test.helper";
import type { App } from "../state/app";
import { useAppState } from "../state/hooks";
import { presentationActions } from "../state/presentations";
import { renderIn, started } from "../state/started.test.helper";
import { answering } from "../state/testing/openApp";
import { runsSlice } from "../state/slices/runs";
import { sliceOf } from "../state/slices/slice";
import { givingKeys } from "./givingRows";
import { useShortcuts } from "./useShortcuts";

function Given() {
  useShortcuts();
  const giving = useAppState(({ view }) => view.giving !== null);
  return giving ? (
    <GivePresentation confirm={(server) => <ConfirmProgram server={server} />} keys={givingKeys} />
  ) : (
    <p>Left</p>
  );
}

/** Renders the presentation of a scenario from a step on, counted from 0. */
async function given(scenario: string, step = 0, backend = fakeBackend(scenario)): Promise<App> {
  const { app } = await started(backend);
  act(() => app.actions.get(presentationActions).givePresentation(null, step));
  renderIn(app, <Given />);
  return app;
}

const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>("button", { name });
const at = () => document.activeElement as HTMLElement;
const key = (name: string, more: object = {}) => fireEvent.keyDown(at(), { key: name, ...more });
const focused = (name: string) => waitFor(() => expect(at().textContent).toBe(name));
const runs = (app: App) => Object.keys(app.store.getState().live.operations).length;
const step = (app: App) => app.store.getState().view.giving?.step;

/** Presses the focused element, like the Enter key. */
const enter = () => fireEvent.click(at());

/** Presses the button of this name once it has the focus. */
async function press(name: string): Promise<void> {
  await focused(name);
  enter();
}

describe("giving a presentation by keyboard", () => {
  it("has the focus on what comes next: run, stop, run again or the next step", async () => {
    await given("presentation", 1);
    await press("Run");
    await press("Stop");
    // Even before the run has stopped, the next step follows.
    await screen.findByText("Stopping… You can go on meanwhile.");
    expect(screen.queryByRole("progressbar")).toBeNull();
    await focused("Next");
    await button("Try again");
    expect(at().textContent).toBe("Next");
    cleanup();
    await given("presentation", 0);
    await press("Run");
    await focused("Next");
  });

  it("lets an answer be typed at once, and no letter of it is a shortcut", async () => {
    const app = await given("presentation", 2);
    await press("Run");
    await waitFor(() => expect(at().tagName).toBe("INPUT"));
    // A checkbox takes no typed text, but counts as a field.
    const box = document.createElement("input");
    box.type = "checkbox";
    document.querySelector("main")?.append(box);
    fireEvent.keyDown(box, { key: "n" });
    for (const letter of ["n", "o", "ArrowRight", "?"]) key(letter);
    expect(app.store.getState().view.giving).toMatchObject({ notes: false, open: null, step: 2 });
    // A remote control moves on regardless of the focus.
    key("PageDown");
    expect(step(app)).toBe(3);
  });

  it("brings back what was typed before a saved input was chosen", async () => {
    const app = await given("presentation", 0);
    const field = await screen.findByLabelText<HTMLInputElement>(/Your name/);
    fill(field, "Eve");
    const loudly = await button("Loudly");
    act(() => loudly.focus());
    fireEvent.click(loudly);
    const name = () => screen.getByLabelText<HTMLInputElement>(/Your name/).value;
    expect(name()).not.toBe("Eve");
    key("z", { ctrlKey: true });
    expect(name()).toBe("Eve");
    expect(app.store.getState().view.giving?.step).toBe(0);
  });

  it("leaves the focus in a field that is being filled in", async () => {
    const app = await given("presentation", 0);
    const field = await screen.findByLabelText(/Your name/);
    act(() => field.focus());
    act(() => app.actions.get(presentationActions).give({ type: "notes", shown: true }));
    expect(at()).toBe(field);
    key("ArrowRight");
    expect(step(app)).toBe(0);
    key("Escape");
    expect(at().tagName).toBe("MAIN");
    key("ArrowRight");
    expect(step(app)).toBe(1);
  });

  it("lets Enter mean what is marked again after a button of the bar above", async () => {
    const app = await given("presentation", 0);
    await focused("Run");
    for (const name of ["Larger type", "Smaller type", "Dark background", "Notes", "Keys"]) {
      const pressed = await button(name);
      act(() => pressed.focus());
      enter();
      await focused("Run");
    }
    const notes = await button("Notes");
    act(() => notes.focus());
    key("PageDown");
    expect(step(app)).toBe(1);
    await press("Run");
    await focused("Stop");
  });

  it("stops a run by Escape though the notes are on show", async () => {
    const app = await given("presentation", 1);
    await press("Run");
    await focused("Stop");
    act(() => app.actions.get(presentationActions).give({ type: "notes", shown: true }));
    key("Escape");
    await button("Try again");
    expect(app.store.getState().view.giving).toMatchObject({ notes: true, open: null });
  });

  it("says on the buttons of the bar above what they do, with nothing that opens over the step", async () => {
    await given("presentation", 0);
    await focused("Run");
    const bar = [...document.querySelectorAll<HTMLElement>("header button")];
    const words = bar.map((each) => each.textContent);
    expect(words.join()).toBe("Keys,Full screen,Smaller,Larger,Dark,Notes,All steps,Start over,Leave");
    for (const each of bar) {
      expect(each.getAttribute("aria-label")).toMatch(new RegExp(`^${each.textContent}`));
      act(() => each.focus());
      fireEvent.mouseEnter(each);
      fireEvent.mouseMove(each);
    }
    await act(() => new Promise((next) => requestAnimationFrame(next)));
    expect(document.querySelector("[data-base-ui-portal]")).toBeNull();
    expect(document.querySelector("header :is([title], [data-tip])")).toBeNull();
  });

  it("sends an answer by Enter in the last field of a question", async () => {
    const app = await given("presentation", 2);
    await press("Run");
    await waitFor(() => expect(at().tagName).toBe("INPUT"));
    const asked = () => screen.queryByRole("button", { name: "No answer" });
    expect(asked()).not.toBeNull();
    // Pressing a button in between returns the focus to the field.
    const larger = await button("Larger type");
    act(() => larger.focus());
    enter();
    expect(at().tagName).toBe("INPUT");
    fill(at(), "Aurora");
    const fields = document.querySelectorAll<HTMLElement>("[data-question] :is(input:not([type]), input[type=text])");
    act(() => fields[fields.length - 1]?.focus());
    key("Enter", { shiftKey: true });
    expect(asked()).not.toBeNull();
    key("Enter");
    await waitFor(() => expect(asked()).toBeNull());
    expect(step(app)).toBe(2);
  });

  it("presses what comes next by Enter after a click on an empty place", async () => {
    const app = await given("presentation", 0);
    await focused("Run");
    at().blur();
    expect(key("Enter")).toBe(false);
    await focused("Next");
    expect(runs(app)).toBe(1);
    fireEvent.keyDown(screen.getByRole("main"), { key: "Enter", repeat: true });
    expect(step(app)).toBe(0);
    fireEvent.keyDown(screen.getByRole("main"), { key: "Enter" });
    expect(step(app)).toBe(1);
  });

  it("runs a step by Enter in the last field to type in", async () => {
    const app = await given("presentation", 0);
    await focused("Run");
    const fields = document.querySelectorAll<HTMLElement>("main :is(input:not([type]), input[type=text])");
    act(() => fields[fields.length - 1]?.focus());
    key("Enter", { shiftKey: true });
    expect(runs(app)).toBe(0);
    expect(key("Enter")).toBe(false);
    await waitFor(() => expect(runs(app)).toBe(1));
  });

  it("does not act again for a key that is held down", async () => {
    await given("presentation", 0);
    await focused("Run");
    expect(key("Enter")).toBe(true);
    expect(key("Enter", { repeat: true })).toBe(false);
  });
});

describe("the result of a step", () => {
  it("comes with the outcome: until it can be drawn, what goes on stays on show", async () => {
    const backend = fakeBackend("presentation");
    let resolve = (): void => undefined;
    const fetched = new Promise<void>((done) => (resolve = done));
    const operation = (args: CommandArgs<"operation">) => fetched.then(() => backend.call("operation", args));
    const app = await given("presentation", 5, answering(backend, { operation }));
    await focused("Run");
    // The result is too long for the event that reports the end of the run.
    fireEvent.click(await button("Three days"));
    fireEvent.click(await button("Run"));
    const finished = () =>
      Object.values(app.store.getState().live.operations).some(({ state }) => state === "finished");
    await waitFor(() => expect(finished()).toBe(true));
    await screen.findByText("Working on it…");
    expect((await button("Stop")).disabled).toBe(true);
    expect((await button("Next")).hasAttribute("data-next")).toBe(false);
    act(() => resolve());
    await screen.findByRole("img", { name: /^Waves by hour/ });
    expect(screen.queryByText("Working on it…")).toBeNull();
    await focused("Next");
  });
});

describe("choosing a presentation", () => {
  const titles = () => screen.getAllByRole("listitem").map((each) => each.textContent);

  it("begins at the one that was given last, and says where it goes on", async () => {
    const app = await given("presentations");
    const begins = async () => fireEvent.click(await button("Begin anyway"));
    const [tour, harbour, empty] = screen.getAllByRole("button", { name: /steps?$/ });
    // No presentation was given yet.
    expect(at()).toBe(tour);
    // An arrow key moves on if there is another presentation.
    key("ArrowUp");
    expect(at()).toBe(tour);
    key("End");
    expect(at()).toBe(empty);
    key("Home");
    expect(at()).toBe(tour);
    key("ArrowDown");
    expect(at()).toBe(harbour);
    enter();
    await begins();
    await screen.findByRole("heading", { name: "Good morning" });
    key("PageDown");
    key("PageDown");
    key("Escape");
    await screen.findByText("Left");
    act(() => app.actions.get(presentationActions).givePresentation());
    await waitFor(() => expect(at().textContent).toContain("For the harbour board"));
    expect(titles()[1]).toMatch(/3 steps, continues at step 3; given last$/);
    // A presentation left at its end names no step.
    enter();
    await waitFor(() => expect(step(app)).toBe(2));
    for (const name of ["End", "PageDown", "Escape"]) key(name);
    await screen.findByText("Left");
    act(() => app.actions.get(presentationActions).givePresentation());
    await waitFor(() => expect(titles()[1]).toMatch(/3 steps; given last$/));
    key("Escape");
    await screen.findByText("Left");
  });

  it("has the focus on the one that was left last, not on the first", async () => {
    const app = await given("presentations");
    fireEvent.click(await button(/^Empty/));
    await screen.findByRole("heading", { name: "There is nothing to show" });
    key("Escape");
    act(() => app.actions.get(presentationActions).givePresentation());
    await waitFor(() => expect(at().textContent).toContain("Empty"));
    expect(titles().join()).not.toContain("begun");
  });
});

describe("giving a presentation by pointer", () => {
  it("starts one run however often it is pressed", async () => {
    const app = await given("presentation", 0);
    const run = await button("Run");
    await waitFor(() => expect(run.disabled).toBe(false));
    const before = runs(app);
    for (let times = 0; times < 3; times++) fireEvent.click(run, { detail: 1 });
    await button("Run again");
    expect(runs(app)).toBe(before + 1);
  });
});

describe("a presentation from somebody else", () => {
  it("runs what deletes something only after a question, and says what advice fits the last step", async () => {
    const app = await given("presentation_imported", 1);
    await screen.findByRole("heading", { name: "Wipe the logbook" });
    await focused("Run");
    const before = runs(app);
    enter();
    await screen.findByText("This changes or deletes something. Run it?");
    await focused("Do not run");
    key("Enter", { ctrlKey: true });
    enter();
    await focused("Run");
    key("Enter", { ctrlKey: true });
    await focused("Do not run");
    // Enter on an empty place answers nothing.
    act(() => at().blur());
    key("Enter");
    expect(at().closest("[role=alertdialog]")).not.toBeNull();
    expect(runs(app)).toBe(before);
    fireEvent.click(await button("Run it"));
    await focused("Next");
    expect(runs(app)).toBe(before + 1);
    enter();
    await press("Run");
    await focused("Try again");
    expect(document.body.textContent).not.toContain("next step");
  });
});

describe("the check before a presentation", () => {
  const needed = async (name: string) => (await screen.findByText(name, { selector: "strong" })).closest("li");
  const title = (name: string) => screen.findByRole("heading", { level: 1, name });

  it("connects what needs no word, and begins when the presenter says so", async () => {
    await given("presentation_idle");
    await title("Before you begin");
    await focused("Begin");
    await waitFor(async () => expect((await needed("Demo server"))?.textContent).toContain("Connected"));
    await title("Ready to begin");
    enter();
    await title("Say hello");
    await focused("Run");
  });

  it("asks there whether a program may be started, and no key that was meant to begin answers", async () => {
    const app = await given("presentation_troubles");
    const files = await needed("Files");
    expect(files?.textContent).toContain("Step 3");
    expect(files?.textContent).toContain("Needs your confirmation");
    await button("Start this program");
    expect(at().tagName).toBe("MAIN");
    fireEvent.click(await button("Start this program"));
    await waitFor(() => expect(files?.textContent).toContain("Connected"));
    await focused("Begin");
    key("PageDown");
    await title("Run aground");
    expect(step(app)).toBe(0);
  });

  it("says which steps have no server, and begins all the same", async () => {
    const app = await given("presentations");
    fireEvent.click(await button(/^For the harbour board/));
    const office = await needed("Harbour office");
    expect(office?.textContent).toContain("Step 2 has no server: “Harbour office” was removed.");
    fireEvent.click(await button("Begin anyway"));
    await title("Good morning");
    // At a step no command is shown, as the audience is looking.
    act(() => app.actions.get(presentationActions).give({ type: "go", to: 2 }));
    await screen.findByText("“Files” waits for your confirmation.");
    expect(document.body.textContent).not.toContain("Environment");
    fireEvent.click(await button("Look at it"));
    await button("Start this program");
    await button("Go on anyway");
  });
});

describe("a connection that is lost during a step", () => {
  it("is said once, and one press connects and runs the step again", async () => {
    const app = await given("presentation_troubles", 1);
    fireEvent.click(await button("Go on anyway"));
    await press("Run");
    fireEvent.click(await button("Run it"));
    await screen.findByText("The connection to “Demo server” was lost.");
    expect(screen.queryByText(/could not connect|before the answer came/)).toBeNull();
    const before = runs(app);
    await press("Connect and run again");
    // The step deletes something, so it asks again.
    fireEvent.click(await button("Run it"));
    await waitFor(() => expect(runs(app)).toBe(before + 1));
  });
});

describe("a step of a prompt or a resource", () => {
  it("gets the prompt with its prepared arguments, which can be changed", async () => {
    const app = await given("presentation_kinds", 0);
    const harbour = await screen.findByLabelText<HTMLInputElement>(/Harbour/);
    expect(harbour.value).toBe("Bergen");
    await press("Run");
    await screen.findByText(/berth Skolten/);
    expect(screen.getByRole("heading", { level: 2, name: "Assistant" })).toBeTruthy();
    const [run] = Object.values(app.store.getState().live.operations);
    expect(run).toMatchObject({ method: "prompts/get", target: "berth_request" });
    // A required value is asked for before sending.
    fireEvent.click(await button("Change"));
    fill(await screen.findByLabelText(/Harbour/), "");
    fireEvent.click(await button("Run"));
    await button("Run anyway");
    expect(runs(app)).toBe(1);
  });

  it("reads the resource by its URI, listed or not", async () => {
    await given("presentation_kinds", 1);
    await screen.findByText("There is nothing to fill in.");
    await press("Run");
    await screen.findByText("lit");
    cleanup();
    await given("presentation_kinds", 3);
    expect(await screen.findByRole("heading", { level: 1, name: "Brest" })).toBeTruthy();
    await press("Run");
    await screen.findByText("04:10");
  });

  it("says that a prompt is no longer there once the list was read", async () => {
    await given("presentation_kinds", 2);
    await screen.findByText("This step is no longer there. Go on with the next one.");
    expect((await button("Run")).disabled).toBe(true);
  });

  it("is not listed beside another tool of the window", async () => {
    const app = await given("presentation", 0);
    await press("Run");
    await focused("Next");
    const { live, view } = app.store.getState();
    const [run] = Object.values(live.operations);
    const runs = sliceOf(view.perServer[run?.server ?? ""], runsSlice);
    expect(runs).toMatchObject({ selected: run?.operation, also: null });
  });
});
