import { expect, it, vi } from "vitest";

import { rowAt } from "../../components/rows/rowPages";
import type { Backend } from "../../ipc/backend";
import type { HostFilter, HostRow, Rows } from "../../ipc/bindings";
import { HostSession } from "./hostSession";

const filter: HostFilter = { hosts: [], problems: false, search: "" };

it("fetches the rows again once they may be judged otherwise, and not else", async () => {
  let findings = 2;
  const call = vi.fn((_: string, { revision }: { readonly revision: number }): Promise<Rows<HostRow>> => {
    const row = { key: "a", name: "a", verdicts: [], bytes: 10, tokens: 3, findings };
    return Promise.resolve({ revision, total: 1, rows: [row] });
  });
  const session = new HostSession({ call } as unknown as Backend, "s");
  const found = () => rowAt(session.pages.snapshot(), 0)?.findings;
  session.show(1, "a", filter);
  await expect.poll(found).toBe(2);
  session.show(1, "a", { ...filter });
  expect(call).toHaveBeenCalledTimes(1);
  findings = 1;
  session.show(1, "b", filter);
  await expect.poll(found).toBe(1);
});
