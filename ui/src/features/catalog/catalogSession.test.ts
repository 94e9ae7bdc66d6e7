import { describe, expect, it } from "vitest";

import { rowAt } from "../../components/rows/rowPages";
import type { Backend } from "../../ipc/backend";
import type { CatalogRow, Rows } from "../../ipc/bindings";
import { rowOf } from "../../ipc/fake/extras";
import { CatalogSession } from "./catalogSession";

interface Asked {
  readonly revision: number;
  readonly search: string;
  readonly from: number;
  readonly count: number;
}

/** Fakes a host with these items at revision 1; it searches in their keys. */
function host(items: readonly string[]) {
  const asked: Asked[] = [];
  const located: string[] = [];
  const held: (() => void)[] = [];
  let holds = false;
  const find = (search: string): string[] => items.filter((item) => item.includes(search));
  const call = async (name: string, args: unknown): Promise<Rows<CatalogRow> | number | null> => {
    if (name === "catalog_index") {
      const { search, key } = args as { search: string; key: string };
      located.push(key);
      const place = find(search).indexOf(key);
      return place < 0 ? null : place;
    }
    const given = args as Asked;
    asked.push(given);
    if (holds) await new Promise<void>((go) => held.push(go));
    if (given.revision !== 1) return { revision: 1, total: 0, rows: [] };
    const found = find(given.search);
    return {
      revision: 1,
      total: found.length,
      rows: found.slice(given.from, given.from + given.count).map((key) => rowOf(key, key, {})),
    };
  };
  const session = new CatalogSession({ call } as unknown as Backend, "s", "prompts");
  return {
    session,
    asked,
    located,
    hold: () => (holds = true),
    /** Answers the newest request first. */
    release: () => {
      holds = false;
      for (const go of held.splice(0).toReversed()) go();
    },
  };
}

const many = Array.from({ length: 1000 }, (_, index) => `item_${index}`);

describe("CatalogSession", () => {
  it("fetches the rows again when their marks may be others, and keeps them on show until then", async () => {
    const { session, asked, hold, release } = host(many.slice(0, 100));
    session.mark("0");
    session.show(1, "");
    await session.settled();
    session.pages.show(0, 10);
    session.mark("0");
    expect(asked).toHaveLength(1);
    hold();
    session.mark("1");
    expect(asked).toHaveLength(2);
    expect(rowAt(session.pages.snapshot(), 3)?.key).toBe("item_3");
    expect(session.store.getState().shown).toBe(1);
    release();
  });

  it("shows a list with its first rows and the place of what is selected, all at once", async () => {
    const { session, asked } = host(many);
    session.select("item_3");
    session.show(1, "");
    expect(session.store.getState().shown).toBe(0);
    expect(await session.settled()).toMatchObject({ shown: 1, total: 1000, selected: 3 });
    expect(rowAt(session.pages.snapshot(), 3)?.key).toBe("item_3");
    expect(asked).toHaveLength(1);
    session.show(1, "");
    expect(asked).toHaveLength(1);
  });

  it("asks for the place of what is selected only where the first rows do not have it", async () => {
    const { session, located } = host(many);
    session.select("item_999");
    session.show(1, "");
    expect(await session.settled()).toMatchObject({ total: 1000, selected: 999 });
    expect(located).toEqual(["item_999"]);
    session.show(1, "item_99");
    expect(await session.settled()).toMatchObject({ total: 11, selected: 10 });
    session.show(1, "item_1");
    expect(await session.settled()).toMatchObject({ total: 111, selected: null });
    expect(located).toEqual(["item_999"]);
  });

  it("waits for the search that was typed last and drops what was overtaken", async () => {
    const { session, hold, release } = host(many);
    session.show(1, "");
    await session.settled();
    hold();
    session.show(1, "item_9");
    session.show(1, "item_99");
    const settled = session.settled();
    expect(session.store.getState()).toMatchObject({ search: "", total: 1000 });
    release();
    expect(await settled).toMatchObject({ shown: 2, search: "item_99", total: 11 });
    expect(await session.selectAt(0)).toBe("item_99");
    expect(session.store.getState().selected).toBe(0);
  });

  it("selects rows that are not here yet", async () => {
    const { session } = host(many);
    session.show(1, "");
    await session.settled();
    expect(rowAt(session.pages.snapshot(), 999)).toBeUndefined();
    expect(await session.selectAt(999)).toBe("item_999");
    session.select("item_999");
    expect(session.store.getState().selected).toBe(999);
    expect(await session.selectAt(1000)).toBeNull();
  });

  it("keeps what is shown where the host has read the list again", async () => {
    const { session } = host(many);
    session.show(1, "");
    await session.settled();
    session.show(2, "");
    expect(await session.settled()).toMatchObject({ shown: 1, total: 1000 });
  });
});
