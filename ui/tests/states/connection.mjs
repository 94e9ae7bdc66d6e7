// States of the connection panel, of disturbances, of server requests and of forbidden tools.
import assert from "node:assert/strict";

import { audit, drawn, eventually, state, stateOfAllRuns } from "./browser.mjs";
import { button, hasCount, hasValue, item, menuitem, openItem, region, runs, tab } from "./parts.mjs";

const request = (page, nth = 0) => page.locator("[data-server-request]").nth(nth);

/** Returns the word in the header and in the list of servers. */
async function says(page, word) {
  await page.locator(`main header [data-state="${word}"]`).waitFor();
  await page.locator(`[aria-current] [data-state="${word}"]`).filter({ visible: true }).first().waitFor();
}

async function openNewest(page) {
  await runs(page).locator("[data-card-head]").first().click();
}

async function toConnection(page) {
  await page.keyboard.press("Alt+8");
  await page.getByRole("tab", { name: /Connection/, selected: true }).waitFor();
  await region(page, "Streams").waitFor();
}

async function openFaults(page) {
  await toConnection(page);
  await page.getByText("Fault injection").click();
  await page.getByText("The wire log marks each fault as caused by you").waitFor();
}

export const connection = [
  state("diagnosis-healthy", "connected", async (page) => {
    await page.getByRole("button", { name: "More actions for Demo server" }).first().click();
    await menuitem(page, "Diagnose connection").click();
    await page.getByText("First failed step: Hosts.").waitFor();
    await page.getByText("Tools fail in OpenAI API (1 tool).").scrollIntoViewIfNeeded();
  }),
  state("connection", "listening", async (page) => {
    await toConnection(page);
    await page.getByText("Open, listening").waitFor();
    await page
      .getByRole("cell", { name: "tools/call" })
      .or(page.getByRole("rowheader", { name: "tools/call" }))
      .waitFor();
    await region(page, "Negotiated").getByText("Streamable HTTP over HTTP/1.1").waitFor();
    // The newest event is visible, and only visible rows exist.
    const list = page.getByRole("listbox", { name: "Stream events" });
    await list.getByText("Event 1-120", { exact: true }).waitFor();
    await eventually(async () => assert.ok((await list.getByRole("option").count()) < 80));
    await list.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    await button(page, "Show in wire log").click();
    await page.getByRole("tab", { name: "Wire log", selected: true }).waitFor();
    await page.keyboard.press("Alt+8");
    await button(page, "Ping").click();
    await page.getByText(/Last ping/).waitFor();
  }),
  // The declared client, and that the settings differ by now.
  state("connection-declared", "declared", async (page) => {
    await toConnection(page);
    const negotiated = region(page, "Negotiated");
    await negotiated.getByText("Declared as Claude Code", { exact: true }).waitFor();
    await negotiated.getByText("From the next connect: Cursor.").waitFor();
    // The server got other roots than the settings have by now.
    const roots = region(page, "Roots");
    await roots.getByText("2 roots were sent at", { exact: false }).waitFor();
    await roots.getByText("The server’s settings have different folders.").waitFor();
    await roots.scrollIntoViewIfNeeded();
  }),
  // All subscriptions in one place; one was rejected.
  state("connection-subscriptions", "resources_subscribed", async (page) => {
    await toConnection(page);
    const all = region(page, "Resource subscriptions");
    await all.getByText("3 resources, 1 updated and not read since").waitFor();
    await all.getByRole("button", { name: "Unsubscribe from station://state" }).waitFor();
    await all.scrollIntoViewIfNeeded();
  }),
  // The durations of each method and tool as charts.
  state("connection-latency", "listening", async (page) => {
    await toConnection(page);
    const latency = region(page, "Latency");
    await latency.getByRole("img", { name: /^Distribution of/ }).waitFor();
    await latency.getByText(/reveals the supported versions and does not count as failed/).waitFor();
    await latency.getByRole("rowheader", { name: "tools/list" }).getByRole("button").click();
    await latency.getByRole("button", { name: "tools/list", pressed: true }).waitFor();
    await latency.getByRole("img", { name: /^Durations from/ }).scrollIntoViewIfNeeded();
    const table = latency.getByRole("group", { name: "Latency by method" });
    await eventually(async () => assert.ok(await table.evaluate((all) => all.scrollWidth <= all.clientWidth)));
  }),
  // Follows the end while the end is visible; otherwise nothing moves.
  state("connection-flood", "flood", async (page) => {
    await toConnection(page);
    await page.getByText(/newest 200 of/).waitFor();
    const list = page.getByRole("listbox", { name: "Stream events" });
    const last = () => list.getByRole("option").last().innerText();
    const first = await last();
    await page.waitForFunction((known) => {
      const rows = document.querySelectorAll("[role=listbox][aria-label='Stream events'] [role=option]");
      return rows[rows.length - 1]?.innerText !== known;
    }, first);
    await list.evaluate((element) => element.scrollTo(0, 150 * 24));
    await drawn(page);
    const place = () =>
      list.evaluate((element) => {
        const top = element.getBoundingClientRect().top;
        const rows = [...element.querySelectorAll("[role=option]")];
        const row = rows.find((each) => each.getBoundingClientRect().top >= top);
        return `${row?.innerText} ${Math.round(row.getBoundingClientRect().top - top)}`;
      });
    const told = page.getByText(/newest 200 of/);
    const [before, words] = [await place(), await told.innerText()];
    await eventually(async () => assert.notEqual(await told.innerText(), words));
    assert.equal(await place(), before);
  }),
  state("connection-detection", "listening", async (page) => {
    await toConnection(page);
    await page.getByText("The server does not support server/discover").waitFor();
    await page
      .getByRole("button", { name: /^Log entry \d+$/ })
      .first()
      .click();
    await page.getByRole("tab", { name: "Wire log", selected: true }).waitFor();
    await page.keyboard.press("Alt+9");
    await button(page, "Detection").click();
    await region(page, "Streams").waitFor();
  }),
  state("connection-program", "history", async (page) => {
    await toConnection(page);
    await page.getByText("no separate background stream").waitFor();
    await hasCount(page.getByRole("region", { name: "Stream events" }), 0);
  }),
  state("stream-waiting", "waiting", async (page) => {
    await page.getByText("Server notifications do not arrive until").first().waitFor();
    await page
      .getByText(/Attempt 2 of 5 in \d\d s/)
      .first()
      .waitFor();
    await toConnection(page);
    await page.getByText(/Reconnecting: attempt 2 of 5 in \d\d s \(delay set by the server\)/).waitFor();
    await region(page, "Background stream").getByRole("button", { name: "Stop reconnecting" }).waitFor();
    await audit();
    await region(page, "Background stream").getByRole("button", { name: "Stop reconnecting" }).click();
    await page.getByText("Given up: nothing more will arrive").waitFor();
  }),
  state("stream-reconnect-now", "waiting", async (page) => {
    await toConnection(page);
    const place = async () => (await page.getByRole("tablist", { name: "Server views" }).boundingBox()).y;
    const before = await place();
    await page.getByRole("group", { name: "Connection warnings" }).waitFor();
    await region(page, "Background stream").getByRole("button", { name: "Reconnect now" }).click();
    await page.getByText("Open, listening").waitFor();
    await page.getByText("Server notifications do not arrive").waitFor({ state: "detached" });
    assert.equal(await place(), before);
  }),
  // Never green with a problem, neither in the header, in the list nor on the run.
  ...[
    ["health-degraded", "doubtful", "No response"],
    ["health-unreachable", "unreachable", "Not reachable"],
  ].map(([name, scenario, word]) =>
    stateOfAllRuns(name, scenario, async (page) => {
      await says(page, word);
      await tab(page, /Connection.*has a problem/).waitFor();
      await openNewest(page);
      // The reason is shown once, and the helpful button with the run.
      await runs(page).getByText("The line beside the server’s name says why.").waitFor();
      await hasCount(page.getByText(/harbour\.example\.com:443 refused/), 1);
      await runs(page).getByRole("button", { name: "Reconnect", exact: true }).waitFor();
    }),
  ),
  stateOfAllRuns("session-rejected", "session_rejected", async (page) => {
    await says(page, "Session expired");
    await openNewest(page);
    await runs(page).getByText("No valid session ID provided").waitFor();
    await audit();
    await runs(page).getByRole("button", { name: "Reconnect", exact: true }).click();
    await says(page, "Connected");
    await runs(page).getByRole("button", { name: "Reconnect", exact: true }).waitFor({ state: "detached" });
    // The run still shows its error.
    await runs(page).getByText("No valid session ID provided").waitFor();
  }),
  // Violations of the specification are counted on their tab and in the list of servers.
  stateOfAllRuns("issues", "issues", async (page) => {
    await page.locator("[aria-current] [data-tip^='8 issues in this connection']").first().waitFor();
    await tab(page, /Tools.*1 issue/).waitFor();
    await tab(page, /^Issues.*8/).waitFor();
    await runs(page).getByText("Done, 2 issues").waitFor();
    await runs(page).getByText("Done, 1 issue", { exact: true }).waitFor();
  }),
  state("faults", "listening", async (page) => {
    await openFaults(page);
    await page.getByText("Nothing is running.").waitFor();
    await page.getByText("HTTP has no process to kill and no socket to drop.").waitFor();
    await button(page, "Drop the background stream").click();
    await page.getByText(/Reconnecting: attempt 1 of 5 in \d s \(delay set by Sonde\)/).waitFor();
  }),
  state("faults-of-a-program", "busy", async (page) => {
    await openFaults(page);
    await eventually(async () => assert.ok(await button(page, "Omit the session ID").isDisabled()));
    const raw = page.getByRole("textbox", { name: "Send a raw message" });
    await raw.fill("{ no JSON");
    await page.getByText("This is not valid JSON. It is sent anyway.").waitFor();
    await button(page, "Send as is").click();
    await page.getByText("Sent. See the wire log.").waitFor();
    await audit();
    await page.keyboard.press("Control+3");
    await page.keyboard.press("Control+1");
    await hasValue(raw, "{ no JSON");
    await button(page, "Kill the process").click();
    await page.getByText("This is from the last connection.").waitFor();
  }),
  state("disturbed", "disturbed", async (page) => {
    const warning = page.getByRole("group", { name: "Connection warnings" });
    await warning.getByText("Reading is paused").waitFor();
    await warning.getByText("(1 of 2)").waitFor();
    await warning.getByRole("button", { name: "Resume reading" }).click();
    await warning.getByText("Responses to the server are delayed by 5 s").waitFor();
    await openFaults(page);
    await page.getByText("requests are delayed by 5 s").waitFor();
    await button(page, "Remove the delay").click();
    await page.getByText("Responses to the server are delayed by 5 s").waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: "Delay in seconds" }).fill("never");
    await page.getByText("Seconds, more than 0 and at most 600.").waitFor();
  }),
  state("any-certificate", "any_certificate", async (page) => {
    await page.getByText("Any certificate is accepted").first().waitFor();
    await toConnection(page);
  }),
  stateOfAllRuns("serverRequests", "serverRequests", async (page) => {
    await page.getByText("1 server request outside of any run").waitFor();
    await page.getByText("The server must not send this request").waitFor();
    await runs(page).getByText("The stream closed; reconnecting…").waitFor();
    await runs(page)
      .getByText(/Attempt 1 of 5 in \d\d s/)
      .waitFor();
    await runs(page).getByText("The pilot needs to know your ship").waitFor();
    await page
      .locator("nav")
      .getByText("needs input (2)")
      .or(page.getByRole("img", { name: "needs input" }))
      .filter({ visible: true })
      .first()
      .waitFor();
    // The marks of a server are side by side, also in the rail.
    const marks = page.locator("nav [aria-current] svg").filter({ visible: true });
    await page.locator("nav [aria-current] [data-tip='2 issues in this connection, all of them errors']").waitFor();
    await eventually(async () => {
      const boxes = await marks.evaluateAll((icons) =>
        icons.map((icon) => icon.getBoundingClientRect().toJSON()).toSorted((a, b) => a.left - b.left),
      );
      assert.ok(boxes.length >= 3, "state, request and issue");
      assert.ok(
        boxes.every((box, at) => at === 0 || box.left >= boxes[at - 1].right),
        JSON.stringify(boxes),
      );
    });
  }),
  state("request-form", "serverRequests", async (page) => {
    await button(page, "1 server request outside of any run").click();
    const form = runs(page).locator("[data-server-request]");
    const name = form.getByRole("textbox", { name: /Name of the ship/ });
    // Defaults are filled in, also of optional fields.
    await hasValue(form.getByRole("textbox", { name: /Draught/ }), "4.5");
    await name.waitFor();
    await form.getByRole("button", { name: "Send", exact: true }).click();
    await form.getByText(/problems? with the response/).waitFor();
    // The problem leads to its field, and Send is visible however long the form is.
    await form.getByRole("button", { name: "Go to the problem" }).click();
    await name.and(page.locator(":focus")).waitFor();
    const send = await form.getByRole("button", { name: "Send", exact: true }).boundingBox();
    assert.ok(send && send.y > 0 && send.y + send.height <= page.viewportSize().height, "Send is in sight");
    await name.fill("Beagle");
    await audit();
    // Folded requests stay folded.
    await page.getByRole("button", { name: /outside of any run/, expanded: false }).waitFor();
    await name.press("Escape");
    await name.press("Control+Enter");
    await form.waitFor({ state: "detached" });
    await runs(page).locator("[data-card-head]").filter({ hasText: "Hail the pilot" }).click();
    await runs(page)
      .getByText(/The pilot heard: .*Beagle/)
      .first()
      .waitFor();
  }),
  // By keyboard, no element gets the focus below the buttons at the bottom.
  state("request-form-keys", "serverRequests", async (page) => {
    await button(page, "1 server request outside of any run").click();
    const form = runs(page).locator("[data-server-request]");
    /**
     * Returns the focused element above the buttons, and if it is clear of them; `null` once the buttons have the
     * focus.
     */
    const clear = () =>
      form.evaluate((card) => {
        const at = document.activeElement;
        let footer = card.querySelector("[data-send]");
        while (getComputedStyle(footer).position !== "sticky") footer = footer.parentElement;
        if (!card.contains(at) || footer.contains(at)) return null;
        return at.getBoundingClientRect().bottom <= footer.getBoundingClientRect().top + 1;
      });
    await form.getByRole("textbox", { name: /Name of the ship/ }).focus();
    let seen = 0;
    for (let is = await clear(); is !== null; is = await clear()) {
      assert.ok(is, await page.evaluate(() => document.activeElement.outerHTML));
      seen += 1;
      await page.keyboard.press("Tab");
    }
    assert.ok(seen > 6, `${seen} places`);
  }),
  state("request-of-another-tool", "serverRequests", async (page) => {
    await openItem(page, "Say hello");
    await runs(page).locator("label").filter({ hasText: "This tool" }).click();
    await page.getByText("2 other runs in progress, and the server needs input.").waitFor();
  }),
  state("request-declined", "serverRequests", async (page) => {
    await runs(page).getByRole("button", { name: "Decline" }).click();
    await runs(page).locator("[data-server-request]").waitFor({ state: "detached" });
    // The focus moves to the run of the request.
    await page.locator("[data-card-head]:focus").filter({ hasText: "Hail the pilot" }).waitFor();
    await request(page).getByRole("button", { name: "Reject" }).click();
    await page.getByText("outside of any run").waitFor({ state: "detached" });
  }),
  state("stateless", "stateless", async (page) => {
    await runs(page).getByText("The server needs input").first().waitFor();
    await runs(page)
      .getByRole("button", { name: /^Cancel ./ })
      .waitFor();
    await page.getByText(/^Cached; expires in 5 minutes\. .* for 5 minutes, also by shared caches\.$/).waitFor();
    await tab(page, /Tools.*a run needs input/).waitFor();
    await audit();
    await item(page, /Signal the fleet/).click();
    await page.getByText("The protocol forbids calling this tool.").waitFor();
    await eventually(async () => assert.ok(await button(page, "Run anyway").isDisabled()));
    await page.getByLabel("Run it even though the protocol forbids it").check();
    await button(page, "Run anyway").click();
    await runs(page).getByText("Done: signal_fleet").first().waitFor();
    await audit();
    await openFaults(page);
    await page.getByText("Stateless (every request is self-contained)").waitFor();
    await region(page, "Negotiated").getByText("2025-11-25, 2025-06-18").waitFor();
    await page.getByText("There is no session in stateless mode.").first().waitFor();
  }),
  state("server-network", "connected", async (page) => {
    await button(page, "Add a server").click();
    await page.getByText("URL (HTTP)", { exact: true }).click();
    const url = page.getByRole("textbox", { name: "URL", exact: true });
    await url.fill("wss://mcp.example.com/mcp");
    await page.getByText("This is a WebSocket URL").waitFor();
    await hasCount(page.getByLabel("Transport"), 0);
    await audit();
    await url.fill("https://mcp.example.com/mcp");
    await page.getByLabel("Protocol mode").selectOption("Fixed version");
    await page.getByLabel("Protocol version").selectOption("2025-06-18");
    await page.getByText("Network", { exact: true }).click();
    await page.getByLabel("Proxy").selectOption("Custom");
    await page.getByRole("textbox", { name: "Proxy URL" }).fill("nonsense");
    await page.getByLabel("Accept any certificate").check();
    await page.getByText("can pose as the server").waitFor();
    await page.getByRole("textbox", { name: /Connect timeout/ }).fill("soon");
    await button(page, "Save").click();
    await page.getByText("Enter the proxy URL. It must start with").first().waitFor();
    await page.getByText("Enter a whole number from 1 to 3,600.").waitFor();
    await hasValue(page.getByRole("textbox", { name: /Connect timeout/ }), "soon");
  }),
  // The password of a proxy is a secret like any other: it is never shown again, and can be replaced or removed.
  state("server-proxy", "proxied", async (page) => {
    await page
      .getByRole("main")
      .getByRole("button", { name: /More actions for Harbour office/ })
      .click();
    await menuitem(page, "Edit").click();
    const password = page.getByLabel("Proxy password", { exact: true });
    await hasValue(password, "");
    assert.equal(await password.getAttribute("placeholder"), "stored; type to replace it");
    await hasValue(page.getByRole("textbox", { name: "Proxy user name" }), "ada");
    await password.fill("another");
    const url = page.getByRole("textbox", { name: "Proxy URL" });
    await url.fill("http://ada:hush@proxy.harbour.example:3128");
    await page.getByText("User name and password move to their fields below").waitFor();
    await url.scrollIntoViewIfNeeded();
  }),
];
