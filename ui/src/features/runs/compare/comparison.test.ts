import { expect, it } from "vitest";

import { Comparison, type RunTexts } from "./comparison";

const result = (content: unknown, structured?: unknown) =>
  JSON.stringify({ content, ...(structured === undefined ? {} : { structuredContent: structured }) });
const textBlock = (text: string) => ({ type: "text", text });
const run = (texts: Partial<RunTexts>): RunTexts => ({ arguments: null, params: null, result: null, ...texts });
const paths = (comparison: Comparison) => comparison.changes(0, 100).map(({ kind, path }) => `${kind} ${path}`);

it("compares arguments and results, with text that is JSON as such", () => {
  const comparison = new Comparison(
    run({ arguments: '{"days":3}', result: result([textBlock('{"tides":[{"metres":1.1}]}')]) }),
    run({ arguments: '{"days":4}', result: result([textBlock('{ "tides": [{"metres":1.2}] }')]) }),
  );
  expect(paths(comparison)).toEqual(["changed arguments.days", "changed result.content[0].text.tides[0].metres"]);
  expect(comparison.values(1)).toEqual({ left: "1.1", right: "1.2" });
  expect(comparison.head.changes.kinds).toEqual({ added: 0, removed: 0, changed: 2, moved: 0 });
});

it("compares what was read of a resource as tools' results", () => {
  const side = (text: string) =>
    run({ result: JSON.stringify({ contents: [{ uri: "x:1", mimeType: "application/json", text }] }) });
  const comparison = new Comparison(side('{"lamp":"lit"}'), side('{"lamp":"out"}'));
  expect(paths(comparison)).toEqual(["changed result.contents[0].text.lamp"]);
  const lines = new Comparison(side("a\nb"), side("a\nc"));
  expect([lines.head.lines.removed, lines.head.lines.added]).toEqual([1, 1]);
});

it("compares content once that stands there twice", () => {
  const side = (metres: number) => {
    const tides = { tides: [{ metres }] };
    return run({ result: result([textBlock(JSON.stringify(tides))], tides) });
  };
  const comparison = new Comparison(side(1), side(2));
  expect(comparison.head.repeated).toBe(true);
  expect(paths(comparison)).toEqual(["changed result.structuredContent.tides[0].metres"]);
  expect(comparison.head.lines.removed).toBe(1);
  // A repetition on one side only is compared.
  const other = new Comparison(side(1), run({ result: result([textBlock("x")], { tides: [] }) }));
  expect(other.head.repeated).toBe(false);
});

it("compares the other members of a text that repeats the structured content", () => {
  const side = (priority: number) =>
    run({ result: result([{ ...textBlock('{"a":1}'), annotations: { priority } }], { a: 1 }) });
  const comparison = new Comparison(side(0), side(1));
  expect(comparison.head.repeated).toBe(true);
  expect(paths(comparison)).toEqual(["changed result.content[0].annotations.priority"]);
});

it("compares the words of results line by line", () => {
  const side = (words: string) => run({ result: result([textBlock(words)]) });
  const comparison = new Comparison(side("Hello\nAda"), side("Hello\nGrace"));
  expect(comparison.lines(0, 10)).toEqual([
    { kind: "same", left: 1, right: 1, text: "Hello" },
    { kind: "removed", left: 2, right: null, text: "Ada" },
    { kind: "added", left: null, right: 2, text: "Grace" },
  ]);
  expect(comparison.head.lines).toEqual({ rows: 3, places: [1], removed: 1, added: 1, cut: false });
  expect(comparison.text("lines", ["a", "b"])).toBe("--- a\n+++ b\n@@ -1,2 +1,2 @@\n Hello\n-Ada\n+Grace\n");
});

it("takes what is no result, and what is not there", () => {
  const comparison = new Comparison(run({ arguments: "{not json", result: "the server went away" }), run({}));
  expect(paths(comparison)).toEqual(["removed arguments", "removed result"]);
  expect(comparison.head.lines.removed).toBe(1);
});

it("has nothing to show of equal runs", () => {
  const side = run({ arguments: "{}", result: result([textBlock("Hello")]) });
  const { head } = new Comparison(side, side);
  expect([head.changes.rows, head.lines.rows, head.results]).toEqual([0, 0, true]);
});

it("compares the params of raw requests, also of those without a result", () => {
  const comparison = new Comparison(run({ params: '{"level":"debug"}' }), run({ params: '{"level":"info"}' }));
  expect(paths(comparison)).toEqual(["changed params.level"]);
  expect(comparison.head.results).toBe(false);
});
