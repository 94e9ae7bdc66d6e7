// States of signing in within a server's form, and of the list of stored secrets.
import assert from "node:assert/strict";

const button = (page, name) => page.getByRole("button", { name, exact: true });
const field = (page, name) => page.getByRole("textbox", { name, exact: true });
const secret = (page, name) => page.getByLabel(name, { exact: true });
const way = (page, name) => page.getByRole("radio", { name, exact: true });
const part = (page) => page.getByRole("region", { name: "Stored secrets", exact: true });
const row = (page, title) => part(page).getByRole("listitem").filter({ hasText: title });

async function addAddress(page) {
  await button(page, "Add a server").first().click();
  await page.getByText("A web address", { exact: true }).click();
  await field(page, "Address").fill("https://mcp.example.com/mcp");
}

/** Opens the form of the selected server. */
async function edit(page) {
  await page.getByRole("main").getByRole("button", { name: "More actions for mcp.example.com" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await button(page, "Save").waitFor();
}

async function unfold(page) {
  await page.getByText("Signing in:").click();
  await way(page, "When the server asks for it").waitFor();
}

async function toSecrets(page) {
  await button(page, "Settings").click();
  await part(page).waitFor();
}

/** The message that belongs to a field. */
async function note(page, input) {
  const id = await input.getAttribute("aria-describedby");
  return page.locator(`[id="${id}"]`).innerText();
}

export const signInForm = [
  {
    name: "auth-folded",
    scenario: "connected",
    steps: async (page) => {
      await addAddress(page);
      await page.getByText("Signing in: When the server asks for it").waitFor();
      assert.equal(await page.getByRole("radio", { name: "Never" }).count(), 0);
    },
  },
  {
    name: "auth-ways",
    scenario: "connected",
    steps: async (page) => {
      await addAddress(page);
      await unfold(page);
      await way(page, "With a token I have").focus();
      // One tab stop for all of them, as radio buttons have it.
      await page.keyboard.press("ArrowUp");
      assert.ok(await way(page, "When the server asks for it").isChecked());
      await way(page, "Never").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "auth-token",
    scenario: "connected",
    // What is typed comes back with its way; what is stored never does.
    steps: async (page) => {
      await addAddress(page);
      await unfold(page);
      await way(page, "With a token I have").check();
      await secret(page, "Token").fill("one two three");
      await way(page, "Never").check();
      await way(page, "With a token I have").check();
      assert.equal(await secret(page, "Token").inputValue(), "one two three");
      assert.equal(await secret(page, "Token").getAttribute("type"), "password");
      await button(page, "Save").click();
      await page.getByText("A token has no spaces, line breaks or letters beyond ASCII.").waitFor();
      await page.getByLabel("Token", { exact: true }).and(page.locator(":focus")).waitFor();
      await secret(page, "Token").fill("Bearer one-two-three");
      await button(page, "Save").click();
      await page.getByRole("heading", { name: "mcp.example.com", level: 1 }).waitFor();
      await edit(page);
      await page.getByText("Signing in: With a token I have").waitFor();
      assert.equal(await secret(page, "Token").inputValue(), "");
      assert.equal(await secret(page, "Token").getAttribute("placeholder"), "kept; type to replace it");
      // Emptied again, it is kept again.
      await secret(page, "Token").fill("x");
      await secret(page, "Token").fill("");
      assert.equal(await secret(page, "Token").getAttribute("placeholder"), "kept; type to replace it");
      await secret(page, "Token").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "auth-client-secret",
    scenario: "connected",
    steps: async (page) => {
      await addAddress(page);
      await unfold(page);
      await way(page, "As a program, with id and secret").check();
      await button(page, "Save").click();
      await page.getByText("Which client signs in?").waitFor();
      await page.getByText("What is the client’s secret?").waitFor();
      await field(page, "Client id").and(page.locator(":focus")).waitFor();
      assert.equal(await note(page, field(page, "Client id")), "Which client signs in?");
      // A refusal of the host stands beside its field, which is unfolded for it.
      await field(page, "Client id").fill("desk");
      await secret(page, "Client secret").fill("open sesame");
      await page.getByText("More", { exact: true }).click();
      await field(page, "Issuer").fill("https://refused.example.com");
      await page.getByText("More", { exact: true }).click();
      await field(page, "Issuer").waitFor({ state: "detached" });
      await button(page, "Save").click();
      await field(page, "Issuer").and(page.locator(":focus")).waitFor();
      assert.equal(await note(page, field(page, "Issuer")), "Nobody gives out tokens at this address.");
      await field(page, "Issuer").fill("https://login.example.com");
      await page.getByText("Nobody gives out tokens").waitFor({ state: "detached" });
      await field(page, "Issuer").fill("https://refused.example.com");
      await button(page, "Save").click();
      await page.getByText("Not saved: a field says what is wrong with it.").waitFor();
    },
  },
  {
    name: "auth-private-key",
    scenario: "connected",
    steps: async (page) => {
      await addAddress(page);
      await unfold(page);
      await way(page, "As a program, with a private key").check();
      await field(page, "Client id").fill("desk");
      await field(page, "Private key (PEM, PKCS #8)").fill(
        "-----BEGIN RSA PRIVATE KEY-----\nMC4CAQ==\n-----END RSA PRIVATE KEY-----",
      );
      await page.getByLabel("Algorithm").selectOption("ES256");
      await button(page, "Save").click();
      await page.getByText("This is an older form. Convert it to PKCS #8").waitFor();
      // The client is the same in both ways.
      await way(page, "As a program, with id and secret").check();
      assert.equal(await field(page, "Client id").inputValue(), "desk");
      await way(page, "As a program, with a private key").check();
      assert.match(await field(page, "Private key (PEM, PKCS #8)").inputValue(), /^-----BEGIN RSA/);
    },
  },
  {
    name: "auth-enterprise",
    scenario: "connected",
    steps: async (page) => {
      await addAddress(page);
      await unfold(page);
      await way(page, "By way of the company").check();
      await field(page, "Token endpoint of the identity provider").fill("https://idp.example.com/token");
      await field(page, "Client id there").fill("desk");
      await secret(page, "Client secret there").fill("hush");
      await secret(page, "Your ID token").fill("eyJ.eyJ.sig");
      await field(page, "Client id").fill("sonde");
      await button(page, "Save").click();
      await page.getByRole("heading", { name: "mcp.example.com", level: 1 }).waitFor();
      await edit(page);
      // An optional secret can be taken away, and that can be taken back.
      await button(page, "Remove (Client secret there)").click();
      await button(page, "Keep the stored one (Client secret there)").and(page.locator(":focus")).click();
      assert.equal(await secret(page, "Client secret there").getAttribute("placeholder"), "kept; type to replace it");
      await button(page, "Remove (Client secret there)").click();
      await button(page, "Keep the stored one (Client secret there)").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "auth-workload",
    scenario: "connected",
    steps: async (page) => {
      await addAddress(page);
      await unfold(page);
      await way(page, "As a workload").check();
      await button(page, "Save").click();
      await page.getByText("What does the platform state about the workload?").waitFor();
    },
  },
  {
    name: "auth-more",
    scenario: "connected",
    steps: async (page) => {
      await addAddress(page);
      await unfold(page);
      await page.getByText("More", { exact: true }).click();
      await page.getByLabel("Port to return to").fill("80");
      await page.getByText("A whole number from 1,024 to 65,535.").waitFor();
      // What is typed stays, also where it is no port.
      await way(page, "Never").check();
      await way(page, "When the server asks for it").check();
      await page.getByText("More", { exact: true }).click();
      assert.equal(await page.getByLabel("Port to return to").inputValue(), "80");
      await page.getByLabel("Port to return to").fill("6274");
      await page.getByText("http://127.0.0.1:6274/callback").waitFor();
      await page.getByLabel(/promise PKCE/).check();
      await page.getByText("Only for tests.").waitFor();
      await field(page, "Client metadata document").fill("http://example.com/client.json");
      await field(page, "Scopes").fill('"all"');
      await button(page, "Save").click();
      await page.getByText("It begins with https://, not with http://.").waitFor();
      await page.getByText("Scopes are plain words").waitFor();
      await page.getByText("Only for tests.").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "secrets",
    scenario: "secrets",
    steps: async (page) => {
      await toSecrets(page);
      await row(page, "Header Authorization").waitFor();
      await row(page, "Sign-in for https://mcp.example.com/v1/mcp")
        .getByText("Company tickets", { exact: true })
        .waitFor();
      await part(page).evaluate((element) => element.scrollIntoView());
    },
  },
  {
    name: "secrets-delete",
    scenario: "secrets",
    // After each deletion the focus is at the next row, and at the heading when there is none.
    steps: async (page) => {
      await toSecrets(page);
      await row(page, "Sign-in for https://mcp.example.com/v1/mcp")
        .getByRole("button", { name: /^Delete/ })
        .click();
      await part(page).getByText("You will have to sign in again to “Company tickets”.").waitFor();
      await button(page, "Keep").and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Escape");
      await row(page, "Sign-in for https://mcp.example.com/v1/mcp").locator("[data-delete]:focus").waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
      await part(page).getByText("Deleted: Sign-in for https://mcp.example.com/v1/mcp.").waitFor();
      await row(page, "department.example.org").locator("[data-delete]:focus").waitFor();
      // One that cannot be deleted stays, and says why.
      await row(page, "Environment variable API_KEY")
        .getByRole("button", { name: /^Delete/ })
        .click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
      await row(page, "Environment variable API_KEY").getByText("The keyring is locked.").waitFor();
      await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).and(page.locator(":focus")).waitFor();
      await row(page, "Registration with https://login.example.com")
        .getByRole("button", { name: /^Delete/ })
        .click();
      await part(page).getByText("Sonde will register anew with https://login.example.com").waitFor();
      await part(page).evaluate((element) => element.scrollIntoView());
    },
  },
  {
    name: "secrets-in-memory",
    scenario: "secrets_in_memory",
    steps: async (page) => {
      await toSecrets(page);
      await part(page).getByText("All secrets are in memory only.").waitFor();
      assert.equal(await part(page).getByText("In memory only", { exact: true }).count(), 5);
      await part(page).evaluate((element) => element.scrollIntoView());
    },
  },
  {
    name: "secrets-no-keyring",
    scenario: "secrets_no_keyring",
    steps: async (page) => {
      await toSecrets(page);
      await part(page).getByText("The keyring cannot be used.").waitFor();
      await part(page).getByText("Nothing is stored.").waitFor();
    },
  },
  {
    name: "secrets-retried",
    scenario: "secrets_in_memory",
    steps: async (page, look) => {
      await toSecrets(page);
      await button(page, "Try again").click();
      await part(page).getByText("The keyring took 4 secrets. One is still in memory only.").waitFor();
      await part(page).getByText("Some secrets are in memory only.").waitFor();
      await button(page, "Try again").and(page.locator(":focus")).waitFor();
      if (look.name === "light") {
        await page.keyboard.press("Enter");
        await part(page).getByText("The keyring took one secret.", { exact: true }).waitFor();
        await part(page).getByRole("heading", { name: "Stored secrets" }).and(page.locator(":focus")).waitFor();
        assert.equal(await button(page, "Try again").count(), 0);
      }
      await part(page).evaluate((element) => element.scrollIntoView());
    },
  },
  {
    name: "secrets-unsaved",
    scenario: "problems",
    // The form names what the keyring did not take, and leads to where it can be offered again.
    steps: async (page) => {
      await page.getByRole("main").getByRole("button", { name: "More actions for Files" }).click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
      await page.getByText("The keyring could not take the variable API_KEY.").waitFor();
      await button(page, "Stored secrets").click();
      await part(page).waitFor();
    },
  },
  {
    name: "secrets-unreadable",
    scenario: "secrets_unreadable",
    steps: async (page, look) => {
      await toSecrets(page);
      await part(page).getByText("The keyring could not be read.").waitFor();
      if (look.name !== "light") return;
      await part(page).getByRole("button", { name: "Try again" }).click();
      await row(page, "Header Authorization").waitFor();
      await part(page).getByRole("heading", { name: "Stored secrets" }).and(page.locator(":focus")).waitFor();
    },
  },
  {
    name: "secrets-loading",
    scenario: "secrets_slow",
    steps: async (page) => {
      await toSecrets(page);
      await part(page).getByText("Looking into the keyring…").waitFor();
    },
  },
  {
    name: "secrets-none",
    scenario: "first",
    steps: async (page) => {
      await toSecrets(page);
      await part(page).getByText("Nothing is stored.").waitFor();
    },
  },
];
