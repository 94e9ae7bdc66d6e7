import { expect, it } from "vitest";
import fc from "fast-check";

import { foreignHosts, hostOf, hostWords, normalForm } from "../src/lib/address";
import { fuzz } from "./fuzz";

const digits = fc.string({ unit: fc.constantFrom(..."abyz0189-"), maxLength: 70 });
const label = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  digits,
  fc.tuple(digits, fc.integer({ min: 1, max: 400 })).map(([text, times]) => text.slice(0, 3).repeat(times)),
);

/** Hosts, most of them with a label that says it is Punycode. */
const host = fc
  .array(fc.tuple(fc.constantFrom("xn--", ""), label), { minLength: 1, maxLength: 4 })
  .map((labels) => labels.map((parts) => parts.join("")).join("."));

it("address", () =>
  fuzz("address", host, (name) => {
    expect(hostWords(name) ?? name).toContain(name.replace(/:\d+$/, ""));
    hostWords(hostOf(normalForm(`https://${name}/`)));
    for (const found of foreignHosts(`--url=https://${name}/ ${name}`)) expect(hostWords(found)).not.toBeNull();
  }));
