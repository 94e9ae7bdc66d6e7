// Requests of the server: pages to open, conversations for a model.
import assert from "node:assert/strict";

import { audit, eventually, stateOfAllRuns } from "./browser.mjs";
import { hasCount, hasValue, runs } from "./parts.mjs";

const outside = (page) => page.getByRole("region", { name: "Server requests" });
const openNewest = (page) => runs(page).locator("[data-card-head]").first().click();

export const serverRequests = [
  // The whole address is shown before anything opens, and the accepted page stays with the run.
  stateOfAllRuns("request-page", "visit", async (page) => {
    // An address that no browser opens is shown, with its problem.
    const other = outside(page).locator("[data-server-request]");
    await other.getByText("Sonde does not open this address").waitFor();
    await other.getByText("bad-elicitation-url").waitFor();
    assert.ok(await other.getByRole("button", { name: "Open in the browser" }).isDisabled());
    const card = runs(page).locator("[data-server-request]");
    await card.getByText("Log in at the harbour office.").waitFor();
    const address = card.getByRole("group", { name: "Address of the page" });
    await eventually(async () =>
      assert.equal(await address.textContent(), "https://harbour.example.com/login?for=ada"),
    );
    assert.equal(await address.locator("strong").textContent(), "harbour.example.com");
    await audit();
    await card.getByRole("button", { name: "Open in the browser" }).click();
    await card.waitFor({ state: "detached" });
    await openNewest(page);
    await runs(page).getByText("the server says that you have finished there").waitFor();
    await runs(page).getByText("1 server request answered").click();
    await runs(page)
      .getByText(/elicitation\/create · accepted/)
      .waitFor();
  }),
  // The request may belong to either of two runs: each of them shows it, and one response answers it.
  stateOfAllRuns("request-of-two-runs", "sharedRequest", async (page) => {
    const cards = runs(page).locator("[data-server-request]");
    await hasCount(cards, 2);
    await cards.first().getByText("Several runs were in progress").waitFor();
    await cards.first().getByText("The server asked for this as a task").waitFor();
    assert.equal(await outside(page).count(), 0);
    await runs(page).getByText("Timeouts are paused until you respond").first().waitFor();
    await cards.first().getByRole("textbox").first().fill("Scots");
    await hasValue(cards.last().getByRole("textbox").first(), "Scots");
  }),
  // The conversation for a model, with every kind of content, and its problems.
  stateOfAllRuns("request-sampling", "sampling", async (page) => {
    const card = runs(page).locator("[data-server-request]");
    await card.getByText("You are the harbour master.").waitFor();
    await card.getByText("How high is the tide in Leith?").waitFor();
    await card.getByRole("img", { name: "Part of the conversation" }).waitFor();
    await card.getByText(/audio\/wav.*cannot be shown/).waitFor();
    await card.getByText("Tool use: read_tide_table (t-1)").waitFor();
    await card.getByText("unknown-tool-use").waitFor();
    await card.getByText("Stop sequences").waitFor();
    await card.getByRole("button", { name: "Reject as invalid" }).waitFor();
  }),
  // Written in the form, changed as JSON, and sent.
  stateOfAllRuns("request-sampling-answered", "sampling", async (page) => {
    const card = runs(page).locator("[data-server-request]");
    const as = (name) => card.locator("label").filter({ hasText: name }).click();
    await card.getByRole("textbox", { name: "Text", exact: true }).fill("Three metres and a half.");
    await card.getByRole("button", { name: "Add tool use" }).click();
    await card.getByRole("textbox", { name: "Arguments as JSON" }).fill("[");
    await card.getByText("The arguments of read_tide_table must be a JSON object.").waitFor();
    assert.ok(await card.getByRole("button", { name: "Send", exact: true }).isDisabled());
    await audit();
    await card.getByRole("button", { name: "Remove tool use 1" }).click();
    await as(/^JSON$/);
    await card.getByRole("textbox", { name: "Result as JSON" }).getByText("Three metres and a half.").waitFor();
    await as(/^Form$/);
    await card.getByRole("textbox", { name: "Model" }).fill("harbour-1");
    await card.getByRole("button", { name: "Send", exact: true }).click();
    await openNewest(page);
    await runs(page)
      .getByText(/harbour-1/)
      .first()
      .waitFor();
  }),
  // A named answer is offered for the next request of its kind. Toasts are above the buttons that answer, and above Run.
  stateOfAllRuns("request-answer-saved", "sampling", async (page) => {
    const card = runs(page).locator("[data-server-request]");
    await card.getByRole("textbox", { name: "Text", exact: true }).fill("Three metres and a half.");
    await card.getByRole("button", { name: "Save this answer…" }).click();
    await card.getByRole("textbox", { name: "Save this answer as" }).fill("Usual");
    await audit();
    await page.keyboard.press("Enter");
    await card.getByRole("button", { name: "Delete the saved answer “Usual”" }).waitFor();
  }),
  stateOfAllRuns("required-pages", "required_pages", async (page) => {
    await openNewest(page);
    await runs(page).getByText("The server wants you to open pages first.").waitFor();
    await runs(page).getByText("The connection to this page is not encrypted (http).").waitFor();
    await runs(page).getByText("a name or a password before the host").waitFor();
    await runs(page).getByText("The server says that you have finished there.").waitFor();
    await runs(page).getByRole("button", { name: "Open in the browser" }).first().click();
    await runs(page).getByRole("button", { name: "Run again" }).last().click();
    await runs(page).getByText("Hello, stranger!").first().waitFor();
  }),
];
