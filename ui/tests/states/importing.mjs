// Servers imported from texts, links and other clients, and exported to them.
import assert from "node:assert/strict";

import { audit, drawn, state } from "./browser.mjs";
import { hasCount, hasValue, menuitem, paste, region } from "./parts.mjs";

const button = (page, name) => page.getByRole("button", { name, exact: true }).first();

const imported = JSON.stringify({
  mcpServers: {
    files: { command: "npx", args: ["-y", "@scope/files", "/home/ada"], env: { API_KEY: "secret" } },
    tickets: { url: "https://mcp.example.com/v1/mcp" },
    odd: { nothing: true },
  },
});

/** Drags something from outside onto the page. */
async function drag(page, type, content) {
  await page.evaluate(
    ([event, { file, text }]) => {
      const dataTransfer = new DataTransfer();
      if (file !== undefined) dataTransfer.items.add(new File([text], file));
      else dataTransfer.setData("text/plain", text);
      document.body.dispatchEvent(new DragEvent(event, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [type, content],
  );
}

export const importing = [
  // Each server is added under the name chosen here. Any other text is ignored.
  state("import", "empty", async (page) => {
    await paste(page, "Some words about nothing.");
    await paste(page, imported);
    await page.getByText("“odd” has neither a command nor a URL.").waitFor();
    await button(page, "Add 2 servers").waitFor();
    await audit();
    await button(page, "Change the name of files").click();
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.and(page.locator(":focus")).fill("");
    await page.getByText("Enter a name.").waitFor();
    await button(page, "Add 2 servers").and(page.locator(":disabled")).waitFor();
    await name.fill("tickets");
    await page.getByText("Another server has this name as well.").first().waitFor();
    await audit();
    await name.fill("My files");
    await button(page, "Add 2 servers").click();
    await page.getByRole("heading", { name: "My files", level: 1 }).waitFor();
  }),
  state("import-deceptive", "empty", async (page) => {
    const servers = {
      "F\u0456les": { command: "npx", args: ["gnp.\u202Eexe"], env: { PATH: "sk-0000000000000:/opt/other/bin" } },
      shop: { url: "https://\u0430\u0440\u0440\u04CF\u0435.com/\u202Epcm" },
    };
    await paste(page, JSON.stringify({ mcpServers: servers }));
    await page.getByText("mixes Latin and Cyrillic letters").waitFor();
    await page.getByText("in Cyrillic letters.").waitFor();
    await page.getByRole("img", { name: "U+202E right-to-left override" }).first().waitFor();
  }),
  // Several connect at once; their commands are confirmed one after the other.
  state("import-several", "empty", async (page) => {
    const servers = {
      files: { command: "npx", args: ["files"] },
      tickets: { url: "https://mcp.example.com/v1/mcp" },
      notes: { command: "npx", args: ["notes"] },
    };
    await paste(page, JSON.stringify({ mcpServers: servers }));
    await button(page, "Add and connect").click();
    await page.getByRole("heading", { name: "Run this command?" }).waitFor();
    await page.getByText("1 other command follows.").waitFor();
    await audit();
    await button(page, "Skip").click();
    await page.getByText("“notes” runs a command on your computer").waitFor();
    assert.equal(await button(page, "Skip").count(), 0);
  }),
  // Inputs of another client's file are asked for, and never sent as placeholders.
  state("import-inputs", "empty", async (page) => {
    const env = { API_KEY: "${input:api-key}", ROOT: "${env:HOME}/notes" };
    await paste(page, JSON.stringify({ mcpServers: { notes: { command: "npx", args: ["-y", "notes"], env } } }));
    await button(page, "Add 1 server").click();
    await page.getByRole("tabpanel").getByRole("button", { name: "Connect" }).click();
    await page.getByText("Values are missing.").waitFor();
    const key = page.getByLabel("Value of API_KEY");
    await key.and(page.locator("[aria-invalid=true]:focus")).waitFor();
    await hasValue(key, "");
    await page.getByText("Enter the value of “api-key”.").waitFor();
    await audit();
    await page.keyboard.type("hush");
    assert.equal(await key.getAttribute("type"), "password");
    await page.getByRole("button", { name: "Save and connect" }).click();
    await page.getByLabel("Value of ROOT").and(page.locator(":focus")).waitFor();
    await page.getByText("Replace ${env:HOME} with the value of “HOME”.").waitFor();
  }),
  state("import-nonsense", "empty", async (page) => {
    await button(page, "Import from other clients").click();
    await page.getByLabel("URL, command or configuration").fill("{ nonsense");
    await page.getByText("This is not JSON.").waitFor();
  }),
  state("import-command-line", "empty", async (page) => {
    await paste(page, "API_TOKEN=sk-0123 npx -y @scope/server-files@2.1 --api-key hush");
    // A recognized secret is also hidden in the field, and can be shown again.
    const box = page.getByRole("textbox", { name: "URL, command or configuration" });
    await hasValue(box, "API_TOKEN=•••••••• npx -y @scope/server-files@2.1 --api-key ••••••••");
    await page.getByRole("button", { name: "Show secrets and edit" }).click();
    assert.equal(await box.inputValue(), "API_TOKEN=sk-0123 npx -y @scope/server-files@2.1 --api-key hush");
    await page.getByRole("button", { name: "Hide secrets" }).click();
    await page.getByText("Recognized: A command line").waitFor();
    const found = page.getByRole("list", { name: "Recognized servers" });
    await found.getByText("API_TOKEN=••• npx -y @scope/server-files@2.1 --api-key ${secret:api-key}").waitFor();
    await button(page, "Add 1 server").click();
    await page.getByRole("heading", { name: "server-files", level: 1 }).waitFor();
    await page.getByRole("tabpanel").getByRole("button", { name: "Connect" }).click();
    // Both secrets can be inspected before anything runs.
    await page.getByText("API_TOKEN=(secret)", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Show the value of ${secret:api-key}" }).click();
    await page.getByText("the-value-of-${secret:api-key}").waitFor();
  }),
  // A single server is added and connected with Enter, under a meaningful name; the next button only adds it.
  state("pasted-and-added", "empty", async (page) => {
    await paste(page, "http://127.0.0.1:3000/mcp");
    await page.getByRole("checkbox", { name: "localhost:3000" }).waitFor();
    await button(page, "Add and connect").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "localhost:3000", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Disconnect", exact: true }).waitFor();
    await paste(page, "https://mcp.example.com/mcp");
    await button(page, "Add 1 server").click();
    await page.getByRole("heading", { name: "mcp.example.com", level: 1 }).waitFor();
    await button(page, "Connect").waitFor();
  }),
  state("paste-into-add", "empty", async (page) => {
    await button(page, "Add your own server").click();
    await page.getByLabel("Paste a URL, command or configuration").fill("npx -y server-time");
    await page.keyboard.press("Enter");
    await page.getByText("Recognized: A command line").waitFor();
    await page.getByRole("checkbox", { name: "server-time" }).waitFor();
  }),
  state("import-installed", "empty", async (page) => {
    await button(page, "Import from other clients").click();
    await page.getByText("3 servers in 3 files.").waitFor();
    await page.getByText("The file is a symbolic link").waitFor();
    await page.getByText("“odd” has neither a command nor a URL.").waitFor();
    await button(page, "Select none of Claude Desktop").click();
    await button(page, "Add 1 server").waitFor();
    await audit();
    await button(page, "Select all of Claude Desktop").click();
    await page.getByRole("checkbox", { name: "calendar" }).uncheck();
    await button(page, "Add 2 servers").click();
    await page.getByRole("heading", { name: "notes", level: 1 }).waitFor();
    await page.getByRole("button", { name: "tickets" }).first().waitFor();
  }),
  state("import-dropped-file", "connected", async (page) => {
    const dropped = { file: "mcp.json", text: imported };
    await drag(page, "dragover", { text: "https://a.example/mcp" });
    await page.getByText("Drop to import servers").waitFor();
    await audit();
    await drag(page, "dragover", dropped);
    await page.getByText("Drop to import servers").waitFor();
    await drag(page, "drop", dropped);
    await page.getByText("Drop to import servers").waitFor({ state: "detached" });
    // One of the two exists already.
    await button(page, "Add 1 server").waitFor();
  }),
  state("import-opened-file", "empty", async (page) => {
    await button(page, "Import from other clients").click();
    const chooser = page.waitForEvent("filechooser");
    await button(page, "Open a file").click();
    const file = (name, text) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });
    await (await chooser).setFiles(file("mcp.json", imported));
    await button(page, "Add 2 servers").waitFor();
    const field = page.getByLabel("Configuration file");
    await field.setInputFiles(file("large.json", "x".repeat(4 * 1024 * 1024 + 1)));
    await page.getByText("“large.json” is larger than 4 MiB and was not read.").waitFor();
  }),
  // A link shows what it would add, and adds nothing by itself.
  state("link-shown", "link", async (page) => {
    await page.getByText("Recognized: A link that adds a server to Sonde").waitFor();
    await page.getByRole("checkbox", { name: "weather" }).waitFor();
    await drawn(page);
    for (const name of ["Add and connect", "Add 1 server"]) {
      assert.equal(await button(page, name).and(page.locator(":focus")).count(), 0);
    }
    await hasCount(page.getByRole("heading", { name: "weather", level: 1 }), 0);
  }),
  // Nothing changes under a button that is about to be pressed.
  state("link-waits", "links", async (page) => {
    await page.getByText("Recognized: A link that adds a server to Sonde").waitFor();
    await page.getByText("A link or a file was opened with Sonde.").waitFor();
    await page.getByRole("checkbox", { name: "weather" }).waitFor();
    await button(page, "Show what it adds").click();
    await page.getByRole("checkbox", { name: "other" }).waitFor();
  }),
  state("export", "connected", async (page) => {
    await page.keyboard.press("Control+2");
    await page.getByRole("button", { name: "More actions for Files" }).click();
    await menuitem(page, "Copy as configuration").click();
    await page.getByText("Secrets are not part of it.").waitFor();
    await region(page, "Configuration").waitFor();
    await button(page, "Save to a file").click();
    await page.getByText("/home/ada/Downloads/Files - Claude Code.json").waitFor();
  }),
];
