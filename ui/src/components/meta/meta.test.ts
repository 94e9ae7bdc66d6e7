import { describe, expect, it } from "vitest";

import { checkMeta, metaParams, newTraceparent, withTraceparent } from "./meta";

describe("the check of _meta", () => {
  it.each([
    ["nothing", ""],
    ["an empty object", "{}"],
    ["a key that every object has", '{"constructor": 1, "toString": 2}'],
    ["keys of one's own", '{"com.example/trace": 1, "x": null}'],
    ["a trace", `{"traceparent": "${newTraceparent()}"}`],
  ])("has nothing to say about %s", (_, text) => expect(checkMeta(text)).toEqual({ problem: null, warnings: [] }));

  it.each([
    ["another value", "[1]", /has to be an object/],
    ["the progress token", '{"progressToken": 1}', /progress of this run cannot be shown/],
    ["what Sonde fills in", '{"io.modelcontextprotocol/logLevel": "info"}', /replaces the log level/],
    ["a reserved prefix", '{"io.modelcontextprotocol/x": 1}', /MCP reserves/],
    ["a broken key", '{"-a/b": 1}', /grammar/],
    ["a broken trace", '{"traceparent": "00-0-0-00"}', /W3C format/],
  ])("warns about %s and does not stand in the way", (_, text, words) => {
    const { problem, warnings } = checkMeta(text);
    expect(problem).toBeNull();
    expect(warnings.join()).toMatch(words);
  });

  it("says where the text is no JSON", () => {
    expect(checkMeta('{\n"a": }').problem).toMatchObject({ line: 2 });
  });
});

it("makes the traceparent of a new trace each time", () => {
  const made = [newTraceparent(), newTraceparent()];
  for (const one of made) expect(one).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(made[0]).not.toBe(made[1]);
});

it("puts a traceparent into what was typed and keeps the rest", () => {
  for (const text of ["", "{}", '{"a": 1.0}', '{"a": 1.0, "traceparent": "old"}']) {
    const after = JSON.parse(withTraceparent(text) ?? "") as Record<string, unknown>;
    expect(after["traceparent"]).toMatch(/^00-/);
    expect(after["a"]).toBe(text.includes('"a"') ? 1 : undefined);
  }
  expect(withTraceparent("[]")).toBeNull();
});

it("sends what was typed as it is", () => {
  expect(metaParams(" ")).toBeNull();
  expect(metaParams('{ "a": 1.0 }')).toBe('{"_meta":{ "a": 1.0 }}');
});
