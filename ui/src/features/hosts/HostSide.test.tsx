import { expect, it } from "vitest";

import type { HostReason } from "../../ipc/bindings";
import { screen } from "../../lib/render.test.helper";
import { renderIn, started } from "../../state/started.test.helper";
import { HostSide } from "./HostSide";
import { hostsSlice } from "./hostsUi";

it("shows at each tool why a host refuses the whole list", async () => {
  const { app, backend, server } = await started("connected");
  const hosts = await backend.call("known_hosts", {});
  const summary = await backend.call("host_summary", { server });
  const tooMany: HostReason = {
    verdict: "fails",
    what: "There are 129 tools, 128 are accepted.",
    then: "A request can have no more tools, over all servers.",
    when: null,
    fix: "Offer fewer tools.",
    pointer: null,
    heuristic: false,
    source: { name: "constants.ts", url: "https://example.com/constants.ts", date: "2025-10-17", evidence: "source" },
  };
  const totals = summary.totals.map((one) =>
    one.host === "claude" ? { ...one, reasons: [tooMany], refuses_all: true } : one,
  );
  const tool = summary.costliest[0]?.key ?? "";
  app.actions.setSlice(server, hostsSlice, { shown: { host: "claude", tool } });
  renderIn(
    app,
    <HostSide server={server} hosts={hosts} summary={{ ...summary, totals }} revision={summary.revision} name="Demo" />,
  );
  expect((await screen.findByText("By itself:")).parentElement?.textContent).not.toContain("No known problem");
  expect(screen.getByText(tooMany.what)).toBeTruthy();
});
