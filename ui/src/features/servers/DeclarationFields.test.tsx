import { useState } from "react";
import { expect, it } from "vitest";

import type { Declaration, ProtocolMode } from "../../ipc/bindings";
import { plainDeclaration } from "../../ipc/drafts";
import { fakeBackend } from "../../ipc/fake";
import { act, fill, fireEvent, screen, waitFor } from "../../lib/render.test.helper";
import { createApp } from "../../state/app";
import { renderIn } from "../../state/started.test.helper";
import { DeclarationFields } from "./DeclarationFields";

interface Held {
  readonly declaration: Declaration;
  readonly protocol: ProtocolMode;
}

/** Renders the fields; returns a reader of their values after each change. */
function shown(): () => Held {
  const app = createApp(fakeBackend("empty"), (run) => run());
  let now: Held = { declaration: plainDeclaration, protocol: { type: "automatic" } };
  function Fields() {
    const [held, setHeld] = useState(now);
    now = held;
    return (
      <DeclarationFields
        {...held}
        roots={[]}
        problemOf={() => undefined}
        onChange={(declaration) => setHeld({ ...held, declaration })}
        onProtocol={(protocol) => setHeld({ ...held, protocol })}
      />
    );
  }
  act(() => {
    renderIn(app, <Fields />);
  });
  return () => now;
}

const box = (name: RegExp) => screen.getByRole<HTMLInputElement>("checkbox", { name });
const asHost = (id: string) => fill(screen.getByLabelText("Declared as"), id);
const sent = (label: string) => screen.findByRole("region", { name: label });

it("fills the switches in from a preset, says what was changed since, and undoes it", () => {
  const held = shown();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Undo changes" }).disabled).toBe(true);
  asHost("vs_code");
  expect(held().declaration.elicitation).toEqual({ form: true, url: true });
  expect(held().declaration.sampling).toEqual({ context: false, tools: false });
  expect(
    screen.getByText(/VS Code supports 2025-11-25\. Not declared here: .*tasks \(their parts are not known\)/),
  ).toBeTruthy();
  fireEvent.click(box(/^sampling/));
  expect(held().declaration.sampling).toBeNull();
  expect(box(/^tools/).disabled).toBe(true);
  const select = screen.getByLabelText<HTMLSelectElement>("Declared as");
  expect(select.selectedOptions[0]?.textContent).toBe("VS Code, changed");
  fireEvent.click(screen.getByRole("button", { name: "Undo changes" }));
  expect(held().declaration.sampling).toEqual({ context: false, tools: false });
});

it("sets the protocol mode of a host only when asked to", () => {
  const held = shown();
  asHost("goose");
  expect(held().protocol).toEqual({ type: "automatic" });
  fireEvent.click(screen.getByRole("button", { name: "Set protocol mode to Fixed version 2025-03-26" }));
  expect(held().protocol).toEqual({ type: "fixed", revision: "2025-03-26" });
  expect(screen.getByRole<HTMLButtonElement>("button", { name: /^Protocol mode is/ }).disabled).toBe(true);
});

it("shows what will be sent, in each protocol version that may come", async () => {
  const held = shown();
  expect((await sent("Sent in _meta of each stateless request")).textContent).not.toContain('"elicitation": null');
  asHost("nothing");
  fill(screen.getByLabelText("Client name"), "claude-code");
  await waitFor(() => {
    const text = screen.getByRole("region", { name: "Sent in initialize" }).textContent;
    expect(text).toContain('"elicitation": null');
    expect(text).toContain('"name": "claude-code"');
  });
  fill(screen.getByLabelText("Client name"), "");
  expect(held().declaration.name).toBeNull();
});

it("declares requests as tasks where there are any", () => {
  shown();
  expect(box(/^tasks/).disabled).toBe(false);
  fireEvent.click(box(/^sampling/));
  fireEvent.click(box(/^elicitation/));
  expect(box(/^tasks/).disabled).toBe(true);
});

it("takes extensions as they are typed", () => {
  const held = shown();
  fireEvent.click(screen.getByRole("button", { name: "Add extension" }));
  fill(screen.getByLabelText("Name of extension 1"), "com.example/x");
  fill(screen.getByLabelText("Settings of extension 1"), '{"n": 1.50}');
  expect(held().declaration.extensions).toEqual([{ name: "com.example/x", settings: '{"n": 1.50}' }]);
});
