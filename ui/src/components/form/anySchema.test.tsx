import fc from "fast-check";
import { expect, it } from "vitest";
import { render } from "../../lib/render.test.helper";
import { createDocument } from "../../schema/document";
import type { Problem } from "../../schema/problems";
import { jsonText, memberName, schemaValue } from "../../schema/testing/arbitraries";
import { ArgumentsForm } from "./ArgumentsForm";

const nothing = (): void => undefined;

it("no schema, text or finding breaks the form", () => {
  const members = fc
    .array(fc.tuple(memberName, jsonText), { maxLength: 4 })
    .map((entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`);
  const root = schemaValue.map((schema) =>
    typeof schema === "object" && schema !== null && !Array.isArray(schema) ? { ...schema, type: "object" } : schema,
  );
  const problem = fc.record({
    instancePath: fc.constantFrom("", "/a", "/a/0/b", "/kind", "/10", "//", "/~1~0", "no pointer"),
    message: fc.string(),
    keyword: fc.constant("type"),
    missing: fc.option(memberName, { nil: undefined }),
  });
  fc.assert(
    fc.property(
      root,
      fc.oneof(members, jsonText, fc.string()),
      fc.array(problem, { maxLength: 3 }),
      (schema, text, problems: Problem[]) => {
        const value = createDocument(JSON.stringify(schema), text);
        const form = <ArgumentsForm value={value} onChange={nothing} problems={problems} idPrefix="t" />;
        const { container, unmount } = render(form);
        const ids = [...container.querySelectorAll("[id]")].map(({ id }) => id);
        unmount();
        expect(new Set(ids).size).toBe(ids.length);
      },
    ),
    { numRuns: 400 },
  );
});
