import { describe, expect, it } from "vitest";

import type { SavedInput } from "../ipc/bindings";
import { toText } from "../schema/document";
import { initialLive, type LiveState } from "./live";
import { FIRST_DRAFT, writeSampling } from "./sampling";
import { answerFrom, answerInput, answersFor, answerTarget, answerText } from "./savedAnswers";
import { savedInput } from "./testing/views";

const schema = '{"type":"object","properties":{"ship":{"type":"string"},"big":{"type":"integer"}}}';
const form = { method: "elicitation/create", schema };
const sampling = { method: "sampling/createMessage", schema: null };

const saved = (input: Partial<SavedInput>) => savedInput({ method: form.method, target: "ship, big", ...input });

describe("a saved answer", () => {
  it("is offered where it fits", () => {
    expect(answerTarget(form)).toBe("ship, big");
    expect(answerTarget(sampling)).toBe("response");
    for (const none of [
      { method: "roots/list", schema: null },
      { method: form.method, schema: null },
      { method: form.method, schema: "{" },
    ]) {
      expect(answerTarget(none)).toBeNull();
    }
    const all = [
      saved({}),
      saved({ id: "2", target: "crew" }),
      saved({ id: "3", method: sampling.method, target: "response" }),
    ];
    const live: LiveState = { ...initialLive, savedInputs: { s: all } };
    expect(answersFor(live, "s", form).map(({ id }) => id)).toEqual(["1"]);
    expect(answersFor(live, "s", sampling).map(({ id }) => id)).toEqual(["3"]);
    expect(answersFor(live, "t", form)).toEqual([]);
  });

  it("is what was typed, and comes back as it was", () => {
    const text = '{"big":9007199254740993,"ship":"Aurora"}';
    const answer = answerFrom(form, text);
    expect(answer.document && toText(answer.document)).toBe(text);
    expect(answerText(answer)).toBe(text);
    const spoken = writeSampling({ ...FIRST_DRAFT, text: "Hi" });
    expect(answerText(answerFrom(sampling, spoken))).toBe(spoken);
    // The form cannot hold this content, so the reply is restored as JSON.
    const picture = '{"role":"assistant","content":{"type":"image"},"model":"m"}';
    expect(answerFrom(sampling, picture).sampling).toBeNull();
    expect(answerText(answerFrom(sampling, picture))).toBe(picture);
    expect(answerText({ document: null, raw: "{", sampling: null })).toBeNull();
  });

  it("takes the place of the one with its name, and is private where the form is", () => {
    const live: LiveState = { ...initialLive, savedInputs: { s: [saved({ name: "Mine" })] } };
    const request = { ...form, server: "s" };
    expect(answerInput(live, request, "Mine", "{}")?.id).toBe("1");
    expect(answerInput(live, request, "Other", "{}")).toMatchObject({ id: "", private: false });
    const secret = '{"properties":{"ship":{"type":"string","format":"password"}}}';
    expect(answerInput(live, { ...request, schema: secret }, "x", "{}")?.private).toBe(true);
  });

  it("names the form that it was given to, for the rules", () => {
    const request = { ...form, server: "s", schema_digest: "3a6e" };
    expect(answerInput(initialLive, request, "Mine", "{}")?.schema_digest).toBe("3a6e");
    expect(answerInput(initialLive, { ...sampling, server: "s" }, "Mine", "{}")).not.toHaveProperty("schema_digest");
  });
});
