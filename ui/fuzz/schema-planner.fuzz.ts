import { expect, it } from "vitest";
import fc from "fast-check";

import { createDocument, syntaxProblem, toText } from "../src/schema/document";
import { fits } from "../src/schema/evaluate";
import { printNode } from "../src/schema/print";
import { jsonText } from "../src/schema/testing/arbitraries";
import { hostileSchema } from "../src/schema/testing/hostile";
import { parsed, walk } from "../src/schema/testing/walk";
import { MAX_WORK, workDone } from "../src/schema/work";
import { fuzz } from "./fuzz";

it("schema-planner", () =>
  fuzz("schema-planner", fc.tuple(hostileSchema, jsonText), ([schema, text]) => {
    const doc = createDocument(JSON.stringify(schema) ?? "null");
    expect(syntaxProblem(doc)).toBeNull();
    parsed(toText(doc));
    const { root } = doc.source;
    if (!root) return;
    walk(doc.source, root, parsed(text), { left: 300 });
    fits(doc.source, root, parsed(text));
    const printed = printNode(root);
    expect(printNode(parsed(printed))).toBe(printed);
    // What is refused counts as well: it has to come to an end.
    expect(workDone()).toBeLessThan(2 * MAX_WORK);
  }));
