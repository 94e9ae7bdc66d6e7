import { keyStep } from "../../schema/difference/changes";
import { pointerOf } from "../../schema/source";
import type { JsonNode } from "../../schema/node";
import { nodeIn } from "../../schema/parse";
import { prettyJson, printNode } from "../../schema/print";
import type { DocumentMode, DocumentRow, DocumentView, SearchHit } from "../bindings";
import { fail } from "./fail";

type NodeRow = Extract<DocumentRow, { type: "node" }>;

/** An open document of the simulated host. */
export class FakeDocument {
  private mode: DocumentMode = "raw";
  /** Reason why the mode that was asked for shows the text instead. */
  private notJson: string | null = null;
  private columns = 80;
  private rows: DocumentRow[] = [];
  /** All nodes in order, each followed by its children; empty if the text is not JSON. */
  private readonly nodes: NodeRow[] = [];
  private readonly values: JsonNode[] = [];
  private readonly expanded = new Set([0]);
  private readonly id: number;
  private readonly text: string;

  constructor(id: number, text: string) {
    this.id = id;
    this.text = text;
    const node = nodeIn(text);
    if (node) this.add(node, 0, null, null);
  }

  show(mode: DocumentMode, columns: number): DocumentView {
    const isText = mode === "raw" || mode === "hex";
    this.notJson = isText || this.nodes.length > 0 ? null : "This text is not JSON.";
    this.mode = this.notJson === null ? mode : "raw";
    this.columns = Math.max(20, columns);
    return this.layOut();
  }

  toggle(node: number): DocumentView {
    if (!this.expanded.delete(node)) this.expanded.add(node);
    return this.layOut();
  }

  expandAll(expanded: boolean): DocumentView {
    this.expanded.clear();
    for (const { node } of this.nodes) if (expanded || node === 0) this.expanded.add(node);
    return this.layOut();
  }

  slice(from: number, count: number): DocumentRow[] {
    return this.rows.slice(from, from + count);
  }

  search(text: string, ordinal: number): SearchHit | null {
    if (this.mode === "tree") this.expandAll(true);
    const hits = this.rows.flatMap((row, index) => {
      const words = row.type === "text" ? row.text : `${row.key ?? ""} ${row.value}`;
      return words.toLowerCase().includes(text.toLowerCase()) ? [index] : [];
    });
    const place = ((ordinal % hits.length) + hits.length) % hits.length;
    return hits.length === 0 ? null : { row: hits[place] ?? 0, total: hits.length, ordinal: place };
  }

  /** Returns the row of the value at a JSON Pointer, from the root or from the result or params of a message. */
  locate(pointer: string): number | null {
    if (this.mode !== "tree") return null;
    const path: string[] = [];
    const rows = new Map<string, number>();
    for (const row of this.nodes) {
      path.splice(Math.max(0, row.depth - 1));
      if (row.depth > 0) path.push(row.key ?? String(row.index));
      rows.set(pointerOf(path), row.node);
    }
    const found = ["", "/result", "/params"].map((base) => rows.get(base + pointer)).find((row) => row !== undefined);
    if (found === undefined) return null;
    this.expandAll(true);
    return found;
  }

  nodeValue(node: number): string {
    const value = this.values[node] ?? fail("not_found", "There is no such node.");
    return value.kind === "string" ? value.value : printNode(value);
  }

  nodePath(node: number): string {
    let path = "";
    let below = Infinity;
    for (const row of this.nodes.slice(0, node + 1).reverse()) {
      if (row.depth >= below || row.depth === 0) continue;
      below = row.depth;
      path = `${row.index === null ? keyStep(row.key ?? "") : `[${row.index}]`}${path}`;
    }
    return `$${path}`;
  }

  private layOut(): DocumentView {
    this.rows = this.mode === "tree" ? this.treeRows() : this.textRows();
    return {
      document: this.id,
      mode: this.mode,
      rows: this.rows.length,
      bytes: new TextEncoder().encode(this.text).length,
      nodes: this.mode === "tree" ? this.nodes.length : null,
      not_json: this.notJson,
      first: this.slice(0, 200),
    };
  }

  private treeRows(): DocumentRow[] {
    /** Depth of the collapsed node whose descendants are skipped. */
    let hidden = Infinity;
    const rows: NodeRow[] = [];
    for (const row of this.nodes) {
      if (row.depth > hidden) continue;
      const expanded = this.expanded.has(row.node);
      hidden = expanded ? Infinity : row.depth;
      const parent = rows.findLastIndex(({ depth }) => depth < row.depth);
      rows.push({ ...row, parent: parent < 0 ? null : parent, expanded });
    }
    return rows;
  }

  private textRows(): DocumentRow[] {
    const text = this.mode === "pretty" ? prettyJson(this.text) : this.text;
    return text.split("\n").flatMap((line, number) =>
      Array.from({ length: Math.max(1, Math.ceil(line.length / this.columns)) }, (_, part) => ({
        type: "text" as const,
        text: line.slice(part * this.columns, (part + 1) * this.columns),
        line: part === 0 ? number + 1 : null,
      })),
    );
  }

  private add(value: JsonNode, depth: number, key: string | null, index: number | null): void {
    if (value.kind === "raw") throw new Error("nothing that was parsed is raw");
    const leaf = value.kind !== "array" && value.kind !== "object";
    const words = leaf ? printNode(value) : "";
    this.values.push(value);
    this.nodes.push({
      type: "node",
      node: this.nodes.length,
      parent: null,
      depth,
      key,
      index,
      kind: value.kind,
      value: words.slice(0, 400),
      truncated: words.length > 400,
      children: value.kind === "array" ? value.items.length : value.kind === "object" ? value.members.length : 0,
      expanded: false,
    });
    if (value.kind === "array") value.items.forEach((item, place) => this.add(item.value, depth + 1, null, place));
    if (value.kind === "object") value.members.forEach((each) => this.add(each.value, depth + 1, each.key, null));
  }
}
