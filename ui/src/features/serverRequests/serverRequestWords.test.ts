import { describe, expect, it } from "vitest";

import { addressOf, pageOf } from "../../state/answers";
import { answeredWords, jsonProblem, serverRequestTitle } from "./serverRequestWords";

describe("a request", () => {
  it("says what it is about", () => {
    expect(serverRequestTitle({ method: "elicitation/create", schema: "{}", params: "{}" })).toBe(
      "The server needs your input",
    );
    expect(serverRequestTitle({ method: "sampling/createMessage", schema: null, params: "{}" })).toBe(
      "Sampling request",
    );
    expect(serverRequestTitle({ method: "x/y", schema: null, params: "{}" })).toContain("Unknown request");
  });

  it("leads to an address only where a browser opens it", () => {
    const asked = (params: unknown, method = "elicitation/create") =>
      addressOf({ method, params: JSON.stringify(params) });
    expect(asked({ mode: "url", url: "https://example.com/a" })).toBe("https://example.com/a");
    expect(asked({ mode: "url", url: "file:///etc/passwd" })).toBeNull();
    expect(asked({ mode: "url", url: "javascript:alert(1)" })).toBeNull();
    expect(asked({ mode: "form", url: "https://example.com/a" })).toBeNull();
    expect(asked({ mode: "url", url: "https://example.com/a" }, "roots/list")).toBeNull();
    expect(addressOf({ method: "elicitation/create", params: "{ damaged" })).toBeNull();
    // The window shows every address, and says which ones it does not open.
    const params = JSON.stringify({ mode: "url", url: "file:///etc/passwd" });
    expect(pageOf({ method: "elicitation/create", params })).toBe("file:///etc/passwd");
    expect(pageOf({ method: "elicitation/create", params: '{"mode":"url"}' })).toBeNull();
    expect(serverRequestTitle({ method: "elicitation/create", schema: null, params })).toContain("open a page");
  });

  it("says how it was answered, and by which rule", () => {
    expect(answeredWords({ answer: "decline", rule: null })).toBe("declined");
    const rule = { after_seconds: 2, saved_answer: null };
    expect(answeredWords({ answer: "decline", rule })).toBe("Answered by rule: declined after 2 s");
    expect(answeredWords({ answer: "error", rule: { ...rule, after_seconds: 0 } })).toBe("Answered by rule: rejected");
    expect(answeredWords({ answer: "accept", rule: { after_seconds: 0, saved_answer: "The Aurora" } })).toBe(
      "Answered by rule: with the saved answer “The Aurora”",
    );
  });

  it("takes only JSON as a result", () => {
    expect(jsonProblem('{"roots":[]}')).toBeNull();
    expect(jsonProblem("")).not.toBeNull();
    expect(jsonProblem("{")).not.toBeNull();
  });
});
