import { describe, expect, it } from "vitest";

import type { Presentation, PresentationStep } from "../../../ipc/bindings";
import { presentationStep as step } from "../../../state/testing/views";
import { brokenSteps, inputWords, problemWords, stepProblem, summary } from "./prepareWords";

const presentation = (...steps: PresentationStep[]): Presentation => ({
  imported: false,
  id: "presentation-1",
  title: "A tour",
  steps,
});
const input = (name: string, removed = false) => ({ id: name, name, removed });

describe("the words of a presentation", () => {
  it("say what is the matter with a step and what to do", () => {
    expect(stepProblem(step(), true)).toBeNull();
    // Without a list the problem is unknown.
    expect(stepProblem(step(), null)).toBeNull();
    expect(stepProblem(step(), false)?.title).toBe("“Demo server” no longer lists the tool “say_hello”.");
    const prompt = stepProblem(step({ method: "prompts/get", target: "greet" }), false);
    expect(prompt?.title).toBe("“Demo server” no longer lists the prompt “greet”.");
    expect(prompt?.advice).toBe("Remove the step, or add one with the prompt that took its place.");
    const gone = stepProblem(step({ server_removed: true }), false);
    expect([gone?.kind, gone?.title]).toEqual(["server_removed", "The server “Demo server” is no longer in the list."]);
    expect(stepProblem(step({ server_removed: true, server_name: "a\u202Eb" }), null)?.title).not.toContain("\u202E");
  });

  it("say why a step needs attention before it is opened", () => {
    const gone = step({ server_removed: true, inputs: [input("To the board", true), input("To Ada")] });
    expect(problemWords(gone, stepProblem(gone, null))).toBe(
      "The server “Demo server” is no longer in the list. Deleted: “To the board”.",
    );
    expect(problemWords(step(), null)).toBe("");
  });

  it("count saved inputs that are there", () => {
    expect(inputWords([])).toBe("");
    expect(inputWords([input("one"), input("two"), input("gone", true)])).toBe("2 saved inputs");
    expect(inputWords([input("gone", true)])).toBe("");
  });

  it("say what it shows, and how much of it is broken", () => {
    expect(summary(presentation())).toBe("No steps yet");
    expect(summary(presentation(step(), step()))).toBe("2 steps · Demo server");
    const four = ["a", "b", "c", "d"].map((server_name) => step({ server_name }));
    expect(summary(presentation(...four.slice(0, 3)))).toBe("3 steps · a, b, c");
    expect(summary(presentation(...four))).toBe("4 steps · a, b, 2 more servers");
    const broken = presentation(step(), step({ server_removed: true }), step({ inputs: [input("gone", true)] }));
    expect(brokenSteps(broken)).toBe(2);
  });
});
