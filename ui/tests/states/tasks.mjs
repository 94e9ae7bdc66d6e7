// Runs whose result comes later.
import assert from "node:assert/strict";

import { audit, state } from "./browser.mjs";
import { button, hasCount, hasValue, item, runs, tab } from "./parts.mjs";

const cards = (page) => runs(page).locator("[data-card-head]");
/** Returns a run by the depth that it was started with. */
const run = (page, depth) => cards(page).filter({ hasText: `"metres":${depth}` });

async function open(page, depth) {
  const head = run(page, depth);
  await head.scrollIntoViewIfNeeded();
  if ((await head.getAttribute("aria-expanded")) !== "true") await head.click();
  return head.locator("xpath=ancestor::article");
}

export const taskStates = [
  // The state of a task, its next step, and the possible actions.
  state("tasks", "tasks", async (page) => {
    const card = run(page, 9).locator("xpath=ancestor::article");
    await card.getByText("Task working").waitFor();
    await card.getByText(/next status in \d+ s · expires in \d+ minutes/).waitFor();
    await card.getByText("Max timeout in").waitFor();
    await card.getByRole("button", { name: "Ask now for the status of Dredge the harbour" }).click();
    const asking = run(page, 8).locator("xpath=ancestor::article");
    await asking.getByText("Task input required").waitFor();
    await asking.locator("[data-server-request]").getByText("A wreck lies in the way. Lift it?").waitFor();
    const stubborn = run(page, 7).locator("xpath=ancestor::article");
    await stubborn.getByText("The server did not cancel the task").waitFor();
    await audit();
    // An abandoned task is shown as ended.
    await runs(page).getByRole("button", { name: "Stop waiting for Dredge the harbour" }).first().click();
    await run(page, 9).getByText("Stopped waiting").waitFor();
  }),
  // Each way in which a run can end before its task, or its task before the run.
  state("task-ends", "task_ends", async (page) => {
    for (const [depth, words] of [
      [5, "The tool returned an error"],
      [4, "The task was cancelled and has no result."],
      [1, "The task has expired: the server no longer has it."],
      [2, "The next connection asks the server for the task."],
      [3, "The task was not cancelled and may go on at the server."],
    ]) {
      const card = await open(page, depth);
      await card.getByText(words).first().waitFor();
    }
    await audit();
    // The id of a task, its times and the history of its status.
    const card = await open(page, 6);
    await card.getByText("Task: completed").click();
    await card.getByText("0b5e7d7e").waitFor();
    const history = card.getByRole("table", { name: "History of the status" });
    await hasCount(history.getByRole("row"), 4);
    await history.getByText("Clearing the berth").waitFor();
    await audit();
    // Abandoned tasks have their result fetched into their runs.
    await tab(page, "Tasks").click();
    await page.getByRole("button", { name: "Get result of the task Dredge the harbour" }).first().click();
    await runs(page).getByText("Task working").waitFor();
  }),
  // A tool that must run as a task, and one that can.
  state("task-form", "task_tools", async (page) => {
    await item(page, /Dredge the harbour/).click();
    await page.getByText("the server requires it for this tool").waitFor();
    await page.getByRole("textbox", { name: "Keep the task for (seconds)" }).fill("0");
    await page.getByText("Enter a number of seconds above 0").waitFor();
    await item(page, /Paint the hull/).click();
    const kept = page.getByRole("textbox", { name: "Keep the task for (seconds)" });
    await hasCount(kept, 0);
    await page.getByRole("checkbox", { name: "Run as a task" }).check();
    await kept.fill("600");
    await button(page, "Run").click();
    await runs(page).getByText("Task working").waitFor();
    // Each tool keeps its own choice.
    await item(page, /Dredge the harbour/).click();
    await hasValue(kept, "0");
    await item(page, /Paint the hull/).click();
    await hasValue(kept, "600");
    assert.ok(await page.getByRole("checkbox", { name: "Run as a task" }).isChecked());
  }),
  // All tasks of a server: those of runs with their next step, and those of other clients.
  state("task-list", "tasks", async (page) => {
    await tab(page, "Tasks").click();
    const tasks = page.getByRole("list", { name: "Tasks" });
    await tasks.getByText(/working · Clearing the berth · created .* · next status in \d+ s · expires in/).waitFor();
    await tasks.getByText("Dredging the fairway").waitFor();
    await page.getByText(/6 tasks · list of the server read at/).waitFor();
    await page.getByRole("button", { name: "Cancel the task Dredging the fairway" }).waitFor();
    assert.equal(await page.getByRole("button", { name: /^Show run/ }).count(), 3);
  }),
  // Without tasks, and with a list that cannot be read.
  state("task-list-none", "task_none", async (page) => {
    await tab(page, "Tasks").click();
    await page.getByText("No tasks of your runs", { exact: true }).waitFor();
    await page.getByText("The list of tasks could not be read").waitFor();
  }),
];
