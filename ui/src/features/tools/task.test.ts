import { expect, it } from "vitest";

import { taskInput, taskOf, taskProblem, taskText } from "./task";

const typed = (seconds: string, wanted = true) => ({ wanted, seconds });

it("runs a tool as a task where it has to or where that was chosen", () => {
  expect(taskInput("forbidden", typed("5"))).toBeNull();
  expect(taskInput("optional", typed("5", false))).toBeNull();
  expect(taskInput("optional", typed(" 1.5 "))).toEqual({ ttl: 1500 });
  expect(taskInput("required", typed("", false))).toEqual({ ttl: null });
});

it("says what is wrong with the time, where it counts", () => {
  for (const seconds of ["x", "0", "-1", "1e300", "Infinity"]) {
    expect(taskProblem("required", typed(seconds)), seconds).toMatch(/^Enter a number/);
    expect(taskInput("required", typed(seconds))).toEqual({ ttl: null });
    expect(taskProblem("optional", typed(seconds, false))).toBeUndefined();
  }
  expect(taskProblem("required", typed(""))).toBeUndefined();
});

it("is kept as a text, and is not chosen where the text is none of ours", () => {
  for (const choice of [typed(""), typed("600"), typed("x", false)]) expect(taskOf(taskText(choice))).toEqual(choice);
  expect(taskText(typed("", false))).toBe("");
  for (const text of ["", "{", "1", '{"wanted":1,"seconds":2}']) expect(taskOf(text)).toEqual(typed("", false));
});
