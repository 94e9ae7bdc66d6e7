import { describe, expect, it } from "vitest";

import { render } from "../../../../lib/render.test.helper";
import { parsed } from "../../../../schema/testing/walk";
import { Values } from "./Values";

/** Renders a value and returns the text on screen. */
function words(json: string): string {
  const { container } = render(<Values node={parsed(json)} />);
  return (container.textContent ?? "").trim();
}

describe("values as people write them", () => {
  it("have labels in words, and none of the words of JSON", () => {
    const said = words('{"maxSpeed":12.50,"is_open":true,"closed":false,"next_tide":null,"ports":["Oslo","Bergen"]}');
    expect(said).toBe("Max speed12.50Is openYesClosedNoNext tide–PortsOslo, Bergen");
    expect(words("[]")).toBe("–");
    expect(words("{}")).toBe("–");
  });

  it("stand within each other, and are cut where nobody reads on", () => {
    expect(words('{"ship":{"name":"Aurora","crew":[{"role":"mate"}]}}')).toBe("ShipNameAuroraCrewRolemate");
    const deep = '{"a":'.repeat(40) + "1" + "}".repeat(40);
    expect(words(deep)).toMatch(/…$/);
    expect(words(JSON.stringify(Array.from({ length: 150 }, (_, at) => at)))).toMatch(/99and 50 more$/);
  });
});
