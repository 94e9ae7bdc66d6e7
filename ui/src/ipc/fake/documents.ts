import type { JsonNode } from "../../schema/node";
import { parseJson } from "../../schema/parse";
import { prettyJson, printNode } from "../../schema/print";
import type { DocumentMode, DocumentRow, DocumentView, NodeKind, SearchHit } from "../bindings";

interface Node {
  readonly id: number;
  readonly depth: number;
  readonly key: string | null;
  readonly index: number | null;
  readonly kind: NodeKind;
  readonly value: string;
  readonly children: readonly Node[];
}

/** An open document of the simulated host. */
export class FakeDocument {
  private mode: DocumentMode = "raw";
  private columns = 80;
  private rows: DocumentRow[] = [];
  private root: Node | null = null;
  private nodes = 0;
  private readonly expanded = new Set<number>();
  private readonly id: number;
  readonly text: string;

  constructor(id: number, text: string) {
    this.id = id;
    this.text = text;
    const parsed = parseJson(text);
    if (parsed.ok) {
      this.root = this.build(parsed.node, 0, null, null);
      this.expanded.add(this.root.id);
    }
  }

  show(mode: DocumentMode, columns: number): DocumentView {
    this.mode = this.root ? mode : "raw";
    this.columns = Math.max(20, columns);
    return this.layOut();
  }

  toggle(node: number): DocumentView {
    if (!this.expanded.delete(node)) this.expanded.add(node);
    return this.layOut();
  }

  expandAll(expanded: boolean): DocumentView {
    this.expanded.clear();
    const visit = (node: Node): void => {
      if (expanded || node.depth === 0) this.expanded.add(node.id);
      node.children.forEach(visit);
    };
    if (this.root) visit(this.root);
    return this.layOut();
  }

  slice(from: number, count: number): DocumentRow[] {
    return this.rows.slice(from, from + count);
  }

  search(text: string, ordinal: number): SearchHit | null {
    const wanted = text.toLowerCase();
    if (this.mode === "tree") {
      this.expandAll(true);
    }
    const hits = this.rows.flatMap((row, index) => {
      const words = row.type === "text" ? row.text : `${row.key ?? ""} ${row.value}`;
      return words.toLowerCase().includes(wanted) ? [index] : [];
    });
    if (hits.length === 0) return null;
    const place = ((ordinal % hits.length) + hits.length) % hits.length;
    return { row: hits[place] ?? 0, total: hits.length, ordinal: place };
  }

  private layOut(): DocumentView {
    this.rows = this.mode === "tree" && this.root ? this.treeRows(this.root) : this.textRows();
    return {
      document: this.id,
      mode: this.mode,
      rows: this.rows.length,
      bytes: new TextEncoder().encode(this.text).length,
      nodes: this.root ? this.nodes : null,
      not_json: this.root ? null : "This text is not JSON.",
    };
  }

  private treeRows(node: Node, rows: DocumentRow[] = []): DocumentRow[] {
    const expanded = this.expanded.has(node.id);
    rows.push({
      type: "node",
      node: node.id,
      depth: node.depth,
      key: node.key,
      index: node.index,
      kind: node.kind,
      value: node.value.slice(0, 400),
      truncated: node.value.length > 400,
      children: node.children.length,
      expanded,
    });
    if (expanded) for (const child of node.children) this.treeRows(child, rows);
    return rows;
  }

  private textRows(): DocumentRow[] {
    const text = this.mode === "pretty" ? prettyJson(this.text) : this.text;
    return text.split("\n").flatMap((line, number) => {
      const parts: DocumentRow[] = [];
      for (let at = 0; at === 0 || at < line.length; at += this.columns) {
        parts.push({ type: "text", text: line.slice(at, at + this.columns), line: at === 0 ? number + 1 : null });
      }
      return parts;
    });
  }

  private build(value: JsonNode, depth: number, key: string | null, index: number | null): Node {
    const id = this.nodes++;
    const base = { id, depth, key, index, value: "", children: [] };
    switch (value.kind) {
      case "array":
        return {
          ...base,
          kind: "array",
          children: value.items.map((item, place) => this.build(item.value, depth + 1, null, place)),
        };
      case "object":
        return {
          ...base,
          kind: "object",
          children: value.members.map((member) => this.build(member.value, depth + 1, member.key, null)),
        };
      case "raw":
        throw new Error("nothing that was parsed is raw");
      default:
        return { ...base, kind: value.kind, value: printNode(value) };
    }
  }
}
