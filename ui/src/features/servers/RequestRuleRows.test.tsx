import { useState } from "react";
import { expect, it } from "vitest";

import type { RequestRules } from "../../ipc/bindings";
import { plainRules } from "../../ipc/drafts";
import { fakeBackend } from "../../ipc/fake";
import { act, fill, screen, within } from "../../lib/render.test.helper";
import { createApp } from "../../state/app";
import { renderIn } from "../../state/started.test.helper";
import { savedInput } from "../../state/testing/views";
import { RequestRuleRows } from "./RequestRuleRows";

const answer = (id: string, method: string) => savedInput({ id, method, target: "ship", name: `Answer ${id}` });

/** Renders rows with these rules; returns a reader of the rules after each change. */
function shown(rules: RequestRules = plainRules): () => RequestRules {
  const app = createApp(fakeBackend("empty"), (run) => run());
  const live = app.store.getState().live;
  const savedInputs = { s: [answer("a", "elicitation/create"), answer("b", "sampling/createMessage")] };
  app.store.setState({ live: { ...live, savedInputs } });
  let now = rules;
  function Held() {
    const [held, setHeld] = useState(rules);
    now = held;
    return <RequestRuleRows server="s" rules={held} onChange={setHeld} onBroken={() => undefined} />;
  }
  act(() => {
    renderIn(app, <Held />);
  });
  return () => now;
}

const kind = (name: string) => within(screen.getByRole("group", { name }));
const options = (name: string) =>
  kind(name)
    .getAllByRole("option")
    .map((each) => each.textContent);
const choose = (name: string, value: string) => fill(kind(name).getByRole("combobox"), value);

it("offers for each kind of request what can answer it", () => {
  shown();
  expect(options("Forms (elicitation)")).toEqual(["Ask me", "Decline", "Cancel", "Answer with “Answer a”"]);
  // A rule never agrees to open a page.
  expect(options("Pages to open (elicitation)")).toEqual(["Ask me", "Decline", "Cancel"]);
  expect(options("Requests for a model (sampling)")).toEqual([
    "Ask me",
    "Decline (error -1)",
    "Answer with “Answer b”",
  ]);
  expect(options("Roots")).toEqual(["Answer with the roots", "Refuse (error -32603)"]);
});

it("sets an answer with its delay", () => {
  const rules = shown();
  expect(kind("Forms (elicitation)").queryByLabelText("After (seconds)")).toBeNull();
  choose("Forms (elicitation)", "saved:a");
  fill(kind("Forms (elicitation)").getByLabelText("After (seconds)"), "30");
  choose("Pages to open (elicitation)", "cancel");
  choose("Roots", "refuse");
  fill(kind("Roots").getByLabelText("After (seconds)"), "601");
  expect(rules()).toEqual({
    form: { action: { type: "saved", input: "a" }, delay_seconds: 30 },
    page: { action: { type: "cancel" }, delay_seconds: 0 },
    sampling: plainRules.sampling,
    roots: { refuse: true, delay_seconds: 0 },
  });
  expect(kind("Roots").getByText(/Enter a whole number from 0 to 600/)).toBeTruthy();
  choose("Forms (elicitation)", "ask");
  expect(rules().form.action).toEqual({ type: "ask" });
});

it("says that the saved answer of a rule was deleted", () => {
  shown({ ...plainRules, form: { action: { type: "saved", input: "gone" }, delay_seconds: 0 } });
  const select = kind("Forms (elicitation)").getByRole<HTMLSelectElement>("combobox");
  expect(select.selectedOptions[0]?.textContent).toBe("Answer with a deleted saved answer");
});
