import { describe, expect, it } from "vitest";

import type { ToolSummary } from "../../ipc/bindings";
import { manyTools } from "../../ipc/fake/definitions";
import { summary } from "../../ipc/fake/world";
import { searchTools } from "./search";

function tool(name: string, title: string | null = null, words = ""): ToolSummary {
  return {
    key: name,
    name,
    title,
    summary: words,
    read_only: null,
    destructive: null,
    idempotent: null,
    open_world: null,
    parameters: 0,
    findings: [],
    forbidden: null,
  };
}

const names = (tools: readonly ToolSummary[], search: string): string[] =>
  searchTools(tools, search).map((index) => tools[index]?.name ?? "");

describe("searching tools", () => {
  it("gives all tools in the server's order for an empty search", () => {
    expect(names([tool("b"), tool("a")], "  ")).toEqual(["b", "a"]);
  });

  it("ranks the whole name before its beginning, a word in it, a part and the summary", () => {
    const tools = [
      tool("other", null, "can read things"),
      tool("spread"),
      tool("file_read"),
      tool("read_file"),
      tool("read"),
    ];
    expect(names(tools, "read")).toEqual(["read", "read_file", "file_read", "spread", "other"]);
  });

  it("wants every word, wherever it stands", () => {
    const tools = [tool("read_file"), tool("write_file", "Save", "writes what you read"), tool("list")];
    expect(names(tools, "file read")).toEqual(["read_file", "write_file"]);
    expect(names(tools, "file zebra")).toEqual([]);
  });

  it("finds titles and ignores case", () => {
    expect(names([tool("t1", "Tide Table"), tool("t2")], "TIDE")).toEqual(["t1"]);
  });

  it("finds names by the beginnings of their words, last of all", () => {
    const tools = [tool("create_new_invoice"), tool("carni"), tool("x", null, "crni")];
    expect(names(tools, "crni")).toEqual(["x", "create_new_invoice"]);
  });

  it("finds the beginning of a later word although the letters come earlier within a word", () => {
    expect(names([tool("bread_maker"), tool("spread_read")], "read")).toEqual(["spread_read", "bread_maker"]);
  });

  it("finds exactly one of ten thousand", () => {
    const tools = manyTools(10_000).map(summary);
    expect(names(tools, "export contract 77")[0]).toBe("export_contract_77");
  });
});
