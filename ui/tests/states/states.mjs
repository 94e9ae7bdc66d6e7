// States of the window, with their expectations.
import assert from "node:assert/strict";

import { audit, drawn, eventually, passes, showAllRuns, state, stateOfAllRuns } from "./browser.mjs";
import { groups } from "./groups.mjs";
import { appStates } from "./apps.mjs";
import { runsAndWire } from "./runsAndWire.mjs";
import { paletteStates } from "./palette.mjs";
import { compare } from "./compare.mjs";
import { connection } from "./connection.mjs";
import { messages } from "./messages.mjs";
import { panes } from "./panes.mjs";
import { prepare } from "./prepare.mjs";
import { serverRequests } from "./serverRequests.mjs";
import { resources } from "./resources.mjs";
import { prompts } from "./prompts.mjs";
import { skills } from "./skills.mjs";
import { sides } from "./sides.mjs";
import { issueStates } from "./issues.mjs";
import { checkStates } from "./checks.mjs";
import { taskStates } from "./tasks.mjs";
import { hosts } from "./hosts.mjs";
import { tables } from "./tables.mjs";
import { auth } from "./auth.mjs";
import { giving } from "./giving.mjs";
import { helpStates } from "./help.mjs";
import { importing } from "./importing.mjs";
import { signInForm } from "./signInForm.mjs";
import { hasCount, hasValue, item, menuitem, openItem, region, tab } from "./parts.mjs";

const button = (page, name) => page.getByRole("button", { name, exact: true }).first();

export const states = [
  ...runsAndWire,
  ...connection,
  ...messages,
  ...issueStates,
  ...checkStates,
  ...taskStates,
  ...appStates,
  ...serverRequests,
  ...groups,
  ...panes,
  ...hosts,
  ...tables,
  ...compare,
  ...sides,
  ...resources,
  ...prepare,
  ...prompts,
  ...skills,
  ...auth,
  ...importing,
  ...giving,
  ...signInForm,
  ...paletteStates,
  ...helpStates,
  state("first-start", "first", async (page) => {
    await page.getByText("Run your first tool in one minute").waitFor();
    // The connect button is in one place: in the middle, or in the header of another tab.
    const connect = page.locator("header").getByRole("button", { name: "Connect", exact: true });
    assert.equal(await connect.count(), 0);
    await eventually(async () => assert.equal(await page.title(), "Demo server (Not connected) - Sonde"));
    // The other tabs before the first connection.
    const shown = async (text) => {
      await page.getByText(text).waitFor();
      await audit();
    };
    await page.keyboard.press("Alt+9");
    await shown("Connect to see details about the server.");
    await page.keyboard.press("Alt+8");
    await shown("Not connected yet");
    await page.keyboard.press("Alt+6");
    await shown("The wire log is empty");
    assert.equal(await connect.count(), 1);
    await page.keyboard.press("Alt+7");
    await shown("Nothing was written");
    assert.equal(await page.getByRole("combobox", { name: "Server log level", exact: true }).count(), 0);
    await tab(page, "Hosts").click();
    await shown("Nothing was evaluated yet.");
    await tab(page, "Raw request").click();
    await shown("Connect to send.");
    await button(page, "Settings").click();
    await region(page, "Stored secrets").getByText("Nothing is stored.").waitFor();
  }),
  // The first minute of a new user: connect, run, see the result beside the form.
  state("first-run", "first", async (page) => {
    await page.getByRole("tabpanel").getByRole("button", { name: "Connect" }).click();
    await page.getByRole("heading", { name: "Say hello" }).waitFor();
    await button(page, "Run").click();
    await page.getByText("Hello, Ada!").first().waitFor();
    await eventually(async () => assert.ok(await page.getByRole("heading", { name: "Say hello" }).isVisible()));
  }),
  // Tabs of a connection do not move those that every server has.
  state("tabs-keep-their-places", "prompts", async (page) => {
    const tabs = page.getByRole("tablist", { name: "Server views" });
    await tab(page, "Prompts").waitFor();
    const places = () =>
      tabs.evaluate((all) => {
        const places = [...all.children].map((one) => [one.textContent, one.getBoundingClientRect().left]);
        return places.slice(places.findIndex(([name]) => name.startsWith("Issues")));
      });
    const before = await places();
    await tab(page, "Prompts").evaluate((one) => (one.style.display = "none"));
    assert.deepEqual(await places(), before);
  }),
  state("no-servers", "empty", (page) => page.getByText("No servers yet").waitFor()),
  state("connected", "connected", (page) => item(page, /Say hello/).waitFor()),
  // A list that takes long to read is shown as its pages arrive, and can be stopped.
  state("list-in-pages", "list_in_pages", async (page) => {
    await page.getByText(/^\d+ tools so far, reading more$/).waitFor();
    await item(page, /Say hello/).waitFor();
    await audit();
    await button(page, "Stop").click();
    await page.getByText("You stopped the reading of the tools.").waitFor();
    await item(page, /Say hello/).waitFor();
    await page.getByText("reading more").waitFor({ state: "hidden" });
  }),
  // While one description is being rendered, the window responds; later ones wait until it is given up.
  state("markdown-limits", "hostile_markdown", async (page) => {
    await item(page, /Deep quotes/).click();
    await page.getByText("Shown as text, because its Markdown nests deeper than 32 levels.").waitFor();
    await page.getByText("> > At the ground").waitFor();
    await audit();
    await openItem(page, "Endless brackets");
    await item(page, /Plain words/).click();
    await page.getByText("Nothing **special**.").waitFor();
    // At once: frame by frame, a slow machine takes so long that the brackets are read before their time is over.
    await passes(page, 3_000);
    await page.locator("strong", { hasText: "special" }).waitFor();
    await item(page, /Endless brackets/).click();
    await page.getByText("Shown as text, because its Markdown takes more than 3 seconds to read.").waitFor();
  }),
  // A reloaded page looks like the one before.
  state("loaded-again", "many", async (page) => {
    const list = page.getByRole("listbox", { name: "Tools" });
    const top = () => list.evaluate((element) => element.scrollTop);
    await item(page, /./).nth(3).click();
    await list.evaluate((element) => (element.scrollTop = 700));
    await page.waitForFunction(() => sessionStorage.getItem("view")?.includes('"scroll":{"Tools":700'));
    await page.reload();
    await page.waitForFunction(() => document.querySelector("[data-scroll=Tools]")?.scrollTop === 700);
    await drawn(page);
    await eventually(async () => assert.equal(await top(), 700));
  }),
  // A text field without a description takes at most 56 px, and the first field begins near the top.
  state("rich-form", "connected", async (page) => {
    await openItem(page, "Plan a voyage");
    await page.getByText("Cargo (kg)").first().waitFor();
    const pane = await region(page, "Tool").boundingBox();
    const fields = page.locator("[data-form] [data-field]");
    const first = await fields.first().boundingBox();
    assert.ok(first.y - pane.y <= 200, `the first field begins at ${first.y - pane.y} px`);
    for (const name of [/^contact/, /^name/]) {
      const { height } = await fields.filter({ hasText: name }).first().boundingBox();
      assert.ok(height <= 56, `${name} takes ${height} px`);
    }
  }),
  state("form-problems", "connected", async (page) => {
    await openItem(page, "Plan a voyage");
    await page.keyboard.press("Control+Enter");
    const said = page.getByRole("status").filter({ hasText: /problems? with the arguments/ });
    await said.waitFor();
    // Problems are visible as far as there is room, in a small window too.
    const [link, room] = await Promise.all([said.getByRole("button").boundingBox(), said.boundingBox()]);
    assert.ok(link && room && link.width >= 40 && link.x + link.width <= room.x + room.width + 1, JSON.stringify(link));
    await audit();
    await button(page, "Next problem").click();
    await page.locator("[data-field]:has(:focus)").filter({ hasText: "required" }).last().waitFor();
    await page.keyboard.press("Alt+Enter");
    await page.getByText("Done: plan_voyage").first().waitFor();
  }),
  state("definition", "connected", async (page) => {
    await page.getByText("Tool definition (raw)").click();
    await page.getByRole("region", { name: "Definition" }).waitFor();
  }),
  // Typed text survives another tool, another tab and another server.
  state("typed-values-stay", "connected", async (page) => {
    const name = region(page, "Tool").getByRole("textbox").first();
    await name.fill("Grace");
    await openItem(page, "Survey the buoys");
    await openItem(page, "Say hello");
    await hasValue(name, "Grace");
    await page.keyboard.press("Control+2");
    await page.getByRole("heading", { name: "Files", level: 1 }).waitFor();
    await page.keyboard.press("Control+1");
    await hasValue(name, "Grace");
  }),
  // Only a run without progress shows when it times out.
  stateOfAllRuns("busy", "busy", async (page) => {
    await page
      .getByText(/\d+ of 40/)
      .first()
      .waitFor();
    const heads = page.locator("[data-card-head]");
    await heads.filter({ hasText: "Survey the buoys" }).locator(".lucide-loader-circle").waitFor();
    await hasCount(page.getByText(/timeout in/), 1);
    await hasCount(page.getByRole("button", { name: "Wait longer" }), 1);
    assert.equal(await page.locator("[data-card-head] .lucide-play").count(), 0);
  }),
  stateOfAllRuns("history", "history", (page) => page.getByText("Timed out").first().waitFor()),
  state("connecting", "connecting", (page) => page.getByText("Connecting to Demo server").waitFor()),
  state("failed", "failed", (page) => page.getByText("was not found").first().waitFor()),
  state("exited", "exited", (page) => page.getByText("KeyError").first().waitFor()),
  state("lost", "lost", async (page) => {
    await page.getByText("The server's process ended.").first().waitFor();
    await item(page, /Say hello/).waitFor();
    await button(page, "Show details").click();
    await page.getByRole("heading", { name: /Last lines of stderr/ }).waitFor();
    await button(page, "Hide details").click();
  }),
  state("disconnected", "disconnected", async (page) => {
    await page.getByText("These are the tools and runs of the last connection.").waitFor();
    await eventually(async () => assert.ok(await button(page, "Run").isDisabled()));
    await audit();
    await page.keyboard.press("Alt+8");
    await page.getByText("This is from the last connection.").waitFor();
    await eventually(async () => assert.ok(await button(page, "Ping").isDisabled()));
  }),
  state("changed", "changed", async (page) => {
    await page.getByText("2 tools added, 1 removed, 1 changed.").waitFor();
    await page.getByText("Changed", { exact: true }).first().waitFor();
  }),
  state("many-tools", "many", async (page) => {
    await item(page, /Create invoice/)
      .first()
      .click();
    await page.keyboard.press("End");
    await page.getByRole("heading", { name: "Merge user (area 99)" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("export contract 77");
    await page.getByText(/^1 of 10,000$/).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("heading", { name: "Export contract (area 77)" }).waitFor();
    const rows = await page.getByRole("option").count();
    assert.ok(rows < 60, `${rows} rows exist`);
  }),
  // On a tab without a searchable list, the search is that of the tools.
  state("search-from-elsewhere", "connected", async (page) => {
    await page.keyboard.press("Alt+8");
    await page.getByRole("tab", { name: "Connection", selected: true }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("tide");
    await item(page, /Read the tide table/).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Read the tide table" }).waitFor();
    await page.locator("[data-form] :focus").waitFor();
  }),
  state("problems", "problems", async (page) => {
    const notice = page.getByRole("status").filter({ hasText: "set aside" });
    await notice.getByText("Details").click();
    await notice.getByText("expected `,` or `}`").waitFor();
    await item(page, /broken_schema/).click();
    // One box explains the schema, and the reason for having no form is shown beside the JSON.
    const form = page.getByRole("group", { name: "Description and arguments" });
    const box = form.locator("div", { has: page.getByRole("img", { name: "Warning", exact: true }) }).last();
    await box.getByText("The input schema cannot be used for validation.").waitFor();
    await box.getByText("schema-not-object").waitFor();
    await box.getByRole("button", { name: "What to do" }).first().click();
    await box.getByText("Send what the schema of the protocol version says.").first().waitFor();
    await form.getByText("Arguments as JSON. ").waitFor();
    await hasCount(form.getByRole("img", { name: "Note", exact: true }), 0);
  }),
  state("many-servers", "servers", async (page, look) => {
    if (look.width < 1100) {
      const initials = page.locator("nav [data-select] > [aria-hidden]").filter({ visible: true });
      await eventually(async () => assert.equal(new Set(await initials.allTextContents()).size, 17));
      return;
    }
    await page.getByRole("button", { name: "Actions for Files" }).click();
    await menuitem(page, /Move up/).waitFor();
  }),
  // In the rail, which has no room for the filter, a button says that servers are hidden, and clears the filter.
  state("servers-filtered", "servers", async (page, look) => {
    if (look.width < 1100) await page.getByRole("button", { name: "Show servers" }).click();
    await page.getByRole("searchbox", { name: "Filter servers" }).fill("file");
    const rows = page.locator("nav [data-server]");
    await hasCount(rows, 1);
    const clear = page.getByRole("button", { name: "Clear the filter: 1 of 17 servers shown" });
    await clear.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Collapse servers" }).click();
    await clear.click();
    await hasCount(rows, 17);
  }),
  state("remove-server", "connected", async (page) => {
    await page.keyboard.press("Control+2");
    const remove = async () => {
      await button(page, "More actions for Files").click();
      await menuitem(page, "Remove").click();
      await page.getByRole("region", { name: "Done just now" }).getByText("“Files” removed").waitFor();
    };
    await remove();
    await hasCount(page.locator("nav li [data-select]"), 2);
    // From anywhere except a text.
    await page.keyboard.press("Control+z");
    await page.locator("nav li").nth(1).locator("[aria-current][data-tip=Files]").waitFor();
    // At once, as the offer would expire.
    await drawn(page);
    assert.equal(await page.getByText("“Files” removed").count(), 0);
    await remove();
    // The focus stops the timer.
    for (const key of ["F6", "Tab", "Tab"]) await page.keyboard.press(key);
    await button(page, "Undo").and(page.locator(":focus")).waitFor();
  }),
  // A deceptive link; a PATH like a key, hidden characters, letters that look like others.
  state("confirm-deceptive-command", "deceptive", async (page) => {
    await page.keyboard.press("Control+2");
    await showAllRuns(page);
    const runs = region(page, "Runs");
    await runs.getByText("Read the logbook").click();
    await button(page, "a chart").click();
    const dialog = page.getByRole("dialog", { name: "Open this link in your browser?" });
    await dialog.getByText("in Cyrillic letters.").waitFor();
    await dialog.getByText("Written as").waitFor();
    await audit();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("Control+1");
    await page.getByRole("tabpanel").getByRole("button", { name: "Connect" }).click();
    await page.getByText("/opt/other/bin/npx", { exact: true }).waitFor();
    await page.getByText("It sets PATH. It decides which program files are found and run.").waitFor();
    await page.getByText("PATH=sk-0000000000000:/opt/other/bin:/usr/bin:/bin", { exact: true }).waitFor();
    await eventually(async () =>
      assert.ok((await page.getByRole("img", { name: "U+202E right-to-left override" }).count()) >= 2),
    );
    await page.getByText("mixes Latin and Cyrillic letters").last().waitFor();
    await page.getByText("stands for “\u0430\u0440\u0440\u04CF\u0435.com” in Cyrillic letters.").waitFor();
    await page.getByRole("img", { name: /^U\+000A line feed, .*, and 82 more$/ }).waitFor();
    await page.getByRole("img", { name: /combining mark, and 8 more$/ }).waitFor();
    await audit();
    await page.getByText("API_KEY=(secret)", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Show the value of API_KEY" }).click();
    await page.getByText("API_KEY=the-value-of-API_KEY", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Hide the value of API_KEY" }).scrollIntoViewIfNeeded();
  }),
  state("confirm-command", "connected", async (page) => {
    await page.keyboard.press("Control+2");
    await page.getByRole("tabpanel").getByRole("button", { name: "Connect" }).click();
    await page.getByText("/home/ada/a folder with spaces").waitFor();
    await page.getByText("npx downloads a package").waitFor();
    await page.getByText("And 4 inherited variables").click();
    await page.getByText("HOME LANG SHELL USER", { exact: true }).waitFor();
    await audit();
    await button(page, "Run this command").click();
    await item(page, /write_file/).waitFor();
  }),
  state("add-server", "connected", async (page) => {
    await button(page, "Add a server").click();
    await page.getByLabel("Paste a URL, command or configuration").waitFor();
    await page.getByLabel("Command", { exact: true }).fill("npx -y some-server --flag");
    await button(page, "Split into command and arguments").waitFor();
    await audit();
    const url = page.getByRole("textbox", { name: "URL", exact: true });
    await page.getByText("URL (HTTP)", { exact: true }).click();
    await url.fill("nonsense");
    // Typed text stays while another server is shown.
    await page.keyboard.press("Control+2");
    await button(page, "Add a server").click();
    await hasValue(url, "nonsense");
    await button(page, "Save").click();
    await page.getByText("This is not a complete URL.").waitFor();
  }),
  state("edit-server", "connected", async (page) => {
    await page.keyboard.press("Control+2");
    await button(page, "More actions for Files").click();
    await menuitem(page, "Edit").click();
    await hasValue(page.getByLabel("Value of API_KEY"), "");
    await page.getByText("Roots", { exact: true }).click();
    await button(page, "Add root").click();
    await page.getByRole("textbox", { name: "Folder of root 1" }).fill("work");
    await page.getByText("Client capabilities", { exact: true }).click();
    await button(page, "Add extension").click();
    await page.getByRole("textbox", { name: "Settings of extension 1" }).fill("[");
    await button(page, "Save").click();
    await page.getByText("Enter the whole path of a folder, or a file:// URI.").waitFor();
    await page.getByText("Enter a JSON object, for example {}.").waitFor();
    await page.getByText("Not saved: see the fields with errors.").waitFor();
    await page.getByRole("combobox", { name: "Declared as" }).scrollIntoViewIfNeeded();
  }),
  // The embedded picture, and the one that the host fetched; the first of them beside the heading too.
  state("about", "connected", async (page) => {
    await tab(page, "About").click();
    await button(page, "Ping").click();
    await page.getByText("not measured").waitFor({ state: "detached" });
    const icons = page.getByRole("list", { name: "Icons" });
    await eventually(async () => {
      const drawn = await icons.locator("img").evaluateAll((all) => all.map((picture) => picture.naturalWidth));
      assert.deepEqual(drawn, [48, 48]);
    });
    await icons.getByText("https://example.org/station/icon.png").waitFor();
    assert.equal(await page.getByRole("region", { name: "Server" }).locator("img").count(), 1);
    await page.getByRole("region", { name: "Metadata" }).scrollIntoViewIfNeeded();
    await icons.scrollIntoViewIfNeeded();
  }),
  state("about-cut", "talkative", async (page) => {
    await tab(page, "About").click();
    await page.getByText("The capabilities are too large to be listed.").waitFor();
    await button(page, "Show all").click();
    await page.getByText("to the very end.").waitFor();
  }),
  state("settings", "connected", async (page) => {
    await page.keyboard.press("Control+,");
    await page.getByText("Secrets are stored in the system's keyring").waitFor();
    await audit();
    await page.getByText("Sonde does not check by itself.").waitFor();
    await button(page, "Open the releases page…").click();
    const dialog = page.getByRole("dialog", { name: "Open this link in your browser?" });
    await dialog.getByText("https://example.org/sonde/releases").waitFor();
    await dialog.getByText("Newer versions of Sonde are published there.").waitFor();
  }),
  state("theme", "connected", async (page, look) => {
    await page.keyboard.press("Control+,");
    const other = look.colorScheme === "light" ? "Dark" : "Light";
    await page.getByText(other, { exact: true }).click();
    await page.locator(`html[data-theme="${other.toLowerCase()}"]`).waitFor();
    await page.keyboard.press("Escape");
    await item(page, /Say hello/).waitFor();
  }),
];
