import { expect, it } from "vitest";

import type { ContentBlock, OperationOutcome } from "../../../../ipc/bindings";
import { screen } from "../../../../lib/render.test.helper";
import { shownOf } from "../../../../state/started.test.helper";
import { Result } from "./Result";

/** Renders a result with one text block, and returns the text on screen. */
async function shown(text: string, structured: string | null): Promise<string> {
  const block = { kind: "text", mime_type: null, text, bytes: text.length, uri: null } as ContentBlock;
  const result = {
    type: "result",
    content: [block, { ...block, text: "Two ports." }],
    prompt: null,
    structured: structured === null ? null : { json: structured, bytes: structured.length, problems: [] },
  } as unknown as Extract<OperationOutcome, { type: "result" }>;
  const { container } = await shownOf("tools", () => <Result operation={1} result={result} />);
  return container.textContent ?? "";
}

it("leaves out only JSON text that repeats the structured values", async () => {
  const other = await shown('[{"ship":{"name":"Aurora"}}]', '{"count":2}');
  expect(other).toContain("Aurora");
  expect(other).toContain("Count2");
});

it.each([
  ["the values", '{ "count": 27 }', '{"count":27}'],
  ["the values with other escapes", '{"count":"27\\u002e"}', '{"count":"27."}'],
  ["what they wrap", "[27]", '{"result":[27]}'],
])("shows once a text that repeats %s", async (_, text, structured) => {
  expect((await shown(text, structured)).match(/27/g)).toHaveLength(1);
});

it("shows data in parallel arrays with every column, member and digit", async () => {
  const data = {
    country: ["DE", "FR", "IT"],
    capital: ["Berlin", "Paris", "Rome"],
    population: [83294633, 68170228, 58870762],
    source: "UN",
  };
  const text = await shown(JSON.stringify(data), null);
  const rows = screen.getAllByRole("row").map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(rows).toEqual([
    ["Country", "Population", "Capital"],
    ["DE", "83294633", "Berlin"],
    ["FR", "68170228", "Paris"],
    ["IT", "58870762", "Rome"],
  ]);
  expect(text).toContain("SourceUN");
});
