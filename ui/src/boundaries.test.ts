import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** Additional allowed imports, `importer -> imported`, each with its reason. Patterns do not work. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ["app/host.ts -> ipc/fake/index.ts", "development and test builds run on the simulated host"],
  ["state/testing/openApp.ts -> ipc/fake/index.ts", "tests run on the simulated host"],
]);

/** Folders of `src` with those that they may import. Features never import each other. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  schema: ["lib"],
  ipc: [],
  "ipc/fake": ["ipc", "schema"],
  state: ["ipc", "schema", "lib"],
  components: ["state", "ipc", "schema", "lib"],
  features: ["components", "state", "ipc", "schema", "lib"],
  app: ["features", "components", "state", "ipc", "schema", "lib"],
};

interface Import {
  readonly from: string;
  /** A file of `src`, or the name of a package. */
  readonly to: string;
  readonly local: boolean;
}

const root = fileURLToPath(new URL(".", import.meta.url));
const self = "boundaries.test.ts";
const files = readdirSync(root, { recursive: true, encoding: "utf8" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts") && path !== self);
const known = new Set(files);
const imports = files.flatMap((file) => importsOf(file, readFileSync(join(root, file), "utf8")));
const shipped = imports.filter(({ from }) => !from.includes(".test."));

/** Returns the imports of a module, including those of types and dynamic ones. Comments are ignored. */
function importsOf(from: string, text: string): Import[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, "");
  const found = code.matchAll(/\b(?:from|import)\s*\(?\s*"([^"\n]+)"/g);
  return [...found].flatMap(([, name = ""]): Import[] => {
    if (!name.startsWith(".")) return [{ from, to: name, local: false }];
    if (/\.(css|svg)$/.test(name)) return [];
    const path = normalize(join(dirname(from), name)).replaceAll("\\", "/");
    const to = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((candidate) => known.has(candidate));
    if (to === undefined) throw new Error(`${from} imports ${name}, which is not there`);
    return [{ from, to, local: true }];
  });
}

function layerOf(path: string): string {
  if (path.startsWith("ipc/fake/")) return "ipc/fake";
  return path.split("/")[0] ?? "";
}

function featureOf(path: string): string | undefined {
  return path.startsWith("features/") ? path.split("/")[1] : undefined;
}

/** Files that may request frames and render synchronously, each with its reason. */
const TIMING: ReadonlyMap<string, readonly string[]> = new Map([
  // Drawing and measuring. The focus moves at once, as the next key press may come before the next frame.
  ["requestAnimationFrame", ["lib/effects.ts", "lib/frames.ts"]],
  // Rendering before the focus moves.
  ["flushSync", ["lib/focus.ts"]],
]);

/** Returns the files whose code, without comments, has this word. */
function usersOf(word: string, among: readonly string[], read: (file: string) => string): string[] {
  return among.filter((file) =>
    read(file)
      .replace(/^\s*(\/\/|\/?\*).*$/gm, "")
      .includes(word),
  );
}

const words = ({ from, to }: Import): string => `${from} -> ${to}`;

/** Returns each import cycle once, as its files. */
function circles(edges: readonly Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to, local } of edges) if (local) next.set(from, [...(next.get(from) ?? []), to]);
  const found: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, way: readonly string[]): void => {
    const at = way.indexOf(file);
    if (at >= 0) {
      found.push([...way.slice(at), file]);
      return;
    }
    if (done.has(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...way, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}

describe("the modules of the window", () => {
  it("are found with their imports", () => {
    expect(files.length).toBeGreaterThan(200);
    expect(imports.length).toBeGreaterThan(1000);
    // Each way to write an import, once.
    expect(
      importsOf(
        "app/parts.ts",
        `import "./main";
import {
  a,
  type B,
} from "./tabs";
import type { C } from "../state/app";
export * from "react";
// import d from "./Shell";
const e = await import("../features/wire/WirePane");`,
      ).map(({ to }) => to),
    ).toEqual(["app/main.tsx", "app/tabs.ts", "state/app.ts", "react", "features/wire/WirePane.tsx"]);
    expect(
      circles([
        { from: "a", to: "b", local: true },
        { from: "b", to: "c", local: true },
        { from: "c", to: "a", local: true },
      ]),
    ).toEqual([["a", "b", "c", "a"]]);
  });

  it("do not import each other in a circle", () => {
    expect(circles(imports).map((circle) => circle.join(" -> "))).toEqual([]);
  });

  it("import only what lies below them", () => {
    const wrong = shipped.filter(({ from, to, local }) => {
      if (!local) return false;
      const [layer, other] = [layerOf(from), layerOf(to)];
      if (layer === other) return featureOf(from) !== featureOf(to);
      return !LAYERS[layer]?.includes(other);
    });
    expect(wrong.map(words).filter((edge) => !ALLOWED.has(edge))).toEqual([]);
    expect([...ALLOWED.keys()].filter((edge) => !wrong.map(words).includes(edge))).toEqual([]);
  });

  it("leave frames and synchronous rendering to one of them each", () => {
    const read = (file: string): string => readFileSync(join(root, file), "utf8");
    const product = files.filter((file) => !file.includes(".test.") && !file.startsWith("ipc/fake/"));
    for (const [word, users] of TIMING) expect([word, ...usersOf(word, product, read)]).toEqual([word, ...users]);
    expect(usersOf("word", ["a", "b"], (file) => (file === "a" ? "  // word" : "a.word()"))).toEqual(["b"]);
  });

  it("leave the desktop host to one of them", () => {
    const users = imports.filter(({ to }) => to.startsWith("@tauri-apps/")).map(({ from }) => from);
    expect([...new Set(users)]).toEqual(["ipc/tauri.ts"]);
  });
});

const tests = files.filter((file) => file.includes(".test."));
const texts = (wanted: RegExp) => tests.filter((file) => wanted.test(readFileSync(join(root, file), "utf8")));

it("only a test that is alone replaces a module", () => {
  expect(texts(/\bvi\.(mock|doMock|resetModules)\(/).filter((file) => !file.includes(".alone."))).toEqual([]);
});

it("no test of the window has a limit of its own", () => {
  // `vi.waitFor` has its own limit of a second, which no setting changes: `waitFor` of Testing Library and
  // `expect.poll` use the common one.
  const limits = /\bvi\.wait(For|Until)\b|[tT]imeout: *[\d_]+|^\}, [\d_]+\);/m;
  expect(texts(limits)).toEqual([]);
});
